"""From the statistics of perplexity to a result."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..arrays import FloatArray
from ..checks import CountWarning, counted, fail, warn_user
from ..resampling import BootstrapOptions, bootstrap_interval
from ..scores.perplexity import perplexity_score
from .derivation import Step, figure


def plain_result(statistics: FloatArray, pooled: FloatArray, *, is_sum: bool = False) -> dict[str, Any]:
    """Return the figures of every result, as Python numbers."""
    by_segment, corpus = perplexity_score(statistics).perplexity, perplexity_score(pooled)
    has_tokens = statistics[:, 1] > 0
    if not has_tokens.all() and not is_sum:
        about = (
            "[text has|texts have] no token to score: [its|their] perplexity is None and mean_perplexity excludes "
            "[it|them]; remove empty texts, or score with a start token."
        )
        warn_user(CountWarning(int(np.count_nonzero(~has_tokens)), about))
    result: dict[str, Any] = {
        "perplexities": [
            value if known else None for value, known in zip(by_segment.tolist(), has_tokens, strict=True)
        ],
        "mean_perplexity": float(by_segment[has_tokens].mean()),
        "corpus_perplexity": float(corpus.perplexity),
        "nll": float(pooled[0]),
        "n_tokens": int(pooled[1]),
        "bits_per_token": float(corpus.bits_per_token),
    }
    if pooled[2] > 0:
        result["bits_per_byte"] = float(corpus.bits_per_byte)
    if pooled[3] > 0:
        result["bits_per_word"] = float(corpus.bits_per_word)
    return result


def corpus_interval(statistics: FloatArray, options: BootstrapOptions) -> list[float]:
    """Return the bounds of the corpus perplexity, from resamples of the segments with tokens."""
    columns = statistics[statistics[:, 1] > 0, :2]
    endless = int(np.count_nonzero(np.isinf(columns[:, 0])))
    if endless:
        got = f"{counted(endless, 'segment')} with such tokens"
        fail(ValueError, "confidence", "None with tokens of probability 0", got)
    per_token = bootstrap_interval(columns, lambda sums: sums[..., 0] / sums[..., 1], options)
    with np.errstate(over="ignore"):
        # exp is monotone, so percentiles stay percentiles; the logarithms are always finite.
        bounds: list[float] = np.exp(per_token).tolist()
    return bounds


def surprises_of(text: str, found: Sequence[tuple[int, int, float]], nll: float) -> tuple[str, ...]:
    """Return the tokens of a text with their bits; what is left of the sum is of those without a place in it."""
    listed = [f"{text[start:end] or '(end of the text)'} {bits:.1f}" for start, end, bits in found]
    rest = nll / math.log(2) - math.fsum(bits for *_, bits in found)
    return (*listed, *([f"(not in the text) {rest:.1f}"] if rest >= 0.05 else []))


def steps_to(
    title: str, nll: float, n_tokens: float, score: float, surprises: tuple[str, ...] | None
) -> tuple[Step, ...]:
    """Return the sum that makes a perplexity; `surprises` are the tokens with their bits, None for several texts."""
    steps = [] if surprises is None else [Step("surprise", examples=surprises, meaning=_BITS)]
    bits = nll / math.log(2)
    mean = bits / n_tokens if n_tokens else math.nan
    return (
        *steps,
        Step(
            "sum",
            (f"{figure(bits)} bit{'' if bits == 1 else 's'}",),
            meaning=f"{figure(nll)} nats, which are bits × ln 2",
        ),
        Step("tokens", (figure(n_tokens),), meaning="those that the model scores, such as the end of the text, too"),
        Step("mean", (), f"{figure(bits)} / {figure(n_tokens)}", mean, meaning="bits per token"),
        Step(title, (), f"2^{figure(mean)}", score, meaning=_MEANING),
    )


_BITS = (
    "bits of every token, −log2 of the probability that the model gave it: 1 bit is a toss of a coin, 10 bits one in "
    "a thousand"
)
_MEANING = "so many equally likely tokens would surprise as much: lower is better"
