"""The models of COMET: texts to a score per segment, read from a checkpoint."""

from __future__ import annotations

import os
import sys
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import FloatArray
from ..checks import fail, shown
from .checkpoints import Checkpoint, found, read_checkpoint
from .linear import linear_of
from .loading import CACHE, check_path, device_of, one_thread, stamp_of, torch_and_transformers
from .sentences import Joined, SentenceEncoder, batches_of
from .spans import Span, mqm_score, spans_of

# Segments whose texts are in memory as vectors at once, and those that one step of the estimator takes.
POOL, ROWS = 2048, 256
# Bytes of the texts that were embedded last, and of their vectors.
REMEMBERED = 64_000_000
# The share of each input of XCOMET in its score, then that of the spans; and in the probabilities of tags.
_SHARES, _SHARE_OF_SPANS = (0.12, 0.33, 0.33), 0.22
_SHARES_OF_TAGS = (0.1667, 0.3333, 0.5)
_JOINT = ("unified_metric", "xcomet_metric")
_COLUMNS = {"src": "sources", "ref": "references"}
# By their names in checkpoints, where capital letters do not count.
_ACTIVATIONS = ("Tanh", "Sigmoid", "Identity", "Hardtanh", "Hardsigmoid", "Softplus", "Softsign", "Tanhshrink", "Mish")


class Scored(NamedTuple):
    """The scores of segments, and what was noticed.

    Attributes
    ----------
    scores : float64, shape (n_segments,)
    parts : dict of float64, shape (n_segments,) each
        The scores of the inputs of a model with several, and of the error spans.
    spans : list of list of Span, or None
        The error spans of every segment; None of a model that marks none.
    n_cut, n_special : int
        The number of texts, or of segments of a model that joins their texts, that were cut; of texts
        that name special tokens.
    """

    scores: FloatArray
    parts: dict[str, FloatArray]
    spans: list[list[Span]] | None
    n_cut: int
    n_special: int


class _Known(NamedTuple):
    """A text that was embedded, shape (size,); whether it was cut, and whether it names special tokens."""

    vector: Any
    is_long: bool
    is_special: bool


class _Memory:
    """The texts that were embedded last, of at most `REMEMBERED` bytes."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._n_bytes = 0

    def __contains__(self, text: str) -> bool:
        return text in self._known

    def recalled(self, text: str) -> _Known:
        self._known.move_to_end(text)
        return self._known[text]

    def keep(self, text: str, known: _Known) -> None:
        """Add a text, and forget those that were not asked for the longest."""
        self._known[text] = known
        self._n_bytes += _n_bytes(text, known)
        while self._n_bytes > REMEMBERED:
            self._n_bytes -= _n_bytes(*self._known.popitem(last=False))


def _n_bytes(text: str, known: _Known) -> int:
    return sys.getsizeof(text) + int(known.vector.nbytes)


class Embedded(NamedTuple):
    """Texts as vectors.

    Attributes
    ----------
    vectors : tensor, shape (n_distinct_texts, size)
    places : int64, shape (n_texts,)
        Which vector each text has.
    n_cut, n_special : int
        As in `Scored`.
    """

    vectors: Any
    places: NDArray[np.int64]
    n_cut: int
    n_special: int


def load_regressor(
    model_id: str | os.PathLike[str],
    encoder: str | os.PathLike[str] | None = None,
    revision: str | None = None,
    dtype: str = "float32",
    device: str | None = None,
) -> Regressor:
    """Return a model; the last one stays in memory.

    Parameters
    ----------
    model_id : str or path
        A name on the Hub, or a folder of its layout.
    encoder : str or path, optional
        Where the configuration and the tokenizer of the encoder are, if not under the name in the checkpoint.
    revision : str, optional
        Branch, tag or commit on the Hub.
    dtype : str
        What the encoder computes with.
    device : str, optional

    Raises
    ------
    ImportError
        If torch, transformers or PyYAML is missing.
    OSError
        If the model cannot be found or loaded from the Hub.
    ValueError
        If the checkpoint is damaged, of an unknown class, or has other weights than its class.
    """
    torch, _ = torch_and_transformers("comet")
    place = device_of(torch, device)
    name, folder, commit = found(model_id, revision)
    if encoder is not None:
        check_path("encoder", encoder)
    words = None if encoder is None else os.fspath(encoder)
    state = stamp_of(str(folder)), stamp_of(str(folder / "checkpoints")), stamp_of(words or "")

    def load_now() -> Regressor:
        return Regressor(read_checkpoint(name, folder, commit), words, dtype, place)

    key = (name, commit, words, dtype, str(place), state)
    return CACHE.get("regressor", key, load_now)


class Regressor:
    """A model of COMET.

    Attributes
    ----------
    checkpoint : Checkpoint
        Without its weights.
    encoder : SentenceEncoder
    takes : tuple of str
        Which of sources and references the model was trained with.
    is_joint : bool
        Whether it reads the texts of a segment as one, and so does with some of those it takes.
    marks_errors : bool
        Whether it finds error spans.
    """

    def __init__(self, checkpoint: Checkpoint, encoder: str | None, dtype: str, device: Any) -> None:
        """Build the model, and check that the checkpoint has its weights and no others."""
        self.is_joint = checkpoint.kind in _JOINT
        settings = checkpoint.settings
        if self.is_joint:
            self.takes = tuple(_COLUMNS[one] for one in ("src", "ref") if one in settings["input_segments"])
        else:
            self.takes = ("sources", "references")[: 1 if checkpoint.kind.startswith("referenceless") else 2]
        self.marks_errors = self.is_joint and settings["word_level_training"] is True
        self.encoder = SentenceEncoder(checkpoint, encoder, dtype, device, is_joint=self.is_joint)
        size = self.encoder.size
        self._head = _Head(
            checkpoint, "estimator.ff.", size * (1 if self.is_joint else 2 + 2 * len(self.takes)), device
        )
        known = self.encoder.keys | self._head.keys | {"wordloss.weight"}
        if self.is_joint:
            tagger = {"hidden2tag.weight", "hidden2tag.bias"}
            known |= tagger
            checkpoint.refuse_keys((tagger if self.marks_errors else set()) - checkpoint.state.keys(), ())
        checkpoint.refuse_keys((), {key for key in checkpoint.state if key not in known and not _is_idle(key)})
        if self.marks_errors:
            self._check_tags(checkpoint)
            self._tagger = [checkpoint.state[f"hidden2tag.{one}"].to(device, _float32()) for one in ("weight", "bias")]
        self.checkpoint = checkpoint._replace(state={})
        self._memory = _Memory()

    def _check_tags(self, checkpoint: Checkpoint) -> None:
        labels = checkpoint.settings["error_labels"]
        expected = [len(labels) + 1, self.encoder.size]
        if [*checkpoint.state["hidden2tag.weight"].shape] != expected:
            checkpoint.refuse(
                f"hidden2tag.weight of shape {expected}", shown([*checkpoint.state["hidden2tag.weight"].shape])
            )

    @property
    def name(self) -> str:
        """Its name, for messages."""
        return self.checkpoint.name

    def lacking(self, given: Collection[str]) -> tuple[str, ...]:
        """Return the columns of texts without which, or one of which, it cannot score; none if it can."""
        lacking = tuple(column for column in self.takes if column not in given)
        return () if self.is_joint and len(lacking) < len(self.takes) else lacking

    def used(self, given: Collection[str]) -> tuple[str, ...]:
        """Return which of the given columns of texts it scores with; raise if it cannot do with these."""
        lacking = self.lacking(given)
        if lacking:
            others = f" (or {lacking[1]})" if self.is_joint and len(lacking) > 1 else ""
            fail(ValueError, lacking[0], f"a text for every prediction{others}, with which {self.name} scores", "None")
        return tuple(column for column in self.takes if column in given)

    def score(
        self, predictions: Sequence[str], columns: Mapping[str, Sequence[str]], batch_size: int, bar: Any = None
    ) -> Scored:
        """Score segments.

        Every distinct text that is not remembered, or segment of a model that joins its texts, goes through the
        encoder once.

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
        torch, _ = torch_and_transformers("comet")
        every = [predictions, *(columns[name] for name in self.takes if name in columns)]
        scoring = self._joint if self.is_joint else self._apart
        with one_thread(), torch.inference_mode():
            return scoring(every, batch_size, bar)

    # ---- models that embed every text alone

    def _apart(self, every: list[Sequence[str]], batch_size: int, bar: Any) -> Scored:
        torch, _ = torch_and_transformers("comet")
        numbers: dict[str, int] = {}
        sides = np.array([[numbers.setdefault(text, len(numbers)) for text in texts] for texts in every], np.int64)
        texts = [*numbers]
        scores, is_cut, is_special = np.empty(sides.shape[1]), *np.zeros((2, len(texts)), bool)
        # Segments with the same source and reference follow each other, so that these are remembered when needed.
        for pool in _pools(np.lexsort(sides[:0:-1])):
            wanted, places = np.unique(sides[:, pool], return_inverse=True)
            known = self._known([texts[i] for i in wanted.tolist()], batch_size)
            is_cut[wanted], is_special[wanted] = [one.is_long for one in known], [one.is_special for one in known]
            vectors, places = torch.stack([one.vector for one in known]), places.reshape(len(sides), -1)
            for start in range(0, len(pool), ROWS):
                rows = slice(start, start + ROWS)
                scores[pool[rows]] = self._scores(vectors, places[:, rows])
            _tell(bar, len(pool))
        return Scored(scores, {}, None, int(is_cut.sum()), int(is_special.sum()))

    def _known(self, texts: Sequence[str], batch_size: int) -> list[_Known]:
        """Return the vectors of distinct texts, which are remembered."""
        known = {text: self._memory.recalled(text) for text in texts if text in self._memory}
        new = [text for text in texts if text not in known]
        cut = self.encoder.cut(new)
        # A view would keep all vectors of its pool in memory.
        vectors = (vector.clone() for vector in self._vectors(cut.ids, batch_size))
        known |= zip(new, map(_Known, vectors, cut.is_long, cut.is_special), strict=True)
        for text in new:
            self._memory.keep(text, known[text])
        return [known[text] for text in texts]

    def _vectors(self, sequences: list[list[int]], batch_size: int) -> Any:
        torch, _ = torch_and_transformers("comet")
        out = torch.empty((len(sequences), self.encoder.size), device=self.encoder.device)
        for rows, batch in batches_of(sequences, batch_size, self.encoder.device):
            out[rows] = self.encoder.pooled(batch).vectors
        return out

    def _scores(self, vectors: Any, sides: NDArray[np.int64]) -> NDArray[np.float64]:
        """Score segments; `sides`, shape (n_sides, n_segments), says which vectors they have."""
        torch, _ = torch_and_transformers("comet")
        return self._head(_features(torch, *(vectors[torch.from_numpy(side).to(vectors.device)] for side in sides)))

    def embedded(self, texts: Sequence[str], batch_size: int) -> Embedded:
        """Embed texts, each distinct one once."""
        torch, _ = torch_and_transformers("comet")
        numbers: dict[str, int] = {}
        places = np.array([numbers.setdefault(text, len(numbers)) for text in texts], np.int64)
        with one_thread(), torch.inference_mode():
            known = self._known([*numbers], batch_size)
            vectors = torch.stack([one.vector for one in known])
        return Embedded(vectors, places, sum(one.is_long for one in known), sum(one.is_special for one in known))

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
        torch, _ = torch_and_transformers("comet")
        scores = np.empty(len(predictions) * len(references))
        with one_thread(), torch.inference_mode():
            for start in range(0, len(scores), ROWS):
                row, column = np.divmod(np.arange(start, min(start + ROWS, len(scores))), len(references))
                sides = np.stack((predictions[row], sources[row], references[column]))
                scores[start : start + ROWS] = self._scores(vectors, sides)
        return scores.reshape(len(predictions), len(references))

    # ---- models that read the texts of a segment as one

    def _joint(self, every: list[Sequence[str]], batch_size: int, bar: Any) -> Scored:
        numbers: dict[tuple[str, ...], int] = {}
        place = np.array([numbers.setdefault(texts, len(numbers)) for texts in zip(*every, strict=True)], np.int64)
        distinct, orders = [*numbers], _orders(len(every))
        runs = np.empty((len(orders), len(distinct)))
        spans: list[list[Span]] = []
        n_cut = n_special = 0
        for pool in _pools(np.arange(len(distinct))):
            sides = [*zip(*(distinct[i] for i in pool.tolist()), strict=True)]
            cut = self.encoder.joined(sides, orders)
            n_cut, n_special = n_cut + cut.n_long, n_special + cut.n_special
            tags: list[list[Any]] = [[] for _ in pool]
            for run, sequences in zip(runs, cut.orders, strict=True):
                run[pool] = self._joint_scores(sequences, cut.first, tags, batch_size)
            if self.marks_errors:
                spans += self._spans(sides[0], cut, tags)
            _tell(bar, len(pool))
        return self._combined(runs, spans, place, n_cut, n_special)

    def _spans(self, predictions: Sequence[str], cut: Joined, tags: list[list[Any]]) -> list[list[Span]]:
        labels, encoder = self.checkpoint.settings["error_labels"], self.encoder
        shares = _SHARES_OF_TAGS if len(cut.orders) > 1 else (1.0,)
        found = []
        for ids, places, runs in zip(cut.orders[0], encoder.places(predictions), tags, strict=True):
            n = min(len(places), *map(len, runs))
            probabilities = sum(share * one[:n] for share, one in zip(shares, runs, strict=True))
            found.append(spans_of(encoder.tokenizer, ids, places, probabilities, labels))
        return found

    def _joint_scores(self, sequences: list[list[int]], first: list[int], tags: Any, batch_size: int) -> FloatArray:
        """Return the score of every sequence; append to `tags` the probabilities of the tags of its tokens."""
        torch, _ = torch_and_transformers("comet")
        scores = np.empty(len(sequences))
        for rows, batch in batches_of(sequences, batch_size, self.encoder.device):
            pooled = self.encoder.pooled(batch._replace(first=[first[i] for i in rows]), wants_tags=self.marks_errors)
            scores[rows] = self._head(pooled.vectors)
            if pooled.tagged is not None:
                found = torch.nn.functional.linear(pooled.tagged, *self._tagger).softmax(2).cpu()
                for i, row in enumerate(rows):
                    tags[row].append(found[i, : len(sequences[row])].clone())
        return scores

    def _combined(
        self, runs: FloatArray, spans: list[list[Span]], place: NDArray[np.int64], n_cut: int, n_special: int
    ) -> Scored:
        """Return the scores of segments from those of distinct ones; `place` says which each one is."""
        names = ("src_scores", "ref_scores", "unified_scores")
        parts = dict(zip(names, runs, strict=True)) if len(runs) > 1 else {}
        scores = runs.mean(axis=0)
        if self.checkpoint.kind == "xcomet_metric":
            most = np.minimum(runs, 1.0)
            parts = parts or {names[0]: most[0]}
            parts["mqm_scores"] = np.array([mqm_score(found) for found in spans])
            shares = np.array(_SHARES if len(runs) > 1 else (sum(_SHARES),))
            scores = shares @ most + _SHARE_OF_SPANS * parts["mqm_scores"]
        of_segments = [spans[i] for i in place.tolist()] if self.marks_errors else None
        by_name = {name: part[place] for name, part in parts.items()}
        return Scored(scores[place], by_name, of_segments, n_cut, n_special)


class _Head:
    """Linear layers with an activation after each, from features to a score."""

    def __init__(self, checkpoint: Checkpoint, prefix: str, n_features: int, device: Any) -> None:
        torch, _ = torch_and_transformers("comet")
        state, settings = checkpoint.state, checkpoint.settings
        places = {key.removeprefix(prefix).partition(".")[0] for key in state if key.startswith(prefix)}
        numbers = sorted(int(one) for one in places if one.isdecimal())
        self.keys = {f"{prefix}{i}.{part}" for i in numbers for part in ("weight", "bias")}
        checkpoint.refuse_keys((self.keys or {f"{prefix}0.weight"}) - state.keys(), ())
        self._layers = [
            [state[f"{prefix}{i}.{part}"].to(device, torch.float32) for part in ("weight", "bias")] for i in numbers
        ]
        shapes = [[*weight.shape] for weight, _ in self._layers]
        sizes = [n_features, *(shape[0] for shape in shapes[:-1])]
        if [shape[-1] for shape in shapes] != sizes or shapes[-1][0] != 1:
            checkpoint.refuse(f"an estimator of {n_features} features", shown(shapes))
        between = _activation(checkpoint, "activations", settings["activations"])
        last = _activation(checkpoint, "final_activation", settings["final_activation"] or "Identity")
        self._activations = [between] * (len(numbers) - 1) + [last]
        self._linear = linear_of(device)

    def __call__(self, features: Any) -> NDArray[np.float64]:
        """Return the score of every row."""
        for (weight, bias), activation in zip(self._layers, self._activations, strict=True):
            features = activation(self._linear(features, weight, bias))
        found: NDArray[np.float64] = features[:, 0].cpu().double().numpy()
        return found


def _activation(checkpoint: Checkpoint, key: str, name: Any) -> Callable[[Any], Any]:
    torch, _ = torch_and_transformers("comet")
    if str(name).title() not in _ACTIVATIONS:
        checkpoint.refuse(f"{key} of {', '.join(_ACTIVATIONS)}", shown(name))
    module: Callable[[Any], Any] = getattr(torch.nn, str(name).title())()
    return module


def _features(torch: Any, prediction: Any, source: Any, reference: Any = None) -> Any:
    of_source = [prediction * source, (prediction - source).abs()]
    if reference is None:
        return torch.cat([prediction, source, *of_source], 1)
    of_reference = [prediction * reference, (prediction - reference).abs()]
    return torch.cat([prediction, reference, *of_reference, *of_source], 1)


def _orders(n_sides: int) -> list[tuple[int, ...]]:
    """Return which sides go through a model together: with sources and references each of them, then both."""
    return [(0, 1), (0, 2), (0, 1, 2)] if n_sides == 3 else [(0, 1)]


def _pools(order: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    return [order[start : start + POOL] for start in range(0, len(order), POOL)]


def _is_idle(key: str) -> bool:
    """Return whether a key of old checkpoints, or of training, has no effect."""
    return key.endswith("position_ids") or ".pooler." in key or key.startswith("layerwise_attention.dropout_")


def _tell(bar: Any, n_segments: int) -> None:
    if bar is not None:
        bar.update(n_segments)


def _float32() -> Any:
    return torch_and_transformers("comet")[0].float32
