"""What learned metrics share: a model that scores segments from their predictions, sources and references."""

from __future__ import annotations

import abc
import copy
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import numpy as np

from ..checks import fail
from ..input.columns import Corpus
from ..metric import CountedNote, Inputs, Metric, Notes, Rows, Sums
from ..models.options import LearnedOptions
from ..signatures import yes_no

if TYPE_CHECKING:
    from ..models.files import ModelFiles
    from ..models.learned import LearnedModel, ModelFamily, Reader, Scored

_Model = TypeVar("_Model", bound="LearnedModel")


def _files_of_metrics() -> dict[str, ModelFiles]:
    """Return the model files of every learned metric, by its name."""
    from ..accumulation.registry import METRICS

    all_types = {name: METRICS[name] for name in METRICS}
    return {
        name: metric_type.family().files
        for name, metric_type in all_types.items() if issubclass(metric_type, LearnedMetric)
    }  # fmt: skip


class LearnedMetric(Metric, Generic[_Model]):
    """The score of a model for every prediction with each of its references, or once without any; and their mean.

    The model is loaded with the first segments.
    """

    inputs = Inputs(("predictions", "references", "sources"), required=("predictions",), at_once=True)
    combine = "mean"
    sums = Sums(mixes=True)
    options: LearnedOptions
    # Of a call, see `fitted`: the columns that are used, and the model, unless `clear_models` freed it since.
    _used: Sequence[str] | None = None
    _model: weakref.ref[_Model] | None = None

    def prepare(self) -> None:
        """Ask the model which columns it reads."""
        self.inputs = self.inputs.with_model(self.reader)

    @staticmethod
    @abc.abstractmethod
    def family() -> ModelFamily[_Model]:
        """Return which models score, and how one is loaded; they are imported when asked for."""

    def model(self) -> _Model:
        """Return the loaded model; that of a call is looked for once."""
        model = None if self._model is None else self._model()
        return self._loaded() if model is None else model

    def _loaded(self) -> _Model:
        return self.family().load(self.options, _files_of_metrics)

    def reader(self) -> Reader:
        """Return what says which texts are read: what the options tell, or else the model."""
        return self.family().reader_of(self.options) or self.model()

    def fitted(self, corpus: Corpus) -> LearnedMetric[_Model]:
        """Return the metric for texts with these columns; raise for those that the model lacks."""
        if not len(corpus):
            return self
        # What the options tell is refused before anything is fetched.
        known = self.family().reader_of(self.options)
        used = known.used(corpus.given) if known else None
        fitted, model = copy.copy(self), self._loaded()
        fitted._used = model.used(corpus.given) if used is None else used
        fitted._model = weakref.ref(model)
        return fitted

    @property
    def identity(self) -> Mapping[str, str]:  # type: ignore[override]
        """Which model, from which file, and whether it read sources."""
        used = {} if self._used is None else {"src": yes_no("sources" in self._used)}
        return {**self.model().identity, **used}

    def notes(self) -> Notes:
        """Return a collector of empty predictions, and of texts that are cut."""
        return Notes(EmptyPredictions(self.about.title), LongInputs())

    def rows(self, corpus: Corpus, notes: Any) -> Rows:
        """Score the pairs."""
        return Rows(self.layout, self.scored(corpus, notes).scores[:, None])

    def scored(self, corpus: Corpus, notes: Any) -> Scored:
        """Return what the model says of the pairs, all of which have a score."""
        from ..models.batching import bar_of

        model, [name] = self.model(), [field.name for field in self.layout.fields]
        predictions, columns, segment_of = corpus.hypotheses, {}, np.arange(len(corpus))
        if len(corpus.references):
            segment_of = np.repeat(segment_of, np.diff(corpus.reference_offsets))
            predictions, columns["references"] = predictions.take(segment_of), corpus.references.tolist()
        if corpus.sources is not None:
            columns["sources"] = corpus.sources.take(segment_of).tolist()
        with bar_of(len(segment_of), name, 0 if self.options.verbose else None) as bar:
            scored = model.score(predictions.tolist(), columns, self.options.batch_size, bar)
        wrong = np.flatnonzero(~np.isfinite(scored.scores))
        if len(wrong):
            allowed = "a finite score from the model (dtype float32 or bfloat16 may help)"
            fail(ValueError, f"predictions[{corpus.first + segment_of[wrong[0]]}]", allowed, "NaN or infinity")
        notes.examine(corpus, ModelOutput(scored, model))
        return scored

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores."""
        return self.options.settings()

    def signature_fields(self, reports: Any = None) -> dict[str, str]:  # noqa: ARG002
        """Return nothing about the options: what made the segments names its model."""
        return {}

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return the scores of the model."""
        return {self.name: np.asarray(rows[self.name])}


# ---- what deserves a warning


class ModelOutput(NamedTuple):
    """What the notes of a learned metric receive in place of tokens: the scored segments, and the model."""

    scored: Any
    model: Any


class EmptyPredictions(CountedNote):
    """Counts predictions without text."""

    about = "empty"

    def __init__(self, title: str) -> None:
        """Take the title of the metric."""
        self._title = title

    def examine(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        """Add those of a chunk."""
        found = sum(not text or text.isspace() for text in corpus.hypotheses.tolist())
        self.tell(found, f"[prediction is|predictions are] empty; {self._title} scores such a text like any other.")


class LongInputs(CountedNote):
    """Counts texts, or segments, that were cut."""

    about = "length"

    def examine(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        """Add those of a chunk."""
        model = tokens.model
        about = f"[{model.unit} is|{model.unit}s are] longer than the {model.limit} tokens that {model.name} takes"
        self.tell(tokens.scored.n_cut, f"{about}, and [was|were] cut.")
