"""The names that -m takes.

No other file of the program knows a single metric.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..locations import OF_SETS
from ..options import Option, options_of
from .messages import refuse, suggestion

if TYPE_CHECKING:
    from ..measures.measure import Measure
    from ..measures.registry import NamedScore

DEFAULT = "sacrebleu"
_ELSEWHERE = {"chrf+": "chrf word_order=1", "chrf++": "chrf word_order=2"}


class Metric(NamedTuple):
    """What a name stands for.

    Attributes
    ----------
    name : str
    measure : class
    """

    name: str
    measure: type[Measure]

    def options(self, *, with_reports: bool = True) -> dict[str, Option]:
        """Return the options that can be typed, by name; without those of its report on demand."""
        kinds = (self.measure.options_type, *((self.measure.reports_type,) if with_reports else ()))
        own = [one for kind in kinds for one in options_of(kind) if one.kind != "python"]
        return {one.name: one for one in (*own, *self.measure.columns)}

    def names(self) -> list[str]:
        """Return its own name, then the names of its scores, without open families."""
        return [self.name, *(name for name in self.measure.names_of_scores() if name not in ("...", self.name))]

    @property
    def question(self) -> str:
        """The question that it answers."""
        return self.measure.about.explain(self.name).question

    def find(self, name: str) -> tuple[str, dict[str, Any]] | None:
        """Return the key of a score and the options that its name implies; None if it is not a single one."""
        return self.measure.score_called(name)

    def score_named(self, name: str) -> NamedScore:
        """Return a score for pages."""
        from ..measures.registry import NamedScore

        key, fixed = self.find(name) or (name, {})
        return NamedScore(name, self.measure, key, fixed)

    def result(self, measure: Measure, reports: Mapping[str, Any]) -> dict[str, Any]:
        """Score; values per segment have keys that start with `SEGMENT`, and are there only on request."""
        result = measure.score(**reports)
        for key, new in measure.about.lists.items():
            values = result.pop(key, None)
            if reports.get("per_segment") and values is not None:
                result[new] = values
        lists = [key for key in measure.score_names if _is_list(result.get(key))]
        return {SEGMENT + key if key in lists else key: value for key, value in result.items()}


SEGMENT = "segment_"


def _is_list(value: Any) -> bool:
    return isinstance(next(iter(value.values())) if isinstance(value, dict) else value, list)


def metric_named(name: str) -> Metric | None:
    """Return a metric; None if it has another name, or is a score of one."""
    from ..measures.registry import METRICS

    return Metric(name, METRICS[name]) if name in METRICS else None


def is_named(name: str) -> bool:
    """Return whether a name is that of a metric, without an import of any."""
    from ..locations import METRICS

    return name in METRICS


def metrics() -> Iterator[Metric]:
    """Yield all metrics, the default first."""
    from ..measures.registry import METRICS

    yield from filter(None, map(metric_named, dict.fromkeys([DEFAULT, *METRICS])))


def find_metric(name: str) -> Metric | None:
    """Return the metric of a name, its own or that of one of its scores."""
    return metric_named(name) or next((one for one in metrics() if one.find(name)), None)


def metric_of(name: str) -> Metric:
    """Return the metric of a name; refuse an unknown one with the nearest."""
    found = find_metric(name)
    if found is None:
        if ours := _ELSEWHERE.get(name.lower()):
            refuse(f"there is no metric {name!r}; it is -m {ours} here")
        if name in OF_SETS:
            refuse(f"{name} scores a whole set of texts: it is a command of its own, textgauge {name}")
        refuse(f"there is no metric {name!r}; {suggestion(name, metric_names())}")
    return found


def metric_names() -> list[str]:
    """Return the names of all metrics and of their scores."""
    return [name for one in metrics() for name in one.names()]
