"""Blocks of whole lines, the names of files, and the names of their columns, read as they are asked for."""

import gzip
import os

import pytest
from textgauge.files import delimited, json_lines, lines
from textgauge.files.lines import FileError, Limits, Progress, line_blocks, shards_of, suffix_of
from textgauge.files.rows import NamedColumn, as_json, fields_in

TEXT = b"one\n\ntwo three\n" + b"x" * 40 + b"\nfour\r\nlast"


@pytest.fixture
def put(tmp_path):
    def call(name, data):
        (tmp_path / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        return str(tmp_path / name)

    return call


@pytest.fixture(params=[1, 3, 7, 16, 1 << 20])
def _size(request, monkeypatch):
    monkeypatch.setattr(lines, "BLOCK_BYTES", request.param)


@pytest.mark.usefixtures("_size")
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["", "BOM"])
@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
def test_blocks_are_whole_lines_with_their_numbers(put, name, mark):
    stored = gzip.compress(mark + TEXT) if name.endswith("gz") else mark + TEXT
    path, progress = put(name, stored), Progress()
    assert (progress.size, progress.done) == (0, 0)
    progress.expect([path, "-", path + " that is not there"])
    blocks = list(line_blocks(path, Limits(), progress))
    assert b"".join(data for _, data in blocks) == TEXT
    seen = b""
    for number, data in blocks:
        assert data
        assert number == 1 + seen.count(b"\n")
        seen += data
        assert data.endswith(b"\n") or seen == TEXT
    assert progress.size == progress.done == len(stored)
    # A mark alone is an empty file; behind the first line it is text.
    assert list(line_blocks(put("b.txt", mark), Limits(), Progress())) == []
    [*_, (_, last)] = line_blocks(put("c.txt", b"a\n" + mark + b"b"), Limits(), Progress())
    assert last.endswith(mark + b"b")


@pytest.mark.parametrize("size", [1, 3, 7, 16])
@pytest.mark.parametrize("before", [b"", b"a\n", b"a\nb\n\n"])
@pytest.mark.parametrize("behind", [b"", b"\n", b"\nc\n"])
def test_the_longest_line_is_as_long_as_the_limit(put, monkeypatch, size, before, behind):
    monkeypatch.setattr(lines, "BLOCK_BYTES", size)
    limits = Limits(max_line=20 / (1 << 20))
    path = put("a.txt", before + b"x" * 20 + behind)
    assert b"".join(data for _, data in line_blocks(path, limits, Progress())) == before + b"x" * 20 + behind
    path = put("a.txt", before + b"x" * 40 + behind)
    with pytest.raises(FileError, match=rf", line {1 + before.count(10)}: expected at most .* MiB in a line"):
        list(line_blocks(path, limits, Progress()))


@pytest.mark.usefixtures("_size")
@pytest.mark.parametrize("line", [b"\n", b"x" * 40 + b"\n"])
def test_packed_lines_of_all_blocks_count(put, line):
    """As their bytes, or 16 each."""
    path = put("a.txt.gz", gzip.compress(line * 100))
    limits = [Limits(max_unpacked=n * max(16, len(line)) / (1 << 30)) for n in (100, 99)]
    assert b"".join(data for _, data in line_blocks(path, limits[0], Progress())) == line * 100
    with pytest.raises(FileError, match=r"a\.txt\.gz: expected at most .* GiB of text"):
        list(line_blocks(path, limits[1], Progress()))


@pytest.mark.usefixtures("_size")
def test_gzip_without_its_suffix_is_told_at_the_beginning_alone(put):
    path = put("a.txt", gzip.compress(b"a\n"))
    with pytest.raises(FileError, match="expected UTF-8, got gzip: unpack it, or give it a name that ends in .gz"):
        list(line_blocks(path, Limits(), Progress()))
    path = put("b.txt", b"abcdefghi\n\x1f\x8b is text\n")
    assert b"".join(data for _, data in line_blocks(path, Limits(), Progress())).endswith(b"\n\x1f\x8b is text\n")


@pytest.mark.parametrize("cut", [12, -9, -1])
def test_gzip_that_is_cut_off(put, cut):
    path = put("a.txt.gz", gzip.compress(TEXT * 99)[:cut])
    with pytest.raises(FileError, match="a.txt.gz: cannot read the whole file: "):
        list(line_blocks(path, Limits(), Progress()))


def test_names_that_no_file_can_have(tmp_path):
    with pytest.raises(FileError, match=r"^cannot read a\\x00b: embedded null byte$"):
        lines.open_binary("a\0b")
    with pytest.raises(FileError, match="^cannot read '': no such file or directory$"):
        lines.open_binary("")
    with pytest.raises(FileError, match=": is a directory$"):
        lines.open_binary(str(tmp_path))
    # The empty device has an end, under any name.
    if os.name == "posix":
        (tmp_path / "empty").symlink_to(os.devnull)
        assert list(line_blocks(str(tmp_path / "empty"), Limits(), Progress())) == []


@pytest.mark.parametrize("number", [1, 2, 5])
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_bytes_that_are_not_utf8_have_their_line(number, end):
    lines.check_utf8(b"a\n\xc3\xa9", "x", 1)
    with pytest.raises(
        FileError,
        match=rf"^x, line {number + 1}: expected UTF-8, got the byte 0xe9 \(if the file is Latin-1 or Windows-1252, ",
    ):
        lines.check_utf8(b"a\nb\xe9\nc\n\xff" + end, "x", number)


def test_files_of_a_folder_and_of_a_pattern(tmp_path, put):
    names = ["b.jsonl", "a.JSONL.gz", "c.csv", ".d.jsonl", "_e.jsonl", "part[1].jsonl"]
    for name in names:
        put(name, b"")
    os.mkdir(tmp_path / "f.jsonl")
    there = lambda *names: [str(tmp_path / name) for name in names]  # noqa: E731
    assert shards_of(str(tmp_path), in_folders=(".jsonl",)) == there(
        "a.JSONL.gz", "b.jsonl", "f.jsonl", "part[1].jsonl"
    )
    with pytest.raises(FileError, match=r" is a folder without files of \.tsv, \.parquet$"):
        shards_of(str(tmp_path), in_folders=(".tsv", ".parquet"))
    # Of a pattern only files; a file whose name looks like one is itself.
    assert shards_of(str(tmp_path / "*.jsonl")) == there("_e.jsonl", "b.jsonl", "part[1].jsonl")
    assert shards_of(str(tmp_path / "part[1].jsonl")) == there("part[1].jsonl")
    with pytest.raises(FileError, match="^cannot read .*no file has such a name$"):
        shards_of(str(tmp_path / "?.txt"))
    assert shards_of("-") == ["-"]
    assert suffix_of("a.b.JSONL.GZ") == suffix_of("x/a.jsonl") == ".jsonl"
    assert suffix_of("a.gz") == suffix_of("a") == ""


@pytest.mark.parametrize("suffix", [".xz", ".zst", ".BZ2", ".zip", ".7z"])
def test_packed_by_other_programs(suffix):
    message = rf"^a{suffix}: expected text, or text packed by gzip, got {suffix}, which is not supported: unpack it$"
    with pytest.raises(FileError, match=message):
        shards_of(f"a{suffix}")


@pytest.mark.parametrize(
    ("text", "format_name", "quoting", "names"),
    [
        ('"a, b",c\n', "csv", None, ["a, b", "c"]), ('"a, b",c\n', "csv", "none", ['"a', ' b"', "c"]),
        ('"a\tb"\tc\n', "tsv", None, ['"a', 'b"', "c"]), ('"a\tb"\tc\n', "tsv", "csv", ["a\tb", "c"]),
        ("a\r\n", "csv", "none", ["a"]), ("", "csv", None, []), ("\n\na,b\n", "csv", "none", ["a", "b"]),
    ],
)  # fmt: skip
def test_names_of_columns(put, text, format_name, quoting, names):
    # A name of a file that messages show otherwise.
    path = put("x\x1b", text)
    assert delimited.names_in_header(path, format_name, quoting, Limits()) == names


def test_names_of_json(put):
    rows = ['{"a": 1, "b": {"c": 2}}', '{"d": 1}']
    for text in ("\n".join(rows), f"\n \n[\n{', '.join(rows)}]", f"{{\n{rows[0][1:]}"):
        assert json_lines.names_in_json(put("x.json", text), Limits()) == ["a", "b", "b.c"]
    # Rows before it may be bad; if all are, the first is told.
    assert json_lines.names_in_json(put("x.json", "5\n[\n" + rows[1]), Limits()) == ["d"]
    with pytest.raises(FileError, match=r"x\.json, line 1: expected a JSON object on every line, got 5$"):
        json_lines.names_in_json(put("x.json", "5\n6\n"), Limits())
    assert json_lines.names_in_json(put("x.json", ""), Limits()) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("9" * 5000, "line 1: expected a JSON object on every line, got JSON that Python cannot read: "),
        ("[" * 9999, "expected a JSON array or object, got JSON that Python cannot read: "),
        (' \n[{"a": 1},\n {"a": 1, "a": 2}]', "object 2: expected one field 'a', got 2 of that name"),
        ('[{"a": 1}, {"a": 2}, 5]', "object 3: expected a JSON object, got 5"),
        ('{"a": 1}\n5', "line 2: expected a JSON object on every line, got 5"),
        ('{\n"a": 1,\n"a": 2}', "object 1: expected one field 'a', got 2 of that name"),
        ('[{"a": 1},\n{"a" 2}]', "got broken JSON at line 2, column 6: "),
        ('{"a": 1}\n{"a" 2}', "line 2: expected a JSON object on every line, got broken JSON at column 6: "),
    ],
    ids=range(8),
)
def test_json_that_cannot_be_read(put, text, message):
    with pytest.raises(FileError) as caught:
        list(json_lines.read_json(put("x.json", text), Limits()))
    assert message in str(caught.value)


ELSEWHERE = {
    "prediction": "predictions mt hyp hypothesis predict pred_text pred output generated_text candidate response",
    "reference": "references ref label labels target gold text answer summary highlights ground_truth expected",
    "source": "sources src input prompt",
}


@pytest.mark.parametrize(("role", "name"), [(role, name) for role in ELSEWHERE for name in ELSEWHERE[role].split()])
def test_what_others_call_a_column_is_suggested(role, name):
    flag, wanted = f"--{role}-field", [NamedColumn(role, f"--{role}-field", role), NamedColumn("other", "", "other")]
    for there in (name, name.upper(), "translation.de"):
        message = rf"^x: there is no field '{role}', only 'other', '{there}'; did you mean {flag} {there}\?$"
        with pytest.raises(FileError, match=message):
            fields_in("x", wanted, ["other", there])
    # Not if another name was asked for, nor a column that is read as another.
    with pytest.raises(FileError, match=rf"only '{name}'; choose one with {flag}$"):
        fields_in("x", [NamedColumn("mine", flag, role)], [name])
    with pytest.raises(FileError, match=rf"only '{name}'; choose one with {flag}$"):
        fields_in("x", [NamedColumn(role, flag, role), NamedColumn(name, "", "id")], [name])
    with pytest.raises(FileError, match=rf"^x: there is no field '{role}', and no other$"):
        fields_in("x", wanted, [])


def test_fields_that_are_there_or_need_not_be():
    fields = [NamedColumn("a"), NamedColumn("b", is_optional=True), NamedColumn("c")]
    assert fields_in("x", fields, ["c", "a"]) == [fields[0], fields[2]]
    assert fields_in("x", fields, ["a", "b", "c", "d", "d"]) == fields
    with pytest.raises(FileError, match="^x: expected one field 'b', got 2 of that name$"):
        fields_in("x", fields, ["a", "b", "c", "b"])


def test_values_of_messages_are_bounded():
    assert as_json({"a": ["é", None]}) == '{"a": ["é", null]}'
    long = as_json("x" * 1000)
    assert long == '"' + "x" * (len(long) - 4) + "..."
    assert as_json("x" * (len(long) - 5)) == '"' + "x" * (len(long) - 5) + '"'
    assert as_json({1, 2}) == "{1, 2}"
