"""`pycocoevalcap` without Java: its tokenizer and its scores of captions, for dicts from images to texts.

The modules, the classes and their calls have the names of the package, which need not be installed; the scores are its
own to the last bit. What differs: a caption never sees the next one, and a line break of any kind in a caption is a
space. SPICE is not here.
"""

from .. import rest_when_asked
from .bleu.bleu import Bleu
from .cider.cider import Cider
from .eval import COCOEvalCap, coco
from .meteor.meteor import Meteor
from .rouge.rouge import Rouge
from .tokenizer.ptbtokenizer import PTBTokenizer

__all__ = ["Bleu", "COCOEvalCap", "Cider", "Meteor", "PTBTokenizer", "Rouge", "coco"]


__getattr__ = rest_when_asked("pycocoevalcap")
