"""The module with the Hub's call and keys, the function, pass@k, rewards, the command line, the card's promises."""

import json
import os
import shutil
import sys
import types

import numpy as np
import pytest
import textgauge
from click.testing import CliRunner
from textgauge.cli.main import main
from textgauge.models import code_engine
from textgauge.rewards import Reward
from textgauge.text.extract import code_in

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork"),
    pytest.mark.filterwarnings("ignore:programs run without a sandbox:UserWarning"),
]
RIGHT, WRONG = "def add(a, b):\n    return a + b", "def add(a, b):\n    return a * b"
TESTS = "assert add(2, 3) == 5"


@pytest.fixture(autouse=True, scope="module")
def ended():
    yield
    code_engine.end_runners()


def test_nothing_runs_unless_it_is_allowed(monkeypatch, tmp_path):
    monkeypatch.delenv("HF_ALLOW_CODE_EVAL")
    ran = []
    monkeypatch.setattr(code_engine, "run", lambda *_, **__: ran.append(1))
    calls = [
        lambda: textgauge.code_eval([RIGHT], [TESTS]),
        lambda: textgauge.CodeEval().update([RIGHT], [TESTS]),
        lambda: textgauge.load("code_eval").compute(predictions=[[RIGHT]], references=[TESTS]),
        lambda: Reward("code_eval", reference="tests")(completions=[RIGHT], tests=[TESTS]),
        lambda: textgauge.compare({"a": [RIGHT] * 2, "b": [WRONG] * 2}, [TESTS] * 2, metric="code_eval"),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="^allow: .*got False"):
            call()
    for value in ("0", "true", ""):
        monkeypatch.setenv("HF_ALLOW_CODE_EVAL", value)
        with pytest.raises(ValueError, match="allow"):
            calls[0]()
    assert ran == []
    # A page is for visitors, who allow nothing.
    from textgauge.apps.inputs import inputs_of

    assert not {"allow", "sandbox", "num_workers"} & {
        one.name for one in inputs_of(textgauge.CodeEval.metric_type.options_type)
    }


def test_the_call_of_the_hub():
    module = textgauge.load("code_eval")
    candidates = [[WRONG, RIGHT], [RIGHT, "import sys\nsys.exit(0)"]]
    rates, results = module.compute(references=[TESTS, TESTS], predictions=candidates, k=[1, 2, 3], num_workers=2)
    assert rates == {"pass@1": 0.5, "pass@2": 1.0}
    about = {"task_id": 0, "passed": False, "result": "failed: ", "completion_id": 0}
    assert results[0] == [(0, about), (1, {**about, "passed": True, "result": "passed", "completion_id": 1})]
    left = {"task_id": 1, "passed": False, "result": "failed: ended before its end (sys.exit(0))", "completion_id": 1}
    assert results[1][1] == (1, left)
    assert [*results] == [0, 1]
    assert type(results[0][0][1]["passed"]) is bool
    # The defaults are those of the Hub, 1, 10 and 100, of which a problem has too few samples for two.
    assert module.compute(predictions=candidates, references=[TESTS] * 2)[0] == {"pass@1": 0.5}
    assert module.compute(predictions=candidates, references=[TESTS] * 2, k=2)[0] == {"pass@2": 1.0}
    unequal = [candidates[0], candidates[1][:1]]
    assert module.compute(predictions=unequal, references=[TESTS] * 2, k=[1, 2])[0] == {"pass@1": 0.75}
    one = module.compute(predictions=[["while True: pass"]], references=[""], timeout=0.2, clock="wall")
    assert one == (
        {"pass@1": 0.0},
        {0: [(0, {"task_id": 0, "passed": False, "result": "timed out", "completion_id": 0})]},
    )


def test_row_by_row():
    module = textgauge.load("code_eval", k=[1])
    module.add(prediction=[WRONG, RIGHT], reference=TESTS)
    module.add_batch(predictions=[[RIGHT, RIGHT]], references=[TESTS])
    rates, results = module.compute()
    assert rates == {"pass@1": 0.75}
    assert [[one["passed"] for _, one in rows] for rows in results.values()] == [[False, True], [True, True]]
    assert module.features["references"].dtype == "string"
    with pytest.raises(ValueError, match=r"^references: .*\(2\).*got 1"):
        module.compute(predictions=[[RIGHT], [WRONG]], references=[TESTS])
    with pytest.raises(ValueError, match="^k: .*got 0"):
        module.compute(predictions=[[RIGHT]], references=[TESTS], k=[0])


@pytest.mark.filterwarnings("ignore:only 3 units:UserWarning")
def test_pass_at_k_takes_the_results():
    candidates = [[RIGHT, WRONG, WRONG], [WRONG, WRONG, WRONG], [RIGHT, RIGHT, WRONG]]
    rates, results = textgauge.load("code_eval").compute(
        predictions=candidates, references=[TESTS] * 3, k=[1, 2], confidence=0.9, signature=True
    )
    again = textgauge.pass_at_k(results, k=[1, 2], confidence=0.9)
    assert {key: again[key] for key in ("pass@1", "pass@2")} == {key: rates[key] for key in ("pass@1", "pass@2")}
    assert rates["confidence_intervals"] == {key: again["confidence_intervals"][key] for key in ("pass@1", "pass@2")}
    assert "|timeout:3|clock:cpu|memory:4|" in rates["signature"]
    # As the Hub's estimator: 1 - C(n - c, k) / C(n, k).
    assert rates["pass@2"] == np.mean([1 - np.prod(1 - 2 / np.arange(3, 4)), 0.0, 1.0])


def test_segments_and_several_tests():
    found = textgauge.code_eval([RIGHT, WRONG, "", "x ="], [TESTS] * 4, per_segment=True, signature=True)
    assert found["segment_code_eval"] == [1.0, 0.0, 0.0, 0.0]
    assert found["code_eval"] == 0.25
    sandbox = "bwrap" if code_engine.is_sandboxed("auto") else "none"
    version = ".".join(map(str, sys.version_info[:3]))
    expected = f"nrefs:1|timeout:3|clock:cpu|memory:4|sandbox:{sandbox}|extract:none|python:{version}|"
    assert found["signature"].startswith(expected)
    # Several references are tests that all have to pass, as in `test_list` of MBPP.
    assert textgauge.code_eval([RIGHT] * 2, [[TESTS, "assert add(1, 1) == 2"], [TESTS, "assert add(1, 1) == 3"]]) == {
        "code_eval": 0.5
    }
    assert textgauge.code_eval([""], [""]) == {"code_eval": 1.0}


def test_equal_programs_run_once(tmp_path):
    counted = []
    run = code_engine.run

    def count(programs, *args, **options):
        counted.append(len(programs))
        return run(programs, *args, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(code_engine, "run", count)
        assert textgauge.code_eval([RIGHT, WRONG, RIGHT, RIGHT], [TESTS] * 4)["code_eval"] == 0.75
    assert counted == [2]


@pytest.mark.parametrize(
    ("program", "tests", "told"),
    [
        (RIGHT, "META = {\n    'a': 1\n}\ndef check(f):\n    assert f(2, 3)", "1 segment has tests that define"),
        (RIGHT, "import unittest\nclass Test(unittest.TestCase):\n    pass", "1 segment has tests that define"),
        ("\n    return a + b", TESTS, "1 prediction begins with an indented line"),
        (RIGHT, ["def check(f):\n    assert f(2, 3) == 5", "check(add)"], None),
        (RIGHT, "def run(f): f()\n@run\ndef test():\n    assert add(2, 3) == 5", None),
        ("    # Adds.\n" + RIGHT, "", None),
    ],
)
@pytest.mark.parametrize("call", [textgauge.code_eval, lambda p, t: Reward("code_eval")(completions=p, answer=t)])
def test_programs_that_must_pass_or_fail(monkeypatch, recwarn, call, program, tests, told):
    monkeypatch.setenv("HF_ALLOW_CODE_EVAL", "1")
    call([program], [tests])
    found = [str(one.message) for one in recwarn if "without a sandbox" not in str(one.message)]
    assert [one.partition(told or "\n")[0] for one in found] == [""] * (told is not None)


def test_warning_of_what_is_open(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    code_engine.refusal_of_sandbox.cache_clear()
    try:
        with pytest.warns(UserWarning, match="programs run without a sandbox: .*network.*files") as told:
            textgauge.code_eval([RIGHT] * 3, [TESTS] * 3)
        assert len(told) == 1
        assert sys.platform != "linux" or "apt install bubblewrap" in str(told[0].message)
        with pytest.raises(RuntimeError, match="sandbox='require' needs bubblewrap"):
            textgauge.code_eval([RIGHT], [TESTS], sandbox="require")
    finally:
        code_engine.refusal_of_sandbox.cache_clear()


BLOCKS = {
    "```python\nx = 1\n```": "x = 1\n",
    "Text.\n```py\nx = 1\n```\nMore:\n```python\ny = 2\n```\nIt prints\n```\n2\n```": "y = 2\n",
    "```\nx = 1\n```\n": "x = 1\n",
    "~~~Python3\nx = 1\n~~~": "x = 1\n",
    "```Python\nx = 1\n```\n```\n1\n```": "x = 1\n",
    "- a list\n  ```python\n  if x:\n      y\n  ```": "if x:\n    y\n",
    "````python\ns = '''\n```\n'''\n````": "s = '''\n```\n'''\n",
    "```python\nx = 1": "x = 1",
    "```python title=a.py\r\nx = 1\r\n```": "x = 1\r\n",
    "x = '```python'\n": "x = '```python'\n",
    "x = 1": "x = 1",
    "": "",
}


@pytest.mark.parametrize("text", BLOCKS)
def test_code_in_an_answer(text):
    assert code_in(text) == BLOCKS[text]


def test_code_is_found_in_linear_time():
    for text in (
        "```python\n" * 20_000,
        "`" * 200_000,
        "~~~\n```\n" * 20_000,
        " " * 200_000 + "```",
        "```a\nx\n" * 20_000,
    ):
        code_in(text)


def test_a_reward():
    answer = f"It adds:\n```python\n{RIGHT}\n```\nas in\n```\n>>> add(1, 1)\n2\n```\nDone."
    reward = Reward("code_eval(timeout=1)", reference="tests")
    rows = {"completions": [answer, RIGHT, answer.replace("+", "*"), "I cannot.", ""], "tests": [TESTS] * 5}
    assert reward(**rows) == [1.0, 1.0, 0.0, 0.0, 0.0]
    assert reward(completions=[answer] * 2, tests=[[TESTS, "assert add(1, 1) == 2"], [TESTS, "assert 0"]]) == [1.0, 0.0]
    # A metric elsewhere takes all of a text, unless it is told what is code.
    assert textgauge.code_eval([answer], [TESTS])["code_eval"] == 0
    assert textgauge.code_eval([answer], [TESTS], extract="```python...```")["code_eval"] == 1
    assert textgauge.code_eval(["no code"], [TESTS], extract="```python...```")["code_eval"] == 0


def test_on_the_command_line(tmp_path):
    rows = [
        {"prediction": code, "reference": TESTS, "problem": problem}
        for problem, codes in (("a", [RIGHT, WRONG]), ("b", [RIGHT, RIGHT])) for code in codes
    ]  # fmt: skip
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    arguments = ["score", str(file), "-m", "code_eval", "allow=true", "timeout=1", "--pass-at", "1", "2"]
    done = CliRunner().invoke(main, [*arguments, "--unit-field", "problem", "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert '"pass@1": 0.75' in done.stdout
    assert '"pass@2": 1.0' in done.stdout


def test_why_a_program_fails():
    told = str(textgauge.explain(["x = 1"], ["assert x == 2, 'no'"], metric="code_eval"))
    assert "failed: no" in told
    assert "x = 1 · assert x == 2, 'no'" in told
    assert "passed" in str(textgauge.explain([RIGHT], [TESTS], metric="code_eval"))


def test_tasks_of_the_harness_run_with_the_path_changed():
    """As `utils.py` of humaneval and mbpp: the module is tried at the import, then called with keywords."""
    utils = types.ModuleType("utils")
    source = """
import evaluate as hf_evaluate
compute_ = hf_evaluate.load(PATH)
results = compute_.compute(references=["assert add(2, 3)==5"], predictions=[["def add(a,b): return a*b"]], k=[1])

def pass_at_k(references, predictions, k=None):
    assert k is not None
    if isinstance(k, int):
        k = [k]
    return compute_.compute(references=references, predictions=predictions, k=k)[0]
"""
    utils.PATH = textgauge.path("code_eval")
    exec(source, utils.__dict__)
    assert utils.results[0] == {"pass@1": 0.0}
    assert utils.pass_at_k([TESTS], [[RIGHT, WRONG]], k=1) == {"pass@1": 0.5}


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs bubblewrap: apt install bubblewrap")
def test_packages_are_there_and_own_folders_are_not(tmp_path):
    own = tmp_path / "own_of_user.py"
    own.write_text("x = 1\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(tmp_path))
        programs = ["import numpy\nassert numpy.ones(3).sum() == 3", "import own_of_user", f"open({str(own)!r})"]
        assert textgauge.code_eval(programs, [""] * 3, per_segment=True, sandbox="require")["segment_code_eval"] == [
            1.0, 0.0, 0.0,
        ]  # fmt: skip
