"""MetricX: mT5 reads the texts of a segment as one, and one logit of the first step of its decoder is the score."""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from ..checks import fail, line_to_install, shown
from .batching import Batch, Padded, batches_of
from .files import Place, Wanted, check_path, found, hub_errors, read_tensors, stamp_of, weights_of
from .learned import LearnedModel, Scored, numbered
from .linear import speed_up
from .loading import CACHE, Devices, devices_of, one_thread, torch_and_transformers
from .tokens import Cutter

# The row of the head that is read, that of <extra_id_10>, and the end of the scale of errors.
_ROW, _MOST = 250089, 25.0
# By form, which columns a model reads, and the most tokens of a segment, of which the last one is then dropped.
FORMS: Mapping[str, tuple[tuple[str, ...], int]] = {
    "24": (("sources", "references"), 1536), "23": (("references",), 1024), "23-qe": (("sources",), 1024),
}  # fmt: skip
WANTED = Wanted(
    "a MetricX model", "google/metricx-24-hybrid-large-v2p6", "config.json",
    ("model*.safetensors", "pytorch_model*.bin"),
)  # fmt: skip
_NAME = re.compile(r"metricx-(24|23-qe|23)-")
_HEAD, _WORDS = "lm_head.weight", "shared.weight"
# What the encoder and the decoder call the same embeddings.
_SAME = ("encoder.embed_tokens.weight", "decoder.embed_tokens.weight")


def form_of(name: str, form: str | None) -> str:
    """Return the form of the input of a model, by its name unless it is given.

    Examples
    --------
    >>> form_of("google/metricx-23-qe-xl-v2p0", None), form_of("./mine", "24")
    ('23-qe', '24')
    """
    of_name = _NAME.search(name)
    if form is None and of_name is None:
        fail(ValueError, "form", f"one of {', '.join(FORMS)}, which the name {shown(name)} does not tell", "None")
    return form if form is not None or of_name is None else of_name[1]  # type: ignore[return-value]


def load_metricx(
    model_id: str | os.PathLike[str],
    encoder: str | os.PathLike[str],
    form: str | None = None,
    revision: str | None = None,
    dtype: str = "auto",
    device: str | None = None,
    device_map: Any = None,
) -> MetricX:
    """Return a model; the last one stays in memory.

    Parameters
    ----------
    model_id : str or path
        A name on the Hub, or a folder of its layout.
    encoder : str or path
        Where the tokenizer is.
    form : str, optional
        "24", "23" or "23-qe", if the name does not tell.
    revision : str, optional
        Branch, tag or commit on the Hub.
    dtype : str
        "auto", "float32" or "bfloat16"; auto is the type that the official program computes with.
    device : str, optional
    device_map : optional
        Distributes the model over devices, instead of `device`.

    Raises
    ------
    ImportError
        If torch, transformers, or what reads the tokenizer is missing.
    OSError
        If the model or its tokenizer cannot be found or loaded from the Hub.
    ValueError
        If the checkpoint is damaged, of another class, or has other weights than its class.
    """
    torch, _ = torch_and_transformers("metricx")
    devices = devices_of(torch, device, device_map)
    check_path("encoder", encoder)
    place, words = found(model_id, revision, WANTED), os.fspath(encoder)
    key = (place.name, place.commit, words, form, dtype, devices.key, stamp_of(str(place.folder)), stamp_of(words))
    return CACHE.get("metricx", key, lambda: MetricX(place, words, form, dtype, devices))


class MetricX(LearnedModel):
    """A model of MetricX.

    Attributes
    ----------
    form : str
        Which texts it reads, and in which order.
    """

    unit = "segment"

    def __init__(self, place: Place, encoder: str, form: str | None, dtype: str, devices: Devices) -> None:
        """Build the model, and check that the checkpoint has its weights and no others."""
        self._torch, transformers = torch_and_transformers("metricx")
        files = weights_of(place, WANTED)
        with hub_errors("model_id", str(place.folder), None, WANTED.kind, WANTED.example, WANTED.files):
            config = transformers.AutoConfig.from_pretrained(place.folder, trust_remote_code=False)
        if "MT5ForRegression" not in (config.architectures or ()):
            place.refuse("a model of MetricX, MT5ForRegression,", shown(config.architectures))
        self.name, self.form = place.name, form_of(place.name, form)
        self.takes, self.limit = FORMS[self.form]
        self.needs_all = self.form != "24"
        kind = self._dtype_of(config, dtype)
        self._model, row = self._loaded(transformers, config, place, files, kind, devices)
        self.device = self._model.device
        self._n_words = self._model.get_input_embeddings().num_embeddings
        self._row = row.to(self.device, kind)
        self._cutter = Cutter(_tokenizer(transformers, encoder), self.limit)
        self.identity = {
            "model": self.name,
            "revision" if place.commit else "sha256": place.mark(files),
            "form": self.form,
            "dtype": str(kind).removeprefix("torch."),
        }

    def _dtype_of(self, config: Any, dtype: str) -> Any:
        """Return a type of torch: the official program takes that of the checkpoint, for models of 23 float32."""
        written = getattr(config, "dtype", None) or getattr(config, "torch_dtype", None) or "float32"
        name = ("float32" if self.form != "24" else written) if dtype == "auto" else dtype
        return getattr(self._torch, str(name).removeprefix("torch."))

    def _loaded(
        self, transformers: Any, config: Any, place: Place, files: Sequence[Any], dtype: Any, devices: Devices
    ) -> tuple[Any, Any]:
        """Return encoder and decoder, and the row of the head; the weights stay mapped where their type fits."""
        torch, kind = self._torch, "MT5ForRegression"
        allowed = "weights that are complete and nothing but tensors"
        state = read_tensors(torch, place, files, allowed)
        place.refuse_keys(kind, {_HEAD, _WORDS} - state.keys(), ())
        head, words = state.pop(_HEAD), state[_WORDS]
        if any(one in state and not _is_equal(torch, state.pop(one), words) for one in _SAME):
            place.refuse(f"one matrix as {', '.join((_WORDS, *_SAME))}", "several")
        if head.ndim != 2 or len(head) <= _ROW or head.shape[1] != config.d_model:
            place.refuse(f"{_HEAD} of shape [more than {_ROW}, {config.d_model}]", shown([*head.shape]))
        # A copy: the rest of the head, 4 GB of the largest model, is never read.
        row = head[_ROW].clone()
        try:
            # transformers 5 would tie a head to the embeddings whatever the checkpoint says: this class has none.
            # Only eager attention rounds as that of MetricX.
            model, info = transformers.MT5Model.from_pretrained(
                None, config=config, state_dict=state, dtype=dtype, attn_implementation="eager",
                output_loading_info=True, **devices.options,
            )  # fmt: skip
        except RuntimeError as error:
            place.refuse(f"weights of the sizes of {kind}", str(error).partition("\n")[0])
        place.refuse_keys(kind, {*info["missing_keys"]} - {*_SAME}, {*info["unexpected_keys"]})
        model = devices.put(model).eval()
        speed_up(model)
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
        self, predictions: Sequence[str], columns: Mapping[str, Sequence[str]], batch_size: int, bar: Any = None
    ) -> Scored:
        """Score segments, from 0, no error, to 25."""
        nothing = [None] * len(predictions)
        distinct, places = numbered(
            zip(predictions, columns.get("sources", nothing), columns.get("references", nothing), strict=True)
        )
        cut = self._cutter.cut([self.text(*texts) for texts in distinct])
        # The mark of the end goes, as in training.
        ids = [row[:-1] for row in cut.ids]
        scores = np.empty(len(ids))
        with one_thread(), self._torch.inference_mode():
            for rows, batch in batches_of(ids, batch_size, self.device, self._check):
                scores[rows] = self._scores(batch)
                if bar is not None:
                    bar.update(len(rows))
        return Scored(scores[places], cut.n_long)

    def _check(self, rows: Padded) -> None:
        rows.refuse_unknown("encoder", self.name, self._n_words)

    def _scores(self, batch: Batch) -> Any:
        """Return the score of every input: one step of the decoder from token 0, and one row of the head."""
        states = self._model.encoder(input_ids=batch.ids, attention_mask=batch.mask).last_hidden_state
        start = self._torch.zeros((len(batch.ids), 1), dtype=self._torch.long, device=self.device)
        found = self._model.decoder(
            input_ids=start, encoder_hidden_states=states, encoder_attention_mask=batch.mask, use_cache=False
        ).last_hidden_state[:, 0]
        return (found.to(self._row.device) @ self._row).clamp(0.0, _MOST).double().cpu().numpy()


def _is_equal(torch: Any, one: Any, other: Any) -> bool:
    """Return whether two matrices are equal, without reading those that are one in the file."""
    return one.data_ptr() == other.data_ptr() and one.shape == other.shape or torch.equal(one, other)


def _tokenizer(transformers: Any, encoder: str) -> Any:
    """Return the tokenizer of mT5, cutting as that of transformers 4.30, with which MetricX is published.

    Later ones drop white space at the end and before marks such as </s>.
    """
    allowed = "a local folder or a name on the Hub with the tokenizer of mT5"
    try:
        with hub_errors("encoder", encoder, None, "a tokenizer of mT5", "google/mt5-xl", "a local folder with it"):
            tokenizer = transformers.AutoTokenizer.from_pretrained(encoder, trust_remote_code=False)
    except (ImportError, ValueError, TypeError, KeyError) as error:
        # Without these transformers says that another package is missing.
        lacking = [one for one in ("sentencepiece", "google.protobuf") if not _is_installed(one)]
        if lacking:
            needed = f"encoder: {' and '.join(lacking)}, which read the tokenizer, are not installed"
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
