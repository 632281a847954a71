"""CIDEr for `evaluate.load`."""

import textgauge
from textgauge import modules


class Cider(modules.TextMetric):
    """CIDEr compares a caption with what people say of the image: by n-grams that weigh the more, the fewer images have
    them. The figures are pycocoevalcap's, from 0 to 10; higher is better.
    """

    accumulator = textgauge.Cider
    citation = """
    @inproceedings{vedantam-etal-2015-cider,
        title = "{CIDEr}: Consensus-based Image Description Evaluation",
        author = "Vedantam, Ramakrishna and Zitnick, C. Lawrence and Parikh, Devi",
        booktitle = "Proceedings of the IEEE Conference on Computer Vision and Pattern Recognition",
        year = "2015",
        pages = "4566--4575",
    }
    """
    urls = ("https://arxiv.org/abs/1411.5726",)
    inputs = """
    predictions: list of str, one caption for each image.
    references: list of lists of str, the captions of people for each image; or list of str.
    """
    returns = "cider (from 0 to 10)"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> cider = evaluate.load(textgauge.path("cider"))
    >>> references = [["a man on a horse", "a rider on a brown horse"], ["a dog on the grass"]]
    >>> result = cider.compute(predictions=["a man on a brown horse", "a dog"], references=references)
    >>> round(result["cider"], 2)
    4.03
    """
