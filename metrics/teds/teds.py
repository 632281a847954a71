"""TEDS for `evaluate.load`."""

import textgauge
from textgauge import modules


class Teds(modules.TextMetric):
    """TEDS is the measure of tables that a model reads from an image: how few rows, cells and characters must change to
    make the table the reference, both as HTML. 1 for equal tables.
    """

    accumulator = textgauge.Teds
    extra = "tables"
    citation = """
    @inproceedings{zhong-etal-2020-image,
        title = "Image-based Table Recognition: Data, Model, and Evaluation",
        author = "Zhong, Xu and ShafieiBavani, Elaheh and Jimeno Yepes, Antonio",
        booktitle = "Computer Vision -- ECCV 2020",
        year = "2020",
        pages = "564--580",
    }
    """
    urls = ("https://arxiv.org/abs/1911.10683", "https://github.com/ibm-aur-nlp/PubTabNet")
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> teds = evaluate.load(textgauge.path("teds"))
    >>> table = "<table><tr><td>cat</td><td>2</td></tr></table>"
    >>> teds.compute(predictions=[table.replace("cat", "cut")], references=[table])
    {'teds': 0.8888888888888888}
    """
