"""Models and their tokenizers; the last one of each class is cached."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ..checks import fail, line_to_install, shown
from .options import LoadingOptions

# Arguments of from_pretrained that say where the files are, and so apply to the tokenizer too.
SOURCES = ("cache_dir", "force_download", "gguf_file", "local_files_only", "proxies", "revision", "subfolder",
           "token", "trust_remote_code")  # fmt: skip


_Loaded = TypeVar("_Loaded")


class LoadedModel(NamedTuple):
    """A model with its tokenizer, both of transformers; messages use its `name`."""

    model: Any
    tokenizer: Any
    name: str


class ModelCache:
    """Holds the model of each class loaded last; each process has its own, and a copy starts empty.

    A model is changed while it runs: what runs it in several threads takes `running`.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._lock, self.running = threading.Lock(), threading.RLock()
        self._loaded: dict[str, tuple[Any, Any]] = {}

    def get(self, kind: str, key: Any, load: Callable[[], _Loaded]) -> _Loaded:
        """Return the model for `key`; if it is not the cached one of its class, drop that one, then load."""
        with self._lock:
            if kind not in self._loaded or key != self._loaded[kind][0]:
                self._loaded.pop(kind, None)
                self._loaded[kind] = key, load()
            loaded: _Loaded = self._loaded[kind][1]
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
    """Return what lets one thread at a time run a model."""
    return CACHE.running


def clear_models() -> None:
    """Drop the cached models, which frees their memory."""
    CACHE.clear()


def torch_and_transformers(extra: str = "perplexity") -> tuple[Any, Any]:
    """Import both, or raise ImportError with the line that installs them and all else of an extra."""
    try:
        import torch
        import transformers
    except ImportError as error:
        needed = f"model_id: torch and transformers are not installed ({line_to_install(extra)}): {error}"
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
    tokenizer = _tokenizer(transformers, options.tokenizer, {})
    if config is None:
        fail(TypeError, "model", options.kind, shown(options.model))
    return LoadedModel(options.model, tokenizer, name)


def check_path(argument: str, name: str | os.PathLike[str]) -> None:
    """Raise for a local path that does not exist, which transformers would look up on the network."""
    text = os.fspath(name)
    ends = os.sep, os.altsep or os.sep
    # The name of a model on the Hub has at most one slash.
    is_path = not isinstance(name, str) or text.startswith((".", "~", *ends)) or text.endswith(ends)
    if (is_path or text.count("/") > 1) and not os.path.exists(text):
        fail(FileNotFoundError, argument, "the path of a folder that exists, or the name of a model", shown(text))


def _from_files(options: LoadingOptions, model_id: str) -> LoadedModel:
    """Return the cached model, or load it."""
    check_path("model_id", options.model_id or model_id)
    torch, transformers = torch_and_transformers(options.extra)
    model_kwargs, tokenizer = dict(options.model_kwargs or {}), options.tokenizer
    if options.dtype is not None:
        model_kwargs["dtype"] = options.dtype
    device = None if options.device_map is not None else device_of(torch, options.device)

    def load_now() -> LoadedModel:
        placed = {} if options.device_map is None else {"device_map": options.device_map}
        model = getattr(transformers, options.auto_class).from_pretrained(model_id, **model_kwargs, **placed)
        source = {name: value for name, value in model_kwargs.items() if name in SOURCES}
        chosen = _tokenizer(transformers, model_id if tokenizer is None else tokenizer, source)
        return LoadedModel(model if device is None else model.to(device), chosen, model_id)

    settings = (str(device), repr(options.device_map), repr(sorted(model_kwargs.items())))
    # A tokenizer object equals only itself.
    return CACHE.get(options.auto_class, (model_id, tokenizer, settings, stamp_of(model_id)), load_now)


def _tokenizer(transformers: Any, tokenizer: Any, source: dict[str, Any]) -> Any:
    if isinstance(tokenizer, (str, os.PathLike)):
        check_path("tokenizer", tokenizer)
        return transformers.AutoTokenizer.from_pretrained(os.fspath(tokenizer), **source)
    if not isinstance(tokenizer, transformers.PreTrainedTokenizerBase):
        fail(TypeError, "tokenizer", "a tokenizer of transformers, a name or a path", shown(tokenizer))
    return tokenizer


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


def stamp_of(model_id: str) -> tuple[tuple[str, int, int], ...]:
    """Return the state of a local folder's files: a checkpoint may be overwritten under the same name."""
    folder = Path(model_id)
    if not model_id or not folder.is_dir():
        return ()
    files = ((path.name, path.stat()) for path in sorted(folder.iterdir()))
    return tuple((name, state.st_mtime_ns, state.st_size) for name, state in files)
