"""What a short page shows: the sum that makes each score, and the marks that its texts have."""

from __future__ import annotations

from dataclasses import dataclass

from ..measures.derivation import Derivation
from ..measures.marks import Mark
from .results import Section


@dataclass(frozen=True)
class Sums:
    """The sums of one score of all systems."""

    section: Section

    @property
    def derivations(self) -> list[Derivation]:
        """The sum of every system."""
        return [system.derivation for system in self.section.systems]

    @property
    def by_segment(self) -> list[tuple[Derivation, ...]]:
        """The sums of every segment, one per system."""
        return [*zip(*(one.segments or (one,) for one in self.derivations), strict=True)]

    @property
    def marks(self) -> list[Mark]:
        """The lines of the legend for the marks that occur."""
        texts = [pieces for of_systems in self.by_segment for one in of_systems for _, pieces in one.texts]
        used = {(piece.level, piece.is_common) for pieces in texts for piece in pieces if piece.level}
        return [mark for mark in self.section.marks.legend if (mark.level, mark.is_common) in used] if used else []

    @property
    def edits(self) -> set[str]:
        """The kinds of edits that occur."""
        return {edit.kind for of_systems in self.by_segment for one in of_systems for edit in one.edits}
