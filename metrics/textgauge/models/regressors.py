"""What the models of COMET share, read from a checkpoint: an encoder and an estimator."""

from __future__ import annotations

import abc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import FloatArray
from .batching import Batches
from .checkpoints import Checkpoint
from .estimator import Estimator
from .learned import LearnedModel, Scored
from .loading import Devices, one_thread, torch_and_transformers
from .sentences import SentenceEncoder
from .spans import Span

# Segments whose texts are in memory as vectors at once, on a processor and on an accelerator.
POOL, POOL_ON_ACCELERATOR = 2048, 1 << 14
# What is idle in every model: the weight of a loss.
_OF_TRAINING = {"wordloss.weight"}


@dataclass(frozen=True)
class Judged(Scored):
    """The scores of segments, and what was noticed.

    Attributes
    ----------
    parts : dict of float64, shape (n_segments,) each
        The scores of the inputs of a model with several, and of the error spans.
    spans : list of list of Span, or None
        The error spans of every segment; None of a model that marks none.
    n_special : int
        The number of texts that name special tokens.
    """

    n_special: int = 0
    parts: Mapping[str, FloatArray] = field(default_factory=dict)
    spans: list[list[Span]] | None = None


class Regressor(LearnedModel):
    """A model of COMET.

    Attributes
    ----------
    checkpoint : Checkpoint
        Without its weights.
    encoder : SentenceEncoder
    marks_errors : bool
        Whether it finds error spans.
    """

    marks_errors = False

    def __init__(self, checkpoint: Checkpoint, encoder: str | None, dtype: str, devices: Devices) -> None:
        """Build the model, and check that the checkpoint has its weights and no others."""
        self._torch, _ = torch_and_transformers()
        is_joint = self.unit == "segment"
        # What is read as one may lack some.
        takes = self._taken(checkpoint.settings, checkpoint.kind)
        super().__init__(checkpoint.name, takes, needs_all=not is_joint)
        self.encoder = SentenceEncoder(checkpoint, encoder, dtype, devices, is_joint=is_joint)
        self.limit = self.encoder.limit if is_joint else self.encoder.text_limit
        self._estimator = Estimator(checkpoint, self._n_vectors() * self.encoder.size, self.encoder.device)
        known = self.encoder.keys | self._estimator.keys | self._more_weights(checkpoint) | _OF_TRAINING
        checkpoint.refuse_keys((), {key for key in checkpoint.state if key not in known and not _is_idle(key)})
        self.checkpoint = checkpoint._replace(state={})
        self.identity = {
            "model": self.name,
            "revision" if checkpoint.place.commit else "sha256": checkpoint.mark,
            "dtype": dtype,
            "layers": checkpoint.settings["layer_transformation"],
        }

    @abc.abstractmethod
    def _taken(self, settings: Mapping[str, Any], kind: str) -> tuple[str, ...]:
        """Return which of sources and references a model of such settings was trained with."""

    @abc.abstractmethod
    def _n_vectors(self) -> int:
        """Return how many vectors of a segment are its features."""

    def _more_weights(self, checkpoint: Checkpoint) -> set[str]:  # noqa: ARG002
        """Take the weights that only some models have; return the names of those that they may have."""
        return set()

    def score(
        self, predictions: Sequence[str], columns: Mapping[str, Sequence[str]], batch_size: int | None, bar: Any = None
    ) -> Judged:
        """Score segments.

        Every distinct text that is not remembered, or segment of a model that joins its texts, goes through the
        encoder once.
        """
        every = [predictions, *(columns[name] for name in self.takes if name in columns)]
        with one_thread(), self._torch.inference_mode():
            return self._judged(every, self._batches(batch_size), bar)

    def _batches(self, batch_size: int | None) -> Batches:
        return Batches(self.encoder.model, batch_size)

    @abc.abstractmethod
    def _judged(self, every: list[Sequence[str]], batches: Batches, bar: Any) -> Judged:
        """Score segments, whose predictions and other texts `every` has."""


def pools(order: NDArray[np.int64], device: Any) -> list[NDArray[np.int64]]:
    """Return segments in groups of a bounded size."""
    size = POOL if device.type == "cpu" else POOL_ON_ACCELERATOR
    return [order[start : start + size] for start in range(0, len(order), size)]


def _is_idle(key: str) -> bool:
    """Return whether a key of old checkpoints, or of training, has no effect."""
    return key.endswith("position_ids") or ".pooler." in key or key.startswith("layerwise_attention.dropout_")
