"""`textgauge.explain`: the calculation of a score, for a corpus and for each of its segments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from ..accumulation.accumulator import Accumulator
from ..accumulation.registry import METRICS, NamedScore, score_named
from ..arrays import offsets_of
from ..checks import metric_by_keyword
from ..input.columns import Corpus
from ..input.elements import is_group
from ..metric.inputs import refuse_unused
from ..metric.layout import Rows
from .alignment import Alignment, Match
from .derivation import Derivation, Step, written
from .explainer import explainer_of
from .marks import Piece
from .matches import aligned

Cut = Callable[[str, Sequence[Match]], Sequence[Piece]]


def derived(accumulator: Accumulator, key: str, corpus: Corpus) -> Derivation:
    """Return the calculation of a score of a corpus, with that of every segment.

    Parameters
    ----------
    accumulator : Accumulator
        With the segments of `corpus`. A single one is explained as a corpus, each of several as a segment.
    """
    rows = accumulator.statistics
    per_segment = np.ones(len(corpus), np.int64) if rows.per_segment is None else rows.per_segment
    metric = accumulator.metric if len(per_segment) == 1 else accumulator.metric.sentence_form()
    spans = [*pairwise(offsets_of(per_segment).tolist())]
    words, scale, rule = explainer_of(metric), metric.scores.top, metric.counter.references
    marks = words.marks(key)
    alignments = aligned(corpus, marks)
    values = accumulator.segment_values()[key] * metric.scores.scale
    trial = "without reference" if rule.leaves_one_out and rule.rule != "average" else "reference"
    segments = []
    for i, (first, last) in enumerate(spans):
        texts = corpus.take(np.array([i]))
        of_rows = [
            words.derivation(key, Rows(rows.layout, rows.values[row]), texts if last - first == 1 else None)
            for row in range(first, last)
        ]
        whole = of_rows[0] if len(of_rows) == 1 else _mean(of_rows, trial, "references", float(values[i]), scale, ())
        marked = _texts(marks.pieces, texts, alignments[i])
        segments.append(replace(whole, texts=marked, legend=marks.legend, scale=scale))
    if len(segments) == 1:
        return segments[0]
    score = float(accumulator.observed_scores()[key])
    if accumulator.metric.combine == "mean":
        whole = _mean(segments, "segment", "segments", score, scale, tuple(segments))
    else:
        whole = replace(
            explainer_of(accumulator.metric).derivation(key, accumulator.total(), None), segments=tuple(segments)
        )
    return replace(whole, legend=marks.legend, scale=scale)


def _mean(
    parts: Sequence[Derivation], label: str, over: str, score: float, scale: float, segments: tuple[Derivation, ...]
) -> Derivation:
    steps = [Step(f"{label} {n}", formula="", value=part.score, is_score=True) for n, part in enumerate(parts, 1)]
    shown = [written(part.score, scale) for part in parts]
    formula = f"({' + '.join(shown)}) / {len(shown)}" if len(shown) <= 4 else f"sum of these / {len(shown)}"
    title = parts[0].title
    last = Step(title, formula=formula, value=score, meaning=f"the mean over the {over}")
    return Derivation(title, (*steps, last), segments=segments)


def _texts(pieces: Cut, corpus: Corpus, alignment: Alignment) -> tuple[tuple[str, tuple[Piece, ...]], ...]:
    references = corpus.references.tolist() if alignment.references else []
    names = ["reference"] if len(references) == 1 else [f"reference {n}" for n in range(1, len(references) + 1)]
    if alignment.is_alone and len(references) > 1:
        names[alignment.best] += " (scored)"
    sources = [] if corpus.sources is None else corpus.sources.tolist()
    sides = [("prediction" if references or sources else "text", corpus.hypotheses[0], alignment.prediction)]
    sides += [("source", text, []) for text in sources]
    sides += zip(names, references, alignment.references, strict=True)
    return tuple((name, tuple(pieces(text, matches))) for name, text, matches in sides)


def _lines(predictions: Any) -> Any:
    """Return rows of numbers as lines of text, others as they are."""
    if not is_group(predictions) or not all(map(is_group, predictions)):
        return predictions
    rows = [[*row] for row in predictions]
    is_all = all(isinstance(number, (int, float, np.number)) for row in rows for number in row)
    return [" ".join(repr(float(number)) for number in row) for row in rows] if is_all else predictions


@metric_by_keyword
def explain(
    predictions: Any, references: Any = None, *, sources: Any = None, metric: str = "bleu",
    metric_options: Mapping[str, Any] | None = None,
) -> Derivation:  # fmt: skip
    """Return the calculation of a score: its steps with their numbers, and why it is 0.

    `print` shows it as text. Meant for a few segments: it has the texts and the steps of each.

    Parameters
    ----------
    predictions, references
        As for `corpus_of`; no references for perplexity, which has none. With its option `own_numbers`, predictions
        may also be lists of numbers.
    sources : iterable of str, optional
        What every prediction translates, for metrics that read them.
    metric, metric_options
        As for `compare`; also "rouge", for all its types.

    Returns
    -------
    Derivation
        ``score``, ``steps``, ``remarks``, ``edits``, ``texts`` and ``segments``; of several types those of the first,
        and those of the rest in ``others``.

    Raises
    ------
    TypeError, ValueError
        As `corpus_of`, and for a metric that has references if there are none.

    Examples
    --------
    >>> print(explain(["the cat sat"], ["the cat is here"], metric="rouge1"))
    prediction  [the] [cat] sat
    reference   [the] [cat] is here
    [word]      in both texts (counts)
    <BLANKLINE>
    matches     2  the · cat
    precision   2 of 3 = 0.6667  (unmatched: sat)
    recall      2 of 4 = 0.5000  (unmatched: is · here)
    ROUGE-1     2 × 0.6667 × 0.5000 / (0.6667 + 0.5000) = 0.5714
    """
    kind = METRICS.get(metric) if isinstance(metric, str) else None
    has_several = kind is not None and kind.scores.named(metric) is None
    named = NamedScore(metric, kind, "") if kind is not None and has_several else score_named(metric)
    texts = predictions if named.metric.inputs.has_references else _lines(predictions)
    corpus = named.metric.inputs.corpus(metric, texts, references, sources)
    accumulator = named.start(metric_options)
    accumulator.metric.counter.check_ready()
    refuse_unused([accumulator.metric], corpus.given)
    accumulator.update_corpus(corpus)
    first, *others = (
        derived(accumulator, key, corpus) for key in (accumulator.metric.scores.keys if has_several else [named.key])
    )
    return replace(first, others=tuple(others))
