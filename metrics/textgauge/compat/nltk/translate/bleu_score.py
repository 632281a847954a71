"""`nltk.translate.bleu_score`: BLEU of tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ....accumulation.accumulator import with_metric
from ....checks import fail, shown
from ....measures.bleu import Bleu
from ... import accumulator_with, rest_when_asked
from ..tokens import Segment, counted

__all__ = ["SmoothingFunction", "corpus_bleu", "sentence_bleu"]

Weights = Sequence[float]
_UNIFORM = (0.25, 0.25, 0.25, 0.25)
# Our smoothing for each method of nltk, and what sets its value.
_METHODS: dict[str, tuple[str | None, str | None]] = {
    "method0": (None, None),
    "method1": ("chen-cherry-1", "epsilon"),
    "method2": ("chen-cherry-2", None),
    "method3": ("chen-cherry-3", None),
    "method4": ("chen-cherry-4", "k"),
    "method5": ("chen-cherry-5", None),
    "method6": ("chen-cherry-6", "alpha"),
    "method7": ("chen-cherry-7", "k"),
}
_original = rest_when_asked("nltk.translate.bleu_score")


class SmoothingFunction:
    """The smoothings of Chen and Cherry (2014); each method is given to `sentence_bleu` or `corpus_bleu`.

    Called with precisions, a method is nltk's own.

    Parameters
    ----------
    epsilon : float
        What method 1 adds to matches of 0.
    alpha : float
        The weight of the prior estimate in method 6.
    k : float
        The constant of methods 4 and 7.

    Examples
    --------
    >>> reference, hypothesis = "the cat is on the mat".split(), "the cat sat".split()
    >>> sentence_bleu([reference], hypothesis, smoothing_function=SmoothingFunction().method1)
    0.08839449202722564
    """

    def __init__(self, epsilon: float = 0.1, alpha: float = 5, k: float = 5) -> None:
        self.epsilon, self.alpha, self.k = epsilon, alpha, k


def _method(name: str) -> Callable[..., Any]:
    def method(self: SmoothingFunction, *args: Any, **kwargs: Any) -> Any:
        return getattr(_original("SmoothingFunction")(self.epsilon, self.alpha, self.k), name)(*args, **kwargs)

    method.__name__, method.__qualname__ = name, f"SmoothingFunction.{name}"
    smoothing, value = _METHODS[name]
    method.__doc__ = (
        f"Smooth as `textgauge.bleu` with the smoothing {smoothing or 'none'!r}" + f", by `{value}`." * bool(value)
    )
    return method


for _name in _METHODS:
    setattr(SmoothingFunction, _name, _method(_name))


def sentence_bleu(
    references: Iterable[Segment], hypothesis: Segment, weights: Weights | Sequence[Weights] = _UNIFORM,
    smoothing_function: Callable[..., Any] | None = None, auto_reweigh: bool = False,
) -> Any:  # fmt: skip
    """Return BLEU of one hypothesis; see `corpus_bleu`.

    Parameters
    ----------
    references : iterable of lists of tokens
    hypothesis : list of tokens

    Examples
    --------
    >>> sentence_bleu([["the", "cat", "sat", "here"]], ["the", "cat", "sat", "there"], weights=(0.5, 0.5))
    0.7071067811865475
    """
    return corpus_bleu([references], [hypothesis], weights, smoothing_function, auto_reweigh)


def corpus_bleu(
    list_of_references: Sequence[Iterable[Segment]], hypotheses: Sequence[Segment],
    weights: Weights | Sequence[Weights] = _UNIFORM, smoothing_function: Callable[..., Any] | None = None,
    auto_reweigh: bool = False,
) -> Any:  # fmt: skip
    """Return BLEU of a corpus as nltk defines it, `textgauge.bleu` with ``preset="nltk"``, from 0 to 1.

    Parameters
    ----------
    list_of_references : list of lists of lists of tokens
        For each hypothesis its references. Tokens are of any kind that a dict takes as keys; a text stands for its
        characters, as in nltk.
    hypotheses : list of lists of tokens
    weights : sequence of float, or of such sequences
        One weight per order; of several sequences each has its score.
    smoothing_function : method of `SmoothingFunction`, optional
        Of this one or of nltk's.
    auto_reweigh : bool
        For less than four tokens, give equal weights to as many orders as there are tokens.

    Returns
    -------
    float, or list of float
        A list if there are several sequences of weights.

    Raises
    ------
    TypeError
        If `smoothing_function` is a function of your own, which nltk would call.
    ValueError
        If there are no segments, a segment has no reference, the lengths differ, or weights are negative.
    AssertionError, IndexError
        With `method6`, as in nltk: if hypotheses and references share words and no trigram, or there are fewer than
        three weights.

    Examples
    --------
    >>> hypotheses = [["the", "cat", "sat", "here"], ["a", "dog"]]
    >>> references = [[["the", "cat", "sat", "there"]], [["a", "dog", "barks"], ["a", "dog"]]]
    >>> corpus_bleu(references, hypotheses, weights=[(1, 0, 0, 0), (0.5, 0.5)])
    [0.8333333333333334, 0.7905694150420949]
    """
    is_list = not isinstance(weights[0], (int, float)) and hasattr(weights[0], "__getitem__")
    each: list[Any] = [*weights] if is_list else [weights]
    options = {**_smoothing(smoothing_function), "preset": "nltk", "max_order": max(map(len, each))}
    rows = counted(accumulator_with(Bleu, **options), list_of_references, hypotheses)
    if options.get("smoothing") == _METHODS["method6"][0]:
        matches = rows.total()["matches"]
        if matches[0] and len(matches) < 3:
            raise IndexError("method6 needs the weights of at least three orders")
        if matches[0] and not matches[2]:
            raise AssertionError("method6 needs a trigram that the hypotheses and their references share")
    if auto_reweigh and 0 < (n := int(rows.total()["translation_length"])) < 4:
        each = [(1 / n,) * n if tuple(weighting) == _UNIFORM else weighting for weighting in each]
    scores = []
    for weighting in each:
        padded = (*map(float, weighting), *[0.0] * (options["max_order"] - len(weighting)))
        scores.append(with_metric(rows, accumulator_with(Bleu, **options, weights=padded).metric).score()["bleu"])
    return scores if is_list else scores[0]


def _smoothing(function: Any) -> dict[str, Any]:
    """Return our options for a smoothing function of nltk's."""
    if function is None:
        return {}
    name, owner = getattr(function, "__name__", ""), getattr(function, "__self__", None)
    is_theirs = f"{type(owner).__module__}.{type(owner).__qualname__}" == "nltk.translate.bleu_score.SmoothingFunction"
    if name not in _METHODS or not (type(owner) is SmoothingFunction or is_theirs):
        allowed = "a method of SmoothingFunction, such as SmoothingFunction().method1, which our kernel has"
        fail(TypeError, "smoothing_function", allowed, shown(function))
    smoothing, value = _METHODS[name]
    return ({"smoothing": smoothing} if smoothing else {}) | ({"smooth_value": getattr(owner, value)} if value else {})


__getattr__ = _original
