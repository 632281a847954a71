"""What the pages of metrics and comparisons ask for and answer, without a browser."""

from pathlib import Path

import pytest
import textgauge
from declared import COUNTED, main_of
from option_values import WITH_A_MODEL
from textgauge.accumulation.registry import METRICS
from textgauge.apps.inputs import choices_of, value_of
from textgauge.apps.page import page
from textgauge.apps.tasks import ComparisonTask, MetricTask, ModuleTask, SetTask
from textgauge.explanation.derivation import figure
from textgauge.locations import COMPARISONS, DEFAULT
from textgauge.options import options_of
from textgauge.report import explain_page

FIRST = ["a dog barks", "a cat sits here", "it rains", "who knows what", "she read", "we were too late"]
SECOND = ["the dog barks", "a cat sat here", "it will rain", "who knows", "she reads", "we is late"]
REFERENCES = ["the dog barks", "a cat sat here", "it will rain", "who knows what", "she reads", "we are late"]


@pytest.fixture(scope="module", params=[*METRICS, *COMPARISONS])
def task(request):
    return task_of(request.param)


def task_of(name):
    return (MetricTask if name in METRICS else ComparisonTask)(Path(textgauge.path(name)))


def shown_default(option):
    """What the input of an option holds at first."""
    labels = {value: label for label, value in reversed(choices_of(option).items())}
    return labels.get(option.default, option.default)


def answer(task, texts, name=None, files=None, **given):
    """The report about columns of lines, or about files, with the inputs of options as typed."""
    options = [one for one in task.options if one.kind != "texts"]
    assert given.keys() <= {one.name for one in options}
    values = [given.get(one.name, shown_default(one)) for one in options]
    columns = dict.fromkeys(task.texts, "") | {side: "\n".join(lines) for side, lines in texts.items()}
    paths = dict.fromkeys(task.texts) | (files or {})
    return task.report(name or task.scores[0], columns, paths, values)


def test_options_of_a_page(task):
    if isinstance(task, MetricTask):
        assert {one.name for one in task.options} <= {one.name for one in options_of(task.metric_type.options_type)}
    # A metric may have no options.
    assert [one.on_page for one in task.options[:1]] in ([], [True])
    assert all(one.help.endswith((".", "?")) for one in task.options)
    for one in task.options:
        assert value_of(one, shown_default(one)) == one.default
        assert not choices_of(one) or one.default in choices_of(one).values()
        for choice in choices_of(one):
            value_of(one, choice)


# The options that a page shows first, by metric; a page without any shows one of the others.
COMMON = {
    "bleu": "preset tokenizer max_order smoothing",
    "sacrebleu": "tokenizer max_order smoothing",
    "rouge": "rouge_types use_stemmer tokenizer split_summaries",
    "chrf": "char_order word_order beta lowercase",
    "ter": "normalized no_punct case_sensitive",
    "meteor": "alpha beta gamma",
    "meteor15": "task normalize",
    "wer": "tokenizer lowercase",
    "cer": "whitespace lowercase",
    "token_f1": "counting normalizer tokenizer",
    "squad": "counting normalizer tokenizer",
    "squad_v2": "counting normalizer tokenizer",
    "perplexity": "model_id ngram_train ngram_order ngram_smoothing own_numbers",
    "bertscore": "model_id lang num_layers idf rescale_with_baseline",
    "comet": "model_id",
    "metricx": "model_id",
    "bleurt": "model_id",
    "consistency": "model_id form",
    "frugalscore": "model_id",
    "anls": "rule strip",
    "exact_match": "ignore_case ignore_punctuation normalizer",
    "math_answer": "rule extract engine",
    "google_bleu": "tokenizer max_len lowercase",
    "nist_mt": "n lowercase counting",
    "sari": "counting tokenizer",
    "charcut_mt": "match_size",
    "cider": "variant tokenizer",
    "vqa_accuracy": "rule rewrite_all",
    "relaxed_accuracy": "tolerance strip",
    "code_eval": "timeout extract",
    "teds": "structure_only headers",
    "cpwer": "tokenizer lowercase",
}


@pytest.mark.parametrize("name", METRICS)
def test_common_options_of_a_page(name):
    every = (*options_of(METRICS[name].options_type), *options_of(METRICS[name].reports_type))
    # A metric with none of its own has no line.
    assert " ".join(one.name for one in every if one.on_page) == COMMON.get(name, ""), "see COMMON"


@pytest.mark.parametrize("name", ["wer", "cer"])
def test_normalizers_of_speech(name):
    task = task_of(name)
    [option] = [one for one in task.options if one.kind == "normalizer"]
    assert [*choices_of(option)] == [
        "default", "basic", "jiwer", "whisper-basic", "whisper-english", "open-asr-english",
    ]  # fmt: skip
    texts = {"predictions": ["The Cat, sat"], "references": ["the cat sat"]}
    reports = [answer(task, texts, normalizer=one)[0] for one in ("default", "whisper-basic")]
    scores = [report.sections[0].systems[0].score for report in reports]
    assert scores[1] == 0 < scores[0]


def test_module_of_several_metrics():
    task = ModuleTask(Path(textgauge.path("wiki_split")))
    assert (task.options, task.scores, [*task.texts]) == ([], ["wiki_split"], ["predictions", "references", "sources"])
    columns = dict(zip(task.texts, task.example(), strict=True))
    report, names, key = task.report("wiki_split", columns, dict.fromkeys(columns), [])
    lists = {name: text.split("\n") for name, text in columns.items()}
    lists["references"] = [line.split("\t") for line in lists["references"]]
    assert report.figures() == textgauge.load("wiki_split").compute(**lists)
    assert (names, key) == (["wiki_split"], "wiki_split")
    assert [name in task.shown(report) for name in report.figures()] == [True] * 3


def test_the_example_has_a_page(task):
    metric_type = getattr(task, "metric_type", None)
    if metric_type is not None and metric_type.name in WITH_A_MODEL and metric_type.inputs.has_references:
        pytest.skip("the tests of its own folder have the page of what needs a model")
    example = task.example()
    assert len(example) == len(task.texts)
    columns = {name: text.split("\n") for name, text in zip(task.texts, example, strict=True)}
    report, names, key = answer(task, columns)
    assert key == report.sections[0].key
    assert list(names) == task.scores
    assert explain_page(report).startswith("<!doctype html>")


@pytest.mark.parametrize("name", COUNTED)
@pytest.mark.filterwarnings("ignore:no prediction is long enough:UserWarning")
def test_a_page_shows_what_its_module_returns(name):
    texts = {"predictions": ["the cat sat", "a dog"], "references": ["the cat sits", "a dog barks"]}
    if "sources" in METRICS[name].inputs.needed:
        texts["sources"] = ["the big cat sat", "dogs"]
    report, _, key = answer(task_of(name), texts)
    result = textgauge.load(name).compute(**texts)
    score = main_of(result, key)
    assert report.systems[0].score == pytest.approx(score, abs=1e-12)
    page, shown = explain_page(report), (figure(score), figure(score, is_counted=False))
    assert any(f">{one}<" in page for one in shown)
    assert "nrefs:1" in report.figures()["predictions"]["signature"]


def test_options_are_typed():
    task = task_of("rouge")
    texts = {"predictions": ["the cats sat"], "references": ["a cat sits\tthe cat"]}
    report, names, key = answer(task, texts, "rouge1", rouge_types="rougeL, rougeW", use_stemmer=True, beta="2")
    assert (names, key) == (["rougeL", "rougeW"], "rougeL")
    options = {"rouge_types": ["rougeL", "rougeW"], "use_stemmer": True, "beta": 2}
    expected = textgauge.rouge(["the cats sat"], [["a cat sits", "the cat"]], **options)
    assert report.systems[0].score == expected["rougeL"]
    assert answer(task, texts, "rouge2")[2] == "rouge2"
    returned = answer(task, {**texts, "predictions": ["the cats sat\r", "it"], "references": ["a\r", "b\r"]})[0]
    assert returned.systems[0].corpus.pairs() == [("the cats sat", "a"), ("it", "b\r")]
    empty = answer(task, {"predictions": ["", "a", "", "b"], "references": ["x", "", "", "y"]})[0]
    assert empty.systems[0].corpus.pairs() == [("", "x"), ("a", ""), ("", ""), ("b", "y")]
    with pytest.raises(ValueError, match="^beta: .*got 'x'"):
        answer(task, texts, beta="x")
    weighted, _, _ = answer(task_of("bleu"), {"predictions": ["a b"], "references": ["a c"]}, weights="1,0,0,0")
    assert weighted.systems[0].score == textgauge.bleu(["a b"], ["a c"], weights=[1, 0, 0, 0])["bleu"]


def test_texts_to_learn_from():
    learned = ["a b c a b c a b", "c a b c a b c a"]
    columns = {"predictions": ["a b c zebra"], "ngram_train": learned}
    report, _, _ = answer(task_of("perplexity"), columns, ngram_order=2, ngram_smoothing="add-k")
    model = textgauge.NgramModel(2, "add-k").fit(learned)
    assert report.systems[0].score == model.score(["a b c zebra"])["corpus_perplexity"]
    with pytest.raises(ValueError, match="^model_id: .*`ngram_train`.*got None"):
        answer(task_of("perplexity"), {"predictions": ["a"]})
    with pytest.raises(ValueError, match="^`model_id` cannot be given with `ngram_train`"):
        answer(task_of("perplexity"), columns, model_id=" gpt2 ")


@pytest.mark.parametrize("name", COMPARISONS)
@pytest.mark.filterwarnings("ignore:no prediction is long enough:UserWarning")
@pytest.mark.filterwarnings("ignore:two systems differ in only")
@pytest.mark.filterwarnings("ignore:the interval")
def test_figures_of_comparison(name):
    task = task_of(name)
    columns = {"predictions1": FIRST, "predictions2": SECOND, "references": REFERENCES}
    module = textgauge.load(name, module_type="comparison")
    assert task.scores[0] == DEFAULT
    # A metric with a usual model is offered, too; here the model is no file.
    assert WITH_A_MODEL & {*task.scores}
    for metric in (name for name in task.scores if name not in WITH_A_MODEL):
        report, names, _ = answer(task, columns, metric, n_resamples="200", seed=7, p_value="one-sided")
        result = module.compute(**columns, metric=metric, n_resamples=200, seed=7, p_value="one-sided")
        assert report.sections[0].differences[0].result._asdict() == result
        assert report.figures()["predictions2"]["comparison"] == result
        for i, system in enumerate(report.systems, 1):
            assert system.interval == pytest.approx(result[f"confidence_interval{i}"], abs=1e-12)
    report, _, _ = answer(task, columns, "rouge1", tokenizer="character")
    result = module.compute(**columns, metric="rouge1(tokenizer='character')")
    assert report.sections[0].differences[0].result._asdict() == result


@pytest.mark.parametrize(
    ("columns", "message"),
    [(("", "a", "a"), "^predictions1: .*got none"), (("a\nb", "a", "a\nb"), "^predictions2: .*got 1")],
)
def test_texts_that_do_not_fit_are_refused(columns, message):
    task = task_of("paired_bootstrap")
    # Units may stay empty.
    texts = {name: [text] if text else [] for name, text in zip(task.texts, (*columns, ""), strict=True)}
    with pytest.raises(ValueError, match=message):
        answer(task, texts)


@pytest.mark.parametrize("name", ["sari", "paired_permutation", "perplexity"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_column_may_be_a_file(tmp_path, name):
    """Of the same lines, the last of which may be empty."""
    task, of_side = task_of(name), {"references": REFERENCES, "predictions2": SECOND}
    columns = {side: [*of_side.get(side, FIRST), "", ""] for side in task.texts} | {"unit": [*"aabbccdd"]}
    for side, lines in columns.items():
        (tmp_path / side).write_text("".join(f"{line}\n" for line in lines))
    typed, _, _ = answer(task, {side: [*lines, ""] for side, lines in columns.items()})
    given, _, _ = answer(task, {}, files={side: [str(tmp_path / side)] for side in columns})
    assert {len(system.corpus) for report in (typed, given) for system in report.systems} == {8}
    found = [[(system.score, system.interval) for system in report.systems] for report in (typed, given)]
    assert found[0] == found[1]
    assert given.figures() == typed.figures()


def test_files_of_a_page(tmp_path):
    for name, text in {
        "hyp.txt": "a cat sat down here\n", "ref.jsonl": '{"reference": ["a cat sat down there", "one cat"]}\n',
        "both.csv": 'prediction,reference\n"a\nb",a b\n', "other.txt": "a cat\n",
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text)
    hyp, ref, both, other = (str(tmp_path / name) for name in ("hyp.txt", "ref.jsonl", "both.csv", "other.txt"))

    def systems(name, texts=None, options=None, **files):
        return answer(task_of(name), texts or {}, files=files, **(options or {}))[0].systems

    [system] = systems("bleu", options={"max_order": 2}, predictions=[hyp], references=[ref])
    expected = textgauge.bleu(["a cat sat down here"], [["a cat sat down there", "one cat"]], max_order=2)
    assert system.score == expected["bleu"]
    [system] = systems("bleu", {"references": ["left out"]}, predictions=[both])
    assert system.corpus.hypotheses.tolist() == ["a\nb"]
    of_set = SetTask(Path(textgauge.path("diversity")))
    (tmp_path / "two.txt").write_text("a cat\na dog\n")
    given = answer(of_set, {}, files={"predictions": [str(tmp_path / "two.txt")]})
    typed = answer(of_set, {"predictions": ["a cat", "a dog"]})
    assert given[0].figures() == typed[0].figures()
    both = systems("paired_bootstrap", predictions1=[hyp], predictions2=[other], references=[ref])
    assert [system.corpus.hypotheses.tolist() for system in both] == [["a cat sat down here"], ["a cat"]]
    [system] = systems("perplexity", predictions=[hyp], ngram_train=[other, hyp])
    model = textgauge.NgramModel().fit(["a cat", "a cat sat down here"])
    assert system.score == model.score(["a cat sat down here"])["corpus_perplexity"]
    for message, texts, files in (
        ("^no references: hyp.txt is plain text", {}, {"predictions": [hyp]}),
        ("^predictions: .*got 2 for 1", {}, {"predictions": [hyp, other], "references": [ref]}),
        ("^predictions: .*got 0 for 1", {"predictions": ["a"]}, {"references": [ref]}),
    ):
        with pytest.raises(ValueError, match=message):
            systems("bleu", texts, **files)


def test_a_page_is_for_a_module():
    with pytest.raises(ValueError, match="^folder: .*got 'textgauge'"):
        page(Path(textgauge.path("bleu")).parent / "textgauge")


@pytest.mark.parametrize("name", [*METRICS, *COMPARISONS])
def test_cards_are_front_pages_of_a_space(name):
    folder = Path(textgauge.path(name))
    front = (folder / "README.md").read_text("utf-8").split("---\n")[1]
    kind = "metric" if name in METRICS else "comparison"
    for line in ("sdk: gradio", "app_file: app.py", "- evaluate", f"- {kind}", "title: ", "description: "):
        assert f"\n{line}" in f"\n{front}"


@pytest.mark.filterwarnings("ignore:only . units", "ignore:two systems differ", "ignore:p and interval")
@pytest.mark.filterwarnings("ignore:p of the bootstrap")
def test_units_of_a_page():
    units = [f"document {i % 3}" for i in range(len(FIRST))]
    columns = {"predictions1": FIRST, "predictions2": SECOND, "references": REFERENCES}
    report, _, _ = answer(task_of("paired_bootstrap"), {**columns, "unit": units}, "chrf")
    module = textgauge.load("paired_bootstrap", module_type="comparison")
    result = module.compute(**columns, metric="chrf", unit=units)
    assert report.sections[0].differences[0].result._asdict() == result
    alone, _, _ = answer(task_of("chrf"), {"predictions": FIRST, "references": REFERENCES, "unit": units})
    expected = textgauge.chrf(FIRST, REFERENCES, confidence=0.95, unit=units)["confidence_interval"]
    assert alone.systems[0].interval == expected
    assert "unit" not in SetTask(Path(textgauge.path("diversity"))).texts
