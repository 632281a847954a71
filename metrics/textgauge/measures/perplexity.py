"""Perplexity of texts: from probabilities, from a language model, from an n-gram model."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arrays import FloatArray
from ..checks import fail, flag, refuse_unknown, shown
from ..columns import text_column
from ..language_model import ModelOptions, changed, model_signature, text_statistics
from ..signatures import signature as signature_of
from ..text.vocabulary import text_sizes
from .accumulator import Accumulator
from .one_call import keywords, with_options_of
from .perplexity_result import corpus_interval, plain_result
from .probabilities import negative_logs
from .storage import LARGEST_COUNT, refuse_values


class Perplexity(Accumulator):
    """Perplexity, batch by batch: holds four numbers per segment, never text.

    `statistics` has nll in nats, tokens, bytes and words: float64, shape (n_segments, 4); bytes
    and words are NaN for segments without text.

    Examples
    --------
    >>> first = Perplexity().update(probs=[[1/2, 1/4, 1/8]])
    >>> second = Perplexity().update(log_probs=[[-1.0, -3.0], [-2.0]], base=2)
    >>> (first + second).score()["perplexities"]
    [4.0, 4.0, 4.0]
    """

    def __init__(self) -> None:
        """Start without segments."""
        super().__init__()
        self._sources: frozenset[tuple[tuple[str, str], ...]] = frozenset()

    def update(
        self, *, log_probs: Any = None, probs: Any = None, base: str | int = "e", texts: Any = None
    ) -> Perplexity:
        """Add segments; what is refused leaves everything as it was.

        Parameters
        ----------
        log_probs : sequence of sequences of float
            For every segment the logarithms of its tokens' probabilities, at most 0 each.
        probs : sequence of sequences of float
            The probabilities themselves, in (0, 1]; one of the two is to be given.
        base : "e", 2 or 10
            The base of `log_probs`.
        texts : sequence of str, optional
            The segments' texts, for bits per byte and per word. Words are what white
            space separates, bytes those of UTF-8.
        """
        nll, offsets = negative_logs(log_probs, probs, base)
        n_tokens = np.diff(offsets)
        sums = np.bincount(np.repeat(np.arange(len(n_tokens)), n_tokens), nll, minlength=len(n_tokens))
        sizes = np.full((len(n_tokens), 2), np.nan)
        if texts is not None:
            sizes = text_sizes(text_column(texts, "texts"))
            if len(sizes) != len(n_tokens):
                fail(ValueError, "texts", f"as many as rows of probabilities ({len(n_tokens)})", str(len(sizes)))
        return self._add(np.column_stack((sums, n_tokens, sizes)), {"model": "probabilities"})

    def update_texts(self, texts: Any, *, prefixes: Any = None, **options: Any) -> Perplexity:
        """Add texts scored by a model.

        Parameters
        ----------
        texts : sequence of str
        prefixes : sequence of str, optional
            For every text what stands before it: context whose tokens are not scored.
        model_id, model, tokenizer, model_kwargs, device, device_map, batch_size, \
        add_start_token, max_length, stride
            See `ModelOptions`. `model` may be an `NgramModel`, which knows none of the
            other options.
        """
        return self._add(*_model_statistics(texts, prefixes, options))

    def __add__(self, other: Perplexity) -> Perplexity:
        """Merge two sets of segments."""
        merged = super().__add__(other)
        merged._sources = self._sources | other._sources
        return merged

    @property
    def _settings(self) -> dict[str, Any]:
        return {}

    @property
    def _described(self) -> dict[str, str]:
        return {}

    @property
    def _zero_row(self) -> FloatArray:
        return np.zeros(4)

    _origin_name = "sources"

    @property
    def _origin(self) -> list[Any]:
        return sorted(self._sources)

    def _took_origin(self, origin: list[Any]) -> bool:
        self._sources = frozenset(tuple((key, value) for key, value in source) for source in origin)
        return all(isinstance(text, str) for source in self._sources for part in source for text in part)

    def _check_rows(self, rows: FloatArray) -> None:
        is_count = (rows >= 0) & (rows <= LARGEST_COUNT)
        is_count[:, 0] = rows[:, 0] > -np.inf
        is_count[:, 2:] |= np.isnan(rows[:, 2:])
        refuse_values(rows, is_count, "nll, tokens, bytes and words of every segment")

    @property
    def signature(self) -> str:
        """What was computed: the model and what it saw, "var" if the segments differ in that."""
        if len(self._sources) == 1:
            return signature_of(None, dict(*self._sources))
        return signature_of(None, {"model": "var"})

    def score(
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
    ) -> dict[str, Any]:
        """Return the perplexities: unbounded, at least 1, lower is better.

        `perplexities` has one value per segment, None for a segment without tokens, and
        `mean_perplexity` is the mean of the others. `corpus_perplexity` is exp(nll /
        n_tokens) with `nll` in nats and `n_tokens` summed over all segments, and so are
        `bits_per_token`, `bits_per_byte` and `bits_per_word`; the last two are there if
        the texts of all segments are known. `per_segment` adds ``segment_nll`` and
        ``segment_n_tokens``, `signature` the line that says what was computed, and
        `confidence` adds ``confidence_interval``, the bounds around `corpus_perplexity`
        when the segments with tokens are drawn again, see `BootstrapOptions`.
        """
        bootstrap = self._bootstrap(confidence=confidence, n_resamples=n_resamples, seed=seed)
        statistics = self.statistics
        flag("per_segment", per_segment)
        pooled = statistics.sum(axis=0)
        if pooled[1] == 0:
            fail(ValueError, "predictions", "at least one token to score", f"none in {len(statistics)} segments")
        result = plain_result(statistics, pooled)
        if per_segment:
            result["segment_nll"] = statistics[:, 0].tolist()
            result["segment_n_tokens"] = statistics[:, 1].astype(np.int64).tolist()
        if flag("signature", signature):
            result["signature"] = self.signature
        if confidence is not None:
            result["confidence_interval"] = corpus_interval(statistics, bootstrap)
        return result

    def _add(self, statistics: FloatArray, source: dict[str, str]) -> Perplexity:
        if len(statistics):
            self._batches.append(statistics)
            self._sources |= {tuple(source.items())}
        return self


def _model_statistics(texts: Any, prefixes: Any, options: dict[str, Any]) -> tuple[FloatArray, dict[str, str]]:
    # NgramModel gives its own scores, so it knows this file.
    from .ngram_model import NgramModel

    others = [name for name in changed(options) if name != "model"]
    column = text_column(texts, "predictions")
    model = options.get("model")
    if isinstance(model, NgramModel):
        if others or prefixes is not None:
            fail(ValueError, (others or ["prefixes"])[0], "its default with an NgramModel", "another value")
        return model.statistics(column), model.signature
    before = None if prefixes is None else text_column(prefixes, "prefixes")
    if before is not None and len(before) != len(column):
        fail(ValueError, "prefixes", f"as many as predictions ({len(column)})", str(len(before)))
    chosen = ModelOptions(**options)
    statistics = text_statistics(column, chosen, before)
    return statistics, model_signature(chosen, has_prefixes=before is not None)


@with_options_of(ModelOptions, Perplexity.score)
def perplexity(
    *, log_probs: Any = None, probs: Any = None, base: str | int = "e", texts: Any = None, prefixes: Any = None,
    **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """Return the perplexity of a corpus: `Perplexity` in one call.

    With `log_probs` or `probs` see `Perplexity.update`, with `texts` and a model
    `Perplexity.update_texts`, for the result `Perplexity.score`.

    Examples
    --------
    >>> perplexity(probs=[[1/2, 1/4, 1/8]])["corpus_perplexity"]
    4.0
    """
    reported, own = keywords(Perplexity.score), keywords(perplexity)
    refuse_unknown(options, [*own, *reported, *ModelOptions.__dataclass_fields__], "perplexity")
    reports = {name: options.pop(name) for name in reported if name in options}
    measured = Perplexity()
    measured._bootstrap(**{name: reports.get(name) for name in ("confidence", "n_resamples", "seed")})
    if log_probs is None and probs is None and texts is not None:
        if base != "e":
            fail(ValueError, "base", "'e' without log_probs", shown(base))
        measured.update_texts(texts, prefixes=prefixes, **options)
    else:
        others = changed(options) + (["prefixes"] if prefixes is not None else [])
        if others:
            fail(ValueError, others[0], "its default with log_probs or probs, which need no model", "another value")
        measured.update(log_probs=log_probs, probs=probs, base=base, texts=texts)
    return measured.score(**reports)
