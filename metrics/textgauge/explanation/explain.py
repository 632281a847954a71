"""What matches in texts, `textgauge.matches`; the calculation of a score, for a corpus and for each of its segments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from .. import engine
from ..accumulation.accumulator import Accumulator, observed_scores
from ..accumulation.named_score import AnyMetric, score_of
from ..arrays import offsets_of
from ..checks import fail, metric_by_keyword
from ..input.columns import Corpus
from ..locations import DEFAULT
from ..metric.inputs import refuse_unused
from ..metric.layout import Rows
from ..metric.metric import of_segments
from .alignment import Alignment, Alignments, Match
from .derivation import Derivation, Step, written
from .explainer import explainer_of
from .marks import Marks, Piece

Cut = Callable[[str, Sequence[Match]], Sequence[Piece]]


@metric_by_keyword
def matches(
    predictions: Any, references: Any = None, *, sources: Any = None, metric: AnyMetric = DEFAULT
) -> list[Alignment]:  # fmt: skip
    """Return the tokens of every prediction and reference that match, or what a model marks as wrong.

    What matches is what the metric counts: n-grams of tokens or of characters, common subsequences, words that an
    alignment keeps in place or shifts. An n-gram that occurs n times on one side and m times on the other matches
    min(n, m) times, at its first occurrences; shorter n-grams are shown as well, with a smaller ``weight``. Nothing
    matches beyond `max_words` and `max_bytes`. Of a metric that compares embeddings every token matches, and
    ``partner`` is the place of its best match. Of a model that marks errors, such as XCOMET, the result has the error
    spans in the prediction alone, with their severity, 1, 5 or 10, as ``weight``.

    Parameters
    ----------
    predictions, references
        As for `corpus_of`; a model of "comet" may need no references.
    sources : iterable of str, optional
        What every prediction translates, for metrics that read them.
    metric
        As for `compare`.

    Returns
    -------
    list of Alignment
        One per segment: ``prediction``, a list of Match; ``references``, such a list per reference; ``best``,
        the index of the reference that is scored. A Match has ``start``, ``end``, ``weight``, ``joins``,
        ``is_common`` and ``partner``; its token is ``text[start:end]``.

    Raises
    ------
    TypeError, ValueError
        As `corpus_of`, and for a metric or a model without matches, such as perplexity.

    Examples
    --------
    >>> text = "the cat sat"
    >>> [aligned] = matches([text], ["A cat sat down"], metric="rouge2")
    >>> [(text[m.start : m.end], m.weight) for m in aligned.prediction]
    [('cat', 2), ('sat', 2)]
    """
    named = score_of(metric)
    key = named.key
    if not named.metric.inputs.has_references:
        fail(ValueError, "metric", "a metric that compares with references", named.name)
    scored = named.start(scores_alone=True).metric
    marks = explainer_of(scored).marks(key)
    if not marks.verb:
        fail(ValueError, "metric", "a metric that marks matches in texts, or a model that does", named.name)
    corpus = named.metric.inputs.corpus(named.name, predictions, references, sources)
    refuse_unused([scored], corpus.given)
    return Alignments(aligned(corpus, marks))


def aligned(corpus: Corpus, marks: Marks) -> list[Alignment]:
    """Like `matches`, for checked texts and the marks of a metric."""
    engine.warn_if_plain()
    align = marks.align
    return [alignment for chunk in corpus.chunks() for alignment in align(chunk)]


def derived(accumulator: Accumulator, key: str, corpus: Corpus, numbers: Sequence[int] | None = None) -> Derivation:
    """Return the calculation of a score of a corpus, with that of every segment.

    Parameters
    ----------
    accumulator : Accumulator
        With the segments of `corpus`. A single one is explained as a corpus, each of several as a segment.
    numbers : sequence of int, or None
        The number of every segment in its file; None counts from 1.
    """
    rows = accumulator.statistics
    per_segment = np.ones(len(corpus), np.int64) if rows.per_segment is None else rows.per_segment
    metric = accumulator.metric if len(per_segment) == 1 else of_segments(accumulator.metric)
    spans = [*pairwise(offsets_of(per_segment).tolist())]
    words, scale = explainer_of(metric), metric.scores.top
    marks = words.marks(key)
    alignments = aligned(corpus, marks)
    values = accumulator.segment_values()[key] * metric.scores.scale
    trial = "without reference" if metric.layout.references.endswith("others") else "reference"
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
    score = float(observed_scores(accumulator)[key])
    if accumulator.metric.combine == "mean":
        whole = _mean(segments, "segment", "segments", score, scale, tuple(segments), numbers)
    else:
        whole = replace(
            explainer_of(accumulator.metric).derivation(key, accumulator.total(), None), segments=tuple(segments)
        )
    return replace(whole, legend=marks.legend, scale=scale)


def _mean(
    parts: Sequence[Derivation], label: str, over: str, score: float, scale: float, segments: tuple[Derivation, ...],
    numbers: Sequence[int] | None = None,
) -> Derivation:  # fmt: skip
    numbered = zip(numbers or range(1, len(parts) + 1), parts, strict=True)
    steps = [Step(f"{label} {n}", formula="", value=part.score, is_score=True) for n, part in numbered]
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
