"""From texts to tokens, and from the tokens of a segment to dense ids."""

# `n_threads` and `characters` are unused: the compiled kernel has the same arguments.
# ruff: noqa: ARG001, ARG002

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, count, islice

from .answers import answer_words
from .contents import Contents, text_contents
from .integers import Integers, offsets_of
from .porter import STEMMERS
from .ptb import Lexer
from .texts import Texts, checked_bounds, joined, texts_of_segments
from .tokenizers import LOCAL, TOKENIZERS, lower_ascii
from .tokens import Ids, Tokens

# Neither rouge_score nor ROUGE-1.5.5.pl stems shorter tokens.
SHORTEST = 4


class Cutter:
    """A tokenizer with its options; immutable.

    Parameters
    ----------
    tokenizer : str
        "13a", "nist", "nist-spaces", "rouge", "rouge-1.5.5", "whitespace", "ascii-whitespace", "spaces",
        "character", "every-character", "character-jiwer-3", "intl", "zh", "unicode", "answers", "ptb"
        or "coco".
    lower_text, lower_tokens : bool
        Lower-case A to Z in the text, or in its tokens. The caller lower-cases other letters with
        `str.lower`.
    stop_words : sequence of str
        Tokens that are dropped, compared before stemming.
    stemmer : "", "porter" or "porter155"
        The stemmer for tokens of more than three characters.
    irregular : sequence of (str, str)
        Forms of more than three characters and their bases, which are not stemmed; they take
        precedence over the irregular forms of a stemmer.
    characters : bytearray, shape (0x110000,)
        See `character_table`; the kernel needs it for "intl", "unicode" and "answers".
    lexer : Lexer
        Of "ptb" and "coco", see `plain.ptb`; the kernel needs it.
    articles, prefix, splits_han, drops_every_punctuation
        For "answers", see `answer_words`.

    Raises
    ------
    ValueError
        If there is no such tokenizer or stemmer.

    Examples
    --------
    >>> Cutter("rouge", stop_words=["the"], stemmer="porter")("The cats sat, sitting")
    ['cat', 'sat', 'sit']
    """

    def __init__(
        self,
        tokenizer: str,
        *,
        lower_text: bool = False,
        lower_tokens: bool = False,
        stop_words: Sequence[str] = (),
        stemmer: str = "",
        irregular: Sequence[tuple[str, str]] = (),
        characters: bytearray | None = None,
        lexer: Lexer | None = None,
        articles: Sequence[str] = (),
        prefix: str = "",
        splits_han: bool = False,
        drops_every_punctuation: bool = False,
    ) -> None:
        if tokenizer not in (*TOKENIZERS, "answers"):
            raise ValueError(f"tokenizer: expected one of {(*TOKENIZERS, 'answers')}, got {tokenizer!r}")
        if stemmer not in ("", *STEMMERS):
            raise ValueError(f"stemmer: expected one of {('', *STEMMERS)}, got {stemmer!r}")
        rules = (articles, prefix, splits_han, drops_every_punctuation)
        self._tokens = answer_words(*rules) if tokenizer == "answers" else TOKENIZERS[tokenizer]
        self._lower_text, self._lower_tokens = lower_text, lower_tokens
        self._stop_words = frozenset(stop_words)
        self._stem = STEMMERS.get(stemmer)
        self._irregular = {form: base for form, base in irregular if len(form) >= SHORTEST}
        self.tokenizer = tokenizer

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of one text."""
        tokens = self._tokens(lower_ascii(text) if self._lower_text else text)
        if self._lower_tokens:
            tokens = list(map(lower_ascii, tokens))
        if self._stop_words:
            tokens = [token for token in tokens if token not in self._stop_words]
        stem, irregular = self._stem, self._irregular
        if stem is not None:
            tokens = [
                token if len(token) < SHORTEST else irregular[token] if token in irregular else stem(token)
                for token in tokens
            ]
        return tokens


def cut(
    cutter: Cutter,
    hypotheses: Texts,
    references: Texts,
    reference_offsets: Integers | None,
    sentences: bool = False,
    lines: tuple[Texts, Texts] | None = None,
    n_threads: int = 1,
) -> Tokens:
    r"""Cut texts into tokens and number them.

    In each segment tokens have the ids 0, 1, 2, ... in order of first occurrence: in the
    hypothesis, then in the references, then in sentences that are tokenized separately.

    Parameters
    ----------
    cutter : Cutter
    hypotheses, references : Texts, n_segments and n_references of them
    reference_offsets : int64, shape (n_segments + 1,), or None
        Segment s has the references ``reference_offsets[s]`` to ``reference_offsets[s + 1]``, exclusive; None: one.
    sentences : bool
        Also tokenize the sentences: the non-empty lines of a text. If the tokenizer never looks
        across a newline, the tokens of a text are those of its sentences; else both are tokenized.
    lines : (Texts, Texts), optional
        The texts whose lines are the sentences, if they are not the hypotheses and references.

    Returns
    -------
    Tokens

    Raises
    ------
    ValueError
        If the offsets or the lines do not fit the texts.

    Examples
    --------
    >>> tokens = cut(Cutter("rouge"), Texts(["a b a"]), Texts(["b c\na"]), [0, 1], sentences=True)
    >>> tokens.ids, tokens.offsets, tokens.segments
    ([0, 1, 0, 1, 2, 0], [0, 3, 6], [0, 2])
    >>> tokens.sentence_offsets, tokens.text_sentences
    ([0, 3, 5, 6], [0, 1, 3])
    """
    bounds = checked_bounds(reference_offsets, len(hypotheses), len(references))
    are_same = sentences and cutter.tokenizer in LOCAL and lines is None
    ids: Ids = []
    lengths: list[int] = []
    sentence_ids: Ids = []
    sentence_lengths: list[int] = []
    n_sentences: list[int] = []
    hypothesis_lines, reference_lines = _checked_columns("lines", lines, hypotheses, references)
    wholes = texts_of_segments(hypotheses, references, bounds)
    for texts, others in zip(wholes, texts_of_segments(hypothesis_lines, reference_lines, bounds), strict=True):
        parts = [[cutter(line) for line in text.split("\n") if line] for text in others] if sentences else []
        rows = [list(chain.from_iterable(part)) for part in parts] if are_same else list(map(cutter, texts))
        cut_lines = list(chain.from_iterable(parts))
        number = _numbers(chain(rows, cut_lines))
        ids.extend(map(number.__getitem__, chain.from_iterable(rows)))
        lengths.extend(map(len, rows))
        if not are_same:
            sentence_ids.extend(map(number.__getitem__, chain.from_iterable(cut_lines)))
        sentence_lengths.extend(map(len, cut_lines))
        n_sentences.extend(map(len, parts))
    segments = [start + s for s, start in enumerate(bounds)]
    if not sentences:
        return Tokens(ids, offsets_of(lengths), segments)
    if are_same:
        sentence_ids = ids
    return Tokens(
        ids, offsets_of(lengths), segments, sentence_ids, offsets_of(sentence_lengths), offsets_of(n_sentences)
    )


def cut_with_contents(
    cutter: Cutter,
    hypotheses: Texts,
    references: Texts,
    reference_offsets: Integers | None,
    given: tuple[Texts, Texts],
    sentences: bool = False,
    lines: tuple[Texts, Texts] | None = None,
    n_threads: int = 1,
) -> tuple[Tokens, tuple[Contents, Contents] | None]:
    r"""Return the tokens of texts, as `cut` does, and what the `given` ones contain, of which they were made.

    The compiled kernel reads both in one pass.

    Examples
    --------
    >>> sides = Texts(["un caf\u00e9"]), Texts(["un"])
    >>> tokens, contents = cut_with_contents(Cutter("spaces"), *sides, None, sides)
    >>> tokens.ids, contents[0].characters
    ([0, 1, 0], 'é')
    """
    left, right = _checked_columns("given", given, hypotheses, references)
    tokens = cut(cutter, hypotheses, references, reference_offsets, sentences, lines, n_threads)
    return tokens, text_contents(left, right, n_threads)


def _checked_columns(name: str, given: tuple[Texts, Texts] | None, hypotheses: Texts, references: Texts) -> list[Texts]:
    # Of a sequence without an end no more is taken than needed.
    columns = [hypotheses, references] if given is None else list(islice(given, 3))
    if len(columns) != 2:
        raise ValueError(f"{name}: expected those of the hypotheses and those of the references")
    if [*map(len, columns)] != [len(hypotheses), len(references)]:
        raise ValueError(f"{name}: expected as many texts as there are hypotheses and references")
    return columns


def _numbers(rows: Iterable[list[str]]) -> dict[str, int]:
    """Assign numbers to tokens in order of first occurrence."""
    return dict(zip(dict.fromkeys(chain.from_iterable(rows)), count(), strict=False))


def token_texts(cutter: Cutter, texts: Texts) -> tuple[list[int], list[int], bytes]:
    """Return the tokens of texts as strings.

    Returns
    -------
    offsets of texts : int64, shape (n_texts + 1,)
        Into the tokens.
    offsets of tokens : int64, shape (n_tokens + 1,)
        Into the bytes.
    data : uint8, shape (n_bytes,)

    Examples
    --------
    >>> token_texts(Cutter("13a"), Texts(["It is.", ""]))
    ([0, 3, 3], [0, 2, 4, 5], b'Itis.')
    """
    rows = [cutter(text) for text in texts]
    return offsets_of(map(len, rows)), *joined(list(chain.from_iterable(rows)))


def spaced(cutter: Cutter, texts: Texts) -> Texts:
    """Return every text as its tokens, with one space between two.

    Examples
    --------
    >>> spaced(Cutter("13a"), Texts(["It is."])).tolist()
    ['It is .']
    """
    return Texts([" ".join(cutter(text)) for text in texts])


def normalized(cutter: Cutter, texts: Texts) -> list[str]:
    """Return normalized answers: their words, separated by single spaces.

    Parameters
    ----------
    cutter : Cutter with the tokenizer "answers"
    texts : Texts

    Returns
    -------
    list of str, shape (n_texts,)

    Raises
    ------
    ValueError
        If the cutter has another tokenizer.

    Examples
    --------
    >>> normalized(Cutter("answers", articles=["a", "an", "the"]), Texts(["The  Eiffel Tower!"]))
    ['eiffel tower']
    """
    if cutter.tokenizer != "answers":
        raise ValueError(f"cutter: expected the tokenizer 'answers', got {cutter.tokenizer!r}")
    return [" ".join(cutter(text)) for text in texts]
