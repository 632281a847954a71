"""Paired permutation for `evaluate.load`."""

import evaluate
from textgauge import modules

_DESCRIPTION = """\
The paired permutation test, or approximate randomisation, tests whether one of two systems is really
better: it exchanges the two outputs of randomly chosen segments, and counts how often the difference
is then as large.
"""

_CITATION = """\
@inproceedings{riezler-maxwell-2005-pitfalls,
    title = "On Some Pitfalls in Automatic Evaluation and Significance Testing for {MT}",
    author = "Riezler, Stefan and Maxwell, John T.",
    booktitle = "Proceedings of the ACL Workshop on Intrinsic and Extrinsic Evaluation
                 Measures for {MT} and/or Summarization",
    year = "2005",
    pages = "57--64",
}
"""

_KWARGS_DESCRIPTION = modules.comparison_arguments(
    "paired_permutation", "10,000", '"two-sided" or "one-sided" (the second is better)'
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class PairedPermutation(modules.TextComparison):
    test = "permutation"

    def _info(self):
        return modules.comparison_info(
            _DESCRIPTION, _CITATION, _KWARGS_DESCRIPTION, "https://aclanthology.org/W05-0908"
        )
