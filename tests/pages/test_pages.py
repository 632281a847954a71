"""Every metric on the pages, which name none."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import textgauge
from textgauge import sample
from textgauge.apps.inputs import two_columns
from textgauge.apps.scoring import result_of, scores_of
from textgauge.apps.settings import inputs_of, settings_of
from textgauge.apps.surprise import SurpriseOptions
from textgauge.columns import corpus_of, text_column, without_references
from textgauge.locations import METRICS as FOLDERS
from textgauge.measures.measure import Measure
from textgauge.measures.registry import METRICS, score_named
from textgauge.options import options_of
from textgauge.report.content import Content, System
from textgauge.report.pages import explain_page, refusal_part
from textgauge.resampling import BootstrapOptions

BOOTSTRAP = BootstrapOptions(0.95, 100)
TYPES = ("rouge2", "rougeL", "rougeLsum", "rougeW", "rougeW-2", "rougeS", "rougeS0", "rougeS4", "rougeSU", "rougeSU4")
# Every metric that says what matches, by a name for each of its scores.
SHOWN = {
    (name, key): score_named(name if measure.find(key) is None else key)
    for name, measure in METRICS.items()
    if measure.is_paired and measure.alignments is not Measure.alignments
    for key in (*(measure.also_named or measure().score_names), *(TYPES if measure.find(TYPES[0]) else ()))
}


@pytest.fixture(scope="module")
def corpora():
    hyps, refs = sample.columns("translations")
    return [corpus_of(lines, refs) for lines in (hyps, [" ".join([*text.split()[:-1], "x"]) for text in hyps])]


def test_every_metric_that_marks_texts_is_shown():
    assert {name for name, _ in SHOWN} == {name for name, measure in METRICS.items() if measure.is_paired}
    assert {"chrf", "ter"} <= {name for name, _ in SHOWN}


@pytest.mark.parametrize("systems", [[], [SimpleNamespace(corpus=())]], ids=["systems", "segments"])
def test_a_page_of_nothing_is_refused(systems):
    with pytest.raises(ValueError, match="systems: expected at least one system with at least one segment, got none"):
        Content("bleu", systems, BOOTSTRAP)


@pytest.mark.parametrize("named", SHOWN.values(), ids=lambda named: named.name)
def test_every_score_has_a_page(corpora, named):
    systems = [System.of(name, corpus, named, {}, BOOTSTRAP) for name, corpus in zip("ab", corpora, strict=True)]
    content = Content(named.key, systems, BOOTSTRAP, 10)
    words = named.measure.words(named.key)
    page = explain_page(content)
    assert all(text in page for text in (words.title, systems[0].measure.signature, "Against"))
    assert "stand in" not in page
    assert "stands in" not in page
    rows, used = content.segments(), set()
    assert len(rows) == 10
    for row in rows:
        for system, shown in zip(systems, row["systems"], strict=True):
            assert "".join(shown["text"][::2]) == system.corpus.hypotheses[row["n"] - 1]
            assert shown["matched"] <= shown["tokens"]
            used |= {mark for text in (shown["text"], *shown["references"]) for mark in text[1::2] if mark}
    # The legend explains every mark.
    assert used <= {2 * mark.level + mark.is_common for mark in content.scores[0].marking.legend}
    assert len(content.scores[0].differences) == 1
    assert content.scores[0].by_length is not None
    assert content.by_frequency is not None


@pytest.mark.parametrize("named", SHOWN.values(), ids=lambda named: named.name)
def test_marks_exist_wherever_there_is_a_score(corpora, named):
    system = System.of("a", corpora[0], named, {}, BootstrapOptions())
    alignments = system.aligned(np.arange(len(corpora[0])))
    counted = np.array([sum(map(system.measure.marking(named.key).is_counted, one.prediction)) for one in alignments])
    scores = system.segment_scores
    if not named.measure.higher_is_better:
        assert (counted[scores < 1] > 0).all()
    elif not system.measure.displayed_as:
        assert (counted[scores > 0] > 0).all()


def test_the_worst_are_listed_whichever_way_scores_go(corpora):
    for name in ("bleu", "ter"):
        named = score_named(name)
        content = Content(named.key, [System.of("a", corpora[0], named, {}, BootstrapOptions())], BootstrapOptions(), 3)
        scores = content.systems[0].segment_scores
        order = np.argsort(scores if named.measure.higher_is_better else -scores, kind="stable")
        assert content.listed.tolist() == sorted([*order[:2], order[-1]])


def test_a_page_of_perplexity_shows_what_surprises_and_no_references():
    texts = ["the cat sat", "a dog barked loudly", "猫 the"]
    model = textgauge.NgramModel(2).fit(["the cat sat on the mat", "a dog barks at the cat"])
    corpora = [without_references(text_column(side, "texts")) for side in (texts, texts[::-1])]
    content = Content.of("ab", corpora, [(score_named("perplexity"), {"model": model})], BOOTSTRAP, 2)
    expected = model.score(texts, confidence=0.95, n_resamples=100)
    [scored] = content.scores
    assert scored.systems[0].score == expected["corpus_perplexity"]
    assert [*scored.systems[0].interval] == expected["confidence_interval"]
    assert scored.systems[0].segment_scores.tolist() == expected["perplexities"]
    assert (content.by_frequency, scored.by_length, content.lengths.names) == (None, None, ["a", "b"])
    # 5 tokens with the end mark; "dog" follows "a" in the training text, the others are new, with 3 to 6 bits.
    second = next(row for row in content.segments() if row["n"] == 2)["systems"][0]
    bits = -np.array(model.log_probs(texts)[1]) / np.log(2)
    assert [np.searchsorted((3, 6, 9, 12), value) for value in bits[:4]] == [0, 0, 1, 1]
    assert second["text"] == ["a dog ", 0, "barked", 2, " ", 0, "loudly", 2]
    assert (second["tokens"], second["matched"], second["references"]) == (5, 2, [])
    assert [mark.level for mark in scored.marking.legend] == [1, 2, 3, 4]
    assert len(scored.differences) == 1
    page = explain_page(content)
    assert "reference" not in page.partition("<main>")[2].partition("<script")[0].lower()


def test_a_text_of_probability_0_has_no_page():
    model = textgauge.NgramModel(1, "mle", open_vocabulary=False).fit(["a"])
    corpus = without_references(text_column(["a", "b"], "texts"))
    content = Content.of("a", [corpus], [(score_named("perplexity"), {"model": model})], BootstrapOptions())
    with pytest.raises(ValueError, match=r"predictions\[1\]: expected a text with tokens, .* got perplexity inf"):
        explain_page(content)


def test_several_scores_on_one_page(corpora):
    names = ["ours", "theirs"]
    scores = [(score_named(name), {}) for name in ("chrf", "ter", "rougeSU4")]
    content = Content.of(names, corpora, scores, BOOTSTRAP)
    assert content.title == "chrF, TER, ROUGE-SU4"
    assert [one["sign"] for one in content.about()] == [1, -1, 1]
    for row in content.segments():
        assert [len(shown) for shown in (row["systems"], *row["more"])] == [2, 2, 2]
    [result] = textgauge.compare(
        [corpus.hypotheses.tolist() for corpus in corpora], sample.columns("translations")[1], metric="ter",
        n_resamples=100,
    )  # fmt: skip
    assert content.scores[1].differences[0].result == result
    assert content.scores[0].differences[0].result != result


def test_bleu_of_segments_is_that_of_sacrebleu():
    sacrebleu = pytest.importorskip("sacrebleu")
    hyps, refs = ["the cat sat", "a dog", "no"], ["the cat sits", "a dog", "yes"]
    named = score_named("bleu")
    system = System.of("a", corpus_of(hyps, refs), named, {}, BootstrapOptions())
    expected = [sacrebleu.sentence_bleu(hyp, [ref]).score / 100 for hyp, ref in zip(hyps, refs, strict=True)]
    assert system.segment_scores == pytest.approx(expected)
    assert "sentence_bleu" in explain_page(Content("bleu", [system], BootstrapOptions()))
    smoothed = System.of("a", corpus_of(hyps, refs), named, {"smooth": True}, BootstrapOptions())
    assert "sentence_bleu" not in explain_page(Content("bleu", [smoothed], BootstrapOptions()))


@pytest.mark.parametrize("folder", FOLDERS)
def test_options_of_a_page_are_declared(folder):
    face = textgauge.load(folder)
    settings = settings_of(face, Path(textgauge.path(folder)))
    declared = {one.name for one in options_of(face.measure.options_type)} | set(face.keywords)
    assert {one.name for one in settings.inputs} <= declared
    assert {one.name for one in settings.inputs} <= set(type(face)._option_names())
    inputs = settings.inputs if face.measure.is_paired else inputs_of(SurpriseOptions)
    assert inputs[0].option.on_page
    for one in inputs:
        # What is shown first is the default, and what it offers can be chosen.
        assert one.value(one.default) == one.option.default
        assert one.hint.endswith((".", "?"))
        for choice in one.choices:
            one.option.checked(one.value(choice))
    assert settings.chosen([one.default for one in settings.inputs]) == {}


@pytest.mark.parametrize("folder", [name for name in FOLDERS if name != "perplexity"])
def test_a_page_shows_what_its_module_returns(folder):
    face = textgauge.load(folder)
    texts = ["the cat sat", "a dog"], [["the cat sits", "a cat sat"], ["a dog barks"]]
    shown, scores, key = result_of(face, texts, {}, "no such score")
    assert scores == scores_of(face.measure())
    assert key == scores[0]
    result = face.compute(predictions=texts[0], references=texts[1])
    score = result.get("score", result.get(key))
    assert f'id="textgauge-score">{score:.{2 if face.scale == 100 else 4}f}<' in shown
    assert "95% interval" in shown
    assert "nrefs:" in shown


def test_an_error_page_has_a_style_and_escapes_the_message():
    shown = refusal_part("<b>no text</b>")
    assert ".refusal" in shown.partition("</style>")[0]
    assert "&lt;b&gt;no text&lt;/b&gt;" in shown


def test_lines_of_uploaded_files_go_before_what_was_pasted(tmp_path):
    for name, text in (("texts.txt", "a\nb\n"), ("one.txt", "c\n"), ("two.txt", "d\n")):
        (tmp_path / name).write_text(text)
    texts, one, two = (str(tmp_path / f"{name}.txt") for name in ("texts", "one", "two"))
    assert two_columns("pasted", "x\ny", texts, [one, two]) == (["a", "b"], ["c", "d"])
    assert two_columns("pasted", "x\ny", None, None) == (["pasted"], ["x", "y"])
    with pytest.raises(ValueError, match="^none.txt: no such file|^cannot read none.txt"):
        two_columns("", "", str(tmp_path / "none.txt"), None)
