"""Every option of every metric is in the help, and can be typed with the effect that it has in Python."""

import json
import subprocess
import sys

import pytest
from textgauge.cli.main import COMMANDS, main
from textgauge.measures.registry import METRICS
from textgauge.options import options_of
from tiny_models import save_encoder, save_model, save_tokenizer

from .conftest import without_advice

HYPS = ["the cat sat on the mat. it slept", "a dog barks at the old cat", "who knows what she reads"]
REFS = ["the cat sat on a mat. it sleeps", "The dog barked at the cat", "who knows what she reads"]
NGRAMS, LEARNED = {"ngram_train": "ref.txt"}, {"ngram_train": REFS}
BASELINE = {"rescale_with_baseline": True, "baseline_path": "baseline.csv"}
# Values of options that need other options, or that `drawn` has no rule for: as typed, and in Python.
VALUES = {
    "bleu.weights": ({"weights": "1,2,3,4"}, {"weights": [1, 2, 3, 4]}),
    "sacrebleu.weights": ({"weights": "1,2,3,4"}, {"weights": [1, 2, 3, 4]}),
    "sacrebleu.smooth_value": ({"smooth_value": 2, "smoothing": "add-k"}, {"smooth_value": 2.0, "smoothing": "add-k"}),
    "bleu.smooth_value": ({"smooth_value": 2, "smoothing": "add-k"}, {"smooth_value": 2.0, "smoothing": "add-k"}),
    "rouge.rouge_types": ({"rouge_types": "rouge2,rougeS4"}, {"rouge_types": ["rouge2", "rougeS4"]}),
    "rouge.weight": ({"weight": 1.5, "rouge_types": "rougeW"}, {"weight": 1.5, "rouge_types": ["rougeW"]}),
    "rouge.stopwords": ({"stopwords": "words.txt"}, {"stopwords": ["the", "a"]}),
    "rouge.exceptions": ({"exceptions": "exc", "use_stemmer": True}, {"exceptions": "exc", "use_stemmer": True}),
    "rouge.aggregator": ({"aggregator": "bootstrap", "seed": 3}, {"aggregator": "bootstrap", "seed": 3}),
    "perplexity.device": ({"device": "cpu"}, {"device": "cpu"}),
    "perplexity.stride": ({"stride": 4}, {"stride": 4}),
    "perplexity.max_length": ({"max_length": 6, "stride": 2}, {"max_length": 6, "stride": 2}),
    "perplexity.model_id": ({"model_id": "tiny"}, {"model_id": "tiny"}),
    "perplexity.dtype": ({"dtype": "bfloat16"}, {"dtype": "bfloat16"}),
    "perplexity.tokenizer": (NGRAMS | {"tokenizer": "character"}, LEARNED | {"tokenizer": "character"}),
    "perplexity.ngram_train": (NGRAMS, LEARNED),
    "perplexity.ngram_order": (NGRAMS | {"ngram_order": 2}, LEARNED | {"ngram_order": 2}),
    "bertscore.model_id": ({}, {}),
    "bertscore.tokenizer": ({"tokenizer": "tiny"}, {"tokenizer": "tiny"}),
    "bertscore.device": ({"device": "cpu"}, {"device": "cpu"}),
    "bertscore.dtype": ({"dtype": "bfloat16"}, {"dtype": "bfloat16"}),
    "bertscore.lang": ({"lang": "en"}, {"lang": "en"}),
    "bertscore.num_layers": ({"num_layers": 1}, {"num_layers": 1}),
    "bertscore.rescale_with_baseline": (BASELINE, BASELINE),
    "bertscore.baseline_path": (BASELINE, BASELINE),
    "perplexity.ngram_smoothing": (NGRAMS | {"ngram_smoothing": "add-k"}, LEARNED | {"ngram_smoothing": "add-k"}),
}
for _name in METRICS:
    VALUES[f"{_name}.confidence"] = ({"confidence": 0.9}, {"confidence": 0.9})
    VALUES[f"{_name}.n_resamples"] = ({"n_resamples": 9, "confidence": 0.5}, {"n_resamples": 9, "confidence": 0.5})
    VALUES[f"{_name}.seed"] = ({"seed": 7, "confidence": 0.5}, {"seed": 7, "confidence": 0.5})
OPTIONS = {
    f"{name}.{one.name}": (measure, one)
    for name, measure in METRICS.items()
    for one in (*options_of(measure.options_type), *options_of(measure.reports_type))
    if one.kind != "python"
}


def drawn(name, one):
    """A value other than the default, as it is typed and as it is in Python."""
    if name in VALUES:
        return VALUES[name]
    value = {"tokenizer": "character", "normalizer": "lower", "whole": 3, "number": 0.5}.get(one.kind)
    value = one.choices[-1] if one.kind == "choice" else one.default is not True if one.kind == "flag" else value
    assert value is not None, f"{name}: add a value to VALUES"
    return {one.name: value}, {one.name: value}


def as_flag(name, value):
    flag = name.replace("_", "-")
    return [f"--{flag}" if value else f"--no-{flag}"] if isinstance(value, bool) else [f"--{flag}", str(value)]


@pytest.fixture
def files(tmp_path, request):
    for name, lines in (("hyp", HYPS), ("ref", REFS), ("words", ["the", "a"])):
        (tmp_path / f"{name}.txt").write_text("".join(line + "\n" for line in lines))
    (tmp_path / "baseline.csv").write_text("LAYER,P,R,F\n1,0.25,0.5,0.25\n2,0.5,0.25,0.25\n")
    (tmp_path / "exc").mkdir()
    (tmp_path / "exc" / "verb.exc").write_text("slept sleep\n")
    return tmp_path


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """The folders of a causal language model and of an encoder."""
    pytest.importorskip("torch")
    causal, encoder = (tmp_path_factory.mktemp(name) for name in ("causal", "encoder"))
    save_model(causal, "gpt2", len(save_tokenizer(causal)))
    save_encoder(encoder)
    return causal, encoder


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_can_be_typed_and_does_the_same(request, run, files, name):
    measure, one = OPTIONS[name]
    typed, options = drawn(name, one)
    sides = ["-r", "ref.txt"] if measure.has_references else []
    if not measure.has_references and "ngram_train" not in typed:
        (files / "tiny").symlink_to(request.getfixturevalue("models")[0])
        typed, options = {**typed, "model_id": "tiny"}, {**options, "model_id": "tiny"}
    if measure.name == "bertscore":
        (files / "tiny").symlink_to(request.getfixturevalue("models")[1])
        chosen = {"model_id": "tiny", "num_layers": 2}
        typed, options = {**chosen, **typed}, {**chosen, **options}
    behind = [f"{option}={value}" for option, value in typed.items()]
    flags = [word for option, value in typed.items() for word in as_flag(option, value)]
    of_score = {key: options.pop(key) for key in [*options] if key in measure.reports_type.__dataclass_fields__}
    # The default metric always says what it is.
    of_score |= {"signature": True} if measure.name == "sacrebleu" else {}
    started = measure(**options)
    expected = (started.update(HYPS, REFS) if measure.has_references else started.update_texts(HYPS)).score(**of_score)
    for key, new in measure.about.lists.items():
        values = expected.pop(key)
        expected |= {new: values} if "per_segment" in of_score else {}
    if name == "rouge.use_aggregator":
        expected = {f"segment_{key}": values for key, values in expected.items()}
    for words in (["-m", measure.name, *behind], ["-m", measure.name, *flags]):
        shown = run("score", "hyp.txt", *sides, "--json", *words)
        assert shown.exit_code == 0, shown.stderr
        assert json.loads(shown.stdout)["metrics"][measure.name] == expected


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_is_in_the_help(run, name):
    measure, one = OPTIONS[name]
    page = run("help", measure.name).stdout
    entry = " ".join(page[page.index(f"\n  {one.name}: ") :].split())
    kind = "file of texts" if one.kind == "texts" else one.type_name
    assert entry.startswith(f"{one.name}: {kind}, default {one.shown_default} {one.help}")
    assert len(one.help) <= 120


@pytest.mark.parametrize("name", [*METRICS, "sacrebleu", "squad"])
def test_pages_of_metrics_fit(run, name):
    lines = run("help", name).stdout.splitlines()
    assert max(map(len, lines)) <= 80
    if name in METRICS:
        assert run("help", METRICS[name].names_of_scores()[0]).stdout.splitlines() == lines


def test_all_metrics_are_listed(run):
    lines = run("help").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert {line.split()[0] for line in lines if line.startswith("  ")} >= {*METRICS, "sacrebleu", "squad"}
    assert "[0 or more, 0 is best]" in run("help").stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_page(run, command):
    lines = run(command, "--help").stdout.splitlines()
    assert len(lines) <= 70
    assert max(map(len, lines)) <= 82
    assert run("help", command).stdout.splitlines()[1:] == lines[1:]


def test_the_program_says_of_each_command_what_the_command_says(run):
    for name in COMMANDS:
        assert main.get_command(None, name).name == name
        assert COMMANDS[name] in run("--help").stdout


def test_an_option_of_several_metrics_goes_to_all_but_those_that_have_their_own_value(run, files):
    words = ("score", "hyp.txt", "-r", "ref.txt", "-m", "rouge", "chrf", "--beta", "3", "--json")
    metrics = json.loads(run(*words).stdout)["metrics"]
    assert metrics["chrf"] == METRICS["chrf"](beta=3.0).update(HYPS, REFS).score()
    assert metrics["rouge"] == METRICS["rouge"](beta=3.0).update(HYPS, REFS).score()
    words = ("score", "hyp.txt", "-r", "ref.txt", "-m", "rouge", "beta=2", "chrf", "--beta", "3", "--json")
    metrics = json.loads(run(*words).stdout)["metrics"]
    assert metrics["chrf"] == METRICS["chrf"](beta=3.0).update(HYPS, REFS).score()
    assert metrics["rouge"] == METRICS["rouge"](beta=2.0).update(HYPS, REFS).score()


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["lowercase=ascii"], {"lowercase": "ascii"}),
        (["--lowercase=ascii"], {"lowercase": "ascii"}),
        (["lowercase=true", "strip=False", "smoothing=None"], {"lowercase": True, "strip": False}),
        (["--no-strip", "--max_order=2"], {"strip": False, "max_order": 2}),
        (["max_order=2", "weights=1,2"], {"max_order": 2, "weights": [1, 2]}),
        (["max_order=2", "weights=1", "weights=2"], {"max_order": 2, "weights": [1, 2]}),
        (["-t", "character"], {"tokenizer": "character"}),
    ],
)
def test_values_are_read_by_the_declaration(run, files, words, options):
    found = json.loads(run("score", "hyp.txt", "-r", "ref.txt", "--json", "-m", "bleu", *words).stdout)
    assert found["metrics"]["bleu"] == METRICS["bleu"](**options).update(HYPS, REFS).score()


def test_names_that_begin_with_hyphens_are_files_behind_two(run, files):
    (files / "--odd.txt").write_text((files / "hyp.txt").read_text())
    expected = run("score", "hyp.txt", "-r", "ref.txt", "-b").stdout
    assert run("score", "-r", "ref.txt", "-b", "--lowercase=False", "--", "--odd.txt").stdout == expected != ""


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["--help"], {"numpy", "pyarrow", "textgauge.measures"}),
        (["score", "hyp.txt", "-r", "ref.txt", "-b"],
         {"pyarrow", "jinja2", "gzip", "textgauge.measures.rouge", "textgauge.measures.perplexity"}),
        (["score", "--help"], {"pyarrow", "textgauge.measures.registry"}),
    ],
)  # fmt: skip
def test_only_what_is_used_is_imported(files, arguments, unwanted):
    code = (
        "import sys\nfrom textgauge.cli.main import main\n"
        "try:\n    main(sys.argv[1:], prog_name='textgauge')\nexcept SystemExit:\n    pass\n"
        f"sys.exit(repr({unwanted!r} & {{*sys.modules}}))"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], cwd=files, capture_output=True, timeout=60)
    assert without_advice(done.stderr).decode().strip() == "set()"


def test_few_calls_come_before_a_score(files):
    """Outside of imports; they were 962 when every option had a flag object."""
    code = (
        "import os, sys, textgauge\nfrom textgauge.cli.main import main\n"
        "root, calls, depth = os.path.dirname(textgauge.__file__), 0, 0\n"
        "def watch(frame, event, _):\n"
        "    global calls, depth\n"
        "    code = frame.f_code\n"
        "    if event not in ('call', 'return') or not code.co_filename.startswith(root): return\n"
        "    if code.co_name == '<module>': depth += 1 if event == 'call' else -1\n"
        "    elif event == 'call' and not depth: calls += 1\n"
        "    elif event == 'return' and code.co_name == 'score' and 'measures' in code.co_filename:\n"
        "        sys.setprofile(None)\n"
        "sys.setprofile(watch)\n"
        "try:\n    main(['score', 'hyp.txt', '-r', 'ref.txt', '-b'], prog_name='textgauge')\n"
        "except SystemExit:\n    pass\n"
        "assert 50 < calls < 500, calls\n"
    )  # fmt: skip
    subprocess.run([sys.executable, "-c", code], cwd=files, capture_output=True, timeout=60, check=True)
