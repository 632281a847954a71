"""The table: who is held against whom. A new comparison is a new line here."""

from __future__ import annotations

from dataclasses import dataclass

from .tools import (
    BleuScore,
    BleuScript,
    Face,
    Function,
    NltkBleu,
    NltkNgrams,
    NmtLoop,
    OurNgrams,
    OurPerplexity,
    PerplexityLoop,
    RapidRouge,
    ReferenceModule,
    Rouge155,
    Rouge155Script,
    RougeRust,
    RougeScore,
    RougeScoreRs,
    SacreBleu,
    SacreBleuSegments,
    Squad,
    SquadLoop,
    Tool,
)


@dataclass(frozen=True)
class Row:
    """One line of the page.

    Attributes
    ----------
    title : str
        What is computed.
    corpus : str
        The name of the texts, see `corpora`.
    ours, theirs : Tool
        Two calls that must mean the same.
    variant : str
        Which of several options; the picture shows all variants of a title as one.
    first : int or None
        Only so many segments from the start.
    aim : float or None
        How many times faster ours is meant to be, on `first` segments or on `document.MANY`.
    within : float
        Figures further apart than this are an error of the project.
    limit : str
        Why figures of the other tool have fewer digits than a float64, if they do.
    """

    title: str
    corpus: str
    ours: Tool
    theirs: Tool
    variant: str = ""
    first: int | None = None
    aim: float | None = None
    within: float = 1e-11
    limit: str = ""

    @property
    def name(self) -> str:
        """Title and variant."""
        return f"{self.title}, {self.variant}" if self.variant else self.title


def _rouge(call: type[Function | Face] = Function, **options: object) -> Tool:
    # F of every segment, which all tools give.
    return call("rouge", use_aggregator=False, **options)


def _bleu(call: type[Function | Face] = Function, **options: object) -> Tool:
    return call("bleu", **options)


def _sacrebleu(smoothing: str, tokenizer: str) -> Row:
    options = {"smoothing": smoothing, "tokenizer": tokenizer}
    call = _bleu(preset="sacrebleu", **options)
    variant = f"{smoothing}, {tokenizer}"
    return Row("BLEU, sacrebleu, options", "translations", call, SacreBleu(smoothing, tokenizer), variant, SOME)


def _nltk(method: int) -> Row:
    call = _bleu(preset="nltk", smoothing=f"chen-cherry-{method}")
    return Row("BLEU, nltk", "translations", call, NltkBleu(method=method), f"method {method}", SOME)


def _script(variant: str, *, average: bool = False, **options: bool) -> Row:
    ours = Rouge155(use_aggregator=average, **options)
    theirs = Rouge155Script(per_segment=not average, **options)
    return Row("ROUGE-1.5.5", "summaries", ours, theirs, variant, FEW, within=LAST_DECIMAL, limit="of 5 printed")


def _ngrams(variant: str, theirs: NltkNgrams, **options: object) -> Row:
    return Row("perplexity of 3-grams", "texts", OurNgrams(order=theirs.order, **options), theirs, variant)


# Segments from the start, for calls that take long in the other tool.
SOME, FEW = 4_000, 500
# The script prints five decimals.
LAST_DECIMAL = 1.1e-5
# A model's float32 sums depend on what a batch is padded to.
FLOAT32 = 1e-5

SEGMENTS = ("use_aggregator", False)
STEMS = ("use_stemmer", True)
THREE = ["rouge1", "rouge2", "rougeL"]
BY_SEGMENT = _bleu(preset="sacrebleu", effective_order=True, per_segment=True)
MOSES_UNICODE = _bleu(preset="moses", tokenizer="whitespace")
MTEVAL = _bleu(preset="mteval-v13a")

ROWS = (
    Row("ROUGE", "summaries", _rouge(), ReferenceModule("rouge", (SEGMENTS,))),
    Row("ROUGE", "summaries", _rouge(), RougeScore()),
    Row("ROUGE", "summaries", _rouge(), RapidRouge()),
    Row("ROUGE", "summaries", _rouge(), RougeScoreRs(), aim=2.5),
    Row("ROUGE-1, 2, L", "summaries", _rouge(rouge_types=THREE), RougeRust(), aim=1.5),
    Row("ROUGE via evaluate", "summaries", _rouge(Face), RougeScore(), aim=60),
    Row("ROUGE, 32 pairs", "summaries", _rouge(), RougeScore(), first=32, aim=5),
    Row("ROUGE, one pair", "summaries", _rouge(), RougeScore(), first=1, aim=1),
    Row("ROUGE of stems", "summaries", _rouge(use_stemmer=True), ReferenceModule("rouge", (SEGMENTS, STEMS))),
    Row("ROUGE of stems", "summaries", _rouge(use_stemmer=True), RougeScore(use_stemmer=True)),
    Row("ROUGE of stems", "summaries", _rouge(use_stemmer=True), RapidRouge(use_stemmer=True)),
    Row("ROUGE of stems", "summaries", _rouge(use_stemmer=True), RougeScoreRs(use_stemmer=True), aim=2.5),
    Row("ROUGE of stems via evaluate", "summaries", _rouge(Face, use_stemmer=True), RougeScore(True), aim=80),
    _script("segments"),
    _script("segments of stems", use_stemmer=True),
    _script("average", average=True),
    Row("BLEU", "translations", _bleu(), ReferenceModule("bleu")),
    Row("BLEU", "translations", _bleu(), NmtLoop(), aim=40),
    Row("BLEU", "translations", _bleu(), BleuScore(), aim=5),
    Row("BLEU, add-one", "translations", _bleu(smooth=True), BleuScore(smooth=True)),
    Row("BLEU via evaluate", "translations", _bleu(Face), NmtLoop(), aim=30),
    Row("BLEU, sacrebleu", "translations", _bleu(preset="sacrebleu"), SacreBleu(), aim=20),
    Row("BLEU, sacrebleu, via evaluate", "translations", _bleu(Face, preset="sacrebleu"), SacreBleu(), aim=20),
    _sacrebleu("none", "13a"),
    _sacrebleu("floor", "13a"),
    _sacrebleu("add-k", "13a"),
    _sacrebleu("exp", "intl"),
    _sacrebleu("exp", "zh"),
    _sacrebleu("exp", "char"),
    _sacrebleu("exp", "none"),
    Row("BLEU, sacrebleu, segments", "translations", BY_SEGMENT, SacreBleuSegments(), first=SOME),
    Row("BLEU, sacrebleu, one pair", "translations", _bleu(preset="sacrebleu"), SacreBleu(), first=1),
    Row("BLEU, nltk", "translations", _bleu(preset="nltk"), NltkBleu(), first=SOME),
    *map(_nltk, range(1, 8)),
    Row("BLEU, moses", "translations", _bleu(preset="moses"), BleuScript("multi-bleu.perl, restated"), first=SOME),
    # sacreBLEU cuts at every white space of Unicode, the script of Moses at that of ASCII only.
    Row("BLEU, moses", "translations", MOSES_UNICODE, SacreBleu("none", "none"), "Unicode's white space", SOME),
    Row("BLEU, mteval-v13a", "translations", MTEVAL, BleuScript("mteval-v13a.pl, restated"), first=SOME),
    Row("token F1", "translations", Function("token_f1"), Squad()),
    Row("token F1", "translations", Function("token_f1"), SquadLoop()),
    Row(
        "perplexity, a small GPT-2",
        "texts",
        OurPerplexity(8_000),
        PerplexityLoop(8_000),
        within=FLOAT32,
        limit="float32",
    ),
    _ngrams("add-one", NltkNgrams(), smoothing="add-k"),
    _ngrams("Kneser-Ney", NltkNgrams(discount=0.1), smoothing="kneser-ney", discount=0.1, open_vocabulary=False),
)
