"""Sessions of several speakers as texts: a line for every utterance, in the order of time.

A line is "speaker TAB words", or "speaker TAB start TAB end TAB words" where times are known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..checks import fail, shown
from .columns import Corpus, ReferenceColumn, corpus_of
from .elements import check_text

# A row of SegLST; without times the order of the rows is that of time.
_ROW = ("session_id", "speaker", "words")
# The names of columns that mostly say who speaks, and in which session.
_USUAL_SPEAKERS = re.compile(r"(hyp_|ref_)?(speakers?|spk)(_?(id|label|name))?", re.IGNORECASE)
_USUAL_SESSIONS = re.compile(r"(sessions?|meetings?|recordings?|conversations?)(_?(id|name))?", re.IGNORECASE)
# A time in a transcript, as `float` reads it.
SECONDS = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
# Editors drop the last tab of an utterance without words.
_TIMED = re.compile(rf"([^\t]*)\t({SECONDS})\t({SECONDS})(?:\t(.*))?", re.DOTALL)
_ALLOWED = "a text with a line per utterance, a dict of texts by speaker, or rows with speaker and words (SegLST)"


def session_corpus_of(predictions: Iterable[Any], references: ReferenceColumn | Iterable[Any]) -> Corpus:
    r"""Check the sessions of a corpus, in any form, and return them as texts.

    Parameters
    ----------
    predictions, references : iterable
        For every session a text with a line for every utterance, "speaker TAB words"; a line without a tab is a speaker
        of its own. Or a dict of texts by speaker; or rows of SegLST, a list of dicts for each session or one list with
        `session_id` for all.

    Raises
    ------
    TypeError, ValueError
        If an element is no session, or a session is on one side alone; the message names its position.

    Examples
    --------
    >>> session_corpus_of([{"x": "hello", "y": "hi"}], ["A\thi\nB\thello"]).hypotheses.tolist()
    ['x\thello\ny\thi']
    """
    if _are_rows(predictions) or _are_rows(references):
        sides = {"predictions": predictions, "references": references}
        by_session = {name: _by_session(side, name) for name, side in sides.items()}
        (of_predictions, of_references) = by_session.values()
        for name, known, others in (
            ("predictions", of_predictions, of_references), ("references", of_references, of_predictions),
        ):  # fmt: skip
            if missing := [session for session in others if session not in known]:
                fail(ValueError, name, f"rows of the session {missing[0]!r}, as the other side has", "none")
        return corpus_of(list(of_predictions.values()), [of_references[session] for session in of_predictions])
    return corpus_of(
        _as_texts(predictions, "predictions", may_be_several=False),
        _as_texts(references, "references", may_be_several=True),
    )


class Utterance(NamedTuple):
    """What a speaker said, from `start` to `end` in seconds; None where times are not known."""

    speaker: str
    words: str
    start: float | None = None
    end: float | None = None


def session_text(utterances: Iterable[Utterance]) -> str:
    """Return utterances as the text of a session, in the order of their beginnings, or as they come without any."""
    lines = []
    for one in sorted(utterances, key=lambda one: one.start or 0.0):
        times = "" if one.start is None or one.end is None else f"{one.start!r}\t{one.end!r}\t"
        lines.append(f"{' '.join(one.speaker.split())}\t{times}{' '.join(one.words.split())}")
    return "\n".join(lines)


def utterances_in(text: str) -> list[Utterance]:
    r"""Return the utterances of the text of a session, line by line.

    Examples
    --------
    >>> [tuple(one) for one in utterances_in("A\tgood day\nhi\nA\t1.5\t2.0\tyes")]
    [('A', 'good day', None, None), ('line 2', 'hi', None, None), ('A', 'yes', 1.5, 2.0)]
    """
    utterances = []
    for number, line in enumerate(text.split("\n"), 1):
        if timed := _TIMED.fullmatch(line):
            speaker, start, end, words = timed.groups()
            utterances.append(Utterance(speaker.strip(), words or "", float(start), float(end)))
            continue
        speaker, tab, words = line.partition("\t")
        if tab:
            utterances.append(Utterance(speaker.strip(), words))
        elif line.strip():
            # No label of a user has such a name with another meaning: it would have a tab behind it.
            utterances.append(Utterance(f"line {number}", line))
    return utterances


def text_of_rows(rows: Iterable[Mapping[str, Any]], place: str) -> str:
    """Return rows of SegLST of one session as its text, in the order of their beginnings."""
    checked = []
    for i, row in enumerate(rows):
        at = f"{place}[{i}]"
        if not isinstance(row, Mapping) or "speaker" not in row or "words" not in row:
            fail(TypeError, at, "a row with speaker and words (SegLST)", shown(row))
        words = row["words"]
        if isinstance(words, (list, tuple)):
            words = " ".join(check_text(word, f"{at}['words']") for word in words)
        start, end = times_of(row.get("start_time"), row.get("end_time"), f"{at}['start_time']", f"{at}['end_time']")
        speaker = _label(row["speaker"], f"{at}['speaker']", "a speaker")
        checked.append(Utterance(speaker, check_text(words, f"{at}['words']"), start, end))
    return session_text(checked)


class OfUtterances(NamedTuple):
    """The columns beside the words in a table of utterances, of which those of a session make one text.

    Attributes
    ----------
    speakers, starts, ends : sequences of str
        For each column of words, or one for all; there may be no times.
    session : str or None
        None: all rows are one session.
    """

    speakers: Sequence[str]
    session: str | None = None
    starts: Sequence[str] = ()
    ends: Sequence[str] = ()

    def columns(self) -> dict[str, Sequence[str]]:
        """Return the columns by what they hold."""
        sessions = [] if self.session is None else [self.session]
        return {"speaker": self.speakers, "session": sessions, "start": self.starts, "end": self.ends}


class Utterances:
    """Utterances in the rows of tables, block by block, and the texts of their sessions.

    Parameters
    ----------
    n_sides : int
        The number of columns of words.
    """

    def __init__(self, n_sides: int) -> None:
        """Start without a row."""
        self._sides: list[dict[str, list[Utterance]]] = [{} for _ in range(n_sides)]

    def add(
        self, side: int, place: str, session: Any, speaker: Any, words: Any, start: Any = None, end: Any = None
    ) -> None:  # fmt: skip
        """Add what a row has for one side: without words, or with None for them, there is only the session.

        Parameters
        ----------
        side : int
        place : str
            That of the row in messages.
        session, speaker : label
        words : str, sequence of str, or None
        start, end : number or text of one, optional
        """
        session = _label(session, place, "a session")
        for utterances in self._sides:
            utterances.setdefault(session, [])
        if isinstance(words, (list, tuple)):
            words = " ".join(check_text(word, place) for word in words)
        words = words if words is None else check_text(words, place)
        if words is None or not words.strip():
            return
        times = times_of(start, end, f"{place}, start", f"{place}, end")
        self._sides[side][session].append(Utterance(_label(speaker, place, "a speaker"), words, *times))

    def add_rows(
        self, side: int, words: Sequence[Any], of: OfUtterances, values: Mapping[str, Sequence[Any]],
        place: str | Callable[[int], str],
    ) -> None:  # fmt: skip
        """Add what rows have for one side, beside the values of columns by name; `place` may depend on the row."""
        speakers, sessions, starts, ends = (
            values[names[min(side, len(names) - 1)]] if names else [None] * len(words)
            for names in of.columns().values()
        )
        rows = zip(sessions, speakers, words, starts, ends, strict=True)
        for row, (session, *said) in enumerate(rows):
            at = place if isinstance(place, str) else place(row)
            self.add(side, at, "all" if of.session is None else session, *said)

    def texts(self) -> list[dict[str, str]]:
        """Return, for every side, the texts of all sessions, in the order of their first rows."""
        return [{session: session_text(own) for session, own in of_side.items()} for of_side in self._sides]


def _label(value: Any, place: str, what: str) -> str:
    if not isinstance(value, (str, int, float)) or not str(value).strip() or value != value:
        fail(TypeError, place, f"{what}, a text or a number", shown(value))
    return str(value)


def times_of(start: Any, end: Any, at_start: str, at_end: str) -> tuple[float | None, float | None]:
    """Return the times of an utterance, which are numbers or the texts of these, None for None; named by places."""
    first, last = (None if time is None else _seconds(time, at) for time, at in ((start, at_start), (end, at_end)))
    if first is not None and last is not None and last < first:
        fail(ValueError, at_end, f"a time not before the start, {first:g}", f"{last:g}")
    return first, last


def _seconds(value: Any, place: str) -> float:
    try:
        time = float(value)
    except (TypeError, ValueError):
        time = float("nan")
    if not -float("inf") < time < float("inf"):
        fail(ValueError, place, "a number of seconds", shown(value))
    return time


def usual_session(names: Iterable[str]) -> str | None:
    """Return the name of a column that mostly says in which session a row is."""
    return next(filter(_USUAL_SESSIONS.fullmatch, names), None)


def usual_speaker(names: Iterable[str]) -> str | None:
    """Return the name of a column that mostly says who speaks."""
    return next(filter(_USUAL_SPEAKERS.fullmatch, names), None)


def _are_rows(side: Any) -> bool:
    first = side[0] if isinstance(side, (list, tuple)) and side else None
    return isinstance(first, Mapping) and all(name in first for name in _ROW)


def _by_session(side: Any, name: str) -> dict[str, str]:
    if not _are_rows(side):
        fail(TypeError, name, "rows with session_id, speaker and words (SegLST), as the other side", shown(side))
    return texts_by_session(side, name)


def texts_by_session(rows: Sequence[Any], place: str) -> dict[str, str]:
    """Return rows of SegLST as the texts of their sessions, in the order of their first rows."""
    sessions: dict[str, list[Any]] = {}
    for i, row in enumerate(rows):
        if not isinstance(row, Mapping) or any(name not in row for name in _ROW):
            fail(TypeError, f"{place}[{i}]", "a row with session_id, speaker and words (SegLST)", shown(row))
        sessions.setdefault(_label(row["session_id"], f"{place}[{i}]['session_id']", "a session"), []).append(row)
    return {session: text_of_rows(own, f"{place} of {session}") for session, own in sessions.items()}


def _as_texts(side: Any, name: str, *, may_be_several: bool) -> Any:
    """Return a column whose dicts and rows are texts; others are checked as columns of texts are."""
    if not isinstance(side, (list, tuple)):
        return side
    return [_as_text(one, f"{name}[{i}]", may_be_several=may_be_several) for i, one in enumerate(side)]


def _as_text(one: Any, place: str, *, may_be_several: bool) -> Any:
    if isinstance(one, Mapping):
        if "speaker" in one and "words" in one:
            fail(TypeError, place, "rows of SegLST in a list for each session, or with session_id", shown(one))
        return session_text(
            [Utterance(str(speaker), check_text(words, f"{place}[{speaker!r}]")) for speaker, words in one.items()]
        )
    if isinstance(one, (list, tuple)) and one and isinstance(one[0], Mapping):
        if "words" in one[0]:
            return text_of_rows(one, place)
        if not may_be_several:
            fail(TypeError, place, _ALLOWED, shown(one))
        return [_as_text(reference, f"{place}[{i}]", may_be_several=False) for i, reference in enumerate(one)]
    return one
