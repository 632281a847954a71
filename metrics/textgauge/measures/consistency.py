"""Consistency: models of entailment say whether a text is supported by its document."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..checks import printable
from ..explanation.alignment import Alignment, Match
from ..explanation.derivation import Derivation, Step
from ..explanation.explainer import Explainer
from ..explanation.marks import Mark, Marks
from ..input.columns import Corpus
from ..metric import About, CountedNote, Explanation, Field, Layout, Notes, Rows, Score, Scores
from ..models.options import LearnedOptions
from ..options import option
from .learned import LearnedMetric, LongInputs

if TYPE_CHECKING:
    from ..models.consistency import Consistency as Model
    from ..models.consistency import Support
    from ..models.learned import ModelFamily

_SUMMAC = "summac-zs"
_EXPLANATION = Explanation(
    "Consistency",
    "Does the document support the text?",
    (
        "The document is cut into parts that fit the model, the text into sentences, but for MiniCheck, which reads it "
        "whole.",
        "A model of entailment reads each piece of the text beside each part of the document; the best part counts.",
        "The score of a text is the mean over its pieces, that of a corpus the mean over its texts.",
    ),
    "For English. Copies of the document score high, however useless. Scores of two forms or models do not compare.",
)


@dataclass(frozen=True)
class ConsistencyOptions(LearnedOptions):
    """Sources are the documents; there are no references.

    "minicheck" (models of RoBERTa, DeBERTa or T5, as the checkpoint is) reads the whole text beside parts of the
    document of 400 tokens, with T5 500 words. "alignscore" is nli_sp: the sentences of the text beside parts of about
    350 words. "summac-zs" takes sentences of more than 10 characters of both, at most 100 of the document.

    Scores are probabilities from 0 to 1. Those of "summac-zs" are the largest entailment less the largest
    contradiction, from -1 to 1. A text with nothing to compare scores 0, and one warning counts such texts.

    Where a part and a text are longer than the model takes, the part is cut, never the text, unless it is too long
    alone; one warning counts such pairs. That is the one deviation: the tools may cut the text.

    Sentences are those of nltk's punkt where its data is installed, else our own; the signature says which.

    `model_id` of "alignscore" is a checkpoint: a file, a folder with one, or a name on the Hub, where the encoder says
    whether the base or the large one is meant. Checkpoints are read as plain tensors: nothing in them is run.

    Every distinct pair is read once.

    References: Tang et al. (2024), MiniCheck; Zha et al. (2023), AlignScore; Laban et al. (2022), SummaC.
    """

    form: Literal["minicheck", "alignscore", "summac-zs"] = option("minicheck", "Which tool is followed.", on_page=True)
    model_id: str | os.PathLike[str] | None = option(  # type: ignore[assignment]
        None, "A model of the form, on the Hub or in a folder; of alignscore its checkpoint.", kind="model",
        none_means="the usual one of the form", on_page=True,
    )  # fmt: skip
    encoder: str | os.PathLike[str] | None = option(
        None, "Where the tokenizer is, and of alignscore the configuration of its base model.", kind="model",
        none_means="with the model; of alignscore FacebookAI/roberta-base",
    )  # fmt: skip
    dtype: Literal["float32", "bfloat16", "float16"] = option("float32", "Number type that the model computes with.")


class ConsistencyMetric(LearnedMetric["Model"]):
    """Consistency of texts with documents (Tang et al. 2024; Zha et al. 2023; Laban et al. 2022).

    `statistics` has the field ``consistency``: float64, from 0 to 1, of SummaC from -1.
    """

    name = "consistency"
    options_type = ConsistencyOptions
    about = About("Consistency", lambda _: _EXPLANATION)
    scores = Scores(Score("consistency"))

    layout = Layout([Field("consistency", is_whole=False)])
    options: ConsistencyOptions

    def prepare(self) -> None:
        """Say that SummaC's scale begins below 0."""
        super().prepare()
        if self.options.form == _SUMMAC:
            self.scores = Scores(Score("consistency", least=-1.0))

    @staticmethod
    def family() -> ModelFamily[Model]:
        """Return the models of all forms."""
        from ..models.consistency import CONSISTENCY

        return CONSISTENCY

    def notes(self) -> Notes:
        """Return a collector of reasons to warn."""
        return Notes(_Blank(), LongInputs())


class _Blank(CountedNote):
    about = "blank"

    def examine(self, corpus: Corpus, tokens: Any) -> None:
        scored = tokens.scored
        n_empty = 0
        if corpus.sources is not None and tokens.model.form != _SUMMAC:
            sides = zip(corpus.hypotheses.tolist(), corpus.sources.tolist(), strict=True)
            n_empty = sum(not (text.strip() and document.strip()) for text, document in sides)
        text = "[text has|texts have] nothing to compare, or an empty document: such a score says nothing."
        self.tell(max(scored.n_blank, n_empty), text)


Consistency = accumulator_of(ConsistencyMetric)
consistency = one_call(
    Consistency,
    """\
>>> consistency(["It rains."], sources=["It rained all day."], dtype="int8")
Traceback (most recent call last):
    ...
ValueError: dtype: expected one of 'float32', 'bfloat16', 'float16', got 'int8' (str)""",
)


# A sentence below it is not supported: of SummaC, more contradicted than entailed.
_LEAST, _LEAST_OF_SUMMAC = 0.5, 0.0
# Characters of a part of a document that are shown: its beginning and its end.
_SHOWN = 80


class ConsistencyExplainer(Explainer, metric=ConsistencyMetric):
    """Explains the scores of `ConsistencyMetric`."""

    metric: ConsistencyMetric

    def marks(self, key: str) -> Marks:  # noqa: ARG002
        """Mark the sentences that the document does not support."""
        legend = (Mark(3, False, f"not supported by the document: below {self._least:g}"),)
        return Marks(self._align, ((1.0, 3),), 1.0, legend, "are not supported", are_errors=True)

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show each sentence with its score and the best part of the document."""
        title, score = self.metric.about.explain(key).title, float(self.metric.formula(rows)[key])
        steps = []
        for i, one in enumerate(self._supports(segment)[0] if segment is not None else (), 1):
            verdict = "" if one.score >= self._least else ", not supported"
            steps += [
                Step(f"sentence {i}", (printable(one.piece),), value=one.score, meaning=f"its support{verdict}"),
                Step(
                    "", examples=(printable(_ends(one.part)),), meaning="the part of the document that supports it best"
                ),
            ]
        model = self.metric.model()
        whole = "the whole text at once" if model.form == "minicheck" else "the mean over its sentences"
        return Derivation(title, (*steps, Step(title, value=score, meaning=f"what {model.name} says of {whole}")))

    @property
    def _least(self) -> float:
        return _LEAST_OF_SUMMAC if self.metric.options.form == "summac-zs" else _LEAST

    def _supports(self, corpus: Corpus) -> list[list[Support]]:
        model, size = self.metric.model(), self.metric.options.batch_size
        documents = [""] * len(corpus) if corpus.sources is None else corpus.sources.tolist()
        return [model.supports(*sides, size) for sides in zip(documents, corpus.hypotheses.tolist(), strict=True)]

    def _align(self, corpus: Corpus) -> list[Alignment]:
        alignments = []
        sides = zip(corpus.hypotheses.tolist(), self._supports(corpus), np.diff(corpus.reference_offsets), strict=True)
        for text, supports, n_references in sides:
            matches, at = [], 0
            for one in supports:
                start = text.find(one.piece, at)
                at = start + len(one.piece)
                if one.score < self._least and one.piece:
                    matches.append(Match(start, at, 1.0, False, False))
            alignments.append(Alignment(matches, [[] for _ in range(n_references)], 0, is_alone=False))
        return alignments


def _ends(text: str) -> str:
    return text if len(text) <= 2 * _SHOWN else f"{text[:_SHOWN]} ... {text[-_SHOWN:]}"
