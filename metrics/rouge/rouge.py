"""ROUGE for `evaluate.load`."""

import textgauge
from textgauge import modules


class Rouge(modules.TextMetric):
    """ROUGE measures how many of the n-grams of a reference summary, and how much of its word order,
    also occur in a generated one.
    """

    accumulator = textgauge.Rouge
    citation = """
    @inproceedings{lin-2004-rouge,
        title = "{ROUGE}: A Package for Automatic Evaluation of Summaries",
        author = "Lin, Chin-Yew",
        booktitle = "Text Summarization Branches Out",
        year = "2004",
        pages = "74--81",
    }
    """
    urls = ("https://aclanthology.org/W04-1013",)
    inputs = """
    predictions: list of str, one summary per segment.
    references: list of str, or list of lists of str.
    """
    returns = "one F per type"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> rouge = evaluate.load(textgauge.path("rouge"))
    >>> rouge.compute(predictions=["the cat lay on a rug"], references=["the cat sat on a mat"], rouge_types=["rouge1"])
    {'rouge1': 0.6666666666666666}
    """
