"""Models that say whether a document supports a text: MiniCheck, AlignScore, SummaC-ZS."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..arrays import FloatArray
from ..checks import fail, shown
from ..text.punkt import punkt_of
from ..text.sentences import placed_sentences
from .files import ModelFiles, ModelLocation, asked_once, check_path, hub_errors, pretrained, read_stored, stamp_of
from .learned import LearnedModel, Reader, Scored, numbered
from .loading import CACHE, Devices, LoadedModel, devices_of, torch_and_transformers, with_weights
from .options import LearnedOptions
from .pairs import PairFamily, PairModel, loaded_of
from .tokens import limit_of

# The models that are taken unless one is named.
USUAL = {
    "minicheck": "lytang/MiniCheck-RoBERTa-Large", "alignscore": "yzha/AlignScore",
    "summac-zs": "tals/albert-xlarge-vitaminc-mnli",
}  # fmt: skip
FILES = ModelFiles(
    "a model of entailment", USUAL["minicheck"], "config.json", b"ForSequenceClassification",
    ("model*.safetensors", "pytorch_model*.bin"),
)  # fmt: skip
# Segments whose pairs are in memory at once.
POOL = 1024
# The tokens of "0" and "1" of T5, and the words, or tokens of other models, of a part of the document.
_OF_T5, _WORDS, _TOKENS = (3, 209), 500, 400
# AlignScore: words for which a document has one part more. SummaC: the shortest sentence, the most of a document, and
# the most tokens.
_PART, _SHORTEST, _MOST_SENTENCES, _LIMIT = 350, 10, 100, 500
# The number of "entailment" and that of "contradiction" where a model does not say: those of SummaC's usual one.
_ENTAILS = ("entail", "support"), 2
_CONTRADICTS = ("contradict", "refute"), 0
_ALIGN_KINDS = {"roberta": "RobertaModel", "bert": "BertModel", "albert": "AlbertModel"}
_COMPLETE = "a checkpoint of AlignScore, with tensors as `state_dict`"


class Support(NamedTuple):
    """How a document supports a piece of a text, such as a sentence.

    Attributes
    ----------
    piece : str
    score : float
        A probability, or of SummaC a difference of two.
    part : str
        The part of the document that supports it best.
    """

    piece: str
    score: float
    part: str


@dataclass(frozen=True)
class Checked(Scored):
    """The scores of segments, with what supports their pieces; `n_blank` have nothing to compare, and score 0."""

    supports: list[list[Support]]
    n_blank: int


class Consistency(LearnedModel):
    """A model of one of the forms "minicheck", "alignscore" and "summac-zs"."""

    unit = "document part"

    def __init__(self, form: str, pairs: PairModel, identity: Mapping[str, str]) -> None:
        """Take a model of pairs."""
        super().__init__(pairs.name, ("sources",), needs_all=True)
        self.form, self.limit, self._pairs = form, pairs.limit, pairs
        self._punkt = punkt_of()
        split = "ours" if self._punkt is None else f"punkt.{self._punkt.identity}"
        self.identity = {**identity, "form": form, "split": split}

    def sentences(self, text: str) -> list[str]:
        """Return the sentences of a text, by nltk's data where it is installed."""
        if self._punkt is not None:
            return self._punkt.sentences(text)
        return [sentence for _, line in placed_sentences(text, at_end_marks=True) if (sentence := line.strip())]

    def score(
        self, predictions: Sequence[str], columns: Mapping[str, Sequence[str]], batch_size: int | None, bar: Any = None
    ) -> Checked:
        """Score segments: predictions by their documents."""
        distinct, places = numbered(zip(columns["sources"], predictions, strict=True))
        of_distinct: list[tuple[float, list[Support]]] = []
        n_cut, batches = 0, self._pairs.batches(batch_size)
        for start in range(0, len(distinct), POOL):
            pool = distinct[start : start + POOL]
            parts_of = {document: _parts(self, document) for document in dict(pool)}
            cut = [(parts_of[document], _pieces(self, text)) for document, text in pool]
            numbers, n_long = self._pairs.numbers([pair for sides in cut for pair in product(*sides)], batches)
            n_cut, at = n_cut + n_long, 0
            for parts, pieces in cut:
                n = len(parts) * len(pieces)
                of_distinct.append(_combined(self.form, parts, pieces, numbers[at : at + n]))
                at += n
            if bar is not None:
                bar.update(len(pool))
        scores = np.array([of_distinct[i][0] for i in places])
        supports = [of_distinct[i][1] for i in places]
        return Checked(scores, n_cut, supports, sum(not support for support in supports))

    def supports(self, document: str, text: str, batch_size: int | None) -> list[Support]:
        """Return how a document supports each sentence of a text, also of a model that reads the text as one."""
        pieces = self.sentences(text) if self.form == "minicheck" else [text]
        by_piece = self.score(pieces, {"sources": [document] * len(pieces)}, batch_size).supports
        return [support for supports in by_piece for support in supports]

    @property
    def longest(self) -> int:
        """The number of words, or of tokens, of a part of the document of MiniCheck."""
        return _WORDS if self.reads_words else _TOKENS

    @property
    def reads_words(self) -> bool:
        """Whether parts are measured in words: that is so with T5."""
        return self.identity.get("family") == "t5"

    def sizes(self, pieces: Sequence[str]) -> Mapping[str, int]:
        """Return the size of each sentence, in the words or tokens in which parts are measured."""
        return {piece: len(piece.split()) for piece in pieces} if self.reads_words else self._pairs.lengths(pieces)


def _parts(model: Consistency, document: str) -> list[str]:
    """Return the parts of a document that are compared."""
    if model.form == "minicheck":
        return _chunks(model, document)
    sentences = model.sentences(document)
    if model.form == "summac-zs":
        return [sentence for sentence in sentences if len(sentence) > _SHORTEST][:_MOST_SENTENCES]
    sentences = sentences or [""]
    n = max(len(sentences) // (len(document.split()) // _PART + 1), 1)
    return [" ".join(sentences[i : i + n]) for i in range(0, len(sentences), n)]


def _chunks(model: Consistency, document: str) -> list[str]:
    """Return the chunks of MiniCheck: sentences line by line, as many as fit."""
    pieces = [piece for line in document.split("\n") for piece in (*model.sentences(line), "\n")][:-1]
    sizes, n = model.sizes(pieces), 0
    chunks: list[list[str]] = [[]]
    for piece in pieces:
        if n + sizes[piece] > model.longest:
            chunks.append([])
            n = 0
        chunks[-1].append(piece)
        n += sizes[piece]
    joined = (" ".join(chunk).replace(" \n ", "\n").strip() for chunk in chunks)
    return [chunk for chunk in joined if chunk]


def _pieces(model: Consistency, text: str) -> list[str]:
    """Return the pieces of a text that are compared, each with every part."""
    if model.form == "minicheck":
        return [text]
    sentences = model.sentences(text)
    if model.form == "alignscore":
        return sentences
    return [sentence for sentence in sentences if len(sentence) > _SHORTEST]


def _combined(form: str, parts: list[str], pieces: list[str], numbers: FloatArray) -> tuple[float, list[Support]]:
    """Return the score of a segment, 0 without anything to compare, and what supports each piece."""
    if not len(numbers):
        return 0.0, []
    of_pairs = numbers.reshape(len(parts), len(pieces), -1)
    best = of_pairs.max(axis=0)
    each = best[:, 0] - best[:, 1] if form == "summac-zs" else best[:, 0]
    first = of_pairs[:, :, 0].argmax(axis=0).tolist()
    supports = [Support(*support) for support in zip(pieces, each.tolist(), (parts[i] for i in first), strict=True)]
    # AlignScore's mean is one of torch, in float32.
    mean = each.astype(np.float32).mean(dtype=np.float32) if form == "alignscore" else each.mean()
    return float(mean), supports


# ---- how a model is loaded


def _minicheck(options: LearnedOptions) -> Consistency:
    _, transformers = torch_and_transformers("consistency")
    name = os.fspath(options.model_id or USUAL["minicheck"])
    check_path("model_id", name)

    def read() -> Any:
        about = FILES.title, FILES.example, FILES.description
        return pretrained(transformers.AutoConfig, name, "model_id", *about, revision=options.revision)

    config = CACHE.get("minicheck", (name, options.revision, stamp_of(name)), read)
    writes = bool(config.is_encoder_decoder)
    loaded = loaded_of(options, name, writes=writes)
    family = "t5" if writes else config.model_type
    model, mark = loaded.model, loaded.tokenizer.eos_token or loaded.tokenizer.sep_token
    limit = 2048 if family in ("t5", "deberta-v2") else min(512, limit_of(model, loaded.tokenizer) or 512)

    def of_t5(input_ids: Any, **inputs: Any) -> Any:
        inputs.pop("token_type_ids", None)
        start = input_ids.new_zeros((len(input_ids), 1))
        logits = model(input_ids=input_ids, decoder_input_ids=start, use_cache=False, **inputs).logits
        return logits[:, 0, _OF_T5].softmax(-1)[:, 1:]

    head = of_t5 if writes else lambda **inputs: model(**inputs).logits.softmax(-1)[:, 1:2]
    pairs = PairModel(loaded, limit, head, between=mark, before="predict: " if writes else "")
    return Consistency("minicheck", pairs, {**loaded.identity, "family": family, "dtype": options.dtype})


def _summac(options: LearnedOptions) -> Consistency:
    loaded = loaded_of(options, os.fspath(options.model_id or USUAL["summac-zs"]))
    model = loaded.model
    names = {str(name).lower(): int(i) for i, name in model.config.id2label.items()}
    columns = [
        next((i for name, i in names.items() if any(word in name for word in words)), usual)
        for words, usual in (_ENTAILS, _CONTRADICTS)
    ]
    if max(columns) >= len(names) or columns[0] == columns[1]:
        fail(ValueError, "model_id", "a model of entailment, with labels for it", f"{loaded.name}, {shown(names)}")
    limit = min(_LIMIT, limit_of(model, loaded.tokenizer) or _LIMIT)
    pairs = PairModel(loaded, limit, lambda **inputs: model(**inputs).logits.softmax(-1)[:, columns])
    labels = ",".join(map(str, columns))
    return Consistency("summac-zs", pairs, {**loaded.identity, "nli": labels, "dtype": options.dtype})


def _alignscore(options: LearnedOptions) -> Consistency:
    torch, _ = torch_and_transformers("consistency")
    devices = devices_of(torch, options.device, options.device_map)
    location, file = _checkpoint(options)
    encoder = os.fspath(options.encoder or "FacebookAI/roberta-base")
    check_path("encoder", encoder)
    stamps = stamp_of(str(file.parent)), stamp_of(encoder)
    key = (location, file, encoder, options.dtype, devices.key, stamps)
    loaded, head = CACHE.get("alignscore", key, lambda: _of_checkpoint(location, file, encoder, options.dtype, devices))
    limit = limit_of(loaded.model, loaded.tokenizer) or 512
    identity = {**loaded.identity, "encoder": encoder, "dtype": options.dtype}
    return Consistency("alignscore", PairModel(loaded, limit, head), identity)


def _checkpoint(options: LearnedOptions) -> tuple[ModelLocation, Path]:
    """Return the file of a checkpoint: itself, the only one of a folder, or on the Hub that of the encoder's size."""
    name = os.fspath(options.model_id or USUAL["alignscore"])
    check_path("model_id", name)
    local = Path(name)
    if local.exists() and options.revision is not None:
        fail(ValueError, "revision", "None with a local file", shown(options.revision))
    if local.is_dir():
        files = sorted(local.glob("*.ckpt"))
        if len(files) != 1:
            fail(ValueError, "model_id", "a checkpoint, or a folder with one .ckpt", f"{name} with {len(files)}")
        return ModelLocation(name, local, ""), files[0]
    if local.is_file():
        return ModelLocation(name, local.parent, ""), local
    import huggingface_hub as hub

    size = "large" if "large" in os.fspath(options.encoder or "") else "base"

    def ask() -> Path:
        about = "a model of AlignScore", USUAL["alignscore"], "a local .ckpt"
        with hub_errors("model_id", name, options.revision, *about):
            return Path(hub.hf_hub_download(name, f"AlignScore-{size}.ckpt", revision=options.revision))

    file = asked_once((name, options.revision, size), ask)
    return ModelLocation(name, file.parent, file.parent.name), file


def _of_checkpoint(
    location: ModelLocation, file: Path, encoder: str, dtype: str, devices: Devices
) -> tuple[LoadedModel, Callable[..., Any]]:
    """Return the base model of a checkpoint with its tokenizer, and the head of entailment; nothing in it is run."""
    torch, transformers = torch_and_transformers("consistency")
    stored = read_stored(torch, location, file, _COMPLETE)
    state = stored.get("state_dict") if isinstance(stored, dict) else None
    if not isinstance(state, dict) or not all(isinstance(value, torch.Tensor) for value in state.values()):
        fail(ValueError, "model_id", _COMPLETE, f"another file in {location.name}")
    layer = ("tri_layer.weight", "tri_layer.bias")
    location.refuse_keys("AlignScore", {*layer} - state.keys(), ())
    config, tokenizer = (
        pretrained(kind, encoder, "encoder", "a base model", "FacebookAI/roberta-base", "a local folder with it")
        for kind in (transformers.AutoConfig, transformers.AutoTokenizer)
    )
    if config.model_type not in _ALIGN_KINDS:
        fail(ValueError, "encoder", f"a model of the type {', '.join(_ALIGN_KINDS)}", f"{encoder}, {config.model_type}")
    own = {key.removeprefix("base_model."): value for key, value in state.items() if key.startswith("base_model.")}
    own = {key: value for key, value in own.items() if not key.endswith("position_ids")}
    model_type, number = getattr(transformers, _ALIGN_KINDS[config.model_type]), getattr(torch, dtype)
    model, missing, unknown = with_weights(model_type, config, own, number, devices, location, "AlignScore")
    location.refuse_keys("AlignScore", missing, unknown)
    weight, bias = (state[key].to(model.device, number) for key in layer)

    def head(**inputs: Any) -> Any:
        return torch.nn.functional.linear(model(**inputs).pooler_output, weight, bias).float().softmax(-1)[:, :1]

    return LoadedModel(model, tokenizer, location.name, location.identity([file])), head


_FORMS: Mapping[str, Callable[[LearnedOptions], Consistency]] = {
    "minicheck": _minicheck, "alignscore": _alignscore, "summac-zs": _summac,
}  # fmt: skip


def _reader_of(options: Any) -> Reader:
    """Return the columns that models read: sources, whatever the form."""
    return Reader(os.fspath(options.model_id or USUAL[options.form]), ("sources",), needs_all=True)


def _model(options: Any) -> Consistency:
    return _FORMS[options.form](options)


CONSISTENCY = PairFamily(FILES, "consistency", _model, _reader_of)  # type: ignore[arg-type]
