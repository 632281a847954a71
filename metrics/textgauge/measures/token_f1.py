"""Token F1 and exact match of short answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..arrays import IntArray
from ..explanation.alignment import Alignment, aligned_with_best, best_pairs_of, matched, pairs_of, placed_texts
from ..explanation.derivation import Derivation, Step, f_formula, figure, matched_ngrams, steps_to_f
from ..explanation.explainer import Explainer
from ..explanation.marks import Marks
from ..input.columns import Corpus
from ..input.squad_rows import answer_corpus_of
from ..metric import (
    About,
    Explanation,
    Field,
    Inputs,
    Layout,
    Line,
    LostText,
    Metric,
    Misfit,
    Note,
    Notes,
    Rows,
    Score,
    Scores,
    Summary,
    TwoForms,
    scores_of,
)
from ..metric.metric import Combination
from ..options import Options, option
from ..text import TOKENIZERS, Normalizer, Tokenizer, normalizer_of, replacements_of, tokenizer_of
from ..text.replacements import replacements_option

LABELS = {
    "exact_match": "exact match", "contains": "contains", "precision": "precision", "recall": "recall", "f1": "F1",
}  # fmt: skip


@dataclass(frozen=True)
class TokenF1Options(Options):
    """The normalizer "squad" lower-cases, and drops ASCII punctuation and the words a, an, the.

    "mlqa:LANG" (en, es, de, ar, hi, vi, zh) follows the MLQA script for that language; "lower" only
    lower-cases, "none" changes nothing. Exact match compares normalized answers.

    References: Rajpurkar et al. (2016), SQuAD: 100,000+ Questions for Machine Comprehension of
    Text, section 6.1; `contains` is the accuracy of Mallen et al. (2023), When Not to Trust Language
    Models, section 3, with both texts normalized.
    """

    python_remarks = "A callable must return the same result whenever it gets the same text."
    counting: Literal["multiset", "set"] = option(
        "multiset", "Whether a token that occurs twice on both sides matches twice, as in SQuAD, or once.", on_page=True
    )
    normalizer: str | Normalizer | Callable[[str], str] = option(
        "squad",
        'How both are normalized: "squad", "mlqa:en" (es, de, ar, hi, vi, zh), "lower", "none" or your own function.',
        kind="normalizer", on_page=True,
    )  # fmt: skip
    replacements: Any = replacements_option()
    tokenizer: str | Tokenizer | Callable[[str], list[str]] = option(
        "whitespace",
        "Splits the normalized answers: a name in `TOKENIZERS`, or your own function.",
        kind="tokenizer",
        on_page=True,
    )
    contains: bool = option(False, "Also score whether the normalized prediction contains a normalized reference.")

    def check(self) -> None:
        """Read the replacements."""
        self._set("replacements", replacements_of(self.replacements))


# What becomes of the columns of a row.
_COLUMNS = ("precision", "recall", "f1", "exact_match", "contains")


class _LostAnswers(LostText):
    """Counts answers with characters but without tokens."""

    def __init__(self, tokenizer: Tokenizer, normalizer: Normalizer) -> None:
        super().__init__(tokenizer)
        self._names = normalizer.name, tokenizer.name

    def message(self) -> str:
        normalizer, tokenizer = self._names
        others = ["`normalizer='lower'`"] if normalizer != "lower" else []
        others += ["`tokenizer='character'`"] if tokenizer != "character" else []
        return (
            f"[text is|texts are] not empty but [has|have] no token under the normalizer {normalizer!r} and the "
            f"tokenizer {tokenizer!r}, so [its|their] F1 is 0, though any two match exactly; "
            f"if such text can be an answer, use {' or '.join(others)}."
        )


class TokenF1Metric(Metric):
    """Token F1 and exact match of short answers (Rajpurkar et al. 2016).

    `update` takes both sides as `Bleu` does, or as rows of SQuAD; see `plain_columns`.
    `statistics` has the fields ``matches``, ``prediction`` and ``reference``, numbers of tokens, and
    ``exact_matches``, with `contains` also ``contained``: int64.

    Examples
    --------
    >>> answers = TokenF1().update(["in 1889"], [["1889", "the year 1889"]])
    >>> answers.score()
    {'precision': 0.5, 'recall': 1.0, 'f1': 0.6666666666666666, 'exact_match': 0.0}
    """

    name = "token_f1"
    options_type: ClassVar[type[TokenF1Options]] = TokenF1Options
    about = About(
        "Token F1",
        lambda key: OF_ALL_TOKENS.get(key, _TOKEN_F1),
        form="With exact match; every step is an option.",
        returns="``precision``, ``recall``, ``f1`` and ``exact_match``",
    )
    inputs = Inputs(read=answer_corpus_of)
    # Exact match and `contains` have their own best reference.
    scores = Scores(
        Score("precision"), Score("recall"), Score("f1", "token_f1"),
        Score("exact_match", "token_f1_exact_match", has_own_best=True, is_binary=True),
        Score("contains", "contains", has_own_best=True, needs={"contains": True}, is_binary=True),
    )  # fmt: skip
    combine: Combination = "mean"
    # Of answers without tokens, and of unfit scripts.
    _checks: ClassVar[tuple[Callable[[Tokenizer, Normalizer], Note], ...]] = (_LostAnswers, Misfit, TwoForms)

    tokenizer: Tokenizer
    options: TokenF1Options

    def prepare(self) -> None:
        """Choose the normalizer, the tokenizer and the layout."""
        self.normalizer = normalizer_of(self.options.normalizer).followed_by(self.options.replacements)
        self.tokenizer = tokenizer_of(self.options.tokenizer)
        self._has_words = self.normalizer.function is None and self.tokenizer == TOKENIZERS["whitespace"]
        # As in SQuAD's script, exact match has its own best reference.
        best = ("exact_matches", *(("contained",) if self.options.contains else ()))
        counts = map(Field, ("matches", "prediction", "reference"))
        self.layout = Layout([*counts, *(Field(name, over="max") for name in best)])

    def notes(self) -> Notes:
        """Return what looks for answers without tokens and for unfit scripts."""
        return Notes(
            unusual=lambda: [check(self.tokenizer, self.normalizer) for check in self._checks],
            reads_latin=self.tokenizer.drops_letters,
        )

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the pairs of a chunk."""
        return Rows(self.layout, self.answer_counts(corpus, notes))

    def answer_counts(self, corpus: Corpus, notes: Notes) -> IntArray:
        """Return matches, lengths, whether they are equal, and whether one contains the other, for every pair."""
        if self._has_words:
            # Normalized answers are equal if and only if their words are.
            tokens, equal = self.normalizer.words.cut(corpus, given=corpus), None
        else:
            normal = self.normalized(corpus)
            tokens = self.tokenizer.cut(normal, given=corpus)
            equal = engine.kernel.equal_pairs(normal.hypotheses, normal.references, normal.offsets)
        notes.examine(corpus, tokens)
        is_set = self.options.counting == "set"
        rows = np.asarray(engine.kernel.bag_matches(tokens, is_set, n_threads=corpus.n_threads))
        if equal is not None:
            rows[:, 3] = equal
        return np.column_stack((rows, _contained(self.normalized(corpus)))) if self.options.contains else rows

    def normalized(self, corpus: Corpus) -> Corpus:
        """Return the normalized texts."""
        return corpus.rewritten(self.normalizer.column)

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores, the normalizer whether given by name or not."""
        return {**super().settings(), "normalizer": self.normalizer}

    def signature_fields(self, reports: Any = None) -> dict[str, str]:  # noqa: ARG002
        """Return the fields of the signature."""
        contains = {"contains": "yes"} if self.options.contains else {}
        replaced = self.options.replacements
        contains |= {"replacements": replaced.signature} if replaced else {}
        both = {"norm": self.normalizer.signature, "tok": self.tokenizer.signature}
        return {"count": self.options.counting, **both, **contains}

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Precision, recall, F1 and exact match."""
        # The numbers behind the counts are scores already.
        scores = scores_of(engine.kernel.f_scores(rows.values, n_threads=rows.n_threads), rows)
        by_name = dict(zip(_COLUMNS, scores, strict=False))
        return {name: by_name[name] for name in self.scores.keys}

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return exact match, precision, recall and F1 as a table."""
        lines = [
            Line(label, (result[key],), key, is_headline=key == "f1", full=self.scores.top)
            for key, label in LABELS.items() if key in result
        ]  # fmt: skip
        return Summary(self.about.title, ("score",), lines, self.below(result))

    def below(self, result: Mapping[str, Any]) -> list[str]:  # noqa: ARG002
        """Return the rules."""
        both = f"normalizer {self.normalizer.name}, tokenizer {self.tokenizer.name}"
        return [f"{both}, counted as {self.options.counting}"]


def _contained(corpus: Corpus) -> IntArray:
    """Return 1 for every reference that is part of its hypothesis, an empty one of an empty one: shape (n_pairs,)."""
    return np.fromiter((reference in text if reference else not text for text, reference in corpus.pairs()), np.int64)


_CAUTION = (
    "Only the words count: a right answer in other words scores 0, and a long answer that happens to contain the "
    "reference loses precision only."
)
_EXACT_MATCH: Explanation = Explanation(
    "Exact match",
    "How many answers are exactly a reference answer?",
    ("Both answers are normalized; the segment scores 1 if they are then equal, else 0.",),
    "An answer with one word too many, or in other words, scores 0 like a wrong answer.",
)
_CONTAINS: Explanation = Explanation(
    "Contains",
    "How many answers contain a reference answer?",
    ("Both answers are normalized; the segment scores 1 if the reference then occurs in the prediction, else 0.",),
    "A long answer that names everything contains the right answer, too.",
)
# Scores that need all tokens of a reference.
OF_ALL_TOKENS: Mapping[str, Explanation] = {"exact_match": _EXACT_MATCH, "exact": _EXACT_MATCH, "contains": _CONTAINS}
_TOKEN_F1: Explanation = Explanation(
    "Token F1",
    "How many words do an answer and its reference share?",
    (
        "Both answers are normalized and cut into words. Words that occur in both match, each at most as often as "
        "either has it.",
        "Precision is the share of the answer that matches, recall the share of the reference.",
        "F1 is the harmonic mean of the two; the score on top is the mean over segments.",
    ),
    _CAUTION,
)
TokenF1 = accumulator_of(TokenF1Metric)
token_f1 = one_call(TokenF1)


class TokenF1Explainer(Explainer, metric=TokenF1Metric):
    """Explains the scores of `TokenF1Metric`."""

    metric: TokenF1Metric

    def as_cut(self, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
        """Return the normalized answers and their tokenizer."""
        return self.metric.normalized(corpus), self.metric.tokenizer

    def marks(self, key: str) -> Marks:
        """Mark single tokens."""

        def align(corpus: Corpus) -> list[Alignment]:
            pairs, metric = pairs_of(corpus), self.metric
            sides = matched(pairs, metric.tokenizer, 1, normal=metric.normalized(pairs))
            return aligned_with_best(corpus, self.metric, key, sides)

        meaning = "also in the other text (the score needs all of them, in order)"
        return Marks.of_tokens(meaning, align) if key in OF_ALL_TOKENS else Marks.of_order(1, align)

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the normalized answers, their common words, precision, recall and F1; or a verdict."""
        if key not in LABELS:
            return super().derivation(key, rows, segment)
        title, scores = self.metric.about.explain(key).title, self.metric.formula(rows)
        steps, common = ([], None) if segment is None else self.words_shown(key, segment)
        if key in OF_ALL_TOKENS:
            yes, no = ("equal", "different") if key == "exact_match" else ("contained", "not contained")
            value = float(scores[key]) * self.metric.scores.scale
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
        metric = self.metric
        [best] = best_pairs_of(self.metric, segment, key).tolist()
        pair = metric.normalized(pairs_of(segment).slice(best, best + 1))
        [[answer, reference]] = placed_texts(pair, metric.tokenizer.cut(pair), metric.tokenizer)
        is_changed = pair.hypotheses[0] != segment.hypotheses[0] or pair.references[0] != segment.references[best]
        for name, text in (("prediction", answer), ("reference", reference)) if is_changed else ():
            meaning = "" if steps else f"by the normalizer {metric.normalizer.name!r}"
            steps.append(Step("normalized", (name,), examples=tuple(map(str, text.tokens)), meaning=meaning))
        common, _ = matched_ngrams(answer, [reference], 1)
        return steps, tuple(dict.fromkeys(common)) if self.metric.options.counting == "set" else common
