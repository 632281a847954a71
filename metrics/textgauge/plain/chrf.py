"""Character n-grams: chrF (Popović 2015) and chrF++ (Popović 2017), counted as in sacreBLEU."""

# `n_threads` is unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence

from .integers import Integers, offsets_of
from .texts import Texts, checked_bounds, texts_of_segments
from .tokens import Tokens

_PUNCTUATION = frozenset(string.punctuation)


def character_matches(
    hypotheses: Texts,
    references: Texts,
    reference_offsets: Integers | None,
    char_order: int,
    word_order: int,
    *,
    whitespace: bool = False,
    n_threads: int = 1,
) -> list[list[int]]:
    """Count, per pair, the character and word n-grams of both texts, and the matches.

    Parameters
    ----------
    hypotheses, references : Texts, n_segments and n_references of them
        Lower-cased by the caller if case is to be ignored.
    reference_offsets : int64, shape (n_segments + 1,), or None: one reference each
    char_order, word_order : int
        The highest orders; one of them at least 1.
    whitespace : bool
        Count white space among the characters.

    Returns
    -------
    int64, shape (n_references, 3 * (char_order + word_order))
        Hypothesis n-grams of every order of characters, then of words (0 if the reference has none); then the
        reference's; then the matches. Additive.

    Raises
    ------
    ValueError
        If there are no orders, or offsets do not fit the texts.

    References
    ----------
    Popović (2015), chrF: character n-gram F-score for automatic MT evaluation, section 2;
    Popović (2017), chrF++: words helping character n-grams, section 2; sacreBLEU, `chrf.py`.

    Examples
    --------
    >>> hypotheses, references = Texts(["the cat"]), Texts(["a dog", "the cats"])
    >>> character_matches(hypotheses, references, [0, 2], char_order=2, word_order=1)
    [[6, 5, 2, 4, 3, 2, 1, 0, 0], [6, 5, 2, 7, 6, 2, 6, 5, 1]]
    """
    if char_order < 0 or word_order < 0 or char_order + word_order < 1:
        raise ValueError("char_order, word_order: expected at least 0, and one of them at least 1")
    bounds = checked_bounds(reference_offsets, len(hypotheses), len(references))
    rows: list[list[int]] = []
    for texts in texts_of_segments(hypotheses, references, bounds):
        hypothesis, *others = (_ngrams(text, char_order, word_order, whitespace) for text in texts)
        counts = [Counter(ngrams) for ngrams in hypothesis]
        rows.extend(_row(counts, hypothesis, other) for other in others)
    return rows


def character_tokens(texts: Texts, whitespace: bool = False) -> Tokens:
    """Return the characters of texts as tokens of one segment; white space only if it counts.

    Without texts there is no segment, which would need a hypothesis.

    Examples
    --------
    >>> tokens = character_tokens(Texts(["a ba", "b"]))
    >>> tokens.ids, tokens.offsets
    ([0, 1, 0, 1], [0, 3, 4])
    """
    return _one_segment([list(text if whitespace else "".join(text.split())) for text in texts])


def word_tokens(texts: Texts) -> Tokens:
    """Return the words of texts, see `words_of`, as tokens of one segment; without texts there is none.

    Examples
    --------
    >>> word_tokens(Texts(["a cat.", "a dog."])).ids
    [0, 1, 2, 0, 3, 2]
    """
    return _one_segment([words_of(text) for text in texts])


def _one_segment(texts: Sequence[list[str]]) -> Tokens:
    known: dict[str, int] = {}
    ids = [known.setdefault(token, len(known)) for text in texts for token in text]
    return Tokens(ids, offsets_of(map(len, texts)), [0, len(texts)] if texts else [0])


def _ngrams(text: str, char_order: int, word_order: int, whitespace: bool) -> list[list[str]]:
    """Return the n-grams of every order, of characters, then of words."""
    characters = text if whitespace else "".join(text.split())
    ngrams = [
        [characters[i : i + order] for i in range(len(characters) - order + 1)] for order in range(1, char_order + 1)
    ]
    words = words_of(text) if word_order else []
    for order in range(1, word_order + 1):
        ngrams.append([" ".join(words[i : i + order]) for i in range(len(words) - order + 1)])
    return ngrams


def words_of(text: str) -> list[str]:
    """Split at white space, then split one ASCII punctuation mark off the end of a word, or else off its start.

    Examples
    --------
    >>> words_of('He said: "(hi)".')
    ['He', 'said', ':', '"(hi)"', '.']
    """
    words: list[str] = []
    for word in text.split():
        if len(word) > 1 and word[-1] in _PUNCTUATION:
            words += (word[:-1], word[-1])
        elif len(word) > 1 and word[0] in _PUNCTUATION:
            words += (word[0], word[1:])
        else:
            words.append(word)
    return words


def _row(counts: Sequence[Counter[str]], hypothesis: Sequence[list[str]], reference: Sequence[list[str]]) -> list[int]:
    sizes = [len(left) if right else 0 for left, right in zip(hypothesis, reference, strict=True)]
    matches = []
    for found, right in zip(counts, reference, strict=True):
        shared = Counter(filter(found.__contains__, right))
        matches.append(sum(min(n, found[ngram]) for ngram, n in shared.items()))
    return [*sizes, *map(len, reference), *matches]
