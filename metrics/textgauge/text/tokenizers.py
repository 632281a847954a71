"""Tokenizers: rules of the kernel, by name, or a user's function."""

from __future__ import annotations

import functools
import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from .. import engine
from ..arrays import IntArray, lengths_of
from ..checks import fail, flag, message_in, one_of, shown
from ..input.columns import Corpus, TextColumn, known_texts, text_column, with_sources_first
from ..input.elements import check_text, checked_plain, is_arrow_scalar
from ..lazy import lazy
from ..plain.characters import character_table, fill_page
from . import sacrebleu_tokenizers
from .places import Place, token_places

if TYPE_CHECKING:
    from ..plain import Cutter, Lexer, Texts, Tokens

Function = Callable[[str], list[str]]
RULES = (
    "13a", "rouge", "rouge-1.5.5", "whitespace", "character", "unicode", "intl", "zh", "char", "none",
    "ascii-whitespace", "nist", "nist-spaces", "spaces", "every-character", "character-jiwer-3", "ptb",
    "coco",
)  # fmt: skip
# sacreBLEU's names for two of them.
_OTHER_NAMES = {"char": "character", "none": "whitespace"}
# nltk's tokenizer replaces entities first: "&LT;" becomes "&lt;", and stays.
_LOWERED_BEHIND_ENTITIES = ("nist", "nist-spaces")
# These have a lexer, which lower-cases by itself.
_LEXED = ("ptb", "coco")
# Only these use Unicode properties of characters, which depend on the version of Python.
_READS_CHARACTERS = ("intl", "unicode", "answers")


@functools.cache
def _lexer(kernel: Any) -> Lexer:
    """Return the lexer of "ptb" and "coco", made once."""
    # Imported here: its rules are many, and few texts are cut by them.
    from ..plain import ptb

    return kernel.Lexer(ptb.rules(), ptb.lowered_characters(), ptb.PUNCTUATION)


@dataclass(frozen=True)
class Tokenizer:
    """A tokenizer with its options.

    Attributes
    ----------
    name : str
        The name in signatures and messages.
    rule : str
        The rule of the kernel, see `plain.Cutter`; "" with a function.
    function : callable str -> list, optional
        A user's function, or one of sacreBLEU's tokenizers.
    lowercase : False, True or "ascii"
        True lower-cases text before it is tokenized, "ascii" A to Z in its tokens.
    strip : bool
        Remove white space at the end of a text first, which matters to 13a, intl and zh.
    stop_words : frozenset of str
        Tokens to drop, compared before stemming.
    stemmer : "", "porter" or "porter155"
        Porter's rules in nltk's version, or in that of the ROUGE-1.5.5 script.
    irregular : tuple of (str, str)
        Inflected forms and their bases, which take precedence over the rules.
    answers : tuple of (str, value)
        The arguments of `plain.Cutter` for the rule "answers".
    """

    name: str
    rule: str = ""
    function: Function | None = None
    lowercase: bool | str = False
    strip: bool = False
    stop_words: frozenset[str] = frozenset()
    stemmer: str = ""
    irregular: tuple[tuple[str, str], ...] = ()
    answers: tuple[tuple[str, Any], ...] = ()

    def __getstate__(self) -> dict[str, Any]:
        """Omit the cutter, which another process makes for itself."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Set the fields."""
        self.__dict__.update(state)

    @property
    def signature(self) -> str:
        """The name, with the version of a dictionary if there is one."""
        return sacrebleu_tokenizers.signature_of(self.name)

    @property
    def cutter(self) -> Cutter:
        """The kernel's object for the rule; a function has none."""
        made = self.__dict__.get("_cutter")
        if made is None or made[0] is not engine.kernel:
            made = engine.kernel, self._made_cutter()
            self.__dict__["_cutter"] = made
        return made[1]

    def _made_cutter(self) -> Cutter:
        late = self.rule in _LOWERED_BEHIND_ENTITIES
        return engine.kernel.Cutter(
            self.rule,
            # Those with a lexer lower-case tokens: their rules tell capital letters.
            lower_text=self.lowercase is True and not late and self.rule not in _LEXED,
            lower_tokens=self.lowercase == "ascii" or (self.lowercase is True and late),
            stop_words=sorted(self.stop_words),
            stemmer=self.stemmer,
            irregular=list(self.irregular),
            characters=character_table() if self.rule in _READS_CHARACTERS else None,
            lexer=_lexer(engine.kernel) if self.rule in _LEXED else None,
            **dict(self.answers),
        )

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of one text."""
        if self.function is None:
            return self.cutter(self.prepared(known_texts([check_text(text, "text")]))[0])
        return self._sifted(self.function(self._prepared_text(text)))

    def unstemmed(self, text: str) -> list[str]:
        """Return the tokens of one text before stemming."""
        return self._before_stemming(text) if self.stemmer else self(text)

    def places(self, text: str, tokens: Sequence[Any]) -> list[Place]:
        """Return where the tokens of `unstemmed` stand in their text; see `token_places`.

        `tokens` may be those of the same text in another form, such as a normalized one.
        """
        if self.rule in _LEXED:
            from ..plain import ptb

            # They write quotes, brackets and more otherwise than the text has them.
            dropped = self.stop_words | (ptb.lexer().dropped if self.rule == "coco" else frozenset())
            placed = [pair for pair in ptb.lexer().placed(text) if pair[0] not in dropped]
            if [token for token, _ in placed] == list(tokens):
                return [place for _, place in placed]
        return token_places(text, tokens)

    @property
    def is_part_of_score(self) -> bool:
        """Whether scores with another tokenizer have another name: with that of Stanford, or words cut by it before."""
        return self.rule in _LEXED or self.name in _LEXED

    @lazy
    def drops_letters(self) -> bool:
        """Whether letters outside ASCII are no part of tokens, as in those of ROUGE."""
        return self.rule.startswith("rouge")

    @lazy
    def _before_stemming(self) -> Tokenizer:
        return replace(self, stemmer="", irregular=())

    def prepared(self, texts: Texts, n_threads: int = 1) -> Texts:
        """Return a column ready for the cutter: stripped, and case-folded outside ASCII."""
        if self.strip:
            texts = engine.kernel.stripped(texts)
        fold = self._fold
        if fold is None and self.rule not in _READS_CHARACTERS:
            return texts
        return engine.kernel.folded(texts, character_table(), fill_page, fold, n_threads)

    @lazy
    def _prepares(self) -> bool:
        """Whether `prepared` changes any text."""
        return self.strip or self._fold is not None or self.rule in _READS_CHARACTERS

    @lazy
    def _prepares_letters_alone(self) -> bool:
        """Whether `prepared` changes nothing but letters outside ASCII."""
        return not self.strip and self.rule not in _READS_CHARACTERS

    @lazy
    def _fold(self) -> Callable[[str], str] | None:
        # By Python's tables; the kernel lower-cases ASCII alone.
        is_lowered = (self.lowercase is True and self.rule not in _LEXED) or self.rule == "answers"
        if self.rule == "unicode":
            return _lowered_and_folded if is_lowered else str.casefold
        if is_lowered and self.rule in _LOWERED_BEHIND_ENTITIES:
            return _lowered_but_entities
        return str.lower if is_lowered else None

    def _prepared_text(self, text: str) -> str:
        text = text.rstrip() if self.strip else text
        return text.lower() if self.lowercase is True else text

    def _sifted(self, tokens: Any) -> Any:
        """Lower-case the tokens of a function, and drop stop words."""
        # Results other than lists of str are refused where tokens get their ids.
        if not isinstance(tokens, (list, tuple)):
            return tokens
        if self.lowercase == "ascii":
            tokens = [_lowered(token) if isinstance(token, str) else token for token in tokens]
        if self.stop_words:
            tokens = [token for token in tokens if not (isinstance(token, str) and token in self.stop_words)]
        return tokens

    def columns(self, corpus: Corpus) -> tuple[Texts, Texts]:
        """Return the hypotheses and references of a corpus, ready for the cutter."""
        sides = corpus.hypotheses, corpus.references
        if not self._prepares or (self._prepares_letters_alone and corpus.is_known_ascii):
            return sides
        hypotheses, references = (self.prepared(side, corpus.n_threads) for side in sides)
        return hypotheses, references

    def cut(
        self, corpus: Corpus, *, sources: bool = False, sentences: bool = False,
        lines: tuple[Texts, Texts] | None = None, given: Corpus | None = None,
    ) -> Tokens:  # fmt: skip
        """Return the tokens of a corpus as ids that are dense within a segment; see `plain.cut`.

        With `sources` they are cut as well: the texts of a segment are its prediction, its source, its references.
        `given` is the corpus of which this one was made, or itself, if its contents are asked for later: of many texts
        they are found now, while these are in the cache.

        Raises
        ------
        TypeError
            If a function does not return a list, or returns unhashable tokens; the message names the text.
        """
        if sources:
            corpus = with_sources_first(corpus)
        if self.function is not None:
            return _Numbering(self, corpus).tokens(sentences=sentences, lines=lines)
        hypotheses, references, n_threads = corpus.hypotheses, corpus.references, corpus.n_threads
        if self._prepares and not (self._prepares_letters_alone and corpus.is_known_ascii):
            hypotheses, references = self.prepared(hypotheses, n_threads), self.prepared(references, n_threads)
            lines = lines and (self.prepared(lines[0], n_threads), self.prepared(lines[1], n_threads))
        columns = self.cutter, hypotheses, references, corpus.offsets
        if given is None or not given.are_contents_due:
            return engine.kernel.cut(*columns, sentences, lines, n_threads)
        sides = given.hypotheses, given.references
        tokens, contents = engine.kernel.cut_with_contents(*columns, sides, sentences, lines, n_threads)
        given.contain(contents)
        return tokens

    def spaced(self, texts: Texts) -> Texts:
        """Return every text as its tokens, with one space between two."""
        if self.function is None:
            return engine.kernel.spaced(self.cutter, self.prepared(texts))
        place = partial("text {}".format)
        return known_texts(
            [" ".join(map(str, tokens_at(self, text, partial(place, i)))) for i, text in enumerate(texts)]
        )

    def with_options(
        self, *, stop_words: frozenset[str], stemmer: str, irregular: tuple[tuple[str, str], ...]
    ) -> Tokenizer:
        """Return the tokenizer with stop words and a stemmer; its name has the number and a checksum of the words."""
        name = self.name + (f"-stop{list_name(stop_words)}" if stop_words else "")
        if stemmer:
            forms = (f"{form} {base}" for form, base in irregular)
            name += f"+{stemmer}" + (f"-exc{list_name(forms)}" if irregular else "")
        return replace(self, name=name, stop_words=stop_words, stemmer=stemmer, irregular=irregular)


class _Numbering:
    """Assigns ids to the tokens of a function, segment by segment."""

    def __init__(self, tokenizer: Tokenizer, corpus: Corpus) -> None:
        self._tokenizer, self._corpus = tokenizer, corpus

    def tokens(self, *, sentences: bool, lines: tuple[Texts, Texts] | None) -> Tokens:
        corpus = self._corpus
        sides = corpus.hypotheses, corpus.references
        line_sides = (lines or sides) if sentences else None
        ids: list[int] = []
        ends: list[int] = []
        sentence_ids: list[int] = []
        sentence_ends: list[int] = []
        text_sentences: list[int] = []
        offsets = corpus.reference_offsets.tolist()
        for segment, (first, last) in enumerate(zip(offsets[:-1], offsets[1:], strict=True)):
            known: defaultdict[Any, int] = defaultdict(count().__next__)
            texts = [(0, segment), *((1, row) for row in range(first, last))]
            for side, row in texts:
                ids += self._ids(known, sides[side][row], side, row, "")
                ends.append(len(ids))
            if line_sides is None:
                continue
            for side, row in texts:
                for line in filter(None, line_sides[side][row].split("\n")):
                    sentence_ids += self._ids(known, line, side, row, "a sentence of ")
                    sentence_ends.append(len(sentence_ids))
                text_sentences.append(len(sentence_ends))
        segments: Any = np.arange(len(corpus) + 1) + corpus.reference_offsets
        texts_as_ids = _uint32(ids), _offsets(ends), segments
        if not sentences:
            return engine.kernel.Tokens(*texts_as_ids)
        return engine.kernel.Tokens(
            *texts_as_ids, _uint32(sentence_ids), _offsets(sentence_ends), _offsets(text_sentences)
        )

    def _ids(self, known: defaultdict[Any, int], text: str, side: int, row: int, prefix: str) -> list[int]:
        tokens = tokens_at(self._tokenizer, text, lambda: f"{prefix}{self._corpus.place(side, row)}")
        if not isinstance(tokens, (list, tuple)):
            self._blame(prefix, side, row, "a list of tokens", tokens)
        try:
            return [*map(known.__getitem__, tokens)]
        except TypeError:
            for token in tokens:
                if not _is_hashable(token):
                    self._blame(prefix, side, row, "tokens that are str or hashable", token)
            fail(TypeError, "tokenizer", "tokens that can be compared", "tokens that cannot")

    def _blame(self, prefix: str, side: int, row: int, allowed: str, got: Any) -> NoReturn:
        fail(TypeError, f"tokenizer: result for {prefix}{self._corpus.place(side, row)}", allowed, shown(got))


def _uint32(ids: list[int]) -> Any:
    return np.array(ids, np.uint32)


def _offsets(ends: list[int]) -> Any:
    return np.array([0, *ends], np.int64)


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _lowered_and_folded(text: str) -> str:
    return text.lower().casefold()


def _lowered_but_entities(text: str) -> str:
    """Lower-case all but what would become an entity or mark; the kernel lower-cases its ASCII later.

    No letter's case depends on what is beyond the signs that these begin and end with.
    """
    parts = re.split(r"(&(?:lt|gt|amp|apos|quot);|<skipped>)", text, flags=re.IGNORECASE | re.ASCII)
    return "".join(part if i % 2 else part.lower() for i, part in enumerate(parts))


_ASCII_LOWERED = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def _lowered(token: str) -> str:
    return token.translate(_ASCII_LOWERED)


def list_name(words: Iterable[str]) -> str:
    """Return the number of words and a checksum that does not depend on their order."""
    listed = sorted(words)
    return f"{len(listed)}[{zlib.crc32(chr(10).join(listed).encode()):08x}]"


TOKENIZERS = {name: Tokenizer(name, _OTHER_NAMES.get(name, name)) for name in RULES}
STEMMED_ROUGE = Tokenizer("rouge+porter", "rouge", stemmer="porter")


def tokenizer_of(value: str | Function | Tokenizer, argument: str = "tokenizer") -> Tokenizer:
    """Return the tokenizer for a name or a callable."""
    if isinstance(value, Tokenizer):
        return value
    if callable(value):
        return Tokenizer(getattr(value, "__name__", type(value).__name__), function=value)
    one_of(argument, value, _names())
    if value in TOKENIZERS:
        return TOKENIZERS[value]
    return Tokenizer(value, function=sacrebleu_tokenizers.sacrebleu_tokenizer(value))


def _names() -> tuple[str, ...]:
    return *TOKENIZERS, *sacrebleu_tokenizers.NAMES


def tokenize(
    texts: TextColumn, tokenizer: str | Function | Tokenizer = "13a", *, lowercase: bool | str = False
) -> list[Any]:
    """Return the tokens of a text, or of every text of a column, as metrics count them.

    Parameters
    ----------
    texts : str, or iterable of str
        One text, or many as for `corpus_of`.
    tokenizer : str or callable str -> list
        A name in `TOKENIZERS`, or one of sacreBLEU's.
    lowercase : bool or "ascii"
        Lower-case the text first, or A to Z in its tokens.

    Returns
    -------
    list of str, or list of lists of str
        The tokens of one text, or those of each.

    Raises
    ------
    TypeError, ValueError
        If an element is not text, there is no such tokenizer, or an option is wrong; also for the former order, the
        tokenizer first.

    Examples
    --------
    >>> tokenize("It's 3.5%, isn't it?")
    ["It's", '3.5', '%', ',', "isn't", 'it', '?']
    >>> tokenize(["A cat.", "猫"], tokenizer="unicode")
    [['a', 'cat'], ['猫']]
    >>> tokenize("The cat", lowercase=True)
    ['the', 'cat']
    """
    is_first = callable(texts) or (isinstance(texts, str) and texts in TOKENIZERS)
    if is_first and not (callable(tokenizer) or (isinstance(tokenizer, str) and tokenizer in _names())):
        fail(
            TypeError, "texts", "the texts first, as in tokenize(texts, tokenizer=...)", f"a tokenizer, {shown(texts)}"
        )
    cut = prepared(tokenizer_of(tokenizer), lowercase=lowercase, strip=False)
    if is_arrow_scalar(texts):
        texts = checked_plain(texts, "texts")
    if isinstance(texts, str):
        return list(cut(check_text(texts, "texts")))
    return [
        list(tokens_at(cut, text, partial("texts[{}]".format, i)))
        for i, text in enumerate(text_column(texts, "texts").tolist())
    ]


def tokens_at(tokenizer: Tokenizer, text: str, place: Callable[[], str]) -> Any:
    """Return the tokens of one text; an error of the package names its place."""
    try:
        return tokenizer(text)
    except ValueError as error:
        if (message := message_in(error)) is None:
            raise
        fail(ValueError, f"tokenizer: {place()}", message.allowed, message.got)


def prepared(tokenizer: Tokenizer, *, lowercase: bool | str, strip: bool) -> Tokenizer:
    """Return a tokenizer that also lower-cases or strips; see `Tokenizer`."""
    if not (isinstance(lowercase, bool) or lowercase == "ascii"):
        error = ValueError if isinstance(lowercase, str) else TypeError
        fail(error, "lowercase", "True, False or 'ascii'", shown(lowercase))
    if not flag("strip", strip) and lowercase is False:
        return tokenizer
    return replace(tokenizer, lowercase=lowercase, strip=strip)


def text_lengths(tokens: Tokens) -> tuple[IntArray, IntArray]:
    """Return the numbers of tokens of hypotheses and references: int64, shapes (n_segments,), (n_pairs,)."""
    offsets = np.asarray(tokens.offsets, np.int64)
    return _sides(offsets[1:] - offsets[:-1], tokens)


def _sides(of_texts: IntArray, tokens: Tokens) -> tuple[IntArray, IntArray]:
    """Split values of texts into those of hypotheses and of references."""
    segments = np.asarray(tokens.segments, np.int64)
    if len(of_texts) == 2 * (len(segments) - 1):
        return of_texts[::2], of_texts[1::2]
    is_reference = np.ones(len(of_texts), bool)
    is_reference[segments[:-1]] = False
    return of_texts[segments[:-1]], of_texts[is_reference]


def sentence_lengths(tokens: Tokens) -> tuple[IntArray, IntArray, IntArray]:
    """Return the numbers of tokens in sentences.

    Returns
    -------
    hypotheses, references : int64, shapes (n_segments,), (n_pairs,)
        Tokens in all sentences of every text.
    of_sentences : int64, shape (n_sentences,)
    """
    offsets, bounds = np.asarray(tokens.sentence_offsets, np.int64), np.asarray(tokens.text_sentences, np.int64)
    return *_sides(lengths_of(offsets[bounds]), tokens), lengths_of(offsets)
