"""Counts of one hypothesis and its references, without columns and arrays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from .cutter import Cutter, cut
from .integers import Integers, integers
from .ngrams import ngram_matches
from .pairs import UNIT_UNION_LCS, pair_counts
from .texts import Texts
from .tokens import Tokens


class OneSegment:
    """Counts for one segment: `cut`, followed by the function of the method's name.

    Parameters
    ----------
    cutter : Cutter

    Raises
    ------
    TypeError
        From its methods, if a text is not a `str`.
    UnicodeEncodeError
        From its methods, if UTF-8 cannot encode a text.

    Examples
    --------
    >>> one = OneSegment(Cutter("rouge"))
    >>> one.pair_counts("the cat sat", ["the cat", "sat"], [1, 2])
    (2, 3, 2, 1, 2, 1, 1, 3, 1, 0, 2, 0)
    >>> one.ngram_matches("the cat sat", ["the cat", "sat"], 2)
    (3, 1, 3, 2, 1)
    """

    def __init__(self, cutter: Cutter) -> None:
        self._cutter = cutter

    def pair_counts(self, hypothesis: str, references: Sequence[str], units: Integers) -> tuple[int, ...]:
        """Return the result of `plain.pair_counts` as a flat tuple of n_references * n_units * 3 numbers.

        Parameters
        ----------
        hypothesis : str
        references : sequence of str
        units : sequence of int
            The lines of the texts are their sentences.
        """
        wanted = list(integers(units))
        tokens = self._tokens(hypothesis, references, sentences=UNIT_UNION_LCS in wanted)
        return tuple(chain.from_iterable(chain.from_iterable(pair_counts(tokens, wanted))))

    def ngram_matches(self, hypothesis: str, references: Sequence[str], max_order: int) -> tuple[int, ...]:
        """Return the result of `plain.ngram_matches`, max_order numbers, then the number of tokens of every text."""
        tokens = self._tokens(hypothesis, references, sentences=False)
        lengths = (stop - start for start, stop in zip(tokens.offsets, tokens.offsets[1:], strict=False))
        return (*ngram_matches(tokens, max_order)[0], *lengths)

    def _tokens(self, hypothesis: str, references: Sequence[str], *, sentences: bool) -> Tokens:
        given = [hypothesis, *references]
        for text in given:
            if not isinstance(text, str):
                raise TypeError("texts: expected str")
            text.encode()
        texts = Texts(given)
        n = len(texts)
        return cut(self._cutter, texts.slice(0, 1), texts.slice(1, n), [0, n - 1], sentences=sentences)
