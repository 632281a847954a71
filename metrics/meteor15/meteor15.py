"""METEOR 1.5 for `evaluate.load`."""

import evaluate
import textgauge
from textgauge import modules

_DESCRIPTION = """\
METEOR 1.5 for English, as the official program counts it, without Java: words joined by form, stem, synonym and
paraphrase, and in how few pieces, from 0 to 1. It is the METEOR of papers on translation and captions.
"""

_CITATION = """\
@inproceedings{denkowski-lavie-2014-meteor,
    title = "Meteor Universal: Language Specific Translation Evaluation for Any Target Language",
    author = "Denkowski, Michael and Lavie, Alon",
    booktitle = "Proceedings of the Ninth Workshop on Statistical Machine Translation",
    year = "2014",
    pages = "376--380",
}
"""

_KWARGS_DESCRIPTION = modules.arguments(
    textgauge.Meteor15,
    """
predictions: list of str, one hypothesis per segment.
references: list of str, or list of lists of str.
""",
    "meteor15 (from 0 to 1), precision, recall, penalty",
    """
>>> import evaluate
>>> import textgauge
>>> meteor15 = evaluate.load(textgauge.path("meteor15"))
>>> result = meteor15.compute(predictions=["the cats sat"], references=["the cat sat down"])  # doctest: +SKIP
>>> round(result["meteor15"], 3)  # doctest: +SKIP
0.315
""",
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Meteor15(modules.TextMetric):
    measure = textgauge.Meteor15

    def _info(self):
        return modules.info(_DESCRIPTION, _CITATION, _KWARGS_DESCRIPTION, "https://aclanthology.org/W14-3348")
