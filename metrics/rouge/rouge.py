"""ROUGE for `evaluate.load`."""

import evaluate
import textgauge
from textgauge import modules

_DESCRIPTION = """\
ROUGE measures how many of the n-grams of a reference summary, and how much of its word order,
also occur in a generated one.
"""

_CITATION = """\
@inproceedings{lin-2004-rouge,
    title = "{ROUGE}: A Package for Automatic Evaluation of Summaries",
    author = "Lin, Chin-Yew",
    booktitle = "Text Summarization Branches Out",
    year = "2004",
    pages = "74--81",
}
"""

_KWARGS_DESCRIPTION = modules.arguments(
    textgauge.Rouge,
    """
predictions: list of str, one summary per segment.
references: list of str, or list of lists of str.
""",
    "one F per type",
    """
>>> import evaluate
>>> import textgauge
>>> rouge = evaluate.load(textgauge.path("rouge"))
>>> rouge.compute(predictions=["the cat lay on the rug"], references=["the cat sat on the mat"], rouge_types=["rouge1"])
{'rouge1': 0.6666666666666666}
""",
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Rouge(modules.TextMetric):
    measure = textgauge.Rouge

    def _info(self):
        return modules.info(_DESCRIPTION, _CITATION, _KWARGS_DESCRIPTION, "https://aclanthology.org/W04-1013")
