"""Models and their tokenizers: loaded, cached (the last one of each class), and their linear layers sped up."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ..checks import fail, line_to_install, shown
from .files import HUB_ANSWERS, ModelLocation, check_path, first_line, pretrained, stamp_of
from .options import LoadingOptions

# Arguments of from_pretrained that say where the files are, and so apply to the tokenizer too.
SOURCES = ("cache_dir", "force_download", "gguf_file", "local_files_only", "proxies", "revision", "subfolder",
           "token", "trust_remote_code")  # fmt: skip


_Loaded = TypeVar("_Loaded")


class LoadedModel(NamedTuple):
    """A model with its tokenizer, both of transformers; messages use its `name`.

    Signatures have its `identity`: the name, and beside it the commit of the Hub, or the beginning of the hash of the
    weights in a folder. What a model that was given as an object has learned since is known to nobody.
    """

    model: Any
    tokenizer: Any
    name: str
    identity: Mapping[str, str]


class ModelCache:
    """Holds the model of each class loaded last; each process has its own, and a copy starts empty.

    A model is changed while it runs: what runs it in several threads takes `running`.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._lock, self.running = threading.Lock(), threading.RLock()
        self._loaded: dict[str, tuple[Any, Any]] = {}

    def get(self, family: str, key: Any, load: Callable[[], _Loaded]) -> _Loaded:
        """Return the model for `key`; if it is not the cached one of its class, drop that one, then load."""
        with self._lock:
            if family not in self._loaded or key != self._loaded[family][0]:
                self._loaded.pop(family, None)
                self._loaded[family] = key, load()
            loaded: _Loaded = self._loaded[family][1]
            return loaded

    def clear(self) -> None:
        """Drop the models."""
        with self._lock:
            self._loaded.clear()

    def __reduce__(self) -> Any:
        # `datasets` hashes functions by pickling: hashes must not depend on the content of the cache.
        return ModelCache, ()


CACHE = ModelCache()


def one_thread() -> threading.RLock:
    """Return the lock that lets one thread at a time run a model."""
    return CACHE.running


def clear_models() -> None:
    """Drop the cached models, which frees their memory, and ask the Hub for files anew."""
    CACHE.clear()
    HUB_ANSWERS.clear()


def torch_and_transformers(extra: str = "perplexity") -> tuple[Any, Any]:
    """Import torch and transformers, or raise ImportError with the line that installs an extra, which includes both."""
    try:
        import torch
        import transformers
    except ImportError as error:
        needed = f"torch and transformers are not installed ({line_to_install(extra)}): {error}"
        raise ImportError(needed) from None
    return torch, transformers


def load(options: LoadingOptions) -> LoadedModel:
    """Return the model that the options name or contain."""
    if options.model_id is not None:
        return _from_files(options, os.fspath(options.model_id))
    if options.model is None:
        fail(ValueError, "model_id", options.sources, "None")
    _, transformers = torch_and_transformers(options.extra)
    config = getattr(options.model, "config", None)
    name = getattr(config, "name_or_path", "") or type(options.model).__name__
    if options.tokenizer is None:
        fail(ValueError, "tokenizer", f"the tokenizer of `model` ({name})", "None")
    tokenizer = _tokenizer(transformers, options, options.tokenizer, {})
    if config is None:
        fail(TypeError, "model", options.title, shown(options.model))
    return LoadedModel(options.model, tokenizer, name, {"model": name})


def _from_files(options: LoadingOptions, model_id: str) -> LoadedModel:
    """Return the cached model, or load it."""
    check_path("model_id", options.model_id or model_id)
    torch, transformers = torch_and_transformers(options.extra)
    model_kwargs, tokenizer = dict(options.model_kwargs or {}), options.tokenizer
    for name in ("dtype", "revision"):
        if getattr(options, name) is not None:
            model_kwargs[name] = getattr(options, name)
    devices = devices_of(torch, options.device, options.device_map)
    if options.revision is not None and os.path.isdir(model_id):
        fail(ValueError, "revision", "None with a local folder", shown(options.revision))

    def load_now() -> LoadedModel:
        model_type = getattr(transformers, options.auto_class)
        model = pretrained(
            model_type, model_id, "model_id", options.title, options.example, "a local folder with its files",
            if_trusted=options.if_trusted, **model_kwargs, **devices.options,
        )  # fmt: skip
        source = {name: value for name, value in model_kwargs.items() if name in SOURCES}
        chosen = _tokenizer(transformers, options, model_id if tokenizer is None else tokenizer, source)
        model = devices.put(model)
        if options.is_sped_up:
            speed_up(model)
        return LoadedModel(model, chosen, model_id, _identity_of(model_id, options.revision, model))

    settings = (devices.key, repr(sorted(model_kwargs.items())))
    # A tokenizer object equals only itself.
    return CACHE.get(options.auto_class, (model_id, tokenizer, settings, stamp_of(model_id)), load_now)


def _identity_of(name: str, revision: str | None, model: Any) -> dict[str, str]:
    """Return the name of a model, and its commit, or the beginning of the hash of its weights."""
    folder = Path(name)
    files = sorted({*folder.glob("model*.safetensors"), *folder.glob("pytorch_model*.bin")})
    location = ModelLocation(name, folder, getattr(model.config, "_commit_hash", None) or "")
    if location.commit or files:
        return location.identity(files)
    return {"model": name, **({} if revision is None else {"revision": revision})}


def _tokenizer(transformers: Any, options: LoadingOptions, tokenizer: Any, source: dict[str, Any]) -> Any:
    if isinstance(tokenizer, (str, os.PathLike)):
        check_path("tokenizer", tokenizer)
        return pretrained(
            transformers.AutoTokenizer, os.fspath(tokenizer), "tokenizer", "a tokenizer", "openai-community/gpt2",
            "a local folder with it", if_trusted=options.if_trusted, **source,
        )  # fmt: skip
    if not isinstance(tokenizer, transformers.PreTrainedTokenizerBase):
        fail(TypeError, "tokenizer", "a tokenizer of transformers, a name or a path", shown(tokenizer))
    return tokenizer


class Devices(NamedTuple):
    """Where a model is put: on a device of torch, or as `device_map` says."""

    device: Any
    device_map: Any

    @property
    def options(self) -> dict[str, Any]:
        """Arguments of `from_pretrained`."""
        return {} if self.device_map is None else {"device_map": self.device_map}

    @property
    def key(self) -> tuple[str, str]:
        """The key of the devices in the cache of models."""
        return str(self.device), repr(self.device_map)

    def put(self, model: Any) -> Any:
        """Return a loaded model on the device."""
        return model if self.device_map is not None else model.to(self.device)


def with_weights(
    model_type: Any,
    config: Any,
    state: dict[str, Any],
    dtype: Any,
    devices: Devices,
    location: ModelLocation,
    owner: str,
    **more: Any,
) -> tuple[Any, set[str], set[str]]:
    """Return a model of transformers with given weights, for inference, and the missing and the unknown keys of these.

    None is initialized before. What is in a file stays mapped where its type fits. Weights of other sizes are refused
    as those of `owner`; `more` are arguments of `from_pretrained`.
    """
    try:
        model, info = model_type.from_pretrained(
            None, config=config, state_dict=state, dtype=dtype, output_loading_info=True, **devices.options, **more
        )
    except RuntimeError as error:
        location.refuse(f"weights of the sizes of {owner}", first_line(error))
    model = devices.put(model).eval()
    speed_up(model)
    return model, {*info["missing_keys"]}, {*info["unexpected_keys"]}


def devices_of(torch: Any, device: str | None, device_map: Any) -> Devices:
    """Return the devices that the options `device` and `device_map` stand for."""
    return Devices(None if device_map is not None else device_of(torch, device), device_map)


def device_of(torch: Any, device: str | None) -> Any:
    """Return a device of torch, by default CUDA where there is any."""
    has_cuda = torch.cuda.is_available()
    if device is None:
        return torch.device("cuda" if has_cuda else "cpu")
    try:
        chosen = torch.device("cuda" if device == "gpu" else device)
    except (RuntimeError, TypeError) as error:
        fail(ValueError, "device", "a device of torch such as 'cpu' or 'cuda:0'", f"{shown(device)}: {error}")
    if chosen.type == "cuda" and not has_cuda:
        fail(ValueError, "device", "a device of this machine (torch finds no CUDA)", shown(device))
    return chosen


# ---- linear layers in float32, by the faster library of torch

# Rows are filled up to a multiple: oneDNN keeps compiled code, 0.8 MB, for every number of rows and size of a layer.
MULTIPLE = 32
# So few rows take less time unfilled, by the usual library: the weights are read once for all of them.
FEW = 8


def linear_of(device: Any) -> Callable[[Any, Any, Any], Any]:
    """Return the function from inputs, weight and bias, all float32 on a device, to outputs.

    On a processor torch takes MKL, which on those of AMD leaves half of AVX-512 unused; oneDNN does not.
    """
    import torch

    usual: Callable[[Any, Any, Any], Any] = torch.nn.functional.linear
    if device.type != "cpu" or torch.backends.cpu.get_cpu_capability() != "AVX512":
        return usual
    try:
        # What torch.compile calls; a function with a public name would copy the weights.
        product = torch.ops.mkldnn._linear_pointwise
        product(torch.zeros(MULTIPLE, 1), torch.zeros(1, 1), torch.zeros(1), "none", [], "")
    except (AttributeError, RuntimeError):
        return usual

    def linear(inputs: Any, weight: Any, bias: Any) -> Any:
        rows = inputs.reshape(-1, inputs.shape[-1])
        if len(rows) <= FEW:
            return usual(inputs, weight, bias)
        filled = torch.nn.functional.pad(rows, (0, 0, 0, -len(rows) % MULTIPLE))
        outputs = product(filled, weight, bias, "none", [], "")
        return outputs[: len(rows)].reshape(*inputs.shape[:-1], len(weight))

    return linear


def speed_up(model: Any) -> None:
    """Let the linear layers of a model in float32 use `linear_of`; it is then for inference only."""
    import torch

    linear: Any = linear_of(model.device)
    for layer in model.modules():
        # Of a model that is spread over devices, a layer that another one feeds keeps its own way.
        is_here = not hasattr(layer, "_hf_hook") and type(layer) is torch.nn.Linear
        if is_here and layer.weight.dtype == torch.float32 and layer.weight.device == model.device:
            layer.forward = partial(linear, weight=layer.weight, bias=layer.bias)
