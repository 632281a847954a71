"""Rows of token ids from the arguments of an evaluation loop, and texts from token ids."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..checks import CountWarning, fail, flag, shown, warn_user
from .passes import OncePerPass

Ids: TypeAlias = npt.NDArray[np.integer[Any]]
Bools: TypeAlias = npt.NDArray[np.bool_]
# Marks positions of labels and predictions that are not scored.
IGNORED = -100
# Tokenizers read ids as integers of 32 bits.
_LARGEST_ID = 2**31 - 1

TEACHER_FORCING = OncePerPass(
    "predictions are logits, so every token was predicted from the true tokens before it (teacher forcing): "
    "scores of their argmax are too high; set predict_with_generate=True to score generated text."
)
# Where classes of transformers declare the option with which a tokenizer of CTC merges equal tokens.
_DECODERS = ("decode", "_decode", "convert_tokens_to_string")
_PERHAPS_CAUSAL = (
    "every label begins with -100, as behind the prompt of a decoder-only model, whose logits predict the next token: "
    "pass `compute_metrics(..., causal=model)`, and its method `preprocess_logits_for_metrics` to the Trainer; for "
    "other models `causal=False`."
)
_BEHIND_PROMPTS = (
    "[label does|labels do] not begin with -100 and the inputs are not there, so that the prompts in generated ids are "
    'scored, too: set include_for_metrics=["inputs"] in the training arguments; `causal=False` is for ids that have '
    "lost their prompts"
)
_GIVEN_AWAY = (
    "the inputs, which are the prompts of generated ids, have the labels in them: the model was given the answers, and "
    "what it wrote behind them is scored; pass prompts alone to the evaluation."
)
_UNKNOWN = (
    "[label has|labels have] characters that the tokenizer does not know, which count on neither side: "
    "add them to its vocabulary, or take them out of the references"
)


def preprocess_logits_for_metrics(logits: Any, labels: Any, *, causal: bool | None = None) -> Any:
    """Return token ids of the predictions, so that logits are not gathered.

    For ``Seq2SeqTrainer(preprocess_logits_for_metrics=...)``. Generated ids are returned as they are.
    For logits of an encoder-decoder model the result is the most likely token at every position
    with a label, and -100 elsewhere; a warning explains teacher forcing. For a decoder-only model pass the method of
    that name of ``compute_metrics(..., causal=True)`` instead.

    Parameters
    ----------
    logits : tensor, shape (n_rows, n_tokens, n_vocabulary) or (n_rows, n_tokens)
        Or a tuple of outputs that starts with it.
    labels : tensor, shape (n_rows, n_tokens), or None
        None if there are no labels, and so nothing to score.
    causal : bool, optional
        Whether logits at a position predict the token at the next one. None: they do not, but labels that look so
        are warned of.

    Returns
    -------
    tensor, shape (n_rows, n_tokens)
    """
    outputs = _first(logits)
    if outputs.ndim != 3:
        return outputs
    if labels is None:
        return outputs.argmax(-1)
    ids = _most_likely(outputs, _first(labels), causal=causal)
    TEACHER_FORCING.warn()
    return ids


def most_likely_frames(outputs: Any) -> Any:
    """Return the most likely token of every frame of a CTC model, -100 where there is none.

    Rows that are shorter than others of another batch are filled up with -100 in place of logits, whose argmax would
    be token 0. Ids are returned as they are.
    """
    logits = _first(outputs)
    if logits.ndim != 3:
        return logits
    ids = logits.argmax(-1)
    ids[(logits == IGNORED).all(-1)] = IGNORED
    return ids


def id_batches(
    predictions: Any, labels: Any, inputs: Any = None, *, needs_inputs: bool = True, is_ctc: bool = False,
    causal: bool | None = None,
) -> Iterator[tuple[Ids, Ids, Ids | None, Bools]]:  # fmt: skip
    """Yield (predictions, labels, inputs) as ids, shape (n_rows, n_tokens) each, equally many rows; inputs may be None.

    Lists contain batches, as with ``eval_do_concat_batches=False``; tuples contain the outputs
    of a model, of which the first is used. Predictions are frames if it `is_ctc`; those of a `causal` model lose
    their prompt. Inputs that nothing `needs_inputs` for may be of any form. The last values say which predictions
    may have a prompt that is scored: bool, shape (n_rows,).
    """
    is_listed = isinstance(predictions, list)
    if is_listed:
        if not (needs_inputs or (isinstance(inputs, list) and len(inputs) == len(predictions))):
            inputs = None
        for name, column in (("label_ids", labels), ("inputs", inputs)):
            is_absent = name == "inputs" and column is None
            if not is_absent and (not isinstance(column, list) or len(column) != len(predictions)):
                fail(ValueError, name, f"a list of {len(predictions)} batches, like predictions", _shape(column))
        inputs = [None] * len(predictions) if inputs is None else inputs
    else:
        predictions, labels, inputs = [predictions], [labels], [inputs]
    for number, (outputs, targets, read) in enumerate(zip(predictions, labels, inputs, strict=True)):
        place = f"[{number}]" if is_listed else ""
        outputs, targets = _first(outputs), _first(targets)
        if getattr(outputs, "ndim", None) == 3:
            outputs = most_likely_frames(outputs) if is_ctc else _most_likely(outputs, targets, causal=causal)
            if not is_ctc:
                warn_user(TEACHER_FORCING.text)
        hypotheses, references = _ids(outputs, f"predictions{place}"), _ids(targets, f"label_ids{place}")
        if len(hypotheses) != len(references):
            fail(ValueError, "predictions", f"one row per label ({len(references)})", str(len(hypotheses)))
        try:
            sources = None if read is None else _ids(_input_ids(read), f"inputs{place}")
            if sources is not None and len(sources) != len(references):
                fail(ValueError, "inputs", f"one row per label ({len(references)})", str(len(sources)))
        except ValueError:
            if needs_inputs:
                raise
            sources = None
        may_have_prompts = np.full(len(references), causal is None and not is_ctc)
        if causal:
            hypotheses, may_have_prompts[:] = _completions(hypotheses, references, sources)
        elif sources is not None:
            may_have_prompts &= [_n_of_prompt(*both) > 0 for both in zip(hypotheses, sources, strict=True)]
        yield hypotheses, references, sources, may_have_prompts


def _completions(ids: Ids, labels: Ids, inputs: Ids | None) -> tuple[Ids, bool]:
    """Return the ids of a decoder-only model without those of the prompt, with which `generate` begins.

    The prompts are the inputs where they are given. Else a prompt is as long as the -100 at the beginning of its label;
    these may also be padding, so that the second value says whether a part of a prompt may be left.
    """
    ids = ids.copy()
    places = np.arange(ids.shape[1])
    if inputs is None:
        # What was logits begins with -100, as nothing predicts the first token.
        are_behind = (labels[:, :1] != IGNORED).any(axis=1) & (ids[:, :1] != IGNORED).any(axis=1)
        if n_behind := int(np.count_nonzero(are_behind)):
            warn_user(CountWarning(n_behind, _BEHIND_PROMPTS))
        n_before = np.where((labels != IGNORED).any(axis=1), (labels != IGNORED).argmax(axis=1), 0)
        ids[places < n_before[:, None]] = IGNORED
        return ids, not n_behind
    has_answers = False
    for row, prompt, label in zip(ids, inputs, labels, strict=True):
        read = row[: _n_of_prompt(row, prompt)].copy()
        row[: len(read)] = IGNORED
        scored = np.flatnonzero(label != IGNORED)
        has_answers |= len(scored) > 0 and scored[-1] < len(read) and bool((read[scored] == label[scored]).all())
    if has_answers:
        warn_user(_GIVEN_AWAY)
    return ids, False


def _n_of_prompt(row: Ids, prompt: Ids) -> int:
    """Return how many ids of a prompt, which may be filled up with -100, a row begins with: all, or 0."""
    kept = np.flatnonzero(prompt != IGNORED)
    read = prompt[int(kept[0]) : int(kept[-1]) + 1] if len(kept) else prompt[:0]
    return len(read) if np.array_equal(row[: len(read)], read) else 0


def _input_ids(inputs: Any) -> Any:
    """Return the ids of the texts that a model read; with ``batch_eval_metrics=True`` the Trainer passes its batch."""
    if not isinstance(inputs, Mapping):
        return _first(inputs)
    if "input_ids" not in inputs:
        fail(ValueError, "inputs", "'input_ids' among the inputs of the model", shown([*inputs]))
    return inputs["input_ids"]


def _first(outputs: Any) -> Any:
    return _first(outputs[0]) if isinstance(outputs, tuple) and outputs else outputs


def _most_likely(logits: Any, labels: Any, *, causal: bool | None = None) -> Any:
    """Return the argmax where there is a label; that of a `causal` model from the logits of the position before.

    Elsewhere the decoder saw padding, and batches padded to equal length have -100 instead of
    logits, whose argmax would be token 0.
    """
    if labels is None or tuple(labels.shape) != tuple(logits.shape[:2]):
        allowed = (
            f"one label per position of the logits {tuple(logits.shape[:2])} (frames of a CTC model need "
            "`compute_metrics(..., ctc=True)`, and its method `preprocess_logits_for_metrics`)"
        )
        fail(ValueError, "label_ids", allowed, _shape(labels))
    ids = logits.argmax(-1)
    if causal:
        # Nothing predicts the first token. Arrays and tensors share no method that copies.
        shifted = ids + 0
        shifted[:, 1:] = ids[:, :-1]
        shifted[:, :1] = IGNORED
        ids = shifted
    elif causal is None and len(labels) and bool((labels[:, :1] == IGNORED).all()):
        warn_user(_PERHAPS_CAUSAL)
    ids[labels == IGNORED] = IGNORED
    return ids


def _ids(values: Any, argument: str) -> Ids:
    """Return token ids; raise for another value, with its place."""
    values = values.detach().cpu() if hasattr(values, "detach") else values
    allowed = "token ids of shape (n_rows, n_tokens), shorter rows filled up with -100, or logits"
    if not hasattr(values, "ndim"):
        fail(ValueError, argument, allowed, shown(values))
    array = np.asarray(values)
    if array.ndim != 2 or array.dtype.kind not in "iu":
        fail(ValueError, argument, allowed, f"{array.dtype} {array.shape}")
    is_wrong = ((array < 0) & (array != IGNORED)) | (array > _LARGEST_ID)
    if is_wrong.any():
        row, column = (int(place) for place in np.argwhere(is_wrong)[0])
        allowed = "a token id of at least 0, or -100 for what is left out"
        fail(ValueError, f"{argument}[{row}][{column}]", allowed, str(array[row, column]))
    return array


def _shape(values: Any) -> str:
    return str(tuple(values.shape)) if hasattr(values, "shape") else type(values).__name__


# ---- texts


class Decoder:
    """Decodes rows of token ids.

    Attributes
    ----------
    tokenizer : a tokenizer of transformers
        That of the processor, if one was given, which then decodes.
    is_ctc : bool
        Whether predictions are the frames of a CTC model: a token may fill several, and equal tokens that follow
        each other have another token between them, the blank.
    """

    def __init__(self, tokenizer: Any, ctc: bool | None, *, is_causal: bool = False) -> None:
        """Read the type of the tokenizer; `ctc` is None for what the tokenizer says, unless the model `is_causal`."""
        if not hasattr(tokenizer, "decode"):
            fail(TypeError, "tokenizer", "a tokenizer of transformers", shown(tokenizer))
        self._decode = tokenizer.decode
        self.tokenizer = getattr(tokenizer, "tokenizer", tokenizer)
        merges = any("group_tokens" in _parameters(self.tokenizer, name) for name in _DECODERS)
        # Frames are merged here, before special tokens are left out: the blank is one of them.
        self._settings = {"group_tokens": False} if merges else {}
        self.is_ctc = merges and not is_causal if ctc is None else flag("ctc", ctc)
        # GPT-2's is also the end of a text.
        ends = (getattr(self.tokenizer, f"{name}_token_id", None) for name in ("pad", "bos", "eos"))
        unknown = getattr(self.tokenizer, "unk_token_id", None)
        self._unknown = None if unknown in ends else unknown

    def predictions(self, ids: Ids) -> tuple[list[str], int]:
        """Return the texts of predictions, and their number of tokens without padding."""
        rows = _rows(ids)
        if self.is_ctc:
            rows = [[token for token, _ in groupby(row)] for row in rows]
        padding: Any = getattr(self.tokenizer, "pad_token_id", None)
        return self._texts(rows), sum(len(row) - row.count(padding) for row in rows)

    def labels(self, ids: Ids) -> list[str]:
        """Return the texts of labels; warn of those with unknown characters."""
        if self._unknown is not None and (n_unknown := int(np.count_nonzero((ids == self._unknown).any(axis=1)))):
            warn_user(CountWarning(n_unknown, _UNKNOWN))
        return self._texts(_rows(ids))

    def sources(self, ids: Ids) -> list[str]:
        """Return the texts that the model read."""
        # Marian's tokenizers may have a vocabulary for each language.
        is_apart = getattr(self.tokenizer, "separate_vocabs", False)
        return self._texts(_rows(ids), **({"use_source_tokenizer": True} if is_apart else {}))

    def _texts(self, rows: list[list[int]], **settings: bool) -> list[str]:
        """Decode rows one by one: of several at once Whisper's tokenizer keeps the prompts."""
        settings = {"skip_special_tokens": True, **self._settings, **settings}
        # The space before the first word is the tokenizer's.
        return [self._decode(row, **settings).strip() for row in rows]


def _parameters(owner: Any, name: str) -> tuple[str, ...]:
    try:
        return tuple(inspect.signature(getattr(owner, name)).parameters)
    except (AttributeError, TypeError, ValueError):
        return ()


def _rows(ids: Ids) -> list[list[int]]:
    """Return rows without -100."""
    return [row[keep].tolist() for row, keep in zip(ids, ids != IGNORED, strict=True)]
