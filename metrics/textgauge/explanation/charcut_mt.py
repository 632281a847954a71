"""The calculation of CharCut; and what matches, was shifted, and is missing."""

from __future__ import annotations

import numpy as np

from ..arrays import IntArray
from ..input.columns import Corpus
from ..measures.charcut_mt import CharcutMetric, Comparison, compared
from ..metric.layout import Rows
from .alignment import Alignment, MatchedSides, aligned_with_best, best_pairs_of, pairs_of
from .derivation import Derivation, Step, figure
from .explainer import Explainer
from .marks import Marks, Match


class CharcutExplainer(Explainer):
    """Explains the scores of `CharcutMetric`."""

    metric: CharcutMetric

    def marks(self, key: str) -> Marks:
        """Mark what matches in the same order, and what was shifted; the rest is missing in the other text."""
        return Marks.of_common(
            "matches, in the same order", "matches in another place: a shift", lambda corpus: self._align(corpus, key),
            other_counts=True,
        )  # fmt: skip

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the parts of a segment that match, were shifted, or are in one text alone; then the share of these."""
        steps = []
        if segment is not None:
            [best] = best_pairs_of(self.metric, segment, key).tolist()
            prediction, reference = (text.strip() for text in pairs_of(segment).pairs()[best])
            found = self._compared(prediction, reference)
            parts = {
                "matches": [prediction[one.start : one.start + one.size] for one in found.matches],
                "shifts": [prediction[one.start : one.start + one.size] for one in found.shifts],
                "deleted": _rest(prediction, [(one.start, one.size) for side in found for one in side]),
                "inserted": _rest(reference, [(one.place, one.size) for side in found for one in side]),
            }
            for label, texts in parts.items():
                n = figure(sum(map(len, texts)))
                steps.append(Step(label, (n,), examples=(*texts,), meaning=_MEANINGS[label]))
        cost, n = figure(rows["cost"]), figure(rows["characters"])
        whose = "twice those of the prediction" if self.metric.options.alt_norm else "of both texts"
        steps += [
            Step("cost", (cost,), meaning="characters that are deleted, inserted or shifted"),
            Step("characters", (n,), meaning=whose),
        ]
        title, score = self.metric.about.title, float(self.metric.formula(rows)[key])
        formula = f"{cost} / {n}" if rows["characters"] else "there are no characters"
        return Derivation(title, (*steps, Step(title, formula=formula, value=score, meaning="lower is better")))

    def sizes(self, corpus: Corpus) -> tuple[IntArray, IntArray]:
        """Return the number of characters of every prediction and reference, without white space at their ends."""
        sides = corpus.hypotheses.tolist(), corpus.references.tolist()
        hypotheses, references = (np.array([len(text.strip()) for text in side], np.int64) for side in sides)
        return hypotheses, references

    def _compared(self, prediction: str, reference: str) -> Comparison:
        return compared(prediction, reference, self.metric.options.match_size)

    def _align(self, corpus: Corpus, key: str) -> list[Alignment]:
        """Match with the reference that the segment is scored with, character by character."""
        pairs = pairs_of(corpus)
        sides: MatchedSides = ([], [])
        for prediction, reference in pairs.pairs():
            found = self._compared(prediction.strip(), reference.strip())
            kinds = [(one, is_kept) for is_kept, ones in ((True, found.matches), (False, found.shifts)) for one in ones]
            for side, text, starts in (
                (sides[0], prediction, [(one.start, one.size, is_kept) for one, is_kept in kinds]),
                (sides[1], reference, [(one.place, one.size, is_kept) for one, is_kept in kinds]),
            ):
                before = len(text) - len(text.lstrip())
                side.append([
                    Match(before + at, before + at + 1, 1, at + 1 < start + size, is_kept)
                    for start, size, is_kept in sorted(starts)
                    for at in range(start, start + size)
                ])  # fmt: skip
        return aligned_with_best(corpus, self.metric, key, sides)


_MEANINGS = {
    "matches": "parts of both texts, in the same order",
    "shifts": "parts of both texts, in another place",
    "deleted": "what the prediction alone has",
    "inserted": "what the reference alone has",
}


def _rest(text: str, spans: list[tuple[int, int]]) -> list[str]:
    """Return what is left of a text beside some spans."""
    rest, at = [], 0
    for start, size in [*sorted(spans), (len(text), 0)]:
        if start > at:
            rest.append(text[at:start])
        at = start + size
    return rest
