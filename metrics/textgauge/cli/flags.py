"""The flags of the metrics, made from their declared options when a command is called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from ..checks import fail
from ..measures.measure import Measure
from ..measures.registry import METRICS
from ..options import Option, options_of
from . import language_models
from .messages import in_flags, listed, refuse, spelled

# Short names of frequent flags.
_SHORT = {"tokenizer": "-t", "n_resamples": "-n"}
# Former names of these options: still accepted, not shown.
_FORMER = {
    "rouge_types": ("--rouge-type",), "use_stemmer": ("--stem",), "model_id": ("--model",),
    "add_start_token": ("--start-token/--no-start-token",),
}  # fmt: skip
_PLACE = {
    "whole": "N", "number": "X", "numbers": "X,X,...", "names": "NAME,...", "tokenizer": "NAME", "normalizer": "NAME",
    "words": "FILE", "folder": "FOLDER", "model": "NAME", "text": "TEXT", "choice": "NAME",
}  # fmt: skip


class MetricFlag(click.Option):
    """The flag of an option of one or several metrics.

    Attributes
    ----------
    option : str
        The name of the option.
    owners : mapping
        The declaration of each metric, by the metric's name.
    choice : str
        The value that the flag sets, of an option that takes names as well as True and False.
    """

    def __init__(self, option: str, owners: Mapping[str, Option], choice: str = "") -> None:
        """Make the flag; its value stays as typed, since each metric reads it by its own rule."""
        self.option, self.owners, self.choice = option, owners, choice
        name = f"{option}_{choice}" if choice else option
        flag = spelled(name)
        settings: dict[str, Any] = {"is_flag": True} if choice else {"metavar": _PLACE.get(self.kind)}
        if self.kind == "flag" and not choice:
            flag = f"{flag}/--no-{flag[2:]}"
            settings = {}
        if self.kind in ("names", "numbers"):
            settings["multiple"] = True
        names = [] if choice else [*((_SHORT[option],) if option in _SHORT else ()), *_FORMER.get(option, ())]
        super().__init__([flag, *names, name], default=None, **settings)

    @property
    def kind(self) -> str:
        """The kind of value it takes."""
        return next(iter(self.owners.values())).kind

    @property
    def choices(self) -> list[str]:
        """The names that any of its metrics takes."""
        one = next(iter(self.owners.values()))
        if one.kind in ("tokenizer", "normalizer"):
            return tokenizer_names(one.kind)
        return list(dict.fromkeys(choice for one in self.owners.values() for choice in one.choices))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """Offer the names it takes."""
        return [CompletionItem(name) for name in self.choices if name.startswith(incomplete) and not self.is_flag]

    def short_record(self) -> tuple[str, str]:
        """Return flag and sentence for the help of a command."""
        flag, _ = self.record(())
        own = list(self.owners.values())
        text = min((_text(one) for one in own), key=len)
        defaults = {_default(one) for one in own}
        default = defaults.pop() if len(defaults) == 1 else "default: that of the metric"
        return flag, f"{text} [{default}]" if default and self.kind != "flag" else text

    def record(self, names: Iterable[str]) -> tuple[str, str]:
        """Return flag and sentence for the help of the metrics `names`."""
        own = [one for name, one in self.owners.items() if name in names] or list(self.owners.values())
        short = f"{_SHORT[self.option]}, " if self.option in _SHORT and not self.choice else ""
        flag = short + spelled(str(self.name))
        if self.kind != "flag":
            return f"{flag} {_PLACE[self.kind]}", _sentence(own)
        negative = f"--no-{spelled(str(self.name))[2:]}"
        if own[0].help.startswith("False "):
            text = _text(own[0]).removeprefix("False ")
            return negative, text[0].upper() + text[1:]
        if not self.choice and any(one.default is not False for one in own):
            flag += f"/{negative}"
        return flag, f"The same, {self.choice} only; see {spelled(self.option)}." if self.choice else _sentence(own)


def tokenizer_names(kind: str) -> list[str]:
    """Return the names of all tokenizers, or of all normalizers."""
    from ..text import NORMALIZERS, TOKENIZERS
    from ..text.sacrebleu_tokenizers import NAMES

    return [*TOKENIZERS, *NAMES] if kind == "tokenizer" else list(NORMALIZERS)


def _sentence(own: Sequence[Option]) -> str:
    one = own[0]
    text = _text(one)
    if one.kind == "normalizer":
        text += f" One of: {', '.join(tokenizer_names(one.kind))}."
    if one.kind == "choice":
        text += f" One of: {', '.join(dict.fromkeys(choice for one in own for choice in one.choices))}."
    defaults = list(dict.fromkeys(filter(None, map(_default, own))))
    return f"{text} [{'; '.join(defaults)}]" if defaults else text


def _text(one: Option) -> str:
    text = in_flags(one.help, option_names()).replace("that is None", "that is not given")
    if one.kind == "words":
        return text.replace(", or a list", "")
    if one.kind not in ("tokenizer", "normalizer"):
        return text
    # The rest is about functions of Python.
    return text.partition(":")[0].partition(";")[0].rstrip(".") + "."


def _default(one: Option) -> str:
    if one.kind == "flag":
        return ""
    text = one.none_means if one.default is None else str(one.default)
    text = in_flags(text.replace('"', ""), option_names())
    return "" if text in ("", "none", "no intervals") else f"default: {text}"


@cache
def _options(measure: type[Measure]) -> tuple[Option, ...]:
    declared = [*options_of(measure.options_type), *options_of(measure.reports_type)]
    return tuple([*(one for one in declared if one.kind != "python"), *language_models.extra_options(measure)])


def flags_of(measure: type[Measure]) -> tuple[Option, ...]:
    """Return the options of a metric on the command line: its own, those of its report, those that make a model."""
    return _options(measure)


def option_names() -> frozenset[str]:
    """Return the names of all options of all metrics."""
    return _names(tuple(METRICS.values()))


@cache
def _names(measures: tuple[type[Measure], ...]) -> frozenset[str]:
    return frozenset(one.name for measure in measures for one in (*_options(measure), *_of_python(measure)))


def _of_python(measure: type[Measure]) -> tuple[Option, ...]:
    return options_of(measure.options_type)


def metric_flags(*, with_reports: bool = True) -> list[MetricFlag]:
    """Return the flags of all metrics, with or without those of their reports."""
    return list(_made(tuple(METRICS.items()), with_reports))


@cache
def _made(metrics: tuple[tuple[str, type[Measure]], ...], with_reports: bool) -> tuple[MetricFlag, ...]:
    owners: dict[str, dict[str, Option]] = {}
    for name, measure in metrics:
        for one in flags_of(measure):
            if with_reports or one.name not in measure.reports_type.__dataclass_fields__:
                owners.setdefault(one.name, {})[name] = one
    flags = []
    for option, declared in owners.items():
        flags.append(MetricFlag(option, declared))
        if flags[-1].kind == "flag":
            flags += [MetricFlag(option, declared, choice) for choice in flags[-1].choices]
    return tuple(flags)


def given_flags(context: click.Context, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the flags of metrics on the command line, as typed."""
    given: dict[str, Any] = {}
    for flag in context.command.get_params(context):
        if isinstance(flag, MetricFlag) and is_given(context, str(flag.name)):
            given[flag.option] = flag.choice or values[str(flag.name)]
    return given


def is_given(context: click.Context, name: str) -> bool:
    """Return whether a parameter is on the command line."""
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def value_of(one: Option, typed: Any) -> Any:
    """Return a typed value in the type of the option, which checks it later."""
    if one.kind == "names":
        return [name for text in typed for name in text.split(",") if name]
    if one.kind == "numbers":
        return [_number(one, float, part, text) for text in typed for part in text.split(",")]
    if one.kind in ("whole", "number"):
        return _number(one, int if one.kind == "whole" else float, typed, typed)
    return typed


def _number(one: Option, kind: type[int] | type[float], text: str, typed: str) -> float:
    try:
        return kind(text)
    except ValueError:
        allowed = "numbers with commas between them, such as 0.5,0.5" if one.kind == "numbers" else one.allowed
        fail(ValueError, one.name, allowed, repr(typed))


def refuse_foreign(given: Iterable[str], measures: Sequence[type[Measure]]) -> None:
    """Refuse a flag that none of these metrics has, and name the metrics that have it."""
    for name in given:
        if not any(name == one.name for measure in measures for one in flags_of(measure)):
            owners = [m.name for m in METRICS.values() if any(name == one.name for one in flags_of(m))]
            chosen = listed([measure.name for measure in measures], "or")
            refuse(f"{spelled(name)} is an option of {listed(owners)}, not of {chosen}")


def is_for(one: Option, typed: Any, owner: str, measures: Sequence[type[Measure]]) -> bool:
    """Return whether a value is for `owner`, not for another of `measures`; refuse one that is for none of them."""
    if one.kind not in ("choice", "flag") or not isinstance(typed, str) or typed in one.choices:
        return True
    named = [(measure, other) for measure in METRICS.values() for other in flags_of(measure) if other.name == one.name]
    knowing = [measure for measure, other in named if typed in other.choices]
    if any(measure in measures for measure in knowing):
        return False
    if knowing:
        flag = spelled(f"{one.name}_{typed}") if one.kind == "flag" else f"{spelled(one.name)} {typed}"
        refuse(f"{flag} is for {listed([measure.name for measure in knowing])}, not for {owner}")
    return True


# Names of metrics elsewhere, and flags of sacreBLEU; what to use here.
METRICS_ELSEWHERE: Mapping[str, str] = {"chrf+": "-m chrf --word-order 1", "chrf++": "-m chrf --word-order 2"}
ELSEWHERE: Mapping[str, str] = {
    "-tok": "-t or --tokenizer", "--tokenize": "--tokenizer", "-lc": "--lowercase",
    "-s": "--smoothing", "--smooth-method": "--smoothing", "-sv": "--smooth-value",
    "-sl": "--per-segment", "--sentence-level": "--per-segment", "--score-only": "-b or --brief",
    "--paired-bs": "textgauge compare", "--paired-ar": "textgauge compare --test permutation",
    "--paired-bs-n": "-n or --n-resamples", "--paired-ar-n": "-n or --n-resamples",
    "--confidence-n": "-n or --n-resamples",
    "--chrf-char-order": "--char-order", "--chrf-word-order": "--word-order", "--chrf-beta": "--beta",
    "--chrf-whitespace": "--whitespace", "--chrf-lowercase": "--lowercase", "--chrf-eps-smoothing": "--eps-smoothing",
    "--ter-case-sensitive": "--case-sensitive", "--ter-asian-support": "--asian-support",
    "--ter-no-punct": "--no-punct", "--ter-normalized": "--normalized",
    "-l": "there are no language pairs, choose a tokenizer with -t",
    "--language-pair": "there are no language pairs, choose a tokenizer with -t",
    "--test-set": "no test sets, give the files of references with -r",
}  # fmt: skip
