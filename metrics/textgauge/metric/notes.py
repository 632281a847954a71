"""Warnings that a reader of a score needs, once per call."""

from __future__ import annotations

import copy
import operator
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from ..checks import CountWarning, printable, warn_user
from ..input.columns import Corpus, with_sources_first
from ..lazy import lazy
from ..plain.contents import BORDER, ESCAPE, NOTHING, SPACE, SPELLED, SUBWORD, Contents
from ..text import Normalizer, Tokenizer
from ..text.scripts import BEGINNINGS, Sample, is_of_one_form
from ..text.signs import APOSTROPHES, SIGNS, Sign
from ..text.tercom import Tercom

if TYPE_CHECKING:
    from ..plain import Tokens

# How Python and NumPy print a list of texts.
_PRINTED_LIST = re.compile(r"""\s*\[\s*['"].*['"]\s*\]\s*""", re.DOTALL)
# Number of texts per side whose sentences are looked for, and of segments whose references are read as tokens.
_N_TEXTS = 16
# Bytes of the segments, at least two, in which forms of letters are looked at first: looking at a long text costs more
# than to score it.
_N_BYTES = 1 << 14
# Of so many of its references a segment has as words of its prediction, where they are the tokens of one text.
_LEAST_SHARED = 1 / 3
# Share of the segments that a sign changes: remains of tokenizers are rare in clean text, two forms are not, in which
# people write as they please.
_LEAST_CHANGED, _LEAST_IN_TWO_FORMS = 0.01, 0.2
# Share of the characters that two texts have in common of which one is split into characters.
_LEAST_ALIKE = 0.7
# So many letters have the first texts of a side at least whose case is looked at.
_LEAST_LETTERS = 16
# The first segments of a call, however it is cut in parts, in which capitals and punctuation of one side alone are
# looked for, of long ones in the beginning; the share of them that has any on that side at least, and on the other at
# most; and the words that must match without them.
_N_FIRST, _MOST_WRITTEN, _LEAST_WRITTEN, _LEAST_GAINED = 64, 0.8, 0.02, 2
# Characters of a word; Finnish has 9.
_MOST_OF_WORD = 10
_MARK = re.compile("[^\\w\\s'\u2019-]")
_CURLY = "\u2018\u2019\u02bb\u02bc\xb4`\uff07"
_WITH_APOSTROPHE = re.compile(f"[^\\W\\d_]+(?:[{_CURLY}'][^\\W\\d_]+)+")

JOIN_TOKENS = (
    "every prediction and every reference is a single token: if they are the tokens of one text, join "
    'them, " ".join(tokens), and pass a list with that one text.'
)
JOIN_REFERENCES = (
    "every reference is a single word, and predictions have several of those of their segment: if they are the tokens "
    'of one text, join them, " ".join(tokens), and pass that one text.'
)
PRINTED_LISTS = (
    "every reference looks like a printed list of texts, such as \"['a cat', 'the cat']\", and is scored as one text: "
    "pass lists of texts. CSV and data frames turn lists into text, `ast.literal_eval` turns it back, and "
    "`dataframe.convert-string` of Dask, if false, leaves lists as they are."
)
PUT_SPACES = 'pass texts with spaces between the words, such as " ".join(textgauge.tokenize(text, "zh")) of Chinese.'


class Note:
    """A check for something that deserves a warning, made while a metric counts.

    What it finds are numbers that add up over the parts of a call, such as the blocks of a file or the partitions of a
    data set; what they amount to is decided once, by `told`, of the whole.

    Attributes
    ----------
    about : str
        The subject: of several notes with one subject only the first warning is raised.
    counts : mapping from str to int
        What was found in all segments, by default under the text of a warning.
    first : mapping from str to int
        The same of the first segments of a call.
    reads_latin : bool
        Whether text of Latin letters alone, whose characters have one form each, can have what `read` looks for.
    """

    about = "tokens"
    counts: Mapping[str, int] = {}
    first: Mapping[str, int] = {}
    reads_latin = False

    def read(self, sample: Sample) -> None:
        """Examine the beginnings of the first texts, which are not all ASCII; what is found is put into `first`."""

    def read_first(self, corpus: Corpus) -> None:
        """Examine the first segments."""

    def read_case(self, corpus: Corpus) -> None:
        """Examine the first segments, of which the very first differs in capitals, or in punctuation at the end."""

    def examine(self, corpus: Corpus, tokens: Tokens) -> None:
        """Examine one chunk; `tokens` is whatever the metric hands in, and `corpus.contents` what its texts contain."""

    def read_signs(self, corpus: Corpus) -> None:
        """Examine one chunk that has signs which are no part of a text, or have several forms."""

    def count(self, what: str, n: int = 1) -> None:
        """Add to a number of `counts`."""
        if n:
            self.counts = {**self.counts, what: self.counts.get(what, 0) + n}

    @property
    def found(self) -> Mapping[str, int]:
        """What was found in all segments and in the first ones."""
        return _added(self.counts, self.first)

    def told(self, n_segments: int) -> Iterable[str | CountWarning]:  # noqa: ARG002
        """Return the warnings of a call of so many segments: by default of all that was found."""
        return [*self.found]


class CountedNote(Note):
    """Counts something; the warning, once there are enough, has the number.

    Its text has forms for one and several in brackets, as `CountWarning` takes it.
    """

    at_least = 1

    def told(self, n_segments: int) -> Iterable[str | CountWarning]:  # noqa: ARG002
        """Return the warnings with their numbers."""
        return [CountWarning(n, text) for text, n in self.found.items() if n >= self.at_least]


def _added(one: Mapping[str, int], other: Mapping[str, int]) -> Mapping[str, int]:
    return {**one, **{what: one.get(what, 0) + n for what, n in other.items()}} if other else one


class EveryNote(Note):
    """Counts segments; the warning is one of all segments of a call, at least two."""

    def told(self, n_segments: int) -> Iterable[str | CountWarning]:
        """Return the warning if every segment was counted."""
        return [text for text, n in self.counts.items() if n == n_segments > 1]


# What `Notes` count themselves: references that are one word, references and predictions that are printed lists, and
# beginnings whose references are words of their predictions; and the sizes of the call.
_WORDS, _PRINTED, _PRINTED_TOO, _SPLIT = "words", "printed", "printed predictions", "split"
_SEGMENTS, _REFERENCES, _TOLD = "segments", "references", "told"


class Notes:
    """The notes of a metric for one call, which may come in parts; each warns at most once."""

    # Defaults of the class: notes are made for every single pair.
    _n_segments = _n_references = 0
    # The number of segments when warnings were raised.
    _n_told = 0
    # The first segments, until they are read.
    _head: Corpus | None = None
    _cuts_sources = False
    _own: Mapping[str, int] = {}

    def __init__(
        self, *notes: Note, unusual: Callable[[], Iterable[Note]] | None = None, reads_latin: bool = True
    ) -> None:
        """Take notes, the more important first.

        Parameters
        ----------
        notes : Note
        unusual : callable, optional
            Returns notes that come first, and is called once there is a text for them: text outside ASCII at the
            beginning, a text without tokens, or texts of single tokens. Most calls for one pair have none.
        reads_latin : bool
            Whether any of the notes finds something in text of Latin letters alone, with their accents.
        """
        self._notes, self._unusual, self._reads_latin = notes, unusual, reads_latin

    def examine(self, corpus: Corpus, tokens: Any = None) -> None:
        """Examine one chunk, and its tokens, or what a metric has in the place of tokens.

        Sources that were cut as well are examined like references.
        """
        given, n_before = corpus, self._n_segments
        if corpus.sources is not None:
            n_texts = len(getattr(tokens, "offsets", ())) - 1
            self._cuts_sources = n_texts > len(corpus) + len(corpus.references)
            corpus = with_sources_first(corpus) if self._cuts_sources else corpus
        self._n_segments = n_before + len(given.hypotheses)
        self._n_references += len(given.references)
        if self._unusual or self._notes:
            contents = given.contents
            if n_before < _N_FIRST:
                self._head = given if n_before == 0 and self._n_segments <= _N_FIRST else _first(self._head, given)
            if contents is not NOTHING:
                self._examine_contents(given, *contents)
        if self._unusual is not None and tokens is not None and _are_odd(tokens):
            self._make()
        for note in self._notes:
            note.examine(corpus, tokens)
        if self._n_segments >= _N_FIRST and self._head is not None:
            self._close()

    def _examine_contents(self, corpus: Corpus, predictions: Contents, references: Contents) -> None:
        """Make the checks of one chunk for which its texts have something."""
        if predictions.signs or references.signs:
            self._make()
            for note in self._notes:
                note.read_signs(corpus)
        n_references = len(corpus.references)
        found = {_WORDS: references.n_words} if references.n_words else {}
        if references.n_brackets >= n_references > 0:
            sides = corpus.references, corpus.hypotheses
            printed = [sum(map(bool, map(_PRINTED_LIST.fullmatch, side.tolist()))) for side in sides]
            found |= dict(zip((_PRINTED, _PRINTED_TOO), printed, strict=True))
        self._own = _added(self._own, found)

    def _read_head(self, head: Corpus) -> None:
        """Make the checks that only the first segments need."""
        for note in self._notes:
            note.first = {}
        if self._n_references and self._n_segments:
            # Lines of a file may have their ends.
            left, right = head.hypotheses[0].strip(), head.references[0].strip()
            # The first text of one side has capitals alone, or begins or ends as that of the other does not. Without a
            # call: for every single pair.
            if (
                left.isupper() is not right.isupper()
                or left[:1].islower() is not right[:1].islower()
                or left[-1:].isalnum() is not right[-1:].isalnum()
            ):
                self._make()
                for note in self._notes:
                    note.read_case(head)
        for note in self._notes:
            note.read_first(head)
        if self._cuts_sources and head.sources is not None:
            head = with_sources_first(head)
        if (contents := head.contents) is not NOTHING:
            self._read_sample(head, *contents)

    def _read_sample(self, corpus: Corpus, predictions: Contents, references: Contents) -> None:
        """Read the beginnings of texts with characters that have several forms, or that tokenizers may not know."""
        is_latin = is_of_one_form(predictions.characters) and is_of_one_form(references.characters)
        is_ascii = is_latin and predictions.characters.isascii() and references.characters.isascii()
        if not is_latin or (self._reads_latin and not is_ascii):
            sample = Sample(corpus.hypotheses.beginnings(*BEGINNINGS), corpus.references.beginnings(*BEGINNINGS))
            if not sample.is_ascii:
                self._make()
                for note in self._notes:
                    if note.reads_latin or not is_latin:
                        note.read(sample)

    def _close(self) -> None:
        """Read the first segments for good: their texts are needed no more."""
        if self._head is not None:
            self._read_head(self._head)
            self._own = {**self._own, _SPLIT: self._n_split()}
            self._head = None

    def _n_split(self) -> int:
        """Return the number of beginnings whose references are words of their predictions."""
        n = self._own.get(_SPLIT, 0)
        are_words = self._own.get(_WORDS, 0) == self._n_references > self._n_segments
        return n + (are_words and self._head is not None and _are_tokens(self._head))

    def _make(self) -> None:
        if self._unusual:
            self._notes, self._unusual = (*self._unusual(), *self._notes), None

    def counts(self) -> dict[str, int]:
        """Return all that was found, as numbers that add up, by names for `add_counts`."""
        closed = self.continued()
        closed._close()
        of_notes = {f"{name}:{what}": n for name, note in closed._by_name().items() for what, n in note.found.items()}
        sizes = {_SEGMENTS: self._n_segments, _REFERENCES: self._n_references, _TOLD: self._n_told}
        return {**sizes, **closed._own, **of_notes}

    def add_counts(self, counts: Mapping[str, int]) -> None:
        """Add the `counts` of notes of the same metric."""
        own = {**counts}
        self._close()
        self._n_segments += own.pop(_SEGMENTS)
        self._n_references += own.pop(_REFERENCES)
        self._n_told += own.pop(_TOLD)
        for key in counts:
            name, is_of_note, what = key.partition(":")
            if is_of_note:
                if note := self._named(name):
                    note.count(what, own[key])
                del own[key]
        self._own = _added(self._own, own)

    def add(self, other: Notes) -> None:
        """Add what the notes of a later part of the call found; its first segments count as far as ours are few."""
        self._n_told = 0
        head, theirs, n_before = self._head, other._head, self._n_segments
        is_open = head is not None or not n_before
        if n_before < _N_FIRST and theirs is not None and is_open:
            self._head, unread = _first(head, theirs), True
        else:
            unread = n_before >= _N_FIRST
            self._close()
            if theirs is not None and not unread:
                other._read_head(theirs)
        for name, note in other._by_name().items():
            if own := self._named(name):
                own.counts = _added(own.counts, note.counts)
                own.first = own.first if unread else _added(own.first, note.first)
        self._own = _added(self._own, {name: n for name, n in other._own.items() if name != _SPLIT or not unread})
        self._n_segments += other._n_segments
        self._n_references += other._n_references
        self._cuts_sources |= other._cuts_sources
        if self._n_segments >= _N_FIRST:
            self._close()

    def _by_name(self) -> dict[str, Note]:
        """Return the notes by their class, and a number among those of one class."""
        notes: dict[str, Note] = {}
        for note in self._notes:
            notes[f"{type(note).__name__} {sum(type(note) is type(one) for one in notes.values())}"] = note
        return notes

    def _named(self, name: str) -> Note | None:
        """Return the note of a name, which may have to be made; None if an option leaves it out."""
        if name not in self._by_name():
            self._make()
        return self._by_name().get(name)

    def continued(self) -> Notes:
        """Return a copy that examines the next part, if that succeeds."""
        other = Notes.__new__(Notes)
        other.__dict__.update(self.__dict__)
        other._notes = tuple(map(copy.copy, self._notes))
        return other

    def warn(self) -> None:
        """Warn once for each reason, unless that was done and no segments came since."""
        if self._n_told != self._n_segments:
            self._n_told = self._n_segments
            if self._head is not None:
                self._read_head(self._head)
            # Most pairs have none.
            if self._notes or self._own:
                for warning in self._warnings():
                    warn_user(warning)

    def _warnings(self) -> list[str | CountWarning]:
        """Return the warnings of the whole call."""
        told: dict[str, list[str | CountWarning]] = {}
        for note in self._notes:
            is_found = note.counts or note.first
            if is_found and note.about not in told and (warnings := [*note.told(self._n_segments)]):
                told[note.about] = warnings
        if self._own:
            n_references = self._n_references
            if self._own.get(_PRINTED, 0) == n_references > 0 and self._own[_PRINTED_TOO] < self._n_segments:
                told["lists of references"] = [PRINTED_LISTS]
            if self._own.get(_WORDS, 0) == n_references > self._n_segments and self._n_split():
                told["references"] = [JOIN_REFERENCES]
        return [*chain.from_iterable(told.values())]


def _is_one_spelled(left: str, right: str) -> bool:
    """Return whether one of two texts with mostly the same characters has at least twice as many words."""
    sides = left.split(), right.split()
    letters = [Counter("".join(words)) for words in sides]
    few, many = sorted(map(len, sides))
    return 2 * few <= many and sum((letters[0] & letters[1]).values()) >= _LEAST_ALIKE * max(
        sum(side.values()) for side in letters
    )


def _n_common(left: str, right: str) -> int:
    """Return how many words two texts share."""
    return sum((Counter(left.split()) & Counter(right.split())).values())


def _n_lost(left: str, right: str) -> int:
    """Return how many words two texts do not share."""
    return len(left.split()) + len(right.split()) - 2 * _n_common(left, right)


def _unmarked(text: str) -> str:
    """Return a text with spaces for punctuation but apostrophes and hyphens, which may stand in words."""
    return _MARK.sub(lambda found: " " if unicodedata.category(found[0])[0] == "P" else found[0], text)


_WRITTEN: dict[str, Callable[[str], str]] = {"capitals": str.lower, "punctuation": _unmarked}


def _is_of_one_side(found: Sequence[Sequence[bool]]) -> bool:
    """Return whether nearly all texts of one side have something, and nearly none of the other."""
    few, many = sorted(sum(side) / len(side) for side in found)
    return few <= _LEAST_WRITTEN and many >= _MOST_WRITTEN


def _least(sign: Sign) -> float:
    return _LEAST_IN_TWO_FORMS if sign.is_form else _LEAST_CHANGED


def _have_more_words(given: Sequence[str], usual: Sequence[str]) -> bool:
    """Return whether two texts share words with apostrophes in their usual form only."""
    before, after = ([_with_apostrophe(text) for text in sides] for sides in (given, usual))
    return len(after[0] & after[1]) > len(before[0] & before[1])


def _with_apostrophe(text: str) -> set[str]:
    # In words of letters alone, which most are, the pattern would try every letter.
    return {found for word in text.split() if not word.isalpha() for found in _WITH_APOSTROPHE.findall(word)}


def _without_common_words(left: str, right: str) -> tuple[str, str]:
    """Return both texts without the words that they share, each as often as both have it."""
    words = Counter(left.split(" ")), Counter(right.split(" "))
    return " ".join((words[0] - words[1]).elements()), " ".join((words[1] - words[0]).elements())


def _first(head: Corpus | None, corpus: Corpus) -> Corpus:
    """Return the first segments of a call: of those so far, if any, and of its next part."""
    n_before = 0 if head is None else len(head)
    corpus = Corpus.slice(corpus, 0, min(_N_FIRST - n_before, len(corpus)))
    if head is None:
        return corpus
    offsets = np.r_[head.reference_offsets, head.reference_offsets[-1] + corpus.reference_offsets[1:]]
    sources = None if head.sources is None or corpus.sources is None else head.sources + corpus.sources
    return Corpus(head.hypotheses + corpus.hypotheses, head.references + corpus.references, offsets, sources=sources)


def _segments_of(offsets: Any) -> Any:
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def _are_odd(tokens: Any) -> bool:
    """Return whether a text has no token, or every text has a single one."""
    return bool(getattr(tokens, "n_empty", 0) or getattr(tokens, "are_single", False))


def notes_on_tokens(
    tokenizer: Tokenizer, normalizer: Normalizer | None = None, spoken: Sequence[str] = (), without: str = ""
) -> tuple[Note, ...]:
    """Return what most metrics of tokens look for; `spoken` is as in `TwoForms`, `without` as in `Misfit`."""
    forms = TwoForms(tokenizer, normalizer, spoken=spoken)
    return LostText(tokenizer), Misfit(tokenizer, normalizer, without=without), SingleTokens(), forms


class LostText(CountedNote):
    """Counts texts with characters but without tokens."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        """Start at zero."""
        self._tokenizer = tokenizer

    def examine(self, corpus: Corpus, tokens: Tokens) -> None:
        """Examine one chunk."""
        if not tokens.n_empty:
            return
        offsets, segments = (np.asarray(places, np.int64) for places in (tokens.offsets, tokens.segments))
        # Texts without tokens are few: only these are looked up.
        texts = np.flatnonzero(offsets[1:] == offsets[:-1])
        segment_of = np.searchsorted(segments, texts, side="right") - 1
        is_hypothesis = segments[segment_of] == texts
        hypotheses = corpus.hypotheses.take(segment_of[is_hypothesis])
        references = corpus.references.take((texts - segment_of - 1)[~is_hypothesis])
        n_lost = sum(int(np.count_nonzero(np.asarray(side.blank()) == 0)) for side in (hypotheses, references))
        self.count(printable(self.message()), n_lost)

    def message(self) -> str:
        """Return the warning, with forms for one and several in brackets, as `CountWarning` takes it."""
        tokenizer = self._tokenizer
        cause = (
            f"[text is|texts are] not empty but [has|have] no token under the tokenizer "
            f"{tokenizer.name!r} {'that is no stop word ' if tokenizer.stop_words else ''}and [scores|score] 0"
        )
        if tokenizer.is_part_of_score:
            return f"{cause}, since it drops punctuation."
        if tokenizer.name == "character":
            return f"{cause}."
        first = "" if tokenizer.name == "unicode" else "`tokenizer='unicode'` or "
        return f"{cause}; for text outside a-z and 0-9 use {first}`tokenizer='character'`."


class Misfit(Note):
    """Checks whether the tokenizer fits the script."""

    reads_latin = True

    def __init__(
        self, tokenizer: Tokenizer, normalizer: Normalizer | None = None, unsplit: str = "", without: str = ""
    ) -> None:
        """Set the warning if text without spaces is not split, by default to use another tokenizer.

        `without` says which options have to go with the tokenizer.
        """
        self._tokenizer, self._normalizer, self._unsplit, self._without = tokenizer, normalizer, unsplit, without

    def read(self, sample: Sample) -> None:
        """Examine a sample: tokenizers of ROUGE drop letters, others do not split some scripts."""
        name = self._tokenizer.name
        if self._tokenizer.drops_letters and sample.has_wide_words:
            warning = (
                f"the tokenizer {name!r} drops letters outside a-z, which splits or removes words: use "
                f"`tokenizer='unicode'`, or 'character' for text without spaces{self._without}."
            )
        elif not _is_unknown(self._tokenizer, self._normalizer) and sample.is_unsplit_by(self._tokens):
            cause = f"the tokenizer {name!r} does not split text without spaces, so its long tokens rarely match"
            # Another tokenizer would make another metric of those that are defined with one of these.
            mended = (
                PUT_SPACES
                if self._tokenizer.is_part_of_score
                else ("use `tokenizer='zh'` (Chinese), 'ja-mecab' (Japanese) or 'character' (Thai and others).")
            )
            warning = self._unsplit or f"{cause}: {mended}"
        else:
            return
        self.first = {warning: 1}

    def _tokens(self, text: str) -> list[str]:
        return self._tokenizer(self._normalizer(text) if self._normalizer else text)


class NotEnglish(Note):
    """Warns of text in another language than that of a metric's data, where no other warning is of its words."""

    reads_latin = True

    def __init__(self, title: str) -> None:
        """Set the name by which the warning calls the metric."""
        self._title = title

    def read(self, sample: Sample) -> None:
        """Examine a sample."""
        if sample.is_not_english():
            warning = (
                f"the text is not English, but the stems and synonyms of {self._title} are: in another language "
                "hardly more than equal words match, and scores are not comparable with those of English; `chrf` needs "
                "no such data."
            )
            self.first = {warning: 1}


# What `TwoForms` counts: the ways in which the first texts differ, beside those of `_WRITTEN`; chunks with spaces of
# which no other warning tells; and under the bits of a sign its segments.
_NORMAL_FORM, _WIDTH, _DOTTED, _CAPITALS, _UNSPACED, _OTHER_SPACES = (
    "normal form", "width", "dotted", "all capitals", "unspaced", "other spaces"
)  # fmt: skip
_WAYS = {
    _NORMAL_FORM: "Unicode normal form (a letter and its accent as one character, or as two)",
    _WIDTH: "width (full-width letters or digits, or ASCII)",
    _DOTTED: "the letter \u0130 (its lower case is an i and a dot)",
}
_ALL_SIGNS = {str(sign.bit): sign for sign in (*SIGNS, APOSTROPHES)}


class TwoForms(Note):
    """Checks whether the sides write the same letters as different characters, which never match."""

    about = "forms"

    def __init__(
        self, tokenizer: Tokenizer | None = None, normalizer: Normalizer | None = None,
        compared: Callable[[str], object] | None = None, is_whole: bool = False,
        spoken: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """Set what splits the text: a function of a user, or a model, may know that the letters are the same.

        `compared` returns a text in the form in which it is compared, by default its tokens, or itself; `is_whole`
        says that texts are equal or not, whatever they have in common; `spoken` is the advice where one side alone
        has capitals or punctuation, as of transcripts of speech; a second one is for text without spaces, where a
        metric compares characters.
        """
        self._spoken = spoken
        self._tokenizer, self._normalizer, self._given = tokenizer, normalizer, compared
        self._is_whole = is_whole

    @lazy
    def _is_idle(self) -> bool:
        return _is_unknown(self._tokenizer, self._normalizer)

    def _compared(self, text: str) -> object:
        if self._given is not None:
            return self._given(text)
        text = self._normalizer(text) if self._normalizer else text
        return self._tokenizer(text) if self._tokenizer else text

    def read(self, sample: Sample) -> None:
        """Examine a sample."""
        if self._is_idle:
            return
        differs = {
            _NORMAL_FORM: sample.differ_in_normal_form(),
            _WIDTH: sample.differ_in_width(),
            _DOTTED: any(self._takes_for_others(*words) for words in sample.dotted_capitals()),
        }
        self.first = _added(self.first, {way: 1 for way, is_other in differs.items() if is_other})

    def read_case(self, corpus: Corpus) -> None:
        """Compare the first segments, whose one side may have capitals alone, or no punctuation."""
        if self._is_idle:
            return
        is_large = corpus.hypotheses[0].isupper(), corpus.references[0].isupper()
        if is_large[0] is not is_large[1] and (corpus.offsets is None or len(corpus.references) == len(corpus)):
            self.first = dict.fromkeys([_CAPITALS] * self._differ_in_capitals(corpus), 1)
        if self._spoken:
            self.first = _added(self.first, dict.fromkeys(self._ways_of_writing(corpus), 1))

    def _differ_in_capitals(self, corpus: Corpus) -> bool:
        n_texts = min(_N_TEXTS, len(corpus))
        texts = [side.slice(0, n_texts).tolist() for side in (corpus.hypotheses, corpus.references)]
        sides = ["\n".join(side) for side in texts]
        large, small = sides if sides[0].isupper() else sides[::-1]
        n_large, n_small = (sum(map(str.isalpha, side)) for side in (large, small))
        if not large.isupper() or min(n_large, n_small) < _LEAST_LETTERS or 2 * sum(map(str.islower, small)) < n_small:
            return False
        given, usual = (self._compared(side) for side in sides), (self._compared(side.lower()) for side in sides)
        if self._is_whole:
            return any(
                one.lower() == other.lower() and self._compared(one) != self._compared(other)
                for one, other in zip(*texts, strict=True)
            )
        common = [sum((Counter(a) & Counter(b)).values()) for a, b in (given, usual)]  # type: ignore[call-overload]
        return common[1] > common[0]

    def _ways_of_writing(self, corpus: Corpus) -> list[str]:
        """Return what one side has and the other lacks, where more words match without it; and if it has no spaces."""
        length = _N_BYTES // len(corpus)
        sides = (
            [text[:length] for text in corpus.hypotheses.tolist()],
            [corpus.references[row][:length] for row in corpus.reference_offsets[:-1].tolist()],
        )
        mended = [[text.lower() for text in side] if _CAPITALS in self.first else side for side in sides]
        ways: list[str] = []
        for way, mend in _WRITTEN.items():
            usual = [[*map(mend, side)] for side in mended]
            changed = [[*map(operator.ne, *two)] for two in zip(mended, usual, strict=True)]
            if _is_of_one_side(changed) and self._are_compared(mended, usual):
                ways, mended = [*ways, way], usual
        if not ways:
            return []
        n_words = sum(len(text.split()) for text in sides[1])
        is_unspaced = sum(map(len, sides[1])) > _MOST_OF_WORD * n_words
        if is_unspaced and len(self._spoken) > 1:
            mended = [["".join(text.split()) for text in side] for side in mended]
        after, before = (sum(map(_n_common, *both)) for both in (mended, sides))
        return [*ways, *[_UNSPACED] * is_unspaced] if after - before >= _LEAST_GAINED else []

    def _are_compared(self, given: Sequence[Sequence[str]], usual: Sequence[Sequence[str]]) -> bool:
        """Return whether a text that was changed is also compared in another form."""
        both = zip(chain(*given), chain(*usual), strict=True)
        return any(self._compared(one) != self._compared(other) for one, other in both if one != other)

    def read_signs(self, corpus: Corpus) -> None:
        """Count the segments of one chunk whose signs change what their texts have in common."""
        if self._is_idle:
            return
        n_of_signs = [*map(operator.add, *(side.n_of_signs for side in corpus.contents))]
        for sign in _ALL_SIGNS.values():
            if n_of_signs[sign.bit.bit_length() - 1]:
                packed = [np.frombuffer(side.signs, np.int64) for side in corpus.contents]
                places = [side[side & sign.bit != 0] >> 16 for side in packed]
                if sign.bit == SPACE and not self._tells_of_spaces(corpus):
                    self.count(_OTHER_SPACES)
                # Sources that stand before the references are not looked at.
                references = places[1] if corpus.offsets is None else _segments_of(corpus.offsets)[places[1]]
                rows = np.union1d(places[0], references)
                # Most signs change nothing, which a few segments show.
                n_texts = _N_TEXTS
                if sign.is_form:
                    n_texts = max(2, min(_N_TEXTS, _N_BYTES * len(corpus) // corpus.n_bytes))
                some = rows[np.linspace(0, len(rows) - 1, min(n_texts, len(rows))).astype(int)]
                n_changed = sum(self._is_changed(corpus, int(row), sign) for row in some)
                if n_changed and len(some) < len(rows):
                    n_changed = sum(self._is_changed(corpus, int(row), sign) for row in rows)
                self.count(str(sign.bit), n_changed)

    def _tells_of_spaces(self, corpus: Corpus) -> bool:
        """Return whether all other spaces are those of which metrics warn that split at spaces alone."""
        is_at_spaces = self._tokenizer is not None and self._tokenizer.rule == "spaces"
        others = {one for side in corpus.contents for one in side.characters if one.isspace() and one > " "}
        return is_at_spaces and self._normalizer is None and others <= {"\xa0", "\u3000"}

    def _is_changed(self, corpus: Corpus, segment: int, sign: Sign) -> bool:
        """Return whether a segment would have another score without a sign."""
        first, last = (segment, segment + 1) if corpus.offsets is None else corpus.offsets[segment : segment + 2]
        left = corpus.hypotheses[segment]
        return any(self._is_other(left, corpus.references[row], sign) for row in range(int(first), int(last)))

    def _is_other(self, left: str, right: str, sign: Sign) -> bool:
        given, usual = (left, right), (sign.mend(left), sign.mend(right))
        if left == right or given == usual:
            return not self._is_whole and left == right and self._is_cut_anew(left, usual[0], sign)
        if sign.bit == BORDER and usual[0] != usual[1]:
            return False
        if sign.bit == ESCAPE and left != usual[0] and right != usual[1]:
            # Programs have them on both sides.
            return False
        if sign.bit == SPELLED and not _is_one_spelled(left, right):
            return False
        if sign.is_of_words and not self._is_whole:
            # Words that both sides have cancel out; and most signs change no token, which their words alone show.
            given = _without_common_words(left, right)
            usual = (sign.mend(given[0]), sign.mend(given[1]))
            marked = {*given[0].split(" "), *given[1].split(" ")}.difference(*(text.split(" ") for text in usual))
            if all(self._compared(word) == self._compared(sign.mend(word)) for word in marked):
                return False
        if sign is APOSTROPHES and not _have_more_words(given, usual):
            return False
        before, after = ([self._compared(text) for text in sides] for sides in (given, usual))
        if before[0] == before[1]:
            return False
        if self._is_whole:
            return after[0] == after[1]
        counts = [[Counter(side) for side in sides] for sides in (before, after)]  # type: ignore[call-overload]
        lost = [sum(((a - b) + (b - a)).values()) for a, b in counts]
        if sign.bit == ESCAPE:
            # Programs and formulas have backslashes, too: what they stand for is nearer to the other side only here.
            is_nearer = lost[1] < lost[0] and sum((counts[1][0] & counts[1][1]).values()) > sum(
                (counts[0][0] & counts[0][1]).values()
            )
            return is_nearer or _n_lost(*usual) < _n_lost(*given)
        if not sign.is_form:
            return counts[0] != counts[1]
        if left == usual[0] or right == usual[1]:
            return lost[1] < lost[0]
        # Without a sign that both sides write there is less to match, too.
        common = [sum((a & b).values()) for a, b in counts]
        return lost[1] < lost[0] and common[1] > common[0]

    def _is_cut_anew(self, text: str, usual: str, sign: Sign) -> bool:
        """Return whether a text that both sides have, with marks that are none of it, counts as other tokens."""
        return sign.bit == SUBWORD and self._compared(text) != self._compared(usual)

    def told(self, n_segments: int) -> Iterable[str | CountWarning]:
        """Return a warning of forms, and one for each sign that enough segments have."""
        found = self.found
        signs = {sign: found.get(bit, 0) for bit, sign in _ALL_SIGNS.items()}
        signs = {sign: n for sign, n in signs.items() if n > _least(sign) * n_segments}
        written = [way for way in _WRITTEN if way in found]
        ways, mended = [about for way, about in _WAYS.items() if way in found], "text"
        if _NORMAL_FORM in found or _WIDTH in found:
            mended = f'unicodedata.normalize("{"NFKC" if _WIDTH in found else "NFC"}", text)'
        if _DOTTED in found:
            mended += '.replace("\u0130", "i")'
        if APOSTROPHES in signs:
            ways.append("apostrophes (curly or straight)")
            mended += f""".translate(dict.fromkeys(map(ord, "{_CURLY}"), "'"))"""
        if _CAPITALS in found:
            ways.append("case (one side has capitals alone)")
            mended += "" if written else ".lower()"
        advice = [f"`{mended}` for every text of both sides"] if mended != "text" else []
        if written:
            ways += [f"{way} (one side has none)" for way in written]
            advice.append(self._spoken[-1 if _UNSPACED in found else 0])
        if ways:
            yield (
                f"predictions and references differ in {' and in '.join(ways)}, so that equal words do not match: "
                f"pass {', and '.join(advice)}."
            )
        for sign, n in signs.items():
            if sign.text and (sign.bit != SPACE or _OTHER_SPACES in found):
                yield CountWarning(n, sign.text)

    def _takes_for_others(self, left: str, right: str) -> bool:
        """Return whether words that differ in the dot of a capital do not match, though case does not matter."""
        is_lowered = self._compared("X") == self._compared("x")
        return is_lowered and self._compared(left) != self._compared(right)


def _are_tokens(corpus: Corpus) -> bool:
    """Return whether most of the first segments have several words of the prediction as references."""
    n_segments = min(_N_TEXTS, len(corpus))
    bounds = corpus.reference_offsets[: n_segments + 1].tolist()
    n_split = 0
    for segment, (first, last) in enumerate(zip(bounds[:-1], bounds[1:], strict=True)):
        words = [corpus.references[row].strip() for row in range(first, last)]
        n_shared = len({*words} & {*corpus.hypotheses[segment].split()})
        n_split += n_shared > 1 and n_shared >= _LEAST_SHARED * len({*words})
    return 2 * n_split > n_segments


class SingleTokens(EveryNote):
    """Checks whether the tokens of one text were passed as texts."""

    def examine(self, corpus: Corpus, tokens: Tokens) -> None:
        """Examine one chunk."""
        self.count(JOIN_TOKENS, len(corpus) if tokens.are_single else 0)


def _is_unknown(tokenizer: Tokenizer | None, normalizer: Normalizer | None) -> bool:
    """Return whether a function of a user, or a model, has a part in the tokens."""
    is_ours = tokenizer is None or tokenizer.function is None or isinstance(tokenizer.function, Tercom)
    return not is_ours or not (normalizer is None or normalizer.is_ours)
