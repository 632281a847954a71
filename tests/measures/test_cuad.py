"""CUAD beside the recorded figures of its script, its definition pair by pair, and large questions."""

import gzip
import json
import random
import re
import string
import time
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
import textgauge
from textgauge.measures import cuad as module

WORDS = [
    "a", "the", "Buyer", "seller", "Acme", "Inc.", "and/or", "30", "days;", "X-Y", "", "its", "\u00c9tat",
    "Stra\u00dfe",
]  # fmt: skip


@pytest.fixture(scope="module")
def recorded(shared):
    file = shared / "oracles/hub/cuad-given.json.gz"
    if not file.is_file():
        pytest.skip("the recorded figures of CUAD are not beside the project")
    return json.loads(gzip.open(file).read())["cases"]


def test_every_defined_figure_is_that_of_the_script(recorded, tmp_path):
    metric = textgauge.load("cuad", cache_dir=str(tmp_path))
    n_defined = 0
    for case in recorded:
        found = textgauge.cuad(case["predictions"], case["references"])
        assert metric.compute(predictions=case["predictions"], references=case["references"]) == found
        assert found["exact_match"] == case["result"]["exact_match"]
        if not case["undefined"]:
            assert [*found.items()] == [*case["result"].items()]
            n_defined += 1
        assert np.isfinite([*found.values()]).all()
    assert (len(recorded), n_defined) == (80, 26)


def is_match(guess, answer, contained_counts):
    cut = [re.sub("[.,;:]", "", text).lower().replace("/", " ").split(" ") for text in (guess, answer)]
    guess_words, answer_words = map(set, cut)
    shares = len(guess_words & answer_words) / len(guess_words | answer_words) >= 0.5
    return shares or (contained_counts and answer in guess)


def is_equal(guess, answer):
    sides = (re.sub(r"\b(a|an|the)\b", " ", re.sub(f"[{re.escape(string.punctuation)}]", "", text.lower())).split()
             for text in (guess, answer))  # fmt: skip
    return len({" ".join(side) for side in sides}) == 1


def counts(guesses, answers, contained_counts):
    """The numbers of a question, every pair compared."""
    matches = np.array([[is_match(guess, answer, contained_counts) for answer in answers] for guess in guesses])
    matches = matches.reshape(len(guesses), len(answers))
    found, right = int(matches.any(axis=0).sum()), int(matches.any(axis=1).sum())
    exact = any(is_equal(guess, answer) for guess in guesses for answer in answers)
    return exact, found, len(answers) - found, len(guesses) - right


@cache
def drawn():
    """Questions with their numbers by topic."""
    rng = random.Random(3)

    def text(least):
        words = [rng.choice(WORDS) for _ in range(rng.randint(least, 6))]
        return " ".join(words) + rng.choice(["", "", ".", "\u2019s", "\u2013the", "\tan", "\0", "\u039f\u03a3"])

    questions = []
    for _ in range(1000):
        guesses, answers = ([text(least) for _ in range(rng.randint(0, 5))] for least in (0, 1))
        questions.append((guesses, [answer for answer in answers if answer]))
    return [(*one, {topic: counts(*one, topic == "Parties") for topic in ("Renewal", "Parties")}) for one in questions]


@pytest.mark.parametrize("few", [0, 100])
def test_random_questions_pair_by_pair(few, monkeypatch):
    monkeypatch.setattr(module, "_FEW_PAIRS", few)
    questions = drawn()
    in_ascii = [one for one in questions if all(map(str.isascii, one[0] + one[1]))]
    for part in (questions[:40], questions, in_ascii):
        for topic in ("Renewal", "Parties"):
            rows = [{"id": f"{i} {topic}", "prediction_text": guesses} for i, (guesses, *_) in enumerate(part)]
            gold = [{"id": f"{i} {topic}", "answers": {"text": answers}} for i, (_, answers, _) in enumerate(part)]
            found = textgauge.Cuad().update(rows, gold).statistics
            assert found.values.tolist() == [[*map(int, expected[topic])] for *_, expected in part]


def test_the_curve_has_the_best_precision_from_each_recall_on():
    rng = random.Random(5)
    shares = [(found, 10 - found, rng.randint(0, 9)) for found in range(11)]
    tied = [(5, 5, 5), (5, 5, 0), (5, 5, 2), (9, 1, 20), (9, 1, 9)]
    for numbers in ([(8, 2, 0)], [(9, 1, 3), (8, 2, 0)], [(9, 1, 1), (10, 0, 5)], [(7, 3, 0)], shares, tied):
        guesses = [[f"w{i}" for i in range(found)] + [f"x{i}" for i in range(wrong)] for found, _, wrong in numbers]
        answers = [[f"w{i}" for i in range(found + missed)] for found, missed, _ in numbers]
        result = textgauge.cuad(guesses, answers)

        def best(least, numbers=numbers):
            return max((f / (f + w) if f + w else 0 for f, m, w in numbers if 100 * f >= least * (f + m)), default=0)

        for least in (80, 90):
            assert result[f"prec_at_{least}_recall"] == best(least)
        recalls = sorted({10 * found for found, _, _ in numbers})
        area = sum((high - low) * (best(low) + best(high)) / 200 for low, high in pairwise(recalls))
        assert result["aupr"] == pytest.approx(area)


def test_questions_without_guess_or_answer():
    rows = [([], []), (["x"], []), ([], ["x", "y"]), (["x"], ["x"])]
    predictions = [{"id": i, "prediction_text": guesses} for i, (guesses, _) in enumerate(rows)]
    references = [{"id": i, "answers": {"text": answers}} for i, (_, answers) in enumerate(rows)]
    found = textgauge.cuad(predictions, references, per_segment=True)
    assert found["segment_f1"] == [100, 0, 0, 100]
    assert found["segment_exact_match"] == [0, 0, 0, 100]
    assert (found["f1"], found["aupr"], found["prec_at_90_recall"]) == (50, 1, 1)
    # The same without rows, where the empty text is none.
    lists = textgauge.cuad([guesses for guesses, _ in rows], [answers for _, answers in rows], per_segment=True)
    assert lists == found
    single = textgauge.cuad(["", "x", "", "x"], [[""], "", ["x", "y"], ["x"]], per_segment=True)
    assert single == found


def test_parties_and_ids():
    guess, answer = "between Acme Inc. and others of this world and more", "Acme Inc."
    for name, score in (("a__Parties", 100), ("a__Parties_0", 100), ("a__Renewal", 0), ("a__parties", 0)):
        rows = [{"id": "z", "prediction_text": ["q"]}, {"id": name, "prediction_text": [guess]}]
        gold = [{"id": name, "answers": {"text": [answer]}}, {"id": "z", "answers": {"text": ["q"]}}]
        assert textgauge.cuad(rows, gold, per_segment=True)["segment_f1"] == [score, 100]
    with pytest.raises(ValueError, match="^predictions: .*'z'.*.1..*got none"):
        textgauge.cuad(rows[1:], gold)
    with pytest.raises(ValueError, match='^predictions.1.."id".: '):
        textgauge.cuad([*rows[:1], {"id": "z", "prediction_text": []}], gold)


@pytest.mark.parametrize(
    ("predictions", "references", "error", "message"),
    [
        (["a"], ["b", "c"], ValueError, r"references: .*\(1\).*got 2"),
        ([["a", 3]], ["b"], TypeError, r"predictions\[0\]\[1\]: .*got 3"),
        ("a", ["b"], TypeError, "predictions: .*got 'a'"),
        (["a"], [None], TypeError, r"references\[0\]: .*got None"),
        ([{"id": "a", "prediction_text": [None]}], [{"id": "a", "answers": {"text": []}}], TypeError,
         r"predictions\[0\]\[0\]: .*got None"),
        ([{"id": "a"}], [{"id": "a", "answers": {"text": []}}], TypeError, r"predictions\[0\]: .*got \{'id': 'a'\}"),
        (["a"], [{"id": "a"}], TypeError, r"references\[0\]: .*got \{'id': 'a'\}"),
    ],
)  # fmt: skip
def test_wrong_columns(predictions, references, error, message):
    with pytest.raises(error, match=f"^{message}"):
        textgauge.cuad(predictions, references)


def test_faces_and_pieces(tmp_path):
    datasets = pytest.importorskip("datasets")
    rng = random.Random(5)
    rows = []
    for i in range(40):
        answers = [" ".join(rng.choices(WORDS[2:8], k=4)) for _ in range(rng.randint(0, 3))]
        guesses = [f"{answer} and more of it here" for answer in answers[1:]] + ["something else"] * rng.randint(0, 2)
        rows.append(({"id": f"{i} Parties"[: rng.choice([2, 12])] + str(i), "prediction_text": guesses}, answers))
    predictions = [row for row, _ in rows]
    references = [{"id": row["id"], "answers": {"text": answers, "answer_start": [0] * len(answers)}}
                  for row, answers in rows]  # fmt: skip
    whole = textgauge.cuad(predictions, references, per_segment=True)
    assert len({*whole["segment_f1"]}) > 3
    parts = textgauge.Cuad().update(predictions[:7], references[:7]) + textgauge.Cuad().update(
        predictions[7:], references[7:]
    )
    assert parts.score(per_segment=True) == whole
    assert textgauge.Cuad.from_arrow(parts.to_arrow()).score(per_segment=True) == whole
    metric = textgauge.load("cuad", cache_dir=str(tmp_path))
    metric.add_batch(predictions=predictions[:9], references=references[:9])
    for row, gold in zip(predictions[9:], references[9:], strict=True):
        metric.add(prediction=row, reference=gold)
    assert metric.compute(per_segment=True) == whole
    columns = {"prediction_column": "guess", "reference_column": "gold"}
    lists = [row["prediction_text"] for row in predictions], [row["answers"]["text"] for row in references]
    expected = textgauge.cuad(*lists)
    for gold in (lists[1], [{"text": texts} for texts in lists[1]]):
        table = datasets.Dataset.from_dict({"guess": lists[0], "gold": gold})
        of_rows = textgauge.score_dataset(table, "cuad", batch_size=7, **columns)
        assert of_rows == {key: pytest.approx(expected[key], rel=1e-15) for key in ("exact_match", "f1")}
    [result] = textgauge.compare([predictions, predictions[::-1]], references, metric="cuad", n_resamples=20)
    assert result.score1 == whole["f1"]
    shown = textgauge.explain(predictions, references, metric="cuad")
    assert [one.score for one in shown.segments] == whole["segment_f1"]
    reward = textgauge.rewards.Reward("cuad")
    assert reward(completions=["the Buyer", "x"], answer=["buyer the", "y"]) == [1.0, 0.0]


def test_files_of_cuad(tmp_path):
    from click.testing import CliRunner
    from textgauge.cli.main import main

    answers = [{"text": "the seller", "answer_start": 3}]
    questions = [{"id": "a__Parties", "answers": answers}, {"id": "a__Cap", "answers": [], "is_impossible": True}]
    gold = {"data": [{"paragraphs": [{"context": "", "qas": questions}]}]}
    (tmp_path / "test.json").write_text(json.dumps(gold))
    (tmp_path / "guesses.json").write_text(json.dumps({"a__Parties": ["x", "The Seller:"], "a__Cap": []}))
    words = ["score", str(tmp_path / "guesses.json"), "-r", str(tmp_path / "test.json")]
    result = CliRunner().invoke(main, [*words, "-m", "cuad", "--format", "squad", "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["metrics"]["cuad"]["f1"] == pytest.approx((200 / 3 + 100) / 2)


def test_many_guesses_and_answers_take_time_in_proportion():
    rng = random.Random(7)

    def seconds(n):
        letters = [[" ".join("".join(rng.choices(string.ascii_lowercase, k=5)) for _ in range(9)) + " of the party"
                    for _ in range(n)] for _ in range(2)]  # fmt: skip
        start = time.perf_counter()
        textgauge.cuad([letters[0]], [[*letters[1], letters[0][0]]])
        return time.perf_counter() - start

    few, many = (min(seconds(n) for _ in range(3)) for n in (300, 2400))
    assert many < 40 * few
