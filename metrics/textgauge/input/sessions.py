"""Sessions of several speakers as texts: a line for every utterance, "speaker TAB words", in the order of time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from ..checks import fail, shown
from .columns import Corpus, ReferenceColumn, corpus_of
from .elements import check_text

# A row of SegLST; without times the order of the rows is that of time.
_ROW = ("session_id", "speaker", "words")
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


def session_text(utterances: Iterable[tuple[str, str]]) -> str:
    """Return speakers with their words, in the order of time, as the text of a session."""
    return "\n".join(f"{' '.join(speaker.split())}\t{' '.join(words.split())}" for speaker, words in utterances)


def utterances_in(text: str) -> list[tuple[str, str]]:
    r"""Return the speakers of the text of a session with their words, line by line.

    Examples
    --------
    >>> utterances_in("A\tgood day\nhi\nA\tyes")
    [('A', 'good day'), ('line 2', 'hi'), ('A', 'yes')]
    """
    utterances = []
    for number, line in enumerate(text.split("\n"), 1):
        speaker, tab, words = line.partition("\t")
        if tab:
            utterances.append((speaker.strip(), words))
        elif line.strip():
            # No label of a user has such a name with another meaning: it would have a tab behind it.
            utterances.append((f"line {number}", line))
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
        begin = row.get("start_time", 0)
        try:
            time = float(begin)
        except (TypeError, ValueError):
            fail(ValueError, f"{at}['start_time']", "a number of seconds", shown(begin))
        checked.append((time, str(row["speaker"]), check_text(words, f"{at}['words']")))
    return session_text((speaker, words) for _, speaker, words in sorted(checked, key=itemgetter(0)))


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
        sessions.setdefault(str(row["session_id"]), []).append(row)
    return {session: text_of_rows(own, f"{place} of {session}") for session, own in sessions.items()}


def _as_texts(side: Any, name: str, *, may_be_several: bool) -> Any:
    """Return a column whose dicts and rows are texts; others are checked as columns of texts are."""
    if not isinstance(side, (list, tuple)):
        return side
    return [_as_text(one, f"{name}[{i}]", may_be_several=may_be_several) for i, one in enumerate(side)]


def _as_text(one: Any, place: str, *, may_be_several: bool) -> Any:
    if isinstance(one, Mapping):
        for speaker, words in one.items():
            check_text(words, f"{place}[{speaker!r}]")
        return session_text((str(speaker), words) for speaker, words in one.items())
    if isinstance(one, (list, tuple)) and one and isinstance(one[0], Mapping):
        if "words" in one[0]:
            return text_of_rows(one, place)
        if not may_be_several:
            fail(TypeError, place, _ALLOWED, shown(one))
        return [_as_text(reference, f"{place}[{i}]", may_be_several=False) for i, reference in enumerate(one)]
    return one
