"""Google BLEU (GLEU) of texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..checks import MAX_ORDER, fail, quantity, shown
from ..explanation.alignment import Alignment, aligned_with_best, best_pairs_of, matched, pairs_of, placed_texts
from ..explanation.derivation import Derivation, Step, figure, matched_ngrams, part_of
from ..explanation.explainer import Explainer
from ..explanation.marks import Marks
from ..input.columns import Corpus
from ..metric import About, Explanation, Field, Layout, Metric, Notes, Rows
from ..options import Options, option
from ..sums import ratio
from ..text import Tokenizer, prepared, tokenizer_of


@dataclass(frozen=True)
class GoogleBleuOptions(Options):
    """The smaller of precision and recall of all n-grams of `min_len` to `max_len` words together.

    Counts are summed over the segments. Of several references, the one with the highest score of the segment counts,
    the first of equals: where nothing matches, the length of the first counts. It is not the GLEU of grammar
    correction (Napoles et al. 2015).

    References: Wu et al. (2016), Google's Neural Machine Translation System, section 5.2. The figures are those of
    nltk's `corpus_gleu`.
    """

    tokenizer: str | Callable[[str], list[str]] = option("13a", "How words are cut.", kind="tokenizer", on_page=True)
    min_len: int = option(1, "Lowest order of n-grams.", at_least=1, at_most=MAX_ORDER)
    max_len: int = option(4, "Highest order of n-grams.", at_least=1, at_most=MAX_ORDER, on_page=True)
    lowercase: bool = option(False, "Lower-case all text first.", on_page=True)

    def check(self) -> None:
        """Refuse orders the wrong way round."""
        if self.max_len < self.min_len:
            fail(ValueError, "max_len", f"at least `min_len={self.min_len}`", shown(self.max_len))


class GoogleBleuMetric(Metric):
    """Google BLEU, or GLEU (Wu et al. 2016).

    `statistics` has the fields ``matches`` and ``ngrams``, those of the longer side: int64.

    Examples
    --------
    >>> GoogleBleu(max_len=2).update(["the cat sat"], ["the cat sits down"]).score()
    {'google_bleu': 0.42857142857142855}
    """

    name = "google_bleu"
    options_type = GoogleBleuOptions
    about = About("Google BLEU", lambda _: _EXPLANATION)

    layout = Layout([Field("matches"), Field("ngrams")])
    tokenizer: Tokenizer
    options: GoogleBleuOptions

    def prepare(self) -> None:
        """Choose the tokenizer and the orders."""
        self.tokenizer = prepared(tokenizer_of(self.options.tokenizer), lowercase=self.options.lowercase, strip=False)
        self._orders = np.arange(self.options.min_len, self.options.max_len + 1, dtype=np.int32)

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the pairs of a chunk; a reference counts only if one side has n-grams."""
        tokens = self.tokenizer.cut(corpus, given=corpus)
        notes.examine(corpus, tokens)
        counts = np.asarray(engine.kernel.pair_counts(tokens, self._orders, n_threads=corpus.n_threads), np.int64)
        # Several times as fast as `sum` along so short an axis.
        matches, own, others = np.einsum("ijk->ki", counts)
        rows = np.stack((matches, np.maximum(own, others)), axis=1)
        return Rows(self.layout, rows, selection_scores=np.where(rows[:, 1], ratio(*rows.T), -1.0))

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Divide matches by the n-grams of the longer side; without n-grams, 0."""
        score = ratio(rows["matches"], rows["ngrams"])
        return {"google_bleu": score if rows.values.ndim > 1 else score.item()}

    def below(self, result: Mapping[str, Any]) -> list[str]:  # noqa: ARG002
        """Return the tokenizer and the orders."""
        words = f"n-grams of {self.options.min_len} to {quantity(self.options.max_len, 'word')}"
        return [f"tokenizer {self.tokenizer.name}, {words}"]


_EXPLANATION: Explanation = Explanation(
    "Google BLEU",
    "How many runs of words do prediction and reference share?",
    (
        "Runs of one to four words that occur in both texts match, each at most as often as either text has it.",
        "The matches are divided by the number of runs of the text that has more of them: that is the smaller of "
        "precision and recall.",
        "Matches and runs are summed over all segments first, so the score on top is not the mean of segment scores.",
    ),
    "Only the wording counts, not the meaning; and it is not the GLEU of grammar correction.",
)
GoogleBleu = accumulator_of(GoogleBleuMetric)
google_bleu = one_call(GoogleBleu)


class GoogleBleuExplainer(Explainer, metric=GoogleBleuMetric):
    """Explains the scores of `GoogleBleuMetric`."""

    metric: GoogleBleuMetric

    def marks(self, key: str) -> Marks:
        """Mark n-grams of all orders, longer ones more strongly."""
        order = self.metric.options.max_len

        def align(corpus: Corpus) -> list[Alignment]:
            sides = matched(pairs_of(corpus), self.metric.tokenizer, order)
            return aligned_with_best(corpus, self.metric, key, sides)

        return Marks.of_orders(order, align)

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the matches of every order of a segment, and the longer side."""
        options, steps = self.metric.options, []
        if segment is not None:
            tokenizer, pairs = self.metric.tokenizer, pairs_of(segment)
            [best] = best_pairs_of(self.metric, segment, key).tolist()
            pair = pairs.slice(best, best + 1)
            [[hypothesis, reference]] = placed_texts(pair, tokenizer.cut(pair), tokenizer)
            for order in range(options.min_len, options.max_len + 1):
                shared, others = matched_ngrams(hypothesis, [reference], order)
                if shared or others:
                    cells = (part_of(len(shared), len(shared) + len(others)),)
                    steps.append(Step(f"{order}-grams", cells, examples=shared, unmatched=others))
        matches, ngrams = figure(rows["matches"]), figure(rows["ngrams"])
        steps += [
            Step("matches", (matches,), meaning="n-grams of all orders that both texts have"),
            Step("n-grams", (ngrams,), meaning="of the text that has more of them"),
        ]
        formula = f"{matches} / {ngrams}" if rows["ngrams"] else "no text has n-grams"
        title, score = self.metric.about.title, float(self.metric.formula(rows)[key])
        return Derivation(title, (*steps, Step(title, formula=formula, value=score)))
