"""The output of `textgauge score -m token_f1`."""

import json

import pytest
import textgauge

FILES = ("-p", "hyp.txt", "-r", "ref.txt")


@pytest.fixture
def answers(tmp_path):
    hyps, refs = ["in 1889", "The Seine", "el río río"], ["1889", "Seine", "río"]
    (tmp_path / "hyp.txt").write_text("\n".join(hyps), encoding="utf-8")
    (tmp_path / "ref.txt").write_text("\n".join(refs), encoding="utf-8")
    return hyps, refs


def test_table(run, answers):
    result = textgauge.token_f1(*answers)
    lines = [line.split() for line in run("score", "-m", "token_f1", *FILES).stdout.splitlines()]
    for name in ("precision", "recall", "f1"):
        assert [name.replace("f1", "F1"), f"{result[name]:.4f}"] in [line[:2] for line in lines]
    assert ["exact", "match", f"{result['exact_match']:.4f}"] in [line[:3] for line in lines]
    assert ["3", "segments,", "normalizer", "squad,", "tokenizer", "whitespace,", "counted", "as", "multiset"] in lines


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        ((), {}),
        (("--counting", "set", "--per-segment"), {"counting": "set", "per_segment": True}),
        (("--normalizer", "mlqa:es"), {"normalizer": "mlqa:es"}),
        (("--normalizer", "none", "--tokenizer", "character"), {"normalizer": "none", "tokenizer": "character"}),
    ],
)
def test_flags_are_the_options_of_the_library(run, answers, flags, options):
    page = json.loads(run("score", "-m", "token_f1", "--json", *FILES, *flags).stdout)
    assert page["metrics"]["token_f1"] == textgauge.token_f1(*answers, **options)


def test_brief_is_f1_and_exact_match(run, answers):
    result = textgauge.token_f1(*answers)
    f1, exact = (f"{result[key]:.4f}\n" for key in ("f1", "exact_match"))
    assert run("score", "-m", "token_f1", "-b", *FILES).stdout == f1 + exact
    assert run("score", "-m", "exact_match", "-b", *FILES).stdout == exact


def test_other_metrics_do_not_take_its_flags(refused, answers):
    assert "normalizer is an option of token_f1, squad and squad_v2, not of bleu" in refused(
        "score", "-m", "bleu", "--normalizer", "none", *FILES
    )


def test_one_warning_for_answers_that_become_nothing(run, tmp_path):
    (tmp_path / "hyp.txt").write_text("the\na\nx\n")
    (tmp_path / "ref.txt").write_text("x\ny\nx\n")
    result = run("score", "-m", "token_f1", "--json", *FILES)
    assert result.stderr.startswith("textgauge: warning: 2 texts are not empty but have no token under the normalizer")
    assert result.stderr.count("\n") == 1
