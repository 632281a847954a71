"""MetricX for `evaluate.load`."""

import textgauge
from textgauge import modules


class Metricx(modules.TranslationMetric):
    """MetricX says how bad the errors of a translation are, from 0 to 25, by a model that learned from human
    judgements: it reads the translation with its source, its reference or both. Lower is better. The figures
    are those of google-research/metricx.
    """

    accumulator = textgauge.Metricx
    extra = "metricx"
    citation = """
    @inproceedings{juraska-etal-2024-metricx,
        title = "{M}etric{X}-24: The {G}oogle Submission to the {WMT} 2024 Metrics Shared Task",
        author = "Juraska, Juraj and Deutsch, Daniel and Finkelstein, Mara and Freitag, Markus",
        booktitle = "Proceedings of the Ninth Conference on Machine Translation",
        year = "2024",
        pages = "492--504",
    }
    """
    urls = ("https://aclanthology.org/2024.wmt-1.35", "https://github.com/google-research/metricx")
    inputs = """
    sources: list of str, what each prediction translates, if the model uses sources.
    predictions: list of str, one hypothesis per segment.
    references: list of str, or list of lists of str, if the model uses references; others leave them out.
    The model is the configuration of evaluate.load, or model_id.
    """
    returns = "metricx (from 0 to 25; lower is better)"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> metricx = evaluate.load(textgauge.path("metricx"), "./none")
    >>> metricx.compute(sources=["le chat"], predictions=["the cat"], references=["a cat"])
    Traceback (most recent call last):
        ...
    FileNotFoundError: model_id: expected the path of a folder that exists, or the name of a model, got './none' (str)
    """
