"""`rouge_score`, whose counting is our kernel's."""

from .. import rest_when_asked

__getattr__ = rest_when_asked("rouge_score")
