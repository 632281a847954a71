"""The command line."""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from . import corpora, document, page
from .measure import Settings, measured, recordings
from .recorded import FILES, TITLES
from .rows import ROWS, Row

MARKS = ("<!-- page -->", "<!-- end of page -->")


def main(arguments: Sequence[str] | None = None, rows: Sequence[Row] = ROWS) -> int:
    """Run; 0 if all figures agree, 1 if some do not, 2 on bad input."""
    parser = _parser()
    options = parser.parse_args(arguments)
    console = Console(width=None if sys.stdout.isatty() else 200)
    try:
        made = _read_page(options.page) if options.page else _measured(options, rows)
        _write(made, options, console)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    for sentence in document.failures(made):
        console.print(sentence, style="bold red", highlight=False)
    return 1 if document.failures(made) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m comparisons.reference_modules",
        description="Hold textgauge against the reference modules and other tools: scores, time, memory.",
    )
    for name in corpora.NAMES:
        parser.add_argument(
            f"--{name}", type=Path, metavar="FILE", help=f"{name} as JSON Lines (.gz too); default: the embedded sample"
        )
    for module, path in FILES.items():
        parser.add_argument(
            f"--recorded-{module}",
            type=Path,
            metavar="FILE",
            default=path,
            help=f"recorded figures of the reference {module} module; default: those in tests/data",
        )
    parser.add_argument("--only", metavar="TEXT", default="", help="only lines whose title or tool has this text")
    parser.add_argument("--rounds", type=_positive, default=Settings.rounds, help="turns of each call (%(default)s)")
    parser.add_argument(
        "--seconds", type=float, default=Settings.seconds, help="after which a call sits out (%(default)s)"
    )
    parser.add_argument("--no-hub", action="store_true", help="do not ask the Hub for the reference modules")
    parser.add_argument("--no-memory", action="store_true", help="do not measure memory")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="write page.json, page.md and page.png there")
    parser.add_argument("--readme", type=Path, metavar="FILE", help=f"put the page between {' and '.join(MARKS)}")
    parser.add_argument("--page", type=Path, metavar="FILE", help="show an earlier page.json, measure nothing")
    return parser


def _positive(text: str) -> int:
    if int(text) < 1:
        raise argparse.ArgumentTypeError("expected a whole number of at least 1")
    return int(text)


def _read_page(path: Path) -> document.Document:
    made = json.loads(path.read_text("utf-8"))
    if not isinstance(made, dict) or "lines" not in made:
        raise ValueError(f"{path.name}: expected a page.json of this command")
    return made


def _measured(options: argparse.Namespace, rows: Sequence[Row]) -> document.Document:
    wanted = [row for row in rows if _is_wanted(options, row.title, row.theirs.name)]
    found = _recordings(options)
    if not wanted and not found:
        raise ValueError(f"--only: expected a part of a title or a tool's name, got {options.only!r}")
    files = {name: getattr(options, name) for name in corpora.NAMES}
    used = {row.corpus for row in wanted}
    texts = {name: corpora.read(path) if path else corpora.sample(name) for name, path in files.items() if name in used}
    settings = Settings(options.rounds, options.seconds, not options.no_hub, not options.no_memory)
    with Console(stderr=True).status("starting") as status:
        results = measured(wanted, texts, settings, status.update)
        status.update("recorded figures")
        return document.document(_command(options), texts, results, recordings(found))


def _recordings(options: argparse.Namespace) -> dict[str, Path]:
    """Return the files; only those of the project may be missing, as they are outside its tree."""
    wanted = [module for module in FILES if _is_wanted(options, TITLES[module], f"reference {module} module")]
    given = {module: getattr(options, f"recorded_{module}") for module in wanted}
    return {module: path for module, path in given.items() if path != FILES[module] or path.is_file()}


def _is_wanted(options: argparse.Namespace, title: str, tool: str) -> bool:
    return options.only.lower() in f"{title} {tool}".lower()


def _command(options: argparse.Namespace) -> str:
    """Write the command that measures this again, with the names of files, not their folders."""
    words = ["python -m comparisons.reference_modules"]
    defaults = vars(_parser().parse_args([]))
    for key, value in vars(options).items():
        if value != defaults[key] and key not in ("output", "readme"):
            words.append(f"--{key.replace('_', '-')}")
            words += [] if value is True else [shlex.quote(value.name if isinstance(value, Path) else str(value))]
    return " ".join(words)


def _write(made: document.Document, options: argparse.Namespace, console: Console) -> None:
    page.show(made, console)
    image = None
    if options.output:
        options.output.mkdir(parents=True, exist_ok=True)
        image = _draw(made, options.output / "page.png", console)
        text = json.dumps(made, indent=1, ensure_ascii=False) + "\n"
        (options.output / "page.json").write_text(text, "utf-8")
        (options.output / "page.md").write_text(page.markdown(made, image.name if image else None), "utf-8")
    if options.readme:
        link = Path(os.path.relpath(image, options.readme.parent)).as_posix() if image else None
        _put_into(options.readme, page.markdown(made, link))


def _draw(made: document.Document, path: Path, console: Console) -> Path | None:
    if not any("agrees" in line for line in made["lines"]):
        console.print("no picture: no tool was there to be measured")
        return None
    try:
        from .picture import draw
    except ImportError:
        console.print("no picture: it needs matplotlib, pip install 'textgauge[plot]'")
        return None
    draw(made, path)
    return path


def _put_into(readme: Path, text: str) -> None:
    start, end = map(re.escape, MARKS)
    old = readme.read_text("utf-8")
    block = f"{MARKS[0]}\n{text}{MARKS[1]}"
    new, count = re.subn(f"{start}.*{end}", lambda _: block, old, flags=re.DOTALL)
    if count != 1:
        raise ValueError(f"{readme.name}: expected {MARKS[0]} and {MARKS[1]} once, got {count}")
    readme.write_text(new, "utf-8")
