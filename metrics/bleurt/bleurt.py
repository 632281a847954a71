"""BLEURT for `evaluate.load`."""

import textgauge
from textgauge import modules


class BLEURT(modules.TranslationMetric):
    """BLEURT says how well a text conveys the meaning of its reference, by a model that learned from human judgements.
    It runs on PyTorch, with the figures of Google's program on TensorFlow.
    """

    accumulator = textgauge.Bleurt
    extra = "bleurt"
    citation = """
    @inproceedings{sellam-etal-2020-bleurt,
        title = "{BLEURT}: Learning Robust Metrics for Text Generation",
        author = "Sellam, Thibault and Das, Dipanjan and Parikh, Ankur",
        booktitle = "Proceedings of the 58th Annual Meeting of the Association for Computational Linguistics",
        year = "2020",
        pages = "7881--7892",
    }
    """
    urls = ("https://aclanthology.org/2020.acl-main.704", "https://github.com/google-research/bleurt")
    inputs = """
    predictions: list of str, one hypothesis per segment.
    references: list of str, or list of lists of str.
    The model is the configuration of evaluate.load, or model_id; without either it is bleurt-base-128, the Hub's.
    """
    returns = "scores, a list with a number per segment"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> bleurt = evaluate.load(textgauge.path("bleurt"), "./none")
    >>> bleurt.compute(predictions=["hello there"], references=["hello world"])
    Traceback (most recent call last):
        ...
    FileNotFoundError: model_id: expected the path of a folder that exists, or the name of a model, got './none' (str)
    """

    def __init__(self, config_name=None, **settings):
        """Take the configuration as the default of `model_id`; the Hub's own is not that of the function."""
        if config_name in (None, "default"):
            settings = {"model_id": "bleurt-base-128", **settings}
        super().__init__(config_name, **settings)

    def _presented(self, accumulator, result):
        del result["bleurt"]
        return {"scores": accumulator.segment_columns()["bleurt"].tolist(), **result}
