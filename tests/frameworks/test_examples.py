"""The examples of `metrics/FRAMEWORKS.md`, in the real frameworks with prepared outputs."""

import json
import subprocess
import sys

import numpy as np
import pytest
import textgauge
from textgauge.frameworks.corpus_score import CorpusScore

from frameworks.page import PREDICTIONS, REFERENCES, ROWS, TEXTS, blocks, corpus, needed, standard_error

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
ROUGE = {"rouge_types": ["rougeL"], "use_stemmer": True}


@pytest.fixture(autouse=True)
def without_network(tmp_path, monkeypatch):
    """LiteLLM, which several bring, looks for prices in the network, and writes a cache where it runs."""
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    monkeypatch.setenv("DSPY_CACHEDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def mean_rouge():
    return textgauge.rouge(*TEXTS, **ROUGE)["rougeL"]


def ran(section):
    names = {}
    for block in blocks(section):
        exec(block, names)
    return names


def test_lighteval(tmp_path, monkeypatch):
    needed("lighteval", "lighteval")
    from lighteval.logging.evaluation_tracker import EvaluationTracker
    from lighteval.metrics.utils.stderr import _bootstrap_internal
    from lighteval.models.dummy.dummy_model import DummyModel, DummyModelConfig
    from lighteval.models.model_output import ModelResponse
    from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters
    from lighteval.tasks.registry import Registry

    class Fixed(DummyModel):
        """Returns prepared outputs."""

        def greedy_until(self, docs):
            return [ModelResponse(text=[text]) for doc in docs for source, text in PREDICTIONS.items()
                    if source in doc.query]  # fmt: skip

    # One of its own tasks downloads a file when it is imported.
    monkeypatch.setattr(Registry, "_load_from_files", staticmethod(lambda *_: {}))
    monkeypatch.setattr(Registry, "_load_from_subdirs", staticmethod(lambda *_: {}))
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows/test.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    block, _ = blocks("lighteval")
    (tmp_path / "tasks.py").write_text(block)
    parameters = PipelineParameters(
        launcher_type=ParallelismManager.NONE, custom_tasks_directory="tasks.py", bootstrap_iters=20
    )
    tracker = EvaluationTracker(output_dir=str(tmp_path / "out"), save_details=True)
    pipeline = Pipeline("two_sentences|0", parameters, tracker, model=Fixed(DummyModelConfig(cache_dir=str(tmp_path))))
    pipeline.evaluate()
    pipeline.save_and_push_results()
    # Under the name of the task with the number of shots, and again as the mean over all tasks.
    [result] = (found for name, found in pipeline.get_results()["results"].items() if name.startswith("two_sentences"))
    assert result["sacrebleu"] == corpus("sacrebleu")
    assert result["rougeL_use_stemmer_True_mean"] == pytest.approx(mean_rouge(), abs=1e-12)
    # The deviation of the resamples, which lighteval divides by the root of their number.
    bleu = CorpusScore("sacrebleu")
    population = [bleu.statistics(*row) for row in zip(*TEXTS, strict=True)]
    # lighteval shuffles the documents.
    draws = [_bootstrap_internal(20, bleu.of_corpus)((order, 0)) for order in (population, population[::-1])]
    expected = [np.std(values, ddof=1) / 20**0.5 for values in draws]
    assert np.isclose(result["sacrebleu_stderr"], expected, rtol=0, atol=1e-12).any()
    of_rows = textgauge.segment_scores("rougeL(use_stemmer=True)", *TEXTS)
    expected = np.std(of_rows, ddof=1) / len(of_rows) ** 0.5
    assert result["rougeL_use_stemmer_True_mean_stderr"] == pytest.approx(expected, abs=1e-12)
    assert [*tmp_path.glob("out/details/**/*.parquet")]


def test_generations_of_lighteval():
    needed("lighteval", "lighteval")
    from lighteval.metrics import apply_metric
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc
    from textgauge.frameworks.lighteval import corpus_metric, sample_metric

    doc = Doc(query="", choices=REFERENCES["eins"], gold_index=[0, 1])
    texts = [PREDICTIONS["eins"], "a dog"]
    pooled, mean = corpus_metric("chrf"), sample_metric("chrf")
    other = corpus_metric("chrf(word_order=2)")
    [found] = apply_metric([ModelResponse(text=texts)], [doc], [pooled, mean, other])
    assert {"chrf", "chrf_mean", "chrf_word_order_2"} <= found.keys()
    expected = textgauge.chrf(texts, [REFERENCES["eins"]] * 2)["chrf"]
    assert pooled.get_corpus_aggregations()["chrf"]([found["chrf"]]) == expected
    assert found["chrf_mean"] == textgauge.segment_scores("chrf", texts, [REFERENCES["eins"]] * 2).mean()
    assert (mean.higher_is_better, corpus_metric("ter").higher_is_better) == (True, False)


@pytest.fixture
def inspected(tmp_path):
    needed("inspect_ai", "inspect-ai")
    from inspect_ai import eval as evaluate
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    def inspected(task, epochs):
        # Without a usage it counts tokens with a file that it downloads.
        outputs = [
            ModelOutput(choices=[{"message": {"role": "assistant", "content": text}}], usage=ModelUsage())
            for text in [*PREDICTIONS.values()] * epochs
        ]
        model = get_model("mockllm/model", custom_outputs=outputs)
        [log] = evaluate(
            task, model=model, epochs=epochs, display="none", log_dir=str(tmp_path), max_samples=1, max_connections=1
        )
        return log

    return inspected


def metrics_in(log):
    return {one.name: {name: metric.value for name, metric in one.metrics.items()} for one in log.results.scores}


@pytest.mark.parametrize("epochs", [1, 2])
def test_inspect_ai(inspected, epochs):
    from inspect_ai import score
    from inspect_ai.log import read_eval_log
    from textgauge.frameworks.inspect_ai import scorer

    log = inspected(ran("inspect-ai")["task"], epochs)
    assert log.status == "success"
    found = metrics_in(log)
    assert found["sacrebleu"]["corpus"] == corpus("sacrebleu")
    assert found["sacrebleu"]["corpus_stderr"] == pytest.approx(standard_error("sacrebleu"), abs=1e-9)
    assert found["rougeL_use_stemmer_True"]["corpus"] == pytest.approx(mean_rouge(), abs=1e-12)
    values = [sample.scores["sacrebleu"].value for sample in log.samples if sample.epoch == 1]
    assert values == textgauge.segment_scores("sacrebleu", *TEXTS).tolist()
    again = score(read_eval_log(log.location), scorer("chrf"), action="overwrite", display="none")
    assert metrics_in(again)["chrf"]["corpus"] == corpus("chrf")


DEFINED = """
from inspect_ai import Task, task
from inspect_ai.dataset import Sample

@task
def mine():
    return Task(dataset=[Sample(input=key, target=text) for key, text in TARGETS.items()], scorer=[stemmed()])
"""


def test_inspect_score_in_a_process_of_its_own(inspected, tmp_path, monkeypatch):
    """By the name of a score; and without a name by a scorer that the file of the task defines."""
    needed("inspect_ai", "inspect-ai")
    from inspect_ai.log import read_eval_log

    monkeypatch.chdir(tmp_path)
    _, defined = blocks("inspect-ai")
    (tmp_path / "task.py").write_text(f"{defined}\nTARGETS = {REFERENCES!r}\n{DEFINED}")
    log = inspected("task.py", 1)
    [found] = metrics_in(log).values()
    assert found["corpus"] == pytest.approx(mean_rouge(), abs=1e-12)
    for words in (["--scorer", "textgauge/rougeL", "-S", "use_stemmer=true"], []):
        command = [sys.executable, "-m", "inspect_ai", "score", log.location, *words]
        command += ["--action", "overwrite", "--output-file", str(tmp_path / f"{len(words)}.eval")]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout + done.stderr
        [again] = metrics_in(read_eval_log(str(tmp_path / f"{len(words)}.eval"))).items()
        assert again == ("rougeL" if words else "stemmed", found)


def test_samples_without_a_score_are_left_out():
    needed("inspect_ai", "inspect-ai")
    from inspect_ai.scorer import SampleScore, Score
    from textgauge.frameworks.inspect_ai import corpus as corpus_of

    unscored = SampleScore(score=Score.unscored(), sample_id=1)
    statistics = CorpusScore("bleu").statistics("a b c d", ["a b c d"])
    scored = SampleScore(score=Score(value=1.0, metadata={"statistics": statistics}), sample_id=2)
    assert corpus_of("bleu")([unscored, scored]) == 1
    assert str(corpus_of("bleu")([unscored])) == "nan"


def test_mlflow(tmp_path, monkeypatch):
    mlflow = needed("mlflow", "mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri(tmp_path.as_uri())
    mlflow.set_experiment("example")
    names = ran("MLflow")
    found = names["evaluated"]
    assert found.metrics == {"sacrebleu": corpus("sacrebleu"), "ter": corpus("ter")}
    [table] = found.tables.values()
    # Stored with ten digits.
    expected = textgauge.segment_scores("sacrebleu", *TEXTS).tolist()
    assert table["sacrebleu/score"].tolist() == pytest.approx(expected, abs=1e-9)
    rows = [
        {"inputs": {"question": source}, "outputs": text, "expectations": {"expected_response": REFERENCES[source]}}
        for source, text in PREDICTIONS.items()
    ]
    assert [
        names["rouge_l"](outputs=row["outputs"], expectations=row["expectations"]) for row in rows
    ] == textgauge.segment_scores("rougeL", *TEXTS).tolist()


def test_dspy():
    needed("dspy", "dspy")
    names = ran("DSPy")
    assert names["bleu"].corpus(names["evaluated"]) == corpus("sacrebleu")
    dspy = names["dspy"]
    failed = dspy.Example(question="drei", answer="two birds").with_inputs("question")
    evaluated = dspy.Evaluate(devset=[*names["devset"], failed], metric=names["bleu"])(names["Program"]())
    texts = [*TEXTS[0], ""], [*TEXTS[1], ["two birds"]]
    assert names["bleu"].corpus(evaluated) == textgauge.sacrebleu(*texts)["sacrebleu"]
    # As GEPA calls it.
    assert (
        names["Metric"]("ter")(dspy.Example(answer="a cat"), dspy.Prediction(answer="a dog"), None, None, None) == 0.5
    )


def test_the_command_line_of_sacrebleu(tmp_path):
    needed("sacrebleu", "compat")
    (tmp_path / "system.txt").write_text("".join(f"{text}\n" for text in PREDICTIONS.values()))
    (tmp_path / "references.txt").write_text("".join(f"{texts[0]}\n" for texts in REFERENCES.values()))
    [line] = blocks("sacreBLEU's command line", "sh")
    prefix, _, arguments = line.partition("textgauge.compat.sacrebleu ")
    assert prefix == "python -m "
    systems = [*arguments.split(), "-f", "text", "--paired-bs"]
    systems.insert(systems.index("system.txt"), "references.txt")
    for given in (arguments.split(), [*arguments.split(), "-sl", "-m", "bleu"], systems, ["--help"], ["--nothing"]):
        both = [
            subprocess.run(
                [sys.executable, "-m", tool, *given], cwd=tmp_path, capture_output=True, text=True, check=False
            )
            for tool in ("textgauge.compat.sacrebleu", "sacrebleu")
        ]
        assert (both[0].returncode, both[0].stdout) == (both[1].returncode, both[1].stdout)
        assert both[0].stdout or both[0].returncode == 2


def test_other_frameworks():
    ran("Others")
