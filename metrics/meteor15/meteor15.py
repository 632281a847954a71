"""METEOR 1.5 for `evaluate.load`."""

import textgauge
from textgauge import modules


class Meteor15(modules.TextMetric):
    """METEOR 1.5 for English, as the official program counts it, without Java: words joined by form, stem, synonym and
    paraphrase, and in how few pieces, from 0 to 1. It is the METEOR of papers on translation and captions.
    """

    accumulator = textgauge.Meteor15
    extra = "meteor"
    citation = """
    @inproceedings{denkowski-lavie-2014-meteor,
        title = "Meteor Universal: Language Specific Translation Evaluation for Any Target Language",
        author = "Denkowski, Michael and Lavie, Alon",
        booktitle = "Proceedings of the Ninth Workshop on Statistical Machine Translation",
        year = "2014",
        pages = "376--380",
    }
    """
    urls = ("https://aclanthology.org/W14-3348",)
    returns = "meteor15 (from 0 to 1), precision, recall, penalty"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> meteor15 = evaluate.load(textgauge.path("meteor15"))
    >>> result = meteor15.compute(predictions=["the cats sat"], references=["the cat sat down"])  # doctest: +SKIP
    >>> round(result["meteor15"], 3)  # doctest: +SKIP
    0.315
    """
