"""`-m coco`: the table of captions, in every form of `textgauge score`, and in `textgauge compare`."""

import json

import pytest
import textgauge

CAPTIONS = ["A man on a horse.", "a dog runs", "two cats sit near a window"]
PEOPLE = [["a man on a horse", "the man rides"], ["a dog on grass"], ["cats are sitting by the window", "two cats"]]
HEADS = ["BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4", "METEOR", "ROUGE-L", "CIDEr-D"]


@pytest.fixture
def captions(run, write):
    """A file with captions and references, and one of a second system."""
    rows = [{"prediction": one, "reference": group} for one, group in zip(CAPTIONS, PEOPLE, strict=True)]
    write("captions.jsonl", rows)
    for name, texts in (("a.txt", CAPTIONS), ("b.txt", ["a man", *CAPTIONS[1:]]), ("ref.txt", [g[0] for g in PEOPLE])):
        write(name, "\n".join(texts))
    return textgauge.coco(CAPTIONS, PEOPLE)


def test_table_has_a_line_for_each_score(run, captions):
    result = run("score", "captions.jsonl", "-m", "coco")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = [line.split() for line in result.stdout.splitlines()]
    assert lines[0] == ["captions.jsonl", "score"]
    assert lines[2:9] == [[head, f"{score:.4f}"] for head, score in zip(HEADS, captions.values(), strict=True)]
    assert [line[0] for line in lines[9:]] == ["3", "bleu:", "meteor15:", "rouge:", "cider:"]
    assert all("tok:coco" in line[1] for line in lines[10:])


def test_table_has_intervals_of_every_score(run, captions):
    lines = run("score", "captions.jsonl", "-m", "coco", "--confidence", "0.9", "--n-resamples", "20").stdout
    rows = [line.split() for line in lines.splitlines()[2:9]]
    assert [row[0] for row in rows] == HEADS
    for (_, score, low, high), expected in zip(rows, captions.values(), strict=True):
        assert float(low[1:-1]) <= float(score) == round(expected, 4) <= float(high[:-1])


def test_names_may_stand_beside_it(run, captions):
    for named in (("-m", "coco", "ter"), ("-m", "coco,ter"), ("--metric=coco,ter",), ("-m", "coco", "-m", "ter")):
        rows = [line.split() for line in run("score", "captions.jsonl", *named).stdout.splitlines()[2:10]]
        assert [row[0] for row in rows] == [*HEADS, "TER"]
    brief = run("score", "captions.jsonl", "-m", "coco", "--brief").stdout.split()
    assert brief == [f"{score:.4f}" for score in captions.values()]


def test_several_systems_are_rows(run, captions):
    table = run("score", "a.txt", "b.txt", "-r", "ref.txt", "-m", "coco").stdout.splitlines()
    assert table[0].split() == ["system", *HEADS]
    assert [line.split()[0] for line in table[2:4]] == ["a.txt", "b.txt"]
    latex = run("score", "a.txt", "b.txt", "-r", "ref.txt", "-m", "coco", "--table", "latex").stdout
    assert f"system & {' & '.join(HEADS)} \\\\" in latex
    found = run("compare", "a.txt", "b.txt", "-r", "ref.txt", "-m", "coco", "--json").stdout
    assert [*json.loads(found)["metrics"]] == [
        "Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "meteor15", "ROUGE_L", "cider",
    ]  # fmt: skip


def test_options_belong_to_its_metrics(refused, captions):
    message = refused("score", "captions.jsonl", "-m", "coco", "lowercase=true")
    assert "-m Bleu_1 Bleu_2 Bleu_3 Bleu_4 meteor15 tokenizer=coco ROUGE_L cider" in message
