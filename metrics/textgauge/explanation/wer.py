"""The calculation of error rates: the reference over the prediction, with every edit, as sclite and jiwer print it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from .. import engine
from ..input.columns import Corpus
from ..measures.wer import COUNTS, EditMetric
from ..metric.layout import Rows
from ..text import NOWHERE
from .alignment import (
    Alignment,
    Match,
    MatchedSides,
    PlacedText,
    aligned_with_best,
    best_pairs_of,
    pairs_of,
    placed_texts,
)
from .derivation import Derivation, Edit, Step, aligned_lines, figure
from .explainer import Explainer
from .marks import Marks

_KINDS: dict[str, Any] = {" ": "keep", "s": "substitute", "d": "delete", "i": "insert"}
_MEANINGS = {
    "hits": "{unit}s that are right",
    "substitutions": "another {unit} instead",
    "deletions": "{unit}s of the reference that the prediction lacks",
    "insertions": "{unit}s that the reference does not have",
}
# How each score comes from the counts: H, S, D, I and N, the length of the references, P, that of the predictions.
_FORMULAS = {
    "mer": "({S} + {D} + {I}) / ({H} + {S} + {D} + {I})",
    "wil": "1 - {H} / {N} × {H} / {P}",
    "wip": "{H} / {N} × {H} / {P}",
}


def _visible(token: str) -> str:
    """Return a token with white space that can be seen."""
    return token if token.strip() else repr(token)


class WerExplainer(Explainer):
    """Explains the scores of `EditMetric`."""

    metric: EditMetric
    has_confusions = True

    def marks(self, key: str) -> Marks:
        """Mark the tokens that are right."""
        unit = self.metric.about.unit
        return Marks.of_common(
            f"right: the same {unit} in both texts", "", lambda corpus: self._align(corpus, key), other_counts=False
        )

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show both texts of a segment one above the other, the counts, and the rate."""
        unit = self.metric.about.unit
        steps = [Step(name, (figure(rows[name]),), meaning=_MEANINGS[name].format(unit=unit)) for name in COUNTS]
        hits, substitutions, deletions, insertions = (float(rows[name]) for name in COUNTS)
        n_reference, n_prediction = hits + substitutions + deletions, hits + substitutions + insertions
        numbers = dict(zip("HSDINP", map(figure, (
            hits, substitutions, deletions, insertions, n_reference, n_prediction,
        )), strict=True))  # fmt: skip
        steps.append(Step(f"{unit}s", (numbers["N"],), meaning="of the reference: hits, substitutions and deletions"))
        formula = _FORMULAS.get(key, "({S} + {D} + {I}) / {N}").format(**numbers)
        # Insertions are a part of what MER divides by.
        divisors = {"mer": [n_reference + insertions], "wil": [n_reference, n_prediction]}
        divisors["wip"] = divisors["wil"]
        if not all(divisors.get(key, [n_reference])):
            formula = "there is nothing to divide by"
        score = float(self.metric.formula(rows)[key]) * self.metric.scores.scale
        title = self.metric.about.explain(key).title
        steps.append(Step(title, formula=formula, value=score))
        alignment = () if segment is None else self._alignment(segment, key)
        return Derivation(title, tuple(steps), alignment=alignment, is_joined=unit == "character")

    def confusions(self, corpus: Corpus) -> Mapping[str, Counter[str]]:
        """Return how often each token is substituted, by which other one, deleted or inserted."""
        found: dict[str, Counter[str]] = {name: Counter() for name in COUNTS[1:]}
        for segment in range(len(corpus)):
            for kind, before, after in self._alignment(corpus.slice(segment, segment + 1), self.metric.scores.headline):
                if kind != "keep":
                    written = " → ".join(map(_visible, filter(None, (before, after))))
                    found[f"{kind.removesuffix('e')}ions"][written] += 1
        return found

    def edit_lines(self, segment: Corpus, key: str) -> list[str]:
        """Return both texts of a segment, one above the other, and the edits, as lines."""
        return aligned_lines(self._alignment(segment, key), is_joined=self.metric.about.unit == "character")

    def _alignment(self, segment: Corpus, key: str) -> tuple[Edit, ...]:
        """Return every token of the reference with that of the prediction, of the best pair."""
        pairs = pairs_of(segment)
        [best] = best_pairs_of(self.metric, segment, key).tolist()
        counter = self.metric.counter
        texts, tokenizer = counter.as_cut(pairs.slice(best, best + 1))
        hypothesis, reference = (
            tokenizer(text) for text in (texts.hypotheses.tolist()[0], texts.references.tolist()[0])
        )
        [(left, right)] = self._placed(pairs.slice(best, best + 1))
        edits, i, j = [], 0, 0
        for edit in engine.kernel.levenshtein_path(left.ids, right.ids, counter.aligner):
            before, after = "" if edit == "i" else reference[i], "" if edit == "d" else hypothesis[j]
            edits.append(Edit(_KINDS[edit], before, after))
            i += edit != "i"
            j += edit != "d"
        return tuple(edits)

    def _placed(self, pairs: Corpus) -> Iterator[list[PlacedText]]:
        """Yield both texts of every pair, as they are cut to be counted."""
        texts, tokenizer = self.metric.counter.as_cut(pairs)
        return placed_texts(pairs, tokenizer.cut(texts), tokenizer, texts)

    def _align(self, corpus: Corpus, key: str) -> list[Alignment]:
        """Match with the best reference."""
        sides: MatchedSides = ([], [])
        for hypothesis, reference in self._placed(pairs_of(corpus)):
            path = engine.kernel.levenshtein_path(hypothesis.ids, reference.ids, self.metric.counter.aligner)
            i = j = 0
            right = []
            for edit in path:
                right += [(j, i)] if edit == " " else []
                i += edit != "i"
                j += edit != "d"
            for side, text, places in ((0, hypothesis, [a for a, _ in right]), (1, reference, [b for _, b in right])):
                placed = [text.places[place] for place in places]
                sides[side].append([Match(*place, 1, False, True) for place in placed if place != NOWHERE])
        return aligned_with_best(corpus, self.metric, key, sides)
