"""ROUGE of texts."""

from __future__ import annotations

import re
from collections import Counter as Bag
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..all_pairs.counts import PairCounts, Roles, group_of, lcs_counts, n_ngrams, n_tokens, ngram_counts
from ..arrays import Counts, FloatArray
from ..checks import fail, shown
from ..explanation.alignment import (
    Alignment,
    CommonTokens,
    PlacedText,
    SkipBigrams,
    aligned_with_best,
    matched,
    pairs_of,
    placed_texts,
)
from ..explanation.derivation import MOST_EXAMPLES, Derivation, Step, f_formula, figure, matched_ngrams, steps_to_f
from ..explanation.explainer import Explainer
from ..explanation.marks import Marks
from ..input.columns import Corpus
from ..lazy import lazy
from ..metric import (
    About,
    Field,
    Layout,
    Line,
    Metric,
    Note,
    Notes,
    Rows,
    Score,
    Scores,
    Summary,
    Sums,
    scores_of,
)
from ..metric.layout import Refusal
from ..metric.notes import notes_on_tokens
from ..resampling import median_of_bootstrap_means
from ..resampling.draws import seed_of
from ..resampling.rouge_programs import average_of_counts, average_of_scores
from ..sums import in_pairs, ratio
from ..text import STEMMED_ROUGE, TOKENIZERS, Tokenizer, irregular_forms, prepared, tokenizer_of, words_of
from ..text.sentences import has_sentences
from .rouge_counts import SIDES, Pairs, ScriptPairs, TypesToCount, as_read, largest_shares, rouge_tokens
from .rouge_options import COCO, PER_TOKEN, SCRIPT, RougeOptions, RougeReports
from .rouge_types import DEFAULT_WEIGHT, EVERY_TYPE, RougeType, explanation_of_type, is_rouge_type, type_of

if TYPE_CHECKING:
    from ..plain import Texts, Tokens


_PARTS = ("precision", "recall", "fmeasure")
# A further field of a row where precision and recall are of two references: the matches of recall.
RECALLED = "recalled"
# The name of pycocoevalcap's ROUGE-L.
OF_COCO = "ROUGE_L"
# Options that the tokenizer carries.
_OF_TOKENIZER = ("use_stemmer", "lowercase", "stopwords", "exceptions")


class RougeScores(Scores):
    """Types of ROUGE: every type has its name, and precision and recall beside F where they are asked for."""

    def of_metric(self, name: str, options: Any = None) -> Scores:  # noqa: ARG002
        """Return itself: no type has the name of the metric."""
        return self

    @lazy
    def names(self) -> tuple[str, ...]:
        """The types, for messages."""
        return ("rouge1", "rouge2", "...", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4")

    def named(self, name: str) -> tuple[str, dict[str, Any]] | None:
        """Find any type by its name, and ROUGE-L of captions by that of pycocoevalcap."""
        if name == OF_COCO:
            return "rougeL", {"rouge_types": ("rougeL",), "preset": COCO}
        return (name, {"rouge_types": (name,)}) if is_rouge_type(name) else None

    def shown(self, values: Mapping[str, Any], reports: Any) -> dict[str, Any]:
        """Return precision, recall and F of every type by name, or F only."""
        if not reports.detailed:
            return {name: values[name] for name in self.keys}
        keys = {name: (f"{name}_precision", f"{name}_recall", name) for name in self.keys}
        return {name: dict(zip(_PARTS, map(values.__getitem__, keys[name]), strict=True)) for name in keys}


# Number of summaries per side whose sentences are looked for.
_N_SUMMARIES = 16
# PEGASUS's mark of a new line, behind a sentence; elsewhere it may be a tag, a type or a placeholder.
_MARK = re.compile(r"[.!?\u3002\uff01\uff1f]\W{0,2}<n>")
_LACKS_LINES = (
    "rougeLsum equals rougeL here, since texts have several sentences but no newline between them; "
    "pass `split_summaries=True`, or put each sentence on its own line."
)
_SPELLED = (
    "texts have a newline behind every character, so that characters are counted for words: join sentences, not text, "
    'as in `"\\n".join(nltk.sent_tokenize(text))`.'
)
_MARKED = (
    'texts have \'<n>\', PEGASUS\'s mark of a new line, which is scored as a word: pass `text.replace("<n>", "\\n")`.'
)
_UNSTEMMED = (
    "`use_stemmer=True` has no effect with your own tokenizer, as in the reference module: "
    "stem in the tokenizer, or omit the option."
)


class _Unstemmed(Note):
    """Warns that a stemmer has no effect."""

    about, warning = "stems", _UNSTEMMED


class _NoLines(Note):
    """Checks whether at least half of the first texts have several sentences, and no text has lines."""

    about = "lines"

    def examine(self, corpus: Corpus, tokens: Tokens) -> None:
        """Examine one chunk."""
        if corpus.first == 0:
            sides = corpus.hypotheses, corpus.references
            are_split = [has_sentences(side[row]) for side in sides for row in range(min(_N_SUMMARIES, len(side)))]
            self.warning = _LACKS_LINES if 0 < sum(are_split) >= len(are_split) / 2 else ""
        if self.warning:
            bounds = np.asarray(tokens.text_sentences)
            self.warning = _LACKS_LINES if (bounds[1:] - bounds[:-1] <= 1).all() else ""


class _WrongLines(Note):
    """Checks whether the first texts have marks for new lines, or on both sides a new line behind every character."""

    about = "lines"

    def examine(self, corpus: Corpus, tokens: Tokens) -> None:  # noqa: ARG002
        """Examine the first chunk."""
        if corpus.first:
            return
        n_spelled = 0
        # Plain loops: for every single pair.
        for side in (corpus.hypotheses, corpus.references):
            for row in range(min(_N_SUMMARIES, len(side))):
                text = side[row]
                if "<n>" in text and _MARK.search(text):
                    self.warning = _MARKED
                    return
                # Without a space they may be labels, one a line; a short text says nothing.
                if text[1:8:2] == "\n\n\n\n" and " " in text and not text[1::2].strip("\n"):
                    n_spelled += 1
                    break
        if n_spelled == 2:
            self.warning = _SPELLED


_ORDERED = "'mean', since the script's average depends on the order of the segments"


@dataclass(frozen=True)
class _ScriptSums(Sums):
    """The average of the script depends on the order of the segments, unless another aggregator is asked for."""

    def refused(self, reports: Any) -> Refusal | None:
        return self.refusal if reports.aggregator is None else None


class RougeMetric(Metric):
    """ROUGE (Lin 2004).

    `statistics` has the fields ``matches``, ``prediction`` and ``reference``, matches and the units of either
    side, with a number per type: int64, or float64 with "rougeW" among the types. With `jackknife`, or
    when several references are averaged, a segment has one row per trial.

    Examples
    --------
    >>> Rouge(rouge_types=["rougeL"]).update(["the cat sat"], ["the cat sat down"]).score()
    {'rougeL': 0.8571428571428571}
    """

    name = "rouge"
    options_type, reports_type = RougeOptions, RougeReports
    about = About(
        "ROUGE", lambda key: EVERY_TYPE if key == "rouge" else explanation_of_type(key),
        returns="F of every type, by its name, such as ``rouge1``", sample="summaries",
    )  # fmt: skip
    scores = RougeScores()
    combine = "mean"

    tokenizer: Tokenizer
    options: RougeOptions

    def prepare(self) -> None:
        """Choose the tokenizer, the layout and the rule for several references."""
        self.scores = RougeScores(*(Score(name, name) for name in self.options.types))
        if self.options.preset == COCO:
            self.sums = Sums(add=in_pairs)
        if self.options.is_script:
            self.sums = _ScriptSums(refusal=("aggregator", _ORDERED, "None with the preset"))
        self.tokenizer = _tokenizer(self.options)
        self.pairs = ScriptPairs if self.options.is_script else Pairs
        self.types = TypesToCount(self.options.parsed_types, self.pairs.unit_of)
        n_types, is_whole = len(self.options.types), not self.types.are_weighted
        fields = (*SIDES, RECALLED) if self.options.takes_largest else SIDES
        self.layout = Layout(
            [Field(name, n_types, is_whole) for name in fields], self.options.types, self.options.rule_of_references
        )

    def notes(self) -> Notes:
        """Return a collector of texts without tokens and of summaries without lines."""
        more: list[Note] = [_WrongLines(), *([_NoLines()] if self.options.splits_at_newlines else [])]
        if self.options.use_stemmer and is_own(self.options.tokenizer):
            more.append(_Unstemmed())
        return Notes(*more, unusual=self._notes_on_tokens, reads_latin=self.tokenizer.drops_letters)

    def _notes_on_tokens(self) -> tuple[Note, ...]:
        others = [f"`preset='{SCRIPT}'`"] if self.options.is_script else []
        if self.tokenizer.stemmer:
            others.append("`use_stemmer`, whose stems are those of English")
        return notes_on_tokens(self.tokenizer, without=f", without {' and '.join(others)}" if others else "")

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count all types of all pairs."""
        tokens = rouge_tokens(corpus, self.tokenizer, self.options)
        notes.examine(corpus, tokens)
        pairs = self.pairs(tokens, self.types, corpus.n_threads)
        if self.options.takes_largest:
            # pycocoevalcap splits at single spaces, and finds one empty word in an empty text.
            counts = largest_shares(pairs.counts, corpus.reference_offsets, empty=int(self.options.preset == COCO))
            return Rows(self.layout, counts.reshape(-1, self.layout.n_columns))
        return Rows(
            self.layout, pairs.counts.reshape(-1, self.layout.n_columns), selection_scores=pairs.selection_scores
        )

    def all_pairs(self, texts: Texts, roles: Roles, notes: Notes) -> PairCounts | None:
        """Count n-grams or longest common subsequences of a single type by an index of all texts."""
        rouge_type = self.options.parsed_types[0]
        families = ("N", "L") if roles.weights is None else ("N",)
        by_one = self.options.is_script or self.options.takes_largest
        if len(self.options.parsed_types) > 1 or by_one or rouge_type.family not in families:
            return None
        group = group_of(texts, roles)
        tokens = rouge_tokens(group, self.tokenizer, self.options)
        notes.examine(group, tokens)
        if rouge_type.family == "L":
            lengths, count = n_tokens(tokens), lcs_counts(tokens)
        else:
            lengths = n_ngrams(n_tokens(tokens), rouge_type.order)[:, -1]
            every = ngram_counts(tokens, rouge_type.order, roles)

            def count(predictions: slice, references: slice) -> Counts:
                return every(predictions, references)[..., -1]

        # Rows have an axis of types.
        return PairCounts(
            {"matches": lambda predictions, references: count(predictions, references)[..., None]},
            {"prediction": lengths[:, None]},
            {"reference": roles.of_references(lengths[:, None])},
        )

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores, None as what it means."""
        options = self.options
        chosen = {name: value for name, value in super().settings().items() if name not in _OF_TOKENIZER}
        return {**chosen, "beta": options.f_beta, "weight": options.run_weight}

    def signature_fields(self, reports: RougeReports | None = None) -> dict[str, str]:
        """Return the fields of the signature, and how segments are combined."""
        case = {"case": "lc"} if self.tokenizer.lowercase else {}
        parts = {**self.options.signature, **case, "tok": self.tokenizer.signature}
        if reports is None:
            return parts
        name = self._aggregator(reports) if reports.use_aggregator else "none"
        return {**parts, "agg": f"bootstrap[{seed_of(reports.seed)}]" if name == "bootstrap" else name}

    def formula(self, rows: Rows) -> dict[str, Any]:
        """F of every type by its name, and its precision and recall: keys such as "rouge1_precision"."""
        options = self.options
        if options.takes_largest:
            return self._of_largest(rows)
        alpha = -1.0 if options.alpha is None else options.alpha
        scores = engine.kernel.f_scores(
            rows.values, options.weights, options.f_beta, alpha, options.is_script, rows.n_threads
        )
        return dict(zip(options.score_keys, scores_of(scores, rows), strict=True))

    def _of_largest(self, rows: Rows) -> dict[str, Any]:
        scores: dict[str, Any] = {}
        square = self.options.f_beta**2
        for i, keys in enumerate(self.options.keys):
            matches, prediction, reference, recalled = (rows[field.name][..., i] for field in rows.layout.fields)
            p, r = ratio(matches, prediction), ratio(recalled, reference)
            scores |= dict(zip(keys, (p, r, ratio((1 + square) * p * r, square * p + r)), strict=True))
        return scores

    def result(self, accumulator: Any, reports: RougeReports) -> dict[str, Any]:
        """Combine the scores of the segments as asked."""
        if not reports.use_aggregator:
            return accumulator.segment_values()
        aggregator = self._aggregator(reports)
        if aggregator == "mean":
            return accumulator.corpus_values(() if reports.detailed else self.options.types)
        if aggregator == PER_TOKEN:
            rows = accumulator.statistics
            if len(rows.values) != len(rows):
                fail(ValueError, "aggregator", "another aggregator for averages over references", PER_TOKEN)
            return self._by_key(average_of_counts(self.counts_by_type(accumulator), self.options.f_alpha).average)
        scores = self.parts_by_type(accumulator)
        if aggregator == SCRIPT:
            return self._by_key(average_of_scores(scores).average)
        return self._by_key(median_of_bootstrap_means(scores, reports.seed))

    def parts_by_type(self, accumulator: Any) -> FloatArray:
        """Return precision, recall and F of every segment: shape (n_segments, n_types, 3)."""
        values = accumulator.segment_values()
        return np.moveaxis(np.array([[values[key] for key in keys] for keys in self.options.keys]), -1, 0)

    def counts_by_type(self, accumulator: Any) -> Counts:
        """Return matches and the units of both sides of every row: shape (n_rows, n_types, 3)."""
        return np.stack([accumulator.statistics[side] for side in SIDES], axis=-1)

    def _aggregator(self, reports: RougeReports) -> str:
        return reports.aggregator or (SCRIPT if self.options.is_script else "mean")

    def _by_key(self, scores: FloatArray) -> dict[str, Any]:
        """Name the elements of precision, recall and F of every type, shape (n_types, 3)."""
        return {key: scores[i, j] for i, keys in enumerate(self.options.keys) for j, key in enumerate(keys)}

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return F of every type as a table, with precision and recall if the result has them."""
        options = self.options
        weight = f"beta {options.f_beta:g}" if options.alpha is None else f"alpha {options.alpha:g}"
        f = "F" if weight in ("beta 1", "alpha 0.5") else f"F ({weight})"
        is_detailed = isinstance(result[options.types[0]], dict)
        lines = [
            Line(name, tuple(result[name].values()) if is_detailed else (result[name],), name, is_headline=True)
            for name in options.types
        ]
        columns = ("precision", "recall", f) if is_detailed else (f,)
        return Summary(self.about.title, columns, lines, [f"tokenizer {self.tokenizer.name}"])


def _tokenizer(options: RougeOptions) -> Tokenizer:
    """Return the tokenizer, with its stop words and stemmer."""
    tokenizer, preset = options.tokenizer, options.is_script
    base = tokenizer_of(options.preset or ("rouge" if tokenizer is None else tokenizer))
    can_stem = preset or base == TOKENIZERS["rouge"]
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


Rouge = accumulator_of(RougeMetric)
rouge = one_call(Rouge)


class MatchedParts(NamedTuple):
    """What a type counts in two texts: the matches, of long lists the first, and what does not match on either side."""

    matches: tuple[str, ...] | None = None
    unmatched: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


class RougeExplainer(Explainer, metric=RougeMetric):
    """Explains the scores of `RougeMetric`."""

    metric: RougeMetric

    def as_cut(self, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
        """Return the texts up to `max_words` or `max_bytes`, and the tokenizer."""
        return as_read(corpus, self.metric.options), self.metric.tokenizer

    def marks(self, key: str) -> Marks:
        """Mark what the type counts: n-grams of one order, a common subsequence, or skip-bigrams."""
        rouge_type = type_of(key, DEFAULT_WEIGHT, "key")

        def align(corpus: Corpus) -> list[Alignment]:
            return self._align(corpus, rouge_type)

        if rouge_type.family == "N":
            return Marks.of_order(rouge_type.order, align)
        if rouge_type.family in ("S", "SU"):
            elsewhere = "also in the other text, but in no such pair"
            counts = " (counts as a single word)" if rouge_type.family == "SU" else " (does not count)"
            return Marks.of_common(
                "in a pair of words that both texts have in the same order (counts)", elsewhere + counts, align,
                other_counts=rouge_type.family == "SU",
            )  # fmt: skip
        return Marks.of_common(
            "on the longest common subsequence: same words, same order (counts)",
            "also in the other text, but out of order (does not count)",
            align,
        )

    def _align(self, corpus: Corpus, rouge_type: RougeType) -> list[Alignment]:
        """Match with the reference that is scored; nothing matches beyond `max_words` and `max_bytes`."""
        # A limit keeps the start of a text, so places in it are places in the text.
        corpus = as_read(corpus, self.metric.options)
        common: CommonTokens | SkipBigrams | None = None
        if rouge_type.family in ("S", "SU"):
            common = SkipBigrams(rouge_type.gap)
        elif rouge_type.family != "N":
            is_summary = rouge_type.family == "Lsum"
            common = CommonTokens(
                by_sentence=is_summary, at_end_marks=is_summary and self.metric.options.split_summaries
            )
        sides = matched(pairs_of(corpus), self.metric.tokenizer, rouge_type.order or 1, common)
        alignments = aligned_with_best(corpus, self.metric, rouge_type.name, sides)
        is_alone = self.metric.options.multi_reference == "best" and not self.metric.options.jackknife
        return alignments if is_alone else [replace(alignment, is_alone=False) for alignment in alignments]

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the matches of the type, precision, recall and F."""
        metric, options = self.metric, self.metric.options
        i = options.types.index(key)
        rouge_type, title = options.parsed_types[i], metric.about.explain(key).title
        parts = MatchedParts() if segment is None else self._parts(key, rouge_type, segment)
        counts, scores = [rows[field.name][i] for field in rows.layout.fields], metric.formula(rows)
        p, r, f = (scores[name] for name in options.keys[i])
        unit, meaning = _unit_of(rouge_type)
        n_matches = int(counts[0]) if rouge_type.family in ("S", "SU") else None
        matches = Step("matches", (figure(counts[0]),), examples=parts.matches, meaning=meaning, n_examples=n_matches)
        weight = rouge_type.weight if rouge_type.family == "W" else 1.0
        formula = f_formula(p, r, options.f_beta, options.alpha)
        steps, remarks = steps_to_f(title, counts, (p, r, f), formula, metric.scores.top, unit, weight, parts.unmatched)
        return Derivation(title, (matches, *steps), remarks=remarks)

    def _parts(self, key: str, rouge_type: RougeType, segment: Corpus) -> MatchedParts:
        """Return what matches the reference that is scored, or each of pooled ones, and the n-grams that do not."""
        if rouge_type.family == "W":
            return MatchedParts()
        pairs = pairs_of(as_read(segment, self.metric.options))
        if not self.metric.layout.references.startswith("pooled"):
            [alignment] = self.marks(key).align(segment)
            pairs = pairs.slice(alignment.best, alignment.best + 1)
        every = [self._parts_of_pair(key, rouge_type, pairs.slice(i, i + 1)) for i in range(len(pairs))]
        matches = tuple(chain.from_iterable(pair.matches or () for pair in every))
        rest, missed = (tuple(chain.from_iterable(pair.unmatched[side] for pair in every)) for side in (0, 1))
        return MatchedParts(matches, (rest, missed))

    def _parts_of_pair(self, key: str, rouge_type: RougeType, pair: Corpus) -> MatchedParts:
        if rouge_type.family in ("L", "Lsum"):
            text, [alignment] = pair.hypotheses[0], self.marks(key).align(pair)
            common = (match for match in alignment.prediction if match.is_common)
            return MatchedParts(tuple(text[match.start : match.end] for match in common))
        tokenizer = self.metric.tokenizer
        [[hypothesis, reference]] = placed_texts(pair, tokenizer.cut(pair), tokenizer)
        if rouge_type.family == "N":
            matches, rest = matched_ngrams(hypothesis, [reference], rouge_type.order)
            return MatchedParts(matches, (rest, matched_ngrams(reference, [hypothesis], rouge_type.order)[1]))
        # The last word of a text is no single one for the script.
        singles = slice(0 if rouge_type.family == "S" else -1 if self.metric.options.is_script else None)
        return MatchedParts(tuple(islice(_skip_bigrams(hypothesis, reference, rouge_type.gap, singles), MOST_EXAMPLES)))


def _skip_bigrams(hypothesis: PlacedText, reference: PlacedText, gap: int | None, of_singles: slice) -> Iterator[str]:
    """Yield the matching pairs, and those words of a slice that match alone, in the order of the hypothesis.

    Each matches at most as often as the reference has it.
    """
    ids, others, words = hypothesis.ids.tolist(), reference.ids.tolist(), [*map(str, hypothesis.tokens)]
    width = None if gap is None else gap + 1
    in_pairs, _ = SkipBigrams(gap)(hypothesis, reference)
    singles, n_singles = Bag(others[of_singles]), len(ids[of_singles])
    pairs: dict[int, Bag[int]] = {}
    for i, token in enumerate(ids):
        if i < n_singles and singles[token] > 0:
            singles[token] -= 1
            yield words[i]
        # Of all pairs of a long text, those that begin with other words need not be looked at.
        if i not in in_pairs:
            continue
        if token not in pairs:
            pairs[token] = Bag()
            for place in (place for place, other in enumerate(others) if other == token):
                pairs[token].update(others[place + 1 :][:width])
        for j, other in enumerate(ids[i + 1 :][:width], i + 1):
            if pairs[token][other] > 0:
                pairs[token][other] -= 1
                yield f"{words[i]} {words[j]}"


def _unit_of(rouge_type: RougeType) -> tuple[str, str]:
    """Return what a type counts, and the meaning of its matches."""
    if rouge_type.family == "N":
        name = {1: "single words", 2: "pairs of words in a row"}.get(
            rouge_type.order, f"runs of {rouge_type.order} words"
        )
        return "word" if rouge_type.order == 1 else f"{rouge_type.order}-gram", f"{name} in both texts"
    if rouge_type.family == "W":
        return "weight", f"the weight of common words, where a run of k words weighs k^{rouge_type.weight:g}"
    if rouge_type.family in ("S", "SU"):
        also = " and single words" if rouge_type.family == "SU" else ""
        return "pair" if rouge_type.family == "S" else "unit", f"pairs of words in the same order{also}, in both texts"
    of = "sentence by sentence" if rouge_type.family == "Lsum" else "gaps allowed"
    return "word", f"the most words that both texts have in the same order, {of} (longest common subsequence)"
