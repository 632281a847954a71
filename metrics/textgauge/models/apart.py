"""Models of COMET that embed every text alone: the estimators of COMET and COMET-QE."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import FloatArray
from .batching import Batches, on_device, one_behind
from .learned import numbered
from .loading import one_thread
from .memory import Known, Memory
from .regressors import Judged, Regressor, pools

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
        As in `Judged`.
    """

    vectors: Any
    places: NDArray[np.int64]
    n_cut: int
    n_special: int


class ApartRegressor(Regressor):
    """A model that embeds every text alone, once, and remembers those that came last."""

    unit = "text"

    def __init__(self, *given: Any) -> None:
        """Build the model."""
        super().__init__(*given)
        self._memory = Memory()

    def _taken(self, settings: Mapping[str, Any], kind: str) -> tuple[str, ...]:  # noqa: ARG002
        return ("sources",) if kind.startswith("referenceless") else ("sources", "references")

    def _n_vectors(self) -> int:
        return 2 + 2 * len(self.takes)

    def _judged(self, every: list[Sequence[str]], batches: Batches, bar: Any) -> Judged:
        texts, places_of = numbered(text for side in every for text in side)
        sides = np.array(places_of, np.int64).reshape(len(every), -1)
        scores, is_cut, is_special = np.empty(sides.shape[1]), *np.zeros((2, len(texts)), bool)

        def scored() -> Iterator[tuple[NDArray[np.int64], Any]]:
            # Segments with the same source and reference follow each other, so that these are remembered when needed.
            for pool in pools(np.lexsort(sides[:0:-1]), self.encoder.device):
                wanted, places = np.unique(sides[:, pool], return_inverse=True)
                known = self._known([texts[i] for i in wanted.tolist()], batches)
                is_cut[wanted], is_special[wanted] = [one.is_long for one in known], [one.is_special for one in known]
                vectors = self._torch.stack([one.vector for one in known])
                yield pool, self._scores(vectors, places.reshape(len(sides), -1))

        for pool, found in one_behind(scored()):
            scores[pool] = found.cpu().numpy()
            if bar is not None:
                bar.update(len(pool))
        return Judged(scores, int(is_cut.sum()), int(is_special.sum()))

    def _known(self, texts: Sequence[str], batches: Batches) -> list[Known]:
        """Return the vectors of distinct texts, which are remembered."""
        known = {text: self._memory.recalled(text) for text in texts if text in self._memory}
        new = [text for text in texts if text not in known]
        cut = self.encoder.cut(new)
        # A view would keep all vectors of its pool in memory.
        vectors = map(self._torch.clone, self._vectors(cut.ids, batches).unbind())
        known |= zip(new, map(Known, vectors, cut.is_long, map(self.encoder.names_special, cut.ids)), strict=True)
        for text in new:
            self._memory.keep(text, known[text])
        return [known[text] for text in texts]

    def _vectors(self, sequences: list[list[int]], batches: Batches) -> Any:
        out = self._torch.empty((len(sequences), self.encoder.size), device=self.encoder.device)

        def step(rows: NDArray[np.int64], batch: Any) -> None:
            out[on_device(rows, out.device)] = self.encoder.pooled(batch).vectors

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
            vectors = self._torch.stack([one.vector for one in known])
        n_cut, n_special = sum(one.is_long for one in known), sum(one.is_special for one in known)
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
