"""Paired permutation for `evaluate.load`."""

import evaluate
from textgauge import modules

_DESCRIPTION = """\
The paired permutation test, or approximate randomisation, asks whether one of two systems is
really better: how often is their difference as large when it is decided by a coin, segment by
segment, which system wrote which of the two outputs?
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
    "paired_permutation",
    "10,000",
    '"two-sided" or "one-sided" (the second is better)',
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class PairedPermutation(modules.TextComparison):
    test = "permutation"

    def _info(self):
        return modules.comparison_info(
            _DESCRIPTION, _CITATION, _KWARGS_DESCRIPTION, "https://aclanthology.org/W05-0908"
        )
