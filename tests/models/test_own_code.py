"""A model's folder never runs code: of every metric with a model, whichever of its files names some."""

import builtins
import contextlib
import json
import re

import pytest
import textgauge
from conftest import ROOT
from textgauge.accumulation.registry import METRICS
from textgauge.models.files import pretrained
from textgauge.options import options_of
from tiny_models import load_learned, save_align, save_for, save_pair_model

LEARNED = [name for name, kind in METRICS.items() if any(o.name == "model_id" for o in options_of(kind.options_type))]
CODE = """
from pathlib import Path
Path(__file__).with_name("ran").write_text("")
"""
CLASSES = (
    "AutoConfig", "AutoModel", "AutoModelForCausalLM", "AutoModelForSeq2SeqLM", "AutoModelForSequenceClassification",
)  # fmt: skip
# Transformers never sees the settings of these, which name no class that is looked up.
READ_HERE = {"bleurt"}
REFUSED = r"^(model_id|encoder|tokenizer): expected .* of a class of transformers, since code of a model is never run"


def test_one_function_loads_by_a_name():
    """The other call builds a class of transformers itself around weights that were read."""
    calls = [
        (file.name, line.strip()) for file in sorted((ROOT / "metrics/textgauge").rglob("*.py"))
        for line in file.read_text("utf-8").splitlines() if re.search(r"\w\.from_pretrained\((?!NAME)", line)
    ]  # fmt: skip
    assert [name for name, _ in calls] == ["files.py", "loading.py"]
    assert calls[1][1] == "model, info = model_type.from_pretrained("


def test_code_is_refused_unless_the_user_says_otherwise():
    pytest.importorskip("huggingface_hub")

    class Kind:
        given = None

        @classmethod
        def from_pretrained(cls, name, **given):
            cls.given = given
            if not given["trust_remote_code"]:
                raise ValueError("run my code\nwith `trust_remote_code=True`")
            return name

    about = "evil", "model_id", "a model", "a/b", "a folder"
    with pytest.raises(OSError, match=f"{REFUSED}, got 'evil' "):
        pretrained(Kind, *about)
    with pytest.raises(OSError, match=r"never run \(if you trust it, say so\), got 'evil' "):
        pretrained(Kind, *about, if_trusted="say so", revision=None)
    assert pretrained(Kind, *about, trust_remote_code=True, revision="r") == "evil"
    assert Kind.given == {"trust_remote_code": True, "revision": "r"}


def name_code(file, is_tokenizer):
    """Let a file of settings name a class beside it."""
    settings = json.loads(file.read_text()) if file.exists() else {}
    if is_tokenizer:
        settings |= {"tokenizer_class": "Own", "auto_map": {"AutoTokenizer": ["own.Own", "own.Own"]}}
    else:
        settings |= {"model_type": "own", "auto_map": {name: "own.Own" for name in CLASSES}}
    file.write_text(json.dumps(settings))
    (file.parent / "own.py").write_text(CODE)


def refuses(metric, folder, options, monkeypatch):
    """Try each file of settings below a folder, with a user who would answer every question by yes."""
    asked = []
    monkeypatch.setattr(builtins, "input", lambda *question: asked.append(question) or "y")
    monkeypatch.chdir(folder)
    files = {(file, False) for file in folder.rglob("config.json")}
    files |= {(file, True) for file in folder.rglob("tokenizer_config.json")}
    assert files
    refused = []
    for file, is_tokenizer in sorted(files):
        before = file.read_bytes()
        name_code(file, is_tokenizer)
        # Not refused is what is not read, and a tokenizer for whose type of model transformers itself has a class;
        # a ValueError tells of a class that nothing has.
        with contextlib.suppress(ValueError):
            try:
                scored(metric, options)
            except OSError as error:
                refused.append(str(error))
        file.write_bytes(before)
    assert refused or metric in READ_HERE
    for message in refused:
        assert re.match(REFUSED, message)
        assert ("trust_remote_code" in message) == ("model_kwargs" in options_names(metric))
    assert asked == []
    assert not [*folder.rglob("ran")]


def scored(metric, options):
    """Score a text, with which a metric loads its model."""
    kind = METRICS[metric]
    if hasattr(kind, "model"):
        return load_learned(metric, **options)
    if kind(kind.options_type(**options)).inputs.has_references:
        return getattr(textgauge, metric)(["a cat"], ["the cat"], **options)
    return getattr(textgauge, metric)(texts=["a cat"], **options)


def options_names(metric):
    return {option.name for option in options_of(METRICS[metric].options_type)}


@pytest.mark.parametrize("metric", LEARNED)
def test_no_file_of_a_metric_runs_code(metric, tmp_path, monkeypatch):
    options = save_for(metric, tmp_path / "all")
    refuses(metric, tmp_path / "all", options, monkeypatch)


@pytest.mark.parametrize("form", ["alignscore", "summac-zs"])
def test_no_file_of_another_form_runs_code(form, tmp_path, monkeypatch):
    pytest.importorskip("torch")
    if form == "alignscore":
        file, encoder = save_align(tmp_path)
        options = {"model_id": str(file), "encoder": str(encoder)}
    else:
        save_pair_model(tmp_path / "nli", 3, ("contradiction", "neutral", "entailment"))
        options = {"model_id": "nli"}
    refuses("consistency", tmp_path, {"form": form, **options}, monkeypatch)
