"""The drop-in import for bert-score: its calls, with a tiny model, and its recorded figures."""

import inspect
import sys

import numpy as np
import pytest
import textgauge
from textgauge.compat import bert_score as ours

from bertscore.test_rules import texts_of

HYPS = ["the cat sat on the mat", "a dog", "sat", ""]
REFS = [["a cat sat on a mat", "the mat"], ["a dog barks"], ["the mat", "sat"], ["a cat"]]


@pytest.fixture
def theirs_of(usual):
    return {"model_type": usual["model_id"], "num_layers": usual["num_layers"], "device": "cpu"}


def same(parts, expected):
    torch = sys.modules["torch"]
    for part, name in zip(parts, ("precision", "recall", "f1"), strict=True):
        assert part.dtype == torch.float32
        assert np.abs(part.numpy() - np.array(expected[f"segment_{name}"])).max() <= 1e-6


@pytest.mark.parametrize("references", [REFS, [group[0] for group in REFS]])
@pytest.mark.parametrize("idf", [False, True, {2: 0.0, 3: 0.0, 5: 2.0}])
def test_the_function(references, idf, usual, theirs_of):
    expected = textgauge.bertscore(HYPS, references, idf=idf, per_segment=True, **usual)
    same(ours.score(HYPS, references, idf=idf, **theirs_of), expected)
    parts, code = ours.score(HYPS, references, idf=idf, return_hash=True, verbose=True, batch_size=2, **theirs_of)
    same(parts, expected)
    assert ("_idf_" if idf else "_no-idf_") in code


def test_idf_of_the_scorer(usual, theirs_of):
    texts = ["a cat", "the dog", "sat on a mat"]
    scorer = ours.BERTScorer(idf=True, idf_sents=texts, **theirs_of)
    weighted = textgauge.bertscore(HYPS, REFS, idf=texts, per_segment=True, **usual)
    same(scorer.score(HYPS, REFS), weighted)
    scorer.compute_idf(texts[1:])
    found, code = scorer.score(HYPS, REFS, return_hash=True)
    assert not np.allclose(found[2].numpy(), weighted["segment_f1"])
    assert code == scorer.hash
    assert (scorer.model_type, scorer.num_layers, scorer.idf) == (theirs_of["model_type"], 2, True)
    assert repr(scorer) == f"BERTScorer(hash={scorer.hash}, batch_size=64, nthreads=4)"
    unused = ours.BERTScorer(idf_sents=texts, **theirs_of)
    for scorer in (ours.BERTScorer(**theirs_of), unused):
        same(scorer.score(HYPS, REFS), textgauge.bertscore(HYPS, REFS, per_segment=True, **usual))
    with pytest.raises(ValueError, match="^idf: .*got none"):
        ours.BERTScorer(idf=True, **theirs_of).score(HYPS, REFS)


def test_scores_are_rescaled_by_a_file(tmp_path, usual, theirs_of):
    path = tmp_path / "baseline.csv"
    path.write_text("LAYER,P,R,F\n0,0.1,0.1,0.1\n1,0.2,0.2,0.2\n2,0.3,0.4,0.5\n")
    options = {"rescale_with_baseline": True, "baseline_path": str(path)}
    expected = textgauge.bertscore(HYPS, REFS, per_segment=True, **options, **usual)
    scorer = ours.BERTScorer(lang="en", **options, **theirs_of)
    same(scorer.score(HYPS, REFS), expected)
    assert scorer.baseline_vals.tolist() == pytest.approx([0.3, 0.4, 0.5])
    assert scorer.hash.endswith("-custom-rescaled")


def test_missing_parts_are_refused(theirs_of):
    for call in (lambda **given: ours.score(HYPS, REFS, **given), ours.BERTScorer):
        with pytest.raises(ValueError, match="^all_layers: .*got True"):
            call(all_layers=True, **theirs_of)
        with pytest.raises(ValueError, match="^model_type: .*`lang`"):
            call()
        with pytest.warns(UserWarning, match="`nthreads` changes nothing here"):
            call(nthreads=2, **theirs_of)
    for plot in (ours.plot_example, ours.BERTScorer(**theirs_of).plot_example):
        with pytest.raises(NotImplementedError, match=r"textgauge\.explain"):
            plot("a", "b")
    with pytest.raises(ValueError, match="baseline_vals"):
        _ = ours.BERTScorer(**theirs_of).baseline_vals


def test_arguments_are_those_of_the_package():
    theirs = pytest.importorskip("bert_score", reason="needs bert-score: pip install --no-deps bert-score")
    for name in ("score", "BERTScorer"):
        found, expected = (inspect.signature(getattr(one, name)).parameters.values() for one in (ours, theirs))
        assert [(one.name, one.default) for one in found] == [(one.name, one.default) for one in expected]
    found, expected = (inspect.signature(one.BERTScorer.score).parameters.values() for one in (ours, theirs))
    assert [(one.name, one.default) for one in found] == [(one.name, one.default) for one in expected]


@pytest.mark.parametrize("name", ["tiny-roberta layer 3, idf", "tiny-deberta layer 3"])
def test_recorded_figures_of_the_package(name, oracle, shared):
    case = oracle[0][name]
    model = str(shared / "oracles/bertscore" / case["model"])
    found = ours.score(
        *texts_of(case, oracle[1]), model_type=model, num_layers=case["num_layers"], idf=case["idf"], device="cpu"
    )
    same(found, {f"segment_{part}": expected for part, expected in case["expected"].items()})
