"""chrF for `evaluate.load`."""

import textgauge
from textgauge import modules


class ChrF(modules.TextMetric):
    """chrF measures how many character n-grams a translation shares with its reference; chrF++ (word_order=2)
    counts word n-grams as well. The figures are sacreBLEU's, from 0 to 100.
    """

    accumulator = textgauge.Chrf
    citation = """
    @inproceedings{popovic-2015-chrf,
        title = "chr{F}: character n-gram {F}-score for automatic {MT} evaluation",
        author = "Popovi{\\'c}, Maja",
        booktitle = "Proceedings of the Tenth Workshop on Statistical Machine Translation",
        year = "2015",
        pages = "392--395",
    }
    @inproceedings{popovic-2017-chrf,
        title = "chr{F}++: words helping character n-grams",
        author = "Popovi{\\'c}, Maja",
        booktitle = "Proceedings of the Second Conference on Machine Translation",
        year = "2017",
        pages = "612--618",
    }
    """
    urls = ("https://aclanthology.org/W15-3049", "https://aclanthology.org/W17-4770")
    returns = "score (from 0 to 100), char_order, word_order, beta"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> chrf = evaluate.load(textgauge.path("chrf"))
    >>> result = chrf.compute(predictions=["the cat sat"], references=[["the cat sits", "a cat sat"]], word_order=2)
    >>> round(result["score"], 2), result["char_order"], result["word_order"], result["beta"]
    (65.32, 6, 2, 2)
    """

    def _presented(self, accumulator, result):
        options = accumulator.options
        # A whole number as in the Hub's module.
        beta = int(options.beta) if options.beta.is_integer() else options.beta
        chosen = {"char_order": options.char_order, "word_order": options.word_order, "beta": beta}
        return modules.as_sacrebleu(accumulator, result) | chosen
