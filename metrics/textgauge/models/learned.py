"""What the models of learned metrics have in common: which texts they read, and what they answer."""

from __future__ import annotations

import abc
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..arrays import FloatArray
from ..checks import fail


@dataclass(frozen=True)
class Scored:
    """The scores of segments, and how many inputs were cut.

    Attributes
    ----------
    scores : float64, shape (n_segments,)
    n_cut : int
        Of texts, or of segments, as `LearnedModel.unit` says.
    """

    scores: FloatArray
    n_cut: int


class LearnedModel(abc.ABC):
    """A model that scores segments.

    Attributes
    ----------
    name : str
        For messages and signatures.
    takes : tuple of str
        Which of sources and references it was trained with.
    needs_all : bool
        Whether it needs all of them; else one will do.
    unit : str
        What is cut at `limit`: a "text", or a "segment" of a model that reads the texts of one together.
    limit : int
        The most tokens of such an input.
    identity : dict
        What a signature says of the model: its name, its commit or hash, and what else moves its scores.
    """

    name: str
    takes: tuple[str, ...]
    needs_all: bool
    unit: str
    limit: int
    identity: Mapping[str, str]

    @abc.abstractmethod
    def score(
        self, predictions: Sequence[str], columns: Mapping[str, Sequence[str]], batch_size: int, bar: Any = None
    ) -> Scored:
        """Score segments, every distinct one once.

        Parameters
        ----------
        predictions : sequence of str
        columns : dict
            Sources, references or both, as `used` says.
        batch_size : int
            A batch has at most 32 times as many tokens.
        bar : optional
            A progress bar that counts segments.
        """

    def lacking(self, given: Collection[str]) -> tuple[str, ...]:
        """Return the columns of texts without which, or one of which, it cannot score; none if it can."""
        lacking = tuple(column for column in self.takes if column not in given)
        return lacking if self.needs_all or len(lacking) == len(self.takes) else ()

    def used(self, given: Collection[str]) -> tuple[str, ...]:
        """Return which of the given columns of texts it scores with; raise if it cannot do with these."""
        lacking = self.lacking(given)
        if lacking:
            others = "" if self.needs_all or len(lacking) == 1 else f" (or {lacking[1]})"
            fail(ValueError, lacking[0], f"a text for every prediction{others}, with which {self.name} scores", "None")
        return tuple(column for column in self.takes if column in given)


def numbered(rows: Any) -> tuple[list[Any], list[int]]:
    """Return the distinct ones of some rows, and which of these each row is."""
    numbers: dict[Any, int] = {}
    places = [numbers.setdefault(row, len(numbers)) for row in rows]
    return [*numbers], places
