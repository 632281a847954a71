"""Competition MATH for `evaluate.load`."""

import textgauge
from textgauge import modules


class CompetitionMathMetric(modules.TextMetric):
    """Accuracy on the MATH data set: the share of answers that equal their reference after both are rewritten by the
    rule of Hendrycks et al. (2021), as the Hub's module of this name has it, from 0 to 1.
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
    predictions: list of str, one answer per segment, in natural language and LaTeX.
    references: list of str, or list of lists of str.
    """
    returns = "accuracy, and with an engine timeouts"
    examples = r"""
    >>> import evaluate
    >>> import textgauge
    >>> competition_math = evaluate.load(textgauge.path("competition_math"))
    >>> competition_math.compute(references=["\\frac{1}{2}"], predictions=["1/2"])
    {'accuracy': 1.0}
    """

    def _presented(self, _, result):
        return {"accuracy": result.pop("math_answer"), **result}
