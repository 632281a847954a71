"""Texts with their marks, as data for the page's script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..measures.alignment import Alignment
from ..measures.marks import Marks, Piece


def marked_texts(marks: Marks, hypothesis: str, references: Sequence[str], alignment: Alignment) -> dict[str, Any]:
    """Return a prediction and its references, and how many tokens count."""
    return {
        "matched": sum(map(marks.is_counted, alignment.prediction)),
        "text": _flat(marks.pieces(hypothesis, alignment.prediction)),
        "references": [
            _flat(marks.pieces(text, matches)) for text, matches in zip(references, alignment.references, strict=True)
        ],
        "best": alignment.best if alignment.is_alone else None,
    }


def _flat(pieces: Sequence[Piece]) -> list[Any]:
    marks = (2 * piece.level + piece.is_common for piece in pieces)
    return [
        part for piece, mark in zip(pieces, marks, strict=True)
        for part in (piece.text, mark if piece.joined is None else [mark, *piece.joined, f"{piece.weight:.2f}"])
    ]  # fmt: skip
