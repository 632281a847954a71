"""The aggregations for lm-evaluation-harness that the card of `sacrebleu` shows, in a task of it."""

import json
import re

import pytest
import textgauge
from conftest import ROOT

CARD = (ROOT / "metrics/sacrebleu/README.md").read_text()
SECTION = CARD.partition("### lm-evaluation-harness\n")[2].partition("\n## ")[0]
ROWS = [
    {"source": "eins", "references": ["the cat sat on the mat", "a cat sat on a mat"]},
    {"source": "zwei", "references": ["the dog barks at night"]},
]
OUTPUTS = {"eins": "the cat sat on a mat", "zwei": "a dog barks at night"}
TASK = """\
task: two_sentences
dataset_path: json
dataset_kwargs:
  data_files:
    test: {rows}
test_split: test
output_type: generate_until
doc_to_text: "{{{{source}}}}"
doc_to_target: "{{{{references[0]}}}}"
"""


def fenced(language):
    [block] = re.findall(rf"^```{language}\n(.*?)^```$", SECTION, re.M | re.S)
    return block


def test_it_scores_the_corpus_and_not_the_mean_of_its_sentences():
    names = {}
    exec(fenced("python"), names)
    items = [names["process_results"](row, [OUTPUTS[row["source"]]])["bleu"] for row in ROWS]
    predictions, references = [*OUTPUTS.values()], [row["references"] for row in ROWS]
    result = textgauge.bleu(predictions, references, preset="sacrebleu", per_segment=True)
    assert names["corpus_bleu"](items) == 100 * result["bleu"]
    low, high = textgauge.sacrebleu(predictions, references, confidence=0.6827)["confidence_interval"]
    assert names["standard_error"](items) == (high - low) / 2 > 0
    assert abs(result["bleu"] - sum(result["segment_bleu"]) / 2) > 0.01


@pytest.mark.filterwarnings("ignore")
def test_a_task_reports_it(tmp_path, monkeypatch):
    pytest.importorskip("lm_eval", reason="lm_eval is missing: pip install lm_eval")
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager
    from lm_eval.utils import make_table

    class Fixed(LM):
        """Returns prepared outputs."""

        def generate_until(self, requests, **_):
            return [OUTPUTS[request.args[0]] for request in requests]

        def loglikelihood(self, requests, **_):
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    (tmp_path / "utils.py").write_text(fenced("python"))
    (tmp_path / "two_sentences.yaml").write_text(TASK.format(rows=rows) + fenced("yaml"))
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    tasks = TaskManager(include_path=str(tmp_path), include_defaults=False)
    evaluated = simple_evaluate(
        model=Fixed(), tasks=["two_sentences"], task_manager=tasks, bootstrap_iters=10, log_samples=False
    )
    expected = textgauge.bleu([*OUTPUTS.values()], [row["references"] for row in ROWS], preset="sacrebleu")["bleu"]
    result = evaluated["results"]["two_sentences"]
    assert result["bleu,none"] == pytest.approx(100 * expected, abs=1e-9)
    assert 0 < result["bleu_stderr,none"] < 50
    [row] = [line for line in make_table(evaluated).splitlines() if "two_sentences" in line]
    shown = [cell.strip() for cell in row.split("|")]
    assert float(shown[shown.index("±") + 1]) == pytest.approx(result["bleu_stderr,none"], abs=1e-4)
