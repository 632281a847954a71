"""The metrics that obey the laws, one entry each."""

from __future__ import annotations

import atexit
import importlib.util
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

import numpy as np
import pytest
import textgauge
from declared import COUNTED, adding, class_of, goodness
from textgauge.accumulation.accumulator import accumulator_of
from textgauge.accumulation.registry import METRICS
from textgauge.input import columns
from textgauge.input.columns import Corpus
from textgauge.metric.metric import with_defaults


def chunks(patch: pytest.MonkeyPatch, size: int) -> None:
    """Have a corpus counted in chunks of `size` bytes."""
    whole = Corpus.chunks
    patch.setattr(columns, "FEW", 0)
    patch.setattr(Corpus, "chunks", lambda corpus, **_: whole(corpus, size))


@dataclass(frozen=True)
class Measure:
    """A metric as the laws see it, with the options of its accumulator.

    `headline` reads the figures that are 1 at best and `lowest` at worst, None where there are none; `sides` reads
    the pair of figures that change places when hypothesis and reference do, None where the
    metric has none. `cut` makes the work come in small pieces. Statistics that are float32
    sums of a batch are equal to a relative `tolerance`, all others bit for bit. `of_copies` says how far the figures
    of copies may be from 1; None: a copy may score less.
    """

    accumulator: Callable[[], Any]
    score: Callable[[Any], Any]
    headline: Callable[[Any], list[float]] | None = None
    sides: Callable[[Any], tuple[Any, Any]] | None = None
    options: dict[str, Any] = field(default_factory=dict)
    cut: Callable[[pytest.MonkeyPatch, int], None] = chunks
    tolerance: float = 0.0
    lowest: float = 0.0
    of_copies: float | None = 1e-15
    public: tuple[str, ...] = ()

    def of(self, hyps: Any, refs: Any) -> Any:
        return self.score(self.accumulator().update(hyps, refs))

    def equal(self, left: Any, right: Any) -> bool:
        left, right = numbers(left), numbers(right)
        if self.tolerance:
            return left.shape == right.shape and np.allclose(left, right, rtol=self.tolerance, atol=0)
        return np.array_equal(left, right)

    @property
    def reads_references(self) -> bool:
        return self.headline is not None

    @property
    def adds_up(self) -> bool:
        """Whether rows of several calls may be added."""
        return adding(self.accumulator().metric)


def numbers(rows: Any) -> Any:
    """The numbers of statistics, as an array, with the number of rows of each segment where it may have several."""
    values, per_segment = getattr(rows, "values", rows), getattr(rows, "per_segment", None)
    return values if per_segment is None else np.append(values.ravel(), per_segment)


def filled(accumulator: Callable[[], Any], hyps: Any, refs: Any) -> Any:
    """Count; in another process where the accumulator is sent there."""
    return accumulator().update(hyps, refs)


def scored(statistics: Any) -> Any:
    return statistics.score()


def detailed(statistics: Any) -> Any:
    return statistics.score(detailed=True)


def without_thresholds(statistics: Any) -> dict[str, Any]:
    # As in the script, the best threshold depends on the order of equally probable questions.
    return {key: value for key, value in statistics.score().items() if not key.startswith("best_")}


def of(name: str, headline: Any, sides: Any = None, score: Any = scored, lowest: float = 0.0) -> Callable[..., Measure]:
    """Return what makes a measure of options."""
    kind = getattr(textgauge, name)
    common = {"score": score, "headline": headline, "sides": sides, "lowest": lowest, "public": (name,)}
    return lambda **options: Measure(partial(kind, **options), options=options, **common)


def percent(*keys: str) -> Callable[[Any], list[float]]:
    return lambda result: [result[key] / 100 for key in keys]


def lengths(result: Any) -> tuple[Any, Any]:
    return result["translation_length"], result["reference_length"]


def rouge_sides(result: Any) -> tuple[Any, Any]:
    # The union of rougeLsum is taken per reference sentence: it has no mirror image.
    kinds = [parts for kind, parts in result.items() if kind != "rougeLsum"]
    return [parts["precision"] for parts in kinds], [parts["recall"] for parts in kinds]


bleu = of("Bleu", lambda result: [result["bleu"]], lengths)
sacrebleu = of("Sacrebleu", percent("sacrebleu"), lengths)
rouge = of("Rouge", lambda result: [parts["fmeasure"] for parts in result.values()], rouge_sides, detailed)
token_f1 = of(
    "TokenF1", lambda result: [result["f1"], result["exact_match"]],
    lambda result: (result["precision"], result["recall"]),
)  # fmt: skip
squad = of("Squad", percent("f1", "exact_match"), lambda result: (result["f1"], result["f1"]))
squad_v2 = of("SquadV2", percent("exact", "f1"), score=without_thresholds)
chrf = of("Chrf", percent("chrf"))
wer = of("Wer", lambda result: [1 - result["wer"]], lowest=-float("inf"))
cer = of("Cer", lambda result: [1 - result["cer"]], lowest=-float("inf"))
ter = of("Ter", lambda result: [1 - result["ter"] / 100], lowest=1 - textgauge.Ter().metric.scores[0].largest)


exact_match = of("ExactMatch", lambda result: [result["exact_match"]], lambda result: (result["exact_match"],) * 2)
google_bleu = of("GoogleBleu", lambda result: [result["google_bleu"]], lambda result: (result["google_bleu"],) * 2)
character = of("Character", lambda result: [1 - result["character"]])
charcut = of("CharcutMt", lambda result: [1 - result["charcut_mt"]])
# Images that have few of the words of the corpora, so that all these weigh something.
IMAGES = [["the cat sat on a mat.", "one cat"], ["two cats"], ["a naïve 猫 sat"], ["1,5", ""]]
WEIGHTS = textgauge.CiderWeights(IMAGES)
meteor = of("Meteor", lambda result: [result["meteor"]])
meteor15 = of("Meteor15", lambda result: [result["meteor15"]])
cider = of("Cider", lambda result: [result["cider"] / 10])


class Rewritten(textgauge.Sari):
    """SARI of hypotheses that rewrite the first half of their words."""

    def update(self, hyps: Any, refs: Any) -> Rewritten:
        hyps = [*hyps]
        return super().update(hyps, refs, sources=[str(text)[: len(str(text)) // 2] for text in hyps])


def sari(**options: Any) -> Measure:
    return Measure(partial(Rewritten, **options), scored, percent("sari"), options=options, public=("Sari",))


class OfTexts(textgauge.Perplexity):
    """The perplexity of the hypotheses; references are not used."""

    # Number of texts passed at a time.
    piece = 1000

    def __init__(self, options: Callable[[], dict[str, Any]]) -> None:
        super().__init__(**options())

    def update(self, hyps: Any, refs: Any) -> OfTexts:
        for start in range(0, len(hyps), self.piece):
            self.update_texts(hyps[start : start + self.piece])
        return self


def pieces(patch: pytest.MonkeyPatch, size: int) -> None:
    """Pass a few texts at a time."""
    patch.setattr(OfTexts, "piece", size)


@cache
def ngram_model() -> dict[str, Any]:
    return {"model": textgauge.NgramModel(3, tokenizer="unicode").fit(["one two three the cat", "a cat sat on a mat"])}


@cache
def model_folder() -> str:
    """A folder with a tiny model, the same one in processes that this one has started."""
    from tiny_models import save_model, save_tokenizer

    folder = os.environ.get("TEXTGAUGE_TINY_MODEL")
    if folder is None:
        folder = os.environ["TEXTGAUGE_TINY_MODEL"] = tempfile.mkdtemp()
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        save_model(folder, "gpt2", len(save_tokenizer(folder)))
    return folder


def torch_model() -> dict[str, Any]:
    return {"model_id": model_folder(), "stride": 11, "batch_size": 4}


def perplexity(options: Callable[[], dict[str, Any]], **others: Any) -> Measure:
    def score(statistics: Any) -> dict[str, Any]:
        result = statistics.score()
        return {**result, "perplexities": sorted(result["perplexities"])}

    return Measure(partial(OfTexts, options), score, cut=pieces, **others)


MEASURES = {
    "bleu": bleu(),
    "bleu-characters": bleu(tokenizer="character", max_order=6, reference_length="closest"),
    "bleu-smooth": bleu(smooth=True, reference_length="average", weights=[0.4, 0.3, 0.2, 0.1]),
    # 1e-9 is added to what it divides by.
    "bleu-coco": replace(bleu(preset="coco"), of_copies=1e-8),
    "rouge": rouge(),
    "rouge-stemmed": rouge(use_stemmer=True, rouge_types=["rouge1", "rouge3", "rougeL"]),
    "rouge-unicode": rouge(tokenizer="unicode", split_summaries=True),
    "rouge-skips": rouge(rouge_types=["rougeS", "rougeS2", "rougeSU", "rougeSU4"]),
    "rouge-weighted": rouge(rouge_types=["rougeW", "rougeW-2"], alpha=0.3),
    "rouge-pooled": rouge(multi_reference="pooled", stopwords=["the", "on"], max_words=12),
    "rouge-average": rouge(multi_reference="average", rouge_types=["rouge1", "rougeL", "rougeSU"]),
    # With the weight 2, sums of counts are integers in any order of additions.
    "rouge-jackknife": rouge(jackknife=True, rouge_types=["rouge2", "rougeW-2"], max_bytes=60),
    "rouge-largest": rouge(multi_reference="largest", rouge_types=["rouge1", "rougeL"], beta=1.2),
    "token_f1": token_f1(),
    "token_f1-sets": token_f1(counting="set", normalizer="lower", tokenizer="unicode"),
    "sacrebleu": sacrebleu(),
    "sacrebleu-zh": sacrebleu(tokenizer="zh", lowercase=True, max_order=2),
    "squad": squad(),
    "squad_v2": squad_v2(),
    "chrf": chrf(),
    "chrf++": chrf(word_order=2, lowercase=True, eps_smoothing=True),
    "wer": wer(),
    "wer-sclite": wer(aligner="sclite", lowercase=True),
    "cer": cer(whitespace=False),
    "exact_match": exact_match(),
    "exact_match-ignoring": exact_match(ignore_case=True, ignore_punctuation=True, regexes_to_ignore=["the "]),
    "google_bleu": google_bleu(),
    "google_bleu-pairs": google_bleu(min_len=2, max_len=3, tokenizer="character"),
    "sari": sari(),
    "sari-tensor2tensor": sari(counting="tensor2tensor", tokenizer="unicode"),
    "character": character(),
    "charcut": charcut(),
    "charcut-letters": charcut(match_size=1, alt_norm=True),
    "cider-weights": cider(idf=WEIGHTS),
    "cider-plain-weights": cider(idf=IMAGES, variant="plain", tokenizer="unicode"),
    # One chunk of matches has a penalty, too.
    "meteor": replace(meteor(), of_copies=None),
    "meteor15": meteor15(paraphrases=False),
    "ter": ter(),
    "ter-normalized": ter(normalized=True, no_punct=True, asian_support=True),
    "ngram-model": perplexity(ngram_model, public=("Perplexity", "NgramModel")),
}
if importlib.util.find_spec("torch") and importlib.util.find_spec("transformers"):
    # A batch of other texts is another order of additions in float32.
    MEASURES["perplexity"] = perplexity(torch_model, tolerance=1e-5, public=("Perplexity",))


def declared(name: str) -> Measure:
    """Return a metric as the laws see it, from what it declares."""
    headline, lowest = goodness(name)
    return Measure(class_of(name), scored, headline, lowest=lowest, public=(accumulator_of(METRICS[name]).__name__,))


# Metrics with their usual options: those without an entry of their own, and those whose segments are counted together.
_NAMED = {public for measure in MEASURES.values() for public in measure.public}
MEASURES |= {
    name: declared(name)
    for name in COUNTED
    if accumulator_of(METRICS[name]).__name__ not in _NAMED or not adding(with_defaults(METRICS[name]))
}
