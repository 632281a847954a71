"""`sacrebleu`, whose BLEU, chrF and TER count in our kernel; everything else is sacreBLEU's own."""

import sys

from .. import importing, rest_of

with importing("sacrebleu"):
    import sacrebleu
    import sacrebleu.significance

from .compat import corpus_bleu, corpus_chrf, corpus_ter, raw_corpus_bleu, sentence_bleu, sentence_chrf, sentence_ter
from .metrics import BLEU, CHRF, TER

__all__ = [
    "BLEU", "CHRF", "TER", "corpus_bleu", "corpus_chrf", "corpus_ter", "raw_corpus_bleu", "sentence_bleu",
    "sentence_chrf", "sentence_ter",
]  # fmt: skip

# The modules of sacreBLEU under our name as well, so that `from textgauge.compat.sacrebleu.significance import ...`
# finds the same objects.
for _name, _module in list(sys.modules.items()):
    if _name.startswith("sacrebleu."):
        sys.modules.setdefault(f"{__name__.removesuffix('sacrebleu')}{_name}", _module)

__getattr__ = rest_of(sacrebleu)
