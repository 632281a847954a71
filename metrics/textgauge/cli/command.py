"""The words of a command line: files, metrics, and options of metrics by the names that they have in Python."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem

from ..checks import nearest, printable
from ..options import Option
from .files import max_unpacked, shown_name, write_whole, writing
from .messages import listed, refuse
from .metric import DEFAULT, Metric, is_named, metric_names, metric_of, metrics
from .reading import FORMATS
from .request import Request, Scoring
from .segments import DEFAULT_FIELDS, SQUAD, Sides, flag_of
from .table import has_colour

# Between a metric behind -m and its options.
_AND = "\0"
_REPEATED = {"-m": "-m", "--metric": "-m", "--metrics": "-m", "-i": "-i", "--input": "-i"}
_SHORT = {"-t": "--tokenizer", "-n": "--n-resamples"}
_LANGUAGES = "there are no language pairs, choose a tokenizer with -t"
# Flags of sacreBLEU, whose --chrf-beta is --beta here; then former ones of ours.
_ELSEWHERE: Mapping[str, str] = {
    "-tok": "-t or --tokenizer", "--tokenize": "--tokenizer", "-lc": "--lowercase",
    "-s": "--smoothing", "--smooth-method": "--smoothing", "-sv": "--smooth-value",
    "-sl": "--per-segment", "--sentence-level": "--per-segment", "--score-only": "-b or --brief",
    "--paired-bs": "textgauge compare", "--paired-ar": "textgauge compare --test permutation",
    "--paired-bs-n": "-n or --n-resamples", "--paired-ar-n": "-n or --n-resamples",
    "--confidence-n": "-n or --n-resamples", "-l": _LANGUAGES, "--language-pair": _LANGUAGES,
    "--test-set": "there are no test sets, give the files of references with -r",
    "--scale": "the scale belongs to the name of a metric, see textgauge help",
    "--lowercase-ascii": "--lowercase=ascii", "--stem": "--use-stemmer", "--rouge-type": "--rouge-types",
    "--model": "--model-id", "--start-token": "--add-start-token", "--no-start-token": "--no-add-start-token",
}  # fmt: skip
# The characters of tables outside ASCII.
_DRAWN = "━─╸"
# Values as typed, by option; the options of each metric of the line.
Typed = dict[str, list[Any]]
Declared = Mapping[str, Mapping[str, Option]]


_PATH = click.Path()
_FILES = (
    click.argument("files", nargs=-1, type=_PATH),
    click.option("-p", "--predictions", multiple=True, type=_PATH, metavar="FILE",
                 help="What to score, as FILES; '-' is standard input."),
    click.option("-i", "--input", "inputs", multiple=True, type=_PATH, hidden=True),
    click.option("-r", "--references", multiple=True, type=_PATH, metavar="FILE",
                 help="References; again for more of them per segment."),
    click.option("--format", "kind", type=click.Choice([*FORMATS, SQUAD]), metavar="FORMAT",
                 help=f"{', '.join(FORMATS)} or {SQUAD} [by suffix]"),
    click.option("--prediction-field", metavar="NAME",
                 help=f"Column to score. [default: {DEFAULT_FIELDS['prediction_field']}]"),
    click.option("--reference-field", metavar="NAME", multiple=True,
                 help=f"Column of references. [default: {DEFAULT_FIELDS['reference_field']}]"),
    click.option("--name", "names", multiple=True, metavar="TEXT", help="Name of the system; once per system."),
    click.option("-m", "--metric", "--metrics", "metrics", multiple=True, metavar="NAME [OPTION=VALUE]...",
                 shell_complete=lambda _context, _parameter, word: [n for n in metric_names() if n.startswith(word)],
                 help=f"Metrics, each with options of its own. [default: {DEFAULT}]"),
    click.option("-o", "--output", type=_PATH, metavar="FILE", help="Write to a file."),
    max_unpacked,
)  # fmt: skip
_FORMS = (
    click.option("-b", "--brief", is_flag=True, help="Print only numbers, one score per line."),
    click.option("--json", "as_json", is_flag=True, help="Print JSON."),
    click.option("-w", "--width", type=click.IntRange(0, 17), metavar="N",
                 help="Decimals. [default: 4, or 2 of scores up to 100]"),
)  # fmt: skip
_EPILOG = """\b
Options of metrics:
  -m NAME OPTION=VALUE sets an option of one metric, --OPTION VALUE that of all
  that have it; -t is --tokenizer, -n --n-resamples. The metrics: textgauge
  help; the options of one: textgauge help NAME.

\b
Examples:
"""


def metric_command(examples: str, *, has_forms: bool = True, has_reports: bool = False) -> Callable[[Any], Any]:
    """Declare a command with the shared options before its own; see `MetricCommand`.

    `has_forms` adds the options of the forms of the output, `has_reports` the options of what metrics report.
    The command gets the context, and its options as keywords.
    """

    def declared(function: Any) -> Any:
        function = click.pass_context(function)
        for option in reversed([*_FILES, *(_FORMS if has_forms else ())]):
            option(function)
        epilog = _EPILOG + "".join(f"  {line}\n" for line in examples.splitlines())
        settings = {"ignore_unknown_options": True}
        command = click.command(cls=MetricCommand, epilog=epilog, context_settings=settings)(function)
        command.has_reports = has_reports
        return command

    return declared


class MetricCommand(click.Command):
    """A command with its own options; the options of metrics are among its files, see `request_of`."""

    has_reports = False

    @property
    def flags(self) -> list[str]:
        """Its own options as they are typed."""
        return [flag for parameter in self.params if isinstance(parameter, click.Option) for flag in parameter.opts]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Accept several names after one -m, and several files after one -i, as sacreBLEU does."""
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

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Offer its own options, and those of metrics."""
        found = super().shell_complete(ctx, incomplete)
        if incomplete.startswith("--"):
            names = [name for metric in metrics() for name in metric.options(with_reports=self.has_reports)]
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
            words.append(word if word in flags else _SHORT.get(word, word))
            continue
        if position > 1 and args[position - 2] in ("-r", "--references") and not args[0].startswith("-"):
            # The systems came before, so that this file would be another system.
            refuse(f"{word} follows -r {args[position - 1]}: give each file its own -r")
        if repeated and words[-1] not in _REPEATED:
            name, is_option, _ = word.partition("=")
            if repeated == "-m" and is_option and name.isidentifier():
                words[-1] += _AND + word
                continue
            repeated = repeated if repeated == "-i" or _may_be_metric(word) else ""
            words += [repeated] if repeated else []
        words.append(word)
    return words


def _may_be_metric(word: str) -> bool:
    """Return whether a word after -m is a metric, perhaps misspelt, rather than a file."""
    is_file = "." in word or os.sep in word
    if is_named(word) or (is_file and os.path.exists(word)):
        return is_named(word)
    known = metric_names()
    return word in known or not (is_file or os.path.exists(word)) and bool(nearest(word, known, cutoff=0.7))


def chosen_of(context: click.Context, options: Mapping[str, Any]) -> tuple[list[Scoring], list[str], list[str]]:
    """Return the metrics that a command line asks for with their options, the files of systems, and of references."""
    command: Any = context.command
    asked = _asked(options["metrics"] or [DEFAULT])
    declared = {metric.name: metric.options(with_reports=command.has_reports) for metric, _, _ in asked}
    files, shared = _without_options(options["files"], declared, command.flags)
    systems, references = _systems_of({**options, "files": files}, command.name)
    return [_chosen(*one, declared, shared) for one in asked], systems, references


def request_of(context: click.Context, options: Mapping[str, Any], n_systems: int | None = None) -> Request:
    """Return what a command line asks for, checked; `n_systems` is the most that the command takes."""
    command: Any = context.command
    chosen, systems, references = chosen_of(context, options)
    if n_systems is not None and len(systems) > n_systems:
        shown = ", ".join(map(shown_name, systems))
        refuse(f"{command.name} takes one system, got {shown}: give each file of references its own -r, or use compare")
    given = {name: value for one in chosen for name, value in one.given.items()}
    fields = {name: options.get(name) or given.get(name) for name in DEFAULT_FIELDS}
    request = Request(
        chosen,
        _names_of(systems, options["names"]),
        Sides(
            systems, references, options["kind"], {name: value for name, value in fields.items() if value},
            any(one.metric.measure.has_references for one in chosen), options.get("documents"), given.get("prefixes"),
        ),
    )  # fmt: skip
    request.check(options["output"])
    return request


def _asked(words: Sequence[str]) -> list[tuple[Metric, list[str], Typed]]:
    """Return the metrics behind -m, each once, with the requested names and its own options."""
    asked: dict[str, tuple[Metric, list[str], Typed]] = {}
    for word in words:
        named, *settings = word.split(_AND)
        for name in named.split(","):
            metric = metric_of(name)
            _, names, typed = asked.setdefault(metric.name, (metric, [], {}))
            if name in names and (settings or typed):
                refuse(f"{name} is named twice; give its options once")
            names += [name] if name not in names else []
        before = {option: [*values] for option, values in typed.items()}
        for setting in settings:
            option, _, value = setting.partition("=")
            if value not in before.get(option, [value]):
                refuse(f"{metric.name} has {option} twice, {listed([*before[option], value])}: its scores share it")
            typed.setdefault(option, []).append(value)
    return list(asked.values())


def _without_options(words: Iterable[str], declared: Declared, flags: Sequence[str]) -> tuple[list[str], Typed]:
    """Return the files among words, and the options of metrics: the rest of what click does not know."""
    files: list[str] = []
    shared: Typed = {}
    rest = iter(words)
    for word in rest:
        if word == "--":
            return files + [*rest], shared
        if word == "-" or not word.startswith("-"):
            files.append(word)
            continue
        flag, equals, value = word.partition("=")
        option = _option_of(flag, declared)
        if option is None:
            _refuse_unknown(flag, declared, flags)
        is_switch = option.kind == "flag" and not equals
        typed = option.name == _name_of(flag) if is_switch else value if equals else next(rest, None)
        if typed is None:
            refuse(f"{flag} needs a value")
        shared.setdefault(option.name, []).append(typed)
    return files, shared


def _name_of(flag: str) -> str:
    return flag.removeprefix("--").replace("-", "_")


def _option_of(flag: str, declared: Declared) -> Option | None:
    """Return the option of a flag; --no-NAME is that of NAME if it is on or off."""
    name = _name_of(flag)
    for own in (name, name.removeprefix("no_")):
        for options in declared.values():
            if own in options and (own == name or options[own].kind == "flag"):
                return options[own]
    return None


def _refuse_unknown(flag: str, declared: Declared, flags: Sequence[str]) -> NoReturn:
    """Refuse a flag: name the metrics that have it, or the nearest flag."""
    every = {metric.name: metric.options() for metric in metrics()}
    metric, _, own = flag.removeprefix("--").partition("-")
    if metric in every and _option_of(f"--{own}", every):
        refuse(f"there is no option {flag}; it is --{own} here")
    owners = [name for name in every if _option_of(flag, {name: every[name]})]
    if owners and not {*owners} & {*declared}:
        refuse(f"{_name_of(flag)} is an option of {listed(owners)}, not of {listed([*declared], 'or')}")
    known = dict.fromkeys([*flags, *(flag_of(name) for options in declared.values() for name in options)])
    near = [one for one in known if one.startswith(flag) and len(flag) > 3] or nearest(flag, known, cutoff=0.7)[:1]
    refuse(f"there is no option {flag}" + (f"; did you mean {listed(near, 'or')}?" if near else ""))


def _chosen(metric: Metric, names: list[str], typed: Typed, declared: Declared, shared: Typed) -> Scoring:
    """Read the values of the options of a metric, its own before those that it shares."""
    options = declared[metric.name]
    names, fixed = _implied(metric, names)
    alone = [name for name in shared if sum(name in other for other in declared.values()) == 1 and name in options]
    for name in (*typed, *alone):
        if name in fixed:
            refuse(f"{name} cannot be given with -m {listed(names)}, which implies it; "
                   f"use -m {metric.name} with {name}")  # fmt: skip
        if name not in options:
            near = nearest(name, options)
            hint = f"did you mean {listed(near, 'or')}?" if near else f"textgauge help {metric.name} lists them"
            refuse(f"{metric.name} has no option {name!r}; {hint}")
    own = {name: shared[name] for name in shared if name not in fixed and _is_for(name, metric, declared, shared[name])}
    own |= typed
    given = {name: value_of(one, own[name]) for name, one in options.items() if name in own}
    return Scoring(metric, names, fixed, given)


def _implied(metric: Metric, names: list[str]) -> tuple[list[str], dict[str, Any]]:
    """Return the names of scores, or that of the whole metric alone, with the options that they imply."""
    if metric.name in names and metric.find(metric.name) is None:
        usual = metric.measure().score_names
        if {*names} <= {metric.name, *usual}:
            return [metric.name], {}
        names = list(dict.fromkeys(chain(*(usual if name == metric.name else [name] for name in names))))
    fixed: dict[str, Any] = {}
    for _, options in filter(None, map(metric.find, names)):
        for name, value in options.items():
            fixed[name] = (*fixed.get(name, ()), *value) if isinstance(value, tuple) else value
    return names, fixed


def _is_for(name: str, metric: Metric, declared: Declared, typed: Sequence[Any]) -> bool:
    """Return whether a shared value is for this metric, not only for another one among whose choices it is."""
    owners = {owner: options[name] for owner, options in declared.items() if name in options}
    knowing = [owner for owner, option in owners.items() if typed[-1] in option.choices]
    return metric.name in owners and (metric.name in knowing or not knowing)


def value_of(one: Option, typed: Sequence[Any]) -> Any:
    """Return a typed value in the type of the option, which checks it later.

    Examples
    --------
    >>> value_of(Option("order", 3, "", "whole", (), False), ["2"])
    2
    """
    last = typed[-1]
    if isinstance(last, bool) or (last == "None" and one.may_be_none):
        return None if last == "None" else last
    if one.kind == "flag" and last.lower() in ("true", "false"):
        return last.lower() == "true"
    parts = [part for value in typed for part in value.split(",") if part]
    try:
        if one.kind in ("names", "numbers"):
            return parts if one.kind == "names" else list(map(float, parts))
        return {"whole": int, "number": float}.get(one.kind, str)(last)
    except ValueError:
        # The option refuses the text, and says what it takes.
        return last


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
        refuse(f"nothing to {command}: name a file, as in textgauge {command} hyp.txt -r ref.txt")
    return files or named, references


def _names_of(systems: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the names of the systems: their files, without folders if that keeps them distinct."""
    if names:
        if len(names) != len(systems):
            refuse(f"--name must be given once per system, {len(systems)} in all")
        return list(map(printable, names))
    short = [shown_name(os.path.basename(path)) for path in systems]
    return short if len(set(short)) == len(set(systems)) else list(map(shown_name, systems))


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
