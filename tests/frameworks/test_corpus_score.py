"""Statistics per sample and a score per corpus, against calls with all texts; what is imported, and what is missing."""

import importlib
import json
import pickle
import re
import subprocess
import sys
from itertools import pairwise
from types import ModuleType
from types import SimpleNamespace as Fields

import numpy as np
import pytest
import textgauge
from hypothesis import given, settings
from quick import examples, first
from strategies import assigned_corpora
from textgauge.accumulation.named_score import NamedScore
from textgauge.checks import line_to_install
from textgauge.frameworks.corpus_score import CorpusScore
from textgauge.frameworks.dspy import Metric
from textgauge.frameworks.lm_eval import corpus_metric
from textgauge.rewards import Reward
from tiny_models import save_encoder

from frameworks.page import blocks, standard_error

METRICS = {
    "bleu": {}, "sacrebleu": {"tokenizer": "char"}, "chrf": {"word_order": 2}, "ter": {}, "token_f1": {},
    "rouge2": {"use_stemmer": True}, "rouge": {}, "squad": {},
}  # fmt: skip
# The keys of those whose name is none.
KEYS = {"rouge2": "rouge2", "rouge": "rougeL", "token_f1": "f1", "squad": "f1"}
FRAMEWORKS = {"lighteval": "lighteval", "inspect_ai": "inspect-ai", "mlflow": "mlflow"}


def in_one_call(name, predictions, references, **options):
    if name.startswith("rouge"):
        options["rouge_types"] = [KEYS[name]]
    return getattr(textgauge, "rouge" if name.startswith("rouge") else name)(predictions, references, **options)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", METRICS)
@settings(max_examples=examples(25), deadline=None)
@given(corpus=assigned_corpora)
def test_scores_are_those_of_the_texts(name, corpus):
    predictions, references = [text for text, _ in corpus], [texts for _, texts in corpus]
    named = NamedScore(name, METRICS[name])
    score, key = CorpusScore(named), KEYS.get(name, name)
    # As a log stores and a process gets them.
    samples = json.loads(json.dumps([score.statistics(*pair) for pair in corpus]))
    score = pickle.loads(pickle.dumps(score))
    assert [score.statistics(*pair) for pair in corpus] == samples
    assert score.of_corpus(samples) == in_one_call(name, predictions, references, **METRICS[name])[key]
    of_each = textgauge.segment_scores(named, predictions, references)
    assert [score.of_sample(one) for one in samples] == of_each.tolist()


@pytest.mark.parametrize("name", ["bleu", "rougeL", "ter", "chrf", "sacrebleu"])
def test_standard_error(name):
    predictions, references = ["a b c d", "a b d c", "x y z", "a b c d e"], ["a b c d"] * 4
    score = CorpusScore(name)
    samples = [score.statistics(*pair) for pair in zip(predictions, references, strict=True)]
    assert score.standard_error(samples) == pytest.approx(standard_error(name, (predictions, references)), abs=1e-9)
    # Samples of one group are drawn together, of as many as there are.
    expected = standard_error(name, (predictions, references), groups := [0, 1, 0, 2])
    assert score.standard_error(samples, groups) == pytest.approx(expected, abs=1e-9)
    assert np.isnan(score.standard_error(samples[:1]))
    assert np.isnan(score.standard_error(samples, ["one"] * 4))


@pytest.mark.parametrize(("options", "scores"), [({}, [0.5, 0.75]), ({"rouge_types": ["rouge1"]}, [1.0, 1.0])])
def test_what_is_given_goes_before_what_one_score_implies(options, scores):
    score = CorpusScore(NamedScore("rouge", options))
    samples = [score.statistics("b a", "a b"), score.statistics("c", "c")]
    assert [score.of_sample(samples[0]), score.of_corpus(samples)] == scores


def test_a_copy_has_the_options():
    score = pickle.loads(pickle.dumps(CorpusScore("bleu(max_order=2)")))
    assert score.statistics("a b c", "a b d") == [[2, 1, 3, 2, 3, 3]]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("perplexity", {}, "^metric: .*got 'perplexity'"),
        ("rouge", {"rouge_types": ["rouge1", "rouge2"]}, "^metric: .*score"),
        ("bleu", {"preset": "nltk", "smoothing": "chen-cherry-5"}, "intervals, comparisons and sums"),
    ],
)
def test_refused_metrics(name, options, message):
    with pytest.raises(ValueError, match=message):
        CorpusScore(NamedScore(name, options))


def test_a_metric_with_a_model(tmp_path):
    pytest.importorskip("transformers", reason='transformers is missing: pip install -e ".[bertscore]"')
    save_encoder(tmp_path)
    options = {"model_id": str(tmp_path), "num_layers": 2}
    predictions, references = ["a cat sat", "the dog"], [["the cat sat"], ["a dog", "the dog"]]
    score = CorpusScore(textgauge.BertScore(**options))
    samples = [score.statistics(*pair) for pair in zip(predictions, references, strict=True)]
    expected = textgauge.segment_scores(textgauge.BertScore(**options), predictions, references)
    assert [score.of_sample(one) for one in samples] == pytest.approx(expected.tolist(), abs=1e-5)
    assert score.of_corpus(samples) == pytest.approx(expected.mean(), abs=1e-5)
    with pytest.raises(ValueError, match="^idf: .*got True"):
        CorpusScore(textgauge.BertScore(idf=True, **options))
    textgauge.models.clear_models()


def test_no_samples_are_refused():
    with pytest.raises(ValueError, match="at least one segment"):
        CorpusScore("bleu").of_corpus([])


def test_fields_of_dspy():
    equal = Metric("exact_match")
    pairs = [(42, 42), (["a", 42], "42"), (4.5, "4.5"), (True, "True"), (42, None), (42, {}), (None, "a")]
    rewards = [equal(Fields(answer=one), Fields(answer=other)) for one, other in pairs]
    assert rewards == [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0]
    results = [(Fields(answer=42), Fields(answer=42), 1.0), (Fields(answer="a"), Fields(answer=None), 0.0)]
    assert equal.corpus(Fields(results=results)) == 0.5
    assert equal.corpus(Fields(results=[(Fields(answer="None"), {}, 0.0)])) == 0.0
    with pytest.raises(ValueError, match=r"^results\[1\].answer: .*got None"):
        equal.corpus(Fields(results=[results[0], (Fields(answer=None), Fields(answer="a"), 0.0)]))
    for fields, argument in (
        ((Fields(x="a"), Fields(answer="a")), "reference"),
        ((Fields(answer="a"), Fields()), "pred"),
    ):
        with pytest.raises(ValueError, match=f"^{argument}.*: .*got 'answer'"):
            equal(*fields)


def test_several_responses_in_lm_evaluation_harness():
    """As the filter take_first_k leaves them."""
    process_results, corpus, standard_error = corpus_metric("rougeL", references="r")
    docs = [({"r": "a cat"}, ["a cat", "a dog"]), ({"r": "a"}, ["b", "a"]), ({"r": "x"}, ["y", "y"])]
    items = [process_results(doc, [responses])["rougeL"] for doc, responses in docs]
    assert corpus(items) == (1 + 0.5 + 0 + 1 + 0 + 0) / 6
    score = CorpusScore("rougeL")
    flat = [score.statistics(text, doc["r"]) for doc, responses in docs for text in responses]
    assert standard_error(items) == score.standard_error(flat, [0, 0, 1, 1, 2, 2]) > 0
    assert corpus([process_results({"r": "a cat"}, ["a dog", "a cat"])["rougeL"]]) == 0.5


def test_rows_of_mlflow(monkeypatch):
    made = Fields(make_metric=lambda **given: given["eval_fn"], MetricValue=lambda scores, **_: scores)
    monkeypatch.setitem(sys.modules, "mlflow", Fields(metrics=made))
    monkeypatch.setitem(sys.modules, "mlflow.metrics", made)
    monkeypatch.delitem(sys.modules, "textgauge.frameworks.mlflow", raising=False)
    module = importlib.import_module("textgauge.frameworks.mlflow")
    # Without monkeypatch, which would put it back for other tests.
    del sys.modules["textgauge.frameworks.mlflow"]
    of_rows = module.metric("exact_match")
    assert of_rows(["a", 42, "b"], ["a", "42", ["c", "b"]], {}) == [1.0, 1.0, 1.0]
    for predictions, targets, where in ((["a", None], ["a", "b"], "predictions"), (["a"] * 2, ["a", None], "targets")):
        with pytest.raises(TypeError, match=rf"^{where}\[1\]: .*got None"):
            of_rows(predictions, targets, {})


def test_metrics_of_lighteval(monkeypatch):
    """Their names, directions and scores, with what is called in the place of lighteval."""
    made = Fields(
        CorpusLevelComputation=object, SampleLevelComputation=object, SamplingMethod=Fields(GENERATIVE="generated"),
        CorpusLevelMetric=lambda *given: given, SampleLevelMetric=lambda *given: given,
    )  # fmt: skip
    parts = ("", ".metrics", ".metrics.metrics_corpus", ".metrics.metrics_sample", ".metrics.utils")
    for name in (*parts, ".metrics.utils.metric_utils", ".tasks", ".tasks.requests"):
        monkeypatch.setitem(sys.modules, f"lighteval{name}", made)
    monkeypatch.delitem(sys.modules, "textgauge.frameworks.lighteval", raising=False)
    module = importlib.import_module("textgauge.frameworks.lighteval")
    del sys.modules["textgauge.frameworks.lighteval"]
    doc, response = Fields(get_golds=lambda: ["a b", "c d"]), Fields(final_text=["a b", "c", "x y z"])
    for options, pooled_name, mean_name in (({}, "ter", "ter_mean"), ({"name": "mine"}, "mine", "mine")):
        name, higher, method, counts, corpus = module.corpus_metric("ter", **options)
        assert (name, higher, method) == (pooled_name, False, "generated")
        # Edits of 0, 1 and 3 for two words each.
        assert corpus.compute_corpus([counts.compute(doc, response)]) == 100 * (4 / 6)
        name, higher, method, mean, over_samples = module.sample_metric("ter", **options)
        assert (name, higher, method, over_samples) == (mean_name, False, "generated", np.mean)
        assert mean.compute(doc, response) == pytest.approx((0 + 50 + 150) / 3)
    assert module.corpus_metric("chrf(word_order=2)")[:2] == ("chrf_word_order_2", True)


def test_samples_of_inspect_ai_are_drawn_with_their_epochs(monkeypatch):
    def of_function(function):
        return function

    made = Fields(Score=Fields, metric=lambda *_, **__: of_function, scorer=lambda **_: of_function)
    monkeypatch.setitem(sys.modules, "inspect_ai", Fields(scorer=made))
    monkeypatch.setitem(sys.modules, "inspect_ai.scorer", made)
    monkeypatch.delitem(sys.modules, "textgauge.frameworks.inspect_ai", raising=False)
    module = importlib.import_module("textgauge.frameworks.inspect_ai")
    del sys.modules["textgauge.frameworks.inspect_ai"]
    score, texts = CorpusScore("chrf"), [("a cat", "one"), ("a dog", "two"), ("a cats", "one"), ("x", "two")]
    rows, ids = [score.statistics(text, "a cat sat") for text, _ in texts], [name for _, name in texts]
    samples = [
        Fields(score=Fields(metadata={"statistics": row, "metric": "chrf"}), sample_id=name)
        for row, name in zip(rows, ids, strict=True)
    ]
    # Of samples that failed there is nothing.
    failed = [Fields(score=Fields(metadata=metadata), sample_id="three") for metadata in (None, {})]
    for named in ("chrf", None):
        given = [failed[0], *samples, failed[1]]
        assert module.corpus(named)(given) == score.of_corpus(rows)
        assert module.corpus_stderr(named)(given) == score.standard_error(rows, ids) != score.standard_error(rows)
        assert np.isnan([module.corpus(named)(failed), module.corpus_stderr(named)(failed)]).all()


def run(program):
    return subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_no_framework_is_imported_with_the_package():
    program = "import sys, textgauge.frameworks.corpus_score, textgauge.frameworks.lm_eval, textgauge.frameworks.dspy\n"
    found = run(program + f"print([name for name in {[*FRAMEWORKS, 'lm_eval', 'dspy']} if name in sys.modules])")
    assert found.stdout == "[]\n", found.stderr


ABSENT = """
import sys
from types import SimpleNamespace as Fields


class Absent:
    def find_spec(name, *_):
        if name == "{name}":
            raise ModuleNotFoundError(name=name)


sys.meta_path.insert(0, Absent)
import textgauge.frameworks.{name}
"""


@pytest.mark.parametrize("name", first(1, FRAMEWORKS))
def test_missing_framework(name):
    last = run(ABSENT.format(name=name)).stderr.splitlines()[-1]
    assert last == f"ImportError: {name} is not installed: {line_to_install(FRAMEWORKS[name])}"


def test_the_examples_of_mathematics_and_documents():
    names = {}
    [block] = blocks("Mathematics and documents")
    exec(block, names)
    assert "grounded" in names


def test_a_metric_without_references_reads_a_source(tmp_path):
    pytest.importorskip("torch", reason="needs what the extra consistency brings")
    from textgauge.frameworks.lm_eval import corpus_metric
    from tiny_models import save_pair_model

    save_pair_model(tmp_path)
    process, of_corpus, _ = corpus_metric(
        textgauge.Consistency(model_id=str(tmp_path)), references=None, source="context", name="consistency"
    )
    rows = [("the cat sat", "the cat sat on the mat"), ("a dog barks", "one dog")]
    items = [process({"context": document}, [text])["consistency"] for text, document in rows]
    texts, documents = zip(*rows, strict=True)
    expected = textgauge.consistency(texts, sources=documents, model_id=tmp_path)["consistency"]
    assert of_corpus(items) == pytest.approx(expected, abs=1e-6)
    textgauge.models.clear_models()


def test_two_scores_of_one_metric_have_two_names():
    assert [CorpusScore(score).name for score in ("chrf", "chrf(word_order=2)")] == ["chrf", "chrf_word_order_2"]
    named = CorpusScore("bleu(tokenizer='zh')", "mine")
    assert named.name == pickle.loads(pickle.dumps(named)).name == "mine"
    assert CorpusScore("bleu(tokenizer='zh')").name == "bleu_tokenizer_zh"
    with pytest.raises(TypeError, match="^name: .*got ''"):
        CorpusScore("bleu", "")
    rewards = [Reward("chrf"), Reward("chrf(word_order=2)"), Reward(["chrf", "chrf(word_order=2)"], name="both")]
    assert [reward.__name__ for reward in rewards] == ["chrf", "chrf_word_order_2", "both"]
    assert rewards[2].names == ("chrf", "chrf_word_order_2")
    # A list of words, as it was.
    assert CorpusScore("rougeL(use_stemmer=True, beta=1.5)").name == "rougeL_use_stemmer_True_beta_1.5"


PATTERNS = [
    "a|b", "a&b", "a_b", "a b", "a", "a+", " a", "(a)", "-a", "a, b", "['a', 'b']", "<a>", "a'b", 'a"b', "é", "e",
]  # fmt: skip


def test_signs_of_options_are_not_lost_in_names():
    """Of a pattern, which differs in signs alone; frameworks would show one of two scores with one name."""
    scores = [NamedScore("exact_match", {"regexes_to_ignore": [pattern]}) for pattern in PATTERNS]
    scores += [NamedScore("exact_match", {"regexes_to_ignore": [*both]}) for both in pairwise(PATTERNS)]
    scores += [NamedScore("exact_match"), NamedScore("exact_match", {"ignore_case": True})]
    names = [score.plain_name for score in scores]
    assert len({*names}) == len(names)
    assert all(re.fullmatch(r"[\w.-]+", name) for name in names)
    assert names[PATTERNS.index("a")] == "exact_match_regexes_to_ignore_a"
    assert names[0] == CorpusScore(scores[0]).name == Reward(str(scores[0])).__name__
    # The same in another process.
    assert names[0] == "exact_match_regexes_to_ignore_a_b_5af96515"
    # MLflow takes these; a name of TRL is part of a path.
    assert all(re.fullmatch(r"[/\w.\- :]+", name) and "/" not in name for name in names)


class _StandIn:
    """What `make_metric` of MLflow is given, and a table of results by name as `evaluate` fills it."""

    def __init__(self, eval_fn, greater_is_better, name):
        self.eval_fn, self.greater_is_better, self.name = eval_fn, greater_is_better, name


def test_names_that_mlflow_is_given(monkeypatch):
    """Without MLflow: two metrics of one name would be one column."""
    module = ModuleType("mlflow.metrics")
    module.make_metric = _StandIn
    module.MetricValue = lambda scores, aggregate_results: Fields(scores=scores, aggregate_results=aggregate_results)
    monkeypatch.setitem(sys.modules, "mlflow", ModuleType("mlflow"))
    monkeypatch.setitem(sys.modules, "mlflow.metrics", module)
    monkeypatch.delitem(sys.modules, "textgauge.frameworks.mlflow", raising=False)
    try:
        metric = importlib.import_module("textgauge.frameworks.mlflow").metric
        made = [metric("chrf"), metric("chrf(word_order=2)"), metric("ter"), metric("chrf(word_order=2)", name="x")]
        found = {one.name: one.eval_fn(["a b c", "a"], ["a b d", "b"], {}) for one in made}
    finally:
        sys.modules.pop("textgauge.frameworks.mlflow", None)
    scores = {"chrf": "chrf", "chrf_word_order_2": "chrf(word_order=2)", "ter": "ter", "x": "chrf(word_order=2)"}
    assert [*found] == [*scores]
    for (name, value), score in zip(found.items(), map(CorpusScore, scores.values()), strict=True):
        samples = [score.statistics("a b c", "a b d"), score.statistics("a", "b")]
        assert value.scores == [*map(score.of_sample, samples)]
        assert value.aggregate_results == {name: score.of_corpus(samples)}
    assert [one.greater_is_better for one in made] == [True, True, False, True]


def test_names_that_trl_logs():
    """Under ``rewards/NAME/mean``, by the attribute `__name__` of each function."""
    functions = [Reward("chrf"), Reward("chrf(word_order=2)"), Reward(["chrf", "ter"]), Reward("chrf", name="mine"),
                 Reward("chrf", group="mbr"), Reward("chrf", group="diversity")]  # fmt: skip
    logged = {}
    for function in functions:
        group = {} if function.group is None else {"prompts": ["p", "p"]}
        rewards = function(
            completions=["a b c", "a b"], answer=["a b d", "a b"], log_metric=logged.__setitem__, **group
        )
        logged[f"rewards/{function.__name__}/mean"] = sum(rewards) / 2
    names = ["chrf", "chrf_word_order_2", "chrf+ter", "mine", "chrf+mbr", "chrf+diversity"]
    assert [name for name in logged if name.endswith("/mean")] == [f"rewards/{name}/mean" for name in names]
    assert {name.split("/")[1] for name in logged} == {*names}
    assert {"rewards/chrf+ter/chrf", "rewards/chrf+ter/ter"} <= {*logged}


def test_a_standard_error_is_on_the_scale_of_its_score():
    for metric in ("exact_match", "squad", "token_f1", "chrf"):
        score = CorpusScore(metric)
        samples = [score.statistics(text, ["x"]) for text in "xyxy" * 10]
        largest = score.of_corpus([score.statistics("x", ["x"])])
        # Half of the answers are right: 0.5 / sqrt(40) of the scale.
        assert score.standard_error(samples) == pytest.approx(largest * 0.5 / 40**0.5, rel=0.15), metric
