"""The calculation of BLEU, step by step; and what of a text it counts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any

from ..input.columns import Corpus
from ..measures.bleu import SMOOTHINGS, BleuFormula, BleuMetric, SmoothingName
from ..metric.layout import Rows
from .alignment import aligned_with_all, placed_texts
from .derivation import Derivation, Step, amount, figure, matched_ngrams, part_of, written
from .explainer import Explainer
from .marks import Marks


class BleuExplainer(Explainer):
    """Explains the scores of `BleuMetric`."""

    metric: BleuMetric

    def marks(self, key: str) -> Marks:  # noqa: ARG002
        """Mark n-grams of all orders, longer ones more strongly."""
        tokenizer, order = self.metric.counter.tokenizer, self.metric.options.max_order
        return Marks.of_orders(order, partial(aligned_with_all, tokenizer=tokenizer, orders=order))

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show the precision of every order, the penalty, and their product."""
        metric, options, examples, which = self.metric, self.metric.options, None, ""
        order = int(key.removeprefix("bleu")) if key.removeprefix("bleu").isdigit() else options.max_order
        if segment is not None:
            tokenizer = metric.counter.tokenizer
            which = options.reference_length or "closest" if len(segment.references) > 1 else ""
            [[hypothesis, *references]] = placed_texts(segment, tokenizer.cut(segment), tokenizer)
            examples = [matched_ngrams(hypothesis, references, n) for n in range(1, order + 1)]
        formula = replace(metric.bleu_formula, max_order=order)
        steps = BleuDerivation(rows, formula, metric.about.explain(key).title, metric.scores.top)
        return steps.whole(examples, which)


_LENGTHS = ("translation_length", "reference_length")
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
        steps = (
            *self._precisions(examples),
            Step("length", (f"{length} against {reference}",), power, penalty, None, f"{about} (brevity penalty)"),
            Step("mean", (), product, mean, None, "the geometric mean of these shares"),
            Step(
                self.title,
                (),
                f"{self._percent}{figure(penalty, is_counted=False)} × {figure(mean, is_counted=False)}",
                score,
            ),
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
            how = "" if not is_smoothed else "taken as" if name == "none" else f"smoothed ({name})"
            halved = _halved(matches, total, precision, name) if is_smoothed else ""
            value = precision if is_smoothed else None
            meaning = {1: _FIRST, 2: _LONGER}.get(n, _HALVES if halved else "") if weight else "left out"
            listed, rest = (None, ()) if examples is None else examples[n - 1]
            how = f"{how}: {halved}" if halved else how
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
