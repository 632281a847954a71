"""verl and OpenRLHF call a reward as these tests do: neither installs beside the project."""

import asyncio
import importlib.util
import inspect
import json
import pickle
import re
import shlex
import subprocess
import sys
from functools import partial
from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pytest
import textgauge
from conftest import ROOT
from growing import BOUND, FACTOR, growth
from textgauge.rewards import Reward
from textgauge.rewards.queries import SPECIAL_TOKENS, completion_of, rewards_of_queries

from .documents import example


def module_at(path, name):
    """Load a module from a file as both do."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def compute_score():
    return module_at(textgauge.path("rewards/verl"), "custom_module_17").compute_score


@pytest.fixture
def torch(monkeypatch):
    """What OpenRLHF brings; where it is missing, arrays stand for tensors."""
    if find_spec("torch") is None:
        stands_in = SimpleNamespace(tensor=np.array, full_like=np.full_like, float32=np.dtype("float32"))
        monkeypatch.setitem(sys.modules, "torch", stands_in)
    return importlib.import_module("torch")


def of_verl(raw, extra, *args, **kwargs):
    """`verl.trainer.ppo.reward._call_with_kwargs` of 0.9.1."""
    return raw(*args, **{**kwargs, **extra})


def test_verl_takes_a_score_from_a_file(compute_score):
    assert not inspect.iscoroutinefunction(compute_score)
    call = partial(of_verl, compute_score, {"metric": "rougeL(use_stemmer=True)", "extract": "\\boxed{}"})
    given = {"data_source": "mine", "extra_info": {"num_turns": None, "rollout_reward_scores": {}}}
    result = call(solution_str=r"so \boxed{the cats}", ground_truth="the cat", **given)
    assert result == {"score": 1.0, "length": 8.0, "without_text": 0.0, "unmatched": 0.0, "empty": 0.0, "zero": 0.0}
    unmatched = call(
        solution_str="the cats", ground_truth="the cat", **given, reward_router_address="10", memory_limit_mb=1
    )
    assert (unmatched["score"], unmatched["unmatched"]) == (0.0, 1.0)
    assert unmatched.keys() == result.keys()
    assert call(solution_str=r"\boxed{a}", ground_truth=["b", "a"], **given)["score"] == 1.0
    assert call(solution_str=r"\boxed{a}", ground_truth=None, **given)["score"] == 0.0
    assert call(solution_str="\ud800", ground_truth="a", **given)["score"] == 0.0


def test_row_without_references(compute_score):
    scores = [compute_score("x", "a", truth, metric="ter", scale="metric")["score"] for truth in ("a", None)]
    assert scores == [0.0, 100.0]


@pytest.mark.usefixtures("torch")
def test_label_without_references():
    reward = Reward("ter", scale="metric")
    found = rewards_of_queries(reward, ["Q a", "Q a", "Q"], ["Q"] * 3, ["a", None, "a"])
    assert found["rewards"].tolist() == found["scores"].tolist() == [0.0, 100.0, 100.0]


def test_verl_may_mix_options(compute_score):
    metrics = ("chrf", "chrf(word_order=2)", "chrf")
    both = [compute_score("x", "a b c", "a b d", metric=metric)["score"] for metric in metrics]
    assert both[0] == both[2] != both[1]
    # And other arguments of the reward, beside one metric.
    for argument, values, scores in (
        ("scale", ("unit", "metric"), [0.0, 100.0]), ("extract", (None, "((...))"), [0.0, 1.0]),
    ):  # fmt: skip
        found = [compute_score("x", "((c))", "c", metric="ter", **{argument: value}) for value in values * 2]
        assert [one["score"] for one in found] == scores * 2
    listed = compute_score("x", "a b c", "a b d", metric=["chrf", "rouge1"], weights=[1, 1])
    assert listed["score"] == pytest.approx((listed["chrf"] + listed["rouge1"]) / 2)


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize("metric", ["rougeL", ["rougeL", "ter"]])
def test_log_without_references(metric, compute_score):
    one, none = (compute_score("x", "a cat", truth, metric=metric, scale="metric") for truth in ("a cat", None))
    assert one.keys() == none.keys()
    assert (one["zero"], none["zero"]) == (0.0, 1.0)
    reward = Reward(metric)
    one, none = (rewards_of_queries(reward, ["Q a"], ["Q"], [label])["extra_logs"] for label in ("a", None))
    assert one.keys() == none.keys()


def test_configuration_of_verl():
    page = (ROOT / "metrics/REWARDS.md").read_text()
    [lines] = re.findall(r"^```sh\n(.*?)^```$", page, re.M | re.S)
    command = subprocess.run(
        ["bash", "-c", f'python() {{ {shlex.quote(sys.executable)} "$@"; }}\nprintf "%s\\n" ' + lines],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    given = dict(one.lstrip("+").split("=", 1) for one in command.stdout.splitlines())
    at = "reward.custom_reward_function."
    called = getattr(module_at(given.pop(at + "path"), "custom_module"), given.pop(at + "name"))
    options = {name.removeprefix(at + "reward_kwargs."): value for name, value in given.items()}
    assert called("mine", "two cats", "two cats", **options)["score"] == 1


def test_the_table_of_arguments_has_their_defaults():
    page = (ROOT / "metrics/REWARDS.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)` \| ?(.*?) \| .* \|$", page, re.M))
    parameters = list(inspect.signature(Reward).parameters.values())
    empty = inspect.Parameter.empty
    assert rows == {one.name: "" if one.default is empty else f"`{one.default!r}`" for one in parameters}


def test_wrong_configuration_of_verl(compute_score):
    for wrong in ({}, {"metric": "bleu", "group": "mbr"}):
        with pytest.raises(ValueError, match=r"^reward_kwargs: .*group.*got \{"):
            compute_score("x", "a", "a", **wrong)
    with pytest.raises(TypeError, match="ground_truth"):
        compute_score("x", "a", 3, metric="bleu")


ARGUMENTS = {"metric": "rougeL", "extract": "<answer>...</answer>"}


async def fetched(reward_func, queries, prompts, labels):
    """`SingleTurnAgentExecutor._fetch_rewards_via_func` of OpenRLHF 0.11.2: one query per call, in threads."""
    columns = zip(queries, prompts, labels, strict=True)
    return await asyncio.gather(*(asyncio.to_thread(reward_func, *([one] for one in row)) for row in columns))


def test_openrlhf_takes_a_function_from_a_file(monkeypatch, torch):
    monkeypatch.setenv("TEXTGAUGE_REWARD", json.dumps(ARGUMENTS))
    path = textgauge.path("rewards/openrlhf")
    assert path.endswith(".py")
    reward_func = module_at(path, "reward_func").reward_func
    prompt = "<|im_start|>user\nSay <answer>a cat</answer>.<|im_end|>\n<|im_start|>assistant\n"
    queries = [f"{prompt}<answer>{text}</answer><|im_end|>" for text in ("a cat", "a dog", "a cat")]
    queries.append(f"{prompt}a cat<|im_end|>")
    results = asyncio.run(fetched(reward_func, queries, [prompt] * 4, ["a cat", "a cat", None, "a cat"]))
    assert [result["rewards"].tolist() for result in results] == [[1.0], [0.5], [0.0], [0.0]]
    assert results[0].keys() == {"rewards", "scores", "extra_logs"}
    assert results[0]["scores"].tolist() == [1.0]
    assert results[3]["extra_logs"]["unmatched"].tolist() == [1.0]
    assert pickle.loads(pickle.dumps(reward_func))([queries[0]], [prompt], ["a cat"])["rewards"].tolist() == [1.0]
    # As in `examples/python/reward_func.py`, where all three are one tensor.
    tensors = [results[0]["rewards"], results[0]["scores"], *results[0]["extra_logs"].values()]
    assert {(tensor.dtype, tensor.shape) for tensor in tensors} == {(torch.float32, (1,))}


@pytest.mark.parametrize(
    "given",
    [
        "", "rougeL", '{"extract": "x"}', "[1]", '{"metric": "rougeL", "group": "mbr"}',
        '{"metric": "sari", "source": "question"}',
    ],
)  # fmt: skip
def test_wrong_arguments_of_openrlhf(given, monkeypatch):
    monkeypatch.setenv("TEXTGAUGE_REWARD", given)
    module = module_at(textgauge.path("rewards/openrlhf"), "reward_func")
    with pytest.raises(ValueError, match="^TEXTGAUGE_REWARD: "):
        _ = module.reward_func


@pytest.mark.parametrize(
    ("arguments", "columns", "message"),
    [
        ({"group": "mbr"}, (["Q"], ["a"]), r"^reward: .*got <Reward rougeL\+mbr>"),
        ({}, (["Q"], None), "^labels: .*got None"),
        ({}, ([None], ["a"]), r"^prompts\[0\]: .*got None"),
        ({}, (["Q", "Q"], ["a"]), "^prompts: .*got 2"),
    ],
)
def test_refused_queries(arguments, columns, message):
    with pytest.raises((TypeError, ValueError), match=message):
        rewards_of_queries(Reward("rougeL", **arguments), ["Q a"], *columns)


@pytest.mark.parametrize(
    ("query", "prompt", "found"),
    [
        ("Q: x\nA: y</s>", "Q: x\nA:", " y</s>"),
        ("<s>Q: x\nA: y", "Q: x\nA:", " y"),
        # Decoding put in white space.
        ("<s> [INST] x [/INST] y", "<s>[INST] x [/INST]", " y"),
        # The beginning of a long prompt was dropped.
        ("of a long prompt that goes on and on: y", "The beginning of a long prompt that goes on and on:", " y"),
        ("a b a b a b a b a b a b a b a b a b a b: y", "x a b a b a b a b a b a b a b a b a b a b a b:", " y"),
        ("y", "", "y"),
        ("something else", "Q: x", None),
    ],
)
def test_the_completion_follows_the_prompt(query, prompt, found):
    assert completion_of(query, prompt) == found


@pytest.mark.usefixtures("torch")
def test_special_token_in_prompt():
    prompt = "The beginning of a very long prompt that goes on and on: "
    result = rewards_of_queries(Reward("rougeL"), [f"<s><s> {prompt[-36:]}a cat</s>"], [prompt], ["a cat"])
    assert result["rewards"].tolist() == [1.0]


@pytest.mark.parametrize("n_left", range(1, 70))
def test_32_characters_are_enough_of_a_prompt_that_lost_its_beginning(n_left):
    prompt = "".join(map(chr, range(0x4E00, 0x4E00 + 70)))
    assert completion_of(prompt[-n_left:] + " y", prompt) == (" y" if n_left >= 32 else None)


def test_search_for_prompt_is_linear():
    def search(n):
        assert completion_of("a" * n + "c", "a" * n + "b") is None

    assert growth(search, 4_000, 4_000 * FACTOR) < BOUND


@pytest.mark.usefixtures("torch")
def test_query_without_prompt():
    result = rewards_of_queries(Reward("rougeL"), ["a cat"], ["Say it."], ["a cat"])
    assert (result["rewards"], result["extra_logs"]["without_text"]) == (0.0, 1.0)
    with pytest.raises(ValueError, match=r"^labels: .*\(1\).*got 2"):
        rewards_of_queries(Reward("rougeL"), ["a"], ["a"], ["a", "b"])


@pytest.mark.parametrize(
    "text",
    ["a cat<|im_end|>", "<s>a cat</s>", "a cat<|eot_id|><|end_of_text|>", "a cat<｜end▁of▁sentence｜>", "a cat<eos>"],
)
def test_special_tokens_are_dropped(text):
    assert SPECIAL_TOKENS.sub("", text) == "a cat"
    assert SPECIAL_TOKENS.sub("", "<think>a < b | c > d</think>") == "<think>a < b | c > d</think>"


@pytest.mark.parametrize(
    ("said", "label", "reward"),
    [("x <| y |> z", "x <| y |> z", 1.0), ("a <s>b</s> c<|im_end|> </s>", "a <s>b</s> c", 1.0), ("<s>", "", 0.0)],
)
def test_special_tokens_inside_a_completion_stay(said, label, reward):
    pytest.importorskip("torch")
    rewards = rewards_of_queries(Reward("exact_match"), [f"Q: {said}"], ["Q:"], [label])["rewards"]
    assert rewards.tolist() == [reward]


def test_a_path_is_one_that_there_is():
    with pytest.raises(ValueError, match="'rewards/openrlhf'"):
        textgauge.path("rewards/trl")


@pytest.fixture(scope="module")
def of_the_document():
    named = {"Reward": Reward}
    for name in ("rewards_of_step", "custom_rm"):
        exec(example(f"def {name}("), named)
    return SimpleNamespace(**named)


def test_nemo_rl(of_the_document):
    logs = [
        [{"role": "user", "content": "Say it."}, {"role": "assistant", "content": said}]
        for said in ("a cat", "a dog", "")
    ]
    # As `CodeJaccardEnvironment.step` of 0.6.0 is called; messages may have tensors beside their text.
    logs[0][1]["token_ids"] = object()
    assert of_the_document.rewards_of_step(logs, [{"ground_truth": "a cat"}] * 3) == [1.0, 0.5, 0.0]


def test_slime(of_the_document):
    # `slime.utils.types.Sample` of 0.3.1 has more fields; `async_rm` and `batched_async_rm` call like this.
    samples = [SimpleNamespace(prompt="Say it.", response=said, label="a cat") for said in ("a cat", "a dog")]
    arguments = SimpleNamespace(group_rm=True)
    assert asyncio.run(of_the_document.custom_rm(arguments, samples)) == [1.0, 0.5]
    assert asyncio.run(of_the_document.custom_rm(arguments, samples[1], evaluation=True)) == 0.5
