"""CharacTER of texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..explanation.derivation import Derivation, Step, figure
from ..explanation.explainer import Explainer
from ..input.columns import Corpus
from ..metric import (
    About,
    CountedNote,
    Explanation,
    Field,
    Layout,
    Metric,
    Misfit,
    Notes,
    Rows,
    Score,
    Scores,
    TwoForms,
    scores_of,
)
from ..options import Options
from ..text import TOKENIZERS
from ..text.tokenizers import text_lengths

if TYPE_CHECKING:
    from ..plain import Tokens


@dataclass(frozen=True)
class CharacterOptions(Options):
    """Edits per character of the prediction, at most 1; 0 is best.

    Runs of words that the reference has, too, are shifted to their places first; a shift costs as many edits as its
    words have characters on average. Then characters are inserted, deleted and substituted. The score of a corpus is
    the mean over its segments; of several references, the one with the lowest score counts. A pair of n and m words
    takes up to n² m² / 64 steps for every shift, which is long for texts that repeat a word thousands of times.

    References: Wang et al. (2016), CharacTer: Translation Edit Rate on Character Level. The figures are those of the
    package `cer`, which shifts equal words only.
    """


class EmptyReferences(CountedNote):
    """Counts references without words, which the package `cer` divides by."""

    about = "empty references"

    def examine(self, corpus: Corpus, tokens: Tokens) -> None:  # noqa: ARG002
        """Examine one chunk."""
        found = int(np.count_nonzero(text_lengths(tokens)[1] == 0))
        self.tell(found, "[reference has|references have] no words: a prediction scores 1 there, an empty one 0.")


class CharacterMetric(Metric):
    """CharacTER (Wang et al. 2016).

    `statistics` has the fields ``edits`` and ``characters``, those of the prediction: float64.

    Examples
    --------
    >>> Character().update(["sat the cat"], ["the cat sat"]).score()
    {'character': 0.2727272727272727}
    """

    name = "character"
    options_type = CharacterOptions
    about = About("CharacTER", lambda _: _EXPLANATION, unit="character")
    scores = Scores(Score("character", higher_is_better=False, perfect=0.0))
    combine = "mean"

    def notes(self) -> Notes:
        """Return what looks for empty references and unfit scripts."""
        return Notes(unusual=lambda: (EmptyReferences(), Misfit(self.tokenizer, unsplit=_UNSPLIT), TwoForms()))

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the pairs of a chunk."""
        notes.examine(corpus, self.tokenizer.cut(corpus))
        rows = engine.kernel.character_edits(
            corpus.hypotheses, corpus.references, corpus.offsets, n_threads=corpus.n_threads
        )
        return self.layout.counted(rows)

    layout = Layout([Field("edits", is_whole=False), Field("characters")])
    tokenizer = TOKENIZERS["whitespace"]

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Edits per character of the prediction, at most 1; without characters, 1 if there is an edit, else 0."""
        rate = scores_of(engine.kernel.ter_scores(rows.values), rows)[0]
        return {"character": min(rate, 1.0) if isinstance(rate, float) else np.minimum(rate, 1.0)}


_UNSPLIT = (
    "CharacTER does not split text without spaces, so nothing can be shifted: pass texts with spaces between the words."
)
_EXPLANATION: Explanation = Explanation(
    "CharacTER",
    "How many edits per character turn the prediction into the reference?",
    (
        "Runs of words that both texts have, but in other places, are shifted, as long as that saves edits of words.",
        "A shift costs the average number of characters of its words; what is still wrong is inserted, deleted or "
        "substituted character by character.",
        "The edits are divided by the characters of the prediction; more edits than characters count as 1. "
        "Lower is better. The score on top is the mean over segments.",
    ),
    "It divides by the length of the prediction, so that a long wrong text can score lower than a short one. "
    "It is not CER, the character error rate.",
)
Character = accumulator_of(CharacterMetric)
character = one_call(Character)


class CharacterExplainer(Explainer, metric=CharacterMetric):
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
