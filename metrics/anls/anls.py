"""ANLS for `evaluate.load`."""

import textgauge
from textgauge import modules


class Anls(modules.TextMetric):
    """ANLS, the average normalized Levenshtein similarity, is the measure of questions about documents and scenes
    (DocVQA, InfographicsVQA, ST-VQA): how few characters of an answer are wrong. From 0 to 1.
    """

    accumulator = textgauge.Anls
    citation = """
    @inproceedings{biten-etal-2019-scene,
        title = "Scene Text Visual Question Answering",
        author = "Biten, Ali Furkan and Tito, Ruben and Mafla, Andres and Gomez, Lluis and Rusinol, Marcal and
            Jawahar, C. V. and Valveny, Ernest and Karatzas, Dimosthenis",
        booktitle = "Proceedings of the IEEE/CVF International Conference on Computer Vision",
        year = "2019",
        pages = "4291--4301",
    }
    """
    urls = ("https://arxiv.org/abs/1905.13648", "https://rrc.cvc.uab.es/?ch=17")
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> anls = evaluate.load(textgauge.path("anls"))
    >>> anls.compute(predictions=["Paris", "1899"], references=[["paris", "in Paris"], ["1889"]])
    {'anls': 0.875}
    """
