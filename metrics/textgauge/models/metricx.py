"""MetricX: mT5 reads the texts of a segment as one, and one logit of the first step of its decoder is the score."""

from __future__ import annotations

import copy
import os
import re
import warnings
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import fail, line_to_install, shown
from .batching import Batch, Batches, Padded, on_device
from .files import ModelFiles, ModelLocation, pretrained, read_tensors, weights_of
from .learned import LearnedModel, ModelFamily, Reader, Scored, numbered
from .loading import Devices, one_thread, torch_and_transformers, with_weights
from .tokens import TruncatingTokenizer

# The row of the head that is read, that of <extra_id_10>, and the end of the scale of errors.
_ROW, _MOST = 250089, 25.0
# By form, which columns a model reads, and the most tokens of a segment, of which the last one is then dropped.
FORMS: Mapping[str, tuple[tuple[str, ...], int]] = {
    "24": (("sources", "references"), 1536), "23": (("references",), 1024), "23-qe": (("sources",), 1024),
}  # fmt: skip
FILES = ModelFiles(
    "a MetricX model", "google/metricx-24-hybrid-large-v2p6", "config.json", b"MT5ForRegression",
    ("model*.safetensors", "pytorch_model*.bin"),
)  # fmt: skip
_NAME = re.compile(r"metricx-(24|23-qe|23)-")
_HEAD, _WORDS = "lm_head.weight", "shared.weight"
# What the encoder and the decoder call the same embeddings.
_SAME = ("encoder.embed_tokens.weight", "decoder.embed_tokens.weight")


def form_of(name: str, form: str | None) -> str | None:
    """Return the form of the input of a model, by its name unless it is given; None if neither tells.

    Examples
    --------
    >>> form_of("google/metricx-23-qe-xl-v2p0", None), form_of("./mine", "24"), form_of("./mine", None)
    ('23-qe', '24', None)
    """
    of_name = _NAME.search(name)
    return form or (None if of_name is None else of_name[1])


def _reader_of(options: Any) -> Reader | None:
    """Return what the name of a model, or the given form, tells of the texts that it reads."""
    name = os.fspath(options.model_id)
    form = form_of(name, options.form)
    return None if form is None else Reader(name, FORMS[form][0], needs_all=form != "24")


class MetricX(LearnedModel):
    """A model of MetricX.

    Attributes
    ----------
    form : str
        Which texts it reads, and in which order.
    """

    unit = "segment"

    def __init__(self, location: ModelLocation, options: Any, devices: Devices) -> None:
        """Build the model, and check that the checkpoint has its weights and no others."""
        self._torch, transformers = torch_and_transformers("metricx")
        files = weights_of(location, FILES)
        about = FILES.title, FILES.example, FILES.description
        config = pretrained(transformers.AutoConfig, str(location.folder), "model_id", *about)
        if "MT5ForRegression" not in (config.architectures or ()):
            location.refuse("a model of MetricX, MT5ForRegression,", shown(config.architectures))
        form, name = form_of(location.name, options.form), shown(location.name)
        if form is None:
            fail(ValueError, "form", f"one of {', '.join(FORMS)}, which the name {name} does not tell", "None")
        self.form, (takes, self.limit) = form, FORMS[form]
        super().__init__(location.name, takes, needs_all=form != "24")
        dtype = self._dtype_of(config, options.dtype)
        self._model, row = self._loaded(transformers, config, location, files, dtype, devices)
        self.device = self._model.device
        self._n_words = self._model.get_input_embeddings().num_embeddings
        self._row = row.to(self.device, dtype)
        self._cutter = TruncatingTokenizer(_tokenizer(transformers, os.fspath(options.encoder)), self.limit)
        self._pad = config.pad_token_id or 0
        self.identity = {
            **location.identity(files),
            "form": self.form,
            "dtype": str(dtype).removeprefix("torch."),
        }

    def _dtype_of(self, config: Any, dtype: str) -> Any:
        """Return a type of torch: the official program takes that of the checkpoint, for models of 23 float32."""
        written = getattr(config, "dtype", None) or getattr(config, "torch_dtype", None) or "float32"
        name = ("float32" if self.form != "24" else written) if dtype == "auto" else dtype
        return getattr(self._torch, str(name).removeprefix("torch."))

    def _loaded(
        self,
        transformers: Any,
        config: Any,
        location: ModelLocation,
        files: Sequence[Any],
        dtype: Any,
        devices: Devices,
    ) -> tuple[Any, Any]:
        """Return encoder and decoder, and the row of the head; the weights stay mapped where their type fits."""
        torch, class_name = self._torch, "MT5ForRegression"
        allowed = "weights that are complete and nothing but tensors"
        state = read_tensors(torch, location, files, allowed)
        location.refuse_keys(class_name, {_HEAD, _WORDS} - state.keys(), ())
        head, words = state.pop(_HEAD), state[_WORDS]
        if any(key in state and not _is_equal(torch, state.pop(key), words) for key in _SAME):
            location.refuse(f"one matrix as {', '.join((_WORDS, *_SAME))}", "several")
        if head.ndim != 2 or len(head) <= _ROW or head.shape[1] != config.d_model:
            location.refuse(f"{_HEAD} of shape [more than {_ROW}, {config.d_model}]", shown([*head.shape]))
        # A copy: the rest of the head, 4 GB of the largest model, is never read.
        row = head[_ROW].clone()
        # transformers 5 would tie a head to the embeddings whatever the checkpoint says: this class has none.
        # Only eager attention rounds as that of MetricX.
        model, missing, unknown = with_weights(
            transformers.MT5Model, config, state, dtype, devices, location, class_name, attn_implementation="eager"
        )
        location.refuse_keys(class_name, missing - {*_SAME}, unknown)
        return model, row

    def text(self, prediction: str, source: str | None, reference: str | None) -> str:
        """Return the input of a segment, in which a text may look like a label: MetricX escapes nothing."""
        if self.form == "24":
            end = "" if reference is None else f" reference: {reference}"
            return f"source: {source or ''} candidate: {prediction}{end}"
        return f"candidate: {prediction} " + (
            f"source: {source}" if self.form == "23-qe" else f"reference: {reference}"
        )

    def score(
        self, predictions: Sequence[str], columns: Mapping[str, Sequence[str]], batch_size: int | None, bar: Any = None
    ) -> Scored:
        """Score segments, from 0, no error, to 25."""
        nothing = [None] * len(predictions)
        distinct, places = numbered(
            zip(predictions, columns.get("sources", nothing), columns.get("references", nothing), strict=True)
        )
        cut = self._cutter.cut([self.text(*texts) for texts in distinct])
        # The mark of the end goes, as in training.
        ids = [row[:-1] for row in cut.ids]
        with one_thread(), self._torch.inference_mode():
            scores = self._torch.empty(len(ids), dtype=self._row.dtype, device=self.device)

            def step(rows: NDArray[np.int64], batch: Batch) -> None:
                scores[on_device(rows, self.device)] = self._scores(batch)
                if bar is not None:
                    bar.update(len(rows))

            Batches(self._model, batch_size).run(ids, self._pad, step, self._check)
            return Scored(scores.float().cpu().numpy().astype(float)[places], cut.n_long)

    def _check(self, rows: Padded) -> None:
        rows.refuse_unknown("encoder", self.name, self._n_words)

    def _scores(self, batch: Batch) -> Any:
        """Return the score of every input on the device: one step of the decoder from token 0, one row of the head."""
        states = self._model.encoder(input_ids=batch.ids, attention_mask=batch.mask).last_hidden_state
        start = self._torch.zeros((len(batch.ids), 1), dtype=self._torch.long, device=self.device)
        states_of_decoder = self._model.decoder(
            input_ids=start, encoder_hidden_states=states, encoder_attention_mask=batch.mask, use_cache=False
        ).last_hidden_state[:, 0]
        return (states_of_decoder.to(self._row.device) @ self._row).clamp(0.0, _MOST)


def _is_equal(torch: Any, left: Any, right: Any) -> bool:
    """Return whether two matrices are equal, without reading two that are the same part of the file."""
    return left.data_ptr() == right.data_ptr() and left.shape == right.shape or torch.equal(left, right)


def _tokenizer(transformers: Any, encoder: str) -> Any:
    """Return the tokenizer of mT5, cutting as that of transformers 4.30, with which MetricX is published.

    Later ones drop white space at the end and before marks such as </s>.
    """
    allowed = "a local folder or a name on the Hub with the tokenizer of mT5"
    try:
        with warnings.catch_warnings():
            # transformers 4 says that the fast tokenizer, the official one, has no bytes for unknown characters.
            warnings.filterwarnings("ignore", "The sentencepiece tokenizer that you are converting")
            tokenizer = pretrained(
                transformers.AutoTokenizer, encoder, "encoder", "a tokenizer of mT5", "google/mt5-xl",
                "a local folder with it",
            )  # fmt: skip
    except (ImportError, ValueError, TypeError, KeyError) as error:
        # Without these transformers says that another package is missing.
        lacking = [package for package in ("sentencepiece", "google.protobuf") if not _is_installed(package)]
        if lacking:
            needed = f"not installed, and needed for the tokenizer of MetricX: {' and '.join(lacking)}"
            raise ImportError(f"{needed} ({line_to_install('metricx')})") from None
        fail(ValueError, "encoder", allowed, f"{encoder}, {type(error).__name__}")
    if not tokenizer.is_fast or tokenizer.eos_token_id is None:
        fail(ValueError, "encoder", allowed, f"that of {encoder}, {type(tokenizer).__name__}")
    return _as_published(tokenizer, encoder, allowed)


def _as_published(tokenizer: Any, encoder: str, allowed: str) -> Any:
    from tokenizers import Regex, normalizers, pre_tokenizers

    tokenizer = copy.deepcopy(tokenizer)
    backend = tokenizer.backend_tokenizer
    first = backend.normalizer
    if isinstance(first, normalizers.Sequence):
        first = first[0]
    if not isinstance(first, normalizers.Precompiled):
        fail(ValueError, "encoder", allowed, f"that of {encoder}, without the normalization of mT5")
    backend.normalizer = normalizers.Sequence([first, normalizers.Replace(Regex(" {2,}"), " ")])
    backend.pre_tokenizer = pre_tokenizers.Metaspace(replacement="\u2581", prepend_scheme="always")
    return tokenizer


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


METRICX = ModelFamily(FILES, "metricx", MetricX, _reader_of)
