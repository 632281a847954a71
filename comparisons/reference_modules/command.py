"""The command line."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from . import corpora, document, ngrams, output, where
from .measure import Settings, measured, recordings
from .recorded import FILES, TITLES
from .rows import ROWS, Row


def main(arguments: Sequence[str] | None = None, rows: Sequence[Row] = ROWS) -> int:
    """Run; 0 if all figures agree, 1 if some do not, 2 on bad input."""
    parser = _parser()
    options = parser.parse_args(arguments)
    console = Console(width=None if sys.stdout.isatty() else 200)
    try:
        made = _read_page(options.page) if options.page else _measured(options, rows)
        output.write(made, console, options.output, options.readme)
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
    parser.add_argument("--no-parts", action="store_true", help=f"do not measure {where.TITLE}")
    parser.add_argument("--no-ngrams", action="store_true", help=f"do not measure {ngrams.TITLE}")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="write page.json, page.md and pictures there")
    parser.add_argument(
        "--readme", type=Path, metavar="FILE", help=f"put the page between {' and '.join(output.MARKS)}"
    )
    parser.add_argument("--page", type=Path, metavar="FILE", help="show an earlier page.json, measure nothing")
    return parser


def _positive(text: str) -> int:
    if int(text) < 1:
        raise argparse.ArgumentTypeError("expected a whole number of at least 1")
    return int(text)


def _read_page(path: Path) -> document.Document:
    made = json.loads(path.read_text("utf-8"))
    if not isinstance(made, dict) or not {document.LINES, document.PARTS, document.NGRAMS} <= made.keys():
        raise ValueError(f"{path.name}: expected a page.json of this version of the command")
    return made


def _measured(options: argparse.Namespace, rows: Sequence[Row]) -> document.Document:
    wanted = [row for row in rows if _is_wanted(options, row.name, row.theirs.name)]
    jobs = [job for job in where.JOBS if not options.no_parts and _is_wanted(options, where.TITLE, job.title)]
    many = not options.no_ngrams and _is_wanted(options, ngrams.TITLE)
    found = _recordings(options)
    if not (wanted or jobs or many or found):
        raise ValueError(f"--only: expected a part of a title or a tool's name, got {options.only!r}")
    texts = {name: _corpus(options, name) for name in dict.fromkeys(used.corpus for used in (*wanted, *jobs))}
    settings = Settings(options.rounds, options.seconds, not options.no_hub, not options.no_memory)
    with Console(stderr=True).status("starting") as status:
        parts = where.measured(jobs, texts, rounds=settings.rounds, seconds=settings.seconds, progress=status.update)
        results = measured(wanted, texts, settings, status.update)
        times = ngrams.measured(progress=status.update) if many else []
        status.update("recorded figures")
        return document.document(_command(options), texts, results, recordings(found), parts, times)


def _corpus(options: argparse.Namespace, name: str) -> corpora.Corpus:
    path = getattr(options, name, None)
    return corpora.read(path) if path else corpora.sample(name)


def _recordings(options: argparse.Namespace) -> dict[str, Path]:
    """Return the files; only those of the project may be missing, as they are outside its tree."""
    wanted = [module for module in FILES if _is_wanted(options, TITLES[module], f"reference {module} module")]
    given = {module: getattr(options, f"recorded_{module}") for module in wanted}
    return {module: path for module, path in given.items() if path != FILES[module] or path.is_file()}


def _is_wanted(options: argparse.Namespace, *names: str) -> bool:
    return options.only.lower() in " ".join(names).lower()


def _command(options: argparse.Namespace) -> str:
    """Write the command that measures this again, with the names of files, not their folders."""
    words = ["python -m comparisons.reference_modules"]
    defaults = vars(_parser().parse_args([]))
    for key, value in vars(options).items():
        if value != defaults[key] and key not in ("output", "readme"):
            words.append(f"--{key.replace('_', '-')}")
            words += [] if value is True else [shlex.quote(value.name if isinstance(value, Path) else str(value))]
    return " ".join(words)
