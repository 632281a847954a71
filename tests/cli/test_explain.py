"""`textgauge explain`: what it writes and what it refuses; the page itself is tested in a browser."""

import functools
import json
import os
import re
import resource
from pathlib import Path

import pytest
import textgauge
from textgauge.report.pages import script_json

FILES = ("-p", "hyp.txt", "-r", "ref.txt", "-o", "report.html")


def data_of(path):
    return json.loads(re.search(r'id="data">(.*?)</script>', path.read_text("utf-8"), re.DOTALL)[1])


def test_every_segment_with_its_score(run, corpus, tmp_path):
    assert run("explain", "-m", "rouge2", *FILES).stdout == "wrote report.html\n"
    rows = data_of(tmp_path / "report.html")
    scores = textgauge.rouge(*corpus, rouge_types=["rouge2"], use_aggregator=False)["rouge2"]
    assert [row["systems"][0]["score"] for row in rows] == scores
    assert ["".join(row["systems"][0]["text"][::2]) for row in rows] == corpus[0]
    before = (tmp_path / "report.html").read_bytes()
    run("explain", "-m", "rouge2", *FILES)
    assert (tmp_path / "report.html").read_bytes() == before


def test_perplexity_of_several_systems_needs_no_references(run, corpus, tmp_path):
    run("explain", "-m", "perplexity", "-p", "hyp.txt", "-p", "ref.txt", "--ngram-train", "ref.txt", *FILES[-2:])
    scores = [textgauge.NgramModel(3).fit(corpus[1]).score(texts)["perplexities"] for texts in corpus]
    rows = data_of(tmp_path / "report.html")
    assert [[one["score"] for one in row["systems"]] for row in rows] == [*map(list, zip(*scores, strict=True))]


@pytest.mark.slow
def test_a_full_disk_keeps_the_existing_page(program, corpus, tmp_path):
    page = tmp_path / "report.html"
    page.write_text("the page before")
    limit = functools.partial(resource.setrlimit, resource.RLIMIT_FSIZE, (1000, 1000))
    done = program("explain", "-m", "bleu", *FILES, preexec_fn=limit)
    assert done.returncode == 2
    assert done.stderr.startswith(b"textgauge: --output: cannot write report.html: file too large")
    assert page.read_text() == "the page before"
    assert not list(tmp_path.glob(".textgauge*"))


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_interrupt_keeps_page(run, corpus, tmp_path, monkeypatch, error):
    (tmp_path / "report.html").write_text("the page before")

    def half(part, target):
        assert Path(part).parent == tmp_path
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", half)
        assert run("explain", "-m", "bleu", *FILES).exit_code != 0
    assert (tmp_path / "report.html").read_text() == "the page before"
    assert not list(tmp_path.glob(".textgauge*"))


def test_page_through_links(run, corpus, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "report.html").symlink_to(tmp_path / "folder" / "page.html")
    assert run("explain", "-m", "bleu", *FILES).exit_code == 0
    assert (tmp_path / "report.html").is_symlink()
    assert len(data_of(tmp_path / "folder" / "page.html")) == len(corpus[0])
    assert run("explain", "-m", "bleu", *FILES[:-1], "/dev/null").exit_code == 0
    assert not Path("/dev/null").is_file()


def test_worst_and_best_segments(run, corpus, tmp_path):
    run("explain", "-m", "rouge1", "--segments", "5", *FILES)
    assert len(data_of(tmp_path / "report.html")) == 5
    assert "of which the 5 worst and best are listed" in (tmp_path / "report.html").read_text("utf-8")


def test_page_of_one_pair(run, write, tmp_path):
    write("hyp.txt", ["the cat sat on the mat"])
    write("ref.txt", ["the cat is on the mat today"])
    run("explain", "-m", "bleu", *FILES)
    page = (tmp_path / "report.html").read_text("utf-8")
    assert [part for part in ("% interval", "<svg ", "<script", "Segments by score", "0.1492") if part in page] == []
    assert "BLEU is 0, since no 4-gram matches" in page
    assert [page.count(f">{count}<") for count in ("5 of 6", "3 of 5", "1 of 4", "0 of 3", "6 against 7")] == [1] * 5


TEXT = ("--text", "the cat sat on the mat", "--against", "the cat is on the mat today")


def test_several_texts_references_and_metrics_without_files(run, tmp_path):
    done = run("explain", *TEXT, "--against", "a cat", "--text", "a cat", "-m", "chrf", "ter", "-o", "two.html")
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "wrote two.html")
    for score in (textgauge.chrf(["a cat"], [["the cat is on the mat today", "a cat"]])["chrf"], 100.0, 0.0):
        assert f"= {score:g}" in done.stdout
    page = (tmp_path / "two.html").read_text("utf-8")
    assert all(part in page for part in ("text 1", "text 2", "Reference 2", "<ins>is</ins>"))
    # The references stand below each text, since their marks are for it.
    shown = re.findall(r'"line reference">.*?(<p class="text.*?)</p>', page, re.DOTALL)
    assert [re.sub("<[^>]*>", "", one) for one in shown] == ["the cat is on the mat today", "a cat"] * 4
    assert shown[0] != shown[2]
    (tmp_path / "train.txt").write_text(" ".join(map(str, range(200))) + "\n", "utf-8")
    done = run("explain", "--text", "the cat", "-m", "perplexity", "ngram_train=train.txt", "ngram_order=1")
    assert done.stdout.startswith("text        [the] [cat]\n[word]      6 bits of surprise or more\n\nsurprise")


def test_a_text_with_its_source(run, refused):
    hyp, ref, source = "the small cat sits", "the little cat sat", "the diminutive feline sits"
    words = ("explain", "--text", hyp, "--against", ref, "-m", "sari", "-o", "report.html")
    shown = run(*words, "--source", source).stdout
    assert f"{textgauge.sari([hyp], [ref], sources=[source])['sari']:.2f}" in shown
    assert refused(*words).startswith("sari needs sources: give --source.")


def test_data_cannot_end_its_script():
    written = script_json(["</script><!--\u2028&'"])
    assert not set("<>&'\u2028") & set(written)
    assert json.loads(written) == ["</script><!--\u2028&'"]


def test_sums_of_several_scores(run):
    text, reference = "the cat sat", "the cat is here"
    whole = textgauge.explain([text], [reference], metric="rouge")
    scores = textgauge.rouge([text], [reference])
    assert [one.score for one in (whole, *whole.others)] == [*scores.values()]
    printed = run("explain", "--text", text, "--against", reference, "-m", "rouge").stdout
    assert printed == f"{whole}\n\nwrote explain.html\n"
    chosen = textgauge.explain([text], [reference], metric="rouge(rouge_types=['rougeL'])")
    assert (chosen.title, chosen.others) == ("ROUGE-L", ())


def test_lost_text_is_warned_of_once(run, tmp_path):
    (tmp_path / "hyp.txt").write_text("猫\n猫\n")
    (tmp_path / "ref.txt").write_text("猫\n犬\n")
    warned = run("explain", "-m", "rouge1", *FILES, "-r", "ref.txt").stderr
    assert warned.startswith("textgauge: warning: 6 texts")
    assert warned.count("\n") == 1


def test_texts_that_are_kept_stand_as_they_are(run, write, tmp_path):
    rows = [{"id": f"row {i}", "n": i, "prediction": "a b", "reference": "a c"} for i in range(12)]
    words = "-m", "rouge1", "--keep", "id", "--keep", "n", "-o", "page.html"
    assert run("explain", write("rows.jsonl", rows), *words).exit_code == 0
    assert '"label":"row 3 · 3"' in (tmp_path / "page.html").read_text("utf-8")
