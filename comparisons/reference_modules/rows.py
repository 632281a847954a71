"""The table: who is held against whom. A new comparison is a new line here."""

from __future__ import annotations

from dataclasses import dataclass

from .tools import (
    BleuScore,
    Face,
    Function,
    NltkBleu,
    RapidRouge,
    ReferenceModule,
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
        The name of the texts, see `corpora.NAMES`.
    ours, theirs : Tool
        Two calls that must mean the same.
    one_pair : bool
        Only the first segment.
    aim : float or None
        How many times faster ours is meant to be, on `document.MANY` segments or on one pair.
    within : float
        Figures further apart than this are an error of the project.
    """

    title: str
    corpus: str
    ours: Tool
    theirs: Tool
    one_pair: bool = False
    aim: float | None = None
    within: float = 1e-11


def _rouge(call: type[Function | Face] = Function, **options: object) -> Tool:
    # F of every segment, which all tools give.
    return call("rouge", use_aggregator=False, **options)


def _bleu(call: type[Function | Face] = Function, **options: object) -> Tool:
    return call("bleu", **options)


SEGMENTS = ("use_aggregator", False)
STEMS = ("use_stemmer", True)
THREE = ["rouge1", "rouge2", "rougeL"]
BY_SEGMENT = {"effective_order": True, "per_segment": True}

ROWS = (
    Row("ROUGE", "summaries", _rouge(), ReferenceModule("rouge", (SEGMENTS,))),
    Row("ROUGE", "summaries", _rouge(), RougeScore()),
    Row("ROUGE", "summaries", _rouge(), RapidRouge()),
    Row("ROUGE", "summaries", _rouge(), RougeScoreRs(), aim=1.5),
    Row("ROUGE-1, 2, L", "summaries", _rouge(rouge_types=THREE), RougeRust()),
    Row("ROUGE via evaluate", "summaries", _rouge(Face), RougeScore(), aim=40),
    Row("ROUGE, one pair", "summaries", _rouge(), RougeScore(), one_pair=True, aim=1 / 3),
    Row("ROUGE of stems", "summaries", _rouge(use_stemmer=True), ReferenceModule("rouge", (SEGMENTS, STEMS))),
    Row("ROUGE of stems", "summaries", _rouge(use_stemmer=True), RougeScore(use_stemmer=True)),
    Row("ROUGE of stems", "summaries", _rouge(use_stemmer=True), RapidRouge(use_stemmer=True)),
    Row("ROUGE of stems", "summaries", _rouge(use_stemmer=True), RougeScoreRs(use_stemmer=True), aim=1.5),
    Row("ROUGE of stems via evaluate", "summaries", _rouge(Face, use_stemmer=True), RougeScore(True), aim=60),
    Row("BLEU", "translations", _bleu(), ReferenceModule("bleu")),
    Row("BLEU", "translations", _bleu(), BleuScore(), aim=3),
    Row("BLEU, sacrebleu", "translations", _bleu(preset="sacrebleu"), SacreBleu()),
    Row("BLEU, sacrebleu, via evaluate", "translations", _bleu(Face, preset="sacrebleu"), SacreBleu(), aim=20),
    Row("BLEU, sacrebleu, zh", "translations", _bleu(preset="sacrebleu", tokenizer="zh"), SacreBleu("exp", "zh")),
    Row("BLEU, sacrebleu, intl", "translations", _bleu(preset="sacrebleu", tokenizer="intl"), SacreBleu("exp", "intl")),
    Row("BLEU, sacrebleu, segments", "translations", _bleu(preset="sacrebleu", **BY_SEGMENT), SacreBleuSegments()),
    Row("BLEU, sacrebleu, one pair", "translations", _bleu(preset="sacrebleu"), SacreBleu(), one_pair=True),
    Row("BLEU, nltk", "translations", _bleu(preset="nltk"), NltkBleu()),
    Row("BLEU, nltk, method 3", "translations", _bleu(preset="nltk", smoothing="chen-cherry-3"), NltkBleu(method=3)),
    # sacreBLEU cuts at every white space of Unicode, the script of Moses at that of ASCII only.
    Row("BLEU, moses", "translations", _bleu(preset="moses", tokenizer="whitespace"), SacreBleu("none", "none")),
    Row("token F1", "translations", Function("token_f1"), Squad()),
    Row("token F1", "translations", Function("token_f1"), SquadLoop()),
)
