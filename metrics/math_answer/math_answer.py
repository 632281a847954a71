"""Math answer for `evaluate.load`."""

import textgauge
from textgauge import modules


class MathAnswer(modules.TextMetric):
    """Math answer is the share of answers of mathematics that equal a reference by the rule of the MATH data set, by
    its copy in lm-evaluation-harness, or by that of Minerva; on request, Math-Verify compares those that differ. From 0
    to 1.
    """

    accumulator = textgauge.MathAnswer
    extra = "math"
    citation = """
    @inproceedings{hendrycks-etal-2021-measuring,
        title = "Measuring Mathematical Problem Solving With the {MATH} Dataset",
        author = "Hendrycks, Dan and Burns, Collin and Kadavath, Saurav and Arora, Akul and Basart, Steven and Tang,
            Eric and Song, Dawn and Steinhardt, Jacob",
        booktitle = "Proceedings of the Neural Information Processing Systems Track on Datasets and Benchmarks",
        year = "2021",
    }
    """
    urls = ("https://arxiv.org/abs/2103.03874", "https://github.com/hendrycks/math")
    inputs = """
    predictions: list of str, one answer, or one solution with it, per segment.
    references: list of str, or list of lists of str.
    """
    returns = "math_answer, and with an engine timeouts"
    examples = r"""
    >>> import evaluate
    >>> import textgauge
    >>> math_answer = evaluate.load(textgauge.path("math_answer"))
    >>> math_answer.compute(predictions=["0.5", "x = 3", "0.25"], references=["\\frac{1}{2}", "3", "\\frac{1}{4}"])
    {'math_answer': 0.6666666666666666}
    """
