"""BLEU for `evaluate.load`."""

import evaluate
import textgauge
from textgauge import modules

_DESCRIPTION = """\
BLEU is the share of a translation's n-grams that occur in its references, times a penalty for
translations shorter than their references.
"""

_CITATION = """\
@inproceedings{papineni-etal-2002-bleu,
    title = "{B}leu: a Method for Automatic Evaluation of Machine Translation",
    author = "Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
    booktitle = "Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics",
    year = "2002",
    pages = "311--318",
}
"""

_KWARGS_DESCRIPTION = modules.arguments(
    textgauge.Bleu,
    """
predictions: list of str, one hypothesis per segment.
references: list of str, or list of lists of str.
""",
    "bleu, precisions, brevity_penalty, length_ratio, translation_length, reference_length",
    """
>>> import evaluate
>>> import textgauge
>>> bleu = evaluate.load(textgauge.path("bleu"))
>>> result = bleu.compute(predictions=["the cat sat on the mat"], references=[["the cat sat on the mat", "a cat"]])
>>> result["bleu"]
1.0
""",
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Bleu(modules.TextMetric):
    measure = textgauge.Bleu

    def _info(self):
        return modules.info(_DESCRIPTION, _CITATION, _KWARGS_DESCRIPTION, "https://aclanthology.org/P02-1040")
