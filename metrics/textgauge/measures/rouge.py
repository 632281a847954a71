"""ROUGE of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..arrays import Counts, FloatArray
from ..checks import fail, say, shown
from ..columns import Corpus
from ..resampling import BootstrapOptions, median_of_bootstrap_means
from ..resampling.weights import seed_of
from ..scores.rouge import precision_recall_f
from ..scores.rouge_options import PER_TOKEN, SCRIPT, RougeOptions, RougeReports
from ..scores.rouge_types import DEFAULT_WEIGHT, RougeType, is_rouge_type, type_of
from ..signatures import signature
from ..text import STEMMED_ROUGE, TOKENIZERS, Tokenizer, irregular_forms, prepared, tokenizer_of, words_of
from ..text.sentences import has_sentences
from .alignment import Alignment, CommonTokens, SkipBigrams, marked, pairs_of, with_best
from .contract import Rows
from .marks import Marking
from .measure import Measure, with_tokenizer
from .one_call import one_call
from .rouge_counts import Pairs, ScriptPairs, as_read, one_segment_units, over_references, rouge_tokens
from .script_averages import average_of_counts, average_of_scores
from .storage import LARGEST_COUNT, refuse_rows, refuse_values
from .summary import Line, Summary, Words
from .warnings import LACKS_LINES, UNSTEMMED, NoLines, Note, Notes, notes_on_tokens

_PARTS = ("precision", "recall", "fmeasure")
# Options that become part of the tokenizer.
_OF_TOKENIZER = ("use_stemmer", "lowercase", "stopwords", "exceptions")


class Rouge(Measure):
    """ROUGE, batch by batch: an accumulator that stores counts per segment, never text.

    `statistics` has matches, hypothesis units and reference units: shape (n_segments, n_types,
    3), int64, or float64 with "rougeW" among the types. With `jackknife`, or when several
    references are averaged, a segment has one row per trial: see `rows_per_segment`.

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}

    Examples
    --------
    >>> Rouge(rouge_types=["rougeL"]).update(["the cat sat"], ["the cat sat down"]).score()
    {'rougeL': 0.8571428571428571}
    """

    name, title = "rouge", "ROUGE"
    options_type, reports_type = RougeOptions, RougeReports
    returns = "F of every type, by its name, such as ``rouge1``"
    is_pooled = False
    page_reports = {"detailed": True, "aggregator": "mean"}
    question = "How many words, pairs of words, and words in the same order do prediction and reference share?"
    sample_part = "summaries"
    _parts = 3
    options: RougeOptions
    tokenizer: Tokenizer

    def _prepare(self) -> None:
        self.tokenizer = _tokenizer(self.options)
        self._is_unstemmed = self.options.use_stemmer and is_own(self.options.tokenizer)
        self._units = None if self.tokenizer.function is not None else one_segment_units(self.options)

    @property
    def score_names(self) -> tuple[str, ...]:
        """The types."""
        return self.options.types

    @classmethod
    def find(cls, name: str) -> tuple[str, dict[str, Any]] | None:
        """Find any type by its name."""
        return (name, {"rouge_types": (name,)}) if is_rouge_type(name) else None

    @classmethod
    def named_scores(cls) -> tuple[str, ...]:
        """Return the types, for messages."""
        return ("rouge1", "rouge2", "...", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4")

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores."""
        chosen = {name: value for name, value in super().settings().items() if name not in _OF_TOKENIZER}
        chosen |= {"beta": self.options.f_beta, "weight": self.options.run_weight}
        return with_tokenizer(chosen, self.tokenizer)

    def described(self) -> dict[str, str]:
        """Return the fields of the signature."""
        return {**self.options.signature, "tok": self.tokenizer.signature}

    @property
    def zero_row(self) -> Counts:
        """Matches, hypothesis units and reference units of every type."""
        return np.zeros((len(self.options.types), 3), np.float64 if self.options.is_weighted else np.int64)

    @property
    def has_trials(self) -> bool:
        """Whether references are averaged or left out in turn."""
        return self.options.has_trials

    def check_rows(self, rows: Counts) -> None:
        """Raise for rows that no text can have."""
        if self.options.is_weighted:
            with np.errstate(invalid="ignore"):
                lengths = rows ** (1 / np.array(self.options.weights)[:, None])
            # The smallest weight is 1, of which differences of sums may leave a part.
            is_sum = (rows == 0) | ((rows >= 0.25) & (4 * lengths <= LARGEST_COUNT))
            refuse_values(rows, is_sum, "sums of weights that a text can have")
        else:
            super().check_rows(rows)
        # Of weights the script raises to their power twice, others lose digits where trials are differences of sums.
        is_weighted = np.array([kind.kind == "W" for kind in self.options.kinds])
        is_right = is_weighted | (rows[..., :1] <= rows[..., 1:]).all(axis=-1)
        refuse_rows(np.asarray(is_right.all(axis=1)), rows, "no more matches than either side has")

    def as_read(self, corpus: Corpus) -> Corpus:
        """Return the texts up to `max_words` or `max_bytes`."""
        return as_read(corpus, self.options)

    def notes(self) -> Notes:
        """Return a collector of texts without tokens and of summaries without lines."""
        more: list[Note] = [NoLines()] if self.options.splits_at_newlines else []
        more += [Note("stems", UNSTEMMED)] if self._is_unstemmed else []
        return Notes(*notes_on_tokens(self.tokenizer), *more)

    def count(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count all types of all pairs, and combine several references."""
        tokens = rouge_tokens(corpus, self.tokenizer, self.options)
        notes.look(corpus, tokens)
        pairs = (ScriptPairs if self.options.is_script else Pairs)(tokens, self.options, corpus.n_threads)
        counts, n_trials = over_references(pairs.counts(), pairs, corpus.reference_offsets)
        return Rows(counts, n_trials if self.options.has_trials else None)

    def score_one_segment(self, hypothesis: str, references: Sequence[str]) -> dict[str, Any] | None:
        """Return F of every type for one segment with one reference, if both have units of every type."""
        if len(references) != 1 or self._units is None:
            return None
        has_lines = self.options.splits_at_newlines
        lacks_lines = has_lines and (has_sentences(hypothesis) or has_sentences(references[0]))
        if lacks_lines and ("\n" in hypothesis or "\n" in references[0]):
            return None
        texts = self.tokenizer.prepared_segment(hypothesis, references)
        counts = self.tokenizer.one_segment.pair_counts(*texts, self._units)
        if 0 in counts[1::3] or 0 in counts[2::3]:
            return None
        if lacks_lines:
            say(LACKS_LINES)
        # The operations of `precision_recall_f` in the same order.
        result, three, factor = {}, iter(counts), self.options.f_beta**2
        for name, matches, n_hypothesis, n_reference in zip(self.options.types, three, three, three):  # noqa: B905
            precision, recall = matches / n_hypothesis, matches / n_reference
            result[name] = (1 + factor) * precision * recall / (factor * precision + recall) if matches else 0.0
        return result

    def scores(self, rows: Counts) -> FloatArray:
        """Precision, recall and F: shape (..., n_types, 3)."""
        options = self.options
        return precision_recall_f(
            rows, options.f_beta, alpha=options.alpha, weights=options.weights, rounded=options.is_script
        )

    def counts(self) -> dict[str, Any]:
        """Return the matches (such as LCS lengths) and the units of both sides, by type."""
        names = ("matches", "prediction", "reference")
        total = self.total().tolist()
        return {kind: dict(zip(names, row, strict=True)) for kind, row in zip(self.options.types, total, strict=True)}

    def by_name(self, values: Any, asked: RougeReports) -> dict[str, Any]:
        """Return precision, recall and F of every type by name, or F only."""
        if asked.detailed:
            return {t: dict(zip(_PARTS, v, strict=True)) for t, v in zip(self.options.types, values, strict=True)}
        return {t: v[2] for t, v in zip(self.options.types, values, strict=True)}

    def _result(self, asked: RougeReports) -> dict[str, Any]:
        if asked.use_aggregator:
            return self.by_name(self._aggregated(asked).tolist(), asked)
        scores = self.segment_scores()
        if not asked.detailed:
            return dict(zip(self.options.types, scores[..., 2].T.tolist(), strict=True))
        return self.by_name(np.moveaxis(scores, 0, -1).tolist(), asked)

    def _aggregator(self, asked: RougeReports) -> str:
        return asked.aggregator or (SCRIPT if self.options.is_script else "mean")

    def _aggregated(self, asked: RougeReports) -> FloatArray:
        """Return precision, recall and F of the corpus: shape (n_types, 3)."""
        aggregator = self._aggregator(asked)
        if aggregator == "mean":
            return self.mean_scores()
        if aggregator == PER_TOKEN:
            if (self.rows_per_segment != 1).any():
                fail(ValueError, "aggregator", "another aggregator for averages over references", PER_TOKEN)
            return average_of_counts(self.statistics, self.options.f_alpha).average
        scores = self.segment_scores()
        return (
            average_of_scores(scores).average if aggregator == SCRIPT else median_of_bootstrap_means(scores, asked.seed)
        )

    def _reported(self, asked: RougeReports, bootstrap: BootstrapOptions) -> dict[str, Any]:
        more = super()._reported(asked, bootstrap)
        if asked.signature:
            name = self._aggregator(asked) if asked.use_aggregator else "none"
            name = f"bootstrap[{seed_of(asked.seed)}]" if name == "bootstrap" else name
            more["signature"] = signature(self._n_references, {**self.described(), "agg": name})
        return more

    def check_sum(self, asked: RougeReports) -> None:
        """Raise if the requested score is not a function of the sum over all segments."""
        super().check_sum(asked)
        if self.options.is_script and asked.aggregator is None:
            allowed = "'mean', since the script's average depends on the order of the segments"
            fail(ValueError, "aggregator", allowed, "None with the preset")

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return F of every type as a table, with precision and recall if the result has them."""
        options = self.options
        weight = f"beta {options.f_beta:g}" if options.alpha is None else f"alpha {options.alpha:g}"
        f = "F" if weight in ("beta 1", "alpha 0.5") else f"F ({weight})"
        is_detailed = isinstance(result[options.types[0]], dict)
        lines = [
            Line(kind, tuple(result[kind].values()) if is_detailed else (result[kind],), kind, is_headline=True)
            for kind in options.types
        ]
        columns = ("precision", "recall", f) if is_detailed else (f,)
        return Summary(self.title, columns, lines, [f"tokenizer {self.tokenizer.name}"])

    @classmethod
    def words(cls, key: str) -> Words:
        """Explain a type."""
        return words_of_type(key)

    def marking(self, key: str) -> Marking:
        """Mark what the type counts: n-grams of one order, a common subsequence, or skip-bigrams."""
        kind = type_of(key, DEFAULT_WEIGHT, "key")
        if kind.kind == "N":
            return Marking.of_order(kind.order)
        if kind.kind in ("S", "SU"):
            elsewhere = "also in the other text, but in no such pair"
            counts = " (counts as a single word)" if kind.kind == "SU" else " (does not count)"
            return Marking.of_common(
                "in a pair of words that both texts have in the same order (counts)", elsewhere + counts,
                other_counts=kind.kind == "SU",
            )  # fmt: skip
        return Marking.of_common(
            "on the longest common subsequence: same words, same order (counts)",
            "also in the other text, but out of order (does not count)",
        )

    def alignments(self, corpus: Corpus, key: str) -> list[Alignment]:
        """Match with the reference that has the best F; nothing matches beyond `max_words` and `max_bytes`."""
        # A limit keeps the start of a text, so places in it are places in the text.
        corpus = self.as_read(corpus)
        kind = type_of(key, DEFAULT_WEIGHT, "key")
        common: CommonTokens | SkipBigrams | None = None
        if kind.kind in ("S", "SU"):
            common = SkipBigrams(kind.gap)
        elif kind.kind != "N":
            is_summary = kind.kind == "Lsum"
            common = CommonTokens(by_sentence=is_summary, at_end_marks=is_summary and self.options.split_summaries)
        sides = marked(pairs_of(corpus), self.tokenizer, kind.order or 1, common)
        found = with_best(corpus, self, key, sides)
        is_one_scored = self.options.multi_reference == "best" and not self.options.jackknife
        return found if is_one_scored else [replace(alignment, is_alone=False) for alignment in found]


def _tokenizer(options: RougeOptions) -> Tokenizer:
    """Return the tokenizer, with its stop words and stemmer."""
    tokenizer, preset = options.tokenizer, options.preset
    base = tokenizer_of(SCRIPT if preset else "rouge" if tokenizer is None else tokenizer)
    can_stem = preset is not None or base == TOKENIZERS["rouge"]
    if options.use_stemmer and not can_stem and not is_own(tokenizer):
        fail(ValueError, "use_stemmer", "False with a tokenizer other than 'rouge'", shown(options.use_stemmer))
    words = frozenset() if options.stopwords is None else words_of(options.stopwords)
    forms = () if options.exceptions is None else irregular_forms(options.exceptions)
    stems = options.use_stemmer and can_stem
    if options.exceptions is not None and not stems:
        fail(ValueError, "exceptions", "None without `use_stemmer=True` and its tokenizer", shown(options.exceptions))
    if not preset and not words and not forms and stems:
        return STEMMED_ROUGE
    if stems or words:
        stemmer = ("porter155" if preset else "porter") if stems else ""
        base = base.with_options(stop_words=words, stemmer=stemmer, irregular=forms)
    # The tokenizers of ROUGE lower-case in any case.
    lowers = options.lowercase and not can_stem
    return prepared(base, lowercase=True, strip=False) if lowers else base


def is_own(tokenizer: object) -> bool:
    """Return whether a tokenizer is a user's function, to which no stemmer is added."""
    return callable(tokenizer) and not isinstance(tokenizer, Tokenizer)


_F = (
    "F balances the two (the harmonic mean, unless beta gives recall another weight) and is the score of a segment; "
    "the score on top is the mean over segments."
)
_CAUTION = (
    "The score compares words, not meaning: a good paraphrase scores low, and a fluent falsehood that shares its words "
    "with the reference scores high. Read the worst segments before you trust the number."
)


def words_of_type(key: str) -> Words:
    """Explain a type of ROUGE.

    Examples
    --------
    >>> [words_of_type(key).title for key in ("rouge2", "rougeL", "rougeSU4")]
    ['ROUGE-2', 'ROUGE-L', 'ROUGE-SU4']
    >>> for key in ("rouge1", "rouge2", "rouge3"):
    ...     print(words_of_type(key).question)
    How many single words do prediction and reference share?
    How many pairs of neighbouring words do prediction and reference share?
    How many runs of 3 words do prediction and reference share?
    """
    kind = type_of(key, DEFAULT_WEIGHT, "key")
    question, steps = {"N": _words_of_ngrams, "S": _words_of_skips, "SU": _words_of_skips}.get(
        kind.kind, _words_of_lcs
    )(kind)
    return Words("ROUGE-" + key.removeprefix("rouge"), question, (*steps, _F), _CAUTION)


def _words_of_ngrams(kind: RougeType) -> tuple[str, tuple[str, ...]]:
    name = {1: "single words", 2: "pairs of neighbouring words"}.get(kind.order, f"runs of {kind.order} words")
    return (
        f"How many {name} do prediction and reference share?",
        (
            f"Both texts are cut into {name}. Those in both match, each at most as often as either text has it.",
            "Precision is the share of the prediction that matches, recall the share of the reference.",
        ),
    )


def _words_of_lcs(kind: RougeType) -> tuple[str, tuple[str, ...]]:
    union = ", sentence by sentence" if kind.kind == "Lsum" else ""
    question = "How long is the longest series of words that both texts have in the same order, gaps allowed?"
    found = f"The longest common subsequence is found between prediction and reference{union}; it is underlined."
    if kind.kind == "W":
        return (
            question[:-1].replace("How long is", "What is the weight of") + ", where words in a row count more?",
            (
                f"{found} The scored series is one of high weight, which may differ from the longest.",
                f"A run of k matching words has the weight k to the power of {kind.weight:g}. Precision divides the "
                "weight of all runs by that of the whole prediction as one run, recall by that of the whole reference; "
                "the root of each quotient undoes the power.",
            ),
        )
    return question, (found, "Precision is its share of the prediction, recall its share of the reference.")


def _words_of_skips(kind: RougeType) -> tuple[str, tuple[str, ...]]:
    gap = "any number of words" if kind.gap is None else "no word" if kind.gap == 0 else f"up to {kind.gap} words"
    also, units = (" and single words", "pairs and words") if kind.kind == "SU" else ("", "pairs")
    return (
        f"How many pairs of words in the same order{also} do prediction and reference share?",
        (
            f"A pair is two words of a text in their order, with {gap} between them (a skip-bigram). Pairs in both "
            "texts match, each at most as often as either text has it; the words of matching pairs are underlined."
            + (" Single words in both texts match as well." if also else ""),
            f"Precision is the share of the prediction's {units} that match, recall the share of the reference's. A "
            "text has far more pairs than words, so the share of underlined words is not the score.",
        ),
    )


rouge = one_call(Rouge)
