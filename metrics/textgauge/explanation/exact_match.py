"""What exact match compares: both texts after they were changed."""

from __future__ import annotations

from ..checks import printable
from ..input.columns import Corpus
from ..measures.exact_match import ExactMatchMetric
from ..metric.layout import Rows
from .derivation import Derivation, Step
from .explainer import Explainer


class ExactMatchExplainer(Explainer):
    """Explains the scores of `ExactMatchMetric`."""

    metric: ExactMatchMetric

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the texts that are compared."""
        if segment is None:
            return super().derivation(key, rows, segment)
        title, score = self.metric.about.title, float(self.metric.formula(rows)[key])
        compared, _ = self.metric.counter.as_cut(segment)
        sides = (("prediction", compared.hypotheses), ("reference", compared.references))
        steps = [
            Step(name, examples=tuple(map(printable, texts.tolist())), meaning="as compared", n_examples=len(texts))
            for name, texts in sides
        ]
        return Derivation(title, (*steps, Step(title, formula="equal" if score else "not equal", value=score)))
