"""OpenRLHF: completions inside of texts with the prompt and special tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..checks import fail, line_to_install, shown
from .reward import Reward
from .texts import checked_column

# As the chat templates of common models write them.
SPECIAL_TOKENS = re.compile(r"<[|｜][^<>|｜\s]+[|｜]>|</?s>|<(?:bos|eos|pad|unk|start_of_turn|end_of_turn)>|\[/?INST\]")
# Enough characters to be found rarely by chance.
_BEGINNING = 32


def rewards_of_queries(
    reward: Reward,
    queries: Sequence[str],
    prompts: Sequence[str],
    labels: Sequence[Any],
    *,
    sources: Sequence[str] | None = None,
    special_tokens: re.Pattern[str] = SPECIAL_TOKENS,
) -> dict[str, Any]:
    """Return the rewards of texts that begin with their prompt, in the form of OpenRLHF's ``reward_func``.

    Parameters
    ----------
    reward : Reward
    queries : sequence of str
        Prompt, completion and special tokens, as they were decoded.
    prompts : sequence of str
    labels : sequence of str, of sequences of str, or None
        The references, which are left out where no model uses any.
    sources : sequence of str, optional
        What the completions translate, for metrics that read them. OpenRLHF passes none: a function of yours takes
        them from the prompts.
    special_tokens : re.Pattern
        What is dropped at both ends of a completion: inside it may stand for what it is in HTML or a program.

    Returns
    -------
    dict
        "rewards" and "scores", and "extra_logs": what `Reward` logs; as in OpenRLHF's example each is a tensor, float32
        of shape (n_queries,). A row without a reference has the lowest reward, since OpenRLHF takes no None.

    Raises
    ------
    ImportError
        If torch is missing, which OpenRLHF brings.
    """
    if reward.group is not None:
        fail(ValueError, "reward", "one without a group, since OpenRLHF passes completions one by one", repr(reward))
    if reward.source is not None and sources is None:
        fail(ValueError, "sources", f"those of the reward, which has source={reward.source!r}", "None")
    prompts, labels = checked_column(prompts, "prompts", len(queries)), checked_column(labels, "labels", len(queries))
    for name, texts in (("queries", queries), ("prompts", prompts)):
        for place, text in enumerate(texts):
            if not isinstance(text, str):
                fail(TypeError, f"{name}[{place}]", "a str", shown(text))
    completions = [_after_prompt(*both, special_tokens) for both in zip(queries, prompts, strict=True)]
    read = reward.read([None if text is None else _without_tokens(text, special_tokens) for text in completions])
    of_source = None if sources is None else checked_column(sources, "sources", len(queries))
    rewards, log = reward.against(read, labels if reward.uses_references else None, "labels", of_source)
    numbers = [reward.lowest if value is None else value for value in rewards]
    try:
        import torch
    except ImportError as error:
        raise ImportError(f"torch is not installed ({line_to_install('trainer')}): {error}") from None
    tensor = torch.tensor(numbers, dtype=torch.float32)
    logs = {name: torch.full_like(tensor, value) for name, value in {**reward.log_of_none, **log}.items()}
    return {"rewards": tensor, "scores": tensor, "extra_logs": logs}


def _without_tokens(text: str, special_tokens: re.Pattern[str]) -> str:
    """Return a completion without the special tokens and the white space at its ends."""
    text, ends = text.strip(), [token.span() for token in special_tokens.finditer(text.strip())]
    first, last = 0, len(text)
    for start, stop in ends:
        if stop > start and not text[first:start].strip():
            first = stop
    for start, stop in reversed(ends):
        if stop > start and not text[stop:last].strip():
            last = start
    return text[first:last].strip()


def _after_prompt(query: str, prompt: str, special_tokens: re.Pattern[str]) -> str | None:
    """Return the completion behind a prompt, which may lack its beginning and have special tokens before it."""
    completion, start = completion_of(query, prompt), 0
    if completion is not None:
        return completion
    while (token := special_tokens.match(query, start)) and token.end() > start:
        start = token.end()
    return completion_of(query[start:].lstrip(), prompt) if start else None


def completion_of(query: str, prompt: str) -> str | None:
    """Return what follows the prompt in a query; None if the prompt is not there.

    A long prompt may lack its beginning, and decoding may change white space and put a special token before it.

    Examples
    --------
    >>> completion_of("<s> Say it. Yes.</s>", "Say it.")
    ' Yes.</s>'
    """
    start = _end_of_prompt(query, prompt)
    if start is not None:
        return query[start:]
    places = [place for place, letter in enumerate(query) if not letter.isspace()]
    start = _end_of_prompt("".join(query.split()), "".join(prompt.split()))
    if start is None:
        return None
    return query[places[start - 1] + 1 :] if start else query


def _end_of_prompt(query: str, prompt: str) -> int | None:
    if query.startswith(prompt):
        return len(prompt)
    beginning = query[:_BEGINNING]
    start = prompt.find(beginning)
    if start >= 0:
        left = prompt[start:]
        n_common = len(left) if query.startswith(left) else _overlap(left, query)
        if n_common >= len(beginning):
            return n_common
    place = query.find(prompt)
    return place + len(prompt) if place >= 0 else None


def _overlap(text: str, query: str) -> int:
    """Return the length of the longest end of a text with which a query begins, in linear time (Knuth, Morris, Pratt).

    Examples
    --------
    >>> _overlap("say it twice", "twice is nice")
    5
    """
    letters = [*query[: len(text)], None, *text]
    # Of every beginning, the length of the longest shorter one with which it also ends.
    borders = [0]
    for letter in letters[1:]:
        n_common = borders[-1]
        while n_common and letters[n_common] != letter:
            n_common = borders[n_common - 1]
        borders.append(n_common + (letters[n_common] == letter))
    return borders[-1]
