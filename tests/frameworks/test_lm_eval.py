"""The functions for lm-evaluation-harness that `metrics/FRAMEWORKS.md` shows, in a task of it."""

import importlib
import json
import sys

import evaluate
import pytest
import textgauge

from frameworks.page import PREDICTIONS, ROWS, TEXTS, blocks, corpus, needed, standard_error

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


[MODULE], [METRICS] = (blocks("lm-evaluation-harness", language) for language in ("python", "yaml"))


def test_scores_the_corpus():
    names = {}
    exec(MODULE, names)
    items = [names["process_results"](row, [PREDICTIONS[row["source"]]])["sacrebleu"] for row in ROWS]
    assert names["corpus_bleu"](items) == corpus("sacrebleu")
    assert names["standard_error"](items) == pytest.approx(standard_error("sacrebleu"), abs=1e-9)
    assert abs(corpus("sacrebleu") - textgauge.segment_scores("sacrebleu", *TEXTS).mean()) > 1


@pytest.mark.filterwarnings("ignore")
def test_a_task_reports_it(tmp_path, monkeypatch):
    needed("lm_eval", "lm-eval")
    from lm_eval import simple_evaluate
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager
    from lm_eval.utils import make_table

    class Fixed(LM):
        """Returns prepared outputs."""

        def generate_until(self, requests, **_):
            return [PREDICTIONS[request.args[0]] for request in requests]

        def loglikelihood(self, requests, **_):
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    (tmp_path / "utils.py").write_text(MODULE)
    (tmp_path / "two_sentences.yaml").write_text(TASK.format(rows=rows) + METRICS)
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    tasks = TaskManager(include_path=str(tmp_path), include_defaults=False)
    evaluated = simple_evaluate(
        model=Fixed(), tasks=["two_sentences"], task_manager=tasks, bootstrap_iters=10, log_samples=False
    )
    result = evaluated["results"]["two_sentences"]
    assert result["sacrebleu,none"] == corpus("sacrebleu")
    assert result["sacrebleu_stderr,none"] == pytest.approx(standard_error("sacrebleu"), abs=1e-9)
    [row] = [line for line in make_table(evaluated).splitlines() if "two_sentences" in line]
    shown = [cell.strip() for cell in row.split("|")]
    assert float(shown[shown.index("±") + 1]) == pytest.approx(result["sacrebleu_stderr,none"], abs=1e-4)


@pytest.mark.parametrize("task", ["humaneval", "mbpp"])
def test_tasks_of_programs_run_with_the_path_changed(task, monkeypatch):
    """Their files load the metric when they are imported, and run a program to see whether that is allowed."""
    pytest.importorskip("lm_eval", reason='lm-eval is missing: pip install -e ".[lm-eval]"')
    loads = evaluate.load
    monkeypatch.setattr(evaluate, "load", lambda name: loads(textgauge.path(name)))
    monkeypatch.delitem(sys.modules, name := f"lm_eval.tasks.{task}.utils", raising=False)
    utils = importlib.import_module(name)
    tests = ["assert add(2, 3) == 5"]
    candidates = [["def add(a, b):\n    return a * b", "def add(a, b):\n    return a + b"]]
    if task == "humaneval":
        assert utils.pass_at_k(tests, candidates, k=[1, 2]) == {"pass@1": 0.5, "pass@2": 1.0}
    else:
        assert utils.pass_at_1(tests, candidates) == 0.5
