"""Whole outputs of the program, as a reader sees them.

`python -m cli.test_whole_outputs`, called in tests/, writes them anew after a change; read the difference. A line of
the terminal, "$ textgauge ...", is followed by what is printed, by warnings and errors behind "!", and by files that
are written, of pages by their texts; ESC stands for the character of that name, VERSION for that of textgauge.
"""

import json
import os
import shlex
import tempfile
from html.parser import HTMLParser
from pathlib import Path

import pytest
import textgauge

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
    "caf.txt": ["a caf- au lait"],
    "pairs.list": ["new.txt ref.txt base.txt", "cafe.txt caf.txt"],
    "docs.txt": ["one", "one", "two", "two"],
    "odd_&_[a].txt": ["a cat", "a dog", "we went home", "it rained"],
}
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
}  # fmt: skip


def write(folder):
    for name, lines in {**TEXTS, **{name: map(json.dumps, rows) for name, rows in ROWS.items()}}.items():
        Path(folder, name).write_text("".join(f"{line}\n" for line in lines), "utf-8")


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


def blocks():
    """Return what follows every line of the terminal in the file."""
    parts = f"\n{OUTPUTS.read_text('utf-8')}".split("\n$ ")[1:]
    return {command: shown.strip("\n") for command, _, shown in (part.partition("\n") for part in parts)}


def output(command):
    """Return what a line of the terminal prints and writes in this folder."""
    before = {*os.listdir()}
    words = shlex.split(command)
    env = dict(word.split("=", 1) for word in words[: words.index("textgauge")])
    done = called(*words[len(env) + 1 :], env=env)
    parts = [done.stdout, *(f"! {line}\n" for line in done.stderr.splitlines())]
    parts += [f"(exit code {done.exit_code})\n"] if done.exit_code else []
    for name in sorted({*os.listdir()} - before):
        if name != "explain.html":
            written = Path(name).read_text("utf-8")
            parts.append(f"{name}:\n{texts_of(written) if name.endswith('html') else written}")
        os.remove(name)
    whole = "".join(part if part.endswith("\n") else f"{part}\n" for part in parts if part)
    return whole.replace(textgauge.__version__, "VERSION").replace("\x1b", "ESC").strip("\n")


@pytest.mark.parametrize("command", blocks())
def test_whole_output(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    write(tmp_path)
    assert output(command) == blocks()[command]


if __name__ == "__main__":
    commands = [*blocks()]
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        write(here)
        OUTPUTS.write_text("\n\n".join(f"$ {command}\n{output(command)}" for command in commands) + "\n", "utf-8")
        os.chdir("/")
