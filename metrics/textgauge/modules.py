"""What the modules for `evaluate.load` share: checked input straight to Arrow, plain results."""

from __future__ import annotations

import abc
import inspect
from typing import Any

import evaluate
import numpy as np
import pyarrow as pa

from .checks import fail, flag, one_of, shown
from .columns import Corpus, corpus_of
from .ragged import IntArray

__all__ = ["TextMetric", "flag", "one_of"]


class TextMetric(evaluate.Metric, abc.ABC):
    """A metric of predictions against references, both of them text.

    A subclass states its options as keyword-only arguments of `_score`; each of them can
    also be given to `evaluate.load`, where it becomes the default.
    """

    writer: Any
    data: Any
    filelocks: Any
    file_paths: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Split our options from those of `evaluate`, and check them."""
        ours = self._option_names()
        known = {*inspect.signature(evaluate.EvaluationModule.__init__).parameters, *ours} - {"kwargs", "self"}
        for name in kwargs:
            if name not in known:
                fail(TypeError, name, f"an option of this metric ({', '.join(ours)})", "an unknown keyword")
        self.defaults = {name: kwargs.pop(name) for name in ours if name in kwargs}
        super().__init__(*args, **kwargs)
        self._check(**self.defaults)

    @classmethod
    def _option_names(cls) -> list[str]:
        parameters = inspect.signature(cls._score).parameters.values()
        return [p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]

    @abc.abstractmethod
    def _score(self, corpus: Corpus, **options: Any) -> dict[str, Any]:
        """Return the plain Python result."""

    @abc.abstractmethod
    def _check(self, **options: Any) -> None:
        """Raise for options that could not work."""

    def _compute(self, *, predictions: pa.ChunkedArray, references: pa.ChunkedArray, **options: Any) -> dict[str, Any]:
        """Score what was added."""
        return self._score(corpus_of(predictions, references), **{**self.defaults, **options})

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> dict[str, Any] | None:
        """Score the given segments together with those added before."""
        for name in kwargs:
            if name not in self._option_names():
                fail(TypeError, name, f"an option of this metric ({', '.join(self._option_names())})", "an unknown one")
        self._check(**{**self.defaults, **kwargs})
        if predictions is None and references is None and self.writer is None:
            fail(ValueError, "predictions", "at least one segment", "none")
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions, references=references)
        try:
            result: dict[str, Any] | None = super().compute(**kwargs)
        except BaseException:
            self._discard()
            raise
        return result

    def add_batch(self, *, predictions: Any = None, references: Any = None) -> None:
        """Add segments; what is refused leaves the segments added before as they are."""
        corpus = corpus_of(_arrow_of(predictions), _arrow_of(references))
        if len(corpus) == 0 and self.writer is None:
            fail(ValueError, "predictions", "at least one segment", "none")
        if self.writer is None:
            self.selected_feature_format = self.features[0] if isinstance(self.features, list) else self.features
            self._init_writer()
        self.writer.write_table(_table(corpus))

    def add(self, *, prediction: Any = None, reference: Any = None) -> None:
        """Add one segment."""
        if not isinstance(prediction, str):
            fail(TypeError, "prediction", "a str", shown(prediction))
        self.add_batch(predictions=[prediction], references=[reference])

    def _finalize(self) -> None:
        """Close the writer and hand the columns on as Arrow, not as Python lists."""
        super()._finalize()
        if self.data is not None:
            self.data = _ArrowColumns(self.data)

    def _discard(self) -> None:
        """Leave no file and no lock behind a failure."""
        import os

        self.data = self.writer = self.buf_writer = None
        for lock, file in zip(self.filelocks or [], self.file_paths or [], strict=True):
            if os.path.exists(file):
                os.remove(file)
            lock.release()
        self.filelocks = self.file_paths = None

    def __reduce__(self) -> Any:
        """Pickle by the way it was loaded, so that any process can load it again."""
        settings = {
            "keep_in_memory": self.keep_in_memory, "num_process": self.num_process,
            "process_id": self.process_id, "experiment_id": self.experiment_id, **self.defaults,
        }  # fmt: skip
        return _reload, (inspect.getfile(type(self)), settings)


def _reload(script: str, settings: dict[str, Any]) -> Any:
    return evaluate.load(script, **settings)


class _ArrowColumns:
    """A dataset that gives whole columns as Arrow."""

    def __init__(self, dataset: Any) -> None:
        self._table = dataset.data

    def set_format(self, **_: Any) -> None:
        """Arrow is the only format."""

    def __getitem__(self, name: str) -> pa.ChunkedArray:
        return self._table.column(name)


def _arrow_of(values: Any) -> Any:
    """Take the Arrow data of a datasets column as it is, if no selection lies over it."""
    source = getattr(values, "source", None)
    if source is not None and hasattr(source, "data") and getattr(source, "_indices", None) is None:
        return source.data.column(values.column_name)
    return list(values) if source is not None else values


def _table(corpus: Corpus) -> pa.Table:
    offsets: IntArray = corpus.reference_offsets.astype(np.int32)
    references = pa.ListArray.from_arrays(pa.array(offsets), corpus.references.cast(pa.string()))
    return pa.table({"predictions": corpus.hypotheses.cast(pa.string()), "references": references})
