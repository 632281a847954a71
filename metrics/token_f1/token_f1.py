"""Token F1 and exact match for `evaluate.load`."""

import datasets
import evaluate
from textgauge import modules, squad_rows
from textgauge.measures.token_f1 import TokenF1 as TokenF1Statistics

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

    def add_batch(self, *, predictions=None, references=None):
        """Add segments; rows with ids are matched inside the batch."""
        predictions, references = squad_rows.plain_columns(predictions, references)
        super().add_batch(predictions=predictions, references=references)

    def add(self, *, prediction=None, reference=None, predictions=None, references=None):
        """Add one segment, or a row of each side; `evaluate.combine` passes it as the plural."""
        predictions, references = squad_rows.plain_columns(
            [prediction if predictions is None else predictions], [reference if references is None else references]
        )
        super().add(prediction=predictions[0], reference=references[0])

    def _check(self, per_segment=False, signature=False, confidence=None, n_resamples=None, seed=None, **options):
        modules.interval_options(confidence, n_resamples, seed)
        modules.flag("signature", signature)
        modules.flag("per_segment", per_segment)
        TokenF1Statistics(**options)

    def _idle(self, **options):
        """Say which options change nothing beside the others, and what they need."""
        return TokenF1Statistics.idle(**options)

    def _score(
        self,
        corpus,
        *,
        counting="multiset",
        normalizer="squad",
        tokenizer="whitespace",
        per_segment=False,
        signature=False,
        confidence=None,
        n_resamples=None,
        seed=None,
    ):
        statistics = TokenF1Statistics(counting=counting, normalizer=normalizer, tokenizer=tokenizer)
        return statistics.update_corpus(corpus).score(
            per_segment=per_segment, signature=signature, confidence=confidence, n_resamples=n_resamples, seed=seed
        )
