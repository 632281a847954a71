"""What metrics declare, for tests of all of them: a new metric stands in no list of tests."""

import math
from functools import partial

from option_values import WITH_A_MODEL
from textgauge.accumulation.accumulator import accumulator_of
from textgauge.accumulation.registry import METRICS
from textgauge.metric import Metric
from textgauge.metric.metric import with_defaults


def needs_more(name):
    """Whether it needs a model or files beside texts, which may be missing: the tests of its own folder have them."""
    return name in WITH_A_MODEL or METRICS[name].check_ready is not Metric.check_ready


# Metrics that count, and compare with references.
COUNTED = [name for name in METRICS if METRICS[name].inputs.has_references and not needs_more(name)]


def reads_sources(name):
    return "sources" in METRICS[name].inputs.needed


def sources_of(name, hyps):
    """The sources as keywords, which are the predictions from last to first, where a metric needs any."""
    return {"sources": [*hyps][::-1]} if reads_sources(name) else {}


def adding(metric):
    """Whether rows of several calls may be added."""
    return metric.sums.kind != "whole" or metric.sums.refusal is None


def adds_up(name):
    """Whether rows of several calls may be added, with the usual options."""
    return adding(with_defaults(METRICS[name]))


# Those of two columns; and those whose segments may be counted apart.
PAIRED = [name for name in COUNTED if not reads_sources(name)]
APART = [name for name in PAIRED if adds_up(name)]


def main_of(result, key):
    """The main score that a module returns: under its key, "score" or the first key, or alone."""
    if not isinstance(result, dict):
        return result
    return result.get(key, result.get("score", next(iter(result.values()))))


class Sourced:
    """The class of a metric that needs sources, for tests that give predictions and references."""

    def __init__(self, kind, **options):
        self.wrapped = kind(**options)

    def update(self, hyps, refs):
        # A source depends on its own segment alone, so that segments may be split and reordered.
        self.wrapped.update(hyps, refs, sources=[str(text)[::-1] for text in hyps])
        return self

    def __add__(self, other):
        both = Sourced.__new__(Sourced)
        both.wrapped = self.wrapped + other.wrapped
        return both

    def __radd__(self, other):
        return self if other == 0 else NotImplemented

    def __getattr__(self, name):
        if name.startswith("__") or name == "wrapped":
            raise AttributeError(name)
        return getattr(self.wrapped, name)


def class_of(name, **options):
    """What makes an accumulator of a metric, whose `update` takes predictions and references."""
    kind = accumulator_of(METRICS[name])
    return partial(Sourced, kind, **options) if reads_sources(name) else partial(kind, **options)


def goodness(name):
    """The function from a result to how good its main score is, 1 at best; None without an end; and the worst."""
    scores = with_defaults(METRICS[name]).scores
    main = scores.of(scores.headline)
    if main.perfect is None:
        return None, 0.0
    if main.higher_is_better:
        return lambda result: [result[main.key] / scores.scale / main.perfect], 0.0
    largest = main.largest if math.isfinite(main.largest) else math.inf
    return lambda result: [1 - (result[main.key] / scores.scale - main.perfect)], 1 - largest
