"""Every option of every metric has a flag, is in the help, and has the same effect as in Python."""

import json
import subprocess
import sys

import pytest
from textgauge.cli.flags import has_flag
from textgauge.cli.main import COMMANDS, main
from textgauge.measures.registry import METRICS
from textgauge.options import options_of
from tiny_models import save_model, save_tokenizer

from .conftest import without_advice

HYPS = ["the cat sat on the mat. it slept", "a dog barks at the old cat", "who knows what she reads"]
REFS = ["the cat sat on a mat. it sleeps", "The dog barked at the cat", "who knows what she reads"]
# Values of options that need other options, or that `drawn` has no rule for.
VALUES = {
    "bleu.weights": (["--weights", "1,2,3,4"], {"weights": [1, 2, 3, 4]}),
    "bleu.smooth_value": (["--smooth-value", "2", "--smoothing", "add-k"], {"smooth_value": 2.0, "smoothing": "add-k"}),
    "rouge.rouge_types": (["--rouge-types", "rouge2,rougeS4"], {"rouge_types": ["rouge2", "rougeS4"]}),
    "rouge.weight": (["--weight", "1.5", "--rouge-types", "rougeW"], {"weight": 1.5, "rouge_types": ["rougeW"]}),
    "rouge.stopwords": (["--stopwords", "words.txt"], {"stopwords": ["the", "a"]}),
    "rouge.exceptions": (["--exceptions", "exc", "--use-stemmer"], {"exceptions": "exc", "use_stemmer": True}),
    "rouge.aggregator": (["--aggregator", "bootstrap", "--seed", "3"], {"aggregator": "bootstrap", "seed": 3}),
    "perplexity.device": (["--device", "cpu"], {"device": "cpu"}),
    "perplexity.stride": (["--stride", "4"], {"stride": 4}),
    "perplexity.max_length": (["--max-length", "6", "--stride", "2"], {"max_length": 6, "stride": 2}),
    "perplexity.model_id": ([], {}),
}
for _name in METRICS:
    VALUES[f"{_name}.confidence"] = (["--confidence", "0.9"], {"confidence": 0.9})
    VALUES[f"{_name}.n_resamples"] = (["-n", "9", "--confidence", "0.5"], {"n_resamples": 9, "confidence": 0.5})
    VALUES[f"{_name}.seed"] = (["--seed", "7", "--confidence", "0.5"], {"seed": 7, "confidence": 0.5})
OPTIONS = {
    f"{name}.{one.name}": (measure, one)
    for name, measure in METRICS.items()
    for one in (*options_of(measure.options_type), *options_of(measure.reports_type))
    if has_flag(one)
}


def drawn(name, one):
    """A value other than the default, as it is typed and as it is in Python."""
    flag = "--" + one.name.replace("_", "-")
    if name in VALUES:
        return VALUES[name]
    if one.kind == "flag":
        return ([f"--no-{flag[2:]}"], {one.name: False}) if one.default is True else ([flag], {one.name: True})
    value = {"tokenizer": "character", "normalizer": "lower", "whole": 3, "number": 0.5}.get(one.kind)
    value = one.choices[-1] if one.kind == "choice" else value
    assert value is not None, f"{name}: add a value to VALUES"
    return [flag, str(value)], {one.name: value}


@pytest.fixture
def files(tmp_path, request):
    for name, lines in (("hyp", HYPS), ("ref", REFS), ("words", ["the", "a"])):
        (tmp_path / f"{name}.txt").write_text("".join(line + "\n" for line in lines))
    (tmp_path / "exc").mkdir()
    (tmp_path / "exc" / "verb.exc").write_text("slept sleep\n")
    return tmp_path


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_is_a_flag_that_does_the_same(run, files, name):
    measure, one = OPTIONS[name]
    flags, options = drawn(name, one)
    arguments = ["score", "hyp.txt", "-m", measure.name, "--json", *flags]
    if measure.is_paired:
        arguments += ["-r", "ref.txt"]
    else:
        pytest.importorskip("torch")
        save_model(files / "tiny", "gpt2", len(save_tokenizer(files / "tiny")))
        arguments, options = [*arguments, "--model-id", "tiny"], {**options, "model_id": "tiny"}
    shown = run(*arguments)
    assert shown.exit_code == 0, shown.stderr
    of_score = {key: options.pop(key) for key in [*options] if key in measure.reports_type.__dataclass_fields__}
    started = measure(**options)
    expected = (started.update(HYPS, REFS) if measure.is_paired else started.update_texts(HYPS)).score(**of_score)
    found = json.loads(shown.stdout)["metrics"][measure.name]
    for key, new in measure.of_segments.items():
        values = expected.pop(key)
        expected |= {new: values} if "per_segment" in of_score else {}
    if name == "rouge.use_aggregator":
        expected = {f"segment_{key}": values for key, values in expected.items()}
    assert found == expected


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_is_in_the_help_in_a_line_and_a_half(run, name):
    measure, one = OPTIONS[name]
    page = run("help", measure.name).stdout
    flag = "--" + one.name.replace("_", "-")
    assert flag in page or f"--no-{flag[2:]}" in page
    for choice in one.choices:
        assert choice in page
    assert len(one.help) <= 120


@pytest.mark.parametrize("name", METRICS)
def test_pages_of_metrics_fit(run, name):
    lines = run("help", name).stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines[: (*lines, "Notes:").index("Notes:")] if "<=" in line or "None" in line]
    score = METRICS[name].named_scores()[0]
    assert run("help", score).stdout.splitlines() == lines


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_page(run, command):
    text = run(command, "--help").stdout
    lines = text.splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 80
    assert "x<=" not in text
    if command not in ("help", "demo"):
        assert run("help", command).stdout.splitlines()[1:] == lines[1:]


def test_the_program_says_of_each_command_what_the_command_says(run):
    for name in COMMANDS:
        assert main.get_command(None, name).name == name
        assert COMMANDS[name] in run("--help").stdout


def test_several_flags_of_one_name(run, files):
    """A flag of several metrics goes to all of them, and each checks it by its own rule."""
    shown = run("score", "hyp.txt", "-r", "ref.txt", "-m", "rouge", "chrf", "--beta", "3", "--json")
    metrics = json.loads(shown.stdout)["metrics"]
    assert metrics["chrf"] == METRICS["chrf"](beta=3.0).update(HYPS, REFS).score()
    assert metrics["rouge"] == METRICS["rouge"](beta=3.0).update(HYPS, REFS).score()


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["--help"], {"numpy", "pyarrow", "textgauge.measures"}),
        (["score", "hyp.txt", "-r", "ref.txt", "-m", "bleu", "rouge", "ter", "-b"], {"pyarrow", "jinja2"}),
        (["score", "--help"], {"pyarrow"}),
    ],
)
def test_only_what_is_used_is_imported(files, arguments, unwanted):
    code = (
        "import sys\nfrom textgauge.cli.main import main\n"
        "try:\n    main(sys.argv[1:], prog_name='textgauge')\nexcept SystemExit:\n    pass\n"
        f"sys.exit(repr({unwanted!r} & {{*sys.modules}}))"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], cwd=files, capture_output=True, timeout=60)
    assert without_advice(done.stderr).decode().strip() == "set()"


def test_only_flags_whose_default_may_be_on_have_a_negative(run):
    shown = "".join(run("help", name).stdout for name in METRICS)
    assert "--strip/--no-strip" in shown
    assert not {"--use-stemmer/", "--lowercase-ascii/", "--jackknife/"} & set(shown.replace("/", "/ ").split())
