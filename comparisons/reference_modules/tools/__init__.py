"""Adapters: one class per tool, its fields are the options it is called with."""

from .bleu import BleuScore, NltkBleu, SacreBleu, SacreBleuSegments
from .ours import Face, Function
from .reference import ReferenceModule
from .rouge import RapidRouge, RougeRust, RougeScore, RougeScoreRs
from .token_f1 import Squad, SquadLoop
from .tool import Scores, Tool, Unavailable

__all__ = [
    "BleuScore",
    "Face",
    "Function",
    "NltkBleu",
    "RapidRouge",
    "ReferenceModule",
    "RougeRust",
    "RougeScore",
    "RougeScoreRs",
    "SacreBleu",
    "SacreBleuSegments",
    "Squad",
    "SquadLoop",
    "Scores",
    "Tool",
    "Unavailable",
]
