"""Texts as integers: the interface between tokenizers and counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .integers import check_offsets, integers

Ids = list[int]


@dataclass(frozen=True)
class Tokens:
    """The tokens of many segments; the texts of a segment are adjacent, the hypothesis first.

    Ids are dense within a segment: tokens have equal ids if and only if they are equal, and every
    id is smaller than the number of the segment's tokens, including those of its sentences.

    Parameters
    ----------
    ids : uint32, shape (n_tokens,)
    offsets : int64, shape (n_texts + 1,)
        Text t is ``ids[offsets[t]:offsets[t + 1]]``.
    segments : int64, shape (n_segments + 1,)
        Segment s has the texts ``segments[s]``, its hypothesis, to ``segments[s + 1]``, exclusive.
    sentence_ids, sentence_offsets : uint32, int64, shape (n_sentences + 1,)
        Sentence k is ``sentence_ids[sentence_offsets[k]:sentence_offsets[k + 1]]``. Empty without sentences.
    text_sentences : int64, shape (n_texts + 1,)
        Text t has the sentences ``text_sentences[t]`` to ``text_sentences[t + 1]``, exclusive.

    Raises
    ------
    ValueError
        If offsets do not ascend, a segment has no hypothesis or ids are not dense.

    Examples
    --------
    >>> tokens = Tokens(ids=[0, 1, 0, 0, 1], offsets=[0, 3, 5], segments=[0, 2])
    >>> list(tokens.pairs())                            # a b a; a b
    [([0, 1, 0], [0, 1])]
    """

    ids: Ids
    offsets: list[int]
    segments: list[int]
    sentence_ids: Ids = field(default_factory=list)
    sentence_offsets: list[int] = field(default_factory=list)
    text_sentences: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in ("ids", "offsets", "segments", "sentence_ids", "sentence_offsets", "text_sentences"):
            object.__setattr__(self, name, integers(getattr(self, name)))
        check_offsets("offsets", self.offsets, len(self.ids))
        check_offsets("segments", self.segments, len(self.offsets) - 1)
        if any(start == stop for start, stop in zip(self.segments, self.segments[1:], strict=False)):
            raise ValueError("segments: expected a hypothesis in every segment")
        if self.has_sentences:
            check_offsets("sentence_offsets", self.sentence_offsets, len(self.sentence_ids))
            check_offsets("text_sentences", self.text_sentences, len(self.sentence_offsets) - 1)
            if len(self.text_sentences) != len(self.offsets):
                raise ValueError("text_sentences: expected one number more than there are texts")
        elif self.sentence_ids or self.sentence_offsets:
            raise ValueError("text_sentences: expected the sentences of every text with sentence_ids")
        self._check_ids()

    def _check_ids(self) -> None:
        for first, last in zip(self.segments, self.segments[1:], strict=False):
            ids = self.ids[self.offsets[first] : self.offsets[last]]
            if self.has_sentences:
                start, stop = self.text_sentences[first], self.text_sentences[last]
                ids = ids + self.sentence_ids[self.sentence_offsets[start] : self.sentence_offsets[stop]]
            if ids and not 0 <= min(ids) <= max(ids) < len(ids):
                raise ValueError("ids: expected numbers below the number of tokens of their segment")

    def __len__(self) -> int:
        return len(self.segments) - 1

    @property
    def n_empty(self) -> int:
        """The number of texts without tokens."""
        return sum(start == stop for start, stop in zip(self.offsets, self.offsets[1:], strict=False))

    @property
    def are_single(self) -> bool:
        """Whether every text has one token."""
        return all(stop - start == 1 for start, stop in zip(self.offsets, self.offsets[1:], strict=False))

    @property
    def has_sentences(self) -> bool:
        """Whether there are sentences."""
        return len(self.text_sentences) > 0

    def text(self, t: int) -> Ids:
        """Return the ids of one text."""
        return self.ids[self.offsets[t] : self.offsets[t + 1]]

    def sentences(self, t: int) -> list[Ids]:
        """Return the ids of the sentences of one text."""
        bounds = self.sentence_offsets[self.text_sentences[t] : self.text_sentences[t + 1] + 1]
        return [self.sentence_ids[start:stop] for start, stop in zip(bounds, bounds[1:], strict=False)]

    def texts_of_segments(self) -> Iterator[list[Ids]]:
        """Yield the texts of every segment, the hypothesis first."""
        for first, last in zip(self.segments, self.segments[1:], strict=False):
            yield [self.text(t) for t in range(first, last)]

    def pairs(self) -> Iterator[tuple[Ids, Ids]]:
        """Yield every hypothesis with each of its references, in order: n_pairs = n_texts - n_segments."""
        for hypothesis, *references in self.texts_of_segments():
            for reference in references:
                yield hypothesis, reference

    def pairs_of_sentences(self) -> Iterator[tuple[list[Ids], list[Ids]]]:
        """Yield the sentences of every pair.

        Raises
        ------
        ValueError
            If there are no sentences.
        """
        if not self.has_sentences:
            raise ValueError("tokens: expected sentences")
        for first, last in zip(self.segments, self.segments[1:], strict=False):
            hypothesis = self.sentences(first)
            for t in range(first + 1, last):
                yield hypothesis, self.sentences(t)
