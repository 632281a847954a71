"""Options of models of transformers: how one is loaded, and those of the language model of perplexity."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar, Literal

from ..checks import MAX_ORDER, fail, shown
from ..options import Options, option, options_of


def _revision() -> Any:
    return option(None, "Branch, tag or commit of the model on the Hub.", kind="text", none_means="the newest")


def _device() -> Any:
    return option(
        None, 'A torch device such as "cpu" or "cuda:1".', kind="text", none_means='"cuda" if there is one, else "cpu"'
    )


def _device_map() -> Any:
    return option(
        None, "Distributes the model over devices, as in `from_pretrained`; instead of `device`.", kind="python"
    )


def tokens_at_once() -> Any:
    """Return the option `batch_size` of what sorts texts by length."""
    return option(
        None, "Most texts of 32 tokens per forward pass; fewer longer ones.", at_least=1,
        none_means="as many as the memory of an accelerator allows, 20 on a processor",
    )  # fmt: skip


def shows_bar() -> Any:
    """Return the option `verbose`."""
    return option(False, "Show the progress bar from the start, not only after three seconds.")


@dataclass(frozen=True)
class LoadingOptions(Options):
    """Which model of transformers, and how it is loaded."""

    # The class of transformers that loads it, and the extra that installs transformers.
    auto_class: ClassVar[str]
    extra: ClassVar[str]
    # Whether its linear layers may take the faster library, which moves the last bits.
    is_sped_up: ClassVar[bool] = False
    # What allows a model's own code, for messages; empty where no option does.
    if_trusted: ClassVar[str] = 'pass model_kwargs={"trust_remote_code": True}'
    # What `model` is, and what names or replaces it, for messages.
    title: ClassVar[str] = "a model of transformers"
    # The name of one on the Hub.
    example: ClassVar[str]
    sources: ClassVar[str]
    python_remarks = """\
The last model loaded by `model_id` stays in memory and is reused while `model_id`, `tokenizer`,
`revision`, `device`, `device_map`, `model_kwargs` and the files of a local folder are the same.
`textgauge.models.clear_models` drops it. `model` stays on its device, and the training mode
of each of its modules is restored."""

    model_id: str | os.PathLike[str] | None = option(
        None, "Name or path of a model of transformers; it stays in memory.", kind="model", on_page=True
    )
    model: Any = option(None, "A loaded model instead of `model_id`.", kind="python")
    tokenizer: Any = option(
        None, "The tokenizer, required with `model`.", kind="tokenizer", none_means="that of the model"
    )
    revision: str | None = _revision()
    dtype: Literal["auto", "float32", "bfloat16", "float16"] | None = option(
        None, "Number type that a model of `model_id` computes with.", none_means="that of transformers"
    )
    model_kwargs: Mapping[str, Any] | None = option(
        None, 'More arguments for `from_pretrained`, such as {"dtype": "bfloat16"}.', kind="python"
    )
    device: str | None = _device()
    device_map: Any = _device_map()

    def check_model(self) -> None:
        """Check the options of loading against each other."""
        if self.model_id is not None and not isinstance(self.model_id, (str, os.PathLike)):
            fail(TypeError, "model_id", "a model name or path (pass a loaded model as `model`)", shown(self.model_id))
        if self.model_id is not None and self.model is not None:
            fail(ValueError, "model", "None with `model_id`", shown(self.model))
        if self.model is not None:
            for name in ("revision", "dtype", "model_kwargs", "device", "device_map"):
                if getattr(self, name) is not None:
                    fail(ValueError, name, "None with a loaded model", shown(getattr(self, name)))
        if self.model_kwargs is not None and not isinstance(self.model_kwargs, Mapping):
            fail(TypeError, "model_kwargs", "a mapping of arguments", shown(self.model_kwargs))
        for name in ("dtype", "revision"):
            if getattr(self, name) is not None and name in (self.model_kwargs or {}):
                fail(ValueError, name, f"None with a {name} in `model_kwargs`", shown(getattr(self, name)))
        check_devices(self.device, self.device_map)


def check_devices(device: str | None, device_map: Any) -> None:
    """Raise if `device` is of a type that torch has no devices of, or if `device_map` is set beside it."""
    is_named = isinstance(device, (str, Integral)) and not isinstance(device, bool)
    if not (device is None or is_named or type(device).__module__.partition(".")[0] == "torch"):
        fail(TypeError, "device", "a device of torch such as 'cpu' or 'cuda:0'", shown(device))
    if device is not None and device_map is not None:
        fail(ValueError, "device_map", "None with `device`", shown(device_map))


# Options that change the speed of a learned metric alone.
_OF_SPEED = ("device", "device_map", "batch_size", "verbose")


@dataclass(frozen=True)
class LearnedOptions(Options):
    """Which model of a learned metric, and how it is loaded; each metric has its own defaults."""

    python_remarks = """\
The last model stays in memory and is reused while the options that name and load it, and the files of a local folder,
are the same. `textgauge.models.clear_models` drops it."""

    model_id: str | os.PathLike[str] = option("", "A model.", kind="model", on_page=True)
    encoder: str | os.PathLike[str] | None = option(None, "Its tokenizer.", kind="model")
    revision: str | None = _revision()
    dtype: str = option("", "Its number type.", kind="text")
    device: str | None = _device()
    device_map: Any = _device_map()
    batch_size: int | None = tokens_at_once()
    verbose: bool = shows_bar()

    def check(self) -> None:
        """Check that models are names or paths, and that at most one option says where they are put."""
        for declared in options_of(type(self)):
            value = getattr(self, declared.name)
            is_default = value is None and declared.default is None
            if declared.kind == "model" and not isinstance(value, (str, os.PathLike)) and not is_default:
                fail(TypeError, declared.name, "a name or a path", shown(value))
        check_devices(self.device, self.device_map)

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores."""
        return {name: value for name, value in self.chosen().items() if name not in _OF_SPEED}

    def loading(self) -> dict[str, Any]:
        """Return every option that makes the model: all that determine the scores, unless overridden."""
        return self.settings()


@dataclass(frozen=True)
class ModelOptions(LoadingOptions):
    """The tokenizer's padding side and padding token have no effect.

    A batch fills at most a quarter of the free memory of an accelerator, and has at most 65,536 tokens there and 640
    on a processor, padding included, or one window. Out of memory halves the batches, with one warning. Logits are
    computed for scored tokens alone, a bounded number at a time; a model whose logits are more than its head makes of
    its states, such as one that caps them, needs memory for those of a whole batch.

    Without `stride`, start token, prefix and text are truncated to `max_length` tokens: first the
    prefix from its beginning, then the text from its end. With `stride` it is the length of a
    window; every token is scored once, after at least `max_length` - `stride` tokens if there are so many.

    Reference: "Perplexity of fixed-length models" in the documentation of transformers; unlike
    there, the last window begins early enough to be full.
    """

    auto_class, extra, title = "AutoModelForCausalLM", "perplexity", "a causal language model of transformers"
    example = "openai-community/gpt2"
    sources = "a model name or path (or `model`, `ngram_train` with texts to learn from, `log_probs` or `probs`)"

    model_id: str | os.PathLike[str] | None = option(
        None, "Name or path of a causal language model of transformers; it stays in memory.", kind="model", on_page=True
    )
    model: Any = option(None, "A loaded model instead of `model_id`, or a `textgauge.NgramModel`.", kind="python")
    tokenizer: Any = option(
        None, "The tokenizer, required with `model`; of n-grams the name of a tokenizer, or your own function.",
        kind="tokenizer", none_means='that of the model, of n-grams "13a"',
    )  # fmt: skip
    batch_size: int | None = option(
        None, "Most texts, or windows of long texts, per forward pass.", at_least=1,
        none_means="as many as the memory of an accelerator allows, 640 tokens on a processor",
    )  # fmt: skip
    add_start_token: bool = option(True, "Put the BOS token before every text, so that its first token is scored too.")
    max_length: int | None = option(
        None, "Truncate longer input; with `stride` the length of a window.", at_least=1,
        none_means="the model's context; a longer text is refused without stride",
    )  # fmt: skip
    stride: int | None = option(
        None, "Score a long text in windows that end this many tokens apart.", at_least=1, none_means="one window"
    )
    ngram_train: Any = option(None, "Texts to learn n-grams from, instead of a `model_id`.", kind="texts", on_page=True)
    ngram_order: int = option(3, "Order of the n-grams.", at_least=1, at_most=MAX_ORDER, on_page=True)
    ngram_smoothing: Literal["kneser-ney", "add-k", "mle"] = option(
        "kneser-ney", "Smoothing of the n-grams.", on_page=True
    )
    own_numbers: Literal["probs", "log_probs", "log2_probs", "log10_probs"] | None = option(
        None, 'What texts of numbers hold, one per token, as in "0.5 0.25" or "the=0.5 cat=0.25": they need no model.',
        none_means="texts", on_page=True,
    )  # fmt: skip

    def check(self) -> None:
        """Check options against each other."""
        if self.own_numbers is not None and len(others := changed(self)) > 1:
            name = next(name for name in others if name != "own_numbers")
            fail(ValueError, name, "its default with `own_numbers`", "another")
        self._check_ngrams()
        self.check_model()
        if self.max_length is not None and self.max_length < 2:
            fail(ValueError, "max_length", "at least 2, a token and one before it", shown(self.max_length))
        if self.stride is not None:
            check_window(self.stride, self.max_length)

    def _check_ngrams(self) -> None:
        of_ngrams = ("ngram_train", "ngram_order", "ngram_smoothing")
        for name in changed(self):
            if self.ngram_train is not None and name not in (*of_ngrams, "tokenizer"):
                fail(ValueError, name, "its default with `ngram_train`", shown(getattr(self, name)))
            if self.ngram_train is None and name in of_ngrams:
                fail(ValueError, name, "its default without `ngram_train`", shown(getattr(self, name)))
        if self.ngram_train is None and isinstance(self.tokenizer, str):
            from ..text import TOKENIZERS

            if self.tokenizer in TOKENIZERS:
                fail(TypeError, "tokenizer", "a tokenizer of transformers, or `ngram_train`", shown(self.tokenizer))

    def trained(self) -> ModelOptions:
        """Return these options with a model in place of the texts to learn n-grams from, or of the kind of numbers."""
        if self.own_numbers is not None:
            from .text_models import OwnNumbers

            return ModelOptions(model=OwnNumbers(self.own_numbers))
        if self.ngram_train is None:
            return self
        from ..input.columns import text_column
        from .ngrams import NgramModel

        model = NgramModel(self.ngram_order, self.ngram_smoothing, tokenizer=self.tokenizer or "13a")
        texts = text_column(self.ngram_train, "ngram_train")
        if not len(texts):
            fail(ValueError, "ngram_train", "at least one text", "none")
        return ModelOptions(model=model.fit(texts))


def changed(options: ModelOptions) -> list[str]:
    """Return the names of the options that differ from their defaults."""
    return [
        option.name
        for option in options_of(ModelOptions)
        if getattr(options, option.name) is not option.default and getattr(options, option.name) != option.default
    ]


def check_window(stride: int, max_length: int | None) -> None:
    """Refuse windows that do not overlap: the first token of each would have no context."""
    if max_length is not None and stride >= max_length:
        fail(ValueError, "stride", f"less than the length of a window ({max_length})", shown(stride))
