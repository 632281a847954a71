"""Scores of all pairs of texts: every entry is the score of the segment of the two."""

import gc
import os
import re
import signal
import threading
import time
import tracemalloc
from functools import partial

import numpy as np
import pytest
import sacrebleu
import textgauge
import toys
from declared import COUNTED
from hypothesis import given
from hypothesis import strategies as st
from measures.test_option_effects import SEGMENTS, options
from option_values import values_of
from quick import covering
from rouge_score.rouge_scorer import RougeScorer
from strategies import overlapping, segment, text
from textgauge import threads
from textgauge.accumulation.named_score import NamedScore
from textgauge.accumulation.register import register
from textgauge.accumulation.registry import METRICS
from textgauge.all_pairs import matrix as blocks
from textgauge.all_pairs.pairwise import single_score
from textgauge.metric import Metric

TEXTS = [
    "the cat sat on the mat", "the cat is on a mat", "a dog barks, twice.", "", "the the", " \t",
    "on the mat sat the cat", "The cat sat; 5.5 dogs \u732b \u00c9t\u00e9 barked loudly", "mat",
]  # fmt: skip
OTHERS = ["on the mat the cat sat", "", "a dog barks twice", "\u732b"]
# Every way to count, and every branch of the formulas that a block of pairs can take.
CASES = [
    ("bleu", {}), ("sacrebleu", {}), ("bleu", {"smoothing": "add-k", "max_order": 2}), ("bleu", {"preset": "nltk"}),
    ("bleu", {"preset": "nltk", "smoothing": "chen-cherry-7"}), ("bleu", {"preset": "mteval-v13a"}),
    ("bleu", {"smoothing": "chen-cherry-6", "tokenizer": "character", "max_order": 9}),
    ("bleu", {"smoothing": "chen-cherry-4", "weights": [0.5, 0.0, 0.5], "max_order": 3}),
    ("bleu", {"tokenizer": str.split, "smoothing": "floor", "lowercase": "ascii"}),
    ("chrf", {}), ("chrf", {"word_order": 2, "lowercase": True}), ("chrf", {"eps_smoothing": True, "word_order": 1}),
    ("chrf", {"char_order": 0, "word_order": 2}), ("chrf", {"char_order": 11, "beta": 1.5, "whitespace": True}),
    ("rouge", {}), ("rouge1", {}), ("rouge2", {"beta": 1.2}), ("rougeLsum", {}), ("rougeW", {}), ("rougeSU4", {}),
    ("rougeL", {"use_stemmer": True, "tokenizer": "rouge"}), ("rougeL", {"tokenizer": "character", "max_words": 3}),
    ("rougeL", {"preset": "rouge-1.5.5"}), ("rouge1", {"preset": "rouge-1.5.5"}),
    ("token_f1", {}), ("token_f1", {"counting": "set"}), ("exact_match", {}), ("squad", {}),
    ("wer", {}), ("wer", {"aligner": "sclite", "normalizer": "jiwer"}), ("mer", {}), ("wip", {"tokenizer": "13a"}),
    ("cer", {}), ("cer", {"whitespace": False, "lowercase": True}),
    ("ter", {}), ("ter", {"normalized": True, "no_punct": True}),
]  # fmt: skip
LOWER_IS_BETTER = ["ter", "wer", "mer", "cer"]
pytestmark = pytest.mark.filterwarnings("ignore")


def called(case):
    return "-".join([case[0], *map(str, case[1])])


def one_by_one(metric, rows, columns, options):
    """Every entry by the call for segments."""
    pairs = [(row, column) for row in rows for column in columns]
    scores = textgauge.segment_scores(NamedScore(metric, options), *map(list, zip(*pairs, strict=True)))
    return scores.reshape(len(rows), len(columns))


@pytest.mark.parametrize("case", CASES, ids=called)
def test_every_entry_is_the_score_of_its_segment(case, kernel):
    metric, options = case
    named = NamedScore(metric, options)
    own = textgauge.pairwise(TEXTS, metric=named)
    both = textgauge.pairwise(TEXTS, OTHERS, metric=named)
    assert (own.shape, both.shape, own.dtype) == ((9, 9), (9, 4), np.float64)
    assert (own == one_by_one(metric, TEXTS, TEXTS, options)).all()
    assert (both == one_by_one(metric, TEXTS, OTHERS, options)).all()


HAVE_MATRICES = [name for name in COUNTED if METRICS[name].all_pairs is not Metric.all_pairs]


@pytest.mark.parametrize(("name", "one"), options(HAVE_MATRICES))
def test_every_option_counts_for_pairs_or_is_refused(name, one):
    # The least edits are not the cheapest ones, of which aligners count more.
    segments = [*SEGMENTS, ("a c c a a a", ["a a b b c c"])]
    left, right = zip(*((text, own) for text, references in segments for own in references), strict=True)
    for chosen in values_of(name, one):
        named = NamedScore(name, chosen)
        if one.name in ("multi_reference", "reference_length", "jackknife", "rouge_types"):
            with pytest.raises(ValueError, match=f"^{one.name}: expected its default|^metric: expected one score"):
                textgauge.pairwise(left, right, metric=named)
        else:
            found = textgauge.pairwise(left, right, metric=named).diagonal()
            assert (found == textgauge.segment_scores(named, left, right)).all(), chosen


@pytest.mark.parametrize("references", [None, OTHERS], ids=["own", "others"])
@pytest.mark.parametrize("metric", ["cider", "nist_mt"])
def test_words_are_as_rare_as_in_all_references(metric, references):
    columns = references or TEXTS
    found = textgauge.pairwise(TEXTS, references, metric=metric)
    expected = [textgauge.segment_scores(metric, [text] * len(columns), columns) for text in TEXTS]
    assert (found == np.array(expected)).all()


@pytest.mark.parametrize(("place", "n"), [(place, n) for n in (2, 3, 4, 5) for place in range(n)])
def test_every_text_is_warned_of_once(place, n):
    texts = ["a b", "c d", "e", "f", "g"][:n]
    texts[place] = "!?"
    with pytest.warns(UserWarning, match="^1 text is not empty but has no token"):
        textgauge.pairwise(texts, metric="rougeW")


@pytest.mark.parametrize(("case", "sizes"), covering(CASES, [(4, 1 << 20), (20, 30), (7, 1)]))
def test_blocks_and_threads_change_nothing(case, sizes, monkeypatch):
    (metric, options), (n_pairs, n_bytes) = case, sizes
    named = NamedScore(metric, options)
    whole = textgauge.pairwise(TEXTS, metric=named)
    monkeypatch.setattr("textgauge.threads.threads_for", lambda *_: 3)
    monkeypatch.setattr(blocks, "N_PAIRS", n_pairs)
    monkeypatch.setattr(blocks, "N_PAIRS_OF_ROW", n_pairs)
    monkeypatch.setattr(blocks, "N_SINGLE_PAIRS", n_pairs)
    monkeypatch.setattr(blocks, "CHUNK_BYTES", n_bytes)
    assert (textgauge.pairwise(TEXTS, metric=named) == whole).all()
    assert (textgauge.pairwise(TEXTS, TEXTS[:3], metric=named) == whole[:, :3]).all()
    check_best(metric, whole, textgauge.pairwise(TEXTS, metric=named, top=3))


def check_best(metric, whole, found):
    """The best of every row but the text itself, in a stable order."""
    scores, places = found
    selection_scores = np.where(np.eye(len(whole), dtype=bool), -np.inf, -whole if metric in LOWER_IS_BETTER else whole)
    wanted = np.argsort(-selection_scores, axis=1, kind="stable")[:, :3]
    assert places.tolist() == wanted.tolist()
    assert (scores == np.take_along_axis(whole, wanted, axis=1)).all()


@pytest.mark.parametrize("metric", ["chrf", "bleu", "rougeL", "rouge2", "token_f1"])
@given(rows=st.lists(st.one_of(overlapping, segment, text), min_size=1, max_size=6))
def test_hostile_texts(metric, rows):
    found = textgauge.pairwise(rows, metric=metric)
    assert (found == one_by_one(metric, rows, rows, {})).all()
    assert ((found >= 0) & (found <= METRICS[metric if metric in METRICS else "rouge"].scores.top + 1e-9)).all()


@pytest.mark.parametrize("toy", toys.TOYS.values(), ids=lambda toy: toy.metric_type.name)
def test_a_metric_that_only_counts_pairs_has_matrices(toy, monkeypatch):
    monkeypatch.setattr("textgauge.accumulation.registry.METRICS", METRICS)
    register(toy.metric_type)
    try:
        (option,) = list(toy().options.chosen())[:1]
        for options in ({}, {option: 2}):
            found = textgauge.pairwise(TEXTS, OTHERS, metric=NamedScore(toy.metric_type.name, options))
            assert (found == one_by_one(toy.metric_type.name, TEXTS, OTHERS, options)).all()
        name = toy.metric_type.name
        best = textgauge.pairwise(TEXTS, metric=name, top=3)
        check_best("ter" if name == "miss" else "", textgauge.pairwise(TEXTS, metric=name), best)
    finally:
        del METRICS[toy.metric_type.name]


def test_one_text_other_types_of_numbers_and_other_columns():
    assert textgauge.pairwise(["a cat"], metric="chrf").tolist() == [[100.0]]
    narrow = textgauge.pairwise(iter(TEXTS), np.array(OTHERS), metric="bleu", dtype="float32")
    assert narrow.dtype == np.float32
    assert (narrow == textgauge.pairwise(TEXTS, OTHERS, metric="bleu").astype(np.float32)).all()
    scores, places = textgauge.pairwise(TEXTS, OTHERS, metric="bleu", dtype=np.float16, top=4)
    assert (scores.dtype, places.dtype, sorted(places[0])) == (np.float16, np.int64, [0, 1, 2, 3])


def test_a_smoothing_that_is_named_stays():
    pair = ["the cat sat on a mat"], ["the cat is on the mat"]
    exponential = textgauge.segment_scores("bleu", *pair)
    assert exponential == sacrebleu.sentence_bleu(pair[0][0], pair[1]).score / 100
    assert textgauge.segment_scores("bleu(smoothing='none')", *pair) == 0 < exponential
    assert textgauge.segment_scores("bleu(smoothing='floor')", *pair) != exponential
    # Its value alone names that of the preset.
    by_value = textgauge.segment_scores("bleu(preset='nltk', smooth_value=0.1)", *pair)
    assert by_value == textgauge.segment_scores("bleu(preset='nltk', smoothing='epsilon', smooth_value=0.1)", *pair)


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ([], {"metric": "chrf"}, "^predictions: .*got none"),
        (["a"], {"metric": "chrf", "references": []}, "^references: .*got none"),
        (["a", None], {"metric": "chrf"}, r"^predictions\[1\]: .*got None"),
        ("ab", {"metric": "chrf"}, "^predictions: .*got 'ab'"),
        (["a"], {"metric": "chrf", "references": [["a"]]}, r"^references\[0\]: .*got \['a'\]"),
        (["a"], {"metric": "perplexity"}, "a metric that compares texts with others, got 'perplexity'"),
        (["a"], {"metric": "chr"}, "^metric: .*got 'chr'"),
        (["a"], {"metric": "chr"}, "^metric: (?!.*perplexity).*got 'chr'"),
        (["a"], {"metric": "chrf", "sources": ["b"]}, "`sources` cannot be given, since chrf uses no sources"),
        (["a"], {"metric": ["chrf"]}, r"^metric: .*got \['chrf'\]"),
        (["a"], {"metric": "rouge(rouge_types=['rouge1', 'rouge2'])"}, "metric: expected one score of rouge"),
        (["a"], {"metric": "rouge2(rouge_types=['rouge1'])"}, "rouge_types: "),
        (["a"], {"metric": "chrf(confidence=0.95)"}, "confidence: "),
        (["a"], {"metric": "chrf(word_orders=2)"}, "word_orders: .*word_order.*got an unknown keyword"),
        (["a"], {"metric": "bleu(reference_length='average')"}, "^reference_length: .*got 'average'"),
        (["a"], {"metric": "rouge1(jackknife=True)"}, "^jackknife: .*got True"),
        (["a"], {"metric": "chrf", "dtype": int}, "^dtype: "),
        (["a"], {"metric": "chrf", "dtype": "what"}, "^dtype: "),
        (["a"], {"metric": "chrf", "top": 1}, r"^top: .*\(0\).*got 1"),
        (["a", "b"], {"metric": "chrf", "top": 0}, "^top: .*got 0"),
        (["a", "b"], {"metric": "chrf", "top": 1.5}, "^top: .*got 1.5"),
    ],
)  # fmt: skip
def test_wrong_input_is_refused_by_name(given, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        textgauge.pairwise(given, **options)


@pytest.mark.parametrize(
    ("given", "references", "place"),
    [
        (["a", "bad"], ["b"], "predictions[1]"), (["a", "b"], ["bad"], "references[0]"),
        (["a", "b"], ["c", "bad"], "references[1]"), (["a", "bad"], None, "predictions[1]"),
    ],
)  # fmt: skip
def test_a_text_that_no_tokenizer_cuts_has_its_place(given, references, place):
    metric = NamedScore("rouge1", {"tokenizer": lambda text: 5 if text == "bad" else text.split()})
    with pytest.raises(TypeError, match=rf"^tokenizer: result for {re.escape(place)}: "):
        textgauge.pairwise(given, references, metric=metric)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("metric", ["rougeL", "rougeW"])
def test_a_warning_comes_once_and_counts_texts(metric):
    with pytest.warns(UserWarning, match="2 texts are not empty|letters outside a-z") as caught:
        textgauge.pairwise(["\u732b", "a cat", "\u72ac", "a dog"], metric=metric)
    assert len(caught) == 1


def again_and_again(work, texts):
    """A fast machine may be done before the signal; no test waits for one that is lost."""
    end = time.perf_counter() + 20
    while time.perf_counter() < end:
        work(texts)


WORK = {
    **{metric: partial(textgauge.pairwise, metric=metric, top=2) for metric in ("chrf", "rougeL", "ter")},
    "mbr": lambda texts: textgauge.mbr([texts[i : i + 60] for i in range(0, len(texts), 60)], metric="ter"),
    "aggregate": partial(textgauge.mbr, metric="chrf", aggregate=True),
    "diversity": textgauge.diversity,
    "homogenization": partial(textgauge.diversity, homogenization="rougeL"),
}


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("name", WORK)
def test_an_interrupt_ends_the_work_within_a_second(name):
    n_words = 4000 if name == "rougeL" else 20
    rng = np.random.default_rng(3)
    texts = [" ".join(map(str, row)) for row in rng.integers(0, 999, (60_000 // n_words, n_words))]
    sent = []

    def interrupt():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.05, interrupt)
    # Hypothesis is called by the collector of garbage, and an exception that arrives in such a call is lost.
    gc.disable()
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            again_and_again(WORK[name], texts)
    finally:
        timer.cancel()
        gc.enable()
        signal.signal(signal.SIGINT, before)
    assert time.perf_counter() - sent[0] < 1


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_pairs():
    rng = np.random.default_rng(3)
    texts = [" ".join(map(str, row)) for row in rng.integers(0, 99, (2600, 12))]
    textgauge.pairwise(texts[:200], metric="chrf", top=2)
    tracemalloc.start()
    textgauge.pairwise(texts, metric="chrf", top=2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50e6 < 8 * len(texts) ** 2


def test_segment_scores_take_several_references():
    scores = textgauge.segment_scores("chrf", ["a cat", "dog"], [["a cat", "b"], ["dog", "cat"]])
    assert scores.tolist() == [100.0, 100.0]
    assert single_score(NamedScore("rouge"))[1] == "rougeL"


def test_the_figures_are_those_of_other_tools():
    rows = [t for t in TEXTS if t.strip()]
    official = {
        "sacrebleu": lambda h, r: sacrebleu.sentence_bleu(h, [r]).score,
        "chrf": lambda h, r: sacrebleu.sentence_chrf(h, [r]).score,
        "ter": lambda h, r: sacrebleu.sentence_ter(h, [r]).score,
        "rougeL": lambda h, r: RougeScorer(["rougeL"]).score(r, h)["rougeL"].fmeasure,
        "rouge2": lambda h, r: RougeScorer(["rouge2"]).score(r, h)["rouge2"].fmeasure,
    }
    for metric, score in official.items():
        wanted = np.array([[score(row, column) for column in rows] for row in rows])
        assert np.abs(textgauge.pairwise(rows, metric=metric) - wanted).max() <= 1e-12


@pytest.mark.parametrize("metric", ["ter", "token_f1"])
@pytest.mark.parametrize("is_turned", [False, True])
def test_warnings_see_all_texts(metric, is_turned):
    """Also at those that have no other text beside them."""
    sides = ["a b", "c d"], ["a b"] * 2 + ["天気がいいから散歩しましょう天気がいいから散歩しましょう"] * 4
    with pytest.warns(UserWarning, match="does not split text without spaces") as told:
        textgauge.pairwise(*(sides[::-1] if is_turned else sides), metric=metric)
    assert len(told) == 1


@pytest.mark.parametrize("n_pairs", [1, 7, 1 << 20])
def test_sources_belong_to_their_rows(n_pairs, monkeypatch):
    monkeypatch.setattr(blocks, "N_SINGLE_PAIRS", n_pairs)
    texts = ["the cat sat", "a dog", "we know the cat", "a cat sat"]
    sources = ["the big cat sat", "a dog barked", "we know", "the cat sat here"]
    for others in (texts, texts[:3]):
        whole = [
            [textgauge.segment_scores("sari", [text], [other], sources=[source])[0] for other in others]
            for text, source in zip(texts, sources, strict=True)
        ]
        given = {} if others is texts else {"references": others}
        assert textgauge.pairwise(texts, metric="sari", sources=sources, **given).tolist() == whole
        _, places = textgauge.pairwise(texts, others, metric="sari", sources=sources, top=1)
        assert places[:, 0].tolist() == [row.index(max(row)) for row in whole]


@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_items_are_all_worked_on_and_the_first_error_ends_the_work(n_threads):
    assert threads.all_in_threads(lambda n: n * n, range(200), n_threads) == [n * n for n in range(200)]
    assert threads.all_in_threads(str, [], n_threads) == []
    begun = []

    def failing(n):
        begun.append(n)
        time.sleep(0.001)
        if n == 7:
            raise KeyError(n)
        return n

    with pytest.raises(KeyError):
        threads.all_in_threads(failing, range(10_000), n_threads)
    assert 8 <= len(begun) < 100
    # Whichever thread it comes in: the caller's, or another.
    caller, seen = threading.get_ident(), set()

    def late(is_of_caller):
        is_own = threading.get_ident() == caller
        seen.add(is_own)
        begun.append(is_own)
        time.sleep(0.001)
        if len(seen) == 2 and is_own == is_of_caller:
            raise LookupError

    for is_of_caller in (True, False) if n_threads > 1 else ():
        seen.clear()
        begun.clear()
        with pytest.raises(LookupError):
            threads.all_in_threads(lambda _, own=is_of_caller: late(own), range(10_000), n_threads)
        assert len(begun) < 5_000


def test_no_more_threads_than_segments(monkeypatch):
    monkeypatch.setattr(threads, "get_num_threads", lambda: 8)
    of_many_bytes = 100 * threads.BYTES_OF_A_THREAD
    assert [threads.threads_for(n, of_many_bytes) for n in (1, 3, 8, 100)] == [1, 3, 8, 8]
    assert threads.threads_for(100, 5 * threads.BYTES_OF_A_THREAD) == 5
