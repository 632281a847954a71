"""CharacTER for `evaluate.load`."""

import statistics

import textgauge
from textgauge import checks, modules


class Character(modules.TextMetric):
    """CharacTER is the number of edits of characters, after shifts of words, per character of the prediction.
    The figures are those of the package cer, from 0 to 1; lower is better.
    """

    accumulator = textgauge.Character
    keywords = {"aggregate": None, "return_all_scores": None}
    citation = """
    @inproceedings{wang-etal-2016-character,
        title = "{C}harac{T}er: Translation Edit Rate on Character Level",
        author = "Wang, Weiyue and Peter, Jan-Thorsten and Rosendahl, Hendrik and Ney, Hermann",
        booktitle = "Proceedings of the First Conference on Machine Translation: Volume 2, Shared Task Papers",
        year = "2016",
        pages = "505--510",
    }
    """
    urls = ("https://aclanthology.org/W16-2342",)
    inputs = """
    predictions: list of str, one hypothesis per segment.
    references: list of str, or list of lists of str.
    aggregate (mean, sum or median; default mean): what becomes of the scores of the segments.
    return_all_scores (bool, default False): add the scores of the segments.
    """
    returns = "cer_score; with return_all_scores cer_scores"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> character = evaluate.load(textgauge.path("character"))
    >>> result = character.compute(predictions=["sat the cat"], references=["the cat sat"], return_all_scores=True)
    >>> round(result["cer_score"], 4), len(result["cer_scores"])
    (0.2727, 1)
    """

    def _scoring(self, given):
        options = {**self.defaults, **given}
        aggregate = options.get("aggregate", "mean")
        checks.one_of("aggregate", aggregate, ("mean", "sum", "median"))
        returns_all = checks.flag("return_all_scores", options.get("return_all_scores", False))
        if aggregate != "mean" and options.get("confidence") is not None:
            checks.fail(ValueError, "confidence", "None: an interval is that of the mean", repr(options["confidence"]))
        score = super()._scoring({**given, "per_segment": True})

        def aggregated(corpus):
            result = score(corpus)
            scores = result.pop("segment_character")
            mean = result.pop("character")
            if bounds := result.pop("confidence_intervals", None):
                result["confidence_intervals"] = {"cer_score": bounds["character"]}
            total = {"sum": sum, "median": statistics.median}.get(aggregate, lambda _: mean)(scores)
            added = {"segment_character": scores} if options.get("per_segment") else {}
            return {"cer_score": total, **({"cer_scores": scores} if returns_all else {}), **added, **result}

        return aggregated
