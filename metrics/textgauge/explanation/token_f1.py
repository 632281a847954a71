"""The calculation of token F1 and exact match, step by step."""

from __future__ import annotations

import numpy as np

from .. import engine
from ..input.columns import Corpus
from ..measures.token_f1 import LABELS, OF_ALL_TOKENS, TokenF1Metric
from ..metric.layout import Rows
from .alignment import Alignment, aligned_with_best, best_pairs_of, matched, pairs_of, placed_texts
from .derivation import Derivation, Step, f_formula, figure, matched_ngrams, steps_to_f
from .explainer import Explainer
from .marks import Marks


class TokenF1Explainer(Explainer):
    """Explains the scores of `TokenF1Metric`."""

    metric: TokenF1Metric

    def marks(self, key: str) -> Marks:
        """Mark single tokens."""

        def align(corpus: Corpus) -> list[Alignment]:
            pairs, counter = pairs_of(corpus), self.metric.counter
            sides = matched(pairs, counter.tokenizer, 1, normal=counter.normalized(pairs))
            return aligned_with_best(corpus, self.metric, key, sides)

        meaning = "also in the other text (the score needs all of them, in order)"
        return Marks.of_tokens(meaning, align) if key in OF_ALL_TOKENS else Marks.of_order(1, align)

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the normalized answers, their common words, precision, recall and F1; or a verdict."""
        if key not in LABELS:
            return super().derivation(key, rows, segment)
        title, found = self.metric.about.explain(key).title, self.metric.formula(rows)
        steps, common = ([], None) if segment is None else self.words_shown(key, segment)
        if key in OF_ALL_TOKENS:
            yes, no = ("equal", "different") if key == "exact_match" else ("contained", "not contained")
            value = float(found[key]) * self.metric.scores.scale
            return Derivation(title, (*steps, Step(title, formula=yes if value else no, value=value)))
        counts = [rows[side] for side in ("matches", "prediction", "reference")]
        p, r, f1 = engine.kernel.f_scores(np.array(counts))
        steps.append(Step("matches", (figure(counts[0]),), examples=common, meaning="words of both answers"))
        more, remarks = steps_to_f(title, counts, (p, r, f1), f_formula(p, r), self.metric.scores.top, "word")
        last = {"precision": 1, "recall": 2}.get(key, 3)
        return Derivation(title, (*steps, *more[:last]), remarks=remarks if last == 3 else ())

    def words_shown(self, key: str, segment: Corpus) -> tuple[list[Step], tuple[str, ...]]:
        """Return the words of the two answers that are scored, if normalization changes them, and the common ones."""
        steps: list[Step] = []
        counter = self.metric.counter
        [best] = best_pairs_of(self.metric, segment, key).tolist()
        pair = counter.normalized(pairs_of(segment).slice(best, best + 1))
        [[answer, reference]] = placed_texts(pair, counter.tokenizer.cut(pair), counter.tokenizer)
        is_changed = pair.hypotheses[0] != segment.hypotheses[0] or pair.references[0] != segment.references[best]
        for name, text in (("prediction", answer), ("reference", reference)) if is_changed else ():
            meaning = "" if steps else f"by the normalizer {counter.normalizer.name!r}"
            steps.append(Step("normalized", (name,), examples=tuple(map(str, text.tokens)), meaning=meaning))
        common, _ = matched_ngrams(answer, [reference], 1)
        return steps, tuple(dict.fromkeys(common)) if self.metric.options.counting == "set" else common
