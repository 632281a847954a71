"""The metrics behind -m, and their options by the names that they have in Python.

No other file of the program knows a single metric.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from ..checks import nearest
from ..locations import METRICS as NAMES
from ..locations import OF_SETS
from ..options import Option, options_of
from .messages import listed, refuse, suggestion
from .segments import flag_of

if TYPE_CHECKING:
    from ..accumulation.accumulator import Accumulator
from ..accumulation.metric import Metric

DEFAULT = "sacrebleu"
# Between a metric behind -m and its options.
AND = "\0"
# Values as typed, by option; the options of each metric of the line.
Typed = dict[str, list[Any]]
Declared = Mapping[str, Mapping[str, Option]]


def metrics() -> Iterator[type[Metric]]:
    """Yield all metrics, the default first."""
    from ..accumulation.registry import METRICS

    yield from map(METRICS.__getitem__, dict.fromkeys([DEFAULT, *METRICS]))


def metric_names(metric: type[Metric] | None = None) -> list[str]:
    """Return the names of a metric, or of all, and of the scores, without open families."""
    names = ([one.name, *one.names_of_scores()] for one in ([metric] if metric else metrics()))
    return [name for of_one in names for name in dict.fromkeys(of_one) if name != "..."]


def find_metric(name: str) -> type[Metric] | None:
    """Return the metric of a name, its own or that of one of its scores."""
    from ..accumulation.registry import METRICS

    # Others need not be imported.
    return METRICS[name] if name in METRICS else next((one for one in metrics() if one.score_called(name)), None)


def metric_of(name: str) -> type[Metric]:
    """Return the metric of a name; refuse an unknown one with the nearest."""
    from ..accumulation.registry import OF_PAPERS

    found = find_metric(name)
    if found is None:
        if ours := OF_PAPERS.get(name.lower()):
            refuse(f"there is no metric {name!r}; it is -m {' '.join(ours)} here")
        if name in OF_SETS:
            refuse(f"{name} scores a whole set of texts: it is a command of its own, textgauge {name}")
        refuse(f"there is no metric {name!r}; {suggestion(name, metric_names())}")
    return found


def question_of(metric: type[Metric]) -> str:
    """Return the question that a metric answers."""
    return metric.about.explain(metric.name).question


def typed_options(metric: type[Metric], *, with_reports: bool = True) -> dict[str, Option]:
    """Return the options of a metric that can be typed, by name; without those of its report on demand."""
    kinds = (metric.options_type, *((metric.reports_type,) if with_reports else ()))
    every = chain(*map(options_of, kinds), metric.columns)
    return {one.name: one for one in every if one.kind != "python"}


@dataclass(frozen=True)
class Scoring:
    """The requested scores of one metric, which share an accumulator.

    Attributes
    ----------
    metric : class
    names : sequence of str
        The requested names, of the metric itself or of its scores.
    fixed, options : mapping
        The options that the names imply, and those that are typed.
    reports, columns : mapping
        What else is typed: options of the report, and columns of text beside predictions and references.
    """

    metric: type[Metric]
    names: Sequence[str]
    fixed: Mapping[str, Any]
    options: Mapping[str, Any]
    reports: Mapping[str, Any]
    columns: Mapping[str, Any]

    def keys(self, measure: Accumulator) -> dict[str, str]:
        """Return the key of every score by its requested name; `measure` has the options."""
        found = {name: self.metric.score_called(name) for name in self.names}
        if not all(found.values()):
            return {key: key for key in measure.metric.score_names}
        return {name: score[0] for name, score in found.items() if score}

    @property
    def files(self) -> dict[str, str]:
        """The typed files of texts, by option."""
        kinds = {one.name: one.kind for one in (*options_of(self.metric.options_type), *self.metric.columns)}
        typed = {name: value for name, value in self.options.items() if kinds[name] == "texts"}
        return typed | {name: value for name, value in self.columns.items() if kinds[name] == "words"}


class _Asked(NamedTuple):
    """A metric behind -m, the names it has there, and its own options."""

    metric: type[Metric]
    names: list[str]
    typed: Typed


def scorings_of(
    words: Sequence[str], rest: Iterable[str], flags: Sequence[str], *, with_reports: bool
) -> tuple[list[Scoring], list[str]]:
    """Return the metrics behind -m with their options, which are there or among the rest of a line, and its files.

    `flags` are those of the command itself.
    """
    asked = _asked(words)
    declared = {one.metric.name: typed_options(one.metric, with_reports=with_reports) for one in asked}
    files, shared = _without_options(rest, declared, flags)
    return [_scoring(one, declared, shared) for one in asked], files


def _asked(words: Sequence[str]) -> list[_Asked]:
    """Return the metrics behind -m, each once."""
    every: dict[str, _Asked] = {}
    for word in words:
        named, *settings = word.split(AND)
        for name in named.split(","):
            metric = metric_of(name)
            one = every.setdefault(metric.name, _Asked(metric, [], {}))
            if name in one.names and (settings or one.typed):
                refuse(f"{name} is named twice; give its options once")
            one.names.extend([name] if name not in one.names else [])
        before = {option: [*values] for option, values in one.typed.items()}
        for setting in settings:
            option, _, value = setting.partition("=")
            if value not in before.get(option, [value]):
                refuse(f"{metric.name} has {option} twice, {listed([*before[option], value])}: its scores share it")
            one.typed.setdefault(option, []).append(value)
    return [*every.values()]


def _without_options(words: Iterable[str], declared: Declared, flags: Sequence[str]) -> tuple[list[str], Typed]:
    """Return the files among words, and the options of metrics: the rest of what click does not know."""
    files: list[str] = []
    shared: Typed = {}
    rest = iter(words)
    for word in rest:
        if word == "--":
            return files + [*rest], shared
        if word == "-" or not word.startswith("-"):
            _check_place(word, declared)
            files.append(word)
            continue
        flag, equals, value = word.partition("=")
        option = _option_of(flag, declared)
        if option is None:
            _refuse_unknown(flag, value or next(rest, ""), declared, flags)
        is_switch = option.kind == "flag" and not equals
        typed = option.name == _name_of(flag) if is_switch else value if equals else next(rest, None)
        if typed is None:
            refuse(f"{flag} needs a value")
        shared.setdefault(option.name, []).append(typed)
    return files, shared


def _check_place(word: str, declared: Declared) -> None:
    """Refuse an option of a metric that does not follow it."""
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
    return next(iter([*named, *(one for one in switches if one and one.kind == "flag")]), None)


def _refuse_unknown(flag: str, value: str, declared: Declared, flags: Sequence[str]) -> NoReturn:
    """Refuse a flag: name the metrics that have it, or the nearest flag."""
    every = {metric.name: typed_options(metric) for metric in metrics()}
    metric, _, own = flag.removeprefix("--").partition("-")
    if metric in every and _option_of(f"--{own}", every):
        refuse(f"there is no option {flag}; it is --{own} here")
    owners = [name for name in every if _option_of(flag, {name: every[name]})]
    if owners and not {*owners} & {*declared}:
        hint = "; leave it out" + (f", or name the metric {value}" if value not in declared else "")
        hint = hint if value in NAMES else ""
        refuse(f"{_name_of(flag)} is an option of {listed(owners)}, not of {listed([*declared], 'or')}{hint}")
    known = dict.fromkeys([*flags, *(flag_of(name) for options in declared.values() for name in options)])
    near = [one for one in known if one.startswith(flag) and len(flag) > 3] or nearest(flag, known, cutoff=0.7)[:1]
    refuse(f"there is no option {flag}" + (f"; did you mean {listed(near, 'or')}?" if near else ""))


def _scoring(asked: _Asked, declared: Declared, shared: Typed) -> Scoring:
    """Read the values of the options of a metric, its own before those that it shares."""
    metric, typed = asked.metric, asked.typed
    options = declared[metric.name]
    names, fixed = _implied(metric, asked.names)
    owners = {name: {one: every[name] for one, every in declared.items() if name in every} for name in shared}
    for name in (*typed, *(name for name in shared if [*owners[name]] == [metric.name])):
        if name in fixed:
            refuse(f"{name} cannot be given with -m {listed(names)}, which implies it; "
                   f"use -m {metric.name} with {name}")  # fmt: skip
        if name not in options:
            near = nearest(name, options)
            hint = f"did you mean {listed(near, 'or')}?" if near else f"textgauge help {metric.name} lists them"
            refuse(f"{metric.name} has no option {name!r}; {hint}")
    for name, of_name in owners.items():
        # A value goes to those among whose choices it is, if there are any.
        knowing = [one for one, option in of_name.items() if shared[name][-1] in option.choices] or of_name
        if metric.name in knowing and name not in fixed:
            typed.setdefault(name, shared[name])
    given = {name: one.value_of(typed[name]) for name, one in options.items() if name in typed}
    kinds = (options_of(metric.options_type), options_of(metric.reports_type), metric.columns)
    parts = ({one.name: given[one.name] for one in kind if one.name in given} for kind in kinds)
    return Scoring(metric, names, fixed, *parts)


def _implied(metric: type[Metric], names: list[str]) -> tuple[list[str], dict[str, Any]]:
    """Return the names of scores, or that of the whole metric alone, with the options that they imply."""
    if metric.name in names and metric.score_called(metric.name) is None:
        usual = metric.usual().score_names
        if {*names} <= {metric.name, *usual}:
            return [metric.name], {}
        names = list(dict.fromkeys(chain(*(usual if name == metric.name else [name] for name in names))))
    fixed: dict[str, Any] = {}
    for _, options in filter(None, map(metric.score_called, names)):
        for name, value in options.items():
            fixed[name] = (*fixed.get(name, ()), *value) if isinstance(value, tuple) else value
    return names, fixed
