"""TER for `evaluate.load`."""

import textgauge
from textgauge import modules


class Ter(modules.TextMetric):
    """TER is the number of edits that turn a translation into its reference, per word of the reference. The
    figures are sacreBLEU's, 0 to 100 and above; lower is better.
    """

    accumulator = textgauge.Ter
    keywords = {"ignore_punct": "no_punct", "support_zh_ja_chars": "asian_support"}
    citation = """
    @inproceedings{snover-etal-2006-study,
        title = "A Study of Translation Edit Rate with Targeted Human Annotation",
        author = "Snover, Matthew and Dorr, Bonnie and Schwartz, Rich and Micciulla, Linnea and Makhoul, John",
        booktitle = "Proceedings of the 7th Conference of the Association for Machine Translation in the Americas",
        year = "2006",
        pages = "223--231",
    }
    """
    urls = ("https://aclanthology.org/2006.amta-papers.25",)
    inputs = """
    predictions: list of str, one hypothesis per segment.
    references: list of str, or list of lists of str.
    ignore_punct, support_zh_ja_chars: the Hub module's names of no_punct and asian_support.
    """
    returns = "score (from 0 to 100 and above), num_edits, ref_length"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> ter = evaluate.load(textgauge.path("ter"))
    >>> result = ter.compute(predictions=["the cat on the mat sat"], references=[["the cat sat on the mat"]])
    >>> round(result["score"], 2), result["num_edits"], result["ref_length"]
    (16.67, 1, 6.0)
    """

    def _presented(self, accumulator, result):
        return modules.as_sacrebleu(accumulator, result)
