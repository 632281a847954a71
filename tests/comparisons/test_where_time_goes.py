"""The time of a call by parts, the distance to a plain pass, and the sections of the page."""

import json
import time
from collections import namedtuple

import pyarrow as pa
import pytest
import textgauge
from small_texts import SUMMARIES, TRANSLATIONS, json_lines

from comparisons.reference_modules import bars, command, corpora, ngrams, parts, rows, sections, where
from comparisons.reference_modules.document import NGRAMS, PARTS

# So many that no path for few segments is taken.
TIMES = 40
CORPORA = {
    name: corpora.Corpus(name, *map(list, zip(*segments * TIMES, strict=True)))
    for name, segments in (("summaries", SUMMARIES), ("translations", TRANSLATIONS))
}
Entry = namedtuple("Entry", "code inlinetime totaltime calls")


def code_of(file):
    return compile("", file, "exec")


def in_package(name):
    return code_of(str(parts.PACKAGE / name))


def test_every_file_that_is_named_is_there():
    named = [name for names in parts.PARTS.values() for name in names]
    assert [name for name in (*named, *parts.SHARED, *parts.BY_NAME) if not list(parts.PACKAGE.glob(f"{name}*"))] == []


def test_every_file_of_the_kernels_has_a_part_or_is_shared():
    files = [path for room in ("text", "counts", "scores", "measures") for path in (parts.PACKAGE / room).glob("*.py")]
    homeless = {path.relative_to(parts.PACKAGE).as_posix() for path in files if parts.part_of(str(path)) is None}
    assert homeless == {name for name in parts.SHARED if "/" in name}
    assert parts.OTHER not in {parts.part_of(str(path)) for path in files}


def test_what_is_not_ours_counts_for_its_caller():
    numpy, lcs, masks = code_of("numpy/core.py"), in_package("counts/lcs.py"), in_package("counts/masks.py")
    profile = [
        Entry(lcs, 1.0, 4.0, [Entry(numpy, 3.0, 3.0, None)]),
        Entry(masks, 2.0, 3.0, [Entry(numpy, 1.0, 1.0, None)]),
        Entry(numpy, 4.0, 4.0, None),
    ]
    spent = parts.by_part(profile, 8.0)
    assert {name: seconds for name, seconds in spent.items() if seconds} == {
        "equal words": 3.0,
        "LCS": 4.0,
        "other": 1.0,
    }


def test_a_shared_file_counts_for_the_callers_of_its_callers_by_their_share():
    outer, inner = in_package("counts/bits.py"), in_package("ragged.py")
    lcs, groups = in_package("counts/lcs.py"), in_package("counts/groups.py")
    profile = [
        Entry(lcs, 0.0, 3.0, [Entry(outer, 1.0, 3.0, None)]),
        Entry(groups, 0.0, 1.0, [Entry(outer, 0.0, 1.0, None)]),
        # Called by itself as well, which is nobody's share.
        Entry(outer, 1.0, 4.0, [Entry(inner, 3.0, 3.0, None), Entry(outer, 0.0, 1.0, None)]),
        Entry(inner, 3.0, 3.0, None),
    ]
    spent = parts.by_part(profile, 4.0)
    assert spent["LCS"] == pytest.approx(1 + 3 * 3 / 4)
    assert spent["equal words"] == pytest.approx(3 / 4)
    assert spent["other"] == pytest.approx(0)


def test_what_nobody_called_is_other():
    spent = parts.by_part([Entry(code_of("script.py"), 2.0, 2.0, None), Entry("<built-in exec>", 1.0, 3.0, None)], 3.0)
    assert spent["other"] == 3.0


def test_parts_add_up_to_the_clock_and_time_outside_the_package_is_other():
    def call():
        time.sleep(0.05)
        corpora.sample("summaries")
        where.JOBS[0].tool.prepare(CORPORA["summaries"])()

    call()
    spent, seconds = parts.profiled(call, 2)
    assert sum(spent.values()) == pytest.approx(seconds)
    assert 0.05 <= spent["other"] <= seconds


@pytest.mark.parametrize("job", where.JOBS, ids=lambda job: job.title)
def test_the_package_does_what_the_parts_say(job):
    (line,) = where.measured([job], CORPORA, rounds=1, seconds=0)
    used = {name for name, seconds in line["parts"].items() if seconds > 0}
    absent = {"ROUGE": {"stems"}, "ROUGE of stems": set(), "BLEU": {"stems", "LCS"}}[job.title]
    assert used == {*parts.PARTS, "other"} - absent
    assert sum(line["parts"].values()) == pytest.approx(line["profiled"])
    segments = TRANSLATIONS if job.title == "BLEU" else SUMMARIES
    assert line["bytes"] == TIMES * sum(len(text.encode()) for p, r in segments for text in (p, *r))
    assert line["seconds_on_threads"] > 0
    assert line["threads"] == textgauge.get_num_threads()
    assert all(0 < seconds < line["seconds"] for seconds in line["passes"].values())


def test_the_profiled_call_uses_one_thread():
    with where.one_thread():
        assert textgauge.get_num_threads() == 1
    assert textgauge.get_num_threads() == min(2, pa.cpu_count())


def job_line(title, spent, seconds):
    passes = {"count one byte value": seconds / 100, "look up every byte": seconds / 50}
    every = {**dict.fromkeys([*parts.PARTS, "other"], 0.0), **spent}
    common = {"corpus": "summaries", "segments": 3, "bytes": 2**20, "passes": passes}
    common |= {"threads": 2, "seconds_on_threads": seconds / 2}
    return {"title": title, "seconds": seconds, "profiled": sum(spent.values()), "parts": every, **common}


PAGE = {
    "lines": [],
    "date": "2020-01-01",
    "machine": {"processor": "a processor", "cores": 2, "system": "a system", "python": "3.10"},
    "corpora": {"summaries": "three texts"},
    PARTS: [job_line("ROUGE", {"LCS": 3.0, "other": 1.0}, 2.0), job_line("BLEU", {"n-gram matches": 1.0}, 0.5)],
    NGRAMS: [],
}


def test_the_table_has_shares_of_the_time_without_the_profiler():
    (section,) = sections.sections(PAGE)
    assert section.headings == ["", "ROUGE", "BLEU"]
    assert section.rows == [
        ["time of one call, 2 threads", "1.00 s", "250 ms"],
        ["time of one call, one thread", "2.00 s", "500 ms"],
        ["text, MB", "1.0", "1.0"],
        ["text per second, one thread, MB", "0.5", "2.0"],
        ["n-gram matches", "", "500 ms (100.0%)"],
        ["LCS", "1.50 s (75.0%)", ""],
        ["other", "500 ms (25.0%)", ""],
        ["plain pass: count one byte value", "20.0 ms, 100× faster", "5.00 ms, 100× faster"],
        ["plain pass: look up every byte", "40.0 ms, 50× faster", "10.0 ms, 50× faster"],
    ]
    assert "at most 100% slower" in section.note


def test_the_bars_are_drawn_to_scale(tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr(bars.Axes, "barh", lambda self, y, width, height, **how: drawn.append((y, width, how["left"])))
    bars.draw(PAGE, tmp_path / "parts.png")
    room = bars.RIGHT - bars.LEFT
    assert drawn == [
        (0.5, pytest.approx(0.75 * room), bars.LEFT),
        (0.5, pytest.approx(0.25 * room), pytest.approx(bars.LEFT + 0.75 * room)),
        (1.5, pytest.approx(room), bars.LEFT),
    ]
    assert (tmp_path / "parts.png").read_bytes().startswith(b"\x89PNG")


def test_one_command_writes_everything(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(ngrams, "N_WORDS", 200)
    for name, segments in (("summaries", SUMMARIES), ("translations", TRANSLATIONS)):
        (tmp_path / f"{name}.jsonl").write_text(json_lines(segments))
    texts = [f"--{name}={tmp_path / name}.jsonl" for name in ("summaries", "translations")]
    readme = tmp_path / "README.md"
    readme.write_text("<!-- page -->\n<!-- end of page -->\n")
    table = [row for row in rows.ROWS if row.theirs.name == "nltk"]
    options = ["--rounds=1", "--seconds=0", "--no-hub", "--no-memory"]
    assert command.main([*texts, *options, f"--output={tmp_path / 'out'}", f"--readme={readme}"], table) == 0
    page = json.loads((tmp_path / "out" / "page.json").read_text())
    assert [job["title"] for job in page[PARTS]] == ["ROUGE", "ROUGE of stems", "BLEU"]
    assert [(line["order"], line["n_words"]) for line in page[NGRAMS]] == [(3, 200), (5, 200), (3, 200)] * 2
    written = readme.read_text()
    for found in ("(out/page.png)", "(out/parts.png)", "### Where the time goes", "### How long n-gram models take"):
        assert found in written
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"page.json", "page.md", "page.png", "parts.png"}
    assert "Where the time goes" in capsys.readouterr().out


def test_only_the_time_by_parts(tmp_path):
    command.main(["--rounds=1", "--seconds=0", "--only=where the time goes", f"--output={tmp_path}"])
    page = json.loads((tmp_path / "page.json").read_text())
    assert (page["lines"], page[NGRAMS], len(page[PARTS])) == ([], [], 3)
    assert {path.name for path in tmp_path.iterdir()} == {"page.json", "page.md", "parts.png"}


def test_ngrams_that_are_timed_are_those_of_the_texts():
    lines = ngrams.measured(100)
    assert len(lines) == 6
    assert all(line["fit"] > 0 and line["score"] > 0 and line["perplexity"] > 1 for line in lines)
    assert ngrams.random_texts(1000) == ngrams.random_texts(1000)
