"""Translation edit rate of texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..checks import quantity
from ..explanation.alignment import (
    Alignment,
    Match,
    MatchedSides,
    PlacedText,
    aligned_with_best,
    best_pairs_of,
    pairs_of,
    placed_texts,
)
from ..explanation.derivation import Derivation, Edit, Step, amount, figure
from ..explanation.explainer import Explainer
from ..explanation.marks import Marks
from ..input.columns import Corpus, known_texts
from ..metric import (
    About,
    Explanation,
    Field,
    Layout,
    Metric,
    Misfit,
    Notes,
    Rows,
    Score,
    Scores,
    Sums,
    TwoForms,
    scores_of,
)
from ..options import Options, Reports, option
from ..plain.ter import DELETE, EQUAL, INSERT, SUBSTITUTE, shifted
from ..signatures import yes_no
from ..sums import by_sum
from ..text import NOWHERE, TOKENIZERS, Tokenizer, prepared
from ..text.tercom import Tercom


@dataclass(frozen=True)
class TerOptions(Options):
    """The score is 100 times the number of edits divided by the average length of the references.

    0 is best, and there is no upper bound.

    An edit inserts, deletes or substitutes a word, or shifts a run of words. Shifts are found
    greedily, with Tercom's limits: runs of at most 10 words over at most 50 words, and at most
    1,000 candidates per segment. Of several references, the one that needs the fewest edits counts.

    References: Snover et al. (2006), A Study of Translation Edit Rate with Targeted Human
    Annotation; Tercom. The figures are those of sacreBLEU.
    """

    normalized: bool = option(False, "Split off punctuation first, and decode entities such as &quot;.", on_page=True)
    no_punct: bool = option(False, "Drop punctuation first.", on_page=True)
    asian_support: bool = option(False, "Apply `normalized` and `no_punct` to Chinese and Japanese characters as well.")
    case_sensitive: bool = option(False, "Compare words without lower-casing them.", on_page=True)


@dataclass(frozen=True)
class TerReports(Reports):
    """`num_edits` and `ref_length` are summed over the segments; `per_segment` adds ``segment_ter``."""


_UNSPLIT = (
    "TER does not split text without spaces, so nearly equal texts count as different: pass `normalized=True` with "
    "`asian_support=True` (Chinese, Japanese), or use chrF (Thai and others)."
)


class TerMetric(Metric):
    """Translation edit rate (Snover et al. 2006).

    `statistics` has the fields ``edits`` and ``reference``, the average length of the references: float64.

    Examples
    --------
    >>> Ter().update(["the cat on the mat sat"], ["the cat sat on the mat"]).score()
    {'ter': 16.666666666666664, 'num_edits': 1, 'ref_length': 6.0}
    """

    name = "ter"
    options_type, reports_type = TerOptions, TerReports
    about = About(
        "TER", lambda _: _EXPLANATION, returns="``ter``, ``num_edits`` and ``ref_length`` (in words)",
    )  # fmt: skip
    scores = Scores(
        Score("ter", higher_is_better=False, perfect=0.0, largest=float("inf")),
        scale=100.0, unscaled=("num_edits", "ref_length"),
    )  # fmt: skip
    # sacreBLEU adds the average lengths of the references, which may be fractions, by Python's `sum`.
    sums = Sums(add=by_sum)

    tokenizer: Tokenizer
    options: TerOptions

    def prepare(self) -> None:
        """Choose the tokenizer and the layout."""
        o = self.options
        if o.normalized or o.no_punct:
            cut = Tercom(o.normalized, o.no_punct, o.asian_support, o.case_sensitive)
            self.tokenizer = Tokenizer("tercom", function=cut)
        else:
            self.tokenizer = prepared(TOKENIZERS["whitespace"], lowercase=not o.case_sensitive, strip=False)
        self.layout = Layout([Field("edits"), Field("reference", is_whole=False, over="mean")])

    def notes(self) -> Notes:
        """Return what looks for unfit scripts; an empty text has a score, since words can be inserted."""
        tokenizer = self.tokenizer
        return Notes(unusual=lambda: (Misfit(tokenizer, unsplit=_UNSPLIT), TwoForms(tokenizer)), reads_latin=False)

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the pairs of a chunk."""
        tokens = self.tokenizer.cut(self.rewritten(corpus), given=corpus)
        notes.examine(corpus)
        return self.layout.counted(engine.kernel.translation_edits(tokens, corpus.n_threads))

    def rewritten(self, corpus: Corpus) -> Corpus:
        """Return the texts to tokenize: sacreBLEU normalizes references twice, which matters for leading dots."""
        if self.tokenizer.function is None:
            return corpus
        once = known_texts([" ".join(self.tokenizer(text)) for text in corpus.references.tolist()])
        return Corpus(corpus.hypotheses, once, corpus.offsets, corpus.first)

    def signature_fields(self, reports: Any = None) -> dict[str, str]:  # noqa: ARG002
        """Return the fields of the signature, in sacreBLEU's form."""
        o = self.options
        return {
            "case": "mixed" if o.case_sensitive else "lc", "tok": "tercom", "norm": yes_no(o.normalized),
            "punct": yes_no(not o.no_punct), "asian": yes_no(o.asian_support),
        }  # fmt: skip

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Edits per word of the references; without words, 1 if there is an edit, else 0."""
        rate = scores_of(engine.kernel.ter_scores(rows.values), rows)[0]
        return {self.name: rate, "num_edits": rows.shown("edits"), "ref_length": rows.shown("reference")}

    def below(self, result: Mapping[str, Any]) -> list[str]:
        """Return the edits."""
        edits, words = quantity(result["num_edits"], "edit"), quantity(result["ref_length"], "word")
        return [f"{edits} for {words} in the references; lower is better"]


_EXPLANATION: Explanation = Explanation(
    "TER",
    "How many edits per word of the reference turn the prediction into the reference?",
    (
        "An edit inserts, deletes or substitutes a word, or shifts a run of words to another place.",
        "TER is the number of edits per 100 words of the references, both summed over all segments. 0 means that "
        "nothing has to be changed; it can exceed 100. Lower is better.",
    ),
    "Shifts are found greedily, so the number of edits is not always the smallest possible.",
)
Ter = accumulator_of(TerMetric)
ter = one_call(Ter)


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


class TerExplainer(Explainer, metric=TerMetric):
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
        tokenizer, normal = self.metric.tokenizer, self.metric.rewritten(pairs)
        return placed_texts(pairs, tokenizer.cut(normal), tokenizer, normal)

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
