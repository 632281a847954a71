"""The types of the public names for editors: `python -m textgauge.stubs` writes them to ``__init__.pyi``.

Functions and classes take options as ``**options``, and their signatures are made when the program runs, where no
type checker sees them. The stub has a keyword for every declared option.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import pyarrow as pa

import textgauge

from .accumulation.accumulator import Accumulator
from .metric.metric import Metric
from .options import keyword_signature


class Stub:
    """The lines of the definitions, and the imports that their types need."""

    def __init__(self) -> None:
        """Define every public name."""
        self._imports: dict[str, set[str]] = {}
        self._lines = [line for name in textgauge.__all__ for line in self._defined(name, getattr(textgauge, name))]

    def __str__(self) -> str:
        modules = sorted(self._imports.items(), key=lambda item: (item[0].startswith("."), item[0]))
        imports = [f"from {module} import {', '.join(sorted(names))}" for module, names in modules]
        exported = "".join(f'    "{name}",\n' for name in textgauge.__all__)
        head = "# Written by `python -m textgauge.stubs` from the declarations of the options.\n"
        return "\n".join([head, *imports, *self._lines, "", f"__all__ = [\n{exported}]\n"])

    def _defined(self, name: str, value: Any) -> Iterator[str]:
        if isinstance(value, type) and issubclass(value, Accumulator):
            yield f"\nclass {name}({self._imported(value.__module__, name, f'_{name}')}):"
            members: list[tuple[str, Any]] = inspect.getmembers(value, inspect.isroutine)
            for method, function in members:
                is_public = method == "__init__" or method[0] != "_"
                if is_public and (method == "update" or function.__code__.co_flags & inspect.CO_VARKEYWORDS):
                    yield from (f"    {line}" for line in self._method(method, function, value))
        elif kind := _metric_of(value):
            yield ""
            yield from self._function(name, value, kind, [*inspect.signature(value).parameters.values()])
        elif isinstance(value, str):
            yield f"\n{name}: str"
        else:
            self._imported(textgauge.__name__ if isinstance(value, ModuleType) else value.__module__, name, name)

    def _method(self, name: str, method: Any, owner: type[Accumulator]) -> Iterator[str]:
        given = [*inspect.signature(method).parameters.values()]
        if inspect.ismethod(method):
            yield "@classmethod"
            given.insert(0, inspect.Parameter("cls", inspect.Parameter.POSITIONAL_OR_KEYWORD))
        if given[-1].kind is inspect.Parameter.VAR_KEYWORD:
            options = keyword_signature(owner.kind.options_type).parameters.values()
            # For other methods, what is omitted has the value of the object or of the table.
            given[-1:] = options if name == "__init__" else [one.replace(default=...) for one in options]
        base = getattr(Accumulator, name, None)
        theirs = [] if base is None else [*inspect.signature(base).parameters]
        is_wider = theirs == [one.name for one in given[: len(theirs)]]
        narrows = not is_wider or any(one.default is one.empty for one in given[len(theirs) :])
        # A base that takes anything is overridden by any signature.
        takes_all = base is not None and base.__code__.co_flags & inspect.CO_VARARGS
        comment = "  # type: ignore[override]" if narrows and name != "__init__" and not takes_all else ""
        yield from self._function(name, method, owner.kind, given, comment)

    def _function(
        self, name: str, function: Any, metric: type[Metric], given: list[inspect.Parameter], comment: str = ""
    ) -> Iterator[str]:
        # `pa` is imported by type checkers only.
        types = get_type_hints(function, localns={"pa": pa})
        texts = get_type_hints(metric.inputs.read)
        options = get_type_hints(metric.options_type) | get_type_hints(metric.reports_type)
        yield f"def {name}({comment}"
        for place, one in enumerate(given):
            if one.kind is one.KEYWORD_ONLY and given[place - 1].kind is not one.KEYWORD_ONLY:
                yield "    *,"
            kind = types.get(one.name, options.get(one.name, Any))
            kind = texts.get(one.name, kind) if kind is Any else kind
            if one.default is one.empty and one.name in texts and NoneType in get_args(kind):
                # What reads columns may do without one that this metric needs.
                kind = Union[tuple(part for part in get_args(kind) if part is not NoneType)]  # noqa: UP007
            default = "" if one.default is one.empty else f" = {_literal(one.default)}"
            yield f"    {one.name}" + (f": {self._spelled(kind)}{default}," if one.name not in ("self", "cls") else ",")
        yield f") -> {self._spelled(types['return'])}: ..."

    def _spelled(self, kind: Any) -> str:
        """Return a type as it is written, the same in all versions of Python."""
        origin, args = get_origin(kind), get_args(kind)
        # Python 3.10 makes an `Any` with the default None optional.
        if kind is Any or Any in args and origin is Union:
            return self._imported("typing", "Any")
        if kind in (None, NoneType):
            return "None"
        if origin is Literal:
            return f"{self._imported('typing', 'Literal')}[{', '.join(map(_literal, args))}]"
        if origin in (Union, UnionType):
            return " | ".join(map(self._spelled, args))
        if isinstance(kind, list):
            return f"[{', '.join(map(self._spelled, kind))}]"
        if origin:
            return f"{self._spelled(origin)}[{', '.join(map(self._spelled, args))}]"
        if isinstance(kind, TypeVar) or issubclass(kind, Accumulator):
            return self._imported("typing_extensions", "Self")
        return kind.__name__ if kind.__module__ == "builtins" else self._imported(kind.__module__, kind.__name__)

    def _imported(self, module: str, name: str, known_as: str = "") -> str:
        module = "." if module == textgauge.__name__ else module.replace(f"{textgauge.__name__}.", ".")
        self._imports.setdefault(module, set()).add(f"{name} as {known_as}" if known_as else name)
        return known_as or name


def _metric_of(function: Any) -> type[Metric] | None:
    """Return the metric whose function it is, which stands in the same file; None for a function of another kind."""
    found = vars(sys.modules[function.__module__]).values() if inspect.isfunction(function) else ()
    kinds = (one for one in found if isinstance(one, type) and issubclass(one, Metric))
    return next((one for one in kinds if vars(one).get("name") == function.__name__), None)


def _literal(value: Any) -> str:
    return json.dumps(value) if isinstance(value, str) else "..." if value is ... else repr(value)


if __name__ == "__main__":
    Path(textgauge.__file__).with_suffix(".pyi").write_text(str(Stub()), "utf-8")
