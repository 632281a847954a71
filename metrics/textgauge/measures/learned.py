"""What learned metrics share: a model that scores segments from their predictions, sources and references."""

from __future__ import annotations

import abc
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from ..checks import CountWarning, fail, shown
from ..input.columns import Corpus
from ..metric import Counter, Inputs, Metric, Note, Rows, Sums
from ..models.options import check_devices
from ..options import Options, option, options_of
from ..signatures import yes_no

if TYPE_CHECKING:
    from ..models.learned import LearnedModel, Scored

# Options that change the speed alone.
_OF_SPEED = ("device", "device_map", "batch_size", "verbose")


@dataclass(frozen=True)
class LearnedOptions(Options):
    """Which model, and how it is loaded; each metric has its own defaults."""

    python_remarks = """\
The last model stays in memory and is reused while the options that name and load it, and the files of a local folder,
are the same. `textgauge.models.clear_models` drops it."""

    model_id: str | os.PathLike[str] = option("", "A model.", kind="model", on_page=True)
    encoder: str | os.PathLike[str] | None = option(None, "Its tokenizer.", kind="model")
    revision: str | None = option(
        None, "Branch, tag or commit of the model on the Hub.", kind="text", none_means="the newest"
    )
    dtype: str = option("", "Its number type.", kind="text")
    device: str | None = option(
        None, 'A torch device such as "cpu" or "cuda:1".', kind="text", none_means='"cuda" if there is one, else "cpu"'
    )
    device_map: Any = option(
        None, "Distributes the model over devices, as in `from_pretrained`; instead of `device`.", kind="python"
    )
    batch_size: int = option(64, "Number of texts of 32 tokens per forward pass; fewer longer ones.", at_least=1)
    verbose: bool = option(False, "Show the progress bar from the start, not only after three seconds.")

    def check(self) -> None:
        """Check that models are named, and are put in one place."""
        for one in options_of(type(self)):
            value = getattr(self, one.name)
            is_default = value is None and one.default is None
            if one.kind == "model" and not isinstance(value, (str, os.PathLike)) and not is_default:
                fail(TypeError, one.name, "a name or a path", shown(value))
        check_devices(self.device, self.device_map)


class LearnedCounter(Counter):
    """Scores every prediction with each of its references, or once without any."""

    def __init__(self, options: Any, used: Sequence[str] | None = None) -> None:
        """Start without the model, which is loaded with the first segments; `used` are columns, see `fitted`."""
        self.options, self._used = options, used

    @abc.abstractmethod
    def model(self) -> LearnedModel:
        """Return the loaded model."""

    def fitted(self, corpus: Corpus) -> LearnedCounter:
        """Return the counter for texts with these columns; raise for those that the model lacks."""
        return type(self)(self.options, self.model().used(corpus.given)) if len(corpus) else self

    @property
    def identity(self) -> Mapping[str, str]:  # type: ignore[override]
        """Which model, from which file, and whether it read sources."""
        used = {} if self._used is None else {"src": yes_no("sources" in self._used)}
        return {**self.model().identity, **used}

    def chunks(self, corpus: Corpus) -> Iterable[Corpus]:
        """Return all texts: the model sorts them by length."""
        return [corpus] if len(corpus) else []

    def rows(self, corpus: Corpus, notes: Any) -> Rows:
        """Score the pairs."""
        return Rows(self.layout, self.scored(corpus, notes).scores[:, None])

    def scored(self, corpus: Corpus, notes: Any) -> Scored:
        """Return what the model says of the pairs, all of which have a score."""
        from ..models.progress import bar_of

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
        notes.look(corpus, Look(scored, model))
        return scored


class LearnedMetric(Metric):
    """The score of a model, whose mean over segments is that of a corpus."""

    counter_type: ClassVar[type[LearnedCounter]]
    inputs = Inputs(("predictions", "references", "sources"), required=("predictions",))
    combine = "mean"
    sums = Sums(mixes=True)

    def counted_by(self) -> LearnedCounter:
        """Return the counter; a model says which columns it reads."""
        counter = self.counter_type(self.options)
        self.inputs = self.inputs.with_model(counter.model)
        return counter

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores."""
        left_out = {one.name for one in options_of(self.options_type) if one.of_result or one.name in _OF_SPEED}
        return {name: value for name, value in self.options.chosen().items() if name not in left_out}

    def signature_fields(self, asked: Any = None) -> dict[str, str]:  # noqa: ARG002
        """Return nothing about the options: what made the segments names its model."""
        return {}

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Return the scores of the model."""
        return {self.name: np.asarray(rows[self.name])}


# ---- what deserves a warning


class Look(NamedTuple):
    """What notes are shown in the place of tokens: what was scored, or its like, and the model."""

    scored: Any
    model: Any


class CountedNote(Note):
    """Counts something over the chunks of a call, and tells it."""

    count = 0

    def tell(self, found: int, text: str) -> None:
        """Add to the count."""
        self.count += found
        if self.count:
            self.advice = CountWarning(self.count, text)


class EmptyPredictions(CountedNote):
    """Counts predictions without text."""

    about = "empty"

    def __init__(self, title: str) -> None:
        """Take the title of the metric."""
        self._title = title

    def look(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        """Add those of a chunk."""
        found = sum(not text or text.isspace() for text in corpus.hypotheses.tolist())
        self.tell(found, f"[prediction is|predictions are] empty; {self._title} scores such a text like any other.")


class LongInputs(CountedNote):
    """Counts texts, or segments, that were cut."""

    about = "length"

    def look(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        """Add those of a chunk."""
        model = tokens.model
        about = f"[{model.unit} is|{model.unit}s are] longer than the {model.limit} tokens that {model.name} takes"
        self.tell(tokens.scored.n_cut, f"{about}, and [was|were] cut.")
