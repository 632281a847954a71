"""ROUGE of texts."""

from __future__ import annotations

import os
import re
from collections import Counter as Bag
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..all_pairs.counts import PairCounts, Roles, group_of, lcs_counts, n_ngrams, n_tokens, ngram_counts
from ..arrays import Counts, FloatArray, IntArray, lengths_of
from ..checks import LARGEST, did_you_mean, fail, quantity, real_number, shown
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
    Explanation,
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
from ..metric.layout import Refusal, Rule, first_of_best
from ..metric.notes import notes_on_tokens
from ..options import Options, Reports, option
from ..plain.pairs import UNIT_LCS, UNIT_UNION_LCS
from ..resampling import median_of_bootstrap_means
from ..resampling.draws import seed_of
from ..resampling.rouge_programs import average_of_counts, average_of_scores
from ..signatures import number, yes_no
from ..sums import in_pairs, ratio
from ..text import STEMMED_ROUGE, TOKENIZERS, Tokenizer, irregular_forms, prepared, tokenizer_of, words_of
from ..text.sentences import has_sentences, lines_of_sentences
from ..text.tokenizers import sentence_lengths, text_lengths

if TYPE_CHECKING:
    from ..plain import Texts, Tokens

SCRIPT = "rouge-1.5.5"
PER_TOKEN = "rouge-1.5.5-per-token"
COCO = "coco"
COCO_BETA = 1.2
# The square of beta must be finite.
MAX_BETA = 1e100


DEFAULT_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")
DEFAULT_WEIGHT = 1.2
# Beyond it, k^(2 w) exceeds the range of a float for texts of 100,000 tokens.
MAX_WEIGHT = 30.0
_NAME = re.compile(r"rouge(?:([1-9][0-9]{0,2}|1000)|(Lsum|L)|W(?:-([0-9]+(?:\.[0-9]+)?))?|(SU|S)([0-9]{1,9})?)")
# What other tools call one part of a score.
_PART = re.compile(f"({_NAME.pattern})_(?:precision|recall|fmeasure|f1?|p|r)")
_ALLOWED = (
    "'rouge' and an order from 1 to 1000, 'rougeL', 'rougeLsum', 'rougeW' or 'rougeW-' and a weight, "
    "'rougeS' or 'rougeSU' and optionally a gap of up to nine digits"
)


@dataclass(frozen=True)
class RougeType:
    """A type of ROUGE.

    Attributes
    ----------
    name : str
        The name as given, which is the key of the result.
    family : "N", "L", "Lsum", "W", "S" or "SU"
        n-grams, longest common subsequence of the texts, union of those of their sentences,
        weighted LCS, skip-bigrams, skip-bigrams and unigrams.
    order : int
        The order of "N", else 0.
    weight : float
        The exponent of run lengths in "W", else 1.
    gap : int or None
        The largest number of tokens between the two of a skip-bigram, None for any.
    """

    name: str
    family: str
    order: int = 0
    weight: float = 1.0
    gap: int | None = None


def type_of(name: Any, weight: float, argument: str) -> RougeType:
    """Parse the name of a type; `weight` is for "rougeW" without a weight in its name.

    Examples
    --------
    >>> type_of("rougeSU4", 1.2, "rouge_types[0]")
    RougeType(name='rougeSU4', family='SU', order=0, weight=1.0, gap=4)
    """
    match = _NAME.fullmatch(name) if isinstance(name, str) else None
    if not match:
        part = _PART.fullmatch(name) if isinstance(name, str) else None
        allowed = f"{part[1]!r}, of which `detailed=True` returns precision, recall and fmeasure" if part else _ALLOWED
        near = did_you_mean(name, DEFAULT_TYPES) if isinstance(name, str) and not part else ""
        fail(ValueError, argument, allowed, shown(name) + near)
    order, lcs, own_weight, skips, gap = match.groups()
    if order:
        return RougeType(name, "N", order=int(order))
    if lcs:
        return RougeType(name, lcs)
    if skips:
        return RougeType(name, skips, gap=int(gap) if gap else None)
    return RougeType(name, "W", weight=checked_weight(float(own_weight), argument) if own_weight else weight)


def is_rouge_type(name: str) -> bool:
    """Return whether `name` is that of a type."""
    return _NAME.fullmatch(name) is not None


def checked_weight(weight: Any, argument: str) -> float:
    """Return the weight of ROUGE-W if it is valid."""
    allowed = f"a weight from 1 to {MAX_WEIGHT:g}"
    checked = real_number(argument, weight, allowed)
    if not 1 <= checked <= MAX_WEIGHT:
        fail(ValueError, argument, allowed, shown(weight))
    return checked


_F = (
    "F balances the two (the harmonic mean, unless beta gives recall another weight) and is the score of a segment; "
    "the score on top is the mean over segments."
)
_CAUTION = (
    "The score compares words, not meaning: a good paraphrase scores low, and a fluent falsehood that shares its words "
    "with the reference scores high. Read the worst segments before you trust the number."
)


EVERY_TYPE: Explanation = Explanation(
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
    rouge_type = type_of(key, DEFAULT_WEIGHT, "key")
    question, steps = {"N": _explained_ngrams, "S": _explained_skips, "SU": _explained_skips}.get(
        rouge_type.family, _explained_lcs
    )(rouge_type)
    return Explanation("ROUGE-" + key.removeprefix("rouge"), question, (*steps, _F), _CAUTION)


def _explained_ngrams(rouge_type: RougeType) -> tuple[str, tuple[str, ...]]:
    name = {1: "single words", 2: "pairs of neighbouring words"}.get(
        rouge_type.order, f"runs of {rouge_type.order} words"
    )
    return (
        f"How many {name} do prediction and reference share?",
        (
            f"Both texts are cut into {name}. Those in both match, each at most as often as either text has it.",
            "Precision is the share of the prediction that matches, recall the share of the reference.",
        ),
    )


def _explained_lcs(rouge_type: RougeType) -> tuple[str, tuple[str, ...]]:
    union = ", sentence by sentence" if rouge_type.family == "Lsum" else ""
    question = "How long is the longest series of words that both texts have in the same order, gaps allowed?"
    found = f"The longest common subsequence is found between prediction and reference{union}; it is underlined."
    if rouge_type.family == "W":
        return (
            question[:-1].replace("How long is", "What is the weight of") + ", where words in a row count more?",
            (
                f"{found} The scored series is one of high weight, which may differ from the longest.",
                f"A run of k matching words has the weight k to the power of {rouge_type.weight:g}. Precision divides "
                "the weight of all runs by that of the whole prediction as one run, recall by that of the whole "
                "reference; the root of each quotient undoes the power.",
            ),
        )
    return question, (found, "Precision is its share of the prediction, recall its share of the reference.")


def _explained_skips(rouge_type: RougeType) -> tuple[str, tuple[str, ...]]:
    gap = {None: "any number of words", 0: "no word"}.get(
        rouge_type.gap, f"up to {quantity(rouge_type.gap or 0, 'word')}"
    )
    also, units = (" and single words", "pairs and words") if rouge_type.family == "SU" else ("", "pairs")
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

    # ROUGE is ROUGE-L where it is one score.
    defaults_for = {"one score": {"rouge_types": ("rougeL",)}}

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
        if weighted := [rouge_type.name for rouge_type in self.parsed_types if rouge_type.family == "W"]:
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

    @lazy
    def f_beta(self) -> float:
        """The weight of recall in F, unless `alpha` is set."""
        return 1.0 if self.beta is None else self.beta

    @lazy
    def parsed_types(self) -> tuple[RougeType, ...]:
        """The parsed types."""
        return tuple(type_of(name, self.run_weight, "rouge_types") for name in self.types)

    @lazy
    def takes_largest(self) -> bool:
        """Whether precision and recall may be those of two references."""
        return self.multi_reference == "largest"

    @property
    def rule_of_references(self) -> Rule:
        """How the counts with each reference become those of a segment; see `Layout.references`."""
        if self.multi_reference == "largest":
            return "union"
        rules: dict[str, Rule] = {"best": "best of others", "pooled": "pooled others"} if self.jackknife else {}
        return rules.get(self.multi_reference or "best", self.multi_reference or "best")

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
        return any(rouge_type.family in by_sentence for rouge_type in self.parsed_types)

    @lazy
    def splits_at_newlines(self) -> bool:
        """Whether rougeLsum is among the types, with sentences separated by newlines only."""
        return "rougeLsum" in self.types and not self.split_summaries and not self.is_script

    @lazy
    def weights(self) -> tuple[float, ...]:
        """The weight of every type."""
        return tuple(rouge_type.weight for rouge_type in self.parsed_types)


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

    defaults_for = {"summary": {"detailed": True, "aggregator": "mean"}}

    use_aggregator: bool = option(
        True, "False returns the scores of all segments as lists, and no score of the corpus."
    )
    aggregator: Literal["mean", "bootstrap", "rouge-1.5.5", "rouge-1.5.5-per-token"] | None = option(
        None, "How segment scores are combined; see the notes.", none_means='"mean", with the preset the script\'s'
    )
    detailed: bool = option(False, "Return precision, recall and fmeasure of every type, instead of F.")

    def without_effect(self) -> dict[str, str]:
        """Return the options that have no effect, and what they need."""
        without_effect = super().without_effect()
        if not self.use_aggregator:
            without_effect["aggregator"] = "with `use_aggregator=False`"
        elif self.aggregator == "bootstrap":
            without_effect.pop("seed", None)
        return without_effect

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


# Of one type: matches, hypothesis units and reference units, shape (n_pairs,) each.
TypeCounts = tuple[Counts, Counts, Counts]
_UNIGRAMS = np.array([1], np.int32)


class TypesToCount:
    """Types, and which of them one call of the kernel counts together.

    Attributes
    ----------
    types : tuple of RougeType
    together, others : list of int
        Indices of the types that `pair_counts` counts, and of those that have a function each.
    units : int32, shape (len(together),)
        The code of what `pair_counts` counts: the order of n-grams, or `UNIT_LCS`, `UNIT_UNION_LCS`.
    are_weighted : bool
        Whether any type sums weights, so that its counts are not integers.
    """

    def __init__(self, types: Sequence[RougeType], unit_of: Mapping[str, int]) -> None:
        """Part the types; `unit_of` has the families that `pair_counts` counts."""
        self.types = tuple(types)
        self.together = [i for i, one in enumerate(types) if one.family in unit_of]
        self.others = [i for i, one in enumerate(types) if one.family not in unit_of]
        self.units = np.array([types[i].order or unit_of[types[i].family] for i in self.together], np.int32)
        self.are_weighted = any(one.family == "W" for one in types)


class Pairs:
    """A hypothesis and one of its references, for every reference.

    Every counting method returns matches, hypothesis units and reference units: three
    arrays of shape (n_pairs,).
    """

    unit_of: Mapping[str, int] = {"N": 1, "L": UNIT_LCS, "Lsum": UNIT_UNION_LCS}

    def __init__(self, tokens: Tokens, types: TypesToCount, n_threads: int) -> None:
        """Store the tokens; counts that several types share are computed once, on first use."""
        self.tokens, self.types, self.n_threads = tokens, types, n_threads
        self._skip_matches: dict[int | None, IntArray] = {}

    @property
    def selection_scores(self) -> FloatArray | None:
        """What makes a reference the best, shape (n_pairs, n_types); None: F."""
        return None

    @lazy
    def counts(self) -> Counts:
        """All types: shape (n_pairs, n_types, 3), int64 unless there is a weight."""
        types = self.types
        of_together = engine.kernel.pair_counts(self.tokens, types.units, False, self.n_threads)
        if not types.others:
            return np.asarray(of_together)
        dtype = np.float64 if types.are_weighted else np.int64
        counts = np.empty((len(self.references), len(types.types), 3), dtype)
        if types.together:
            counts[:, types.together] = of_together
        methods = {
            "L": self.script_lcs, "Lsum": self.script_lcs, "W": self.weighted_lcs, "S": self.skip_bigrams,
            "SU": self.skip_bigrams_and_unigrams,
        }  # fmt: skip
        for i in types.others:
            one = types.types[i]
            counts[:, i, 0], counts[:, i, 1], counts[:, i, 2] = methods[one.family](one)
        return counts

    @lazy
    def _lengths(self) -> tuple[IntArray, IntArray]:
        hypotheses, references = text_lengths(self.tokens)
        return self._repeated(hypotheses), references

    @property
    def hypotheses(self) -> IntArray:
        """The number of tokens of the hypothesis of every pair."""
        return self._lengths[0]

    @property
    def references(self) -> IntArray:
        """The number of tokens of the reference of every pair."""
        return self._lengths[1]

    def _repeated(self, of_hypotheses: IntArray) -> IntArray:
        """Repeat values of hypotheses for their pairs."""
        return np.repeat(of_hypotheses, lengths_of(np.asarray(self.tokens.segments, np.int64)) - 1)

    @lazy
    def _sentences(self) -> tuple[IntArray, IntArray, IntArray]:
        """Numbers of tokens in the sentences of every hypothesis, of every reference, and in every sentence."""
        hypotheses, references, of_sentences = sentence_lengths(self.tokens)
        return self._repeated(hypotheses), references, of_sentences

    def script_lcs(self, _: RougeType) -> TypeCounts:
        """Count the tokens of the union LCS; under a byte limit its sentences may be longer than the texts."""
        return self._script_hits, self.hypotheses, self._sentences[1]

    @lazy
    def _script_hits(self) -> IntArray:
        return np.asarray(engine.kernel.union_lcs(self.tokens, "texts", n_threads=self.n_threads))

    def weighted_lcs(self, rouge_type: RougeType) -> TypeCounts:
        """Return the weight of the WLCS, and of each text as one run."""
        matches = np.asarray(engine.kernel.weighted_lcs(self.tokens, rouge_type.weight, n_threads=self.n_threads))
        return matches, _powers(self.hypotheses, rouge_type.weight), _powers(self.references, rouge_type.weight)

    def skip_bigrams(self, rouge_type: RougeType) -> TypeCounts:
        """Count skip-bigrams."""
        if rouge_type.gap not in self._skip_matches:
            gap = -1 if rouge_type.gap is None else rouge_type.gap
            self._skip_matches[rouge_type.gap] = np.asarray(
                engine.kernel.skip_bigram_matches(self.tokens, gap, n_threads=self.n_threads)
            )
        hyp_totals, ref_totals = (
            skip_bigram_totals(lengths, rouge_type.gap) for lengths in (self.hypotheses, self.references)
        )
        return self._skip_matches[rouge_type.gap], hyp_totals, ref_totals

    def skip_bigrams_and_unigrams(self, rouge_type: RougeType) -> TypeCounts:
        """Count skip-bigrams and all unigrams."""
        matches, hyp_totals, ref_totals = self.skip_bigrams(rouge_type)
        return matches + self._shared_unigrams, hyp_totals + self.hypotheses, ref_totals + self.references

    @lazy
    def _shared_unigrams(self) -> IntArray:
        return np.asarray(engine.kernel.pair_counts(self.tokens, _UNIGRAMS, n_threads=self.n_threads))[:, 0, 0]


class ScriptPairs(Pairs):
    """The counts of the ROUGE-1.5.5 script, where they differ."""

    # The script limits the texts of an LCS differently.
    unit_of = {"N": 1}

    @property
    def selection_scores(self) -> FloatArray:
        """Recall: of ROUGE-L and ROUGE-W exact and weighted once, of the others with five decimals."""
        counts = self.counts
        flat = counts.reshape(len(counts), -1)
        scores = engine.kernel.f_scores(flat, [1.0] * counts.shape[1], rounded=True)
        found = np.reshape(scores, (*counts.shape[1:], len(counts)))[:, 1].T.copy()
        for i, rouge_type in enumerate(self.types.types):
            if rouge_type.family in ("L", "Lsum"):
                found[:, i] = ratio(counts[:, i, 0], counts[:, i, 2])
            elif rouge_type.family == "W":
                found[:, i] = _powers(
                    ratio(counts[:, i, 0], self._sentence_powers(rouge_type.weight)), 1 / rouge_type.weight
                )
        return found

    def weighted_lcs(self, rouge_type: RougeType) -> TypeCounts:
        """Return the weight of the union WLCS; as in the script, the reference's total is weighted twice."""
        hits = np.asarray(
            engine.kernel.union_weighted_lcs(self.tokens, rouge_type.weight, "texts", n_threads=self.n_threads)
        )
        base = self._sentence_powers(rouge_type.weight)
        return hits, _powers(self.hypotheses, rouge_type.weight), _powers(base, rouge_type.weight)

    def _sentence_powers(self, weight: float) -> FloatArray:
        """Sum length^weight over the sentences of every reference: float64, shape (n_pairs,)."""
        tokens = self.tokens
        n_sentences = lengths_of(np.asarray(tokens.text_sentences, np.int64))
        text_of = np.repeat(np.arange(len(n_sentences)), n_sentences)
        # Sequential sums, not differences of running sums, to equal the script's to the last bit.
        sums = np.bincount(text_of, _powers(self._sentences[2], weight), minlength=len(n_sentences)).astype(np.float64)
        is_reference = np.ones(len(sums), bool)
        is_reference[np.asarray(tokens.segments, np.int64)[:-1]] = False
        return sums[is_reference]

    def skip_bigrams_and_unigrams(self, rouge_type: RougeType) -> TypeCounts:
        """Count skip-bigrams and all unigrams but the last token of each text."""
        matches, hyp_totals, ref_totals = self.skip_bigrams(rouge_type)
        units = np.asarray(engine.kernel.pair_counts(self.tokens, _UNIGRAMS, drops_last=True, n_threads=self.n_threads))
        return matches + units[:, 0, 0], hyp_totals + units[:, 0, 1], ref_totals + units[:, 0, 2]


def largest_shares(counts: Counts, offsets: IntArray, *, empty: int = 0) -> Counts:
    """Return the largest precision and the largest recall over the references of every segment, each on its own.

    Parameters
    ----------
    counts : shape (n_pairs, n_types, 3)
        Matches, hypothesis units and reference units.
    offsets : int64, shape (n_segments + 1,)
        The pairs of every segment.
    empty : int
        What takes the place of all three in a pair of texts without units.

    Returns
    -------
    shape (n_segments, n_types, 4)
        Matches and hypothesis units of the pair with the largest precision, the first of equals; the reference units
        and the matches of that with the largest recall.
    """
    counts = np.where((counts[..., 1:] == 0).all(axis=-1, keepdims=True), empty, counts)
    parts = []
    for side in (1, 2):
        first = first_of_best(ratio(counts[..., 0], counts[..., side]), offsets)
        parts.append(np.take_along_axis(counts, first[..., None], axis=0))
    of_precision, of_recall = parts
    return np.concatenate([of_precision[..., :2], of_recall[..., 2:], of_recall[..., :1]], axis=-1)


def skip_bigram_totals(lengths: IntArray, gap: int | None) -> IntArray:
    """Count the skip-bigrams of texts with these numbers of tokens: int64, same shape.

    Examples
    --------
    >>> skip_bigram_totals(np.array([0, 1, 4]), None)
    array([0, 0, 6])
    >>> skip_bigram_totals(np.array([4]), 0)
    array([3])
    """
    width = np.maximum(lengths - 1, 0)
    if gap is not None:
        width = np.minimum(width, gap + 1)
    return width * lengths - width * (width + 1) // 2


def _powers(bases: npt.NDArray[np.number], exponent: float) -> FloatArray:
    """Raise to a power as the C library does: NumPy's ``**`` may differ in the last bit, which decides ties."""
    return np.float_power(bases, exponent)


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
_LACKS_LINES = (
    "rougeLsum equals rougeL here, since texts have several sentences but no newline between them; "
    "pass `split_summaries=True`, or put each sentence on its own line."
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
        more: list[Note] = [_NoLines()] if self.options.splits_at_newlines else []
        if self.options.use_stemmer and is_own(self.options.tokenizer):
            more.append(_Unstemmed())
        return Notes(*more, unusual=lambda: notes_on_tokens(self.tokenizer), reads_latin=self.tokenizer.drops_letters)

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
