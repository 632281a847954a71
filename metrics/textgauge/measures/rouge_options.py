"""The options of ROUGE, and of its `score`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal

from ..checks import LARGEST, MAX_BETA, fail, shown
from ..lazy import lazy
from ..metric.layout import Rule
from ..options import Options, Reports, option
from ..signatures import number, yes_no
from .rouge_types import DEFAULT_TYPES, DEFAULT_WEIGHT, MAX_WEIGHT, RougeType, type_of

SCRIPT = "rouge-1.5.5"
PER_TOKEN = "rouge-1.5.5-per-token"
COCO = "coco"
COCO_BETA = 1.2


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

    @lazy
    def needs_segments(self) -> list[str]:
        """The options that need the rows of all segments: their results are not functions of the sum."""
        names = super().needs_segments + ([] if self.use_aggregator else ["use_aggregator"])
        return names + ([] if self.aggregator in (None, "mean") else ["aggregator"])
