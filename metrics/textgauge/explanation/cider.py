"""The calculation of CIDEr, step by step: what is shared with each reference, and how rare it is."""

from __future__ import annotations

import math
from functools import partial

from ..checks import quantity
from ..input.columns import Corpus
from ..measures.cider import CiderMetric, repetitions, words_of
from ..metric.layout import Rows
from ..plain.cider import ORDERS, ngram_counts
from .alignment import aligned_with_all
from .derivation import Derivation, Step, figure
from .explainer import Explainer
from .marks import Marks


class CiderExplainer(Explainer):
    """Explains the scores of `CiderMetric`."""

    metric: CiderMetric

    def marks(self, key: str) -> Marks:  # noqa: ARG002
        """Mark n-grams that a reference has too, longer ones more strongly."""
        return Marks.of_orders(
            ORDERS, partial(aligned_with_all, tokenizer=self.metric.counter.tokenizer, orders=ORDERS)
        )

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show for every reference the shared n-grams with their weights, cosines and the length penalty."""
        if segment is None:
            return super().derivation(key, rows, segment)
        counter, options = self.metric.counter, self.metric.options
        images, frequencies = counter.document_counts()
        sides = words_of(counter.tokenizer, segment.hypotheses), words_of(counter.tokenizer, segment.references)
        caption, *references = (text.split() for side in sides for text in side.tolist())
        repeated = repetitions(*sides, segment).tolist()

        def weights_of(words: list[str]) -> list[dict[str, tuple[int, float]]]:
            found: list[dict[str, tuple[int, float]]] = [{} for _ in range(ORDERS)]
            for gram, count in ngram_counts(words).items():
                rarity = math.log(max(1, images)) - math.log(max(1.0, frequencies.get(" ".join(gram), 0)))
                found[len(gram) - 1][" ".join(gram)] = count, count * rarity
            return found

        own, of_references = weights_of(caption), []
        steps: list[Step] = []
        for r, words in enumerate(references):
            name = "" if len(references) == 1 else f" of reference {r + 1}"
            other, values = weights_of(words), []
            for n in range(ORDERS):
                step, value = self._order(n, name, own[n], other[n], images, frequencies)
                steps.append(step._replace(meaning="" if n or r else self._meaning()))
                values.append(value)
            factor = 1.0
            if options.variant != "plain":
                delta = max(0, len(caption) - 1) - max(0, len(words) - 1)
                if options.variant == "D":
                    factor = math.exp(-(delta**2) / (2 * options.sigma**2))
                    formula = f"exp(-{abs(delta)}² / (2 × {figure(options.sigma)}²))"
                else:
                    near = math.exp(-(delta**2) / max(1, len(words)) ** 2)
                    factor = repeated[r] ** 0.8 * near**0.2
                    formula = f"{figure(repeated[r])}^0.8 × {figure(near)}^0.2, of repetition and length"
                steps.append(Step(f"penalty{name}", formula=formula, value=factor, meaning="for another length"))
            mean = sum(values) / ORDERS * factor
            of_references.append(mean)
            shown = " + ".join(map(figure, values))
            formula = f"({shown}) / {ORDERS}" + ("" if options.variant == "plain" else f" × {figure(factor)}")
            steps.append(Step(f"mean{name}", formula=formula, value=mean))
        score = float(rows["cider"])
        shown = " + ".join(map(figure, of_references))
        formula = f"10 × {shown}" if len(references) == 1 else f"10 × ({shown}) / {len(references)}"
        steps.append(Step("CIDEr", formula=formula, value=score, meaning="from 0 to 10"))
        remarks = []
        if not caption:
            remarks.append("CIDEr is 0, since the caption has no words.")
        elif images == 1:
            remarks.append("CIDEr is 0, since the weights are those of one image, where no n-gram is rare.")
        return Derivation("CIDEr", tuple(steps), (), tuple(remarks))

    def _meaning(self) -> str:
        clipped = "" if self.metric.options.variant == "plain" else "clipped, "
        return f"cosine of the weights, {clipped}of what both have; a weight is count × log(images / images with it)"

    def _order(
        self, n: int, name: str, own: dict[str, tuple[int, float]], other: dict[str, tuple[int, float]], images: int,
        frequencies: dict[str, int],
    ) -> tuple[Step, float]:  # fmt: skip
        is_clipped = self.metric.options.variant != "plain"
        shared = []
        for gram, (count, weight) in own.items():
            if gram in other:
                reached = min(weight, other[gram][1]) if is_clipped else weight
                shared.append((reached * other[gram][1], gram, count, reached, other[gram][1]))
        product = sum(row[0] for row in shared)
        norms = [math.sqrt(sum(weight**2 for _, weight in side.values())) for side in (own, other)]
        value = product / (norms[0] * norms[1]) if all(norms) else product
        examples = tuple(
            f"{gram} ({quantity(count, 'time')}, in {frequencies.get(gram, 0):,} of {quantity(images, 'image')}): "
            f"{figure(reached)} × {figure(weight)}"
            for _, gram, count, reached, weight in sorted(shared, key=lambda row: -row[0])
        )
        formula = f"{figure(product)} / ({figure(norms[0])} × {figure(norms[1])})" if all(norms) else "no weights"
        label = f"{n + 1} word{'s' * (n > 0)}{name}"
        return Step(label, (f"{len(shared)} shared",), formula, value, examples), value
