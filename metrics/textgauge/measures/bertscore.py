"""BERTScore: greedy matching of contextual embeddings."""

from __future__ import annotations

import copy
import csv
import math
import os
import zlib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..accumulation.accumulator import Accumulator
from ..accumulation.functions import one_call
from ..all_pairs.counts import PairRows
from ..arrays import FloatArray, IntArray
from ..checks import fail, shown
from ..explanation.alignment import Alignment, Match, best_pairs_of
from ..explanation.derivation import Derivation, Step, f_formula
from ..explanation.explainer import Explainer
from ..explanation.marks import Mark, Marks
from ..input.columns import Corpus, text_column
from ..metric import (
    About,
    CountedNote,
    Explanation,
    Field,
    Layout,
    Line,
    Metric,
    Notes,
    Rows,
    Score,
    Scores,
    Summary,
    Sums,
)
from ..models.options import LoadingOptions, shows_bar, tokens_at_once
from ..options import Option, option
from ..plain import Texts
from ..signatures import yes_no
from ..sums import ratio
from ..text import NOWHERE

if TYPE_CHECKING:
    from ..all_pairs.counts import Roles
    from ..models.encoder import Encoder
    from ..models.matching import Matcher


_HEADER = ["LAYER", "P", "R", "F"]
# What bert-score 0.3.13 chooses, tuned on WMT16: the model of a language; every other language has `OTHER_LANGUAGE`.
LANGUAGES = {
    "en": "roberta-large", "en-sci": "allenai/scibert_scivocab_uncased", "tr": "dbmdz/bert-base-turkish-cased",
    "zh": "bert-base-chinese",
}  # fmt: skip
OTHER_LANGUAGE = "bert-base-multilingual-cased"
# Where the Hub has the models whose names had no owner.
_OWNERS = ("FacebookAI/", "albert/", "distilbert/", "google-bert/", "google-t5/", "openai-community/", "xlnet/")
LAYERS = {
    "bert-base-uncased": 9, "bert-large-uncased": 18, "bert-base-cased-finetuned-mrpc": 9,
    "bert-base-multilingual-cased": 9, "bert-base-chinese": 8, "roberta-base": 10, "roberta-large": 17,
    "roberta-large-mnli": 19, "roberta-base-openai-detector": 7, "roberta-large-openai-detector": 15,
    "xlnet-base-cased": 5, "xlnet-large-cased": 7, "xlm-mlm-en-2048": 6, "xlm-mlm-100-1280": 10,
    "allenai/scibert_scivocab_uncased": 8, "allenai/scibert_scivocab_cased": 9, "nfliu/scibert_basevocab_uncased": 9,
    "distilroberta-base": 5, "distilbert-base-uncased": 5, "distilbert-base-uncased-distilled-squad": 4,
    "distilbert-base-multilingual-cased": 5, "albert-base-v1": 10, "albert-large-v1": 17, "albert-xlarge-v1": 16,
    "albert-xxlarge-v1": 8, "albert-base-v2": 9, "albert-large-v2": 14, "albert-xlarge-v2": 13,
    "albert-xxlarge-v2": 8, "xlm-roberta-base": 9, "xlm-roberta-large": 17, "google/electra-small-generator": 9,
    "google/electra-small-discriminator": 11, "google/electra-base-generator": 10,
    "google/electra-base-discriminator": 9, "google/electra-large-generator": 18,
    "google/electra-large-discriminator": 14, "google/bert_uncased_L-2_H-128_A-2": 1,
    "google/bert_uncased_L-2_H-256_A-4": 1, "google/bert_uncased_L-2_H-512_A-8": 1,
    "google/bert_uncased_L-2_H-768_A-12": 2, "google/bert_uncased_L-4_H-128_A-2": 3,
    "google/bert_uncased_L-4_H-256_A-4": 3, "google/bert_uncased_L-4_H-512_A-8": 3,
    "google/bert_uncased_L-4_H-768_A-12": 3, "google/bert_uncased_L-6_H-128_A-2": 5,
    "google/bert_uncased_L-6_H-256_A-4": 5, "google/bert_uncased_L-6_H-512_A-8": 5,
    "google/bert_uncased_L-6_H-768_A-12": 5, "google/bert_uncased_L-8_H-128_A-2": 7,
    "google/bert_uncased_L-8_H-256_A-4": 7, "google/bert_uncased_L-8_H-512_A-8": 6,
    "google/bert_uncased_L-8_H-768_A-12": 7, "google/bert_uncased_L-10_H-128_A-2": 8,
    "google/bert_uncased_L-10_H-256_A-4": 8, "google/bert_uncased_L-10_H-512_A-8": 9,
    "google/bert_uncased_L-10_H-768_A-12": 8, "google/bert_uncased_L-12_H-128_A-2": 10,
    "google/bert_uncased_L-12_H-256_A-4": 11, "google/bert_uncased_L-12_H-512_A-8": 10,
    "google/bert_uncased_L-12_H-768_A-12": 9, "amazon/bort": 0, "facebook/bart-base": 6, "facebook/bart-large": 10,
    "facebook/bart-large-cnn": 10, "facebook/bart-large-mnli": 11, "facebook/bart-large-xsum": 9, "t5-small": 6,
    "t5-base": 11, "t5-large": 23, "vinai/bertweet-base": 9, "microsoft/deberta-base": 9,
    "microsoft/deberta-base-mnli": 9, "microsoft/deberta-large": 16, "microsoft/deberta-large-mnli": 18,
    "microsoft/deberta-xlarge": 18, "microsoft/deberta-xlarge-mnli": 40, "YituTech/conv-bert-base": 10,
    "YituTech/conv-bert-small": 10, "YituTech/conv-bert-medium-small": 9, "microsoft/mpnet-base": 8,
    "squeezebert/squeezebert-uncased": 9, "squeezebert/squeezebert-mnli": 9,
    "squeezebert/squeezebert-mnli-headless": 9, "tuner007/pegasus_paraphrase": 15, "google/pegasus-large": 8,
    "google/pegasus-xsum": 11, "sshleifer/tiny-mbart": 2, "facebook/mbart-large-cc25": 12,
    "facebook/mbart-large-50": 12, "facebook/mbart-large-en-ro": 12, "facebook/mbart-large-50-many-to-many-mmt": 12,
    "facebook/mbart-large-50-one-to-many-mmt": 12, "allenai/led-base-16384": 6, "facebook/blenderbot_small-90M": 7,
    "facebook/blenderbot-400M-distill": 2, "microsoft/prophetnet-large-uncased": 4,
    "microsoft/prophetnet-large-uncased-cnndm": 7, "SpanBERT/spanbert-base-cased": 8,
    "SpanBERT/spanbert-large-cased": 17, "microsoft/xprophetnet-large-wiki100-cased": 7, "ProsusAI/finbert": 10,
    "Vamsi/T5_Paraphrase_Paws": 12, "ramsrigouthamg/t5_paraphraser": 11, "microsoft/deberta-v2-xlarge": 10,
    "microsoft/deberta-v2-xlarge-mnli": 17, "microsoft/deberta-v2-xxlarge": 21,
    "microsoft/deberta-v2-xxlarge-mnli": 22, "allenai/longformer-base-4096": 7, "allenai/longformer-large-4096": 14,
    "allenai/longformer-large-4096-finetuned-triviaqa": 14,
    "zhiheng-huang/bert-base-uncased-embedding-relative-key": 4,
    "zhiheng-huang/bert-base-uncased-embedding-relative-key-query": 7,
    "zhiheng-huang/bert-large-uncased-whole-word-masking-embedding-relative-key-query": 19, "google/mt5-small": 8,
    "google/mt5-base": 11, "google/mt5-large": 19, "google/mt5-xl": 24, "google/bigbird-roberta-base": 10,
    "google/bigbird-roberta-large": 14, "google/bigbird-base-trivia-itc": 8,
    "princeton-nlp/unsup-simcse-bert-base-uncased": 10, "princeton-nlp/unsup-simcse-bert-large-uncased": 18,
    "princeton-nlp/unsup-simcse-roberta-base": 8, "princeton-nlp/unsup-simcse-roberta-large": 13,
    "princeton-nlp/sup-simcse-bert-base-uncased": 10, "princeton-nlp/sup-simcse-bert-large-uncased": 18,
    "princeton-nlp/sup-simcse-roberta-base": 10, "princeton-nlp/sup-simcse-roberta-large": 16,
    "dbmdz/bert-base-turkish-cased": 10, "dbmdz/distilbert-base-turkish-cased": 4, "google/byt5-small": 1,
    "google/byt5-base": 17, "google/byt5-large": 30, "microsoft/deberta-v3-xsmall": 10,
    "microsoft/deberta-v3-small": 4, "microsoft/deberta-v3-base": 9, "microsoft/mdeberta-v3-base": 10,
    "microsoft/deberta-v3-large": 12, "khalidalt/DeBERTa-v3-large-mnli": 18,
}  # fmt: skip


def published_name(model_id: str) -> str:
    """Return the name of a model in these tables and in the names of baselines.

    Examples
    --------
    >>> published_name("FacebookAI/roberta-large"), published_name("microsoft/mpnet-base")
    ('roberta-large', 'microsoft/mpnet-base')
    """
    return next((model_id.removeprefix(owner) for owner in _OWNERS if model_id.startswith(owner)), model_id)


@dataclass(frozen=True)
class BertScoreOptions(LoadingOptions):
    """Without `model_id` the model is the one that bert-score has for `lang`.

    They are roberta-large for "en", bert-base-chinese for "zh", dbmdz/bert-base-turkish-cased for "tr",
    allenai/scibert_scivocab_uncased for "en-sci", and bert-base-multilingual-cased for others.

    A text is stripped, and GPT-2 and RoBERTa get it with a leading space, as bert-score does under transformers 4. A
    longer text than the model takes is truncated; one warning counts such texts. Tokens that match are all tokens;
    those that mark the start and the end weigh nothing. The weight of a token is 1, or with `idf`
    log((n + 1) / (d + 1)) if d of n texts have it. With several references each part has its own best one.

    A batch fills at most a quarter of the free memory of an accelerator, and has at most 65,536 tokens there and 640
    on a processor, padding included; `batch_size` lowers that to 32 x `batch_size` tokens. Out of memory halves the
    batches, with one warning. Texts are encoded once, and forgotten after their last pair.

    References: Zhang et al. (2020), BERTScore: Evaluating Text Generation with BERT, section 3.
    """

    auto_class, extra = "AutoModel", "bertscore"
    is_sped_up = True
    sources, example = "a model name or path, or `lang` (or `model`)", "FacebookAI/roberta-large"

    lang: str | None = option(
        None, 'Language of the texts, such as "en": chooses the model, and the baseline.', kind="text", on_page=True,
        none_means="`model_id` is given",
    )  # fmt: skip
    num_layers: int | None = option(
        None, "Layer of the embeddings, 0 for the input of the first.", at_least=0, on_page=True,
        none_means="that of bert-score for a model of its table",
    )  # fmt: skip
    idf: Any = option(
        False, "Weight tokens by idf in the references; in Python also a list of texts to count in, or a table by id.",
        kind="flag", on_page=True,
    )  # fmt: skip
    rescale_with_baseline: bool = option(
        False, "Rescale (x - b) / (1 - b), with b the mean score of unrelated texts.", on_page=True
    )
    baseline_path: str | None = option(
        None, "A file with lines LAYER,P,R,F instead of the one that bert-score has.", kind="text",
        none_means="the file of an installed bert-score for `lang` and the model",
    )  # fmt: skip
    use_fast_tokenizer: bool = option(
        False, "Leave out the leading space for GPT-2 and RoBERTa, as bert-score's fast tokenizers do."
    )
    batch_size: int | None = tokens_at_once()
    verbose: bool = shows_bar()

    def checked_value(self, option: Option, value: Any) -> Any:
        """Return an option in plain form: `idf` may also be texts or a table."""
        return value if option.name == "idf" and not isinstance(value, (bool, str)) else option.checked(value)

    def check(self) -> None:
        """Check options against each other."""
        self.check_model()
        if self.lang is not None and not isinstance(self.lang, str):
            fail(TypeError, "lang", "a str such as 'en'", shown(self.lang))
        if self.baseline_path is not None and not self.rescale_with_baseline:
            fail(ValueError, "baseline_path", "None without `rescale_with_baseline`", shown(self.baseline_path))
        if self.rescale_with_baseline and self.baseline_path is None and self.lang is None and self.has_model:
            fail(ValueError, "lang", "the language of the baseline, or a `baseline_path`", "None")
        if self.model_id is None and self.model is None and self.lang is not None:
            self._set("model_id", LANGUAGES.get(self.lang.lower(), OTHER_LANGUAGE))
        if isinstance(self.idf, Mapping):
            _check_table(self.idf)
        if self.has_model:
            self._set("num_layers", self._layer())

    @property
    def has_model(self) -> bool:
        """Whether there is a model to encode with."""
        return not (self.model_id is None and self.model is None)

    @property
    def model_name(self) -> str:
        """The name of the model."""
        config = getattr(self.model, "config", None)
        name = getattr(config, "name_or_path", "") or type(self.model).__name__
        return name if self.model_id is None else os.fspath(self.model_id)

    def _layer(self) -> int:
        name = published_name(self.model_name)
        if self.num_layers is None and name not in LAYERS:
            fail(ValueError, "num_layers", f"a layer of {name}, for which bert-score chooses none", "None")
        return LAYERS[name] if self.num_layers is None else self.num_layers

    def baseline(self) -> FloatArray | None:
        """Return the baselines of precision, recall and F1, shape (3,); None without rescaling."""
        if not self.rescale_with_baseline:
            return None
        path = self.baseline_path or _published(str(self.lang).lower(), published_name(self.model_name))
        if not os.path.isfile(path):
            fail(FileNotFoundError, "baseline_path", f"a file with lines {','.join(_HEADER)}", shown(os.fspath(path)))
        with open(path, encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        try:
            found = {int(row[0]): [float(cell) for cell in row[1:]] for row in rows if row}
        except ValueError:
            found = {}
        if header != _HEADER or any(len(row) != 3 or not all(value < 1 for value in row) for row in found.values()):
            fail(ValueError, "baseline_path", f"a file with lines {','.join(_HEADER)} of numbers below 1", shown(path))
        if self.num_layers not in found:
            fail(ValueError, "baseline_path", f"a file with a line for layer {self.num_layers}", shown(path))
        return np.array(found[self.num_layers])


def _published(lang: str, name: str) -> str:
    """Return the file of the installed package bert-score for a language and a model."""
    package = find_spec("bert_score")
    if package is None or package.origin is None:
        needed = "the baselines of bert-score (pip install --no-deps bert-score), or `baseline_path`"
        fail(ValueError, "rescale_with_baseline", needed, "no installed bert-score")
    folder = Path(package.origin).parent / "rescale_baseline" / lang
    if not (folder / f"{name}.tsv").is_file():
        names = ", ".join(sorted(path.stem for path in folder.glob("**/*.tsv"))) or "no model"
        fail(ValueError, "rescale_with_baseline", f"a model of {lang!r} with a baseline ({names})", shown(name))
    return str(folder / f"{name}.tsv")


def _check_table(table: Mapping[Any, Any]) -> None:
    for token, weight in table.items():
        is_token = isinstance(token, (int, np.integer)) and token >= 0
        if not (is_token and isinstance(weight, (int, float, np.number)) and 0 <= weight < math.inf):
            fail(ValueError, "idf", "weights of at least 0 by token id", f"{shown(token)}: {shown(weight)}")


def dense(table: Mapping[int, float], n_words: int) -> FloatArray:
    """Return the weights of a table, float64, shape (n_words,).

    A token that it lacks has the weight that a `defaultdict` gives, or else the largest weight.
    """
    factory = table.default_factory if isinstance(table, defaultdict) else None
    rest = factory() if factory is not None else max(table.values(), default=0.0)
    weights = np.full(n_words, float(rest))
    for token, weight in table.items():
        if token >= n_words:
            fail(ValueError, "idf", f"weights of token ids below {n_words}", shown(token))
        weights[token] = weight
    return weights


_LABELS = {"precision": "precision", "recall": "recall", "f1": "F1"}
# Texts that are cut at once where only their tokens count.
_N_TEXTS = 1000
# Options that change the speed alone.
_OF_SPEED = ("device", "device_map", "batch_size", "verbose")


class BertScoreMetric(Metric):
    """BERTScore (Zhang et al. 2020)."""

    name = "bertscore"
    options_type = BertScoreOptions
    about = About(
        "BERTScore", lambda key: _EXPLANATIONS[key if key in _LABELS else "f1"],
        returns="``precision``, ``recall`` and ``f1``, means over segments",
    )  # fmt: skip
    scores = Scores(*(Score(key, "bertscore" * (key == "f1"), has_own_best=True) for key in _LABELS))
    combine = "mean"

    # As in bert-score each part has its own best reference.
    layout = Layout([Field(name, is_whole=False, over="max") for name in _LABELS])
    options: BertScoreOptions

    def prepare(self) -> None:
        """Say that idf of the references needs them in one call; start without weights."""
        allowed = "texts or a table where rows come batch by batch: `idf=True` counts in all references"
        self.sums = Sums("whole", ("idf", allowed, "True") if self.options.idf is True else None)
        if self.options.rescale_with_baseline:
            self.scores = Scores(*(score._replace(least=float("-inf")) for score in type(self).scores))
        self._weights: FloatArray | None = None

    def fitted(self, corpus: Corpus) -> BertScoreMetric:
        """Return the metric of a model, with the weights of the references, each token's by how many have it."""
        if not len(corpus):
            return self
        fitted, encoder = copy.copy(self), self.encoder()
        fitted.identity = encoder.identity
        if self.options.idf is True:
            fitted._weights = _idf(encoder, corpus.references)
            fitted.identity = {**encoder.identity, "idf": f"refs-{zlib.crc32(fitted._weights.tobytes()):08x}"}
        return fitted

    def check_ready(self) -> None:
        """Raise without a model."""
        if not self.options.has_model:
            fail(ValueError, "model_id", self.options.sources, "None")

    def encoder(self) -> Encoder:
        """Return the loaded model as an encoder."""
        self.check_ready()
        from ..models.encoder import Encoder
        from ..models.loading import load

        layer = self.options.num_layers or 0
        return Encoder(load(self.options), layer, is_spaced=not self.options.use_fast_tokenizer)

    def weights_of(self, encoder: Encoder, corpus: Corpus) -> FloatArray:
        """Return the weight of every token: float64, shape (n_words,)."""
        idf = self.options.idf
        if self._weights is not None and len(self._weights) == encoder.n_words:
            return self._weights
        if idf is False:
            self._weights = np.ones(encoder.n_words)
            self._weights[[*encoder.special]] = 0
        elif isinstance(idf, Mapping):
            self._weights = dense(idf, encoder.n_words)
        else:
            self._weights = _idf(encoder, corpus.references if idf is True else text_column(idf, "idf"))
        return self._weights

    def notes(self) -> Notes:
        """Return a collector of reasons to warn."""
        return Notes(_LongTexts(), *([] if self.options.idf is False else [_Weightless()]))

    def rows(self, corpus: Corpus, notes: Any) -> Rows:
        """Match the embeddings of every pair."""
        encoder = self.encoder()
        from ..models.batching import bar_of
        from ..models.matching import Matcher

        matcher = Matcher(encoder, self.weights_of(encoder, corpus), self.options.batch_size)
        with bar_of(len(corpus), "bertscore", 0 if self.options.verbose else None) as bar:
            scores = matcher.scores(corpus, bar)
        wrong = np.flatnonzero(~np.isfinite(scores).all(axis=1))
        if len(wrong):
            segment = int(np.searchsorted(corpus.reference_offsets, wrong[0], side="right")) - 1
            allowed = "finite embeddings from the model (dtype float32 or bfloat16 may help)"
            fail(ValueError, f"predictions[{corpus.first + segment}]", allowed, "NaN or infinity")
        notes.examine(corpus, matcher)
        return self.layout.filled(len(scores), **self.parts_of(scores))

    def all_pairs(self, texts: Texts, roles: Roles, notes: Any) -> Any:
        """Embed texts, each once; None for what sums up references, which have no common embedding."""
        if roles.weights is not None:
            return None
        if self.options.idf is True:
            fail(ValueError, "idf", "texts or a table where all texts are compared with all", "True")
        from ..models.loading import one_thread
        from ..models.matching import Matcher

        # Their own weights come from the tokenizer, so any corpus will do.
        corpus = Corpus(texts, texts, np.arange(len(texts) + 1))
        with one_thread():
            encoder = self.encoder()
            matcher = Matcher(encoder, self.weights_of(encoder, corpus), self.options.batch_size)
            numbers = matcher.hold(texts.tolist())
        notes.examine(corpus, matcher)
        return _EmbeddedTexts(self, matcher, numbers)

    def parts_of(self, scores: FloatArray) -> dict[str, FloatArray]:
        """Return precision, recall and F1 by key, rescaled if asked for, of scores with a last axis of length 2."""
        precision, recall = scores[..., 0], scores[..., 1]
        parts = dict(zip(_LABELS, (precision, recall, ratio(2 * precision * recall, precision + recall)), strict=True))
        baseline = self.options.baseline()
        if baseline is None:
            return parts
        return {name: (part - low) / (1 - low) for (name, part), low in zip(parts.items(), baseline, strict=True)}

    def formula(self, rows: Rows) -> dict[str, Any]:
        """Precision, recall and F1."""
        return {name: np.asarray(rows[name]) for name in _LABELS}

    def settings(self) -> dict[str, Any]:
        """Return every option that determines the scores."""
        chosen = {name: value for name, value in self.options.chosen().items() if name not in _OF_SPEED}
        return chosen if isinstance(self.options.idf, bool) else {**chosen, "idf": self._idf_name()}

    def signature_fields(self, reports: Any = None) -> dict[str, str]:  # noqa: ARG002
        """Return the fields of the signature: what the hash of bert-score says, and more."""
        options = self.options
        rescale = "custom" if options.baseline_path is not None else options.lang or "yes"
        dtype = options.dtype or (options.model_kwargs or {}).get("dtype")
        return {
            "model": options.model_name if options.has_model else "none",
            "layer": str(options.num_layers),
            "idf": self._idf_name(),
            "rescale": rescale if options.rescale_with_baseline else "no",
            **({"fast": yes_no(True)} if options.use_fast_tokenizer else {}),
            **({"dtype": str(dtype)} if dtype is not None else {}),
            "hf": _hugging_face(),
        }

    def _idf_name(self) -> str:
        idf = self.options.idf
        if idf is False:
            return "no"
        if isinstance(idf, Mapping):
            return f"table-{zlib.crc32(repr(sorted(idf.items())).encode()):08x}"
        if idf is not True:
            return f"texts-{zlib.crc32(repr(text_column(idf, 'idf').tolist()).encode()):08x}"
        return "refs"

    def summary(self, result: Mapping[str, Any]) -> Summary:
        """Return precision, recall and F1 as a table."""
        full = None if self.options.rescale_with_baseline else self.scores.top
        lines = [
            Line(label, (result[key],), key, is_headline=key == "f1", full=full)
            for key, label in _LABELS.items() if key in result
        ]  # fmt: skip
        about = " ".join(f"{key} {value}" for key, value in [*self.signature_fields().items()][:4])
        return Summary(self.about.title, ("score",), lines, [about])


class BertScore(Accumulator, metric=BertScoreMetric):
    """BERTScore, batch by batch: an accumulator that stores three numbers per segment, never text.

    `statistics` has the fields ``precision``, ``recall`` and ``f1``: float64, rescaled if that is asked for. With
    ``idf=True`` all segments are added in one call, whose references count.

    Parameters
    ----------
    {options}

    Notes
    -----
    {notes}
    """

    def hashcode(self) -> str:
        """Return the settings in the form of bert-score's hash code."""
        from ..version import __version__

        options = self.options
        idf = "no-idf" if options.idf is False else "idf"
        code = f"{options.model_name}_L{options.num_layers}_{idf}_version=textgauge-{__version__}"
        code += f"(hug_trans={_hugging_face()})"
        if options.rescale_with_baseline:
            code += "-rescaled" if options.baseline_path is None else "-custom-rescaled"
        return code + "_fast-tokenizer" * options.use_fast_tokenizer


class _EmbeddedTexts:
    """The scores of texts that are embedded once, with the methods of `PairCounts`: both sides of a pair in one go."""

    def __init__(self, metric: BertScoreMetric, matcher: Matcher, numbers: IntArray) -> None:
        self._metric, self._matcher, self._numbers = metric, matcher, numbers

    def block(self, predictions: slice, references: slice) -> _BlockScores:
        from ..models.loading import one_thread

        with one_thread():
            scores = self._matcher.block(self._numbers[predictions], self._numbers[references])
        return _BlockScores(self._metric, scores)


class _BlockScores(NamedTuple):
    metric: BertScoreMetric
    scores: FloatArray

    def rows(self, layout: Layout) -> PairRows:
        return PairRows(layout, self.metric.parts_of(self.scores))

    def swapped(self, layout: Layout) -> PairRows:
        """Precision is the recall of the pair the other way round."""
        return PairRows(layout, self.metric.parts_of(np.swapaxes(self.scores, 0, 1)[..., ::-1]))


def _hugging_face() -> str:
    try:
        return version("transformers")
    except PackageNotFoundError:
        return "none"


def cut(encoder: Encoder, texts: Texts) -> list[Any]:
    """Return the ids of the tokens of every text."""
    rows = (texts.slice(at, min(at + _N_TEXTS, len(texts))) for at in range(0, len(texts), _N_TEXTS))
    return [ids for part in rows for ids in encoder.cut(part.tolist()).ids]


def _idf(encoder: Encoder, texts: Texts) -> FloatArray:
    """Return the inverse document frequency of every token: float64, shape (n_words,)."""
    n_having = np.zeros(encoder.n_words, np.int64)
    for at in range(0, len(texts), _N_TEXTS):
        n_having += encoder.frequencies(texts.slice(at, min(at + _N_TEXTS, len(texts))).tolist())
    return np.asarray(np.log((len(texts) + 1) / (n_having + 1)))


class _LongTexts(CountedNote):
    """Counts texts that were truncated."""

    about = "length"

    def examine(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        """Add the texts that a matcher counted."""
        limit = f"the {tokens.encoder.limit} tokens that {tokens.encoder.name} takes"
        self.tell(tokens.n_long, f"[text is|texts are] longer than {limit}, and [was|were] truncated.")


class _Weightless(CountedNote):
    """Counts texts of which no token has a weight."""

    about = "idf"

    def examine(self, corpus: Corpus, tokens: Any) -> None:  # noqa: ARG002
        """Add the texts that a matcher counted."""
        self.tell(
            tokens.n_weightless,
            "[text has|texts have] no token with a weight, since `idf` was counted in texts that all have these "
            "tokens, and [scores|score] 0 even beside an equal text: count it in more texts, as in `idf=[...]`.",
        )


_CAUTION = (
    "Unrelated texts score far above 0, and opposites such as yes and no close to 1. Scores are comparable only "
    "under the same model and layer."
)
_MATCHING = (
    "A model gives every token a vector that depends on the text around it.",
    "Every token is matched with the most similar token of the other text, whatever others match with; similarity "
    "is the cosine of the two vectors.",
)
_EXPLANATIONS: dict[str, Explanation] = {
    key: Explanation(f"BERTScore {label}", question, (*_MATCHING, step), _CAUTION)
    for key, label, question, step in (
        ("precision", "precision", "How much of the prediction means something that a reference means?",
         "Precision is the mean similarity of the prediction's tokens; the score is the mean over segments."),
        ("recall", "recall", "How much of the reference's meaning does the prediction have?",
         "Recall is the mean similarity of the reference's tokens; the score is the mean over segments."),
        ("f1", "F1", "How close are prediction and reference in meaning, token by token?",
         "Precision is the mean similarity of the prediction's tokens, recall that of the reference's, F1 their "
         "harmonic mean; the score is the mean over segments."),
    )
}  # fmt: skip
bertscore = one_call(
    BertScore,
    """\
>>> bertscore(["the cat sat"], ["a cat sat"])
Traceback (most recent call last):
    ...
ValueError: model_id: expected a model name or path, or `lang` (or `model`), got None""",
)


class _Placed:
    """Texts with the ids and the characters of their tokens."""

    def __init__(self, encoder: Encoder, texts: list[str]) -> None:
        self._special, self._ids, self._places = encoder.special, encoder.cut(texts).ids, encoder.places(texts)

    def __getitem__(self, text: int) -> list[tuple[int, int] | None]:
        """Return the characters of every token, None for one without, or one that weighs nothing."""
        rows = zip(self._ids[text].tolist(), self._places[text], strict=True)
        return [None if place == NOWHERE or token in self._special else place for token, place in rows]


def _joined(
    places: list[tuple[int, int] | None], others: list[tuple[int, int] | None], best: Any, baseline: float
) -> list[Match]:
    """Return the tokens of a text as matches; of the tokens of one character, only the first."""
    similarities, partners = best
    found: list[Match] = []
    for place, similarity, partner in zip(places, similarities.tolist(), partners.tolist(), strict=True):
        if place is not None and not (found and place[0] < found[-1].end):
            weight = float((similarity - baseline) / (1 - baseline))
            found.append(Match(*place, weight, joins=False, is_common=False, partner=others[partner]))
    return found


# A token is marked one level stronger from each of these similarities on.
_COUNTED = 0.7
_LEVELS = ((float("-inf"), 1), (0.5, 2), (_COUNTED, 3), (0.85, 4))
_LEGEND = (
    Mark(1, False, "best match below 0.5: weak", ""), Mark(2, False, "best match of 0.5 to 0.7", ""),
    Mark(3, False, "best match of 0.7 to 0.85"), Mark(4, False, "best match of 0.85 or more"),
)  # fmt: skip
_VERB = "have a match of similarity 0.7 or more"


class BertScoreExplainer(Explainer, metric=BertScoreMetric):
    """Explains the scores of `BertScoreMetric`."""

    metric: BertScoreMetric

    def marks(self, key: str) -> Marks:
        """Mark all tokens by the similarity of their best matches, to which they are joined."""
        return Marks(lambda corpus: self._aligned(corpus, key), _LEVELS, _COUNTED, _LEGEND, _VERB)

    def sizes(self, corpus: Corpus) -> tuple[IntArray, IntArray]:
        """Return the number of the model's tokens of every text."""
        encoder = self.metric.encoder()
        sides = (cut(encoder, side) for side in (corpus.hypotheses, corpus.references))
        hypotheses, references = (np.array([len(row) - encoder.n_empty for row in side]) for side in sides)
        return hypotheses, references

    def derivation(self, key: str, rows: Rows, segment: Corpus | None) -> Derivation:
        """Show every token with its best match, the means of their similarities, and F1."""
        metric = self.metric
        title, parts = metric.about.explain(key).title, metric.formula(rows)
        weighted = "" if metric.options.idf is False else ", weighted by idf"
        rescaled = "" if metric.options.baseline() is None else ", rescaled by the baseline"
        steps = [] if segment is None else self._steps_of_tokens(key, segment)
        for name, side in (("precision", "prediction"), ("recall", "reference")):
            meaning = f"mean over the tokens of the {side}{weighted}{rescaled}"
            steps += [Step(name, value=float(parts[name]), meaning=meaning)] if key in (name, "f1") else []
        if key == "f1":
            p, r = parts["precision"], parts["recall"]
            is_f = not rescaled and parts["f1"] == ratio(2 * p * r, p + r)
            formula = f_formula(p, r) if is_f else "of the best reference" + rescaled
            steps.append(Step(title, formula=formula, value=float(parts["f1"])))
        return Derivation(title, tuple(steps))

    def _steps_of_tokens(self, key: str, segment: Corpus) -> list[Step]:
        """Return the tokens of the scored pair with their best matches."""
        [found] = self.marks(key).align(segment)
        texts = segment.hypotheses[0], segment.references[found.best]
        sides = (
            ("prediction", found.prediction, *texts),
            ("reference", found.references[found.best], *texts[::-1]),
        )
        steps = []
        for name, matches, own, other in sides:
            joined = []
            for one in matches:
                partner = "(special)" if one.partner is None else other[slice(*one.partner)]
                joined.append(f"{own[one.start : one.end]} → {partner} {one.weight:.2f}")
            steps.append(Step(name, examples=tuple(joined), meaning="each token, its best match, and their similarity"))
        return steps

    def _aligned(self, corpus: Corpus, key: str) -> list[Alignment]:
        """Join every token with its best match."""
        from ..models.batching import bar_of
        from ..models.matching import Matcher

        metric, options = self.metric, self.metric.options
        encoder = metric.encoder()
        matcher = Matcher(encoder, metric.weights_of(encoder, corpus), options.batch_size)
        with bar_of(len(corpus), self.metric.name) as bar:
            every = matcher.best(corpus, bar)
        hypotheses, references = (_Placed(encoder, side.tolist()) for side in (corpus.hypotheses, corpus.references))
        baseline = options.baseline()
        low = np.zeros(3) if baseline is None else baseline
        offsets = corpus.reference_offsets
        chosen = offsets[:-1] if len(every) == len(corpus) else best_pairs_of(self.metric, corpus, key)
        alignments = []
        for segment, (first, last) in enumerate(pairwise(offsets.tolist())):
            best, own = int(chosen[segment]), hypotheses[segment]
            others = [references[row] for row in range(first, last)]
            sides = [
                ([], [])
                if one is None
                else (_joined(own, other, one[:2], low[0]), _joined(other, own, one[2:], low[1]))
                for one, other in zip(every[first:last], others, strict=True)
            ]
            alignments.append(Alignment(sides[best - first][0], [matches for _, matches in sides], best - first))
        return alignments
