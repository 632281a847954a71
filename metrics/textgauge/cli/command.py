"""Shared by `score`, `compare` and `explain`: files, metrics, the form of the output, and help."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from inspect import cleandoc
from typing import Any

import click

from ..checks import nearest, printable
from ..measures.measure import Measure
from ..measures.registry import METRICS
from ..options import notes_of
from .chosen import Request, chosen_metrics, is_metric, metric_names
from .files import CommandOption, max_unpacked, shown_name, write_whole, writing
from .flags import ELSEWHERE, MetricFlag, flags_of, given_flags, is_given, metric_flags
from .messages import help_in_flags, listed, refuse
from .reading import FORMATS
from .segments import DEFAULT_FIELDS, SQUAD, Sides
from .table import Numbers, has_colour

WIDTH = 80
_COLUMN = 26
_NO_BREAK = "\u2011"
# The short help has the flags that at least this many metrics take.
_COMMON = 3
# The characters of tables outside ASCII.
_DRAWN = "━─╸"
_SECTIONS = ("Files", "Scores", "Output", "More")


def shared(*names: str, section: str = "Scores", **settings: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare an option of a command itself."""
    return click.option(*names, cls=CommandOption, section=section, **settings)


def _complete_metric(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in metric_names() if name.startswith(incomplete)]


_FILES = (
    click.argument("files", nargs=-1, type=click.Path()),
    shared(
        "-p", "--predictions", type=click.Path(), multiple=True, metavar="FILE", section="Files",
        help="What to score, as FILES; '-' is standard input.",
    ),
    click.option("-i", "--input", "inputs", type=click.Path(), multiple=True, hidden=True),
    shared(
        "-r", "--references", type=click.Path(), multiple=True, metavar="FILE", section="Files",
        help="References; again for more of them per segment.",
    ),
    shared(
        "--format", "kind", type=click.Choice([*FORMATS, SQUAD]), metavar="FORMAT", section="Files",
        help=f"{', '.join(FORMATS)} or {SQUAD} [by suffix]",
    ),
    shared(
        "--prediction-field", metavar="NAME", section="Files",
        help=f"Column to score. [default: {DEFAULT_FIELDS['prediction_field']}]",
    ),
    shared(
        "--reference-field", metavar="NAME", multiple=True, section="Files",
        help=f"Column of references. [default: {DEFAULT_FIELDS['reference_field']}]",
    ),
    shared(
        "--name", "names", multiple=True, metavar="TEXT", section="Files", help="Name of the system; once per system.",
    ),
    shared(
        "-m", "--metric", "--metrics", "metrics", shell_complete=_complete_metric, multiple=True, metavar="NAME...",
        help=f"What to compute; see below. [default: {next(iter(METRICS))}]",
    ),
    shared("-o", "--output", type=click.Path(), metavar="FILE", section="Output", help="Write to a file."),
    max_unpacked,
)  # fmt: skip
_FORMS = (
    shared("-b", "--brief", is_flag=True, section="Output", help="Print only numbers, one score per line."),
    shared("--json", "as_json", is_flag=True, section="Output", help="Print JSON."),
    shared(
        "-w", "--width", type=click.IntRange(0, 17), metavar="N", section="Output",
        help="Decimals. [default: 4, or 2 with --scale 100]",
    ),
    shared(
        "--scale", type=click.Choice(["1", "100"]), metavar="1|100", section="Output",
        help="Perfect score. [default: 1; 100 with --preset sacrebleu]",
    ),
)  # fmt: skip


def metric_command(examples: str, *, has_forms: bool = True, has_reports: bool = False) -> Callable[[Any], Any]:
    """Declare a command with the shared options before its own; see `MetricCommand`.

    `has_forms` adds the options of the forms of the output. The command gets the context, and its options
    as keywords.
    """

    def declared(function: Any) -> Any:
        function = click.pass_context(function)
        for option in reversed([*_FILES, *(_FORMS if has_forms else ())]):
            option(function)
        return click.command(cls=MetricCommand, examples=examples, has_reports=has_reports)(function)

    return declared


class MetricCommand(click.Command):
    """A command with its own flags and those of all metrics registered when it is called.

    Attributes
    ----------
    examples : str
    has_reports : bool
        Whether it has the flags of what metrics report.
    """

    def __init__(self, *args: Any, examples: str = "", has_reports: bool = False, **settings: Any) -> None:
        """Store the examples."""
        super().__init__(*args, **settings)
        self.examples, self.has_reports = examples, has_reports

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return its own parameters, then the flags of the metrics."""
        return [*super().get_params(ctx), *metric_flags(with_reports=self.has_reports)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Accept several names after one -m, and several files after one -i, as sacreBLEU does."""
        try:
            return super().parse_args(ctx, _spread(args))
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples first, then the options of the command, by section."""
        self._write_top(formatter, ctx)
        records = self._records(ctx)
        for section in _SECTIONS:
            with formatter.section(section):
                if records.get(section):
                    _write_records(formatter, records[section])
                if section == "Scores":
                    formatter.write_paragraph()
                    formatter.write_text(metrics_line())
        formatter.write_paragraph()
        formatter.write("All options of a metric: textgauge help bleu\n")

    def _write_top(self, formatter: click.HelpFormatter, ctx: click.Context) -> None:
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            for paragraph in cleandoc(self.help or "").split("\n\n"):
                formatter.write_text(paragraph)
        with formatter.section("Examples"):
            for line in self.examples.strip().splitlines():
                formatter.write(f"  {line}\n")

    def _records(self, ctx: click.Context) -> dict[str, list[tuple[str, str]]]:
        records: dict[str, list[tuple[str, str]]] = {name: [] for name in _SECTIONS}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, MetricFlag):
                if len(parameter.owners) >= _COMMON and not parameter.choice:
                    records["Scores"].append(parameter.short_record())
                continue
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                section = parameter.section if isinstance(parameter, CommandOption) else "More"
                records[section].append(record)
        return records

    def get_help(self, ctx: click.Context) -> str:
        """Return the help with plain hyphens."""
        return super().get_help(ctx).replace(_NO_BREAK, "-")


def _write_records(formatter: click.HelpFormatter, records: Sequence[tuple[str, str]]) -> None:
    # Hyphenated names such as "chen-cherry-3" stay on one line.
    formatter.write_dl([(flag, text.replace("-", _NO_BREAK)) for flag, text in records], col_max=_COLUMN)


_REPEATED = {"-m": "-m", "--metric": "-m", "--metrics": "-m", "-i": "-i", "--input": "-i"}


def _spread(args: list[str]) -> list[str]:
    """Repeat -m and -i before each of their values; refuse flags of sacreBLEU, and a second file after -r."""
    spread: list[str] = []
    repeated = ""
    for position, word in enumerate(args):
        if word == "--":
            return spread + args[position:]
        _refuse_elsewhere(word.partition("=")[0])
        before, last = ["", "", *args][position : position + 2]
        is_value = not word.startswith("-")
        if repeated and is_value and (repeated == "-i" or _may_be_metric(word)):
            spread.append(repeated)
        else:
            repeated = _REPEATED.get(last, "")
        if before in ("-r", "--references") and is_value and not args[0].startswith("-"):
            # The systems came before, so that this file would be another system.
            refuse(f"{word} follows -r {last}: give each file its own -r")
        spread.append(word)
    return spread


def _refuse_elsewhere(flag: str) -> None:
    ours = ELSEWHERE.get(flag, re.sub("^--(chrf|ter)-", "--", flag))
    if ours != flag:
        is_one = ours.startswith(("-", "textgauge"))
        refuse(f"there is no option {flag}" + (f"; sacreBLEU's {flag} is {ours} here" if is_one else f": {ours}"))


def _may_be_metric(word: str) -> bool:
    """Return whether a word after -m is a metric, perhaps misspelt, rather than a file."""
    is_file = "." in word or os.sep in word or os.path.exists(word)
    return is_metric(word) or not is_file and bool(nearest(word, metric_names(), cutoff=0.7))


def metrics_line() -> str:
    """Return the line that says what -m takes."""
    names = [", ".join(measure.named_scores()) for measure in METRICS.values()]
    return f"NAME is a metric or a score: {', '.join(dict.fromkeys([*METRICS, *', '.join(names).split(', ')]))}."


def metric_page(name: str) -> str:
    """Return the help page of one metric: its names, its flags, notes about them."""
    measure = METRICS[name]
    formatter = click.HelpFormatter(width=WIDTH, max_width=WIDTH)
    names = dict.fromkeys([name, *measure.named_scores()])
    formatter.write_text(f"{measure.title}: -m {listed(names, 'or')}")
    sections: dict[str, list[tuple[str, str]]] = {f"Options of {name}": [], "What is reported": []}
    for flag in metric_flags():
        if name in flag.owners and (not flag.choice or flag.choice in flag.owners[name].choices):
            is_reported = flag.option in measure.reports_type.__dataclass_fields__
            sections["What is reported" if is_reported else f"Options of {name}"].append(flag.record(name))
    for headline, records in sections.items():
        if records:
            with formatter.section(headline):
                _write_records(formatter, records)
    _write_notes(formatter, measure)
    return formatter.getvalue().rstrip("\n").replace(_NO_BREAK, "-")


def _write_notes(formatter: click.HelpFormatter, measure: Any) -> None:
    notes = notes_of(measure.options_type, measure.reports_type, for_python=False)
    text = help_in_flags(re.sub(r"\bNone\b", "null", notes), {one.name for one in flags_of(measure)})
    if not text:
        return
    with formatter.section("Notes"):
        for paragraph in filter(None, map(str.strip, text.replace("\n- ", "\n\n- ").split("\n\n"))):
            indent = "  " if paragraph.startswith("- ") else ""
            words = " ".join(paragraph.split()).replace("-", _NO_BREAK)
            if not indent:
                formatter.write_paragraph()
            lines = click.wrap_text(words, WIDTH - 2, subsequent_indent=indent).splitlines()
            formatter.write("".join(f"  {line}\n" for line in lines))


def help_of(topic: str) -> str:
    """Return the help page of a metric, by its name or by that of one of its scores."""
    if topic not in METRICS:
        found = [name for name, measure in METRICS.items() if measure.find(topic) is not None]
        if not found:
            refuse(f"there is no help about {topic!r}; name a command, or one of {', '.join(METRICS)}")
        topic = found[0]
    return metric_page(topic)


def request_of(context: click.Context, options: Mapping[str, Any], n_systems: int | None = None) -> Request:
    """Return what a command line asks for, checked; `n_systems` is the most that the command takes."""
    command = str(context.info_name)
    systems, references = _systems_of(options, command)
    if n_systems is not None and len(systems) > n_systems:
        files = ", ".join(map(shown_name, systems))
        refuse(f"{command} takes one system, got {files}: give each file of references its own -r, or use compare")
    given = given_flags(context, options)
    chosen = chosen_metrics(options["metrics"] or [next(iter(METRICS))])
    fields = {name: options[name] for name in DEFAULT_FIELDS if name in options and is_given(context, name)}
    fields |= {name: given[name] for name in DEFAULT_FIELDS if name in given}
    sides = Sides(
        systems, references, options["kind"], fields, any(one.measure.is_paired for one in chosen),
        options.get("documents"), given.get("prefixes"),
    )  # fmt: skip
    request = Request(chosen, given, _names_of(systems, options["names"]), sides)
    request.check(options["output"])
    return request


def _systems_of(options: Mapping[str, Any], command: str) -> tuple[list[str], list[str]]:
    """Return the files of the systems and those of the references, however they were given."""
    files, named = list(options["files"]), list(options["predictions"])
    inputs, references = list(options["inputs"]), list(options["references"])
    if inputs and named:
        refuse("--input and --predictions are the same; use one of them")
    if inputs:
        # As in sacreBLEU, other files are references.
        return inputs, [*files, *references]
    if files and named:
        first, other = shown_name(files[0]), shown_name(named[0])
        refuse(f"{first} has no flag beside -p {other}: give each file its own -p or -r")
    if not files and not named:
        refuse(f"nothing to {command}: name a file, as in textgauge {command} hyp.txt -r ref.txt -m bleu")
    return files or named, references


def _names_of(systems: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the names of the systems: their files, without folders if that keeps them distinct."""
    if names:
        if len(names) != len(systems):
            refuse(f"--name must be given once per system, {len(systems)} in all")
        return list(map(printable, names))
    short = [shown_name(os.path.basename(path)) for path in systems]
    return short if len(set(short)) == len(set(systems)) else list(map(shown_name, systems))


def numbers_of(options: Mapping[str, Any], request: Request, measure: type[Measure] | None = None) -> Numbers:
    """Return the format of the numbers of all metrics, or of one, which may have no perfect score to scale."""
    scale = float(options["scale"] or (100 if request.given.get("preset") == "sacrebleu" else 1))
    scale = 1.0 if measure is not None and measure.perfect is None else scale
    return Numbers(scale, (4 if scale == 1 else 2) if options["width"] is None else options["width"])


def show(text: str, output: str | None) -> None:
    """Print to standard output, with colours if they are shown, or write a file."""
    if output is not None:
        with writing("--output", output):
            write_whole(output, click.unstyle(text) + "\n")
        return
    try:
        _DRAWN.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (LookupError, UnicodeEncodeError):
        text = text.translate(str.maketrans("━─", "--", "╸"))
    click.echo(text if has_colour() else click.unstyle(text), color=True)
