"""The command that measures CUAD compares the figures of both sides, and prints a table."""

import textgauge

from comparisons import cuad_cost

SCRIPT = """
def compute_score(dataset, predictions):
    [question] = dataset[0]["paragraphs"][0]["qas"]
    assert [*predictions] == [question["id"]]
    return {FIGURES}
"""


def test_both_sides_are_timed_and_compared(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(cuad_cost, "N_QUESTIONS", 1)
    expected = textgauge.cuad(*cuad_cost.questions_of(1))
    for figures, said in ((expected, "equal"), ({}, "differ")):
        (tmp_path / "compute_score.py").write_text(SCRIPT.replace("{FIGURES}", repr(figures)))
        assert cuad_cost.main(tmp_path / "compute_score.py") == (said == "equal")
        first, _, *table = capsys.readouterr().out.splitlines()
        assert first.startswith(f"1 questions, figures {said}; ")
        assert len(table) == 3
    textgauge.set_num_threads(None)


def test_questions():
    predictions, references = cuad_cost.questions_of(300)
    assert [row["id"] for row in predictions] == [row["id"] for row in references]
    assert sum("Parties" in row["id"] for row in references) == 100
    assert {len(row["prediction_text"]) for row in predictions} == {1, 2, 3, 4, 5}
