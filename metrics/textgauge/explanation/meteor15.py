"""The calculation of METEOR 1.5: what is joined and how, chunks, weighted precision and recall, penalty."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import engine
from ..input.columns import Corpus
from ..measures.meteor15 import TASKS, Meteor15Metric
from ..metric.layout import Rows
from .derivation import Derivation, Step, figure
from .meteor import KINDS, Link
from .meteor import MeteorExplainer as _OfMeteor


class Meteor15Explainer(_OfMeteor):
    """Explains the scores of `Meteor15Metric`."""

    metric: Meteor15Metric  # type: ignore[assignment]
    kinds = KINDS

    def cut(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the words of texts."""
        return self.metric.counter.cut(texts)

    def links(self, prediction: str, reference: str) -> list[Link]:
        """Return what is joined in a pair, by place in the reference."""
        call: Any = engine.kernel.meteor15_matches
        found = call(*self.metric.counter.arguments([prediction, reference], np.array([0]), np.array([1])))
        return [tuple(link) for link in np.asarray(found).reshape(-1, 5).tolist()]

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show what is joined, the chunks, precision, recall, their mean, the penalty; of sums the counts."""
        task = TASKS[self.metric.options.task]
        title, found = self.metric.about.title, self.metric.formula(rows)
        p, r, penalty = (float(found[name]) for name in ("precision", "recall", "penalty"))
        score = float(found[key]) * self.metric.scores.scale
        matched, chunks = rows["matched"].tolist(), int(rows["chunks"])
        steps = [] if segment is None else self.joined(key, segment)
        if segment is None:
            steps = [Step("matched", (f"{figure(matched[0])} and {figure(matched[1])}",), meaning="words of both"),
                     Step("chunks", (figure(chunks),), meaning="runs of matches in the same order")]  # fmt: skip
        weights = ", ".join(f"{name} {weight:g}" for name, weight in zip(KINDS, task.weights, strict=True))
        weighed = (self.metric.weighted(rows, side) for side in (0, 1))
        shares = [f"{matched:g} / {whole:g}" if whole else "no words" for matched, whole in weighed]
        mean = p * r / (task.alpha * p + (1 - task.alpha) * r) if p and r else 0.0
        steps += [
            Step("precision", formula=shares[0], value=p,
                 meaning=f"{weights}; each times {task.delta:g}, function words times {1 - task.delta:.4g}"),
            Step("recall", formula=shares[1], value=r, meaning="the same of the reference"),
            Step("mean", formula=f"P R / ({task.alpha:g} P + {1 - task.alpha:.4g} R)", value=mean),
            Step("penalty", formula=f"{task.gamma:g} × ({chunks} / {sum(matched) / 2:g})^{task.beta:g}", value=penalty,
                 meaning="0 where both texts match as one chunk"),
            Step(title, formula=f"{mean:.4f} × (1 - {penalty:.4f})", value=score),
        ]  # fmt: skip
        return Derivation(title, tuple(steps))
