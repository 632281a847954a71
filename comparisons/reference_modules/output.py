"""A page on the terminal, in a folder, in a README."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from .document import LINES, PARTS, Document
from .page import markdown, show

MARKS = ("<!-- page -->", "<!-- end of page -->")
FILES = {LINES: "page.png", PARTS: "parts.png"}


def write(page: Document, console: Console, folder: Path | None, readme: Path | None) -> None:
    """Show a page; write page.json, page.md and the pictures into a folder, and the page between the marks of a file.

    Raises
    ------
    ValueError
        If the file does not have the marks once.
    """
    show(page, console)
    pictures: dict[str, Path] = {}
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        pictures = _draw(page, folder, console)
        (folder / "page.json").write_text(json.dumps(page, indent=1, ensure_ascii=False) + "\n", "utf-8")
        (folder / "page.md").write_text(markdown(page, {key: path.name for key, path in pictures.items()}), "utf-8")
    if readme:
        links = {key: Path(os.path.relpath(path, readme.parent)).as_posix() for key, path in pictures.items()}
        _put_into(readme, markdown(page, links))


def _draw(page: Document, folder: Path, console: Console) -> dict[str, Path]:
    """Draw what there is; return the pictures by what they show."""
    there = {LINES: any("agrees" in line for line in page[LINES]), PARTS: bool(page[PARTS])}
    if not there[LINES]:
        console.print("no picture: no tool was there to be measured")
    try:
        from . import bars, picture
    except ImportError:
        console.print("no picture: it needs matplotlib, pip install 'textgauge[plot]'")
        return {}
    draws: dict[str, Callable[[Document, Path], None]] = {LINES: picture.draw, PARTS: bars.draw}
    pictures = {key: folder / name for key, name in FILES.items() if there[key]}
    for key, path in pictures.items():
        draws[key](page, path)
    return pictures


def _put_into(readme: Path, text: str) -> None:
    start, end = map(re.escape, MARKS)
    old = readme.read_text("utf-8")
    block = f"{MARKS[0]}\n{text}{MARKS[1]}"
    new, count = re.subn(f"{start}.*{end}", lambda _: block, old, flags=re.DOTALL)
    if count != 1:
        raise ValueError(f"{readme.name}: expected {MARKS[0]} and {MARKS[1]} once, got {count}")
    readme.write_text(new, "utf-8")
