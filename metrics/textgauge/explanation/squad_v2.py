"""The calculation of SQuAD 2.0, step by step."""

from __future__ import annotations

from ..input.columns import Corpus
from ..measures.squad_v2 import SIDES, SquadV2Metric
from ..metric.layout import Rows
from .derivation import Derivation, Step, figure, part_of
from .token_f1 import TokenF1Explainer


class SquadV2Explainer(TokenF1Explainer):
    """Explains the scores of `SquadV2Metric`."""

    metric: SquadV2Metric

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show what the questions with an answer score together, those without, and the mean over all."""
        title = self.metric.about.explain(key).title
        counts = (rows[name] for name in ("questions", "answerable", key, "abstained"))
        total, answerable, right, abstained = map(float, counts)
        steps: list[Step] = []
        threshold = self.metric.options.no_answer_threshold
        if segment is not None and answerable and rows["no_answer"] > threshold:
            steps.append(
                Step("no answer", (), f"{figure(rows['no_answer'])} > {figure(threshold)}",
                     meaning="its probability is above the threshold, so that the answer does not count")
            )  # fmt: skip
        elif segment is not None and answerable:
            steps, common = self.words_shown(key, segment)
            if key == "f1":
                steps.append(Step("matches", (str(len(common)),), examples=common, meaning="words of both answers"))
        sums = (("HasAns", right, answerable), ("NoAns", abstained, total - answerable))
        steps += [
            Step(label, (part_of(n, whole),), meaning=f"the sum over {SIDES[label]}")
            for label, n, whole in sums
            if whole
        ]
        shown = [figure(n) for _, n, whole in sums if whole]
        of = f"({' + '.join(shown)})" if len(shown) > 1 else "".join(shown)
        value = float(self.metric.formula(rows)[key])
        return Derivation(
            title, (*steps, Step(title, (), f"{figure(self.metric.scores.top)} × {of} / {figure(total)}", value))
        )
