"""BLEU as sacreBLEU reports it, for `evaluate.load`."""

import evaluate
import textgauge
from textgauge import modules

_DESCRIPTION = """\
BLEU with the arguments, defaults, keys and figures of the Hub's sacrebleu module, from 0 to 100.
"""

_CITATION = """\
@inproceedings{post-2018-call,
    title = "A Call for Clarity in Reporting {BLEU} Scores",
    author = "Post, Matt",
    booktitle = "Proceedings of the Third Conference on Machine Translation: Research Papers",
    year = "2018",
    pages = "186--191",
}
"""

_KWARGS_DESCRIPTION = modules.arguments(
    textgauge.Sacrebleu,
    """
predictions: list of str, one hypothesis per segment.
references: list of str, or list of lists of str.
smooth_method, use_effective_order: the Hub module's names of smoothing and effective_order.
tokenize: the Hub module's name of tokenizer; None is "13a".
""",
    "score (from 0 to 100), counts, totals, precisions, bp, sys_len, ref_len",
    """
>>> import evaluate
>>> import textgauge
>>> sacrebleu = evaluate.load(textgauge.path("sacrebleu"))
>>> result = sacrebleu.compute(predictions=["the cat sat on the mat"], references=[["the cat sat on the mat", "a cat"]])
>>> round(result["score"], 2), result["counts"], result["bp"]
(100.0, [6, 5, 4, 3], 1.0)
""",
    left_out=("counts", "smoothing", "tokenizer", "effective_order"),
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Sacrebleu(modules.TextMetric):
    measure = textgauge.Sacrebleu
    keywords = {
        "smooth_method": "smoothing", "tokenize": "tokenizer", "use_effective_order": "effective_order",
    }  # fmt: skip
    chosen = {"counts": False}

    def _presented(self, measure, result):
        return modules.as_sacrebleu_bleu(measure, result)

    def _info(self):
        return modules.info(_DESCRIPTION, _CITATION, _KWARGS_DESCRIPTION, "https://aclanthology.org/W18-6319")
