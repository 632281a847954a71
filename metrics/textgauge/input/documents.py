"""Segments in documents: the ones before a segment in its document are its context, also where rows come in batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from ..checks import fail, warn_user
from ..plain import Texts
from .columns import Corpus, known_texts


class _OfRows(tuple[()]):
    """Stands for documents that come with the rows."""

    def __repr__(self) -> str:
        return "<a column>"


# As the value of an option that takes the document of every segment: every corpus is one of `InDocuments`.
OF_ROWS = _OfRows()


@dataclass
class InDocuments(Corpus):
    """Segments with the documents in which they stand, and what stands before the first of them.

    Attributes
    ----------
    documents : sequence
        The names of the documents, those of `before` first.
    before : Corpus or None
        Segments before these, as many as a context has.
    """

    documents: Sequence[Any] = ()
    before: Corpus | None = None

    def in_context(self, size: int, separator: str) -> Corpus:
        """Return the segments behind up to `size` segments before them in their document; see `in_context`."""
        if self.before is None:
            return in_context(self, self.documents, size, separator)
        # A model may read fewer columns than there are.
        every = _joined(self.before.only(self.given), self)
        return in_context(every, self.documents, size, separator).slice(len(self.before), len(every))


class Documents:
    """The documents of rows that come batch by batch: keeps the last `size` segments as the context of the next ones.

    Examples
    --------
    >>> from textgauge.input.columns import corpus_of
    >>> documents = Documents(1)
    >>> batches = [documents.of(corpus_of([text], ["x"]), ["one"]) for text in "ab"]
    >>> [batch.in_context(1, " </s> ").pairs() for batch in batches]
    [[('a', 'x')], [('x </s> b', 'x </s> x')]]
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._names: list[Any] = []
        self._before: Corpus | None = None
        self._n_rows = 0
        self._has_context = False

    def of(self, corpus: Corpus, names: Sequence[Any]) -> InDocuments:
        """Return the segments that follow on those of the last call, in the documents of these names."""
        refuse_several(corpus)
        every_name = [*self._names, *names]
        in_documents = InDocuments(
            corpus.hypotheses, corpus.references, corpus.offsets, corpus.first, sources=corpus.sources,
            documents=every_name, before=self._before,
        )  # fmt: skip
        self._n_rows += len(corpus)
        self._has_context |= any(name == following for name, following in pairwise(every_name))
        every = corpus if self._before is None else _joined(self._before, corpus)
        start = max(0, len(every) - self._size)
        self._names, self._before = every_name[start:], every.slice(start, len(every))
        return in_documents

    def warn(self, argument: str) -> None:
        """Warn of a column in which every row has a document of its own."""
        if self._n_rows > 1 and not self._has_context:
            warn_user(f"{argument} changes nothing: no two rows that follow each other are of one document.")


def _joined(first: Corpus, second: Corpus) -> Corpus:
    """Return the segments of two corpora with the same columns, of at most one reference each."""
    sources = None if first.sources is None or second.sources is None else first.sources + second.sources
    references = first.references + second.references
    offsets = None if len(references) else np.zeros(len(first) + len(second) + 1, np.int64)
    hypotheses = first.hypotheses + second.hypotheses
    return Corpus(hypotheses, references, offsets, second.first - len(first), sources=sources)


def refuse_several(corpus: Corpus) -> None:
    """Refuse several references of a segment: a context has one."""
    if corpus.references and len(corpus.references) != len(corpus):
        fail(ValueError, "references", "one for each prediction whose context is that of its document", "several")


def in_context(corpus: Corpus, documents: Sequence[Any], size: int, separator: str) -> Corpus:
    """Return segments, of at most one reference each, behind up to `size` segments before them in their document.

    A prediction stands behind references, where there are any: what came before it is then the same for all systems
    (Vernikos et al. 2022). A document is a run of segments with one name.

    Examples
    --------
    >>> from textgauge.input.columns import corpus_of
    >>> corpus = corpus_of(["a", "b", "c", "d"], ["w", "x", "y", "z"])
    >>> in_context(corpus, ["one", "one", "two", "one"], 2, " </s> ").pairs()
    [('a', 'w'), ('w </s> b', 'w </s> x'), ('c', 'y'), ('d', 'z')]
    """
    refuse_several(corpus)
    starts, begin = [], 0
    for i in range(len(documents)):
        begin = i if i and documents[i] != documents[i - 1] else begin
        starts.append(max(begin, i - size))

    def behind(texts: Texts, before: Texts) -> Texts:
        own, others = texts.tolist(), before.tolist()
        return known_texts([separator.join([*others[start:i], own[i]]) for i, start in enumerate(starts)])

    references, sources = corpus.references, corpus.sources
    return replace(
        corpus,
        hypotheses=behind(corpus.hypotheses, references if len(references) else corpus.hypotheses),
        references=behind(references, references) if len(references) else references,
        sources=None if sources is None else behind(sources, sources),
    )
