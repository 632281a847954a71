"""CUAD's scores of clauses that are found in contracts, for `evaluate.load`."""

import textgauge
from textgauge import modules


class Cuad(modules.GuessesMetric):
    """F1, exact match and precision at recalls of the clauses that answer questions about contracts, several for each,
    with the columns, keys and figures of the Hub's cuad module.
    """

    accumulator = textgauge.Cuad
    citation = """
    @inproceedings{hendrycks-etal-2021-cuad,
        title = "{CUAD}: An Expert-Annotated {NLP} Dataset for Legal Contract Review",
        author = "Hendrycks, Dan and Burns, Collin and Chen, Anya and Ball, Spencer",
        booktitle = "Proceedings of the Neural Information Processing Systems Track on Datasets and Benchmarks",
        year = "2021",
    }
    """
    urls = ("https://arxiv.org/abs/2103.06268", "https://www.atticusprojectai.org/cuad")
    inputs = """
    predictions: list of rows {"id": ..., "prediction_text": [...]}, of str, or of lists of str.
    references: list of rows {"id": ..., "answers": {"text": [...]}}, of str, or of lists of str.
    """
    returns = "exact_match, f1, each from 0 to 100; aupr, prec_at_80_recall, prec_at_90_recall, each from 0 to 1"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> cuad = evaluate.load(textgauge.path("cuad"))
    >>> predictions = [{"id": "a__Parties", "prediction_text": ["The Seller:", "a buyer, Acme Inc."]}]
    >>> references = [{"id": "a__Parties", "answers": {"text": ["the seller", "Acme Inc."], "answer_start": [0, 9]}}]
    >>> cuad.compute(predictions=predictions, references=references)
    {'exact_match': 100.0, 'f1': 100.0, 'aupr': 0.0, 'prec_at_80_recall': 1.0, 'prec_at_90_recall': 1.0}
    """
