"""TEDS: similarity of tables as trees of rows and cells."""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..arrays import IntArray, lengths_of, offsets_of
from ..checks import fail, has_elements, shown
from ..explanation.alignment import best_pairs_of
from ..explanation.derivation import CellKind, Derivation, ShownCell, ShownTable, Step, figure, table_lines
from ..explanation.explainer import Explainer
from ..input.columns import Corpus
from ..metric import About, CountedNote, Explanation, Field, Layout, Metric, Notes, Rows, Score, Scores
from ..options import Options, option
from ..text.tables import CELLS, Table, TableNode, check_lxml, table_of

# Pairs of elements of two tables: beyond these a pair would fill a gibibyte.
MOST_PAIRS = 1 << 27
_TAG = re.compile(r"[a-z][a-z0-9]*")


@dataclass(frozen=True)
class TedsOptions(Options):
    """The first table of each text counts, as HTML: what stands around it does not, and broken tags are mended.

    The score is 1 less the edits that make one table the other, per element of the larger one. An element that is
    missing, too many or of another kind is an edit, and so is a cell with other spans; a cell with another text is the
    share of its characters that are wrong. A prediction without a table scores 0. Of several references the best
    counts, and the score is the mean over segments.

    Headers (`th`) may be compared in three ways:

    - "text": by their tag and their text;
    - "cells": as other cells, by their spans as well, and tags within them;
    - "tags": by their tag alone, as PubTabNet's script does, for which any header is as good as another.

    The time of a pair grows with the product of the numbers of their elements, as does the memory: tables of 2,000
    cells take a second. Pairs of more than 134,217,728 (2**27) elements of both score 0, with a warning.

    References: Zhong et al. (2020), Image-based Table Recognition: Data, Model, and Evaluation, section 5; the figures
    are those of its script.
    """

    structure_only: bool = option(False, "Leave out what cells say (TEDS-Struct).", on_page=True)
    headers: Literal["text", "cells", "tags"] = option("text", "How `th` is compared: see above.", on_page=True)
    inner_tags: bool = option(
        True, "Count tags within cells as elements of the table, as the script does: a way to cheat a reward."
    )
    ignored_tags: Any = option(
        None, "Tags that are dropped, while what stands between them stays, such as b.", kind="names", none_means="none"
    )

    def check(self) -> None:
        """Refuse what is no tag."""
        if self.ignored_tags is not None and not has_elements(self.ignored_tags):
            fail(TypeError, "ignored_tags", "the name of a tag or a list of names", shown(self.ignored_tags))
        for i, tag in enumerate(self.tags):
            if not isinstance(tag, str) or not _TAG.fullmatch(tag):
                fail(ValueError, f"ignored_tags[{i}]", "the name of a tag in lower case, such as 'b'", shown(tag))

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags that are dropped."""
        tags = self.ignored_tags
        return () if tags is None else (tags,) if isinstance(tags, str) else tuple(tags)


class TedsMetric(Metric):
    """TEDS (Zhong et al. 2020).

    `statistics` has the fields ``edits``, the distance of two tables, and ``elements``, of the larger one: float64.

    Examples
    --------
    >>> table = "<table><tr><td>cat</td><td>2</td></tr></table>"
    >>> Teds().update([table.replace("cat", "cut")], [table]).score()
    {'teds': 0.8888888888888888}
    """

    name = "teds"
    options_type = TedsOptions
    about = About("TEDS", lambda _: _EXPLANATION, unit="element", sample="tables")
    # Of two elements that stand side by side and of two within each other, more may be edits than there are elements.
    scores = Scores(Score("teds", least=-1.0))
    combine = "mean"
    layout = Layout([Field("edits", is_whole=False), Field("elements")])
    options: TedsOptions

    def check_ready(self) -> None:
        """Raise if lxml is missing."""
        check_lxml()

    def notes(self) -> Notes:
        """Return what looks for texts without a table."""
        return Notes(
            _Counted(0, "[prediction has|predictions have] no table as HTML, and [scores|score] 0."),
            _Counted(1, "[reference has|references have] no table as HTML: every prediction scores 0 with [it|them]."),
            _Counted(2, "[pair of tables is|pairs of tables are] too large, and [scores|score] 0."),
        )

    def table(self, text: str) -> Table | None:
        """Return the table of a text."""
        structure_only, headers = self.options.structure_only, self.options.headers
        return table_of(text, structure_only=structure_only, headers=headers, ignored=self.options.tags)

    def n_elements(self, table: Table) -> int:
        """Return the number of elements below a table."""
        return table.n_elements if self.options.inner_tags else len(table.nodes) - 1

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Compare the tables of a chunk."""
        check_lxml()
        forest, sides = _Forest(), (corpus.hypotheses.tolist(), corpus.references.tolist())
        read = {text: self.table(text) for text in dict.fromkeys(chain(*sides))}
        places = {text: forest.add(table) for text, table in read.items()}
        repeats = np.repeat(np.arange(len(corpus)), lengths_of(corpus.reference_offsets)).tolist()
        pairs = [(sides[0][i], reference) for i, reference in zip(repeats, sides[1], strict=True)]
        distances = forest.distances([(places[one], places[other]) for one, other in pairs], corpus.n_threads)
        values = np.zeros((len(pairs), 2))
        n_large = 0
        for i, pair in enumerate(pairs):
            left, right = map(read.__getitem__, pair)
            n_elements = max(1 if table is None else self.n_elements(table) for table in (left, right))
            is_compared = left is not None and right is not None and (distances[i] >= 0 or pair[0] == pair[1])
            n_large += left is not None and right is not None and not is_compared
            values[i] = max(distances[i], 0.0) if is_compared else n_elements, n_elements
        lacking = [sum(read[text] is None for text in texts) for texts in sides]
        notes.examine(corpus, (*lacking, n_large))
        return Rows(self.layout, values)

    def settings(self) -> dict[str, Any]:
        """Return every option, one tag as a list of one."""
        return {**super().settings(), "ignored_tags": self.options.tags}

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return the similarity; that of two tables without elements is 1."""
        edits, elements = rows["edits"] * 1.0, rows["elements"] * 1.0
        shares = np.divide(edits, elements, out=np.zeros(np.shape(edits)), where=elements > 0)
        return {"teds": (1 - shares)[()]}


class _Forest:
    """Tables as the kernel takes them."""

    def __init__(self) -> None:
        self._labels: list[int] = []
        self._left: list[int] = []
        self._contents: list[int] = []
        self._sizes: list[int] = []
        self._tokens: list[int] = []
        self._lengths: list[int] = []
        self._numbers: list[dict[Hashable, int]] = [{}, {}, {}]

    def add(self, table: Table | None) -> int:
        """Return the place of a table; one without elements stands for none."""
        of_label, of_content, of_token = self._numbers
        nodes = table.nodes if table else []
        for node in nodes:
            self._labels.append(of_label.setdefault((node.tag, node.colspan, node.rowspan), len(of_label)))
            self._left.append(node.first)
            content = of_content.setdefault(node.tokens, len(of_content))
            if content == len(self._lengths):
                self._lengths.append(len(node.tokens))
                self._tokens += [of_token.setdefault(token, len(of_token)) for token in node.tokens]
            self._contents.append(content)
        self._sizes.append(len(nodes))
        return len(self._sizes) - 1

    def _arrays(self) -> dict[str, Any]:
        lists = {"labels": self._labels, "left": self._left, "contents": self._contents, "tokens": self._tokens}
        numbers = {name: np.array(values, np.uint32) for name, values in lists.items()}
        return {**numbers, "offsets": offsets_of(self._sizes), "content_offsets": offsets_of(self._lengths)}

    def distances(self, pairs: list[tuple[int, int]], n_threads: int) -> list[float]:
        """Return the distances of pairs of places; -1 where they are too large."""
        chosen = np.array(pairs, np.int64).reshape(-1)
        found = engine.kernel.tree_distances(**self._arrays(), pairs=chosen, most_pairs=MOST_PAIRS, n_threads=n_threads)
        return np.asarray(found).tolist()

    def mapping(self) -> dict[int, int]:
        """Return the elements of the second table for those of the first that stand for each other."""
        found = np.asarray(engine.kernel.tree_mapping(**self._arrays(), most_pairs=MOST_PAIRS)).reshape(-1, 2)
        return dict(zip(found[:, 0].tolist(), found[:, 1].tolist(), strict=True))


class _Counted(CountedNote):
    def __init__(self, which: int, text: str) -> None:
        self.about, self._which, self._text = f"tables {which}", which, text

    def examine(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        self.tell(tokens[self._which], self._text)


_EXPLANATION: Explanation = Explanation(
    "TEDS",
    "How few rows, cells and characters must change to make the table the reference?",
    (
        "Both tables are trees: a table has rows, rows have cells, cells have spans and a text.",
        "An element that is missing or too many, or has another tag or span, is an edit; a cell with another text is "
        "the share of its characters that are wrong.",
        "The score is 1 less the edits per element of the larger table, with the best reference.",
        "The score on top is the mean over segments.",
    ),
    "Tables of the same shape are alike by their rows and cells, whatever these say.",
)
Teds = accumulator_of(TedsMetric)
teds = one_call(
    Teds,
    """
>>> teds(["<table><tr><td>1</td></tr></table>"], ["<table><tr><td>1</td><td>2</td></tr></table>"])
{'teds': 0.6666666666666667}""".strip(),
)


class TedsExplainer(Explainer, metric=TedsMetric):
    """Explains the scores of `TedsMetric`."""

    metric: TedsMetric

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show both tables, the edits and the elements."""
        if segment is None:
            return super().derivation(key, rows, segment)
        title, score = self.metric.about.title, float(np.asarray(self.metric.formula(rows)[key]).reshape(-1)[0])
        edits, elements = float(rows["edits"].sum()), int(rows["elements"].sum())
        one, other = self.metric.table(segment.hypotheses[0]), self._scored(segment)
        if one is None or other is None:
            side = "prediction" if one is None else "reference"
            return Derivation(title, (Step(title, formula=f"no table in the {side}", value=score),))
        tables, counts = self._compared(one, other)
        steps = [
            Step("cells", (f"{counts[kind]} {kind}",), meaning=meaning)
            for kind, meaning in _KINDS.items() if counts[kind]
        ]  # fmt: skip
        steps.append(Step("edits", (figure(edits, is_counted=False),), meaning="of rows, cells and shares of cells"))
        steps.append(Step("elements", (figure(elements),), meaning="of the larger table"))
        formula = f"1 - {figure(edits, is_counted=False)} / {elements}" if elements else "1"
        return Derivation(title, (*steps, Step(title, formula=formula, value=score)), tables=tables)

    def sizes(self, corpus: Corpus) -> tuple[IntArray, IntArray]:
        """Return the number of elements of every table, 0 without one."""
        sides = ((self.metric.table(text) for text in side.tolist()) for side in (corpus.hypotheses, corpus.references))
        left, right = (
            np.array([self.metric.n_elements(table) if table else 0 for table in side], np.int64) for side in sides
        )
        return left, right

    def edit_lines(self, segment: Corpus, key: str) -> list[str]:  # noqa: ARG002
        """Return the tables as lines of text, with signs before cells that differ."""
        one, other = self.metric.table(segment.hypotheses[0]), self._scored(segment)
        return [] if one is None or other is None else table_lines(self._compared(one, other)[0])

    def _scored(self, segment: Corpus) -> Table | None:
        if len(segment.references) == 1:
            return self.metric.table(segment.references[0])
        [best] = best_pairs_of(self.metric, segment, self.metric.scores.headline).tolist()
        return self.metric.table(segment.references[best])

    def _compared(self, one: Table, other: Table) -> tuple[tuple[ShownTable, ...], dict[CellKind, int]]:
        """Return both tables with the kind of every cell, and how many there are of each kind."""
        forest = _Forest()
        forest.add(one)
        forest.add(other)
        mapping = forest.mapping()
        kinds: list[dict[int, CellKind]] = [{}, {}]
        for u, v in mapping.items():
            is_equal = _as_compared(one.nodes[u]) == _as_compared(other.nodes[v])
            kinds[0][u] = kinds[1][v] = "equal" if is_equal else "changed"
        counts = dict.fromkeys(_KINDS, 0)
        sides: tuple[tuple[str, Table, dict[int, CellKind], CellKind], ...] = (
            ("prediction", one, kinds[0], "extra"), ("reference", other, kinds[1], "missing"),
        )  # fmt: skip
        shown_tables = []
        for name, table, found, alone in sides:
            grid: dict[int, list[ShownCell]] = {}
            for i, node in enumerate(table.nodes):
                if node.tag in CELLS:
                    kind = found.get(i, alone)
                    counts[kind] += name == "prediction" or kind == "missing"
                    columns, rows = (min(max(span, 1), _MOST_SHOWN) for span in node.spans)
                    cell = ShownCell(node.text, columns, rows, kind, is_header=node.tag == "th")
                    grid.setdefault(node.parent, []).append(cell)
            shown_tables.append(ShownTable(name, tuple(map(tuple, grid.values()))))
        return tuple(shown_tables), counts


# Of a larger span a browser shows no more.
_MOST_SHOWN = 1000
# What becomes of cells.
_KINDS: dict[CellKind, str] = {
    "equal": "", "changed": "another text, tag or span", "extra": "in the prediction alone",
    "missing": "in the reference alone",
}  # fmt: skip


def _as_compared(node: TableNode) -> tuple[Any, ...]:
    return node.tag, node.colspan, node.rowspan, node.tokens
