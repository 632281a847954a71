"""The calculation of perplexity, token by token."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..arrays import IntArray
from ..input.columns import Corpus
from ..measures.perplexity import PerplexityMetric
from ..metric.layout import Rows
from .alignment import Alignment
from .derivation import Derivation, Step, figure
from .explainer import Explainer
from .marks import Mark, Marks, Match


def _surprises_of(text: str, found: Sequence[tuple[int, int, float]], nll: float) -> tuple[str, ...]:
    """Return the tokens of a text with their bits; what is left of the sum is of those without a place in it."""
    listed = [f"{text[start:end] or '(end of the text)'} {bits:.1f}" for start, end, bits in found]
    rest = nll / math.log(2) - math.fsum(bits for *_, bits in found)
    return (*listed, *([f"(not in the text) {rest:.1f}"] if rest >= 0.05 else []))


def _steps_to(
    title: str, nll: float, n_tokens: float, score: float, surprises: tuple[str, ...] | None
) -> tuple[Step, ...]:
    """Return the calculation of a perplexity; `surprises` are the tokens with their bits, None for several texts."""
    steps = [] if surprises is None else [Step("surprise", examples=surprises, meaning=_BITS_MEANING)]
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


_BITS_MEANING = (
    "bits of every token, −log2 of the probability that the model gave it: 1 bit is a toss of a coin, 10 bits one in "
    "a thousand"
)
_MEANING = "so many equally likely tokens would surprise as much: lower is better"
# A token is marked one level stronger from each of these bits of surprise on.
_BITS = (3, 6, 9, 12)
_LEGEND = tuple(Mark(level, False, f"{bits} bits of surprise or more") for level, bits in enumerate(_BITS, 1))


class PerplexityExplainer(Explainer):
    """Explains the scores of `PerplexityMetric`."""

    metric: PerplexityMetric

    def marks(self, key: str) -> Marks:  # noqa: ARG002
        """Mark tokens by their surprise in bits."""
        levels = tuple((float(bits), level) for level, bits in enumerate(_BITS, 1))
        verb = f"surprise by {_BITS[0]} bits or more"
        return Marks(self._align, levels, _BITS[0], _LEGEND, verb)

    def sizes(self, corpus: Corpus) -> tuple[IntArray, IntArray]:
        """Return the number of the model's tokens of every prediction; references have none."""
        return self.metric.counter.rows(corpus, None)["n_tokens"], np.zeros(0, np.int64)

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the surprise of every token, their sum, and exp of their mean."""
        title, score = self.metric.about.explain(key).title, float(self.metric.formula(rows)[key])
        nll, listed = float(rows["nll"]), None
        if segment is not None:
            listed = _surprises_of(segment.hypotheses[0], self.metric.counter.surprises(segment)[0], nll)
        return Derivation(title, _steps_to(title, nll, float(rows["n_tokens"]), score, listed))

    def _align(self, corpus: Corpus) -> list[Alignment]:
        """Return the surprising tokens as matches."""
        return [
            Alignment([Match(start, end, bits, False, False) for start, end, bits in tokens if bits >= _BITS[0]],
                      [], 0, is_alone=False)
            for tokens in self.metric.counter.surprises(corpus)
        ]  # fmt: skip
