"""What math answers are compared by: each text after each step of the rule, and the verdict of the engine."""

from __future__ import annotations

from ..checks import printable
from ..input.columns import Corpus
from ..measures.math_answer import MathAnswerMetric
from ..metric.layout import Rows
from ..text.math_rules import steps_of
from .derivation import Derivation, Step
from .explainer import Explainer


class MathAnswerExplainer(Explainer):
    """Explains the scores of `MathAnswerMetric`."""

    metric: MathAnswerMetric

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show both texts after every step that changes them."""
        if segment is None:
            return super().derivation(key, rows, segment)
        title, score = self.metric.about.title, float(self.metric.formula(rows)["math_answer"])
        [prediction], references = self.metric.counter.answers(segment)
        steps = self._rewritten("prediction", prediction)
        for i, reference in enumerate(references, 1):
            steps += self._rewritten("reference" if len(references) == 1 else f"reference {i}", reference)
        return Derivation(
            title, (*steps, Step(title, formula=self._verdict(prediction, references, rows), value=score))
        )

    def _rewritten(self, name: str, text: str | None) -> list[Step]:
        if text is None:
            return [Step(name, ("no answer",), meaning="nothing that `extract` finds")]
        found = [Step(name, examples=(printable(text),), meaning="the answer" if self.metric.options.extract else "")]
        changes = steps_of(text, self.metric.options.rule)
        return found + [Step(printable(meaning), examples=(printable(after),)) for meaning, after in changes]

    def _verdict(self, prediction: str | None, references: list[str], rows: Rows) -> str:
        rule, engine = self.metric.options.rule, self.metric.options.engine
        if rows["matches"]:
            by_rule = self.metric.counter.are_equal(prediction, references)
            return f"equal by the rule {rule!r}" if by_rule else f"equal by {engine}"
        if engine is None:
            return "not equal"
        return f"{engine} took too long" if rows["timeouts"] else f"not equal, nor by {engine}"
