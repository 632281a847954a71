"""Word error rate for `evaluate.load`."""

import textgauge
from textgauge import modules


class Wer(modules.ErrorRateMetric):
    """WER is the number of words that a transcript has wrong, too many or too few, per word of its reference. The
    figures are jiwer's, 0 and above; lower is better.
    """

    accumulator = textgauge.Wer
    returns = "a float, the rate; a dict with wer, mer, wil, wip and the counts if more is asked for, as by counts=True"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> wer = evaluate.load(textgauge.path("wer"))
    >>> wer.compute(predictions=["a slow red fox"], references=["a quick fox"])
    0.6666666666666666
    """
