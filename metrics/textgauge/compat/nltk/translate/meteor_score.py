"""`nltk.translate.meteor_score`: METEOR of tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np

from .... import engine
from ....checks import fail, shown
from ....measures.meteor import Meteor, WordNumbers
from ....metric.layout import Rows
from ....plain.porter import porter
from ....plain.synsets import related_words
from ... import accumulator_with, rest_when_asked

__all__ = ["meteor_score", "single_meteor_score"]


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    # nltk's stemmer lower-cases whatever `preprocess` left.
    return porter(word.lower())


def single_meteor_score(
    reference: Iterable[str], hypothesis: Iterable[str], preprocess: Callable[[str], str] = str.lower,
    stemmer: Any = None, wordnet: Any = None, alpha: float = 0.9, beta: float = 3.0, gamma: float = 0.5,
) -> float:  # fmt: skip
    """Return METEOR of one hypothesis against one reference, both lists of tokens; see `meteor_score`.

    Examples
    --------
    >>> single_meteor_score(["this", "is", "a", "cat"], ["non", "matching", "hypothesis"])  # doctest: +SKIP
    0.0
    """
    return meteor_score([reference], hypothesis, preprocess, stemmer, wordnet, alpha, beta, gamma)


def meteor_score(
    references: Iterable[Iterable[str]], hypothesis: Iterable[str], preprocess: Callable[[str], str] = str.lower,
    stemmer: Any = None, wordnet: Any = None, alpha: float = 0.9, beta: float = 3.0, gamma: float = 0.5,
) -> float:  # fmt: skip
    """Return the METEOR of the best reference as nltk counts it, `textgauge.meteor` of tokens, from 0 to 1.

    Parameters
    ----------
    references : iterable of lists of tokens
    hypothesis : list of tokens
    preprocess : callable str -> str
        Applied to every token.
    stemmer : object with a method ``stem``, optional
        Porter's unless it is given.
    wordnet : corpus reader of nltk, optional
        Its synsets are the synonyms; otherwise those of WordNet 3.0, whose files are read where they are.
    alpha, beta, gamma : float
        As in `textgauge.meteor`.

    Raises
    ------
    FileNotFoundError
        Where WordNet is not found; the message says how to get it.
    TypeError
        If a text is given instead of tokens.

    Examples
    --------
    >>> meteor_score([["the", "cat"]], ["The", "cats"])  # doctest: +SKIP
    0.9375
    """
    metric: Any = accumulator_with(Meteor, alpha=alpha, beta=beta, gamma=gamma).metric
    texts = [_tokens("hypothesis", hypothesis, preprocess)]
    texts += [_tokens("references", reference, preprocess) for reference in references]
    if len(texts) < 2:
        fail(ValueError, "references", "at least one reference", "none")
    engine.warn_if_plain()
    vocabulary = WordNumbers()
    ids, offsets = vocabulary.ids_of(texts)
    numbers, stem = vocabulary.numbers, _stem if stemmer is None else stemmer.stem
    # Stems that are no words of the texts get numbers, too; a stem is its own.
    stems = [numbers[stem(word)] for word in [*numbers]]
    stems += range(len(stems), len(numbers))
    synonyms = metric.wordnet.synonyms if wordnet is None else lambda word: _synonyms(wordnet, word)
    known = metric.known(np.array(stems, np.uint32), *related_words([*numbers], stems, synonyms))
    pairs = np.zeros(len(texts) - 1, np.int64), np.arange(1, len(texts))
    kernel: Any = engine.kernel
    rows = np.asarray(kernel.meteor_rows(ids, offsets, *pairs, known), np.int64).reshape(-1, 4)
    return float(metric.formula(Rows(metric.layout, rows))[metric.name].max())


def _tokens(name: str, tokens: Any, preprocess: Callable[[str], str]) -> list[str]:
    if isinstance(tokens, str):
        fail(TypeError, name, "tokens, as in a text's split()", shown(tokens))
    return [preprocess(token) for token in tokens]


def _synonyms(wordnet: Any, word: str) -> set[str]:
    """Return the word, and the names of one word in its synsets."""
    lemmas = chain.from_iterable(synset.lemmas() for synset in wordnet.synsets(word))
    return {word, *(lemma.name() for lemma in lemmas if "_" not in lemma.name())}


__getattr__ = rest_when_asked("nltk.translate.meteor_score")
