"""What scripts for the Hub's modules expect: their names, and the kind of their errors."""

import inspect
import re
from pathlib import Path

import pytest
import textgauge
from textgauge.accumulation.named_score import NamedScore
from textgauge.locations import COMPARISONS, MODULES

PAIR = {"predictions": ["a cat"], "references": ["the cat"]}


@pytest.mark.parametrize("prefix", ["evaluate-metric", "metrics"])
def test_names_of_the_hub_are_ours(prefix):
    module = textgauge.load(f"{prefix}/wer")
    assert (module.name, module.compute(**PAIR)) == ("wer", 0.5)


def test_a_comparison_has_them_too():
    assert textgauge.load(f"comparisons/{COMPARISONS[0]}").name == COMPARISONS[0]


def test_a_folder_of_that_name_is_never_run(tmp_path, monkeypatch):
    for name in ("metrics/wer", "evaluate-metric/wer", "metrics/other"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / f"{Path(name).name}.py").write_text("raise SystemExit('run')")
    monkeypatch.chdir(tmp_path)
    for name in ("metrics/wer", "evaluate-metric/wer"):
        assert textgauge.load(name).compute(**PAIR) == 0.5
    # What is no name of the table is a path, as it was.
    with pytest.raises(SystemExit):
        textgauge.load("metrics/other")


@pytest.mark.parametrize(
    "name", ["evaluate-metric/../bleu", "metrics/bleu/..", "evaluate-metric/x/wer", "evaluate-metric/"]
)
def test_only_a_name_of_the_table_follows(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=f"^module: .*got {re.escape(repr(name))}"):
        textgauge.load(name)


def test_a_misspelt_name_is_answered_as_without_the_prefix():
    with pytest.raises(ValueError, match="did you mean 'chrf'.*'evaluate-metric/chrff'"):
        textgauge.load("evaluate-metric/chrff")
    assert "chrf" in MODULES


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("gleu", "google_bleu"), ("chrf++", "chrf(word_order=2)"), ("metrics/f1", "token_f1"),
        ("accuracy", "exact_match"), ("rouge_score", "rouge"),
    ],
)  # fmt: skip
def test_a_name_of_other_tools_is_answered_with_what_loads(name, ours):
    found = rf"^module: expected the name of a module \(it is '{re.escape(ours)}' here\), .*got '{re.escape(name)}' "
    with pytest.raises(ValueError, match=found):
        textgauge.load(name)
    result = textgauge.load(ours).compute(predictions=["a b c d"], references=["a b c e"])
    assert result == textgauge.load(ours.partition("(")[0], **NamedScore.of(ours).options).compute(
        predictions=["a b c d"], references=["a b c e"]
    )
    assert ours != "chrf(word_order=2)" or result["word_order"] == 2


def test_signatures_have_no_places():
    module = textgauge.load("chrf")
    for method, first in (
        (module.compute, "predictions"),
        (module.add_batch, "predictions"),
        (module.add, "prediction"),
    ):
        assert str(inspect.signature(method)).startswith(f"(*, {first}=None, reference")
    assert str(inspect.signature(textgauge.Chrf.__init__)) == "(self, **options: 'Any') -> 'None'"


def test_options_of_a_module_are_given_once():
    sides = {"predictions": ["the cat"], "references": ["the cats"]}
    module = textgauge.load("evaluate-metric/chrf(word_order=2)")
    assert module.compute(**sides) == textgauge.load("chrf", word_order=2).compute(**sides)
    with pytest.raises(ValueError, match="^`word_order` is given in brackets and as an argument of `load`"):
        textgauge.load("chrf(word_order=2)", word_order=1)
    with pytest.raises(ValueError, match=r"^module, character 5: "):
        textgauge.load("chrf(word_order=2")


@pytest.mark.parametrize("name", ["no module (1)", "x)(y)", "chrf(word_order=2", "()"])
def test_what_only_looks_like_options_is_refused(name):
    with pytest.raises(ValueError, match="^module"):
        textgauge.load(name)


@pytest.mark.parametrize(
    "wrong",
    [
        {"predictions": [1]}, {"references": [[]]}, {"references": ["a", "b"]}, {"predictions": "a"},
        {"max_order": "4"}, {"max_order": 0}, {"unknown": 1},
    ],
)  # fmt: skip
def test_an_error_about_a_value_is_of_both_kinds(wrong):
    module, messages = textgauge.load("bleu"), []
    for kind in (TypeError, ValueError):
        with pytest.raises(kind) as caught:
            module.compute(**{**PAIR, **wrong})
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    assert messages[0].startswith([*wrong][0])
    assert module.compute(**PAIR)["translation_length"] == 2


def test_errors_of_comparisons():
    module = textgauge.load("paired_bootstrap")
    for kind in (TypeError, ValueError):
        with pytest.raises(kind, match="predictions2"):
            module.compute(predictions1=["a"], predictions2=[1], references=["a"])

    def broken(text):
        raise ValueError("of the tokenizer")

    with pytest.raises(ValueError, match="^of the tokenizer") as caught:
        textgauge.load("bleu").compute(**PAIR, tokenizer=broken)
    assert not isinstance(caught.value, TypeError)
