"""The calculation of BERTScore, step by step."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ..arrays import IntArray
from ..input.columns import Corpus
from ..measures.bertscore import BertScoreMetric, cut
from ..metric.layout import Rows
from ..models.encoder import Encoder
from ..models.matching import Matcher
from ..scores.ratios import ratio
from ..text import NOWHERE
from .alignment import Alignment, best_pairs_of
from .derivation import Derivation, Step, f_formula
from .explainer import Explainer
from .marks import Mark, Marks, Match


class _Placed:
    """Texts with the ids and the characters of their tokens."""

    def __init__(self, encoder: Encoder, texts: list[str]) -> None:
        self._special, self._ids, self._places = encoder.special, encoder.cut(texts).ids, encoder.places(texts)

    def __getitem__(self, text: int) -> list[tuple[int, int] | None]:
        """Return the characters of every token, None for one without, or one that weighs nothing."""
        rows = zip(self._ids[text].tolist(), self._places[text], strict=True)
        return [None if place == NOWHERE or token in self._special else place for token, place in rows]


def _joined(
    places: list[tuple[int, int] | None], others: list[tuple[int, int] | None], best: Any, baseline: float
) -> list[Match]:
    """Return the tokens of a text as matches; of the tokens of one character, only the first."""
    similarities, partners = best
    found: list[Match] = []
    for place, similarity, partner in zip(places, similarities.tolist(), partners.tolist(), strict=True):
        if place is not None and not (found and place[0] < found[-1].end):
            weight = float((similarity - baseline) / (1 - baseline))
            found.append(Match(*place, weight, joins=False, is_common=False, partner=others[partner]))
    return found


# A token is marked one level stronger from each of these similarities on.
_COUNTED = 0.7
_LEVELS = ((float("-inf"), 1), (0.5, 2), (_COUNTED, 3), (0.85, 4))
_LEGEND = (
    Mark(1, False, "best match below 0.5: weak", ""), Mark(2, False, "best match of 0.5 to 0.7", ""),
    Mark(3, False, "best match of 0.7 to 0.85"), Mark(4, False, "best match of 0.85 or more"),
)  # fmt: skip
_VERB = "have a match of similarity 0.7 or more"


class BertScoreExplainer(Explainer):
    """Explains the scores of `BertScoreMetric`."""

    metric: BertScoreMetric

    def marks(self, key: str) -> Marks:
        """Mark all tokens by the similarity of their best matches, to which they are joined."""
        return Marks(lambda corpus: self._aligned(corpus, key), _LEVELS, _COUNTED, _LEGEND, _VERB)

    def sizes(self, corpus: Corpus) -> tuple[IntArray, IntArray]:
        """Return the number of the model's tokens of every text."""
        encoder = self.metric.counter.encoder()
        sides = (cut(encoder, side) for side in (corpus.hypotheses, corpus.references))
        hypotheses, references = (np.array([len(row) - encoder.n_empty for row in side]) for side in sides)
        return hypotheses, references

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show every token with its best match, the means of their similarities, and F1."""
        metric = self.metric
        title, parts = metric.about.explain(key).title, metric.formula(rows)
        weighted = "" if metric.options.idf is False else ", weighted by idf"
        rescaled = "" if metric.options.baseline() is None else ", rescaled by the baseline"
        steps = [] if segment is None else self._steps_of_tokens(key, segment)
        for name, side in (("precision", "prediction"), ("recall", "reference")):
            meaning = f"mean over the tokens of the {side}{weighted}{rescaled}"
            steps += [Step(name, value=float(parts[name]), meaning=meaning)] if key in (name, "f1") else []
        if key == "f1":
            p, r = parts["precision"], parts["recall"]
            is_f = not rescaled and parts["f1"] == ratio(2 * p * r, p + r)
            formula = f_formula(p, r) if is_f else "of the best reference" + rescaled
            steps.append(Step(title, formula=formula, value=float(parts["f1"])))
        return Derivation(title, tuple(steps))

    def _steps_of_tokens(self, key: str, segment: Corpus) -> list[Step]:
        """Return the tokens of the scored pair with their best matches."""
        [found] = self.marks(key).align(segment)
        texts = segment.hypotheses[0], segment.references[found.best]
        sides = (
            ("prediction", found.prediction, *texts),
            ("reference", found.references[found.best], *texts[::-1]),
        )
        steps = []
        for name, matches, own, other in sides:
            joined = []
            for one in matches:
                partner = "(special)" if one.partner is None else other[slice(*one.partner)]
                joined.append(f"{own[one.start : one.end]} → {partner} {one.weight:.2f}")
            steps.append(Step(name, examples=tuple(joined), meaning="each token, its best match, and their similarity"))
        return steps

    def _aligned(self, corpus: Corpus, key: str) -> list[Alignment]:
        """Join every token with its best match."""
        from ..models.progress import bar_of

        counter, options = self.metric.counter, self.metric.options
        encoder = counter.encoder()
        matcher = Matcher(encoder, counter.weights_of(encoder, corpus), options.batch_size)
        with bar_of(len(corpus), self.metric.name) as bar:
            every = matcher.best(corpus, bar)
        hypotheses, references = (_Placed(encoder, side.tolist()) for side in (corpus.hypotheses, corpus.references))
        baseline = options.baseline()
        low = np.zeros(3) if baseline is None else baseline
        offsets = corpus.reference_offsets
        chosen = offsets[:-1] if len(every) == len(corpus) else best_pairs_of(self.metric, corpus, key)
        alignments = []
        for segment, (first, last) in enumerate(pairwise(offsets.tolist())):
            best, own = int(chosen[segment]), hypotheses[segment]
            others = [references[row] for row in range(first, last)]
            sides = [
                ([], [])
                if one is None
                else (_joined(own, other, one[:2], low[0]), _joined(other, own, one[2:], low[1]))
                for one, other in zip(every[first:last], others, strict=True)
            ]
            alignments.append(Alignment(sides[best - first][0], [matches for _, matches in sides], best - first))
        return alignments
