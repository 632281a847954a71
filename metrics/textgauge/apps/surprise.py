"""Perplexity of pasted texts: the surprise of every word under n-grams, of every text under a language model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from ..checks import fail
from ..columns import known_texts, without_references
from ..measures.measure import Measure
from ..measures.ngram_model import NgramModel
from ..measures.summary import interval_in
from ..options import Options, option
from ..report.pages import result_part
from .scoring import CONFIDENCE, MOST_SHOWN, Shown, noted, number, rows_of
from .settings import Settings, inputs_of, settings_of


@dataclass(frozen=True)
class SurpriseOptions(Options):
    """The language model, or how to train an n-gram model."""

    model_id: str = option(
        "", "Name or path of a causal language model of transformers; empty: n-grams of the texts to learn from.",
        kind="text", on_page=True,
    )  # fmt: skip
    order: int = option(3, "Order of the n-gram model.", at_least=1, at_most=6, on_page=True)
    smoothing: Literal["kneser-ney", "add-k", "mle"] = option(
        "kneser-ney", "How the n-gram model gives probability to unseen n-grams.", on_page=True
    )


def settings_of_surprise(face: Any, folder: Path) -> Settings:
    """Return the settings of the page of perplexity."""
    sides = (
        ("Texts", "One text per line."),
        ("Texts to learn from", "One text per line, for the n-gram model; empty if a language model is named."),
    )
    return replace(settings_of(face, folder), inputs=inputs_of(SurpriseOptions), sides=sides)


def surprise_of(face: Any, texts: Sequence[str], learned: Sequence[str], options: Mapping[str, Any]) -> str:
    """Score texts with the loaded module of perplexity and return the result as HTML."""
    chosen = SurpriseOptions(**options)
    if bool(chosen.model_id) == bool(learned):
        got = "both" if learned else "neither"
        fail(ValueError, "Model id", "the name of a language model, or else texts to learn from", got)
    model: dict[str, Any] = {"model_id": chosen.model_id}
    if learned:
        model = {"model": NgramModel(chosen.order, chosen.smoothing).fit(list(learned))}
    asked: dict[str, Any] = {"signature": True}
    # Without smoothing a probability may be 0, and an infinite perplexity has no interval.
    if len(texts) > 1 and not (learned and chosen.smoothing == "mle"):
        asked["confidence"] = CONFIDENCE
    result, notes = noted(lambda: face.compute(predictions=list(texts), **model, **asked))
    measure = face.measure(**model)
    summary = measure.summary(result)
    line = next(line for line in summary.lines if line.is_headline)
    bounds = interval_in(result, line)
    return result_part(
        title="perplexity of all texts together", headline=number(line.values[-1]),
        interval=None if bounds is None else [number(bound) for bound in bounds], confidence=CONFIDENCE,
        columns=summary.columns, rows=rows_of(summary, line), said=[f"{result['n_tokens']:,} tokens"], notes=notes,
        signature=result["signature"], legend=measure.marking(line.key).legend,
        segments=_segments(measure, texts, result["perplexities"]), n_segments=len(texts),
        order="the most surprising first", answer=json.dumps(result, indent=2),
    )  # fmt: skip


def _segments(measure: Measure, texts: Sequence[str], perplexities: Sequence[float | None]) -> list[Shown]:
    """Return the most surprising texts, those without a token last."""
    scores = [-1.0 if value is None else value for value in perplexities]
    shown = sorted(range(len(texts)), key=lambda i: -scores[i])[:MOST_SHOWN]
    column, marking = known_texts([texts[i] for i in shown]), measure.marking(measure.headline)
    found = measure.alignments(without_references(column), measure.headline)
    return [
        Shown(
            i + 1, "no token" if scores[i] < 0 else f"{scores[i]:.2f}", marking.pieces(texts[i], one.prediction), [],
            None,
        )
        for i, one in zip(shown, found, strict=True)
    ]  # fmt: skip
