"""The options of diversity and of self-BLEU."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..checks import MAX_ORDER, fail, shown
from ..options import Options, option

# Self-BLEU by name: the options of BLEU; of several references the closest length counts.
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "nltk": {"preset": "nltk", "smoothing": "chen-cherry-1"},
    "sacrebleu": {"preset": "sacrebleu", "effective_order": True},
    "corpus": {"preset": "sacrebleu"},
}


@dataclass(frozen=True)
class SelfBleuOptions(Options):
    """The values of `variant`, each from 0 to 1, with all other texts as references.

    - "nltk": the mean of nltk's `sentence_bleu` with smoothing method 1, as Texygen computes it;
    - "sacrebleu": the mean of sacreBLEU's `sentence_bleu`: exponential smoothing, effective order;
    - "corpus": BLEU of pooled counts, as sacreBLEU's `corpus_bleu`.

    References: Zhu et al. (2018), Texygen. Papineni et al. (2002), BLEU, section 2.
    """

    variant: Literal["nltk", "sacrebleu", "corpus"] = option("nltk", "Which self-BLEU; see the notes.", on_page=True)
    max_order: int = option(4, "Highest n-gram order.", at_least=1, at_most=MAX_ORDER, on_page=True)
    tokenizer: str | Callable[[str], list[str]] = option(
        "whitespace", "Tokenizer: a name in `TOKENIZERS`, one of sacreBLEU's, or your own function.",
        kind="tokenizer", on_page=True,
    )  # fmt: skip
    lowercase: bool = option(False, "Lower-case all text first.", on_page=True)


@dataclass(frozen=True)
class DiversityOptions(SelfBleuOptions):
    """Self-repetition counts n-grams of `max_order`; n-gram diversity sums over the orders up to it.

    `homogenization` names what scores the pairs, such as "rougeL", "chrf" or "bleu", in the scale of that
    name. It is the only figure whose time grows with the square of the number of texts.
    """

    homogenization: str | None = option(
        None, "Add the mean score of all pairs of texts by this metric.", kind="text", none_means="no such score",
        on_page=True,
    )  # fmt: skip
    metric_options: Mapping[str, Any] | None = option(
        None, "Options of the metric of `homogenization`, by name.", kind="python", none_means="its defaults"
    )

    def check(self) -> None:
        """Refuse options of a metric without one."""
        if self.homogenization is None and self.metric_options is not None:
            fail(ValueError, "metric_options", "None without `homogenization`", shown(self.metric_options))
        if not (self.metric_options is None or isinstance(self.metric_options, Mapping)):
            fail(TypeError, "metric_options", "a dict of options of the metric", shown(self.metric_options))
