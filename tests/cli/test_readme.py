"""The console blocks of the README and of the page of the command line show the actual output."""

import re
import shlex
import subprocess
import sys

import pytest
import textgauge
from conftest import ROOT
from tiny_models import save_encoder

README = ROOT / "README.md"


def sessions(document):
    """Yield every command of the console blocks of a document with the output below it."""
    for block in re.findall(r"```console\n(.*?)```", document.read_text("utf-8"), re.DOTALL):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = step.partition("\n")
            yield command, output


def lines_of(text):
    """The lines without what is at their ends."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def as_released(text):
    """The output of the release: without the suffix of the version in a checkout."""
    return text.replace(textgauge.__version__, textgauge.__version__.partition("+")[0])


def in_a_shell(command, folder):
    """The exit code, and what is printed."""
    program = f'textgauge() {{ {shlex.quote(sys.executable)} -m textgauge "$@"; }}\n'
    done = subprocess.run(
        ["bash", "-c", program + command], cwd=folder, text=True, encoding="utf-8", timeout=120,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return done.returncode, done.stdout


@pytest.mark.parametrize("name", ["README.md", "metrics/COMMAND_LINE.md", "metrics/SIGNIFICANCE.md"])
def test_commands_print_what_the_document_shows(name, run, tmp_path):
    steps = list(sessions(ROOT / name))
    assert len(steps) >= 5
    for command, expected in steps:
        if re.fullmatch(r"""textgauge (?:[\w ./="-]|'[^']*')+""", command):
            done = run(*shlex.split(command)[1:])
            code, printed = done.exit_code, done.stdout + done.stderr
        else:
            code, printed = in_a_shell(command, tmp_path)
        assert (command, code, lines_of(as_released(printed))) == (command, 0, lines_of(expected))


DOCUMENTS = [
    README,
    *sorted(ROOT.glob("metrics/*.md")),
    *sorted(ROOT.glob("metrics/*/*.md")),
    *sorted(ROOT.glob(".github/*.md")),
]
INLINE = {
    (str(document.relative_to(ROOT)), " ".join(command.split()))
    for document in DOCUMENTS
    for command in re.findall(
        r"`(textgauge [^`]+)`", re.sub(r"^ *```.*?^ *```", "", document.read_text("utf-8"), flags=re.S | re.M)
    )
}
LINES = ["the cat sat on the mat", "a dog barks at night", "it rains again today", "we are late"]
FILES = {
    "captions.jsonl": [{"prediction": line, "reference": [line, "a cat"]} for line in LINES],
    "rows.jsonl": [{"prompt": "ab"[i % 2], "prediction": line} for i, line in enumerate(LINES)],
    "samples.jsonl": [{"prediction": LINES[:3]}, {"prediction": LINES[1:]}],
    "docs.txt": ["first", "first", "second", "second"],
    "ratings.csv": "system,segment,mqm,COMET,prediction,reference\n" + "".join(
        f"{system},{i},{-i - len(system)},{0.1 * i},{line} {system},{line}\n"
        for system in ("a", "bb", "ccc") for i, line in enumerate(LINES)
    ),
}  # fmt: skip


@pytest.mark.parametrize(("document", "command"), sorted(INLINE))
@pytest.mark.filterwarnings("ignore")
def test_commands_in_prose_work(document, command, run, write, tmp_path_factory):
    """What stands in prose as a command is one: it runs on files of the names that it has."""
    words = shlex.split(command)[1:]
    if len(words) == 1 or words[1:] == ["--help"]:
        assert run(words[0], "--help").exit_code == 0 or words[0] == "help"
        return
    for word in words:
        name = word.rpartition("=")[2]
        if re.fullmatch(r"\w+\.(txt|jsonl|csv)", name):
            write(name, FILES.get(name, LINES))
    if "bertscore" in words:
        pytest.importorskip("transformers", reason='transformers is missing: pip install -e ".[bertscore]"')
        save_encoder(folder := tmp_path_factory.mktemp("encoder"))
        # No model is downloaded for a test.
        words[words.index("lang=en") :] = [f"model_id={folder}", "num_layers=2"]
    if "mauve" in words:
        for package in ("transformers", "faiss", "sklearn"):
            pytest.importorskip(package, reason=f'{package} is missing: pip install -e ".[mauve]"')
        save_encoder(folder := tmp_path_factory.mktemp("encoder"))
        words[words.index("model_id=gpt2")] = f"model_id={folder}"
    done = run(*words)
    assert (done.exit_code, "Traceback" in done.stderr) == (0, False), (document, done.stderr)
    assert done.stdout


def test_first_command_is_the_demo():
    first = re.search(r"```sh\n(.*?)\n```", README.read_text("utf-8"), re.DOTALL)[1]
    assert first == "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/textgauge demo"
