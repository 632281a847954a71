"""Token F1 and exact match as the SQuAD script reports them, for `evaluate.load`."""

import evaluate
import textgauge
from textgauge import modules

_DESCRIPTION = """\
Exact match and token F1 with the columns, keys and figures of the Hub's squad module, from 0 to 100.
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

_KWARGS_DESCRIPTION = modules.arguments(
    textgauge.Squad,
    """
predictions: list of str, or of rows {"id": ..., "prediction_text": ...}.
references: list of str, of lists of str, or of rows {"id": ..., "answers": {"text": [...]}}.
""",
    "exact_match, f1, each from 0 to 100",
    """
>>> import evaluate
>>> import textgauge
>>> squad = evaluate.load(textgauge.path("squad"))
>>> predictions = [{"id": "a", "prediction_text": "in 1889"}]
>>> references = [{"id": "a", "answers": {"text": ["1889", "the year 1889"], "answer_start": [3, 3]}}]
>>> result = squad.compute(predictions=predictions, references=references)
>>> round(result["f1"], 2), result["exact_match"]
(66.67, 0.0)
""",
)


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Squad(modules.AnswerMetric):
    measure = textgauge.Squad

    def _info(self):
        return modules.info(
            _DESCRIPTION,
            _CITATION,
            _KWARGS_DESCRIPTION,
            "https://aclanthology.org/D16-1264",
            "https://aclanthology.org/2020.acl-main.653",
        )
