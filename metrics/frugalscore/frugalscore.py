"""FrugalScore for `evaluate.load`."""

import textgauge
from textgauge import modules


class FRUGALSCORE(modules.TranslationMetric):
    """FrugalScore is a small model that learned to score texts with their references as a large metric does, such as
    BERTScore: it keeps most of that metric's agreement with people at a fraction of the cost.
    """

    accumulator = textgauge.FrugalScore
    extra = "consistency"
    citation = """
    @inproceedings{kamal-eddine-etal-2022-frugalscore,
        title = "{F}rugal{S}core: Learning Cheaper, Lighter and Faster Evaluation Metrics for Automatic Text
            Generation",
        author = "Kamal Eddine, Moussa and Shang, Guokan and Tixier, Antoine and Vazirgiannis, Michalis",
        booktitle = "Proceedings of the 60th Annual Meeting of the Association for Computational Linguistics",
        year = "2022",
    }
    """
    urls = ("https://aclanthology.org/2022.acl-long.93", "https://github.com/moussaKam/FrugalScore")
    inputs = """
    predictions: list of str, one hypothesis per segment.
    references: list of str, or list of lists of str.
    The model is the configuration of evaluate.load, or model_id.
    """
    returns = "scores, a list with a number per segment"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> frugalscore = evaluate.load(textgauge.path("frugalscore"), "./none")
    >>> frugalscore.compute(predictions=["hello there"], references=["hello world"])
    Traceback (most recent call last):
        ...
    FileNotFoundError: model_id: expected the path of a folder that exists, or the name of a model, got './none' (str)
    """

    def _presented(self, accumulator, result):
        del result["frugalscore"]
        return {"scores": accumulator.segment_columns()["frugalscore"].tolist(), **result}
