"""Pickles of accumulators whose metrics had counters beside them: names that are gone stand for nothing.

The rows and options in them are those of today; the counter is left out, since a metric counts itself. This goes with
the next release, as `textgauge.metric.former` does.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any

from ..checks import fail, listed
from ..metric.former import References
from ..metric.layout import Layout, Rows
from ..metric.metric import Metric

# Modules, and classes that are not called NAMECounter, to which such pickles refer.
_MODULES = (
    "measures.rouge_counts", "measures.rouge_types", "metric.about", "metric.counter", "metric.summary", "metric.sums",
    "scores.exact_sums", "scores.ordered_sums",
)  # fmt: skip
_CLASSES = ("NistMetric", "CharcutMetric")
_PACKAGE = __name__.partition(".")[0]
# Modules whose classes stand in another.
_MOVED = {"measures.cer": "measures.wer", "measures.squad_v2": "measures.squad", "scores.sums": "sums"}


class Gone:
    """What is left of an object whose class is gone: attributes that nothing reads, but for options."""

    def __new__(cls, *_: Any, **__: Any) -> Gone:
        """Take what any class took."""
        return super().__new__(cls)

    def __init__(self, *_: Any, **__: Any) -> None: ...

    def __getattr__(self, name: str) -> Any:
        """Return something for a method, to which a pickle may refer; not for what pickle itself looks for."""
        if name.startswith("__"):
            raise AttributeError(name)
        return Gone


def accept(module: str) -> None:
    """Let pickles refer to classes that a module of metrics no longer has."""
    if module.startswith(f"{_PACKAGE}."):
        vars(sys.modules[module]).setdefault("__getattr__", _of_module)


def _of_module(name: str) -> Any:
    if name == "References":
        return References
    if name.endswith("Counter") or name in _CLASSES:
        return Gone
    raise AttributeError(f"the module has no {name!r}")


def _of_gone_module(name: str) -> type[Gone]:
    # `inspect` asks every module for its file.
    if name.startswith("__"):
        raise AttributeError(name)
    return Gone


def _of_moved_module(home: str, name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(import_module(home), name)


def mended(state: Mapping[str, Any], metric_type: type[Metric]) -> dict[str, Any]:
    """Return the state of an accumulator with a metric of today; raise where its rows have other fields."""
    metric = state["metric"]
    is_today = isinstance(metric, metric_type) and not isinstance(vars(metric).get("counter"), Gone)
    layout = vars(metric).get("layout")
    if is_today and layout is not None and "references" in vars(layout):
        return dict(state)
    today = metric_type(metric.options)
    for rows in state["_batches"]:
        if (rows.layout.fields, rows.layout.along) != (today.layout.fields, today.layout.along):
            names = [listed([field.name for field in layout.fields]) for layout in (today.layout, rows.layout)]
            ways = "count the texts again, or store `to_arrow()` with the release that made it"
            fail(ValueError, "pickle", f"rows of {metric_type.name} with the fields {names[0]} ({ways})", names[1])
    batches = [Rows(today.layout, rows.values, rows.per_segment, extras=rows.extras) for rows in state["_batches"]]
    return {**state, "metric": today, "_unfitted": today, "_batches": batches}


accept(Layout.__module__)
for _name in _MODULES:
    _module = sys.modules[f"{_PACKAGE}.{_name}"] = ModuleType(f"{_PACKAGE}.{_name}")
    _module.__getattr__ = _of_gone_module  # type: ignore[method-assign]
for _name, _home in _MOVED.items():
    _module = sys.modules[f"{_PACKAGE}.{_name}"] = ModuleType(f"{_PACKAGE}.{_name}")
    _module.__getattr__ = partial(_of_moved_module, f"{_PACKAGE}.{_home}")  # type: ignore[method-assign]
