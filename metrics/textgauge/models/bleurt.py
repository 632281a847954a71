"""BLEURT: an encoder reads reference and prediction as one, and a linear layer makes its first state a score."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..arrays import IntArray
from ..checks import fail, line_to_install, shown
from .batching import Batch, Batches, Padded
from .files import ModelFiles, ModelLocation, asked_once, hub_errors, read_tensors, weights_of
from .learned import LearnedModel, ModelFamily, Reader, Scored, numbered
from .loading import Devices, one_thread, torch_and_transformers, with_weights

# The names of the published checkpoints; the number behind "128" and "512" is the most tokens of a pair.
PUBLISHED = tuple(f"bleurt-{size}-{longest}" for size in ("tiny", "base", "large") for longest in (128, 512))
PUBLISHED += ("BLEURT-20-D3", "BLEURT-20-D6", "BLEURT-20-D12", "BLEURT-20")
_WORDS, _PIECES, _OTHERS = "vocab.txt", ("spm.model", "sent_piece.model"), ("tokenizer.json", "tokenizer_config.json")
_VOCABULARIES = (_WORDS, *_PIECES, *_OTHERS)
FILES = ModelFiles(
    "a BLEURT model", "lucadiliello/BLEURT-20", "config.json", b"Bleurt", ("model*.safetensors", "pytorch_model*.bin"),
    "lucadiliello", (*_VOCABULARIES, "bleurt_config.json"),
)  # fmt: skip
# The two forms of gelu, as transformers calls the one that is computed, and what a configuration may call either.
_GELUS = {"tanh": "gelu_pytorch_tanh", "exact": "gelu"}
_WRITTEN = {
    "gelu": "exact", "gelu_python": "exact", "gelu_new": "tanh", "gelu_pytorch_tanh": "tanh", "gelu_fast": "tanh",
    "gelu_python_tanh": "tanh",
}  # fmt: skip
# By architecture, what stands before the names of the encoder's weights.
_PREFIXES = {"BleurtForSequenceClassification": "bleurt.", "BertForSequenceClassification": "bert."}
_PROJECTION = "encoder.embedding_projection."
_POOLER, _HEAD = "pooler.dense", "classifier"
_SIZES = (
    "vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
    "max_position_embeddings",
)  # fmt: skip
_LONGEST_WORD = 200
# In a name, in a path, or in a folder of the Hub's cache.
_PUBLISHED_LENGTH = re.compile(r"(?:^|[/\\]|--)bleurt-(?:tiny|base|large)-(128|512)(?:[/\\]|$)", re.IGNORECASE)
_COMPLETE = "weights that are complete and nothing but tensors"


class _Settings(NamedTuple):
    """What a checkpoint says of itself: its numbers, its form of gelu, what its weights are called."""

    numbers: dict[str, Any]
    gelu: str
    prefix: str
    longest: int


class _Vocabulary(NamedTuple):
    """Tokens of texts, and the marks before, between and behind the two."""

    ids_of: Callable[[list[str]], list[list[int]]]
    cls: int
    sep: int


class Bleurt(LearnedModel):
    """A model of BLEURT."""

    unit = "pair"

    def __init__(self, location: ModelLocation, options: Any, devices: Devices) -> None:
        """Build the model, and check that the checkpoint has its weights and no others."""
        self._torch, transformers = torch_and_transformers("bleurt")
        _refuse_tensorflow(location)
        files = weights_of(location, FILES)
        super().__init__(location.name, ("references",), needs_all=True)
        settings = _settings(location, options.gelu)
        self.limit = min(options.max_length or settings.longest, settings.numbers["max_position_embeddings"])
        self._vocabulary = _vocabulary(location, options.encoder)
        dtype = getattr(self._torch, options.dtype)
        self._model, layers = self._loaded(transformers, settings, location, files, dtype, devices)
        self._layers = [layer.to(self._model.device, dtype) for layer in layers]
        self._pad = settings.numbers["pad_token_id"]
        self.identity = {
            **location.identity(files),
            "gelu": settings.gelu,
            "max": str(self.limit),
            "dtype": options.dtype,
        }

    def _loaded(
        self, transformers: Any, settings: _Settings, location: ModelLocation, files: list[Path], dtype: Any,
        devices: Devices,
    ) -> tuple[Any, list[Any]]:  # fmt: skip
        """Return the encoder, and weight and bias of the two layers behind it."""
        owner = f"a BLEURT model ({', '.join(file.name for file in files)})"
        state = read_tensors(self._torch, location, files, _COMPLETE)
        names = [f"{layer}.{part}" for layer in (settings.prefix + _POOLER, _HEAD) for part in ("weight", "bias")]
        location.refuse_keys(owner, {*names} - state.keys(), ())
        layers = [state.pop(name) for name in names]
        numbers = settings.numbers
        size = numbers["hidden_size"]
        for name, tensor, shape in zip(names, layers, ([size, size], [size], [1, size], [1]), strict=True):
            if [*tensor.shape] != shape:
                location.refuse(f"{name} of shape {shape} in {files[0].name}", shown([*tensor.shape]))
        # ELECTRA has the layers of BERT, and the same way to embeddings of another size.
        encoder = {}
        for key, value in state.items():
            name = key.removeprefix(settings.prefix).replace(_PROJECTION, "embeddings_project.")
            if not name.endswith("position_ids"):
                encoder[name if key.startswith(settings.prefix) else key] = value
        n_layers = len({found[1] for name in encoder if (found := re.match(r"encoder\.layer\.(\d+)\.", name))})
        if n_layers != numbers["num_hidden_layers"]:
            got = f"{n_layers} in {files[0].name}"
            location.refuse(f"{numbers['num_hidden_layers']} layers, as config.json says,", got)
        model_type = type("BleurtModel", (transformers.ElectraModel,), {"_no_split_modules": ["ElectraLayer"]})
        config = transformers.ElectraConfig(**numbers, hidden_act=_GELUS[settings.gelu])
        model, missing, unknown = with_weights(
            model_type, config, encoder, dtype, devices, location, owner, attn_implementation="eager"
        )
        location.refuse_keys(owner, missing, unknown)
        return model, layers

    def score(
        self, predictions: Sequence[str], columns: Mapping[str, Sequence[str]], batch_size: int | None, bar: Any = None
    ) -> Scored:
        """Score predictions with their references, which stand first."""
        distinct, places = numbered(zip(columns["references"], predictions, strict=True))
        texts, numbers = numbered(text for pair in distinct for text in pair)
        ids_of = self._vocabulary.ids_of(texts) if texts else []
        sides = [ids_of[i] for i in numbers]
        pairs = [self._input(*pair) for pair in zip(sides[::2], sides[1::2], strict=True)]
        scores = np.zeros(len(pairs))

        def step(rows: IntArray, batch: Batch) -> None:
            scores[rows] = self._scores(batch, [pairs[i][1] for i in rows.tolist()])
            if bar is not None:
                bar.update(len(rows))

        with one_thread(), self._torch.inference_mode():
            Batches(self._model, batch_size).run([ids for ids, _ in pairs], self._pad, step, self._check)
        n_cut = sum(
            len(first) + len(second) > self.limit - 3 for first, second in zip(sides[::2], sides[1::2], strict=True)
        )
        return Scored(scores[places], n_cut)

    def _input(self, reference: list[int], prediction: list[int]) -> tuple[list[int], int]:
        """Return the ids of a pair, and how many of them are of the reference and its marks."""
        n_first, n_second = cut_lengths(len(reference), len(prediction), self.limit - 3)
        cls, sep = self._vocabulary.cls, self._vocabulary.sep
        return [cls, *reference[:n_first], sep, *prediction[:n_second], sep], n_first + 2

    def _check(self, rows: Padded) -> None:
        rows.refuse_unknown("encoder", self.name, self._model.config.vocab_size)

    def _scores(self, batch: Batch, n_first: list[int]) -> Any:
        """Return the scores of a batch of pairs: float64, shape (n_pairs,)."""
        torch = self._torch
        columns = torch.arange(batch.ids.shape[1], device=batch.ids.device)
        is_second = columns >= torch.tensor(n_first, device=batch.ids.device)[:, None]
        inputs = {"input_ids": batch.ids, "token_type_ids": is_second.long() * batch.mask}
        if batch.places is not None:
            inputs["attention_mask"] = batch.mask
        states = self._model(**inputs).last_hidden_state[:, 0]
        linear = torch.nn.functional.linear
        weight, bias, *head = self._layers
        pooled = torch.tanh(linear(states.to(weight.device), weight, bias))
        return linear(pooled, *head)[:, 0].float().cpu().double().numpy()


def cut_lengths(first: int, second: int, room: int) -> tuple[int, int]:
    """Return how many tokens of two texts are kept: the longer one loses its last, of two equal ones the second.

    Examples
    --------
    >>> cut_lengths(9, 2, 7), cut_lengths(9, 9, 7), cut_lengths(2, 9, 7), cut_lengths(3, 4, 7)
    ((5, 2), (4, 3), (2, 5), (3, 4))
    """
    if first + second <= room:
        return first, second
    most_of_first, most_of_second = room - room // 2, room // 2
    if first < most_of_first:
        return first, room - first
    if second < most_of_second:
        return room - second, second
    return most_of_first, most_of_second


def _refuse_tensorflow(location: ModelLocation) -> None:
    """Raise for a folder of Google's program, which is never replaced by the published model of its name."""
    if (location.folder / "saved_model.pb").exists() and not (location.folder / FILES.settings).exists():
        known = {name.lower(): name for name in PUBLISHED}.get(location.folder.name.lower())
        same = f", such as lucadiliello/{known}, the published one" if known else ""
        location.refuse(
            f"a checkpoint in PyTorch, with {FILES.description}{same},",
            "saved_model.pb of TensorFlow (the repository lucadiliello/bleurt-pytorch has a program that converts it)",
        )


def _json(location: ModelLocation, folder: Path, name: str) -> dict[str, Any]:
    """Return what a file of settings has, nothing if there is none."""
    if not (folder / name).is_file():
        return {}
    try:
        written = json.loads((folder / name).read_bytes())
    except (ValueError, RecursionError) as error:
        location.refuse(f"names and values of JSON in {name}", type(error).__name__)
    if not isinstance(written, dict):
        location.refuse(f"names and values of JSON in {name}", shown(written))
    return written


def _settings(location: ModelLocation, gelu: str | None) -> _Settings:
    written = _json(location, location.folder, FILES.settings)
    architectures = written.get("architectures")
    own = [name for name in architectures if name in _PREFIXES] if isinstance(architectures, list) else []
    if len(own) != 1:
        location.refuse(f"one of {', '.join(_PREFIXES)} as `architectures` in config.json", shown(architectures))
    labels = written.get("id2label")
    n_outputs = (
        len(labels) if isinstance(labels, dict) else written.get("num_labels", 1 if "bleurt" in own[0].lower() else 2)
    )
    if n_outputs != 1:
        location.refuse("a model with one output in config.json", shown(n_outputs))
    numbers: dict[str, Any] = {name: written.get(name) for name in _SIZES}
    numbers |= {"embedding_size": written.get("embedding_size") or written.get("hidden_size")}
    numbers |= {"type_vocab_size": written.get("type_vocab_size", 2)}
    for name, value in numbers.items():
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            location.refuse(f"a whole number of at least 1 as {name} in config.json", shown(value))
    if numbers["hidden_size"] % numbers["num_attention_heads"]:
        location.refuse(
            "a hidden_size in config.json that its num_attention_heads divides", shown(numbers["hidden_size"])
        )
    epsilon, pad = written.get("layer_norm_eps", 1e-12), written.get("pad_token_id", 0)
    if not isinstance(epsilon, float) or not 0 < epsilon < 1:
        location.refuse("a number between 0 and 1 as layer_norm_eps in config.json", shown(epsilon))
    if not isinstance(pad, int) or not 0 <= pad < numbers["vocab_size"]:
        location.refuse("a token as pad_token_id in config.json", shown(pad))
    if written.get("position_embedding_type", "absolute") != "absolute":
        location.refuse("absolute positions in config.json", shown(written["position_embedding_type"]))
    form = written.get("hidden_act", "gelu")
    if not isinstance(form, str) or form not in _WRITTEN:
        location.refuse(f"one of {', '.join(_WRITTEN)} as hidden_act in config.json", shown(form))
    chosen = gelu or _WRITTEN[form]
    longest = _longest(location, numbers["max_position_embeddings"])
    return _Settings({**numbers, "layer_norm_eps": epsilon, "pad_token_id": pad}, chosen, _PREFIXES[own[0]], longest)


def _longest(location: ModelLocation, most: int) -> int:
    """Return the most tokens of a pair: what BLEURT's or the tokenizer's settings say, or the published name does."""
    of_name = _PUBLISHED_LENGTH.search(location.name)
    limits = [
        _json(location, location.folder, "bleurt_config.json").get("max_seq_length"),
        _json(location, location.folder, "tokenizer_config.json").get("model_max_length"),
        int(of_name[1]) if of_name else None,
    ]
    return min([most, *(limit for limit in limits if isinstance(limit, int) and limit > 3)])


def _vocabulary(location: ModelLocation, encoder: str | os.PathLike[str] | None) -> _Vocabulary:
    """Return the word pieces or sentence pieces of a folder, none of whose marks a text can name."""
    folder, argument = location.folder, "model_id"
    if encoder is not None:
        folder, argument = _folder_of(os.fspath(encoder)), "encoder"
    settings = _json(location, folder, "tokenizer_config.json")
    pieces = [folder / name for name in _PIECES if (folder / name).is_file()]
    if pieces:
        return _sentence_pieces(pieces[0], argument)
    words = folder / _WORDS
    if words.is_file():
        lines = words.read_bytes().decode("utf-8", "replace").split("\n")
        numbers: Any = {line.rstrip("\r"): i for i, line in enumerate(lines if lines[-1] else lines[:-1])}
    else:
        words = folder / "tokenizer.json"
        model = _json(location, folder, words.name).get("model")
        numbers = model.get("vocab") if isinstance(model, dict) and model.get("type") == "WordPiece" else None
        if not isinstance(numbers, dict) or not all(isinstance(number, int) for number in numbers.values()):
            expected = f"a folder with {_WORDS} or {' or '.join(_PIECES)}"
            fail(FileNotFoundError, argument, expected, f"{encoder or location.name} without")
    return _word_pieces(words, numbers, argument, settings)


def _folder_of(encoder: str) -> Path:
    if os.path.isdir(encoder):
        return Path(encoder)
    import huggingface_hub as hub

    def ask() -> Path:
        return Path(hub.snapshot_download(encoder, allow_patterns=[*_VOCABULARIES]))

    instead = f"a local folder with {_WORDS} or {_PIECES[0]}"
    with hub_errors("encoder", encoder, None, "a tokenizer of BLEURT", FILES.example, instead):
        return asked_once((encoder, _VOCABULARIES), ask)


def _word_pieces(file: Path, numbers: dict[str, int], argument: str, settings: Mapping[str, Any]) -> _Vocabulary:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    for mark in ("[CLS]", "[SEP]", "[UNK]"):
        if mark not in numbers:
            fail(ValueError, argument, "a vocabulary of BERT, with [CLS], [SEP] and [UNK]", f"{file} without {mark}")
    # As BERT's own program, of which transformers halves the length of a word.
    words: Any = models.WordPiece(numbers, unk_token="[UNK]", max_input_chars_per_word=_LONGEST_WORD)
    tokenizer: Any = Tokenizer(words)
    is_lower = settings.get("do_lower_case")
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=is_lower is None or bool(is_lower))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()

    def ids_of(texts: list[str]) -> list[list[int]]:
        return [one.ids for one in tokenizer.encode_batch(texts, add_special_tokens=False)]

    return _Vocabulary(ids_of, numbers["[CLS]"], numbers["[SEP]"])


def _sentence_pieces(file: Path, argument: str) -> _Vocabulary:
    try:
        import sentencepiece
    except ImportError as error:
        raise ImportError(f"sentencepiece is not installed ({line_to_install('bleurt')}): {error}") from None
    try:
        pieces: Any = sentencepiece.SentencePieceProcessor(model_file=str(file))
    except (RuntimeError, OSError) as error:
        fail(ValueError, argument, "a complete model of sentencepiece", f"{file}: {type(error).__name__}")
    cls, sep = (pieces.piece_to_id(mark) for mark in ("[CLS]", "[SEP]"))
    for mark, number in (("[CLS]", cls), ("[SEP]", sep)):
        if pieces.id_to_piece(number) != mark:
            fail(ValueError, argument, "sentence pieces of BLEURT, with [CLS] and [SEP]", f"{file} without {mark}")
    return _Vocabulary(pieces.encode, cls, sep)


class _Family(ModelFamily[Bleurt]):
    def load(self, options: Any, others: Any = dict) -> Bleurt:
        """Return a model; see `ModelFamily.load`. Of names without an owner the published ones are known."""
        return super().load(replace(options, model_id=_known(options.model_id)), others)


def _known(model_id: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """Return what a name stands for: a path or another name itself; upper and lower case do not matter to the Hub's."""
    if not isinstance(model_id, str) or os.path.exists(model_id) or re.search(r"[/\\]", model_id):
        return model_id
    known = {name.lower(): name for name in PUBLISHED}
    if model_id.lower() not in known:
        allowed = f"a folder that exists, a name on the Hub with its owner, or one of {', '.join(PUBLISHED)}"
        fail(ValueError, "model_id", allowed, shown(model_id))
    return known[model_id.lower()]


def _reader_of(options: Any) -> Reader:
    """Return the columns that models read: references."""
    return Reader(os.fspath(options.model_id), ("references",), needs_all=True)


BLEURT = _Family(FILES, "bleurt", Bleurt, _reader_of)
