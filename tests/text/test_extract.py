"""The part of a completion that counts."""

import re
import time

import pytest
import textgauge
from textgauge.rewards import Reward
from textgauge.text.extract import extractor


@pytest.mark.parametrize(
    ("extract", "text", "found"),
    [
        ("<answer>...</answer>", "<answer>a</answer> or <answer> b\nc </answer>.", "b\nc"),
        ("<answer>...</answer>", "<answer><answer>a</answer></answer>", "a"),
        ("<answer>...</answer>", "<answer>a", None),
        ("<answer>...</answer>", "a</answer>", None),
        ("<answer>...</answer>", "</answer>a<answer>", None),
        ("<answer>...</answer>", "<answer></answer>", ""),
        ("\\boxed{}", r"\boxed{1} then \boxed{\frac{a}{b}} done", r"\frac{a}{b}"),
        ("\\boxed { }", r"\boxed{1}", "1"),
        ("\\boxed{}", r"\boxed{1", None),
        ("\\boxed{}", "boxed", None),
        ("\\boxed{}", "", None),
        (r"(?i)answer: (\w+)", "Answer: a. ANSWER: b.", "b"),
        (r"\d+", "1, then 22", "22"),
        (re.compile(r"x(y)?"), "x", None),
        # Of alternatives, the one that matched.
        (r"(-?[$0-9.,]{2,})|(-?[0-9]+)", "So she has 7 left.", "7"),
        (r"(-?[$0-9.,]{2,})|(-?[0-9]+)", "7, so 12 left", "12"),
        (r"(-?)(\d+)", "7", "7"),
        (r"answer is (\d+) (\w+)", "the answer is 3 apples", "3"),
        (r"#### (.*)", "#### ", ""),
        (".*", "so\nit is 4", "it is 4"),
        (r"\d*$", "4", "4"),
        (r"\d*$", "4 apples", None),
        (r"(?=(\d+) a)", "4 apples", "4"),
        ("$", "4", None),
        (re.compile("q"), "x", None),
        (str.upper, "x", "X"),
    ],
)
def test_the_last_match_counts(extract, text, found):
    assert extractor(extract)(text) == found


def test_nothing_is_extracted_by_default():
    assert extractor(None) is None


@pytest.mark.parametrize(
    ("extract", "meant"),
    [
        *[(one, "<answer>...</answer>") for one in ("<answer>", "<answer></answer>", "</answer>", "<answer>...")],
        *[(one, r"\boxed{}") for one in ("boxed{}", "boxed", r"\boxed", r"\\boxed{}", r"\boxed{...}", "boxed{...}")],
        ("#### ", "####(.*)"), ("Answer: ...", "Answer:(.*)"), ("<|answer|>", r"<\|answer\|>(.*)"),
        ("<|answer|>(.*)", r"<\|answer\|>(.*)"), (r"<|a|>(\d+)<|b|>", r"<\|a\|>(\d+)<\|b\|>"),
    ],
)  # fmt: skip
def test_a_mark_without_a_place_for_the_answer_is_refused(extract, meant):
    message = "^extract: expected two marks with .*, got " + re.escape(repr(extract))
    hint = re.escape(f"; did you mean {meant!r}?") + "$"
    for call in (
        lambda: Reward("chrf", extract=extract),
        lambda: textgauge.math_answer(["a"], ["a"], extract=extract),
        lambda: textgauge.code_eval(["a"], ["a"], extract=extract),
    ):
        with pytest.raises(ValueError, match=message + ".*" + hint):
            call()
    assert extractor(meant) is not None


def test_two_matches_of_no_text_are_no_equal_answers():
    with pytest.warns(UserWarning, match="2 predictions have nothing that `extract` finds"):
        assert textgauge.math_answer(["it is 4.", "5!"], ["9", "8"], extract=r"\d*$")["math_answer"] == 0
    assert textgauge.math_answer(["so\n4"], ["4"], extract=".*")["math_answer"] == 1
    for extract in ("...", " "):
        with pytest.raises(ValueError, match="^extract: .*without marks"):
            textgauge.math_answer(["a"], ["a"], extract=extract)


def test_reward_without_match():
    logged = {}
    reward = Reward("token_f1_exact_match", extract="<answer>...</answer>")
    completions = ["<answer>4</answer>", "4", "<answer></answer>", None]
    assert reward(completions=completions, answer=["4"] * 4, log_metric=logged.__setitem__) == [1.0, 0.0, 0.0, 0.0]
    counts = {name.rpartition("/")[2]: 4 * share for name, share in logged.items()}
    assert counts == {"length": 1, "without_text": 1, "unmatched": 1, "empty": 1, "zero": 3}


def test_extract_that_raises():
    def last(text):
        return {"number": 4, "none": None}[text] if text != "fine" else "fine"

    reward = Reward("token_f1_exact_match", extract=last)
    with pytest.warns(UserWarning, match="`extract` raised KeyError"):
        rewards = reward(completions=["fine", "number", "none", "unknown"], answer=["fine"] * 4)
    assert rewards == [1.0, 0.0, 0.0, 0.0]
    assert reward(completions=["unknown"], answer=["fine"]) == [0.0]


@pytest.mark.parametrize("extract", ["<answer>...</answer>", "\\boxed{}"])
def test_long_texts_take_linear_time(extract):
    find = extractor(extract)
    start = time.perf_counter()
    find((extract.partition("...")[0].rstrip("}") + "{") * 100_000)
    assert time.perf_counter() - start < 2
