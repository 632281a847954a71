"""Warnings that a reader of a score needs, once per call."""

from __future__ import annotations

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
# Segments, from all over the first chunk, in which capitals and punctuation of one side alone are looked for, of long
# ones in the beginning; the share of them that has any on that side at least, and on the other at most; and the words
# that must match without them.
_N_WRITTEN, _MOST_WRITTEN, _LEAST_WRITTEN, _LEAST_GAINED = 64, 0.8, 0.02, 2
# Characters of a word; Finnish has 9.
_MOST_OF_WORD = 10
_MARK = re.compile("[^\\w\\s'\u2019-]")
_CURLY = "\u2018\u2019\u02bb\u02bc\xb4`\uff07"
_WITH_APOSTROPHE = re.compile(f"[^\\W\\d_]+(?:[{_CURLY}'][^\\W\\d_]+)+")

JOIN_TOKENS = (
    "the first segments have a single token on both sides: if these are the tokens of one text, join them, "
    '" ".join(tokens), and pass a list with that one text.'
)
JOIN_REFERENCES = (
    "references are single words, and predictions have several of those of their segment: if they are the tokens of "
    'one text, join them, " ".join(tokens), and pass that one text.'
)
PRINTED_LISTS = (
    "references look like printed lists of texts, such as \"['a cat', 'the cat']\", each of which is scored as one "
    "text: pass lists of texts. CSV and data frames turn lists into text, `ast.literal_eval` turns it back, and "
    "`dataframe.convert-string` of Dask, if false, leaves lists as they are."
)
PUT_SPACES = 'pass texts with spaces between the words, such as " ".join(textgauge.tokenize(text, "zh")) of Chinese.'


class Note:
    """A check for something that deserves a warning, made while a metric counts.

    Attributes
    ----------
    about : str
        The subject: of several notes with one subject only the first warning is raised.
    warning : str or CountWarning
        The text of the warning, once the note found a reason; empty before.
    reads_latin : bool
        Whether text of Latin letters alone, whose characters have one form each, can have what `read` looks for.
    """

    about = "tokens"
    warning: str | CountWarning = ""
    reads_latin = False

    def read(self, sample: Sample) -> None:
        """Examine a sample that is not all ASCII."""

    def examine(self, corpus: Corpus, tokens: Tokens) -> None:
        """Examine one chunk; `tokens` is whatever the metric hands in, and `corpus.contents` what its texts contain."""

    def read_case(self, corpus: Corpus) -> None:
        """Examine the first chunk, of which the first texts differ in capitals, or in punctuation at the end."""

    def read_signs(self, corpus: Corpus) -> None:
        """Examine one chunk that has signs which are no part of a text, or have several forms."""

    def told(self) -> Iterable[str | CountWarning]:
        """Return the warnings of a call: by default the one that was set."""
        return (self.warning,) if self.warning else ()


class CountedNote(Note):
    """Counts something over the chunks of a call; the warning has the number."""

    count = 0

    def tell(self, n: int, text: str, at_least: int = 1) -> None:
        """Add to the number, and set the warning once it is large enough.

        `text` is that of the warning, with forms for one and several in brackets, as `CountWarning` takes it.
        """
        self.count += n
        if self.count >= at_least:
            self.warning = CountWarning(self.count, text)


class Notes:
    """The notes of a metric for one call, each of which warns at most once."""

    __slots__ = ("_notes", "_reads_latin", "_unusual")

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
        given = corpus
        if corpus.sources is not None:
            n_texts = len(getattr(tokens, "offsets", ())) - 1
            corpus = with_sources_first(corpus) if n_texts > len(corpus) + len(corpus.references) else corpus
        if self._unusual or self._notes:
            contents = given.contents
            if corpus.first == 0:
                left, right = given.hypotheses, given.references
                if len(left) and len(right):
                    # Lines of a file may have their ends.
                    one, other = left[0].strip(), right[0].strip()
                    # The first text of one side has capitals alone, or begins or ends as that of the other does not.
                    # Without a call: for every single pair.
                    if (
                        one.isupper() is not other.isupper()
                        or one[:1].islower() is not other[:1].islower()
                        or one[-1:].isalnum() is not other[-1:].isalnum()
                    ):
                        self._make()
                        for note in self._notes:
                            note.read_case(given)
                first = contents if corpus is given else corpus.contents
                if first is not NOTHING:
                    self._examine_first(corpus, given, *first)
            if contents is not NOTHING and (contents[0].signs or contents[1].signs):
                self._make()
                for note in self._notes:
                    note.read_signs(given)
        if self._unusual is not None and tokens is not None and _are_odd(tokens):
            self._make()
        for note in self._notes:
            note.examine(corpus, tokens)

    def _examine_first(self, corpus: Corpus, given: Corpus, predictions: Contents, references: Contents) -> None:
        """Make the checks that only the first chunk needs; `given` has no sources among its references."""
        is_latin = is_of_one_form(predictions.characters) and is_of_one_form(references.characters)
        is_ascii = is_latin and predictions.characters.isascii() and references.characters.isascii()
        if not is_latin or (self._reads_latin and not is_ascii):
            sample = Sample(corpus.hypotheses.beginnings(*BEGINNINGS), corpus.references.beginnings(*BEGINNINGS))
            if not sample.is_ascii:
                self._make()
                for note in self._notes:
                    if note.reads_latin or not is_latin:
                        note.read(sample)
        # Sources among the references may be counted as well.
        n_references = len(given.references)
        if references.n_brackets >= n_references > 0 and _are_printed_lists(given):
            self._notes = (*self._notes, PrintedLists())
        if references.n_words >= n_references > len(given) and _are_tokens(given):
            self._notes = (*self._notes, SplitReferences())

    def _make(self) -> None:
        if self._unusual:
            self._notes, self._unusual = (*self._unusual(), *self._notes), None

    def warn(self) -> None:
        """Warn once for each reason."""
        if not self._notes:
            return
        told = set()
        for note in self._notes:
            if note.about not in told and (warnings := [*note.told()]):
                told.add(note.about)
                for warning in warnings:
                    warn_user(warning)


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
        self.tell(n_lost, printable(self.message()))

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
            self.warning = (
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
            self.warning = self._unsplit or f"{cause}: {mended}"

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
            self.warning = (
                f"the text is not English, but the stems and synonyms of {self._title} are: in another language "
                "hardly more than equal words match, and scores are not comparable with those of English; `chrf` needs "
                "no such data."
            )


class TwoForms(Note):
    """Checks whether the sides write the same letters as different characters, which never match."""

    about = "forms"
    _ways: Sequence[str] = ()
    _mended = "text"
    _differs_in_case = False
    _written: Sequence[str] = ()
    _is_unspaced = False
    _counts: Mapping[Sign, int] = {}

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
        self._is_whole, self._n_segments = is_whole, 0

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
        ways: list[str] = []
        mended, form = "text", "NFC"
        if sample.differ_in_normal_form():
            ways.append("Unicode normal form (a letter and its accent as one character, or as two)")
        if sample.differ_in_width():
            ways.append("width (full-width letters or digits, or ASCII)")
            form = "NFKC"
        if ways:
            mended = f'unicodedata.normalize("{form}", text)'
        if any(self._takes_for_others(*words) for words in sample.dotted_capitals()):
            ways.append("the letter \u0130 (its lower case is an i and a dot)")
            mended += '.replace("\u0130", "i")'
        self._ways, self._mended = ways, mended

    def read_case(self, corpus: Corpus) -> None:
        """Compare the first segments, whose one side may have capitals alone, or no punctuation."""
        if self._is_idle:
            return
        is_large = corpus.hypotheses[0].isupper(), corpus.references[0].isupper()
        if is_large[0] is not is_large[1] and (corpus.offsets is None or len(corpus.references) == len(corpus)):
            self._read_capitals(corpus)
        if self._spoken:
            self._written = self._ways_of_writing(corpus)

    def _read_capitals(self, corpus: Corpus) -> None:
        n_texts = min(_N_TEXTS, len(corpus))
        texts = [side.slice(0, n_texts).tolist() for side in (corpus.hypotheses, corpus.references)]
        sides = ["\n".join(side) for side in texts]
        large, small = sides if sides[0].isupper() else sides[::-1]
        n_large, n_small = (sum(map(str.isalpha, side)) for side in (large, small))
        if not large.isupper() or min(n_large, n_small) < _LEAST_LETTERS or 2 * sum(map(str.islower, small)) < n_small:
            return
        given, usual = (self._compared(side) for side in sides), (self._compared(side.lower()) for side in sides)
        if self._is_whole:
            self._differs_in_case = any(
                one.lower() == other.lower() and self._compared(one) != self._compared(other)
                for one, other in zip(*texts, strict=True)
            )
            return
        common = [sum((Counter(a) & Counter(b)).values()) for a, b in (given, usual)]  # type: ignore[call-overload]
        self._differs_in_case = common[1] > common[0]

    def _ways_of_writing(self, corpus: Corpus) -> list[str]:
        """Return what one side has and the other lacks, capitals or punctuation, where more words match without it."""
        n = min(_N_WRITTEN, len(corpus))
        rows = [i * (len(corpus) - 1) // max(n - 1, 1) for i in range(n)]
        firsts = rows if corpus.offsets is None else [int(corpus.offsets[row]) for row in rows]
        length = _N_BYTES // n
        sides = (
            [corpus.hypotheses[row][:length] for row in rows],
            [corpus.references[row][:length] for row in firsts],
        )
        mended = [[text.lower() for text in side] if self._differs_in_case else side for side in sides]
        ways: list[str] = []
        for way, mend in _WRITTEN.items():
            usual = [[*map(mend, side)] for side in mended]
            changed = [[*map(operator.ne, *two)] for two in zip(mended, usual, strict=True)]
            if _is_of_one_side(changed) and self._are_compared(mended, usual):
                ways, mended = [*ways, f"{way} (one side has none)"], usual
        if not ways:
            return []
        n_words = sum(len(text.split()) for text in sides[1])
        self._is_unspaced = sum(map(len, sides[1])) > _MOST_OF_WORD * n_words
        if self._is_unspaced and len(self._spoken) > 1:
            mended = [["".join(text.split()) for text in side] for side in mended]
        after, before = (sum(map(_n_common, *both)) for both in (mended, sides))
        return ways if after - before >= _LEAST_GAINED else []

    def _are_compared(self, given: Sequence[Sequence[str]], usual: Sequence[Sequence[str]]) -> bool:
        """Return whether a text that was changed is also compared in another form."""
        both = zip(chain(*given), chain(*usual), strict=True)
        return any(self._compared(one) != self._compared(other) for one, other in both if one != other)

    def read_signs(self, corpus: Corpus) -> None:
        """Count the segments of one chunk whose signs change what their texts have in common."""
        if self._is_idle:
            return
        n_of_signs = [*map(operator.add, *(side.n_of_signs for side in corpus.contents))]
        for sign in (*SIGNS, APOSTROPHES):
            if n_of_signs[sign.bit.bit_length() - 1] >= max(1, _least(sign) * len(corpus)):
                packed = [np.frombuffer(side.signs, np.int64) for side in corpus.contents]
                places = [side[side & sign.bit != 0] >> 16 for side in packed]
                if sign.bit == SPACE and self._tells_of_spaces(corpus):
                    continue
                # Sources that stand before the references are not looked at.
                references = places[1] if corpus.offsets is None else _segments_of(corpus.offsets)[places[1]]
                rows = np.union1d(places[0], references)
                # Most signs change nothing, which a few segments show.
                n_texts = _N_TEXTS
                if sign.is_form:
                    n_texts = max(2, min(_N_TEXTS, _N_BYTES * len(corpus) // corpus.n_bytes))
                some = rows[np.linspace(0, len(rows) - 1, min(n_texts, len(rows))).astype(int)]
                n_some = sum(self._is_changed(corpus, int(row), sign) for row in some)
                if n_some * len(rows) > _least(sign) * len(some) * len(corpus):
                    is_all = len(some) == len(rows)
                    n_of_sign = n_some if is_all else sum(self._is_changed(corpus, int(row), sign) for row in rows)
                    self._counts = {**self._counts, sign: self._counts.get(sign, 0) + n_of_sign}

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

    def examine(self, corpus: Corpus, tokens: Tokens) -> None:  # noqa: ARG002
        """Count the segments of all chunks, also those without signs."""
        self._n_segments = corpus.first + len(corpus)

    def told(self) -> Iterable[str | CountWarning]:
        """Return a warning of forms, and one for each sign that enough segments have."""
        ways, mended = self._ways, self._mended
        if self._counts and self._counts.get(APOSTROPHES, 0) > _least(APOSTROPHES) * self._n_segments:
            ways = [*ways, "apostrophes (curly or straight)"]
            mended += f""".translate(dict.fromkeys(map(ord, "{_CURLY}"), "'"))"""
        if self._differs_in_case:
            ways = [*ways, "case (one side has capitals alone)"]
        if self._differs_in_case and not self._written:
            mended += ".lower()"
        advice = [f"`{mended}` for every text of both sides"] if mended != "text" else []
        if self._written:
            ways, advice = [*ways, *self._written], [*advice, self._spoken[-1 if self._is_unspaced else 0]]
        if ways:
            yield (
                f"predictions and references differ in {' and in '.join(ways)}, so that equal words do not match: "
                f"pass {', and '.join(advice)}."
            )
        for sign, count in self._counts.items():
            if sign.text and count > _least(sign) * self._n_segments:
                yield CountWarning(count, sign.text)

    def _takes_for_others(self, left: str, right: str) -> bool:
        """Return whether words that differ in the dot of a capital do not match, though case does not matter."""
        is_lowered = self._compared("X") == self._compared("x")
        return is_lowered and self._compared(left) != self._compared(right)


class PrintedLists(Note):
    """Warns that lists of references were turned into text."""

    about, warning = "lists of references", PRINTED_LISTS


def _are_printed_lists(corpus: Corpus) -> bool:
    """Return whether all references are printed lists, and predictions are not."""
    references = map(_PRINTED_LIST.fullmatch, corpus.references.tolist())
    return all(references) and not all(map(_PRINTED_LIST.fullmatch, corpus.hypotheses.tolist()))


class SplitReferences(Note):
    """Warns that references are the tokens of one text."""

    about, warning = "references", JOIN_REFERENCES


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


class SingleTokens(Note):
    """Checks whether the tokens of one text were passed as texts."""

    _n_segments = 0

    def examine(self, corpus: Corpus, tokens: Tokens) -> None:
        """Examine one chunk."""
        if corpus.first and not self._n_segments:
            return
        self._n_segments = self._n_segments + len(corpus) if tokens.are_single else 0
        self.warning = JOIN_TOKENS if self._n_segments > 1 else ""


def _is_unknown(tokenizer: Tokenizer | None, normalizer: Normalizer | None) -> bool:
    """Return whether a function of a user, or a model, has a part in the tokens."""
    is_ours = tokenizer is None or tokenizer.function is None or isinstance(tokenizer.function, Tercom)
    return not is_ours or not (normalizer is None or normalizer.is_ours)
