"""Which language model scores, and how."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from ..checks import fail, flag, positive_int, refuse_unknown, shown


@dataclass(frozen=True)
class ModelOptions:
    """A causal language model and how it reads texts.

    Attributes
    ----------
    model_id : str or path, optional
        What `transformers.AutoModelForCausalLM.from_pretrained` takes. The model loaded
        last stays in memory and is used again while model_id, tokenizer, device,
        device_map, model_kwargs and the files of a local folder are the same; see
        `clear_models`.
    model : transformers model, optional
        A loaded one instead; it stays on its device, and every part of it gets its
        training mode back.
    tokenizer : transformers tokenizer, str or path, optional
        With `model` always, with `model_id` if it is not the tokenizer beside the model.
        Its padding side and padding token play no role.
    model_kwargs : mapping, optional
        More arguments for `from_pretrained`, such as ``{"dtype": "bfloat16"}``; without a
        dtype the default is that of the installed transformers.
    device : str, optional
        Any device of torch; "gpu" is "cuda". None is "cuda" if there is one, else "cpu".
    device_map : str or mapping, optional
        Spreads the model over devices, as in `from_pretrained`; instead of `device`.
    batch_size : int
        How many texts, or windows of long ones, go through the model at once. Memory is
        that of one batch: batch_size x longest text in it x vocabulary logits.
    add_start_token : bool
        Put the BOS token before every text, so that its first token is scored too. If the
        tokenizer has none, one warning says so and it is left out.
    max_length : int, optional
        Without `stride`: what start token, prefix and text have above it is cut, the
        prefix from its beginning, then the text from its end. With `stride`: the length of
        a window. None is the model's context; a longer text is refused without `stride`.
    stride : int, optional
        Score a long text in windows that end `stride` tokens apart. Every token is scored
        once, after at least max_length - stride tokens if there are so many.

    References
    ----------
    Windows: "Perplexity of fixed-length models" in the documentation of transformers; the
    last window here begins early enough to be full.
    """

    model_id: str | os.PathLike[str] | None = None
    model: Any = None
    tokenizer: Any = None
    model_kwargs: Mapping[str, Any] | None = None
    device: str | None = None
    device_map: Any = None
    batch_size: int = 16
    add_start_token: bool = True
    max_length: int | None = None
    stride: int | None = None

    def __post_init__(self) -> None:
        """Check every option."""
        if self.model_id is not None and not isinstance(self.model_id, (str, os.PathLike)):
            fail(TypeError, "model_id", "a model name or path (a loaded one is model=)", shown(self.model_id))
        if self.model_id is not None and self.model is not None:
            fail(ValueError, "model", "None with model_id", shown(self.model))
        if self.model is not None:
            self._check_loaded()
        if self.model_kwargs is not None and not isinstance(self.model_kwargs, Mapping):
            fail(TypeError, "model_kwargs", "a mapping of arguments", shown(self.model_kwargs))
        if self.device is not None and self.device_map is not None:
            fail(ValueError, "device_map", "None with device", shown(self.device_map))
        positive_int("batch_size", self.batch_size)
        flag("add_start_token", self.add_start_token)
        if self.max_length is not None and positive_int("max_length", self.max_length) < 2:
            fail(ValueError, "max_length", "at least 2, a token and one before it", shown(self.max_length))
        if self.stride is not None:
            positive_int("stride", self.stride)
            check_window(self.stride, self.max_length)

    def _check_loaded(self) -> None:
        for name in ("model_kwargs", "device", "device_map"):
            if getattr(self, name) is not None:
                fail(ValueError, name, "None with a loaded model", shown(getattr(self, name)))


def changed(options: Mapping[str, Any]) -> list[str]:
    """Return the names of the given options that are not at their default; all must be known."""
    defaults = {field.name: field.default for field in fields(ModelOptions)}
    refuse_unknown(options, defaults, "a model")
    return [name for name, value in options.items() if value is not None and value != defaults[name]]


def check_window(stride: int, max_length: int | None) -> None:
    """Refuse windows that do not overlap: the first token of each would have no context."""
    if max_length is not None and stride >= max_length:
        fail(ValueError, "stride", f"less than the length of a window ({max_length})", shown(stride))
