"""Agreement, time and memory of calls, and the steps of one."""

import math
import time
from dataclasses import replace
from itertools import cycle

import pytest
import textgauge
from small_texts import CORPORA, SUMMARIES, TIMES, TRANSLATIONS, TWO

from comparisons import timing
from comparisons.reference_modules import measure, rows, texts
from comparisons.reference_modules.measure import Settings, agreement, measured
from comparisons.reference_modules.tool import Tool, ours
from comparisons.timing import interleaved

pytestmark = pytest.mark.usefixtures("nothing_is_collected")
QUICKLY = Settings(rounds=1, seconds=0, hub=False, memory=False)


def test_not_a_number_disagrees():
    found = agreement({"bleu": [0.5]}, {"bleu": [math.nan]})
    assert (found["difference"], found["decimals"]) == (math.inf, 0)


def test_figure_of_other_tool_only():
    with pytest.raises(ValueError, match="rouge2: expected 1 figures of ours, got 0"):
        agreement({"rouge1": [0.5]}, {"rouge1": [0.5], "rouge2": [0.1]})
    with pytest.raises(ValueError, match="at least one figure"):
        agreement({"rouge1": [0.5]}, {})


def test_worst_figure():
    found = agreement({"rouge1": [0.5, 0.25], "rouge2": [0.1]}, {"rouge1": [0.5, 0.2498]})
    assert (found["where"], found["decimals"], found["figures"]) == ("rouge1[1]", 3, 2)
    for difference, decimals in ((0.004, 2), (1e-16, 15), (0.7, 0), (0.0, None)):
        assert agreement({"bleu": [0.0]}, {"bleu": [difference]})["decimals"] == decimals


class Clock:
    """Moves only when a call says so."""

    def __init__(self):
        self.now, self.seen = 0.0, []

    def call(self, name, cost):
        def run():
            self.seen.append(name)
            self.now += cost

        return run


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(timing.time, "perf_counter", lambda: made.now)
    return made


def test_order_of_calls(clock):
    calls = [clock.call("slow", 4.0), clock.call("quick", 1.0)]
    slow, quick = interleaved(calls, [4.0, 1.0], rounds=3, seconds=6.0)
    assert clock.seen == ["slow", "quick", "quick", "slow", "quick"]
    assert (slow, quick) == ([4.0, 4.0], [1.0] * 3)


def test_short_calls_are_timed_several_at_once(clock):
    (times,) = interleaved([clock.call("short", 0.0005)], [0.0005], rounds=1, seconds=1.0)
    assert times == [pytest.approx(0.0005)] * 5
    assert clock.now == pytest.approx(0.0005 * 4 * 5)


def test_what_disagrees_is_not_timed():
    calls = []

    def wrong(corpus):
        return lambda: calls.append(None), lambda _: {"bleu": [2.0]}

    row = rows.Row("BLEU", "two", ours("bleu"), Tool("wrong", "nothing-of-this-name", wrong))
    (line,) = measured([row], {"two": TWO}, QUICKLY)
    assert (line["agrees"], len(calls)) == (False, 1)
    assert "speedup" not in line


def test_warm_up_of_rows(clock):
    def tool(name):
        return Tool(name, "nothing-of-this-name", lambda corpus: (clock.call(name, 1.0), lambda _: {"bleu": [0.0]}))

    other, ones = tool("other"), [tool("a"), tool("b")]
    lines = measured([rows.Row("BLEU", "two", one, other) for one in ones], {"two": TWO}, QUICKLY)
    assert [(line["agrees"], line["speedup"]) for line in lines] == [(True, 1.0)] * 2
    assert clock.seen == ["a", "other", "b"] * 2


@pytest.mark.slow
def test_memory_sees_what_a_call_allocates():
    many = texts.Corpus("many", TWO.predictions * 5_000, TWO.references * 5_000)
    few, more = (measure.peak(ours("rouge", use_aggregator=False), c) for c in (many.first(10), many))
    if few is None:
        pytest.skip("this system keeps no peak that can be reset")
    # 10,000 segments x 4 types as Python floats are 1.2 MB.
    assert more > few + 1e6


@pytest.mark.slow
def test_our_own_calls_have_times_and_memory(monkeypatch):
    monkeypatch.setattr(timing, "VISIT", 0)
    for name in ("10,000 pairs", "100,000 pairs", "1,000,000 pairs", rows.DOCUMENTS):
        monkeypatch.setitem(texts.TEXTS, name, lambda library: library["summaries"].first(3))
    monkeypatch.setitem(texts.TEXTS, "1,000,000 words", lambda library: library["made up"].first(9))
    table = [row for row in rows.ROWS if row.is_own]
    lines = {line["title"]: line for line in measured(table, texts.Library(), QUICKLY)}
    assert all(line["seconds"] >= 0 and line["peak"] is None for line in lines.values())
    assert len(lines) == 1 + 2 + 2 * 3 + 3 + 2 + 2 * 6
    assert lines["rouge, 10,000 pairs"]["note"].endswith(" µs a pair")
    assert lines["fit 3-grams, add-k, 13a, 1,000,000 words"]["note"].endswith(" µs a text")
    assert lines["evaluate's compute beyond textgauge.rouge"]["note"].endswith(", 10 segments")
    assert lines["start-up of import textgauge beyond Python's"]["note"].count("ms") == 2


def test_divided_call():
    before, seen = (measure.engine.kernel, textgauge.get_num_threads()), []
    spent = measure.divided(lambda: seen.append(textgauge.get_num_threads()) or time.sleep(0.02))
    assert (spent.pop(measure.REST) >= 0.02, {*spent.values()}, {*seen}) == (True, {0.0}, {1})
    with pytest.raises(ZeroDivisionError):
        measure.divided(lambda: 1 / 0)
    assert (measure.engine.kernel, textgauge.get_num_threads()) == before


@pytest.mark.parametrize("title", measure.JOBS)
def test_steps_add_up(title):
    (line,) = measure.parts_of([title], CORPORA, QUICKLY)
    spent = {name for name, seconds in line["parts"].items() if seconds > 0}
    assert spent == {"columns", "tokens", "counts", measure.REST}
    assert sum(line["parts"].values()) == pytest.approx(line["seconds"])
    segments = TRANSLATIONS if title == "BLEU" else SUMMARIES
    assert line["bytes"] == TIMES * sum(len(text.encode()) for p, r in segments for text in (p, *r))
    assert line["seconds_on_threads"] > 0
    assert line["threads"] == textgauge.get_num_threads()
    assert all(0 < seconds < line["seconds"] for seconds in line["passes"].values())


def test_the_parts_are_those_of_the_median_call(monkeypatch):
    totals = cycle((3.0, 1.0, 2.0))
    monkeypatch.setattr(measure, "divided", lambda _: {"counts": next(totals)})
    few = {name: corpus.first(2) for name, corpus in CORPORA.items()}
    [line] = measure.parts_of(["BLEU"], few, replace(QUICKLY, rounds=3))
    assert (line["seconds"], line["parts"]) == (2.0, {"counts": 2.0})
