"""Perplexity of files: texts are gathered while they are read, and scored at the end."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext, redirect_stderr
from typing import Any

import click
import pyarrow as pa

from ..arrays import FloatArray
from ..arrow import text_array
from ..checks import fail
from ..language_model import ModelOptions
from ..measures.ngram_model import NgramModel
from ..measures.perplexity import Perplexity
from ..plain import Texts
from .flags import ORDER
from .options import spelled

OF_A_MODEL = {
    "stride": "stride",
    "max_length": "max_length",
    "start_token": "add_start_token",
    "batch_size": "batch_size",
    "device": "device",
    "dtype": "dtype",
}
_BESIDE_A_MODEL = (*OF_A_MODEL, "prefixes", "prefix_field")


class TextPerplexity:
    """Perplexity under a language model of transformers, or of the n-grams of other texts.

    The model sees all texts at once, and so begins with the longest of all.

    Parameters
    ----------
    training_texts : large_string array, optional
        Makes an `NgramModel` of the `order`, cut by the `tokenizer`, in place of a model.
    dtype : str, optional
        For `from_pretrained`.
    model_id, stride, max_length, add_start_token, batch_size, device
        See `ModelOptions`.
    """

    def __init__(
        self,
        *,
        training_texts: pa.LargeStringArray | None = None,
        order: int = ORDER,
        tokenizer: str = "13a",
        dtype: str | None = None,
        **model: Any,
    ) -> None:
        """Check and keep the options."""
        self._training_texts = training_texts
        self._ngrams = None if training_texts is None else NgramModel(order, tokenizer=tokenizer)
        self._model = model if dtype is None else {**model, "model_kwargs": {"dtype": dtype}}
        ModelOptions(**self._model)
        self._texts: list[pa.Array] = []
        self._prefixes: list[pa.Array] = []
        self._scored: Perplexity | None = None

    def update_texts(self, texts: Texts, prefixes: pa.LargeStringArray | None) -> None:
        """Add texts, and what stands before them."""
        self._texts.append(text_array(texts))
        self._prefixes += [] if prefixes is None else [prefixes]

    @property
    def model_name(self) -> str:
        """What a table calls the model."""
        if self._ngrams is None or self._training_texts is None:
            return f"model {self._model['model_id']}"
        return f"{self._ngrams.options.order}-grams of {len(self._training_texts):,} texts"

    @property
    def statistics(self) -> FloatArray:
        """One row per segment, see `Perplexity.statistics`."""
        return self._perplexity().statistics

    idle = staticmethod(Perplexity.idle)

    def score(self, *, per_segment: bool = False, **reports: Any) -> dict[str, Any]:
        """Return what `Perplexity.score` does; lists of segments are called segment_... and come on demand."""
        result = self._perplexity().score(per_segment=per_segment, **reports)
        perplexities = result.pop("perplexities")
        return {**result, "segment_perplexity": perplexities} if per_segment else result

    def _perplexity(self) -> Perplexity:
        if self._scored is None:
            options = self._model if self._ngrams is None else {"model": self._ngrams.fit(self._training_texts)}
            prefixes = pa.concat_arrays(self._prefixes) if self._prefixes else None
            with _bars_on_terminals():
                self._scored = Perplexity().update_texts(pa.concat_arrays(self._texts), prefixes=prefixes, **options)
        return self._scored


def _bars_on_terminals() -> AbstractContextManager[Any]:
    """Keep progress bars, of transformers too, out of a stderr that nobody watches."""
    return nullcontext() if sys.stderr.isatty() else redirect_stderr(io.StringIO())


def check_model(flags: Mapping[str, Any], *, others_take: set[str]) -> None:
    """Refuse flags of perplexity that name no model or two, or belong to the other kind.

    Parameters
    ----------
    flags : mapping
        Those on the command line.
    others_take : set of str
        The flags that another metric of the same call takes.
    """
    kinds = [name for name in ("model", "ngram_train") if name in flags]
    if len(kinds) != 1:
        fail(click.UsageError, "--model", "it or --ngram-train for perplexity", "both" if kinds else "neither")
    wrong, wanted = (("order", "tokenizer"), "ngram_train") if kinds == ["model"] else (_BESIDE_A_MODEL, "model")
    for name in wrong:
        if name in flags and name not in others_take:
            fail(click.UsageError, spelled(name), f"{spelled(wanted)} beside it", spelled(kinds[0]))
    if "prefix_field" in flags and "prefixes" not in flags:
        fail(click.UsageError, "--prefix-field", "--prefixes beside it", "no file of prefixes")
