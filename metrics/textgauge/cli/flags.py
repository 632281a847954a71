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
from .interrupts import quiet_imports
from .messages import help_in_flags, listed, refuse, spelled

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
_ORDER, _TOKENIZER = 3, "13a"
# In place of options that take Python objects, by the names of these.
_IN_PLACE_OF = {
    "model": (
        Option("ngram_train", None, "Instead of --model-id: train an n-gram model on this file of texts.", "words",
               (), True),
        Option("order", _ORDER, "Order of the n-gram model.", "whole", (), False),
        Option("tokenizer", None, "Tokenizer of the n-gram model.", "tokenizer", (), True, none_means=_TOKENIZER),
    ),
    "model_kwargs": (
        Option("dtype", None, "Number type that the model computes with.", "choice",
               ("auto", "float32", "bfloat16", "float16"), True, none_means="that of transformers"),
    ),
}  # fmt: skip
# For every metric without references.
_OF_TEXTS = (
    Option("prefixes", None, "A file with a context before each text: the model sees it, but it is not scored.",
           "words", (), True),
    Option("prefix_field", None, "Column of --prefixes.", "text", (), True, none_means="prefix"),
)  # fmt: skip


@cache
def extra_options(measure: type[Measure]) -> tuple[Option, ...]:
    """Return the options of a metric that only the command line has."""
    of_python = [one.name for one in options_of(measure.options_type) if one.kind == "python"]
    replacing = [option for name in of_python for option in _IN_PLACE_OF.get(name, ())]
    return (*replacing, *(() if measure.is_paired else _OF_TEXTS))


@cache
def flags_of(measure: type[Measure]) -> tuple[Option, ...]:
    """Return the options of a metric on the command line: its own, those of its report, and `extra_options`."""
    declared = [*options_of(measure.options_type), *options_of(measure.reports_type)]
    return (*filter(has_flag, declared), *extra_options(measure))


def has_flag(one: Option) -> bool:
    """Return whether an option has a flag of its own: those of n-grams are in `extra_options`."""
    return one.kind != "python" and not one.name.startswith("ngram_")


def option_names() -> frozenset[str]:
    """Return the names of all options of all metrics."""
    return _names(tuple(METRICS.values()))


@cache
def _names(measures: tuple[type[Measure], ...]) -> frozenset[str]:
    declared = [one for measure in measures for one in (*flags_of(measure), *options_of(measure.options_type))]
    return frozenset(one.name for one in declared)


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
    kind : str
        The kind of value it takes.
    """

    def __init__(self, option: str, owners: Mapping[str, Option], choice: str = "") -> None:
        """Make the flag; its value stays as typed, since each metric reads it by its own rule."""
        self.option, self.owners, self.choice = option, owners, choice
        self.kind = next(iter(owners.values())).kind
        name = f"{option}_{choice}" if choice else option
        names = [spelled(name), *((_SHORT[option],) if option in _SHORT else ()), *_FORMER.get(option, ())]
        if choice:
            super().__init__([spelled(name), name], default=None, is_flag=True)
        elif self.kind == "flag":
            super().__init__([f"{spelled(name)}/{spelled(f'no_{name}')}", *names[1:], name], default=None)
        else:
            is_list = self.kind in ("names", "numbers")
            super().__init__([*names, name], default=None, metavar=_PLACE.get(self.kind), multiple=is_list)

    @property
    def choices(self) -> list[str]:
        """The names that any of its metrics takes."""
        if self.kind in ("tokenizer", "normalizer"):
            return tokenizer_names(self.kind)
        return list(dict.fromkeys(choice for one in self.owners.values() for choice in one.choices))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """Offer the names it takes."""
        return [CompletionItem(name) for name in self.choices if name.startswith(incomplete) and not self.is_flag]

    def short_record(self) -> tuple[str, str]:
        """Return flag and sentence for the help of a command."""
        own = list(self.owners.values())
        text = min((_text(one) for one in own), key=len)
        defaults = {_default(one) for one in own}
        default = defaults.pop() if len(defaults) == 1 else "default: that of the metric"
        return self._shown(own), f"{text} [{default}]" if default and self.kind != "flag" else text

    def record(self, name: str) -> tuple[str, str]:
        """Return flag and sentence for the help of a metric."""
        one = self.owners[name]
        if self.choice:
            return spelled(str(self.name)), f"The same, {self.choice} only; see {spelled(self.option)}."
        return self._shown([one]), _sentence(one)

    def _shown(self, own: Sequence[Option]) -> str:
        flag, negative = spelled(self.option), spelled(f"no_{self.option}")
        if self.kind != "flag":
            short = f"{_SHORT[self.option]}, " if self.option in _SHORT else ""
            return f"{short}{flag} {_PLACE[self.kind]}"
        if own[0].help.startswith("False "):
            return negative
        return f"{flag}/{negative}" if any(one.default is not False for one in own) else flag


def tokenizer_names(kind: str) -> list[str]:
    """Return the names of all tokenizers, or of all normalizers."""
    from ..text import NORMALIZERS, TOKENIZERS
    from ..text.sacrebleu_tokenizers import NAMES

    return [*TOKENIZERS, *NAMES] if kind == "tokenizer" else list(NORMALIZERS)


def _sentence(one: Option) -> str:
    names = {"normalizer": tokenizer_names(one.kind), "choice": one.choices}.get(one.kind)
    sentence = _text(one) + (f" One of: {', '.join(names)}." if names else "")
    return f"{sentence} [{_default(one)}]" if _default(one) else sentence


def _text(one: Option) -> str:
    text = help_in_flags(one.help, option_names()).replace("that is None", "that is not given")
    if one.kind == "words":
        return text.replace(", or a list", "")
    if one.help.startswith("False "):
        # The flag is a negative one.
        text = text.removeprefix("False ")
        return text[0].upper() + text[1:]
    if one.kind not in ("tokenizer", "normalizer"):
        return text
    # The rest is about functions of Python.
    return text.partition(":")[0].partition(";")[0].rstrip(".") + "."


def _default(one: Option) -> str:
    if one.kind == "flag":
        return ""
    text = one.none_means if one.default is None else str(one.default)
    text = help_in_flags(text.replace('"', ""), option_names())
    return "" if text in ("", "none", "no intervals") else f"default: {text}"


def metric_flags(*, with_reports: bool = True) -> tuple[MetricFlag, ...]:
    """Return the flags of all metrics, with or without those of their reports."""
    return _made(tuple(METRICS.items()), with_reports)


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
    try:
        if one.kind == "numbers":
            return [float(part) for text in typed for part in text.split(",")]
        return {"whole": int, "number": float}.get(one.kind, lambda same: same)(typed)
    except ValueError:
        allowed = "numbers with commas between them, such as 0.5,0.5" if one.kind == "numbers" else one.allowed
        fail(ValueError, one.name, allowed, repr(typed if isinstance(typed, str) else ",".join(typed)))


def with_objects(measure: type[Measure], read: Mapping[str, Any]) -> dict[str, Any]:
    """Replace the options that only the command line has by the Python objects that they stand for."""
    extra = {one.name for one in extra_options(measure)}
    options = {name: value for name, value in read.items() if name not in extra}
    if "ngram_train" in extra and "ngram_train" in read:
        with quiet_imports():
            from ..measures.ngram_model import NgramModel

        model = NgramModel(read.get("order", _ORDER), tokenizer=read.get("tokenizer", _TOKENIZER))
        options["model"] = model.fit(read["ngram_train"])
    if "dtype" in extra and "dtype" in read:
        options["model_kwargs"] = {"dtype": read["dtype"]}
    return options


def check_models(measure: type[Measure], given: Mapping[str, Any], shared: Iterable[str]) -> None:
    """Refuse a missing or a second model, and flags of the other kind of model that no other metric shares."""
    ngrams = {one.name for one in _IN_PLACE_OF["model"]}
    own = {one.name for one in flags_of(measure)} - {one.name for one in options_of(measure.reports_type)}
    if not ngrams <= own:
        return
    if "ngram_train" in given and "model_id" in given:
        refuse("--ngram-train and --model-id both name a model; give one of them")
    if "ngram_train" not in given and "model_id" not in given:
        refuse(f"{measure.name} needs a model: --ngram-train with a file of texts, or --model-id")
    model, wrong = ("ngram_train", own - ngrams) if "ngram_train" in given else ("model_id", ngrams)
    for name in given:
        if name in wrong and name not in shared:
            refuse(f"{spelled(name)} has no effect with {spelled(model)}")


def refuse_foreign(given: Iterable[str], measures: Sequence[type[Measure]]) -> None:
    """Refuse a flag that none of these metrics has, and name the metrics that have it."""
    for name in given:
        owners = [m for m in METRICS.values() if any(name == one.name for one in flags_of(m))]
        if not any(measure in owners for measure in measures):
            chosen = listed([measure.name for measure in measures], "or")
            refuse(f"{spelled(name)} is an option of {listed([m.name for m in owners])}, not of {chosen}")


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


# Names of metrics elsewhere, and flags of sacreBLEU, whose --chrf-beta is --beta here; what to use here.
METRICS_ELSEWHERE: Mapping[str, str] = {"chrf+": "-m chrf --word-order 1", "chrf++": "-m chrf --word-order 2"}
ELSEWHERE: Mapping[str, str] = {
    "-tok": "-t or --tokenizer", "--tokenize": "--tokenizer", "-lc": "--lowercase",
    "-s": "--smoothing", "--smooth-method": "--smoothing", "-sv": "--smooth-value",
    "-sl": "--per-segment", "--sentence-level": "--per-segment", "--score-only": "-b or --brief",
    "--paired-bs": "textgauge compare", "--paired-ar": "textgauge compare --test permutation",
    "--paired-bs-n": "-n or --n-resamples", "--paired-ar-n": "-n or --n-resamples",
    "--confidence-n": "-n or --n-resamples",
    "-l": "there are no language pairs, choose a tokenizer with -t",
    "--language-pair": "there are no language pairs, choose a tokenizer with -t",
    "--test-set": "no test sets, give the files of references with -r",
}  # fmt: skip
