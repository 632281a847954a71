"""`textgauge pairwise` and `textgauge mbr`."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
import textgauge

from cli.conftest import says

TEXTS = ["the cat sat", "a dog barks", "the cat sat down", "a dog barked", "it rains"]
OTHERS = ["a dog barks", "the cat"]
LISTS = [["the cat sat", "a cat sat", "dogs"], ["it rains", "it rained"]]
REFERENCES = [["a cat sits"], ["it rained", "rain"]]


@pytest.fixture
def files(write):
    write("texts.txt", TEXTS)
    write("others.jsonl", [{"reference": text} for text in OTHERS])
    rows = zip(LISTS, REFERENCES, strict=True)
    write("lists.jsonl", [{"prediction": p, "reference": r, "p": [0.5] * len(r)} for p, r in rows])
    write("lists.parquet", {"prediction": LISTS})


def test_nearest_pairs_come_once(run, files):
    lines = run("pairwise", "texts.txt", "-m", "chrf", "--top", 2).stdout.splitlines()
    assert [line.split()[-2:] for line in lines[2:]] == [["3,", "1"], ["4,", "2"]]
    assert lines[2].startswith(" the cat sat down   the cat sat ")
    page = json.loads(run("pairwise", "texts.txt", "-m", "chrf", "--top", 20, "--json").stdout)
    matrix = textgauge.pairwise(TEXTS, metric="chrf")
    pairs = [(pair["prediction"], pair["reference"]) for pair in page["pairs"]]
    assert len({frozenset(pair) for pair in pairs}) == len(pairs) == 10
    assert [pair["score"] for pair in page["pairs"]] == [matrix[i - 1, j - 1] for i, j in pairs]
    assert sorted((pair["score"] for pair in page["pairs"]), reverse=True) == [p["score"] for p in page["pairs"]]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("texts.txt -m ter", "25.00\t1\t3\n"),
        ("texts.txt -r others.jsonl -m rougeL", "1.0000\t2\t1\n"),
        ("rows.jsonl --reference-field reference -m rougeL", "1.0000\t2\t1\n"),
        ("- --format jsonl --reference-field reference -m rougeL", "1.0000\t2\t1\n"),
    ],
)
def test_the_nearest_pair(run, files, write, tmp_path, words, expected):
    write("rows.jsonl", [{"prediction": t, "reference": o} for t, o in zip(TEXTS, OTHERS, strict=False)])
    stdin = (tmp_path / "rows.jsonl").read_text()
    assert run("pairwise", *words.split(), "--top", 1, "--brief", stdin=stdin).stdout == expected


@pytest.mark.parametrize("suffix", ["npy", "csv", "parquet"])
@pytest.mark.parametrize("width", [None, 1])
def test_a_matrix_is_written(run, files, tmp_path, suffix, width):
    name = f"matrix.{suffix}"
    options = ("-m", "chrf", "word_order=2", *([] if width is None else ["-w", width]))
    assert run("pairwise", "texts.txt", "-r", "others.jsonl", *options, "-o", name).exit_code == 0
    path = tmp_path / name
    if suffix == "npy":
        found = np.load(path)
    elif suffix == "csv":
        found = np.loadtxt(path, delimiter=",")
    else:
        found = np.array([[*row.values()] for row in pa.parquet.read_table(path).to_pylist()])
    expected = textgauge.pairwise(TEXTS, OTHERS, metric="chrf(word_order=2)")
    assert (found == (expected if width is None else expected.round(width))).all()


def test_the_best_candidates_are_printed(run, files, tmp_path):
    assert run("mbr", "lists.jsonl", "-m", "chrf").stdout == "the cat sat\nit rained\n"
    assert run("mbr", "lists.parquet", "-m", "chrf").stdout == "the cat sat\nit rained\n"
    assert run("mbr", "lists.jsonl", "-m", "chrf", "-o", "best.txt").stdout == ""
    assert (tmp_path / "best.txt").read_text() == "the cat sat\nit rained\n"
    run("mbr", "lists.jsonl", "-m", "bleu", "--aggregate", "--json", "-o", "best.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "best.jsonl").read_text().splitlines()]
    choice = textgauge.mbr(LISTS, metric="bleu", aggregate=True)
    assert [row["scores"] for row in rows] == [scores.tolist() for scores in choice.scores]
    assert [row["prediction"] for row in rows] == [texts[i] for texts, i in zip(LISTS, choice.best, strict=True)]


def test_pseudo_references_and_weights(run, files, tmp_path):
    choice = textgauge.mbr(LISTS, metric="chrf", references=REFERENCES)
    expected = "".join(f"{i}\t{scores[i]:.2f}\n" for i, scores in zip(choice.best, choice.scores, strict=True))
    for references in (["--reference-field", "reference"], ["-r", "lists.jsonl"]):
        assert run("mbr", "lists.jsonl", *references, "-m", "chrf", "-b").stdout == expected
        lines = (tmp_path / "lists.jsonl").read_text()
        if "-r" not in references:
            assert run("mbr", "-", "--format", "jsonl", *references, "-m", "chrf", "-b", stdin=lines).stdout == expected
        weighted = ["--weights-field", "p"]
        assert run("mbr", "lists.jsonl", *references, *weighted, "-m", "chrf", "-b").stdout == expected
    options = ("--format", "jsonl", "--reference-field", "reference", *weighted, "-m", "chrf", "-b")
    assert run("mbr", "-", *options, stdin=lines).stdout == expected


def test_weights_stand_beside_the_references_that_they_weigh(run, write):
    lists, references, weights = [["a b", "c d"]], [["a b", "c d", "c d"]], [[5, 1, 1]]
    write("lists.jsonl", [{"prediction": one} for one in lists])
    for name, own in (("few", weights), ("many", [[1, 1, 1]])):
        write(f"{name}.jsonl", [{"reference": r, "w": w} for r, w in zip(references, own, strict=True)])
        best = textgauge.mbr(lists, metric="chrf", references=references, weights=own).best[0]
        done = run("mbr", "lists.jsonl", "-r", f"{name}.jsonl", "--weights-field", "w", "-m", "chrf", "-b")
        assert done.stdout.split("\t")[0] == str(best) == str(int(name == "many")), done.stderr


@pytest.mark.parametrize(("n", "is_cut"), [(59, False), (60, False), (61, True)])
def test_a_table_cuts_texts_that_are_longer_than_it_shows(run, write, n, is_cut):
    write("long.txt", ["x" * n, "x" * (n - 1) + "y"])
    shown = run("pairwise", "long.txt", "-m", "chrf", "--top", 1).stdout
    assert shown.splitlines()[2].split()[0] == ("x" * 59 + "\u2026" if is_cut else "x" * n)


def test_weights_behind_the_metric_are_its_own(run, files):
    choice = textgauge.mbr(LISTS, metric="bleu(max_order=2, weights=[0.9, 0.1])")
    expected = "".join(f"{i}\t{scores[i]:.4f}\n" for i, scores in zip(choice.best, choice.scores, strict=True))
    assert run("mbr", "lists.jsonl", "-m", "bleu", "max_order=2", "weights=0.9,0.1", "-b").stdout == expected


def test_chosen_text_of_lines(run, write):
    write("lines.jsonl", [{"prediction": ["a\nb", "a\nb"]}])
    assert json.loads(run("mbr", "lines.jsonl", "--json").stdout)["prediction"] == "a\nb"


def test_a_matrix_beyond_the_memory_is_refused(refused, tmp_path, monkeypatch):
    def too_large(*_, **__):
        raise MemoryError

    monkeypatch.setattr("textgauge.all_pairs.pairwise.pairwise", too_large)
    (tmp_path / "texts.txt").write_text("a cat\n" * 3)
    message = refused("pairwise", "texts.txt", "-o", "matrix.npy")
    assert "texts.txt: 3 × 3 scores need more memory than there is; --top needs less" in message


@pytest.mark.parametrize("references", [[], ["-r", "others.txt"]])
@pytest.mark.parametrize(("bound", "top"), [(0, None), (35, None), (35, 3), (99.9, None), (100, None)])
def test_near_duplicates(run, write, references, bound, top):
    # More than the 16 nearest of a text, which are looked for first.
    texts = [f"the {i % 3} cat {i % 5} sat" for i in range(40)]
    others = [f"the {i % 4} cat sat" for i in range(30)] if references else None
    write("texts.txt", texts)
    write("others.txt", others or [])
    matrix = textgauge.pairwise(texts, others, metric="chrf")
    if others is None:
        matrix = np.triu(np.maximum(matrix, matrix.T), 1) - np.tri(len(texts)) * 1e9
    expected = sorted((-matrix[matrix >= bound]).tolist())[:top]
    words = ("--at-least", bound, *(() if top is None else ("--top", top)))
    found = json.loads(run("pairwise", "texts.txt", *references, "-m", "chrf", *words, "--json").stdout)["pairs"]
    assert [-pair["score"] for pair in found] == expected
    assert len({(pair["prediction"], pair["reference"]) for pair in found}) == len(found)
    for pair in found:
        row, column = pair["prediction"] - 1, pair["reference"] - 1
        assert pair["score"] == matrix[(row, column) if others else (min(row, column), max(row, column))]


def test_every_pair_of_many_copies_is_found(run, write):
    write("texts.txt", [*["a b c"] * 40, "x"])
    done = run("pairwise", "texts.txt", "-m", "chrf", "--at-least", 90, "-b")
    assert len(done.stdout.splitlines()) == 40 * 39 // 2


def test_no_near_duplicates(run, refused, files):
    assert run("pairwise", "texts.txt", "-m", "chrf", "--at-least", 100.5).stdout == "No pair scores 100.5 or more.\n"
    assert run("pairwise", "texts.txt", "-m", "chrf", "--at-least", 100.5, "-b").stdout.strip() == ""
    assert "of which higher is better, not ter" in refused("pairwise", "texts.txt", "-m", "ter", "--at-least", 1)
    assert says(refused("pairwise", "texts.txt", "--at-least", "nan"), "... got nan")
    assert "--at-least has no effect with --output" in refused("pairwise", "texts.txt", "--at-least", 1, "-o", "x.npy")
