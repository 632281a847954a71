"""FrugalScore: a small model that learned to score as a large one."""

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
    from ..models.learned import ModelFamily
    from ..models.pairs import FrugalScore as Model

_EXPLANATION = Explanation(
    "FrugalScore",
    "How alike in meaning are a text and its reference?",
    (
        "A small BERT reads prediction and reference as a pair, and answers with a number. It learned to answer as a "
        "large metric does, such as BERTScore.",
        "The score of a corpus is the mean over its segments.",
    ),
    "Scores are on the scale of the metric that was learned from, and compare under the same model only.",
)


@dataclass(frozen=True)
class FrugalScoreOptions(LearnedOptions):
    """Models are named frugalscore_SIZE_MODEL_METRIC: the size of BERT, and the metric that was learned from.

    Both texts are cut at `max_length` tokens together, the longer one first; one warning counts such pairs. With
    several references a segment has the score of its best one. Every distinct pair is read once.

    References: Kamal Eddine et al. (2022), FrugalScore: Learning Cheaper, Lighter and Faster Evaluation Metrics.
    """

    model_id: str | os.PathLike[str] = option(
        "moussaKam/frugalscore_tiny_bert-base_bert-score", "A FrugalScore model, on the Hub or in a folder.",
        kind="model", on_page=True,
    )  # fmt: skip
    max_length: int = option(128, "The most tokens of a pair.", at_least=5)
    dtype: Literal["float32", "bfloat16", "float16"] = option("float32", "Number type that the model computes with.")


class FrugalScoreMetric(LearnedMetric["Model"]):
    """FrugalScore (Kamal Eddine et al. 2022).

    `statistics` has the field ``frugalscore``: float64, on the model's own scale.
    """

    name = "frugalscore"
    options_type = FrugalScoreOptions
    about = About("FrugalScore", lambda _: _EXPLANATION)
    inputs = Inputs(at_once=True)
    scores = Scores(Score("frugalscore", perfect=None, largest=float("inf")))

    layout = Layout([Field("frugalscore", is_whole=False)])
    options: FrugalScoreOptions

    @staticmethod
    def family() -> ModelFamily[Model]:
        """Return the models."""
        from ..models.pairs import FRUGALSCORE

        return FRUGALSCORE


FrugalScore = accumulator_of(FrugalScoreMetric)
frugalscore = one_call(
    FrugalScore,
    """\
>>> frugalscore(["hello there"], ["hello world"], max_length=2)
Traceback (most recent call last):
    ...
ValueError: max_length: expected a whole number of at least 5, got 2 (int)""",
)
