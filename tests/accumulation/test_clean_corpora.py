"""Real outputs of systems, and clean texts of our own, with which nothing is wrong: no metric warns of anything."""

import gzip
import json
from itertools import chain, islice
from pathlib import Path

import pytest
import textgauge
from textgauge.accumulation.named_score import score_of
from warned import warned

DATA = Path(__file__).parents[2] / ".." / "shared" / "data"
# Segments of each corpus in the quick run; `--all` reads the whole files.
MOST = 4000
# Metrics of words in any script with spaces, and those of languages without spaces.
SPACED = ["sacrebleu", "chrf", "ter", "wer", "token_f1", "exact_match", "google_bleu", "squad"]
ENGLISH = [*SPACED, "bleu", "rouge1", "rougeL"]
UNSPACED = ["sacrebleu(tokenizer=zh)", "sacrebleu(tokenizer=char)", "chrf", "cer", "exact_match", "anls"]
# With them all metrics that look for anything, but for METEOR, which tells of data of nltk's, and VQA accuracy, which
# asks for the answers of ten people.
ALL = [*ENGLISH, "rouge", "cer", "nist_mt", "cider", "anls", "relaxed_accuracy", "math_answer"]
# Of these not the whole files: half a minute each.
SLOW = ["character", "meteor15"]
OWN = {
    "English": (["It's 5 o'clock; don't be late!", "a cat sat"], ["It is 5 already!", "the cat sat"]),
    "German": (["Über Größe spricht man.", "Es regnet heute."], ["Man spricht über Größe.", "Heute regnet es."]),
    "French": (["L’été arrive : il fait chaud !", "Où est-il ?"], ["L’été vient : il fait chaud !", "Où est-elle ?"]),
    "Russian": (["Кошка сидит на столе.", "Идёт дождь."], ["Кошка сидит на стуле.", "Дождь идёт."]),
    "Turkish": (["Işık şehirde söndü.", "Yağmur yağıyor."], ["Işık köyde söndü.", "Kar yağıyor."]),
    "Portuguese": (["AMANHÃ… NÃO!", "O café custa 3€, ½ é ¼."], ["AMANHÃ – NÃO!", "O chá custa 3€, ½ é ¼."]),
    "formulas, paths": ([r"$\nu \neq \theta$ \\ 1", r"C:\new\temp"], [r"$\nu = \times$ \\ 2", r"C:\new\tmp"]),
    "programs": ([r'puts("a\n\t%s", x<y>z);', r"r'\d+\n'"], [r'puts("b\n\t%s", x<y>z);', r"r'\w+\n'"]),
    "escapes on both sides": ([r'puts("hello\nworld\n");', r'put("E:\n");'], [r'puts("hello\n");', r'put("E:" "\n");']),
    "code and mathematics": (["f(x) = x**2 # 50%", "a <b> c & d"], ["f(x) = x**3 # 50%", "a <b> c & e"]),
}  # fmt: skip


def lines(name, most=MOST):
    path = DATA / name
    if not path.exists():
        pytest.skip(f"no {name} in ../shared/data")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.removesuffix("\n") for line in islice(file, most)]


def told_of(metrics, predictions, references):
    found = {
        one: warned(lambda one=one: score_of(one).start().update(predictions, references).score()) for one in metrics
    }
    return {metric: texts for metric, texts in found.items() if texts}


@pytest.mark.parametrize("name", OWN)
def test_clean_texts_of_our_own(name):
    assert told_of(SPACED, *OWN[name]) == {}


# Some texts have a no-break space or a tab alone between two words, of which WER tells, since jiwer does not cut there.
WITHOUT_WER = [metric for metric in ENGLISH if metric != "wer"]


@pytest.mark.parametrize(("name", "key"), [("xsum", "reference"), ("wmt22_to_english_40k", "references")])
def test_summaries_and_translations_into_english(name, key):
    rows = [*map(json.loads, lines(f"{name}.jsonl.gz"))]
    assert told_of(WITHOUT_WER, [row["prediction"] for row in rows], [row[key] for row in rows]) == {}


def test_long_summaries():
    texts = lines("cnndm_references.txt.gz")
    assert told_of(WITHOUT_WER, texts, texts[1:] + texts[:1]) == {}


# What is true of the whole files: a text of signs alone, and no-break spaces and sentences in one line in all of them.
NO_WORDS = "1 text is not empty but has no token under the "
TOLD = {
    "xsum": {},
    "wmt22_to_english_40k": {
        **dict.fromkeys(["rouge", "rouge1", "rougeL"], f"{NO_WORDS}tokenizer 'rouge'"),
        **dict.fromkeys(["token_f1", "squad"], f"{NO_WORDS}normalizer 'squad'"),
        "cider": "1 prediction has no word",
    },
    "cnndm_references": {
        "rouge": "rougeLsum equals rougeL here",
        "wer": "a tab, newline, no-break or ideographic space that stands alone",
        "character": "1121 segments have predictions and references that differ in spaces",
    },
}


@pytest.mark.slow
@pytest.mark.skipif("plain" in textgauge.kernel_in_use(), reason="hours in plain Python")
@pytest.mark.parametrize("metric", [*ALL, *SLOW])
@pytest.mark.parametrize("name", TOLD)
def test_whole_files(name, metric):
    most = MOST if metric in SLOW else None
    if name == "cnndm_references":
        predictions = lines(f"{name}.txt.gz", most)
        references = predictions[1:] + predictions[:1]
    else:
        rows = [*map(json.loads, lines(f"{name}.jsonl.gz", most))]
        predictions, references = (
            [row.get(key, row.get(key[:-1])) for row in rows] for key in ("prediction", "references")
        )
    told = [*chain.from_iterable(told_of([metric], predictions, references).values())]
    expected = TOLD[name].get(metric)
    assert len(told) == (expected is not None)
    assert all(text.startswith(expected) for text in told)


@pytest.mark.parametrize(
    ("pair", "system", "references", "metrics"),
    [
        ("de-en", "LT22", ["refA", "refB"], ALL),
        ("de-en", "PROMT", ["refA"], ALL),
        ("de-en", "Online-A", ["refB"], ALL),
        ("en-zh", "Online-A", ["refA", "refB"], UNSPACED),
        ("en-zh", "Online-G", ["refA"], UNSPACED),
    ],
)
def test_whole_systems(pair, system, references, metrics):
    sides = [lines(f"wmt22/{pair}.{name}.txt.gz", most=None) for name in (system, *references)]
    assert told_of(metrics, sides[0], [list(group) for group in zip(*sides[1:], strict=True)]) == {}


@pytest.mark.parametrize("system", ["Online-A", "Online-G"])
def test_widths_in_japanese_are_told(system):
    """These differ: one side has full-width digits and letters where the other has those of ASCII."""
    sides = [[*lines(f"wmt22/en-ja.{name}.txt.gz")] for name in (system, "refA")]
    [told] = {*chain.from_iterable(told_of(UNSPACED[1:], *sides).values())}
    assert told.startswith("predictions and references differ in width")
