"""The calculation of NIST: the information per n-gram of every order, and the factor for short predictions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from .. import engine
from ..input.columns import Corpus
from ..measures.nist_mt import NistMetric
from ..metric.layout import Rows
from .alignment import aligned_with_all
from .derivation import Derivation, Step, figure
from .explainer import Explainer
from .marks import Marks

_BITS = "bits of the n-grams that a reference has, too, divided by all n-grams of the prediction"


class NistExplainer(Explainer):
    """Explains the scores of `NistMetric`."""

    metric: NistMetric

    def marks(self, key: str) -> Marks:  # noqa: ARG002
        """Mark n-grams of all orders that a reference has, longer ones more strongly."""
        tokenizer, order = self.metric.counter.tokenizer, self.metric.options.n
        return Marks.of_orders(order, partial(aligned_with_all, tokenizer=tokenizer, orders=order))

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:  # noqa: ARG002
        """Show the information per n-gram of every order, their sum, and the factor for the length."""
        title = self.metric.about.title
        score, factor, *shares = engine.kernel.nist_scores(rows.values)
        # nltk adds the lengths of all orders.
        n = len(shares) if self.metric.options.counting == "nltk" else 1
        length, reference = (figure(float(rows[name]) / n) for name in ("length", "reference"))
        short = "" if factor == 1 else "shorter than the reference, which lowers NIST"
        steps = (
            *self._orders(rows, shares),
            Step("sum", formula=" + ".join(map(figure, shares)), value=sum(shares), meaning="over the orders"),
            Step("length", (f"{length} against {reference}",), value=factor, meaning=short or "not too short"),
            Step(title, formula=f"{figure(sum(shares))} × {figure(factor)}", value=score),
        )
        return Derivation(title, steps)

    def _orders(self, rows: Rows, shares: list[float]) -> Iterator[Step]:
        columns = rows["information"].tolist(), rows["ngrams"].tolist(), shares
        for order, (bits, ngrams, share) in enumerate(zip(*columns, strict=True), 1):
            formula = f"{figure(bits)} / {figure(ngrams)}" if ngrams else "no n-grams"
            yield Step(f"{order}-grams", formula=formula, value=share, meaning=_BITS if order == 1 else "")
