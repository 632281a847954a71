"""The calculation of BERTScore, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..columns import Corpus
from ..scores.ratios import ratio
from .derivation import Derivation, Step, f_formula
from .layout import Rows

if TYPE_CHECKING:
    from .bertscore import BertScore


def bertscore_derivation(measure: BertScore, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
    """Return every token with its best match, the means of their similarities, and F1."""
    title, parts = measure.about.explain(key).title, measure.scores(rows)
    weighted = "" if measure.options.idf is False else ", weighted by idf"
    rescaled = "" if measure.options.baseline() is None else ", rescaled by the baseline"
    steps = [] if segment is None else _steps_of_tokens(measure, key, segment)
    for name, side in (("precision", "prediction"), ("recall", "reference")):
        meaning = f"mean over the tokens of the {side}{weighted}{rescaled}"
        steps += [Step(name, value=float(parts[name]), meaning=meaning)] if key in (name, "f1") else []
    if key == "f1":
        p, r = parts["precision"], parts["recall"]
        is_f = not rescaled and parts["f1"] == ratio(2 * p * r, p + r)
        formula = f_formula(p, r) if is_f else "of the best reference" + rescaled
        steps.append(Step(title, formula=formula, value=float(parts["f1"])))
    return Derivation(title, tuple(steps))


def _steps_of_tokens(measure: BertScore, key: str, segment: Corpus) -> list[Step]:
    """Return the tokens of the scored pair with their best matches."""
    [found] = measure.marks(key).align(segment)
    texts = segment.hypotheses[0], segment.references[found.best]
    sides = (
        ("prediction", found.prediction, *texts),
        ("reference", found.references[found.best], *texts[::-1]),
    )
    steps = []
    for name, matches, own, other in sides:
        joined = []
        for one in matches:
            partner = "(special)" if one.partner is None else other[slice(*one.partner)]
            joined.append(f"{own[one.start : one.end]} → {partner} {one.weight:.2f}")
        steps.append(Step(name, examples=tuple(joined), meaning="each token, its best match, and their similarity"))
    return steps
