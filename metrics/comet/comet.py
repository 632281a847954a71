"""COMET for `evaluate.load`."""

import textgauge
from textgauge import modules


class Comet(modules.TranslationMetric):
    """COMET scores translations with a model that learned from human judgements: it reads the translation, its
    source and its reference, as the model needs. The figures are those of unbabel-comet 2.2.7.
    """

    accumulator = textgauge.Comet
    extra = "comet"
    keywords = {"gpus": None, "progress_bar": "verbose"}
    citation = """
    @inproceedings{rei-etal-2022-comet,
        title = "{COMET}-22: Unbabel-{IST} 2022 Submission for the Metrics Shared Task",
        author = "Rei, Ricardo and C. de Souza, Jos{\\'e} G. and Alves, Duarte and Zerva, Chrysoula and Farinha, Ana C
            and Glushkova, Taisiya and Lavie, Alon and Coheur, Luisa and Martins, Andr{\\'e} F. T.",
        booktitle = "Proceedings of the Seventh Conference on Machine Translation (WMT)",
        year = "2022",
        pages = "578--585",
    }
    """
    urls = ("https://aclanthology.org/2022.wmt-1.52", "https://github.com/Unbabel/COMET")
    inputs = """
    sources: list of str, what each prediction translates, if the model uses sources.
    predictions: list of str, one hypothesis per segment.
    references: list of str, or list of lists of str, if the model uses references; others leave them out.
    gpus: 0 for the processor, 1 for a GPU; by default a GPU if there is one.
    progress_bar: show the progress bar from the start (verbose elsewhere).
    The model is the configuration of evaluate.load, or model_id.
    """
    returns = "mean_score, scores (a list, a value per segment), error_spans with spans=True"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> comet = evaluate.load(textgauge.path("comet"), "./none")
    >>> comet.compute(sources=["le chat"], predictions=["the cat"], references=["a cat"], gpus=0)
    Traceback (most recent call last):
        ...
    FileNotFoundError: model_id: expected the path of a folder that exists, or the name of a model, got './none' (str)
    """

    def _presented(self, accumulator, result):
        scores = accumulator.segment_columns()["comet"].tolist()
        return {"mean_score": result.pop("comet"), "scores": scores, **result}
