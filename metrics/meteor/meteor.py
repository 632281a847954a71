"""METEOR for `evaluate.load`, as the Hub's module counts it."""

import textgauge
from textgauge import modules


class Meteor(modules.TextMetric):
    """METEOR as nltk and the Hub's module count it: words that match by form, stem or WordNet synonym, and in how few
    pieces, from 0 to 1. It is not the METEOR of papers, which is meteor15.
    """

    accumulator = textgauge.Meteor
    citation = """
    @inproceedings{banarjee2005,
        title = "{METEOR}: An Automatic Metric for {MT} Evaluation with Improved Correlation with Human Judgments",
        author = "Banerjee, Satanjeev and Lavie, Alon",
        booktitle = "Proceedings of the {ACL} Workshop on Intrinsic and Extrinsic Evaluation Measures for Machine
            Translation",
        year = "2005",
        pages = "65--72",
    }
    """
    urls = ("https://aclanthology.org/W05-0909",)
    returns = "meteor (from 0 to 1)"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> meteor = evaluate.load(textgauge.path("meteor"))
    >>> meteor.compute(predictions=["the cat sat"], references=["the cat sits"])  # doctest: +SKIP
    {'meteor': 0.6458333333333333}
    """
