"""Marked-up texts: subtitles (SRT, WebVTT), SGML and XML of WMT; and other forms that are no plain text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial

from ..checks import fail, in_number, listed, warn_user
from ..input.columns import known_texts
from .lines import FileError, check_utf8, line_blocks, shown_name
from .rows import NAMES_ELSEWHERE, Blocks, NamedColumn, Reading, TextBlock, TextLists

# Programs leave out hours, zeros and fractions.
_TIME = r"(?:\d+:)?\d?\d:\d?\d(?:[.,]\d{1,3})?"
_TIMES = rf"{_TIME}[ \t]*-->[ \t]*{_TIME}"
_CUE = re.compile(rf"{_TIMES}(?:[ \t].*)?")
# Tags within a cue, those of its voices and times, and the places that players read in braces.
_IN_CUE = re.compile(r"</?(?:[biucv]|font|ruby|rt|lang)(?:[ .][^<>]*)?>|<[\d:.]+>|\{\\[^{}]*\}", re.IGNORECASE)
_TAG = re.compile(r"<(/?)(seg|src|ref|hyp|doc)\b([^<>]*)>", re.IGNORECASE)
_NAMED = re.compile(r"\b(?:sysid|translator|system)\s*=\s*[\"']?([^\"'\s]+)", re.IGNORECASE)
_ENTITIES = {"&quot;": '"', "&apos;": "'"}
_ENTITIES_IN_CUE = {"&nbsp;": "\u00a0", "&lrm;": "\u200e", "&rlm;": "\u200f"}
# The element of WMT's XML that holds the texts of a role.
_ELEMENTS = {"prediction": "hyp", "reference": "ref", "source": "src"}


def marked_up_blocks(path: str, fields: Sequence[NamedColumn], reading: Reading, *, form: str) -> Blocks:
    """Yield the texts alone: a segment for every cue of subtitles, and for every `seg` of WMT's files."""
    name, parts = shown_name(path), []
    for number, data in line_blocks(path, reading.limits, reading.progress):
        check_utf8(data, name, number)
        parts.append(data)
    text = b"".join(parts).decode()
    texts = [*_READERS[form](text, name, fields)]
    if text and not texts:
        fail(FileError, name, "a cue with its times" if form in SUBTITLES else "a text in `<seg>`", "none")
    yield TextBlock([TextLists.of(known_texts(texts))])


def _unescaped(text: str, entities: Mapping[str, str]) -> str:
    """Return a text with its entities replaced, the ampersand last."""
    for entity, character in {"&lt;": "<", "&gt;": ">", **entities, "&amp;": "&"}.items():
        text = text.replace(entity, character)
    return text


def _cues(text: str, *_: object) -> Iterator[str]:
    """Yield the text of every cue: its lines, up to a blank one, joined by spaces."""
    lines = iter(_with_newlines(text).split("\n"))
    for line in lines:
        if _CUE.fullmatch(line.strip()):
            shown = " ".join(iter(lambda: next(lines, "").strip(), ""))
            yield " ".join(_unescaped(_IN_CUE.sub("", shown), _ENTITIES | _ENTITIES_IN_CUE).split())


def _segments(text: str, name: str, fields: Sequence[NamedColumn], *, has_roles: bool) -> Iterator[str]:
    """Yield the text of every `seg`, in WMT's XML of those in the element for the role of the column."""
    wanted = _ELEMENTS.get(fields[0].role) if has_roles and fields else None
    inside, start, authors = None, None, set[str]()
    for tag in _TAG.finditer(text):
        element, is_end = tag[2].lower(), bool(tag[1])
        if element == "seg":
            if is_end and start is not None:
                yield " ".join(_unescaped(text[start : tag.start()], _ENTITIES).split())
            start = None if is_end or (has_roles and wanted not in (None, inside)) else tag.end()
            continue
        inside = None if is_end else element
        if not is_end and element == (wanted if has_roles else "doc"):
            authors.update(_NAMED.findall(tag[3]))
            if len(authors) > 1:
                fail(FileError, name, "texts of one system or translator", listed([*map(repr, sorted(authors))]))


_READERS: Mapping[str, Callable[..., Iterator[str]]] = {
    "srt": _cues, "vtt": _cues,
    "sgm": partial(_segments, has_roles=False), "wmt": partial(_segments, has_roles=True),
}  # fmt: skip
SUBTITLES = ("srt", "vtt")
MARKED_UP = tuple(_READERS)

# ---- forms that no prose has, whatever the name of the file

_PROLOG = r"\s*(?:<\?xml\b[^>]*>\s*)?(?:<!DOCTYPE\b[^>]*>\s*)?"
# How a file begins.
_BEGINNINGS = {
    "subtitles in SRT": rf"\s*(?:\d+[ \t]*\n)?{_TIMES}[ \t]*(?:\n|\Z)",
    "subtitles in WebVTT": rf"WEBVTT(?:[ \t][^\n]*)?\n(?:[^\n]*\n)*?{_TIMES}",
    "SGML of WMT": (
        rf"(?i:{_PROLOG}(?:<mteval>\s*)?<(?:srcset|refset|tstset)\s"
        r"|\s*(?:<doc\b[^>]*>\s*(?:<(?:p|hl|poster)\b[^>]*>\s*)*<seg\b|<seg\s+id\s*=))"
    ),
    "XML of WMT": rf"{_PROLOG}<dataset\b[^>]*>\s*<(?:doc|collection)\b",
    "subtitles (SBV)": r"\s*\d+:\d\d:\d\d\.\d{3},\d+:\d\d:\d\d\.\d{3}[ \t]*\n",
    "subtitles (SubStation Alpha)": r"\s*\[Script Info\][ \t]*\n",
    "subtitles (SAMI)": r"(?i:\s*<sami\b[^>]*>)",
    "subtitles (TTML)": rf"{_PROLOG}<(?:tt:)?tt\s[^>]*xmlns",
    "a translation memory (TMX)": rf"{_PROLOG}<tmx\s",
    "XLIFF": rf"{_PROLOG}<xliff\s",
    "XML": r"\s*<\?xml\s+version\s*=",
    # Tables of HTML have a line each where they are segments.
    "HTML": r"(?i:\s*(?:<!doctype\s+html\b[^>]*>|<html\b[^<>]*>(?:<(?:head|body)\b[^<>]*>)?)[ \t]*\n)",
    "talks with their tags (IWSLT)": r"\s*<url>[^\n]*</url>[ \t]*\n\s*<",
    "a TextGrid": r'File type = "ooTextFile|"Praat chronological TextGrid text file"',
    "a transcript of CHAT": r"@(?:UTF8|Begin)[ \t]*\n",
    "LaTeX": r"\s*\\documentclass\b",
    "RTF": r"\{\\rtf\d",
    "a table of Markdown": r"\s*\|[^\n]*\|[ \t]*\n[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*(?:\n|\Z)",
}
# The first of these are the forms that are read, in their order.
_READ_BY = dict(zip(_BEGINNINGS, MARKED_UP, strict=False))
_STM, _PO = "transcripts with their times (STM)", "messages with their translations (PO)"
# What every line is, without those that are blank or a comment.
_EVERY_LINE = {
    "speakers with their times (RTTM)": (
        r"(?:SPEAKER|SPKR-INFO|LEXEME|NON-LEX|NON-SPEECH|SEGMENT|NOSCORE|A/P|FILLER|EDIT|IP|CB|SU)\s+\S+\s+\d+"
        r"\s+(?:[\d.]+|<NA>)\s+(?:[\d.]+|<NA>)(?:\s+\S+){2,5}"
    ),
    _STM: r"\S+[ \t]+[A-Z\d][ \t]+\S+[ \t]+\d+\.\d+[ \t]+\d+\.\d+(?:[ \t].*)?",
    _PO: r'(?:#.*|(?:msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?) ".*"|".*")',
}
# What every line of several is: a single one may be a text.
_SECONDS = r"\d+(?:\.\d+)?"
_EVERY_LINE_OF_SEVERAL = {
    _STM: rf"\S+[ \t]+[A-Z\d][ \t]+\S+[ \t]+{_SECONDS}[ \t]+{_SECONDS}(?:[ \t].*)?",
    "parts of recordings (UEM)": rf"\S+\s+[A-Z\d]\s+{_SECONDS}\s+{_SECONDS}",
    "subtitles (MicroDVD)": r"\{\d+\}\{\d+\}.*",
    "lyrics with their times (LRC)": (
        r"\[(?:(?:ti|ar|al|au|by|la|re|ve|length|offset|tool):[^\]]*|\d\d:\d\d\.\d\d)\](?:\S.*)?"
    ),
}
LETTER = re.compile(r"[^\W\d_]")
_OPENING = re.compile(r"<([A-Za-z][\w:.-]*)(?:\s[^<>]*)?(?<!/)>")
# What columns are called that hold texts and ids.
_NAMES = {"id", *NAMES_ELSEWHERE}.union(*NAMES_ELSEWHERE.values())
_COLUMN = re.compile(r'"?[\w.-]{1,30}"?')


def refuse_marked_up(name: str, lines: Sequence[str]) -> None:
    """Refuse the first lines of a text that are in a form which is not plain text; warn of JSON, and of CSV."""
    whole = _with_newlines("\n".join(lines))
    every = [line.strip() for line in whole.split("\n") if line.strip() and not line.startswith(";;")]
    form = _form_of(whole, every)
    if form is not None and (form != _PO or any(line.startswith("msgid ") for line in every)):
        way_out = f"--format {_READ_BY[form]} reads its texts" if form in _READ_BY else "write its texts alone"
        way_out += ", or each page or table as a value of JSON Lines" if form == "HTML" else ""
        way_out += ", or give --format stm for sessions of several speakers" if form == _STM else ""
        fail(FileError, name, f"plain text, a segment per line ({way_out}; --format text takes it as it is)", form)
    begins_as_json = bool(every) and every[0][0] in "[{"
    if begins_as_json and len(every) > 1 and _are_objects(every):
        warn_user(f"every line of {name} is a JSON object, whose names are scored as words; give --format jsonl")
    elif begins_as_json and _is_json(every):
        warn_user(f"{name} is JSON, whose names and signs are scored as words; give --format jsonl, which reads it")
    elif _are_of_table(every):
        about = "begins with the names of columns, as CSV does, and all of it is scored as words; give --format csv"
        warn_user(f"{name} {about}")
    if len(lines) == 1 and (n_returns := lines[0].strip().count("\r")):
        returns = in_number(n_returns, f"{n_returns} carriage [return|returns]")
        warn_user(f"{name} is one segment with {returns} in it: lines end at newlines; write it with them")


def _with_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _form_of(whole: str, lines: Sequence[str]) -> str | None:
    """Return the form of a text by its beginning, or by all of its lines; None for plain text."""
    beginnings, every_line, every_line_of_several = _compiled()
    for form, begins in beginnings.items():
        if begins.match(whole):
            return form
    if not any(map(LETTER.search, lines)):
        # Rows of numbers, some of which could be times.
        return None
    patterns = (every_line if lines else {}) | (every_line_of_several if len(lines) > 1 else {})
    for form, is_line in patterns.items():
        if all(map(is_line.fullmatch, lines)):
            return form
    return "XML" if len(lines) > 2 and _are_elements(lines) else None


@cache
def _compiled() -> list[dict[str, re.Pattern[str]]]:
    # On first use: files with columns need none of them.
    return [
        {form: re.compile(of_form[form]) for form in of_form}
        for of_form in (_BEGINNINGS, _EVERY_LINE, _EVERY_LINE_OF_SEVERAL)
    ]


def _are_elements(lines: Sequence[str]) -> bool:
    """Return whether lines, three or more, are the elements within one that the first line begins."""
    opening = _OPENING.fullmatch(lines[0])
    if opening is None:
        return False
    is_open = f"</{opening[1]}>" not in lines[1:-1] and opening[0] not in lines[1:]
    return is_open and all(line[0] == "<" and line[-1] == ">" for line in lines)


def _are_objects(lines: Sequence[str]) -> bool:
    """Return whether all lines are objects of JSON with the same names: lines that differ may be answers in JSON.

    They may differ in some names if they have others in common, and one of those is the name of a column.
    """
    if any([line[0] + line[-1] != "{}" for line in lines]):
        return False
    try:
        names = {frozenset(json.loads(line)) for line in lines}
    except (ValueError, RecursionError):
        return False
    return names != {frozenset()} and (len(names) == 1 or _are_columns(frozenset.intersection(*names)))


def _are_columns(names: Collection[str]) -> bool:
    """Return whether these are names of several columns, one of which is usual."""
    return len(names) > 1 and not _NAMES.isdisjoint(map(str.lower, names))


def _is_json(lines: Sequence[str]) -> bool:
    """Return whether lines are those of one JSON value over several lines, or one line of it that has rows.

    The first begins with a bracket.
    """
    if len(lines) > 1:
        return len(lines[0]) == 1 and lines[1][0] in '"{['
    try:
        value = json.loads(lines[0])
    except (ValueError, RecursionError):
        return False
    value = value[0] if isinstance(value, list) and value else value
    return isinstance(value, dict) and _are_columns(value)


def _are_of_table(lines: Sequence[str]) -> bool:
    """Return whether the first line has the names of columns, and every other one as many values."""
    for delimiter in ",;":
        names = lines[0].split(delimiter) if len(lines) > 1 else []
        if all(map(_COLUMN.fullmatch, names)) and _are_columns([name.strip('"') for name in names]):
            # Within quotation marks a value may have newlines.
            n_least = 0 if '"' in lines[1] else len(names) - 1
            return all(line.count(delimiter) >= n_least for line in lines)
    return False
