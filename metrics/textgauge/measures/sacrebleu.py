"""BLEU of texts as sacreBLEU computes it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from ..accumulation.accumulator import Accumulator, one_call
from ..metric import Score, Scores
from ..options import fixed
from .bleu import TOOLS, BleuMetric, BleuOptions


@dataclass(frozen=True)
class SacrebleuOptions(BleuOptions):
    """BLEU as sacreBLEU computes it, from 0 to 100.

    The other options are those of `Bleu`, which has notes on them.
    """

    none_means = {
        name: f'"{value}"' if isinstance(value, str) else str(value) for name, value in TOOLS["sacrebleu"].items()
    }
    preset: Literal["sacrebleu"] = fixed("sacrebleu")


class SacrebleuMetric(BleuMetric):
    """BLEU as sacreBLEU computes it, from 0 to 100."""

    name = "sacrebleu"
    about = replace(
        BleuMetric.about,
        returns=BleuMetric.about.returns.replace("``bleu``", "``sacrebleu``"),
        form="The BLEU that papers cite, as sacreBLEU has it.",
    )
    options_type: ClassVar[type[BleuOptions]] = SacrebleuOptions
    scores = Scores(Score("sacrebleu", perfect=100.0, largest=100.0))


class Sacrebleu(Accumulator, metric=SacrebleuMetric):
    """BLEU as sacreBLEU computes it, from 0 to 100, batch by batch: see `Bleu`.

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}

    Examples
    --------
    >>> round(Sacrebleu().update(["the cat sat on the mat"], ["the cat is on the mat"]).score()["sacrebleu"], 2)
    37.99
    """


sacrebleu = one_call(
    Sacrebleu,
    """\
>>> # As in sacreBLEU, exp(log(100)) is not quite 100.
>>> round(sacrebleu(["the cat sat on the mat"], ["the cat sat on the mat"])["sacrebleu"], 12)
100.0""",
)
