"""Paired bootstrap for `evaluate.load`."""

import evaluate
from textgauge import modules

_DESCRIPTION = """\
The paired bootstrap tests whether one of two systems is really better: it resamples the segments and
estimates how often a difference this large would occur if the systems did not differ.
"""

_CITATION = """\
@inproceedings{koehn-2004-statistical,
    title = "Statistical Significance Tests for Machine Translation Evaluation",
    author = "Koehn, Philipp",
    booktitle = "Proceedings of the 2004 Conference on Empirical Methods in Natural Language Processing",
    year = "2004",
    pages = "388--395",
}
"""

_KWARGS_DESCRIPTION = modules.comparison_arguments(
    "paired_bootstrap", "1,000", '"two-sided", "one-sided" (the second is better) or "sacrebleu" (as its --paired-bs)'
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class PairedBootstrap(modules.TextComparison):
    test = "bootstrap"

    def _info(self):
        return modules.comparison_info(
            _DESCRIPTION, _CITATION, _KWARGS_DESCRIPTION, "https://aclanthology.org/W04-3250"
        )
