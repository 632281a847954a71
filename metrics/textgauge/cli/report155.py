"""What the ROUGE-1.5.5 script prints of one system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cmp_to_key

import numpy as np
import numpy.typing as npt

from ..checks import printable
from ..measures.rouge import Rouge
from ..measures.script_averages import average_of_counts, average_of_scores
from ..resampling.script import Interval

_RULE, _DOTS = "-" * 45, "." * 45
# The script puts recall first, our scores precision.
_COLUMNS = {"R": 1, "P": 0, "F": 2}
_COUNTS = {"R": 2, "P": 1, "F": 0}


@dataclass(frozen=True)
class Report:
    """The form of the output.

    Attributes
    ----------
    labels : sequence of str
        What the script calls each type.
    unit : int
        Its -t: 0 averages scores, 1 scores summed counts, 2 prints summed counts.
    confidence : float
        Percent.
    n_resamples : int
    each : bool
        Print every evaluation (-d).
    """

    labels: Sequence[str]
    unit: int
    confidence: float
    n_resamples: int
    each: bool

    def page(self, system: str, names: Sequence[str], scored: Rouge) -> str:
        """Write all lines of a system; `names` are those of its evaluations."""
        order = sorted(range(len(names)), key=lambda i: names[i])
        scores, counts = scored.segment_scores()[order], scored.statistics[order]
        names = [names[i] for i in order]
        if self.unit == 0:
            average: Interval | None = average_of_scores(scores, self.n_resamples, self.confidence)
        elif self.unit == 1:
            average = average_of_counts(counts, scored.options.f_alpha, self.n_resamples, self.confidence)
        else:
            average = None
        lines = []
        for i, label in enumerate(self.labels):
            tag = f"{system} {label}"
            lines.append(_RULE)
            if average is None:
                matches, peer, model = (int(total) for total in counts[:, i].sum(axis=0))
                lines.append(f"{tag} M_count: {model} P_count: {peer} H_count: {matches}")
            else:
                lines += self._averages(tag, Interval(*(part[i] for part in average)))
            if self.each:
                lines.append(_DOTS)
                lines += self._evaluations(tag, names, (scores if self.unit == 0 else counts)[:, i])
        return "".join(f"{printable(line)}\n" for line in lines)

    def _averages(self, tag: str, parts: Interval) -> list[str]:
        return [
            f"{tag} Average_{part}: {parts.average[k]:.5f} "
            f"({self.confidence:g}%-conf.int. {parts.low[k]:.5f} - {parts.high[k]:.5f})"
            for part, k in _COLUMNS.items()
        ]

    def _evaluations(self, tag: str, names: Sequence[str], rows: npt.NDArray[np.number]) -> list[str]:
        columns, form = (_COLUMNS, ".5f") if self.unit == 0 else (_COUNTS, ".15g")
        by_number = cmp_to_key(_by_number)
        order = sorted(range(len(names)), key=lambda i: by_number(names[i]))
        return [
            f"{tag} Eval {names[i]} " + " ".join(f"{part}:{rows[i, k]:{form}}" for part, k in columns.items())
            for i in order
        ]


def _by_number(left: str, right: str) -> int:
    """Compare by leading numbers if both have one, else as strings."""
    a, b = (re.match("[0-9]+", name) for name in (left, right))
    if a and b:
        return int(a[0]) - int(b[0])
    return (left > right) - (left < right)
