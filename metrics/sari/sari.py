"""SARI for `evaluate.load`."""

import evaluate
import textgauge
from textgauge import modules

_DESCRIPTION = """\
SARI scores what a rewritten text keeps, deletes and adds, compared with its source and references. The
figures are those of the Hub's module, of EASSE, of the authors' script or of tensor2tensor, from 0 to 100.
"""

_CITATION = """\
@article{xu-etal-2016-optimizing,
    title = "Optimizing Statistical Machine Translation for Text Simplification",
    author = "Xu, Wei and Napoles, Courtney and Pavlick, Ellie and Chen, Quanze and Callison-Burch, Chris",
    journal = "Transactions of the Association for Computational Linguistics",
    volume = "4",
    year = "2016",
    pages = "401--415",
}
@inproceedings{alva-manchego-etal-2019-easse,
    title = "{EASSE}: Easier Automatic Sentence Simplification Evaluation",
    author = "Alva-Manchego, Fernando and Martin, Louis and Scarton, Carolina and Specia, Lucia",
    booktitle = "Proceedings of EMNLP-IJCNLP 2019: System Demonstrations",
    year = "2019",
    pages = "49--54",
}
"""

_KWARGS_DESCRIPTION = modules.arguments(
    textgauge.Sari,
    """
sources: list of str, the text that each prediction rewrites.
predictions: list of str, one hypothesis per segment.
references: list of str, or list of lists of str.
""",
    "sari; with detailed keep, delete, add",
    """
>>> import evaluate
>>> import textgauge
>>> sari = evaluate.load(textgauge.path("sari"))
>>> sources, predictions = ["About 95 species are currently accepted."], ["About 95 you now get in."]
>>> references = [["About 95 species are currently known.", "About 95 species are now accepted."]]
>>> result = sari.compute(sources=sources, predictions=predictions, references=references, counting="easse")
>>> round(result["sari"], 2)
31.73
""",
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Sari(modules.TextMetric):
    measure = textgauge.Sari

    def _info(self):
        return modules.info(
            _DESCRIPTION, _CITATION, _KWARGS_DESCRIPTION, "https://aclanthology.org/Q16-1029", has_sources=True
        )
