"""The table of comparisons, one per row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .perplexity_tools import NLTK_NGRAMS, OUR_NGRAMS, OUR_PERPLEXITY, PERPLEXITY_LOOP
from .rouge_tools import OUR_155, RAPIDROUGE, ROUGE_RUST, ROUGE_SCORE, ROUGE_SCORE_RS, SCRIPT
from .tool import SQUAD_LOOP, Tool, face, function, ours, prepared, reference, without_kernel
from .translation_tools import (
    BLEUSCORE,
    MTEVAL,
    MULTI_BLEU,
    NLTK,
    NMT_LOOP,
    SACREBLEU,
    SACREBLEU_MOJO,
    SACREBLEU_SENTENCES,
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
        Two equivalent calls.
    variant : str
        The options; the picture shows all variants of a title in one line.
    first : int or None
        The number of segments from the start; None for all.
    within : float
        The tolerance.
    limit : str
        The reason if figures of the other tool have fewer digits than a float64.
    """

    title: str
    corpus: str
    ours: Tool
    theirs: Tool
    variant: str = ""
    first: int | None = None
    within: float = 1e-11
    limit: str = ""

    @property
    def name(self) -> str:
        """Title and variant."""
        return f"{self.title}, {self.variant}" if self.variant else self.title


# Numbers of segments for slow calls of other tools.
SOME, FEW = 4_000, 500
# The script prints five decimals.
LAST_DECIMAL = 1.1e-5
# A model's float32 sums depend on the padding of a batch.
FLOAT32 = 1e-5


def _rouge(adapter: Any = function, **options: Any) -> Tool:
    # F of every segment, which all tools return.
    return ours("rouge", adapter, use_aggregator=False, **options)


def _scripts() -> list[Row]:
    def row(variant: str, *, average: bool = False, **stems: bool) -> Row:
        call, other = OUR_155.using(use_aggregator=average, **stems), SCRIPT.using(per_segment=not average, **stems)
        return Row("ROUGE-1.5.5", "summaries", call, other, variant, FEW, LAST_DECIMAL, "of 5 printed")

    return [row("segments"), row("segments of stems", use_stemmer=True), row("average", average=True)]


def _long_texts() -> list[Row]:
    rows = [
        Row(f"ROUGE, {size} a text", size, ROUGE, ROUGE_SCORE_RS) for size in ("55 tokens", "430 tokens", "960 tokens")
    ]
    summaries = _rouge(rouge_types=("rougeLsum",)), ROUGE_SCORE_RS.using(types=("rougeLsum",))
    return [*rows, Row("ROUGE-Lsum, 10 lines of 55 tokens", "10 lines", *summaries)]


def _of_options(smoothing: str, tokenizer: str) -> Row:
    call = ours("bleu", preset="sacrebleu", smoothing=smoothing, tokenizer=tokenizer)
    theirs = SACREBLEU_BLEU.using(smooth_method=smoothing, tokenize=tokenizer)
    return Row("BLEU, sacrebleu, options", "translations", call, theirs, f"{smoothing}, {tokenizer}", SOME)


def _nltk(method: int) -> Row:
    call = ours("bleu", preset="nltk", smoothing=f"chen-cherry-{method}")
    return Row("BLEU, nltk", "translations", call, NLTK.using(method=method), f"method {method}", SOME)


def _chrf(title: str, **options: Any) -> list[Row]:
    call = ours("chrf", **options)
    mojo, sacrebleu = (tool.using(metric="chrf", **options) for tool in (SACREBLEU_MOJO, SACREBLEU))
    # sacrebleu-mojo's word n-grams differ from sacreBLEU's in the fifth decimal.
    limits = {"within": 1e-4, "limit": "own words"} if "word_order" in options else {}
    return [Row(title, "one reference", call, mojo, **limits), Row(title, "translations", call, sacrebleu, first=SOME)]


ROUGE, STEMS = _rouge(), _rouge(use_stemmer=True)
THREE = _rouge(rouge_types=("rouge1", "rouge2", "rougeL"))
BLEU, SACRE = ours("bleu"), ours("bleu", preset="sacrebleu")
BY_SEGMENT = ours("bleu", preset="sacrebleu", effective_order=True, per_segment=True)
SACREBLEU_BLEU = SACREBLEU.using(metric="bleu")
REFERENCE_ROUGE = reference("rouge", use_aggregator=False)
TOKEN_F1 = ours("token_f1")

ROWS = (
    Row("ROUGE", "summaries", ROUGE, REFERENCE_ROUGE),
    Row("ROUGE", "summaries", ROUGE, ROUGE_SCORE),
    Row("ROUGE", "summaries", ROUGE, RAPIDROUGE),
    Row("ROUGE", "summaries", ROUGE, ROUGE_SCORE_RS),
    Row("ROUGE-1, 2, L", "summaries", THREE, ROUGE_RUST),
    *_long_texts(),
    Row("ROUGE via evaluate", "summaries", _rouge(face), ROUGE_SCORE),
    Row("ROUGE, 32 pairs", "summaries", ROUGE, ROUGE_SCORE, first=32),
    Row("ROUGE, one pair", "summaries", ours("rouge"), ROUGE_SCORE, first=1),
    Row("ROUGE, one pair", "summaries", ours("rouge"), ROUGE_SCORE_RS, first=1),
    Row("ROUGE, one pair, prepared", "summaries", ours("rouge", prepared), ROUGE_SCORE_RS, first=1),
    Row("ROUGE without the kernel", "summaries", _rouge(without_kernel), ROUGE_SCORE, first=FEW),
    Row("ROUGE of stems", "summaries", STEMS, REFERENCE_ROUGE.using(use_stemmer=True)),
    Row("ROUGE of stems", "summaries", STEMS, ROUGE_SCORE.using(use_stemmer=True)),
    Row("ROUGE of stems", "summaries", STEMS, RAPIDROUGE.using(use_stemmer=True)),
    Row("ROUGE of stems", "summaries", STEMS, ROUGE_SCORE_RS.using(use_stemmer=True)),
    Row(
        "ROUGE of stems via evaluate", "summaries", _rouge(face, use_stemmer=True), ROUGE_SCORE.using(use_stemmer=True)
    ),
    *_scripts(),
    Row("BLEU", "translations", BLEU, reference("bleu")),
    Row("BLEU", "translations", BLEU, NMT_LOOP),
    Row("BLEU", "translations", BLEU, BLEUSCORE),
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
    Row(
        "BLEU without the kernel",
        "translations",
        ours("bleu", without_kernel, preset="sacrebleu"),
        SACREBLEU_BLEU,
        first=FEW,
    ),
    Row("BLEU, nltk", "translations", ours("bleu", preset="nltk"), NLTK, first=SOME),
    *map(_nltk, range(1, 8)),
    Row("BLEU, moses", "translations", ours("bleu", preset="moses"), MULTI_BLEU, first=SOME),
    # sacreBLEU splits at Unicode white space, the script of Moses at ASCII white space only.
    Row(
        "BLEU, moses",
        "translations",
        ours("bleu", preset="moses", tokenizer="whitespace"),
        SACREBLEU_BLEU.using(smooth_method="none", tokenize="none"),
        "Unicode's white space",
        SOME,
    ),
    Row("BLEU, mteval-v13a", "translations", ours("bleu", preset="mteval-v13a"), MTEVAL, first=SOME),
    *_chrf("chrF"),
    *_chrf("chrF++", word_order=2),
    Row("TER", "translations", ours("ter"), SACREBLEU.using(metric="ter"), first=FEW),
    Row("token F1", "translations", TOKEN_F1, reference("squad")),
    Row("token F1", "translations", TOKEN_F1, SQUAD_LOOP),
    Row("perplexity, a small GPT-2", "made up", OUR_PERPLEXITY, PERPLEXITY_LOOP, within=FLOAT32, limit="float32"),
    Row("perplexity of 3-grams", "made up", OUR_NGRAMS.using(order=3, smoothing="add-k"), NLTK_NGRAMS, "add-one"),
    Row(
        "perplexity of 3-grams",
        "made up",
        OUR_NGRAMS.using(order=3, smoothing="kneser-ney", discount=0.1, open_vocabulary=False),
        NLTK_NGRAMS.using(discount=0.1),
        "Kneser-Ney",
    ),
)
