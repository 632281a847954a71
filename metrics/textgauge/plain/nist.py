"""N-grams weighted by the information that they carry: NIST, Doddington (2002)."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG002

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from .integers import Integers
from .ngrams import check_order, ngrams
from .texts import Texts, checked_bounds, texts_of_segments

if TYPE_CHECKING:
    from .cutter import Cutter


class NgramInformation:
    """How much information each n-gram of some reference texts carries.

    That of w1 ... wn is log2 of the occurrences of w1 ... wn-1, for n = 1 of all words, over its own.

    Parameters
    ----------
    cutter : Cutter
    references : Texts
        All references of all segments.
    max_order : int
        The orders 1 to `max_order` are counted.

    Raises
    ------
    ValueError
        If the order is out of range.

    References
    ----------
    Doddington (2002), Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence Statistics,
    section 3; nltk, `nist_score.py`; mteval-v13a.pl.

    Examples
    --------
    >>> from textgauge.plain import Cutter
    >>> information = NgramInformation(Cutter("whitespace"), Texts(["a b a c"]), 2)
    >>> information.rows(Texts(["a b"]), Texts(["a b a c"]), None)    # log2(4/2) + log2(4/1); log2(2/1)
    [[3.0, 1.0, 2.0, 1.0, 4.0, 8.0]]
    """

    def __init__(self, cutter: Cutter, references: Texts, max_order: int) -> None:
        check_order(max_order)
        self._cutter, self._orders = cutter, range(1, max_order + 1)
        words = [cutter(text) for text in references]
        counts: Counter[tuple[str, ...]] = Counter({(): sum(map(len, words))})
        for text in words:
            for order in self._orders:
                counts.update(ngrams(text, order))
        # `math.log(x, 2)` divides two logarithms: log2 would be other in the last bit, on which a choice can hang.
        self._bits = {ngram: math.log(counts[ngram[:-1]] / n) / math.log(2) for ngram, n in counts.items() if ngram}

    def rows(
        self,
        hypotheses: Texts,
        references: Texts,
        reference_offsets: Integers | None,
        union: bool = False,
        n_threads: int = 1,
    ) -> list[list[float]]:
        """Sum the information of the n-grams that every hypothesis shares with its references.

        An n-gram counts at most as often as the reference has it; one that no reference had from the beginning carries
        none. Sums go along the n-grams of the hypothesis as they first occur.

        Parameters
        ----------
        hypotheses, references : Texts, n_segments and n_references of them
        reference_offsets : int64, shape (n_segments + 1,), or None: one reference each
        union : bool
            Compare with all references of a segment at once, as mteval does, and take their average length. Else,
            as in nltk, the reference with the most information counts for each order, of equal ones the longest,
            and lengths are summed over the orders.

        Returns
        -------
        float64, shape (n_segments, 2 max_order + 2)
            The information and the n-grams of the hypothesis, of every order; then the lengths of hypothesis and
            references. Additive but for rounding.

        Raises
        ------
        ValueError
            If offsets do not fit the texts.
        """
        bounds = checked_bounds(reference_offsets, len(hypotheses), len(references))
        return [
            self._row(*([self._cutter(text) for text in texts]), union=union)
            for texts in texts_of_segments(hypotheses, references, bounds)
        ]

    def _row(self, hypothesis: list[str], *references: list[str], union: bool) -> list[float]:
        information, length = [], 0.0
        for order in self._orders:
            own = ngrams(hypothesis, order)
            others = [ngrams(reference, order) for reference in references]
            if union:
                most: Counter[tuple[str, ...]] = Counter()
                for other in others:
                    most |= other
                information.append(self._shared(own, most))
            else:
                trials = [(self._shared(own, other), len(text)) for other, text in zip(others, references, strict=True)]
                best, n = max(trials, key=lambda trial: (trial[0] / max(own.total(), 1), *trial), default=(0.0, 0))
                information.append(best)
                length += n
        n_words = len(hypothesis) * (1 if union else len(self._orders))
        if union:
            length = sum(map(len, references)) / max(len(references), 1)
        totals = [max(len(hypothesis) - order + 1, 0) for order in self._orders]
        return [*information, *map(float, totals), float(n_words), float(length)]

    def _shared(self, own: Counter[tuple[str, ...]], other: Counter[tuple[str, ...]]) -> float:
        total = 0.0
        for ngram, n in own.items():
            total += self._bits.get(ngram, 0.0) * min(n, other[ngram])
        return total
