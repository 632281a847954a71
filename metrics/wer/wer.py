"""Word error rate for `evaluate.load`."""

import evaluate
import textgauge
from textgauge import modules

_DESCRIPTION = """\
WER is the number of words that a transcript has wrong, too many or too few, per word of its reference. The figures
are jiwer's, 0 and above; lower is better.
"""

_CITATION = """\
@inproceedings{morris04_interspeech,
    title = "From WER and RIL to MER and WIL: improved evaluation measures for connected speech recognition",
    author = "Morris, Andrew Cameron and Maier, Viktoria and Green, Phil",
    booktitle = "Interspeech 2004",
    year = "2004",
    pages = "2765--2768",
}
"""

_KWARGS_DESCRIPTION = modules.arguments(
    textgauge.Wer,
    """
predictions: list of str, one transcript per segment.
references: list of str, or list of lists of str.
concatenate_texts: bool. Accepted as by the Hub's module, where it changes nothing since jiwer 3.
""",
    "a float, the rate; a dict with wer, mer, wil, wip and the counts if more is asked for, as by counts=True",
    """
>>> import evaluate
>>> import textgauge
>>> wer = evaluate.load(textgauge.path("wer"))
>>> wer.compute(predictions=["a slow red fox"], references=["a quick fox"])
0.6666666666666666
""",
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Wer(modules.ErrorRateMetric):
    measure = textgauge.Wer

    def _info(self):
        return modules.info(_DESCRIPTION, _CITATION, _KWARGS_DESCRIPTION, "https://pypi.org/project/jiwer")
