"""BLEU for `evaluate.load`."""

import textgauge
from textgauge import modules


class Bleu(modules.TextMetric):
    """BLEU is the share of a translation's n-grams that occur in its references, times a penalty for
    translations shorter than their references.
    """

    accumulator = textgauge.Bleu
    citation = """
    @inproceedings{papineni-etal-2002-bleu,
        title = "{B}leu: a Method for Automatic Evaluation of Machine Translation",
        author = "Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
        booktitle = "Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics",
        year = "2002",
        pages = "311--318",
    }
    """
    urls = ("https://aclanthology.org/P02-1040",)
    returns = "bleu, precisions, brevity_penalty, length_ratio, translation_length, reference_length"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> bleu = evaluate.load(textgauge.path("bleu"))
    >>> result = bleu.compute(predictions=["the cat sat on the mat"], references=[["the cat sat on the mat", "a cat"]])
    >>> result["bleu"]
    1.0
    """
