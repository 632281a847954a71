"""BLEU for `evaluate.load`."""

import datasets
import evaluate
from textgauge import modules
from textgauge.measures.bleu import Bleu as BleuStatistics

_DESCRIPTION = """\
BLEU measures how much of a translation, in n-grams of several orders, also stands in its
references, times a penalty for being shorter than they are.
"""

_CITATION = """\
@inproceedings{papineni-etal-2002-bleu,
    title = "{B}leu: a Method for Automatic Evaluation of Machine Translation",
    author = "Papineni, Kishore and Roukos, Salim and Ward, Todd and Zhu, Wei-Jing",
    booktitle = "Proceedings of the 40th Annual Meeting of the Association for Computational Linguistics",
    year = "2002",
    pages = "311--318",
}
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: list of str, one hypothesis per segment.
    references: list of str, or list of lists of str.
    tokenizer: "13a", "whitespace", "unicode", "character", "rouge" or a callable str -> list.
    max_order: highest n-gram order.
    smooth: add one to matches and totals (Lin and Och 2004).
    reference_length: "shortest", "closest" or "average".
    weights: one weight per order; None is 1 / max_order each.
    per_segment: True adds `segment_bleu`, one BLEU per segment.
Returns:
    bleu, precisions, brevity_penalty, length_ratio, translation_length, reference_length
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Bleu(modules.TextMetric):
    def _info(self):
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=[
                datasets.Features({"predictions": text, "references": datasets.Sequence(text)}),
                datasets.Features({"predictions": text, "references": text}),
            ],
            reference_urls=["https://aclanthology.org/P02-1040"],
        )

    def _check(self, per_segment=False, **options):
        modules.flag("per_segment", per_segment)
        BleuStatistics(**options)

    def _score(
        self, corpus, *, tokenizer="13a", max_order=4, smooth=False, reference_length="shortest", weights=None,
        per_segment=False,
    ):  # fmt: skip
        statistics = BleuStatistics(
            tokenizer=tokenizer, max_order=max_order, smooth=smooth, reference_length=reference_length, weights=weights
        )
        return statistics.update_corpus(corpus).score(per_segment=per_segment)
