"""Every option of every metric is in the help, and can be typed with the effect that it has in Python."""

import json
import subprocess
import sys
from functools import cache
from inspect import Parameter, signature
from itertools import pairwise

import pytest
import textgauge
from click import Context
from option_values import LEARNED, WITH_A_MODEL, drawn
from textgauge.accumulation.accumulator import accumulator_of
from textgauge.accumulation.registry import METRICS
from textgauge.cli.command import DEFAULT, flag_of
from textgauge.cli.main import COMMANDS, main
from textgauge.metric.metric import with_defaults
from textgauge.options import Reports, options_of
from textgauge.resampling import PairedOptions
from textgauge.resampling.draws import seed_of
from tiny_meteor import save_jar, save_wordnet
from tiny_models import save_for

from .conftest import called, without_advice

HYPS = ["the cat sat on the mat! it slept", "a dog barks at the old cat", "who knows what she reads"]
REFS = LEARNED["ngram_train"]
# Options whose texts are typed as the name of a file.
IN_FILES = {"ngram_train": "ref.txt", "stopwords": "words.txt", "replacements": "words.tsv", "idf": "ref.txt"}
OPTIONS = {
    f"{name}.{one.name}": (metric_type, one)
    for name, metric_type in METRICS.items()
    for one in (*options_of(metric_type.options_type), *options_of(metric_type.reports_type))
    # Labels of segments are a column: --unit-field and --units.
    if one.kind not in ("labels", "python")
}


def of_each_metric_and_reports_once():
    """All options; in the quick run those that many metrics share, such as intervals, of one of them alone."""
    seen = set()
    for name, (metric_type, one) in OPTIONS.items():
        reports = metric_type.reports_type
        shared_by = reports if one.name in reports.__dataclass_fields__ else metric_type.name
        if metric_type.name in WITH_A_MODEL and shared_by is not reports:
            # Such as `device`, which is handed on by what all metrics with a model have in common.
            shared_by = "models"
        yield pytest.param(name, marks=[pytest.mark.slow] * ((shared_by, one.name) in seen))
        seen.add((shared_by, one.name))


def as_typed(name, value):
    if not isinstance(value, (list, dict)):
        return value
    return IN_FILES.get(name) or ",".join(map(str, value))


def as_flag(name, value):
    flag = name.replace("_", "-")
    return [f"--{flag}" if value else f"--no-{flag}"] if isinstance(value, bool) else [f"--{flag}", str(value)]


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("written")
    for name, lines in (("hyp", HYPS), ("ref", REFS), ("src", REFS[::-1]), ("words", ["the", "a"])):
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines))
    (folder / "words.tsv").write_text("cats\tcat\nwhat?\twhat\n")
    (folder / "baseline.csv").write_text("LAYER,P,R,F\n1,0.25,0.5,0.25\n2,0.5,0.25,0.25\n")
    (folder / "exc").mkdir()
    (folder / "exc/verb.exc").write_text("slept sleep\n")
    save_wordnet(folder / "wordnet")
    save_jar(folder / "meteor.jar")
    return folder


@pytest.fixture
def files(tmp_path, written):
    for path in written.iterdir():
        (tmp_path / path.name).symlink_to(path)
    return tmp_path


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    """A function that returns, for a metric with a model, a folder with one, and the options that name it there."""

    @cache
    def saved(name):
        folder = tmp_path_factory.mktemp(name) / "models"
        return folder, save_for(name, folder)

    return saved


@pytest.mark.filterwarnings("ignore:.* longer than the .* tokens that tiny takes")
@pytest.mark.parametrize("name", of_each_metric_and_reports_once())
def test_every_option_can_be_typed(tiny, run, files, name):
    metric_type, one = OPTIONS[name]
    options = {**drawn(metric_type.name, one)}
    if metric_type.name in WITH_A_MODEL and "ngram_train" not in options:
        folder, named = tiny(metric_type.name)
        for path in folder.iterdir():
            (files / path.name).symlink_to(path)
        options = {**named, **options}
    used = with_defaults(metric_type).inputs.names
    if metric_type.name in WITH_A_MODEL:
        with pytest.MonkeyPatch.context() as here:
            here.chdir(files)
            given = {
                key: value for key, value in options.items() if key not in metric_type.reports_type.__dataclass_fields__
            }
            used = accumulator_of(metric_type)(**given).metric.inputs.used(used)
    sources = {"sources": REFS[::-1]} if "sources" in used else {}
    refs = [REFS] if "references" in used else []
    sides = [*(["-r", "ref.txt"] if refs else []), *(["-s", "src.txt"] if sources else [])]
    typed = {option: as_typed(option, value) for option, value in options.items()}
    behind = [f"{option}={value}" for option, value in typed.items()]
    flags = [word for option, value in typed.items() for word in as_flag(option, value)]
    of_score = {key: options.pop(key) for key in [*options] if key in metric_type.reports_type.__dataclass_fields__}
    started = accumulator_of(metric_type)(**options)
    expected = (
        started.update(HYPS, *refs, **sources) if metric_type.inputs.has_references else started.update_texts(HYPS)
    ).score(**of_score)
    for key, new in metric_type.scores.lists.items():
        values = expected.pop(key)
        expected |= {new: values} if "per_segment" in of_score else {}
    if name == "rouge.use_aggregator":
        expected = {f"segment_{key}": values for key, values in expected.items()}
    for words in (["-m", metric_type.name, *behind], ["-m", metric_type.name, *flags]):
        shown = run("score", "hyp.txt", *sides, "--json", *words)
        assert shown.exit_code == 0, shown.stderr
        assert json.loads(shown.stdout)["metrics"][metric_type.name] == expected


@cache
def page_about(name):
    return called("help", name).stdout


@pytest.mark.parametrize("name", of_each_metric_and_reports_once())
def test_every_option_is_in_the_help(name):
    metric_type, one = OPTIONS[name]
    page = page_about(metric_type.name)
    entry = " ".join(page[page.index(f"\n  {one.name}: ") :].split())
    kind = {"texts": "file of texts", "groups": "file of references"}.get(one.kind, one.type_name)
    assert entry.startswith(f"{one.name}: {kind}, default {one.shown_default} {one.help}")
    assert len(one.help) <= 120


@pytest.mark.parametrize("name", ["", *METRICS, "sacrebleu", "squad"])
def test_pages_about_metrics_fit(run, name):
    lines = run("help", *[name][: len(name)]).stdout.splitlines()
    assert max(map(len, lines)) <= 80
    if name in METRICS:
        assert run("help", METRICS[name].scores.names[0]).stdout.splitlines() == lines
    elif not name:
        assert {line.split()[0] for line in lines if line.startswith("  ")} >= {*METRICS, "sacrebleu", "squad"}
        assert "[0 or more, 0 is best]" in "\n".join(lines)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_page(run, command):
    lines = run(command, "--help").stdout.splitlines()
    assert (len(lines) <= {"score": 60}.get(command, 68), max(map(len, lines)) <= 82) == (True, True)
    assert run("help", command).stdout.splitlines()[1:] == lines[1:]
    assert main.get_command(None, command).name == command
    assert COMMANDS[command] in run("--help").stdout


@pytest.mark.parametrize("command", ["score", "compare", "pairwise", "mbr", "explain"])
def test_help_of_options(run, command):
    page = " ".join(run(command, "--help").stdout.split())
    common = ["tokenizer", "lowercase", "max-order", "word-order", "use-stemmer", "model-id"]
    if command == "score":
        common += [
            "detailed",
            "all-orders",
            *(flag_of(one.name)[2:] for one in options_of(Reports) if one.kind != "labels"),
        ]
    assert [name for name in common if f"--{name}," not in page] == []
    # What the command has itself is listed once.
    flags = [word.strip(",:") for word in page.split(" Options: ")[1].split(" Examples: ")[0].split()]
    own = [flag for parameter in main.get_command(None, command).params for flag in parameter.opts]
    assert [flag for flag in own if flags.count(flag) > 1 and flag.startswith("--")] == []


def test_names_that_options_take_have_help(run):
    """Options list the names, and a page of its own says what each does."""
    page = " ".join(run("help", "wer").stdout.split())
    assert "Names: basic, jiwer, whisper-basic, whisper-english, open-asr-english; see textgauge help norm" in page
    assert "character-jiwer-3, ptb, coco, ja-mecab, ko-mecab, flores101, flores200, spm; see textgauge help tok" in page
    assert run("help", "tokenizers").stdout == run("tokenize", "--list").stdout
    assert "whisper-english   Rewrite as OpenAI's EnglishTextNormalizer" in run("help", "normalizers").stdout


def test_metrics_have_distinct_help(run):
    page = run("help").stdout
    names = [*METRICS]
    starts = sorted(page.index(f"\n  {name} ") for name in names)
    stops = pairwise([*starts, page.index("-m also")])
    entries = [" ".join(page[start:stop].split()[1:]) for start, stop in stops]
    assert len({entry.partition(" [")[0] for entry in entries}) == len(names)
    # Scores that have the name of no metric.
    text = " ".join(page.partition("-m also takes a single score: ")[2].partition(", ...")[0].split())
    assert text.split(", ") == [
        *(f"Bleu_{n}" for n in range(1, 5)), "rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4",
        "mer", "wil", "wip", "token_f1_exact_match", "contains", "ordered_wer",
    ]  # fmt: skip


@pytest.mark.parametrize(("own", "beta"), [([], 3.0), (["beta=2"], 2.0)])
def test_shared_options(metrics, files, own, beta):
    found = metrics("score", "hyp.txt", "-r", "ref.txt", "-m", "rouge", *own, "chrf", "--beta", "3")
    assert found["chrf"] == accumulator_of(METRICS["chrf"])(beta=3.0).update(HYPS, REFS).score()
    assert found["rouge"] == accumulator_of(METRICS["rouge"])(beta=beta).update(HYPS, REFS).score()


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
    shown = run("score", "hyp.txt", "-r", "ref.txt", "--json", "-m", "bleu", *words).stdout
    assert json.loads(shown)["metrics"]["bleu"] == accumulator_of(METRICS["bleu"])(**options).update(HYPS, REFS).score()


def test_names_with_hyphens(run, files):
    (files / "--odd.txt").write_text((files / "hyp.txt").read_text())
    expected = run("score", "hyp.txt", "-r", "ref.txt", "-b").stdout
    assert run("score", "-r", "ref.txt", "-b", "--lowercase=False", "--", "--odd.txt").stdout == expected != ""


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["--help"], {"numpy", "pyarrow", "textgauge.measures"}),
        (["score", "hyp.txt", "-r", "ref.txt", "-b"],
         {"pyarrow", "jinja2", "gzip", "ssl", "urllib.request", "statistics", "textgauge.measures.rouge",
          "textgauge.measures.rouge_options", "textgauge.measures.perplexity"}),
        # The options of metrics are listed from their declarations.
        pytest.param(
            ["score", "--help"], {"pyarrow", "jinja2", "torch", "textgauge.report"}, marks=pytest.mark.slow
        ),
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


@pytest.mark.slow
def test_few_calls_come_before_a_score(files):
    """Outside of imports; they were 962 when every option had a flag object, and are 411."""
    code = (
        "import os, sys, textgauge\nfrom textgauge.cli.main import main\n"
        "root, calls, depth = os.path.dirname(textgauge.__file__), 0, 0\n"
        "def watch(frame, event, _):\n"
        "    global calls, depth\n"
        "    code = frame.f_code\n"
        "    if event not in ('call', 'return') or not code.co_filename.startswith(root): return\n"
        "    if code.co_name == '<module>': depth += 1 if event == 'call' else -1\n"
        "    elif event == 'call' and not depth: calls += 1\n"
        "    elif event == 'return' and code.co_name == 'score' and 'accumulation' in code.co_filename:\n"
        "        sys.setprofile(None)\n"
        "sys.setprofile(watch)\n"
        "try:\n    main(['score', 'hyp.txt', '-r', 'ref.txt', '-b'], prog_name='textgauge')\n"
        "except SystemExit:\n    pass\n"
        "assert 50 < calls < 500, calls\n"
    )  # fmt: skip
    subprocess.run([sys.executable, "-c", code], cwd=files, capture_output=True, timeout=60, check=True)


def test_help_of_named_metrics(run):
    usual_page = run("score", "--help").stdout
    assert "--word-order X" not in usual_page
    page = run("score", "-m", "chrf", "token_f1", "--help").stdout
    assert "--word-order X" in page
    assert "--normalizer X" in page
    assert "  --lowercase " in page
    assert "--max-order" not in page.partition("Options of metrics")[0]


@pytest.mark.parametrize("words", [["--word-order"], ["--beta", "3", "--word-order"]])
def test_option_needs_value(run, words):
    result = run("score", "hyp.txt", "-r", "ref.txt", "-m", "chrf", *words)
    assert (result.exit_code, result.stderr.partition(". Try")[0]) == (2, "textgauge: --word-order needs a value")


def test_names_of_papers_and_modules(refused, write):
    write("hyp.txt", ["a"])
    for call in (("help", "wiki_split"), ("score", "hyp.txt", "-r", "hyp.txt", "-m", "wiki_split")):
        assert "a module alone: evaluate.load('metrics/wiki_split')" in refused(*call)
    for name, ours in (("gleu", "google_bleu"), ("em", "exact_match"), ("chrf++", "'chrf(word_order=2)'")):
        assert f"it is -m {ours} here" in refused("score", "hyp.txt", "-r", "hyp.txt", "-m", name)


@pytest.mark.parametrize(
    ("name", "head"),
    [("charcut_mt", "CharCut: -m charcut_mt [0 to 1, 0 is best]"), ("sari", "SARI: -m sari [0 to 100]"),
     ("wer", "WER: -m wer [0 or more, 0 is best]")],
)  # fmt: skip
def test_a_page_about_a_metric_begins_with_its_range(run, name, head):
    first, second, *_ = run("help", name).stdout.splitlines()
    assert first == head
    assert second.endswith("?")


def test_commands_and_functions_have_one_set_of_defaults():
    """Of every option that both have: a score or a p-value is the same wherever it is asked for."""
    functions = {
        "compare": (textgauge.compare, PairedOptions), "plan": (textgauge.plan,), "agree": (textgauge.agreement,),
        "explain": (textgauge.explain, PairedOptions), "pairwise": (textgauge.pairwise,), "mbr": (textgauge.mbr,),
        "tokenize": (textgauge.tokenize,),
    }  # fmt: skip
    shared = {}
    for command, forms in functions.items():
        ours = {name: one.default for form in forms for name, one in signature(form).parameters.items()}
        for option in main.get_command(Context(main), command).params:
            if option.name in ours and isinstance(option.default, (bool, int, float, str)):
                default = ours[option.name]
                shared[command, option.name] = default
                # No seed is that of the command line.
                expected = seed_of(default) if option.name == "seed" else default
                assert option.default == expected, (command, option.name)
        if (default := ours.get("metric")) not in (None, Parameter.empty):
            assert default == DEFAULT, command
    assert {("compare", "confidence"), ("plan", "n_resamples"), ("agree", "seed"), ("plan", "power")} <= shared.keys()
