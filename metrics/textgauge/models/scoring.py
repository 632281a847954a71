"""Likelihoods of texts under a language model, batch by batch: statistics, and the surprise of every token."""

from __future__ import annotations

import inspect
import math
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import IntArray
from ..checks import fail, shown, warn_user
from ..input.columns import text_column
from ..plain import Texts
from ..signatures import yes_no
from ..text import token_places
from ..text.vocabulary import text_sizes
from .batching import Batch, Batches, Padded, bar_of, evaluation_mode, on_device, one_behind
from .loading import LoadedModel, load, torch_and_transformers
from .options import ModelOptions, check_window
from .tokens import context_of
from .windows import SequenceMaker, TokenSequence, windows

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
    surprises: list[list[Surprise]] = [[] for _ in range(len(texts))]
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
                surprises[s.segment] = _placed(places[s.first - s.n_before :], bits[s.segment].tolist())
    return surprises


def _placed(places: list[tuple[int, int]], bits: list[float]) -> list[Surprise]:
    """Join tokens that share a character.

    Examples
    --------
    >>> _placed([(0, 3), (1, 2), (2, 4), (4, 4), (4, 5)], [1.0, 2.0, 4.0, 8.0, 16.0])
    [(0, 4, 7.0), (4, 5, 16.0)]
    """
    surprises: list[Surprise] = []
    for (start, end), value in zip(places, bits, strict=True):
        if surprises and surprises[-1][0] <= start < surprises[-1][1]:
            first, last, before = surprises[-1]
            surprises[-1] = first, max(last, end), before + value
        elif start < end:
            surprises.append((start, end, value))
    return surprises


def _nll_by_window(
    texts: Texts, options: ModelOptions, prefixes: Texts | None
) -> Generator[tuple[list[TokenSequence], list[tuple[ScoredWindow, NDArray[np.float64]]]], None, None]:
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

        def scored() -> Iterator[tuple[list[TokenSequence], list[ScoredWindow], Any]]:
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

        for sequences, looks, of_pool in one_behind(scored()):
            ends = np.cumsum([len(look.ids) - look.first for look in looks])
            nll = np.split(of_pool.cpu().numpy().astype(np.float64), ends[:-1]) if looks else []
            yield sequences, [*zip(looks, map(_finite, looks, nll), strict=True)]
            bar.update(len(sequences))


def model_signature(options: ModelOptions, *, has_prefixes: bool) -> dict[str, str]:
    """Return the fields of a signature: the model and its input."""
    loaded = load(options)
    size = _window_size(options, context_of(loaded.model))
    has_start = options.add_start_token and loaded.tokenizer.bos_token_id is not None
    return {
        **loaded.identity,
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
        warn_user(
            f"the tokenizer of {loaded.name} has no BOS token, so the first token of a text without prefix "
            "is not scored; set tokenizer.bos_token, or `add_start_token=False`."
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


# ---- batches of windows through a language model

# Logits converted to float32 at a time, on a processor and on an accelerator: 16 MB and 512 MB.
PIECE, PIECE_ON_ACCELERATOR = 1 << 22, 1 << 27
# Tokens with which it is tried whether the head of a model is all that follows its states.
_N_TRIED = 8


class ScoredWindow(NamedTuple):
    """The token ids of one window of text `segment`; those from `first` on are scored.

    The first of these is number `at` among all scored tokens of the text.
    """

    segment: int
    ids: list[int]
    first: int
    at: int


class Likelihoods:
    """A language model as a function from windows to the negative log-likelihoods of their scored tokens.

    Where the head is all that follows the model's last states, which is tried once, logits are computed piece by piece
    and for scored tokens alone.
    """

    def __init__(self, loaded: LoadedModel, batch_size: int | None) -> None:
        """Choose the size of batches; `batch_size` is the most windows of one."""
        self._torch, _ = torch_and_transformers()
        self._loaded, self._model = loaded, loaded.model
        self._n_words = loaded.model.get_input_embeddings().num_embeddings
        self._known = inspect.signature(loaded.model.forward).parameters
        self._head = self._split()
        n_outputs = 0 if self._head is not None else self._n_words
        # Causal attention never looks at padding, so that it changes nothing on a processor either.
        self._batches = Batches(loaded.model, None, is_padded=True, n_outputs=n_outputs, most_texts=batch_size)

    def of(self, windows: Sequence[ScoredWindow]) -> Any:
        """Return the negative log-likelihoods in nats of the scored tokens, window by window, on the device.

        Returns
        -------
        torch.Tensor, float32, shape (n_scored_tokens,)
        """
        counts = np.array([len(window.ids) - window.first for window in windows], np.int64)
        starts, first = np.cumsum(counts) - counts, np.array([window.first for window in windows], np.int64)
        with self._torch.inference_mode():
            nll = self._torch.empty(int(counts.sum()), device=self._model.device)

            def step(rows: IntArray, batch: Batch) -> None:
                of_batch = [windows[i].ids for i in rows.tolist()]
                of_tokens = self._nll(batch, of_batch, first[rows])
                places = np.repeat(starts[rows], counts[rows]) + _counted(counts[rows])
                nll[on_device(places, nll.device)] = of_tokens.to(nll.device)

            # No state of a token depends on padding behind it, so that any id will do: a padding token may be none of
            # the model's words.
            self._batches.run([window.ids for window in windows], 0, step, self._check)
        return nll

    def _check(self, rows: Padded) -> None:
        rows.refuse_unknown("tokenizer", self._loaded.name, self._n_words)

    def _nll(self, batch: Batch, ids: list[list[int]], first: IntArray) -> Any:
        lengths = np.array([len(row) for row in ids], np.int64)
        n_scored = lengths - first
        rows, places = np.repeat(np.arange(len(ids)), n_scored), np.repeat(first, n_scored) + _counted(n_scored)
        targets = np.concatenate([row[start:] for row, start in zip(ids, first.tolist(), strict=True)])
        # What is at a place predicts the next token.
        width = batch.ids.shape[1]
        if self._head is not None:
            states = self._head[0](**self._inputs(batch)).last_hidden_state
            of_states = self._head[1]
        else:
            n_kept = width - int(first.min()) + 1
            states, of_states = self._model(**self._inputs(batch, logits_to_keep=n_kept)).logits, None
        flat, kept = states.flatten(0, 1), states.shape[1]
        at = on_device(rows * kept + places - 1 - (width - kept), flat.device)
        target = on_device(np.asarray(targets, np.int64), flat.device)
        most = PIECE if flat.device.type == "cpu" else PIECE_ON_ACCELERATOR
        size = max(1, most // self._n_words)
        parts = []
        for start in range(0, len(at), size):
            scores = flat.index_select(0, at[start : start + size])
            scores = (scores if of_states is None else of_states(scores)).float()
            wanted = target[start : start + size].to(scores.device)
            parts.append(scores.logsumexp(dim=1) - scores.gather(1, wanted[:, None])[:, 0])
        return self._torch.cat(parts)

    def _inputs(self, batch: Batch, **more: Any) -> dict[str, Any]:
        optional = {"use_cache": False, **more}
        return {
            "input_ids": batch.ids, "attention_mask": batch.mask,
            **{name: value for name, value in optional.items() if name in self._known},
        }  # fmt: skip

    def _split(self) -> tuple[Any, Any] | None:
        """Return the model of the states and the head; None where logits are more than the head of these."""
        model, torch = self._model, self._torch
        base, head = getattr(model, "base_model", model), getattr(model, "get_output_embeddings", lambda: None)()
        if base is model or head is None:
            return None
        ids = torch.arange(_N_TRIED, device=model.device)[None] % self._n_words
        inputs = self._inputs(Batch(ids, torch.ones_like(ids), None))
        try:
            with torch.inference_mode():
                states = base(**inputs).last_hidden_state
                is_equal = torch.equal(head(states).float(), model(**inputs).logits.float())
        except (AttributeError, RuntimeError, TypeError):
            return None
        return (base, head) if is_equal else None


def _counted(counts: NDArray[np.int64]) -> IntArray:
    """Return 0, 1, ... for each of some counts."""
    return np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
