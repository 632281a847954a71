"""Exact match for `evaluate.load`."""

import textgauge
from textgauge import modules


class ExactMatch(modules.TextMetric):
    """Exact match is the share of predictions that equal a reference, after what is to be ignored is dropped.
    The figures are those of the Hub's module, from 0 to 1.
    """

    accumulator = textgauge.ExactMatch
    citation = """
    @inproceedings{rajpurkar-etal-2016-squad,
        title = "{SQ}u{AD}: 100,000+ Questions for Machine Comprehension of Text",
        author = "Rajpurkar, Pranav and Zhang, Jian and Lopyrev, Konstantin and Liang, Percy",
        booktitle = "Proceedings of the 2016 Conference on Empirical Methods in Natural Language Processing",
        year = "2016",
        pages = "2383--2392",
    }
    """
    urls = ("https://aclanthology.org/D16-1264",)
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> exact_match = evaluate.load(textgauge.path("exact_match"))
    >>> exact_match.compute(predictions=["The cat", "a dog"], references=["the cat", "the dog"], ignore_case=True)
    {'exact_match': 0.5}
    """
