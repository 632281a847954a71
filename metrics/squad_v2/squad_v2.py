"""Exact match and token F1 as the script of SQuAD 2.0 reports them, for `evaluate.load`."""

import textgauge
from textgauge import modules


class SquadV2(modules.QuestionMetric):
    """Exact match and token F1, also of questions without an answer, with the columns, keys and figures of the Hub's
    squad_v2 module, from 0 to 100.
    """

    accumulator = textgauge.SquadV2
    citation = """
    @inproceedings{rajpurkar-etal-2018-know,
        title = "Know What You Don't Know: Unanswerable Questions for {SQ}u{AD}",
        author = "Rajpurkar, Pranav and Jia, Robin and Liang, Percy",
        booktitle = "Proceedings of the 56th Annual Meeting of the Association for Computational Linguistics",
        year = "2018",
        pages = "784--789",
    }
    """
    urls = ("https://aclanthology.org/P18-2124",)
    inputs = """
    predictions: list of rows {"id": ..., "prediction_text": ..., "no_answer_probability": ...}, or of str.
    references: list of rows {"id": ..., "answers": {"text": [...]}}, or of str, or of lists of str.
    """
    returns = (
        "exact, f1, total, HasAns_exact, HasAns_f1, HasAns_total, NoAns_exact, NoAns_f1, NoAns_total, best_exact, "
        "best_exact_thresh, best_f1, best_f1_thresh; scores from 0 to 100"
    )
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> squad_v2 = evaluate.load(textgauge.path("squad_v2"))
    >>> predictions = [{"id": "a", "prediction_text": "in 1889", "no_answer_probability": 0.0}]
    >>> references = [{"id": "a", "answers": {"text": ["1889"], "answer_start": [3]}}]
    >>> result = squad_v2.compute(predictions=predictions, references=references)
    >>> round(result["f1"], 2), result["exact"], result["total"]
    (66.67, 0.0, 1)
    """
