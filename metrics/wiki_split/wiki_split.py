"""WikiSplit for `evaluate.load`."""

import textgauge
from textgauge import modules


class WikiSplit(modules.TextMetric):
    """WikiSplit gives SARI, sacreBLEU and exact match of sentences that were split and rephrased, from 0 to 100."""

    accumulator = textgauge.Sari
    citation = """
    @inproceedings{botha-etal-2018-learning,
        title = "Learning To Split and Rephrase From {W}ikipedia Edit History",
        author = "Botha, Jan A. and Faruqui, Manaal and Alex, John and Baldridge, Jason and Das, Dipanjan",
        booktitle = "Proceedings of the 2018 Conference on Empirical Methods in Natural Language Processing",
        year = "2018",
        pages = "732--737",
    }
    """
    urls = ("https://aclanthology.org/D18-1080",)
    inputs = """
    sources: list of str, the text that each prediction rewrites.
    predictions: list of str, one hypothesis per segment.
    references: list of str, or list of lists of str.
    """
    returns = "sari, sacrebleu, exact, each from 0 to 100"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> wiki_split = evaluate.load(textgauge.path("wiki_split"))
    >>> sources, predictions = ["About 95 species are currently accepted."], ["About 95 you now get in."]
    >>> references = [["About 95 species are currently known."]]
    >>> result = wiki_split.compute(sources=sources, predictions=predictions, references=references)
    >>> {key: round(value, 1) for key, value in result.items()}
    {'sari': 21.8, 'sacrebleu': 14.5, 'exact': 0.0}
    """

    @classmethod
    def _option_names(cls):
        return []

    def _scoring(self, _):
        sari, sacrebleu = textgauge.Sari(), textgauge.Sacrebleu()
        exact = textgauge.ExactMatch(normalizer="squad")

        def score(corpus):
            results = [one.without_segments().update_corpus(corpus).score() for one in (sari, sacrebleu, exact)]
            return {
                "sari": results[0]["sari"],
                "sacrebleu": results[1]["sacrebleu"],
                "exact": 100 * results[2]["exact_match"],
            }

        return score
