"""The calculation of TER, edit by edit; and the words that stay."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np

from .. import engine
from ..input.columns import Corpus
from ..measures.ter import TerMetric
from ..metric.layout import Rows
from ..plain.ter import DELETE, EQUAL, INSERT, SUBSTITUTE, shifted
from ..text import NOWHERE
from .alignment import (
    Alignment,
    MatchedSides,
    PlacedText,
    aligned_with_best,
    best_pairs_of,
    pairs_of,
    placed_texts,
)
from .derivation import Derivation, Edit, Step, amount, figure
from .explainer import Explainer
from .marks import Marks, Match


def _kept(n_tokens: int, shifts: Any, path: str) -> list[tuple[int, int, bool]]:
    """Return the matched tokens: position in the hypothesis, in the reference, and whether a shift moved them."""
    at, runs = _shifted(n_tokens, shifts)
    moved = {*chain(*runs)}
    kept = []
    i = j = 0
    for edit in path:
        if edit == EQUAL:
            kept.append((at[i], j, at[i] in moved))
        i += edit != INSERT
        j += edit != DELETE
    return kept


def _shifted(n_tokens: int, shifts: Any) -> tuple[list[int], list[list[int]]]:
    """Return the tokens in the order after all shifts, and those that each shift moved."""
    at = list(range(n_tokens))
    runs = []
    for start, length, target in np.asarray(shifts).reshape(-1, 3).tolist():
        runs.append(at[start : start + length])
        at = shifted(at, (start, length, target))
    return at, runs


_EDITS = {EQUAL: "keep", SUBSTITUTE: "substitute", DELETE: "delete", INSERT: "insert"}
_KINDS = {
    "shift": "a run of words that moves to another place: one edit, however long it is",
    "substitute": "another word instead",
    "delete": "a word that the reference lacks",
    "insert": "a word that the prediction lacks",
}


class TerExplainer(Explainer):
    """Explains the scores of `TerMetric`."""

    metric: TerMetric

    def marks(self, key: str) -> Marks:
        """Mark words in place, and words that a shift moves."""
        return Marks.of_common(
            "stays: the same word in both texts", "moved by a shift (each shift is one edit, however long)",
            lambda corpus: self._align(corpus, key), other_counts=True,
        )  # fmt: skip

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show every edit of a segment, the number of edits, and the words of the reference."""
        edits, runs = ((), ()) if segment is None else self._edits(segment, key)
        n_edits, words = figure(rows["edits"]), amount(rows["reference"])
        steps = []
        for kind, meaning in _KINDS.items():
            written = tuple(" → ".join(filter(None, edit[1:])) for edit in edits if edit.kind == kind)
            written = runs if kind == "shift" else written
            steps += [Step(kind, (figure(len(written)),), examples=written, meaning=meaning)] if written else []
        several = segment is not None and len(segment.references) > 1
        average = f", the mean of {len(segment.references)} references" if segment is not None and several else ""
        steps.append(Step("edits", (n_edits,), meaning="" if rows["edits"] else "there is nothing to change"))
        steps.append(Step("words", (words,), meaning=f"of the reference{average}"))
        percent = figure(self.metric.scores.top)
        undefined = f"{percent}, as there are edits but no words" if rows["edits"] else "no edits"
        formula = f"{percent} × {n_edits} / {words}" if rows["reference"] else undefined
        score = float(self.metric.formula(rows)[key]) * self.metric.scores.scale
        steps.append(Step("TER", formula=formula, value=score, meaning="edits per 100 words: lower is better"))
        return Derivation(self.metric.about.title, tuple(steps), edits=edits)

    def _edits(self, segment: Corpus, key: str) -> tuple[tuple[Edit, ...], tuple[str, ...]]:
        """Return what becomes of every word, in the order after all shifts, and the run of words of every shift."""
        pairs = pairs_of(segment)
        [best] = best_pairs_of(self.metric, segment, key).tolist()
        [(hypothesis, reference)] = self._placed(pairs.slice(best, best + 1))
        shifts, path = engine.kernel.edit_operations(hypothesis.ids, reference.ids)
        at, runs = _shifted(len(hypothesis.ids), shifts)
        run_of = {token: number for number, run in enumerate(runs) for token in run}
        edits: list[Edit] = []
        i, j, last = 0, 0, None
        for edit in path:
            before = "" if edit == INSERT else hypothesis.written(at[i])
            after = "" if edit in (EQUAL, DELETE) else reference.written(j)
            # A shifted word that is substituted or deleted as well is shown as that.
            run = run_of.get(at[i]) if edit == EQUAL else None
            kind: Any = _EDITS[edit] if run is None else "shift"
            if run is not None and run == last:
                before = f"{edits.pop().before} {before}"
            edits.append(Edit(kind, before, after))
            last = run
            i += edit != INSERT
            j += edit != DELETE
        return tuple(edits), tuple(" ".join(map(hypothesis.written, run)) for run in runs)

    def _placed(self, pairs: Corpus) -> Iterator[list[PlacedText]]:
        """Yield both texts of every pair, as they are cut to be counted."""
        counter = self.metric.counter
        normal = counter.rewritten(pairs)
        return placed_texts(pairs, counter.tokenizer.cut(normal), counter.tokenizer, normal)

    def _align(self, corpus: Corpus, key: str) -> list[Alignment]:
        """Match with the reference that needs the fewest edits."""
        pairs = pairs_of(corpus)
        sides: MatchedSides = ([], [])
        for hypothesis, reference in self._placed(pairs):
            shifts, path = engine.kernel.edit_operations(hypothesis.ids, reference.ids)
            kept = _kept(len(hypothesis.ids), shifts, path)
            for side, text, tokens in (
                (sides[0], hypothesis, sorted((i, is_moved) for i, _, is_moved in kept)),
                (sides[1], reference, [(j, is_moved) for _, j, is_moved in kept]),
            ):
                placed = [(text.places[i], is_moved) for i, is_moved in tokens]
                side.append([Match(*p, 1, False, not is_moved) for p, is_moved in placed if p != NOWHERE])
        return aligned_with_best(corpus, self.metric, key, sides)
