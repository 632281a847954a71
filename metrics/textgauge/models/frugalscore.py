"""Models of FrugalScore: one logit of a small BERT that reads prediction and reference as a pair."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from ..checks import fail
from .files import Wanted
from .learned import LearnedModel, Reader, Scored
from .pairs import PairKind, PairModel, identity_of, loaded_of
from .tokens import limit_of

WANTED = Wanted(
    "a FrugalScore model", "moussaKam/frugalscore_tiny_bert-base_bert-score", "config.json",
    b"ForSequenceClassification", ("model*.safetensors", "pytorch_model*.bin"),
)  # fmt: skip


class FrugalScore(LearnedModel):
    """A model of FrugalScore."""

    unit = "pair"

    def __init__(self, options: Any) -> None:
        """Load a model with one logit."""
        loaded = loaded_of(options, os.fspath(options.model_id))
        super().__init__(loaded.name, ("references",), needs_all=True)
        if loaded.model.config.num_labels != 1:
            fail(ValueError, "model_id", WANTED.title, f"{self.name} with {loaded.model.config.num_labels} outputs")
        self.limit = min(options.max_length, limit_of(loaded.model, loaded.tokenizer) or options.max_length)
        head = lambda **given: loaded.model(**given).logits  # noqa: E731
        self._pairs = PairModel(loaded, self.limit, head, cuts_longest=True)
        self.identity = {**identity_of(self.name, loaded.model), "max": str(self.limit), "dtype": options.dtype}

    def score(
        self, predictions: Sequence[str], columns: Mapping[str, Sequence[str]], batch_size: int | None, bar: Any = None
    ) -> Scored:
        """Score predictions with their references, in the order of the Hub's module."""
        pairs = [*zip(predictions, columns["references"], strict=True)]
        numbers, n_cut = self._pairs.numbers(pairs, self._pairs.batches(batch_size), bar)
        return Scored(numbers[:, 0], n_cut)


def known(options: Any) -> Reader:
    """Return what every model reads."""
    return Reader(os.fspath(options.model_id), ("references",), needs_all=True)


FRUGALSCORE = PairKind(WANTED, "consistency", FrugalScore, known)  # type: ignore[arg-type]
