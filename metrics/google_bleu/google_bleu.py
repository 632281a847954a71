"""Google BLEU for `evaluate.load`."""

import evaluate
import textgauge
from textgauge import modules

_DESCRIPTION = """\
Google BLEU, or GLEU, is the smaller of n-gram precision and recall. The figures are nltk's, from 0 to 1.
"""

_CITATION = """\
@article{wu-etal-2016-google,
    title = "Google's Neural Machine Translation System: Bridging the Gap between Human and Machine Translation",
    author = "Wu, Yonghui and Schuster, Mike and Chen, Zhifeng and Le, Quoc V. and Norouzi, Mohammad and others",
    journal = "arXiv preprint arXiv:1609.08144",
    year = "2016",
}
"""

_KWARGS_DESCRIPTION = modules.arguments(
    textgauge.GoogleBleu,
    """
predictions: list of str, one hypothesis per segment.
references: list of str, or list of lists of str.
""",
    "google_bleu",
    """
>>> import evaluate
>>> import textgauge
>>> google_bleu = evaluate.load(textgauge.path("google_bleu"))
>>> result = google_bleu.compute(predictions=["the cat sat"], references=[["the cat sits", "a cat sat"]])
>>> round(result["google_bleu"], 4)
0.5
""",
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class GoogleBleu(modules.TextMetric):
    measure = textgauge.GoogleBleu

    def _info(self):
        return modules.info(_DESCRIPTION, _CITATION, _KWARGS_DESCRIPTION, "https://arxiv.org/abs/1609.08144")
