"""All targets, and how both engines run one, on either kernel."""

import sys
import time
import warnings

import hypothesis
from hypothesis import HealthCheck, given, settings
from textgauge import engine, plain

from . import inputs, models, rouges, scores, systems, tables, texts

MODULES = (texts, scores, rouges, models, systems, tables, inputs)
TARGETS = {name: target for module in MODULES for name, target in module.TARGETS.items()}
KERNELS = {"compiled": engine.kernel, "plain": plain} if engine.kernel is not plain else {"plain": plain}
PER_ROUND = 100


class Target:
    """A check and its inputs; `count` is the number of inputs so far."""

    def __init__(self, name, kernel):
        self.name, self.kernel, self.count = name, kernel, 0
        self.check, self.strategy = TARGETS[name]

    def __call__(self, args):
        self.count += 1
        chosen, engine.kernel = engine.kernel, KERNELS[self.kernel]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.check(*args)
        except BaseException:
            sys.stderr.write(f"{self.name} on the {self.kernel} kernel{ascii(args)}\n")
            raise
        finally:
            engine.kernel = chosen

    def property_test(self, **options):
        """The target as a property test of Hypothesis."""
        quiet = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck), **options)

        @quiet
        @given(self.strategy)
        def test(args):
            self(args)

        return test

    def random_inputs(self, seconds, first_seed=0):
        """Feed what Hypothesis draws, round by round, until the time is over."""
        end, seed = time.monotonic() + seconds, first_seed
        while time.monotonic() < end:
            hypothesis.seed(seed)(self.property_test(max_examples=PER_ROUND))()
            seed += 1
        return self.count
