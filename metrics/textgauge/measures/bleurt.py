"""BLEURT: a model that learned from human judgements compares a text with its reference."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..metric import About, Explanation, Field, Inputs, Layout, Score, Scores
from ..models.options import LearnedOptions
from ..options import option
from .learned import LearnedMetric

if TYPE_CHECKING:
    from ..models.bleurt import Bleurt as Model
    from ..models.learned import ModelFamily

_EXPLANATION = Explanation(
    "BLEURT",
    "How well would people say that a text conveys the meaning of its reference?",
    (
        "A language model reads reference and prediction as a pair, and answers with a number. It was trained on "
        "human judgements of translations, and before that on texts that were damaged on purpose.",
        "The score of a corpus is the mean over its segments.",
    ),
    "Higher is better, and the scale has no fixed ends: that of BLEURT-20 lies mostly between 0 and 1. Scores are "
    "comparable only under the same checkpoint.",
)


@dataclass(frozen=True)
class BleurtOptions(LearnedOptions):
    """Checkpoints are those of BLEURT-20, with sentence pieces of many languages, and the English ones of BERT before.

    The published names are bleurt-tiny-128, -base-128, -large-128, the three with 512, and BLEURT-20-D3, -D6, -D12
    and BLEURT-20: each stands for the checkpoint of lucadiliello on the Hub, which has its weights in PyTorch. A folder
    of such a name comes first. Checkpoints are read as plain tensors: nothing that they contain is run.

    The reference stands first, as in Google's program. A pair is cut at `max_length` tokens with its three marks: the
    longer text loses its last token, of two equally long ones the prediction; one warning counts such pairs. A text
    cannot name a mark such as [SEP]. With several references a segment has the score of its best one. Every distinct
    pair is read once.

    References: Sellam et al. (2020), BLEURT; Pu et al. (2021), Learning Compact Metrics for MT.
    """

    model_id: str | os.PathLike[str] = option(
        "BLEURT-20", "A published name, a BLEURT model on the Hub, or the path of a folder with its files.",
        kind="model", on_page=True,
    )  # fmt: skip
    encoder: str | os.PathLike[str] | None = option(
        None, "Where its vocabulary is, on the Hub or in a folder.", kind="model", none_means="beside its weights"
    )
    gelu: Literal["tanh", "exact"] | None = option(
        None, "How gelu is computed: tanh as Google's program, exact as bleurt-pytorch.",
        none_means="as the checkpoint says",
    )  # fmt: skip
    max_length: int | None = option(
        None, "The most tokens of a pair, at most as many as the model has positions.", at_least=5,
        none_means="as the checkpoint or its published name says",
    )  # fmt: skip
    dtype: Literal["float32", "bfloat16", "float16"] = option("float32", "Number type that the model computes with.")


class BleurtMetric(LearnedMetric["Model"]):
    """BLEURT (Sellam et al. 2020, Pu et al. 2021).

    `statistics` has the field ``bleurt``: float64, on the model's own scale.
    """

    name = "bleurt"
    options_type = BleurtOptions
    about = About("BLEURT", lambda _: _EXPLANATION)
    inputs = Inputs(at_once=True)
    scores = Scores(Score("bleurt", perfect=None, largest=float("inf")))

    layout = Layout([Field("bleurt", is_whole=False)])
    options: BleurtOptions

    @staticmethod
    def family() -> ModelFamily[Model]:
        """Return the models of BLEURT."""
        from ..models.bleurt import BLEURT

        return BLEURT


Bleurt = accumulator_of(BleurtMetric)
bleurt = one_call(
    Bleurt,
    """\
>>> bleurt(["hello there"], ["hello world"], gelu="new")
Traceback (most recent call last):
    ...
ValueError: gelu: expected one of 'tanh', 'exact', got 'new' (str)""",
)
