"""The words of a command line that name metrics, and their options by the names that they have in Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NoReturn

from ..checks import nearest
from ..options import Option
from .messages import listed, refuse
from .metric import Metric, is_named, metric_of, metrics
from .request import Scoring
from .segments import flag_of

# Between a metric behind -m and its options.
AND = "\0"
# Values as typed, by option; the options of each metric of the line.
Typed = dict[str, list[Any]]
Declared = Mapping[str, Mapping[str, Option]]


def asked_of(words: Sequence[str]) -> list[tuple[Metric, list[str], Typed]]:
    """Return the metrics behind -m, each once, with the requested names and its own options."""
    asked: dict[str, tuple[Metric, list[str], Typed]] = {}
    for word in words:
        named, *settings = word.split(AND)
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


def without_options(words: Iterable[str], declared: Declared, flags: Sequence[str]) -> tuple[list[str], Typed]:
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
            _refuse_unknown(flag, value or next(rest, ""), declared, flags)
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


def _refuse_unknown(flag: str, value: str, declared: Declared, flags: Sequence[str]) -> NoReturn:
    """Refuse a flag: name the metrics that have it, or the nearest flag."""
    every = {metric.name: metric.options() for metric in metrics()}
    metric, _, own = flag.removeprefix("--").partition("-")
    if metric in every and _option_of(f"--{own}", every):
        refuse(f"there is no option {flag}; it is --{own} here")
    owners = [name for name in every if _option_of(flag, {name: every[name]})]
    if owners and not {*owners} & {*declared}:
        hint = f"; leave it out, or name the metric {value}" if is_named(value) else ""
        refuse(f"{_name_of(flag)} is an option of {listed(owners)}, not of {listed([*declared], 'or')}{hint}")
    known = dict.fromkeys([*flags, *(flag_of(name) for options in declared.values() for name in options)])
    near = [one for one in known if one.startswith(flag) and len(flag) > 3] or nearest(flag, known, cutoff=0.7)[:1]
    refuse(f"there is no option {flag}" + (f"; did you mean {listed(near, 'or')}?" if near else ""))


def scoring_of(metric: Metric, names: list[str], typed: Typed, declared: Declared, shared: Typed) -> Scoring:
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
