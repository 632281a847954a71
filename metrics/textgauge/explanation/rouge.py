"""The calculation of ROUGE, step by step; and what of a text it counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import NamedTuple

from ..input.columns import Corpus
from ..measures.rouge import RougeMetric, as_read
from ..measures.rouge_types import DEFAULT_WEIGHT, RougeType, type_of
from ..metric.layout import Rows
from .alignment import (
    Alignment,
    CommonTokens,
    PlacedText,
    SkipBigrams,
    aligned_with_best,
    matched,
    pairs_of,
    placed_texts,
)
from .derivation import MOST_EXAMPLES, Derivation, Step, f_formula, figure, matched_ngrams, steps_to_f
from .explainer import Explainer
from .marks import Marks


class MatchedParts(NamedTuple):
    """What a type counts in two texts: the matches, of long lists the first, and what does not match on either side."""

    matches: tuple[str, ...] | None = None
    unmatched: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


class RougeExplainer(Explainer):
    """Explains the scores of `RougeMetric`."""

    metric: RougeMetric

    def marks(self, key: str) -> Marks:
        """Mark what the type counts: n-grams of one order, a common subsequence, or skip-bigrams."""
        kind = type_of(key, DEFAULT_WEIGHT, "key")

        def align(corpus: Corpus) -> list[Alignment]:
            return self._align(corpus, kind)

        if kind.kind == "N":
            return Marks.of_order(kind.order, align)
        if kind.kind in ("S", "SU"):
            elsewhere = "also in the other text, but in no such pair"
            counts = " (counts as a single word)" if kind.kind == "SU" else " (does not count)"
            return Marks.of_common(
                "in a pair of words that both texts have in the same order (counts)", elsewhere + counts, align,
                other_counts=kind.kind == "SU",
            )  # fmt: skip
        return Marks.of_common(
            "on the longest common subsequence: same words, same order (counts)",
            "also in the other text, but out of order (does not count)",
            align,
        )

    def _align(self, corpus: Corpus, kind: RougeType) -> list[Alignment]:
        """Match with the reference that is scored; nothing matches beyond `max_words` and `max_bytes`."""
        # A limit keeps the start of a text, so places in it are places in the text.
        corpus = as_read(corpus, self.metric.options)
        common: CommonTokens | SkipBigrams | None = None
        if kind.kind in ("S", "SU"):
            common = SkipBigrams(kind.gap)
        elif kind.kind != "N":
            is_summary = kind.kind == "Lsum"
            common = CommonTokens(
                by_sentence=is_summary, at_end_marks=is_summary and self.metric.options.split_summaries
            )
        sides = matched(pairs_of(corpus), self.metric.counter.tokenizer, kind.order or 1, common)
        found = aligned_with_best(corpus, self.metric, kind.name, sides)
        is_alone = self.metric.options.multi_reference == "best" and not self.metric.options.jackknife
        return found if is_alone else [replace(alignment, is_alone=False) for alignment in found]

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the matches of the type, precision, recall and F."""
        metric, options = self.metric, self.metric.options
        i = options.types.index(key)
        kind, title = options.kinds[i], metric.about.explain(key).title
        parts = MatchedParts() if segment is None else self._parts(key, kind, segment)
        counts, scores = [rows[field.name][i] for field in rows.layout.fields], metric.formula(rows)
        p, r, f = (scores[name] for name in options.keys[i])
        unit, meaning = _unit_of(kind)
        n_matches = int(counts[0]) if kind.kind in ("S", "SU") else None
        matches = Step("matches", (figure(counts[0]),), examples=parts.matches, meaning=meaning, n_examples=n_matches)
        weight = kind.weight if kind.kind == "W" else 1.0
        formula = f_formula(p, r, options.f_beta, options.alpha)
        steps, remarks = steps_to_f(title, counts, (p, r, f), formula, metric.scores.top, unit, weight, parts.unmatched)
        return Derivation(title, (matches, *steps), remarks=remarks)

    def _parts(self, key: str, kind: RougeType, segment: Corpus) -> MatchedParts:
        """Return what matches the reference that is scored, or each of pooled ones, and the n-grams that do not."""
        if kind.kind == "W":
            return MatchedParts()
        pairs = pairs_of(as_read(segment, self.metric.options))
        if self.metric.counter.references.rule != "pooled":
            [alignment] = self.marks(key).align(segment)
            pairs = pairs.slice(alignment.best, alignment.best + 1)
        every = [self._parts_of_pair(key, kind, pairs.slice(i, i + 1)) for i in range(len(pairs))]
        matches = tuple(chain.from_iterable(one.matches or () for one in every))
        rest, missed = (tuple(chain.from_iterable(one.unmatched[side] for one in every)) for side in (0, 1))
        return MatchedParts(matches, (rest, missed))

    def _parts_of_pair(self, key: str, kind: RougeType, pair: Corpus) -> MatchedParts:
        if kind.kind in ("L", "Lsum"):
            text, [alignment] = pair.hypotheses[0], self.marks(key).align(pair)
            common = (match for match in alignment.prediction if match.is_common)
            return MatchedParts(tuple(text[match.start : match.end] for match in common))
        tokenizer = self.metric.counter.tokenizer
        [[hypothesis, reference]] = placed_texts(pair, tokenizer.cut(pair), tokenizer)
        if kind.kind == "N":
            matches, rest = matched_ngrams(hypothesis, [reference], kind.order)
            return MatchedParts(matches, (rest, matched_ngrams(reference, [hypothesis], kind.order)[1]))
        # The last word of a text is no single one for the script.
        singles = slice(0 if kind.kind == "S" else -1 if self.metric.options.is_script else None)
        return MatchedParts(tuple(islice(_skip_bigrams(hypothesis, reference, kind.gap, singles), MOST_EXAMPLES)))


def _skip_bigrams(hypothesis: PlacedText, reference: PlacedText, gap: int | None, of_singles: slice) -> Iterator[str]:
    """Yield the matching pairs, and those words of a slice that match alone, in the order of the hypothesis.

    Each matches at most as often as the reference has it.
    """
    ids, others, words = hypothesis.ids.tolist(), reference.ids.tolist(), [*map(str, hypothesis.tokens)]
    width = None if gap is None else gap + 1
    in_pairs, _ = SkipBigrams(gap)(hypothesis, reference)
    singles, n_singles = Counter(others[of_singles]), len(ids[of_singles])
    pairs: dict[int, Counter[int]] = {}
    for i, token in enumerate(ids):
        if i < n_singles and singles[token] > 0:
            singles[token] -= 1
            yield words[i]
        # Of all pairs of a long text, those that begin with other words need not be looked at.
        if i not in in_pairs:
            continue
        if token not in pairs:
            pairs[token] = Counter()
            for place in (place for place, other in enumerate(others) if other == token):
                pairs[token].update(others[place + 1 :][:width])
        for j, other in enumerate(ids[i + 1 :][:width], i + 1):
            if pairs[token][other] > 0:
                pairs[token][other] -= 1
                yield f"{words[i]} {words[j]}"


def _unit_of(kind: RougeType) -> tuple[str, str]:
    """Return what a type counts, and the meaning of its matches."""
    if kind.kind == "N":
        name = {1: "single words", 2: "pairs of words in a row"}.get(kind.order, f"runs of {kind.order} words")
        return "word" if kind.order == 1 else f"{kind.order}-gram", f"{name} in both texts"
    if kind.kind == "W":
        return "weight", f"the weight of common words, where a run of k words weighs k^{kind.weight:g}"
    if kind.kind in ("S", "SU"):
        also = " and single words" if kind.kind == "SU" else ""
        return "pair" if kind.kind == "S" else "unit", f"pairs of words in the same order{also}, in both texts"
    of = "sentence by sentence" if kind.kind == "Lsum" else "gaps allowed"
    return "word", f"the most words that both texts have in the same order, {of} (longest common subsequence)"
