"""What `python -m textgauge.stubs` writes: types of public names, for editors; tables of cards.

Functions and classes take options as ``**options``, and their signatures are made when the program runs, where no
type checker sees them. The stub, ``__init__.pyi``, has a keyword for every declared option. In a clone the tables of
options of the cards, and the table of the Hub's names in ``metrics/README.md``, are written from the same declarations.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill
from types import ModuleType, NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import pyarrow as pa

import textgauge

from .accumulation.accumulator import Accumulator
from .accumulation.registry import METRICS
from .metric.metric import Metric, option_names
from .options import Options, Reports, options_of, table


class Stub:
    """The lines of the definitions, and the imports that their types need."""

    def __init__(self) -> None:
        """Define every public name."""
        self._imports: dict[str, set[str]] = {}
        self._dicts: dict[str, list[str]] = {}
        defined = [[*self._defined(name, getattr(textgauge, name))] for name in textgauge.__all__]
        # The last two methods, which most accumulators have alike, stand in a base of theirs.
        of_base = [lines for lines in defined if lines and lines[0].endswith("(_Accumulator):")]
        [(shared, _)] = Counter(tuple(lines[-2:]) for lines in of_base).most_common(1)
        for lines in of_base:
            if tuple(lines[-2:]) == shared:
                lines[:] = [lines[0].replace("_Accumulator", "_OfTexts"), *lines[1:-2]]
        self._lines = ["", "class _OfTexts(_Accumulator):", *shared, *(line for lines in defined for line in lines)]

    def __str__(self) -> str:
        modules = sorted(self._imports.items(), key=lambda item: (item[0].startswith("."), item[0]))
        imports = [f"from {module} import {', '.join(sorted(names))}" for module, names in modules]
        exported = fill(
            ", ".join(f'"{name}"' for name in textgauge.__all__), 120, initial_indent="    ", subsequent_indent="    "
        )
        head = "# Written by `python -m textgauge.stubs` from the declarations of the options.\n"
        long = [line for of_one in self._dicts.values() if len(of_one) > 1 for line in ("", *of_one)]
        short = [line for of_one in self._dicts.values() if len(of_one) == 1 for line in of_one]
        return "\n".join([head, *imports, *long, "", *short, *self._lines, "", f"__all__ = [\n{exported},\n]\n"])

    def _defined(self, name: str, value: Any) -> Iterator[str]:
        if isinstance(value, type) and issubclass(value, Accumulator):
            # Of a class that is made from its metric, no type checker sees more than the base.
            has_own = any(getattr(member, "__qualname__", "").startswith(f"{name}.") for member in vars(value).values())
            base = value if has_own else Accumulator
            yield f"\nclass {name}({self._imported(base.__module__, base.__name__, f'_{base.__name__}')}):"
            members: list[tuple[str, Any]] = inspect.getmembers(value, inspect.isroutine)
            for method, function in members:
                is_public = method == "__init__" or method[0] != "_"
                if is_public and (method == "update" or function.__code__.co_flags & inspect.CO_VARKEYWORDS):
                    yield from (f"    {line}" for line in self._method(method, function, value))
        elif metric_type := _metric_of(value):
            yield from self._function(name, value, metric_type, [*inspect.signature(value).parameters.values()])
        elif isinstance(value, str):
            yield f"\n{name}: str\n"
        else:
            self._imported(textgauge.__name__ if isinstance(value, ModuleType) else value.__module__, name, name)

    def _method(self, name: str, method: Any, owner: type[Accumulator]) -> Iterator[str]:
        parameters = [*inspect.signature(method).parameters.values()]
        if inspect.ismethod(method):
            yield "@classmethod"
            parameters.insert(0, inspect.Parameter("cls", inspect.Parameter.POSITIONAL_OR_KEYWORD))
        base = getattr(Accumulator, name, None)
        theirs = [] if base is None else [*inspect.signature(base).parameters]
        is_wider = theirs == [argument.name for argument in parameters[: len(theirs)]]
        narrows = not is_wider or any(argument.default is argument.empty for argument in parameters[len(theirs) :])
        # A base that takes anything is overridden by any signature.
        takes_all = base is not None and base.__code__.co_flags & inspect.CO_VARARGS
        comment = "  # type: ignore[override]" if narrows and name != "__init__" and not takes_all else ""
        yield from self._function(name, method, owner.metric_type, parameters, comment)

    def _function(
        self, name: str, function: Any, metric: type[Metric], parameters: list[inspect.Parameter], comment: str = ""
    ) -> Iterator[str]:
        # `pa` is imported by type checkers only.
        types = get_type_hints(function, localns={"pa": pa})
        texts = get_type_hints(metric.inputs.read)
        known = option_names(metric)
        options = [one.name for one in parameters if one.name in known]
        has_rest = parameters[-1].kind is inspect.Parameter.VAR_KEYWORD
        written: list[str] = []
        stars = False
        for argument in parameters:
            # What is given by place in vain is taken only to be refused.
            if argument.name in options or argument.kind in (argument.VAR_KEYWORD, argument.VAR_POSITIONAL):
                continue
            if argument.kind is argument.KEYWORD_ONLY and not stars:
                written, stars = [*written, "*"], True
            annotation = types.get(argument.name, Any)
            annotation = texts.get(argument.name, annotation) if annotation is Any else annotation
            if argument.default is argument.empty and argument.name in texts and NoneType in get_args(annotation):
                # What reads columns may do without one that this metric needs.
                annotation = Union[tuple(part for part in get_args(annotation) if part is not NoneType)]  # noqa: UP007
            default = "" if argument.default is argument.empty else f" = {_literal(argument.default)}"
            typed = "" if argument.name in ("self", "cls") else f": {self._spelled(annotation)}{default}"
            written.append(argument.name + typed)
        if options or has_rest:
            of_score = {option.name for option in options_of(metric.reports_type)}
            own = {option.name for option in options_of(metric.options_type)}
            parts = (bool(own & {*options}) or has_rest, bool(of_score & {*options}))
            written.append(
                f"**options: {self._imported('typing_extensions', 'Unpack')}[{self._options(metric, *parts)}]"
            )
        yield f"def {name}({', '.join(written)}) -> {self._spelled(types['return'])}: ...{comment}"

    def _options(self, metric: type[Metric], has_own: bool, has_reports: bool) -> str:
        """Return the name of the typed dict of options; define it unless it is."""
        names = [self._typed(of) for of in (metric.options_type,) * has_own + (metric.reports_type,) * has_reports]
        if len(names) == 1:
            return names[0]
        both = f"_{names[0].strip('_')}AndReports"
        if both not in self._dicts:
            self._dicts[both] = [f"class {both}({', '.join(names)}): ..."]
        return both

    def _typed(self, options_type: type[Options]) -> str:
        """Return the name of the typed dict of the options that a class declares, which is defined if it is not yet."""
        name = f"_{options_type.__name__.strip('_')}"
        base = options_type.__base__
        types = get_type_hints(options_type)
        if base and issubclass(base, Options):
            names = {option.name for option in options_of(base)}
            if names == {option.name for option in options_of(options_type)} and get_type_hints(base) == types:
                return self._typed(base)
        if name not in self._dicts:
            theirs = {option.name: option for option in options_of(base)} if base and issubclass(base, Options) else {}
            every = options_of(options_type)
            inherits = bool(theirs) and theirs.keys() <= {option.name for option in every}
            named = (
                self._typed(cast("type[Options]", base))
                if inherits
                else self._imported("typing_extensions", "TypedDict")
            )
            own = [option.name for option in every if not (inherits and option.name in theirs)]
            head = f"class {name}({named}, total=False):"
            self._dicts[name] = (
                [head, *(f"    {one}: {self._spelled(types[one])}" for one in own)] if own else [f"{head} ..."]
            )
        return name

    def _spelled(self, annotation: Any) -> str:
        """Return a type as it is written, the same in all versions of Python."""
        origin, args = get_origin(annotation), get_args(annotation)
        # Python 3.10 makes an `Any` with the default None optional.
        if annotation is Any or Any in args and origin is Union:
            return self._imported("typing", "Any")
        if annotation in (None, NoneType):
            return "None"
        if origin is Literal:
            return f"{self._imported('typing', 'Literal')}[{', '.join(map(_literal, args))}]"
        if origin in (Union, UnionType):
            return " | ".join(map(self._spelled, args))
        if isinstance(annotation, list):
            return f"[{', '.join(map(self._spelled, annotation))}]"
        if origin:
            return f"{self._spelled(origin)}[{', '.join(map(self._spelled, args))}]"
        if isinstance(annotation, TypeVar) or issubclass(annotation, Accumulator):
            return self._imported("typing_extensions", "Self")
        return (
            annotation.__name__
            if annotation.__module__ == "builtins"
            else self._imported(annotation.__module__, annotation.__name__)
        )

    def _imported(self, module: str, name: str, known_as: str = "") -> str:
        module = "." if module == textgauge.__name__ else module.replace(f"{textgauge.__name__}.", ".")
        self._imports.setdefault(module, set()).add(f"{name} as {known_as}" if known_as else name)
        return known_as or name


def _metric_of(function: Any) -> type[Metric] | None:
    """Return the metric whose function it is, which stands in the same file; None for a function of another kind."""
    values = vars(sys.modules[function.__module__]).values() if inspect.isfunction(function) else ()
    types = (value for value in values if isinstance(value, type) and issubclass(value, Metric))
    return next((metric_type for metric_type in types if vars(metric_type).get("name") == function.__name__), None)


def _literal(value: Any) -> str:
    return json.dumps(value) if isinstance(value, str) else "..." if value is ... else repr(value)


_OPTIONS = re.compile(r"^\| option \| type .*\n(?:^\|.*\n)+", re.M)
_SECTION = re.compile(r"(?<=^## Options\n).*?(?=^## )", re.S | re.M)
_NAMES = re.compile(r"^\| module \| .*\n(?:^\|.*\n)+", re.M)


def table_of(metric: type[Metric]) -> str:
    """Return the table of options of a card; a subclass of another metric lists only options that differ."""
    shared = [option.name for option in options_of(Reports)]
    types = metric.options_type, metric.reports_type
    base = next((other for other in METRICS.values() if other is not metric and issubclass(metric, other)), None)
    lines = table(*types, left_out=shared).splitlines(keepends=True)
    theirs = [] if base is None else table(base.options_type, base.reports_type).splitlines(keepends=True)
    rows = [line for line in lines[2:] if line.rstrip() not in {their_line.rstrip() for their_line in theirs}]
    return "".join([*lines[:2], *rows]).rstrip() + "\n" if rows else ""


def hub_names() -> str:
    """Return the table of the arguments that the Hub's modules call otherwise."""
    rows = ["| module | the Hub's argument | here |", "|---|---|---|"]
    for name in METRICS:
        for theirs, ours in type(textgauge.load(name)).keywords.items():
            rows.append(f"| `{name}` | `{theirs}` | {'no option: see its card' if ours is None else f'`{ours}`'} |")
    return "\n".join(rows) + "\n"


def with_tables(card: str, metric: type[Metric]) -> str:
    """Return a card with the table of its options."""

    def written(section: re.Match[str]) -> str:
        return _OPTIONS.sub(lambda _: table_of(metric), section[0], count=1)

    return _SECTION.sub(written, card, count=1)


def main() -> None:
    """Write the stub, and the tables of cards."""
    Path(textgauge.__file__).with_suffix(".pyi").write_text(str(Stub()), "utf-8")
    for name, metric in METRICS.items():
        card = Path(textgauge.path(name)) / "README.md"
        if card.is_file():
            card.write_text(with_tables(card.read_text("utf-8"), metric), "utf-8")
    common = Path(textgauge.path("bleu")).parent / "README.md"
    if common.is_file():
        common.write_text(_NAMES.sub(lambda _: hub_names(), common.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
