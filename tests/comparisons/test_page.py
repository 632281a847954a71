"""The tables and the pictures of a page."""

import pytest

from comparisons.reference_modules import measure, page, pictures
from comparisons.reference_modules.page import LINES, OWN, PARTS


@pytest.mark.parametrize(
    ("seconds", "written"),
    [(1.0, "1.00 s"), (0.9994, "999 ms"), (12.34, "12.3 s"), (1e-3, "1.00 ms"), (5e-5, "50.0 µs")],
)
def test_times_have_three_digits_and_their_unit(seconds, written):
    assert page.duration(seconds) == written


def job(title, spent, seconds):
    passes = {"count one byte value": seconds / 100, "look up every byte": seconds / 50}
    every = {**dict.fromkeys([*measure.STEPS.values(), measure.COUNTS, measure.REST], 0.0), **spent}
    common = {"corpus": "summaries", "segments": 3, "bytes": 2**20, "passes": passes}
    times = {"seconds": seconds, "seconds_on_threads": seconds / 2, "threads": 2}
    return {**common, **times, "title": title, "parts": every}


def line(**more):
    agreement = {"agrees": True, "decimals": None, "difference": 0.0, "limit": ""}
    return {**agreement, "variant": "", "state": "measured", **more}


def seen(median, peak=None):
    return {"median": median, "peak": peak}


PAGE = {
    LINES: [
        line(title="BLEU", tool="t", speedup=4.0, ours=seen(1.0), theirs=seen(4.0, 2**20)),
        line(title="ROUGE", tool="t", speedup=0.5, ours=seen(1.0), theirs=seen(0.5), agrees=False, decimals=3),
        line(title="TER", tool="t", variant="recorded calls"),
    ],
    PARTS: [job("ROUGE", {"counts": 1.5, measure.REST: 0.5}, 2.0), job("BLEU", {"tokens": 0.5}, 0.5)],
    OWN: [{"title": "a call", "note": "of two texts", "seconds": 0.25, "peak": 2**20}],
    "command": "c",
    "date": "2020-01-01",
    "machine": {"processor": "a processor", "cores": 2, "system": "a system", "python": "3.10"},
    "corpora": {"summaries": "three texts"},
    "versions": {},
}  # fmt: skip


def test_the_tables_have_speeds_shares_and_times():
    compared, parts, own = page.tables(PAGE)
    assert compared.rows == [
        ["BLEU", "t", "equal", "0", "1.00 s", "4.00 s", "4.0× faster", "- / 1.0"],
        ["ROUGE", "t", "DIFFERS: 3 decimals", "0", "1.00 s", "500 ms", "2.0× slower", ""],
        ["TER, recorded calls", "t", "equal", "0", "", "", "", ""],
    ]
    assert parts.headings == ["", "ROUGE", "BLEU"]
    assert parts.rows == [
        ["time of one call, 2 threads", "1.00 s", "250 ms"],
        ["time of one call, one thread", "2.00 s", "500 ms"],
        ["text, MB", "1.0", "1.0"],
        ["text per second, one thread, MB", "0.5", "2.0"],
        ["tokens", "", "500 ms (100.0%)"],
        ["counts", "1.50 s (75.0%)", ""],
        ["scores and the rest", "500 ms (25.0%)", ""],
        ["plain pass: count one byte value", "20.0 ms, 100× faster", "5.00 ms, 100× faster"],
        ["plain pass: look up every byte", "40.0 ms, 50× faster", "10.0 ms, 50× faster"],
    ]
    assert own.rows == [["a call", "of two texts", "250 ms", "1.0"]]
    assert page.markdown(PAGE, {}).count("### ") == 3
    assert "\na call  of two texts  250 ms         1.0\n" in page.plain(PAGE)


def test_the_pictures_are_written(tmp_path):
    assert pictures.draw(PAGE, tmp_path) == {LINES: tmp_path / "page.png", PARTS: tmp_path / "parts.png"}
    assert all((tmp_path / name).read_bytes().startswith(b"\x89PNG") for name in ("page.png", "parts.png"))


def test_the_bars_are_drawn_to_scale():
    [axes] = pictures.draw_parts(PAGE).axes
    drawn = [[(bar.get_x(), bar.get_width()) for bar in bars] for bars in axes.containers]
    assert drawn == [[(0, 0), (0, 0)], [(0, 0), (0, 1)], [(0, 0.75), (1, 0)], [(0.75, 0.25), (1, 0)]]


def test_speeds_are_drawn_to_scale():
    [axes] = pictures.draw_lines(PAGE).axes
    bars = [(bar.get_x(), bar.get_width(), bar.get_y() + bar.get_height() / 2) for bar in axes.patches]
    assert bars == [pytest.approx((1, 3, 0)), pytest.approx((1, -0.5, 1))]
    points = [line for line in axes.lines if line.get_marker() == "o"]
    assert [(*point.get_xdata(), *point.get_ydata(), point.get_color()) for point in points] == [
        (4.0, 0, pictures.FASTER), (0.5, 1, pictures.SLOWER),
    ]  # fmt: skip
    low, high = axes.get_xlim()
    assert low < 0.5 < 4 < high
    shown = {text.get_text(): text.get_color() for text in axes.texts}
    assert {"BLEU", "4.0× faster", "2.0× slower", "recorded calls", "✓  equal"} <= shown.keys()
    assert [color for text, color in shown.items() if text.startswith("✗")] == [pictures.WRONG]


def test_the_headline_is_true_of_every_line():
    lines = [line(speedup=0.25), line(speedup=0.034), line(speedup=120.0), line()]
    assert pictures.headline(lines) == "The same figures, 0.034 to 120 times as fast"
    assert pictures.headline([line()]) == "The same figures"
    assert pictures.headline([line(speedup=52.0), line(agrees=False)]) == "textgauge differs from 1 of 2 other calls"
