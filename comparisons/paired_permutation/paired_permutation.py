"""Paired permutation for `evaluate.load`."""

import datasets
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

_KWARGS_DESCRIPTION = """
Args:
    predictions1: list of str, the baseline's output for every segment.
    predictions2: list of str, the other system's.
    references: list of str, or list of lists of str.
    metric: "bleu", "rouge1", "rouge2", ..., "rougeL", "rougeLsum", "token_f1" or "exact_match".
    metric_options: dict of options of that metric, such as its tokenizer.
    n_resamples: how often chance is tried; None is 10,000.
    seed: of the random generator; None is 12345.
    confidence: of the intervals; None leaves them out.
    p_value: "two-sided" or "one-sided" (the second is better).
Returns:
    stat (score2 - score1), p, score1, score2, confidence_interval (of stat),
    confidence_interval1, confidence_interval2, wins (share of resamples either system leads)
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class PairedPermutation(modules.TextComparison):
    test = "permutation"

    def _info(self):
        text = datasets.Value("string")
        sides = {"predictions1": text, "predictions2": text}
        return evaluate.ComparisonInfo(
            module_type="comparison",
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=[
                datasets.Features({**sides, "references": datasets.Sequence(text)}),
                datasets.Features({**sides, "references": text}),
            ],
            reference_urls=["https://aclanthology.org/W05-0908"],
        )
