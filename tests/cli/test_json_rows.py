"""JSON Lines by the quick decoder and by Python's: the same rows, and the same messages."""

import json
import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quick import examples
from textgauge.cli import reading
from textgauge.cli.messages import InputError
from textgauge.cli.reading import Records

GOOD = b'{"prediction": "a cat", "reference": "a cat sat"}'
# What a line may have beside plain objects.
ODD = [
    b'{"prediction": "a", "prediction": "b", "reference": "c"}',
    b'{"prediction": "a", "reference": "c", "x": 1, "x":1}',
    b'{"prediction" : "a", "prediction": "b", "reference": "c"}',
    b'{"prediction"\t:"a", "prediction":"", "reference":""}',
    b'{"\\u0070rediction": "a", "prediction": "b", "reference": "c"}', b'{"a\\\\": 1, "a\\\\":2, "prediction": ""}',
    b'{"prediction": {"a": 1, "a": 2}, "reference": "c"}', b'{"prediction": "a", "reference": [{"b": 1, "b": 1}]}',
    b'{"prediction": ":-)", "reference": "\\":"}', b'{"prediction": "\\" : \\\\\\":", "reference": " :"}',
    b'{"prediction": "a", "reference": "c", "n": [{"x": {"y": []}}, {"x": 1}]}', b'{"prediction": "\\ud83d\\ude00"}',
    b'{"prediction": "\\ud800", "reference": ""}', b'{"prediction": NaN, "reference": Infinity, "x": -0}', b"{",
    b'{"prediction": 123456789012345678901234567890, "reference": 1e999}', b'{"prediction": "\xff"}',
    b"[]", b"5", b"null",
    b'{"prediction": "a"} {"prediction": "b"}', b'{"prediction": "a"},{"prediction": "b"}', b'{"a": [', b"]}", b'"a"',
    b'  {"prediction": "a", "reference": "b"} \r', b'{"prediction": "tab\there"}', b"[" * 3000 + b"]" * 3000, b"{}",
]  # fmt: skip


def outcome(read, *rows):
    """The values, or the message of the error."""
    try:
        return read(Records("rows.jsonl", "line", range(1, len(rows) + 1), rows))
    except InputError as error:
        return error.message


def both(*rows):
    """What both decoders make of some rows."""
    quick, slow = outcome(reading._quick_values, *rows), outcome(reading._values, *rows)
    return repr(quick), repr(slow)


@pytest.mark.parametrize("odd", range(len(ODD)))
def test_odd_rows_among_good_ones_are_read_as_ever(odd):
    quick, slow = both(GOOD, ODD[odd], GOOD)
    # A number of more than 64 bits is no text: the message about it comes from the row alone.
    assert quick == slow or "1.2345678901234568e+29" in quick


@pytest.mark.parametrize("pair", product(range(len(ODD)), repeat=2))
def test_two_odd_rows_hide_each_other_never(pair):
    quick, slow = both(*(ODD[i] for i in pair))
    assert quick == slow or "1.2345678901234568e+29" in quick


TEXTS = st.text(st.sampled_from('ab":\\ ,{}[]\u00e9\u4f60\t'), max_size=6)
VALUES = st.recursive(
    TEXTS | st.integers(-9, 9) | st.none(), lambda some: st.lists(some) | st.dictionaries(TEXTS, some)
)


@pytest.mark.slow
@settings(max_examples=examples(500))
@given(
    st.lists(st.lists(st.tuples(TEXTS, VALUES), max_size=4), max_size=4),
    st.sampled_from([(", ", ": "), (",", ":"), (", ", " : "), (",", "\t:")]),
    st.booleans(),
)
def test_drawn_objects_are_read_as_ever_and_names_are_not_written_twice(rows, separators, is_ascii):
    def written(value):
        return json.dumps(value, separators=separators, ensure_ascii=is_ascii)

    def line(pairs):
        return (
            "{" + separators[0].join(f"{written(name)}{separators[1]}{written(value)}" for name, value in pairs) + "}"
        )

    lines = [line(pairs).encode() for pairs in rows]
    quick, slow = both(*lines)
    assert quick == slow
    is_twice = any(len({name for name, _ in pairs}) < len(pairs) for pairs in rows)
    assert is_twice == ("of that name" in quick and "expected one field" in quick)


def test_ordinary_rows_take_the_quick_decoder(monkeypatch):
    rows = [{"id": i, "prediction": 'a "cat": \\ é', "reference": ["b", "c :"], "more": {"x": [{}]}} for i in range(9)]
    lines = [json.dumps(row, ensure_ascii=bool(i % 2)).encode() for i, row in enumerate(rows)]
    monkeypatch.setattr(reading, "_value", None)
    assert reading._quick_values(Records("rows", "line", range(9), lines)) == rows


@pytest.mark.parametrize("odd", [ODD[i] for i in (0, 1, 13, 15, 16)])
def test_messages_name_the_row_and_what_it_has(refused, write, odd):
    write("alone.jsonl", odd + b"\n")
    write("rows.jsonl", b"\n".join([GOOD] * 40 + [odd] + [GOOD] * 40))
    alone, among = (refused("score", f"{name}.jsonl", "-m", "bleu") for name in ("alone", "rows"))
    assert among == re.sub("alone.jsonl, (line 1|object 1)", "rows.jsonl, line 41", alone)


def test_an_empty_array_is_an_empty_file(refused, write):
    assert refused("score", write("rows.json", "[]\n")) == "rows.json: the file is empty"


def test_kept_values_are_those_of_python(run, write, tmp_path):
    ids = [10**30, -0.0, 1.5, "x", None, True, 2**64]
    write("rows.jsonl", [{"prediction": "a", "reference": "a", "id": one} for one in ids])
    run("score", "rows.jsonl", "-m", "ter", "--keep", "id", "-o", "out.json")
    assert repr([row["id"] for row in json.loads((tmp_path / "out.json").read_text())]) == repr(ids)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="threads are counted on Linux")
@pytest.mark.parametrize(("given", "expected"), [({}, "1"), ({"OMP_NUM_THREADS": "2"}, None)])
def test_the_program_starts_no_threads_of_blas_unless_a_user_does(corpus, tmp_path, given, expected):
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
