"""Paired permutation for `evaluate.load`."""

from textgauge import modules


class PairedPermutation(modules.TextComparison):
    """The paired permutation test, or approximate randomisation, tests whether one of two systems is really
    better: it exchanges the two outputs of randomly chosen segments, and counts how often the difference
    is then as large.
    """

    test = "permutation"
    citation = """
    @inproceedings{riezler-maxwell-2005-pitfalls,
        title = "On Some Pitfalls in Automatic Evaluation and Significance Testing for {MT}",
        author = "Riezler, Stefan and Maxwell, John T.",
        booktitle = "Proceedings of the ACL Workshop on Intrinsic and Extrinsic Evaluation
                     Measures for {MT} and/or Summarization",
        year = "2005",
        pages = "57--64",
    }
    """
    urls = ("https://aclanthology.org/W05-0908",)
    p_values = '"two-sided" or "one-sided" (the second is better)'
