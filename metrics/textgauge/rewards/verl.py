"""``compute_score`` of verl, found by the path of this file: ``reward.custom_reward_function.path``."""

from typing import Any

from textgauge.checks import fail, shown
from textgauge.rewards.reward import Reward
from textgauge.rewards.texts import column_of

# What the managers of verl pass beside `reward_kwargs`.
_OF_VERL = (
    "reward_router_address", "reward_model_tokenizer", "sandbox_fusion_url", "concurrent_semaphore", "memory_limit_mb",
)  # fmt: skip
_made: list[tuple[dict[str, Any], Reward]] = []


def compute_score(
    data_source: Any,  # noqa: ARG001
    solution_str: str,
    ground_truth: Any,
    extra_info: Any = None,
    **reward_kwargs: Any,
) -> dict[str, float]:
    """Return the reward of one completion.

    Parameters
    ----------
    solution_str : str
    ground_truth : str or sequence of str
        The references. Without any the reward is the lowest, since verl takes no None; a model of "comet" may use none.
    extra_info : mapping, optional
        Of the row: what `source` of `Reward` names.
    reward_kwargs
        ``metric``, and other arguments of `Reward`.

    Returns
    -------
    dict
        "score", and what `Reward` logs.
    """
    for name in _OF_VERL:
        reward_kwargs.pop(name, None)
    reward = next((reward for arguments, reward in _made if arguments == reward_kwargs), None) or _new(reward_kwargs)
    row = {name: [value] for name, value in (extra_info or {}).items()}
    sources = None if reward.source is None else column_of(row, reward.source, 1, "source")
    references = [ground_truth] if reward.uses_references else None
    [score], log = reward.against(reward.read([solution_str]), references, "ground_truth", sources)
    # verl collects the values by key, and needs every key of every completion.
    return {"score": reward.lowest if score is None else score, **reward.log_of_none, **log}


def _new(arguments: dict[str, Any]) -> Reward:
    if "metric" not in arguments or arguments.get("group") is not None:
        fail(ValueError, "reward_kwargs", "a metric, and no group, since completions come one by one", shown(arguments))
    reward = Reward(**arguments)
    _made.append((arguments, reward))
    return reward
