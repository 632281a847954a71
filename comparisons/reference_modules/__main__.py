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
from click.core import ParameterSource

from . import measure, pictures, texts
from .page import LINES, OWN, PARTS, Page, markdown, page, plain
from .rows import OWN_CALLS, ROWS, Row

MARKS = ("<!-- page -->", "<!-- end of page -->")
PATH = click.Path(path_type=Path)
NAME = "python -m comparisons.reference_modules"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--summaries", type=PATH, metavar="FILE", help="Summaries as JSON Lines (.gz too).")
@click.option("--translations", type=PATH, metavar="FILE", help="Translations as JSON Lines (.gz too).")
@click.option("--lines", type=PATH, metavar="FILE", help="Summaries of several sentences, one a line (.gz too).")
@click.option("--reference-modules", type=PATH, metavar="FOLDER", help="Copies of reference modules: NAME/NAME.py.")
@click.option("--only", metavar="TEXT", default="", help="Only lines whose title or tool has this text.")
@click.option("--rounds", type=click.IntRange(1), default=7, metavar="N", help="Rounds of timing.", show_default=True)
@click.option("--seconds", default=60.0, metavar="S", help="Time limit per call.", show_default=True)
@click.option("--no-hub", is_flag=True, help="Do not ask the Hub for the reference modules.")
@click.option("--no-memory", is_flag=True, help="Do not measure memory.")
@click.option("--no-parts", is_flag=True, help=f"Do not measure {measure.WHERE}.")
@click.option("--no-own", is_flag=True, help=f"Do not measure {OWN_CALLS}.")
@click.option("--output", type=PATH, metavar="FOLDER", help="Write page.json and the pictures there.")
@click.option(
    "--readme",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help=f"Put the page between {' and '.join(MARKS)}.",
)
@click.option("--page", "earlier", type=PATH, metavar="FILE", help="Show an earlier page.json, measure nothing.")
@click.pass_obj
def command(rows: Sequence[Row], output: Path | None, readme: Path | None, earlier: Path | None, **options: Any) -> int:
    """Compare textgauge with the reference modules and other tools: scores, time, memory.

    Summaries and translations are JSON Lines with `prediction` and `reference` or `references`; the default is the
    embedded sample. Lines of text are joined to longer texts; without a file their rows are not measured.
    """
    try:
        made = read_page(earlier) if earlier else _measured(rows, **options)
        write(made, output, readme)
    except (OSError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    wrong = measure.failures(made[LINES])
    for sentence in wrong:
        click.secho(sentence, bold=True, fg="red")
    return 1 if wrong else 0


def main(arguments: Sequence[str] | None = None, rows: Sequence[Row] = ROWS) -> int:
    """Run; return 0 if all figures agree, 1 if some do not, 2 for bad input."""
    try:
        return int(command.main(arguments, prog_name=NAME, obj=rows, standalone_mode=False) or 0)
    except click.ClickException as error:
        error.show()
        return error.exit_code


def _measured(rows: Sequence[Row], **options: Any) -> Page:
    def is_wanted(*names: str) -> bool:
        return options["only"].lower() in " ".join(names).lower()

    wanted = [row for row in rows if is_wanted(*row.names) and not (row.is_own and options["no_own"])]
    if folder := options["reference_modules"]:
        wanted = [replace(row, theirs=row.theirs and row.theirs.in_folder(folder.absolute())) for row in wanted]
    jobs = [job for job in measure.JOBS if not options["no_parts"] and is_wanted(measure.WHERE, job)]
    if not (wanted or jobs):
        raise ValueError(f"--only: no title or tool has {options['only']!r}")
    library = texts.Library({name: options[name] for name in texts.FILES if options[name]})
    settings = measure.Settings(options["rounds"], options["seconds"], not options["no_hub"], not options["no_memory"])
    parts = measure.parts_of(jobs, library, settings, _progress)
    found = list(zip(wanted, measure.measured(wanted, library, settings, _progress), strict=True))
    _progress("")
    lines, own = ([line for row, line in found if row.is_own == is_own] for is_own in (False, True))
    names = dict.fromkeys([*(measure.JOBS[job][0] for job in jobs), *(row.corpus for row in wanted if not row.is_own)])
    read = {name: library[name].description for name in names if name in library and name != texts.NO_TEXTS}
    versions = {tool.package: tool.version for row in wanted for tool in row.tools if tool.version}
    return page(_command(options), read, versions, parts=parts, lines=lines, own=own)


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[K{text}", nl=False, err=True)


def _command(options: dict[str, Any]) -> str:
    """Return the command that repeats the measurement, with file names without folders."""
    source_of, words = click.get_current_context().get_parameter_source, []
    for key, value in options.items():
        if source_of(key) is ParameterSource.COMMANDLINE:
            words.append(f"--{key.replace('_', '-')}")
            words += [] if value is True else [value.name if isinstance(value, Path) else str(value)]
    return f"{NAME} {shlex.join(words)}".rstrip()


def read_page(path: Path) -> Page:
    """Read an earlier page."""
    made = json.loads(path.read_text("utf-8"))
    if not isinstance(made, dict) or not {LINES, PARTS, OWN} <= made.keys():
        raise ValueError(f"{path.name}: expected a page.json of this version of the command")
    return made


def write(made: Page, folder: Path | None, readme: Path | None) -> None:
    """Show a page; write page.json and the pictures to a folder, and the page between the marks of a file.

    Raises
    ------
    ValueError
        If the file does not have each mark exactly once.
    """
    click.echo(plain(made))
    drawn: dict[str, Path] = {}
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        drawn = pictures.draw(made, folder)
        (folder / "page.json").write_text(json.dumps(made, indent=1, ensure_ascii=False), "utf-8")
    if readme:
        links = {key: Path(os.path.relpath(path, readme.parent)).as_posix() for key, path in drawn.items()}
        start, end = map(re.escape, MARKS)
        block = f"{MARKS[0]}\n{markdown(made, links)}{MARKS[1]}"
        new, count = re.subn(f"{start}.*{end}", lambda _: block, readme.read_text("utf-8"), flags=re.DOTALL)
        if count != 1:
            raise ValueError(f"{readme.name}: expected {MARKS[0]} and {MARKS[1]} once, got {count}")
        readme.write_text(new, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
