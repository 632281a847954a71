"""Rows of files, whatever their format: blocks of texts in columns, and the rows that are bad."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import field as made_by
from itertools import pairwise
from typing import Any, NamedTuple, NoReturn

import numpy as np

from .. import engine
from ..arrays import IntArray, lengths_of, offsets_of
from ..checks import SHOWN, fail, in_number, listed, shown
from ..input.columns import known_texts, readable_parts
from ..plain import Texts
from .lines import FileError, Limits, Progress

# Rows at a time.
BLOCK_ROWS = 1 << 14
# Bad rows whose places are named.
N_SHOWN = 5
# The role of the column by which the rows of several files are joined.
KEY = "id"
# What others call the columns that have these names here by default.
NAMES_ELSEWHERE = {
    "prediction": (
        "predictions", "mt", "hyp", "hypothesis", "predict", "pred_text", "pred", "output", "generated_text",
        "candidate", "response", "completion", "generation", "model_output", "translation", "filtered_resps", "caption",
        # Results of batches: those of OpenAI, as vLLM writes them, too, of Anthropic and of Gemini; vLLM's own.
        "response.body.choices.0.message.content", "response.body.choices.0.text", "choices.0.message.content",
        "response.body.output.0.content.0.text", "result.message.content.0.text",
        "response.candidates.0.content.parts.0.text", "outputs.0.text",
    ),
    "reference": (
        "references", "ref", "label", "labels", "target", "gold", "text", "answer", "summary", "highlights",
        "ground_truth", "reference_answer", "gold_answer", "expected_output", "expected", "caption",
    ),
    "source": ("sources", "src", "input", "prompt"),
    # Of verdicts on two systems, as in tables of Chatbot Arena.
    "first": ("model_a", "model_1", "system_a", "system_1"),
    "second": ("model_b", "model_2", "system_b", "system_2"),
}  # fmt: skip
# A column of the data sets of translations, with a column for each language in it.
_TRANSLATION = re.compile(r"translation\.\w+")

_PATHS = {name for names in NAMES_ELSEWHERE.values() for name in names if "." in name}
# A column of rows that stand in a list, in one field of the only row of a file.
_IN_LIST = re.compile(r"([A-Za-z_]\w*)\.0\.(\w+)", re.ASCII)


class TextLists(NamedTuple):
    """Rows of a file: row i has ``texts[offsets[i]:offsets[i + 1]]``, one text unless the field holds lists."""

    texts: Texts
    offsets: IntArray

    @classmethod
    def of(cls, texts: Texts) -> TextLists:
        """Return a column with one text in every row."""
        return cls(texts, np.arange(len(texts) + 1, dtype=np.int64))

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.offsets) - 1

    def lists(self) -> list[list[str]]:
        """Return the texts of every row."""
        texts, ends = self.texts.tolist(), self.offsets.tolist()
        return [texts[start:stop] for start, stop in pairwise(ends)]

    def slice(self, start: int, stop: int) -> TextLists:
        """Return consecutive rows, without a copy."""
        first, last = self.offsets[[start, stop]].tolist()
        return TextLists(self.texts.slice(first, last), self.offsets[start : stop + 1] - first)

    def take(self, rows: IntArray) -> TextLists:
        """Return rows in another order."""
        lengths = lengths_of(self.offsets)[rows]
        offsets = offsets_of(lengths)
        places = np.arange(offsets[-1]) + np.repeat(self.offsets[rows] - offsets[:-1], lengths)
        return TextLists(self.texts.take(places), offsets)


class NamedColumn(NamedTuple):
    """A column to read.

    Attributes
    ----------
    name : str
    flag : str
        The flag that sets the name, for messages.
    role : str
        What it holds for those who read several files: "prediction", "reference", "source", ..., `KEY`.
    may_hold_lists, is_key, is_json : bool
        What its values may be beside texts: lists of texts; keys, which are any value of JSON as text; or any values,
        which are read as JSON.
    may_be_absent : bool
        Whether a row without it is good where bad rows are skipped; it has null there.
    is_optional : bool
        Whether a file without it is good. It is the last one.
    """

    name: str
    flag: str = ""
    role: str = ""
    may_hold_lists: bool = False
    is_key: bool = False
    is_json: bool = False
    may_be_absent: bool = False
    is_optional: bool = False


class Records(NamedTuple):
    """Values of a file, and where each of them is: "line 3", "row 3" or "object 3"."""

    name: str
    item: str
    numbers: Sequence[int]
    values: Any

    def slice(self, start: int, stop: int) -> Records:
        """Return consecutive rows."""
        return self._replace(numbers=self.numbers[start:stop], values=self.values[start:stop])

    def take(self, rows: IntArray) -> Records:
        """Return some rows; values are a list, or a batch of Arrow."""
        own = rows.tolist()
        values = self.values.take(rows) if hasattr(self.values, "take") else [self.values[row] for row in own]
        return self._replace(numbers=[self.numbers[row] for row in own], values=values)

    def in_blocks(self) -> Iterator[Records]:
        """Yield consecutive rows, at most `BLOCK_ROWS` at a time."""
        for start in range(0, len(self.numbers), BLOCK_ROWS):
            yield self.slice(start, start + BLOCK_ROWS)

    def place(self, row: int, field: NamedColumn | None = None) -> str:
        """Name a value in messages."""
        return f"{self.name}, {self.item} {self.numbers[row]}" + (f", field {field.name!r}" if field else "")


class TextBlock(NamedTuple):
    """Consecutive rows of a file: a column for every field, and which rows are bad: they have empty texts.

    Attributes
    ----------
    columns : sequence of TextLists
        Without that of an optional field that the file lacks.
    bad : sequence of int
    places : Records or None
        Where the rows are, without their values; None where nobody asks.
    """

    columns: Sequence[TextLists]
    bad: Sequence[int] = ()
    places: Records | None = None

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.columns[0].offsets) - 1

    def slice(self, start: int, stop: int) -> TextBlock:
        """Return consecutive rows, without a copy."""
        if (start, stop) == (0, self.n_rows):
            return self
        bad = [row - start for row in self.bad if start <= row < stop]
        places = None if self.places is None else self.places.slice(start, stop)
        return TextBlock([column.slice(start, stop) for column in self.columns], bad, places)


# Those of one file, in order.
Blocks = Iterator[TextBlock]


class BadRows:
    """The rows of all files that cannot be scored.

    Attributes
    ----------
    is_skipped : bool
        Whether the others are scored nevertheless.
    way_out : str
        How the others can be scored, for messages; empty: they cannot.
    n_rows : int
    skipped : list of int
        The segments that were left out since a row of theirs is bad, ascending, from 0.
    ids : list of str
        The ids of all segments, which are shown in the place of numbers, if the rows of files are in different order;
        else empty.
    """

    def __init__(self, *, is_skipped: bool = False, way_out: str = "") -> None:
        """Start without any."""
        self.is_skipped, self.way_out, self.n_rows = is_skipped, way_out, 0
        self.skipped: list[int] = []
        self.ids: list[str] = []
        self._first: FileError | None = None
        self._places: list[tuple[str, str]] = []
        # A row of a long table may be read for each of its systems.
        self._seen: set[tuple[str, int]] = set()

    def add(self, error: FileError, rows: Records) -> None:
        """Add a row, the only one of `rows`, unless it was added before."""
        if (row := (rows.name, rows.numbers[0])) in self._seen:
            return
        self._seen.add(row)
        self.n_rows += 1
        self._first = self._first or error
        if self.n_rows <= N_SHOWN:
            self._places.append((rows.name, f"{rows.item} {rows.numbers[0]}"))

    @property
    def first(self) -> str:
        """What is wrong with the first of them."""
        return "" if self._first is None else str(self._first)

    @property
    def n_skipped(self) -> int:
        """How many segments were left out."""
        return len(self.skipped)

    def numbers(self, n: int) -> Sequence[int]:
        """Return the numbers that the `n` segments that are left have among all, from 1."""
        every = range(1, n + self.n_skipped + 1)
        return np.delete(np.array(every), self.skipped).tolist() if self.skipped else every

    def ids_of_left(self) -> list[str]:
        """Return the ids of the segments that are left, empty where their numbers are those of all files."""
        left_out = {*self.skipped}
        return [text for i, text in enumerate(self.ids) if i not in left_out]

    def check(self, *, n_read: int = 0) -> None:
        """Raise if there are any and they are not skipped: the error of the first, and where others are.

        The way out is told of the only one if more rows than that were read.
        """
        if self._first is None or self.is_skipped:
            return
        way_out = f"; {self.way_out}" if self.way_out else ""
        if self.n_rows == 1:
            raise FileError(f"{self._first}{way_out}") if n_read > 1 else self._first
        raise FileError(f"{self._first} ({self.n_rows:,} bad rows, {self._which()}{way_out})")

    def notice(self) -> str:
        """Return what was skipped, in a sentence; empty: nothing."""
        if not self.n_skipped:
            return ""
        left_out = in_number(self.n_skipped, f"{self.n_skipped:,} [segment was|segments were] left out")
        return f"{left_out}: {in_number(self.n_rows, 'bad [row|rows]')}, {self._which()}"

    def _which(self) -> str:
        is_one_file = len({name for name, _ in self._places}) == 1 and not self.ids
        places = listed([item if is_one_file else f"{name}, {item}" for name, item in self._places])
        return places if self.n_rows <= N_SHOWN else f"the first {N_SHOWN} are {places}"


class OwnRows:
    """Chooses some rows of a file, before their values are decoded: those of `codes` that are one of `own`."""

    def __init__(self, codes: IntArray, own: Sequence[int]) -> None:
        """Start before the first row."""
        self._codes, self._own, self._at = codes, own, 0

    def of(self, rows: Records) -> Records:
        """Return the own ones of the rows that come next."""
        codes = self._codes[self._at : self._at + len(rows.numbers)]
        self._at += len(codes)
        own = np.flatnonzero(np.isin(codes, self._own))
        return rows if len(own) == len(rows.numbers) else rows.take(own)


@dataclass(frozen=True)
class Reading:
    """What is shared by the files that are read together: their bad rows, how far they are, the limits.

    Of one file it has the rows to choose, if these are not all.
    """

    bad: BadRows = made_by(default_factory=BadRows)
    progress: Progress = made_by(default_factory=Progress)
    limits: Limits = Limits()
    own_rows: OwnRows | None = None

    def own(self, rows: Records) -> Records:
        """Return those of the next rows of a file that are read."""
        return rows if self.own_rows is None else self.own_rows.of(rows)


def without_bad(
    rows: Records, columns_of: Callable[[Records], Sequence[TextLists]], n_columns: int, bad: BadRows
) -> TextBlock:
    """Return the columns of rows; rows that `columns_of` refuses are bad, and are found by halving."""
    numbers = rows.numbers
    if len(numbers) and numbers[-1] - numbers[0] == len(numbers) - 1:
        numbers = range(numbers[0], numbers[-1] + 1)
    places = rows._replace(numbers=numbers, values=())
    parts: list[Sequence[TextLists]] = []
    which = []

    def read(part: range) -> Sequence[TextLists]:
        return columns_of(rows.slice(part.start, part.stop))

    for part, columns in readable_parts(range(len(rows.numbers)), read, FileError):
        if isinstance(columns, FileError):
            bad.add(columns, rows.slice(part.start, part.stop))
            which.append(part.start)
            columns = [TextLists.of(known_texts([""]))] * n_columns
        parts.append(columns)
    if not parts:
        return TextBlock([TextLists.of(known_texts([]))] * n_columns)
    return TextBlock([joined(of_parts) for of_parts in zip(*parts, strict=True)], which, places)


def texts_at(offsets: IntArray, data: bytes) -> Texts:
    """View bytes of checked UTF-8 as a column, without a copy."""
    return engine.kernel.arrow_texts(offsets, np.frombuffer(data, np.uint8), data)


def joined(columns: Sequence[TextLists]) -> TextLists:
    """Concatenate the rows of columns."""
    if len(columns) < 2:
        return columns[0] if columns else TextLists.of(known_texts([]))
    n_texts = [lengths_of(column.offsets) for column in columns]
    return TextLists(joined_texts([column.texts for column in columns]), offsets_of(np.concatenate(n_texts)))


def joined_texts(parts: Sequence[Texts]) -> Texts:
    """Concatenate texts."""
    joins = [part.join() for part in parts]
    lengths = [lengths_of(np.asarray(offsets, np.int64)) for offsets, _ in joins]
    return texts_at(offsets_of(np.concatenate(lengths)), b"".join(bytes(data) for _, data in joins))


def same_texts(first: Texts, second: Texts) -> bool:
    """Return whether two columns have the same texts, without an object for each of them."""
    (own, data), (offsets, other) = first.join(), second.join()
    return np.array_equal(own, offsets) and bytes(data) == bytes(other)


def columns_like(pattern: str, existing: Iterable[str], single: Collection[str] = ()) -> dict[str, str]:
    """Return the columns that match a pattern with *, without those in `single`, by the text in place of *.

    Examples
    --------
    >>> columns_like("sys_*", ["id", "sys_a", "sys_b"])
    {'a': 'sys_a', 'b': 'sys_b'}
    """
    start, _, end = pattern.partition("*")
    return {
        name[len(start) : len(name) - len(end)]: name
        for name in existing
        if len(name) > len(start) + len(end) and name.startswith(start) and name.endswith(end) and name not in single
    }


def fields_in(place: str, wanted: Sequence[NamedColumn], existing: Sequence[str]) -> Sequence[NamedColumn]:
    """Return the fields that a file or row has; raise if a required field is missing, or a field is there twice."""
    present = [field for field in wanted if not field.is_optional or field.name in existing]
    for field in present:
        if field.name not in existing:
            hint = f"; {_hint(field, wanted, existing)}" if field.flag and existing else ""
            # Names of columns come from the file: they are bounded and, by repr, printable.
            has = f"only {', '.join(map(repr, existing))}" if existing else "and no other"
            raise FileError(f"{place}: there is no field {field.name!r}, {has[:400]}{hint}")
        if existing.count(field.name) > 1:
            fail(FileError, place, f"one field {field.name!r}", f"{existing.count(field.name)} of that name")
    return present


def _hint(field: NamedColumn, wanted: Sequence[NamedColumn], existing: Sequence[str]) -> str:
    """Return a hint for a missing column: the flag that names the column, and existing columns that it may be."""
    others = {column.name for column in wanted if column is not field}
    usual = [field.name, *NAMES_ELSEWHERE[field.role]] if field.name == field.role in NAMES_ELSEWHERE else []
    by_lower = {name.lower(): name for name in existing if name not in others}
    near = [by_lower[name] for name in usual if name in by_lower]
    near += [name for name in by_lower.values() if usual and _TRANSLATION.fullmatch(name)]
    # What has fields in it is no text; what has one named "0" is a list.
    inner = [name for name in existing if not name.endswith(".0")]
    near = [name for name in near if not any(other.startswith(f"{name}.") for other in inner)]
    if near:
        return f"did you mean {field.flag} {listed(near[:N_SHOWN], 'or')}?"
    for match in filter(None, map(_IN_LIST.fullmatch, existing)):
        if match[2] in usual and match[0] not in _PATHS:
            return f"{match[1]!r} is a list of rows, which jq -c '.{match[1]}[]' writes as JSON Lines"
    return f"choose one with {field.flag}"


def refuse_wrong(rows: Records, field: NamedColumn) -> NoReturn:
    """Raise for the first value that is not text, or not a list of texts where the field allows one."""
    allowed = "a text or a non-empty list of texts" if field.may_hold_lists else "a text"
    allowed = "an id, by which rows are joined (--by-position does without)" if field.role == KEY else allowed
    for row, value in enumerate(rows.values):
        texts = value if field.may_hold_lists and isinstance(value, list) else [value]
        if not texts or isinstance(engine.kernel.texts(texts), int):
            hint = ""
            if not field.may_hold_lists and isinstance(value, list) and all(isinstance(text, str) for text in value):
                is_tokens = not any(" " in text for text in value)
                hint = "join tokens with spaces, and give --tokenizer whitespace" if is_tokens else "join the texts"
                # Columns of Parquet have no elements by name.
                way = f", or read one of them as {field.name + '.0'!r}" if rows.item != "row" else ""
                hint = f" ({hint}{way})" if value else ""
            fail(FileError, rows.place(row, field), allowed + hint, as_json(value))
    fail(FileError, rows.place(0, field), allowed, "another type")


def as_json(value: Any) -> str:
    """Return a value for a message: as JSON if possible, in bounded length."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = shown(value).rpartition(" (")[0]
    return text if len(text) <= 2 * SHOWN else text[: 2 * SHOWN] + "..."
