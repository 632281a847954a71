"""The examples of `metrics/DROP_IN.md`, each section where its tool is installed."""

import re
from importlib.util import find_spec

import pytest
from conftest import ROOT
from tiny_models import save_encoder

PAGE = (ROOT / "metrics/DROP_IN.md").read_text(encoding="utf-8")
NEEDED = {
    "nltk": (), "pycocoevalcap": (), "EASSE": (), "bert-score": ("torch", "transformers"),
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
    monkeypatch.chdir(tmp_path)
    found = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
    assert found
    for number, block in enumerate(found):
        exec(compile(block, f"{name}, block {number}", "exec"), {})
