"""Models of COMET that read the texts of a segment as one: UniTE, CometKiwi and XCOMET, which marks errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import FloatArray
from ..checks import shown
from .batching import Batches, on_device, one_behind
from .checkpoints import Checkpoint
from .learned import numbered
from .regressors import Judged, Regressor, pools
from .sentences import Joined
from .spans import Span, mqm_score, spans_of

# Numbers of segments, and the probabilities of the tags of their tokens.
_Tags = tuple[NDArray[np.int64], Any]
_COLUMNS = {"src": "sources", "ref": "references"}
_TAGGER = ("hidden2tag.weight", "hidden2tag.bias")
# The share of each input of XCOMET in its score, then that of the spans; and in the probabilities of tags.
_SHARES, _SHARE_OF_SPANS = (0.12, 0.33, 0.33), 0.22
_SHARES_OF_TAGS = (0.1667, 0.3333, 0.5)


class JointRegressor(Regressor):
    """A model that reads the texts of a segment as one, and so does with some of those it takes."""

    unit = "segment"

    def _taken(self, settings: Mapping[str, Any], kind: str) -> tuple[str, ...]:  # noqa: ARG002
        return tuple(_COLUMNS[one] for one in ("src", "ref") if one in settings["input_segments"])

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
            self._tagger = [one.to(self.encoder.device, self._torch.float32) for one in tagger]
        return {*_TAGGER}

    def _judged(self, every: list[Sequence[str]], batches: Batches, bar: Any) -> Judged:
        distinct, places = numbered(zip(*every, strict=True))
        orders = _orders(len(every))
        runs = np.empty((len(orders), len(distinct)))
        spans: list[list[Span]] = []
        n_cut = n_special = 0

        def scored() -> Iterator[tuple[NDArray[np.int64], Sequence[str], Joined, list[tuple[Any, list[_Tags]]]]]:
            for pool in pools(np.arange(len(distinct)), self.encoder.device):
                sides = [*zip(*(distinct[i] for i in pool.tolist()), strict=True)]
                cut = self.encoder.joined(sides, orders)
                yield pool, sides[0], cut, [self._scores(sequences, cut.first, batches) for sequences in cut.orders]

        for pool, predictions, cut, found in one_behind(scored()):
            n_cut, n_special = n_cut + cut.n_long, n_special + cut.n_special
            for run, (scores, _) in zip(runs, found, strict=True):
                run[pool] = scores.cpu().numpy()
            if self.marks_errors:
                spans += self._spans(predictions, cut, [tags for _, tags in found])
            if bar is not None:
                bar.update(len(pool))
        return self._combined(runs, spans, np.array(places, np.int64), n_cut, n_special)

    def _spans(self, predictions: Sequence[str], cut: Joined, tags: list[list[_Tags]]) -> list[list[Span]]:
        labels, encoder = self.checkpoint.settings["error_labels"], self.encoder
        shares = _SHARES_OF_TAGS if len(cut.orders) > 1 else (1.0,)
        # By segment, the probabilities of each run.
        runs: list[list[Any]] = [[] for _ in predictions]
        for of_run in tags:
            for rows, batch in of_run:
                for row, one in zip(rows.tolist(), batch.cpu(), strict=True):
                    runs[row].append(one)
        found = []
        for i, (ids, places) in enumerate(zip(cut.orders[0], encoder.places(predictions), strict=True)):
            n = min(len(places), *(len(order[i]) for order in cut.orders))
            probabilities = sum(share * one[:n] for share, one in zip(shares, runs[i], strict=True))
            found.append(spans_of(encoder.tokenizer, ids, places, probabilities, labels))
        return found

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
    ) -> Judged:
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
        return Judged(scores[place], n_cut, n_special, by_name, of_segments)


def _orders(n_sides: int) -> list[tuple[int, ...]]:
    """Return which sides go through a model together: with sources and references each of them, then both."""
    return [(0, 1), (0, 2), (0, 1, 2)] if n_sides == 3 else [(0, 1)]
