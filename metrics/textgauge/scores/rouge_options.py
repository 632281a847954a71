"""What can move a ROUGE score, and the preset that sets it as the ROUGE-1.5.5 script does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..checks import fail, flag, non_negative_float, one_of, positive_int, shown
from ..lazy import lazy
from ..signatures import number, yes_no
from .rouge_types import DEFAULT_TYPES, DEFAULT_WEIGHT, RougeType, checked_weight, type_of

SCRIPT = "rouge-1.5.5"
MULTI_REFERENCES = ("best", "average", "pooled")
# Its square is still a float64.
MAX_BETA = 1e100


@dataclass(frozen=True)
class RougeOptions:
    """What can move a ROUGE score, apart from the tokenizer.

    Attributes
    ----------
    types : tuple of str
        "rouge1", "rouge2", ... for n-grams of any order up to 1000; "rougeL", the LCS of the texts;
        "rougeLsum", the union LCS of their sentences; "rougeW", the weighted LCS of the texts,
        "rougeW-1.5" with a weight of its own; "rougeS", pairs of tokens in order with any gap,
        "rougeS4" with at most 4 tokens between them; "rougeSU", "rougeSU4", ..., with unigrams.
    beta : float
        F's weight of recall against precision, see `f_measure`; 1 if not given.
    split_summaries : bool
        Split texts into sentences at their end marks for rougeLsum; else only at newlines.
    alpha : float, optional
        The same as the script's -p has it, instead of `beta`: 1 / (1 + beta^2), so 0.5 is F1,
        1 is precision and 0 is recall.
    weight : float
        Of "rougeW": a run of k consecutive matches counts k^weight; 1.2 if not given, and refused
        without "rougeW" among the types.
    multi_reference : "best", "average" or "pooled"
        What becomes of several references. "best": the one with the best F of each type, as
        in the reference module; with the preset the one with the best recall (-f B).
        "average": the mean over references of precision, recall and F. "pooled": matches and
        totals summed over references, formula (1) of the paper and the script's -f A.
    jackknife : bool
        Leave out each of several references in turn and average the scores (Lin 2004,
        section 2.1), so that systems and human writers, who are one reference fewer, compare.
    max_words, max_bytes : int, optional
        Read only the start of every text, references included: -l and -b of the script.
    preset : None or "rouge-1.5.5"
        Do all as the ROUGE-1.5.5 script does; the card says what that is. It changes the
        default of `multi_reference` to "pooled" and of the aggregator to the script's.
    """

    types: tuple[str, ...] = DEFAULT_TYPES
    beta: float = 1.0
    split_summaries: bool = False
    alpha: float | None = None
    weight: float = DEFAULT_WEIGHT
    multi_reference: str = "best"
    jackknife: bool = False
    max_words: int | None = None
    max_bytes: int | None = None
    preset: str | None = None

    def __post_init__(self) -> None:
        """Check every option."""
        if isinstance(self.types, str) or not isinstance(self.types, Sequence) or not self.types:
            fail(TypeError, "rouge_types", "a list of ROUGE types", shown(self.types))
        checked_weight(self.weight, "weight")
        for i, name in enumerate(self.types):
            type_of(name, self.weight, f"rouge_types[{i}]")
        if non_negative_float("beta", self.beta) > MAX_BETA:
            fail(ValueError, "beta", f"a number of at most {MAX_BETA:g}", shown(self.beta))
        if self.alpha is not None and non_negative_float("alpha", self.alpha) > 1:
            fail(ValueError, "alpha", "a number from 0 to 1", shown(self.alpha))
        flag("split_summaries", self.split_summaries)
        flag("jackknife", self.jackknife)
        one_of("multi_reference", self.multi_reference, MULTI_REFERENCES)
        for name, limit in (("max_words", self.max_words), ("max_bytes", self.max_bytes)):
            if limit is not None:
                positive_int(name, limit)
        if self.max_words is not None and self.max_bytes is not None:
            fail(ValueError, "max_bytes", "one of max_words and max_bytes", "both")

    @lazy
    def kinds(self) -> tuple[RougeType, ...]:
        """The types, read."""
        return tuple(type_of(name, self.weight, "rouge_types") for name in self.types)

    @property
    def signature(self) -> dict[str, str]:
        """What a signature says of them: types, weight of F, and what is not as by default."""
        parts = {"types": ",".join(self.types)}
        parts |= {"beta": number(self.beta)} if self.alpha is None else {"alpha": number(self.alpha)}
        if "rougeLsum" in self.types:
            parts["sent"] = "marks" if self.split_summaries else "newline"
        if "rougeW" in self.types:
            parts["weight"] = number(self.weight)
        if self.multi_reference != "best" or self.jackknife:
            parts |= {"refs": self.multi_reference, "jackknife": yes_no(self.jackknife)}
        limits = {"words": self.max_words, "bytes": self.max_bytes, "preset": self.preset}
        return parts | {key: str(value) for key, value in limits.items() if value is not None}

    @property
    def f_alpha(self) -> float:
        """The weight of precision in F, whichever way it was given."""
        return 1 / (1 + self.beta**2) if self.alpha is None else self.alpha

    @lazy
    def is_script(self) -> bool:
        """Whether the preset is in force."""
        return self.preset == SCRIPT

    @lazy
    def is_weighted(self) -> bool:
        """Whether any type sums weights, so that its counts are no whole numbers."""
        return any(kind.kind == "W" for kind in self.kinds)

    @lazy
    def has_trials(self) -> bool:
        """Whether a segment may have counts for several trials, whose scores are averaged."""
        return self.jackknife or self.multi_reference == "average"

    @lazy
    def max_order(self) -> int:
        """The highest n-gram order among the types, 0 if there is none."""
        return max(kind.order for kind in self.kinds)

    @lazy
    def needs_sentences(self) -> bool:
        """Whether any type looks at sentences."""
        by_sentence = {"L", "Lsum", "W"} if self.is_script else {"Lsum"}
        return any(kind.kind in by_sentence for kind in self.kinds)

    @lazy
    def splits_at_newlines(self) -> bool:
        """Whether rougeLsum is asked for, of sentences that only newlines part."""
        return "rougeLsum" in self.types and not self.split_summaries and not self.is_script

    @lazy
    def weights(self) -> tuple[float, ...]:
        """The weight of every type."""
        return tuple(kind.weight for kind in self.kinds)


def rouge_options(
    rouge_types: Sequence[str] | None,
    *,
    preset: str | None,
    beta: float | None,
    alpha: float | None,
    multi_reference: str | None,
    weight: float | None,
    **options: Any,
) -> RougeOptions:
    """Fill in what was not given."""
    if preset is not None:
        one_of("preset", preset, (SCRIPT,))
    if alpha is not None and beta is not None:
        fail(ValueError, "alpha", "one of alpha and beta", "both")
    types: Any = DEFAULT_TYPES if rouge_types is None else rouge_types
    if not isinstance(types, str) and isinstance(types, Sequence):
        # What is no name cannot always be hashed, and is refused by its position.
        types = tuple(dict.fromkeys(types) if all(isinstance(name, str) for name in types) else types)
    if weight is None:
        weight = DEFAULT_WEIGHT
    elif checked_weight(weight, "weight") and "rougeW" not in types:
        fail(ValueError, "weight", "None without 'rougeW' among rouge_types", shown(weight))
    if multi_reference is None:
        multi_reference = "pooled" if preset else "best"
    beta = 1.0 if beta is None else beta
    return RougeOptions(
        types, beta, alpha=alpha, weight=weight, multi_reference=multi_reference, preset=preset, **options
    )
