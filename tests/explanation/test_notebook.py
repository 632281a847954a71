"""What notebooks get of results: HTML beside the values, in which all text is escaped."""

import copy
import json
import pickle
import re

import datasets
import numpy as np
import pytest
import textgauge
from textgauge.notebook import ScoreTable, Table, decimals_of


def test_a_calculation_displays_its_page():
    found = textgauge.explain(["a <b> c"], ["a b c"], metric="rouge1")
    page = found._repr_html_()
    assert page.startswith('<iframe class="textgauge"')
    assert ("<b>" in page, "ROUGE-1" in page, "http-equiv" in page) == (False, True, True)
    assert found.segments == ()
    assert pickle.loads(pickle.dumps(found)) == found


def test_all_scores_of_a_metric_are_on_the_page():
    found = textgauge.explain(["a b c"] * 2, ["a b d"] * 2, metric="rouge")
    page = found._repr_html_()
    assert all([title in page for title in ("ROUGE-1", "ROUGE-2", "ROUGE-L")])
    assert found._repr_html_() == page


def test_options_stand_beside_the_name_on_the_page():
    found = textgauge.explain(["a b c"], ["a b d"], metric="chrf(beta=3)")
    assert "(beta=3.0)" in found._repr_html_()
    assert "(beta=" not in textgauge.explain(["a b c"], ["a b d"], metric="chrf")._repr_html_()


@pytest.mark.parametrize(
    ("scores", "n"), [([0.5, 10.0], 4), ([0.5, 10.1], 2), ([-10.1, 0.5], 2), ([-0.5], 4), ([99.0, 0.1], 2)]
)
def test_decimals_of_a_table(scores, n):
    assert decimals_of(scores) == n


def test_bold_rows_and_sides_of_a_table():
    shown = Table("title", ["x", "y"], [["a", "1"], ["b", "2", "3"]], ["note", "more"], emphasized=[1]).html()
    assert re.findall(r"font-weight:(\w+)", shown) == ["normal"] * 3 + ["bold"] * 3
    assert re.findall(r"text-align:(\w+)", shown) == ["left", "right", "right"] * 3
    cells = ["title", "x", "y", "a", "1", "", "b", "2", "3", "note", "more"]
    assert re.findall(r"<(?:t[hd]|p) [^>]*>([^<]*)</", shown) == cells


def test_notebook_has_the_result_of_the_page():
    found = textgauge.explain(
        ["a b c"], ["a c"], sources=["a b"], metric="sari(counting='easse')"
    )  # fmt: skip
    assert found.written in found._repr_html_()


def test_a_table_escapes_and_pads():
    shown = Table("<i>", ["&"], [["<b>\x1b", "1"], ["c"]], ["n < 2"], emphasized=[1]).html()
    assert ("<b>" in shown, "<i>" in shown, "\x1b" in shown) == (False, False, False)
    assert shown.count("<td") == 2
    assert "n &lt; 2" in shown


def test_notebook_of_several_metrics():
    datasets.disable_progress_bars()
    rows = datasets.Dataset.from_dict({"p": ["a cat", "a dog"], "r": ["a cat", "the dog"]})
    found = textgauge.score_dataset(rows, ["ter", "token_f1"], prediction_column="p", reference_column="r")
    assert isinstance(found, dict)
    assert json.loads(json.dumps(found)) == found == pickle.loads(pickle.dumps(found))
    page = found._repr_html_()
    assert [name in page for name in (">ter<", ">ter: num_edits<", ">token_f1: f1<", ">token_f1<")] == [
        True, True, True, False
    ]  # fmt: skip


def test_the_table_of_captions():
    found = textgauge.coco(["a man on a horse", "a dog"], [["a man on a horse", "a rider"], ["the dog"]], meteor=False)
    assert isinstance(found, dict)
    assert ">Bleu_4<" in found._repr_html_()


def test_numbers_of_a_table():
    shown = ScoreTable(Bleu_1=0.25, CIDEr=12345.678, n=1234, is_done=True, least=-9.99, most=-10.0)._repr_html_()
    texts = (">0.2500<", ">12,345.68<", ">1,234<", ">-9.9900<", ">-10.00<", "is_done")
    assert [text in shown for text in texts] == [True] * 5 + [False]


def cells(found):
    rows = re.findall("<tr>(.*?)</tr>", found._repr_html_())
    return [[*filter(None, re.split("<[^>]*>", row))] for row in rows]


REFERENCES = ["the cat sat", "a dog ran", "birds sing", "fish swim"] * 10
SYSTEMS = [
    ["the cat sat", "a dog", "birds sing", "fish"] * 10, ["the cat", "a dog", "birds", "fish"] * 10,
    ["the cat sat", "a dog ran", "birds sing loud", "fish swim"] * 10,
]  # fmt: skip


def test_print_shows_what_a_notebook_does():
    found = textgauge.compare(
        {"base": SYSTEMS[0], "新": SYSTEMS[1]}, REFERENCES, metric="rougeL", n_resamples=200, seed=1
    )
    for shown, names in ((found, ["base", "新"]), (found[0], ["baseline", "system"])):
        lines = [re.split(r" {2,}", line.strip()) for line in str(shown).splitlines()]
        assert lines == cells(shown)
        assert [name for name, *_ in lines[1:]] == names
    table = Table("system", ["score"], [["新", "1.00"], ["base", "12.00"]], ["a\x1b note"])
    assert str(table).splitlines() == ["system  score", "新       1.00", "base    12.00", r"a\x1b note"]
    assert "\n" not in repr(found) + repr(found[0]) + repr(textgauge.compare(SYSTEMS, REFERENCES, all_pairs=True))


def test_comparisons_that_are_sorted_keep_their_names():
    named = dict(zip("abc", SYSTEMS, strict=False))
    found = textgauge.compare(named, REFERENCES, metric="rougeL", n_resamples=200)
    rows = cells(found)
    assert [row[0] for row in rows[1:]] == ["a", "b", "c"]
    for changed in (pickle.loads(pickle.dumps(found)), copy.copy(found), copy.deepcopy(found), found):
        changed.sort(key=lambda comparison: -comparison.stat)
        assert cells(changed) == [*rows[:2], rows[3], rows[2]]
        changed.append(changed[0]._replace(p=0.5))
        assert [row[0] for row in cells(changed)[1:]] == ["a", "c", "b", "[2]"]


@pytest.mark.filterwarnings("ignore")
def test_every_result_of_a_notebook_is_printed():
    choice = textgauge.mbr(["a b", "a c"], metric="chrf")
    assert str(choice) == f"candidate  expected score\n[0]                 {choice.scores[0]:.2f}\n" + (
        f"[1]                 {choice.scores[1]:.2f}"
    )
    for metric, sign in (("chrf", -1), ("ter", 1)):
        choice = textgauge.mbr(["x"] * 20 + ["a c d", "a b c", "a b"], metric=metric, references=["a b"])
        order = np.argsort(sign * choice.scores, kind="stable")[:20]
        assert [row[0] for row in cells(choice)[1:21]] == [f"[{i}]" for i in order]
        assert order[0] == choice.best == 22
    many = textgauge.compare(SYSTEMS, REFERENCES, metric="rougeL", all_pairs=True, n_resamples=200)
    planned = textgauge.plan(*SYSTEMS[:2], REFERENCES, metric="rougeL")
    for result in (many, planned, textgauge.mbr([["a b", "a c"]], metric="chrf")):
        assert [re.split(r" {2,}", line.strip()) for line in str(result).splitlines()] == cells(result)
    assert "textgauge explain -o" in repr(textgauge.explain(["a"], ["b"], metric="chrf"))


def test_comparisons_have_a_row_each():
    found = textgauge.compare(SYSTEMS, REFERENCES, metric="rougeL", n_resamples=200)
    first, second = found
    heads, baseline, *rows = cells(found)
    assert heads == ["system", "score", "interval", "difference", "interval of the difference", "p", "p (Holm)"]
    low, high = first.confidence_interval1
    assert baseline == ["systems[0]", "0.8667", f"[{low:.4f}, {high:.4f}]", "baseline"]
    for number, (row, one) in enumerate(zip(rows, (first, second), strict=True), 1):
        own, of_difference = (f"[{a:.4f}, {b:.4f}]" for a, b in (one.confidence_interval2, one.confidence_interval))
        assert row[:2] == [f"systems[{number}]", f"{one.score2:.4f}"]
        holm = found.p_holm[number - 1]
        assert row[2:] == [own, f"{one.stat:+.4f}", of_difference, f"{one.p:.4f}", f"{holm:.4f}"]
    assert [row[3] for row in rows] == ["-0.1333", "+0.0833"]
    assert cells(type(found)([])) == [["system", "score"]]


def test_all_pairs_have_a_row_for_each_system():
    found = textgauge.compare(SYSTEMS, REFERENCES, metric="chrf", n_resamples=400, all_pairs=True)
    # The best comes first; scores beyond 10 have two decimals.
    assert [(row[0], row[1], row[3:]) for row in cells(found)] == [
        ("system", "score", ["rank", "cluster"]), ("systems[2]", "96.36", ["1", "1"]),
        ("systems[0]", "73.51", ["2", "2"]), ("systems[1]", "40.58", ["3", "3"]),
    ]  # fmt: skip
    low, high = found.confidence_intervals[2]
    assert cells(found)[1][2] == f"[{low:.2f}, {high:.2f}]"
    alone = textgauge.compare(
        SYSTEMS[:1] * 2, REFERENCES, metric="chrf", n_resamples=20, all_pairs=True, confidence=None
    )
    assert [row[2:] for row in cells(alone)[1:]] == [["1-2", "1"], ["1-2", "1"]]


def with_notes(result):
    """The texts of the cells of a table, row by row, the notes last."""
    rows = re.findall(r"<tr>(.*?)</tr>", html := result._repr_html_())
    notes = [[note] for note in re.findall(r"<p .*?>(.*?)</p>", html)]
    return [re.findall(r"<t[hd] .*?>(.*?)</t[hd]>", row) for row in rows] + notes


@pytest.mark.filterwarnings("ignore:only 2 units")
def test_plans_rates_and_choices_are_tables():
    gold = ["the cat sat", "a dog barks", "it rains"] * 20
    first = [text if i % 3 else "no" for i, text in enumerate(gold)]
    second = [text if i % 4 else "no" for i, text in enumerate(gold)]
    found = textgauge.plan(first, second, gold, metric="exact_match", difference=-0.1)
    assert with_notes(found) == [
        ["power 80%", "to find", "segments", "segments by 9 of 10 pilots", "the pilot finds"],
        ["a pilot of 60", "0.1", "328", f"{found.low} to {found.high}", f"{found.detectable:.2g}"],
    ]
    by_unit = found._replace(n_units=1200, n_segments=2400, detectable=None)
    assert with_notes(by_unit) == [
        ["power 80%", "to find", "segments", "units", "units by 9 of 10 pilots", "the pilot finds"],
        ["a pilot of 60", "0.1", "2,400", "1,200", f"{found.low} to {found.high}", ""],
    ]
    rates = textgauge.pass_at_k({"<a>": [1, 0], "b": [0, 1]}, k=2)
    assert rates == {"pass@2": 1.0, "pass^2": 0.0, "avg@n": 0.5}
    assert with_notes(rates) == [["problems", "score"], ["pass@2", "1.0000"], ["pass^2", "0.0000"], ["avg@n", "0.5000"]]
    rates = textgauge.pass_at_k({"<a>": [1, 0], "b": [0, 1]}, confidence=0.9)
    assert with_notes(rates)[:2] == [["problems", "score", "interval"], ["pass@1", "0.5000", "[0.5000, 0.5000]"]]
    chosen = textgauge.mbr(["a b", "a c", "a b c"], metric="rouge1")
    assert with_notes(chosen)[:2] == [["candidate", "expected score"], ["[2]", f"{chosen.scores[2]:.4f}"]]
    assert len(with_notes(chosen)) == 4
    # Lower is better.
    lower = textgauge.mbr(["a b c d", "a b", "a c", "a b c"], metric="wer")
    assert [row[0] for row in with_notes(lower)[1:]] == ["[3]", "[1]", "[2]", "[0]"]
    many = with_notes(textgauge.mbr([*map(str, range(22))], metric="rouge1"))
    assert (many[20][0], *many[21:]) == ("[19]", ["2 more"])
    many = textgauge.mbr([["a b", "a c", "a b c"]] * 25, metric="rouge1")
    assert with_notes(many)[1] == ["[0]", "2 of 3", f"{chosen.scores[2]:.4f}"]
    assert with_notes(many)[20:] == [["[19]", "2 of 3", f"{chosen.scores[2]:.4f}"], ["5 more"]]


@pytest.mark.filterwarnings("ignore:two systems", "ignore:p and interval")
def test_long_results_have_short_representations():
    gold = ["the cat sat on the mat"] * 300
    found = textgauge.matches(gold, gold, metric="rouge1")
    assert repr(found) == "<Alignments of 300 segments>"
    assert repr(found[0]) == "<Alignment, 6 tokens of the prediction, 6 of reference 0>"
    assert found == list(found)
    compared = textgauge.compare({f"s{i}": [*gold[: 90 + i], *["no"] * (210 - i)] for i in range(40)}, gold)
    assert repr(compared) == "<Comparisons of 39 systems with s0>"
