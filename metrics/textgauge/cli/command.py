"""Commands that take files, metrics, and options of metrics."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

from ..checks import nearest
from ..locations import METRICS as NAMES
from ..options import options_of
from .files import max_line, max_unpacked
from .messages import refuse, wrapped
from .metrics import AND, DEFAULT, find_metric, metric_names, metrics, typed_options
from .reading import FORMATS
from .segments import DEFAULT_FIELDS, SQUAD, flag_of
from .table import PAPERS

_REPEATED = {"-m": "-m", "--metric": "-m", "--metrics": "-m", "-i": "-i", "--input": "-i"}
_SHORT = {"-t": "--tokenizer", "-n": "--n-resamples"}
_LANGUAGES = "there are no language pairs, choose a tokenizer with -t"
_TEST_SETS = "there are no test sets, give the files of references with -r"
# The names of sacreBLEU's test sets, whose -t is --test-set.
_TEST_SET = re.compile(r"(wmt|iwslt|mtnt|mtedx|multi30k)[\w./]*\d[\w./]*", re.IGNORECASE)
_NUMBER = re.compile(r"[\d.]+(e-?\d+)?", re.IGNORECASE)
# What a flag means without a value, as in sacreBLEU.
_ALONE = {"--confidence": "0.95"}
# Flags of sacreBLEU, whose --chrf-beta is --beta here; then former ones of ours.
_ELSEWHERE: Mapping[str, str] = {
    "-tok": "-t or --tokenizer", "--tokenize": "--tokenizer", "-lc": "--lowercase",
    "--smooth-method": "--smoothing", "-sv": "--smooth-value",
    "-sl": "--per-segment", "--sentence-level": "--per-segment",
    "--score-only": "-b or --brief", "-f": "--json or --table latex",
    "--paired-bs": "textgauge compare a.txt b.txt -r ref.txt --p-value sacrebleu",
    "--paired-ar": "textgauge compare a.txt b.txt -r ref.txt --test permutation",
    "--paired-bs-n": "-n or --n-resamples", "--paired-ar-n": "-n or --n-resamples",
    "--confidence-n": "-n or --n-resamples", "-l": _LANGUAGES, "--language-pair": _LANGUAGES,
    "--test-set": _TEST_SETS,
    "--scale": "the scale belongs to the name of a metric, see textgauge help",
    "--lowercase-ascii": "--lowercase=ascii", "--stem": "--use-stemmer", "--rouge-type": "--rouge-types",
    "--model": "--model-id", "--start-token": "--add-start-token", "--no-start-token": "--no-add-start-token",
}  # fmt: skip
_PATH = click.Path()
# What commands share; each takes the part that it has a use for.
SHARED = {
    "files": click.argument("files", nargs=-1, type=_PATH),
    "predictions": click.option("-p", "--predictions", multiple=True, type=_PATH, metavar="FILE",
                                help="What to score; '-' is standard input."),
    "inputs": click.option("-i", "--input", "inputs", multiple=True, type=_PATH, hidden=True),
    "references": click.option("-r", "--references", multiple=True, type=_PATH, metavar="FILE",
                               help="References; -r once for each file."),
    "sources": click.option("-s", "--sources", type=_PATH, metavar="FILE",
                            help="What predictions translate, for comet."),
    "kind": click.option("--format", "kind", type=click.Choice(FORMATS), metavar="FORMAT",
                         help=f"{', '.join(FORMATS)} "),
    "any_kind": click.option("--format", "kind", type=click.Choice([*FORMATS, SQUAD]), metavar="FORMAT",
                             help=f"{', '.join(FORMATS)}, {SQUAD}"),
    "prediction_field": click.option("--prediction-field", metavar="NAME",
                                     help=f"Column to score. [default: {DEFAULT_FIELDS['prediction_field']}]"),
    "reference_field": click.option("--reference-field", metavar="NAME", multiple=True,
                                    help=f"Column of references. [default: {DEFAULT_FIELDS['reference_field']}]"),
    "source_field": click.option("--source-field", metavar="NAME", help="Column of sources, such as source."),
    "names": click.option("--name", "names", multiple=True, metavar="TEXT",
                          help="Name of the system; once per system."),
    "metrics": click.option("-m", "--metric", "--metrics", "metrics", multiple=True, metavar="NAME [OPTION=VALUE]...",
                            shell_complete=lambda _, __, word: [n for n in metric_names() if n.startswith(word)],
                            help=f"Metrics or scores. [default: {DEFAULT}]"),
    "output": click.option("-o", "--output", type=_PATH, metavar="FILE", help="Write to a file instead."),
    "skip_bad": click.option("--skip-bad", is_flag=True,
                             help="Leave out bad rows, and say how many."),
    "max_unpacked": max_unpacked,
    "max_line": max_line,
    "brief": click.option("-b", "--brief", is_flag=True, help="Print only numbers, one score per line."),
    "as_json": click.option("--json", "as_json", is_flag=True, help="Print JSON."),
    "paper": click.option("--table", "paper", type=click.Choice(PAPERS), metavar="FORM",
                          help=f"A table for papers: {' or '.join(PAPERS)}."),
    "width": click.option("-w", "--width", type=click.IntRange(0, 17), metavar="N",
                          help="Decimals, else 4 (2 up to 100)."),
}  # fmt: skip
OF_SYSTEMS = tuple(name for name in SHARED if name != "kind")
OF_PAGES = tuple(name for name in OF_SYSTEMS if name not in ("brief", "as_json", "paper", "width"))
OF_TEXTS = tuple(name for name in SHARED if name not in ("any_kind", "names", "skip_bad", "paper"))
_EPILOG = """\b
Examples:
"""
_OF_METRICS = """
Options of metrics, of one as -m NAME OPTION=VALUE, of all that have it as
--OPTION VALUE (textgauge help NAME has all; -t is --tokenizer, -n --n-resamples):
"""


def shared(*names: str) -> Callable[[Any], Any]:
    """Declare some of the options of `SHARED` before the own ones of a command."""

    def declared(function: Any) -> Any:
        for name in reversed(names):
            function = SHARED[name](function)
        return function

    return declared


def metric_command(
    examples: str, names: Sequence[str] = OF_SYSTEMS, *, has_reports: bool = False
) -> Callable[[Any], Any]:
    """Declare a command with shared options before its own, and those of metrics; see `MetricCommand`.

    `has_reports` adds what metrics report. The command gets the context, and its options as keywords.
    """

    def declared(function: Any) -> Any:
        epilog = _EPILOG + "".join(f"  {line}\n" for line in examples.splitlines())
        settings = {"ignore_unknown_options": True}
        command = click.command(cls=MetricCommand, epilog=epilog, context_settings=settings)
        made = command(shared(*names)(click.pass_context(function)))
        made.has_reports, made.example = has_reports, examples.partition("\n")[0]
        return made

    return declared


class FilesCommand(click.Command):
    """A command that reads its words as sacreBLEU does: several names after one -m, several files after one -i."""

    @property
    def flags(self) -> list[str]:
        """Its own options as they are typed."""
        return [flag for parameter in self.params if isinstance(parameter, click.Option) for flag in parameter.opts]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Spread the words."""
        if ctx.resilient_parsing:
            return super().parse_args(ctx, args)
        end = args.index("--") if "--" in args else len(args)
        try:
            rest = super().parse_args(ctx, _spread(args[:end], self.flags))
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise
        ctx.params["files"] += tuple(args[end:])
        return rest


class MetricCommand(FilesCommand):
    """A command with its own options; the options of metrics are among its files, see `request_of`."""

    has_reports = False
    example = ""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List its own options, then those of metrics: what all have with its sentence, the common ones by name."""
        super().format_options(ctx, formatter)
        every = [typed_options(metric, with_reports=self.has_reports) for metric in metrics()]
        found = {name: one for options in every for name, one in options.items() if flag_of(name) not in self.flags}
        of_all = [name for name in found if all(name in options for options in every)]
        reports = {one.name for metric in metrics() for one in options_of(metric.reports_type)}
        common = [
            name
            for name in found
            if name not in of_all and (name in reports or any(one[name].on_page for one in every if name in one))
        ]
        formatter.write(_OF_METRICS)
        for name in of_all:
            formatter.write(wrapped(f"{flag_of(name)}: {found[name].help}", "  ", "      "))
        formatter.write(wrapped(f"{', '.join(map(flag_of, common))}, ...", "  "))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer its own options, and those of metrics."""
        found = super().shell_complete(ctx, incomplete)
        if incomplete.startswith("--"):
            names = [name for metric in metrics() for name in typed_options(metric, with_reports=self.has_reports)]
            flags = dict.fromkeys(flag for flag in map(flag_of, names) if flag.startswith(incomplete))
            found += [CompletionItem(flag) for flag in flags if flag not in self.flags]
        return found


def _spread(args: list[str], flags: Sequence[str]) -> list[str]:
    """Repeat -m and -i before each of their values; refuse flags of sacreBLEU, and a second file after -r."""
    words: list[str] = []
    repeated = ""
    for position, word in enumerate(args):
        if word.startswith("-") and word != "-":
            flag = word.partition("=")[0]
            if ours := _ELSEWHERE.get(flag):
                is_one = ours.startswith(("-", "textgauge"))
                refuse(f"there is no option {flag}; " + (f"it is {ours} here" if is_one else ours))
            repeated = _REPEATED.get(flag, "")
            following = args[position + 1] if position + 1 < len(args) else ""
            if word == "-t" and _TEST_SET.fullmatch(following):
                refuse(f"-t is --tokenizer here; {_TEST_SETS}")
            if word in _ALONE and not _NUMBER.fullmatch(following):
                word = f"{word}={_ALONE[word]}"
            words.append(word if word in flags else _SHORT.get(word, word))
            continue
        name, is_option, _ = word.partition("=")
        is_option = is_option if name.isidentifier() else ""
        if position > 1 and args[position - 2] in ("-r", "--references") and not (args[0].startswith("-") or is_option):
            # The systems came before, so that this file would be another system.
            refuse(f"{word} follows -r {args[position - 1]}: give each file its own -r")
        if repeated and words[-1] not in _REPEATED:
            if repeated == "-m" and is_option:
                words[-1] += AND + word
                continue
            if repeated == "-m" and not _is_metric(word):
                repeated = ""
            words += [repeated] if repeated else []
        words.append(word)
    return words


def _is_metric(word: str) -> bool:
    """Return whether a word after -m is a metric rather than a file; refuse a misspelt one."""
    if word in NAMES or "." in word or os.sep in word:
        return word in NAMES
    is_metric = find_metric(word) is not None
    if not is_metric and not os.path.exists(word) and (near := nearest(word, metric_names(), cutoff=0.5)):
        refuse(f"{word} is neither a metric nor a file; did you mean {near[0]}?")
    return is_metric
