"""The parts of the harness, each by itself."""

import gzip
import math

import pytest
from small_texts import TWO

from comparisons.reference_modules import agreement, clock, corpora, memory, tools


def test_not_a_number_disagrees():
    found = agreement.agreement({"bleu": [0.5]}, {"bleu": [math.nan]})
    assert (found.difference, found.decimals) == (math.inf, 0)


def test_a_figure_that_only_they_have_is_an_error():
    with pytest.raises(ValueError, match="rouge2: expected 1 figures of ours, got 0"):
        agreement.agreement({"rouge1": [0.5]}, {"rouge1": [0.5], "rouge2": [0.1]})
    with pytest.raises(ValueError, match="at least one figure"):
        agreement.agreement({"rouge1": [0.5]}, {})


def test_calls_take_turns_and_a_costly_one_sits_out(monkeypatch):
    # A clock that moves only when a call says so.
    now = 0.0
    seen = []

    def call(name, cost):
        nonlocal now
        seen.append(name)
        now += cost

    monkeypatch.setattr(clock.time, "perf_counter", lambda: now)
    calls = [lambda: call("slow", 4.0), lambda: call("quick", 1.0)]
    slow, quick = clock.interleaved(calls, [4.0, 1.0], rounds=3, seconds=6.0)
    assert seen == ["slow", "quick", "quick", "slow", "quick"]
    assert (slow.samples, quick.samples, quick.median, slow.minimum) == ([4.0, 4.0], [1.0] * 3, 1.0, 4.0)


def test_short_calls_are_timed_several_at_once(monkeypatch):
    now = 0.0

    def call():
        nonlocal now
        now += 0.0005

    monkeypatch.setattr(clock.time, "perf_counter", lambda: now)
    (times,) = clock.interleaved([call], [0.0005], rounds=1, seconds=1.0)
    assert times.samples == [pytest.approx(0.0005)] * 5
    assert now == pytest.approx(0.0005 * 4 * 5)


def test_streams_of_references_end_where_a_segment_has_fewer():
    corpus = corpora.Corpus("uneven", TWO.predictions, [["a red fox", "one fox"], ["the hen"]])
    assert tools.SacreBleu().read(tools.SacreBleu().prepare(corpus)())["translation_length"] == [4]


def test_one_reference_as_text_several_as_lists(tmp_path):
    assert TWO.plain_references == ["a red fox", "the hen"]
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(
        gzip.compress(b'{"prediction": "a", "reference": "b"}\n{"prediction": "c", "references": ["d", "e"]}\n')
    )
    read = corpora.read(path)
    assert read.plain_references == [["b"], ["d", "e"]]
    assert read.description == "x.jsonl.gz: 2 segments, 1 to 2 references each, 2 words"


def test_a_tool_for_single_references_says_so():
    corpus = corpora.Corpus("several", TWO.predictions, [["a", "b"], ["c"]])
    with pytest.raises(tools.Unavailable, match="one reference per segment"):
        tools.tool.needs_one_reference(corpus)


def test_memory_sees_what_a_call_allocates():
    many = corpora.Corpus("many", TWO.predictions * 5_000, TWO.references * 5_000)
    few, more = (memory.peak(tools.Function("rouge", use_aggregator=False), c) for c in (many.first(10), many))
    if few is None:
        pytest.skip("this system keeps no peak that can be reset")
    # 10,000 segments x 4 types as Python floats alone are 1.2 MB.
    assert more > few + 1e6
