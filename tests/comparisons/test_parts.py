"""The parts of the harness."""

import gzip
import math

import pytest
from small_texts import TWO, scores

from comparisons.reference_modules import agreement, child, measure, texts, translation_tools, where
from comparisons.reference_modules.tool import figures, ours, without_kernel


def test_not_a_number_disagrees():
    found = agreement.agreement({"bleu": [0.5]}, {"bleu": [math.nan]})
    assert (found["difference"], found["decimals"]) == (math.inf, 0)


def test_a_figure_of_the_other_tool_only_is_an_error():
    with pytest.raises(ValueError, match="rouge2: expected 1 figures of ours, got 0"):
        agreement.agreement({"rouge1": [0.5]}, {"rouge1": [0.5], "rouge2": [0.1]})
    with pytest.raises(ValueError, match="at least one figure"):
        agreement.agreement({"rouge1": [0.5]}, {})


def test_calls_are_interleaved_and_costly_ones_run_less_often(monkeypatch):
    # A clock that moves only when a call says so.
    now = 0.0
    seen = []

    def call(name, cost):
        nonlocal now
        seen.append(name)
        now += cost

    monkeypatch.setattr(measure.time, "perf_counter", lambda: now)
    calls = [lambda: call("slow", 4.0), lambda: call("quick", 1.0)]
    slow, quick = measure.interleaved(calls, [4.0, 1.0], rounds=3, seconds=6.0)
    assert seen == ["slow", "quick", "quick", "slow", "quick"]
    assert (slow, quick) == ([4.0, 4.0], [1.0] * 3)


def test_short_calls_are_timed_several_at_once(monkeypatch):
    now = 0.0

    def call():
        nonlocal now
        now += 0.0005

    monkeypatch.setattr(measure.time, "perf_counter", lambda: now)
    (times,) = measure.interleaved([call], [0.0005], rounds=1, seconds=1.0)
    assert times == [pytest.approx(0.0005)] * 5
    assert now == pytest.approx(0.0005 * 4 * 5)


def test_streams_of_references_end_where_a_segment_has_fewer():
    corpus = texts.Corpus("uneven", TWO.predictions, [["a red fox", "one fox"], ["the hen"]])
    assert scores(translation_tools.SACREBLEU.using(metric="bleu"), corpus)["translation_length"] == [4]


def test_one_reference_as_text_several_as_lists(tmp_path):
    assert TWO.plain_references == ["a red fox", "the hen"]
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(
        gzip.compress(b'{"prediction": "a", "reference": "b"}\n{"prediction": "c", "references": ["d", "e"]}\n')
    )
    read = texts.read(path)
    assert read.plain_references == [["b"], ["d", "e"]]
    assert read.description == "x.jsonl.gz: 2 segments, 1 to 2 references each, 2 words"


def test_a_tool_for_single_references_says_so():
    corpus = texts.Corpus("several", TWO.predictions, [["a", "b"], ["c"]])
    with pytest.raises(texts.Unavailable, match="one reference per segment"):
        corpus.one_reference()


def test_memory_sees_what_a_call_allocates():
    many = texts.Corpus("many", TWO.predictions * 5_000, TWO.references * 5_000)
    few, more = (child.peak(ours("rouge", use_aggregator=False), c) for c in (many.first(10), many))
    if few is None:
        pytest.skip("this system keeps no peak that can be reset")
    # 10,000 segments x 4 types as Python floats are 1.2 MB.
    assert more > few + 1e6


def test_a_call_that_fails_in_its_own_process_has_no_peak(capfd):
    assert child.peak(ours("rouge", colour=1), TWO) is None
    assert "colour" in capfd.readouterr().err or not texts.Path("/proc").exists()


def test_a_child_cannot_import_blocked_modules():
    process = child.Child(ours("bleu"), TWO, without=("textgauge.measures",))
    with pytest.raises(EOFError):
        process.ask("call")
    process.close()
    process = child.Child(ours("bleu"), TWO, without=("a_module_that_nobody_needs",))
    process.ask("call")
    assert process.ask("result").keys() >= {"bleu", "precisions"}
    process.close()


def test_figures_without_the_kernel_are_those_with_it(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name)
    options = {"use_aggregator": False}
    assert scores(ours("rouge", without_kernel, **options), TWO) == scores(ours("rouge", **options), TWO)


def test_lines_are_joined_to_longer_texts(tmp_path, monkeypatch):
    monkeypatch.setattr(texts, "JOINED", {"two": (2, "\n", 3)})
    (tmp_path / "lines.txt").write_text("a  b c\nd e f\ng h\ni j\nk l\n")
    corpus = texts.Library({"lines": tmp_path / "lines.txt"})["two"]
    assert corpus.plain_references == ["a b c\nd e f", "g h\ni j"]
    assert [len(text.split()) for text in corpus.predictions] == [6, 4]
    assert [text.count("\n") for text in corpus.predictions] == [1, 1]
    with pytest.raises(texts.Unavailable, match="no --lines FILE"):
        texts.Library()["two"]


def test_first_references_are_a_corpus_of_their_own():
    library = texts.Library()
    assert library["one reference"].max_references == 1
    assert library["one reference"].plain_references == library["translations"].first_references
    assert list(library.used) == ["translations", "one reference"]


def test_the_worst_figure_is_named_and_decimals_are_counted():
    found = agreement.agreement({"rouge1": [0.5, 0.25], "rouge2": [0.1]}, {"rouge1": [0.5, 0.2498]})
    assert (found["where"], found["decimals"], found["figures"]) == ("rouge1[1]", 3, 2)
    for difference, decimals in ((0.004, 2), (1e-16, 15), (0.7, 0), (0.0, None)):
        assert agreement.agreement({"bleu": [0.0]}, {"bleu": [difference]})["decimals"] == decimals


def test_figures_of_dicts_are_lists_by_name():
    assert figures({"bleu": 0.5, "rouge1": {"recall": [0.25, 1.0]}}) == {"bleu": [0.5], "rouge1.recall": [0.25, 1.0]}


def test_plain_passes_look_at_every_byte():
    found = {name: call() for name, call in where.passes_over(b"A b c").items()}
    assert found == {"count one byte value": 2, "look up every byte": b"a b c"}
