"""BERTScore for `evaluate.load`."""

import textgauge
from textgauge import modules


class BertScore(modules.TextMetric):
    """BERTScore matches every token of a text with the most similar token of its reference, by the vectors that
    a language model gives them. The figures are those of bert-score under transformers 4.
    """

    accumulator = textgauge.BertScore
    extra = "bertscore"
    keywords = {"model_type": "model_id", "nthreads": None, "all_layers": None}
    citation = """
    @inproceedings{zhang-etal-2020-bertscore,
        title = "{BERTS}core: Evaluating Text Generation with {BERT}",
        author = "Zhang, Tianyi and Kishore, Varsha and Wu, Felix and Weinberger, Kilian Q. and Artzi, Yoav",
        booktitle = "International Conference on Learning Representations",
        year = "2020",
    }
    """
    urls = ("https://openreview.net/forum?id=SkeHuCVFDr", "https://github.com/Tiiiger/bert_score")
    inputs = """
    predictions: list of str, one hypothesis per segment.
    references: list of str, or list of lists of str.
    model_type: str, the name or path of a model (model_id elsewhere), unless lang chooses it.
    nthreads, all_layers: 4 and False, as in the Hub's module; they have no other values here.
    """
    returns = "precision, recall, f1 (lists, a value per segment), hashcode"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> bertscore = evaluate.load(textgauge.path("bertscore"))
    >>> bertscore.compute(predictions=["a cat"], references=["a cat"], lang="en", all_layers=True)
    Traceback (most recent call last):
        ...
    textgauge.modules.module.ArgumentError: all_layers: expected False (`num_layers` chooses one layer), got True (bool)
    """

    def _scoring(self, given):
        """Check the options; return what scores a corpus with them."""
        modules.only("all_layers", False, {**self.defaults, **given}, "False (`num_layers` chooses one layer)")
        modules.only("nthreads", 4, {**self.defaults, **given}, "4, since no processes are started")
        return super()._scoring(given)

    def _presented(self, accumulator, result):
        segments = {name: column.tolist() for name, column in accumulator.segment_columns().items()}
        return {**result, **segments, "hashcode": accumulator.hashcode()}
