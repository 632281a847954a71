"""Public reports of wrong scores elsewhere, rebuilt: the right values are ours."""

import json
from importlib import import_module

import pytest
import textgauge
from textgauge.compat import pycocoevalcap
from textgauge.text.wordnet import wordnet_of

REPORTS = [
    "keep-1-nist-several-references", "keep-2-meteor-stems-once", "keep-3-mer-deletion-and-insertion",
    "keep-4-sari-easse-readme", "keep-5-cider-order-of-images", "regression-1", "regression-2", "regression-3",
    "regression-4", "regression-5",
]  # fmt: skip
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def reports(shared):
    found = json.loads((shared / "oracles/field/reports.json").read_text())
    return {one["id"]: one for one in found}


def scored(report):
    """Call what the report names."""
    name = report["call"].removeprefix("textgauge.").partition(" ")[0].partition(",")[0]
    sources = {"sources": report["sources"]} if report["sources"] else {}
    return getattr(textgauge, name)(report["predictions"], report["references"], **sources, **report["options"])


def test_every_report_is_here(reports):
    assert [*reports] == REPORTS


@pytest.mark.parametrize("name", [name for name in REPORTS[1:] if name != "keep-5-cider-order-of-images"])
def test_a_report(name, reports):
    report = reports[name]
    if name == "keep-2-meteor-stems-once" and "auto" not in wordnet_of(None).synonyms("car"):
        pytest.skip("WordNet 3.0 is missing: apt-get install wordnet-base")
    found, expected = scored(report), report["expected"]
    if isinstance(expected, dict):
        assert {key: found[key] for key in expected} == {
            key: pytest.approx(value, rel=1e-12) if isinstance(value, float) else value
            for key, value in expected.items()
        }
    else:
        assert found[report["call"].rpartition(" ")[2]] == pytest.approx(expected, rel=1e-12)


def test_nist_looks_n_grams_up_in_all_references(reports):
    report = reports[REPORTS[0]]
    expected = report["expected"]
    for row, name in enumerate(("first alone", "second alone")):
        pair = [report["predictions"][row]], [report["references"][row]]
        found = textgauge.nist_mt(*pair, **report["options"])["nist_mt"]
        assert round(found, expected["decimals"]) == expected[name]
    for n in (1, 2, 3, 4, 5, 9):
        found = textgauge.nist_mt(*pair, n=n, **report["options"])["nist_mt"]
        assert round(found, expected["decimals"]) == expected["second alone with n=1, 2, 3, 4, 5, 9"]


def test_captions_belong_to_their_image(reports):
    report = reports["keep-5-cider-order-of-images"]
    score, scores = pycocoevalcap.Cider().compute_score(report["references"], report["predictions"])
    assert score == report["expected"]["score"]
    assert scores.tolist() == pytest.approx(report["expected"]["by image in the order of references"], rel=1e-12)


def test_lists_by_position_in_the_place_of_references_by_row_are_refused(reports):
    """EASSE takes a list for each reference; three of them for two predictions are no references of ours."""
    report = reports["keep-4-sari-easse-readme"]
    by_position = [[*texts] for texts in zip(*report["references"], strict=True)]
    with pytest.raises(ValueError, match="^references"):
        scored({**report, "references": by_position})
    easse = import_module("textgauge.compat.easse.sari")
    found = easse.corpus_sari(report["sources"], report["predictions"], by_position)
    assert found == pytest.approx(report["expected"]["sari"], rel=1e-12)


def test_the_order_of_segments_does_not_change_method_6(reports):
    report = reports["regression-3"]
    turned = {**report, "predictions": report["predictions"][::-1], "references": report["references"][::-1]}
    assert scored(turned)["bleu"] == pytest.approx(report["expected"], rel=1e-12)
    equal = {**report, "predictions": [*report["references"]]}
    assert scored(equal)["bleu"] == pytest.approx(1.0, rel=1e-12)


def test_word_order_0_of_the_report_on_chrf(reports):
    report = reports["regression-1"]
    assert scored({**report, "options": {"word_order": 0}})["chrf"] == pytest.approx(26.559302308145256, rel=1e-12)


# The same mistakes in texts of our own, with the figures of the tool that is right.
OF_OUR_OWN = [
    # sacreBLEU 2.6: a segment without a common n-gram still counts in recall.
    ("chrf", ["a red bus", "qqq"], ["a red bus stops", "we like green tea"], {}, {"chrf": 24.36755348322965}),
    ("chrf", ["a red bus", ""], ["a red bus", "green tea"], {"word_order": 2}, {"chrf": 54.59587201491109}),
    # Papineni 2.1: each n-gram is clipped by its largest count over references.
    ("bleu", ["a b c d e f"], [["a b c d e x", "y b c d e f"]], {}, {"bleu": 1.0}),
    # jiwer 4: hits, deletions and insertions together are what MER divides by.
    (
        "wer",
        ["uh we went home"],
        ["we went home early"],
        {},
        {"wer": 0.5, "mer": 0.4, "wip": 0.5625, "hits": 3, "deletions": 1, "insertions": 1},
    ),
]


@pytest.mark.parametrize(("metric", "predictions", "references", "options", "figures"), OF_OUR_OWN)
def test_the_same_in_texts_of_our_own(metric, predictions, references, options, figures):
    found = getattr(textgauge, metric)(predictions, references, **options)
    assert {key: found[key] for key in figures} == {
        key: pytest.approx(value, rel=1e-12) for key, value in figures.items()
    }
