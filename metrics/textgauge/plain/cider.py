"""CIDEr: n-grams weighted by how rare they are among the references of images."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from .integers import Integers, integers
from .texts import Texts, checked_bounds

ORDERS = 4
Ngram = tuple[str, ...]


class DocumentFrequencies:
    """How many documents, all references of an image, have each n-gram of one to four words.

    Words are what stands between white space.

    Parameters
    ----------
    texts : Texts
    offsets : int64, shape (n_documents + 1,)
        Document d has the texts ``offsets[d]`` to ``offsets[d + 1]``, exclusive.

    Examples
    --------
    >>> found = DocumentFrequencies(Texts(["a cat", "a dog", "a cat"]), [0, 2, 3])
    >>> found.n_documents, found.ngrams(), found.frequencies()
    (2, ['a', 'cat', 'a cat', 'dog', 'a dog'], [2, 2, 2, 1, 1])
    """

    def __init__(self, texts: Texts, offsets: Integers) -> None:
        self.n_documents = 0
        self._found: dict[Ngram, int] = {}
        bounds = integers(offsets)
        for first, last in zip(bounds[:-1], bounds[1:], strict=True):
            self.n_documents += 1
            met = [gram for row in range(first, last) for gram in ngram_counts(texts[row].split())]
            for gram in dict.fromkeys(met):
                self._found[gram] = self._found.get(gram, 0) + 1

    @classmethod
    def restored(cls, ngrams: Texts, frequencies: Integers, n_documents: int) -> DocumentFrequencies:
        """Return the frequencies of n-grams that `ngrams` gave; ValueError for one without one to four words."""
        made = cls(Texts([]), [0])
        made.n_documents = n_documents
        for words, frequency in zip(map(str.split, ngrams), integers(frequencies), strict=True):
            if not 1 <= len(words) <= ORDERS:
                raise ValueError("ngrams: expected one to four words each")
            made._found[tuple(words)] = frequency
        return made

    def ngrams(self) -> list[str]:
        """Return all n-grams, one space between two words."""
        return [" ".join(gram) for gram in self._found]

    def frequencies(self) -> list[int]:
        """Return how many documents have each of `ngrams`."""
        return list(self._found.values())

    def of(self, gram: Ngram) -> int:
        """Return how many documents have an n-gram."""
        return self._found.get(gram, 0)


def ngram_counts(words: Sequence[str]) -> Counter[Ngram]:
    """Return the n-grams in the order in which the tool meets them: by length, then by place."""
    lengths = range(1, ORDERS + 1)
    return Counter(tuple(words[i : i + n]) for n in lengths for i in range(len(words) - n + 1))


class _Caption:
    """A text as four vectors of weights, their norms, and its length, which is that of its bigrams."""

    def __init__(self, text: str, frequencies: DocumentFrequencies) -> None:
        words = text.split()
        self.vectors: list[dict[Ngram, float]] = [{} for _ in range(ORDERS)]
        squares = [0.0] * ORDERS
        size = math.log(max(1, frequencies.n_documents))
        for gram, count in ngram_counts(words).items():
            weight = float(count) * (size - math.log(max(1.0, frequencies.of(gram))))
            self.vectors[len(gram) - 1][gram] = weight
            squares[len(gram) - 1] += weight * weight
        self.norms = [math.sqrt(value) for value in squares]
        self.length = float(max(0, len(words) - 1))


def cider_scores(
    frequencies: DocumentFrequencies,
    hypotheses: Texts,
    references: Texts,
    reference_offsets: Integers | None,
    variant: str = "D",
    sigma: float = 6.0,
    repetition: Sequence[float] = (),
    n_threads: int = 1,
) -> list[float]:
    """Return CIDEr of segments, from 0 to 10: the mean over references and orders of cosines, times ten.

    Every tool's order of operations; the logarithm is the C library's.

    Parameters
    ----------
    frequencies : DocumentFrequencies
    hypotheses, references : Texts
        Words are what stands between white space.
    reference_offsets : int64, shape (n_segments + 1,), or None
        Every segment has at least one reference.
    variant : "D", "plain" or "R"
        CIDEr-D clips the numerator, and multiplies by exp(-(difference of lengths)² / (2 sigma²)); CIDEr-R clips, and
        multiplies by repetition^0.8 and a length penalty^0.2; plain CIDEr does neither.
    sigma : float
    repetition : float64, shape (n_references,)
        For CIDEr-R, from 0 to 1.

    References
    ----------
    Vedantam, Zitnick and Parikh (2015), sections 4 and 6; de Oliveira dos Santos, Colombini and Avila (2021).
    """
    bounds = checked_bounds(reference_offsets, len(hypotheses), len(references))
    scores = []
    for hypothesis, first, last in zip(hypotheses, bounds[:-1], bounds[1:], strict=True):
        caption = _Caption(hypothesis, frequencies)
        sums = [0.0] * ORDERS
        for row in range(first, last):
            other = _Caption(references[row], frequencies)
            factor = _penalty(caption, other, variant, sigma, repetition[row] if len(repetition) else 1.0)
            for n in range(ORDERS):
                value = _cosine(caption, other, n, variant)
                sums[n] += value if variant == "plain" else value * factor
        # NumPy's mean of four numbers adds them in order.
        scores.append((((sums[0] + sums[1]) + sums[2]) + sums[3]) / 4 / (last - first) * 10.0)
    return scores


def _cosine(caption: _Caption, other: _Caption, n: int, variant: str) -> float:
    value = 0.0
    for gram, weight in caption.vectors[n].items():
        weight_of_other = other.vectors[n].get(gram, 0.0)
        value += (weight if variant == "plain" else min(weight, weight_of_other)) * weight_of_other
    if caption.norms[n] != 0 and other.norms[n] != 0:
        value /= caption.norms[n] * other.norms[n]
    return value


def _penalty(caption: _Caption, other: _Caption, variant: str, sigma: float, repetition: float) -> float:
    delta = caption.length - other.length
    if variant == "D":
        return math.e ** (-(delta * delta) / (2 * (sigma * sigma)))
    if variant == "plain":
        return 1.0
    near = math.e ** (-(delta * delta) / (other.length + 1) ** 2.0)
    return repetition**0.8 * near**0.2
