"""Adapters: one class per tool, its fields are the options it is called with."""

from .bleu import BleuScore, NltkBleu, SacreBleu, SacreBleuSegments
from .bleu_twins import BleuScript, NmtLoop
from .ours import Face, Function
from .perplexity import NltkNgrams, OurNgrams, OurPerplexity, PerplexityLoop
from .reference import ReferenceModule
from .rouge import RapidRouge, RougeRust, RougeScore, RougeScoreRs
from .rouge155 import Rouge155, Rouge155Script
from .token_f1 import Squad, SquadLoop
from .tool import Scores, Tool, Unavailable

__all__ = [
    "BleuScore",
    "BleuScript",
    "Face",
    "Function",
    "NltkBleu",
    "NltkNgrams",
    "NmtLoop",
    "OurNgrams",
    "OurPerplexity",
    "PerplexityLoop",
    "RapidRouge",
    "ReferenceModule",
    "Rouge155",
    "Rouge155Script",
    "RougeRust",
    "RougeScore",
    "RougeScoreRs",
    "SacreBleu",
    "SacreBleuSegments",
    "Scores",
    "Squad",
    "SquadLoop",
    "Tool",
    "Unavailable",
]
