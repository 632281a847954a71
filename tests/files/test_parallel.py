"""Files whose rows belong together: every text stays in its row and in its column, in blocks of any size."""

import json
from pathlib import Path

import pytest
from textgauge.files import lines, rows
from textgauge.files.lines import FileError, Limits
from textgauge.files.parallel import ParallelFiles
from textgauge.files.rows import BadRows

N = 23


@pytest.fixture(params=[4, 1 << 14], ids=["small blocks", "one block"])
def size(request, monkeypatch):
    """The rows of a block."""
    monkeypatch.setattr(rows, "BLOCK_ROWS", request.param)
    return request.param


@pytest.fixture
def paths(tmp_path):
    """A file of each side, whose lines say what they are; one with columns, where some rows have two references."""

    def write(name, lines):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
        return str(tmp_path / name)

    of_lines = {side: write(f"{side}.txt", [f"{side}{i}" for i in range(N)]) for side in ("hyp", "new", "ref", "src")}
    several = [[f"in{i}", f"more{i}"] if i % 3 else f"in{i}" for i in range(N)]
    columns = [{"prediction": f"hyp{i}", "reference": several[i], "source": f"own{i}", "id": i * i} for i in range(N)]
    return {**of_lines, "rows": write("rows.jsonl", map(json.dumps, columns)), "several": several}


def texts_of(side):
    return [f"{side}{i}" for i in range(N)]


def references_of(corpus):
    texts, ends = corpus.references.tolist(), corpus.reference_offsets.tolist()
    return [texts[a:b] for a, b in zip(ends, ends[1:], strict=False)]


def test_blocks_after_the_first(paths, size):
    files = ParallelFiles([paths["hyp"], paths["new"]], [paths["ref"]])
    firsts = [[corpus.first for corpus in segments.corpora] for segments in files.blocks()]
    assert firsts == [[first, first] for first in range(0, N, size)]


def test_sources_in_blocks(paths, size):
    for files in (
        ParallelFiles([paths["hyp"], paths["new"]], [paths["ref"]], extras={"source": paths["src"]}),
        ParallelFiles([paths["rows"], paths["new"]], [paths["ref"]], fields={"source_field": "source"}, keep=["id"]),
    ):
        found = files.read()
        sources = texts_of("own" if files.keep else "src")
        for corpus, side in zip(found.corpora, ("hyp", "new"), strict=True):
            assert (corpus.hypotheses.tolist(), corpus.sources.tolist()) == (texts_of(side), sources)
            assert references_of(corpus) == [[text] for text in texts_of("ref")]
        assert {name: list(map(json.loads, texts)) for name, texts in found.kept.items()} == (
            {"id": [i * i for i in range(N)]} if files.keep else {}
        )


def test_order_of_references(paths, size):
    wanted = [
        [f"ref{i}", *([several] if isinstance(several, str) else several), f"src{i}"]
        for i, several in enumerate(paths["several"])
    ]
    files = ParallelFiles([paths["hyp"]], [paths["ref"], paths["rows"], paths["src"]])
    assert references_of(files.read().corpora[0]) == wanted


def test_order_of_many_references(tmp_path):
    """So many that a sort that is not stable exchanges them."""
    names = []
    for side in "habc":
        names.append(str(tmp_path / f"{side}.txt"))
        (tmp_path / f"{side}.txt").write_text("".join(f"{side}{i}\n" for i in range(3000)))
    corpus = ParallelFiles(names[:1], names[1:]).read().corpora[0]
    assert references_of(corpus) == [[f"a{i}", f"b{i}", f"c{i}"] for i in range(3000)]


def test_columns_of_one_file_are_told_apart(paths, size):
    files = ParallelFiles([paths["rows"]], [], fields={"source_field": "source"}, keep=["id", "source"])
    found = files.read()
    [corpus] = found.corpora
    assert (corpus.hypotheses.tolist(), corpus.sources.tolist()) == (texts_of("hyp"), texts_of("own"))
    assert references_of(corpus) == [[one] if isinstance(one, str) else one for one in paths["several"]]
    assert [json.loads(text) for text in found.kept["source"]] == texts_of("own")


def test_extras_without_bad_rows(paths, size, tmp_path):
    lines = (tmp_path / "rows.jsonl").read_text().splitlines()
    (tmp_path / "rows.jsonl").write_text("\n".join([*lines[:5], '{"prediction": 5}', *lines[6:]]) + "\n")
    bad = BadRows(is_skipped=True)
    files = ParallelFiles(
        [paths["rows"]], [], extras={"document": paths["ref"], "source": paths["src"], "prefix": paths["new"]}, bad=bad
    )
    found = files.read()
    left = [i for i in range(N) if i != 5]
    assert found.corpora[0].hypotheses.tolist() == [f"hyp{i}" for i in left]
    assert found.corpora[0].sources.tolist() == [f"src{i}" for i in left]
    assert {role: texts.tolist() for role, texts in found.extras.items()} == {
        "document": [f"ref{i}" for i in left], "prefix": [f"new{i}" for i in left],
    }  # fmt: skip
    assert (bad.skipped, bad.n_rows) == ([5], 1)


def test_limits_are_those_of_the_call(tmp_path):
    (tmp_path / "long.txt").write_text("x" * 300_000)
    path = str(tmp_path / "long.txt")
    with pytest.raises(FileError, match=r"long.txt, line 1: expected at most 0.25 MiB in a line \(--max-line\)"):
        ParallelFiles([path], [path], limits=Limits(max_line=0.25)).read()
    with pytest.warns(UserWarning, match="long.txt has both the predictions and the references"):
        assert len(ParallelFiles([path], [path]).read().corpora[0]) == 1


def test_missing_references(paths):
    with pytest.raises(FileError, match="^no references: .*hyp.txt is plain text, which has no column for them$"):
        ParallelFiles([paths["hyp"]], []).read()


def test_columns_of_a_file_of_sources(paths, tmp_path):
    """A name of a column is that of the file of sources if there is one, whatever the file of the system has."""
    (tmp_path / "src.jsonl").write_text("".join(json.dumps({"from": f"src{i}"}) + "\n" for i in range(N)))
    extras, fields = {"source": str(tmp_path / "src.jsonl")}, {"source_field": "from"}
    for system in ("hyp", "rows"):
        files = ParallelFiles([paths[system]], [paths["ref"]], extras=extras, fields=fields)
        [corpus] = files.read().corpora
        assert (corpus.hypotheses.tolist(), corpus.sources.tolist()) == (texts_of("hyp"), texts_of("src"))


@pytest.mark.parametrize("block", [4, 1 << 20])
def test_marks_count_at_the_beginning(tmp_path, monkeypatch, block):
    monkeypatch.setattr(lines, "BLOCK_BYTES", block)
    mark = "\ufeff"
    (tmp_path / "x.txt").write_bytes(f"{mark}one\n{mark}two\n{mark}{mark}three\n".encode())
    given = lines.line_blocks(str(tmp_path / "x.txt"), lines.Limits(), lines.Progress())
    blocks = [(number, data.decode()) for number, data in given]
    assert "".join(data for _, data in blocks) == f"one\n{mark}two\n{mark}{mark}three\n"
    assert [number for number, _ in blocks] == ([1, 2, 3] if block == 4 else [1])


def test_files_of_a_name_in_order(tmp_path):
    """By their names, character by character, whatever the system lists first; hidden ones are none."""
    names = ["part-2.jsonl", "part-10.jsonl", "part-1.jsonl.gz", "b.jsonl", "part-1.jsonl"]
    for name in (*names, ".part-0.jsonl", "_SUCCESS.jsonl", "_part.jsonl", "part-3.txt"):
        (tmp_path / name).touch()
    (tmp_path / "part-4.jsonl").mkdir()
    found = lines.shards_of(str(tmp_path / "part-*.jsonl"))
    assert [Path(path).name for path in found] == ["part-1.jsonl", "part-10.jsonl", "part-2.jsonl"]
    (tmp_path / "part-4.jsonl").rmdir()
    found = lines.shards_of(str(tmp_path), in_folders=(".jsonl",))
    assert [Path(path).name for path in found] == sorted(names)


@pytest.mark.parametrize("blank", ["", "  ", "\t"])
def test_blank_lines_count_as_lines(tmp_path, blank):
    """An error names the line of the file, behind lines without a row too."""
    one, two, three, bad = (f'{{"prediction": {value}}}' for value in ('"a"', '"b"', '"c"', 1))
    rows = [one, blank, blank, two, blank, bad, three]
    (tmp_path / "x.jsonl").write_text("\n".join(rows) + "\n")
    with pytest.raises(FileError, match=r"x\.jsonl, line 6, "):
        ParallelFiles([str(tmp_path / "x.jsonl")], [], has_references=False).read()
