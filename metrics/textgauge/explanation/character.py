"""The calculation of CharacTER: edits by characters of the prediction."""

from __future__ import annotations

from ..input.columns import Corpus
from ..measures.character import CharacterMetric
from ..metric.layout import Rows
from .derivation import Derivation, Step, figure
from .explainer import Explainer


class CharacterExplainer(Explainer):
    """Explains the scores of `CharacterMetric`."""

    metric: CharacterMetric

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:  # noqa: ARG002
        """Show edits and characters, and their ratio."""
        edits, characters = figure(float(rows["edits"])), figure(float(rows["characters"]))
        title, score = self.metric.about.title, float(self.metric.formula(rows)[key])
        formula = f"{edits} / {characters}" if rows["characters"] else "no characters"
        formula += ", at most 1" if rows["edits"] > rows["characters"] else ""
        steps = (
            Step("edits", (edits,), meaning="characters of shifts, insertions, deletions and substitutions"),
            Step("characters", (characters,), meaning="of the prediction"),
            Step(title, formula=formula, value=score),
        )
        return Derivation(title, steps)
