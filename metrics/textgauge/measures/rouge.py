"""ROUGE of texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from .. import engine
from ..arrays import Counts, FloatArray
from ..checks import counted, fail, shown
from ..columns import Corpus
from ..plain import Texts
from ..resampling import median_of_bootstrap_means
from ..resampling.draws import seed_of
from ..signatures import resampled, signature
from ..text import STEMMED_ROUGE, TOKENIZERS, Tokenizer, irregular_forms, prepared, tokenizer_of, words_of
from .alignment import Alignment, CommonTokens, SkipBigrams, aligned_with_best, matched, pairs_of
from .crossing import Crossing, Sides, group_of, lcs_counts, n_ngrams, n_tokens, ngram_counts
from .derivation import Derivation
from .layout import Field, Layout, Rows
from .marks import Marks
from .measure import Measure
from .metric import About
from .one_call import one_call
from .references import References
from .rouge_counts import SIDES, Pairs, ScriptPairs, as_read, rouge_tokens
from .rouge_derivation import Counted, counted_texts, rouge_derivation
from .rouge_options import PER_TOKEN, SCRIPT, RougeOptions, RougeReports
from .rouge_types import DEFAULT_WEIGHT, RougeType, is_rouge_type, type_of
from .script_averages import average_of_counts, average_of_scores
from .summary import Explanation, Line, Summary
from .warnings import NoLines, Note, Notes, Unstemmed, notes_on_tokens

_PARTS = ("precision", "recall", "fmeasure")
# Options that the tokenizer carries.
_OF_TOKENIZER = ("use_stemmer", "lowercase", "stopwords", "exceptions")


class Rouge(Measure):
    """ROUGE, batch by batch: an accumulator that stores counts per segment, never text.

    `statistics` has the fields ``matches``, ``prediction`` and ``reference``, matches and the units of either
    side, with a number per type: int64, or float64 with "rougeW" among the types. With `jackknife`, or
    when several references are averaged, a segment has one row per trial.

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

    name = "rouge"
    options_type, reports_type = RougeOptions, RougeReports
    about = About(
        "ROUGE", lambda key: _EVERY_TYPE if key == "rouge" else explanation_of_type(key),
        returns="F of every type, by its name, such as ``rouge1``", sample="summaries",
        page_reports={"detailed": True, "aggregator": "mean"}, single={"rouge_types": ("rougeL",)},
    )  # fmt: skip
    average = True
    options: RougeOptions
    tokenizer: Tokenizer

    def setup(self) -> None:
        """Choose the tokenizer, the layout, and the rule for several references."""
        options = self.options
        self.tokenizer = _tokenizer(options)
        n_types, is_whole = len(options.types), not options.is_weighted
        self.layout = Layout([Field(side, n_types, is_whole) for side in SIDES], options.types)
        self.references = References(options.multi_reference or "best", options.jackknife)

    @property
    def score_names(self) -> tuple[str, ...]:
        """The types."""
        return self.options.types

    @classmethod
    def score_called(cls, name: str) -> tuple[str, dict[str, Any]] | None:
        """Find any type by its name."""
        return (name, {"rouge_types": (name,)}) if is_rouge_type(name) else None

    @classmethod
    def names_of_scores(cls) -> tuple[str, ...]:
        """Return the types, for messages."""
        return ("rouge1", "rouge2", "...", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4")

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores, None as what it means."""
        options = self.options
        chosen = {name: value for name, value in super().settings().items() if name not in _OF_TOKENIZER}
        return {**chosen, "beta": options.f_beta, "weight": options.run_weight}

    def described(self) -> dict[str, str]:
        """Return the fields of the signature."""
        return {**self.options.signature, "tok": self.tokenizer.signature}

    def as_cut(self, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
        """Return the texts up to `max_words` or `max_bytes`."""
        return as_read(corpus, self.options), self.tokenizer

    def notes(self) -> Notes:
        """Return a collector of texts without tokens and of summaries without lines."""
        more: list[Note] = [NoLines()] if self.options.splits_at_newlines else []
        if self.options.use_stemmer and is_own(self.options.tokenizer):
            more.append(Unstemmed())
        return Notes(*notes_on_tokens(self.tokenizer), *more)

    def pairs(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count all types of all pairs."""
        tokens = rouge_tokens(corpus, self.tokenizer, self.options)
        notes.look(corpus, tokens)
        kind = ScriptPairs if self.options.is_script else Pairs
        return kind(tokens, self.options, corpus.n_threads).rows(self.layout)

    def crossing(self, texts: Texts, sides: Sides, notes: Notes) -> Crossing | None:
        """Count n-grams or longest common subsequences of a single type by an index of all texts."""
        kind = self.options.kinds[0]
        kinds = ("N", "L") if sides.weights is None else ("N",)
        if len(self.options.kinds) > 1 or self.options.is_script or kind.kind not in kinds:
            return None
        group = group_of(texts, sides)
        tokens = rouge_tokens(group, self.tokenizer, self.options)
        notes.look(group, tokens)
        if kind.kind == "L":
            lengths, count = n_tokens(tokens), lcs_counts(tokens)
        else:
            lengths = n_ngrams(n_tokens(tokens), kind.order)[:, -1]
            every = ngram_counts(tokens, kind.order, sides)

            def count(predictions: slice, references: slice) -> Counts:
                return every(predictions, references)[..., -1]

        # Rows have an axis of types.
        return Crossing(
            {"matches": lambda predictions, references: count(predictions, references)[..., None]},
            {"prediction": lengths[:, None]},
            {"reference": sides.of_references(lengths[:, None])},
        )

    def scores(self, rows: Rows) -> dict[str, Any]:
        """F of every type by its name, and its precision and recall: keys such as "rouge1_precision"."""
        options = self.options
        alpha = -1.0 if options.alpha is None else options.alpha
        found = engine.kernel.f_scores(rows.values, options.weights, options.f_beta, alpha, options.is_script)
        return dict(zip(chain(*options.keys), np.moveaxis(np.reshape(found, rows.values.shape), -1, 0), strict=True))

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the matches of the type, precision, recall and F."""
        counted = Counted() if segment is None else counted_texts(self, key, segment)
        return rouge_derivation(self, key, rows, counted)

    def presented(self, values: Mapping[str, Any], asked: RougeReports) -> dict[str, Any]:
        """Return precision, recall and F of every type by name, or F only."""
        if not asked.detailed:
            return {name: values[name] for name in self.options.types}
        return {keys[2]: dict(zip(_PARTS, map(values.__getitem__, keys), strict=True)) for keys in self.options.keys}

    def _values(self, asked: RougeReports) -> dict[str, Any]:
        """Combine the scores of the segments as asked."""
        if not asked.use_aggregator:
            return self.segment_values()
        aggregator = self._aggregator(asked)
        if aggregator == "mean":
            return self.mean_values(() if asked.detailed else self.options.types)
        if aggregator == PER_TOKEN:
            rows = self.statistics
            if len(rows.values) != len(rows):
                fail(ValueError, "aggregator", "another aggregator for averages over references", PER_TOKEN)
            return self._by_key(average_of_counts(self.counts_by_type(), self.options.f_alpha).average)
        scores = self.parts_by_type()
        if aggregator == SCRIPT:
            return self._by_key(average_of_scores(scores).average)
        return self._by_key(median_of_bootstrap_means(scores, asked.seed))

    def parts_by_type(self) -> FloatArray:
        """Return precision, recall and F of every segment: shape (n_segments, n_types, 3)."""
        values = self.segment_values()
        return np.moveaxis(np.array([[values[key] for key in keys] for keys in self.options.keys]), -1, 0)

    def counts_by_type(self) -> Counts:
        """Return matches and the units of both sides of every row: shape (n_rows, n_types, 3)."""
        rows = self.statistics
        return np.stack([rows[side] for side in SIDES], axis=-1)

    def _aggregator(self, asked: RougeReports) -> str:
        return asked.aggregator or (SCRIPT if self.options.is_script else "mean")

    def _by_key(self, scores: FloatArray) -> dict[str, Any]:
        """Name the elements of precision, recall and F of every type, shape (n_types, 3)."""
        return {key: scores[i, j] for i, keys in enumerate(self.options.keys) for j, key in enumerate(keys)}

    def _reported(self, asked: RougeReports, bootstrap: Any) -> dict[str, Any]:
        more = super()._reported(asked, bootstrap)
        if asked.signature:
            name = self._aggregator(asked) if asked.use_aggregator else "none"
            name = f"bootstrap[{seed_of(asked.seed)}]" if name == "bootstrap" else name
            line = signature(self._n_references, {**self.described(), "agg": name})
            has_interval = bootstrap.confidence is not None
            more["signature"] = resampled(line, bootstrap.n_resamples, bootstrap.seed) if has_interval else line
        return more

    def check_sums(self, asked: Any = None) -> None:
        """Refuse the average of the script, which depends on the order of the segments."""
        if asked is not None and self.options.is_script and asked.aggregator is None:
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
        return Summary(self.about.title, columns, lines, [f"tokenizer {self.tokenizer.name}"])

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
        corpus = as_read(corpus, self.options)
        common: CommonTokens | SkipBigrams | None = None
        if kind.kind in ("S", "SU"):
            common = SkipBigrams(kind.gap)
        elif kind.kind != "N":
            is_summary = kind.kind == "Lsum"
            common = CommonTokens(by_sentence=is_summary, at_end_marks=is_summary and self.options.split_summaries)
        sides = matched(pairs_of(corpus), self.tokenizer, kind.order or 1, common)
        found = aligned_with_best(corpus, self, kind.name, sides)
        is_alone = self.options.multi_reference == "best" and not self.options.jackknife
        return found if is_alone else [replace(alignment, is_alone=False) for alignment in found]


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


_EVERY_TYPE: Explanation = Explanation(
    "ROUGE",
    "How many words, pairs of words, and words in the same order do prediction and reference share?",
    ("Every type counts other parts of the texts, and has its own precision, recall and F.", _F),
    _CAUTION,
)


def explanation_of_type(key: str) -> Explanation:
    """Explain a type of ROUGE.

    Examples
    --------
    >>> [explanation_of_type(key).title for key in ("rouge2", "rougeL", "rougeSU4")]
    ['ROUGE-2', 'ROUGE-L', 'ROUGE-SU4']
    >>> for key in ("rouge1", "rouge2", "rouge3"):
    ...     print(explanation_of_type(key).question)
    How many single words do prediction and reference share?
    How many pairs of neighbouring words do prediction and reference share?
    How many runs of 3 words do prediction and reference share?
    """
    kind = type_of(key, DEFAULT_WEIGHT, "key")
    question, steps = {"N": _explained_ngrams, "S": _explained_skips, "SU": _explained_skips}.get(
        kind.kind, _explained_lcs
    )(kind)
    return Explanation("ROUGE-" + key.removeprefix("rouge"), question, (*steps, _F), _CAUTION)


def _explained_ngrams(kind: RougeType) -> tuple[str, tuple[str, ...]]:
    name = {1: "single words", 2: "pairs of neighbouring words"}.get(kind.order, f"runs of {kind.order} words")
    return (
        f"How many {name} do prediction and reference share?",
        (
            f"Both texts are cut into {name}. Those in both match, each at most as often as either text has it.",
            "Precision is the share of the prediction that matches, recall the share of the reference.",
        ),
    )


def _explained_lcs(kind: RougeType) -> tuple[str, tuple[str, ...]]:
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


def _explained_skips(kind: RougeType) -> tuple[str, tuple[str, ...]]:
    gap = {None: "any number of words", 0: "no word"}.get(kind.gap, f"up to {counted(kind.gap or 0, 'word')}")
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
