"""Minimum Bayes risk: of several candidates, the one that agrees best with all of them, or with pseudo-references."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from .. import threads
from ..accumulation.named_score import AnyMetric, score_of
from ..arrays import FloatArray, IntArray
from ..checks import fail, flag, metric_by_keyword, shown
from ..input.columns import TextColumn, text_column
from ..input.elements import is_group
from ..metric.metric import Metric
from ..notebook import Table, decimals_of, displayed
from ..plain import Texts
from .matrix import Matrix, mean_of_rows
from .pairwise import score_of_pairs

# Rows of a table in a notebook.
_SHOWN = 20
_ALLOWED = "a list of str, or a list of such lists"


@displayed
class Choice(NamedTuple):
    """What `mbr` chose among the candidates of one list.

    Attributes
    ----------
    best : int
        The index of the candidate with the best expected score, the first of equal ones.
    scores : float64, shape (n_candidates,)
        The expected scores.
    """

    best: int
    scores: FloatArray

    def _table(self) -> Table:
        """Return the candidates, the best first."""
        # By distance from the best, since lower scores may be better; it is the first of equal ones.
        order = np.argsort(np.abs(self.scores - self.scores[self.best]), kind="stable")[:_SHOWN].tolist()
        n = decimals_of(self.scores.tolist())
        rows = [[f"[{i}]", f"{self.scores[i]:.{n}f}"] for i in order]
        more = len(self.scores) - len(rows)
        return Table("candidate", ["expected score"], rows, [f"{more:,} more"] if more else [], {0})


@displayed
class Choices(NamedTuple):
    """What `mbr` chose for many lists.

    Attributes
    ----------
    best : int64, shape (n_lists,)
    scores : list of float64 arrays
        As in `Choice`.
    """

    best: IntArray
    scores: list[FloatArray]

    def _table(self) -> Table:
        """Return the best candidate of the first lists."""
        first = [*zip(self.best[:_SHOWN].tolist(), self.scores[:_SHOWN], strict=True)]
        values = [float(scores[best]) for best, scores in first]
        n = decimals_of([0.0, *values])
        rows = [
            [f"[{i}]", f"{best:,} of {len(scores):,}", f"{value:.{n}f}"]
            for i, ((best, scores), value) in enumerate(zip(first, values, strict=True))
        ]
        more = len(self.best) - len(rows)
        return Table("list", ["best", "expected score"], rows, [f"{more:,} more"] if more else [])


@overload
def mbr(  # type: ignore[overload-overlap]
    candidates: TextColumn, *, metric: AnyMetric, references: TextColumn | None = None, sources: str | None = None,
    weights: Iterable[float] | None = None, aggregate: bool = False,
) -> Choice: ...  # fmt: skip
@overload
def mbr(
    candidates: Sequence[Sequence[str]], *, metric: AnyMetric, references: Sequence[Sequence[str]] | None = None,
    sources: TextColumn | None = None, weights: Sequence[Iterable[float]] | None = None, aggregate: bool = False,
) -> Choices: ...  # fmt: skip
@metric_by_keyword
def mbr(
    candidates: Any, *, metric: AnyMetric, references: Any = None, sources: Any = None, weights: Any = None,
    aggregate: bool = False,
) -> Choice | Choices:  # fmt: skip
    """Choose the candidate with the best expected score (minimum Bayes risk).

    The expected score of a candidate is the mean of its scores against all candidates, itself among them, or
    against `references`, such as samples of the same model: see `pairwise`. With `bleu` that is sentence BLEU.

    Parameters
    ----------
    candidates : list of str, or list of such lists
        The candidates for one text; or those for many, a list for each.
    metric : str or object
        As in `segment_scores`.
    references : as candidates, optional
        The pseudo-references; by default the candidates.
    sources : str, or list of str, optional
        What the candidates translate, for metrics that read them: one text; for many lists one for each.
    weights : list of float, or list of such lists, optional
        A weight for each reference, such as its probability; by default all are equal. They need not add up to 1.
        (Those of BLEU's orders are ``bleu(weights=...)``.)
    aggregate : bool
        Score each candidate once, against the mean of the n-gram counts of all references: in linear time, for
        BLEU, chrF and ROUGE-N. The result is close to the expected score, not equal to it. Beyond some 10,000
        candidates the memory of a list shows, about 40 times that of its text.

    Returns
    -------
    Choice, or Choices for many lists
        ``best``, an index, and ``scores``, float64, shape (n_candidates,); of many lists, ``best`` is int64 of shape
        (n_lists,) and ``scores`` a list of arrays.

    Raises
    ------
    TypeError
        If a candidate or a reference is not text, or an option is unknown or of a wrong type.
    ValueError
        As in `segment_scores`; if a list is empty, the lengths differ, weights are negative, infinite or all 0,
        or the metric cannot `aggregate`.

    References
    ----------
    Kumar and Byrne (2004), Minimum Bayes-Risk Decoding for Statistical Machine Translation; Eikema and Aziz (2022),
    Sampling-Based Approximations to Minimum Bayes Risk Decoding. `aggregate`: DeNero et al. (2009), Fast Consensus
    Decoding over Translation Forests; Vamvas and Sennrich (2024), Linear-time Minimum Bayes Risk Decoding with
    Reference Aggregation.

    Examples
    --------
    >>> samples = ["the cat sat on the mat", "a cat sat on the mat", "dogs bark"]
    >>> mbr(samples, metric="chrf").best
    0
    >>> mbr([samples, ["yes", "no", "yes"]], metric="chrf", references=[["a cat sat"], ["no"]]).best
    array([1, 1])
    """
    score = score_of(metric, paired=True)
    scored, key = score_of_pairs(score)
    flag("aggregate", aggregate)
    is_batch = _is_batch(candidates)
    scored.inputs.check({"sources": sources}, score.name)
    columns = (candidates, references, sources, weights)
    lists = _lists(*columns) if is_batch else [_checked("", *columns)]
    scores = _Decoder(scored, key, aggregate=aggregate).scores(lists)
    best = [int(np.argmax(of_list if scored.scores.of(key).higher_is_better else -of_list)) for of_list in scores]
    return Choices(np.array(best), scores) if is_batch else Choice(best[0], scores[0])


class _List(NamedTuple):
    """The checked candidates for one text; the weights add up to 1."""

    candidates: Texts
    references: Texts | None
    sources: Texts | None
    weights: FloatArray | None

    def matrix(self, metric: Metric, key: str, notes: Any, n_threads: int | None) -> Matrix:
        """Return the scores of all pairs."""
        return Matrix(metric, key, self.candidates, self.references, notes, n_threads, sources=self.sources)


class _Decoder:
    """Expected scores of many lists."""

    def __init__(self, metric: Metric, key: str, *, aggregate: bool) -> None:
        self._metric, self._key, self._aggregate = metric, key, aggregate
        self._notes = metric.notes()

    def scores(self, lists: Sequence[_List]) -> list[FloatArray]:
        if len(lists) == 1:
            expected = [self._expected(lists[0])]
        else:
            # The first one alone shows whether blocks are counted, which need no threads of their own.
            first = lists[0].matrix(self._metric, self._key, self._notes, 1)
            expected = [self._of(first, lists[0])]
            n_pairs = sum(len(of_text.candidates) * len(of_text.references or of_text.candidates) for of_text in lists)
            n_threads = threads.threads_for(len(lists), 4 * n_pairs) if first.is_counted_at_once else 1
            expected += threads.all_in_threads(lambda of_text: self._expected(of_text, 1), lists[1:], n_threads)
        self._notes.warn()
        return expected

    def _expected(self, of_text: _List, n_threads: int | None = None) -> FloatArray:
        return self._of(of_text.matrix(self._metric, self._key, self._notes, n_threads), of_text)

    def _of(self, matrix: Matrix, of_text: _List) -> FloatArray:
        if not self._aggregate:
            return mean_of_rows(matrix, of_text.weights)
        n = matrix.shape[1]
        averages = matrix.averaged(np.full(n, 1 / n) if of_text.weights is None else of_text.weights)
        if averages is None:
            fail(ValueError, "aggregate", f"False for {self._key!r}, which is no score of n-grams", "True")
        return averages


def _is_batch(candidates: Any) -> bool:
    """Return whether there are lists of candidates, not one list or column of texts."""
    if not is_group(candidates):
        fail(TypeError, "candidates", _ALLOWED, shown(candidates))
    if not len(candidates):
        fail(ValueError, "candidates", "at least one candidate", "none")
    return is_group(next(iter(candidates)))


def _lists(candidates: Any, references: Any, sources: Any, weights: Any) -> list[_List]:
    columns: dict[str, Sequence[Any]] = {"candidates": list(candidates)}
    n = len(columns["candidates"])
    for name, values in (("references", references), ("sources", sources), ("weights", weights)):
        if values is not None and not is_group(values):
            what = "text" if name == "sources" else "list"
            fail(TypeError, name, f"a {what} for every list of candidates", shown(values))
        columns[name] = [None] * n if values is None else list(values)
        if len(columns[name]) != n:
            fail(ValueError, name, f"as many lists as lists of candidates ({n})", f"{len(columns[name])}")
    return [_checked(f"[{i}]", *row) for i, row in enumerate(zip(*columns.values(), strict=True))]


def _checked(place: str, candidates: Any, references: Any, source: Any, weights: Any) -> _List:
    if source is not None and not isinstance(source, str):
        fail(TypeError, f"sources{place}", "a str, what the candidates translate", shown(source))
    columns: Mapping[str, Any] = {"candidates": candidates, "references": references}
    texts = {name: text_column(values, name + place) for name, values in columns.items() if values is not None}
    for name, column in texts.items():
        if not len(column):
            fail(ValueError, name + place, "at least one text", "none")
    shares = _weights(weights, place, len([*texts.values()][-1]))
    sources = None if source is None else text_column([source] * len(texts["candidates"]), f"sources{place}")
    return _List(texts["candidates"], texts.get("references"), sources, shares)


def _weights(weights: Any, place: str, n: int) -> FloatArray | None:
    """Return weights that add up to 1."""
    if weights is None:
        return None
    allowed = f"{n} weights of at least 0, one for every reference and not all 0"
    try:
        values: npt.NDArray[np.float64] = np.array(weights, np.float64)
    except (TypeError, ValueError):
        fail(TypeError, f"weights{place}", allowed, shown(weights))
    if values.shape != (n,) or not np.isfinite(values).all() or (values < 0).any() or not values.any():
        fail(ValueError, f"weights{place}", allowed, shown(weights))
    largest = values / values.max()
    return largest / largest.sum()
