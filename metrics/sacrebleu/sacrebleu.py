"""BLEU as sacreBLEU reports it, for `evaluate.load`."""

import textgauge
from textgauge import modules


class Sacrebleu(modules.TextMetric):
    """BLEU with the arguments, defaults, keys and figures of the Hub's sacrebleu module, from 0 to 100."""

    accumulator = textgauge.Sacrebleu
    keywords = {
        "smooth_method": "smoothing", "tokenize": "tokenizer", "use_effective_order": "effective_order",
    }  # fmt: skip
    chosen = {"counts": False}
    citation = """
    @inproceedings{post-2018-call,
        title = "A Call for Clarity in Reporting {BLEU} Scores",
        author = "Post, Matt",
        booktitle = "Proceedings of the Third Conference on Machine Translation: Research Papers",
        year = "2018",
        pages = "186--191",
    }
    """
    urls = ("https://aclanthology.org/W18-6319",)
    inputs = """
    predictions: list of str, one hypothesis per segment.
    references: list of str, or list of lists of str.
    smooth_method, use_effective_order: the Hub module's names of smoothing and effective_order.
    tokenize: the Hub module's name of tokenizer; None is "13a".
    """
    returns = "score (from 0 to 100), counts, totals, precisions, bp, sys_len, ref_len"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> sacrebleu = evaluate.load(textgauge.path("sacrebleu"))
    >>> predictions, references = ["the cat sat on the mat"], [["the cat sat on the mat", "a cat"]]
    >>> result = sacrebleu.compute(predictions=predictions, references=references)
    >>> round(result["score"], 2), result["counts"], result["bp"]
    (100.0, [6, 5, 4, 3], 1.0)
    """

    def _presented(self, accumulator, result):
        return modules.as_sacrebleu_bleu(accumulator, result)
