"""The calculation of Google BLEU; and the n-grams that match."""

from __future__ import annotations

from ..input.columns import Corpus
from ..measures.google_bleu import GoogleBleuMetric
from ..metric.layout import Rows
from .alignment import Alignment, aligned_with_best, best_pairs_of, matched, pairs_of, placed_texts
from .derivation import Derivation, Step, figure, matched_ngrams, part_of
from .explainer import Explainer
from .marks import Marks


class GoogleBleuExplainer(Explainer):
    """Explains the scores of `GoogleBleuMetric`."""

    metric: GoogleBleuMetric

    def marks(self, key: str) -> Marks:
        """Mark n-grams of all orders, longer ones more strongly."""
        order = self.metric.options.max_len

        def align(corpus: Corpus) -> list[Alignment]:
            sides = matched(pairs_of(corpus), self.metric.counter.tokenizer, order)
            return aligned_with_best(corpus, self.metric, key, sides)

        return Marks.of_orders(order, align)

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the matches of every order of a segment, and the longer side."""
        options, steps = self.metric.options, []
        if segment is not None:
            tokenizer, pairs = self.metric.counter.tokenizer, pairs_of(segment)
            [best] = best_pairs_of(self.metric, segment, key).tolist()
            pair = pairs.slice(best, best + 1)
            [[hypothesis, reference]] = placed_texts(pair, tokenizer.cut(pair), tokenizer)
            for order in range(options.min_len, options.max_len + 1):
                found, others = matched_ngrams(hypothesis, [reference], order)
                if found or others:
                    cells = (part_of(len(found), len(found) + len(others)),)
                    steps.append(Step(f"{order}-grams", cells, examples=found, unmatched=others))
        matches, ngrams = figure(rows["matches"]), figure(rows["ngrams"])
        steps += [
            Step("matches", (matches,), meaning="n-grams of all orders that both texts have"),
            Step("n-grams", (ngrams,), meaning="of the text that has more of them"),
        ]
        formula = f"{matches} / {ngrams}" if rows["ngrams"] else "no text has n-grams"
        title, score = self.metric.about.title, float(self.metric.formula(rows)[key])
        return Derivation(title, (*steps, Step(title, formula=formula, value=score)))
