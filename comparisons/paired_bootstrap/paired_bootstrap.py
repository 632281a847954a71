"""Paired bootstrap for `evaluate.load`."""

import datasets
import evaluate
from textgauge import modules

_DESCRIPTION = """\
The paired bootstrap asks whether one of two systems is really better: how often would their
difference come out as large if segments were drawn by chance and the systems did not differ?
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

_KWARGS_DESCRIPTION = """
Args:
    predictions1: list of str, the baseline's output for every segment.
    predictions2: list of str, the other system's.
    references: list of str, or list of lists of str.
    metric: "bleu", "rouge1", "rouge2", ..., "rougeL", "rougeLsum", "token_f1" or "exact_match".
    metric_options: dict of options of that metric, such as its tokenizer.
    n_resamples: how often chance is tried; None is 1,000.
    seed: of the random generator; None is 12345.
    confidence: of the intervals; None leaves them out.
    p_value: "two-sided", "one-sided" (the second is better) or "sacrebleu" (what --paired-bs reports).
Returns:
    stat (score2 - score1), p, score1, score2, confidence_interval (of stat),
    confidence_interval1, confidence_interval2, wins (share of resamples either system leads)
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class PairedBootstrap(modules.TextComparison):
    test = "bootstrap"

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
            reference_urls=["https://aclanthology.org/W04-3250"],
        )
