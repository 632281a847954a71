"""Character error rate for `evaluate.load`."""

import evaluate
import textgauge
from textgauge import modules

_DESCRIPTION = """\
CER is the number of characters that a transcript has wrong, too many or too few, per character of its reference. The
figures are those of jiwer 4, 0 and above; lower is better.
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
    textgauge.Cer,
    """
predictions: list of str, one transcript per segment.
references: list of str, or list of lists of str.
concatenate_texts: bool. Accepted as by the Hub's module, where it changes nothing since jiwer 4.
""",
    "a float, the rate; a dict with cer and the counts if more is asked for, as by counts=True",
    """
>>> import evaluate
>>> import textgauge
>>> cer = evaluate.load(textgauge.path("cer"))
>>> cer.compute(predictions=["slow fox"], references=["a slow ox"])
0.3333333333333333
""",
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Cer(modules.ErrorRateMetric):
    measure = textgauge.Cer

    def _info(self):
        return modules.info(_DESCRIPTION, _CITATION, _KWARGS_DESCRIPTION, "https://pypi.org/project/jiwer")
