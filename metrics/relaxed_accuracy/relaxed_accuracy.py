"""Relaxed accuracy for `evaluate.load`."""

import textgauge
from textgauge import modules


class RelaxedAccuracy(modules.TextMetric):
    """Relaxed accuracy is the measure of questions about charts (ChartQA): the share of answers that are right, where a
    number may be off by 5%. From 0 to 1.
    """

    accumulator = textgauge.RelaxedAccuracy
    citation = """
    @inproceedings{masry-etal-2022-chartqa,
        title = "{C}hart{QA}: A Benchmark for Question Answering about Charts with Visual and Logical Reasoning",
        author = "Masry, Ahmed and Do, Xuan Long and Tan, Jia Qing and Joty, Shafiq and Hoque, Enamul",
        booktitle = "Findings of the Association for Computational Linguistics: ACL 2022",
        year = "2022",
        pages = "2263--2279",
    }
    """
    urls = ("https://aclanthology.org/2022.findings-acl.177", "https://github.com/google-research/pix2struct")
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> relaxed_accuracy = evaluate.load(textgauge.path("relaxed_accuracy"))
    >>> relaxed_accuracy.compute(predictions=["104", "12%", "Norway"], references=["100", "0.13", "norway"])
    {'relaxed_accuracy': 0.6666666666666666}
    """
