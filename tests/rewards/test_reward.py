"""Rewards are the scores of single segments, from 0 to 1, whatever completions a model writes."""

import copy
import functools
import pickle
import threading
import warnings
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from textgauge.accumulation.register import register
from textgauge.accumulation.registry import METRICS
from textgauge.metric import Score, Scores
from textgauge.rewards import Reward
from textgauge.rewards.texts import are_ids
from toys import TOYS

TEXTS = ["the cat sat on the mat", "a dog barks at night", "rain", "who knows what the weather will be"]
ANSWERS = ["the cat is on the mat", ["the dog barks", "a dog barked"], "it rains", ["who knows", "nobody knows what"]]


def segments(metric):
    references = [[of] if isinstance(of, str) else of for of in ANSWERS]
    return textgauge.segment_scores(metric, TEXTS, references).tolist()


@pytest.fixture(params=TOYS)
def toy(request):
    register(TOYS[request.param].metric_type)
    yield request.param
    METRICS.pop(request.param)


def test_reward_from_0_to_1():
    for name, largest in (("bleu", 1), ("rougeL", 1), ("rouge", 1), ("token_f1", 1), ("sacrebleu", 100)):
        expected = [score / largest for score in segments(name)]
        assert Reward(name)(completions=TEXTS, answer=ANSWERS) == expected
    chrf = Reward("chrf(word_order=2)")
    scores = segments("chrf(word_order=2)")
    assert chrf(completions=TEXTS, answer=ANSWERS) == [score / 100 for score in scores]
    assert Reward("chrf(word_order=2)", scale="metric")(completions=TEXTS, answer=ANSWERS) == scores
    assert Reward("token_f1_exact_match")(completions=["The cat.", "x"], answer=[["x", "cat"], "b"]) == [1.0, 0.0]


def test_lower_is_better():
    edits = segments("ter")
    assert max(edits) > 100
    rewards = Reward("ter")(completions=TEXTS, answer=ANSWERS)
    assert rewards == [1 - min(1, score / 100) for score in edits]
    own = Reward("ter", scale="metric")(completions=[*TEXTS, ""], answer=[*ANSWERS, "a"])
    assert own == [*(min(100, score) for score in edits), 100.0]


def test_own_scale_is_cut_off_at_the_lowest_reward():
    """No text is worth less than none, and the log counts both."""
    log, reward = {}, Reward("ter", scale="metric")
    found = reward(completions=["a b c d e", "", "a"], answer=["x", "x", "a"], log_metric=log.__setitem__)
    assert (found, log["rewards/ter/zero"]) == ([100.0, 100.0, 0.0], 2 / 3)


def test_scale_of_rewards(toy):
    completions, answers = ["a b c", "a"], ["a b c", "a b c d"]
    # The share of missing words, of at most 10; minus the logarithm of a length, whose best is 0.
    expected = {"miss": [1.0, 1 - 0.075], "drift": [1.0, 0.0]}[toy]
    assert Reward(toy)(completions=completions, answer=answers) == pytest.approx(expected)
    lowest = {"miss": 10.0, "drift": -10.0}[toy]
    assert Reward(toy, scale="metric")(completions=[""], answer=["a"]) == [lowest]


def test_score_below_0():
    scores = Scores(Score("level", "signed"), Score("half"), scale=10.0)
    members = {"name": "signed", "scores": scores, "__doc__": "Signed."}
    register(type("Signed", (TOYS["drift"].metric_type,), members))
    try:
        assert Reward("signed")(completions=["a", "ab"], answer=["abcdef", "ab"]) == [0.0, 0.0]
        assert Reward("signed", scale="metric")(completions=["ab"], answer=["abcde"]) == [-10.0]
    finally:
        METRICS.pop("signed")


def test_several_metrics_are_a_weighted_mean():
    single = [Reward(name)(completions=TEXTS, answer=ANSWERS) for name in ("bleu", "rougeL")]
    logged = {}
    both = Reward(["bleu(max_order=4)", "rougeL"], weights=[3, 1])
    rewards = both(completions=TEXTS, answer=ANSWERS, log_metric=logged.__setitem__)
    assert rewards == pytest.approx([0.75 * a + 0.25 * b for a, b in zip(*single, strict=True)], rel=1e-15)
    assert both.__name__ == "bleu+rougeL"
    assert logged["rewards/bleu+rougeL/rougeL"] == pytest.approx(np.mean(single[1]))
    even = Reward(["bleu", "rougeL"])(completions=TEXTS, answer=ANSWERS)
    assert even == pytest.approx([(a + b) / 2 for a, b in zip(*single, strict=True)], rel=1e-15)


@pytest.mark.parametrize("kind", [list, tuple, np.array, pa.array], ids=["list", "tuple", "numpy", "arrow"])
def test_columns_may_be_of_any_kind(kind):
    column = kind(["a cat", "a dog"])
    column = column.to_pylist() if kind is pa.array else column
    assert Reward("rougeL")(completions=kind(["a cat", "dog"]) if kind is not pa.array else ["a cat", "dog"],
                            answer=column) == [1.0, pytest.approx(2 / 3)]  # fmt: skip


def test_references_may_be_ragged_and_none():
    column = ["a cat", None, [], [None], ["a dog", None, "a cat"], np.array(["a cat"], object), [None, "x"]]
    given = ["a cat"] * len(column)
    reward = Reward("rougeL", reference="gold", missing=None)
    assert reward(completions=given, gold=column) == [1.0, None, None, None, 1.0, 1.0, 0.0]
    for missing in (0.5, 0.0):
        assert Reward("rougeL", reference="gold", missing=missing)(completions=given, gold=column)[1] == missing
    assert reward(completions=[], gold=[]) == []
    logged = {}
    assert reward(completions=["a"], gold=[None], log_metric=logged.__setitem__) == [None]
    assert "rewards/rougeL/zero" not in logged
    for number in (1.0, np.float64(1.0), np.array(1.0)):
        with pytest.raises(TypeError, match=r"^gold\[0\]: expected a str"):
            reward(completions=["a"], gold=[number])


BAD = [
    "", " \n\t", [{"role": "assistant", "content": ""}], "\ud800 cat",
    None, [], [{"role": "assistant"}], [{"role": "assistant", "content": None}], 7, {},
    [{"role": "user", "content": "a cat"}], [{"role": "assistant", "content": [{"type": "image"}]}], [3, 4], b"a cat",
    [{"role": "assistant", "content": 3}], [[]], float("nan"), ["a cat"],
]  # fmt: skip


@pytest.mark.parametrize("metric", ["bleu", "rougeL", "chrf", "ter", "token_f1", ["bleu", "ter"]])
def test_hostile_completions(metric):
    logged = {}
    reward = Reward(metric)
    rewards = reward(completions=[*BAD, "a cat"], answer=["a cat"] * (len(BAD) + 1), log_metric=logged.__setitem__)
    assert rewards == [0.0] * len(BAD) + [1.0]
    shares = {name.rpartition("/")[2]: value * (len(BAD) + 1) for name, value in logged.items()}
    counts = {name: shares[name] for name in ("without_text", "empty", "unmatched", "zero", "length")}
    n_empty = 3
    assert counts == pytest.approx(
        {"without_text": len(BAD) - n_empty, "empty": n_empty, "unmatched": 0, "zero": len(BAD), "length": 5}
    )
    assert {name.rpartition("/")[0] for name in logged} == {f"rewards/{reward.__name__}"}
    assert Reward(metric)(completions=[bad for bad in BAD], answer=[None] * len(BAD)) == [None] * len(BAD)


TEXT = st.text(st.characters(), max_size=8) | st.sampled_from(["a cat", "\ud800", "<a>x</a>", "{}", "\x00"])
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.binary(max_size=3) | TEXT
KEYS = st.sampled_from(["role", "content", "type", "text"]) | st.integers()
ANYTHING = st.recursive(
    LEAVES | st.fixed_dictionaries({"role": st.just("assistant"), "content": LEAVES}),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3) | st.tuples(inner),
    max_leaves=6,
)
EVERY = [
    Reward(["bleu", "rougeL", "chrf", "ter", "token_f1"], extract="<a>...</a>"),
    Reward(["bleu", "rougeL", "ter"], tokenizer=SimpleNamespace(decode=lambda ids, skip_special_tokens: str(ids))),
    Reward("chrf", group="mbr"),
    Reward("rougeL", group="diversity"),
]


@given(st.lists(ANYTHING, max_size=5), st.sampled_from(EVERY))
def test_any_text_from_0_to_1(completions, reward):
    if any(map(are_ids, completions)):
        completions.append("a cat")
    prompts = ["p"] * len(completions)
    rewards = reward(prompts, completions, answer=["a cat"] * len(completions), log_metric=lambda name, value: None)
    assert len(rewards) == len(completions)
    assert [one for one in rewards if one is not None and not 0 <= one <= 1] == []
    assert reward.group is not None or None not in rewards


def test_last_message_counts():
    messages = [
        [{"role": "assistant", "content": "a cat"}],
        [{"role": "assistant", "content": "a cat"}, {"role": "assistant", "content": ""}],
        [{"role": "assistant", "content": "let me see", "tool_calls": []}, {"role": "tool", "content": "a dog"},
         {"role": "assistant", "content": [{"type": "text", "text": "a "}, {"type": "text", "text": "cat"}]}],
        [{"role": "assistant", "content": "a cat"}, {"role": "assistant", "content": None}],
        {"role": "assistant", "content": "a cat"},
        [{"content": "a cat"}],
    ]  # fmt: skip
    assert Reward("token_f1_exact_match")(completions=messages, answer=["a cat"] * 6) == [1.0] * 6


class Letters:
    n_decoded = 0

    def decode(self, ids, skip_special_tokens):
        assert skip_special_tokens
        self.n_decoded += 1
        return " ".join("_abc"[i] for i in ids if i)


def test_decoded_token_ids():
    tokenizer = Letters()
    reward = Reward("rougeL", tokenizer=tokenizer)
    assert reward(completion_ids=[[1, 2, 0], np.array([3]), (9, 9)], answer=["a b", "c", "a"]) == [1.0, 1.0, 0.0]
    assert tokenizer.n_decoded == 3
    assert reward(None, ["a b"], [[3]], answer=["a b"]) == [1.0]
    assert tokenizer.n_decoded == 3


def test_it_pickles_with_its_name():
    reward = Reward(["bleu", "rougeL(use_stemmer=True)"], weights=[1, 2], extract="<a>...</a>")
    reward.__name__ = "mine"
    for twin in (pickle.loads(pickle.dumps(reward)), copy.deepcopy(reward)):
        assert twin.__name__ == "mine"
        given = [f"<a>{text}</a>" for text in TEXTS]
        assert twin(completions=given, answer=ANSWERS) == reward(completions=given, answer=ANSWERS)


def test_threads_share_one():
    reward = Reward(["bleu", "rougeL"], extract="<a>...</a>")
    given = [f"<a>{text}</a>" for text in TEXTS]
    expected, found = reward(completions=given, answer=ANSWERS), []
    threads = [
        threading.Thread(target=lambda: found.extend(reward(completions=given, answer=ANSWERS) for _ in range(50)))
        for _ in range(8)
    ]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert found == [expected] * 400


def test_advice_is_given_once(recwarn):
    reward = Reward("rougeL")
    chinese = functools.partial(reward, completions=["猫在垫子上"], answer=["猫坐在垫子上"])
    with pytest.warns(UserWarning, match="tokenizer='unicode'"):
        assert chinese() == [0.0]
    assert chinese() == [0.0]
    assert [str(one.message) for one in recwarn if "tokenizer" in str(one.message)] == []


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Reward("blue"), "^metric: .*got 'blue'"),
        (lambda: Reward("perplexty"), r"^metric: ((?!perplexity').)*$"),
        (lambda: Reward([]), "^metric: .*different"),
        (lambda: Reward(["bleu", "bleu"]), "^metric: .*different"),
        (lambda: Reward("chrf", weights=[0.5, 0.5]), "weights: .*one above 0 .options of a metric stand behind its"),
        (lambda: Reward(["bleu", "chrf"], weights=[0, 0]), r"^weights: .*got \[0, 0\]"),
        (lambda: Reward(["bleu", "chrf"], weights=[1, -1]), r"^weights\[1\]: .*got -1"),
        *(
            (lambda ids=ids: Reward("bleu")(completion_ids=[[1, 2], ids], answer=["a"] * 2), "tokenizer: .*token ids")
            for ids in ([3], np.array([3]), [np.int64(3)], [], None)
        ),
        (lambda: Reward("bleu", tokenizer="zh"), r"tokenizer: .*as in \"bleu\(tokenizer='zh'\)\""),
        (lambda: Reward("bleu")(), "^completions: "),
        (lambda: Reward("bleu")(completions="a"), "^completions: "),
        (
            lambda: Reward("bleu")(completions=["a"], anwser=["a"]),
            "'anwser', got 'answer' .*, pass reference='anwser'$",
        ),
        (
            lambda: Reward("chrf")(prompts=["q"], completions=["a b"], answers=["a c"], gold=["a c"]),
            "^reference: .* one of the columns 'answers', 'gold', got 'answer' .*, pass reference='answers'$",
        ),
        (lambda: Reward("chrf")(completions=["a"], x=["a"], y=["a"]), "columns 'x', 'y', got 'answer' .str.$"),
        (lambda: Reward("bleu")(completions=["a"]), "a column that was passed; none was, got 'answer'"),
        (lambda: Reward("bleu")(completions=["a"], answer=["a", "b"]), r"answer: .* completions \(1\), got 2"),
        (lambda: Reward("bleu")(completions=["a"], answer="a"), "^answer: .*got 'a'"),
        (lambda: Reward("bleu")(completions=["a", "b"], answer=["a", 3]), r"^answer\[1\]: .*got 3"),
        (lambda: Reward("bleu")(completions=["a"], answer=[["a", 3]]), r"^answer\[0\]\[1\]: .*got 3"),
        (lambda: Reward("bleu")(completions=["a"], answer=["\ud800"]), r"^answer\[0\]: .*got a lone surrogate"),
        (lambda: Reward("bleu", group="mbr")(completions=["a"]), "^prompts: .*got None"),
    ],
)
def test_what_is_wrong_is_named(make, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make()


def test_options_with_names_of_rewards():
    reward = Reward(["bleu(max_order=2, weights=[1, 0])"])
    assert reward(completions=["a b c"], answer=["a c b"]) == [1.0]


PROMPTS = ["p", "p", "q", "p", "r", "q"]
GROUPS = ["a cat sat", "a cat sits", "it rains", "the cat sat", "alone", "it rained"]


@pytest.mark.parametrize("as_messages", [False, True])
def test_completions_of_one_prompt(as_messages):
    prompts = [[{"role": "user", "content": one}] for one in PROMPTS] if as_messages else PROMPTS
    similar = []
    for place, (prompt, text) in enumerate(zip(PROMPTS, GROUPS, strict=True)):
        others = [GROUPS[i] for i, other in enumerate(PROMPTS) if other == prompt and i != place]
        scores = [textgauge.rouge([text], [other])["rougeL"] for other in others]
        similar.append(sum(scores) / len(scores) if scores else None)
    assert similar[4] is None
    assert Reward("rougeL", group="mbr")(prompts, GROUPS) == similar
    unlike = [None if score is None else 1 - score for score in similar]
    assert Reward("rougeL", group="diversity")(prompts, GROUPS) == unlike
    assert Reward("rougeL", group="mbr", missing=0.25)(prompts, GROUPS)[4] == 0.25


def test_a_group_with_sources_leaves_out_what_has_none():
    texts, sources = ["a b", "a c d", "b c", "a", "", "a b"], ["a b x", "a c", None, "b a", "a", "x"]
    found = Reward("sari", group="mbr", source="src")(["p"] * 5 + ["q"], texts, src=sources)
    scores = [
        [textgauge.sari([texts[i]], [texts[j]], sources=[sources[i]])["sari"] / 100 for j in (0, 1, 3) if i != j]
        for i in (0, 1, 3)
    ]
    assert found == [pytest.approx(sum(one) / 2) for one in scores[:2]] + [
        None,
        pytest.approx(sum(scores[2]) / 2),
        0.0,
        None,
    ]


def test_what_says_nothing_is_nobodys_reference():
    reward = Reward("rougeL", group="mbr")
    assert reward(["p"] * 4, ["a b", "a b", "", None]) == [1.0, 1.0, 0.0, 0.0]
    assert reward(["p"] * 3, ["a b", "", None]) == [None, 0.0, 0.0]
    assert Reward("rougeL", group="diversity")(["p"] * 3, ["a b", "a b", ""]) == [0.0, 0.0, 0.0]
    assert reward([], []) == []


@pytest.mark.slow
def test_the_cost_of_a_reward_is_measured():
    for name in ("rouge_score", "sacrebleu", "resource"):
        pytest.importorskip(name)
    from comparisons import reward_cost

    for metric in ("sacrebleu", "rougeL"):
        cells = reward_cost.row(metric, 2, 9, 2, 3)
        assert cells[:3] == [metric, "2", "9"]
        assert min(map(float, cells[3:])) > 0
    assert reward_cost.one_at_a_time("chrf")[0] == "chrf"


def test_log_leaves_out_rows():
    logged = {}
    reward = Reward(["rougeL", "rouge1"])
    answers = ["a cat", None, "a cat", "a cat"]
    rewards = reward(completions=["a cat", "a dog", "a dog", "zebra"], answer=answers, log_metric=logged.__setitem__)
    assert rewards == [1.0, None, 0.5, 0.0]
    name = f"rewards/{reward.__name__}/"
    found = {key: logged[name + key] for key in ("rougeL", "rouge1", "zero")}
    assert found == {"rougeL": 0.5, "rouge1": 0.5, "zero": 1 / 3}


@pytest.mark.parametrize("group", ["mbr", "diversity"])
def test_rewards_within_a_group_warn_once(group):
    texts = ["\u5929\u6c14\u5f88\u597d\u6211\u4eec\u53bb\u516c\u56ed\u6563\u6b65\u5427" * 2] * 3
    reward = Reward("ter" if group == "mbr" else "token_f1", group=group)
    with pytest.warns(UserWarning, match="does not split text without spaces") as told:
        first = reward(prompts=["p"] * 3, completions=texts)
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert reward(prompts=["p"] * 3, completions=texts) == first


@pytest.mark.parametrize(
    "given",
    [{"missing": -1.0}, {"extract": "#### (.*)"}, {"scale": "metric"}, {"reference": "gold"}, {"group": "mbr"}],
    ids=str,
)
def test_a_pickled_reward_has_its_options(given):
    reward = Reward("chrf", **given)
    columns = {"prompts": ["p"] * 3, "completions": ["a cat #### 5", "a #### 5", "b"], "gold": ["5", None, "5"]}
    columns |= {"answer": ["a", None, "5"]}
    assert pickle.loads(pickle.dumps(reward))(**columns) == reward(**columns)


@pytest.mark.parametrize("missing", [float("nan"), float("inf")])
def test_the_reward_of_a_missing_reference_is_finite(missing):
    with pytest.raises(ValueError, match="^missing: expected a finite number"):
        Reward("chrf", missing=missing)


@pytest.mark.filterwarnings("ignore:1 prediction has nothing that `extract` finds")
@pytest.mark.parametrize("completion", [r"\boxed{}", r"so it is \boxed{ }", r"\fbox{}"])
def test_an_empty_box_is_no_answer(completion):
    assert Reward("math_answer")(completions=[completion, "7"], answer=["", "7"]) == [0.0, 1.0]


@pytest.mark.parametrize("made", [list, tuple, np.array, pd.Series, pa.array, lambda texts: pa.chunked_array([texts])])
def test_columns_of_any_library(made):
    completions, answers = ["a b", "c"], ["a b", "d"]
    assert Reward("exact_match")(completions=made(completions), answer=made(answers)) == [1.0, 0.0]
    with pytest.raises(TypeError, match="completions: expected a list with an element for every completion"):
        Reward("exact_match")(completions=np.array("a b"), answer=made(answers))
