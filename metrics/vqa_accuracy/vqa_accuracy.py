"""VQA accuracy for `evaluate.load`."""

import textgauge
from textgauge import modules


class VqaAccuracy(modules.TextMetric):
    """VQA accuracy is the measure of questions about images (VQA, TextVQA, VizWiz): how many of ten people gave the
    same answer. From 0 to 1.
    """

    accumulator = textgauge.VqaAccuracy
    citation = """
    @inproceedings{antol-etal-2015-vqa,
        title = "{VQA}: Visual Question Answering",
        author = "Antol, Stanislaw and Agrawal, Aishwarya and Lu, Jiasen and Mitchell, Margaret and Batra, Dhruv and
            Zitnick, C. Lawrence and Parikh, Devi",
        booktitle = "Proceedings of the IEEE International Conference on Computer Vision",
        year = "2015",
        pages = "2425--2433",
    }
    """
    urls = ("https://arxiv.org/abs/1505.00468", "https://visualqa.org/evaluation.html")
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> vqa_accuracy = evaluate.load(textgauge.path("vqa_accuracy"))
    >>> people = ["red", "red", "red", "dark red", "Red."]
    >>> vqa_accuracy.compute(predictions=["it", "the red"], references=[["it"] * 5, people])
    {'vqa_accuracy': 1.0}
    """
