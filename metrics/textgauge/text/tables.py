"""Tables as HTML, read as trees by lxml: the first table of a text, whatever stands around it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Literal

from ..checks import line_to_install

CELLS = ("td", "th")
Headers = Literal["text", "cells", "tags"]
# What language models write around HTML. A fence before a table stands in no cell, one behind a broken one does.
_FENCE = re.compile(r"\s*```\s*\Z")


@dataclass
class TableNode:
    """An element of a table.

    Attributes
    ----------
    tag : str
    colspan, rowspan : int or None
        None of an element whose spans are not compared.
    tokens : tuple of str
        What is compared of its text: characters, and tags.
    text, spans : str, (int, int)
        For readers: what stands in a cell, and the columns and rows that it spans.
    first : int
        The place of the first leaf below it, or its own, in postorder.
    parent : int
        The place of the element around it; -1 for the table.
    """

    tag: str
    colspan: int | None = None
    rowspan: int | None = None
    tokens: tuple[str, ...] = ()
    text: str = ""
    spans: tuple[int, int] = (1, 1)
    first: int = 0
    parent: int = -1


@dataclass
class Table:
    """A table: its elements in postorder, but for those within cells, and the number of all elements below it."""

    nodes: list[TableNode] = field(default_factory=list)
    n_elements: int = 0


def check_lxml() -> None:
    """Raise ImportError with the line that installs lxml, if it is missing."""
    _lxml()


def _lxml() -> tuple[ModuleType, ModuleType]:
    try:
        from lxml import etree, html
    except ImportError:
        raise ImportError(f"tables: lxml is not installed ({line_to_install('tables')})") from None
    return etree, html


def table_of(
    text: str, *, structure_only: bool = False, headers: Headers = "tags", ignored: Collection[str] = ()
) -> Table | None:
    r"""Read the first table of a text, that below `body` first; None without one.

    Broken tags are read as lxml mends them; `html` and `body` may be missing, and fences stand around.

    Parameters
    ----------
    text : str
    structure_only : bool
        Leave out what cells say.
    headers : str
        Whether a `th` has a tag alone, also a text, or is a cell as `td` is.
    ignored : collection of str
        Tags that are dropped, while what stands between them stays.

    Examples
    --------
    >>> table = table_of("```html\n<table><tr><td>a<b>c</b><td rowspan=2>d</table>\n```")
    >>> [node.tag for node in table.nodes], table.nodes[0].tokens, table.nodes[1].rowspan, table.n_elements
    (['td', 'td', 'tr', 'table'], ('a', '<b>', 'c', '</b>'), 2, 4)
    """
    found = _element(text)
    if found is None:
        return None
    if ignored:
        _lxml()[0].strip_tags(found, *ignored)
    cells = ("td", "th") if headers == "cells" else ("td",)
    table = Table(n_elements=sum(1 for _ in found.iterdescendants("*")))
    # The places of what is open, and of its first leaf.
    waiting: list[list[int]] = [[]]
    inside: Any = None
    for event, element in _lxml()[0].iterwalk(found, events=("start", "end")):
        if inside is not None:
            if element is not inside:
                continue
        elif event == "start" and element.tag in cells:
            inside = element
        if event == "start":
            waiting.append([])
            continue
        below = waiting.pop()
        place = len(table.nodes)
        node = TableNode(element.tag, first=table.nodes[below[0]].first if below else place)
        if element.tag in CELLS:
            node.text = " ".join("".join(element.itertext()).split())
            node.spans = _span(element.get("colspan")), _span(element.get("rowspan"))
        if inside is not None:
            node.colspan, node.rowspan = node.spans
            node.tokens = () if structure_only else tuple(_tokens(element))
        elif element.tag == "th" and headers == "text" and not structure_only:
            node.tokens = tuple(_header_text(element))
        for child in below:
            table.nodes[child].parent = place
        table.nodes.append(node)
        waiting[-1].append(place)
        inside = None
    return table


def _element(text: str) -> Any:
    """Return the element of the first table."""
    if "<" not in text:
        return None
    etree, html = _lxml()
    text = _FENCE.sub("", text)
    # libxml2 ends at NUL, and an encoding that a text declares is not its own.
    encoded = text.replace("\0", "").encode()
    parser = html.HTMLParser(remove_comments=True, remove_pis=True, encoding="utf-8")
    try:
        root = html.document_fromstring(encoded, parser=parser)
    except etree.ParserError:
        return None
    tables = root.xpath("body/table") or root.xpath("(//table)[1]")
    return tables[0] if tables else None


def _span(value: str | None) -> int:
    """Return how many rows or columns a cell spans: 1 where that is no number, as in browsers."""
    try:
        return int(value or "1")
    except ValueError:
        return 1


def _tokens(cell: Any) -> list[str]:
    """Return what stands in a cell as characters and tags; what follows a cell within it does not count."""
    tokens: list[str] = []
    if len(cell) == 0:
        return [*(cell.text or "")]
    for event, element in _lxml()[0].iterwalk(cell, events=("start", "end")):
        if event == "start":
            tokens += [f"<{element.tag}>"] * (element is not cell)
            tokens += element.text or ""
        elif element is not cell:
            tokens += [f"</{element.tag}>"] * (element.tag != "unk")
            tokens += "" if element.tag == "td" else element.tail or ""
    return tokens


def _header_text(header: Any) -> str:
    """Return the text of a header cell, without that of cells within it."""
    parts, inside = [], None
    for event, element in _lxml()[0].iterwalk(header, events=("start", "end")):
        if inside is None and event == "start" and element is not header and element.tag in CELLS:
            inside = element
        if inside is None and event == "start":
            parts.append(element.text or "")
        if event == "end":
            inside = None if element is inside else inside
            if inside is None and element is not header:
                parts.append(element.tail or "")
    return "".join(parts)
