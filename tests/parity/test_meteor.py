"""METEOR's figures are those that the official tools gave."""

import doctest
import gzip
import json
import sys

import pytest
import textgauge
from textgauge.plain.treebank import treebank_words
from textgauge.text import meteor, punkt, wordnet

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:.* tags of HTML", "ignore:.* has escapes", "ignore:.*text is not English"),
]
OPTIONS = {
    "rank_norm": {}, "adq_norm": {"task": "adq"}, "hter_norm": {"task": "hter"}, "li_norm": {"task": "li"},
    "tune_norm": {"task": "tune"}, "util_norm_ch": {"task": "util", "characters": True},
    "rank_nopunct": {"no_punct": True}, "rank_raw": {"normalize": False},
    "rank_lower": {"normalize": False, "lowercase": True}, "exact_norm": {"matchers": "exact"},
    "exact_stem_norm": {"matchers": "exact stem"}, "beam1_norm": {"beam_size": 1},
}  # fmt: skip


def read(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return json.load(file)["cases"]


@pytest.fixture(scope="module")
def rows(shared):
    with gzip.open(shared / "data/wmt22_to_english_40k.jsonl.gz", "rt", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    return lambda case: [[lines[i][key] for i in case["rows"]["numbers"]] for key in ("prediction", "references")]


@pytest.mark.parametrize("name", OPTIONS)
def test_meteor15(shared, rows, name):
    if len(meteor.meteor_of(None, None).table[3]) < 5_000_000:
        pytest.skip("the table of paraphrases is missing: pip install pycocoevalcap")
    cases = {case["id"]: case for case in read(shared / "oracles/captions/meteor15.json.gz")}
    own = [case for case in cases.values() if "predictions" in case]
    sides = [[text for case in own for text in case[side]] for side in ("predictions", "references")]
    found = textgauge.meteor15(*sides, per_segment=True, **OPTIONS[name])
    expected = [case["expected"][name][3] for case in own]
    assert found["segment_meteor15"] == pytest.approx(expected, rel=0, abs=1e-9)
    assert found["meteor15"] == pytest.approx(cases["own corpus"]["expected"][name], rel=0, abs=1e-9)
    found = textgauge.meteor15(*rows(cases["rows"]), per_segment=True, **OPTIONS[name])
    expected = [figures[3] for figures in cases["rows"]["expected"][name]["segments"]]
    assert found["segment_meteor15"] == pytest.approx(expected, rel=0, abs=1e-9)


def test_meteor15_behind_full_stops(shared):
    if len(meteor.meteor_of(None, None).table[3]) < 5_000_000:
        pytest.skip("the table of paraphrases is missing: pip install pycocoevalcap")
    cases = read(shared / "oracles/field/meteor15_hyphens.json.gz")
    sides = [[case[side] for case in cases] for side in ("prediction", "reference")]
    found = textgauge.meteor15(*sides, per_segment=True)["segment_meteor15"]
    assert found == pytest.approx([case["meteor15"] for case in cases], rel=0, abs=1e-12)


# Recorded without a split into sentences, of which there is a warning.
@pytest.mark.filterwarnings("ignore:.*full stop")
@pytest.mark.parametrize("name", ["default", "alpha0.5_beta1_gamma0.3"])
def test_nltks_meteor_to_the_last_bit(shared, rows, name):
    if "auto" not in wordnet.wordnet_of(None).synonyms("car"):
        pytest.skip("WordNet 3.0 is missing: apt-get install wordnet-base")
    options = {} if name == "default" else {"alpha": 0.5, "beta": 1.0, "gamma": 0.3}
    [case] = [case for case in read(shared / "oracles/captions/meteor_nltk.json.gz") if "rows" in case]
    found = textgauge.Meteor(**options).update(*rows(case)).score(per_segment=True)
    assert found["segment_meteor"] == case["expected"][name]


@pytest.mark.filterwarnings("ignore")
def test_words_are_nltks():
    nltk = pytest.importorskip("nltk.tokenize")
    # What nltk 3.10 changed: apostrophes before words, and dashes.
    texts = ['He said "x, y" (z).', "I can't, gonna 'scape: 5,000 a,b...", 'end. "', "a.b? c! -- d", "It's a dog's."]
    cut = nltk.NLTKWordTokenizer().tokenize
    assert [treebank_words(text) for text in texts if " '" not in text] == [
        cut(text) for text in texts if " '" not in text
    ]


PAIRS = [
    ("Alimentum is located in the city centre. It is not family-friendly.",
     "There is a place in the city centre, Alimentum, that is not family-friendly.", 0.5516, 0.4249),
    ("It is a guide to action which ensures that the military always obeys the commands of the party",
     "It is a guide to action that ensures that the military will forever heed Party commands", 0.6944, 0.4474),
    ("the cat was sat on the mat", "the cat sat on the mat", 0.9654, 0.5120),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*full stop")
@pytest.mark.parametrize(("prediction", "reference", "by_nltk", "by_the_program"), PAIRS)
def test_pairs_of_the_cards(prediction, reference, by_nltk, by_the_program):
    if "auto" not in wordnet.wordnet_of(None).synonyms("car"):
        pytest.skip("WordNet 3.0 is missing: apt-get install wordnet-base")
    if punkt.punkt_of() is None:
        assert round(textgauge.meteor([prediction], [reference])["meteor"], 4) == by_nltk
    if len(meteor.meteor_of(None, None).table[3]) < 5_000_000:
        pytest.skip("the table of paraphrases is missing: pip install pycocoevalcap")
    assert round(textgauge.meteor15([prediction], [reference])["meteor15"], 4) == by_the_program


@pytest.mark.parametrize("name", ["meteor", "meteor15"])
def test_examples_that_need_data(name):
    if "auto" not in wordnet.wordnet_of(None).synonyms("car") or len(meteor.meteor_of(None, None).table[3]) < 5_000_000:
        pytest.skip("WordNet 3.0 or the table of paraphrases is missing: wordnet-base, pycocoevalcap")
    module = sys.modules[f"textgauge.measures.{name}"]
    examples = doctest.DocTestFinder(recurse=False).find(getattr(module, name.title()), globs=vars(module).copy())
    [found] = [one for one in examples if one.examples]
    for one in found.examples:
        assert one.options.pop(doctest.SKIP)
    assert doctest.DocTestRunner().run(found) == (0, len(found.examples))
