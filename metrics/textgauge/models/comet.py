"""The models of COMET: estimators that embed every text alone, models that read the texts of a segment as one."""

from __future__ import annotations

import abc
import copy
import os
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..arrays import FloatArray
from ..checks import fail, shown
from .batching import Batches, on_device, one_behind
from .checkpoints import FILES, Checkpoint, read_checkpoint
from .files import ModelLocation
from .learned import LearnedModel, ModelFamily, Scored, numbered
from .loading import Devices, linear_of, one_thread, torch_and_transformers
from .sentence_vectors import JoinedTexts, SentenceEncoder
from .spans import Span, mqm_score, spans_of

_PREFIX = "estimator.ff."
# By their names in checkpoints, where capital letters do not count.
_ACTIVATIONS = ("Tanh", "Sigmoid", "Identity", "Hardtanh", "Hardsigmoid", "Softplus", "Softsign", "Tanhshrink", "Mish")


class Estimator:
    """Linear layers with an activation after each.

    Attributes
    ----------
    keys : set of str
        The names of its weights in the checkpoint.
    """

    def __init__(self, checkpoint: Checkpoint, n_features: int, device: Any) -> None:
        """Take the layers of a checkpoint, which must fit each other and the features."""
        torch, _ = torch_and_transformers()
        state, settings = checkpoint.state, checkpoint.settings
        places = {key.removeprefix(_PREFIX).partition(".")[0] for key in state if key.startswith(_PREFIX)}
        numbers = sorted(int(key) for key in places if key.isdecimal())
        self.keys = {f"{_PREFIX}{i}.{part}" for i in numbers for part in ("weight", "bias")}
        checkpoint.refuse_keys((self.keys or {f"{_PREFIX}0.weight"}) - state.keys(), ())
        self._layers = [
            [state[f"{_PREFIX}{i}.{part}"].to(device, torch.float32) for part in ("weight", "bias")] for i in numbers
        ]
        shapes = [[*weight.shape] for weight, _ in self._layers]
        sizes = [n_features, *(shape[0] for shape in shapes[:-1])]
        if [shape[-1] for shape in shapes] != sizes or shapes[-1][0] != 1:
            checkpoint.refuse(f"an estimator of {n_features} features", shown(shapes))
        between = _activation(torch, checkpoint, "activations", settings["activations"])
        last = _activation(torch, checkpoint, "final_activation", settings["final_activation"] or "Identity")
        self._activations = [between] * (len(numbers) - 1) + [last]
        self._linear = linear_of(device)

    def __call__(self, features: Any) -> Any:
        """Return the score of every row: a tensor on the device, float32, shape (n_rows,)."""
        for (weight, bias), activation in zip(self._layers, self._activations, strict=True):
            features = activation(self._linear(features, weight, bias))
        return features[:, 0]


def _activation(torch: Any, checkpoint: Checkpoint, key: str, name: str) -> Callable[[Any], Any]:
    if name.title() not in _ACTIVATIONS:
        checkpoint.refuse(f"{key} of {', '.join(_ACTIVATIONS)}", shown(name))
    module: Callable[[Any], Any] = getattr(torch.nn, name.title())()
    return module


# Bytes of the texts and of their vectors.
REMEMBERED = 64_000_000


class EmbeddedText(NamedTuple):
    """A text that was embedded, shape (size,); whether it was cut, and whether it names special tokens."""

    vector: Any
    is_long: bool
    is_special: bool


class HasVector(Protocol):
    """What is known of a text, with its vector."""

    @property
    def vector(self) -> Any:
        """Shape (size,)."""


# A text, or one with what tells how it was embedded, such as whether alone, without the context before it.
_Key = TypeVar("_Key", str, tuple[str, bool])
_Known = TypeVar("_Known", bound=HasVector)


class Memory(Generic[_Key, _Known]):
    """The texts that were embedded last, of at most `REMEMBERED` bytes."""

    def __init__(self) -> None:
        """Start empty."""
        self._known: OrderedDict[_Key, _Known] = OrderedDict()
        self._n_bytes = 0

    def __contains__(self, key: _Key) -> bool:
        """Whether a text is remembered."""
        return key in self._known

    def recalled(self, key: _Key) -> _Known:
        """Return an embedded text, and mark the text as the most recently used."""
        self._known.move_to_end(key)
        return self._known[key]

    def keep(self, key: _Key, known: _Known) -> None:
        """Add a text, and forget the least recently used texts beyond the limit of memory."""
        self._known[key] = known
        self._n_bytes += _n_bytes(key, known)
        while self._n_bytes > REMEMBERED:
            self._n_bytes -= _n_bytes(*self._known.popitem(last=False))


def _n_bytes(key: str | tuple[str, bool], known: HasVector) -> int:
    return sys.getsizeof(key if isinstance(key, str) else key[0]) + int(known.vector.nbytes)


# Segments whose texts are in memory as vectors at once, on a processor and on an accelerator.
POOL, POOL_ON_ACCELERATOR = 2048, 1 << 14
# What has no effect in any model: the weight of a loss.
_OF_TRAINING = {"wordloss.weight"}


@dataclass(frozen=True)
class CometScores(Scored):
    """The scores of segments, their error spans, and the numbers of texts to warn of.

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
    leaves_out_context : bool
        Whether a text is the mean of its last sentence alone, which the encoder read behind its context.
    """

    marks_errors = False
    leaves_out_context = False

    @property
    def separator(self) -> str:
        """What stands between the sentences of a text."""
        return str(self.encoder.tokenizer.sep_token)

    def __init__(self, checkpoint: Checkpoint, encoder: str | None, dtype: str, devices: Devices) -> None:
        """Build the model, and check that the checkpoint has its weights and no others."""
        self._torch, _ = torch_and_transformers()
        is_joint = self.unit == "segment"
        # What is read as one may lack some.
        takes = self._taken(checkpoint.settings, checkpoint.class_name)
        super().__init__(checkpoint.name, takes, needs_all=not is_joint)
        self.encoder = SentenceEncoder(checkpoint, encoder, dtype, devices, is_joint=is_joint)
        self.limit = self.encoder.limit if is_joint else self.encoder.text_limit
        self._estimator = Estimator(checkpoint, self._n_vectors() * self.encoder.size, self.encoder.device)
        known = self.encoder.keys | self._estimator.keys | self._more_weights(checkpoint) | _OF_TRAINING
        checkpoint.refuse_keys((), {key for key in checkpoint.state if key not in known and not _is_idle(key)})
        self.checkpoint = checkpoint._replace(state={})
        self.identity = {
            **checkpoint.location.identity([checkpoint.file]),
            "dtype": dtype,
            "layers": checkpoint.settings["layer_transformation"],
        }

    @abc.abstractmethod
    def _taken(self, settings: Mapping[str, Any], class_name: str) -> tuple[str, ...]:
        """Return which of sources and references a model of such settings was trained with."""

    def without_context(self) -> Regressor:
        """Return the same model, with the same memory, of texts that stand behind their context."""
        allowed = f"False, since {self.name} has no form for texts in context"
        fail(ValueError, "enable_context", f"{allowed}: its vectors are no means of tokens", "True")

    @abc.abstractmethod
    def _n_vectors(self) -> int:
        """Return how many vectors of a segment are its features."""

    def _more_weights(self, checkpoint: Checkpoint) -> set[str]:  # noqa: ARG002
        """Take the weights that only some models have; return the names of those that they may have."""
        return set()

    def score(
        self, predictions: Sequence[str], columns: Mapping[str, Sequence[str]], batch_size: int | None, bar: Any = None
    ) -> CometScores:
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
    def _judged(self, every: list[Sequence[str]], batches: Batches, bar: Any) -> CometScores:
        """Score segments; `every` has the predictions, then each other column."""


def pools(order: NDArray[np.int64], device: Any) -> list[NDArray[np.int64]]:
    """Return segments in groups of a bounded size."""
    size = POOL if device.type == "cpu" else POOL_ON_ACCELERATOR
    return [order[start : start + size] for start in range(0, len(order), size)]


def _is_idle(key: str) -> bool:
    """Return whether a key of old checkpoints, or of training, has no effect."""
    return key.endswith("position_ids") or ".pooler." in key or key.startswith("layerwise_attention.dropout_")


# Segments that one step of the estimator takes, on a processor and on an accelerator.
ROWS, ROWS_ON_ACCELERATOR = 256, 1 << 13


class Embedded(NamedTuple):
    """Texts as vectors.

    Attributes
    ----------
    vectors : tensor, shape (n_distinct_texts, size)
    places : int64, shape (n_texts,)
        Which vector each text has.
    n_cut, n_special : int
        As in `CometScores`.
    """

    vectors: Any
    places: NDArray[np.int64]
    n_cut: int
    n_special: int


class RegressionMetric(Regressor):
    """A model that embeds every text alone, once, and remembers those that came last."""

    unit = "text"

    def __init__(self, *arguments: Any) -> None:
        """Build the model."""
        super().__init__(*arguments)
        self._memory = Memory[tuple[str, bool], EmbeddedText]()

    def _taken(self, settings: Mapping[str, Any], class_name: str) -> tuple[str, ...]:  # noqa: ARG002
        return ("sources",) if class_name.startswith("referenceless") else ("sources", "references")

    def _n_vectors(self) -> int:
        return 2 + 2 * len(self.takes)

    def without_context(self) -> RegressionMetric:
        """Return the same model, with the same memory, of texts that stand behind their context."""
        if not self.encoder.is_mean:
            super().without_context()
        model = copy.copy(self)
        model.leaves_out_context, model.identity = True, {**self.identity, "context": "yes"}
        return model

    def _judged(self, every: list[Sequence[str]], batches: Batches, bar: Any) -> CometScores:
        texts, places_of = numbered(text for side in every for text in side)
        sides = np.array(places_of, np.int64).reshape(len(every), -1)
        scores, is_cut, is_special = np.empty(sides.shape[1]), *np.zeros((2, len(texts)), bool)

        def scored() -> Iterator[tuple[NDArray[np.int64], Any]]:
            # Segments with the same source and reference follow each other, so that these are remembered when needed.
            for pool in pools(np.lexsort(sides[:0:-1]), self.encoder.device):
                numbers, places = np.unique(sides[:, pool], return_inverse=True)
                known = self._known([texts[i] for i in numbers.tolist()], batches)
                is_cut[numbers] = [text.is_long for text in known]
                is_special[numbers] = [text.is_special for text in known]
                vectors = self._torch.stack([text.vector for text in known])
                yield pool, self._scores(vectors, places.reshape(len(sides), -1))

        for pool, of_pool in one_behind(scored()):
            scores[pool] = of_pool.cpu().numpy()
            if bar is not None:
                bar.update(len(pool))
        return CometScores(scores, int(is_cut.sum()), int(is_special.sum()))

    def _known(self, texts: Sequence[str], batches: Batches) -> list[EmbeddedText]:
        """Return the vectors of distinct texts, which are remembered."""
        alone = self.leaves_out_context
        known = {text: self._memory.recalled((text, alone)) for text in texts if (text, alone) in self._memory}
        new = [text for text in texts if text not in known]
        cut = self.encoder.cut(new)
        # A view would keep all vectors of its pool in memory.
        vectors = map(self._torch.clone, self._vectors(cut.ids, batches).unbind())
        special = [self.encoder.names_special(ids, has_context=alone) for ids in cut.ids]
        known |= zip(new, map(EmbeddedText, vectors, cut.is_long, special), strict=True)
        for text in new:
            self._memory.keep((text, alone), known[text])
        return [known[text] for text in texts]

    def _vectors(self, sequences: list[list[int]], batches: Batches) -> Any:
        out = self._torch.empty((len(sequences), self.encoder.size), device=self.encoder.device)

        def step(rows: NDArray[np.int64], batch: Any) -> None:
            out[on_device(rows, out.device)] = self.encoder.pooled(
                batch, leaves_out_context=self.leaves_out_context
            ).vectors

        batches.run(sequences, self.encoder.tokenizer.pad_token_id, step)
        return out

    def _scores(self, vectors: Any, sides: NDArray[np.int64]) -> Any:
        """Return the scores of segments on the device; `sides`, shape (n_sides, n_segments), says their vectors."""
        torch, n_rows = self._torch, ROWS if vectors.device.type == "cpu" else ROWS_ON_ACCELERATOR
        steps = [on_device(sides[:, at : at + n_rows], vectors.device) for at in range(0, sides.shape[1], n_rows)]
        return torch.cat([self._estimator(_features(torch, *(vectors[side] for side in step))) for step in steps])

    def embedded(self, texts: Sequence[str], batch_size: int | None) -> Embedded:
        """Embed texts, each distinct one once."""
        distinct, places = numbered(texts)
        with one_thread(), self._torch.inference_mode():
            known = self._known(distinct, self._batches(batch_size))
            vectors = self._torch.stack([text.vector for text in known])
        n_cut, n_special = sum(text.is_long for text in known), sum(text.is_special for text in known)
        return Embedded(vectors, np.array(places, np.int64), n_cut, n_special)

    def crossed(
        self, vectors: Any, predictions: NDArray[np.int64], sources: NDArray[np.int64], references: NDArray[np.int64]
    ) -> FloatArray:
        """Score every prediction, which has a source, against every reference.

        Parameters
        ----------
        vectors : tensor, shape (n_texts, size)
        predictions, sources : int64, shape (n,)
            Which vectors they have.
        references : int64, shape (m,)

        Returns
        -------
        float64, shape (n, m)
        """
        pairs = np.arange(len(predictions) * len(references))
        row, column = np.divmod(pairs, max(len(references), 1))
        with one_thread(), self._torch.inference_mode():
            scores = self._scores(vectors, np.stack((predictions[row], sources[row], references[column])))
            return np.asarray(scores.cpu().numpy(), np.float64).reshape(len(predictions), len(references))


def _features(torch: Any, prediction: Any, source: Any, reference: Any = None) -> Any:
    of_source = [prediction * source, (prediction - source).abs()]
    if reference is None:
        return torch.cat([prediction, source, *of_source], 1)
    of_reference = [prediction * reference, (prediction - reference).abs()]
    return torch.cat([prediction, reference, *of_reference, *of_source], 1)


# Numbers of segments, and the probabilities of the tags of their tokens.
_Tags = tuple[NDArray[np.int64], Any]
_COLUMNS = {"src": "sources", "ref": "references"}
_TAGGER = ("hidden2tag.weight", "hidden2tag.bias")
# The share of each input of XCOMET in its score, then that of the spans; and in the probabilities of tags.
_SHARES, _SHARE_OF_SPANS = (0.12, 0.33, 0.33), 0.22
_SHARES_OF_TAGS = (0.1667, 0.3333, 0.5)


class UnifiedMetric(Regressor):
    """A model that reads the texts of a segment as one input, for which some of the columns it takes are enough."""

    unit = "segment"

    def _taken(self, settings: Mapping[str, Any], class_name: str) -> tuple[str, ...]:  # noqa: ARG002
        return tuple(_COLUMNS[side] for side in ("src", "ref") if side in settings["input_segments"])

    def _n_vectors(self) -> int:
        return 1

    def _more_weights(self, checkpoint: Checkpoint) -> set[str]:
        """Take the tagger of a model that marks errors."""
        self.marks_errors = checkpoint.settings["word_level_training"] is True
        if self.marks_errors:
            checkpoint.refuse_keys(set(_TAGGER) - checkpoint.state.keys(), ())
            tagger = [checkpoint.state[key] for key in _TAGGER]
            expected = [len(checkpoint.settings["error_labels"]) + 1, self.encoder.size]
            if [*tagger[0].shape] != expected:
                checkpoint.refuse(f"{_TAGGER[0]} of shape {expected}", shown([*tagger[0].shape]))
            self._tagger = [tensor.to(self.encoder.device, self._torch.float32) for tensor in tagger]
        return {*_TAGGER}

    def _judged(self, every: list[Sequence[str]], batches: Batches, bar: Any) -> CometScores:
        distinct, places = numbered(zip(*every, strict=True))
        orders = _orders(len(every))
        runs = np.empty((len(orders), len(distinct)))
        spans: list[list[Span]] = []
        n_cut = n_special = 0

        def scored() -> Iterator[tuple[NDArray[np.int64], Sequence[str], JoinedTexts, list[tuple[Any, list[_Tags]]]]]:
            for pool in pools(np.arange(len(distinct)), self.encoder.device):
                sides = [*zip(*(distinct[i] for i in pool.tolist()), strict=True)]
                cut = self.encoder.joined(sides, orders)
                yield pool, sides[0], cut, [self._scores(sequences, cut.first, batches) for sequences in cut.orders]

        for pool, predictions, cut, of_runs in one_behind(scored()):
            n_cut, n_special = n_cut + cut.n_long, n_special + cut.n_special
            for run, (scores, _) in zip(runs, of_runs, strict=True):
                run[pool] = scores.cpu().numpy()
            if self.marks_errors:
                spans += self._spans(predictions, cut, [tags for _, tags in of_runs])
            if bar is not None:
                bar.update(len(pool))
        return self._combined(runs, spans, np.array(places, np.int64), n_cut, n_special)

    def _spans(self, predictions: Sequence[str], cut: JoinedTexts, tags: list[list[_Tags]]) -> list[list[Span]]:
        labels, encoder = self.checkpoint.settings["error_labels"], self.encoder
        shares = _SHARES_OF_TAGS if len(cut.orders) > 1 else (1.0,)
        # By segment, the probabilities of each run.
        runs: list[list[Any]] = [[] for _ in predictions]
        for of_run in tags:
            for rows, batch in of_run:
                for row, tags_of_row in zip(rows.tolist(), batch.cpu(), strict=True):
                    runs[row].append(tags_of_row)
        spans = []
        for i, (ids, places) in enumerate(zip(cut.orders[0], encoder.places(predictions), strict=True)):
            n = min(len(places), *(len(order[i]) for order in cut.orders))
            probabilities = sum(share * tags_of_run[:n] for share, tags_of_run in zip(shares, runs[i], strict=True))
            spans.append(spans_of(encoder.tokenizer, ids, places, probabilities, labels))
        return spans

    def _scores(
        self, sequences: list[list[int]], first: list[int], batches: Batches
    ) -> tuple[Any, list[_Tags]]:  # fmt: skip
        """Return the scores of sequences and, of a model that marks errors, the tags of tokens, on the device."""
        scores = self._torch.empty(len(sequences), device=self.encoder.device)
        tags: list[_Tags] = []

        def step(rows: NDArray[np.int64], batch: Any) -> None:
            of_rows = [first[i] for i in rows.tolist()]
            pooled = self.encoder.pooled(batch, first=of_rows, wants_tags=self.marks_errors)
            scores[on_device(rows, scores.device)] = self._estimator(pooled.vectors)
            if pooled.tagged is not None:
                tags.append((rows, self._torch.nn.functional.linear(pooled.tagged, *self._tagger).softmax(2)))

        batches.run(sequences, self.encoder.tokenizer.pad_token_id, step)
        return scores, tags

    def _combined(
        self, runs: FloatArray, spans: list[list[Span]], place: NDArray[np.int64], n_cut: int, n_special: int
    ) -> CometScores:
        """Return the scores of segments from those of distinct segments, whose numbers are in `place`."""
        names = ("src_scores", "ref_scores", "unified_scores")
        parts = dict(zip(names, runs, strict=True)) if len(runs) > 1 else {}
        scores = runs.mean(axis=0)
        if self.checkpoint.class_name == "xcomet_metric":
            most = np.minimum(runs, 1.0)
            parts = parts or {names[0]: most[0]}
            parts["mqm_scores"] = np.array([mqm_score(of_segment) for of_segment in spans])
            shares = np.array(_SHARES if len(runs) > 1 else (sum(_SHARES),))
            scores = shares @ most + _SHARE_OF_SPANS * parts["mqm_scores"]
        of_segments = [spans[i] for i in place.tolist()] if self.marks_errors else None
        by_name = {name: part[place] for name, part in parts.items()}
        return CometScores(scores[place], n_cut, n_special, by_name, of_segments)


def _orders(n_sides: int) -> list[tuple[int, ...]]:
    """Return which sides go through a model together: with sources and references each of them, then both."""
    return [(0, 1), (0, 2), (0, 1, 2)] if n_sides == 3 else [(0, 1)]


_JOINT = ("unified_metric", "xcomet_metric")


def _made(location: ModelLocation, options: Any, devices: Devices) -> Regressor:
    checkpoint = read_checkpoint(location)
    model_type = UnifiedMetric if checkpoint.class_name in _JOINT else RegressionMetric
    encoder = None if options.encoder is None else os.fspath(options.encoder)
    return model_type(checkpoint, encoder, options.dtype, devices)


COMET = ModelFamily(FILES, "comet", _made)
