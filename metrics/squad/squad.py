"""Token F1 and exact match as the SQuAD script reports them, for `evaluate.load`."""

import textgauge
from textgauge import modules


class Squad(modules.AnswerMetric):
    """Exact match and token F1 with the columns, keys and figures of the Hub's squad module, from 0 to 100."""

    accumulator = textgauge.Squad
    citation = """
    @inproceedings{rajpurkar-etal-2016-squad,
        title = "{SQ}u{AD}: 100,000+ Questions for Machine Comprehension of Text",
        author = "Rajpurkar, Pranav and Zhang, Jian and Lopyrev, Konstantin and Liang, Percy",
        booktitle = "Proceedings of the 2016 Conference on Empirical Methods in Natural Language Processing",
        year = "2016",
        pages = "2383--2392",
    }
    """
    urls = ("https://aclanthology.org/D16-1264", "https://aclanthology.org/2020.acl-main.653")
    inputs = """
    predictions: list of str, or of rows {"id": ..., "prediction_text": ...}.
    references: list of str, of lists of str, or of rows {"id": ..., "answers": {"text": [...]}}.
    """
    returns = "exact_match, f1, each from 0 to 100"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> squad = evaluate.load(textgauge.path("squad"))
    >>> predictions = [{"id": "a", "prediction_text": "in 1889"}]
    >>> references = [{"id": "a", "answers": {"text": ["1889", "the year 1889"], "answer_start": [3, 3]}}]
    >>> result = squad.compute(predictions=predictions, references=references)
    >>> round(result["f1"], 2), result["exact_match"]
    (66.67, 0.0)
    """
