"""The examples of `metrics/DROP_IN.md`, each section where its tool is installed."""

import importlib
import re
from importlib.util import find_spec

import pytest
from conftest import ROOT
from tiny_models import save_bleurt, save_encoder

PAGE = (ROOT / "metrics/DROP_IN.md").read_text(encoding="utf-8")
NEEDED = {
    "nltk": (), "pycocoevalcap": (), "EASSE": (), "bert-score": ("torch", "transformers"),
    "BLEURT": ("torch", "transformers"),
    "rouge_score and sacreBLEU": ("rouge_score", "sacrebleu"), "jiwer": ("jiwer",), "evaluate": ("evaluate",),
}  # fmt: skip
SECTIONS = re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)


def test_every_section_is_run():
    assert [name for name, _ in SECTIONS] == [*NEEDED]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "text"), SECTIONS, ids=[*NEEDED])
def test_a_section(name, text, tmp_path, monkeypatch):
    missing = [one for one in NEEDED[name] if find_spec(one) is None]
    if missing:
        pytest.skip(f"{missing[0]} is not installed")
    if name == "bert-score":
        save_encoder(tmp_path / "tiny-bert", model_max_length=20)
    if name == "BLEURT":
        save_bleurt(tmp_path / "bleurt-tiny")
    monkeypatch.chdir(tmp_path)
    found = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
    assert found
    for number, block in enumerate(found):
        exec(compile(block, f"{name}, block {number}", "exec"), {})


@pytest.mark.parametrize(
    ("name", "attribute"),
    [
        ("nltk.translate.ribes_score", "sentence_ribes"), ("nltk.tokenize", "word_tokenize"), ("nltk", "__version__"),
        ("nltk.metrics.distance", "edit_distance"), ("rouge_score.tokenize", "tokenize"), ("jiwer.transforms", "Strip"),
    ],
)  # fmt: skip
def test_what_is_not_here_is_the_tools_own(name, attribute):
    pytest.importorskip(name.partition(".")[0])
    here, original = (importlib.import_module(prefix + name) for prefix in ("textgauge.compat.", ""))
    assert getattr(here, attribute) is getattr(original, attribute)
    # The original stays what it is.
    assert original.__name__ == original.__spec__.name == name


def test_names_of_pycocoevalcap_are_found_below_ours():
    pytest.importorskip("pycocoevalcap.rouge.rouge")
    from pycocoevalcap.rouge.rouge import my_lcs
    from textgauge.compat.pycocoevalcap.bleu.bleu_scorer import BleuScorer
    from textgauge.compat.pycocoevalcap.rouge.rouge import my_lcs as found

    assert found is my_lcs
    assert BleuScorer.__module__ == "pycocoevalcap.bleu.bleu_scorer"


@pytest.mark.parametrize("name", ["easse.bleu", "bert_score.utils"])
def test_what_no_installed_tool_has_is_one_error(name):
    tool = name.partition(".")[0]
    if find_spec(tool):
        pytest.skip(f"{tool} is installed")
    importlib.import_module(f"textgauge.compat.{tool}")
    with pytest.raises(ImportError, match=f"^{tool}, which has what is not in textgauge, is not installed$"):
        importlib.import_module(f"textgauge.compat.{name}")
    with pytest.raises(ModuleNotFoundError, match="textgauge.compat.nltk.nosuch"):
        importlib.import_module("textgauge.compat.nltk.nosuch")
