"""Relaxed accuracy: answers about charts, whose numbers may be a little off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..arrays import Numbering, lengths_of
from ..explanation.derivation import Derivation, Step, texts_as
from ..explanation.explainer import Explainer
from ..input.columns import Corpus
from ..metric import About, Explanation, Field, Layout, Metric, Notes, Rows, Score, Scores, TwoForms
from ..options import Options, option


@dataclass(frozen=True)
class RelaxedAccuracyOptions(Options):
    """A number is right if it differs from the reference by at most a share of it; other texts must be equal.

    Texts are numbers if Python's `float` reads them, a hundredth of that with "%" at the end. Beside a reference that
    is 0 or no number, both texts are compared in lower case. Of several references, one is enough.

    References: Masry et al. (2022), ChartQA, section 5.1; the figures are those of pix2struct.
    """

    tolerance: float = option(
        0.05, "The share of the reference by which a number may differ.", at_least=0, on_page=True
    )
    strip: bool = option(False, "Drop white space at the ends of texts that are no numbers, too.", on_page=True)


class RelaxedAccuracyMetric(Metric):
    """Relaxed accuracy (Masry et al. 2022).

    `statistics` has the field ``matches``, 0 or 1: int64.

    Examples
    --------
    >>> RelaxedAccuracy().update(["104", "12%", "Norway"], ["100", "0.13", "norway"]).score()
    {'relaxed_accuracy': 0.6666666666666666}
    """

    name = "relaxed_accuracy"
    options_type = RelaxedAccuracyOptions
    about = About("Relaxed accuracy", lambda _: _EXPLANATION)
    scores = Scores(Score("relaxed_accuracy", is_binary=True))
    combine = "mean"
    layout = Layout([Field("matches")])
    options: RelaxedAccuracyOptions

    def notes(self) -> Notes:
        """Return what looks for letters in two forms."""
        return Notes(unusual=lambda: (TwoForms(None, None, self.compared, is_whole=True),), reads_latin=False)

    def compared(self, text: str) -> str:
        """Return a text that is no number as it is compared."""
        return (text.strip() if self.options.strip else text).lower()

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Judge the pairs of a chunk."""
        notes.examine(corpus, corpus)
        # Answers repeat: each text is read once.
        numbering = Numbering()
        sides = [numbering.of(texts.tolist()) for texts in (corpus.hypotheses, corpus.references)]
        found, expected = sides[0].repeat(lengths_of(corpus.reference_offsets)), sides[1]
        read = [number(text) for text in numbering]
        numbers = np.array([0.0 if one is None else one for one in read])
        are_numbers = np.array([one is not None for one in read], bool)
        compared = Numbering().of([*map(self.compared, numbering)])
        matches = compared[found] == compared[expected]
        both = np.flatnonzero(are_numbers[found] & (numbers[expected] != 0))
        a, b = numbers[found[both]], numbers[expected[both]]
        with np.errstate(all="ignore"):
            matches[both] = np.abs(a - b) / np.abs(b) <= self.options.tolerance
        return Rows(self.layout, matches.astype(np.int64).reshape(-1, 1))

    def is_right(self, prediction: str, reference: str) -> bool:
        """Return whether a prediction is near enough to a reference."""
        expected = number(reference)
        found = number(prediction) if expected else None
        if expected and found is not None:
            return abs(found - expected) / abs(expected) <= self.options.tolerance
        return self.compared(prediction) == self.compared(reference)

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return 1 for right answers, else 0."""
        return {"relaxed_accuracy": rows["matches"] * 1.0}


def number(text: str) -> float | None:
    """Return the number that a text is, a hundredth of that before "%"; None if it is none.

    Examples
    --------
    >>> number("5%"), number("1e3"), number("1,000")
    (0.05, 1000.0, None)
    """
    try:
        return float(text.rstrip("%")) / 100 if text.endswith("%") else float(text)
    except ValueError:
        return None


_EXPLANATION: Explanation = Explanation(
    "Relaxed accuracy",
    "How many answers are right, numbers within 5%?",
    (
        "A number is right if it differs from the reference by at most the tolerance, a share of the reference.",
        "Other answers are right if they equal the reference but for case.",
        "The score on top is the mean over questions.",
    ),
    "A year that is a century off is right as well: 1921 for 2020. Numbers with units or commas are compared as texts.",
)
RelaxedAccuracy = accumulator_of(RelaxedAccuracyMetric)
relaxed_accuracy = one_call(RelaxedAccuracy)


class RelaxedAccuracyExplainer(Explainer, metric=RelaxedAccuracyMetric):
    """Explains the scores of `RelaxedAccuracyMetric`."""

    metric: RelaxedAccuracyMetric

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the texts or numbers that are compared, and their difference."""
        if segment is None:
            return super().derivation(key, rows, segment)
        title, score = self.metric.about.title, float(self.metric.formula(rows)[key])
        prediction, references = segment.hypotheses[0], segment.references.tolist()
        steps = texts_as("as given", (("prediction", [prediction]), ("reference", references)))
        right = [reference for reference in references if self.metric.is_right(prediction, reference)]
        steps += self._difference(prediction, (right or references)[0])
        return Derivation(title, (*steps, Step(title, formula="right" if score else "wrong", value=score)))

    def _difference(self, prediction: str, reference: str) -> list[Step]:
        found, expected = number(prediction), number(reference)
        if found is None or not expected:
            return [Step("compared", ("as texts, but for case",))]
        share, tolerance = abs(found - expected) / abs(expected), self.metric.options.tolerance
        written = f"{found!r} from {expected!r}, which may be {tolerance!r} of it"
        return [Step("difference", (f"{share:.4g} of the reference",), meaning=written)]
