"""What BERTScore alone has: keys of a result, the hash code of its module, idf of whole files, marks of words."""

import re

import pytest
import textgauge
from quick import first
from textgauge.explanation.explainer import explainer_of

HYPS = ["the cat sat on the mat", "a dog", "one, two", "sat", ""]
REFS = ["a cat sat on a mat", "a dog barks", "one two three", "the mat", "a cat"]


def test_the_card_says_what_happens(folder, run_card):
    assert run_card("bertscore", {"tiny-bert": folder}) == 5


def test_results_and_those_of_the_module(usual):
    result = textgauge.bertscore(HYPS, REFS, per_segment=True, **usual)
    assert [type(result[key]) for key in ("precision", "recall", "f1")] == [float] * 3
    assert result["segment_f1"][-1] == 0
    metric = textgauge.load("bertscore", model_type=usual["model_id"], num_layers=2)
    module = metric.compute(predictions=HYPS, references=REFS, lang="en", device="cpu", batch_size=8, verbose=False)
    assert [*module] == ["precision", "recall", "f1", "hashcode"]
    assert re.fullmatch(r".*tiny-bert_L2_no-idf_version=textgauge-\S+\(hug_trans=\S+\)", module["hashcode"])


@pytest.mark.parametrize("n_bytes", first(1, [8, 1 << 20]))
def test_it_is_on_the_command_line(usual, tmp_path, block_bytes, n_bytes):
    from click.testing import CliRunner
    from textgauge.cli.main import main

    # However small the blocks, idf counts in all references.
    block_bytes(n_bytes)

    for name, texts in (("h.txt", HYPS), ("r.txt", REFS)):
        (tmp_path / name).write_text("\n".join(texts) + "\n")
    files = ["-p", str(tmp_path / "h.txt"), "-r", str(tmp_path / "r.txt")]
    options = ["-m", "bertscore", f"model_id={usual['model_id']}", "num_layers=2"]
    result = CliRunner().invoke(main, ["score", *files, *options, "--idf", "--brief", "--width", "4"])
    assert result.exit_code == 0, result.output
    expected = textgauge.bertscore(HYPS, REFS, idf=True, **usual)
    assert f"{expected['f1']:.4f}" in result.output


def test_calculation_of_a_pair(usual):
    for refs in ("a cat sat", ["a cat sat", "the mat"]):
        whole = textgauge.explain(["the cat"], [refs], metric=textgauge.BertScore(**usual))
        expected = textgauge.bertscore(["the cat"], [refs], **usual)
        assert whole.score == expected["f1"]
        assert [step.label for step in whole.steps[:2]] == ["prediction", "reference"]
        assert whole.steps[0].examples[0].startswith("the → ")
        accumulator = textgauge.BertScore(**usual).update(["the cat"], [refs])
        of_parts = {
            key: explainer_of(accumulator.metric).derivation(key, accumulator.total(), None).score
            for key in accumulator.metric.scores.keys
        }
        assert of_parts == expected
