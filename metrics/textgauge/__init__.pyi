# Written by `python -m textgauge.stubs` from the declarations of the options.

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from os import PathLike
from pyarrow.lib import Table
from typing import Any, Literal
from typing_extensions import Self, TypedDict, Unpack
from . import rewards as rewards, trainer as trainer
from .accumulation.accumulator import Accumulator as _Accumulator
from .accumulation.register import register as register
from .all_pairs.mbr import mbr as mbr
from .all_pairs.pairwise import pairwise as pairwise, segment_scores as segment_scores
from .compat.pycocoevalcap.eval import coco as coco
from .dataset import score_dataset as score_dataset, scorer as scorer
from .engine import kernel_in_use as kernel_in_use
from .explanation.explain import matches as matches
from .input.columns import ArrowColumn
from .locations import path as path
from .measures.bertscore import BertScore as _BertScore
from .measures.cider import CiderWeights as CiderWeights
from .measures.perplexity import Perplexity as _Perplexity
from .meta_evaluation.agreement import agreement as agreement
from .meta_evaluation.raters import raters as raters
from .meta_evaluation.win_rates import win_rates as win_rates
from .models.ngrams import NgramModel as NgramModel
from .module_loading import load as load
from .report.explain import explain as explain
from .resampling.compare import compare as compare
from .resampling.pass_at_k import pass_at_k as pass_at_k
from .resampling.plan import plan as plan
from .text.normalizers import Normalizer
from .text.tokenizers import Tokenizer, tokenize as tokenize
from .threads import get_num_threads as get_num_threads, set_num_threads as set_num_threads

class _AnlsOptions(TypedDict, total=False):
    rule: Literal["docvqa", "stvqa", "paper"]
    min_similarity: float
    strip: bool

class _Reports(TypedDict, total=False):
    per_segment: bool
    signature: bool
    counts: bool
    confidence: float | None
    n_resamples: int | None
    seed: int | None
    unit: Any

class _LoadingOptions(TypedDict, total=False):
    model_id: str | PathLike[str] | None
    model: Any
    tokenizer: Any
    revision: str | None
    dtype: Literal["auto", "float32", "bfloat16", "float16"] | None
    model_kwargs: Mapping[str, Any] | None
    device: str | None
    device_map: Any

class _BertScoreOptions(_LoadingOptions, total=False):
    lang: str | None
    num_layers: int | None
    idf: Any
    rescale_with_baseline: bool
    baseline_path: str | None
    use_fast_tokenizer: bool
    batch_size: int | None
    verbose: bool

class _BleuOptions(TypedDict, total=False):
    preset: Literal["evaluate", "sacrebleu", "nltk", "mteval-v13a", "moses", "coco"] | None
    tokenizer: str | Callable[[str], list[str]] | None
    max_order: int
    smooth: bool
    smoothing: Literal["none", "add-one", "add-k", "floor", "exp", "epsilon", "chen-cherry-1", "chen-cherry-2", "chen-cherry-3", "chen-cherry-4", "chen-cherry-5", "chen-cherry-6", "chen-cherry-7"] | None
    smooth_value: float | None
    effective_order: bool
    weights: Sequence[float] | None
    reference_length: Literal["shortest", "closest", "average"] | None
    lowercase: bool | Literal["ascii"] | None
    strip: bool | None
    counting: Literal["plain", "sacrebleu", "mteval", "nltk", "coco"] | None

class _BleuReports(_Reports, total=False):
    all_orders: bool

class _LearnedOptions(TypedDict, total=False):
    model_id: str | PathLike[str]
    encoder: str | PathLike[str] | None
    revision: str | None
    dtype: str
    device: str | None
    device_map: Any
    batch_size: int | None
    verbose: bool

class _BleurtOptions(_LearnedOptions, total=False):
    gelu: Literal["tanh", "exact"] | None
    max_length: int | None

class _CerOptions(TypedDict, total=False):
    whitespace: bool
    preset: Literal["jiwer-3"] | None
    lowercase: bool
    normalizer: str | Normalizer | Callable[[str], str] | None
    numbers: str | None
    replacements: Any

class _CharcutOptions(TypedDict, total=False):
    match_size: int
    alt_norm: bool

class _ChrfOptions(TypedDict, total=False):
    char_order: int
    word_order: int
    beta: float
    lowercase: bool
    whitespace: bool
    eps_smoothing: bool

class _CiderOptions(TypedDict, total=False):
    variant: Literal["D", "plain", "R"]
    sigma: float
    tokenizer: str | Callable[[str], list[str]]
    lowercase: bool
    idf: Any

class _CodeEvalOptions(TypedDict, total=False):
    allow: bool
    timeout: float
    clock: Literal["cpu", "wall"]
    memory: float
    sandbox: Literal["auto", "require", "none"]
    num_workers: int
    extract: Any

class _CometOptions(_LearnedOptions, total=False):
    spans: bool
    enable_context: bool
    context_from: Sequence[str] | None
    context_size: int

class _ConsistencyOptions(_LearnedOptions, total=False):
    form: Literal["minicheck", "alignscore", "summac-zs"]

class _CpwerOptions(TypedDict, total=False):
    tokenizer: str | Tokenizer | Callable[[str], list[str]]
    lowercase: bool
    normalizer: str | Normalizer | Callable[[str], str] | None
    numbers: str | None
    replacements: Any
    collar: float | None
    orc: bool

class _ExactMatchOptions(TypedDict, total=False):
    regexes_to_ignore: str | Sequence[str] | None
    ignore_case: bool
    ignore_punctuation: bool
    ignore_numbers: bool
    normalizer: str | Normalizer | Callable[[str], str]
    replacements: Any

class _FrugalScoreOptions(_LearnedOptions, total=False):
    max_length: int

class _GoogleBleuOptions(TypedDict, total=False):
    tokenizer: str | Callable[[str], list[str]]
    min_len: int
    max_len: int
    lowercase: bool

class _MathAnswerOptions(TypedDict, total=False):
    rule: Literal["hendrycks", "lm-eval", "minerva"]
    extract: Any
    engine: Literal["math-verify"] | None
    seconds: float

class _MeteorOptions(TypedDict, total=False):
    alpha: float
    beta: float
    gamma: float
    wordnet: str | None

class _Meteor15Options(TypedDict, total=False):
    task: Literal["rank", "adq", "hter", "util", "li", "tune"]
    tokenizer: str | Callable[[str], list[str]] | None
    normalize: bool
    lowercase: bool
    no_punct: bool
    matchers: str
    characters: bool
    beam_size: int
    paraphrases: str | None
    jar: str | None

class _MetricxOptions(_LearnedOptions, total=False):
    form: Literal["24", "23", "23-qe"] | None

class _NistOptions(TypedDict, total=False):
    n: int
    lowercase: bool
    western_lang: bool
    counting: Literal["nltk", "mteval"]

class _ModelOptions(_LoadingOptions, total=False):
    batch_size: int | None
    add_start_token: bool
    max_length: int | None
    stride: int | None
    ngram_train: Any
    ngram_order: int
    ngram_smoothing: Literal["kneser-ney", "add-k", "mle"]
    own_numbers: Literal["probs", "log_probs", "log2_probs", "log10_probs"] | None

class _RelaxedAccuracyOptions(TypedDict, total=False):
    tolerance: float
    strip: bool

class _RougeOptions(TypedDict, total=False):
    rouge_types: Sequence[str] | None
    use_stemmer: bool
    tokenizer: str | Callable[[str], list[str]] | None
    lowercase: bool
    beta: float | None
    alpha: float | None
    weight: float | None
    split_summaries: bool
    multi_reference: Literal["best", "average", "pooled", "largest"] | None
    jackknife: bool
    stopwords: str | PathLike[str] | Iterable[str] | None
    exceptions: str | PathLike[str] | None
    max_words: int | None
    max_bytes: int | None
    preset: Literal["rouge-1.5.5", "coco"] | None

class _RougeReports(_Reports, total=False):
    use_aggregator: bool
    aggregator: Literal["mean", "bootstrap", "rouge-1.5.5", "rouge-1.5.5-per-token"] | None
    detailed: bool

class _SacrebleuOptions(TypedDict, total=False):
    tokenizer: str | Callable[[str], list[str]] | None
    max_order: int
    smooth: bool
    smoothing: Literal["none", "add-one", "add-k", "floor", "exp", "epsilon", "chen-cherry-1", "chen-cherry-2", "chen-cherry-3", "chen-cherry-4", "chen-cherry-5", "chen-cherry-6", "chen-cherry-7"] | None
    smooth_value: float | None
    effective_order: bool
    weights: Sequence[float] | None
    reference_length: Literal["shortest", "closest", "average"] | None
    lowercase: bool | Literal["ascii"] | None
    strip: bool | None
    counting: Literal["plain", "sacrebleu", "mteval", "nltk", "coco"] | None
    force: bool

class _SariOptions(TypedDict, total=False):
    counting: Literal["hub", "easse", "easse-paper", "easse-legacy", "xu", "tensor2tensor"]
    deletion: Literal["f1", "precision"] | None
    tokenizer: str | Callable[[str], list[str]] | None
    lowercase: bool | None

class _SariReports(_Reports, total=False):
    detailed: bool

class _SquadOptions(TypedDict, total=False):
    counting: Literal["multiset", "set"]
    normalizer: str | Normalizer | Callable[[str], str]
    replacements: Any
    tokenizer: str | Tokenizer | Callable[[str], list[str]]

class _SquadV2Options(_SquadOptions, total=False):
    no_answer_threshold: float

class _TedsOptions(TypedDict, total=False):
    structure_only: bool
    headers: Literal["text", "cells", "tags"]
    inner_tags: bool
    ignored_tags: Any

class _TerOptions(TypedDict, total=False):
    normalized: bool
    no_punct: bool
    asian_support: bool
    case_sensitive: bool

class _TokenF1Options(TypedDict, total=False):
    counting: Literal["multiset", "set"]
    normalizer: str | Normalizer | Callable[[str], str]
    replacements: Any
    tokenizer: str | Tokenizer | Callable[[str], list[str]]
    contains: bool

class _VqaAccuracyOptions(TypedDict, total=False):
    rule: Literal["vqa", "textvqa"]
    rewrite_all: bool

class _WerOptions(TypedDict, total=False):
    tokenizer: str | Tokenizer | Callable[[str], list[str]]
    lowercase: bool
    normalizer: str | Normalizer | Callable[[str], str] | None
    numbers: str | None
    replacements: Any
    aligner: Literal["jiwer", "sclite", "kaldialign", "kaldialign-sclite"]
    join: bool

class _SelfBleuOptions(TypedDict, total=False):
    variant: Literal["nltk", "sacrebleu", "corpus"]
    max_order: int
    tokenizer: str | Callable[[str], list[str]]
    lowercase: bool

class _DiversityOptions(_SelfBleuOptions, total=False):
    homogenization: str | None

class _MauveOptions(_LoadingOptions, total=False):
    batch_size: int | None
    max_length: int
    num_buckets: int | None
    kmeans_explained_var: float
    kmeans_num_redo: int
    kmeans_max_iter: int
    mauve_scaling_factor: float
    divergence_curve_discretization_size: int
    seed: int
    n_seeds: int
    verbose: bool

class _MauveReports(TypedDict, total=False):
    signature: bool
    confidence: float | None

class _Options(TypedDict, total=False): ...
class _AnlsOptionsAndReports(_AnlsOptions, _Reports): ...
class _BertScoreOptionsAndReports(_BertScoreOptions, _Reports): ...
class _BleuOptionsAndReports(_BleuOptions, _BleuReports): ...
class _BleurtOptionsAndReports(_BleurtOptions, _Reports): ...
class _CerOptionsAndReports(_CerOptions, _Reports): ...
class _CharcutOptionsAndReports(_CharcutOptions, _Reports): ...
class _ChrfOptionsAndReports(_ChrfOptions, _Reports): ...
class _CiderOptionsAndReports(_CiderOptions, _Reports): ...
class _CodeEvalOptionsAndReports(_CodeEvalOptions, _Reports): ...
class _CometOptionsAndReports(_CometOptions, _Reports): ...
class _ConsistencyOptionsAndReports(_ConsistencyOptions, _Reports): ...
class _CpwerOptionsAndReports(_CpwerOptions, _Reports): ...
class _DiversityOptionsAndReports(_DiversityOptions, _Reports): ...
class _ExactMatchOptionsAndReports(_ExactMatchOptions, _Reports): ...
class _FrugalScoreOptionsAndReports(_FrugalScoreOptions, _Reports): ...
class _GoogleBleuOptionsAndReports(_GoogleBleuOptions, _Reports): ...
class _MathAnswerOptionsAndReports(_MathAnswerOptions, _Reports): ...
class _MauveOptionsAndReports(_MauveOptions, _MauveReports): ...
class _MeteorOptionsAndReports(_MeteorOptions, _Reports): ...
class _Meteor15OptionsAndReports(_Meteor15Options, _Reports): ...
class _MetricxOptionsAndReports(_MetricxOptions, _Reports): ...
class _NistOptionsAndReports(_NistOptions, _Reports): ...
class _ModelOptionsAndReports(_ModelOptions, _Reports): ...
class _RelaxedAccuracyOptionsAndReports(_RelaxedAccuracyOptions, _Reports): ...
class _RougeOptionsAndReports(_RougeOptions, _RougeReports): ...
class _SacrebleuOptionsAndReports(_SacrebleuOptions, _BleuReports): ...
class _SariOptionsAndReports(_SariOptions, _SariReports): ...
class _SquadOptionsAndReports(_SquadOptions, _Reports): ...
class _SquadV2OptionsAndReports(_SquadV2Options, _Reports): ...
class _TedsOptionsAndReports(_TedsOptions, _Reports): ...
class _TerOptionsAndReports(_TerOptions, _Reports): ...
class _TokenF1OptionsAndReports(_TokenF1Options, _Reports): ...
class _VqaAccuracyOptionsAndReports(_VqaAccuracyOptions, _Reports): ...
class _WerOptionsAndReports(_WerOptions, _Reports): ...

class _OfTexts(_Accumulator):
    def score(self, **options: Unpack[_Reports]) -> dict[str, Any]: ...  # type: ignore[override]
    def update(self, predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn) -> Self: ...

class Anls(_OfTexts):
    def __init__(self, **options: Unpack[_AnlsOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_AnlsOptions]) -> Self: ...  # type: ignore[override]

class BertScore(_BertScore):
    def __init__(self, **options: Unpack[_BertScoreOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_BertScoreOptions]) -> Self: ...  # type: ignore[override]
    def score(self, **options: Unpack[_Reports]) -> dict[str, Any]: ...  # type: ignore[override]
    def update(self, predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn) -> Self: ...

class Bleu(_Accumulator):
    def __init__(self, **options: Unpack[_BleuOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_BleuOptions]) -> Self: ...  # type: ignore[override]
    def score(self, **options: Unpack[_BleuReports]) -> dict[str, Any]: ...  # type: ignore[override]
    def update(self, predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn) -> Self: ...

class Bleurt(_OfTexts):
    def __init__(self, **options: Unpack[_BleurtOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_BleurtOptions]) -> Self: ...  # type: ignore[override]

class Cer(_OfTexts):
    def __init__(self, **options: Unpack[_CerOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_CerOptions]) -> Self: ...  # type: ignore[override]

class Character(_OfTexts):
    def __init__(self, **options: Unpack[_Options]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_Options]) -> Self: ...  # type: ignore[override]

class CharcutMt(_OfTexts):
    def __init__(self, **options: Unpack[_CharcutOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_CharcutOptions]) -> Self: ...  # type: ignore[override]

class Chrf(_OfTexts):
    def __init__(self, **options: Unpack[_ChrfOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_ChrfOptions]) -> Self: ...  # type: ignore[override]

class Cider(_OfTexts):
    def __init__(self, **options: Unpack[_CiderOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_CiderOptions]) -> Self: ...  # type: ignore[override]

class CodeEval(_OfTexts):
    def __init__(self, **options: Unpack[_CodeEvalOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_CodeEvalOptions]) -> Self: ...  # type: ignore[override]

class Comet(_Accumulator):
    def __init__(self, **options: Unpack[_CometOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_CometOptions]) -> Self: ...  # type: ignore[override]
    def score(self, **options: Unpack[_Reports]) -> dict[str, Any]: ...  # type: ignore[override]
    def update(self, predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | None = None, *, sources: Iterable[str] | ArrowColumn | None = None) -> Self: ...

class Consistency(_Accumulator):
    def __init__(self, **options: Unpack[_ConsistencyOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_ConsistencyOptions]) -> Self: ...  # type: ignore[override]
    def score(self, **options: Unpack[_Reports]) -> dict[str, Any]: ...  # type: ignore[override]
    def update(self, predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | None = None, *, sources: Iterable[str] | ArrowColumn | None = None) -> Self: ...

class Cpwer(_Accumulator):
    def __init__(self, **options: Unpack[_CpwerOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_CpwerOptions]) -> Self: ...  # type: ignore[override]
    def score(self, **options: Unpack[_Reports]) -> dict[str, Any]: ...  # type: ignore[override]
    def update(self, predictions: Iterable[Any], references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | Iterable[Any]) -> Self: ...

class Cuad(_Accumulator):
    def __init__(self, **options: Unpack[_Options]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_Options]) -> Self: ...  # type: ignore[override]
    def score(self, **options: Unpack[_Reports]) -> dict[str, Any]: ...  # type: ignore[override]
    def update(self, predictions: Any, references: Any) -> Self: ...

class ExactMatch(_OfTexts):
    def __init__(self, **options: Unpack[_ExactMatchOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_ExactMatchOptions]) -> Self: ...  # type: ignore[override]

class FrugalScore(_OfTexts):
    def __init__(self, **options: Unpack[_FrugalScoreOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_FrugalScoreOptions]) -> Self: ...  # type: ignore[override]

class GoogleBleu(_OfTexts):
    def __init__(self, **options: Unpack[_GoogleBleuOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_GoogleBleuOptions]) -> Self: ...  # type: ignore[override]

class MathAnswer(_OfTexts):
    def __init__(self, **options: Unpack[_MathAnswerOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_MathAnswerOptions]) -> Self: ...  # type: ignore[override]

class Meteor(_OfTexts):
    def __init__(self, **options: Unpack[_MeteorOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_MeteorOptions]) -> Self: ...  # type: ignore[override]

class Meteor15(_OfTexts):
    def __init__(self, **options: Unpack[_Meteor15Options]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_Meteor15Options]) -> Self: ...  # type: ignore[override]

class Metricx(_Accumulator):
    def __init__(self, **options: Unpack[_MetricxOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_MetricxOptions]) -> Self: ...  # type: ignore[override]
    def score(self, **options: Unpack[_Reports]) -> dict[str, Any]: ...  # type: ignore[override]
    def update(self, predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | None = None, *, sources: Iterable[str] | ArrowColumn | None = None) -> Self: ...

class NistMt(_OfTexts):
    def __init__(self, **options: Unpack[_NistOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_NistOptions]) -> Self: ...  # type: ignore[override]

class Perplexity(_Perplexity):
    def __init__(self, **options: Unpack[_ModelOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_ModelOptions]) -> Self: ...  # type: ignore[override]
    def score(self, **options: Unpack[_Reports]) -> dict[str, Any]: ...  # type: ignore[override]
    def update(self, *, log_probs: Any = None, probs: Any = None, base: str | int = "e", texts: Iterable[str] | ArrowColumn | None = None) -> Self: ...
    def update_texts(self, texts: Iterable[str] | ArrowColumn, *, prefixes: Iterable[str] | ArrowColumn | None = None, **options: Unpack[_ModelOptions]) -> Self: ...  # type: ignore[override]

class RelaxedAccuracy(_OfTexts):
    def __init__(self, **options: Unpack[_RelaxedAccuracyOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_RelaxedAccuracyOptions]) -> Self: ...  # type: ignore[override]

class Rouge(_Accumulator):
    def __init__(self, **options: Unpack[_RougeOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_RougeOptions]) -> Self: ...  # type: ignore[override]
    def score(self, **options: Unpack[_RougeReports]) -> dict[str, Any]: ...  # type: ignore[override]
    def update(self, predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn) -> Self: ...

class Sacrebleu(_Accumulator):
    def __init__(self, **options: Unpack[_SacrebleuOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_SacrebleuOptions]) -> Self: ...  # type: ignore[override]
    def score(self, **options: Unpack[_BleuReports]) -> dict[str, Any]: ...  # type: ignore[override]
    def update(self, predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn) -> Self: ...

class Sari(_Accumulator):
    def __init__(self, **options: Unpack[_SariOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_SariOptions]) -> Self: ...  # type: ignore[override]
    def score(self, **options: Unpack[_SariReports]) -> dict[str, Any]: ...  # type: ignore[override]
    def update(self, predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, *, sources: Iterable[str] | ArrowColumn) -> Self: ...

class Squad(_Accumulator):
    def __init__(self, **options: Unpack[_SquadOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_SquadOptions]) -> Self: ...  # type: ignore[override]
    def score(self, **options: Unpack[_Reports]) -> dict[str, Any]: ...  # type: ignore[override]
    def update(self, predictions: Iterable[str] | ArrowColumn | Iterable[Mapping[str, Any]], references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | Iterable[Mapping[str, Any]]) -> Self: ...

class SquadV2(_Accumulator):
    def __init__(self, **options: Unpack[_SquadV2Options]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_SquadV2Options]) -> Self: ...  # type: ignore[override]
    def score(self, **options: Unpack[_Reports]) -> dict[str, Any]: ...  # type: ignore[override]
    def update(self, predictions: Any, references: Any) -> Self: ...

class Teds(_OfTexts):
    def __init__(self, **options: Unpack[_TedsOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_TedsOptions]) -> Self: ...  # type: ignore[override]

class Ter(_OfTexts):
    def __init__(self, **options: Unpack[_TerOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_TerOptions]) -> Self: ...  # type: ignore[override]

class TokenF1(_Accumulator):
    def __init__(self, **options: Unpack[_TokenF1Options]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_TokenF1Options]) -> Self: ...  # type: ignore[override]
    def score(self, **options: Unpack[_Reports]) -> dict[str, Any]: ...  # type: ignore[override]
    def update(self, predictions: Iterable[str] | ArrowColumn | Iterable[Mapping[str, Any]], references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | Iterable[Mapping[str, Any]]) -> Self: ...

class VqaAccuracy(_OfTexts):
    def __init__(self, **options: Unpack[_VqaAccuracyOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_VqaAccuracyOptions]) -> Self: ...  # type: ignore[override]

class Wer(_OfTexts):
    def __init__(self, **options: Unpack[_WerOptions]) -> None: ...
    @classmethod
    def from_arrow(cls, table: Table, **options: Unpack[_WerOptions]) -> Self: ...  # type: ignore[override]

__version__: str

def anls(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_AnlsOptionsAndReports]) -> dict[str, Any]: ...
def bertscore(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_BertScoreOptionsAndReports]) -> dict[str, Any]: ...
def bleu(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_BleuOptionsAndReports]) -> dict[str, Any]: ...
def bleurt(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_BleurtOptionsAndReports]) -> dict[str, Any]: ...
def cer(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_CerOptionsAndReports]) -> dict[str, Any]: ...
def character(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_Reports]) -> dict[str, Any]: ...
def charcut_mt(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_CharcutOptionsAndReports]) -> dict[str, Any]: ...
def chrf(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_ChrfOptionsAndReports]) -> dict[str, Any]: ...
def cider(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_CiderOptionsAndReports]) -> dict[str, Any]: ...
def code_eval(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_CodeEvalOptionsAndReports]) -> dict[str, Any]: ...
def comet(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | None = None, *, sources: Iterable[str] | ArrowColumn | None = None, **options: Unpack[_CometOptionsAndReports]) -> dict[str, Any]: ...
def consistency(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | None = None, *, sources: Iterable[str] | ArrowColumn | None = None, **options: Unpack[_ConsistencyOptionsAndReports]) -> dict[str, Any]: ...
def cpwer(predictions: Iterable[Any], references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | Iterable[Any], **options: Unpack[_CpwerOptionsAndReports]) -> dict[str, Any]: ...
def cuad(predictions: Any, references: Any, **options: Unpack[_Reports]) -> dict[str, Any]: ...
def diversity(predictions: Iterable[str] | ArrowColumn | Iterable[Sequence[str]], *, groups: Iterable[Hashable] | None = None, **options: Unpack[_DiversityOptionsAndReports]) -> dict[str, Any]: ...
def exact_match(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_ExactMatchOptionsAndReports]) -> dict[str, Any]: ...
def frugalscore(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_FrugalScoreOptionsAndReports]) -> dict[str, Any]: ...
def google_bleu(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_GoogleBleuOptionsAndReports]) -> dict[str, Any]: ...
def math_answer(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_MathAnswerOptionsAndReports]) -> dict[str, Any]: ...
def mauve(predictions: Iterable[str] | ArrowColumn | None = None, references: Iterable[str] | ArrowColumn | None = None, *, predictions_features: Any = None, references_features: Any = None, **options: Unpack[_MauveOptionsAndReports]) -> dict[str, Any]: ...
def meteor(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_MeteorOptionsAndReports]) -> dict[str, Any]: ...
def meteor15(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_Meteor15OptionsAndReports]) -> dict[str, Any]: ...
def metricx(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | None = None, *, sources: Iterable[str] | ArrowColumn | None = None, **options: Unpack[_MetricxOptionsAndReports]) -> dict[str, Any]: ...
def nist_mt(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_NistOptionsAndReports]) -> dict[str, Any]: ...
def perplexity(predictions: Iterable[str] | ArrowColumn | None = None, *, log_probs: Any = None, probs: Any = None, base: str | int = "e", prefixes: Iterable[str] | ArrowColumn | None = None, texts: Iterable[str] | ArrowColumn | None = None, **options: Unpack[_ModelOptionsAndReports]) -> dict[str, Any]: ...
def relaxed_accuracy(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_RelaxedAccuracyOptionsAndReports]) -> dict[str, Any]: ...
def rouge(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_RougeOptionsAndReports]) -> dict[str, Any]: ...
def sacrebleu(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_SacrebleuOptionsAndReports]) -> dict[str, Any]: ...
def sari(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, *, sources: Iterable[str] | ArrowColumn, **options: Unpack[_SariOptionsAndReports]) -> dict[str, Any]: ...
def self_bleu(predictions: Iterable[str] | ArrowColumn | Iterable[Sequence[str]], *, groups: Iterable[Hashable] | None = None, **options: Unpack[_SelfBleuOptions]) -> float: ...
def squad(predictions: Iterable[str] | ArrowColumn | Iterable[Mapping[str, Any]], references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | Iterable[Mapping[str, Any]], **options: Unpack[_SquadOptionsAndReports]) -> dict[str, Any]: ...
def squad_v2(predictions: Any, references: Any, **options: Unpack[_SquadV2OptionsAndReports]) -> dict[str, Any]: ...
def teds(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_TedsOptionsAndReports]) -> dict[str, Any]: ...
def ter(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_TerOptionsAndReports]) -> dict[str, Any]: ...
def token_f1(predictions: Iterable[str] | ArrowColumn | Iterable[Mapping[str, Any]], references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | Iterable[Mapping[str, Any]], **options: Unpack[_TokenF1OptionsAndReports]) -> dict[str, Any]: ...
def vqa_accuracy(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_VqaAccuracyOptionsAndReports]) -> dict[str, Any]: ...
def wer(predictions: Iterable[str] | ArrowColumn, references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn, **options: Unpack[_WerOptionsAndReports]) -> dict[str, Any]: ...

__all__ = [
    "Anls", "BertScore", "Bleu", "Bleurt", "Cer", "Character", "CharcutMt", "Chrf", "Cider", "CiderWeights", "CodeEval",
    "Comet", "Consistency", "Cpwer", "Cuad", "ExactMatch", "FrugalScore", "GoogleBleu", "MathAnswer", "Meteor",
    "Meteor15", "Metricx", "NgramModel", "NistMt", "Perplexity", "RelaxedAccuracy", "Rouge", "Sacrebleu", "Sari",
    "Squad", "SquadV2", "Teds", "Ter", "TokenF1", "VqaAccuracy", "Wer", "__version__", "agreement", "anls", "bertscore",
    "bleu", "bleurt", "cer", "character", "charcut_mt", "chrf", "cider", "coco", "code_eval", "comet", "compare",
    "consistency", "cpwer", "cuad", "diversity", "exact_match", "explain", "frugalscore", "get_num_threads",
    "google_bleu", "kernel_in_use", "load", "matches", "math_answer", "mauve", "mbr", "meteor", "meteor15", "metricx",
    "nist_mt", "pairwise", "pass_at_k", "path", "perplexity", "plan", "raters", "register", "relaxed_accuracy",
    "rewards", "rouge", "sacrebleu", "sari", "score_dataset", "scorer", "segment_scores", "self_bleu",
    "set_num_threads", "squad", "squad_v2", "teds", "ter", "token_f1", "tokenize", "trainer", "vqa_accuracy", "wer",
    "win_rates",
]
