"""The classes of `compat.pycocoevalcap` are held to the package itself, and to its recorded figures."""

import gzip
import inspect
import json
import re
import shutil
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
import textgauge
from hypothesis import given
from hypothesis import strategies as st
from kernel.material import few
from textgauge.compat import pycocoevalcap as ours
from textgauge.text import meteor
from warned import warned

RECORDED = Path(__file__).parents[2] / ".." / "shared" / "oracles" / "captions" / "coco.json.gz"
words = st.lists(st.sampled_from(["a", "b", "c", "d", "the", "é"]), max_size=7).map(" ".join)
corpora = st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), min_size=2, max_size=4)
pytestmark = pytest.mark.filterwarnings(
    "ignore:CIDEr", "ignore:.*no token", "ignore:.*ha[sv]e? no word", "ignore:.* tags of HTML", "ignore:.* has escapes"
)


def dicts(predictions, references):
    return dict(enumerate(map(list, references))), {i: [text] for i, text in enumerate(predictions)}


@few
@given(corpora)
def test_scores_are_those_of_the_package(corpus):
    bleu, rouge = (pytest.importorskip(f"pycocoevalcap.{name}.{name}") for name in ("bleu", "rouge"))
    gts, res = dicts([one for one, _ in corpus], [group for _, group in corpus])
    theirs = bleu.Bleu(4).compute_score(gts, res, verbose=0)
    assert ours.Bleu(4).compute_score(gts, res) == (theirs[0], theirs[1])
    mean, scores = rouge.Rouge().compute_score(gts, res)
    found = ours.Rouge().compute_score(gts, res)
    assert (found[0], found[1].tolist()) == (mean, scores.tolist())


@few
@given(corpora)
def test_cider_is_that_of_the_package(corpus):
    cider = pytest.importorskip("pycocoevalcap.cider.cider")
    gts, res = dicts([one for one, _ in corpus], [group for _, group in corpus])
    if not any(text for group in gts.values() for text in group):
        return  # max() of nothing there
    mean, scores = cider.Cider().compute_score(gts, res)
    found = ours.Cider().compute_score(gts, res)
    assert (found[0], found[1].tolist()) == (mean, np.array(scores).tolist())


@pytest.mark.skipif(not RECORDED.exists(), reason="no ../shared/oracles")
def test_figures_are_the_recorded_ones():
    n = 0
    for case in json.loads(gzip.decompress(RECORDED.read_bytes()))["cases"]:
        expected = case["expected"]
        if "tokens" not in expected or "exception" in expected["cider"]:
            continue
        gts, res = dicts(*expected["tokens"])
        bleu = ours.Bleu().compute_score(gts, res)
        assert {"corpus": bleu[0], "segments": bleu[1]} == expected["bleu"]
        mean, scores = ours.Rouge().compute_score(gts, res)
        assert {"corpus": mean, "segments": scores.tolist()} == expected["rougeL"]
        table = textgauge.coco(case["predictions"], case["references"], meteor=False)
        assert [*table.values()] == [*bleu[0], mean, expected["cider"]["corpus"]]
        of_bleu, of_rouge = (
            metric(case["predictions"], case["references"], preset="coco", per_segment=True)
            for metric in (textgauge.bleu, textgauge.rouge)
        )
        keys = [f"bleu{k}" for k in range(1, 5)]
        assert [of_bleu[key] for key in keys] == bleu[0]
        assert [of_bleu[f"segment_{key}"] for key in keys] == bleu[1]
        assert (of_rouge["rougeL"], of_rouge["segment_rougeL"]) == (mean, scores.tolist())
        n += 1
    assert n > 10


@pytest.mark.parametrize("order", [1, 2, 5])
def test_preset_of_bleu_scores_every_order(order):
    captions, people = ["a man sat on a red horse", "a dog"], [["a man is on a horse", "the man sat"], ["the dog"]]
    found = textgauge.bleu(captions, people, preset="coco", max_order=order, per_segment=True, confidence=0.9)
    keys = [f"bleu{k}" for k in range(1, order + 1)]
    assert [key for key in found if key.startswith("bleu")] == ["bleu", *keys]
    assert found["bleu"] == found[keys[-1]]
    assert [*found["confidence_intervals"]] == ["bleu", *keys]
    assert [key for key in found if key.startswith("segment_")] == ["segment_bleu", *(f"segment_{key}" for key in keys)]
    lower = textgauge.bleu(captions, people, preset="coco", max_order=1)
    assert found["bleu1"] == lower["bleu"]


def test_presets_refuse_what_the_tool_lacks():
    pair = ["a man"], [["a man", "the man"]]
    for metric, options in [
        (textgauge.bleu, {"smoothing": "exp"}), (textgauge.bleu, {"weights": [0.5, 0.5, 0, 0]}),
        (textgauge.bleu, {"effective_order": True}), (textgauge.rouge, {"alpha": 0.5}),
        (textgauge.rouge, {"jackknife": True}), (textgauge.rouge, {"rouge_types": ["rougeW"]}),
        (textgauge.rouge, {"tokenizer": "13a"}),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=rf"^`?{[*options][0]}"):
            metric(*pair, preset="coco", **options)


def test_rouge_of_two_references():
    pair = ["a b c d"], [["a b", "a b c x y z"]]
    found = textgauge.rouge(*pair, rouge_types=["rouge1"], multi_reference="largest", detailed=True)["rouge1"]
    assert (found["precision"], found["recall"]) == (3 / 4, 2 / 2)
    assert found["fmeasure"] == 2 * 3 / 4 * 1 / (3 / 4 + 1)
    rows = textgauge.Rouge(rouge_types=["rouge1"], multi_reference="largest").update(*pair)
    [row] = rows.statistics.values.tolist()
    assert row == [3, 4, 2, 2]
    assert textgauge.Rouge.from_arrow(rows.to_arrow()).score() == rows.score()
    steps = textgauge.explain(*pair, metric="rouge1(multi_reference='largest')")
    assert "3 of 4" in str(steps)
    assert "2 of 2" in str(steps)


IMAGES = [7, 3, 5]
PEOPLE = {7: ["A dog on the grass.", "the dog"], 3: ["Two cats sit, one stands."], 5: ["A red bus in a street"]}
OURS = {5: ["a bus"], 3: ["two cats sit"], 7: ["A dog runs on grass!"]}


class Coco:
    """What `COCOEvalCap` uses of pycocotools."""

    def __init__(self, captions):
        self.imgToAnns = {image: [{"caption": text} for text in texts] for image, texts in captions.items()}

    def getImgIds(self):  # noqa: N802
        return [*self.imgToAnns]


def with_spice(monkeypatch, theirs):
    """Put a score in the place of SPICE, which downloads models."""

    class Spice:
        def method(self):
            return "SPICE"

        def compute_score(self, gts, res):
            return 0.5, [0.5] * len(gts)

    monkeypatch.setattr(theirs, "Spice", Spice)


def evaluated(package, *captions, images=None):
    found = package.COCOEvalCap(*map(Coco, captions))
    if images is not None:
        found.params["image_id"] = images
    found.evaluate()
    return found


# The package leaves the pipes of Java open.
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_evaluation_is_that_of_the_package(monkeypatch, capfd):
    images = [5, 7]
    theirs = pytest.importorskip("pycocoevalcap.eval")
    if shutil.which("java") is None:
        pytest.skip("no Java, which pycocoevalcap starts")
    with_spice(monkeypatch, theirs)
    expected = evaluated(theirs, PEOPLE, OURS, images=images)
    told = [line for line in capfd.readouterr().out.splitlines() if re.match(r"(\w+: \d|\{|ratio)", line)]
    with pytest.warns(UserWarning, match="SPICE is not among the scores"):
        found = evaluated(ours, PEOPLE, OURS, images=images)
    assert capfd.readouterr().out.splitlines() == [line for line in told if not line.startswith("SPICE")]
    assert [*found.eval] == [name for name in expected.eval if name != "SPICE"]
    assert found.eval == pytest.approx({name: expected.eval[name] for name in found.eval}, abs=1e-12)
    assert [*found.imgToEval] == [*expected.imgToEval]
    for image, scores in found.imgToEval.items():
        assert scores == pytest.approx({name: expected.imgToEval[image][name] for name in scores}, abs=1e-12)
    assert found.evalImgs == [*found.imgToEval.values()]


@pytest.mark.filterwarnings("ignore:SPICE", "ignore:METEOR")
def test_the_evaluation_is_the_table_of_coco(capsys):
    found = evaluated(ours, PEOPLE, OURS)
    assert found.eval == textgauge.coco([OURS[image][0] for image in PEOPLE], [*PEOPLE.values()])
    assert f"CIDEr: {found.eval['CIDEr']:.3f}\n" in capsys.readouterr().out
    one = evaluated(ours, PEOPLE, OURS, images=[3])
    alone = one.imgToEval[3]
    assert (alone["image_id"], alone["Bleu_1"]) == (3, found.imgToEval[3]["Bleu_1"])
    # The others have no part in anything.
    assert ([*one.imgToEval], one.evalImgs) == ([3], [alone])
    assert one.eval["ROUGE_L"] == alone["ROUGE_L"] == found.imgToEval[3]["ROUGE_L"] != found.eval["ROUGE_L"]
    with pytest.raises(ValueError, match=r"^res\[3\]: .*got \[\]"):
        evaluated(ours, PEOPLE, OURS | {3: []})


def test_modules_of_the_package():
    pytest.importorskip("pycocoevalcap.bleu.bleu")
    for module, name in [
        ("bleu.bleu", "Bleu"), ("cider.cider", "Cider"), ("meteor.meteor", "Meteor"), ("rouge.rouge", "Rouge"),
        ("tokenizer.ptbtokenizer", "PTBTokenizer"), ("eval", "COCOEvalCap"), ("spice.spice", "Spice"),
    ]:  # fmt: skip
        mine, theirs = (getattr(import_module(f"{root}.{module}"), name) for root in (ours.__name__, "pycocoevalcap"))
        for method in ("__init__", "compute_score", "calc_score", "tokenize", "evaluate"):
            if method in vars(theirs) and method in vars(mine):
                expected = inspect.signature(getattr(theirs, method)).parameters.values()
                found = inspect.signature(getattr(mine, method)).parameters.values()
                assert [(one.name, one.default) for one in found] == [(one.name, one.default) for one in expected]


def test_spice_is_elsewhere():
    with pytest.raises(NotImplementedError, match=r"take it from pycocoevalcap\.spice\.spice"):
        import_module("textgauge.compat.pycocoevalcap.spice.spice").Spice()


def test_options_of_the_classes_change_scores(capsys):
    gts, res = {1: ["a b c d e f", "a b x"], 2: ["b a"]}, {1: ["a b d e"], 2: ["b"]}
    cider = ours.Cider(None, None, 4, 1.0).compute_score(gts, res)[0]
    assert cider == textgauge.cider(["a b d e", "b"], [*gts.values()], tokenizer="whitespace", sigma=1.0)["cider"]
    assert cider != ours.Cider().compute_score(gts, res)[0]
    scores, by_image = ours.Bleu(5).compute_score(gts, res)
    assert (len(scores), [*map(len, by_image)]) == (5, [2] * 5)
    counts, ratio = capsys.readouterr().out.splitlines()
    assert (counts, ratio[:10]) == (
        "{'testlen': 5, 'reflen': 5, 'guess': [5, 3, 2, 1, 0], 'correct': [5, 2, 0, 0, 0]}", "ratio: 0.9",
    )  # fmt: skip
    assert ours.Bleu(2).compute_score(gts, res, 0) == (scores[:2], by_image[:2])
    assert not capsys.readouterr().out
    rouge = ours.Rouge()
    before = rouge.calc_score(res[1], gts[1])
    assert before == rouge.compute_score(gts, res)[1][0]
    rouge.beta = 5.0
    assert rouge.calc_score(res[1], gts[1]) < before
    for wrong in ({"test": ["a"]}, {"refs": ["a"]}):
        with pytest.raises(ValueError, match=rf"^{[*wrong][0]}: .*got \['a'\]"):
            ours.Cider(**wrong)
    with pytest.raises(ValueError, match="^verbose: .*got 2"):
        ours.Bleu().compute_score(gts, res, 2)


def test_scores_go_to_their_image():
    gts, res = {image: [text.lower() for text in texts] for image, texts in PEOPLE.items()}, OURS
    for scorer in (ours.Bleu(), ours.Rouge(), ours.Cider()):
        expected = scorer.compute_score(gts, {image: res[image] for image in gts})
        found = scorer.compute_score(gts, res)
        assert np.array_equal(found[0], expected[0])
        assert np.array_equal(found[1], expected[1])
        turned = scorer.compute_score({image: gts[image] for image in res}, res)
        assert np.array_equal(np.array(turned[1])[..., ::-1], found[1])


def test_what_several_scores_find_is_one_warning():
    gts, res = {1: ["un caf\u00e9"], 2: ["un bus"]}, {1: ["un cafe\u0301 \u732b"], 2: [""]}
    scorers = ours.Bleu(), ours.Meteor(), ours.Rouge(), ours.Cider()
    several = [text for scorer in scorers for text in warned(scorer.compute_score, gts, res)]
    assert len(several) > len({*several})
    found = warned(textgauge.coco, [text for [text] in res.values()], [*gts.values()])
    assert sorted(found) == sorted({*several})


def test_captions_become_tokens_by_image():
    captions = {"x": [{"caption": "A man, isn't he?"}, {"caption": ""}], "y": [{"caption": "Two\rdogs."}], "z": []}
    assert ours.PTBTokenizer().tokenize(captions) == {"x": ["a man is n't he", ""], "y": ["two dogs"], "z": []}


def test_a_mean_is_rounded_as_numpys():
    gts, res = dicts(["a b c d e f g h i"[: 2 * (i % 9) + 1] for i in range(25)], [["a b c d e f g h i j k"]] * 25)
    mean, scores = ours.Rouge().compute_score(gts, res)
    assert mean == np.mean(scores) != sum(scores) / 25


def test_empty_captions():
    assert ours.Rouge().compute_score({1: [""]}, {1: [""]})[0] == 1
    assert ours.Bleu().compute_score({1: [""]}, {1: [""]})[0] == pytest.approx([0] * 4, abs=1e-3)


def test_images_must_be_the_same():
    for res in ({}, {2: ["a"]}, {1: []}, {1: ["a", "b"]}, {1: "a"}):
        with pytest.raises(ValueError, match="^res"):
            ours.Bleu().compute_score({1: ["a"]}, res)
    for gts in ({1: "abc"}, {1: []}):
        with pytest.raises(ValueError, match=r"^gts\[1\]: "):
            ours.Rouge().compute_score(gts, {1: ["a"]})
    with pytest.raises(TypeError, match="^gts: .*got None"):
        ours.Cider().compute_score(None, {1: ["a"]})
    with pytest.raises(TypeError, match=r"^captions_for_image: .*got \{1: \['a'\]\}"):
        ours.PTBTokenizer().tokenize({1: ["a"]})
    with pytest.raises(ValueError, match="^n: .*got 3"):
        ours.Cider(n=3)


# The first call makes the index of the paraphrases, which takes seconds.
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:the text is not English")
@pytest.mark.skipif(not RECORDED.exists(), reason="no ../shared/oracles")
def test_meteor_is_the_recorded_one():
    pytest.importorskip("pycocoevalcap.bleu", reason="no pycocoevalcap, which has METEOR's data")
    n = 0
    for case in json.loads(gzip.decompress(RECORDED.read_bytes()))["cases"]:
        expected = case["expected"]
        if "tokens" not in expected or "exception" in expected["meteor"]:
            continue
        score, scores = ours.Meteor().compute_score(*dicts(*expected["tokens"]))
        assert [score, *scores] == pytest.approx(
            [expected["meteor"]["corpus"], *expected["meteor"]["segments"]], abs=1e-12
        )
        if "exception" not in expected["cider"]:
            table = textgauge.coco(case["predictions"], case["references"])
            assert [*table] == ["Bleu_1", "Bleu_2", "Bleu_3", "Bleu_4", "METEOR", "ROUGE_L", "CIDEr"]
            assert table["METEOR"] == score
        n += 1
    assert n > 20


def test_missing_meteor_data(monkeypatch):
    monkeypatch.setattr(meteor, "find_spec", lambda name: None)
    with pytest.raises(FileNotFoundError, match=r"textgauge\[meteor\]"):
        textgauge.coco(["a man", "a dog"], [["a man"], ["the dog"]])
