"""All targets, and what both engines do with one."""

import sys
import time
import warnings

import hypothesis
from hypothesis import HealthCheck, given, settings

from . import doors, models, rouges, scores, systems, tables, texts

ROOMS = (texts, scores, rouges, models, systems, tables, doors)
TARGETS = {name: target for room in ROOMS for name, target in room.TARGETS.items()}
PER_ROUND = 200


class Target:
    """A check with what it is fed; `count` is the number of inputs that it was given."""

    def __init__(self, name):
        self.name, self.count = name, 0
        self.check, self.strategy = TARGETS[name]

    def __call__(self, args):
        self.count += 1
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.check(*args)
        except BaseException:
            sys.stderr.write(f"{self.name}{ascii(args)}\n")
            raise

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
