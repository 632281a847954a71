"""METEOR for `evaluate.load`, as the Hub's module counts it."""

import evaluate
import textgauge
from textgauge import modules

_DESCRIPTION = """\
METEOR as nltk and the Hub's module count it: words that match by form, stem or WordNet synonym, and in how few pieces,
from 0 to 1. It is not the METEOR of papers, which is meteor15.
"""

_CITATION = """\
@inproceedings{banarjee2005,
    title = "{METEOR}: An Automatic Metric for {MT} Evaluation with Improved Correlation with Human Judgments",
    author = "Banerjee, Satanjeev and Lavie, Alon",
    booktitle = "Proceedings of the {ACL} Workshop on Intrinsic and Extrinsic Evaluation Measures for Machine
        Translation",
    year = "2005",
    pages = "65--72",
}
"""

_KWARGS_DESCRIPTION = modules.arguments(
    textgauge.Meteor,
    """
predictions: list of str, one hypothesis per segment.
references: list of str, or list of lists of str.
""",
    "meteor (from 0 to 1)",
    """
>>> import evaluate
>>> import textgauge
>>> meteor = evaluate.load(textgauge.path("meteor"))
>>> meteor.compute(predictions=["the cat sat"], references=["the cat sits"])  # doctest: +SKIP
{'meteor': 0.6458333333333333}
""",
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Meteor(modules.TextMetric):
    measure = textgauge.Meteor

    def _info(self):
        return modules.info(_DESCRIPTION, _CITATION, _KWARGS_DESCRIPTION, "https://aclanthology.org/W05-0909")
