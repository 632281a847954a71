"""The time of a call by steps, the distance to a plain pass, and our own calls."""

import json
import time

import pyarrow as pa
import pytest
import textgauge
from small_texts import SUMMARIES, TRANSLATIONS, json_lines

from comparisons.reference_modules import __main__ as command
from comparisons.reference_modules import measure, own_calls, rows, texts, where
from comparisons.reference_modules.page import LINES, OWN, PARTS

# So many that no path for few segments is taken.
TIMES = 40
CORPORA = {
    name: texts.Corpus(name, *map(list, zip(*segments * TIMES, strict=True)))
    for name, segments in (("summaries", SUMMARIES), ("translations", TRANSLATIONS))
}
QUICKLY = measure.Settings(rounds=1, seconds=0, hub=False, memory=False)


class Work:
    """Moves the clock of the test."""

    now = 0.0

    @staticmethod
    def inner():
        Work.now += 2.0

    def outer(self):
        Work.now += 1.0
        self.inner()


def test_inner_steps_do_not_count_for_outer_ones_and_the_rest_is_named(monkeypatch):
    monkeypatch.setattr(where.time, "perf_counter", lambda: Work.now)
    monkeypatch.setattr(where, "resolve_name", lambda _: Work)
    raw = dict(vars(Work))

    def call():
        Work().outer()
        Work.inner()
        Work.now += 4.0

    spent = where.divided(call, {"a": [("", "outer")], "b": [("", "inner")]})
    assert spent == {"a": 1.0, "b": 4.0, where.REST: 4.0}
    assert {name: vars(Work)[name] for name in ("inner", "outer")} == {name: raw[name] for name in ("inner", "outer")}


def test_a_failed_call_leaves_no_timed_function():
    def fail():
        raise KeyError

    before = textgauge.bleu(["a b"], ["a b"])
    with pytest.raises(KeyError):
        where.divided(fail)
    for place, name in (function for functions in where.STEPS.values() for function in functions):
        assert not hasattr(getattr(where.resolve_name(place), name), "__wrapped__")
    assert textgauge.bleu(["a b"], ["a b"]) == before
    assert textgauge.get_num_threads() == min(2, pa.cpu_count())


def test_the_divided_call_uses_one_thread():
    seen = []
    where.divided(lambda: seen.append(textgauge.get_num_threads()))
    assert seen == [1]


def test_time_outside_the_steps_is_the_rest():
    assert where.divided(lambda: time.sleep(0.05))[where.REST] >= 0.05


@pytest.mark.parametrize("title", where.JOBS)
def test_every_step_is_seen_and_steps_add_up(title):
    (line,) = where.measured([title], CORPORA, QUICKLY)
    assert {name for name, seconds in line["parts"].items() if seconds > 0} == {*where.STEPS, where.REST}
    assert sum(line["parts"].values()) == pytest.approx(line["seconds"])
    segments = TRANSLATIONS if title == "BLEU" else SUMMARIES
    assert line["bytes"] == TIMES * sum(len(text.encode()) for p, r in segments for text in (p, *r))
    assert line["seconds_on_threads"] > 0
    assert line["threads"] == textgauge.get_num_threads()
    assert all(0 < seconds < line["seconds"] for seconds in line["passes"].values())


@pytest.fixture
def tiny(monkeypatch):
    """Our own calls on next to nothing."""
    monkeypatch.setattr(own_calls, "N_PAIRS", (3, 30))
    monkeypatch.setattr(own_calls, "N_TOKENS", 40)
    monkeypatch.setattr(own_calls, "N_NGRAM_TEXTS", 4)


@pytest.mark.slow
@pytest.mark.usefixtures("tiny")
def test_one_command_writes_everything(tmp_path, capsys):
    for name, segments in (("summaries", SUMMARIES), ("translations", TRANSLATIONS)):
        (tmp_path / f"{name}.jsonl").write_text(json_lines(segments))
    files = [f"--{name}={tmp_path / name}.jsonl" for name in ("summaries", "translations")]
    readme = tmp_path / "README.md"
    readme.write_text("<!-- page -->\n<!-- end of page -->\n")
    table = [row for row in rows.ROWS if row.theirs.name == "nltk"]
    options = ["--rounds=1", "--seconds=0", "--no-hub", "--no-memory"]
    assert command.main([*files, *options, f"--output={tmp_path / 'out'}", f"--readme={readme}"], table) == 0
    made = json.loads((tmp_path / "out" / "page.json").read_text())
    assert [job["title"] for job in made[PARTS]] == ["ROUGE", "ROUGE of stems", "BLEU"]
    assert len(made[OWN]) == 2 + 2 * 2 + 3 + 2 + 6
    written = readme.read_text()
    for found in ("(out/page.png)", "(out/parts.png)", "### Where the time goes", "### Our own calls"):
        assert found in written
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"page.json", "page.png", "parts.png"}
    assert "Where the time goes" in capsys.readouterr().out


def test_only_the_time_by_parts(tmp_path):
    command.main(["--rounds=1", "--seconds=0", "--only=where the time goes", f"--output={tmp_path}"])
    made = json.loads((tmp_path / "page.json").read_text())
    assert (made[LINES], made[OWN], len(made[PARTS])) == ([], [], 3)
    assert {path.name for path in tmp_path.iterdir()} == {"page.json", "parts.png"}


@pytest.mark.usefixtures("tiny")
def test_our_own_calls_have_times_and_memory():
    lines = own_calls.measured(["many pairs", "n-gram models"], texts.Library(), QUICKLY)
    assert [line["title"] for line in lines[:2]] == ["rouge, 3 pairs", "rouge, 30 pairs"]
    assert all(line["seconds"] > 0 for line in lines)
    settings = measure.Settings(rounds=1, seconds=0)
    peaks = [line["peak"] for line in own_calls.measured(["long documents"], texts.Library(), settings)]
    assert peaks == [None] * 3 or all(0 <= peak < 200e6 for peak in peaks)


def test_random_texts_are_the_same_every_time():
    assert texts.random_texts(20, 50) == texts.random_texts(20, 50)
