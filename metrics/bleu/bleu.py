"""BLEU for `evaluate.load`."""

import datasets
import evaluate
import textgauge
from textgauge import modules

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
    preset: "evaluate", "sacrebleu", "nltk", "mteval-v13a" or "moses" sets what is not given.
    tokenizer: "13a", "intl", "zh", "char", "none", "whitespace", "unicode", "ja-mecab", ... or a callable str -> list.
    max_order: highest n-gram order.
    smooth: add one to matches and totals (Lin and Och 2004), as smoothing="add-one".
    smoothing: "none", "add-one", "add-k", "floor", "exp", "epsilon", "chen-cherry-1" to "chen-cherry-7".
    smooth_value: the number that the smoothing uses, if it has one.
    effective_order: leave out orders of which the predictions have no n-gram.
    reference_length: "shortest", "closest" or "average".
    weights: one weight per order; None is 1 / max_order each.
    lowercase: True, False or "ascii".
    strip: remove white space at the end of every text.
    counting: "plain", "sacrebleu", "mteval" or "nltk": what counts where there is nothing to count.
    per_segment: True adds `segment_bleu`, one BLEU per segment.
    all_orders: True adds `bleu1` to `bleuN`.
    signature: True adds `signature`, the line that says what was computed.
    confidence: adds `confidence_interval`, [low, high] around `bleu`; 0.95 for 95 percent.
    n_resamples, seed: of the bootstrap behind it.
Returns:
    bleu, precisions, brevity_penalty, length_ratio, translation_length, reference_length
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Bleu(modules.TextMetric):
    measure = textgauge.Bleu

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
