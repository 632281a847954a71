"""Character error rate of texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from .. import engine
from ..accumulation.accumulator import accumulator_of
from ..accumulation.calls import one_call
from ..checks import fail, shown
from ..metric import About, Explanation, Rows, Score, Scores, scores_of
from ..options import Options, option
from ..text import TOKENIZERS, Normalizer, prepared
from ..text.speech import SPEECH_NORMALIZERS, speech_normalizer_of
from .wer import COUNTS, RETURNED, EditMetric


@dataclass(frozen=True)
class CerOptions(Options):
    """The score is the number of edits divided by the number of characters in the references, summed over all segments.

    0 is best, and there is no upper bound.

    A character is a code point; white space inside a text counts, that at its ends does not. Of several references,
    the one with the lowest rate counts.

    References: Morris et al. (2004), From WER and RIL to MER and WIL. The figures are those of jiwer 4.
    """

    whitespace: bool = option(
        True, "White space inside a text counts; most papers on Chinese and Japanese drop it.", on_page=True
    )
    preset: Literal["jiwer-3"] | None = option(
        None,
        '"jiwer-3": runs of white space count as one space, as in jiwer 2.3 to 3.',
        none_means="every character counts",
    )
    lowercase: bool = option(False, "Lower-case all text first.", on_page=True)
    normalizer: str | Normalizer | Callable[[str], str] | None = option(
        None, "Rewrites all text first, as that of `wer`.", kind="normalizer", none_means="text stays as it is",
        named=SPEECH_NORMALIZERS,
    )  # fmt: skip

    def __post_init__(self) -> None:
        """Check them."""
        super().__post_init__()
        if self.preset is not None and not self.whitespace:
            fail(ValueError, "preset", "None with `whitespace=False`, which drops what it is about", shown(self.preset))
        speech_normalizer_of(self.normalizer)


class CerMetric(EditMetric):
    """Character error rate (Morris et al. 2004).

    `statistics` has the fields ``hits``, ``substitutions``, ``deletions`` and ``insertions``: int64.

    Examples
    --------
    >>> Cer().update(["slow fox"], ["a slow ox"]).score()
    {'cer': 0.3333333333333333, 'hits': 7, 'substitutions': 0, 'deletions': 2, 'insertions': 1}
    """

    name = "cer"
    options_type = CerOptions
    about = About(
        "CER",
        lambda _: _EXPLANATION,
        returns=f"``cer``, {RETURNED}",
        unit="character",
    )
    scores = Scores(Score("cer", higher_is_better=False, perfect=0.0, largest=float("inf")), unscaled=COUNTS)
    options: CerOptions

    def prepare(self) -> None:
        """Choose the tokenizer and the normalizer."""
        o = self.options
        rule = "character-jiwer-3" if o.preset == "jiwer-3" else "every-character"
        self.tokenizer = prepared(TOKENIZERS[rule if o.whitespace else "character"], lowercase=o.lowercase, strip=False)
        self.normalizer = speech_normalizer_of(o.normalizer)

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return the rate, and the counts as they are."""
        rate = scores_of(engine.kernel.error_rates(rows.values), rows)[0]
        return {"cer": rate, **{name: rows[name] for name in COUNTS}}


_EXPLANATION: Explanation = Explanation(
    "CER",
    "How many edits per character of the reference turn the reference into the prediction?",
    (
        "An edit substitutes, deletes or inserts a character.",
        "CER is the number of edits divided by the number of characters in the references, both summed over all "
        "segments. 0 means that every character is right; it can exceed 1. Lower is better.",
    ),
    "White space counts unless `whitespace=False`, and an accent written as a character of its own is one more edit.",
)
Cer = accumulator_of(CerMetric)
cer = one_call(Cer)
