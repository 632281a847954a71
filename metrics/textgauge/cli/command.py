"""The words of commands that take files, metrics, and options of metrics by the names that they have in Python."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ..checks import MAX_UNPACKED, listed, nearest, nearest_options
from ..files.delimited import QUOTINGS
from ..files.file import FORMATS
from ..files.lines import Limits
from ..files.parallel import ROLES, SQUAD, flag_of
from ..files.rows import KEY
from ..lazy import lazy
from ..locations import DEFAULT, HOMES, OF_METRICS, OF_SETS, TABLES
from ..metric.inputs import COLUMNS
from ..metric.metric import Metric, with_defaults
from ..options import Option, kinds_of, meaning, options_of
from .messages import Number, Whole, refusals, refuse, suggestion, wrapped
from .sheet import PAPERS

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ..accumulation.accumulator import Accumulator
    from ..accumulation.named_score import NamedScore

# Between a metric behind -m and its options.
AND = "\0"
# Where the context of a command has the tables among its words.
TABLES_ASKED = "textgauge.tables"
# Values as typed, by option; the options of each metric of the line.
Typed = dict[str, list[Any]]
Declared = Mapping[str, Mapping[str, Option]]
# Where the context of a command has the options of its metrics, and the values that are typed of them.
_DECLARED, _TYPED = "textgauge.declared", "textgauge.typed"
_REPEATED = {
    "-m": "--metric", "--metric": "--metric", "--metrics": "--metric", "-i": "--input", "--input": "--input",
    "--fail-under": "--fail-under", "--pass-at": "--pass-at",
}  # fmt: skip
_OF_METRIC = ("--metric", "--metrics")
# What the later values of an option look like, other than files.
_FORMS = {"--fail-under": re.compile(r"\w+(\(.*\))?=[-+.\w]+"), "--pass-at": re.compile(r"\d+")}
_SHORT = {"-t": "--tokenizer", "-n": "--n-resamples"}
_LANGUAGES = "there are no language pairs, choose a tokenizer with -t"
_TEST_SETS = "there are no test sets, give the files of references with -r"
# The names of sacreBLEU's test sets, whose -t is --test-set.
_TEST_SET = re.compile(r"(wmt|iwslt|mtnt|mtedx|multi30k)[\w./]*\d[\w./]*", re.IGNORECASE)
# A comma and a sign of percent are refused where the number is read.
_NUMBER = re.compile(r"[\d.,]+(e-?\d+)?%?", re.IGNORECASE)
# What a flag means without a value, that of confidence as in sacreBLEU.
_ALONE = {"--confidence": "0.95", "--confusions": "10"}
# Flags of sacreBLEU, whose --chrf-beta is --beta here.
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
}  # fmt: skip


class Once(click.Option):
    """An option that takes one value; a second value is refused, since click would silently replace the first."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        """Take all values that are typed; `MetricCommand` refuses several, and keeps the one, or None."""
        super().__init__(*args, **{**settings, "multiple": True})


def _one_or_several(ctx: click.Context, parameter: click.Parameter, names: tuple[str, ...]) -> Any:  # noqa: ARG001
    """Return the name of a column, the names of the columns of several systems, or None."""
    if len({*names}) < len(names):
        refuse(f"--prediction-field names one column twice: {listed(names)}")
    return names if len(names) > 1 else next(iter(names), None)


_PATH = click.Path()
_LIMIT = Number(min=0, min_open=True)
# What commands share; each takes the part that it has a use for.
SHARED = {
    "files": click.argument("files", nargs=-1, type=_PATH),
    "predictions": click.option("-p", "--predictions", multiple=True, type=_PATH, metavar="FILE",
                                help="What to score; '-' is standard input."),
    "inputs": click.option("-i", "--input", "inputs", multiple=True, type=_PATH, hidden=True),
    "references": click.option("-r", "--references", multiple=True, type=_PATH, metavar="FILE",
                               help="References; -r once for each file."),
    "sources": click.option("-s", "--sources", cls=Once, type=_PATH, metavar="FILE",
                            help="What predictions translate."),
    "file_format": click.option("--format", "file_format", cls=Once, type=click.Choice(FORMATS), metavar="FORMAT",
                                help=" ".join(FORMATS)),
    "any_format": click.option("--format", "file_format", cls=Once, metavar="FORMAT",
                               type=click.Choice([*FORMATS, SQUAD]), help=" ".join((*FORMATS, SQUAD))),
    "prediction_field": click.option("--prediction-field", cls=Once, metavar="NAME",
                                     help=f"Column to score. [default: {ROLES['prediction_field']}]"),
    "prediction_fields": click.option("--prediction-field", multiple=True, metavar="NAME", callback=_one_or_several,
                                      help=f"Columns to score. [default: {ROLES['prediction_field']}]"),
    "reference_field": click.option("--reference-field", metavar="NAME", multiple=True,
                                    help=f"Column of references. [default: {ROLES['reference_field']}]"),
    "source_field": click.option("--source-field", cls=Once, metavar="NAME", help="Column of sources, such as source."),
    "system_field": click.option("--system-field", cls=Once, metavar="NAME",
                                 help="Column of systems. [default: system]"),
    "units": click.option("--units", cls=Once, type=_PATH, metavar="FILE",
                          help="Units that are drawn whole, as documents."),
    "unit_field": click.option("--unit-field", cls=Once, metavar="NAME", help="Column of units, such as doc_id."),
    "speaker_field": click.option("--speaker-field", multiple=True, metavar="NAME",
                                  help="Column of speakers of utterances."),
    "session_field": click.option("--session-field", cls=Once, metavar="NAME",
                                  help="Column of sessions of utterances."),
    "start_field": click.option("--start-field", multiple=True, metavar="NAME", help="Column of when it begins."),
    "end_field": click.option("--end-field", multiple=True, metavar="NAME", help="Column of when it ends."),
    "id_field": click.option("--id-field", cls=Once, metavar="NAME",
                             help=f"Column that joins rows. [default: {KEY}]"),
    "by_position": click.option("--by-position", is_flag=True, help="Pair rows by their numbers, not by ids."),
    "quoting": click.option("--quoting", cls=Once, type=click.Choice(QUOTINGS), metavar="HOW",
                            help=f"Of CSV and TSV: {' or '.join(QUOTINGS)}."),
    "names": click.option("--name", "names", multiple=True, metavar="TEXT",
                          help="Name of the system; once per system."),
    "metrics": click.option("-m", "--metric", "--metrics", "metrics", multiple=True, metavar="NAME",
                            shell_complete=lambda _, __, word: [n for n in metric_names() if n.startswith(word)],
                            help=f"Metrics, scores. [default: {DEFAULT}]"),
    "output": click.option("-o", "--output", cls=Once, type=_PATH, metavar="FILE", help="Write to a file instead."),
    "skip_bad": click.option("--skip-bad", is_flag=True,
                             help="Leave out bad rows, and say how many."),
    # Whoever meets a limit reads its name in the error.
    "max_unpacked": click.option("--max-unpacked", type=_LIMIT, metavar="GIB", hidden=True,
                                 help="Most of packed text. [default: 1]"),
    "max_line": click.option("--max-line", type=_LIMIT, metavar="MIB", hidden=True,
                             help="Most of a line. [default: 256]"),
    "brief": click.option("-b", "--brief", is_flag=True, help="Print only numbers, one score per line."),
    "as_json": click.option("--json", "as_json", is_flag=True, help="Print JSON."),
    "paper": click.option("--table", "paper", type=click.Choice(PAPERS), metavar="FORM",
                          help=f"A table for papers: {' or '.join(PAPERS)}."),
    "percent": click.option("--percent", is_flag=True, help="Show scores from 0 to 1 times 100."),
    "width": click.option("-w", "--width", type=Whole(0, 17), metavar="N",
                          help="Decimals, else 4 (2 up to 100)."),
}  # fmt: skip
_OF_UNITS = ("units", "unit_field")
OF_UTTERANCES = ("speaker_field", "session_field", "start_field", "end_field")
_OF_TABLES = ("paper", "percent")
_OF_SEGMENTS = (*_OF_UNITS, *OF_UTTERANCES)
OF_SYSTEMS = tuple(name for name in SHARED if name not in ("file_format", "prediction_field", *_OF_SEGMENTS))
_OF_SEVERAL = ("any_format", "names", "skip_bad", "prediction_fields", "system_field")
OF_TEXTS = tuple(name for name in SHARED if name not in (*_OF_SEVERAL, *_OF_TABLES, *_OF_SEGMENTS))
# Those of commands that have intervals or tests.
WITH_UNITS = tuple(name for name in SHARED if name not in ("file_format", "prediction_field"))
OF_PAGES = tuple(name for name in WITH_UNITS if name not in ("brief", "as_json", "width", *_OF_TABLES))
# The help of a command is a page however many metrics there are: those that come first are used most.
_N_LISTED = 33
_EPILOG = """\b
Examples:
"""
_OF_METRICS = """
Options of metrics (see textgauge help NAME): of one as -m NAME OPTION=VALUE, of
all that have it as --OPTION VALUE (-t is --tokenizer, -n --n-resamples):
"""


def limits_of(options: Mapping[str, Any]) -> Limits:
    """Return the limits of files that a command line sets."""
    return Limits(options.get("max_unpacked"), options.get("max_line"))


def shared(*names: str) -> Callable[[Any], Any]:
    """Declare some of the options of `SHARED` before the own ones of a command."""

    def declared(function: Any) -> Any:
        for name in reversed(names):
            function = SHARED[name](function)
        return function

    return declared


def metric_command(
    examples: str,
    names: Sequence[str] = OF_SYSTEMS,
    *,
    has_reports: bool = False,
    only: type[Metric] | None = None,
    helps: Mapping[str, str] = {},
    takes_samples: bool = False,
) -> Callable[[Any], Any]:
    """Declare a command with shared options before its own, and those of metrics; see `MetricCommand`.

    `has_reports` adds what metrics report, `only` is the metric of a command that has no -m, `helps` has other
    sentences of its options, empty ones of those that are left out; `takes_samples` says that -m may name a metric of
    two samples. The command gets the context, and its options as keywords; `typed_in` returns those of metrics.
    """

    def declared(function: Any) -> Any:
        epilog = _EPILOG + "".join(f"  {line}\n" for line in examples.splitlines())
        made = click.command(cls=MetricCommand, epilog=epilog)(shared(*names)(click.pass_context(function)))
        made.has_reports, made.example, made.only, made.helps = has_reports, examples.partition("\n")[0], only, helps
        made.takes_samples = takes_samples
        return made

    return declared


def typed_in(context: click.Context) -> Typed:
    """Return the values of options of metrics as they are typed, by name."""
    typed: Typed = context.meta.get(_TYPED, {})
    return typed


class MetricOption(click.Option):
    """An option that metrics of a command line declare; it may be typed several times."""

    def __init__(self, option: Option, about: str, *, hidden: bool) -> None:
        """Take the option and its sentence of help; help does not list a `hidden` option."""
        short = [flag for flag, long in _SHORT.items() if long == flag_of(option.name)]
        # The name of a parameter is that of no other one of the command.
        words = [*short, flag_of(option.name), f"of_metrics_{option.name}"]
        super().__init__(words, multiple=True, expose_value=False, help=about, hidden=hidden, metavar="X",
                         callback=self._keep)  # fmt: skip
        self.option = option

    def _keep(self, context: click.Context, _: click.Parameter, values: tuple[str, ...]) -> None:
        if values:
            context.meta[_TYPED][self.option.name] = [*values]

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the flag of the option, and its sentence of help."""
        record = super().get_help_record(ctx)
        is_switch = record is not None and self.option.kind == "flag"
        return (record[0].removesuffix(" X"), record[1]) if record and is_switch else record


class MetricCommand(click.Command):
    """A command with its own options and those of the metrics that are named behind its -m.

    It reads its words as sacreBLEU does: several names after one -m, several files after one -i.
    """

    has_reports = False
    example = ""
    only: type[Metric] | None = None
    helps: Mapping[str, str] = {}
    takes_samples = False

    @cached_property
    def flags(self) -> dict[str, str]:
        """The command's own options by their flags, in the long form."""
        options = [parameter.opts for parameter in self.params if isinstance(parameter, click.Option)]
        return {flag: flags[-1] for flags in options for flag in flags}

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; --max-unpacked is a limit of the data of its metrics, too."""
        token = MAX_UNPACKED.set(ctx.params.get("max_unpacked"))
        try:
            return super().invoke(ctx)
        finally:
            MAX_UNPACKED.reset(token)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters of the command, those of its metrics, and the help option."""
        of_only = () if self.only is None else self._options(self._declared(()))
        *own, of_help = super().get_params(ctx)
        return [*own, *ctx.meta.get(__name__, of_only), of_help]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Spread the words, and declare the options of the metrics among them."""
        if ctx.resilient_parsing:
            return super().parse_args(ctx, args)
        end = args.index("--") if "--" in args else len(args)
        ctx.meta[_TYPED] = {}
        try:
            words = _named_by_tables(
                _spread(args[:end], self.flags, has_reports=self.has_reports), ctx.meta.setdefault(TABLES_ASKED, [])
            )
            flags = {word.partition("=")[0] for word in words if word.startswith("-")} - self.flags.keys()
            # Most lines have no options of metrics, and need none declared.
            declared = self._declared(_named_in(words)) if flags or "=" in "".join(words) else {}
            ctx.meta[_DECLARED] = declared
            ctx.meta[__name__] = []
            if declared:
                asks_help = flags & {*ctx.help_option_names}
                names = None if asks_help else {_name_of(_SHORT.get(flag, flag)) for flag in flags}
                hidden = self.only is None and not _named_in(words)
                ctx.meta[__name__] = self._options(declared, names, hidden=hidden)
            words = [_switched(word, declared) for word in words] if flags else words
            rest = self._parsed(ctx, words, declared)
            for word in ctx.params["files"] if declared else ():
                _check_place(word, declared)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise
        ctx.params["files"] += tuple(args[end + 1 :])
        return rest

    def _declared(self, named: Sequence[str]) -> Declared:
        """Return the options of the metrics behind -m; names that are unknown are refused when they are read."""
        from ..accumulation.registry import metric_of_samples

        if self.only is not None:
            return {self.only.name: typed_options(self.only, with_reports=self.has_reports)}
        names = (name for word in named or [DEFAULT] for name in map(bare_name, names_in(word)) if "=" not in name)
        found = (find_metric(name) or metric_of_samples(name) for name in names)
        metric_types = {metric_type.name: metric_type for metric_type in found if metric_type is not None}
        return {
            name: typed_options(metric_type, with_reports=self.has_reports)
            for name, metric_type in metric_types.items()
        }

    def _options(
        self, declared: Declared, names: Collection[str] | None = None, *, hidden: bool = False
    ) -> list[MetricOption]:
        """Return the options of metrics for click, other than the command's own: those with these `names`, or all."""
        every = {name: option for options in declared.values() for name, option in options.items()}
        if names is not None:
            every = {name: option for name, option in every.items() if name in names or f"no_{name}" in names}
        helps = {name: self.helps.get(name, _short_meaning(option)) for name, option in every.items()}
        left_out = {name for name in every if flag_of(name) in self.flags or not helps[name]}
        return [
            MetricOption(option, helps[name], hidden=hidden) for name, option in every.items() if name not in left_out
        ]

    def _parsed(self, ctx: click.Context, words: list[str], declared: Declared) -> list[str]:
        try:
            # Click takes what it has read off the list.
            rest = super().parse_args(ctx, [*words])
        except click.NoSuchOption as error:
            # An unknown metric may be why.
            for name in map(bare_name, chain.from_iterable(map(names_in, _named_in(words)))):
                if "=" not in name:
                    metric_of(name)
            # Of several letters click names the first that it does not know.
            is_long = error.option_name.startswith("--")
            flags = [word.partition("=")[0] if is_long else word[: len(error.option_name)] for word in words]
            places = [i for i, flag in enumerate(flags) if flag == error.option_name]
            word, following = (*words[places[0] :], "", "")[:2] if places else (error.option_name, "")
            flag, _, value = word.partition("=")
            _refuse_unknown(flag, value or following, declared, self.flags)
        except click.BadOptionUsage as error:
            if error.option_name in self.flags or "requires an argument" not in error.message:
                raise
            refuse(f"{error.option_name} needs a value")
        for option in self.params:
            if isinstance(option, Once):
                values = ctx.params[option.name]
                if len(values) > 1:
                    refuse(f"{option.opts[-1]} is given {len(values)} times, {listed(values)}: it takes one value")
                ctx.params[option.name] = values[0] if values else None
        return rest

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the command's own options, then the names of those of metrics, first those that all have."""
        super().format_options(ctx, formatter)
        if self.only is not None:
            return
        every = [typed_options(metric, with_reports=self.has_reports) for metric in metrics()]
        offered = {
            name: option for options in every for name, option in options.items() if flag_of(name) not in self.flags
        }
        of_all = [name for name in offered if all(name in options for options in every)]
        reports = {option.name for metric in metrics() for option in options_of(metric.reports_type)}
        common = [
            name
            for name in offered
            if name not in of_all
            and (name in reports or any(options[name].on_page for options in every if name in options))
        ]
        formatter.write(_OF_METRICS)
        formatter.write(wrapped(f"{', '.join(map(flag_of, (of_all + common)[:_N_LISTED]))}, ...", "  "))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer the options of the command, and of metrics."""
        items = super().shell_complete(ctx, incomplete)
        if incomplete.startswith("--"):
            from click.shell_completion import CompletionItem

            every = [self.only] if self.only is not None else metrics()
            names = [name for metric in every for name in typed_options(metric, with_reports=self.has_reports)]
            flags = dict.fromkeys(flag for flag in map(flag_of, names) if flag.startswith(incomplete))
            items += [CompletionItem(flag) for flag in flags if flag not in self.flags]
        return items


def _short_meaning(option: Option) -> str:
    """Return the sentence of an option, as a line of help has it."""
    choices = f": {', '.join(option.choices)}" if option.choices else ""
    return meaning(option).replace("; see the notes", choices).replace(", or your own function", "")


def _switched(word: str, declared: Declared) -> str:
    """Return the flag of an option of metrics as it is declared; --NAME of a switch has a value, as has --no-NAME."""
    flag, equals, value = word.partition("=")
    if not word.startswith("--") or not declared:
        return word
    name = _name_of(flag)
    for own, is_on in ((name, "true"), (name.removeprefix("no_"), "false")):
        option = next((options[own] for options in declared.values() if own in options), None)
        if option is not None and (own == name or (option.kind == "flag" and not equals)):
            return (
                f"{flag_of(own)}={is_on}" if option.kind == "flag" and not equals else f"{flag_of(own)}{equals}{value}"
            )
    return word


def _spread(args: list[str], flags: Mapping[str, str], *, has_reports: bool) -> list[str]:
    """Repeat -m and -i before each of their values; refuse flags of sacreBLEU, and a second file after -r.

    An option behind its metric without an equals sign is refused, too; `has_reports` includes those of the report.
    Short flags become long ones, but for a last one, which click names where its value is missing: click compares a
    short one with all long ones first.
    """
    words: list[str] = []
    repeated = ""
    last = len(args) - 1
    for position, word in enumerate(args):
        if word.startswith("-") and word != "-":
            flag = word.partition("=")[0]
            if flag not in flags and (ours := _ELSEWHERE.get(flag)):
                is_one = ours.startswith(("-", "textgauge"))
                refuse(f"there is no option {flag}; " + (f"it is {ours} here" if is_one else ours))
            repeated = _REPEATED.get(flag, "")
            following = args[position + 1] if position < last else ""
            if word == "-t" and _TEST_SET.fullmatch(following):
                refuse(f"-t is --tokenizer here; {_TEST_SETS}")
            if word in _ALONE and not _NUMBER.fullmatch(following):
                word = f"{word}={_ALONE[word]}"
            long, _, value = word.partition("=")
            if value and long in _OF_METRIC and long in flags and not value.startswith("-"):
                words += [long, value]
                continue
            own = flags.get(word, "") if position < last else word if word in flags else ""
            words.append(own or _SHORT.get(word, word))
            continue
        name, is_option, _ = word.partition("=")
        is_option = is_option if name.isidentifier() else ""
        if position > 1 and args[position - 2] in ("-r", "--references") and not (args[0].startswith("-") or is_option):
            # The systems came before, so that this file would be another system.
            refuse(f"{word} follows -r {args[position - 1]}: give each file its own -r")
        if repeated and words[-1] not in _REPEATED:
            if repeated == "--metric" and is_option:
                words[-1] += AND + word
                continue
            if repeated == "--metric":
                following = args[position + 1] if position < last else ""
                _check_equals(word, following, words[-1], flags, has_reports=has_reports)
            form = _FORMS.get(repeated)
            if (repeated == "--metric" and not _is_metric(word)) or (form and not form.fullmatch(word)):
                repeated = ""
            words += [repeated] if repeated else []
        words.append(word)
    return words


def _check_equals(word: str, following: str, behind: str, flags: Collection[str], *, has_reports: bool) -> None:
    """Refuse the name of an option behind a metric as a word of its own, also one that is almost right."""
    typed_name = bare_name(names_in(behind)[-1])
    if os.path.exists(word) or find_metric(word) is not None or (metric := find_metric(typed_name)) is None:
        return
    name, value = _name_of(word), "" if following.startswith("-") else following
    options = typed_options(metric, with_reports=has_reports)
    if flag_of(name) in flags and name not in options:
        parameters = click.get_current_context().command.params
        is_switch = any(flag_of(name) in one.opts and getattr(one, "is_flag", False) for one in parameters)
        refuse(f"{word} is an option: {flag_of(name)} {'' if is_switch else value}".rstrip())
    if name not in options:
        begun = [option for option in options if option.startswith(name) and len(name) > 3][:1]
        near = begun or nearest_options(name, options, cutoff=0.7)[:1]
        # A metric that is misspelt is answered where it is read.
        is_metric = not begun and nearest(word, [*near, *metric_names()])[:1] == nearest(word, metric_names())[:1]
        name = name if is_metric else near[0]
    if name in options:
        is_switch, value = options[name].kind == "flag", value or "VALUE"
        typed, spaced = ("true", "") if is_switch else (value, f" {value}")
        what = f"{word} is an option" if name == _name_of(word) else f"there is no option {word}, {name} is one"
        refuse(f"{what} of {metric.name}: -m {typed_name} {name}={typed}, or {flag_of(name)}{spaced}")


def _named_in(words: Sequence[str]) -> list[str]:
    """Return the words behind -m."""
    return [words[i + 1] for i, word in enumerate(words[:-1]) if word in _OF_METRIC]


def _named_by_tables(words: Sequence[str], tables: list[str]) -> list[str]:
    """Replace the name of a table behind -m by the names in the table, and add the table to `tables`."""
    before, replaced = "", list[str]()
    for word in words:
        names = names_in(word) if before in _OF_METRIC else []
        before = word
        if not {*names} & {*TABLES}:
            replaced.append(word)
            continue
        if AND in word:
            refuse(f"{names[0]} stands for metrics with options of their own: -m {' '.join(TABLES[names[0]])}")
        tables += [name for name in names if name in TABLES]
        first, *others = (score_name.replace(" ", AND) for name in names for score_name in TABLES.get(name, (name,)))
        replaced.append(first)
        for other in others:
            replaced += ["--metric", other]
    return replaced


def _is_metric(word: str) -> bool:
    """Return whether a word after -m is a metric, or metrics with commas, rather than a file; refuse a misspelt one."""
    if len(names := names_in(word)) > 1 and not os.path.exists(word):
        return all(map(_is_metric, names))
    word = bare_name(word) if word.endswith(")") and not os.path.exists(word) else word
    if word in TABLES:
        return True
    if word in HOMES or "." in word or os.sep in word:
        return word in HOMES
    from ..accumulation.registry import OF_PAPERS

    is_metric = find_metric(word) is not None
    if not is_metric and word.lower() in OF_PAPERS and not os.path.exists(word):
        metric_of(word)
    if not is_metric and not os.path.exists(word) and (near := nearest(word, metric_names())):
        refuse(f"{word} is neither a metric nor a file; did you mean {near[0]}?")
    return is_metric


def metrics() -> Iterator[type[Metric]]:
    """Yield all metrics, the default first."""
    from ..accumulation.registry import METRICS

    yield from map(METRICS.__getitem__, dict.fromkeys([DEFAULT, *METRICS]))


def metric_names(metric: type[Metric] | None = None) -> list[str]:
    """Return the names of a metric, or of all, and of the scores, without open families."""
    names = ([metric_type.name, *metric_type.scores.names] for metric_type in ([metric] if metric else metrics()))
    return [name for of_one in names for name in dict.fromkeys(of_one) if name != "..."]


def find_metric(name: str) -> type[Metric] | None:
    """Return the metric that has this name, or has a score of this name; None if there is none."""
    from ..accumulation.registry import METRICS

    name = bare_name(name)
    # Others need not be imported.
    own = METRICS.get(name)
    return own or next((metric_type for metric_type in metrics() if name and metric_type.scores.named(name)), None)


def metric_of(name: str) -> type[Metric]:
    """Return the metric of a name; refuse an unknown one with the nearest."""
    from ..accumulation.registry import OF_PAPERS, metric_of_samples

    metric = find_metric(name)
    if metric is None:
        name = bare_name(name)
        if ours := OF_PAPERS.get(name.lower()):
            quoted = f'"{ours}"' if "'" in ours else shlex.quote(ours)
            refuse(f"there is no metric {name!r}; it is -m {quoted} here")
        if (of_samples := metric_of_samples(name)) is not None:
            if getattr(click.get_current_context().command, "takes_samples", False):
                return of_samples
            refuse(f"{name} compares two samples of texts, no pairs: textgauge score takes it")
        if name in OF_SETS:
            refuse(f"{name} scores a whole set of texts: it is a command of its own, textgauge {name}")
        if name in OF_METRICS:
            refuse(module_alone(name))
        refuse(f"there is no metric {name!r}; {suggestion(name, metric_names())}")
    return metric


def module_alone(name: str) -> str:
    """Return the message for a module made of metrics, which the command line does not have."""
    return f"{name} is a module alone: evaluate.load('metrics/{name}')"


def question_of(metric: type[Metric]) -> str:
    """Return the question that a metric answers."""
    return metric.about.explain(metric.name).question


def typed_options(metric: type[Metric], *, with_reports: bool = True) -> dict[str, Option]:
    """Return the options of a metric that can be typed, by name; `with_reports` includes those of the report."""
    options_types = (metric.options_type, *((metric.reports_type,) if with_reports else ()))
    every = chain(*map(options_of, options_types), columns_of(metric))
    return {option.name: option for option in every if option.kind not in ("labels", "python")}


def columns_of(metric: type[Metric]) -> tuple[Option, ...]:
    """Return the files of columns that a metric reads beside those of every command, and the fields in them."""
    options: list[Option] = []
    for name in metric.inputs.names:
        options += _OF_COLUMNS.get(name, ())
    if files := metric.inputs.context:
        about = f"Column of documents, of any file with columns; instead of `{files}`."
        options.append(Option("context_field", None, about, "text", (), True))
    return tuple(options)


def _of_column(name: str) -> tuple[Option, Option]:
    """Return the options of a column: its file, and its field in a file with columns."""
    about, alone = COLUMNS[name][1], name.removesuffix("es")
    return (
        Option(name, None, f"A file with {about[0].lower()}{about[1:]}", "words", (), True),
        Option(f"{alone}_field", None, f"Column of `{name}`.", "text", (), True, none_means=alone),
    )


# Of the columns for which the commands have no options of their own.
_OF_COLUMNS = {name: _of_column(name) for name in COLUMNS if name not in ("predictions", "references", "sources")}


@dataclass(frozen=True, eq=False)
class Scoring:
    """The scores that are asked of one metric with the same options, which share an accumulator.

    Attributes
    ----------
    metric : class
    scores : sequence of NamedScore
        All with the options that are typed: in brackets, behind the name, or for all metrics.
    brackets : str
        The options that are typed in brackets: results name the scores with these alone.
    options, reports : dict
        The typed options of the metric, and those of its `score`.
    fixed : mapping
        The options that the names of the scores imply, all together.
    columns : mapping
        The files of columns beside predictions and references, and the fields in them, by option.
    """

    metric: type[Metric]
    scores: Sequence[NamedScore]
    brackets: str
    options: dict[str, Any]
    reports: dict[str, Any]
    fixed: Mapping[str, Any]
    columns: Mapping[str, Any]

    @lazy
    def is_whole(self) -> bool:
        """Whether the metric is asked for by its own name."""
        return any(score.is_metric for score in self.scores)

    @lazy
    def title(self) -> str:
        """The metric as it is typed."""
        return self.metric.name + self.brackets

    @lazy
    def labels(self) -> list[str]:
        """The scores as they are typed."""
        return [score.name + self.brackets for score in self.scores]

    def named(self, label: str) -> str:
        """Return the key of the score that has a typed name; empty if the metric has no such score."""
        name, bracket, rest = label.partition("(")
        score = self.metric.scores.named(name) if bracket + rest == self.brackets else None
        return score[0] if score else ""

    def keys(self, accumulator: Accumulator) -> dict[str, str]:
        """Return the key of every score by its name, as it is typed; `accumulator` has the options."""
        if any(score.has_several for score in self.scores):
            return {key + self.brackets: key for key in accumulator.metric.scores.keys}
        return {score.name + self.brackets: score.key for score in self.scores}

    @lazy
    def files(self) -> dict[str, str]:
        """The typed files of texts, by option."""
        files, kinds = dict[str, str](), kinds_of(self.metric.options_type)  # type: ignore[arg-type]
        for name, value in self.options.items():
            if kinds[name] in ("texts", "groups") and isinstance(value, str):
                files[name] = value
        for name, value in self.columns.items():
            if not name.endswith("_field"):
                files[name] = value
        return files


def scorings_of(context: click.Context, words: Sequence[str]) -> tuple[list[Scoring], list[str]]:
    """Return the scores that the words behind -m ask for, metric by metric, and their names in the order of the line.

    Their options are those behind their names, and those that the line of the `context` has for all metrics.
    """
    has_reports = context.command.has_reports  # type: ignore[attr-defined]
    groups: dict[tuple[str, str], list[NamedScore]] = {}
    behind: dict[tuple[str, str], Typed] = {}
    labels = []
    for word in words:
        _, *settings = word.split(AND)
        for text in names_in(word):
            metric = metric_of(text)
            if not metric.inputs.is_paired and "(" in text:
                refuse(f"{metric.name} has its options behind it: -m {metric.name} OPTION=VALUE")
            score = _score_of(text, has_reports=has_reports)
            labels.append(str(score))
            if "(" in text and settings:
                refuse(f"{text} has its options in brackets: {settings[0]} goes there, too")
            key = metric.name, score.brackets
            group, typed = groups.setdefault(key, []), behind.setdefault(key, {})
            if (settings or typed) and score.name in [one.name for one in group]:
                refuse(
                    f"{score.name} is named twice; give its options once, or each in brackets: "
                    f"-m '{score.name}(OPTION=VALUE)'"
                )
            group.append(score)
        before = {**typed}
        for setting in settings:
            option, _, value = setting.partition("=")
            if value not in before.get(option, [value]):
                twice = listed([*before[option], value])
                refuse(f"{metric.name} has {option} twice, {twice}: its scores share it")
            typed[option] = [*typed.get(option, ()), value]
    declared: Declared = context.meta.get(_DECLARED, {})
    every = [_scoring(group, behind[key], declared, typed_in(context)) for key, group in groups.items()]
    return every, labels


def _scoring(group: Sequence[NamedScore], typed: Typed, declared: Declared, shared: Typed) -> Scoring:
    """Return scores of one metric with their options: those that are their own before those that metrics share."""
    from ..accumulation.named_score import NamedScore

    asked = group if len(group) == 1 else _without_twins(group)
    metric, fixed = asked[0].metric, _implied(asked)
    options, values = declared.get(metric.name, {}), dict[str, Any]()
    for name, texts in typed.items():
        if name in fixed:
            _refuse_implied(name, asked)
        if name not in options:
            near = nearest_options(name, options)
            hint = f"did you mean {listed(near, 'or')}?" if near else f"textgauge help {metric.name} lists them"
            refuse(f"{metric.name} has no option {name!r}; {hint}")
        values[name] = options[name].value_of(texts)
    for name, texts in shared.items():
        owners = [owner for owner, every in declared.items() if name in every]
        if name in fixed and owners == [metric.name]:
            _refuse_implied(name, asked)
        # A value goes to those among whose choices it is, if there are any.
        takers = [owner for owner in owners if texts[-1] in declared[owner][name].choices] or owners
        if metric.name in takers and name not in fixed:
            values.setdefault(name, options[name].value_of(texts))
    for score in group:
        values |= score.given
    if not values:
        return Scoring(metric, asked, group[0].brackets, {}, {}, fixed, {})
    columns = {option.name: values.pop(option.name) for option in columns_of(metric) if option.name in values}
    if values:
        with refusals(metric.name):
            asked = [NamedScore(one.name, values, has_reports=True, takes_samples=True) for one in asked]
    own, of_score = [
        {name: values[name] for name in kinds_of(options_type) if name in values}  # type: ignore[arg-type]
        for options_type in (metric.options_type, metric.reports_type)
    ]
    return Scoring(metric, asked, group[0].brackets, own, of_score, fixed, columns)


def _refuse_implied(name: str, asked: Sequence[NamedScore]) -> NoReturn:
    names, metric = listed([score.name for score in asked]), asked[0].metric.name
    refuse(f"{name} cannot be given with -m {names}, which implies it; use -m {metric} with {name}")


def _without_twins(group: Sequence[NamedScore]) -> list[NamedScore]:
    """Return scores of one metric, each once: one that is the metric itself stands for those of its defaults.

    A metric without a main score becomes these where others are asked for, too, such as rouge7 beside rouge.
    """
    by_name: dict[str, NamedScore] = {}
    whole: NamedScore | None = None
    for score in group:
        by_name[score.name] = score
        whole = score if score.has_several else whole
    if whole is None:
        return [*by_name.values()]
    every = with_defaults(whole.metric).scores.keys
    if {*by_name} <= {whole.name, *every}:
        return [whole]
    names = chain.from_iterable(every if name == whole.name else [name] for name in by_name)
    return [type(whole)(name) for name in dict.fromkeys(names)]


def _implied(scores: Sequence[NamedScore]) -> dict[str, Any]:
    """Return the options that the names of scores imply, all together."""
    fixed: dict[str, Any] = {}
    for score in scores:
        for name, value in score.fixed.items():
            fixed[name] = (*fixed.get(name, ()), *value) if isinstance(value, tuple) else value
    return fixed


def names_in(word: str) -> list[str]:
    """Return the metrics in a word behind -m, which has commas between them.

    Examples
    --------
    >>> names_in("bleu,rouge(rouge_types=['rouge1', 'rougeL'])")
    ['bleu', "rouge(rouge_types=['rouge1', 'rougeL'])"]
    """
    names, depth, quote = [""], 0, ""
    for character in word.partition(AND)[0]:
        if character == "," and not depth:
            names.append("")
            continue
        names[-1] += character
        if depth and character in "'\"":
            quote = "" if character == quote else quote or character
        depth += 0 if quote else (character in "([{") - (character in ")]}")
    return names


def bare_name(name: str) -> str:
    """Return the name of a metric or score without its options."""
    return name.partition("(")[0].strip()


def _score_of(text: str, *, has_reports: bool) -> NamedScore:
    """Return the value that the text of a known metric or score stands for."""
    from ..accumulation.named_score import NamedScore

    with refusals("-m"):
        return NamedScore.of(text.strip(), has_reports=has_reports, takes_samples=True)


def score_label(name: str) -> str:
    """Return a name as results have it: its options in their canonical form."""
    return str(_score_of(name, has_reports=True)) if "(" in name else name


def _check_place(word: str, declared: Declared) -> None:
    """Refuse an option of a metric that does not follow the metric."""
    name, is_option, _ = word.partition("=")
    if is_option and name.isidentifier() and not os.path.exists(word):
        owner = next((metric for metric, options in declared.items() if name in options), next(iter(declared)))
        refuse(f"{word} belongs right behind its metric: -m {owner} {word}")


def _name_of(flag: str) -> str:
    return flag.removeprefix("--").replace("-", "_")


def _option_of(flag: str, declared: Declared) -> Option | None:
    """Return the option of a flag; --no-NAME is that of NAME if it is on or off."""
    name = _name_of(flag)
    named = [options[name] for options in declared.values() if name in options]
    switches = [options.get(name.removeprefix("no_")) for options in declared.values()]
    return next(iter([*named, *(switch for switch in switches if switch and switch.kind == "flag")]), None)


def _refuse_unknown(flag: str, value: str, declared: Declared, flags: Collection[str]) -> NoReturn:
    """Refuse a flag: name the metrics that have it, or the nearest flag."""
    every = {metric.name: typed_options(metric) for metric in metrics()}
    metric, _, own = flag.removeprefix("--").partition("-")
    if metric in every and _option_of(f"--{own}", every):
        refuse(f"there is no option {flag}; it is --{own} here")
    known = dict.fromkeys([*map(_name_of, flags), *(own for options in declared.values() for own in options)])
    name = _name_of(flag)
    near = nearest_options(name, known, cutoff=1)
    near = near or [own for own in known if own.startswith(name) and len(flag) > 3]
    near = near or sorted((own for own in known if name.startswith(f"{own}_")), key=len)[-1:]
    near = near or nearest_options(name, known, cutoff=0.62)[:1]
    within = [own for own in known if any(part.startswith(name) for part in own.split("_")) and len(name) > 3]
    near = near or within
    hint = f"; did you mean {listed([*map(flag_of, near)], 'or')}?" if near else ""
    owners = [metric for metric in every if _option_of(flag, {metric: every[metric]})]
    if owners and not {*owners} & {*declared}:
        if value in HOMES:
            hint = "; leave it out" + (f", or name the metric {value}" if value not in declared else "")
        refuse(f"{name} is an option of {listed(owners)}, not of {listed([*declared], 'or')}{hint}")
    if flag.startswith("--") and not within and (others := _commands_with(flag)):
        refuse(
            f"there is no option {flag} here; it is one of {listed([f'textgauge {other}' for other in others], 'or')}"
        )
    everywhere = dict.fromkeys(own for options in every.values() for own in options)
    if not near and (other := nearest_options(name, everywhere, cutoff=0.7)[:1]):
        owners = [metric for metric in every if other[0] in every[metric]]
        hint = f"; did you mean {flag_of(other[0])}, an option of {listed(owners)}?"
    refuse(f"there is no option {flag}{hint}")


def _commands_with(flag: str) -> list[str]:
    """Return the names of the commands that have a flag of their own, or as an option of what metrics report."""
    # Imported here: it imports the commands, and only a wrong line needs all of them.
    from .main import COMMANDS, main

    def has(command: Any) -> bool:
        if any(flag in parameter.opts for parameter in command.params):
            return True
        if not isinstance(command, MetricCommand) or not command.has_reports:
            return False
        owners = [command.only] if command.only is not None else metrics()
        return any(option.name == _name_of(flag) for owner in owners for option in options_of(owner.reports_type))

    return [name for name in COMMANDS if has(main.get_command(None, name))]
