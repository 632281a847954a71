"""ROUGE of texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .. import engine
from ..accumulation.accumulator import Accumulator, one_call
from ..all_pairs.crossing import Crossing, Sides, group_of, lcs_counts, n_ngrams, n_tokens, ngram_counts
from ..arrays import Counts, FloatArray
from ..checks import LARGEST, fail, shown
from ..input.columns import Corpus
from ..lazy import lazy
from ..metric import (
    About,
    CountedSegments,
    Counter,
    Field,
    Layout,
    Line,
    Metric,
    Note,
    Notes,
    References,
    Rows,
    Score,
    Scores,
    Summary,
    Sums,
    each_score_of,
)
from ..metric.notes import NoLines, Unstemmed, notes_on_tokens
from ..metric.sums import Refusal
from ..options import Options, Reports, option
from ..resampling import median_of_bootstrap_means
from ..resampling.draws import seed_of
from ..resampling.rouge_programs import average_of_counts, average_of_scores
from ..scores.ordered_sums import in_pairs
from ..scores.ratios import ratio
from ..signatures import number, yes_no
from ..text import STEMMED_ROUGE, TOKENIZERS, Tokenizer, irregular_forms, prepared, tokenizer_of, words_of
from ..text.sentences import lines_of_sentences
from .rouge_counts import Pairs, ScriptPairs, TypesToCount, largest_shares
from .rouge_types import (
    DEFAULT_TYPES,
    DEFAULT_WEIGHT,
    EVERY_TYPE,
    MAX_WEIGHT,
    RougeType,
    explanation_of_type,
    is_rouge_type,
    type_of,
)

if TYPE_CHECKING:
    from ..plain import Texts, Tokens

SCRIPT = "rouge-1.5.5"
PER_TOKEN = "rouge-1.5.5-per-token"
COCO = "coco"
COCO_BETA = 1.2
# The square of beta must be finite.
MAX_BETA = 1e100


@dataclass(frozen=True)
class RougeOptions(Options):
    """The values of `rouge_types`, which are the keys of the result, are as follows.

    - "rouge1", "rouge2", ...: n-grams of any order up to 1000;
    - "rougeL": the longest common subsequence (LCS) of the texts; "rougeLsum": the union LCS of
      their sentences;
    - "rougeW": the weighted LCS of the texts, in which a run of k consecutive matches counts
      k^weight; "rougeW-1.5" sets its weight in the name; takes time in the product of both lengths;
    - "rougeS": skip-bigrams, pairs of tokens in order with any gap; "rougeS4": at most 4
      tokens between them; "rougeSU", "rougeSU4", ...: and unigrams.

    `use_stemmer` applies to the default tokenizer only, and is refused with another name. The preset
    uses the script's version of the stemmer.

    The values of `multi_reference`: "best" uses the reference with the best F of each type, as the
    reference module does, or, with the preset, with the best recall (-f B). "average" is the mean
    over references of precision, recall and F. "pooled" sums matches and totals over references:
    formula (1) of the paper and the script's -f A. "largest" takes the largest precision and the
    largest recall over references, each on its own.

    The preset "coco" is ROUGE-L as in pycocoevalcap: its tokenizer, `beta` 1.2 and "largest".

    References: Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries, sections 2 to 5.
    """

    python_remarks = (
        "`use_stemmer` has no effect on a callable `tokenizer`, as in the reference module; a warning says so."
    )
    rouge_types: Sequence[str] | None = option(
        None, "Types to compute; see the notes.", none_means="rouge1, rouge2, rougeL, rougeLsum", on_page=True
    )
    use_stemmer: bool = option(
        False, "Replace tokens of more than three characters by their Porter stems.", on_page=True
    )
    tokenizer: str | Callable[[str], list[str]] | None = option(
        None, "Tokenizer; that of `rouge_score` keeps lower-cased runs of a-z and 0-9.", kind="tokenizer",
        none_means='"rouge", that of `rouge_score`', on_page=True,
    )  # fmt: skip
    lowercase: bool = option(False, "Lower-case all text first; the default tokenizer does so anyway.")
    beta: float | None = option(
        None, "In F, recall is beta times as important as precision.", at_least=0, at_most=MAX_BETA,
        none_means="1",
    )  # fmt: skip
    alpha: float | None = option(
        None, "The weight of precision in F, instead of `beta`, 1 / (1 + beta^2): 0.5 is F1, 1 precision, 0 recall.",
        at_least=0, at_most=1, none_means="that of beta",
    )  # fmt: skip
    weight: float | None = option(
        None, "Exponent of run lengths in rougeW.", at_least=1, at_most=MAX_WEIGHT, none_means="1.2"
    )
    split_summaries: bool = option(
        False, "Split texts into sentences at their end marks for rougeLsum, not only at newlines.", on_page=True
    )
    multi_reference: Literal["best", "average", "pooled", "largest"] | None = option(
        None, "How several references are combined; see the notes.", none_means='"best", or that of the preset',
        of_several=True,
    )  # fmt: skip
    jackknife: bool = option(
        False, "Leave out one of several references at a time, and average the scores (Lin 2004, section 2.1).",
        of_several=True,
    )  # fmt: skip
    stopwords: str | os.PathLike[str] | Iterable[str] | None = option(
        None, "Tokens to drop, compared before stemming: a file with one per line, or a list.", kind="words",
        none_means="none",
    )  # fmt: skip
    exceptions: str | os.PathLike[str] | None = option(
        None, "Folder of WordNet's *.exc files, irregular forms that `use_stemmer` looks up first.", kind="folder",
        none_means="none",
    )  # fmt: skip
    max_words: int | None = option(
        None, "Read only the first words of every text, references included.", at_least=1, at_most=LARGEST,
        none_means="all",
    )  # fmt: skip
    max_bytes: int | None = option(
        None, "Read only the first bytes of every text, references included.", at_least=1, at_most=LARGEST,
        none_means="all",
    )  # fmt: skip
    preset: Literal["rouge-1.5.5", "coco"] | None = option(
        None, "Score as the ROUGE-1.5.5 script does, or captions as pycocoevalcap does.", none_means="none"
    )

    def check(self) -> None:
        """Set defaults, then check combinations."""
        usual = ("rougeL",) if self.preset == COCO else DEFAULT_TYPES
        types: Any = usual if self.rouge_types is None else self.rouge_types
        if isinstance(types, bytes) or not isinstance(types, Sequence) or not types:
            fail(TypeError, "rouge_types", "a type of ROUGE or a list of types", shown(types))
        for i, name in enumerate(types):
            type_of(name, self.run_weight, f"rouge_types[{i}]")
        self._set("rouge_types", tuple(dict.fromkeys(types)))
        if self.weight is not None and "rougeW" not in types:
            fail(ValueError, "weight", "None without 'rougeW' among `rouge_types`", shown(self.weight))
        if self.alpha is not None and self.beta is not None:
            fail(ValueError, "alpha", "one of `alpha` and `beta`", "both")
        if self.max_words is not None and self.max_bytes is not None:
            fail(ValueError, "max_bytes", "one of `max_words` and `max_bytes`", "both")
        if self.multi_reference is None:
            self._set("multi_reference", {SCRIPT: "pooled", COCO: "largest"}.get(self.preset or "", "best"))
        if self.preset == COCO and self.alpha is None and self.beta is None:
            self._set("beta", COCO_BETA)
        if self.preset and self.tokenizer is not None:
            allowed = f"None with `preset={self.preset!r}`, which has its own"
            fail(ValueError, "tokenizer", allowed, shown(self.tokenizer))
        if self.takes_largest:
            self._check_largest()

    def _check_largest(self) -> None:
        """Refuse what has no meaning for shares of two references."""
        for name, without in (("alpha", None), ("jackknife", False)):
            if (value := getattr(self, name)) != without:
                fail(ValueError, name, f"{without} with `multi_reference='largest'`", shown(value))
        if self.is_script:
            fail(ValueError, "preset", "another with `multi_reference='largest'`", shown(self.preset))
        if weighted := [kind.name for kind in self.kinds if kind.kind == "W"]:
            fail(ValueError, "rouge_types", "others with `multi_reference='largest'`", shown(weighted[0]))

    @property
    def types(self) -> tuple[str, ...]:
        """The types, each once."""
        return tuple(self.rouge_types or ())

    @lazy
    def keys(self) -> tuple[tuple[str, str, str], ...]:
        """The keys of precision, recall and F of every type."""
        return tuple((f"{name}_precision", f"{name}_recall", name) for name in self.types)

    @lazy
    def score_keys(self) -> tuple[str, ...]:
        """The keys of precision, recall and F of all types, one after the other."""
        return tuple(chain(*self.keys))

    @property
    def run_weight(self) -> float:
        """The exponent of run lengths in rougeW."""
        return DEFAULT_WEIGHT if self.weight is None else self.weight

    @property
    def f_beta(self) -> float:
        """The weight of recall in F, unless `alpha` is set."""
        return 1.0 if self.beta is None else self.beta

    @lazy
    def kinds(self) -> tuple[RougeType, ...]:
        """The parsed types."""
        return tuple(type_of(name, self.run_weight, "rouge_types") for name in self.types)

    @property
    def takes_largest(self) -> bool:
        """Whether precision and recall may be those of two references."""
        return self.multi_reference == "largest"

    @property
    def signature(self) -> dict[str, str]:
        """The fields of a signature: types, weight of F, and options that differ from the defaults."""
        parts = {"types": ",".join(self.types)}
        parts |= {"beta": number(self.f_beta)} if self.alpha is None else {"alpha": number(self.alpha)}
        if "rougeLsum" in self.types:
            parts["sent"] = "marks" if self.split_summaries else "newline"
        if "rougeW" in self.types:
            parts["weight"] = number(self.run_weight)
        if self.multi_reference != "best" or self.jackknife:
            parts |= {"refs": str(self.multi_reference), "jackknife": yes_no(self.jackknife)}
        limits = {"words": self.max_words, "bytes": self.max_bytes, "preset": self.preset}
        return parts | {key: str(value) for key, value in limits.items() if value is not None}

    @property
    def f_alpha(self) -> float:
        """The weight of precision in F, given by `alpha` or `beta`."""
        return 1 / (1 + self.f_beta**2) if self.alpha is None else self.alpha

    @lazy
    def is_script(self) -> bool:
        """Whether the preset is set."""
        return self.preset == SCRIPT

    @lazy
    def needs_sentences(self) -> bool:
        """Whether any type uses sentences."""
        by_sentence = {"L", "Lsum", "W"} if self.is_script else {"Lsum"}
        return any(kind.kind in by_sentence for kind in self.kinds)

    @lazy
    def splits_at_newlines(self) -> bool:
        """Whether rougeLsum is among the types, with sentences separated by newlines only."""
        return "rougeLsum" in self.types and not self.split_summaries and not self.is_script

    @lazy
    def weights(self) -> tuple[float, ...]:
        """The weight of every type."""
        return tuple(kind.weight for kind in self.kinds)


@dataclass(frozen=True)
class RougeReports(Reports):
    """The values of `aggregator`, which combines segment scores, are as follows.

    - "mean": the default;
    - "bootstrap": the reference module's median of 1,000 resampled means, for the same `seed` as
      in `evaluate.load`;
    - "rouge-1.5.5": the average that the script prints, the mean over its 1,000 resamples,
      which depend on the order of the segments; the default with the preset;
    - "rouge-1.5.5-per-token": the script's average with -t 1, which sums counts over segments.

    ``confidence_intervals`` has the intervals of the means, in the form of the scores.
    """

    in_full = {"detailed": True, "aggregator": "mean"}

    use_aggregator: bool = option(
        True, "False returns the scores of all segments as lists, and no score of the corpus."
    )
    aggregator: Literal["mean", "bootstrap", "rouge-1.5.5", "rouge-1.5.5-per-token"] | None = option(
        None, "How segment scores are combined; see the notes.", none_means='"mean", with the preset the script\'s'
    )
    detailed: bool = option(False, "Return precision, recall and fmeasure of every type, instead of F.")

    def idle(self) -> dict[str, str]:
        """Return the options that have no effect, and what they need."""
        idle = super().idle()
        if not self.use_aggregator:
            idle["aggregator"] = "with `use_aggregator=False`"
        elif self.aggregator == "bootstrap":
            idle.pop("seed", None)
        return idle

    def needs_segments(self) -> list[str]:
        """Return the options whose results are not functions of the sum over all segments."""
        names = super().needs_segments() + ([] if self.use_aggregator else ["use_aggregator"])
        return names + ([] if self.aggregator in (None, "mean") else ["aggregator"])


# The fields of a row: matches, and the units of either side.
SIDES = ("matches", "prediction", "reference")


def rouge_tokens(corpus: Corpus, tokenizer: Tokenizer, options: RougeOptions) -> Tokens:
    """Tokenize the parts of the texts that are read, by sentences if a type needs them."""
    read, lines = as_read(corpus, options), None
    if not options.needs_sentences:
        return tokenizer.cut(read)
    if options.is_script and options.max_bytes is not None:
        # The script limits the texts of ROUGE-L and ROUGE-W differently from those of ROUGE-N.
        lines = _both(corpus, lambda texts: engine.kernel.first_bytes_of_long_line(texts, options.max_bytes or 0))
    elif options.split_summaries:
        lines = read.hypotheses, read.references
    if lines is not None and options.split_summaries:
        lines = lines_of_sentences(lines[0]), lines_of_sentences(lines[1])
    return tokenizer.cut(read, sentences=True, lines=lines)


def as_read(corpus: Corpus, options: RougeOptions) -> Corpus:
    """Return the texts up to `max_words` or `max_bytes`."""
    n_words, n_bytes = options.max_words, options.max_bytes
    if n_words is not None:
        sides = _both(corpus, lambda texts: engine.kernel.first_words(texts, n_words))
    elif n_bytes is not None:
        sides = _both(corpus, lambda texts: engine.kernel.first_bytes(texts, n_bytes))
    else:
        return corpus
    return Corpus(*sides, corpus.offsets, corpus.first)


def _both(corpus: Corpus, function: Callable[[Texts], Texts]) -> tuple[Texts, Texts]:
    return function(corpus.hypotheses), function(corpus.references)


_PARTS = ("precision", "recall", "fmeasure")
# A further field of a row where precision and recall are of two references: the matches of recall.
RECALLED = "recalled"
# The name of pycocoevalcap's ROUGE-L.
OF_COCO = "ROUGE_L"
# Options that the tokenizer carries.
_OF_TOKENIZER = ("use_stemmer", "lowercase", "stopwords", "exceptions")


class RougeCounter(Counter):
    """Counts all types of ROUGE of a pair: matches, and the units of either side."""

    tokenizer: Tokenizer

    def __init__(self, options: RougeOptions) -> None:
        """Choose the tokenizer and the layout."""
        self.options = options
        self.tokenizer = _tokenizer(options)
        self.pairs = ScriptPairs if options.is_script else Pairs
        self.types = TypesToCount(options.kinds, self.pairs.unit_of)
        n_types, is_whole = len(options.types), not self.types.are_weighted
        fields = (*SIDES, RECALLED) if options.takes_largest else SIDES
        self.layout = Layout([Field(name, n_types, is_whole) for name in fields], options.types)
        rule: Any = "union" if options.takes_largest else options.multi_reference
        self.references = References(rule, options.jackknife)

    def as_cut(self, corpus: Corpus) -> tuple[Corpus, Tokenizer]:
        """Return the texts up to `max_words` or `max_bytes`."""
        return as_read(corpus, self.options), self.tokenizer

    def notes(self) -> Notes:
        """Return a collector of texts without tokens and of summaries without lines."""
        more: list[Note] = [NoLines()] if self.options.splits_at_newlines else []
        if self.options.use_stemmer and is_own(self.options.tokenizer):
            more.append(Unstemmed())
        return Notes(*more, unusual=lambda: notes_on_tokens(self.tokenizer))

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count all types of all pairs."""
        tokens = rouge_tokens(corpus, self.tokenizer, self.options)
        notes.look(corpus, tokens)
        pairs = self.pairs(tokens, self.types, corpus.n_threads)
        if self.options.takes_largest:
            # pycocoevalcap splits at single spaces, and finds one empty word in an empty text.
            counts = largest_shares(pairs.counts, corpus.reference_offsets, empty=int(self.options.preset == COCO))
            return Rows(self.layout, counts.reshape(-1, self.layout.n_columns))
        return Rows(self.layout, pairs.counts.reshape(-1, self.layout.n_columns), merits=pairs.merits)

    def crossing(self, texts: Texts, sides: Sides, notes: Notes) -> Crossing | None:
        """Count n-grams or longest common subsequences of a single type by an index of all texts."""
        kind = self.options.kinds[0]
        kinds = ("N", "L") if sides.weights is None else ("N",)
        by_one = self.options.is_script or self.options.takes_largest
        if len(self.options.kinds) > 1 or by_one or kind.kind not in kinds:
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


class RougeScores(Scores):
    """Types of ROUGE: every type has its name, and precision and recall beside F where they are asked for."""

    def of_metric(self, name: str, options: Any = None) -> Scores:  # noqa: ARG002
        """Return itself: no type has the name of the metric."""
        return self

    @property
    def implied(self) -> Mapping[str, Any]:
        """ROUGE is ROUGE-L where it is one score."""
        return {"rouge_types": ("rougeL",)}

    @lazy
    def names(self) -> tuple[str, ...]:
        """The types, for messages."""
        return ("rouge1", "rouge2", "...", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4")

    def named(self, name: str) -> tuple[str, dict[str, Any]] | None:
        """Find any type by its name, and ROUGE-L of captions by that of pycocoevalcap."""
        if name == OF_COCO:
            return "rougeL", {"rouge_types": ("rougeL",), "preset": COCO}
        return (name, {"rouge_types": (name,)}) if is_rouge_type(name) else None

    def shown(self, values: Mapping[str, Any], asked: Any) -> dict[str, Any]:
        """Return precision, recall and F of every type by name, or F only."""
        if not asked.detailed:
            return {name: values[name] for name in self.keys}
        keys = {name: (f"{name}_precision", f"{name}_recall", name) for name in self.keys}
        return {name: dict(zip(_PARTS, map(values.__getitem__, keys[name]), strict=True)) for name in keys}


_ORDERED = "'mean', since the script's average depends on the order of the segments"


@dataclass(frozen=True)
class _ScriptSums(Sums):
    """The average of the script depends on the order of the segments, unless another aggregator is asked for."""

    def refused(self, asked: Any) -> Refusal | None:
        return self.refusal if asked.aggregator is None else None


class RougeMetric(Metric):
    """ROUGE (Lin 2004)."""

    name = "rouge"
    options_type, reports_type = RougeOptions, RougeReports
    about = About(
        "ROUGE", lambda key: EVERY_TYPE if key == "rouge" else explanation_of_type(key),
        returns="F of every type, by its name, such as ``rouge1``", sample="summaries",
    )  # fmt: skip
    scores = RougeScores()
    combine = "mean"
    options: RougeOptions
    counter: RougeCounter

    def counted_by(self) -> RougeCounter:
        """Return the counter."""
        self.scores = RougeScores(*(Score(name, name) for name in self.options.types))
        if self.options.preset == COCO:
            self.sums = Sums(add=in_pairs)
        if self.options.is_script:
            self.sums = _ScriptSums(refusal=("aggregator", _ORDERED, "None with the preset"))
        return RougeCounter(self.options)

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores, None as what it means."""
        options = self.options
        chosen = {name: value for name, value in super().settings().items() if name not in _OF_TOKENIZER}
        return {**chosen, "beta": options.f_beta, "weight": options.run_weight}

    def signature_fields(self, asked: RougeReports | None = None) -> dict[str, str]:
        """Return the fields of the signature, and how segments are combined."""
        parts = {**self.options.signature, "tok": self.counter.tokenizer.signature}
        if asked is None:
            return parts
        name = self._aggregator(asked) if asked.use_aggregator else "none"
        return {**parts, "agg": f"bootstrap[{seed_of(asked.seed)}]" if name == "bootstrap" else name}

    def formula(self, rows: Rows) -> dict[str, Any]:
        """F of every type by its name, and its precision and recall: keys such as "rouge1_precision"."""
        options = self.options
        if options.takes_largest:
            return self._of_largest(rows)
        alpha = -1.0 if options.alpha is None else options.alpha
        found = engine.kernel.f_scores(
            rows.values, options.weights, options.f_beta, alpha, options.is_script, rows.n_threads
        )
        return dict(zip(options.score_keys, each_score_of(found, rows), strict=True))

    def _of_largest(self, rows: Rows) -> dict[str, Any]:
        found: dict[str, Any] = {}
        square = self.options.f_beta**2
        for i, keys in enumerate(self.options.keys):
            matches, prediction, reference, recalled = (rows[field.name][..., i] for field in rows.layout.fields)
            p, r = ratio(matches, prediction), ratio(recalled, reference)
            found |= dict(zip(keys, (p, r, ratio((1 + square) * p * r, square * p + r)), strict=True))
        return found

    def result(self, counted: CountedSegments, asked: RougeReports) -> dict[str, Any]:
        """Combine the scores of the segments as asked."""
        if not asked.use_aggregator:
            return counted.segment_values()
        aggregator = self._aggregator(asked)
        if aggregator == "mean":
            return counted.means(() if asked.detailed else self.options.types)
        if aggregator == PER_TOKEN:
            rows = counted.statistics
            if len(rows.values) != len(rows):
                fail(ValueError, "aggregator", "another aggregator for averages over references", PER_TOKEN)
            return self._by_key(average_of_counts(self.counts_by_type(counted), self.options.f_alpha).average)
        scores = self.parts_by_type(counted)
        if aggregator == SCRIPT:
            return self._by_key(average_of_scores(scores).average)
        return self._by_key(median_of_bootstrap_means(scores, asked.seed))

    def parts_by_type(self, counted: CountedSegments) -> FloatArray:
        """Return precision, recall and F of every segment: shape (n_segments, n_types, 3)."""
        values = counted.segment_values()
        return np.moveaxis(np.array([[values[key] for key in keys] for keys in self.options.keys]), -1, 0)

    def counts_by_type(self, counted: CountedSegments) -> Counts:
        """Return matches and the units of both sides of every row: shape (n_rows, n_types, 3)."""
        return np.stack([counted.statistics[side] for side in SIDES], axis=-1)

    def _aggregator(self, asked: RougeReports) -> str:
        return asked.aggregator or (SCRIPT if self.options.is_script else "mean")

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
            Line(kind, tuple(result[kind].values()) if is_detailed else (result[kind],), kind, is_headline=True)
            for kind in options.types
        ]
        columns = ("precision", "recall", f) if is_detailed else (f,)
        return Summary(self.about.title, columns, lines, [f"tokenizer {self.counter.tokenizer.name}"])


class Rouge(Accumulator, metric=RougeMetric):
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


rouge = one_call(Rouge)
