"""``reward_func`` of OpenRLHF, found by the path of this file: ``--reward.remote_url``.

OpenRLHF passes no options to the file, so they are in the environment: ``TEXTGAUGE_REWARD`` has the arguments of
`Reward` as JSON. A file of your own needs one line: ``reward_func = partial(rewards_of_queries, Reward(...))``.
"""

import json
import os
from functools import partial
from typing import Any

from textgauge.checks import fail, shown
from textgauge.rewards.queries import rewards_of_queries
from textgauge.rewards.reward import Reward

_NAME = "TEXTGAUGE_REWARD"


def __getattr__(name: str) -> Any:
    # OpenRLHF takes it when it starts, and would swallow what its calls raise.
    if name != "reward_func":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    text = os.environ.get(_NAME, "")
    try:
        arguments = json.loads(text)
    except ValueError:
        arguments = None
    not_passed = ("group", "source")
    if (
        not isinstance(arguments, dict)
        or "metric" not in arguments
        or any(arguments.get(name) is not None for name in not_passed)
    ):
        allowed = 'the arguments of Reward as JSON, such as {"metric": "NAME"}, without a group or a source'
        fail(ValueError, _NAME, allowed, shown(text))
    return partial(rewards_of_queries, Reward(**arguments))
