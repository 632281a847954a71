"""Comparison of several systems with a baseline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Literal, TypeAlias, overload

import numpy as np

from ..accumulation.accumulator import Accumulator, additive, corpus_scores, observed_scores, warn_of_scores
from ..accumulation.named_score import AnyMetric, NamedScore, score_of, scores_of
from ..arrays import FloatArray
from ..checks import Tally, fail, flag, metric_by_keyword, quantity, refuse_unknown, shown, warn_user
from ..input.columns import Corpus, corpus_of, text_column, warn_of_labels
from ..input.elements import kept
from ..input.squad_rows import has_rows, reader_of
from ..locations import DEFAULT
from ..metric.inputs import refuse_unused
from ..metric.scores import Score
from ..notebook import Table, displayed
from ..options import options_of
from . import AllPairs, Comparison, PairedOptions, compare_all, holm
from .comparison import compare_named, table_of
from .intervals import BootstrapOptions, width_of_alike, within_scale
from .power import within_reach
from .units import FEW_UNITS

# The predictions of every system, also by names.
Systems: TypeAlias = Sequence[Any] | Mapping[str, Any]


@displayed
class Comparisons(list[Comparison]):
    """Comparisons with one baseline: a list that `print` and a notebook show as a table.

    Attributes
    ----------
    names : list of str
        The names of the systems, the baseline first.
    p_holm : list of float, or None
        The p-values, corrected by Holm's method for all tests of the call; None if there was one test.
    """

    def __init__(self, comparisons: Iterable[Comparison], names: Sequence[str] = ()) -> None:
        """Name the systems by their places unless there are `names`."""
        super().__init__(comparisons)
        self.names = [*names] or [f"systems[{i}]" for i in range(len(self) + 1)]
        self.p_holm: list[float] | None = None
        self._compared = (*self,)

    def __repr__(self) -> str:
        """Return a line with the number of systems; each comparison has its own."""
        return f"<Comparisons of {quantity(len(self), 'system')} with {self.names[0]}>"

    def _table(self) -> Table:
        """Return a row for the baseline, then one for each comparison; users may sort the list, or change it."""
        place_of = {id(comparison): i for i, comparison in enumerate(self._compared)}
        places = [place_of.get(id(comparison), -1) for comparison in self]
        names = [self.names[place + 1] if place >= 0 else f"[{i}]" for i, place in enumerate(places)]
        p_holm = None if self.p_holm is None or -1 in places else [self.p_holm[place] for place in places]
        return table_of(self, [self.names[0], *names], p_holm)


@overload
def compare(
    systems: Systems, references: Any = None, *, sources: Any = None, metric: AnyMetric = DEFAULT,
    all_pairs: Literal[False] = False, **options: Any,
) -> Comparisons: ...  # fmt: skip
@overload
def compare(
    systems: Systems, references: Any = None, *, sources: Any = None, metric: AnyMetric = DEFAULT,
    all_pairs: Literal[True], **options: Any,
) -> AllPairs: ...  # fmt: skip
@overload
def compare(
    systems: Systems, references: Any = None, *, sources: Any = None, metric: list[AnyMetric] | tuple[AnyMetric, ...],
    all_pairs: Literal[False] = False, **options: Any,
) -> dict[str, Comparisons]: ...  # fmt: skip
@overload
def compare(
    systems: Systems, references: Any = None, *, sources: Any = None, metric: list[AnyMetric] | tuple[AnyMetric, ...],
    all_pairs: Literal[True], **options: Any,
) -> dict[str, AllPairs]: ...  # fmt: skip
@metric_by_keyword
def compare(
    systems: Systems, references: Any = None, *, sources: Any = None, metric: Any = DEFAULT,
    all_pairs: bool = False, **options: Any,
) -> Any:  # fmt: skip
    """Score several systems on the same segments and test each against the first, or every two of them.

    Parameters
    ----------
    systems : sequence of at least 2 columns of text, or dict from names to them
        The predictions of every system, the baseline first.
    references
        As for `corpus_of`; None for perplexity, which has none. Rows of SQuAD may be on both sides.
    sources : iterable of str, optional
        What every prediction translates, for metrics that read them.
    metric : str or object
        A metric, or one of its scores, with the options that its card and its function list: "chrf",
        "rougeL(use_stemmer=True)", ``textgauge.Chrf(word_order=2)``; `textgauge help` lists all. Or a list of several.
    all_pairs : bool
        Test every two systems on the same resamples, with Holm's correction for all pairs, and rank them.
    options
        test, n_resamples, seed, confidence, p_value, unit: see `compare_systems`. There is no one-sided p of all pairs,
        and by default so many resamples that all pairs can be significant.

    Returns
    -------
    list of Comparison, or AllPairs; of several metrics a dict from each
        One for every system but the first. If lower is better, `wins` and a one-sided p refer to the
        lower score. The list has the `names` of the systems, and `p_holm`, corrected for all tests of the
        call, if there are several. With `all_pairs` the p-values of every two systems, rank ranges and clusters.

    Examples
    --------
    >>> baseline, other = ["a b c d", "f g"] * 12, ["a b c e", "f h"] * 12
    >>> [result] = compare([baseline, other], other, metric="rouge1")
    >>> result.score1, result.score2
    (0.625, 1.0)
    >>> compare([baseline, other], other, metric="rouge1", all_pairs=True).rank_ranges
    [[2, 2], [1, 1]]
    >>> found = compare({"base": baseline, "new": other}, other, metric=["rouge1", "chrf"])
    >>> found["rouge1"].names, len(found["rouge1"].p_holm)
    (['base', 'new'], 1)
    """
    flag("all_pairs", all_pairs)
    options["all_pairs"] = all_pairs
    if isinstance(systems, (str, bytes)) or not isinstance(systems, (Sequence, Mapping)):
        fail(TypeError, "systems", "a list with the predictions of every system, or a dict by names", shown(systems))
    if len(systems) < 2:
        fail(ValueError, "systems", "a baseline and at least one other system", f"{len(systems)} in all")
    names: list[str] = []
    if isinstance(systems, Mapping):
        names, systems = [*map(str, systems)], [*systems.values()]
    # Each metric reads them.
    texts = {f"systems[{i}]": kept(system) for i, system in enumerate(systems)}
    references, sources = kept(references), kept(sources)
    is_one = not isinstance(metric, (list, tuple))
    found: dict[str, Any] = {}
    for label, score in ({"": score_of(metric)} if is_one else scores_of(metric, paired=True)).items():
        _refuse_unknown(options, score)
        corpora = corpora_of_systems(texts, references, sources, score)
        found[label] = compare_corpora(corpora, score, names, **options)
    tested = [] if all_pairs else [*found.values()]
    p_values = iter(holm([comparison.p for comparisons in tested for comparison in comparisons]))
    if sum(map(len, tested)) > 1:
        for comparisons in tested:
            comparisons.p_holm = [*islice(p_values, len(comparisons))]
    return found[""] if is_one else found


def corpora_of_systems(systems: Mapping[str, Any], references: Any, sources: Any, score: NamedScore) -> list[Corpus]:
    """Return the texts of systems, by argument, with the same references and sources, for a metric."""
    metric_type = score.metric
    metric_type.inputs.check({"references": references, "sources": sources}, score.name)
    if references is not None and has_rows(references):
        read = reader_of([metric_type])
        return [read(system, references) for system in systems.values()]
    warn_of_labels({**systems, "references": references, "sources": sources})
    (name, texts), *others = systems.items()
    first = corpus_of(text_column(texts, name), references, sources=sources, argument=name)
    return [first, *(same_references(first, of_other, other) for other, of_other in others)]


def same_references(first: Corpus, predictions: Any, argument: str) -> Corpus:
    """Return a corpus of other predictions with the same references and sources."""
    hypotheses = text_column(predictions, argument)
    if len(hypotheses) != len(first):
        fail(ValueError, argument, f"as many segments as the first system ({len(first)})", str(len(hypotheses)))
    return Corpus(hypotheses, first.references, first.offsets, sources=first.sources)


def compare_corpora(corpora: Sequence[Corpus], score: NamedScore, names: Sequence[str] = (), **options: Any) -> Any:
    """Like `compare`, for checked texts and names of options."""
    return compare_accumulators(accumulated(corpora, score), score.key, names=names, **options)


def _refuse_unknown(options: Mapping[str, Any], score: NamedScore) -> None:
    elsewhere = dict.fromkeys((option.name for option in options_of(score.metric.options_type)), "metric")
    elsewhere |= {"predictions": "systems", "hypotheses": "systems"}
    known = [*PairedOptions._fields, "metric", "all_pairs", "systems", "references", "sources"]
    refuse_unknown(options, known, "compare", elsewhere=elsewhere)


def accumulated(corpora: Sequence[Corpus], score: NamedScore) -> list[Accumulator]:
    """Return the counts of every corpus; what they warn of is told once."""
    accumulators, tally = [], Tally()
    for corpus in corpora:
        accumulators.append(score.start(scores_alone=True))
        refuse_unused([accumulators[-1].metric], corpus.given)
        with tally.collecting():
            accumulators[-1].update_corpus(corpus)
    tally.warn()
    return accumulators


def compare_accumulators(
    accumulators: Sequence[Accumulator], key: str, *, all_pairs: bool = False, names: Sequence[str] = (),
    by: str = "", **options: Any,
) -> Any:  # fmt: skip
    """Like `compare`, for the score `key` of accumulators with the same options, one per system.

    A warning has their `names`, by default those of the elements of `systems`, and that of the metric.
    """
    systems = [additive(accumulator) for accumulator in accumulators]
    first, factor = accumulators[0], accumulators[0].metric.scores.scale
    about = first.metric.scores.of(key)
    # Tests and wins assume that higher is better.
    sign = 1 if about.higher_is_better else -1
    observed = sign * np.array([observed_scores(accumulator)[key] for accumulator in accumulators])
    if not np.isfinite(observed).all():
        system = int(np.flatnonzero(~np.isfinite(observed))[0])
        fail(ValueError, f"systems[{system}]", f"a finite {key}", str(sign * observed[system]))
    warn_of_scores(accumulators)

    def score(sums: FloatArray) -> FloatArray:
        return sign * factor * corpus_scores(first, sums)[key]

    named = {f"systems[{i}]": system for i, system in enumerate(systems)}
    checked = PairedOptions(**options)
    tested: Any
    if all_pairs:
        tested = compare_all(named, score, checked, observed, names, by or key)
    else:
        tested = compare_named(named, score, checked, observed, names, by or key, key)
    bootstrap = checked.check()
    n = len(first) if bootstrap.unit is None else len(bootstrap.unit)
    if isinstance(tested, AllPairs):
        return _with_ends(_restored(tested, sign), about, factor, n, bootstrap)
    are_equal = [bool((system == systems[0]).all()) for system in systems[1:]]
    ended = (_with_ends(_restored(comparison, sign), about, factor, n, bootstrap) for comparison in tested)
    compared = Comparisons(ended, names)
    _warn_of_alike(compared, are_equal, by or key)
    return compared


def _with_ends(comparison: Any, about: Score, factor: float, n: int, bootstrap: BootstrapOptions) -> Any:
    """Keep intervals within the scale, and the smallest difference that is detected.

    Where segments score 0 or 1, intervals without width get that of `width_of_alike`; `n` were drawn.
    """
    comparison = comparison._replace(detectable=within_reach(comparison.detectable, about.width * factor))
    if bootstrap.confidence is None or not (about.is_binary or bootstrap.unit or n < FEW_UNITS):
        return comparison
    bottom, top = about.least * factor, about.largest * factor
    width = top * width_of_alike(n, bootstrap.confidence) if about.is_binary else 0.0

    def wider(bounds: list[float]) -> list[float]:
        low, high = bounds
        if not about.is_binary or low != high or abs(low) not in (0.0, top):
            return bounds
        return [low - width, low + width]

    def within(bounds: list[float], least: float = bottom, largest: float = top) -> list[float]:
        low, high = wider(bounds)
        return within_scale(low, high, least, largest)

    if isinstance(comparison, AllPairs):
        bounds: Any = comparison.confidence_intervals
        return comparison._replace(confidence_intervals=[within(ends) for ends in bounds])
    return comparison._replace(
        confidence_interval=within(comparison.confidence_interval, bottom - top, top - bottom),
        confidence_interval1=within(comparison.confidence_interval1),
        confidence_interval2=within(comparison.confidence_interval2),
    )


def _warn_of_alike(compared: Sequence[Comparison], are_equal: Sequence[bool], by: str) -> None:
    """Warn once if an interval of a difference has no width, though the systems differ."""
    for comparison, is_equal in zip(compared, are_equal, strict=True):
        bounds = comparison.confidence_interval
        if bounds is not None and bounds[0] == bounds[1] and not is_equal:
            warn_user(
                f"the interval of a difference by {by} has no width, since all draws have the same: that shows nothing "
                "about other segments."
            )
            return


# What is a score, or the bounds of one; p, wins and ranks refer to the better score and stay.
_SCORES = ("stat", "score1", "score2", "scores")


def _restored(comparison: Any, sign: int) -> Any:
    """Restore the sign of the scores."""
    if sign == 1:
        return comparison
    restored = {}
    for name, value in comparison._asdict().items():
        if value is not None and (name in _SCORES or "interval" in name):
            signed = -np.asarray(value)
            # Bounds of the other sign change their places; 0 has none.
            restored[name] = (0 + (signed[..., ::-1] if "interval" in name else signed)).tolist()
    return comparison._replace(**restored)


def check_comparison(score: NamedScore, **options: Any) -> None:
    """Raise for invalid options of `compare_corpora`."""
    _ = score.key
    score.start(scores_alone=True).metric.sums.refuse_resamples()
    PairedOptions(**options).check()
