"""Statistics of texts under a language model, batch by batch."""

from __future__ import annotations

import math
import warnings
from collections.abc import Generator, Iterator
from contextlib import closing
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import IntArray
from ..checks import fail, shown
from ..input.columns import text_column
from ..plain import Texts
from ..signatures import yes_no
from ..text import token_places
from ..text.vocabulary import text_sizes
from .batching import evaluation_mode, one_behind
from .forward import Likelihoods, ScoredWindow
from .loading import LoadedModel, load
from .options import ModelOptions, check_window
from .progress import bar_of
from .sequences import Sequence, SequenceMaker
from .tokens import context_of
from .windows import windows

# So many texts, on a processor and on an accelerator, or about so many bytes of them, are tokenized at once, and their
# windows are sorted by length.
POOL, POOL_ON_ACCELERATOR = 256, 1 << 14
POOL_BYTES = 1 << 20
# Start and end of a token in its text, and its surprise in bits.
Surprise = tuple[int, int, float]


def text_statistics(texts: Texts, options: ModelOptions, prefixes: Texts | None = None) -> NDArray[np.float64]:
    """Return the nll in nats, tokens, bytes and words of texts under a language model.

    The longest texts go first, and only a pool of them is tokenized at a time. Input is
    padded on the right, to which causal attention never looks, so results do not
    depend on the other texts of the batch.

    Parameters
    ----------
    texts, prefixes : Texts
        A prefix is context for its text: its tokens are not scored.
    options : ModelOptions

    Returns
    -------
    float64, shape (n_texts, 4)
        Bytes and words are those of the scored tokens.

    Raises
    ------
    ImportError
        If torch or transformers is missing.
    ValueError
        For a text that is longer than the model's context.
    """
    statistics = np.zeros((len(texts), 4))
    with closing(_nll_by_window(texts, options, prefixes)) as pools:
        for sequences, scored in pools:
            for window, nll in scored:
                # One by one: `np.sum` adds pairwise.
                statistics[window.segment, 0] += nll.cumsum()[-1]
            rows = [s.segment for s in sequences]
            statistics[rows, 1] = [len(s.ids) - s.first for s in sequences]
            statistics[rows, 2:] = text_sizes(text_column([s.scored_text for s in sequences], "texts"))
    return statistics


def text_surprises(texts: Texts, options: ModelOptions) -> list[list[Surprise]]:
    """Return start, end and surprise in bits of every scored token with a place in its text, text by text.

    Tokens that share a character, as the bytes of one do, count as one, whose surprise is their sum.
    """
    tokenizer = load(options).tokenizer
    found: list[list[Surprise]] = [[] for _ in range(len(texts))]
    with closing(_nll_by_window(texts, options, None)) as pools:
        for sequences, scored in pools:
            bits = {s.segment: np.zeros(len(s.ids) - s.first) for s in sequences}
            for window, nll in scored:
                bits[window.segment][window.at : window.at + len(nll)] = nll / math.log(2)
            for s in sequences:
                places = s.places
                if places is None:
                    tokens = [tokenizer.decode([token]).strip() for token in s.ids[s.n_before :]]
                    places = token_places(texts[s.segment], tokens)
                found[s.segment] = _placed(places[s.first - s.n_before :], bits[s.segment].tolist())
    return found


def _placed(places: list[tuple[int, int]], bits: list[float]) -> list[Surprise]:
    found: list[Surprise] = []
    for (start, end), value in zip(places, bits, strict=True):
        if found and found[-1][0] <= start < found[-1][1]:
            first, last, before = found[-1]
            found[-1] = first, max(last, end), before + value
        elif start < end:
            found.append((start, end, value))
    return found


def _nll_by_window(
    texts: Texts, options: ModelOptions, prefixes: Texts | None
) -> Generator[tuple[list[Sequence], list[tuple[ScoredWindow, NDArray[np.float64]]]], None, None]:
    """Yield some of the texts as sequences, and the nll of the scored tokens of each of their windows."""
    loaded = load(options)
    _warn_without_start(loaded, options)
    context = context_of(loaded.model)
    size = _window_size(options, context)
    maker = SequenceMaker(loaded, options, context)
    n_bytes = np.asarray(texts.lengths(), np.int64)
    if prefixes is not None:
        n_bytes = n_bytes + np.asarray(prefixes.lengths(), np.int64)
    with bar_of(len(texts), "perplexity") as bar, evaluation_mode(loaded.model):
        likelihoods = Likelihoods(loaded, options.batch_size)

        def scored() -> Iterator[tuple[list[Sequence], list[ScoredWindow], Any]]:
            for pool in _pools(n_bytes, POOL if loaded.model.device.type == "cpu" else POOL_ON_ACCELERATOR):
                chosen = texts.take(pool).tolist()
                before = None if prefixes is None else prefixes.take(pool).tolist()
                sequences = maker.make(pool.tolist(), chosen, before)
                looks = [
                    ScoredWindow(s.segment, s.ids[w.start : w.stop], w.first - w.start, w.first - s.first)
                    for s in sequences
                    for w in windows(len(s.ids), s.first, size, options.stride)
                ]
                yield sequences, looks, likelihoods.of(looks)

        for sequences, looks, found in one_behind(scored()):
            ends = np.cumsum([len(look.ids) - look.first for look in looks])
            nll = np.split(found.cpu().numpy().astype(np.float64), ends[:-1]) if looks else []
            yield sequences, [*zip(looks, map(_finite, looks, nll), strict=True)]
            bar.update(len(sequences))


def model_signature(options: ModelOptions, *, has_prefixes: bool) -> dict[str, str]:
    """Return the fields of a signature: the model and its input."""
    loaded = load(options)
    size = _window_size(options, context_of(loaded.model))
    has_start = options.add_start_token and loaded.tokenizer.bos_token_id is not None
    return {
        "model": loaded.name,
        **({} if options.revision is None else {"revision": options.revision}),
        "dtype": str(loaded.model.dtype).removeprefix("torch."),
        "bos": yes_no(has_start),
        "max": str(size or "none"),
        "stride": str(options.stride or "none"),
        "prefix": yes_no(has_prefixes),
    }


def _finite(window: ScoredWindow, nll: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the nll of a window; raise for one that is no number."""
    if np.isnan(nll).any():
        where = f"predictions[{window.segment}]"
        fail(ValueError, where, "finite logits from the model (dtype float32 or bfloat16 may help)", "NaN")
    return nll


def _window_size(options: ModelOptions, context: int | None) -> int | None:
    if options.max_length is not None and context is not None and options.max_length > context:
        fail(ValueError, "max_length", f"at most the model's context ({context})", shown(options.max_length))
    size = options.max_length or context
    if options.stride is not None:
        if size is None:
            allowed = "the length of a window, since the model's configuration has no context length"
            fail(ValueError, "max_length", allowed, "None")
        check_window(options.stride, size)
    return size


def _warn_without_start(loaded: LoadedModel, options: ModelOptions) -> None:
    if options.add_start_token and loaded.tokenizer.bos_token_id is None:
        warnings.warn(
            f"the tokenizer of {loaded.name} has no BOS token, so the first token of a text without prefix "
            "is not scored; set tokenizer.bos_token, or `add_start_token=False`.",
            stacklevel=5,
        )


def _pools(n_bytes: IntArray, n_texts: int) -> Iterator[IntArray]:
    """Yield the texts from the longest to the shortest, at most `n_texts` or about `POOL_BYTES` at a time."""
    order = np.argsort(-n_bytes, kind="stable")
    start = 0
    while start < len(order):
        sizes = np.cumsum(n_bytes[order[start : start + n_texts]])
        stop = start + max(1, int(np.searchsorted(sizes, POOL_BYTES)))
        yield order[start:stop]
        start = stop
