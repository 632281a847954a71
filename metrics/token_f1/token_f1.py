"""Token F1 and exact match for `evaluate.load`."""

import datasets
import evaluate
import textgauge
from textgauge import modules, squad_rows

_DESCRIPTION = """\
Token F1 measures how many words a short answer shares with the best of its reference answers;
exact match, whether it is one of them.
"""

_CITATION = """\
@inproceedings{rajpurkar-etal-2016-squad,
    title = "{SQ}u{AD}: 100,000+ Questions for Machine Comprehension of Text",
    author = "Rajpurkar, Pranav and Zhang, Jian and Lopyrev, Konstantin and Liang, Percy",
    booktitle = "Proceedings of the 2016 Conference on Empirical Methods in Natural Language Processing",
    year = "2016",
    pages = "2383--2392",
}
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: list of str, or of rows {"id": ..., "prediction_text": ...}.
    references: list of str, of lists of str, or of rows {"id": ..., "answers": {"text": [...]}}.
    counting: "multiset" as in SQuAD, or "set".
    normalizer: "squad", "mlqa:LANG" (en, es, de, ar, hi, vi, zh), "lower", "none" or a callable str -> str.
    tokenizer: "whitespace", "unicode", "character", "13a", "rouge" or a callable str -> list.
    per_segment: True adds segment_precision, segment_recall, segment_f1, segment_exact_match.
    signature: True adds the line that says what was computed.
    confidence: adds `confidence_intervals`, [low, high] per key; 0.95 for 95 percent.
    n_resamples, seed: of the bootstrap behind it.
Returns:
    precision, recall, f1, exact_match, each from 0 to 1
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class TokenF1(modules.TextMetric):
    measure = textgauge.TokenF1

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
            reference_urls=["https://aclanthology.org/D16-1264", "https://aclanthology.org/2020.acl-main.653"],
        )

    def add(self, *, prediction=None, reference=None, predictions=None, references=None):
        """Add one segment, or a row of each side; `evaluate.combine` passes it as the plural."""
        predictions, references = squad_rows.plain_columns(
            [prediction if predictions is None else predictions], [reference if references is None else references]
        )
        super().add(prediction=predictions[0], reference=references[0])
