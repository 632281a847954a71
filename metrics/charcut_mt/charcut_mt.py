"""CharCut for `evaluate.load`."""

import textgauge
from textgauge import modules


class Charcut(modules.TextMetric):
    """CharCut is the share of the characters of both texts that do not match or were shifted. The figures are
    those of charcut 1.1.1, from 0 to 1; lower is better.
    """

    accumulator = textgauge.CharcutMt
    citation = """
    @inproceedings{lardilleux-lepage-2017-charcut,
        title = "{CHARCUT}: Human-Targeted Character-Based {MT} Evaluation with Loose Differences",
        author = "Lardilleux, Adrien and Lepage, Yves",
        booktitle = "Proceedings of the 14th International Conference on Spoken Language Translation",
        year = "2017",
        pages = "146--153",
    }
    """
    urls = ("https://aclanthology.org/2017.iwslt-1.20",)
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> charcut_mt = evaluate.load(textgauge.path("charcut_mt"))
    >>> result = charcut_mt.compute(predictions=["sat the cat"], references=["the cat sat"])
    >>> round(result["charcut_mt"], 4)
    0.2273
    """
