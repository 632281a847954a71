"""Character error rate for `evaluate.load`."""

import textgauge
from textgauge import modules


class Cer(modules.ErrorRateMetric):
    """CER is the number of characters that a transcript has wrong, too many or too few, per character of its reference.
    The figures are those of jiwer 4, 0 and above; lower is better.
    """

    accumulator = textgauge.Cer
    returns = "a float, the rate; a dict with cer and the counts if more is asked for, as by counts=True"
    examples = """
    >>> import evaluate
    >>> import textgauge
    >>> cer = evaluate.load(textgauge.path("cer"))
    >>> cer.compute(predictions=["slow fox"], references=["a slow ox"])
    0.3333333333333333
    """
