"""The command line: `python -m comparisons.reference_modules`."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from . import agreement, measure, own_calls, texts, where
from .page import LINES, OWN, PARTS, Page, markdown, page, show
from .rows import ROWS, Row

MARKS = ("<!-- page -->", "<!-- end of page -->")
PATH = click.Path(path_type=Path)
RECORDINGS = {module: f"the reference {module} module" for module in agreement.FILES}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--summaries", type=PATH, metavar="FILE", help="Summaries as JSON Lines (.gz too).")
@click.option("--translations", type=PATH, metavar="FILE", help="Translations as JSON Lines (.gz too).")
@click.option("--lines", type=PATH, metavar="FILE", help="Summaries of several sentences, one a line (.gz too).")
@click.option("--recorded-bleu", type=PATH, metavar="FILE", help="Recorded figures of the bleu module.")
@click.option("--recorded-rouge", type=PATH, metavar="FILE", help="Recorded figures of the rouge module.")
@click.option("--recorded-squad", type=PATH, metavar="FILE", help="Recorded figures of the squad module.")
@click.option("--reference-modules", type=PATH, metavar="FOLDER", help="Copies of reference modules: NAME/NAME.py.")
@click.option("--only", metavar="TEXT", default="", help="Only lines whose title or tool has this text.")
@click.option("--rounds", type=click.IntRange(1), default=7, metavar="N", help="Rounds of timing.", show_default=True)
@click.option(
    "--seconds",
    default=60.0,
    metavar="S",
    help="Time limit per call.",
    show_default=True,
)
@click.option("--no-hub", is_flag=True, help="Do not ask the Hub for the reference modules.")
@click.option("--no-memory", is_flag=True, help="Do not measure memory.")
@click.option("--no-parts", is_flag=True, help=f"Do not measure {where.TITLE}.")
@click.option("--no-own", is_flag=True, help=f"Do not measure {own_calls.TITLE}.")
@click.option("--output", type=PATH, metavar="FOLDER", help="Write page.json and the pictures there.")
@click.option("--readme", type=PATH, metavar="FILE", help=f"Put the page between {' and '.join(MARKS)}.")
@click.option("--page", "earlier", type=PATH, metavar="FILE", help="Show an earlier page.json, measure nothing.")
@click.pass_context
def command(
    context: click.Context, output: Path | None, readme: Path | None, earlier: Path | None, **options: Any
) -> int:
    """Compare textgauge with the reference modules and other tools: scores, time, memory.

    Summaries and translations are JSON Lines with `prediction` and `reference` or `references`; the default is the
    embedded sample. Lines of text are joined to longer texts; without a file their rows are not measured. Recorded
    figures replace reference modules that cannot be loaded; the default is those in tests/data.
    """
    console = Console(width=None if sys.stdout.isatty() else 200)
    try:
        made = read_page(earlier) if earlier else _measured(options, context.obj)
        write(made, console, output, readme)
    except (OSError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    wrong = measure.failures(made[LINES])
    for sentence in wrong:
        console.print(sentence, style="bold red", highlight=False)
    return 1 if wrong else 0


def main(arguments: Sequence[str] | None = None, rows: Sequence[Row] = ROWS) -> int:
    """Run; return 0 if all figures agree, 1 if some do not, 2 for bad input."""
    name = "python -m comparisons.reference_modules"
    try:
        return int(command.main(arguments, prog_name=name, obj=rows, standalone_mode=False) or 0)
    except click.ClickException as error:
        error.show()
        return error.exit_code


def _measured(options: dict[str, Any], rows: Sequence[Row]) -> Page:
    def is_wanted(*names: str) -> bool:
        return options["only"].lower() in " ".join(names).lower()

    wanted = [row for row in rows if is_wanted(row.name, row.theirs.name)]
    if folder := options["reference_modules"]:
        wanted = [replace(row, theirs=row.theirs.in_folder(folder.absolute())) for row in wanted]
    jobs = [job for job in where.JOBS if not options["no_parts"] and is_wanted(where.TITLE, job)]
    groups = [group for group in own_calls.GROUPS if not options["no_own"] and is_wanted(own_calls.TITLE, group)]
    given = {module: options[f"recorded_{module}"] or path for module, path in agreement.FILES.items()}
    # Only the default recordings may be missing.
    recordings = {
        module: path
        for module, path in given.items()
        if is_wanted(agreement.TITLES[module], RECORDINGS[module])
        and (path != agreement.FILES[module] or path.is_file())
    }
    if not (wanted or jobs or groups or recordings):
        raise ValueError(f"--only: no title or tool has {options['only']!r}")
    library = texts.Library({name: options[name] for name in texts.FILES if options[name]})
    settings = measure.Settings(options["rounds"], options["seconds"], not options["no_hub"], not options["no_memory"])
    with Console(stderr=True).status("starting") as status:
        found = {
            PARTS: where.measured(jobs, library, settings, status.update),
            LINES: measure.measured(wanted, library, settings, status.update),
            OWN: own_calls.measured(groups, library, settings, status.update),
        }
        status.update("recorded figures")
        found[LINES] = measure.with_recordings(found[LINES], recordings)
    tools = [tool for row in wanted for tool in (row.ours, row.theirs)]
    versions = {tool.package: tool.version for tool in tools if tool.version}
    return page(_command(options), library.used, versions, **found)


def _command(options: dict[str, Any]) -> str:
    """Return the command that repeats the measurement, with file names without folders."""
    words = ["python -m comparisons.reference_modules"]
    defaults = {parameter.name: parameter.get_default(click.Context(command)) for parameter in command.params}
    for key, value in options.items():
        if value is not None and value != defaults[key]:
            words.append(f"--{key.replace('_', '-')}")
            words += [] if value is True else [shlex.quote(value.name if isinstance(value, Path) else str(value))]
    return " ".join(words)


def read_page(path: Path) -> Page:
    """Read an earlier page."""
    made = json.loads(path.read_text("utf-8"))
    if not isinstance(made, dict) or not {LINES, PARTS, OWN} <= made.keys():
        raise ValueError(f"{path.name}: expected a page.json of this version of the command")
    return made


def write(made: Page, console: Console, folder: Path | None, readme: Path | None) -> None:
    """Show a page; write page.json and the pictures to a folder, and the page between the marks of a file.

    Raises
    ------
    ValueError
        If the file does not have each mark exactly once.
    """
    show(made, console)
    drawn: dict[str, Path] = {}
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        drawn = _draw(made, folder, console)
        (folder / "page.json").write_text(_json(made), "utf-8")
    if readme:
        links = {key: Path(os.path.relpath(path, readme.parent)).as_posix() for key, path in drawn.items()}
        start, end = map(re.escape, MARKS)
        block = f"{MARKS[0]}\n{markdown(made, links)}{MARKS[1]}"
        new, count = re.subn(f"{start}.*{end}", lambda _: block, readme.read_text("utf-8"), flags=re.DOTALL)
        if count != 1:
            raise ValueError(f"{readme.name}: expected {MARKS[0]} and {MARKS[1]} once, got {count}")
        readme.write_text(new, "utf-8")


def _json(made: Page) -> str:
    """Write a line per line of a table, so that two pages can be compared."""
    entries = []
    for key, value in made.items():
        rows = (
            ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in value) if isinstance(value, list) else ""
        )
        text = f"[\n{rows}\n ]" if rows else json.dumps(value, ensure_ascii=False)
        entries.append(f' "{key}": {text}')
    return "{\n" + ",\n".join(entries) + "\n}\n"


def _draw(made: Page, folder: Path, console: Console) -> dict[str, Path]:
    """Draw the pictures for which there are figures; return their paths by part of the page."""
    if not any("agrees" in line for line in made[LINES]):
        console.print("no picture of speeds: no tool was measured")
    try:
        from . import pictures
    except ImportError:
        console.print("no picture: it needs matplotlib, pip install -e '.[plot]'", markup=False)
        return {}
    return pictures.draw(made, folder)


if __name__ == "__main__":
    sys.exit(main())
