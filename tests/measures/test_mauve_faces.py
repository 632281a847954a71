"""MAUVE through every face: columns of two lengths where samples are taken, and refusals where pairs are needed."""

import json
import sys
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import textgauge
from cli.conftest import refused, run  # noqa: F401
from textgauge.measures.mauve import Mauve

HAS_PACKAGES = all(map(find_spec, ("faiss", "sklearn", "torch", "transformers")))
pytestmark = [
    pytest.mark.filterwarnings("ignore:MAUVE of .* moves with every text"),
    pytest.mark.filterwarnings("ignore:predictions have .* tokens on average"),
    pytest.mark.filterwarnings("ignore:builtin type"),
]
TEXTS = [f"the {noun} {verb} on the mat" for noun in ("cat", "dog") for verb in ("sat", "sells", "barks")] * 3
OTHERS = ["the cat sat on the mat", "a dog barks at the cat", "cafes sell coffee", "one two"] * 3


class Letters:
    """Stands for a model: the letters of a text, and the number of its words."""

    dtype, limit = "float32", 9

    def __init__(self, options, *_):
        self.identity = {"model": options.model_id}

    def features(self, texts, *_, **__):
        vectors = np.array([[text.count(letter) for letter in "aest"] for text in texts], np.float32)
        return SimpleNamespace(vectors=vectors, n_tokens=np.array([len(text.split()) for text in texts]), n_empty=0)


def in_buckets(first, second, n_buckets, clustering):
    for seed in clustering.seeds:
        yield [np.bincount((side @ np.arange(1, side.shape[1] + 1) + seed * side[:, 0]).astype(int) % n_buckets,
                           minlength=n_buckets) for side in (first, second)]  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _stand_ins():
    """What stands for packages that are missing: every face asks for the same."""
    with pytest.MonkeyPatch.context() as patched:
        if not HAS_PACKAGES:
            measure = sys.modules[Mauve.__module__]
            patched.setitem(sys.modules, "textgauge.models.features", SimpleNamespace(FeatureModel=Letters))
            patched.setattr(measure, "in_buckets", in_buckets)
            for name in ("packages", "versions"):
                patched.setattr(measure, name, dict)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models") / "tiny"
    folder.mkdir()
    if not HAS_PACKAGES:
        return str(folder)
    from tiny_models import save_model, save_tokenizer

    save_model(folder, "gpt2", len(save_tokenizer(folder)))
    return str(folder)


@pytest.fixture(scope="module")
def expected(folder):
    with pytest.warns(UserWarning, match="moves with every text"):
        return textgauge.mauve(TEXTS, OTHERS, model_id=folder, num_buckets=4)


@pytest.fixture(scope="module")
def module():
    return textgauge.load("mauve")


def test_the_module_has_the_names_of_the_hub(folder, expected, module):
    options = {"featurize_model_name": folder, "num_buckets": 4, "device_id": -1}
    found = module.compute(predictions=TEXTS, references=OTHERS, **options)
    assert (found.mauve, found["frontier_integral"]) == (expected.mauve, expected.frontier_integral)
    assert found.divergence_curve.shape == (27, 2)
    assert np.array_equal(found.p_hist, expected.p_hist)
    # Batches of two lengths, and texts of one side.
    module.add_batch(predictions=TEXTS[:5], references=OTHERS)
    module.add_batch(predictions=TEXTS[5:-1])
    module.add(prediction=TEXTS[-1])
    assert module.compute(**options).mauve == expected.mauve
    for text in TEXTS:
        module.add(prediction=text)
    for text in OTHERS:
        module.add(reference=text)
    assert module.compute(**options).mauve == expected.mauve


def test_the_module_takes_features(module):
    p, q = np.random.RandomState(0).randn(2, 60, 4)
    found = module.compute(p_features=p, q_features=q[:50], num_buckets="auto", max_text_length=256)
    assert found.mauve == textgauge.mauve(predictions_features=p, references_features=q[:50]).mauve
    # The Hub's needs texts beside them, and reads none.
    assert module.compute(predictions=["x"] * 60, references=["y"] * 50, p_features=p, q_features=q[:50]).mauve == (
        found.mauve
    )
    assert textgauge.load("mauve", num_buckets=3).compute(p_features=p, q_features=q).num_buckets == 3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "^predictions: .*got none"),
        ({"p_features": [[1.0]]}, "^predictions: .*got none"),
        ({"predictions": ["a"]}, "^references: .*`q_features`.*got None"),
        ({"predictions": ["a", None], "references": ["b"]}, r"predictions\[1\]"),
        ({"predictions": ["a"], "references": ["b"], "p_features": [[1.0]] * 2, "q_features": [[1.0]]},
         "^p_features: .*got 2 vectors"),
        ({"p_features": [[1.0]], "q_features": [[1.0]], "p_tokens": [[1]]}, r"^p_tokens: .*got \[\[1\]\]"),
        ({"p_features": [[1.0]], "q_features": [[1.0]], "pca_max_data": 5}, "^pca_max_data: .*got 5"),
        ({"predictions": ["a"], "references": ["b"], "max_text_length": 0}, "^max_text_length: .*got 0"),
        ({"p_features": [[1.0]], "q_features": [[1.0]], "confidence": 0.9}, "repeated texts lower MAUVE"),
        ({"predictions": ["a"], "references": ["b"], "device_id": "a"}, "^device_id: .*got 'a'"),
    ],
)  # fmt: skip
def test_the_module_refuses(module, given, message):
    with pytest.raises((TypeError, ValueError), match=message):
        module.compute(**given)


def test_data_sets_have_columns_of_two_lengths(folder, expected):
    datasets = pytest.importorskip("datasets")
    columns = {"prediction_column": "model", "reference_column": "people"}
    rows = datasets.Dataset.from_dict({"model": TEXTS, "people": [*OTHERS, *[None] * (len(TEXTS) - len(OTHERS))]})
    named = f"mauve(model_id='{folder}', num_buckets=4)"
    assert textgauge.score_dataset(rows, named, **columns) == expected
    assert textgauge.score_dataset(rows.to_iterable_dataset(), named, batch_size=5, **columns) == expected
    own = Mauve(model_id=folder, num_buckets=4)
    found = textgauge.score_dataset({"test": rows}, own, skip_bad=True, signature=True, **columns)["test"]
    assert (found["mauve"], found["skipped"]) == (expected.mauve, 0)
    assert found["signature"].startswith(f"model:{folder}|")
    bad = datasets.Dataset.from_dict({"model": [None, None, None, 1], "people": ["a", "b", "c", "d"]})
    with pytest.raises(TypeError, match=r"^dataset\['model'\]\[3\]: .*got 1"):
        textgauge.score_dataset(bad, named, batch_size=1, **columns)
    with pytest.raises(TypeError, match="^reference_column: .*got None"):
        textgauge.score_dataset(rows, named, prediction_column="model")
    with pytest.raises(TypeError, match="`unit_column` cannot be given, since mauve compares two samples"):
        textgauge.score_dataset(rows, named, unit_column="people", **columns)


def test_the_page_takes_samples_of_two_lengths(folder, expected):
    tasks = pytest.importorskip("textgauge.apps.tasks")
    task = tasks.SetTask(Path(textgauge.path("mauve")))
    chosen = {"model_id": folder, "num_buckets": 4}
    values = [chosen.get(option.name, option.default) for option in task.settings]
    texts = {"predictions": "\n".join(TEXTS), "references": "\n".join(OTHERS)}
    report, names, key = task.report("mauve", texts, dict.fromkeys(texts), values)
    assert (report.result["mauve"], [*names], key) == (expected.mauve, ["mauve"], "mauve")
    assert f"{expected.mauve:.4f}" in task.shown(report)
    assert "any number" in task.texts["references"]


COLUMNS = {"prediction_column": "a", "reference_column": "b"}
SYSTEMS = {"a": TEXTS, "b": TEXTS[::-1]}


@pytest.mark.parametrize(
    "call",
    [
        lambda: textgauge.compare(SYSTEMS, TEXTS, metric="mauve"),
        lambda: textgauge.plan(*SYSTEMS.values(), TEXTS, metric="mauve"),
        lambda: textgauge.pairwise(TEXTS, metric="mauve"),
        lambda: textgauge.mbr([TEXTS], metric="mauve"),
        lambda: textgauge.segment_scores("mauve", TEXTS, TEXTS),
        lambda: textgauge.explain(TEXTS, TEXTS, metric="mauve"),
        lambda: textgauge.matches(TEXTS[0], TEXTS[1], metric="mauve"),
        lambda: textgauge.scorer("mauve", **COLUMNS),
        lambda: textgauge.score_dataset(None, ["mauve", "bleu"], **COLUMNS),
        lambda: textgauge.rewards.Reward("mauve"),
    ],
)
def test_what_needs_pairs_says_so(call):
    with pytest.raises((TypeError, ValueError), match="^metrics?: .*got 'mauve', which"):
        call()


def test_the_trainer_says_so():
    tokenizer = SimpleNamespace(decode=str)
    with pytest.raises(ValueError, match="^metrics: .*'bleu'.*got 'mauve'"):
        textgauge.trainer.compute_metrics(tokenizer, ["rouge", "mauve"])


# ---- the command line


@pytest.fixture
def files(tmp_path):
    """Write both samples, as plain text and as columns of one file."""
    (tmp_path / "model.txt").write_text("".join(f"{text}\n" for text in TEXTS))
    (tmp_path / "people.txt").write_text("".join(f"{text}\n" for text in OTHERS))
    rows = [
        {"prediction": text} | ({"reference": OTHERS[i]} if i < len(OTHERS) else {}) for i, text in enumerate(TEXTS)
    ]
    (tmp_path / "both.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))


def test_score_takes_files_of_two_lengths(run, files, folder, expected):  # noqa: F811
    options = ("-m", "mauve", f"model_id={folder}", "num_buckets=4")
    page = json.loads(run("score", "model.txt", "-r", "people.txt", *options, "--json").stdout)
    assert (page["texts"], page["metrics"]) == (len(TEXTS) + len(OTHERS), {"mauve": expected})
    shared = ("-m", "mauve", "--model-id", folder, "--num-buckets", "4")
    two = run("score", "model.txt", "people.txt", "-r", "people.txt", *shared, "--brief", "-w", "9").stdout
    assert two.split() == [f"{expected.mauve:.9f}", "1.000000000"]
    # Of columns of one file the rows without a text are bad.
    done = run("score", "both.jsonl", *options, "--skip-bad", "--json")
    assert json.loads(done.stdout)["metrics"]["mauve"]["mauve"] == expected.mauve
    assert f"{len(TEXTS) - len(OTHERS)} bad rows were left out" in done.stderr
    shown = " ".join(run("score", "model.txt", "-r", "people.txt", *options, "n_seeds=2").stdout.split())
    assert "30 texts, two samples in 4 buckets" in shown
    assert "means of 2 seeds, between which MAUVE has a standard deviation of" in shown


NO_PAIRS = "mauve compares two samples of texts, no pairs"


def test_score_exits_with_1_below_a_bound(run, files, folder):  # noqa: F811
    options = ("score", "model.txt", "-r", "people.txt", "-m", "mauve", f"model_id={folder}")
    assert run(*options, "--fail-under", "0.99999").exit_code == 1
    assert run(*options, "--fail-under", "0.00001").exit_code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("score model.txt -r people.txt -m mauve bleu", f"{NO_PAIRS}: score it alone"),
        ("score model.txt -m mauve", "mauve needs the other sample: give its file a -r"),
        ("score model.txt -r people.txt -m mauve --worst 2", "--worst has no effect with -m mauve"),
        ("score model.txt -r people.txt -m mauve --confidence", "mauve: `confidence` cannot be given, since a re"),
        ("score model.txt -r people.txt -m mauve -o rows.csv", "mauve has no scores of segments"),
        ("score model.txt -r people.txt -m mauve(seed=1)", "mauve has its options behind it: -m mauve OPTION=VALUE"),
        ("score model.txt -r people.txt -m mauve num_bucket=1", "mauve has no option 'num_bucket'; did you mean num_b"),
        ("score both.jsonl -m mauve", "both.jsonl, line 13: there is no field 'reference'"),
        ("compare model.txt model.txt -r model.txt -m mauve", f"{NO_PAIRS}: textgauge score takes it"),
        ("explain model.txt -r model.txt -m mauve", f"{NO_PAIRS}: textgauge score takes it"),
        ("pairwise model.txt -m mauve", f"{NO_PAIRS}: textgauge score takes it"),
        ("agree both.jsonl -m mauve", f"{NO_PAIRS}: textgauge score takes it"),
        ("plan model.txt model.txt -r model.txt -m mauve", f"{NO_PAIRS}: textgauge score takes it"),
    ],
)
def test_the_command_line_refuses(refused, files, words, message):  # noqa: F811
    assert refused(*words.split()).startswith(message)


def test_help_has_the_options(run):  # noqa: F811
    assert "kmeans_explained_var" in run("help", "mauve").stdout
