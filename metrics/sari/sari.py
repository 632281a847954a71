"""SARI for `evaluate.load`."""

import textgauge
from textgauge import modules


class Sari(modules.TextMetric):
    """SARI scores what a rewritten text keeps, deletes and adds, compared with its source and references. The
    figures are those of the Hub's module, of EASSE, of the authors' script or of tensor2tensor, from 0 to 100.
    """

    accumulator = textgauge.Sari
    citation = """
    @article{xu-etal-2016-optimizing,
        title = "Optimizing Statistical Machine Translation for Text Simplification",
        author = "Xu, Wei and Napoles, Courtney and Pavlick, Ellie and Chen, Quanze and Callison-Burch, Chris",
        journal = "Transactions of the Association for Computational Linguistics",
        volume = "4",
        year = "2016",
        pages = "401--415",
    }
    @inproceedings{alva-manchego-etal-2019-easse,
        title = "{EASSE}: Easier Automatic Sentence Simplification Evaluation",
        author = "Alva-Manchego, Fernando and Martin, Louis and Scarton, Carolina and Specia, Lucia",
        booktitle = "Proceedings of EMNLP-IJCNLP 2019: System Demonstrations",
        year = "2019",
        pages = "49--54",
    }
    """
    urls = ("https://aclanthology.org/Q16-1029",)
    inputs = """
    sources: list of str, the text that each prediction rewrites.
    predictions: list of str, one hypothesis per segment.
    references: list of str, or list of lists of str.
    """
    returns = "sari; with detailed keep, delete, add"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> sari = evaluate.load(textgauge.path("sari"))
    >>> sources, predictions = ["About 95 species are currently accepted."], ["About 95 you now get in."]
    >>> references = [["About 95 species are currently known.", "About 95 species are now accepted."]]
    >>> result = sari.compute(sources=sources, predictions=predictions, references=references, counting="easse")
    >>> round(result["sari"], 2)
    31.73
    """
