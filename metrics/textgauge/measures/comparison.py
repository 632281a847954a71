"""Comparison of several systems with a baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..checks import fail, refuse_unknown, shown
from ..columns import Corpus, corpus_of, text_column, without_references
from ..options import options_of
from ..resampling import Comparison, PairedOptions, compare_systems
from ..squad_rows import has_rows, reader_of
from .measure import Measure
from .registry import score_named


def compare(
    systems: Sequence[Any],
    references: Any = None,
    *,
    metric: str = "bleu",
    metric_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> list[Comparison]:
    """Score several systems on the same segments and test each against the first.

    Parameters
    ----------
    systems : sequence of at least 2 columns of text
        The predictions of every system, the baseline first.
    references
        As for `corpus_of`; None for perplexity, which has none. Rows of SQuAD may be on both sides.
    metric : str
        "bleu", "sacrebleu", "chrf", "ter", "token_f1", "exact_match", "squad", "squad_v2", "perplexity", or a type of
        ROUGE.
    metric_options : mapping or None
        Options of the metric: see `Bleu`, `Rouge`, `Chrf`, `Ter`, `TokenF1`, `Perplexity`.
    options
        test, n_resamples, seed, confidence, p_value: see `compare_systems`.

    Returns
    -------
    list of Comparison
        One for every system but the first. If lower is better, `wins` and a one-sided p refer to the
        lower score.

    Examples
    --------
    >>> baseline, other = ["a b c d"] * 12, ["a b c e"] * 12
    >>> [result] = compare([baseline, other], other, metric="rouge1")
    >>> result.score1, result.score2
    (0.75, 1.0)
    """
    if isinstance(systems, (str, bytes)) or not isinstance(systems, Sequence):
        fail(TypeError, "systems", "a list with the predictions of every system", shown(systems))
    if len(systems) < 2:
        fail(ValueError, "systems", "a baseline and at least one other system", f"{len(systems)} in all")
    if references is not None and has_rows(references):
        read = reader_of([score_named(metric).measure])
        corpora = [read(system, references) for system in systems]
        return compare_corpora(corpora, metric=metric, metric_options=metric_options, **options)
    if references is not None:
        first = corpus_of(systems[0], references)
    elif score_named(metric).measure.has_references:
        fail(TypeError, "references", f"texts, which {metric} needs", "None")
    else:
        first = without_references(text_column(systems[0], "systems[0]"))
    return compare_corpora(
        [first, *(same_references(first, system, f"systems[{i}]") for i, system in enumerate(systems[1:], 1))],
        metric=metric, metric_options=metric_options, **options,
    )  # fmt: skip


def same_references(first: Corpus, predictions: Any, argument: str) -> Corpus:
    """Return a corpus of other predictions with the same references and sources."""
    hypotheses = text_column(predictions, argument)
    if len(hypotheses) != len(first):
        fail(ValueError, argument, f"as many segments as the first system ({len(first)})", str(len(hypotheses)))
    return Corpus(hypotheses, first.references, first.reference_offsets, sources=first.sources)


def compare_corpora(
    corpora: Sequence[Corpus], *, metric: str, metric_options: Mapping[str, Any] | None, **options: Any
) -> list[Comparison]:
    """Like `compare`, for checked texts."""
    named = score_named(metric)
    of_metric = dict.fromkeys((one.name for one in options_of(named.measure.options_type)), "metric_options")
    refuse_unknown(options, [*PairedOptions._fields, "metric_options"], "compare", elsewhere=of_metric)
    measures = []
    for corpus in corpora:
        measures.append(named.start(metric_options))
        measures[-1].update_corpus(corpus)
    return compare_measures(measures, named.key, **options)


def compare_measures(measures: Sequence[Measure], key: str, **options: Any) -> list[Comparison]:
    """Like `compare`, for the score `key` of measures with the same options, one per system."""
    systems = [measure.additive for measure in measures]
    first = measures[0]
    # Tests and wins assume that higher is better.
    sign = 1 if first.about.higher_is_better else -1
    observed = sign * np.array([measure.observed_scores()[key] for measure in measures])
    if not np.isfinite(observed).all():
        system = int(np.flatnonzero(~np.isfinite(observed))[0])
        fail(ValueError, f"systems[{system}]", f"a finite {key}", str(sign * observed[system]))
    found = compare_systems(
        systems, score=lambda sums: sign * first.corpus_scores(sums)[key], observed=observed, **options
    )
    return [_restored(comparison, sign, first.scale) for comparison in found]


def _restored(comparison: Comparison, sign: int, scale: float) -> Comparison:
    """Restore the sign and the scale of the scores; p and wins refer to the better score and stay."""
    if sign == 1 and scale == 1:
        return comparison
    values = {name: value for name, value in comparison._asdict().items() if name not in ("p", "wins")}
    restored: Any = {
        name: [0 + sign * bound * scale for bound in value[::sign]]
        if isinstance(value, list) else 0 + sign * value * scale
        for name, value in values.items() if value is not None
    }  # fmt: skip
    return comparison._replace(**restored)


def check_comparison(*, metric: str = "bleu", metric_options: Mapping[str, Any] | None = None, **options: Any) -> None:
    """Raise for invalid options of `compare_corpora`."""
    empty = score_named(metric).start(metric_options)
    empty.check_sums()
    PairedOptions(**options).check()
