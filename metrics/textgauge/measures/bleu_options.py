"""The options of BLEU, the presets of other tools, and the fields of the signature."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from .. import engine
from ..arrays import FloatArray
from ..checks import MAX_ORDER, fail, real_number, shown
from ..lazy import lazy
from ..options import Options, Reports, fixed, option, options_of
from ..plain import ngrams, scores
from ..signatures import number, yes_no
from .layout import Rows

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
LOOKS_ONE_ORDER_HIGHER = ("chen-cherry-5", "chen-cherry-7")
LOOKS_AT_LAST_SEGMENT = ("chen-cherry-5", "chen-cherry-6", "chen-cherry-7")
DIVIDES_BY_VALUE = ("chen-cherry-4", "chen-cherry-7")
COUNTINGS = {
    "plain": scores.PLAIN, "sacrebleu": scores.SACREBLEU, "mteval": scores.MTEVAL, "nltk": scores.NLTK,
    "moses": scores.MOSES,
}  # fmt: skip
_LENGTHS = {"shortest": ngrams.SHORTEST, "closest": ngrams.CLOSEST, "average": ngrams.AVERAGE}
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
    - "nltk": every segment has at least one n-gram of every order; orders with a smoothed
      precision of 0 are omitted; references without tokens as in "sacrebleu"; in a
      corpus, methods 5 to 7 use the n-grams of the last segment.

    References: Papineni et al. (2002), BLEU, section 2. Chen and Cherry (2014), A systematic
    comparison of smoothing techniques for sentence-level BLEU, section 2, as nltk's
    `SmoothingFunction` implements it.
    """

    # Set by `check`, before a preset sets the smoothing.
    _is_smoothing_chosen: ClassVar[bool] = False

    preset: Literal["evaluate", "sacrebleu", "nltk", "mteval-v13a", "moses"] | None = option(
        None, "Set every option that is None as in that tool; `evaluate` is the reference module.",
        none_means="evaluate", sets_others=True, on_page=True,
    )  # fmt: skip
    tokenizer: str | Callable[[str], list[str]] | None = option(
        None, "Tokenizer: a name in `TOKENIZERS`, one of sacreBLEU's, or your own function.",
        kind="tokenizer", none_means='that of the preset, mostly "13a"', on_page=True,
    )  # fmt: skip
    max_order: int = option(4, "Highest n-gram order.", at_least=1, at_most=MAX_ORDER, on_page=True)
    smooth: bool = option(False, 'The reference module\'s name for `smoothing="add-one"`.', sets_others=True)
    smoothing: SmoothingName | None = option(
        None, "What replaces a precision of 0; see the notes.", none_means="that of the preset", on_page=True
    )
    smooth_value: float | None = option(
        None, "The parameter of the smoothing, if it has one.", at_least=0, at_most=MAX_SMOOTH_VALUE,
        none_means="that of the smoothing",
    )  # fmt: skip
    effective_order: bool = option(
        False, "Omit orders without n-grams in the hypothesis, and distribute their weight over the others."
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
    counting: Literal["plain", "sacrebleu", "mteval", "nltk"] | None = option(
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
        preset = _TOOLS[self.preset or "evaluate"]
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

    def _check_smooth_value(self, value: float) -> None:
        if value < MIN_DIVISOR and self.smoothing in DIVIDES_BY_VALUE:
            allowed = f"a number of at least {MIN_DIVISOR:g} for {self.smoothing!r}"
            fail(ValueError, "smooth_value", allowed, shown(value))

    def _checked_weights(self) -> tuple[float, ...]:
        # Text is refused here, since NumPy would parse it.
        is_list = isinstance(self.weights, (Sequence, np.ndarray)) and not isinstance(self.weights, (str, bytes))
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
    def of_sentences(self) -> BleuOptions:
        """The options for scores of single segments, as sacreBLEU's `sentence_score` has them."""
        # Otherwise every order has a total, and counts.
        is_effective = self.effective_order or (self.method.adds_to_totals and self.smooth_value != 0)
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
        return _LENGTHS[self.reference_length or "closest"]

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

    @lazy
    def _arguments(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        value = SMOOTHINGS[self.smoothing].value if self.smooth_value is None else self.smooth_value
        named = {
            "weights": self.weights, "effective_order": self.effective_order, "counting": COUNTINGS[self.counting]
        }  # fmt: skip
        return (self.max_order, SMOOTHINGS[self.smoothing].code, value or 0.0), named

    def __call__(self, rows: Rows) -> dict[str, FloatArray]:
        """Return BLEU, its penalty, the ratio of the lengths, the geometric mean; precisions and weights, by name.

        Shape (...,); the last two have shape (..., max_order).
        """
        args, named = self._arguments
        if rows.last is not None and self.counting == "nltk":
            named = {**named, "last": rows.last.values.tolist()}
        found = np.asarray(engine.kernel.bleu_scores(rows.values, *args, **named), np.float64)
        found = found.reshape(*rows.values.shape[:-1], 4 + 2 * self.max_order)
        parts = {name: found[..., i] for i, name in enumerate(("bleu", "brevity_penalty", "length_ratio", "mean"))}
        return parts | {"precisions": found[..., 4 : 4 + self.max_order], "weights": found[..., 4 + self.max_order :]}


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
}  # fmt: skip
_PLAIN = {
    "tokenizer": "13a", "lowercase": False, "strip": False, "reference_length": "closest", "smoothing": "none",
    "counting": "plain",
}  # fmt: skip
_TOOLS: Mapping[str, Mapping[str, Any]] = {name: {**_PLAIN, **changed} for name, changed in _CHANGED.items()}
PRESETS = {name: BleuOptions(preset=name) for name in _CHANGED}  # type: ignore[arg-type]


@dataclass(frozen=True)
class BleuReports(Reports):
    """`per_segment` adds ``segment_`` and the name, `all_orders` ``bleu1`` to ``bleuN``, `confidence` the interval."""

    all_orders: bool = option(False, "Add BLEU-1 to BLEU-N for N = `max_order`, each with equal weights.")


@dataclass(frozen=True)
class SacrebleuOptions(BleuOptions):
    """BLEU as sacreBLEU computes it, from 0 to 100.

    The other options are those of `Bleu`, which has notes on them.
    """

    preset: Literal["sacrebleu"] = fixed("sacrebleu")
