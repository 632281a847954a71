"""The description of a metric: explanations, scores with scale and direction, the table of a result."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, NamedTuple

from ..lazy import lazy


class Explanation(NamedTuple):
    """A score in plain words.

    Attributes
    ----------
    title : str
    question : str
        The question that the score answers.
    steps : tuple of str
        How it is computed.
    caution : str
        Its main limitation.
    """

    title: str
    question: str
    steps: tuple[str, ...]
    caution: str


@dataclass(frozen=True)
class About:
    """What a reader of scores is told about a metric.

    Attributes
    ----------
    title : str
    explain : callable
        Explains the score of a key in plain words.
    returns : str
        The keys of a result, for docstrings; empty: the name of the metric.
    form : str
        Qualifier in lists of metrics, such as "corpus"; empty if there is a single form.
    unit : str
        What it counts, as in "5 of 6 tokens".
    sample : str
        The part of `textgauge.sample` to show it with.
    segments : str
        How scores of single segments differ, see `Options.of_segments`; empty: not.
    """

    title: str
    explain: Callable[[str], Explanation]
    returns: str = ""
    form: str = ""
    unit: str = "token"
    sample: str = "translations"
    segments: str = ""


class Line(NamedTuple):
    """A line of a table.

    Attributes
    ----------
    label : str
    values : tuple of float
        One value for each of the last of `Summary.heads`.
    key : str
        The key of its interval in the result; empty without one.
    is_headline : bool
    full : float or None
        The last value that fills a bar, which starts at 0; None for a value without a bar.
    """

    label: str
    values: tuple[float, ...]
    key: str = ""
    is_headline: bool = False
    full: float | None = 1.0

    def filled(self, value: float) -> float | None:
        """Return the part of a bar that a value fills; None without a bar.

        Examples
        --------
        >>> [Line("BLEU", (), full=100.0).filled(value) for value in (-5.0, 25.0, 120.0)]
        [0.0, 0.25, 1.0]
        """
        return None if self.full is None else min(max(value / self.full, 0.0), 1.0)


class Summary(NamedTuple):
    """A result as a table.

    Attributes
    ----------
    title : str
    heads : tuple of str
        The names of the values of a line.
    lines : sequence of Line
    below : sequence of str
        The lines below the table.
    """

    title: str
    heads: tuple[str, ...]
    lines: Sequence[Line]
    below: Sequence[str]


def interval_in(result: Mapping[str, Any], line: Line) -> list[float] | None:
    """Return the interval of the last value of a line, if the result has it."""
    if line.is_headline and "confidence_interval" in result:
        bounds: Any = result["confidence_interval"]
    else:
        bounds = result.get("confidence_intervals", {}).get(line.key)
    return [*bounds.values()][-1] if isinstance(bounds, dict) else bounds


def times(value: Any, factor: float) -> Any:
    """Multiply numbers, also in lists and dicts; leave other values as they are."""
    if isinstance(value, str) or value is None:
        return value
    if isinstance(value, dict):
        return {key: times(part, factor) for key, part in value.items()}
    if isinstance(value, list):
        # Of a metric that averages, the scores of all segments.
        return [part * factor if type(part) is float else times(part, factor) for part in value]
    return value * factor


@cache
def _kept(unscaled: frozenset[str]) -> frozenset[str]:
    return frozenset(("counts", *unscaled, *(f"segment_{key}" for key in unscaled)))


def scaled(result: Mapping[str, Any], factor: float, unscaled: Collection[str]) -> dict[str, Any]:
    """Return a result with its scores multiplied, except counts, the signature and the keys in `unscaled`."""
    kept = _kept(frozenset(unscaled))
    return {
        key: value if key in kept
        else value * factor if type(value) is float
        else scaled(value, factor, unscaled) if key == "confidence_intervals"
        else times(value, factor)
        for key, value in result.items()
    }  # fmt: skip


class Score(NamedTuple):
    """One score of a metric.

    Attributes
    ----------
    key : str
        Its key in a result.
    name : str
        By which `compare`, the command line and others know it; empty: by none, or of the first score by the name
        of the metric, unless another has that.
    higher_is_better : bool
    perfect : float or None
        That of a perfect text, before scaling; None if scores have no scale.
    largest : float
        Its upper bound, before scaling.
    has_own_best : bool
        Whether the best of several references is chosen for this score alone, not as for the main score.
    needs : mapping
        The options that it needs: a metric with others lacks it, and its name implies them.
    is_binary : bool
        Whether every segment scores 0 or `largest`, as a right or a wrong answer.
    in_papers : str
        Its name in the head of a table for a paper; empty: the title of its explanation.
    least : float
        Its lower bound, before scaling.
    """

    key: str
    name: str = ""
    higher_is_better: bool = True
    perfect: float | None = 1.0
    largest: float = 1.0
    has_own_best: bool = False
    needs: Mapping[str, Any] = {}
    in_papers: str = ""
    is_binary: bool = False
    least: float = 0.0

    @property
    def width(self) -> float:
        """The largest difference of two scores, before scaling."""
        return self.largest - self.least


class Scores(tuple[Score, ...]):
    """The scores of a metric, in the order of a result.

    Attributes
    ----------
    scale : float
        What multiplies the values of `formula` where they leave: 100 where the Hub's module of the name of the metric
        has percent, unless the formula makes percent itself.
    unscaled : frozenset of str
        The keys of `formula` beside the scores that no scale multiplies, such as counts.
    details : frozenset of str
        The keys of `formula` that are left out unless ``score(detailed=True)`` asks for them.
    lists : mapping
        The keys of a result that hold a value per segment in any case, and their names among scores of segments.

    Examples
    --------
    >>> scores = Scores(Score("precision"), Score("f1", "token_f1"), scale=100.0)
    >>> scores.keys, scores.named("token_f1"), scores.named("precision")
    (('precision', 'f1'), ('f1', {}), None)
    """

    scale: float
    unscaled: frozenset[str]
    details: frozenset[str]
    lists: ClassVar[Mapping[str, str]] = {}

    def __new__(
        cls, *scores: Score, scale: float = 1.0, unscaled: Collection[str] = (), details: Collection[str] = ()
    ) -> Scores:
        """Store the attributes."""
        self = super().__new__(cls, scores)
        self.scale, self.unscaled, self.details = scale, frozenset(unscaled), frozenset(details)
        return self

    def __getnewargs_ex__(self) -> tuple[tuple[Score, ...], dict[str, Any]]:
        return tuple(self), {"scale": self.scale, "unscaled": self.unscaled, "details": self.details}

    def of_metric(self, name: str, options: Any = None) -> Scores:
        """Return the scores that the options give; the first has the name of the metric, unless another score has."""
        kept = [score for score in self if options is None or _has(options, score.needs)]
        if kept and name not in [score.name for score in kept]:
            kept[0] = kept[0]._replace(name=kept[0].name or name)
        headline = next((score.key for score in kept if score.name == name), "")
        if kept == [*self] and headline == self.headline:
            return self
        scores = type(self)(*kept, scale=self.scale, unscaled=self.unscaled, details=self.details)
        scores.headline = headline
        return scores

    @lazy
    def keys(self) -> tuple[str, ...]:
        """The keys."""
        return tuple(score.key for score in self)

    @lazy
    def headline(self) -> str:
        """The key of the main score: the score with the name of the metric, or else the first."""
        return self[0].key if self else ""

    @lazy
    def names(self) -> tuple[str, ...]:
        """The names that `named` knows, or some of them, for messages."""
        return tuple(score.name for score in self if score.name)

    @lazy
    def top(self) -> float:
        """The main score of a perfect text, scaled, where higher is better; else the scale: 1 or 100."""
        return ((self.of(self.headline).perfect if self else None) or 1.0) * self.scale

    def full(self, score: Score) -> float | None:
        """Return the value that fills a bar; None for scores without a perfect value, or without an upper bound."""
        return None if score.perfect is None or score.largest == float("inf") else self.top

    def of(self, key: str) -> Score:
        """Return the score of a key."""
        return self[self.keys.index(key)]

    def named(self, name: str) -> tuple[str, dict[str, Any]] | None:
        """Return the key of the score of a name and the options that the name implies; None if there is none."""
        for score in self:
            if score.name == name:
                return score.key, dict(score.needs)
        return None

    def of_segments(self, *, are_averaged: bool) -> tuple[str, ...]:
        """Return the keys of `formula` that `per_segment` adds: those of the scores; without keys all, if averaged."""
        return () if are_averaged else self.keys

    def shown(self, values: dict[str, Any], reports: Any) -> dict[str, Any]:
        """Return values by the keys of `formula`, of a corpus or of segments, in the form of the result."""
        if not self.details or reports.detailed:
            return values
        return {key: value for key, value in values.items() if key not in self.details}


def _has(options: Any, needs: Mapping[str, Any]) -> bool:
    return all(getattr(options, name) == value for name, value in needs.items())
