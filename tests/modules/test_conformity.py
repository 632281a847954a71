"""The checks of evaluate's own tests for every metric in its repository."""

import doctest
import inspect
import os
import sys

import evaluate
import pytest
import textgauge
from datasets import Features, Sequence, Value
from option_values import WITH_A_MODEL
from textgauge.locations import MODULES

# The characters of a text that says something: a rule of ours, since `evaluate` shows these texts alone.
LEAST = 80


@pytest.mark.parametrize("name", MODULES)
def test_a_module_has_the_form_that_evaluate_expects(name):
    module = evaluate.load(textgauge.path(name))
    parameters = inspect.signature(type(module)._compute).parameters.values()
    assert [p.name for p in parameters if p.kind is p.VAR_KEYWORD] == []
    if name in WITH_A_MODEL:
        pytest.importorskip("torch", reason="examples with a model need torch")
    found = doctest.testmod(sys.modules[type(module).__module__], raise_on_error=True)
    assert (found.failed, found.attempted > 1) == (0, True)
    texts = {name: getattr(module, name) for name in ("description", "citation", "inputs_description")}
    short = [name for name, text in texts.items() if len(text) <= LEAST]
    assert short == [], f"expected more than {LEAST} characters in each of {', '.join(texts)}"


# Of the Hub's modules; the id of a list, which some of them give, means nothing and is dropped by newer `datasets`.
TEXT = Value("string", id="sequence")


@pytest.mark.parametrize("name", ["bleu", "sacrebleu", "chrf", "ter", "bertscore", "rouge"])
def test_the_features_are_those_of_the_hub(name):
    expected = [Features({"predictions": TEXT, "references": side}) for side in (Sequence(TEXT), TEXT)]
    assert textgauge.load(name).features == expected


def test_unwritable_module_folder(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr(evaluate.config, "HF_MODULES_CACHE", tmp_path / "file" / "modules")
    monkeypatch.setattr(evaluate.loading, "init_hf_modules", lambda _: os.makedirs(evaluate.config.HF_MODULES_CACHE))
    with pytest.raises(OSError, match="^HF_MODULES_CACHE: .*file/modules: Not a dir"):
        textgauge.load("bleu")


def test_other_system_error(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "own.py").write_text("import evaluate\nopen('/no/such/file')\n")
    with pytest.raises(FileNotFoundError, match="No such file or directory: '/no/such/file'"):
        textgauge.load(tmp_path / "own")
