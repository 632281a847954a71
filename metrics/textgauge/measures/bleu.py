"""BLEU of texts."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from numbers import Real
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.functions import one_call
from ..all_pairs.counts import PairCounts, Roles, group_of, n_ngrams, n_tokens, ngram_counts
from ..arrays import Counts, IntArray
from ..checks import MAX_ORDER, fail, has_elements, listed, quantity, real_number, shown, warn_user
from ..explanation.alignment import aligned_with_all, placed_texts
from ..explanation.derivation import Derivation, Step, amount, figure, matched_ngrams, part_of, written
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
    Notes,
    Rows,
    Score,
    Scores,
    Summary,
    Sums,
    scores_of,
)
from ..options import Options, Reports, option, options_of
from ..plain import Texts, ngrams, scores
from ..signatures import number, yes_no
from ..text import Tokenizer, prepared, tokenizer_of

SmoothingName = Literal[
    "none", "add-one", "add-k", "floor", "exp", "epsilon", "chen-cherry-1", "chen-cherry-2", "chen-cherry-3",
    "chen-cherry-4", "chen-cherry-5", "chen-cherry-6", "chen-cherry-7",
]  # fmt: skip


class Smoothing(NamedTuple):
    """A smoothing: its code in the kernel, and the default of its value, None if it has none."""

    code: int
    value: float | None = None


SMOOTHINGS: dict[SmoothingName, Smoothing] = {
    "none": Smoothing(scores.NONE),
    "add-one": Smoothing(scores.ADD_ONE),
    "add-k": Smoothing(scores.ADD_K, 1.0),
    "floor": Smoothing(scores.FLOOR, 0.1),
    "exp": Smoothing(scores.EXP),
    "epsilon": Smoothing(scores.EPSILON, 1e-10),
    "chen-cherry-1": Smoothing(scores.FLOOR, 0.1),
    "chen-cherry-2": Smoothing(scores.ADD_K, 1.0),
    "chen-cherry-3": Smoothing(scores.EXP),
    "chen-cherry-4": Smoothing(scores.METHOD_4, 5.0),
    "chen-cherry-5": Smoothing(scores.METHOD_5),
    "chen-cherry-6": Smoothing(scores.METHOD_6, 5.0),
    "chen-cherry-7": Smoothing(scores.METHOD_7, 5.0),
}
# Orders without n-grams have a positive total under these, so that they count.
_ADDS_TO_TOTALS = (scores.ADD_ONE, scores.ADD_K)
LOOKS_ONE_ORDER_HIGHER = ("chen-cherry-5", "chen-cherry-7")
LOOKS_AT_LAST_SEGMENT = ("chen-cherry-5", "chen-cherry-6", "chen-cherry-7")
DIVIDES_BY_VALUE = ("chen-cherry-4", "chen-cherry-7")
COUNTINGS = {
    "plain": scores.PLAIN, "sacrebleu": scores.SACREBLEU, "mteval": scores.MTEVAL, "nltk": scores.NLTK,
    "moses": scores.MOSES, "coco": scores.COCO,
}  # fmt: skip
_LENGTH_CODES = {"shortest": ngrams.SHORTEST, "closest": ngrams.CLOSEST, "average": ngrams.AVERAGE}
# nltk's method 0 replaces a precision of 0 by this.
NLTK_NO_SMOOTHING = sys.float_info.min
# Beyond these a smoothed precision would exceed the range of a float.
MIN_DIVISOR, MAX_SMOOTH_VALUE = 1e-100, 1e100
# More than twice the logarithm of any length: methods 5 and 7 add neighbours.
_LARGEST_LOG = 100.0


@dataclass(frozen=True)
class BleuOptions(Options):
    """The values of `smoothing`, for m matches of t n-grams of one order, are as follows.

    - "none": m / t, so an order without matches makes BLEU 0;
    - "add-one": (m + 1) / (t + 1) at every order (Lin and Och 2004, as `smooth=True`);
    - "add-k", also "chen-cherry-2": (m + k) / (t + k) above unigrams, k = 1;
    - "floor", also "chen-cherry-1": 0.1 / t for m = 0;
    - "exp", also "chen-cherry-3": 1/2t, 1/4t, ... for the first, second, ... order with m = 0;
    - "epsilon": 1e-10 for m = 0;
    - "chen-cherry-4": as exp, times ln(hypothesis length) / K, K = 5;
    - "chen-cherry-5": the mean of a precision and its two neighbours;
    - "chen-cherry-6": from order 3, interpolated with p(n-1)^2 / p(n-2) with weight alpha = 5;
    - "chen-cherry-7": method 4, then method 5.

    The score of a segment, wherever there is one, is sentence BLEU: with effective order, and with "exp" unless a
    smoothing was chosen, as sacreBLEU's `sentence_score`. `effective_order` is for the score of the corpus.

    Only "add-one" gives a positive score to a hypothesis that shares no token with its references.
    `smooth_value` is the number in this list (k, 0.1, 1e-10, K or alpha).

    `reference_length`: the reference `bleu` module (tensorflow/nmt) uses the shortest reference;
    Papineni's paper, mteval and sacreBLEU use the closest, the shorter of two equally close ones.

    The values of `counting`, which scores orders without n-grams and empty references:

    - "plain": an order without n-grams has precision 0, and references without tokens score 0;
    - "sacrebleu": an order without n-grams has precision 0, but references without tokens have
      no brevity penalty;
    - "mteval": an order without n-grams has precision 1, and text that shares no token
      is smoothed like any other;
    - "nltk": every segment has at least one n-gram of every order; without smoothing a
      precision of 0 is the smallest normal float, and orders that a smoothing leaves at 0 are
      omitted; references without tokens as in "sacrebleu"; in a corpus, methods 5 to 7 use the
      n-grams of the last segment; without a common trigram method 6 scores 0;
    - "coco": 1e-15 is added to matches and 1e-9 to totals, in place of a smoothing, and to the
      lengths, as in pycocoevalcap; the scores are BLEU-1 to BLEU-N for N = `max_order`, those
      of segments too.

    References: Papineni et al. (2002), BLEU, section 2. Chen and Cherry (2014), A systematic
    comparison of smoothing techniques for sentence-level BLEU, section 2, as nltk's
    `SmoothingFunction` implements it.
    """

    # Set by `check`, before a preset sets the smoothing.
    _is_smoothing_chosen: ClassVar[bool] = False

    preset: Literal["evaluate", "sacrebleu", "nltk", "mteval-v13a", "moses", "coco"] | None = option(
        None, "Set every option that is None as in that tool; `evaluate` is the reference module.",
        none_means="evaluate", changes="options", on_page=True,
    )  # fmt: skip
    tokenizer: str | Callable[[str], list[str]] | None = option(
        None, "Tokenizer: a name in `TOKENIZERS`, one of sacreBLEU's, or your own function.",
        kind="tokenizer", none_means='that of the preset, mostly "13a"', on_page=True,
    )  # fmt: skip
    max_order: int = option(4, "Highest n-gram order.", at_least=1, at_most=MAX_ORDER, on_page=True)
    smooth: bool = option(False, 'The reference module\'s name for `smoothing="add-one"`.', changes="options")
    smoothing: SmoothingName | None = option(
        None, "What replaces a precision of 0; see the notes.", none_means="that of the preset", on_page=True
    )
    smooth_value: float | None = option(
        None, "The parameter of the smoothing, if it has one.", at_least=0, at_most=MAX_SMOOTH_VALUE,
        none_means="that of the smoothing",
    )  # fmt: skip
    effective_order: bool = option(
        False, "Omit orders without n-grams in the prediction, and distribute their weight over the others."
    )
    weights: Sequence[float] | None = option(None, "One weight per order.", none_means="1 / `max_order` each")
    reference_length: Literal["shortest", "closest", "average"] | None = option(
        None, "Reference length in the brevity penalty, for several references.", none_means="that of the preset",
        of_several=True,
    )  # fmt: skip
    lowercase: bool | Literal["ascii"] | None = option(
        None, "Lower-case all text first; `ascii` lower-cases A to Z only, after the tokenizer.",
        none_means="that of the preset",
    )  # fmt: skip
    strip: bool | None = option(
        None, "Remove white space at the end of every text first.", none_means="that of the preset"
    )
    counting: Literal["plain", "sacrebleu", "mteval", "nltk", "coco"] | None = option(
        None,
        "How orders without n-grams and empty references are scored; see the notes.",
        none_means="that of the preset",
    )

    def check(self) -> None:
        """Set the options of the preset, then check combinations."""
        self._set("_is_smoothing_chosen", self.smooth or (self.smoothing, self.smooth_value) != (None, None))
        if self.smooth:
            if self.smoothing not in (None, "add-one"):
                fail(ValueError, "smoothing", "None together with `smooth=True`", shown(self.smoothing))
            self._set("smoothing", "add-one")
        preset = TOOLS[self.preset or "evaluate"]
        if self.smoothing is None and self.smooth_value is None:
            self._set("smooth_value", preset.get("smooth_value"))
        for one in options_of(BleuOptions):
            if one.name in _PLAIN and getattr(self, one.name) is None:
                self._set(one.name, preset[one.name])
        default = self.method.value
        if self.smooth_value is None:
            self._set("smooth_value", default)
        elif default is None:
            allowed = f"None: `smoothing={self.smoothing!r}` has no value"
            fail(ValueError, "smooth_value", allowed, shown(self.smooth_value))
        else:
            self._check_smooth_value(self.smooth_value)
        if self.weights is not None:
            self._set("weights", self._checked_weights())
        if self.is_coco:
            fixed: dict[str, Any] = {"smoothing": "none", "weights": None, "effective_order": False}
            for name, allowed in fixed.items():
                if getattr(self, name) != allowed:
                    fail(ValueError, name, f"{allowed!r} with coco's counting", shown(getattr(self, name)))

    def _check_smooth_value(self, value: float) -> None:
        if value < MIN_DIVISOR and self.smoothing in DIVIDES_BY_VALUE:
            allowed = f"a number of at least {MIN_DIVISOR:g} for {self.smoothing!r}"
            fail(ValueError, "smooth_value", allowed, shown(value))

    def _checked_weights(self) -> tuple[float, ...]:
        # Text is refused here, since NumPy would parse it.
        is_list = isinstance(self.weights, (Sequence, np.ndarray)) and not isinstance(self.weights, (str, bytes))
        is_list = is_list and has_elements(self.weights)
        if self.weights is None or not is_list or not all(isinstance(weight, Real) for weight in self.weights):
            fail(TypeError, "weights", "a sequence of numbers", shown(self.weights))
        if np.shape(self.weights) != (self.max_order,):
            hint = f", or `max_order={len(self.weights)}`" if len(self.weights) else ""
            fail(ValueError, "weights", f"{self.max_order} weights, one per order{hint}", shown(self.weights))
        weights = [real_number(f"weights[{i}]", weight, "a number") for i, weight in enumerate(self.weights)]
        if not (all(0 <= weight < math.inf for weight in weights) and any(weights)):
            fail(ValueError, "weights", "finite weights of at least 0, not all 0", shown(self.weights))
        # Some methods and values smooth a precision to more than 1, whose power must not overflow.
        if sum(weights) * math.log(self._largest_precision) >= math.log(np.finfo(np.float64).max):
            fail(ValueError, "weights", "weights whose sum keeps BLEU in the range of a float", shown(self.weights))
        return tuple(weights)

    @property
    def is_coco(self) -> bool:
        """Whether pycocoevalcap's rules hold: BLEU of every order is a score."""
        return self.counting == "coco"

    @property
    def method(self) -> Smoothing:
        """The smoothing."""
        return SMOOTHINGS[self.smoothing or "none"]

    @property
    def _largest_precision(self) -> float:
        """An upper bound of the smoothed precisions."""
        if self.smoothing in DIVIDES_BY_VALUE:
            return 2 + _LARGEST_LOG / (self.smooth_value or 1)
        return 2.0 if self.smoothing in LOOKS_AT_LAST_SEGMENT else max(1.0, self.smooth_value or 0)

    @lazy
    def of_segments(self) -> BleuOptions:
        """The options of sentence BLEU, as sacreBLEU's `sentence_score` has them."""
        if self.is_coco:
            return self
        # Otherwise every order has a total, and counts.
        is_effective = self.effective_order or (self.method.code in _ADDS_TO_TOTALS and self.smooth_value != 0)
        if not self._is_smoothing_chosen:
            return replace(self, smoothing="exp", smooth_value=None, effective_order=True)
        return self if is_effective else replace(self, effective_order=True)

    @property
    def looks_at_last_segment(self) -> bool:
        """Whether a corpus score depends on the last segment, as in nltk's methods 5 to 7."""
        return self.counting == "nltk" and self.smoothing in LOOKS_AT_LAST_SEGMENT

    @property
    def counted_orders(self) -> int:
        """The number of orders in the statistics: some smoothing methods need one above `max_order`."""
        if self.smoothing not in LOOKS_ONE_ORDER_HIGHER:
            return self.max_order
        return max(self.max_order, scores.NLTK_NEXT_ORDER) if self.counting == "nltk" else self.max_order + 1

    @property
    def least_total(self) -> int:
        """The least number of n-grams of an order in a segment."""
        return 1 if self.counting == "nltk" else 0

    @property
    def which_length(self) -> int:
        """The code of `reference_length` in the kernel."""
        return _LENGTH_CODES[self.reference_length or "closest"]

    @property
    def formula(self) -> BleuFormula:
        """The formula of these options."""
        # The script divides and adds in another order than the `bleu` module, from the same counts.
        is_moses = self.preset == "moses" and self.counting == "plain"
        return BleuFormula(
            self.max_order, self.smoothing or "none", self.smooth_value, tuple(self.weights or ()),
            self.effective_order, "moses" if is_moses else str(self.counting),
        )  # fmt: skip

    @property
    def signature(self) -> dict[str, str]:
        """The fields of a signature: sacreBLEU's, then those that differ from sacreBLEU's defaults."""
        weights = None if self.weights is None else ",".join(map(repr, self.weights))
        value = "" if self.smooth_value is None else f"[{number(self.smooth_value)}]"
        more = {
            "order": (self.max_order, 4),
            "weights": (weights, None),
            "reflen": (self.reference_length, "closest"),
            "count": (self.counting, "sacrebleu"),
        }
        return {
            "eff": yes_no(self.effective_order),
            "smooth": f"{self.smoothing}{value}",
            **{key: str(ours) for key, (ours, sacrebleus) in more.items() if ours != sacrebleus},
        }


@dataclass(frozen=True)
class BleuFormula:
    """The arguments of the kernel's `bleu_scores`, by the names of options."""

    max_order: int
    smoothing: SmoothingName
    smooth_value: float | None
    weights: tuple[float, ...]
    effective_order: bool
    counting: str
    percent: bool = False

    @lazy
    def _arguments(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        value = SMOOTHINGS[self.smoothing].value if self.smooth_value is None else self.smooth_value
        named = {
            "weights": self.weights, "effective_order": self.effective_order, "counting": COUNTINGS[self.counting],
            "percent": self.percent,
        }  # fmt: skip
        return (self.max_order, SMOOTHINGS[self.smoothing].code, value or 0.0), named

    def __call__(self, rows: Rows) -> dict[str, Any]:
        """Return BLEU, its penalty, the ratio of the lengths, the geometric mean; precisions and weights, by name.

        Shape (...,); the last two have shape (..., max_order). Of a single row, numbers and lists of Python.
        """
        (args, named), values = self._arguments, rows.values
        if rows.layout.of_last:
            values, last = (np.ascontiguousarray(half) for half in np.split(values, 2, axis=-1))
            named = named | {"last": last.tolist()} if values.ndim == 1 else named
        found: Any = engine.kernel.bleu_scores(values, *args, **named)
        end = 4 + self.max_order
        found = scores_of(found, rows)
        precisions, weights = found[4:end], found[end:]
        if rows.values.ndim == 2:
            # `moveaxis`, and `transpose` with axes, take as long as the scores of a few rows.
            precisions, weights = precisions.T, weights.T
        elif rows.values.ndim > 2:
            axes = *range(1, found.ndim), 0
            precisions, weights = precisions.transpose(axes), weights.transpose(axes)
        return {
            "bleu": found[0], "brevity_penalty": found[1], "length_ratio": found[2], "mean": found[3],
            "precisions": precisions, "weights": weights,
        }  # fmt: skip


# The settings of each tool; all have max_order 4, equal weights and no effective order.
_CHANGED: dict[str, dict[str, Any]] = {
    "evaluate": {"reference_length": "shortest"},
    "sacrebleu": {"strip": True, "smoothing": "exp", "counting": "sacrebleu"},
    # nltk takes tokens, usually those of str.split.
    "nltk": {
        "tokenizer": "whitespace", "smoothing": "epsilon", "smooth_value": NLTK_NO_SMOOTHING, "counting": "nltk",
    },
    # The script as called without options: case-insensitive, A to Z only, smoothed.
    "mteval-v13a": {"lowercase": "ascii", "smoothing": "exp", "counting": "mteval"},
    "moses": {"tokenizer": "ascii-whitespace"},
    "coco": {"tokenizer": "coco", "counting": "coco"},
}  # fmt: skip
_PLAIN = {
    "tokenizer": "13a", "lowercase": False, "strip": False, "reference_length": "closest", "smoothing": "none",
    "counting": "plain",
}  # fmt: skip
TOOLS: Mapping[str, Mapping[str, Any]] = {name: {**_PLAIN, **changed} for name, changed in _CHANGED.items()}


@dataclass(frozen=True)
class BleuReports(Reports):
    """`per_segment` adds ``segment_`` and the name, `all_orders` ``bleu1`` to ``bleuN``, `confidence` the interval."""

    all_orders: bool = option(False, "Add BLEU-1 to BLEU-N for N = `max_order`, each with equal weights.")


_LENGTHS = ("translation_length", "reference_length")
# Before the names of fields whose value for a corpus is that of the last segment.
_LAST = "last_"


def _of_orders(like: Score, n: int) -> list[Score]:
    """Return the scores BLEU-1 to BLEU-n of coco's counting, under the names that pycocoevalcap gives them."""
    return [like._replace(key=f"bleu{k}", name=f"Bleu_{k}", in_papers=f"BLEU-{k}") for k in range(1, n + 1)]


class BleuMetric(Metric):
    """BLEU (Papineni et al. 2002).

    `statistics` has the fields ``matches`` and ``totals``, one number per order, ``translation_length`` and
    ``reference_length``: int64, or float64 for the average of reference lengths.

    Examples
    --------
    >>> first = Bleu().update(["the cat sat on the mat"], ["the cat sat on the mat"])
    >>> second = Bleu().update(["a dog"], [["the dog", "a dog barks"]])
    >>> (first + second).score()["translation_length"]
    8
    """

    name = "bleu"
    options_type: ClassVar[type[BleuOptions]] = BleuOptions
    reports_type = BleuReports
    about = About(
        "BLEU",
        lambda key: _EXPLANATION._replace(title=f"BLEU-{key[4:]}") if key[4:].isdigit() else _EXPLANATION,
        form="With the defaults of the Hub's bleu, and presets of other tools.",
        returns="``bleu``, ``precisions`` (one per order), ``brevity_penalty``, ``length_ratio``, "
        "``translation_length`` and ``reference_length`` (in tokens)",
        segments="A segment is scored with effective order, and with exponential smoothing unless another was chosen, "
        "as sacreBLEU's sentence_bleu: without them many are 0.",
    )
    scores = Scores(Score("bleu"), *_of_orders(Score("", needs={"preset": "coco"}), 4))

    tokenizer: Tokenizer
    options: BleuOptions

    def prepare(self) -> None:
        """Choose the tokenizer and the layout; the formula makes percent as sacreBLEU does, where the score is so."""
        if self.options.is_coco:
            self.scores = Scores(self.scores[0], *_of_orders(self.scores[0], self.options.max_order))
        self.bleu_formula = replace(self.options.formula, percent=self.scores.top != 1)
        if self.options.looks_at_last_segment:
            allowed = "a method that does not depend on the last segment, for intervals, comparisons and sums"
            refusal = ("smoothing", allowed, f"{shown(self.options.smoothing)} with nltk's counting")
            self.sums = Sums("ordered", refusal)
        base = tokenizer_of("13a" if self.options.tokenizer is None else self.options.tokenizer)
        self.tokenizer = prepared(base, lowercase=self.options.lowercase or False, strip=bool(self.options.strip))
        orders, is_whole = self.options.counted_orders, self.options.reference_length != "average"
        by_order = [Field(name, orders, told=self.options.max_order) for name in ("matches", "totals")]
        lengths = [Field(_LENGTHS[0], told=0), Field(_LENGTHS[1], is_whole=is_whole, told=0)]
        fields = [*by_order, *lengths]
        if self.options.looks_at_last_segment:
            fields += [field._replace(name=f"{_LAST}{field.name}", told=0, of_corpus="last") for field in fields]
        self.layout = Layout(fields, references="union")
        self._counting = orders, self.options.least_total, self.options.which_length

    def rows(self, corpus: Corpus, notes: Notes) -> Rows:
        """Count the segments of a chunk."""
        tokens = self.tokenizer.cut(corpus, given=corpus)
        notes.examine(corpus, tokens)
        counted = engine.kernel.bleu_rows(tokens, *self._counting, corpus.n_threads)
        return self.layout.counted(np.tile(counted, 2) if self.layout.of_last else counted)

    def rows_with(self, matches: Any, lengths: IntArray, reference_length: Counts) -> Rows:
        """Return the rows of segments with these matches, shape (n_segments, n_orders), and lengths."""
        totals = np.maximum(lengths[:, None] - np.arange(self.layout.fields[0].size), self.options.least_total)
        counts = {
            "matches": matches, "totals": totals, "translation_length": lengths, "reference_length": reference_length,
        }  # fmt: skip
        return self.layout.filled(len(lengths), **self._with_last(counts))

    def _with_last(self, counts: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of segments, twice where a corpus has some of its last segment."""
        return {**counts, **{f"{_LAST}{name}": count for name, count in counts.items() if self.layout.of_last}}

    def all_pairs(self, texts: Texts, roles: Roles, notes: Notes) -> PairCounts | None:
        """Count n-gram matches by an index of all texts."""
        group = group_of(texts, roles)
        tokens = self.tokenizer.cut(group)
        notes.examine(group, tokens)
        orders, lengths = self.layout.fields[0].size, n_tokens(tokens)
        totals = np.maximum(n_ngrams(lengths, orders), self.options.least_total)
        return PairCounts(
            self._with_last({"matches": ngram_counts(tokens, orders, roles)}),
            self._with_last({"totals": totals, "translation_length": lengths}),
            self._with_last({"reference_length": roles.of_references(lengths)}),
        )

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores, those of segments too."""
        sentence = self.options.of_segments
        value = "" if sentence.smooth_value is None else f"[{number(sentence.smooth_value)}]"
        return {**super().settings(), "smoothing of segments": f"{sentence.smoothing}{value}"}

    def signature_fields(self, reports: Any = None) -> dict[str, str]:
        """Return the fields of the signature in sacreBLEU's form, with more keys for options that it lacks.

        Where segments are scored as well, and smoothed otherwise than the corpus, it says how.
        """
        parts, sentence = self.options.signature, self.options.of_segments
        if getattr(reports, "per_segment", False) and sentence.smoothing != self.options.smoothing:
            parts["segments"] = str(sentence.smoothing)
        case = {False: "mixed", True: "lc", "ascii": "lc-ascii"}[self.options.lowercase or False]
        strip = {} if self.options.strip else {"strip": "no"}
        return {"case": case, "eff": parts.pop("eff"), "tok": self.tokenizer.signature, **parts, **strip}

    def formula(self, rows: Rows) -> dict[str, Any]:
        """BLEU of pooled counts, and its parts."""
        parts = self.bleu_formula(rows)
        prediction, reference = _LENGTHS
        found = {
            self.name: parts["bleu"], "precisions": parts["precisions"], "brevity_penalty": parts["brevity_penalty"],
            "length_ratio": parts["length_ratio"], prediction: rows.shown(prediction), reference: rows.shown(reference),
        }  # fmt: skip
        return found | self._of_all_orders(rows) if self.options.is_coco else found

    def result(self, accumulator: Any, reports: BleuReports) -> dict[str, Any]:
        """Return the scores, and BLEU of every order; warn of orders without n-grams."""
        total = accumulator.total()
        values = self.formula(total)
        self.warn_of(accumulator, values)
        return values | (self._of_all_orders(total) if reports.all_orders else {})

    def warn_of(self, accumulator: Any, values: Mapping[str, Any]) -> None:
        """Warn of the order that makes BLEU 0, or almost."""
        as_nltk = self.options.counting == "nltk" and self.options.smooth_value == NLTK_NO_SMOOTHING
        if values[self.name] == 0 or as_nltk:
            total = accumulator.total()
            matches, totals = (total[name][: self.options.max_order] for name in ("matches", "totals"))
            if values[self.name] == 0:
                _warn_of_zero(matches, totals, self.options)
            if as_nltk:
                _warn_as_nltk(matches)

    def _of_all_orders(self, total: Rows) -> dict[str, Any]:
        if self.options.weights is not None:
            fail(ValueError, "weights", "None together with `all_orders=True`", shown(self.options.weights))
        return {
            f"bleu{order}": replace(self.bleu_formula, max_order=order)(total)["bleu"]
            for order in range(1, self.options.max_order + 1)
        }

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return precisions, brevity penalty, BLEU and the lengths as a table."""
        lines = [
            Line(f"{n}-gram precision", (value,), full=self.scores.top)
            for n, value in enumerate(result["precisions"], 1)
        ]
        orders = [n for n in range(1, len(lines) + 1) if f"bleu{n}" in result]
        lines.append(Line("brevity penalty", (result["brevity_penalty"],)))
        lines += [Line(f"BLEU-{n}", (result[f"bleu{n}"],), f"bleu{n}", full=self.scores.top) for n in orders]
        lines.append(Line("BLEU", (result[self.name],), self.name, is_headline=True, full=self.scores.top))
        lengths = (
            f"{quantity(result['translation_length'], 'token')} against {result['reference_length']:,} in the "
            f"references (ratio {result['length_ratio']:.3f})"
        )
        return Summary(self.about.title, ("score",), lines, [f"tokenizer {self.tokenizer.name}", lengths])


def _warn_of_zero(matches: Counts, totals: Counts, options: BleuOptions) -> None:
    """Warn of the order that makes BLEU 0, though words match.

    Parameters
    ----------
    matches, totals : shape (n_orders,)
        Summed over the corpus.
    """
    if not matches[0]:
        return
    # A smoothing replaces a precision of 0 where there are n-grams of that order.
    is_smoothed = options.smoothing != "none" and options.smooth_value != 0
    is_cause = totals == 0 if is_smoothed and not totals.all() else matches == 0
    if options.effective_order:
        is_cause &= totals > 0
    if not is_cause.any():
        return
    order = int(np.argmax(is_cause)) + 1
    if totals[order - 1]:
        cause = f"the predictions share no {order}-gram with their references"
        ways = [f"`max_order={order - 1}`", "a smoothing"]
    else:
        cause = f"no prediction is long enough for a {order}-gram"
        ways = ["`effective_order=True`", f"`max_order={order - 1}`", *([] if is_smoothed else ["a smoothing"])]
    warn_user(f"BLEU is 0 because {cause}: pass {listed(ways, 'or')}.")


def _warn_as_nltk(matches: Counts) -> None:
    """Warn as nltk does without smoothing: an order without matches, shape (n_orders,), makes BLEU almost 0."""
    empty = np.flatnonzero(matches == 0)
    if matches[0] and len(empty):
        warn_user(
            f"the predictions share no {int(empty[0]) + 1}-gram with their references, so BLEU is almost 0 despite "
            "matches of lower orders: lower `max_order`, or choose a smoothing, as nltk's SmoothingFunction does."
        )


_EXPLANATION: Explanation = Explanation(
    "BLEU",
    "How many of the predictions' words, and runs of up to several words, also occur in the references?",
    (
        "The precision of each order is the share of the predictions' n-grams that occur in a reference. An n-gram "
        "counts at most as often as a reference has it (its clipped count).",
        "The brevity penalty lowers the score if the predictions are shorter than the references.",
        "BLEU is the geometric mean of the precisions times that penalty. Counts are pooled over all segments first, "
        "so the score on top is not the mean of the segment scores.",
    ),
    "BLEU of a single segment is useful to sort segments, not to judge them.",
)
Bleu = accumulator_of(BleuMetric)
bleu = one_call(Bleu)


class BleuExplainer(Explainer, metric=BleuMetric):
    """Explains the scores of `BleuMetric`."""

    metric: BleuMetric

    def marks(self, key: str) -> Marks:  # noqa: ARG002
        """Mark n-grams of all orders, longer ones more strongly."""
        tokenizer, order = self.metric.tokenizer, self.metric.options.max_order
        return Marks.of_orders(order, partial(aligned_with_all, tokenizer=tokenizer, orders=order))

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the precision of every order, the penalty, and their product."""
        metric, options, examples, which = self.metric, self.metric.options, None, ""
        order = int(key.removeprefix("bleu")) if key.removeprefix("bleu").isdigit() else options.max_order
        if segment is not None:
            tokenizer = metric.tokenizer
            which = options.reference_length or "closest" if len(segment.references) > 1 else ""
            [[hypothesis, *references]] = placed_texts(segment, tokenizer.cut(segment), tokenizer)
            examples = [matched_ngrams(hypothesis, references, n) for n in range(1, order + 1)]
        formula = replace(metric.bleu_formula, max_order=order)
        steps = BleuDerivation(rows, formula, metric.about.explain(key).title, metric.scores.top)
        return steps.whole(examples, which)


_FIRST = "tokens that a reference has, too; each counts at most as often as there (clipping)"
_LONGER = "an n-gram is n tokens in a row: it matches where their order is right, too"
_HALVES = "an order without a match counts as half a match, the next such one as a quarter"
# What is tried where BLEU is 0, until it is not.
_SMOOTHED: tuple[dict[str, Any], ...] = ({"smoothing": "exp"}, {"smoothing": "exp", "effective_order": True})


class BleuDerivation:
    """BLEU of one row of counts: the precisions, their geometric mean, the penalty."""

    def __init__(self, rows: Rows, formula: BleuFormula, title: str, scale: float) -> None:
        """Take the row and the formula."""
        self.rows, self.title, self.scale = rows, title, scale
        self.score = float(formula(rows)["bleu"])
        # The shares are from 0 to 1.
        self.formula = replace(formula, percent=False)
        self.parts = self.formula(rows)
        self._percent = "" if scale == 1 else f"{figure(scale)} × "

    def whole(self, examples: Sequence[tuple[tuple[str, ...], ...]] | None, which: str = "") -> Derivation:
        """Return all steps.

        `examples` has the n-grams of every order that match, and the rest; `which` says whose length counts among
        several references.
        """
        parts, score = self.parts, self.score
        penalty, mean = float(parts["brevity_penalty"]), float(parts["mean"])
        length, reference = (amount(self.rows[name]) for name in _LENGTHS)
        is_short = penalty < 1
        whose = f"the {which} reference" if which else "the reference"
        about = f"shorter than {whose}, which lowers BLEU" if is_short else f"not shorter than {whose}"
        power = f"e^(1 − {reference}/{length})" if is_short and penalty else ""
        product = self._product(parts, self.formula.smoothing)
        # An empty side has BLEU 0 whatever the smoothing of its shares.
        is_product = score or not penalty * mean
        factors = f"{self._percent}{figure(penalty, is_counted=False)} × {figure(mean, is_counted=False)}"
        steps = (
            *self._precisions(examples),
            Step("length", (f"{length} against {reference}",), power, penalty, None, f"{about} (brevity penalty)"),
            Step("mean", (), product, mean, None, "the geometric mean of these shares"),
            Step(self.title, (), factors if is_product else "there is nothing to match", score),
        )
        return Derivation(self.title, steps, remarks=() if score else (*self._why_zero(), *self._smoothed()))

    def _orders(self, parts: Mapping[str, Any]) -> Iterator[tuple[int, float, float, float, float]]:
        """Yield order, matches, n-grams, precision and weight."""
        counts = self.rows["matches"].tolist(), self.rows["totals"].tolist()
        # The rows may have one order more, which some smoothing methods look at.
        return zip(count(1), *counts, parts["precisions"], parts["weights"], strict=False)

    def _precisions(self, examples: Sequence[tuple[tuple[str, ...], ...]] | None) -> Iterator[Step]:
        for n, matches, total, precision, weight in self._orders(self.parts):
            is_smoothed = weight and not _is_share(precision, matches, total)
            name = self.formula.smoothing
            halved = _halved(matches, total, precision, name) if is_smoothed else ""
            smoothed = "taken as" if name == "none" else f"smoothed ({name})"
            how = ": ".join(filter(None, (smoothed, halved))) if is_smoothed else ""
            value = precision if is_smoothed else None
            meaning = {1: _FIRST, 2: _LONGER}.get(n, _HALVES if halved else "") if weight else "left out"
            listed, rest = (None, ()) if examples is None else examples[n - 1]
            yield Step(f"{n}-grams", (part_of(matches, total),), how, value, listed, meaning, rest if weight else ())

    def _product(self, parts: Mapping[str, Any], smoothing: SmoothingName) -> str:
        """Write the geometric mean of the precisions as a product."""
        factors = {
            n: (_factor(matches, total, precision, smoothing), weight)
            for n, matches, total, precision, weight in self._orders(parts)
            if weight and (precision or self.formula.counting != "nltk")
        }
        weights = {weight for _, weight in factors.values()}
        if len(weights) > 1:
            return " × ".join(f"({factor})^{weight:.3g}" for factor, weight in factors.values())
        if not weights:
            return "no order counts"
        [weight] = weights
        root, written_factors = 1 / weight, [factor for factor, _ in factors.values()]
        whole = f"({' × '.join(written_factors)})"
        return whole if abs(root - 1) < 1e-9 else f"{whole}^(1/{root:.4g})"

    def _why_zero(self) -> Iterator[str]:
        for name, side in zip(_LENGTHS, ("prediction", "reference"), strict=True):
            if self.rows[name] == 0:
                yield f"{self.title} is 0, since the {side} has no tokens."
                return
        for n, matches, total, precision, weight in self._orders(self.parts):
            if weight and precision == 0 and _share(matches, total) == 0:
                why = f"no {n}-gram matches" if total else f"there is no {n}-gram in a text of fewer than {n} tokens"
                yield f"{self.title} is 0, since {why}, and a product with a 0 is 0."
                return

    def _smoothed(self) -> Iterator[str]:
        """Say what smoothing would give."""
        if self.rows["matches"][0] == 0:
            return
        for changed in _SMOOTHED:
            parts = replace(self.formula, smooth_value=None, **changed)(self.rows)
            if parts["bleu"] > 0:
                new = {name: value for name, value in changed.items() if value != getattr(self.formula, name)}
                settings = ", ".join(f"{name}={value!r}" for name, value in new.items())
                penalty, product = (
                    figure(parts["brevity_penalty"], is_counted=False),
                    self._product(parts, changed["smoothing"]),
                )
                score = written(parts["bleu"] * self.scale, self.scale)
                yield f"With {settings} it is {self._percent}{penalty} × {product} = {score}."
                return


def _share(matches: float, total: float) -> float:
    return matches / total if total else 0.0


def _is_share(precision: float, matches: float, total: float) -> bool:
    """Return whether a precision is the share of matches, but for what coco's counting adds to both."""
    return math.isclose(precision, _share(matches, total), rel_tol=1e-8)


def _factor(matches: float, total: float, precision: float, smoothing: SmoothingName) -> str:
    is_plain = total and _is_share(precision, matches, total)
    halved = _halved(matches, total, precision, smoothing)
    return f"{figure(matches)}/{figure(total)}" if is_plain else halved or figure(precision)


def _halved(matches: float, total: float, precision: float, smoothing: SmoothingName) -> str:
    """Write the share of an order without a match, of which half counts, or a quarter, ...; empty for other shares."""
    if matches or not (total and precision) or SMOOTHINGS[smoothing] != SMOOTHINGS["exp"]:
        return ""
    return f"1/({figure(round(1 / (precision * total)))} × {figure(total)})"
