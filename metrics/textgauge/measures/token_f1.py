"""Token F1 and exact match of short answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar, Literal

import numpy as np

from .. import engine
from ..arrays import IntArray
from ..columns import Corpus
from ..options import Options, fixed, option
from ..squad_rows import answer_corpus_of
from ..text import TOKENIZERS, Normalizer, Tokenizer, normalizer_of, tokenizer_of
from .alignment import Alignment, aligned_with_best, matched, pairs_of, placed_texts
from .derivation import Derivation, Step, f_formula, figure, matched_ngrams, steps_to_f
from .layout import Field, Layout, Rows
from .marks import Marks
from .measure import Measure
from .metric import About
from .one_call import one_call
from .summary import Explanation, Line, Summary
from .warnings import LostText, Misfit, Notes, TwoForms

_LABELS = {
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

    python_notes = "A callable must return the same result whenever it gets the same text."
    counting: Literal["multiset", "set"] = option(
        "multiset", "Whether a token that occurs twice on both sides matches twice, as in SQuAD, or once.", on_page=True
    )
    normalizer: str | Normalizer | Callable[[str], str] = option(
        "squad", "How both answers are normalized: a name in `NORMALIZERS`, or your own function.",
        kind="normalizer", on_page=True,
    )  # fmt: skip
    tokenizer: str | Tokenizer | Callable[[str], list[str]] = option(
        "whitespace",
        "Splits the normalized answers: a name in `TOKENIZERS`, or your own function.",
        kind="tokenizer",
        on_page=True,
    )
    contains: bool = option(False, "Also score whether the normalized prediction contains a normalized reference.")


@dataclass(frozen=True)
class SquadOptions(TokenF1Options):
    """Scores are from 0 to 100. The options are those of `TokenF1`, which has notes on them."""

    contains: bool = fixed(False)


class TokenF1(Measure):
    """Token F1, batch by batch: an accumulator that stores integers per segment, never text.

    `update` takes both sides as `Bleu` does, or as rows of SQuAD; see `plain_columns`.
    `statistics` has the fields ``matches``, ``prediction`` and ``reference``, numbers of tokens, and
    ``exact_matches``, with `contains` also ``contained``: int64.

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}

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
        lambda key: _EXPLAINED.get(key, _TOKEN_F1),
        form="With exact match; every step is an option.",
        returns="``precision``, ``recall``, ``f1`` and ``exact_match``",
        scores={"token_f1": "f1", "exact_match": "exact_match", "contains": "contains"},
    )
    average = True
    corpus_of = staticmethod(answer_corpus_of)
    options: TokenF1Options
    tokenizer: Tokenizer

    def setup(self) -> None:
        """Choose the normalizer and the tokenizer."""
        self.normalizer = normalizer_of(self.options.normalizer)
        self.tokenizer = tokenizer_of(self.options.tokenizer)
        # As in SQuAD's script, exact match has its own best reference.
        best = ("exact_matches", *(("contained",) if self.options.contains else ()))
        counts = map(Field, ("matches", "prediction", "reference"))
        self.layout = Layout([*counts, *(Field(name, over="max") for name in best)])

    @property
    def score_names(self) -> tuple[str, ...]:
        """The keys of the result."""
        return ("precision", "recall", "f1", "exact_match", *(("contains",) if self.options.contains else ()))

    @classmethod
    def score_called(cls, name: str) -> tuple[str, dict[str, Any]] | None:
        """Return the key of the score of this name and the options that it implies."""
        found = super().score_called(name)
        return (name, {"contains": True}) if found and name == "contains" else found

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores, the normalizer whether given by name or not."""
        return {**super().settings(), "normalizer": self.normalizer}

    def described(self) -> dict[str, str]:
        """Return the fields of the signature."""
        contains = {"contains": "yes"} if self.options.contains else {}
        both = {"norm": self.normalizer.name, "tok": self.tokenizer.signature}
        return {"count": self.options.counting, **both, **contains}

    def notes(self) -> Notes:
        """Return a collector of answers without tokens and of unfit scripts."""
        with_both = self.tokenizer, self.normalizer
        return Notes(LostText(*with_both), Misfit(*with_both), TwoForms(*with_both))

    def pairs(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the common tokens."""
        return Rows(self.layout, self._counted(corpus, notes))

    def _counted(self, corpus: Corpus, notes: Notes) -> IntArray:
        """Return matches, lengths, whether they are equal, and whether one contains the other, for every pair."""
        if self.normalizer.function is None and self.tokenizer == TOKENIZERS["whitespace"]:
            # Normalized answers are equal if and only if their words are.
            tokens, equal = self.normalizer.words.cut(corpus), None
        else:
            normal = self._normalized(corpus)
            tokens, equal = self.tokenizer.cut(normal), _equal_texts(normal)
        notes.look(corpus, tokens)
        is_set = self.options.counting == "set"
        rows = np.array(engine.kernel.bag_matches(tokens, is_set, n_threads=corpus.n_threads))
        if equal is not None:
            rows[:, 3] = equal
        return np.column_stack((rows, _contained(self._normalized(corpus)))) if self.options.contains else rows

    def scores(self, rows: Rows) -> dict[str, Any]:
        """Precision, recall, F1 and exact match."""
        # The numbers behind the counts are scores already.
        found = np.moveaxis(np.reshape(engine.kernel.f_scores(rows.values), rows.values.shape), -1, 0)
        names = ("precision", "recall", "f1", "exact_match", "contains")
        return {name: part for name, part in zip(names, found, strict=False) if name in self.score_names}

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the normalized answers, their common words, precision, recall and F1; or a verdict."""
        if key not in _LABELS:
            return super().derivation(key, rows, segment)
        title, scores = self.about.explain(key).title, self.scores(rows)
        steps, common = ([], None) if segment is None else self.words_shown(key, segment)
        if key in _EXPLAINED:
            yes, no = ("equal", "different") if key == "exact_match" else ("contained", "not contained")
            value = float(scores[key]) * self.scale
            return Derivation(title, (*steps, Step(title, formula=yes if value else no, value=value)))
        counts = [rows[side] for side in ("matches", "prediction", "reference")]
        p, r, f1 = engine.kernel.f_scores(np.array(counts))
        steps.append(Step("matches", (figure(counts[0]),), examples=common, meaning="words of both answers"))
        more, notes = steps_to_f(title, counts, (p, r, f1), f_formula(p, r), self.scale, "word")
        last = {"precision": 1, "recall": 2}.get(key, 3)
        return Derivation(title, (*steps, *more[:last]), notes=notes if last == 3 else ())

    def best_pairs(self, pairs: Corpus, offsets: IntArray, key: str) -> IntArray:
        """Return the pair that every segment is scored with; `exact_match` and `contains` have their own."""
        if self.average and key not in _EXPLAINED:
            return super().best_pairs(pairs, offsets, key)
        scores = self.scores(self.pairs(pairs, self.notes()))[key]
        return np.array([first + np.argmax(scores[first:last]) for first, last in pairwise(offsets.tolist())])

    def words_shown(self, key: str, segment: Corpus) -> tuple[list[Step], tuple[str, ...]]:
        """Return the words of the two answers that are scored, if normalization changes them, and the common ones."""
        steps: list[Step] = []
        [best] = self.best_pairs(pairs_of(segment), segment.reference_offsets, key).tolist()
        pair = self._normalized(pairs_of(segment).slice(best, best + 1))
        [[answer, reference]] = placed_texts(pair, self.tokenizer.cut(pair), self.tokenizer)
        is_changed = pair.hypotheses[0] != segment.hypotheses[0] or pair.references[0] != segment.references[best]
        for name, text in (("prediction", answer), ("reference", reference)):
            words, meaning = (
                tuple(map(str, text.tokens)),
                "" if steps else f"by the normalizer {self.normalizer.name!r}",
            )
            steps += [Step("normalized", (name,), examples=words, meaning=meaning)] if is_changed else []
        common, _ = matched_ngrams(answer, [reference], 1)
        return steps, tuple(dict.fromkeys(common)) if self.options.counting == "set" else common

    def _normalized(self, corpus: Corpus) -> Corpus:
        """Return the normalized texts."""
        sides = self.normalizer.column(corpus.hypotheses), self.normalizer.column(corpus.references)
        return Corpus(*sides, corpus.reference_offsets, corpus.first)

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return exact match, precision, recall and F1 as a table."""
        lines = [
            Line(label, (result[key],), key, is_headline=key == "f1", full=self.scale)
            for key, label in _LABELS.items() if key in result
        ]  # fmt: skip
        options = self.options
        rules = f"normalizer {self.normalizer.name}, tokenizer {self.tokenizer.name}, counted as {options.counting}"
        return Summary(self.about.title, ("score",), lines, [rules])

    def marks(self, key: str) -> Marks:
        """Mark single tokens."""

        def align(corpus: Corpus) -> list[Alignment]:
            pairs = pairs_of(corpus)
            return aligned_with_best(
                corpus, self, key, matched(pairs, self.tokenizer, 1, normal=self._normalized(pairs))
            )

        meaning = "also in the other text (the score needs all of them, in order)"
        return Marks.of_tokens(meaning, align) if key in _EXPLAINED else Marks.of_order(1, align)

    def as_cut(self, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
        """Return the normalized answers and their tokenizer."""
        return self._normalized(corpus), self.tokenizer


class Squad(TokenF1):
    """Exact match and token F1 as SQuAD's script prints them, from 0 to 100, batch by batch: see `TokenF1`.

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}

    Examples
    --------
    >>> Squad().update(["in 1889"], [["1889", "the year 1889"]]).score()
    {'exact_match': 0.0, 'f1': 66.66666666666666}
    """

    name = "squad"
    options_type: ClassVar[type[TokenF1Options]] = SquadOptions
    about = replace(
        TokenF1.about,
        title="SQuAD",
        returns="``exact_match`` and ``f1``",
        scores={"squad": "f1"},
        form="With exact match, as SQuAD's script has them.",
    )
    scale = 100.0

    @property
    def score_names(self) -> tuple[str, ...]:
        """The keys of the result."""
        return ("exact_match", "f1")

    def scores(self, rows: Rows) -> dict[str, Any]:
        """Exact match and F1."""
        scores = super().scores(rows)
        return {name: scores[name] for name in self.score_names}


def _equal_texts(corpus: Corpus) -> IntArray:
    """Return 1 for every reference that equals its hypothesis, else 0: int64, shape (n_pairs,)."""
    return np.fromiter((text == reference for text, reference in _text_pairs(corpus)), np.int64)


def _contained(corpus: Corpus) -> IntArray:
    """Return 1 for every reference that is part of its hypothesis, an empty one of an empty one: shape (n_pairs,)."""
    pairs = _text_pairs(corpus)
    return np.fromiter((reference in text if reference else not text for text, reference in pairs), np.int64)


def _text_pairs(corpus: Corpus) -> Iterator[tuple[str, str]]:
    hypotheses = corpus.hypotheses.tolist()
    segment_of = np.repeat(np.arange(len(corpus)), np.diff(corpus.reference_offsets)).tolist()
    return zip((hypotheses[segment] for segment in segment_of), corpus.references.tolist(), strict=True)


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
_EXPLAINED: Mapping[str, Explanation] = {"exact_match": _EXACT_MATCH, "exact": _EXACT_MATCH, "contains": _CONTAINS}
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
token_f1 = one_call(TokenF1)
squad = one_call(Squad)
