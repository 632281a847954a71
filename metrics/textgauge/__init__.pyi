# Written by `python -m textgauge.stubs` from the declarations of the options.

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from os import PathLike
from pyarrow.lib import Table
from typing import Any, Literal
from typing_extensions import Self
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
from .models.ngrams import NgramModel as NgramModel
from .module_loading import load as load
from .report.explain import explain as explain
from .resampling.compare import compare as compare
from .resampling.pass_at_k import pass_at_k as pass_at_k
from .resampling.plan import plan as plan
from .text.normalizers import Normalizer
from .text.tokenizers import Tokenizer, tokenize as tokenize
from .threads import get_num_threads as get_num_threads, set_num_threads as set_num_threads

class BertScore(_BertScore):
    def __init__(
        self,
        *,
        model_id: str | PathLike[str] | None = None,
        model: Any = None,
        tokenizer: Any = None,
        revision: str | None = None,
        dtype: Literal["auto", "float32", "bfloat16", "float16"] | None = None,
        model_kwargs: Mapping[str, Any] | None = None,
        device: str | None = None,
        device_map: Any = None,
        lang: str | None = None,
        num_layers: int | None = None,
        idf: Any = False,
        rescale_with_baseline: bool = False,
        baseline_path: str | None = None,
        use_fast_tokenizer: bool = False,
        batch_size: int | None = None,
        verbose: bool = False,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        model_id: str | PathLike[str] | None = ...,
        model: Any = ...,
        tokenizer: Any = ...,
        revision: str | None = ...,
        dtype: Literal["auto", "float32", "bfloat16", "float16"] | None = ...,
        model_kwargs: Mapping[str, Any] | None = ...,
        device: str | None = ...,
        device_map: Any = ...,
        lang: str | None = ...,
        num_layers: int | None = ...,
        idf: Any = ...,
        rescale_with_baseline: bool = ...,
        baseline_path: str | None = ...,
        use_fast_tokenizer: bool = ...,
        batch_size: int | None = ...,
        verbose: bool = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    ) -> Self: ...

class Bleu(_Accumulator):
    def __init__(
        self,
        *,
        preset: Literal["evaluate", "sacrebleu", "nltk", "mteval-v13a", "moses", "coco"] | None = None,
        tokenizer: str | Callable[[str], list[str]] | None = None,
        max_order: int = 4,
        smooth: bool = False,
        smoothing: Literal["none", "add-one", "add-k", "floor", "exp", "epsilon", "chen-cherry-1", "chen-cherry-2", "chen-cherry-3", "chen-cherry-4", "chen-cherry-5", "chen-cherry-6", "chen-cherry-7"] | None = None,
        smooth_value: float | None = None,
        effective_order: bool = False,
        weights: Sequence[float] | None = None,
        reference_length: Literal["shortest", "closest", "average"] | None = None,
        lowercase: bool | Literal["ascii"] | None = None,
        strip: bool | None = None,
        counting: Literal["plain", "sacrebleu", "mteval", "nltk", "coco"] | None = None,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        preset: Literal["evaluate", "sacrebleu", "nltk", "mteval-v13a", "moses", "coco"] | None = ...,
        tokenizer: str | Callable[[str], list[str]] | None = ...,
        max_order: int = ...,
        smooth: bool = ...,
        smoothing: Literal["none", "add-one", "add-k", "floor", "exp", "epsilon", "chen-cherry-1", "chen-cherry-2", "chen-cherry-3", "chen-cherry-4", "chen-cherry-5", "chen-cherry-6", "chen-cherry-7"] | None = ...,
        smooth_value: float | None = ...,
        effective_order: bool = ...,
        weights: Sequence[float] | None = ...,
        reference_length: Literal["shortest", "closest", "average"] | None = ...,
        lowercase: bool | Literal["ascii"] | None = ...,
        strip: bool | None = ...,
        counting: Literal["plain", "sacrebleu", "mteval", "nltk", "coco"] | None = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
        all_orders: bool = False,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    ) -> Self: ...

class Cer(_Accumulator):
    def __init__(
        self,
        *,
        whitespace: bool = True,
        preset: Literal["jiwer-3"] | None = None,
        lowercase: bool = False,
        normalizer: str | Normalizer | Callable[[str], str] | None = None,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        whitespace: bool = ...,
        preset: Literal["jiwer-3"] | None = ...,
        lowercase: bool = ...,
        normalizer: str | Normalizer | Callable[[str], str] | None = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    ) -> Self: ...

class Character(_Accumulator):
    def __init__(
        self,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    ) -> Self: ...

class CharcutMt(_Accumulator):
    def __init__(
        self,
        *,
        match_size: int = 3,
        alt_norm: bool = False,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        match_size: int = ...,
        alt_norm: bool = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    ) -> Self: ...

class Chrf(_Accumulator):
    def __init__(
        self,
        *,
        char_order: int = 6,
        word_order: int = 0,
        beta: float = 2.0,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        char_order: int = ...,
        word_order: int = ...,
        beta: float = ...,
        lowercase: bool = ...,
        whitespace: bool = ...,
        eps_smoothing: bool = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    ) -> Self: ...

class Cider(_Accumulator):
    def __init__(
        self,
        *,
        variant: Literal["D", "plain", "R"] = "D",
        sigma: float = 6.0,
        tokenizer: str | Callable[[str], list[str]] = "coco",
        lowercase: bool = False,
        idf: Any = None,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        variant: Literal["D", "plain", "R"] = ...,
        sigma: float = ...,
        tokenizer: str | Callable[[str], list[str]] = ...,
        lowercase: bool = ...,
        idf: Any = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    ) -> Self: ...

class Comet(_Accumulator):
    def __init__(
        self,
        *,
        model_id: str | PathLike[str] = "Unbabel/wmt22-comet-da",
        encoder: str | PathLike[str] | None = None,
        revision: str | None = None,
        dtype: Literal["float32", "bfloat16", "float16"] = "float32",
        device: str | None = None,
        device_map: Any = None,
        batch_size: int | None = None,
        verbose: bool = False,
        spans: bool = False,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        model_id: str | PathLike[str] = ...,
        encoder: str | PathLike[str] | None = ...,
        revision: str | None = ...,
        dtype: Literal["float32", "bfloat16", "float16"] = ...,
        device: str | None = ...,
        device_map: Any = ...,
        batch_size: int | None = ...,
        verbose: bool = ...,
        spans: bool = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | None = None,
        *,
        sources: Iterable[str] | ArrowColumn | None = None,
    ) -> Self: ...

class Consistency(_Accumulator):
    def __init__(
        self,
        *,
        model_id: str | PathLike[str] | None = None,
        encoder: str | PathLike[str] | None = None,
        revision: str | None = None,
        dtype: Literal["float32", "bfloat16", "float16"] = "float32",
        device: str | None = None,
        device_map: Any = None,
        batch_size: int | None = None,
        verbose: bool = False,
        form: Literal["minicheck", "alignscore", "summac-zs"] = "minicheck",
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        model_id: str | PathLike[str] | None = ...,
        encoder: str | PathLike[str] | None = ...,
        revision: str | None = ...,
        dtype: Literal["float32", "bfloat16", "float16"] = ...,
        device: str | None = ...,
        device_map: Any = ...,
        batch_size: int | None = ...,
        verbose: bool = ...,
        form: Literal["minicheck", "alignscore", "summac-zs"] = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | None = None,
        *,
        sources: Iterable[str] | ArrowColumn | None = None,
    ) -> Self: ...

class ExactMatch(_Accumulator):
    def __init__(
        self,
        *,
        regexes_to_ignore: str | Sequence[str] | None = None,
        ignore_case: bool = False,
        ignore_punctuation: bool = False,
        ignore_numbers: bool = False,
        normalizer: str | Normalizer | Callable[[str], str] = "none",
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        regexes_to_ignore: str | Sequence[str] | None = ...,
        ignore_case: bool = ...,
        ignore_punctuation: bool = ...,
        ignore_numbers: bool = ...,
        normalizer: str | Normalizer | Callable[[str], str] = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    ) -> Self: ...

class FrugalScore(_Accumulator):
    def __init__(
        self,
        *,
        model_id: str | PathLike[str] = "moussaKam/frugalscore_tiny_bert-base_bert-score",
        encoder: str | PathLike[str] | None = None,
        revision: str | None = None,
        dtype: Literal["float32", "bfloat16", "float16"] = "float32",
        device: str | None = None,
        device_map: Any = None,
        batch_size: int | None = None,
        verbose: bool = False,
        max_length: int = 128,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        model_id: str | PathLike[str] = ...,
        encoder: str | PathLike[str] | None = ...,
        revision: str | None = ...,
        dtype: Literal["float32", "bfloat16", "float16"] = ...,
        device: str | None = ...,
        device_map: Any = ...,
        batch_size: int | None = ...,
        verbose: bool = ...,
        max_length: int = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    ) -> Self: ...

class GoogleBleu(_Accumulator):
    def __init__(
        self,
        *,
        tokenizer: str | Callable[[str], list[str]] = "13a",
        min_len: int = 1,
        max_len: int = 4,
        lowercase: bool = False,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        tokenizer: str | Callable[[str], list[str]] = ...,
        min_len: int = ...,
        max_len: int = ...,
        lowercase: bool = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    ) -> Self: ...

class MathAnswer(_Accumulator):
    def __init__(
        self,
        *,
        rule: Literal["hendrycks", "lm-eval", "minerva"] = "hendrycks",
        extract: Any = None,
        engine: Literal["math-verify"] | None = None,
        seconds: float = 5.0,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        rule: Literal["hendrycks", "lm-eval", "minerva"] = ...,
        extract: Any = ...,
        engine: Literal["math-verify"] | None = ...,
        seconds: float = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    ) -> Self: ...

class Meteor(_Accumulator):
    def __init__(
        self,
        *,
        alpha: float = 0.9,
        beta: float = 3.0,
        gamma: float = 0.5,
        wordnet: str | None = None,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        alpha: float = ...,
        beta: float = ...,
        gamma: float = ...,
        wordnet: str | None = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    ) -> Self: ...

class Meteor15(_Accumulator):
    def __init__(
        self,
        *,
        task: Literal["rank", "adq", "hter", "util", "li", "tune"] = "rank",
        tokenizer: str | Callable[[str], list[str]] | None = None,
        normalize: bool = True,
        lowercase: bool = False,
        no_punct: bool = False,
        matchers: str = "exact stem synonym paraphrase",
        characters: bool = False,
        beam_size: int = 40,
        paraphrases: str | None = None,
        jar: str | None = None,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        task: Literal["rank", "adq", "hter", "util", "li", "tune"] = ...,
        tokenizer: str | Callable[[str], list[str]] | None = ...,
        normalize: bool = ...,
        lowercase: bool = ...,
        no_punct: bool = ...,
        matchers: str = ...,
        characters: bool = ...,
        beam_size: int = ...,
        paraphrases: str | None = ...,
        jar: str | None = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    ) -> Self: ...

class Metricx(_Accumulator):
    def __init__(
        self,
        *,
        model_id: str | PathLike[str] = "google/metricx-24-hybrid-large-v2p6",
        encoder: str | PathLike[str] = "google/mt5-xl",
        revision: str | None = None,
        dtype: Literal["auto", "float32", "bfloat16"] = "auto",
        device: str | None = None,
        device_map: Any = None,
        batch_size: int | None = None,
        verbose: bool = False,
        form: Literal["24", "23", "23-qe"] | None = None,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        model_id: str | PathLike[str] = ...,
        encoder: str | PathLike[str] = ...,
        revision: str | None = ...,
        dtype: Literal["auto", "float32", "bfloat16"] = ...,
        device: str | None = ...,
        device_map: Any = ...,
        batch_size: int | None = ...,
        verbose: bool = ...,
        form: Literal["24", "23", "23-qe"] | None = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | None = None,
        *,
        sources: Iterable[str] | ArrowColumn | None = None,
    ) -> Self: ...

class NistMt(_Accumulator):
    def __init__(
        self,
        *,
        n: int = 5,
        lowercase: bool = False,
        western_lang: bool = True,
        counting: Literal["nltk", "mteval"] = "nltk",
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        n: int = ...,
        lowercase: bool = ...,
        western_lang: bool = ...,
        counting: Literal["nltk", "mteval"] = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    ) -> Self: ...

class Perplexity(_Perplexity):
    def __init__(
        self,
        *,
        model_id: str | PathLike[str] | None = None,
        model: Any = None,
        tokenizer: Any = None,
        revision: str | None = None,
        dtype: Literal["auto", "float32", "bfloat16", "float16"] | None = None,
        model_kwargs: Mapping[str, Any] | None = None,
        device: str | None = None,
        device_map: Any = None,
        batch_size: int | None = None,
        add_start_token: bool = True,
        max_length: int | None = None,
        stride: int | None = None,
        ngram_train: Any = None,
        ngram_order: int = 3,
        ngram_smoothing: Literal["kneser-ney", "add-k", "mle"] = "kneser-ney",
        own_numbers: Literal["probs", "log_probs", "log2_probs", "log10_probs"] | None = None,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        model_id: str | PathLike[str] | None = ...,
        model: Any = ...,
        tokenizer: Any = ...,
        revision: str | None = ...,
        dtype: Literal["auto", "float32", "bfloat16", "float16"] | None = ...,
        model_kwargs: Mapping[str, Any] | None = ...,
        device: str | None = ...,
        device_map: Any = ...,
        batch_size: int | None = ...,
        add_start_token: bool = ...,
        max_length: int | None = ...,
        stride: int | None = ...,
        ngram_train: Any = ...,
        ngram_order: int = ...,
        ngram_smoothing: Literal["kneser-ney", "add-k", "mle"] = ...,
        own_numbers: Literal["probs", "log_probs", "log2_probs", "log10_probs"] | None = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        *,
        log_probs: Any = None,
        probs: Any = None,
        base: str | int = "e",
        texts: Iterable[str] | ArrowColumn | None = None,
    ) -> Self: ...
    def update_texts(  # type: ignore[override]
        self,
        texts: Iterable[str] | ArrowColumn,
        *,
        prefixes: Iterable[str] | ArrowColumn | None = None,
        model_id: str | PathLike[str] | None = ...,
        model: Any = ...,
        tokenizer: Any = ...,
        revision: str | None = ...,
        dtype: Literal["auto", "float32", "bfloat16", "float16"] | None = ...,
        model_kwargs: Mapping[str, Any] | None = ...,
        device: str | None = ...,
        device_map: Any = ...,
        batch_size: int | None = ...,
        add_start_token: bool = ...,
        max_length: int | None = ...,
        stride: int | None = ...,
        ngram_train: Any = ...,
        ngram_order: int = ...,
        ngram_smoothing: Literal["kneser-ney", "add-k", "mle"] = ...,
        own_numbers: Literal["probs", "log_probs", "log2_probs", "log10_probs"] | None = ...,
    ) -> Self: ...

class Rouge(_Accumulator):
    def __init__(
        self,
        *,
        rouge_types: Sequence[str] | None = None,
        use_stemmer: bool = False,
        tokenizer: str | Callable[[str], list[str]] | None = None,
        lowercase: bool = False,
        beta: float | None = None,
        alpha: float | None = None,
        weight: float | None = None,
        split_summaries: bool = False,
        multi_reference: Literal["best", "average", "pooled", "largest"] | None = None,
        jackknife: bool = False,
        stopwords: str | PathLike[str] | Iterable[str] | None = None,
        exceptions: str | PathLike[str] | None = None,
        max_words: int | None = None,
        max_bytes: int | None = None,
        preset: Literal["rouge-1.5.5", "coco"] | None = None,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        rouge_types: Sequence[str] | None = ...,
        use_stemmer: bool = ...,
        tokenizer: str | Callable[[str], list[str]] | None = ...,
        lowercase: bool = ...,
        beta: float | None = ...,
        alpha: float | None = ...,
        weight: float | None = ...,
        split_summaries: bool = ...,
        multi_reference: Literal["best", "average", "pooled", "largest"] | None = ...,
        jackknife: bool = ...,
        stopwords: str | PathLike[str] | Iterable[str] | None = ...,
        exceptions: str | PathLike[str] | None = ...,
        max_words: int | None = ...,
        max_bytes: int | None = ...,
        preset: Literal["rouge-1.5.5", "coco"] | None = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
        use_aggregator: bool = True,
        aggregator: Literal["mean", "bootstrap", "rouge-1.5.5", "rouge-1.5.5-per-token"] | None = None,
        detailed: bool = False,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    ) -> Self: ...

class Sacrebleu(_Accumulator):
    def __init__(
        self,
        *,
        tokenizer: str | Callable[[str], list[str]] | None = None,
        max_order: int = 4,
        smooth: bool = False,
        smoothing: Literal["none", "add-one", "add-k", "floor", "exp", "epsilon", "chen-cherry-1", "chen-cherry-2", "chen-cherry-3", "chen-cherry-4", "chen-cherry-5", "chen-cherry-6", "chen-cherry-7"] | None = None,
        smooth_value: float | None = None,
        effective_order: bool = False,
        weights: Sequence[float] | None = None,
        reference_length: Literal["shortest", "closest", "average"] | None = None,
        lowercase: bool | Literal["ascii"] | None = None,
        strip: bool | None = None,
        counting: Literal["plain", "sacrebleu", "mteval", "nltk", "coco"] | None = None,
        force: bool = False,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        tokenizer: str | Callable[[str], list[str]] | None = ...,
        max_order: int = ...,
        smooth: bool = ...,
        smoothing: Literal["none", "add-one", "add-k", "floor", "exp", "epsilon", "chen-cherry-1", "chen-cherry-2", "chen-cherry-3", "chen-cherry-4", "chen-cherry-5", "chen-cherry-6", "chen-cherry-7"] | None = ...,
        smooth_value: float | None = ...,
        effective_order: bool = ...,
        weights: Sequence[float] | None = ...,
        reference_length: Literal["shortest", "closest", "average"] | None = ...,
        lowercase: bool | Literal["ascii"] | None = ...,
        strip: bool | None = ...,
        counting: Literal["plain", "sacrebleu", "mteval", "nltk", "coco"] | None = ...,
        force: bool = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
        all_orders: bool = False,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    ) -> Self: ...

class Sari(_Accumulator):
    def __init__(
        self,
        *,
        counting: Literal["hub", "easse", "easse-paper", "easse-legacy", "xu", "tensor2tensor"] = "hub",
        deletion: Literal["f1", "precision"] | None = None,
        tokenizer: str | Callable[[str], list[str]] | None = None,
        lowercase: bool | None = None,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        counting: Literal["hub", "easse", "easse-paper", "easse-legacy", "xu", "tensor2tensor"] = ...,
        deletion: Literal["f1", "precision"] | None = ...,
        tokenizer: str | Callable[[str], list[str]] | None = ...,
        lowercase: bool | None = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
        detailed: bool = False,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
        *,
        sources: Iterable[str] | ArrowColumn,
    ) -> Self: ...

class Squad(_Accumulator):
    def __init__(
        self,
        *,
        counting: Literal["multiset", "set"] = "multiset",
        normalizer: str | Normalizer | Callable[[str], str] = "squad",
        tokenizer: str | Tokenizer | Callable[[str], list[str]] = "whitespace",
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        counting: Literal["multiset", "set"] = ...,
        normalizer: str | Normalizer | Callable[[str], str] = ...,
        tokenizer: str | Tokenizer | Callable[[str], list[str]] = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn | Iterable[Mapping[str, Any]],
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | Iterable[Mapping[str, Any]],
    ) -> Self: ...

class SquadV2(_Accumulator):
    def __init__(
        self,
        *,
        counting: Literal["multiset", "set"] = "multiset",
        normalizer: str | Normalizer | Callable[[str], str] = "squad",
        tokenizer: str | Tokenizer | Callable[[str], list[str]] = "whitespace",
        no_answer_threshold: float = 1.0,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        counting: Literal["multiset", "set"] = ...,
        normalizer: str | Normalizer | Callable[[str], str] = ...,
        tokenizer: str | Tokenizer | Callable[[str], list[str]] = ...,
        no_answer_threshold: float = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Any,
        references: Any,
    ) -> Self: ...

class Ter(_Accumulator):
    def __init__(
        self,
        *,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        normalized: bool = ...,
        no_punct: bool = ...,
        asian_support: bool = ...,
        case_sensitive: bool = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    ) -> Self: ...

class TokenF1(_Accumulator):
    def __init__(
        self,
        *,
        counting: Literal["multiset", "set"] = "multiset",
        normalizer: str | Normalizer | Callable[[str], str] = "squad",
        tokenizer: str | Tokenizer | Callable[[str], list[str]] = "whitespace",
        contains: bool = False,
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        counting: Literal["multiset", "set"] = ...,
        normalizer: str | Normalizer | Callable[[str], str] = ...,
        tokenizer: str | Tokenizer | Callable[[str], list[str]] = ...,
        contains: bool = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn | Iterable[Mapping[str, Any]],
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | Iterable[Mapping[str, Any]],
    ) -> Self: ...

class Wer(_Accumulator):
    def __init__(
        self,
        *,
        tokenizer: str | Tokenizer | Callable[[str], list[str]] = "spaces",
        lowercase: bool = False,
        normalizer: str | Normalizer | Callable[[str], str] | None = None,
        aligner: Literal["jiwer", "sclite"] = "jiwer",
    ) -> None: ...
    @classmethod
    def from_arrow(  # type: ignore[override]
        cls,
        table: Table,
        *,
        tokenizer: str | Tokenizer | Callable[[str], list[str]] = ...,
        lowercase: bool = ...,
        normalizer: str | Normalizer | Callable[[str], str] | None = ...,
        aligner: Literal["jiwer", "sclite"] = ...,
    ) -> Self: ...
    def score(  # type: ignore[override]
        self,
        *,
        per_segment: bool = False,
        signature: bool = False,
        counts: bool = False,
        confidence: float | None = None,
        n_resamples: int | None = None,
        seed: int | None = None,
        unit: Any = None,
    ) -> dict[str, Any]: ...
    def update(
        self,
        predictions: Iterable[str] | ArrowColumn,
        references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    ) -> Self: ...

__version__: str

def bertscore(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    *,
    model_id: str | PathLike[str] | None = None,
    model: Any = None,
    tokenizer: Any = None,
    revision: str | None = None,
    dtype: Literal["auto", "float32", "bfloat16", "float16"] | None = None,
    model_kwargs: Mapping[str, Any] | None = None,
    device: str | None = None,
    device_map: Any = None,
    lang: str | None = None,
    num_layers: int | None = None,
    idf: Any = False,
    rescale_with_baseline: bool = False,
    baseline_path: str | None = None,
    use_fast_tokenizer: bool = False,
    batch_size: int | None = None,
    verbose: bool = False,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def bleu(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    *,
    preset: Literal["evaluate", "sacrebleu", "nltk", "mteval-v13a", "moses", "coco"] | None = None,
    tokenizer: str | Callable[[str], list[str]] | None = None,
    max_order: int = 4,
    smooth: bool = False,
    smoothing: Literal["none", "add-one", "add-k", "floor", "exp", "epsilon", "chen-cherry-1", "chen-cherry-2", "chen-cherry-3", "chen-cherry-4", "chen-cherry-5", "chen-cherry-6", "chen-cherry-7"] | None = None,
    smooth_value: float | None = None,
    effective_order: bool = False,
    weights: Sequence[float] | None = None,
    reference_length: Literal["shortest", "closest", "average"] | None = None,
    lowercase: bool | Literal["ascii"] | None = None,
    strip: bool | None = None,
    counting: Literal["plain", "sacrebleu", "mteval", "nltk", "coco"] | None = None,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
    all_orders: bool = False,
) -> dict[str, Any]: ...

def cer(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    *,
    whitespace: bool = True,
    preset: Literal["jiwer-3"] | None = None,
    lowercase: bool = False,
    normalizer: str | Normalizer | Callable[[str], str] | None = None,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def character(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    *,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def charcut_mt(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    *,
    match_size: int = 3,
    alt_norm: bool = False,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def chrf(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2.0,
    lowercase: bool = False,
    whitespace: bool = False,
    eps_smoothing: bool = False,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def cider(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    *,
    variant: Literal["D", "plain", "R"] = "D",
    sigma: float = 6.0,
    tokenizer: str | Callable[[str], list[str]] = "coco",
    lowercase: bool = False,
    idf: Any = None,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def comet(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | None = None,
    *,
    sources: Iterable[str] | ArrowColumn | None = None,
    model_id: str | PathLike[str] = "Unbabel/wmt22-comet-da",
    encoder: str | PathLike[str] | None = None,
    revision: str | None = None,
    dtype: Literal["float32", "bfloat16", "float16"] = "float32",
    device: str | None = None,
    device_map: Any = None,
    batch_size: int | None = None,
    verbose: bool = False,
    spans: bool = False,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def consistency(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | None = None,
    *,
    sources: Iterable[str] | ArrowColumn | None = None,
    model_id: str | PathLike[str] | None = None,
    encoder: str | PathLike[str] | None = None,
    revision: str | None = None,
    dtype: Literal["float32", "bfloat16", "float16"] = "float32",
    device: str | None = None,
    device_map: Any = None,
    batch_size: int | None = None,
    verbose: bool = False,
    form: Literal["minicheck", "alignscore", "summac-zs"] = "minicheck",
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def diversity(
    predictions: Iterable[str] | ArrowColumn | Iterable[Sequence[str]],
    *,
    groups: Iterable[Hashable] | None = None,
    variant: Literal["nltk", "sacrebleu", "corpus"] = "nltk",
    max_order: int = 4,
    tokenizer: str | Callable[[str], list[str]] = "whitespace",
    lowercase: bool = False,
    homogenization: str | None = None,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def exact_match(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    *,
    regexes_to_ignore: str | Sequence[str] | None = None,
    ignore_case: bool = False,
    ignore_punctuation: bool = False,
    ignore_numbers: bool = False,
    normalizer: str | Normalizer | Callable[[str], str] = "none",
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def frugalscore(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    *,
    model_id: str | PathLike[str] = "moussaKam/frugalscore_tiny_bert-base_bert-score",
    encoder: str | PathLike[str] | None = None,
    revision: str | None = None,
    dtype: Literal["float32", "bfloat16", "float16"] = "float32",
    device: str | None = None,
    device_map: Any = None,
    batch_size: int | None = None,
    verbose: bool = False,
    max_length: int = 128,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def google_bleu(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    *,
    tokenizer: str | Callable[[str], list[str]] = "13a",
    min_len: int = 1,
    max_len: int = 4,
    lowercase: bool = False,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def math_answer(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    *,
    rule: Literal["hendrycks", "lm-eval", "minerva"] = "hendrycks",
    extract: Any = None,
    engine: Literal["math-verify"] | None = None,
    seconds: float = 5.0,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def meteor(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    *,
    alpha: float = 0.9,
    beta: float = 3.0,
    gamma: float = 0.5,
    wordnet: str | None = None,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def meteor15(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    *,
    task: Literal["rank", "adq", "hter", "util", "li", "tune"] = "rank",
    tokenizer: str | Callable[[str], list[str]] | None = None,
    normalize: bool = True,
    lowercase: bool = False,
    no_punct: bool = False,
    matchers: str = "exact stem synonym paraphrase",
    characters: bool = False,
    beam_size: int = 40,
    paraphrases: str | None = None,
    jar: str | None = None,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def metricx(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | None = None,
    *,
    sources: Iterable[str] | ArrowColumn | None = None,
    model_id: str | PathLike[str] = "google/metricx-24-hybrid-large-v2p6",
    encoder: str | PathLike[str] = "google/mt5-xl",
    revision: str | None = None,
    dtype: Literal["auto", "float32", "bfloat16"] = "auto",
    device: str | None = None,
    device_map: Any = None,
    batch_size: int | None = None,
    verbose: bool = False,
    form: Literal["24", "23", "23-qe"] | None = None,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def nist_mt(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    *,
    n: int = 5,
    lowercase: bool = False,
    western_lang: bool = True,
    counting: Literal["nltk", "mteval"] = "nltk",
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def perplexity(
    predictions: Iterable[str] | ArrowColumn | None = None,
    *,
    log_probs: Any = None,
    probs: Any = None,
    base: str | int = "e",
    prefixes: Iterable[str] | ArrowColumn | None = None,
    texts: Iterable[str] | ArrowColumn | None = None,
    model_id: str | PathLike[str] | None = None,
    model: Any = None,
    tokenizer: Any = None,
    revision: str | None = None,
    dtype: Literal["auto", "float32", "bfloat16", "float16"] | None = None,
    model_kwargs: Mapping[str, Any] | None = None,
    device: str | None = None,
    device_map: Any = None,
    batch_size: int | None = None,
    add_start_token: bool = True,
    max_length: int | None = None,
    stride: int | None = None,
    ngram_train: Any = None,
    ngram_order: int = 3,
    ngram_smoothing: Literal["kneser-ney", "add-k", "mle"] = "kneser-ney",
    own_numbers: Literal["probs", "log_probs", "log2_probs", "log10_probs"] | None = None,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def rouge(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    *,
    rouge_types: Sequence[str] | None = None,
    use_stemmer: bool = False,
    tokenizer: str | Callable[[str], list[str]] | None = None,
    lowercase: bool = False,
    beta: float | None = None,
    alpha: float | None = None,
    weight: float | None = None,
    split_summaries: bool = False,
    multi_reference: Literal["best", "average", "pooled", "largest"] | None = None,
    jackknife: bool = False,
    stopwords: str | PathLike[str] | Iterable[str] | None = None,
    exceptions: str | PathLike[str] | None = None,
    max_words: int | None = None,
    max_bytes: int | None = None,
    preset: Literal["rouge-1.5.5", "coco"] | None = None,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
    use_aggregator: bool = True,
    aggregator: Literal["mean", "bootstrap", "rouge-1.5.5", "rouge-1.5.5-per-token"] | None = None,
    detailed: bool = False,
) -> dict[str, Any]: ...

def sacrebleu(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    *,
    tokenizer: str | Callable[[str], list[str]] | None = None,
    max_order: int = 4,
    smooth: bool = False,
    smoothing: Literal["none", "add-one", "add-k", "floor", "exp", "epsilon", "chen-cherry-1", "chen-cherry-2", "chen-cherry-3", "chen-cherry-4", "chen-cherry-5", "chen-cherry-6", "chen-cherry-7"] | None = None,
    smooth_value: float | None = None,
    effective_order: bool = False,
    weights: Sequence[float] | None = None,
    reference_length: Literal["shortest", "closest", "average"] | None = None,
    lowercase: bool | Literal["ascii"] | None = None,
    strip: bool | None = None,
    counting: Literal["plain", "sacrebleu", "mteval", "nltk", "coco"] | None = None,
    force: bool = False,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
    all_orders: bool = False,
) -> dict[str, Any]: ...

def sari(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    *,
    sources: Iterable[str] | ArrowColumn,
    counting: Literal["hub", "easse", "easse-paper", "easse-legacy", "xu", "tensor2tensor"] = "hub",
    deletion: Literal["f1", "precision"] | None = None,
    tokenizer: str | Callable[[str], list[str]] | None = None,
    lowercase: bool | None = None,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
    detailed: bool = False,
) -> dict[str, Any]: ...

def self_bleu(
    predictions: Iterable[str] | ArrowColumn | Iterable[Sequence[str]],
    *,
    groups: Iterable[Hashable] | None = None,
    variant: Literal["nltk", "sacrebleu", "corpus"] = "nltk",
    max_order: int = 4,
    tokenizer: str | Callable[[str], list[str]] = "whitespace",
    lowercase: bool = False,
) -> float: ...

def squad(
    predictions: Iterable[str] | ArrowColumn | Iterable[Mapping[str, Any]],
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | Iterable[Mapping[str, Any]],
    *,
    counting: Literal["multiset", "set"] = "multiset",
    normalizer: str | Normalizer | Callable[[str], str] = "squad",
    tokenizer: str | Tokenizer | Callable[[str], list[str]] = "whitespace",
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def squad_v2(
    predictions: Any,
    references: Any,
    *,
    counting: Literal["multiset", "set"] = "multiset",
    normalizer: str | Normalizer | Callable[[str], str] = "squad",
    tokenizer: str | Tokenizer | Callable[[str], list[str]] = "whitespace",
    no_answer_threshold: float = 1.0,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def ter(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    *,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
    case_sensitive: bool = False,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def token_f1(
    predictions: Iterable[str] | ArrowColumn | Iterable[Mapping[str, Any]],
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn | Iterable[Mapping[str, Any]],
    *,
    counting: Literal["multiset", "set"] = "multiset",
    normalizer: str | Normalizer | Callable[[str], str] = "squad",
    tokenizer: str | Tokenizer | Callable[[str], list[str]] = "whitespace",
    contains: bool = False,
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

def wer(
    predictions: Iterable[str] | ArrowColumn,
    references: Iterable[str] | Iterable[Collection[str]] | ArrowColumn,
    *,
    tokenizer: str | Tokenizer | Callable[[str], list[str]] = "spaces",
    lowercase: bool = False,
    normalizer: str | Normalizer | Callable[[str], str] | None = None,
    aligner: Literal["jiwer", "sclite"] = "jiwer",
    per_segment: bool = False,
    signature: bool = False,
    counts: bool = False,
    confidence: float | None = None,
    n_resamples: int | None = None,
    seed: int | None = None,
    unit: Any = None,
) -> dict[str, Any]: ...

__all__ = [
    "BertScore",
    "Bleu",
    "Cer",
    "Character",
    "CharcutMt",
    "Chrf",
    "Cider",
    "CiderWeights",
    "Comet",
    "Consistency",
    "ExactMatch",
    "FrugalScore",
    "GoogleBleu",
    "MathAnswer",
    "Meteor",
    "Meteor15",
    "Metricx",
    "NgramModel",
    "NistMt",
    "Perplexity",
    "Rouge",
    "Sacrebleu",
    "Sari",
    "Squad",
    "SquadV2",
    "Ter",
    "TokenF1",
    "Wer",
    "__version__",
    "agreement",
    "bertscore",
    "bleu",
    "cer",
    "character",
    "charcut_mt",
    "chrf",
    "cider",
    "coco",
    "comet",
    "compare",
    "consistency",
    "diversity",
    "exact_match",
    "explain",
    "frugalscore",
    "get_num_threads",
    "google_bleu",
    "kernel_in_use",
    "load",
    "matches",
    "math_answer",
    "mbr",
    "meteor",
    "meteor15",
    "metricx",
    "nist_mt",
    "pairwise",
    "pass_at_k",
    "path",
    "perplexity",
    "plan",
    "register",
    "rewards",
    "rouge",
    "sacrebleu",
    "sari",
    "score_dataset",
    "scorer",
    "segment_scores",
    "self_bleu",
    "set_num_threads",
    "squad",
    "squad_v2",
    "ter",
    "token_f1",
    "tokenize",
    "trainer",
    "wer",
]
