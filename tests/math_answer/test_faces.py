"""Math answers wherever a metric has a name: options, extraction, rewards, pages, the module of the Hub."""

import atexit
import io
import json
import signal
from types import SimpleNamespace

import pytest
import textgauge
from click.testing import CliRunner
from textgauge.cli.main import main
from textgauge.models import math_engine, math_program
from textgauge.rewards import Reward
from textgauge.rewards.verl import compute_score

PREDICTIONS = [r"So $\boxed{\frac{1}{2}}$.", r"\boxed{7}", "8", r"\boxed{x = 10 \text{ cm}}"]
REFERENCES = [["2", "0.5"], ["8"], ["8"], [r"It is \boxed{10}."]]
BOXED = {"extract": r"\boxed{}"}


@pytest.mark.filterwarnings("ignore:1 prediction has nothing")
def test_last_match_counts():
    with pytest.warns(UserWarning, match=r"^1 prediction has nothing that `extract` finds, and scores 0\.$"):
        found = textgauge.math_answer(PREDICTIONS, REFERENCES, per_segment=True, **BOXED)
    assert found == {"math_answer": 0.5, "segment_math_answer": [1.0, 0.0, 0.0, 1.0]}
    marks = textgauge.math_answer(["<a>1/2</a>", "1/2"], ["0.5", "1/2"], extract="<a>...</a>", per_segment=True)
    assert marks["segment_math_answer"] == [1.0, 0.0]
    assert textgauge.math_answer(["#### 18"], ["x #### 18"], extract=r"#### (.*)")["math_answer"] == 1
    assert textgauge.math_answer(["ab"], ["b"], extract=lambda text: text[-1])["math_answer"] == 1
    # A box within what is extracted is opened, and that of a reference in which nothing is found.
    boxes = [r"It is \boxed{4}.", r"\boxed{4}"]
    assert textgauge.math_answer(["<a>4</a>"] * 2, boxes, extract="<a>...</a>")["math_answer"] == 1
    assert textgauge.math_answer([r"<a>So \boxed{4}.</a>"], ["4"], extract="<a>...</a>")["math_answer"] == 1
    # Where no engine reads several boxes, the last one counts.
    assert textgauge.math_answer([r"\boxed{2} and \boxed{3}"], ["3"], **BOXED)["math_answer"] == 1


@pytest.mark.filterwarnings("ignore:1 prediction has nothing")
def test_an_empty_box_holds_an_empty_answer():
    box = r"\boxed{}"
    found = textgauge.math_answer(
        [box, f"so {box}", "x"], [f"{box}.", f"{box} = x", box], extract=box, per_segment=True
    )
    assert found["segment_math_answer"] == [1, 1, 0]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"extract": "("}, ValueError, "extract: "),
        ({"extract": 3}, TypeError, "extract: "),
        ({"seconds": 1}, ValueError, "`seconds` has no effect without `engine`"),
    ],
)
def test_wrong_options(options, error, message):
    with pytest.raises(error, match=f"^{message}"):
        textgauge.math_answer(["1"], ["1"], **options)


def test_missing_engine(monkeypatch):
    from importlib.metadata import PackageNotFoundError

    def lacking(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr("textgauge.models.math_engine.version", lacking)
    with pytest.raises(ImportError, match=r'^Math-Verify is not installed .pip install "textgauge\[math\]"'):
        textgauge.MathAnswer(engine="math-verify", seconds=2)


def test_what_an_engine_is_asked(monkeypatch):
    asked, says = [], {"x+1": True, "late": None}

    def verified(pairs, seconds):
        asked.append((pairs, seconds))
        return [next((answer for word, answer in says.items() if word in pair[0]), False) for pair in pairs]

    monkeypatch.setattr("textgauge.models.math_engine.verified", verified)
    monkeypatch.setattr("textgauge.models.math_engine.engine_version", lambda: "0")

    def score(predictions, references):
        return textgauge.math_answer(predictions, references, engine="math-verify", seconds=2)

    # Another reference that is equal, by the rule or by the engine, makes up for one that is late.
    assert score(["1+x"], [["late", "x+1"]]) == {"math_answer": 1, "timeouts": 0}
    assert score(["7"], [["late", "7"]]) == {"math_answer": 1, "timeouts": 0}
    assert [pairs for pairs, _ in asked if pairs] == [[("$\\text{late}$", "$1+x$"), ("$x+1$", "$1+x$")]]
    with pytest.warns(UserWarning, match="^1 pair was not judged within 2 s"):
        assert score(["1+x", "2"], [["late", "8"], ["2"]]) == {"math_answer": 0.5, "timeouts": 1}
    # Each pair once, none with an empty side, and what has marks of mathematics as it stands.
    asked.clear()
    score(["5", "5", "", " ", r"\(6\)"], ["8", "8", "8", "8", r"\(9\)"])
    assert asked == [([("$8$", "$5$"), (r"\(9\)", r"\(6\)")], 2)]


def test_answers_that_ran_out_of_memory_are_not_judged():
    class Verifier:
        LatexExtractionConfig, verify = dict, bool

        @staticmethod
        def parse(text, *_, **__):
            if text == "large":
                raise MemoryError
            raise ValueError

    answers = io.BytesIO()
    math_program._answer(Verifier, (json.dumps([text, "1", 1000]).encode() for text in ("large", "other")), answers)
    assert answers.getvalue() == b"-\n0\n"


def test_verdicts_of_several_programs_keep_their_places(monkeypatch):
    monkeypatch.setattr(math_engine, "_asked", lambda pairs, _: [int(text) % 3 == 0 for text, _ in pairs])
    monkeypatch.setattr(math_engine, "get_num_threads", lambda: 2)
    pairs = [(str(i), "") for i in range(2 * math_engine._PAIRS_OF_A_PROGRAM + 1)]
    assert math_engine.verified(pairs, 5.0) == [i % 3 == 0 for i in range(len(pairs))]


def test_rules_are_in_the_signature_and_differ():
    signed = textgauge.MathAnswer(rule="minerva", **BOXED).update([r"\boxed{1}"], ["1"]).signature
    assert signed.startswith(r"nrefs:1|rule:minerva-lm-eval-0.4.13|extract:\boxed{}|version:")
    for rule, name in (("lm-eval", "lm-eval-0.4.13"), ("hendrycks", "hendrycks")):
        assert f"|rule:{name}|" in textgauge.MathAnswer(rule=rule).update(["1"], ["1"]).signature
    with pytest.raises(ValueError, match="^other: .*got 'minerva'"):
        textgauge.MathAnswer().update(["1"], ["1"]) + textgauge.MathAnswer(rule="minerva").update(["1"], ["1"])


def test_a_reward_opens_the_box_by_itself():
    reward = Reward("math_answer", reference="solution")
    answers = [references[-1] for references in REFERENCES]
    assert reward(completions=PREDICTIONS, solution=answers) == [1.0, 0.0, 1.0, 1.0]
    assert reward(completions=[None, "", "\ud800", r"\boxed{"], solution=["1"] * 4) == [0.0] * 4
    strict = Reward("math_answer", reference="solution", **BOXED)
    assert strict(completions=PREDICTIONS, solution=answers) == [1.0, 0.0, 0.0, 1.0]
    other = Reward("math_answer(rule='minerva')")
    assert other(completions=[r"\boxed{1,000}"], answer=["1000 ways"]) == [1.0]
    # What is given counts.
    with pytest.warns(UserWarning, match="^1 prediction is a solution that scores 0, .* `extract` takes"):
        assert Reward("math_answer(extract=None)")(completions=[r"\boxed{1}"], answer=["1"]) == [0.0]
    both = Reward(["math_answer", "exact_match"])
    assert both(completions=[r"\boxed{1}"], answer=["1"]) == [0.5]
    assert compute_score("math", r"So \boxed{1/2}.", r"\frac12", metric="math_answer")["score"] == 1


@pytest.mark.parametrize("metric", ["math_answer", "exact_match", "token_f1"])
def test_references_are_extracted_as_completions(metric):
    extract, solution = "#### (.*)", "40+2=<<40+2=42>>42\n#### 42"
    reward = Reward(metric, extract=extract)
    answers = [solution, "42", ["1", solution], None, "#### 41"]
    assert reward(completions=["so #### 42"] * 5, answer=answers) == [1.0, 1.0, 1.0, None, 0.0]
    assert compute_score("gsm8k", "so #### 42", solution, metric=metric, extract=extract)["score"] == 1
    boxed_answer = [r"<answer>So \boxed{4}.</answer>"]
    assert Reward("math_answer", extract="<answer>...</answer>")(completions=boxed_answer, answer=["4"]) == [1.0]


@pytest.mark.parametrize(
    ("prediction", "extract"),
    [
        (r"So \boxed{4}.", r"'\\boxed{}'"),
        ("2 + 2\n#### 4", "'#### (.*)'"),
        ("<answer>4</answer>", "'<answer>...</answer>'"),
    ],
)
def test_solutions_that_score_0_for_want_of_extract(prediction, extract, recwarn):
    with pytest.warns(UserWarning, match=r"^2 predictions are solutions that score 0") as told:
        assert textgauge.math_answer([prediction] * 2 + ["4"], ["4"] * 3)["math_answer"] == 1 / 3
    assert [extract in str(one.message) for one in told] == [True]
    # Nothing is told where a box would not help, or is opened.
    textgauge.math_answer([prediction, "x"], ["5", "4"])
    textgauge.math_answer([r"\boxed{4}"], ["4"], **BOXED)
    assert not [*recwarn]


@pytest.mark.parametrize("reference", ["2 + 2 = <<2+2=4>>4\n#### 4", "So <answer>4</answer>."])
@pytest.mark.parametrize("prediction", ["4", r"\boxed{4}"])
def test_answers_beside_references_that_are_solutions(reference, prediction):
    told = pytest.warns(UserWarning, match="^1 prediction has the answer of its reference, which is a solution, but")
    with told:
        assert textgauge.math_answer([prediction, "5"], [reference] * 2)["math_answer"] == 0
    with told:
        assert Reward("math_answer")(completions=[prediction], answer=[reference]) == [0.0]


@pytest.mark.filterwarnings("ignore:1 prediction has nothing")
def test_explanation_of_steps():
    found = textgauge.explain(PREDICTIONS, REFERENCES, metric=textgauge.MathAnswer(**BOXED))
    assert found.score == 0.5
    assert [one.score for one in found.segments] == [1.0, 0.0, 0.0, 1.0]
    steps = [(step.label, step.examples) for step in found.segments[3].steps[:-1]]
    assert steps == [
        ("prediction", (r"x = 10 \text{ cm}",)),
        ("units, and all behind them, go", ("x = 10 ",)),
        ("the name before one equals sign goes", (" 10 ",)),
        ("spaces go", ("10",)),
        ("reference", ("10",)),
    ]
    assert found.segments[2].steps[0].cells == ("no answer",)
    assert "equal by the rule 'hendrycks' = 1.0000" in str(found.segments[0])
    assert "not equal = 0.0000" in str(found.segments[1])
    assert "the rule gives up" in str(textgauge.explain(["\\sqrt"], ["1"], metric="math_answer"))


def test_the_module_of_the_hub():
    metric = textgauge.load("competition_math")
    given = {"predictions": ["1/2", "0.25"], "references": ["\\frac{1}{2}", "\\frac14"]}
    assert metric.compute(**given) == {"accuracy": 0.5}
    metric.add_batch(**given)
    assert metric.compute(per_segment=True) == {"accuracy": 0.5, "segment_math_answer": [1.0, 0.0]}
    assert textgauge.load("math_answer").compute(**given) == {"math_answer": 0.5}


def test_the_command_line(tmp_path):
    rows = [{"prediction": text, "reference": refs[-1]} for text, refs in zip(PREDICTIONS, REFERENCES, strict=True)]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows[:2]))
    words = ["score", str(tmp_path / "rows.jsonl"), "-m"]
    result = CliRunner().invoke(main, [*words, "math_answer", r"extract=\boxed{}", "--json"])
    assert json.loads(result.stdout)["metrics"]["math_answer"]["math_answer"] == 0.5
    assert "it is -m math_answer here" in CliRunner().invoke(main, [*words, "competition_math"]).output


def test_a_program_without_fork_answers_itself():
    answers = io.BytesIO()
    verifier = SimpleNamespace(
        LatexExtractionConfig=str,
        parse=lambda text, *_, **__: sorted(text),
        verify=lambda *sides, **_: sides[0] == sides[1],
    )
    lines = (json.dumps([gold, text, 1000]).encode() for gold, text in (("$x+1$", "$1+x$"), ("$7$", "$8$")))
    math_program._answer(verifier, lines, answers)
    # None is left of the alarms, which would end this process.
    assert signal.alarm(0) == 0
    assert answers.getvalue() == b"1\n0\n"


def test_programs_end_with_this_one():
    """Nothing lists what runs at the end; what is unregistered is compared with each of it."""
    registered = []

    class Seen:
        def __eq__(self, other):
            registered.append(other)
            return False

    atexit.unregister(Seen())
    assert math_engine.end_programs in registered
