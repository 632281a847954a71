"""Time proportional to the length of any text; messages and warnings of bounded length."""

import ctypes
import sys
import tracemalloc
from functools import partial

import numpy as np
import pytest
import textgauge
from growing import BOUND, FACTOR, growth, seconds
from textgauge import engine, plain
from textgauge.accumulation.named_score import NamedScore
from textgauge.explanation.explainer import explainer_of
from textgauge.files.plain_text import before_words, warn_of_ids
from textgauge.input.columns import Corpus, corpus_of, text_column
from textgauge.plain import Texts
from textgauge.report import Report, explain_page
from textgauge.resampling import PairedOptions
from textgauge.text import NORMALIZERS, STEMMED_ROUGE, TOKENIZERS, prepared, token_places
from textgauge.text.sentences import lines_of_sentences, placed_sentences
from textgauge.text.signs import APOSTROPHES, SIGNS
from textgauge.text.vocabulary import token_column
from warned import warned

pytestmark = pytest.mark.slow

# Each of them is repeated to half a megabyte, or where Python has a part in the work to 128 kilobytes.
RUNS = {
    "exclamation marks": "!", "full stops": ".", "full stops before digits": "..5", "commas and digits": ",1",
    "letters y": "y", "suffixes": "ing", "ampersands": "&", "entities": "&quot;", "half entities": "&am",
    "skipped": "<skipped>", "dashes at line ends": "-\n", "newlines": "\n", "spaces": " ", "initials": "A. ",
    "abbreviations": "U.S. ", "closing quotes": '."', "brackets": ")", "stops and spaces": ".  ", "marks": "e\u0301",
    "marks on nothing": "\u0301", "capital sigmas": "\u03a3", "dotted capitals": "\u0130", "kelvins": "\u212a",
    "articles": "ال", "Chinese": "猫", "full-width stops": "\u3002", "separators": "\x1c", "words": "the cat ",
    "identifiers": "_a", "paths": "/b", "escapes": r"\ud83d\xe9\n", "bytes as letters": "\xc3\xa9\xf0\u0178",
    "tags": "<a b>", "half tags": "<a ",
}  # fmt: skip
STRIPPED = prepared(TOKENIZERS["13a"], lowercase=True, strip=True)
TOKENIZED = {**TOKENIZERS, "rouge+porter": STEMMED_ROUGE, "13a, stripped": STRIPPED}
ONE_SEGMENT = np.array([0, 1])
CHECKED = {
    **{
        f"tokenizer {name}": lambda column, t=t: t.cut(Corpus(column, column, ONE_SEGMENT))
        for name, t in TOKENIZED.items()
    },
    **{f"tokens as text {name}": lambda column, t=t: token_column(t, column) for name, t in TOKENIZED.items()},
    **{f"normalizer {name}": lambda column, n=n: n.column(column) for name, n in NORMALIZERS.items()},
    "signs": lambda column: [sign.mend(column[0]) for sign in (*SIGNS, APOSTROPHES)],
    "plain text": lambda column: before_words([f"a1{column[0]}!", f"b1{column[0]}!"]),
    "transcripts": lambda column: warn_of_ids("", Texts([f"a1{column[0]}!", f"b1{column[0]}!"])),
    "sentences": lines_of_sentences,
    "places of sentences": lambda column: list(placed_sentences(column[0], at_end_marks=True)),
    "places of lines": lambda column: list(placed_sentences(column[0], at_end_marks=False)),
}


@pytest.fixture(scope="module", autouse=True)
def memory_is_kept():
    """Keep freed memory in the process: otherwise only the larger text pays for new pages."""
    glibc = ctypes.CDLL(None) if sys.platform == "linux" else None
    if not hasattr(glibc, "mallopt"):
        yield
        return
    trim_threshold, mmap_max = -1, -4
    glibc.mallopt(mmap_max, 0)
    glibc.mallopt(trim_threshold, 2**31 - 1)
    yield
    glibc.mallopt(mmap_max, 65_536)
    glibc.mallopt(trim_threshold, 128 * 1024)


def column(piece, n_bytes):
    return text_column([piece * (n_bytes // len(piece.encode()))], "texts")


@pytest.mark.parametrize("name", CHECKED)
def test_text_work_grows_with_the_text(name):
    # Long enough to be timed; where Python makes an object of every token, short enough for a cache that others use.
    is_compiled = engine.kernel is not plain and name.startswith("tokenizer ")
    small = 1 << (16 if is_compiled else 14)
    found = {}
    for label, piece in RUNS.items():
        found[label] = growth(CHECKED[name], column(piece, small), column(piece, FACTOR * small))
    assert {label: ratio for label, ratio in found.items() if ratio >= BOUND} == {}


def test_a_quadratic_path_is_seen():
    def slow(texts):
        text = texts[0]
        return sum(text[i:].count("!") for i in range(0, len(text), 8))

    assert growth(slow, column("!", 1 << 13), column("!", FACTOR << 13)) >= BOUND


PAIRS = {
    "different words": lambda n: (" ".join(map(str, range(n))), " ".join(map(str, range(n // 2, 2 * n)))),
    "one word": lambda n: ("b " * n, "b " * n),
    "no word in common": lambda n: ("c " * n, "b " * n),
    "lines of one word": lambda n: ("b\n" * n, "b\n" * n),
    "lines of one word of a few": lambda n: ("\n".join(f"{i % 9}" for i in range(n)), "\n".join("12" * (n // 2))),
    "one long word": lambda n: ("a" * n, "a" * n + "b"),
    "sentences": lambda n: tuple("\n".join(f"{i} {i + k}" for i in range(n // 4)) for k in (1, 2)),
}
METRICS = {
    "bleu": textgauge.bleu,
    "token_f1": textgauge.token_f1,
    **{
        f"rouge {kind}": lambda hyps, refs, kind=kind: textgauge.rouge(hyps, refs, rouge_types=[kind])
        for kind in ("rouge1", "rouge3", "rougeLsum")
    },
}


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("pair", PAIRS)
def test_one_pair_of_long_texts_grows_with_the_text(name, pair):
    def score(texts):
        METRICS[name]([texts[0]], [texts[1]])

    if name == "rouge rougeLsum" and pair == "one word":
        pytest.skip("ROUGE-L of n tokens that all match takes n squared / 64 steps by its definition")
    assert growth(score, PAIRS[pair](4_000), PAIRS[pair](FACTOR * 4_000)) < BOUND


def test_shifts_in_a_long_text_cost_no_more_than_their_surroundings():
    reference = [str(i % 5_000) for i in range(20_000)]
    moved = reference.copy()
    for at in range(10, 4_000, 40):
        moved[at : at + 8] = moved[at + 4 : at + 8] + moved[at : at + 4]
    # A thousand shifts are tried; without any, the table is filled once.
    least, most = (
        min(seconds(textgauge.ter, [" ".join(words)], [" ".join(reference)]) for _ in range(3))
        for words in (reference, moved)
    )
    assert most < 40 * least


MATCHED = {
    "pieces that are no tokens": (lambda n: ("AI技" * n, "x"), {"metric": "rouge1"}),
    "dashes that a normalizer drops": (lambda n: ("a-b " * n, "ab " * n), {"metric": "token_f1"}),
    "dashes without a match": (lambda n: ("a-b " * n, "x"), {"metric": "token_f1"}),
    "entities": (lambda n: ("&amp;" * n, "&amp;" * n), {}),
    "entities without a match": (lambda n: ("&amp;" * n, "x"), {}),
    "repeated tokens of a callable": (
        lambda n: ("a b " * n, "x"), {"metric": textgauge.Bleu(tokenizer=lambda text: ["a"] * len(text))}
    ),
    "tokens of a callable in another order": (
        lambda n: ("a b " * n, "x"), {"metric": textgauge.Bleu(tokenizer=lambda text: text.split()[::-1])}
    ),
    "characters": (lambda n: ("a b " * n, "b a " * n), {"metric": "chrf"}),
    "equal lines": (lambda n: ("a b\n" * n, "a b\n" * n), {"metric": "rougeLsum"}),
    "different lines": (PAIRS["sentences"], {"metric": "rougeLsum"}),
    "skip-bigrams": (lambda n: ("a b " * n, "b a c " * n), {"metric": "rougeS4"}),
}  # fmt: skip


@pytest.mark.parametrize("name", MATCHED)
def test_matches_and_their_marks_grow_with_the_text(name):
    texts_of, options = MATCHED[name]
    named = NamedScore.of(options.get("metric", "bleu"))
    marks = explainer_of(named.start().metric).marks(named.key)

    def mark(texts):
        [aligned] = textgauge.matches([texts[0]], [texts[1]], **options)
        marks.pieces(texts[0], aligned.prediction)
        marks.pieces(texts[1], aligned.references[0])

    assert growth(mark, texts_of(1_000), texts_of(FACTOR * 1_000)) < BOUND


def page(n):
    hyps, refs = (["the cat sat on a mat", "a dog"] * n), (["the cat sat on the mat", "the dog"] * n)
    corpora = [corpus_of(hyps, refs)] * 2
    explain_page(Report.of("ab", corpora, [(textgauge.Bleu(), "bleu")], PairedOptions(confidence=None)))


def weighted(hyp, ref):
    textgauge.rouge([hyp], [ref], rouge_types=["rougeW"], preset="rouge-1.5.5")


ROUGE = partial(textgauge.rouge, jackknife=True)
# What takes a size, and the smaller one.
SIZED = {
    # Every character is the token, but none is a whole word, and the last one is no token.
    "places of tokens": (lambda n: token_places("a" * n + "!", ["a"] * n), 1_000),
    **{f"weighted unions, {name}": (lambda n, pair=pair: weighted(*pair(n)), 4_000)
       for name, pair in PAIRS.items() if name.startswith("lines")},
    **{f"references, {rule}": (lambda n, rule=rule: ROUGE(["a b c d"], [["a c d b"] * n], multi_reference=rule), 2_000)
       for rule in ("best", "pooled")},
    "segments of a page": (page, 100),
}  # fmt: skip


@pytest.mark.parametrize("name", SIZED)
def test_work_grows_with_the_size(name):
    call, small = SIZED[name]
    assert growth(call, small, FACTOR * small) < BOUND


def test_the_largest_options_count_the_same_as_those_that_just_reach_the_longest_text():
    hyps, refs = ["the cat sat", "a b a b a", ""], [["the cat sat down", "sat"], ["b a b a b"], ["x"]]
    least, largest = textgauge.Bleu(max_order=6).update(hyps, refs), textgauge.Bleu(max_order=100).update(hyps, refs)
    few, many = least.statistics, largest.statistics
    for field in ("matches", "totals"):
        assert (few[field] == many[field][:, :6]).all()
        assert not many[field][:, 6:].any()
    for length in ("translation_length", "reference_length"):
        assert (few[length] == many[length]).all()
    for least, largest in (("rougeS5", "rougeS999999999"), ("rougeSU5", "rougeSU999999999")):
        found = textgauge.rouge(hyps, refs, rouge_types=[least, largest, "rouge100"])
        assert found[least] == found[largest] > 0
        assert found["rouge100"] == 0
    for limit in ("max_words", "max_bytes"):
        for preset in (None, "rouge-1.5.5"):
            full, cut = (textgauge.rouge(hyps, refs, preset=preset, **o) for o in ({}, {limit: 10**12}))
            assert full == cut


def peak_of(call):
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def test_the_largest_order_takes_bounded_memory():
    text, texts = ["the cat sat on a mat " * 20_000], ["the cat sat on a mat"] * 20_000
    for accumulator in (textgauge.Bleu(max_order=100), textgauge.Rouge(rouge_types=["rouge100"])):
        assert peak_of(lambda accumulator=accumulator: accumulator.update(text, text)) < 200e6
    for call in (textgauge.bleu, textgauge.load("bleu").compute):
        # The rows of all segments would take 320 MB.
        assert peak_of(lambda call=call: call(predictions=texts, references=texts, max_order=1000)) < 80e6


def test_warnings_are_short_and_one_per_call():
    [text] = warned(textgauge.rouge, ["\u732b" * 1_000_000] * 3, ["\u732b" * 1_000_000] * 3)
    assert len(text) < 500
