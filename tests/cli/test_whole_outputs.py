"""Whole outputs of the program, as a reader sees them.

`python -m cli.test_whole_outputs`, called in tests/, writes them anew after a change; read the difference. A line of
the terminal, "$ textgauge ...", is followed by what is printed, by warnings and errors behind "!", and by files that
are written, of pages by their texts; short lists and objects of JSON take a line. ESC stands for the character of that
name, VERSION for that of textgauge.
"""

import csv
import json
import os
import re
import shlex
import tempfile
from collections import Counter
from functools import cache
from html.parser import HTMLParser
from itertools import chain, cycle, pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
import textgauge
from click import Option
from textgauge.cli.main import COMMANDS, main

from .conftest import called

OUTPUTS = Path(__file__).parents[1] / "data/outputs.txt"
TEXTS = {
    "base.txt": ["the cat sat on the mat", "a dog barks at night", "", "it rains"],
    "new.txt": ["the cat sat on a mat", "a dog barked at night", "we went home", "it rains again"],
    "ref.txt": ["the cat sat on the mat", "the dog barked at night", "we went home", "it rained"],
    "src.txt": ["le chat", "un chien aboie", "on est rentre", "il pleut"],
    "many.txt": [f"{'a b c d e'[: 1 + i % 9]} x" for i in range(12)],
    "more.txt": [f"{'a b c d e'[i % 5 :]} x" for i in range(12)],
    "cafe.txt": ["a caf\u00e9 au lait"],
    "latin.list": ["a caf\udce9", "tea", "tea", "it rained"],
    "said.list": [";;1 It rains", "u2 we  go home", "u3"],
    "heard.list": ["u3 the cat", "u2 we went home", ";;1 it rained"],
    "caf.txt": ["a caf- au lait"],
    "pairs.list": ["new.txt ref.txt base.txt", "# a comment", "", "cafe.txt caf.txt"],
    "docs.txt": ["one", "one", "two", "two"],
    "blank.txt": ["", "the dog", " ", "rained it"],
    "returns.list": ["the cat sat\ron the mat"],
    "two_returns.list": ["the cat\rsat\ron the mat"],
    "home/smart_common_words.txt": ["on", "went"],
    "home/verb.exc": ["sat sit"],
    "odd_&_$[a].txt": ["a cat", "a dog", "we went home", "it rained"],
    # CSV whose quotation marks are text, in another order.
    "table.txt": ["key,doc,x_a,x_b,src,alt", '1,one,a "cat" sat,the cat,le "chat",a cat',
                  "2,one,a dog,dogs,un chien,a dog", '3,two,we went,"we" go home,on est,we go',
                  "4,two,it rained,it rains,il pleut,it rains"],
    "parts/1.tsv": ["prediction", "the cat sat", "a dog"],
    "parts/2.tsv": ["prediction", "we went", "it rained"],
    "turned.txt": ["key,said", "4,it rained", '3,"we" went home', "2,the dogs", '1,the "cat" sat'],
    "raters.csv": ["anna,ben,judge_1,judge_2,doc", "bad,bad,good,bad,one", "good,,good,fair,one",
                   "fair,good,good,good,two", "good,good,fair,bad,two", "bad,fair,fair,bad,three",
                   "good,bad,bad,good,three", "fair,bad,good,bad,three"],
    "verdicts.csv": ["q,verdict,one,two,n_one,n_two,doc", "1,a,a,b,9,4,x", "1,a,b,a,4,9,x", "2,tie,a,b,3,3,y",
                     "2,b,b,a,5,2,y", "3,,a,b,1,1,z", "3,a,c,a,7,6,z", "4,c,b,c,2,8,z", "4,tie,b,c,2,2,z"],
}  # fmt: skip
# A picture, and a folder.
WRITES_NO_TEXT = ("--plot", "--save")
SAMPLES = [["4", "5", "4"], ["a", "b", "b"], ["x", "y", "z"]]
PEOPLE = {"base": [60, 40, 0, 70], "new": [80, 90, 100, 50], "human": [100, 95, 100, 100]}
ROWS = {
    "rows.jsonl": [
        {"id": f"q{i}", "prediction": TEXTS["new.txt"][i], "reference": [TEXTS["ref.txt"][i], TEXTS["base.txt"][i]]}
        for i in range(3)
    ] + [{"id": "q4", "prediction": 5, "reference": "five"}],
    "samples.jsonl": [
        {"problem": f"p{i}", "prediction": text, "reference": own[0]} for i, own in enumerate(SAMPLES) for text in own
    ],
    "lone.jsonl": [{"prediction": ["a b", "a c", "a b"]}, {"prediction": ["x"]}],
    "bad.jsonl": [
        {"prediction": text, "p": 0.123 * i} for i, text in enumerate(("a", 5, "we go", "it rains"))
    ],
    "bad_too.jsonl": [{"reference": "a"}, {"reference": "the dog"}, {"reference": "we went home"}, {"reference": 5}],
    "given.jsonl": [{"id": "x", "prediction_text": "the cat"}, {"id": "y", "prediction_text": "a dog"}],
    "answers.jsonl": [
        {"id": name, "answers": {"text": texts}} for name, texts in (("y", ["dogs", "the dog"]), ("x", ["cats"]))
    ],
    "lists.jsonl": [{"prediction": own, "p": [0.2, 0.5, 0.3], "group": "all"} for own in SAMPLES],
    "ratings.jsonl": [
        {"system": name, "segment": i + 1, "score": score, "reference": TEXTS["ref.txt"][i],
         "prediction": TEXTS["ref.txt" if name == "human" else f"{name}.txt"][i], "length": -len(name) * (i + 1)}
        for name, scores in PEOPLE.items() for i, score in enumerate(scores)
    ],
    "wide.jsonl": [
        {"doc": f"d{i // 2}", "reference": TEXTS["ref.txt"][i], "x": i % 3, "y": 3 - i,
         **{f"h_{name}": PEOPLE[name][i] for name in ("base", "new")},
         **{f"t_{name}": TEXTS[f"{name}.txt"][i] for name in ("base", "new")}}
        for i in range(4)
    ],
    "long.jsonl": [
        {"who": name, "seg": i, "hyp": TEXTS[f"{name}.txt"][i], "doc": i // 2,
         "gold": TEXTS["ref.txt"][i], "from": TEXTS["src.txt"][i]}
        for i in range(4) for name in ("base", "new")
    ],
    **{
        f"{side}.jsonl": [
            {"words": words, "name": name, "call": call, "start": i, "end": i + 2}
            for i, (call, name, words) in enumerate(utterances)
        ]
        for side, utterances in (
            ("said", [("y", "ann", "hello there"), ("x", "bob", "so what"), ("x", "ann", "oh no"),
                      ("y", "ann", "bye"), ("y", "bob", "good day")]),
            ("heard", [("x", 1, "oh no"), ("x", 2, "so"), ("y", 1, "good day"), ("y", 2, "hello bye")]),
        )
    },
}  # fmt: skip


@cache
def content(name):
    lines = TEXTS[name] if name in TEXTS else map(json.dumps, ROWS[name])
    return "".join(f"{line}\n" for line in lines).encode(errors="surrogateescape")


def write(folder, names=(*TEXTS, *ROWS)):
    for name in names:
        Path(folder, name).parent.mkdir(exist_ok=True)
        Path(folder, name).write_bytes(content(name))


class Texts(HTMLParser):
    """Collects the texts of a page, a line for each that an element or a row holds."""

    def __init__(self):
        super().__init__()
        self.lines, self.hidden = [""], 0

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in HIDDEN
        if tag not in WITHIN_LINES:
            self.lines.append("")

    def handle_endtag(self, tag):
        self.hidden -= tag in HIDDEN
        if tag not in WITHIN_LINES:
            self.lines.append("")
        elif tag in ("td", "th", "dt"):
            self.lines[-1] += " | "

    def handle_data(self, data):
        if not self.hidden:
            self.lines[-1] += data


HIDDEN = ("style", "script")
WITHIN_LINES = (
    *("span", "b", "i", "em", "strong", "a", "td", "th", "dt", "sub", "sup", "mark", "code", "tspan"),
    *("math", "mi", "mo", "mn", "mrow", "mfrac", "msup", "msub", "mtext"),
)


def texts_of(page):
    texts = Texts()
    texts.feed(page)
    lines = (" ".join(line.split()).removesuffix(" |") for line in texts.lines)
    return "".join(f"{line}\n" for line in lines if line)


@cache
def blocks():
    """Return what follows every line of the terminal in the file."""
    parts = f"\n{OUTPUTS.read_text('utf-8')}".split("\n$ ")[1:]
    return {command: shown.strip("\n") for command, _, shown in (part.partition("\n") for part in parts)}


def output(command, *more):
    """Return what a line of the terminal prints and writes in this folder; what is in whole.txt counts as printed."""
    before = {*os.listdir()}
    words = shlex.split(command)
    env = dict(word.split("=", 1) for word in words[: words.index("textgauge")])
    done = called(*words[len(env) + 1 :], *more, env=env)
    printed = Path("whole.txt").read_text("utf-8") if "whole.txt" in more and not done.stdout else done.stdout
    parts = [printed, *(f"! {line}\n" for line in done.stderr.splitlines())]
    parts += [f"(exit code {done.exit_code})\n"] if done.exit_code else []
    for name in sorted({*os.listdir()} - before):
        if name not in ("explain.html", "whole.txt"):
            written = Path(name).read_text("utf-8")
            parts.append(f"{name}:\n{texts_of(written) if name.endswith('html') else written}")
        os.remove(name)
    whole = "".join(part if part.endswith("\n") else f"{part}\n" for part in parts if part)
    for innermost in (r"\[\n[^][{}]*\n *\]", r"\{\n[^{}]*\n *\}"):
        whole = re.sub(innermost, lambda found: found[0] if len(found[0]) > 300 else " ".join(found[0].split()), whole)
    return whole.replace(textgauge.__version__, "VERSION").replace("\x1b", "ESC").strip("\n")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    write(folder)
    return folder


@pytest.fixture
def here(folder, monkeypatch):
    """The folder that commands are called in, with no files but those that they name, which stay as they are."""
    monkeypatch.chdir(folder)
    before, written = {*os.listdir()}, {name: os.stat(name).st_mtime_ns for name in (*TEXTS, *ROWS)}
    yield
    changed = [
        name for name, when in written.items()
        if not os.path.isfile(name) or (os.stat(name).st_mtime_ns != when and Path(name).read_bytes() != content(name))
    ]  # fmt: skip
    write(".", changed)
    assert ({*os.listdir()}, changed) == (before, [])


@pytest.fixture
def cut(monkeypatch):
    """Read files in blocks of few rows, unless a warning is about several of the first block."""

    def call(command, n_least):
        if "is a single token" not in blocks()[command]:
            monkeypatch.setattr("textgauge.files.rows.BLOCK_ROWS", n_least + len(command) % 3)

    return call


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("command", blocks())
def test_whole_output(cut, command):
    cut(command, 2)
    assert output(command) == blocks()[command]


# The roles of files of texts that stand behind flags.
ROLES = {"-r": "reference", "-s": "source", "--units": "unit", "--documents": "document"}
FORMS = {"csv": ("--quoting", "none"), "tsv": ("--quoting", "csv"), "parquet": (), "jsonl": ("--skip-bad",)}


def own_flags(name):
    return {flag for one in main.get_command(None, name).params for flag in one.opts}


def files_in(words):
    """Yield the files that a command names and their places, with the flag or the option before, empty for operands."""
    for place, (before, word) in enumerate(pairwise(words), 1):
        name, equals, file = word.rpartition("=")
        if file in TEXTS or file in ROWS:
            yield place, file, name if equals else before if before.startswith("-") else ""


def table_of(file, roles):
    """Return the columns of a table, of a file of texts those of its roles; none where no other format has them."""
    if file in ROWS:
        rows = ROWS[file]
    elif "," in TEXTS[file][0]:
        names, *values = (line.split(",") for line in TEXTS[file])
        rows = [dict(zip(names, own, strict=True)) for own in values]
    else:
        rows = [dict.fromkeys(roles, text) for text in TEXTS[file] if not file.endswith(".list")]
    kinds = {(name, type(value)) for row in rows for name, value in row.items()}
    is_table = all(kind in (str, int) for _, kind in kinds) and len(kinds) == len(rows[0]) if rows else False
    return {name: [str(row[name]) for row in rows] for name in rows[0]} if is_table else {}


def put_table(file, table, form, *, has_bad_row):
    """Write columns, and one of marks that each format but one would take for its own."""
    table = {**table, '"marks': ['"'] * len(next(iter(table.values())))}
    if form == "parquet":
        pa.parquet.write_table(pa.table(table), file)
        return
    rows = [[*table], *zip(*table.values(), strict=True)]
    with open(file, "w", encoding="utf-8", newline="") as written:
        if form == "jsonl":
            written.writelines(f"{json.dumps(dict(zip(table, row, strict=True)))}\n" for row in rows[1:])
            written.write("{}\n" * has_bad_row)
        elif form == "tsv":
            csv.writer(written, "excel-tab", quoting=csv.QUOTE_ALL).writerows(rows)
        else:
            written.writelines(f"{','.join(row)}\n" for row in rows)


def without(words, *flags):
    return [word for before, word in zip(["", *words], words, strict=False) if not {before, word} & {*flags}]


OF_TABLES = [
    command for command, shown in blocks().items()
    if "(exit code 2)" not in shown and all(table_of(file, ["texts"]) for _, file, _ in files_in(shlex.split(command)))
    and not {*shlex.split(command)} & {"tokenize", "--text", "parts/", "help", "demo", "--list"}
]  # fmt: skip


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("command", "form"), zip(OF_TABLES, cycle(FORMS)))
def test_whole_output_of_every_format(cut, block_bytes, command, form):
    """Texts and tables in columns of any format, where a bad row is skipped; what is printed may be written."""
    cut(command, 1)
    block_bytes(1 if len(command) % 2 and "is a single token" not in blocks()[command] else 1 << 20)
    words, roles = shlex.split(command), {}
    for _, file, flag in files_in(words):
        roles.setdefault(file, {})[ROLES.get(flag, "prediction")] = flag in ("", "-p", *ROLES)
    skips = form == "jsonl" and bool({*words} & {"score", "compare", "plan", "explain"})
    skips = skips and not {*words} & {"--id-field", "--speaker-field"}
    into = () if {"-o", "pairwise", "explain"} & {*words} else ("-o", "whole.txt")
    command_of = shlex.join(without(words, "--format", "--quoting"))
    try:
        for file, columns in roles.items():
            put_table(file, table_of(file, columns), form, has_bad_row=skips and all(columns.values()))
        found = output(command_of, "--format", form, *(FORMS[form] if skips or form != "jsonl" else ()), *into)
    finally:
        write(".", roles)
    about_bad = "! textgauge: 1 segment was left out: bad row", '  "skipped": 1,'
    told = [line for line in found.splitlines() if line.startswith(about_bad)]
    assert bool(told) == skips
    expected = "\n".join(line for line in found.splitlines() if line not in told)
    assert expected == (re.sub(r"ESC\[\d+m", "", blocks()[command]) if into else blocks()[command])


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", [name for name in COMMANDS if {"--output", "--max-line"} & own_flags(name)])
def test_every_file_of_a_command_has_limits_and_stays(name):
    """No output takes the place of a file that is read, and none of its lines is longer than the limit."""
    flags, seen = own_flags(name), set()
    for command in blocks():
        words = shlex.split(command)
        if name not in words[:3] or "(exit code" in blocks()[command]:
            continue
        form = {*words} & {"--raters", "--winner", "--weights-field", "--system-field", "--format"}
        words = without(words, "-o")
        for place, file, flag in files_in(words):
            if (key := (flag, file[-4:], *sorted(form))) in seen:
                continue
            seen.add(key)
            # The file may stand behind other flags, too.
            own = f"own_{Path(file).name}"
            line = [*words[:place], words[place].removesuffix(file) + own, *words[place + 1 :]][words.index(name) :]
            Path(own).write_bytes(Path(file).read_bytes())
            refused = [called(*line, "-o", path) for path in (own, "x.xlsx") if "-o" in flags]
            Path(own).write_bytes(Path(file).read_bytes() + b"x" * 2000)
            refused += [called(*line, "--max-line", 0.001)]
            Path(own).unlink()
            long_line = rf"^textgauge: (\w+: )?{re.escape(own)}, line .*max-line"
            told = f"--output would overwrite {re.escape(own)}", "x.xlsx", long_line
            assert {one.exit_code for one in refused} == {2}, command
            assert [*map(re.search, told[-len(refused) :], [one.stderr for one in refused])].count(None) == 0, command
    assert seen


def test_every_option_is_shown():
    """Each command shows its own options in the file, and one of the commands each of those that several share."""
    lines = [shlex.split(command) for command in blocks()]
    shown = {name: {word for line in lines if name in line[:4] for word in line} for name in COMMANDS}
    options = {name: [one for one in main.get_command(None, name).params if isinstance(one, Option)] for name in shown}
    users = Counter(flag for own in options.values() for one in own for flag in one.opts)
    lacking = [
        (name, one.opts[-1]) for name, own in options.items() for one in own
        if not one.hidden and one.opts[-1] not in WRITES_NO_TEXT
        and not {*one.opts, *one.secondary_opts} & (shown[name] if users[one.opts[-1]] == 1 else {*chain(*lines)})
    ]  # fmt: skip
    assert lacking == []


if __name__ == "__main__":
    commands = [*blocks()]
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        write(here)
        OUTPUTS.write_text("\n\n".join(f"$ {command}\n{output(command)}" for command in commands) + "\n", "utf-8")
        os.chdir("/")
