"""Token F1 and exact match for `evaluate.load`."""

import textgauge
from textgauge import modules


class TokenF1(modules.AnswerMetric):
    """Token F1 measures how many words a short answer shares with the best of its reference answers;
    exact match is whether it equals one of them.
    """

    accumulator = textgauge.TokenF1
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
    returns = "precision, recall, f1, exact_match, each from 0 to 1"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> token_f1 = evaluate.load(textgauge.path("token_f1"))
    >>> result = token_f1.compute(predictions=["in 1889"], references=[["1889", "the year 1889"]])
    >>> result["f1"], result["exact_match"]
    (0.6666666666666666, 0.0)
    """
