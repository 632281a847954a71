"""The calculation of a score: its steps with their numbers, for pages, terminals and programs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ..checks import printable
from ..metric.layout import Rows
from ..notebook import cells_of
from .marks import Mark, Piece

if TYPE_CHECKING:
    from ..metric.metric import Metric
    from .alignment import PlacedText

# Longer lists of examples are cut: a page of a long text stays short.
MOST_EXAMPLES = 12
# Columns of an alignment beside the names of its lines, which have five; and where lines of terminals go on that have
# no room behind their beginning.
_COLUMNS, _INDENT = 80, 5
# Words with the white space before them.
_PARTS = re.compile(r"\s*\S+")
# F is then 0 by definition, not by division.
NEITHER = "precision and recall are 0"


class Edit(NamedTuple):
    """A step from the prediction to the reference: a word of either side, none, or in a join several of one."""

    kind: Literal["keep", "shift", "substitute", "delete", "insert", "join"]
    before: str
    after: str


CellKind = Literal["equal", "changed", "extra", "missing"]


class ShownCell(NamedTuple):
    """A cell of a table in a text.

    Attributes
    ----------
    text : str
    colspan, rowspan : int
    kind : str
        Whether it is "equal" to its cell in the other text, "changed", or alone: "extra" or "missing".
    is_header : bool
    """

    text: str
    colspan: int = 1
    rowspan: int = 1
    kind: CellKind = "equal"
    is_header: bool = False


class ShownTable(NamedTuple):
    """A table in a text: the name of the text, and its rows of cells."""

    name: str
    rows: tuple[tuple[ShownCell, ...], ...]

    def lines(self) -> Iterator[str]:
        """Return a line for every row, with signs before cells that are not equal to one of the other text."""
        for number, row in enumerate(self.rows, 1):
            cells = " | ".join(f"{_SIGNS[cell.kind]}{cell.text}" for cell in row)
            yield f"{self.name if number == 1 else '':10}  {cells}".rstrip()


# What stands before cells in lines of text.
_SIGNS = {"equal": "", "changed": "~", "extra": "+", "missing": "-"}


def table_lines(tables: Sequence[ShownTable]) -> list[str]:
    r"""Return tables as lines, with what the signs before cells mean.

    Examples
    --------
    >>> cells = [ShownCell("a"), ShownCell("b", kind="missing")]
    >>> print("\n".join(table_lines([ShownTable("reference", (tuple(cells),))])))
    reference   a | -b
                -missing
    """
    kinds = {cell.kind for table in tables for row in table.rows for cell in row}
    legend = " ".join(f"{sign}{kind}" for kind, sign in _SIGNS.items() if sign and kind in kinds)
    lines = [line for table in tables for line in table.lines()]
    return [*lines, f"{'':10}  {legend}"] if legend else lines


class Step(NamedTuple):
    """A line of the calculation.

    Attributes
    ----------
    label : str
    cells : tuple of str
        Counts such as "5 of 6", one for every column.
    formula : str
        How `value` comes from the lines before, with their numbers; empty for counts.
    value : float or None
    examples : tuple of str, or None
        Parts of the texts that are counted; None where they are not listed.
    meaning : str
        The term in plain words; empty if the line before says it.
    unmatched : tuple of str
        The other parts of the same kind, which are not counted.
    n_examples : int or None
        How many parts are counted, if not all of them are in `examples`.
    is_score : bool
        Whether `value` is a score of a part of the texts, on the scale of the metric.
    """

    label: str
    cells: tuple[str, ...] = ()
    formula: str = ""
    value: float | None = None
    examples: tuple[str, ...] | None = None
    meaning: str = ""
    unmatched: tuple[str, ...] = ()
    n_examples: int | None = None
    is_score: bool = False

    @property
    def listed(self) -> str:
        """The first examples, "none" without any."""
        return " · ".join(self.shown) + self.more if self.examples else "none"

    @property
    def rest(self) -> Step:
        """The parts that are not counted, as a step."""
        return Step("unmatched", examples=self.unmatched)

    @property
    def shown(self) -> tuple[str, ...]:
        """The first examples."""
        return (self.examples or ())[:MOST_EXAMPLES]

    @property
    def more(self) -> str:
        """How many examples are left out, as the end of a list."""
        n = (len(self.examples or ()) if self.n_examples is None else self.n_examples) - MOST_EXAMPLES
        return f" and {n:,} more" if n > 0 else ""


def texts_as(meaning: str, sides: Iterable[tuple[str, Iterable[str]]]) -> list[Step]:
    """Return a line for each side with its texts, such as the prediction "as compared"."""
    return [Step(label, examples=tuple(map(printable, texts)), meaning=meaning) for label, texts in sides]


@dataclass(frozen=True)
class Derivation:
    """The calculation of a score: an element of what `textgauge.explain` returns.

    `print` shows it as text.

    Attributes
    ----------
    title : str
        The name of the score.
    steps : tuple of Step
        From the counts to the score, which is the `value` of the last one.
    heads : tuple of str
        The names of the cells of steps, if there are several.
    remarks : tuple of str
        Why the score is 0, and what another option would give.
    edits : tuple of Edit
        For metrics that count edits, what becomes of every word, or shifted run of words, of a single segment.
    alignment : tuple of Edit
        For error rates, every token of the reference of a single segment with that of the prediction.
    is_joined : bool
        Whether the tokens of `alignment` are characters, which no space separates.
    tables : tuple of ShownTable
        For metrics that compare tables, those of the prediction and of the scored reference of a single segment.
    texts : tuple of (name, pieces)
        The prediction and the references of a single segment, cut where marks begin and end.
    legend : tuple of Mark
        What the marks mean.
    segments : tuple of Derivation
        The calculation of every segment, where there are several.
    scale : float
        What multiplies the score.
    others : tuple of Derivation
        Those of the other scores, if they were asked for by the name of a metric without a score of that name.
    """

    title: str
    steps: tuple[Step, ...]
    heads: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    alignment: tuple[Edit, ...] = ()
    is_joined: bool = False
    tables: tuple[ShownTable, ...] = ()
    texts: tuple[tuple[str, tuple[Piece, ...]], ...] = ()
    legend: tuple[Mark, ...] = ()
    segments: tuple[Derivation, ...] = ()
    scale: float = 1.0
    others: tuple[Derivation, ...] = ()

    @property
    def score(self) -> float:
        """The score: what the metric returns, to the last bit."""
        return float(self.steps[-1].value or 0.0)

    @property
    def written(self) -> str:
        """The score as pages and tables show it."""
        return written(self.score, self.scale)

    def result_of(self, step: Step) -> str:
        """Format the value of a step: a score as tables do, another number with four decimals, or two from 10 on."""
        if step.is_score or step is self.steps[-1]:
            return written(float(step.value or 0.0), self.scale)
        return figure(step.value, is_counted=False)

    def __str__(self) -> str:
        """Return the calculation as lines of text; marked words are in brackets, which a legend explains."""
        return self.text()

    def text(self, columns: int | None = None) -> str:
        """Return what `str` returns, in lines for a terminal of so many columns."""
        lines = (
            line for derivation in (self, *self.others) for line in (*derivation._lines(columns or _COLUMNS), (0, ""))
        )
        wrapped = [line if columns is None else _wrapped(line, indent, columns) for indent, line in lines]
        return "\n".join(wrapped[:-1])

    def _lines(self, columns: int, *, explains_marks: bool = True) -> Iterator[tuple[int, str]]:
        """Yield lines, each with where it goes on if it is longer than a terminal; alignments never are."""
        for number, segment in enumerate(self.segments, 1):
            yield 0, f"segment {number}"
            for indent, line in segment._lines(columns - 2, explains_marks=False):
                yield indent + 2, f"  {line}".rstrip()
            yield 0, ""
        brackets = {(mark.level, mark.is_common): mark.brackets for mark in self.legend}
        names = [name for name, _ in self.texts]
        width = max(map(len, (*names, *(step.label for step in self.steps)))) + 2
        for name, pieces in self.texts:
            runs = groupby(pieces, lambda piece: brackets.get((piece.level, piece.is_common), ""))
            marked = _in_brackets([("".join(piece.text for piece in run), sides) for sides, run in runs])
            yield width, f"{name:{width}}{printable(marked) or '(empty)'}"
        if explains_marks:
            meanings = self._meanings()
            yield from ((width, f"{'word'.join(sides):{width}}{meanings[sides]}") for sides in sorted(meanings))
            yield from [(0, "")] * bool(meanings and not self.texts)
        if self.edits:
            yield width, f"{'edits':{width}}{printable(' '.join(map(_written_edit, self.edits)))}"
        for line in (*self.aligned_lines(columns - _INDENT), *table_lines(self.tables)):
            yield _INDENT, printable(line)
        if self.texts or self.alignment or self.tables:
            yield 0, ""
        rows = [[step.label, *step.cells] for step in self.steps]
        heads = [["", *self.heads]] if self.heads else []
        n = max(map(len, rows))
        widths = [max((len(row[i]) for row in heads + rows if i < len(row)), default=0) for i in range(n)]
        widths[0] = width - 2
        for row in heads:
            yield widths[0] + 2, "  ".join(map(str.ljust, row, widths)).rstrip()
        for step, row in zip(self.steps, rows, strict=True):
            padded = "  ".join(map(str.ljust, row + [""] * (n - len(row) if not step.formula else 0), widths))
            yield len(padded) + 2, f"{padded}  {printable(self._right(step))}".rstrip()
        yield from ((0, remark) for remark in self.remarks)

    def aligned_lines(self, width: int = 100) -> list[str]:
        """Return `alignment` as lines of so many characters, without the names before them; see `aligned_lines`."""
        return aligned_lines(self.alignment, is_joined=self.is_joined, width=width)

    def _meanings(self) -> dict[str, str]:
        """Return the meanings of the brackets that stand in the texts: of several, the weakest, which holds for all."""
        pieces = [piece for derivation in (self, *self.segments) for _, text in derivation.texts for piece in text]
        used = {(piece.level, piece.is_common) for piece in pieces}
        marks = [mark for mark in self.legend if mark.brackets and (mark.level, mark.is_common) in used]
        return {mark.brackets: mark.meaning for mark in reversed(marks)}

    def _right(self, step: Step) -> str:
        unmatched = f"  (unmatched: {step.rest.listed})" if step.unmatched else ""
        return self._result(step) + unmatched

    def _result(self, step: Step) -> str:
        examples = "" if step.examples is None else step.listed
        if not step.formula and step.value is None:
            return examples
        value = "" if step.value is None else f"= {self.result_of(step)}"
        return " ".join(filter(None, (step.formula, value))) + (f": {examples}" if step.examples else "")


def aligned_lines(edits: Sequence[Edit], *, is_joined: bool, width: int = 100) -> list[str]:
    """Return edits as three lines, or three for every `width` characters: reference, prediction, letters of edits.

    Parameters
    ----------
    edits : sequence of Edit
        One for each token of the reference or the prediction; of a join one for all.
    is_joined : bool
        Whether the tokens are characters, which no space separates.

    Examples
    --------
    >>> aligned_lines([Edit("keep", letter, letter) for letter in "abc"], is_joined=True, width=2)
    ['REF: ab', 'HYP: ab', '', 'REF: c', 'HYP: c', '']
    """
    lines: list[str] = []
    block, gap = ["", "", ""], "" if is_joined else " "
    for edit in edits:
        size = max(cells_of(edit.before), cells_of(edit.after), 1)
        if block[0] and cells_of(block[0]) + size > width:
            lines += _named(block)
            block = ["", "", ""]
        letter = "" if edit.kind == "keep" else edit.kind[0].upper()
        cells = (edit.before or "*" * size, edit.after or "*" * size, letter)
        block = [f"{line}{cell}{' ' * (size - cells_of(cell))}{gap}" for line, cell in zip(block, cells, strict=True)]
    return lines + (_named(block) if block[0] else [])


def _in_brackets(runs: Sequence[tuple[str, str]]) -> str:
    """Return runs of a text, each with its brackets if it has any; the space between two of them is in neither."""
    shown = ""
    are_marked = [False, *(bool(sides) for _, sides in runs), False]
    for i, (text, sides) in enumerate(runs):
        left = " " if sides and are_marked[i] and text[:1] == " " else ""
        right = " " if sides and are_marked[i + 2] and text[-1:] == " " and len(text) > 1 else ""
        inner = text[len(left) : len(text) - len(right)]
        shown += left + (inner.join(sides) if inner and sides else inner) + right
    return shown


def _wrapped(line: str, indent: int, columns: int) -> str:
    """Return a line in as many as it takes, the others with an indent."""
    if cells_of(line) <= columns:
        return line
    indent = indent if indent <= columns // 2 else _INDENT
    lines, room = [""], columns
    for part in _PARTS.findall(line):
        parts = [part] if cells_of(part) <= columns - indent else [*part]
        for one in parts:
            if cells_of(lines[-1] + one) > room:
                lines[-1], room = lines[-1].rstrip(), columns - indent
                lines.append("")
                one = one.lstrip()
            lines[-1] += one
    return f"\n{' ' * indent}".join(lines)


def _named(block: Sequence[str]) -> list[str]:
    return [f"{name:5}{line}".rstrip() for name, line in zip(("REF:", "HYP:", ""), block, strict=True)]


_EDITS = {
    "keep": "{0}",
    "shift": "[moved: {0}]",
    "substitute": "[{0} -> {1}]",
    "delete": "[- {0}]",
    "insert": "[+ {1}]",
    "join": "[{0} = {1}]",
}


def _written_edit(edit: Edit) -> str:
    return _EDITS[edit.kind].format(edit.before, edit.after)


def written(value: float, scale: float = 1.0) -> str:
    """Format a score, with four decimals before scaling.

    Examples
    --------
    >>> written(0.25), written(25, 100)
    ('0.2500', '25.00')
    """
    return f"{value:.{digits_of(scale)}f}"


def digits_of(scale: float) -> int:
    """Return the number of decimals of a score."""
    return 4 if scale == 1 else 2


def figure(value: Any, *, is_counted: bool = True) -> str:
    """Format a number of a calculation, with four decimals, or two from 10 on; a whole count without.

    Examples
    --------
    >>> [figure(value) for value in (0.0, 1.0, 0.84648, 42.857, 0.00002)]
    ['0', '1', '0.8465', '42.86', '2e-05']
    """
    number = float(value)
    if is_counted and number.is_integer() and abs(number) < 1e15:
        return f"{number:,.0f}"
    if 0 < abs(number) < 0.0001:
        return f"{number:.3g}"
    return f"{number:.4f}" if abs(number) < 10 else f"{number:,.2f}"


def amount(value: Any) -> str:
    """Format a count, or a mean of counts: "7", "8.5"."""
    number = float(value)
    return figure(number) if number.is_integer() else f"{number:,.6g}"


def part_of(part: Any, whole: Any) -> str:
    """Format counts: "5 of 6"."""
    return f"{figure(part)} of {figure(whole)}"


def f_formula(precision: float, recall: float, beta: float = 1.0, alpha: float | None = None) -> str:
    """Write F of numbers.

    Examples
    --------
    >>> f_formula(0.5, 1.0)
    '2 × 0.5000 × 1.0000 / (0.5000 + 1.0000)'
    """
    p, r = (figure(value, is_counted=False) for value in (precision, recall))
    if alpha is not None:
        return f"{p} × {r} / ({figure(1 - alpha)} × {p} + {figure(alpha)} × {r})"
    if beta == 1:
        return f"2 × {p} × {r} / ({p} + {r})"
    return f"(1 + {beta:g}²) × {p} × {r} / ({beta:g}² × {p} + {r})"


def steps_to_f(
    title: str,
    counts: Sequence[Any],
    parts: Sequence[Any],
    formula: str,
    scale: float = 1.0,
    unit: str = "token",
    root: float = 1.0,
    unmatched: tuple[tuple[str, ...], tuple[str, ...]] = ((), ()),
) -> tuple[list[Step], tuple[str, ...]]:
    """Return the steps of precision, recall and F, and the reason if F is 0.

    Parameters
    ----------
    counts : matches, the units of the prediction and of the reference; then the matches of recall, if they are others
    parts : precision, recall and F, before scaling
    formula : how F comes from the other two
    root : what roots of the shares are taken
    unmatched : the parts of the prediction, and of the reference, that do not match
    """
    precision, recall, f = map(float, parts)
    share = "{} of {}" if root == 1 else f"({{}} of {{}})^(1/{root:g})"
    steps = [
        Step(
            name, (), share.format(figure(matched), figure(whole)), value,
            meaning=f"of the {unit}s of the {side}", unmatched=rest,
        )
        for name, matched, whole, value, side, rest in (
            ("precision", counts[0], counts[1], precision, "prediction", unmatched[0]),
            ("recall", [*counts, counts[0]][3], counts[2], recall, "reference", unmatched[1]),
        )
    ]  # fmt: skip
    formula = formula if scale == 1 else f"{figure(scale)} × {formula}"
    formula = formula if precision or recall else NEITHER
    steps.append(Step(title, (), formula, f * scale, meaning="F, which balances precision and recall"))
    empty = [side for side, n in zip(("prediction", "reference"), counts[1:3], strict=True) if n == 0]
    # Only words have weights.
    why = f"the {empty[0]} has no {'word' if unit == 'weight' else unit}s" if empty else "nothing matches"
    return steps, (f"{title} is 0, since {why}.",) if f == 0 else ()


def from_fields(metric: Metric, key: str, rows: Rows) -> Derivation:
    """Return the fields of a row, then the score: for a metric that does not explain its calculation."""
    layout = rows.layout
    row = layout.plain(rows)
    row = row.get(key, {}) if layout.along else row
    title = metric.about.explain(key).title
    steps = [
        Step(field.name.replace("_", " "), (figure(row[field.name]),))
        for field in layout.fields
        if not isinstance(row.get(field.name, []), list)
    ]
    score = float(metric.formula(rows)[key]) * metric.scores.scale
    return Derivation(title, (*steps, Step(title, formula=metric.name, value=score)))


def matched_ngrams(text: PlacedText, others: Sequence[PlacedText], order: int) -> tuple[tuple[str, ...], ...]:
    """Return the n-grams of a text that match, each at most as often as another text has the n-gram, and the rest."""
    most: dict[Any, int] = {}
    for other in others:
        for ngram, count in Counter(_ngrams(other.ids.tolist(), order)).items():
            most[ngram] = max(most.get(ngram, 0), count)
    matched_and_rest: tuple[list[str], list[str]] = ([], [])
    words = [*map(str, text.tokens)]
    for start, ngram in enumerate(_ngrams(text.ids.tolist(), order)):
        left = most.get(ngram, 0)
        if left:
            most[ngram] = left - 1
        matched_and_rest[not left].append(" ".join(words[start : start + order]))
    return tuple(matched_and_rest[0]), tuple(matched_and_rest[1])


def _ngrams(ids: list[int], order: int) -> list[tuple[int, ...]]:
    return [tuple(ids[start : start + order]) for start in range(len(ids) - order + 1)]
