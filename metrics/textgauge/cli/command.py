"""Shared by `score`, `compare` and `explain`: files, metrics, the form of the output, and help."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import cleandoc
from typing import Any

import click
from click.shell_completion import CompletionItem

from ..checks import printable
from ..measures.registry import METRICS
from ..options import notes_of
from .files import Unranged, shown_name, unpacking_limit, write_whole
from .flags import ELSEWHERE, MetricFlag, flags_of, is_given, metric_flags
from .messages import InputError, in_flags, listed, refuse
from .reading import FORMATS
from .segments import DEFAULT_FIELDS, SQUAD

WIDTH = 80
_COLUMN = 26
_NO_BREAK = "\u2011"
# The short help has the flags that at least this many metrics take.
_COMMON = 3
_SECTIONS = ("Files", "Scores", "Output", "More")


class Shared(Unranged):
    """An option of a command itself, in a section of its help."""

    def __init__(self, *names: Any, section: str = "Scores", **settings: Any) -> None:
        """Store the section."""
        super().__init__(*names, **settings)
        self.section = section

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Leave out sacreBLEU's name of an option."""
        record = super().get_help_record(ctx)
        return record and (record[0].replace(", --metrics", ""), record[1])


def shared(*names: str, **settings: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare an option of a command itself."""
    return click.option(*names, cls=Shared, **settings)


class MetricName(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """The name of a metric or of a score."""

    name = "metric"

    def shell_complete(self, _ctx: Any, _param: Any, incomplete: str) -> list[CompletionItem]:
        """Offer the known names."""
        from .chosen import metric_names

        return [CompletionItem(name) for name in metric_names() if name.startswith(incomplete)]


_OPTIONS: Mapping[str, Callable[..., Any]] = {
    "systems": click.argument("files", nargs=-1, type=click.Path()),
    "predictions": shared(
        "-p", "--predictions", type=click.Path(), multiple=True, metavar="FILE", section="Files",
        help="What to score, as FILES; '-' is standard input.",
    ),
    "inputs": click.option("-i", "--input", "inputs", type=click.Path(), multiple=True, hidden=True),
    "references": shared(
        "-r", "--references", type=click.Path(), multiple=True, metavar="FILE", section="Files",
        help="References; again for more of them per segment.",
    ),
    "names": shared(
        "--name", "names", multiple=True, metavar="TEXT", section="Files", help="Name of the system; once per system.",
    ),
    "kind": shared(
        "--format", "kind", type=click.Choice([*FORMATS, SQUAD]), metavar="FORMAT", section="Files",
        help=f"{', '.join(FORMATS)} or {SQUAD} [by suffix]",
    ),
    "prediction_field": shared(
        "--prediction-field", metavar="NAME", section="Files",
        help=f"Column to score. [default: {DEFAULT_FIELDS['prediction_field']}]",
    ),
    "reference_field": shared(
        "--reference-field", metavar="NAME", multiple=True, section="Files",
        help=f"Column of references. [default: {DEFAULT_FIELDS['reference_field']}]",
    ),
    "metrics": shared(
        "-m", "--metric", "--metrics", "metrics", type=MetricName(), multiple=True, metavar="NAME...",
        help=f"What to compute; see below. [default: {next(iter(METRICS))}]",
    ),
    "output": shared(
        "-o", "--output", type=click.Path(), metavar="FILE", section="Output", help="Write to a file.",
    ),
    "brief": shared("-b", "--brief", is_flag=True, section="Output", help="Print only numbers, one score per line."),
    "as_json": shared("--json", "as_json", is_flag=True, section="Output", help="Print JSON."),
    "width": shared(
        "-w", "--width", type=click.IntRange(0, 17), metavar="N", section="Output",
        help="Decimals. [default: 4, or 2 with --scale 100]",
    ),
    "scale": shared(
        "--scale", type=click.Choice(["1", "100"]), metavar="1|100", section="Output",
        help="Perfect score. [default: 1; 100 with --preset sacrebleu]",
    ),
    "max_unpacked": unpacking_limit,
}  # fmt: skip


def unbroken(record: tuple[str, str]) -> tuple[str, str]:
    """Keep hyphenated names such as "chen-cherry-3" on one line."""
    return record[0], record[1].replace("-", _NO_BREAK)


def takes(*names: str) -> Callable[[click.Command], click.Command]:
    """Declare shared options of a command."""

    def with_options(command: Any) -> Any:
        own: list[click.Parameter] = []

        def holder() -> None:
            """Collect the options."""

        for name in reversed(names):
            _OPTIONS[name](holder)
        own = list(reversed(holder.__click_params__))  # type: ignore[attr-defined]
        command.params = [*own, *command.params]
        return command

    return with_options


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
        from .chosen import is_metric

        spread: list[str] = []
        repeated = ""
        for position, word in enumerate(args):
            if word == "--":
                spread += args[position:]
                break
            if word.partition("=")[0] in ELSEWHERE:
                raise click.UsageError(_ours(word.partition("=")[0]), ctx)
            if repeated and not word.startswith("-") and (repeated == "-i" or is_metric(word) or not _is_file(word)):
                spread.append(repeated)
            else:
                repeated = ""
            spread.append(word)
            if position > 1 and args[position - 2] in ("-r", "--references") and not args[0].startswith("-"):
                self._refuse_second_reference(ctx, args[position - 1], word)
            if position and args[position - 1] in ("-m", "--metric", "--metrics"):
                repeated = "-m"
            if position and args[position - 1] in ("-i", "--input"):
                repeated = "-i"
        try:
            return super().parse_args(ctx, spread)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    @staticmethod
    def _refuse_second_reference(ctx: click.Context, first: str, word: str) -> None:
        """Refuse a second file after -r if the systems came before: it would be read as another system."""
        if not word.startswith("-") and first != "--":
            raise click.UsageError(f"{printable(word)} follows -r {printable(first)}: give each file its own -r", ctx)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples first, then the options of the command, by section."""
        self._write_top(formatter, ctx)
        records = self._records(ctx)
        for section in _SECTIONS:
            with formatter.section(section):
                if records.get(section):
                    formatter.write_dl([*map(unbroken, records[section])], col_max=_COLUMN)
                if section == "Scores":
                    formatter.write_paragraph()
                    formatter.write_text(metrics_line())
        formatter.write_paragraph()
        formatter.write(f"All options of a metric: textgauge help bleu, or {ctx.info_name} --help-all\n")

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
                section = parameter.section if isinstance(parameter, Shared) else "More"
                records[section].append(record)
        return records

    def get_help(self, ctx: click.Context) -> str:
        """Return the help with plain hyphens."""
        return super().get_help(ctx).replace(_NO_BREAK, "-")


def _is_file(word: str) -> bool:
    """Return whether a word after -m may name a file rather than a misspelt metric."""
    from .chosen import near_metrics

    return "." in word or os.sep in word or os.path.exists(word) or not near_metrics(word)


def help_all(context: click.Context, _: click.Parameter, value: bool) -> None:
    """Print the help with all options of all metrics."""
    if not value or context.resilient_parsing:
        return
    command = context.command
    has_reports = isinstance(command, MetricCommand) and command.has_reports
    pages = [
        command.get_help(context),
        *(metric_page(name, is_short=True, with_reports=has_reports) for name in METRICS),
    ]
    click.echo("\n\n".join(pages))
    context.exit()


def _ours(word: str) -> str:
    ours = ELSEWHERE[word]
    return f"there is no option {word}; sacreBLEU's {word} is {ours} here" if ours[0] in "-t" else (
        f"there is no option {word}: {ours}"
    )  # fmt: skip


def metrics_line() -> str:
    """Return the line that says what -m takes."""
    names = [", ".join(measure.named_scores()) for measure in METRICS.values()]
    return f"NAME is a metric or a score: {', '.join(dict.fromkeys([*METRICS, *', '.join(names).split(', ')]))}."


def metric_page(name: str, *, is_short: bool = False, with_reports: bool = True) -> str:
    """Return the help page of one metric: its names, its flags, notes about them."""
    measure = METRICS[name]
    formatter = click.HelpFormatter(width=WIDTH, max_width=WIDTH)
    formatter.write_text(f"{measure.title}: -m {listed([name, *_other_names(name)], 'or')}")
    reported = set(measure.reports_type.__dataclass_fields__)
    flags = [
        flag
        for flag in metric_flags(with_reports=with_reports)
        if name in flag.owners and flag.choice in ("", *_choices(flag, name))
    ]
    own = [flag.record([name]) for flag in flags if flag.option not in reported]
    shown = [flag.record([name]) for flag in flags if flag.option in reported]
    for headline, records in ((f"Options of {name}", own), ("What is reported", shown)):
        if records:
            with formatter.section(headline):
                formatter.write_dl([*map(unbroken, records)], col_max=_COLUMN)
    if not is_short:
        _write_notes(formatter, measure)
    return formatter.getvalue().rstrip("\n").replace(_NO_BREAK, "-")


def _choices(flag: MetricFlag, name: str) -> tuple[str, ...]:
    return flag.owners[name].choices if flag.kind == "flag" else ()


def _other_names(name: str) -> list[str]:
    return [other for other in METRICS[name].named_scores() if other != name]


def _write_notes(formatter: click.HelpFormatter, measure: Any) -> None:
    notes = notes_of(measure.options_type, measure.reports_type, for_python=False)
    text = in_flags(re.sub(r"\bNone\b", "null", notes), {one.name for one in flags_of(measure)})
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


def metrics_of(options: Mapping[str, Any]) -> list[str]:
    """Return the names after -m; without any, that of the first metric."""
    return list(options["metrics"]) or [next(iter(METRICS))]


def systems_of(options: Mapping[str, Any], command: str) -> tuple[list[str], list[str]]:
    """Return the files of the systems and those of the references, however they were given."""
    files, named = list(options["files"]), list(options["predictions"])
    inputs, references = list(options["inputs"]), list(options["references"])
    if inputs and named:
        refuse("--input and --predictions are the same; use one of them")
    if inputs:
        # As in sacreBLEU, other files are references.
        return inputs, [*files, *references]
    if files and named:
        refuse(
            f"give the files to score with -p or without, not both: {shown_name(files[0])}, -p {shown_name(named[0])}"
        )
    if not files and not named:
        refuse(f"nothing to {command}: name a file, as in textgauge {command} hyp.txt -r ref.txt -m bleu")
    return files or named, references


def names_of(systems: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the names of the systems: their files, without folders if that keeps them distinct."""
    if names:
        if len(names) != len(systems):
            refuse(f"--name must be given once per system, {len(systems)} in all")
        return list(map(printable, names))
    short = [shown_name(os.path.basename(path)) for path in systems]
    return short if len(set(short)) == len(set(systems)) else list(map(shown_name, systems))


def fields_of(context: click.Context, options: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns named on the command line, by flag."""
    fields = {name: options[name] for name in DEFAULT_FIELDS if name in options and is_given(context, name)}
    return fields | {name: given[name] for name in DEFAULT_FIELDS if name in given}


def scale_of(options: Mapping[str, Any], given: Mapping[str, Any]) -> float:
    """Return the perfect score: that of --scale, else 100 with sacreBLEU's preset."""
    return float(options["scale"] or (100 if given.get("preset") == "sacrebleu" else 1))


def check_output(output: str | None, inputs: Iterable[str]) -> None:
    """Refuse an output file that is also an input file."""
    for path in inputs:
        if output and os.path.exists(output) and os.path.exists(path) and os.path.samefile(output, path):
            refuse(f"--output would overwrite {path}, which is an input")


def write_output(output: str, text: str) -> None:
    """Write a file, or raise InputError with the reason."""
    try:
        write_whole(output, text)
    except OSError as error:
        reason = os.strerror(error.errno or 0).lower()
        raise InputError(f"--output: cannot write {printable(output)}: {reason}") from error
