"""Models of COMET that embed every text alone: the estimators of COMET and COMET-QE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import FloatArray
from .batching import batches_of
from .learned import numbered
from .loading import one_thread
from .memory import Known, Memory
from .regressors import Judged, Regressor, pools

# Segments that one step of the estimator takes.
ROWS = 256


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

    def _judged(self, every: list[Sequence[str]], batch_size: int, bar: Any) -> Judged:
        texts, places_of = numbered(text for side in every for text in side)
        sides = np.array(places_of, np.int64).reshape(len(every), -1)
        scores, is_cut, is_special = np.empty(sides.shape[1]), *np.zeros((2, len(texts)), bool)
        # Segments with the same source and reference follow each other, so that these are remembered when needed.
        for pool in pools(np.lexsort(sides[:0:-1])):
            wanted, places = np.unique(sides[:, pool], return_inverse=True)
            known = self._known([texts[i] for i in wanted.tolist()], batch_size)
            is_cut[wanted], is_special[wanted] = [one.is_long for one in known], [one.is_special for one in known]
            vectors, places = self._torch.stack([one.vector for one in known]), places.reshape(len(sides), -1)
            for start in range(0, len(pool), ROWS):
                rows = slice(start, start + ROWS)
                scores[pool[rows]] = self._scores(vectors, places[:, rows])
            if bar is not None:
                bar.update(len(pool))
        return Judged(scores, int(is_cut.sum()), int(is_special.sum()))

    def _known(self, texts: Sequence[str], batch_size: int) -> list[Known]:
        """Return the vectors of distinct texts, which are remembered."""
        known = {text: self._memory.recalled(text) for text in texts if text in self._memory}
        new = [text for text in texts if text not in known]
        cut = self.encoder.cut(new)
        # A view would keep all vectors of its pool in memory.
        vectors = (vector.clone() for vector in self._vectors(cut.ids, batch_size))
        known |= zip(new, map(Known, vectors, cut.is_long, map(self.encoder.names_special, cut.ids)), strict=True)
        for text in new:
            self._memory.keep(text, known[text])
        return [known[text] for text in texts]

    def _vectors(self, sequences: list[list[int]], batch_size: int) -> Any:
        out = self._torch.empty((len(sequences), self.encoder.size), device=self.encoder.device)
        for rows, batch in batches_of(sequences, batch_size, self.encoder.device):
            out[rows] = self.encoder.pooled(batch).vectors
        return out

    def _scores(self, vectors: Any, sides: NDArray[np.int64]) -> NDArray[np.float64]:
        """Score segments; `sides`, shape (n_sides, n_segments), says which vectors they have."""
        torch = self._torch
        return self._estimator(
            _features(torch, *(vectors[torch.from_numpy(side).to(vectors.device)] for side in sides))
        )

    def embedded(self, texts: Sequence[str], batch_size: int) -> Embedded:
        """Embed texts, each distinct one once."""
        distinct, places = numbered(texts)
        with one_thread(), self._torch.inference_mode():
            known = self._known(distinct, batch_size)
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
        scores = np.empty(len(predictions) * len(references))
        with one_thread(), self._torch.inference_mode():
            for start in range(0, len(scores), ROWS):
                row, column = np.divmod(np.arange(start, min(start + ROWS, len(scores))), len(references))
                sides = np.stack((predictions[row], sources[row], references[column]))
                scores[start : start + ROWS] = self._scores(vectors, sides)
        return scores.reshape(len(predictions), len(references))


def _features(torch: Any, prediction: Any, source: Any, reference: Any = None) -> Any:
    of_source = [prediction * source, (prediction - source).abs()]
    if reference is None:
        return torch.cat([prediction, source, *of_source], 1)
    of_reference = [prediction * reference, (prediction - reference).abs()]
    return torch.cat([prediction, reference, *of_reference, *of_source], 1)
