"""Perplexity of pasted texts: the surprise of every word under n-grams, of every text under a language model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..checks import fail
from ..measures.ngram_model import NgramModel
from ..report.content import Fact
from ..report.marks import Mark, Piece
from ..report.pages import result_part
from ..text import NOWHERE, token_places
from .scoring import MOST_SHOWN, noted

# Bits from which a word is marked one level stronger.
BITS = (3, 6, 9, 12)
LEGEND = tuple(Mark(level, False, f"{bits} bits of surprise or more") for level, bits in enumerate(BITS, 1))


def surprise_of(face: Any, texts: Sequence[str], learned: Sequence[str], options: Mapping[str, Any]) -> str:
    """Score texts with the loaded module of perplexity and return the result as HTML."""
    model_id = options["model_id"].strip()
    if bool(model_id) == bool(learned):
        got = "both" if learned else "neither"
        fail(ValueError, "Language model", "its name, or else texts to learn from", got)
    model = None if model_id else NgramModel(options["order"], options["smoothing"]).fit(list(learned))
    chosen = {"model_id": model_id} if model is None else {"model": model}
    result, notes = noted(lambda: face.compute(predictions=list(texts), **chosen))
    scores = [-1.0 if value is None else value for value in result["perplexities"]]
    worst = sorted(range(len(texts)), key=lambda i: -scores[i])[:MOST_SHOWN]
    segments = [
        {
            "number": i + 1,
            "score": "no token" if scores[i] < 0 else f"{scores[i]:.2f}",
            "prediction": [Piece(texts[i], 0, False)] if model is None else _pieces(model, texts[i]),
            "references": [],
            "best": None,
        }
        for i in worst
    ]
    return result_part(
        score="perplexity of all texts together", headline=result["corpus_perplexity"], facts=_facts(result),
        bars=None, notes=notes, legend=() if model is None else LEGEND, segments=segments, n_segments=len(texts),
        order="the most surprising first",
    )  # fmt: skip


def _facts(result: Mapping[str, Any]) -> list[Fact]:
    shown = {"mean of the texts' own": "mean_perplexity", "bits per token": "bits_per_token"}
    shown |= {"bits per word": "bits_per_word", "bits per byte": "bits_per_byte"}
    facts = [Fact(label, f"{result[key]:.4f}") for label, key in shown.items() if result.get(key) is not None]
    return [*facts, Fact("tokens", f"{result['n_tokens']:,}")]


def _pieces(model: NgramModel, text: str) -> list[Piece]:
    """Mark every word by its surprise; the end mark stands nowhere."""
    [log_probs] = model.log_probs([text])
    pieces, at = [], 0
    places = token_places(text, model.tokenizer.unstemmed(text))
    for (start, end), log_prob in zip(places, log_probs, strict=False):
        if (start, end) == NOWHERE:
            continue
        level = sum(-log_prob / math.log(2) >= bits for bits in BITS)
        pieces += [Piece(text[at:start], 0, False), Piece(text[start:end], level, False)]
        at = end
    return [piece for piece in (*pieces, Piece(text[at:], 0, False)) if piece.text]
