"""Formats of lines: plain text, a segment a line; transcripts of sclite, "words (spk-utt)", and Kaldi, "utt words"."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ..checks import fail, in_number, warn_user
from ..input.columns import known_texts
from ..plain import Texts
from .lines import FileError, check_utf8, line_blocks, shown_name
from .marked_up import LETTER, refuse_marked_up
from .rows import KEY, Blocks, NamedColumn, Reading, Records, TextBlock, TextLists, texts_at, without_bad


def text_blocks(path: str, _: Sequence[NamedColumn], reading: Reading) -> Blocks:
    r"""Yield plain text, one segment per line: lines end at \n or \r\n and nowhere else."""

    def columns_of(rows: Records) -> list[TextLists]:
        data = b"\n".join(rows.values)
        check_utf8(data, rows.name, rows.numbers[0])
        return [_lines_in(data)]

    for number, data in line_blocks(path, reading.limits, reading.progress):
        try:
            data.decode()
        except UnicodeDecodeError:
            lines = data.removesuffix(b"\n").split(b"\n")
            rows = Records(shown_name(path), "line", range(number, number + len(lines)), lines)
            yield without_bad(rows, columns_of, 1, reading.bad)
        else:
            yield TextBlock([_lines_in(data)])


def _lines_in(data: bytes) -> TextLists:
    """Return the lines of checked UTF-8, one in every row."""
    data = (data.removesuffix(b"\n") + b"\n").replace(b"\r\n", b"\n")
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
    rows = np.arange(len(ends) + 1, dtype=np.int64)
    # Before each end there are the newlines of earlier lines, which are left out.
    offsets = np.concatenate(([0], ends - rows[:-1]))
    return TextLists(texts_at(offsets, data.replace(b"\n", b"")), rows)


# ---- transcripts, whose lines have ids

# The suffix of files with a line for every word.
TIMES = (".ctm",)
TIMES_TO_TEXT = "join the words of an utterance into one line, `utt words` for --format kaldi"
_OF_CTM = "a word with its times in every line, as in a .ctm"
# How many lines are looked at.
_N_LINES = 100
# How many characters of a line a message shows.
N_SHOWN = 100
_TRN = re.compile(r"(.*[^ \t]|)[ \t]*\(([^\s()]+)\)[ \t]*")
_KALDI = re.compile(r"[ \t]*(\S+)(?:[ \t]+(.*))?", re.DOTALL)
# A file, a channel, a beginning, a duration, a word, and how sure it is.
_CTM = re.compile(r"\S+[ \t]+\S+[ \t]+\d+(\.\d+)?[ \t]+\d+\.\d+[ \t]+\S+([ \t]+-?[\d.]+)?[ \t]*")
# The same in whole seconds, which every line of several has.
_CTM_OF_SEVERAL = re.compile(r"\S+[ \t]+[A-Z\d][ \t]+\d+(\.\d+)?[ \t]+\d+(\.\d+)?[ \t]+\S+([ \t]+-?[\d.]+)?[ \t]*")
ALTERNATIVES = re.compile(r"\{(?=[^{}]*\})[^{}]* / ")
# An id such as spk1-utt_002, in a text of any other kind; no decimal.
_ID = re.compile(r"(?=.*\d)(?!\d+\.\d+$)(?:\w+(?:[-.]\w+)+|\w[^\W_]*_\w+)")


def transcript_blocks(path: str, fields: Sequence[NamedColumn], reading: Reading, *, is_trn: bool) -> Blocks:
    """Yield blocks of transcripts: texts, and ids where a field of `KEY` asks for them.

    Blank lines are skipped, and so are those of sclite's comments, which begin with two semicolons.
    """
    name, pattern, form = shown_name(path), _TRN if is_trn else _KALDI, "words (id)" if is_trn else "id words"

    def columns_of(records: Records) -> list[TextLists]:
        data = b"\n".join(records.values)
        check_utf8(data, name, records.numbers[0])
        parts = []
        for number, line in zip(records.numbers, data.decode().split("\n"), strict=True):
            match = pattern.fullmatch(line.removesuffix("\r"))
            place = f"{name}, line {number}"
            if match is None:
                fail(FileError, place, f"a line as `{form}`", repr(line[:N_SHOWN]))
            if is_trn and ALTERNATIVES.search(line):
                fail(FileError, place, "words without alternatives `{ a / b }`", repr(line[:N_SHOWN]))
            parts.append(match.groups() if is_trn else (match[2] or "", match[1]))
        texts, ids = zip(*parts, strict=True)
        return [TextLists.of(known_texts([*(ids if field.role == KEY else texts)])) for field in fields]

    for number, data in line_blocks(path, reading.limits, reading.progress):
        lines = data.removesuffix(b"\n").split(b"\n")
        every = [
            (at, line) for at, line in enumerate(lines, number)
            if line.strip() and not (is_trn and line.startswith(b";;"))
        ]  # fmt: skip
        if number == 1:
            _refuse_times(name, [line.decode(errors="replace").strip() for _, line in every[:_N_LINES]], form)
        if every:
            for records in Records(name, "line", *zip(*every, strict=True)).in_blocks():
                yield without_bad(records, columns_of, len(fields), reading.bad)


def _refuse_times(name: str, lines: Sequence[str], form: str) -> None:
    if _are_ctm(lines):
        fail(FileError, name, f"lines as `{form}` ({TIMES_TO_TEXT})", _OF_CTM)


def _are_ctm(lines: Sequence[str]) -> bool:
    """Return whether every line has a word with its times."""
    are_several = len(lines) > 1 and all(map(_CTM_OF_SEVERAL.fullmatch, lines))
    return (are_several or all(map(_CTM.fullmatch, lines))) and any(map(LETTER.search, lines))


def warn_of_ids(name: str, texts: Texts) -> None:
    """Warn of plain text whose lines have ids, which are scored as words; refuse other forms, such as subtitles."""
    first = texts.slice(0, min(len(texts), _N_LINES)).tolist()
    refuse_marked_up(name, first)
    lines = [*filter(str.strip, first)]
    transcribed = [*map(_TRN.fullmatch, lines)]
    if _are_ctm(lines):
        fail(FileError, name, f"a text in every line ({TIMES_TO_TEXT})", _OF_CTM)
    if len(lines) > 1 and all(map(_N_BEST.fullmatch, lines)):
        warn_user(
            f"every line of {name} has a number and scores beside its words, as n-best lists of Moses do, which are "
            "scored as words; write the words of the best alone"
        )
    if None not in transcribed and _are_ids([match[2] for match in transcribed if match]):
        warn_user(f"every line of {name} ends with an id, which is scored as a word; give --format trn")
    elif len(lines) > 1 and _begin_with_ids(lines):
        warn_user(f"every line of {name} begins with an id, which is scored as a word; give --format kaldi")
    elif len(lines) > 1 and (n_tabs := lines[0].strip().count("\t")) and _are_rows(lines, n_tabs):
        warn_user(
            f"every line of {name} has {in_number(n_tabs, f'{n_tabs} [tab|tabs]')}, as rows of a table have, whose "
            "columns are all scored; give --format tsv if the first line names them, or write the texts alone"
        )


# What stands before the words in every line, and what tells how to write them; most may be in a text of its own right,
# so they are told where predictions and references have them.
# Seconds have two digits here, unlike those of subtitles: 3:5 may be a verse or a result.
_TIME = r"(?:\d+:)?\d?\d:\d\d(?:[.,]\d+)?"
_BEFORE_WORDS = {
    "a time": re.compile(
        rf"\[{_TIME}(?:[ \t]*-->[ \t]*{_TIME})?\]|\({_TIME}\)(?=\s)|{_TIME}(?:[ \t]*-->?[ \t]*{_TIME})?:?(?=\s)"
    ),
    "a speaker": re.compile(r"(\[)?(?:SPEAKER|SPK)[ _-]?\d+(?(1)\]|:)(?=\s|$)", re.IGNORECASE),
    "a number": re.compile(r"\d{1,18}(?=[.):] )"),
    "a bare number": re.compile(r"\d{1,18}(?=[ \t])"),
    "the name of a file": re.compile(
        # No fraction, date or speed.
        r"(?![\d.]{1,6}[^\W\d_]{0,4}/\w{1,4}(?:/\d{1,4})?[\s|,;:])"
        r"(?=[^\s|,;]*(?:\d|\.\w{2,4}[\s|,;:\"']))(?=[^\s|,;]*/[^\s|,;\"'])[^\s|,;]+(?=[\s|,;])"
        r"|[\"']?[^\s|,;]+\.(?:wav|flac|mp3|ogg|opus|m4a|mp4|webm|jpe?g|png)[\"']?(?=[\s|,;]|:\s)"
    ),
    "an id": re.compile(
        r"(?=[A-Za-z]*\d{2})(?=\d*[A-Za-z])[A-Za-z\d]{8,}(?= )"
        r"|(?!\d+-\d+:)[\"'\[]?(?=[A-Za-z_.-]*\d)(?=[\w.-]*[A-Za-z_-])[\w.-]+(?:[\"']?\||:(?=\s)|\](?=\s)|[\"']?,(?=[^\s\d]))"
    ),
}
_LABEL = re.compile(r"[^\W\d_][\w'-]*(?: [\w'-]+){0,2}:(?=\s)")
# An id that no space parts from the words.
_JOINED_ID = re.compile(r"\S*[|,]")
_LEAST_BARE = 3
_HAS_DIGIT = re.compile(r"\d")
# A hypothesis of Moses or Joshua: its sentence, its words, features and scores.
_N_BEST = re.compile(r"\d+[ \t]+\|\|\|[ \t].*[ \t]\|\|\|[ \t].*")


def before_words(lines: Sequence[str]) -> str | None:
    """Return what lines of plain text all have before their words, in words."""
    # That is told of each file.
    if _begin_with_ids(lines):
        return None
    for what, pattern in _BEFORE_WORDS.items():
        matches = [*map(pattern.match, lines)]
        if len(lines) < 2 or None in matches:
            continue
        found = [match[0] for match in matches if match]
        if "number" in what and [*map(int, found)] != [*range(int(found[0]), int(found[0]) + len(found))]:
            continue
        if what == "a bare number" and (len(found) < _LEAST_BARE or int(found[0]) > 1):
            continue
        if what in ("an id", "the name of a file") and len({*found}) < len(found):
            continue
        return what.replace("bare ", "")
    return None


def _are_labelled(lines: Sequence[str], of_references: Sequence[str]) -> bool:
    """Return whether all lines begin with labels, such as those of speakers, which are the same on both sides."""
    if len(lines) < 2 or not all(map(_LABEL.match, lines)):
        return False
    ours, theirs = ([match and match[0] for match in map(_LABEL.match, side)] for side in (lines, of_references))
    return ours == theirs


def _ids_at_ends(lines: Sequence[str]) -> list[str]:
    """Return the ids at the ends of lines; none unless each of several lines has one."""
    matches = [*map(_TRN.fullmatch, lines)]
    return [match[2] for match in matches if match] if len(lines) >= _LEAST_BARE and None not in matches else []


def warn_of_both(
    predictions: str, references: str, texts: Texts, of_references: Texts, *, are_sessions: bool = False
) -> None:
    """Warn of what stands before or behind the words in every line of both files, by their paths.

    Labels are those of speakers if a metric takes sessions of several.
    """

    def warn(text: str) -> None:
        warn_user(f"every line of {shown_name(predictions)} and {shown_name(references)} {text}")

    lines, others = [
        [*filter(None, map(str.lstrip, side.slice(0, min(len(side), _N_LINES)).tolist()))]
        for side in (texts, of_references)
    ]
    what, of_others = before_words(lines), before_words(others)
    if what != of_others:
        # No text of its own right has these, so one side suffices.
        for path, found, side in ((predictions, what, lines), (references, of_others, others)):
            if found == "a speaker" or (found == "a time" and all("-->" in line for line in side)):
                about = f"begins with {found}, which is scored as words; write the words alone"
                warn_user(f"every line of {shown_name(path)} {about}")
    if what is not None and what == of_others:
        is_apart = what == "an id" and not _JOINED_ID.match(lines[0])
        of_ids = ", or give --format kaldi" if is_apart else ""
        warn(f"begins with {what}, which is scored as words; write the words alone{of_ids}")
    elif _are_labelled(lines, others):
        label = lines[0].partition(":")[0] + ":"
        way_out = "write sessions of several speakers as STM or SegLST" if are_sessions else "write the words alone"
        warn(f"begins with the same label, such as {label!r}, which is scored as words; {way_out}")
    ends = _ids_at_ends(lines)
    are_bare = len(ends) == len({*ends}) > 0 and all(map(_HAS_DIGIT.search, ends))
    # Other ids are told of each file.
    if are_bare and {*ends} == {*_ids_at_ends(others)} and not _are_ids(ends):
        warn("ends with an id, which is scored as a word; give --format trn")


def _are_rows(lines: Sequence[str], n_tabs: int) -> bool:
    """Return whether lines have as many tabs each, of which none is at an end."""
    return all(line.strip().count("\t") == n_tabs for line in lines)


def _begin_with_ids(lines: Sequence[str]) -> bool:
    return all(map(_ID.match, map(str.lstrip, lines))) and _are_ids([line.split(None, 1)[0] for line in lines])


def _are_ids(ids: Sequence[str]) -> bool:
    return len(ids) == len({*ids}) > 0 and all(map(_ID.fullmatch, ids))
