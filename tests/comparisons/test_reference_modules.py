"""The command that compares textgauge with other tools: whole runs."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from small_texts import SUMMARIES, TRANSLATIONS, json_lines

from comparisons import timing
from comparisons.reference_modules import __main__ as command
from comparisons.reference_modules import rows, texts
from comparisons.reference_modules.page import LINES, OWN, PARTS
from comparisons.reference_modules.rouge_tools import ROUGE_SCORE, scorer_loop
from comparisons.reference_modules.tool import Tool, ours
from comparisons.reference_modules.translation_tools import SACREBLEU

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("nothing_is_collected")
QUICK = ["--rounds=1", "--seconds=0", "--no-hub", "--no-parts", "--no-own"]
ROUGE = rows.Row("ROUGE", "summaries", ours("rouge", use_aggregator=False), ROUGE_SCORE)
NO_SMOOTHING = SACREBLEU.using(metric="bleu", smooth_method="none")
BLEU = rows.Row("BLEU", "translations", ours("bleu", reference_length="closest"), NO_SMOOTHING)


@pytest.fixture(autouse=True)
def one_sample(monkeypatch):
    """Every call is timed once."""
    monkeypatch.setattr(timing, "SHORTEST_SAMPLE", 1e-9)
    monkeypatch.setattr(timing, "VISIT", 0)


@pytest.fixture
def small(tmp_path):
    """Options that name two small files."""
    (tmp_path / "summaries.jsonl").write_text(json_lines(SUMMARIES))
    (tmp_path / "translations.jsonl").write_text(json_lines(TRANSLATIONS))
    return [f"--{name}={tmp_path / name}.jsonl" for name in ("summaries", "translations")]


def one_wrong(corpus, **options):
    call, read = scorer_loop(corpus, **options)

    def changed(result):
        scores = read(result)
        scores["rougeL"][1] += 1e-4
        return scores

    return call, changed


def absent(corpus):
    import module_that_is_not_there  # noqa: F401


WRONG = replace(ROUGE_SCORE, name="a tool with one wrong score", adapter=one_wrong)
BROKEN = Tool("a tool that raises", "nothing-of-this-name", lambda corpus: (lambda: 1 / 0, None))
ABSENT = Tool("a tool that is not there", "nothing-of-this-name", absent)


def run(arguments, table, tmp_path):
    """Return the exit code and the lines of the page by tool."""
    code = command.main([*arguments, f"--output={tmp_path / 'out'}"], table)
    page = json.loads((tmp_path / "out" / "page.json").read_text())
    # Of the lines of one tool, one that was timed.
    return code, {line["tool"]: line for line in sorted(page["lines"], key=lambda line: "speedup" in line)}


@pytest.mark.slow
def test_every_row_agrees_on_a_small_sample(small, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(texts, "N_MADE_UP", 6)
    (tmp_path / "lines.txt").write_text("".join(f"{text} .\n" for text, _ in (*SUMMARIES, *TRANSLATIONS)) * 4)
    lines = f"--lines={tmp_path / 'lines.txt'}"
    code, lines = run([*small, lines, *QUICK, "--no-memory"], rows.ROWS, tmp_path)
    assert code == 0
    timed = {name for name, line in lines.items() if "speedup" in line}
    assert timed >= {
        "rouge_score", "sacrebleu", "sacrebleu, a loop", "nltk", "nltk.lm", "the loop of squad", "the loop of bleu",
        "mteval-v13a.pl, restated", "multi-bleu.perl, restated",
    }  # fmt: skip
    recorded = {name for name in lines if name.startswith("recorded")}
    assert len(recorded) == 3
    assert all(lines[name]["agrees"] and lines[name]["figures"] for name in timed | recorded)
    printed = capsys.readouterr().out
    assert re.search(r"^ROUGE +rouge_score +equal ", printed, re.M)
    assert re.search(r"^ROUGE, recorded calls +recorded rouge module +equal ", printed, re.M)
    assert "the Hub was not asked" in printed
    assert (tmp_path / "out" / "page.png").read_bytes().startswith(b"\x89PNG")


def test_wrong_score(small, tmp_path, capsys):
    table = [ROUGE, replace(ROUGE, theirs=WRONG)]
    code, lines = run([*small, *QUICK, "--no-memory", "--only=ROUGE"], table, tmp_path)
    assert code == 1
    wrong = lines["a tool with one wrong score"]
    assert (wrong["agrees"], wrong["where"], wrong["decimals"]) == (False, "rougeL[1]", 3)
    assert lines["rouge_score"]["agrees"]
    assert "a tool with one wrong score differs by 0.0001 in rougeL[1]" in capsys.readouterr().out


def test_absent_tools(small, tmp_path):
    table = [ROUGE, replace(ROUGE, theirs=BROKEN), replace(ROUGE, theirs=ABSENT)]
    code, lines = run([*small, *QUICK, "--no-memory", "--only=ROUGE"], table, tmp_path)
    assert code == 0
    assert lines["a tool that raises"]["state"] == "raises ZeroDivisionError"
    assert lines["a tool that is not there"]["state"] == "not installed"
    assert (tmp_path / "out" / "page.png").is_file()


def test_own_failure(small):
    with pytest.raises(TypeError, match="colour"):
        command.main([*small, *QUICK, "--no-memory"], [replace(BLEU, ours=ours("bleu", colour=1))])


@pytest.mark.slow
def test_only_the_time_by_parts(tmp_path):
    command.main(["--rounds=1", "--seconds=0", "--only=where the time goes", f"--output={tmp_path}"])
    made = json.loads((tmp_path / "page.json").read_text())
    assert [job["title"] for job in made[PARTS]] == ["ROUGE", "ROUGE of stems", "BLEU"]
    assert made[LINES] == made[OWN] == []
    assert {path.name for path in tmp_path.iterdir()} == {"page.json", "parts.png"}


def test_unmatched_only_is_refused(capsys):
    assert command.main(["--only=that is not there"], [ROUGE]) == 2
    assert "no title or tool has 'that is not there'" in capsys.readouterr().err


def test_memory_in_own_process(small, tmp_path):
    _, lines = run([*small, *QUICK, "--only=sacrebleu"], [BLEU], tmp_path)
    peaks = [lines["sacrebleu"][side]["peak"] for side in ("ours", "theirs")]
    # Where the system keeps no such count both are None.
    assert peaks == [None, None] or all(0 <= peak < 200e6 for peak in peaks)


def test_page_between_marks(small, tmp_path):
    run([*small, *QUICK, "--no-memory", "--only=sacrebleu"], [BLEU], tmp_path)
    readme = tmp_path / "README.md"
    readme.write_text("above\n<!-- page -->\nold\n<!-- end of page -->\nbelow\n")
    code = command.main([f"--page={tmp_path / 'out' / 'page.json'}", f"--readme={readme}"])
    text = readme.read_text()
    assert code == 0
    assert text.startswith("above\n<!-- page -->\n```sh\npython -m comparisons.reference_modules --summaries summaries")
    assert text.endswith("<!-- end of page -->\nbelow\n")
    assert "old" not in text
    assert str(tmp_path) not in text


@pytest.mark.parametrize("made", ["[]", '{"lines": []}'])
def test_a_page_of_another_version_is_refused(tmp_path, capsys, made):
    (tmp_path / "page.json").write_text(made)
    assert command.main([f"--page={tmp_path / 'page.json'}"]) == 2
    assert "page.json: expected a page.json of this version of the command" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('{"prediction": "a", "reference": "a"}\n{"prediction": "a"}', "translations.jsonl, line 2: expected text"),
        ('{"prediction": "a", "reference": "a"}\n{"prediction": null, "reference": "a"}', "line 2: expected text"),
        ('{"prediction": "a", "reference": "a"}\n{"prediction": "a", "reference": 3}', "row 1"),
        ('{"prediction": "a", "reference": "a"}\nnot JSON', "row 1"),
        ('{"prediction": "a"}', "expected prediction and reference(s), got prediction"),
    ],
)
def test_a_bad_line_is_named(tmp_path, capsys, lines, message):
    (tmp_path / "translations.jsonl").write_text(lines)
    assert command.main([f"--translations={tmp_path / 'translations.jsonl'}", *QUICK], [BLEU]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.slow
def test_command_as_module():
    arguments = [*QUICK, "--no-memory", "--only=multi-bleu"]
    done = subprocess.run(
        [sys.executable, "-m", "comparisons.reference_modules", *arguments], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "translations: embedded sample" in done.stdout
    assert "multi-bleu.perl, restated" in done.stdout
