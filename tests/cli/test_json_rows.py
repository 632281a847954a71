"""JSON Lines by the quick decoder and by Python's: the same rows, and the same messages."""

import json
import os
import subprocess
import sys
from pathlib import Path

import orjson
import pytest

from cli.conftest import says

GOOD = b'{"prediction": "a cat", "reference": "a cat sat"}'
# What a line may have beside plain objects, and what is said of it; empty: it is a row like others.
ODD = {
    b'{"prediction": "a", "prediction": "b", "reference": "c"}': "... 'prediction' ... got 2 of that name",
    b'{"prediction" : "a", "prediction": "b", "reference": "c"}': "... 'prediction' ... got 2 of that",
    b'{"prediction": "a", "reference"\t:"", "reference":""}': "... 'reference' ... got 2 of that name",
    b'{"\\u0070rediction": "a", "prediction": "b", "reference": "c"}': "... 'prediction' ... got 2 of",
    b'{"prediction": "a", "reference": "c", "x": {"reference": 1, "reference": 2}}': "... 'reference' ... got 2 of",
    b'{"prediction": "a", "reference": "c", "x": 1, "x":1}': "",
    b'{"prediction": "a", "reference": "c", "x": {"reference": 1}}': "",
    b'{"prediction": ":-)\\"prediction\\":", "reference": "\\":"}': "",
    b'{"prediction": "a", "reference": "\\ud83d\\ude00 \\u00e9"}': "",
    b'  {"prediction": "a", "reference": "b"} \r': "",
    b'{"prediction": "\\ud800", "reference": ""}': "field 'prediction': ... got",
    b'{"prediction": NaN, "reference": ""}': "field 'prediction': ... got NaN",
    b'{"prediction": 123456789012345678901234567890, "reference": ""}': "got 123456789012345678901234567890",
    b'{"prediction": {"a": 1, "a": 2}, "reference": "c"}': 'field \'prediction\': ... got {"a": 2}',
    b'{"prediction": "\xff"}': "... got the byte 0xff",
    b'{"prediction": "a"}': "there is no field 'reference'",
    b'{"prediction": "tab\there"}': "broken JSON at column 20",
    b'{"prediction": "a"} {"prediction": "b"}': "broken JSON at column 21",
    b'{"prediction": "a"},{"prediction": "b"}': "broken JSON at column 20",
    b'  \t{"prediction": "a"},{"prediction": "b"} \r': "broken JSON at column 23",
    b"[" * 3000 + b"]" * 3000: "expected a JSON object on every line",
    **dict.fromkeys([b"{", b"[]", b"5", b"null", b'{"a": [', b"]}", b'"a"'], "expected a JSON object on every line"),
}  # fmt: skip


@pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))
def test_few_and_many_rows_alike(run, refused, write, odd):
    """The quick decoder keeps the last of two fields of one name, and reads what Python's does not."""
    messages = set()
    for n in (1, 40):
        write("rows.jsonl", b"\n".join([GOOD] * n + [odd] + [GOOD] * n))
        if not ODD[odd]:
            assert run("score", "rows.jsonl", "-m", "chrf").exit_code == 0
            continue
        place, _, said = refused("score", "rows.jsonl", "-m", "chrf").partition(f"rows.jsonl, line {n + 1}")
        assert place == ""
        assert says(said, f"... {ODD[odd]}"), said
        messages.add(said)
    assert len(messages) == bool(ODD[odd])


@pytest.mark.parametrize(
    ("row", "hint"),
    [
        (
            {"custom_id": "1", "response": {"body": {"choices": [{"message": {"content": "a cat"}}]}}},
            "did you mean --prediction-field response.body.choices.0.message.content?",
        ),
        ({"prompt": "1", "outputs": [{"text": "a"}, {"text": "b"}]}, "did you mean --prediction-field outputs.0.text?"),
        ({"Prediction": "a", "x": {"prediction": 1}}, "did you mean --prediction-field Prediction?"),
        ({"data": [{"prediction": "a"}]}, "'data' is a list of rows, which jq -c '.data[]' writes as JSON Lines"),
        ({"response": {"a": {"b": 1}}, "prediction": []}, ""),
        ({"output": [{"b": "x"}]}, "choose one with --prediction-field"),
        ({"annotations": [{"caption": "a"}]}, "which jq -c '.annotations[]' writes as JSON Lines"),
        ({"filtered_resps": ["a cat"], "resps": [["a cat"]]}, "did you mean --prediction-field filtered_resps?"),
    ],
)
def test_texts_that_lie_deeper_are_suggested(refused, write, row, hint):
    message = refused("score", write("rows.jsonl", [row | {"reference": "a cat"}]), "-m", "chrf")
    assert message.endswith(hint or "got []")


def test_a_name_that_the_first_row_has_is_right(refused, write):
    """The result of a request that failed is null."""
    rows = [{"response": {"text": "a"}, "reference": "a"}, {"response": None, "reference": "b"}]
    message = refused("score", write("rows.jsonl", rows), "--prediction-field", "response.text", "-m", "chrf")
    said = "there is no field 'response.text', only 'response', 'reference'; --skip-bad scores the others"
    assert message == f"rows.jsonl, line 2: {said}"


@pytest.mark.parametrize("name", ["pr\u00e9d", "a.b", 'a"b', "\\u0041"])
def test_a_field_of_any_name_is_one(run, refused, write, name):
    rows = [json.dumps({name: "a cat sat here", "reference": "a cat sat here"})] * 3
    write("rows.jsonl", rows)
    assert run("score", "rows.jsonl", "--prediction-field", name, "-b").stdout == "100.00\n"
    twice = json.dumps({name: "a", "reference": "b"})[:-1] + f", {json.dumps(name, ensure_ascii=False)}: 1}}"
    write("rows.jsonl", [*rows, twice, *rows])
    message = refused("score", "rows.jsonl", "--prediction-field", name)
    assert says(message, f"rows.jsonl, line 4: ... {name!r} ... got 2 of that name; --skip-bad scores the others$")
    # Written in full everywhere, and once more as an escape.
    rows = [json.dumps(json.loads(row), ensure_ascii=False) for row in rows]
    once = json.dumps({name: "a", "reference": "b"}, ensure_ascii=False)
    write("rows.jsonl", [*rows, once[:-1] + f", {json.dumps(name)}: {json.dumps('c')}}}", *rows])
    assert refused("score", "rows.jsonl", "--prediction-field", name) == message


@pytest.mark.parametrize("n", [0, 3])
@pytest.mark.parametrize("odd", ['{"t": {"de": "a", "de": "b"}}', '{"t": {"de": "a"}, "t": {"de": "b"}}'])
def test_a_field_that_lies_deeper_is_one(run, refused, write, n, odd):
    rows, call = ['{"t": {"de": "a"}}'] * n, ("score", "rows.jsonl", "-r", "rows.jsonl", "--prediction-field", "t.de")
    for lines, place in ([*rows, odd, *rows], f"line {n + 1}"), ([f"[{', '.join([*rows, odd])}]"], f"object {n + 1}"):
        write("rows.jsonl", lines)
        found = refused(*call, "--reference-field", "t.de")
        assert says(found, f"rows.jsonl, {place}: expected one field ... got 2 of that name"), found
    # What is not read may be there twice.
    write("rows.jsonl", ['{"x": 1, "x": {"y": 1, "y": 2}, "t": {"de": "a"}}', *rows])
    assert run(*call, "--reference-field", "t.de", "-m", "exact_match", "-b").stdout == "1.0000\n"


def test_ordinary_rows_take_the_quick_decoder(run, write, monkeypatch):
    rows = [
        {"id": i, "prediction": 'a "cat": \\ \u00e9', "reference": ["b", "c :"], "more": {"x": [{}]}} for i in range(9)
    ]
    write("rows.jsonl", [json.dumps(row, ensure_ascii=bool(i % 2)) for i, row in enumerate(rows)])
    quick = orjson.loads
    # Only what the quick decoder read has the prediction among its references.
    monkeypatch.setattr(orjson, "loads", lambda line: quick(line) | {"reference": [quick(line)["prediction"]]})
    assert run("score", "rows.jsonl", "-m", "chrf", "-b").stdout == "100.00\n"
    # So do ids, by which rows of two files are joined.
    assert run("score", "rows.jsonl", "-r", "rows.jsonl", "-m", "chrf", "-b").stdout == "100.00\n"


def test_an_empty_array_is_an_empty_file(refused, write):
    assert refused("score", write("rows.json", "[]\n")) == "rows.json: the file is empty"


def test_kept_values_are_those_of_python(run, write, tmp_path):
    ids = [10**30, -0.0, 1.5, "x", None, True, 2**64]
    write("rows.jsonl", [{"prediction": "a", "reference": "a", "id": one} for one in ids])
    run("score", "rows.jsonl", "-m", "ter", "--keep", "id", "-o", "out.json")
    assert repr([row["id"] for row in json.loads((tmp_path / "out.json").read_text())]) == repr(ids)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="threads are counted on Linux")
@pytest.mark.parametrize(("given", "expected"), [({}, "1"), ({"OMP_NUM_THREADS": "2"}, None)])
def test_threads_of_blas(corpus, tmp_path, given, expected):
    code = (
        "import os, sys\nfrom textgauge.__main__ import run\n"
        "try:\n    run()\nexcept SystemExit:\n    pass\n"
        "threads = open('/proc/self/status').read().partition('Threads:')[2].split()[0]\n"
        "print(os.environ.get('OPENBLAS_NUM_THREADS'), threads, 'numpy' in sys.modules, file=sys.stderr)"
    )
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "GOTO_NUM_THREADS")
    env = {name: value for name, value in os.environ.items() if name not in names} | given
    words = ["score", "hyp.txt", "-r", "ref.txt", "-b"]
    done = subprocess.run([sys.executable, "-c", code, *words], cwd=tmp_path, env=env, capture_output=True, timeout=60)
    found, threads, has_numpy = done.stderr.split()[-3:]
    assert (found.decode(), has_numpy) == (str(expected), b"True")
    assert given or threads == b"1"
