"""The table of comparisons, one per row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from . import unpaired_tools as unpaired
from .rouge_tools import OUR_155, OUR_SCORER, RAPIDROUGE, ROUGE_RUST, ROUGE_SCORE, ROUGE_SCORE_RS, SCRIPT
from .speech_tools import JIWER, OUR_RATES, UNIVERSAL
from .texts import NO_TEXTS
from .tool import SQUAD_LOOP, Tool, face, function, ours, recordings, reference, start, without_kernel
from .translation_tools import (
    BLEUSCORE,
    MTEVAL,
    MULTI_BLEU,
    NLTK,
    NLTK_GLEU,
    NLTK_NIST,
    NMT_LOOP,
    OUR_SARI,
    SACREBLEU,
    SACREBLEU_LOOP,
    SACREBLEU_MOJO,
    SARI_LOOP,
)


@dataclass(frozen=True)
class Row:
    """One line of the page.

    Attributes
    ----------
    title : str
        The name of the computation.
    corpus : str
        The name of the texts, see `texts`.
    ours, theirs : Tool
        Two equivalent calls; among our own calls `theirs` is None, or a call whose time is subtracted.
    variant : str
        The options; the picture shows all variants of a title in one line.
    first : int or None
        The number of segments from the start; None for all.
    within : float
        The tolerance.
    limit : str
        The reason if figures of the other tool have fewer digits than a float64.
    is_own : bool
        Whether it is one of our own calls, which have no counterpart.
    """

    title: str
    corpus: str
    ours: Tool
    theirs: Tool | None
    variant: str = ""
    first: int | None = None
    within: float = 1e-11
    limit: str = ""
    is_own: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names by which it can be selected."""
        return (OWN_CALLS if self.is_own else self.tools[-1].name, self.title, self.variant)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The calls of the row, ours first."""
        return (self.ours,) if self.theirs is None else (self.ours, self.theirs)


OWN_CALLS = "our own calls"
# Numbers of segments for slow calls of other tools.
SOME, FEW = 4_000, 500
# The script prints five decimals.
LAST_DECIMAL = 1.1e-5
# A model's float32 sums depend on the padding of a batch.
FLOAT32 = 1e-5


def _rouge(adapter: Any = function, **options: Any) -> Tool:
    # F of every segment, which all tools return.
    return ours("rouge", adapter, use_aggregator=False, **options)


def _against(title: str, corpus: str, call: Tool, *others: Tool, first: int | None = None) -> list[Row]:
    return [Row(title, corpus, call, other, first=first) for other in others]


def _script(variant: str, *, average: bool = False, **stems: bool) -> Row:
    call, other = OUR_155.using(use_aggregator=average, **stems), SCRIPT.using(per_segment=not average, **stems)
    return Row("ROUGE-1.5.5", "summaries", call, other, variant, FEW, LAST_DECIMAL, "of 5 printed")


def _batch(n: int, words: str) -> list[Row]:
    """Return rows of a few segments, the size that a reward in reinforcement learning scores."""
    calls = [
        ("BLEU", BY_SEGMENT, SACREBLEU_SENTENCES),
        ("BLEU", SACRE, SACREBLEU_BLEU),
        ("ROUGE-L", _rouge(rouge_types=("rougeL",)), ROUGE_SCORE_L),
        ("chrF", ours("chrf", per_segment=True), SACREBLEU_LOOP.using(metric="chrf")),
        ("TER", ours("ter", per_segment=True), SACREBLEU_LOOP.using(metric="ter")),
    ]
    size = "1 segment" if n == 1 else f"{n} segments"
    # Of the slowest, one segment says enough.
    return [Row(f"{title}, {size}", words, *both, words, n) for title, *both in calls[: 5 if n == 1 else 4]]


def _recorded(title: str, module: str) -> Row:
    return Row(title, NO_TEXTS, *recordings(module), "recorded calls", within=1e-12)


def _bleu(title: str, preset: str, theirs: Tool, variant: str = "", **options: Any) -> Row:
    return Row(title, "translations", ours("bleu", preset=preset, **options), theirs, variant, SOME)


def _nltk(method: int) -> Row:
    smoothing = f"chen-cherry-{method}"
    return _bleu("BLEU, nltk", "nltk", NLTK.using(method=method), f"method {method}", smoothing=smoothing)


def _of_options(smoothing: str, tokenizer: str) -> Row:
    theirs = SACREBLEU_BLEU.using(smooth_method=smoothing, tokenize=tokenizer)
    options = {"smoothing": smoothing, "tokenizer": tokenizer}
    return _bleu("BLEU, sacrebleu, options", "sacrebleu", theirs, f"{smoothing}, {tokenizer}", **options)


def _chrf(title: str, **options: Any) -> list[Row]:
    call = ours("chrf", **options)
    mojo, sacrebleu = (tool.using(metric="chrf", **options) for tool in (SACREBLEU_MOJO, SACREBLEU))
    # sacrebleu-mojo's word n-grams differ from sacreBLEU's in the third decimal.
    limits = {"within": 1e-2, "limit": "own words"} if "word_order" in options else {}
    return [Row(title, "one reference", call, mojo, **limits), Row(title, "translations", call, sacrebleu, first=SOME)]


def _rates(metric: str, first: int | None) -> Row:
    """Return the row of an error rate, of words or characters, of all segments or of one pair."""
    title = metric.upper() if first is None else f"{metric.upper()}, one pair"
    return Row(title, "translations", OUR_RATES.using(metric=metric), JIWER.using(metric=metric), first=first)


def _own(title: str, corpus: str, call: Tool, beyond: Tool | None = None) -> Row:
    return Row(title, corpus, call, beyond, is_own=True)


def _ngrams(tokenizer: str) -> Iterator[Row]:
    for order, smoothing in ((3, "kneser-ney"), (5, "kneser-ney"), (3, "add-k")):
        model = unpaired.OUR_NGRAMS.using(order=order, smoothing=smoothing, tokenizer=tokenizer)
        what = f"{order}-grams, {smoothing}, {tokenizer}, 1,000,000 words"
        yield _own(f"fit {what}", "1,000,000 words", model.using(scores=False))
        yield _own(f"fit and score {what}", "1,000,000 words", model)


ROUGE, STEMS = _rouge(), _rouge(use_stemmer=True)
THREE = _rouge(rouge_types=("rouge1", "rouge2", "rougeL"))
REFERENCE_ROUGE = reference("rouge", use_aggregator=False)
STEMMING = (REFERENCE_ROUGE, ROUGE_SCORE, RAPIDROUGE, ROUGE_SCORE_RS)
ROUGE_SCORE_STEMS, ROUGE_SCORE_L = ROUGE_SCORE.using(use_stemmer=True), ROUGE_SCORE.using(types=("rougeL",))
SUMMARIES_OF_LINES = _rouge(rouge_types=("rougeLsum",)), ROUGE_SCORE_RS.using(types=("rougeLsum",))
BLEU, SACRE = ours("bleu"), ours("bleu", preset="sacrebleu")
BY_SEGMENT = ours("bleu", preset="sacrebleu", effective_order=True, per_segment=True)
PLAIN_BLEU = ours("bleu", without_kernel, preset="sacrebleu")
SACREBLEU_BLEU = SACREBLEU.using(metric="bleu")
SACREBLEU_SENTENCES = SACREBLEU_LOOP.using(metric="bleu", effective_order=True)
SACREBLEU_WORDS = SACREBLEU_BLEU.using(smooth_method="none", tokenize="none")
BY_GPT2 = unpaired.OUR_PERPLEXITY, unpaired.PERPLEXITY_LOOP
# Padded as in nltk.
NGRAMS = unpaired.OUR_NGRAMS.using(order=3, tokenizer="whitespace", padding="nltk")
KNESER_NEY = NGRAMS.using(smoothing="kneser-ney", discount=0.1, open_vocabulary=False)
PAIRWISE = unpaired.OUR_DIVERSITY.using(homogenization="rougeL")
COUNTED = unpaired.PACKAGE.using(functions=("ngram_diversity", "self_repetition"))
PAIRED = unpaired.PACKAGE.using(functions=("homogenization",))
# The package diversity rounds to three decimals.
THIRD_DECIMAL = 5.1e-4
PAIRS = ("10,000 pairs", "100,000 pairs", "1,000,000 pairs")
DOCUMENTS = "two documents of 100,000 tokens"
PYTHON = start("-c", "pass")

ROWS = (
    _recorded("ROUGE", "rouge"),
    *_against("ROUGE", "summaries", ROUGE, REFERENCE_ROUGE, ROUGE_SCORE, RAPIDROUGE, ROUGE_SCORE_RS),
    Row("ROUGE-1, 2, L", "summaries", THREE, ROUGE_RUST),
    *(Row(f"ROUGE, {n} tokens a text", f"{n} tokens", ROUGE, ROUGE_SCORE_RS) for n in (55, 430, 960)),
    Row("ROUGE-Lsum, 10 lines of 55 tokens", "10 lines", *SUMMARIES_OF_LINES),
    Row("ROUGE via evaluate", "summaries", _rouge(face), ROUGE_SCORE),
    Row("ROUGE, 32 pairs", "summaries", ROUGE, ROUGE_SCORE, first=32),
    *_against("ROUGE, one pair", "summaries", ours("rouge"), ROUGE_SCORE, ROUGE_SCORE_RS, first=1),
    Row("ROUGE, one pair, prepared", "summaries", OUR_SCORER, ROUGE_SCORE_RS, first=1),
    Row("ROUGE without the kernel", "summaries", _rouge(without_kernel), ROUGE_SCORE, first=FEW),
    *_against("ROUGE of stems", "summaries", STEMS, *(tool.using(use_stemmer=True) for tool in STEMMING)),
    Row("ROUGE of stems via evaluate", "summaries", _rouge(face, use_stemmer=True), ROUGE_SCORE_STEMS),
    _script("segments"),
    _script("segments of stems", use_stemmer=True),
    _script("average", average=True),
    _recorded("BLEU", "bleu"),
    *_against("BLEU", "translations", BLEU, reference("bleu"), NMT_LOOP, BLEUSCORE),
    Row("BLEU, add-one", "translations", ours("bleu", smooth=True), BLEUSCORE.using(smooth=True)),
    Row("BLEU via evaluate", "translations", ours("bleu", face), NMT_LOOP),
    Row("BLEU, sacrebleu", "translations", SACRE, SACREBLEU_BLEU),
    Row("BLEU, sacrebleu, one reference", "one reference", SACRE, SACREBLEU_MOJO.using(metric="bleu")),
    Row("BLEU, sacrebleu, via evaluate", "translations", ours("bleu", face, preset="sacrebleu"), SACREBLEU_BLEU),
    *(_of_options(smoothing, "13a") for smoothing in ("none", "floor", "add-k")),
    *(_of_options("exp", tokenizer) for tokenizer in ("intl", "zh", "char", "none")),
    Row("BLEU, sacrebleu, segments", "translations", BY_SEGMENT, SACREBLEU_SENTENCES, first=SOME),
    Row("BLEU, sacrebleu, one pair", "translations", SACRE, SACREBLEU_BLEU, first=1),
    Row("BLEU, sacrebleu, one pair", "translations", BY_SEGMENT, SACREBLEU_SENTENCES, first=1),
    Row("BLEU without the kernel", "translations", PLAIN_BLEU, SACREBLEU_BLEU, first=FEW),
    _bleu("BLEU, nltk", "nltk", NLTK),
    *map(_nltk, range(1, 8)),
    _bleu("BLEU, moses", "moses", MULTI_BLEU),
    # sacreBLEU splits at Unicode white space, the script of Moses at ASCII white space only.
    _bleu("BLEU, moses", "moses", SACREBLEU_WORDS, "Unicode's white space", tokenizer="whitespace"),
    _bleu("BLEU, mteval-v13a", "mteval-v13a", MTEVAL),
    *_chrf("chrF"),
    *_chrf("chrF++", word_order=2),
    Row("TER", "translations", ours("ter"), SACREBLEU.using(metric="ter"), first=FEW),
    *(_rates(metric, first) for metric in ("wer", "cer") for first in (None, 1)),
    # jiwer makes any white space one space first, the other tool splits at spaces of ASCII.
    Row(
        "WER",
        "translations",
        OUR_RATES.using(metric="wer", tokenizer="ascii-whitespace"),
        UNIVERSAL.using(metric="wer"),
        "ASCII white space",
    ),  # fmt: skip
    Row("Google BLEU", "translations", ours("google_bleu"), NLTK_GLEU, first=SOME),
    Row("NIST", "translations", ours("nist_mt"), NLTK_NIST, first=SOME),
    Row("SARI", "translations", OUR_SARI, SARI_LOOP, first=SOME),
    _recorded("token F1", "squad"),
    *_against("token F1", "translations", ours("squad"), reference("squad"), SQUAD_LOOP),
    *(row for n in (1, 2, 8, 32) for words in ("ASCII", "German") for row in _batch(n, words)),
    Row("perplexity, a small GPT-2", "made up", *BY_GPT2, within=FLOAT32, limit="float32"),
    Row("perplexity of 3-grams", "made up", NGRAMS.using(smoothing="add-k"), unpaired.NLTK_NGRAMS, "add-one"),
    Row("perplexity of 3-grams", "made up", KNESER_NEY, unpaired.NLTK_NGRAMS.using(discount=0.1), "Kneser-Ney"),
    Row("self-BLEU", "summaries", unpaired.OUR_SELF_BLEU, unpaired.NLTK_LOOP, first=100),
    Row("diversity", "summaries", unpaired.OUR_DIVERSITY, COUNTED, "all figures", SOME, THIRD_DECIMAL, "of 3"),
    Row("diversity", "summaries", PAIRWISE, PAIRED, "and ROUGE-L of all pairs", 100, THIRD_DECIMAL, "of 3"),
    _own("self_bleu, 10,000 texts", "10,000 pairs", unpaired.OUR_SELF_BLEU),
    _own("evaluate's compute beyond textgauge.rouge", "summaries", ours("rouge", face), ours("rouge")),
    _own("evaluate's compute beyond textgauge.bleu", "translations", ours("bleu", face), BLEU),
    *(_own(f"rouge, {size}", size, ours("rouge")) for size in PAIRS),
    *(_own(f"bleu, {size}", size, BLEU) for size in PAIRS),
    *(_own(f"{name}, {DOCUMENTS}", DOCUMENTS, ours("rouge", rouge_types=(name,))) for name in ("rougeL", "rouge2")),
    _own(f"bleu, {DOCUMENTS}", DOCUMENTS, BLEU),
    _own("start-up of import textgauge beyond Python's", NO_TEXTS, start("-c", "import textgauge"), PYTHON),
    _own("start-up of textgauge --version beyond Python's", NO_TEXTS, start("-m", "textgauge", "--version"), PYTHON),
    *_ngrams("whitespace"),
    *_ngrams("13a"),
)
