"""`bleurt.score`: BLEURT of candidates with their references."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from ...checks import fail, shown
from ...measures.bleurt import Bleurt, bleurt
from .. import rest_when_asked

__all__ = ["BleurtScorer", "LengthBatchingBleurtScorer"]

__getattr__ = rest_when_asked("bleurt.score")


class BleurtScorer:
    """BLEURT under one checkpoint, `textgauge.bleurt` per segment with ``gelu="tanh"``, as Google's program computes.

    Parameters
    ----------
    checkpoint : str or path
        A folder with a checkpoint in PyTorch, or a published name such as "BLEURT-20". The test checkpoint that comes
        with Google's program, which takes it for None, is not here.
    predict_fn : None
        Functions of TensorFlow are not here.

    Raises
    ------
    TypeError
        Without a checkpoint, or for a `predict_fn`.

    Examples
    --------
    >>> BleurtScorer()
    Traceback (most recent call last):
        ...
    TypeError: checkpoint: expected a folder, or a published name such as 'BLEURT-20', got None (NoneType)
    """

    def __init__(self, checkpoint: str | os.PathLike[str] | None = None, predict_fn: Any = None) -> None:
        if predict_fn is not None:
            fail(TypeError, "predict_fn", "None, since TensorFlow is not used", shown(predict_fn))
        if not isinstance(checkpoint, (str, os.PathLike)) or not os.fspath(checkpoint):
            fail(TypeError, "checkpoint", "a folder, or a published name such as 'BLEURT-20'", shown(checkpoint))
        self._options: dict[str, Any] = {"model_id": checkpoint, "gelu": "tanh"}
        # As there, the checkpoint is read now.
        metric: Any = Bleurt(**self._options).metric
        metric.model()

    def score(
        self, *args: Any, references: Iterable[str] = (), candidates: Iterable[str] = (), batch_size: int | None = None
    ) -> list[float]:
        """Return the score of every candidate.

        Parameters
        ----------
        references, candidates : list of str
            By name, since Google's program has had them in either order.
        batch_size : int, optional
            How many tokens are read at once: 32 times as many.

        Raises
        ------
        TypeError
            For arguments without names.
        ValueError
            For columns of different lengths.
        """
        if args:
            fail(TypeError, "score", "`references` and `candidates` by name", "arguments without names")
        references, candidates = list(references), list(candidates)
        if not references and not candidates:
            return []
        options = self._options if batch_size is None else {**self._options, "batch_size": batch_size}
        scores: list[float] = bleurt(candidates, references, **options, per_segment=True)["segment_bleurt"]
        return [float(score) for score in scores]


class LengthBatchingBleurtScorer(BleurtScorer):
    """The same: texts of one length are always in one batch."""
