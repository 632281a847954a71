"""Transcripts of several speakers, STM and SegLST: a text for every session, with a line for every utterance."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from ..checks import fail
from ..input.columns import known_texts
from ..input.sessions import SECONDS, Utterance, session_text, texts_by_session, times_of
from .lines import FileError, check_utf8, line_blocks, shown_name
from .plain_text import ALTERNATIVES, N_SHOWN
from .rows import KEY, Blocks, NamedColumn, Reading, Records, TextLists, without_bad

# A session, a channel, a speaker, a beginning, an end, labels and words.
_STM = re.compile(rf"(\S+)\s+\S+\s+(\S+)\s+({SECONDS})\s+({SECONDS})(?:\s+(.*))?", re.DOTALL)
# One such as <o,f0,male>; without a comma it is a word, such as <unk>, unless all utterances begin with one.
_LABEL = re.compile(r"<[^<>\s]*>(?:\s+|\Z)")
_IGNORED = "ignore_time_segment_in_scoring"


def session_blocks(path: str, fields: Sequence[NamedColumn], reading: Reading, *, form: str) -> Blocks:
    """Yield the sessions of a file as one block: texts, and their names where a field of `KEY` asks for them."""
    name, parts = shown_name(path), []
    for number, data in line_blocks(path, reading.limits, reading.progress):
        check_utf8(data, name, number)
        parts.append(data)
    text = b"".join(parts).decode()
    sessions = _of_stm(text, name) if form == "stm" else _of_seglst(text, name)

    def columns_of(records: Records) -> list[TextLists]:
        names, texts = zip(*records.values, strict=True)
        return [TextLists.of(known_texts([*(names if field.role == KEY else texts)])) for field in fields]

    if sessions:
        records = Records(name, "session", range(1, len(sessions) + 1), [*sessions.items()])
        yield without_bad(records, columns_of, len(fields), reading.bad)


def _of_stm(text: str, name: str) -> dict[str, str]:
    """Return the texts of sessions by their names; lines of comments begin with two semicolons."""
    found: list[tuple[str, Utterance]] = []
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        if not line.strip() or line.lstrip().startswith(";;"):
            continue
        place, match = f"{name}, line {number}", _STM.fullmatch(line.strip())
        if match is None:
            fail(FileError, place, "a line as `session channel speaker begin end words`", repr(line[:N_SHOWN]))
        session, speaker, begin, end, words = match.groups()
        words = words or ""
        if _LABEL.sub("", words).strip().lower() == _IGNORED:
            fail(FileError, place, "words; drop times that are not scored from both files", words)
        if ALTERNATIVES.search(words):
            fail(FileError, place, "words without alternatives `{ a / b }`", repr(line[:N_SHOWN]))
        found.append((session, Utterance(speaker, words, *_times(begin, end, place))))
    are_all = all(_LABEL.match(one.words) for _, one in found if one.words)
    sessions: dict[str, list[Utterance]] = {}
    for session, one in found:
        label = _LABEL.match(one.words)
        if label is not None and (are_all or "," in label[0]):
            one = one._replace(words=one.words[label.end() :])
        sessions.setdefault(session, []).append(one)
    return {session: session_text(utterances) for session, utterances in sessions.items()}


def _times(begin: str, end: str, place: str) -> tuple[float | None, float | None]:
    try:
        return times_of(begin, end, f"{place}, begin", f"{place}, end")
    except ValueError as error:
        raise FileError(str(error)) from None


def _of_seglst(text: str, name: str) -> dict[str, str]:
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as error:
        fail(FileError, name, "JSON, a list of rows with session_id, speaker and words", str(error))
    if not isinstance(rows, list):
        fail(FileError, name, "JSON, a list of rows with session_id, speaker and words", repr(rows)[:N_SHOWN])
    try:
        return texts_by_session(rows, name)
    except (TypeError, ValueError) as error:
        raise FileError(str(error)) from None
