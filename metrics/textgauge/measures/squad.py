"""Exact match and token F1 of short answers as SQuAD's script prints them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from ..accumulation.accumulator import accumulator_of
from ..accumulation.calls import one_call
from ..metric import Score, Scores, Sums
from ..options import fixed
from ..sums import one_by_one
from .token_f1 import TokenF1Metric, TokenF1Options


@dataclass(frozen=True)
class SquadOptions(TokenF1Options):
    """Scores are from 0 to 100. The options are those of `TokenF1`, which has notes on them."""

    contains: bool = fixed(False)


class SquadMetric(TokenF1Metric):
    """Exact match and F1 as SQuAD's script prints them, from 0 to 100.

    Examples
    --------
    >>> Squad().update(["in 1889"], [["1889", "the year 1889"]]).score()
    {'exact_match': 0.0, 'f1': 66.66666666666666}
    """

    name = "squad"
    options_type: ClassVar[type[TokenF1Options]] = SquadOptions
    about = replace(
        TokenF1Metric.about,
        title="SQuAD",
        returns="``exact_match`` and ``f1``",
        form="With exact match, as SQuAD's script has them.",
    )
    scores = Scores(Score("exact_match", has_own_best=True, is_binary=True), Score("f1", "squad"), scale=100.0)
    sums = Sums(add=one_by_one)


Squad = accumulator_of(SquadMetric)
squad = one_call(Squad)
