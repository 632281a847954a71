"""NIST for `evaluate.load`."""

import textgauge
from textgauge import modules


class NistMt(modules.TextMetric):
    """NIST weights matched n-grams by the information that they carry. The figures are nltk's, or those of
    mteval-v13a, without an upper bound.
    """

    accumulator = textgauge.NistMt
    citation = """
    @inproceedings{doddington-2002-automatic,
        title = "Automatic Evaluation of Machine Translation Quality Using N-gram Co-Occurrence Statistics",
        author = "Doddington, George",
        booktitle = "Proceedings of the Second International Conference on Human Language Technology Research",
        year = "2002",
        pages = "138--145",
    }
    """
    urls = ("https://dl.acm.org/doi/10.5555/1289189.1289273",)
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> nist_mt = evaluate.load(textgauge.path("nist_mt"))
    >>> result = nist_mt.compute(predictions=["the cat sat down"], references=[["the cat sat", "a cat sat down"]], n=2)
    >>> round(result["nist_mt"], 4)
    1.9388
    """
