"""One score for every segment, and for every pair of two lists of texts."""

from __future__ import annotations

from typing import Any, overload

import numpy as np
import numpy.typing as npt

from ..accumulation.accumulator import Accumulator, with_metric
from ..accumulation.named_score import AnyMetric, NamedScore, score_of
from ..arrays import FloatArray, IntArray
from ..checks import fail, metric_by_keyword, shown, whole_number
from ..input.columns import ReferenceColumn, TextColumn, sources_of, text_column
from ..input.elements import is_group
from ..metric.inputs import refuse_unused
from ..metric.metric import Metric, of_segments
from ..options import options_of
from ..plain import Texts
from .matrix import Matrix, best_of_rows, filled

Floats = npt.NDArray[np.floating[Any]]


def single_score(score: NamedScore) -> tuple[Accumulator, str]:
    """Return an empty accumulator for scores of single segments, and the key of the score."""
    if not score.metric.inputs.has_references:
        fail(ValueError, "metric", "a metric that compares texts with others", shown(str(score)))
    if score.has_several:
        score = NamedScore(score.name, {**score.metric.options_type.defaults_for.get("one score", {}), **score.options})
    return _of_segments(score.start(scores_alone=True)), score.key


def score_of_pairs(score: NamedScore) -> tuple[Metric, str]:
    """Return `single_score`; refuse options for several references, of which a pair has one."""
    started, key = single_score(score)
    for option in options_of(started.metric_type.options_type):
        if option.of_several and option.name in score.options:
            fail(ValueError, option.name, "its default for pairs of texts", shown(score.options[option.name]))
    return started.metric, key


def _of_segments(started: Accumulator) -> Accumulator:
    started.metric.check_ready()
    return with_metric(started, of_segments(started.metric))


def segment_scores(
    metric: AnyMetric, predictions: TextColumn, references: ReferenceColumn | None = None, *,
    sources: TextColumn | None = None,
) -> FloatArray:  # fmt: skip
    """Return one score for every segment, on the scale of the metric.

    The score of `bleu` and of `sacrebleu` is sentence BLEU, with effective order, and with exponential smoothing unless
    the options name a smoothing, as sacreBLEU's `sentence_score`.

    Parameters
    ----------
    metric : str or object
        A metric or a score with its options, such as "rouge2", "chrf(word_order=2)" or
        ``textgauge.Chrf(word_order=2)``; "rouge" is ROUGE-L unless `rouge_types` has another type.
    predictions : iterable of str
    references : iterable of str, or of sequences of str
        One text, or a non-empty sequence of texts, for every prediction; None for a model of "comet" without any.
    sources : iterable of str, optional
        What every prediction translates, for metrics that read them.

    Returns
    -------
    float64, shape (n_segments,)

    Raises
    ------
    TypeError
        If an element is not text, the metric lacks references or uses no sources, or an option is unknown or of a
        wrong type.
    ValueError
        If there is no such metric, if it has no references or the options leave several scores, if there are no
        segments, or an option is out of range.

    Examples
    --------
    >>> segment_scores("rougeL", ["the cat sat", "a dog"], ["the cat sat down", "two birds"]).tolist()
    [0.8571428571428571, 0.0]
    """
    if is_group(metric):
        allowed = "a metric before the texts, as in segment_scores('chrf', predictions, references)"
        fail(TypeError, "metric", allowed, shown(metric))
    score = score_of(metric, paired=True)
    started, key = single_score(score)
    corpus = started.metric.inputs.corpus(score.name, predictions, references, sources)
    refuse_unused([started.metric], corpus.given)
    return started.update_corpus(corpus).segment_columns()[key]


@overload
def pairwise(
    predictions: TextColumn, references: TextColumn | None = None, *, sources: TextColumn | None = None,
    metric: AnyMetric, dtype: npt.DTypeLike = np.float64, top: None = None,
) -> Floats: ...  # fmt: skip
@overload
def pairwise(
    predictions: TextColumn, references: TextColumn | None = None, *, sources: TextColumn | None = None,
    metric: AnyMetric, dtype: npt.DTypeLike = np.float64, top: int,
) -> tuple[Floats, IntArray]: ...  # fmt: skip
@metric_by_keyword
def pairwise(
    predictions: TextColumn, references: TextColumn | None = None, *, sources: TextColumn | None = None,
    metric: AnyMetric, dtype: npt.DTypeLike = np.float64, top: int | None = None,
) -> Floats | tuple[Floats, IntArray]:  # fmt: skip
    """Score every prediction against every reference.

    Every entry equals `segment_scores` of its two texts. A metric that weighs words by how rare they are
    learns that from all references of the call.

    Parameters
    ----------
    predictions : iterable of str, n of them
    references : iterable of str, m of them, optional
        By default the predictions, which are then scored against each other.
    sources : iterable of str, n of them, optional
        What every prediction translates, for metrics that read them.
    metric : str or object
        As in `segment_scores`.
    dtype : dtype
        A type of floating-point numbers; float32 takes half of the memory.
    top : int, optional
        Return only so many best scores of each prediction, without the memory of all of them; predictions
        that are scored against each other leave out themselves.

    Returns
    -------
    shape (n, m)
        Or with `top` scores and indices of references (int64), shape (n, top) each: the best first, of equal
        scores the first reference. The best are the lowest of a metric where lower is better.

    Raises
    ------
    TypeError, ValueError
        As in `segment_scores`; or if `dtype` is no type of floating-point numbers, there are fewer references
        than `top`, or an option is for several references.

    Examples
    --------
    >>> texts = ["the cat sat", "the cat sat down", "a dog"]
    >>> pairwise(texts, metric="rougeL").round(3).tolist()
    [[1.0, 0.857, 0.0], [0.857, 1.0, 0.0], [0.0, 0.0, 1.0]]
    >>> scores, indices = pairwise(texts, metric="rougeL", top=1)
    >>> indices.tolist()
    [[1], [0], [0]]
    """
    score = score_of(metric, paired=True)
    scored, key = score_of_pairs(score)
    number_type = _floats(dtype)
    rows, columns = _columns(predictions, references)
    scored.inputs.check({"sources": sources}, score.name)
    matrix = Matrix(scored, key, rows, columns, sources=sources_of(rows, sources))
    if top is None:
        return filled(matrix, np.empty(matrix.shape, number_type))
    n_others = matrix.shape[1] - matrix.is_own
    if whole_number("top", top, at_least=1) > n_others:
        fail(ValueError, "top", f"at most the number of other texts ({n_others})", shown(top))
    scores, places = best_of_rows(matrix, top)
    return scores.astype(number_type, copy=False), places


def _columns(predictions: Any, references: Any) -> tuple[Texts, Texts | None]:
    """Check both sides."""
    sides = {"predictions": predictions, **({} if references is None else {"references": references})}
    columns = [text_column(values, name) for name, values in sides.items()]
    for name, column in zip(sides, columns, strict=True):
        if not len(column):
            fail(ValueError, name, "at least one text", "none")
    return columns[0], None if references is None else columns[1]


def _floats(dtype: npt.DTypeLike) -> np.dtype[Any]:
    allowed = "a type of floating-point numbers"
    try:
        checked: np.dtype[Any] = np.dtype(dtype)
    except (TypeError, ValueError):
        fail(TypeError, "dtype", allowed, shown(dtype))
    if checked.kind != "f":
        fail(ValueError, "dtype", allowed, shown(dtype))
    return checked
