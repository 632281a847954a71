"""ANLS: average normalized Levenshtein similarity, of answers about documents and scenes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..arrays import IntArray, lengths_of
from ..explanation.derivation import Derivation, Step, texts_as
from ..explanation.explainer import Explainer
from ..input.columns import Corpus, known_texts
from ..metric import About, Explanation, Field, Layout, Metric, Notes, Rows, Score, Scores, TwoForms
from ..options import Options, option
from ..plain import Texts
from ..text import TOKENIZERS
from ..text.tokenizers import prepared


@dataclass(frozen=True)
class AnlsOptions(Options):
    """The similarity of an answer to a reference is 1 less the edits of characters per length, 0 below a threshold.

    Of several references the best counts; the score is the mean over segments, from 0 to 1.

    `rule` says whose figures these are:

    - "docvqa": the script of the challenges DocVQA and InfographicsVQA. Both texts are in lower case, runs of white
      space are one space; the length is the larger one of the two texts as they came, in upper case;
    - "stvqa": MMF's for ST-VQA. Both are in lower case, without white space at the ends; a similarity at the threshold
      counts in both;
    - "paper": Biten et al. (2019), equation 1, as pix2struct has it. Both are in lower case; a similarity must exceed
      the threshold.

    References: Biten et al. (2019), Scene Text Visual Question Answering, section 4.2.
    """

    rule: Literal["docvqa", "stvqa", "paper"] = option("docvqa", "Whose figures: see above.", on_page=True)
    min_similarity: float = option(0.5, "Smaller similarities are 0.", at_least=0, at_most=1)
    strip: bool = option(
        False, "Drop white space at the ends of both texts first, whose length `docvqa` counts.", on_page=True
    )


class AnlsMetric(Metric):
    """ANLS (Biten et al. 2019).

    `statistics` has the fields ``edits`` and ``length``, of the best reference: int64.

    Examples
    --------
    >>> Anls().update(["Paris ", "1899"], [["paris", "in Paris"], ["1889"]]).score()
    {'anls': 0.875}
    """

    name = "anls"
    options_type = AnlsOptions
    about = About("ANLS", lambda _: _EXPLANATION, unit="character")
    scores = Scores(Score("anls"))
    combine = "mean"
    layout = Layout([Field("edits"), Field("length")])
    options: AnlsOptions

    def notes(self) -> Notes:
        """Return what looks for letters in two forms."""
        return Notes(unusual=lambda: (TwoForms(None, None, self.compared, is_whole=True),), reads_latin=False)

    def compared(self, text: str) -> str:
        """Return a text as its characters are compared."""
        text = self._stripped(text).lower()
        if self.options.rule == "docvqa":
            return " ".join(text.split())
        return text.strip() if self.options.rule == "stvqa" else text

    def _stripped(self, text: str) -> str:
        return text.strip() if self.options.strip else text

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the edits of the pairs of a chunk."""
        notes.examine(corpus, corpus)
        tokens = _CHARACTERS.cut(corpus.rewritten(self._framed))
        edits = np.asarray(engine.kernel.levenshtein_edits(tokens, n_threads=corpus.n_threads))[:, 1:].sum(axis=1)
        of_hypotheses, of_references = (self._lengths(texts) for texts in (corpus.hypotheses, corpus.references))
        longer = np.maximum(np.repeat(of_hypotheses, lengths_of(corpus.reference_offsets)), of_references)
        return self.layout.counted(np.stack((edits, longer), axis=1))

    def _framed(self, texts: Texts) -> Texts:
        # The tokenizer drops white space at the ends, and what both texts begin and end with needs no edit.
        return known_texts([f".{self.compared(text)}." for text in texts.tolist()])

    def _lengths(self, texts: Texts) -> IntArray:
        if self.options.rule == "docvqa":
            return np.array([len(self._stripped(text).upper()) for text in texts.tolist()], np.int64)
        return np.array([len(self.compared(text)) for text in texts.tolist()], np.int64)

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return the similarity, 0 if it does not reach the threshold; that of two texts without length is 1."""
        edits, length = np.asarray(rows["edits"], np.float64), np.asarray(rows["length"], np.float64)
        shares = np.divide(edits, length, out=np.zeros(np.broadcast(edits, length).shape), where=length > 0)
        similar = 1 - shares
        if self.options.rule == "paper":
            counts = shares < 1 - self.options.min_similarity
        else:
            counts = similar >= self.options.min_similarity
        return {"anls": np.where(counts, similar, 0.0)[()]}


_CHARACTERS = prepared(TOKENIZERS["every-character"], lowercase=False, strip=False)
_EXPLANATION: Explanation = Explanation(
    "ANLS",
    "How few characters of the answer are wrong?",
    (
        "The similarity is 1 less the edits of characters per length of the longer text, with the best reference.",
        "A similarity below the threshold is 0: such an answer is another one, not one that was misread.",
        "The score on top is the mean over segments.",
    ),
    "A wrong digit costs as little as a wrong letter, and a right answer in other words scores 0.",
)
Anls = accumulator_of(AnlsMetric)
anls = one_call(Anls)


class AnlsExplainer(Explainer, metric=AnlsMetric):
    """Explains the scores of `AnlsMetric`."""

    metric: AnlsMetric

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the texts that are compared, the edits and the threshold."""
        if segment is None:
            return super().derivation(key, rows, segment)
        title, options = self.metric.about.title, self.metric.options
        sides = (("prediction", segment.hypotheses), ("reference", segment.references))
        steps = texts_as("as compared", ((name, map(self.metric.compared, texts.tolist())) for name, texts in sides))
        edits, length = int(rows["edits"].sum()), int(rows["length"].sum())
        score = float(np.asarray(self.metric.formula(rows)[key]).reshape(-1)[0])
        similar = 1 - edits / length if length else 1.0
        steps.append(Step("similarity", formula=f"1 - {edits} / {length}" if length else "1", value=similar))
        sign = ">" if options.rule == "paper" else "≥"
        steps.append(Step("threshold", (f"{sign} {options.min_similarity:g}",)))
        formula = "the similarity" if score else "none, as the similarity is below the threshold"
        steps.append(Step(title, formula=formula, value=score))
        return Derivation(title, tuple(steps))
