"""The explanation of WER and CER: three lines, reference over prediction, then the counts and the rate."""

import pytest
import textgauge
from click.testing import CliRunner
from textgauge.cli.main import main as program
from textgauge.explanation.derivation import Edit, aligned_lines
from textgauge.notebook import cells_of

HYP, REF = "quite bit of an even longest sentence here", "quite a bit of longer sentence"


def lines(*given, **options):
    return str(textgauge.explain(*given, **options)).splitlines()


def test_the_reference_stands_over_the_prediction():
    shown = lines([HYP], [REF], metric="wer")
    at = next(i for i, line in enumerate(shown) if line.startswith("REF:"))
    assert shown[at : at + 3] == [
        "REF: quite a bit of ** **** longer  sentence ****",
        "HYP: quite * bit of an even longest sentence here",
        "           D        I  I    S                I",
    ]
    assert shown[-1].endswith("(1 + 1 + 3) / 6 = 0.8333")
    [derivation] = [textgauge.explain([HYP], [REF], metric="wer")]
    assert derivation.score == textgauge.wer([HYP], [REF])["wer"] == 5 / 6


def test_characters_stand_side_by_side_in_blocks():
    shown = lines(["x" * 150 + "a"], ["x" * 150 + "b"], metric="cer")
    blocks = [line for line in shown if line[:5] in ("REF: ", "HYP: ")]
    assert [len(line) for line in blocks] == [80, 80, 80, 80, 6, 6]
    assert shown[-1].endswith("(1 + 0 + 0) / 151 = 0.0066")


def test_every_score_is_that_of_its_formula():
    for key in ("wer", "mer", "wil", "wip"):
        assert textgauge.explain([HYP, ""], [REF, "a"], metric=key).score == textgauge.wer([HYP, ""], [REF, "a"])[key]


@pytest.mark.filterwarnings("ignore:no reference has a word")
@pytest.mark.parametrize(("prediction", "reference", "formulas"), [
    ("", "a b", {"wer": "(0 + 2 + 0) / 2 = 1.0000", "mer": "(0 + 2 + 0) / (0 + 0 + 2 + 0) = 1.0000",
                 "wil": "there is nothing to divide by = 1.0000", "wip": "there is nothing to divide by = 0.0000"}),
    ("a", "", {"wer": "there is nothing to divide by = 1.0000", "mer": "(0 + 0 + 1) / (0 + 0 + 0 + 1) = 1.0000",
               "wil": "there is nothing to divide by = 1.0000", "wip": "there is nothing to divide by = 0.0000"}),
    ("", "", {"wer": "there is nothing to divide by = 0.0000", "mer": "there is nothing to divide by = 0.0000",
              "wil": "there is nothing to divide by = 0.0000", "wip": "there is nothing to divide by = 1.0000"}),
    ("a", "a b", {"wer": "(0 + 1 + 0) / 2 = 0.5000", "mer": "(0 + 1 + 0) / (1 + 0 + 1 + 0) = 0.5000",
                  "wil": "1 - 1 / 2 × 1 / 1 = 0.5000", "wip": "1 / 2 × 1 / 1 = 0.5000"}),
])  # fmt: skip
def test_nothing_is_divided_by_nothing(prediction, reference, formulas):
    for key, formula in formulas.items():
        shown = lines([prediction], [reference], metric=key)[-1]
        assert shown.split(None, 1) == [key.upper(), formula]


def test_best_reference_is_marked():
    [one] = textgauge.matches(["a red fox"], [["a slow cow", "a quick fox"]], metric="wer")
    assert one.best == 1
    assert [(match.start, match.end) for match in one.prediction] == [(0, 1), (6, 9)]
    shown = lines(["a red fox"], [["a slow cow", "a quick fox"]], metric="wer")
    assert "REF: a quick fox" in shown


def test_lines_are_cut_at_a_width():
    derivation = textgauge.explain([HYP], [REF], metric="wer")
    assert aligned_lines(derivation.alignment, is_joined=False, width=20)[:2] == [
        "REF: quite a bit of **",
        "HYP: quite * bit of an",
    ]


def test_wide_characters_stand_above_each_other():
    derivation = textgauge.explain(["\u732b\u5728\u5bb6a"], ["\u732b\u5728\u5e8aab"], metric="cer")
    assert aligned_lines(derivation.alignment, is_joined=True, width=8) == [
        "REF: \u732b\u5728\u5e8aab", "HYP: \u732b\u5728\u5bb6a*", "         S  D",
    ]  # fmt: skip
    assert aligned_lines(derivation.alignment, is_joined=True, width=6)[:3] == [
        "REF: \u732b\u5728\u5e8a", "HYP: \u732b\u5728\u5bb6", "         S",
    ]  # fmt: skip


@pytest.mark.parametrize("columns", [20, 40, 60, 80])
@pytest.mark.parametrize("metric", ["wer", "cer", "bleu", "chrf", "rougeL", "ter", "token_f1"])
def test_a_calculation_fits_into_a_terminal(metric, columns):
    """No line is longer, none but those of the alignment are other than the whole lines, and no word is lost."""
    sides = [[HYP, f"{HYP} {'x' * 90} \u732b\u5728\u5bb6", "b"], [REF, f"{REF} {'x' * 90}", "c b"]]
    for texts in (sides, [side[1:2] for side in sides]):
        derivation = textgauge.explain(*texts, metric=metric)
        shown = derivation.text(columns).splitlines()
        assert max(map(cells_of, shown)) <= columns
        assert any(line.startswith(" ") for line in shown)
        if metric not in ("wer", "cer"):
            assert "".join("".join(shown).split()) == "".join(str(derivation).split())
    assert derivation.text(1000).splitlines()[-1] == str(derivation).splitlines()[-1]


def test_lines_go_on_below_their_beginning():
    shown = textgauge.explain(["a cat sat on the mat"], ["a cat sat on a mat"], metric="rouge1").text(40)
    assert shown.splitlines()[:3] == [
        "prediction  [a] [cat] [sat] [on] the",
        "            [mat]",
        "reference   [a] [cat] [sat] [on] a [mat]",
    ]


def test_the_page_has_the_lines(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("hyp", HYP), ("ref", REF)):
        (tmp_path / name).write_text(f"{text}\n")
    done = CliRunner().invoke(program, ["explain", "hyp", "-r", "ref", "-m", "wer", "-o", "page.html"])
    assert done.exit_code == 0, done.output
    page = (tmp_path / "page.html").read_text()
    shown = page[page.index('<pre class="alignment"') :].partition("</pre>")[0]
    assert "quite * bit of an even longest sentence here" in shown
    assert "REF: quite a bit of" in shown


def test_an_alignment_is_cut_at_its_width():
    words, letters = ([Edit("keep", text, text)] * 3 for text in ("abc", "a"))
    assert aligned_lines(words, is_joined=False, width=11) == ["REF: abc abc abc", "HYP: abc abc abc", ""]
    assert len(aligned_lines(words, is_joined=False, width=10)) == 6
    assert aligned_lines(letters, is_joined=True, width=2)[3:] == ["REF: a", "HYP: a", ""]
