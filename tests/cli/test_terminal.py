"""Output on terminals: complete numbers next to long names, and no control characters from input."""

import io
import sys
import unicodedata
from types import SimpleNamespace

import pytest
from click import unstyle
from textgauge import sample
from textgauge.cli.output import has_colour, show
from textgauge.cli.sheet import Numbers, Table, bar
from textgauge.notebook import cells_of

from .test_program import on_terminal

HYPS, GROUPS = sample.columns("translations")
REFS = [texts[0] for texts in GROUPS]
PROGRAM = [sys.executable, "-m", "textgauge"]
COMPARE = ["compare", "-m", "bleu", "-r", "ref.txt", "--holm", "-n", "9999"]
LONG = "translations-of-the-system-that-was-trained-on-monday-"
# Colour and an 8-bit control sequence; a change of direction.
PAINT, TURN = "\x1b[31m\x9b7m", "\u202e"


@pytest.fixture
def systems(write):
    write("ref.txt", REFS)
    return [write(f"{LONG}{end}.txt", lines) for end, lines in (("a", HYPS), ("b", [f"{text} again" for text in HYPS]))]


def table_of(printed):
    return [line.rstrip() for line in printed.splitlines() if line.strip()]


def test_off_terminals_nothing_is_cut(run, write, systems):
    document = "a document with a long name " * 9
    write("docs.txt", [f"{document}{i // 6}" for i in range(len(REFS))])
    result = run(*COMPARE, "--documents", "docs.txt", *systems)
    [of_documents] = result.stderr.splitlines()
    assert "those of one 'document' are alike" in of_documents
    assert (result.exit_code, "…" in result.stdout) == (0, False)
    assert all(name in result.stdout for name in (*systems, f"{document}0"))
    [row] = [line.split() for line in table_of(result.stdout) if line.startswith(f" {systems[1]}  ")]
    assert len(row[-1]) == len("0.0001")


@pytest.mark.slow
def test_nothing_is_cut_on_a_terminal_either(run, tmp_path, systems):
    result = run(*COMPARE, *systems)
    whole = table_of(result.stderr + result.stdout)
    assert table_of(on_terminal([*PROGRAM, *COMPARE, *systems], tmp_path, TERM="dumb").decode()) == whole


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("abc", 3), ("e\u0301te\u0301", 3), ("\u00e9", 1), ("\u7ffb\u8bd1", 4), ("\uff21", 2), ("\u304b\u3099", 2),
        ("\u0939\u093f\u0928\u094d\u0926\u0940", 5), ("\u0e19\u0e35\u0e48", 1), ("a\u200db", 2), ("1\ufe0f\u20e3", 1),
        ("a\u00adb", 3), ("\u05e9\u05b8", 1), ("\u0628\u064e", 1),
    ],
)  # fmt: skip
def test_width_of_names(run, write, text, width):
    assert cells_of(text) == width
    files = [write(f"{name}.txt", ["a b", "c d"]) for name in ("plain", "other")]
    words = ("-r", files[0], "--name", "123456", "--name", text, "-m", "rouge1", "--show", 0, "-n", 9)
    second = table_of(run("compare", *files, *words).stdout)[3]
    assert second.startswith(f" {text}{' ' * (6 - width)}   1.0000   [")


@pytest.mark.parametrize(
    ("share", "drawn"),
    [(-0.5, ""), (0, ""), (0.024, ""), (0.025, "\u2578"), (0.5, "\u2501" * 10), (0.999, "\u2501" * 19 + "\u2578")]
    + [(share, "\u2501" * 20) for share in (1, 1.5)],
)
def test_bars_are_shares_of_twenty_columns(share, drawn):
    assert bar(share) == drawn


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1", "none such"])
def test_lines_of_tables_that_cannot_be_encoded(monkeypatch, encoding):
    class Stream(io.StringIO):
        pass

    stream = Stream()
    monkeypatch.setattr(Stream, "encoding", encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    show("a\u2501\u2500\u2578", None)
    assert stream.getvalue() == ("a\u2501\u2500\u2578\n" if encoding == "utf-8" else "a--\n")


def is_harmless(text):
    return not [c for c in text if c not in "\n" and (unicodedata.category(c) == "Cc" or c == TURN)]


def test_names_in_tables_are_escaped(run, write):
    write("ref.txt", REFS)
    files = [write(f"{PAINT}{TURN}{end}.txt", lines) for end, lines in (("a", HYPS), ("b", REFS))]
    write("docs.txt", [f"{PAINT}{TURN}{i // 6}" for i in range(len(REFS))])
    result = run(*COMPARE, "--documents", "docs.txt", *files)
    assert result.exit_code == 0, result.stderr
    assert is_harmless(result.stdout)
    assert r"\x1b[31m\x9b7m\u202eb.txt" in result.stdout
    assert r"\x1b[31m\x9b7m\u202e0" in result.stdout
    page = run("explain", "-m", "bleu", "-p", files[0], "-r", "ref.txt", "-o", "page.html")
    assert page.exit_code == 0, page.stderr


REFUSED = {
    "a name": ("score", "-m", "bleu", "-p", f"{PAINT}{TURN}", "-r", "ref.txt"),
    "a row of CSV": ("score", "-m", "bleu", "-p", "rows.csv"),
    "a field of CSV": ("score", "-m", "bleu", "-p", "fields.csv"),
    "a path in a list": ("rouge155", "-z", "SPL", "pairs.list"),
    "an id in settings": ("rouge155", "settings.xml"),
    "an unknown flag": ("score", f"--{PAINT}{TURN}"),
    "an unknown command": (f"{PAINT}{TURN}",),
}


@pytest.mark.parametrize("arguments", REFUSED.values(), ids=REFUSED)
def test_refused_values_are_escaped_in_messages(refused, write, arguments):
    write("ref.txt", REFS)
    write("rows.csv", ["prediction,reference", "a,b", f"c{PAINT}{TURN}"])
    write("fields.csv", [f"{PAINT}{TURN},reference", "a,b"])
    write("pairs.list", [f"{PAINT}{TURN} ref.txt"])
    write("settings.xml", [f'<X><EVAL ID="\x9b7m{TURN}"><PEERS><P ID="1">a</P></PEERS></EVAL></X>'])
    message = refused(*arguments)
    assert is_harmless(message)
    assert r"\x9b7m\u202e" in message


def test_output_and_warnings_of_rouge155_are_escaped(run, write):
    write("a.txt", ["the cat"])
    texts = '<INPUT-FORMAT TYPE="SPL"/><PEERS><P ID="{}">a.txt</P></PEERS><MODELS><M ID="A">a.txt</M></MODELS></EVAL>'
    roots = "<PEER-ROOT>.</PEER-ROOT><MODEL-ROOT>.</MODEL-ROOT>"
    evaluations = [f'<EVAL ID="\x9b7m{i}">{roots}{texts.format(f"{TURN}{i}")}' for i in range(2)]
    write("settings.xml", [f"<X>{''.join(evaluations)}</X>"])
    result = run("rouge155", "settings.xml", "-d", "-n", 1)
    assert result.exit_code == 0, result.stderr
    assert is_harmless(result.stdout + result.stderr)
    assert r"\u202e0 ROUGE-1 Eval \x9b7m0.\u202e0 R:1.00000" in result.stdout
    assert r"system \u202e0 has no text for evaluation \x9b7m1" in result.stderr


def test_controls_in_tokens(run, write, tmp_path):
    write("text", [f"a\a {PAINT} {TURN}b \u2028c"])
    tokenize = ("tokenize", "-t", "character", "text")
    # Whatever a pipe ends in: marks of direction belong to texts of many scripts.
    assert run(*tokenize).stdout == rf"a \x07 \x1b [ 3 1 m \x9b 7 m {TURN} b c" + "\n"
    shown = on_terminal([*PROGRAM, *tokenize], tmp_path)
    assert shown == rb"a \x07 \x1b [ 3 1 m \x9b 7 m \u202e b c" + b"\r\n"


def test_what_is_rounded_to_zero_has_no_sign():
    numbers = Numbers(2)
    assert [*map(numbers.text, (-0.004, -0.005001, -0.0, 0.004, None, -1))] == [
        "0.00", "-0.01", "0.00", "0.00", "-", "-1"
    ]  # fmt: skip


def test_huge_numbers_have_an_exponent():
    assert [*map(Numbers(2).text, (1e184, -1e15, 999999999999999.0, float("inf")))] == [
        "1.00e+184", "-1.00e+15", "999999999999999.00", "inf"
    ]  # fmt: skip
    assert Numbers(2, 100.0).text(1e14) == "1.00e+16"


@pytest.mark.parametrize(
    ("env", "is_shown"),
    [
        ({}, True), ({"TERM": "dumb"}, False), ({"TERM": "unknown"}, False), ({"NO_COLOR": "1"}, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True), ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
    ],
)  # fmt: skip
def test_colours_of_terminals_and_of_pipes(monkeypatch, env, is_shown):
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.setenv(name, env.get(name, ""))
    for is_terminal in (True, False):
        monkeypatch.setattr("sys.stdout", SimpleNamespace(isatty=lambda: is_terminal))  # noqa: B023
        assert has_colour() is (is_shown and (is_terminal or "FORCE_COLOR" in env))


def test_a_table_is_turned_where_only_that_fits(monkeypatch):
    table = Table("system", ["first score", "second score", "third"])
    table.add("a", "1", "2", "3")

    def widest(width):
        monkeypatch.setattr("textgauge.cli.sheet.terminal_columns", lambda: width)
        return max(map(cells_of, unstyle(table.turned().text()).splitlines()))

    flat = widest(None)
    turned = widest(flat - 1)
    assert turned < flat == widest(flat) == widest(turned - 1)
    assert [widest(width) for width in range(turned, flat)] == [turned] * (flat - turned)
