"""What the models of learned metrics have in common: how they are loaded, which texts they read, what they answer."""

from __future__ import annotations

import abc
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from ..arrays import FloatArray
from ..checks import fail
from .files import ModelFiles, ModelLocation, check_path, has_settings, is_of_family, locate, stamp_of
from .loading import CACHE, Devices, devices_of, torch_and_transformers
from .options import LearnedOptions


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


class Reader:
    """The columns of texts that a model reads, which may be known before the model is loaded.

    Attributes
    ----------
    name : str
        For messages and signatures.
    takes : tuple of str
        Which of sources and references it was trained with.
    needs_all : bool
        Whether it needs all of them; else one will do.
    """

    def __init__(self, name: str, takes: tuple[str, ...], *, needs_all: bool) -> None:
        """Set the name and the columns."""
        self.name, self.takes, self.needs_all = name, takes, needs_all

    def lacking(self, columns: Collection[str]) -> tuple[str, ...]:
        """Return the missing columns of texts, of which the model needs all or one; empty if it can score."""
        lacking = tuple(column for column in self.takes if column not in columns)
        return lacking if self.needs_all or len(lacking) == len(self.takes) else ()

    def used(self, columns: Collection[str]) -> tuple[str, ...]:
        """Return the columns of texts that the model scores with; raise if it needs others than `columns`."""
        lacking = self.lacking(columns)
        if lacking:
            others = "" if self.needs_all or len(lacking) == 1 else f" (or {lacking[1]})"
            fail(ValueError, lacking[0], f"a text for every prediction{others}, with which {self.name} scores", "None")
        return tuple(column for column in self.takes if column in columns)


class LearnedModel(Reader, abc.ABC):
    """A model that scores segments.

    Attributes
    ----------
    unit : str
        What is cut at `limit`: a "text", or a "segment" of a model that reads the texts of one together.
    limit : int
        The most tokens of such an input.
    identity : dict
        What a signature says of the model: its name, its commit or hash, and what else moves its scores.
    """

    unit: str
    limit: int
    identity: Mapping[str, str]

    @abc.abstractmethod
    def score(
        self, predictions: Sequence[str], columns: Mapping[str, Sequence[str]], batch_size: int | None, bar: Any = None
    ) -> Scored:
        """Score segments, every distinct one once.

        Parameters
        ----------
        predictions : sequence of str
        columns : dict
            Sources, references or both, as `used` says.
        batch_size : int or None
            A batch has at most 32 times as many tokens; None: as the device allows.
        bar : optional
            A progress bar that counts segments.
        """


_Model = TypeVar("_Model", bound=LearnedModel)


@dataclass(frozen=True)
class ModelFamily(Generic[_Model]):
    """A family of models: its files, and the function that makes a model of them.

    Attributes
    ----------
    files : ModelFiles
    extra : str
        What installs all that it needs.
    made : callable
        Makes a model from the location of its files, options, and devices.
    reader_of : callable
        Takes options, and returns the `Reader` of the model that they name; None if only its files tell what it reads.
    """

    files: ModelFiles
    extra: str
    made: Callable[[ModelLocation, Any, Devices], _Model]
    reader_of: Callable[[Any], Reader | None] = lambda options: None  # noqa: ARG005

    def load(self, options: LearnedOptions, others: Callable[[], Mapping[str, ModelFiles]] = dict) -> _Model:
        """Return a model; the last one of a family stays in memory.

        Parameters
        ----------
        options : LearnedOptions
            Those of the metric: which model, and where it is put.
        others : callable
            Returns what files other metrics score with, by their names.

        Raises
        ------
        ImportError
            If torch, transformers, or another package is missing.
        OSError
            If the model, or what it needs beside its files, cannot be found or loaded from the Hub.
        ValueError
            If the files are damaged, of another family, or have other weights than their class.
        """
        torch, _ = torch_and_transformers(self.extra)
        devices = devices_of(torch, options.device, options.device_map)
        if options.encoder is not None:
            check_path("encoder", options.encoder)
        location = locate(options.model_id, options.revision, self.files)
        if not has_settings(location, self.files):
            for metric, files in others().items():
                if files is not self.files and is_of_family(location, files):
                    got = f"{location.name}, with which the metric {metric} scores"
                    fail(ValueError, "model_id", self.files.title, got)
        folders = {Path(file).parent for file in (self.files.settings, *self.files.weights)}
        stamps = [stamp_of(str(location.folder / folder)) for folder in sorted(folders)]
        settings = {name: str(value) for name, value in options.loading().items() if value is not None}
        key = (location, sorted(settings.items()), devices.key, stamps, stamp_of(settings.get("encoder", "")))
        return CACHE.get(self.extra, key, lambda: self.made(location, options, devices))


def numbered(rows: Any) -> tuple[list[Any], list[int]]:
    """Return the distinct rows, and for every row the number of the distinct row that equals it."""
    numbers: dict[Any, int] = {}
    places = [numbers.setdefault(row, len(numbers)) for row in rows]
    return [*numbers], places
