"""Marked-up texts: subtitles (SRT, WebVTT), SGML and XML of WMT; and other forms that are no plain text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial

from ..checks import fail, listed, warn_user
from ..input.columns import known_texts
from .lines import FileError, check_utf8, line_blocks, shown_name
from .rows import Blocks, NamedColumn, Reading, TextBlock, TextLists

_TIME = r"(?:\d+:)?\d\d:\d\d[.,]\d{3}"
_CUE = re.compile(rf"{_TIME}[ \t]+-->[ \t]+{_TIME}(?:[ \t].*)?")
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
        fail(FileError, name, "a cue with its times" if form in ("srt", "vtt") else "a text in `<seg>`", "none")
    yield TextBlock([TextLists.of(known_texts(texts))])


def _unescaped(text: str, entities: Mapping[str, str]) -> str:
    """Return a text with its entities replaced, the ampersand last."""
    for entity, character in {"&lt;": "<", "&gt;": ">", **entities, "&amp;": "&"}.items():
        text = text.replace(entity, character)
    return text


def _cues(text: str, *_: object) -> Iterator[str]:
    """Yield the text of every cue: its lines, up to a blank one, joined by spaces."""
    lines = iter(text.replace("\r\n", "\n").split("\n"))
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
MARKED_UP = tuple(_READERS)

# ---- forms that no prose has, whatever the name of the file

_PROLOG = r"\s*(?:<\?xml\b[^>]*>\s*)?(?:<!DOCTYPE\b[^>]*>\s*)?"
# How a file begins.
_BEGINNINGS = {
    "subtitles in SRT": rf"\s*\d+[ \t]*\n{_TIME}[ \t]+-->[ \t]+{_TIME}",
    "subtitles in WebVTT": rf"WEBVTT(?:[ \t][^\n]*)?\n(?:[^\n]*\n)*?{_TIME}[ \t]+-->[ \t]+{_TIME}",
    "SGML of WMT": rf"{_PROLOG}(?:<mteval>\s*)?<(?:srcset|refset|tstset)\s",
    "XML of WMT": rf"{_PROLOG}<dataset\b[^>]*>\s*<(?:doc|collection)\b",
    "a translation memory (TMX)": rf"{_PROLOG}<tmx\s",
    "XLIFF": rf"{_PROLOG}<xliff\s",
    "XML": r"\s*<\?xml\s+version\s*=",
    "a TextGrid": r'File type = "ooTextFile(?: short)?"\s*\n',
}
_READ_BY = dict(zip(_BEGINNINGS, MARKED_UP, strict=False))
# What every line is, without those that are blank or a comment.
_EVERY_LINE = {
    "speakers with their times (RTTM)": r"(?:SPEAKER|SPKR-INFO)\s+\S+\s+\d+\s+[\d.]+\s+[\d.]+(?:\s+\S+){2,5}",
    "transcripts with their times (STM)": r"\S+[ \t]+[A-Z\d][ \t]+\S+[ \t]+\d+\.\d+[ \t]+\d+\.\d+(?:[ \t].*)?",
    "messages with their translations (PO)": r'(?:#.*|(?:msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?) ".*"|".*")',
}


def refuse_marked_up(name: str, lines: Sequence[str]) -> None:
    """Refuse the first lines of a text that are in a form which is not plain text; warn of JSON in every line."""
    whole = "\n".join(lines)
    every = [line.strip() for line in lines if line.strip() and not line.startswith(";;")]
    form = _form_of(whole, every)
    if form is not None and (form[:8] != "messages" or any(line.startswith("msgid ") for line in every)):
        way_out = f"--format {_READ_BY[form]} reads its texts" if form in _READ_BY else "write its texts alone"
        way_out += ", or give --format stm for sessions of several speakers" if "(STM)" in form else ""
        fail(FileError, name, f"plain text, a segment per line ({way_out}; --format text takes it as it is)", form)
    if len(every) > 1 and _are_objects(every):
        warn_user(f"every line of {name} is a JSON object, whose names are scored as words; give --format jsonl")


def _form_of(whole: str, lines: Sequence[str]) -> str | None:
    """Return the form of a text by its beginning, or by all of its lines; None for plain text."""
    beginnings, every_line = _compiled()
    for form, begins in beginnings.items():
        if begins.match(whole):
            return form
    for form, is_line in every_line.items() if lines else ():
        if all(map(is_line.fullmatch, lines)):
            return form
    return None


@cache
def _compiled() -> list[dict[str, re.Pattern[str]]]:
    # On first use: files with columns need none of them.
    return [{form: re.compile(of_form[form]) for form in of_form} for of_form in (_BEGINNINGS, _EVERY_LINE)]


def _are_objects(lines: Sequence[str]) -> bool:
    """Return whether all lines are objects of JSON with the same names: lines that differ may be answers in JSON."""
    if any([line[0] + line[-1] != "{}" for line in lines]):
        return False
    try:
        names = {frozenset(json.loads(line)) for line in lines}
    except (ValueError, RecursionError):
        return False
    return len(names) == 1 and names != {frozenset()}
