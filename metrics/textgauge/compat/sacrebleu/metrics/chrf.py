"""sacreBLEU's chrF and chrF++: Popović (2015, 2017)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from ....measures.chrf import Chrf
from .base import Metric, Score, Signature

# Replaces zeros.
_EPSILON = 1e-16


class CHRFSignature(Signature):
    """The signature of chrF."""

    _ABBREVIATIONS: ClassVar[Mapping[str, str]] = {
        **Signature._ABBREVIATIONS, "case": "c", "eff": "e", "nc": "nc", "nw": "nw", "space": "s",
    }  # fmt: skip

    def __init__(self, args: Mapping[str, Any]) -> None:
        super().__init__(args)
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "no" if args["eps_smoothing"] else "yes",
            "nc": args["char_order"],
            "nw": args["word_order"],
            "space": "yes" if args["whitespace"] else "no",
        }


class CHRFScore(Score):
    """chrF and its options.

    Attributes
    ----------
    char_order, word_order, beta : int
    """

    def __init__(self, score: float, char_order: int, word_order: int, beta: int) -> None:
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        super().__init__(f"chrF{beta}" + "+" * word_order, score)


class CHRF(Metric[CHRFScore]):
    """chrF.

    Parameters
    ----------
    char_order, word_order : int
        Highest orders of character and word n-grams; chrF++ has 2 of words.
    beta : int
        How many times as important recall is as precision.
    lowercase : bool
    whitespace : bool
        Count white space among the characters.
    eps_smoothing : bool
        Average F over all orders, not precision and recall over the orders that occur.
    references : sequence of sequences of str, optional
        Read and checked once, for calls of `corpus_score` with None as references.

    Examples
    --------
    >>> CHRF(word_order=2).sentence_score("the cat sat", ["the cat sits"])
    chrF2++ = 60.39
    """

    CHAR_ORDER = 6
    WORD_ORDER = 0
    BETA = 2
    _SIGNATURE_TYPE = CHRFSignature

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: int = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Sequence[Sequence[str | None]] | None = None,
    ) -> None:
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        self.order = char_order + word_order
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        self._measure = Chrf(
            char_order=char_order, word_order=word_order, beta=beta, lowercase=bool(lowercase),
            whitespace=bool(whitespace), eps_smoothing=bool(eps_smoothing),
        )  # fmt: skip
        super().__init__(references)

    def _compute_score_from_stats(self, stats: Sequence[Any]) -> CHRFScore:
        f = self._mean_f(stats) if self.eps_smoothing else self._f_of_means(stats)
        return CHRFScore(f, self.char_order, self.word_order, self.beta)

    def _mean_f(self, stats: Sequence[Any]) -> float:
        """Average F over all orders."""
        factor, total = self.beta**2, 0.0
        for n_hypothesis, n_reference, n_matches in _by_order(stats):
            precision = n_matches / n_hypothesis if n_hypothesis > 0 else _EPSILON
            recall = n_matches / n_reference if n_reference > 0 else _EPSILON
            below = factor * precision + recall
            total += ((1 + factor) * precision * recall / below) if below > 0 else _EPSILON
        return 100 * total / self.order

    def _f_of_means(self, stats: Sequence[Any]) -> float:
        """Average precision and recall over the orders that both sides have."""
        factor, precision, recall, n_orders = self.beta**2, 0.0, 0.0, 0
        for n_hypothesis, n_reference, n_matches in _by_order(stats):
            if n_hypothesis > 0 and n_reference > 0:
                precision += n_matches / n_hypothesis
                recall += n_matches / n_reference
                n_orders += 1
        if not n_orders or not precision + recall:
            return 0.0
        precision /= n_orders
        recall /= n_orders
        f = (1 + factor) * precision * recall
        f /= (factor * precision) + recall
        return 100 * f


def _by_order(stats: Sequence[Any]) -> Any:
    three = iter(stats)
    return zip(three, three, three, strict=True)
