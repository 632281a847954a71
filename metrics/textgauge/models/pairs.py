"""Models that read two texts as one: pairs of texts to numbers, each distinct pair once; such as FrugalScore."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..arrays import FloatArray, IntArray
from ..checks import fail
from .batching import Batch, Batches, Padded
from .files import ModelFiles
from .learned import LearnedModel, ModelFamily, Reader, Scored, numbered
from .loading import LoadedModel, load, one_thread, torch_and_transformers
from .options import LearnedOptions, LoadingOptions
from .tokens import limit_of

# What a tokenizer calls the numbers of the two texts, which some models read.
_TYPES = "token_type_ids"


class PairTokens(NamedTuple):
    """The tokens of two texts as one input: their ids and types, and whether it was cut."""

    ids: list[int]
    types: list[int]
    is_cut: bool


class PairModel:
    """Reads pairs of texts and answers with numbers.

    Attributes
    ----------
    name : str
    tokenizer : a tokenizer of transformers
    limit : int
        The most tokens of a pair.
    """

    def __init__(
        self, loaded: LoadedModel, limit: int, head: Callable[..., Any], *, between: str | None = None,
        before: str = "", cuts_longest: bool = False,
    ) -> None:  # fmt: skip
        """Take a loaded model.

        Parameters
        ----------
        loaded : LoadedModel
        limit : int
        head : callable
            Takes the arguments of the model, and returns a tensor of shape (n_pairs, n_numbers).
        between : str or None
            What joins the two texts to one; None: the tokenizer joins them.
        before : str
            What stands before the two.
        cuts_longest : bool
            Whether the longer text is cut, token by token; else the first, unless the second alone is too long.
        """
        self._torch, _ = torch_and_transformers()
        self._model, self.tokenizer, self.name = loaded.model, loaded.tokenizer, loaded.name
        self.limit, self._head, self._cuts_longest = limit, head, cuts_longest
        self._between, self._before = between, before
        self._n_words = self._model.get_input_embeddings().num_embeddings

    def numbers(self, pairs: Sequence[tuple[str, str]], batches: Batches, bar: Any = None) -> tuple[FloatArray, int]:
        """Return the numbers of pairs, and how many distinct ones were cut.

        Returns
        -------
        float64, shape (n_pairs, n_numbers); int
        """
        distinct, places = numbered(pairs)
        rows = self._pairs(distinct)
        by_pair: list[Any] = [None] * len(rows)

        def step(chosen: IntArray, batch: Batch) -> None:
            answers = self._head(**self._inputs(batch, [rows[i] for i in chosen.tolist()]))
            for i, answer in zip(chosen.tolist(), answers.float().cpu().double().numpy(), strict=True):
                by_pair[i] = answer
            if bar is not None:
                bar.update(len(chosen))

        with one_thread(), self._torch.inference_mode():
            ids = [row.ids for row in rows]
            batches.run(ids, self.tokenizer.pad_token_id or 0, step, self._check)
        return np.array([by_pair[i] for i in places]), sum(row.is_cut for row in rows)

    def batches(self, batch_size: int | None) -> Batches:
        """Return the batches of a call, for which a lack of memory is told once."""
        return Batches(self._model, batch_size)

    def lengths(self, texts: Sequence[str]) -> dict[str, int]:
        """Return the number of tokens of each distinct text, at most `limit`."""
        distinct = [*dict.fromkeys(texts)]
        ids_of = self._encoded(distinct, add_special_tokens=False)["input_ids"] if distinct else []
        return {text: min(len(ids), self.limit) for text, ids in zip(distinct, ids_of, strict=True)}

    def _check(self, rows: Padded) -> None:
        rows.refuse_unknown("encoder", self.name, self._n_words)

    def _inputs(self, batch: Batch, rows: list[PairTokens]) -> dict[str, Any]:
        """Return the arguments of the model: the mask where texts are padded, types where the tokenizer has any."""
        inputs = {"input_ids": batch.ids}
        if batch.places is not None:
            inputs["attention_mask"] = batch.mask
        if rows[0].types:
            types = np.zeros(tuple(batch.ids.shape), np.int64)
            for filled, row in zip(types, rows, strict=True):
                filled[: len(row.types)] = row.types
            inputs[_TYPES] = self._torch.from_numpy(types).to(batch.ids.device)
        return inputs

    def _pairs(self, pairs: Sequence[tuple[str, str]]) -> list[PairTokens]:
        if not pairs:
            return []
        if self._between is None:
            sides: Any = [*zip(*pairs, strict=True)]
            encoded = self._encoded([*sides[0]], [*sides[1]])
        else:
            encoded = self._encoded([self._before + self._between.join(pair) for pair in pairs])
        ids = encoded["input_ids"]
        types = encoded.get(_TYPES) or [[]] * len(pairs)
        return [
            self._cut(pair, *row) if len(row[0]) > self.limit else PairTokens(*row, is_cut=False)
            for pair, row in zip(pairs, zip(ids, types, strict=True), strict=True)
        ]

    def _cut(self, pair: tuple[str, str], ids: list[int], types: list[int]) -> PairTokens:
        """Return a pair that is too long: the first text is cut, and the second only if it is too long alone."""
        if self._between is not None:
            return self._cut_joined(pair, ids, types)
        encoded = None
        if not self._cuts_longest:
            try:
                encoded = self._encoded(*pair, truncation="only_first", max_length=self.limit)
            # Of the Rust library: no token of the first text would be left.
            except Exception:
                encoded = None
        if encoded is None or len(encoded["input_ids"]) > self.limit:
            encoded = self._encoded(*pair, truncation="longest_first", max_length=self.limit)
        return PairTokens(encoded["input_ids"], encoded.get(_TYPES) or [], is_cut=True)

    def _cut_joined(self, pair: tuple[str, str], ids: list[int], types: list[int]) -> PairTokens:
        # Behind the mark between the two, nothing depends on the first text.
        first = self._before + pair[0] + (self._between or "")
        n_first = len(self._encoded(first, add_special_tokens=False)["input_ids"]) - 1
        marks = self._encoded("")["input_ids"]
        n_before = next((i for i, mark in enumerate(marks[:-1]) if mark != ids[i]), len(marks) - 1)
        n_lost, end = len(ids) - self.limit, n_before + n_first
        if n_lost > n_first:
            # The second text does not fit, and is cut as the tool cuts: at its end.
            end = len(ids) - len(marks) + n_before
        kept = [*range(end - n_lost), *range(end, len(ids))]
        return PairTokens([ids[i] for i in kept], [types[i] for i in kept] if types else [], is_cut=True)

    def _encoded(self, *texts: Any, **options: Any) -> Any:
        # Explicit, since a tokenizer may have been saved with padding or truncation.
        arguments = {"padding": False, "truncation": False, "return_attention_mask": False, "verbose": False, **options}
        return self.tokenizer(*texts, **arguments)


class PairFamily(ModelFamily[Any]):
    """A family of models whose files transformers or `made` finds; `made` takes the options alone."""

    def load(self, options: Any, others: Any = dict) -> Any:  # noqa: ARG002
        """Return a model; see `ModelFamily.load`."""
        made: Any = self.made
        return made(options)


@dataclass(frozen=True)
class _Classifier(LoadingOptions):
    auto_class, extra, example = "AutoModelForSequenceClassification", "consistency", "FacebookAI/roberta-large-mnli"
    title = "a model of transformers that classifies texts"
    is_sped_up, if_trusted = True, ""


@dataclass(frozen=True)
class _TextGenerator(_Classifier):
    auto_class, example = "AutoModelForSeq2SeqLM", "lytang/MiniCheck-Flan-T5-Large"
    title = "a model of transformers that writes texts"
    # T5's last states are large, so that the other library's rounding shows.
    is_sped_up = False


def loaded_of(options: LearnedOptions, name: str, *, writes: bool = False) -> LoadedModel:
    """Return a model that classifies texts, or that writes texts, with its tokenizer, ready for inference."""
    options_type = _TextGenerator if writes else _Classifier
    chosen = {field: getattr(options, field) for field in ("revision", "dtype", "device", "device_map")}
    loaded = load(options_type(model_id=name, tokenizer=options.encoder, **chosen))
    loaded.model.eval()
    return loaded


_FRUGALSCORE_FILES = ModelFiles(
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
            got = f"{self.name} with {loaded.model.config.num_labels} outputs"
            fail(ValueError, "model_id", _FRUGALSCORE_FILES.title, got)
        self.limit = min(options.max_length, limit_of(loaded.model, loaded.tokenizer) or options.max_length)
        head = lambda **inputs: loaded.model(**inputs).logits  # noqa: E731
        self._pairs = PairModel(loaded, self.limit, head, cuts_longest=True)
        self.identity = {**loaded.identity, "max": str(self.limit), "dtype": options.dtype}

    def score(
        self, predictions: Sequence[str], columns: Mapping[str, Sequence[str]], batch_size: int | None, bar: Any = None
    ) -> Scored:
        """Score predictions with their references, in the order of the Hub's module."""
        pairs = [*zip(predictions, columns["references"], strict=True)]
        numbers, n_cut = self._pairs.numbers(pairs, self._pairs.batches(batch_size), bar)
        return Scored(numbers[:, 0], n_cut)


def _frugalscore_reader(options: Any) -> Reader:
    """Return the columns that models read: references."""
    return Reader(os.fspath(options.model_id), ("references",), needs_all=True)


FRUGALSCORE = PairFamily(_FRUGALSCORE_FILES, "consistency", FrugalScore, _frugalscore_reader)  # type: ignore[arg-type]
