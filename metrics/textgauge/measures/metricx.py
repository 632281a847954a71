"""MetricX: mT5, trained on human judgements, says how bad the errors of a translation are."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..input.columns import Corpus
from ..metric import About, Explanation, Field, Layout, Note, Notes, Score, Scores
from ..models.options import LearnedOptions
from ..options import option
from .learned import EmptyPredictions, LearnedMetric, LongInputs

if TYPE_CHECKING:
    from ..models.learned import ModelFamily
    from ..models.metricx import MetricX

_EXPLANATION = Explanation(
    "MetricX",
    "How bad would people say that the errors of a translation are?",
    (
        "A language model reads source, prediction and reference as one text, and answers with a number from 0, no "
        "error, to 25. It was trained on human judgements of translations.",
        "The score of a corpus is the mean over its segments.",
    ),
    "Lower is better. Scores are comparable only under the same model.",
)


@dataclass(frozen=True)
class MetricxOptions(LearnedOptions):
    """Models of MetricX-24 read references, sources or both, those of 23 references, and those of 23-qe sources.

    Scores are 0 to 25, lower is better; with several references a segment has the score of its best one, the lowest.
    The score of a corpus is the mean. Only scores of the same model, checkpoint and precision are comparable.

    The texts of a segment are joined, cut at 1,536 tokens (23: 1,024), and read by mT5; one warning counts segments
    that are cut. The tokens are those of transformers 4.30, with which MetricX is published. Checkpoints are read as
    plain tensors: nothing that they contain is run.

    A batch fills at most a quarter of the free memory of an accelerator, and has at most 65,536 tokens there and 640
    on a processor, of segments of one length; `batch_size` lowers that to 32 x `batch_size` tokens. Out of memory
    halves the batches, with one warning. Every distinct segment is scored once. Attention is the eager one of
    transformers, the only one that rounds as the official program does in bfloat16.

    References: Juraska et al. (2023), MetricX-23; Juraska et al. (2024), MetricX-24.
    """

    model_id: str | os.PathLike[str] = option(
        "google/metricx-24-hybrid-large-v2p6", "A MetricX model on the Hub, or the path of a folder with its files.",
        kind="model", on_page=True,
    )  # fmt: skip
    encoder: str | os.PathLike[str] = option(
        "google/mt5-xl", "Where the tokenizer of mT5 is, on the Hub or in a folder.", kind="model"
    )
    form: Literal["24", "23", "23-qe"] | None = option(
        None, "Which texts the model reads, and how they are joined.", none_means="as the name of the model says"
    )
    dtype: Literal["auto", "float32", "bfloat16"] = option(
        "auto", "Number type that the model computes with; auto is that of the official program."
    )


class MetricxMetric(LearnedMetric["MetricX"]):
    """MetricX (Juraska et al. 2023, 2024).

    `statistics` has the field ``metricx``: float64, from 0 to 25; lower is better.
    """

    name = "metricx"
    options_type = MetricxOptions
    about = About("MetricX", lambda _: _EXPLANATION)
    scores = Scores(Score("metricx", higher_is_better=False, perfect=0.0, largest=25.0))
    layout = Layout([Field("metricx", is_whole=False)])
    options: MetricxOptions

    @staticmethod
    def family() -> ModelFamily[MetricX]:
        """Return the models of MetricX."""
        from ..models.metricx import METRICX

        return METRICX

    def notes(self) -> Notes:
        """Return a collector of reasons to warn."""
        return Notes(EmptyPredictions("MetricX"), LongInputs(), _NoSources())


class _NoSources(Note):
    about = "sources"

    def examine(self, corpus: Corpus, tokens: Any) -> None:
        if corpus.sources is None and "sources" in tokens.model.takes:
            self.warning = (
                f"`sources` are not given: {tokens.model.name} was trained with sources, and may judge worse without."
            )


Metricx = accumulator_of(MetricxMetric)
metricx = one_call(
    Metricx,
    """\
>>> metricx(["the cat"], ["a cat"], sources=["le chat"], dtype="float16")
Traceback (most recent call last):
    ...
ValueError: dtype: expected one of 'auto', 'float32', 'bfloat16', got 'float16' (str); did you mean 'bfloat16'?""",
)
