"""Competition MATH for `evaluate.load`."""

import evaluate
import textgauge
from textgauge import modules

_DESCRIPTION = """\
Accuracy on the MATH data set: the share of answers that equal their reference after both are rewritten by the rule of
Hendrycks et al. (2021), as the Hub's module of this name has it, from 0 to 1.
"""

_CITATION = """\
@inproceedings{hendrycks-etal-2021-measuring,
    title = "Measuring Mathematical Problem Solving With the {MATH} Dataset",
    author = "Hendrycks, Dan and Burns, Collin and Kadavath, Saurav and Arora, Akul and Basart, Steven and Tang, Eric
        and Song, Dawn and Steinhardt, Jacob",
    booktitle = "Proceedings of the Neural Information Processing Systems Track on Datasets and Benchmarks",
    year = "2021",
}
"""

_KWARGS_DESCRIPTION = modules.arguments(
    textgauge.MathAnswer,
    """
predictions: list of str, one answer per segment, in natural language and LaTeX.
references: list of str, or list of lists of str.
""",
    "accuracy, and with an engine timeouts",
    r"""
>>> import evaluate
>>> import textgauge
>>> competition_math = evaluate.load(textgauge.path("competition_math"))
>>> competition_math.compute(references=["\\frac{1}{2}"], predictions=["1/2"])
{'accuracy': 1.0}
""",
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class CompetitionMath(modules.TextMetric):
    measure = textgauge.MathAnswer

    def _presented(self, _, result):
        return {"accuracy": result.pop("math_answer"), **result}

    def _info(self):
        return modules.info(
            _DESCRIPTION, _CITATION, _KWARGS_DESCRIPTION, "https://arxiv.org/abs/2103.03874",
            "https://github.com/hendrycks/math",
        )  # fmt: skip
