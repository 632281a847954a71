"""Rows of SQuAD in JSON Lines, and SQuAD's own files, matched by ids."""

import json

import pytest
import textgauge

GIVEN = [{"id": "b", "prediction_text": "in 1889"}, {"id": "a", "prediction_text": "The Seine"}]
ANSWERS = [{"id": "a", "answers": {"text": ["Seine", "a river"]}}, {"id": "b", "answers": {"text": ["1889"]}}]
COMPARE = ("compare", "-m", "token_f1", "--format", "squad")
SQUAD = ("score", "-m", "token_f1", "--format", "squad")


def test_rows_go_by_id(metrics, write):
    sides = ("-p", write("given.jsonl", GIVEN), "-r", write("answers.jsonl", ANSWERS))
    page = metrics(*SQUAD, *sides, "--per-segment")["token_f1"]
    assert page == textgauge.token_f1(GIVEN, ANSWERS, per_segment=True)
    assert page["segment_exact_match"] == [1.0, 0.0]


def test_one_file_holds_both(metrics, write):
    rows = [{**a, **b} for a, b in zip(GIVEN, reversed(ANSWERS), strict=True)]
    page = metrics(*SQUAD, "-m", "rouge", "-p", write("rows.jsonl", rows))
    assert page["token_f1"] == textgauge.token_f1(GIVEN, ANSWERS)
    assert page["rouge"]["rouge1"] == pytest.approx((0.5 * 4 / 3 + 2 / 3) / 2)


def test_systems_are_compared_by_id(run, write):
    ids = [f"q{i}" for i in range(8)]
    answers = [{"id": i, "answers": {"text": [f"the {i}", "none"]}} for i in ids]
    first = [{"id": i, "prediction_text": f"{i} or so"} for i in reversed(ids)]
    second = [{"id": i, "prediction_text": i} for i in ids]
    files = [write(f"{name}.jsonl", rows) for name, rows in (("a", first), ("b", second))]
    page = json.loads(run(*COMPARE, "-r", write("answers.jsonl", answers), *files, "--json").stdout)
    scores = [textgauge.token_f1(rows, answers)["f1"] for rows in (first, second)]
    assert [system["score"] for system in page["metrics"]["token_f1"]] == scores == [0.5, 1.0]


@pytest.mark.parametrize("n_systems", [1, 2])
def test_answers_are_explained_by_id(run, write, tmp_path, n_systems):
    files = [option for _ in range(n_systems) for option in ("-p", write("given.jsonl", GIVEN))]
    names = [option for i in range(n_systems) for option in ("--name", f"system {i}")]
    sides = (*files, *names, "-r", write("answers.jsonl", ANSWERS))
    run("explain", "-m", "token_f1", "--format", "squad", *sides, "-o", "page.html")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert f"{textgauge.token_f1(GIVEN, ANSWERS)['f1']:.4f}" in page
    assert page.index("Seine") < page.index("1889")
