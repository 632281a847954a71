"""The calculation of chrF, step by step; and what of a text it counts."""

from __future__ import annotations

import numpy as np

from .. import engine
from ..checks import quantity
from ..input.columns import Corpus
from ..measures.chrf import ChrfMetric
from ..metric.layout import Rows
from ..text import TOKENIZERS
from .alignment import Alignment, aligned_with_best, matched, pairs_of
from .derivation import NEITHER, Derivation, Step, f_formula, figure
from .explainer import Explainer
from .marks import Marks

_ORDERS = "runs of characters without the spaces: how many of either text are in both"


class ChrfExplainer(Explainer):
    """Explains the scores of `ChrfMetric`."""

    metric: ChrfMetric

    def marks(self, key: str) -> Marks:
        """Mark character n-grams, longer ones more strongly."""
        order = max(self.metric.options.char_order, 1)

        def align(corpus: Corpus) -> list[Alignment]:
            pairs = pairs_of(corpus)
            sides = matched(pairs, TOKENIZERS["character"], order, normal=self.metric.counter.lowered(pairs))
            return aligned_with_best(corpus, self.metric, key, sides)

        return Marks.of_orders(order, align, "character")

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:  # noqa: ARG002
        """Show precision and recall of every order, their means, and F."""
        o = self.metric.options
        is_percent = self.metric.scores.top != 1
        found = engine.kernel.chrf_scores(rows.values, o.beta, o.eps_smoothing, percent=is_percent, parts=True)
        (chrf, p, r), by_order = found[:3], np.reshape(found[3:], (3, -1)).tolist()
        orders = [f"runs of {n}" for n in range(1, o.char_order + 1)]
        orders += [quantity(n, "word") for n in range(1, o.word_order + 1)]
        steps, n = [], 0
        for i, label in enumerate(orders):
            cells = [
                f"{figure(rows['matches'][i])}/{figure(rows[side][i])} = {share[i]:.3f}"
                for side, share in zip(("prediction", "reference"), by_order, strict=False)
            ]
            has_both = rows["prediction"][i] > 0 and rows["reference"][i] > 0
            n += has_both
            cells = cells if has_both or o.eps_smoothing else ["left out:", "too short"]
            f = by_order[2][i] if o.eps_smoothing else None
            steps.append(Step(label, tuple(cells), value=f, meaning="" if i else _ORDERS))
        if o.eps_smoothing:
            return self._derived(steps, rows, f"{figure(self.metric.scores.top)} × mean of the {len(steps)} F", chrf)
        of = f"mean of the {quantity(n, 'order')}, " if n != 1 else ""
        steps += [
            Step("precision", (f"{p:.4f}", ""), meaning=f"{of}of what the prediction has"),
            Step("recall", ("", f"{r:.4f}"), meaning=f"{of}of what the reference has"),
        ]
        formula = f"{figure(self.metric.scores.top)} × {f_formula(p, r, o.beta)}" if p or r else NEITHER
        return self._derived(steps, rows, formula, chrf)

    def _derived(self, steps: list[Step], rows: Rows, formula: str, score: float) -> Derivation:
        beta = self.metric.options.beta
        balance = "equally" if beta == 1 else f"with recall counted {beta:g} times as much (beta)"
        meaning = f"F, which balances precision and recall, {balance}"
        last = Step(self.metric.about.title, formula=formula, value=score, meaning=meaning)
        # Beside a text without characters, neither side is counted.
        empty = [side for side in ("prediction", "reference") if not rows[side].any()]
        which = empty[0] if len(empty) == 1 else "prediction or the reference"
        why = f"the {which} has no characters" if empty else "no run of characters is in both texts"
        remarks = (f"{self.metric.about.title} is 0, since {why}.",) if score == 0 else ()
        return Derivation(self.metric.about.title, (*steps, last), ("of the prediction", "of the reference"), remarks)
