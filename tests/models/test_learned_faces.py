"""Every learned metric through every face, each with the score of the function; its checkpoints, if damaged too."""

import pickle
import shutil
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import textgauge
from cli.conftest import metrics, run  # noqa: F401
from quick import first
from textgauge.accumulation.accumulator import accumulator_of
from textgauge.accumulation.registry import METRICS
from textgauge.apps.inputs import choices_of
from textgauge.apps.tasks import MetricTask
from textgauge.options import options_of
from textgauge.report import explain_page
from textgauge.rewards import Reward
from textgauge.trainer import compute_metrics
from tiny_models import (
    Malicious,
    refused,
    save_align,
    save_bleurt,
    save_comet,
    save_encoder,
    save_metricx,
    save_pair_model,
)
from toys import Words

pytestmark = pytest.mark.filterwarnings(
    "ignore:two systems differ in only", "ignore:.* longer than", "ignore:.*nothing to"
)
# Few lengths make few batches, so the tests are fast.
TEXTS = {
    "predictions": ["The cat sat on the mat.", "A dog barks at a cat.", "The cat sat on.", "Coffee cat sat on a mat.",
                    "The cat sat on the dog.", "A mat barks!"],
    "references": ["A cat sat on a mat.", "The dog barks.", "The cats.", "The coffee.", "A dog sat.", "A cat barks."],
    "sources": ["The cat sat on a mat. The dog barks!", "A dog barks at a mat.", "The cat: sat.", "Coffee sat on.",
                "The cat sat on a dog.", "A dog barks at a mat. The mat sat!"],
}  # fmt: skip


class Learned(NamedTuple):
    """A metric with a model, and the texts that it reads."""

    name: str
    options: dict
    texts: dict

    @property
    def key(self):
        return accumulator_of(METRICS[self.name])(**self.options).metric.scores.headline

    @property
    def others(self):
        return {column: texts for column, texts in self.texts.items() if column != "predictions"}

    def accumulator(self, **more):
        return accumulator_of(METRICS[self.name])(**self.options, **more)

    def of(self, **more):
        return getattr(textgauge, self.name)(**self.texts, **self.options, **more)

    def near(self, score):
        # Of batches of another size, and by way of products in another order.
        return pytest.approx(score, abs={"metricx": 5e-5, "bleurt": 2e-6}.get(self.name, 1e-6))


def mt5(folder, form):
    return {"model_id": str(save_metricx(folder, form)[0]), "encoder": str(folder / "mt5")}


def tiny(save, *given, **options):
    def saved(folder):
        (folder / "tiny").mkdir()
        save(folder / "tiny", *given)
        return {"model_id": str(folder / "tiny"), **options}

    return saved


def align(folder):
    file, encoder = save_align(folder)
    return {"model_id": str(file), "encoder": str(encoder)}


LABELS = ("contradiction", "neutral", "entailment")
BOTH = ("references", "sources")
# The metric, what saves a model and returns its options, the columns beside predictions.
CASES = {
    "bertscore": ("bertscore", tiny(save_encoder, num_layers=2), ["references"]),
    "bleurt": ("bleurt", tiny(save_bleurt, "20"), ["references"]),
    "frugalscore": ("frugalscore", tiny(save_pair_model, 1), ["references"]),
    "metricx": ("metricx", lambda folder: mt5(folder, "24"), BOTH),
    "comet": ("comet", tiny(save_comet), BOTH),
    "comet-qe": ("comet", tiny(save_comet, "referenceless_regression_metric"), ["sources"]),
    "minicheck": ("consistency", tiny(save_pair_model, form="minicheck"), ["sources"]),
    "alignscore": ("consistency", lambda folder: {"form": "alignscore", **align(folder)}, ["sources"]),
    "summac-zs": ("consistency", tiny(save_pair_model, 3, LABELS, form="summac-zs"), ["sources"]),
    "metricx-qe": ("metricx", lambda folder: mt5(folder, "23-qe"), ["sources"]),
}


PACKAGES = {"bleurt": ["sentencepiece"], "comet": ["yaml"], "metricx": ["sentencepiece", "google.protobuf"]}


def saved(case, folder):
    """Save the model of a case, where its packages are installed, and return the options that name it."""
    for package in PACKAGES.get(case[0], ()):
        pytest.importorskip(package)
    return case[1](folder)


@pytest.fixture(scope="module", params=first(9, CASES))
def learned(request, tmp_path_factory):
    name, _, columns = CASES[request.param]
    options = saved(CASES[request.param], tmp_path_factory.mktemp(request.param))
    yield Learned(name, options, {column: TEXTS[column] for column in ("predictions", *columns)})
    textgauge.models.clear_models()


@pytest.fixture(autouse=True, scope="module")
def nothing_remembered():
    """Every call computes: no test compares a figure with itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("textgauge.models.comet.REMEMBERED", 0)
        yield


@pytest.fixture(scope="module")
def expected(learned):
    return learned.of(per_segment=True)


@pytest.fixture
def segments(learned, expected):
    return learned.near(expected[f"segment_{learned.key}"])


def test_a_score_is_the_mean_of_those_of_segments(learned, expected, segments):
    assert type(expected[learned.key]) is float
    assert expected[learned.key] == pytest.approx(np.mean(segments.expected), abs=1e-12)
    assert textgauge.segment_scores(learned.accumulator(), **learned.texts) == segments
    low, high = learned.of(confidence=0.9)["confidence_intervals"][learned.key]
    assert low < expected[learned.key] < high


def test_batches_merge_pickle_and_are_stored(learned, expected):
    parts = [{column: texts[a:b] for column, texts in learned.texts.items()} for a, b in ((0, 2), (2, 6))]
    of_worker = pickle.loads(pickle.dumps(learned.accumulator()))
    both = learned.accumulator().update(**parts[0]) + of_worker.update(**parts[1])
    assert both.score()[learned.key] == learned.near(expected[learned.key])
    stored = type(both).from_arrow(both.to_arrow(), **learned.options)
    assert (stored.score(), stored.signature) == (both.score(), both.signature)
    # What changes no score is in no signature.
    small = learned.accumulator(batch_size=2, device="cpu", verbose=True).update(**parts[0])
    assert (both + small).signature == both.signature
    with pytest.raises(ValueError, match="^other: .*got 'bfloat16'"):
        both + learned.accumulator(dtype="bfloat16")


def test_rows_of_a_data_set(learned, expected, segments):
    datasets = pytest.importorskip("datasets")
    columns = {f"{column[:-1]}_column": column for column in learned.texts}
    rows = datasets.Dataset.from_dict(learned.texts)
    found = textgauge.score_dataset(rows, learned.accumulator(), batch_size=4, **columns)
    assert found[learned.key] == learned.near(expected[learned.key])
    assert textgauge.scorer(learned.accumulator(), **columns)(learned.texts)[learned.key] == segments


def test_rewards(learned, segments):
    columns = {column: column if column in learned.texts else None for column in BOTH}
    given = dict(reference=columns["references"], source=columns["sources"])
    own = Reward(learned.accumulator(), scale="metric", **given)
    assert own(completions=TEXTS["predictions"], **learned.others) == segments
    [score] = learned.accumulator().metric.scores[:1]
    shares = np.clip(segments.expected, 0, 1) if score.higher_is_better else 1 - np.array(segments.expected) / 25
    assert Reward(learned.accumulator(), **given)(completions=TEXTS["predictions"], **learned.others) == learned.near(
        shares
    )


def test_an_explanation(learned, expected, segments):
    found = textgauge.explain(**learned.texts, metric=learned.accumulator())
    assert found.score == learned.near(expected[learned.key])
    assert [one.score for one in found.segments] == segments
    columns = [column for column in ("predictions", "sources", "references") if column in learned.texts]
    texts = [(name, "".join(piece.text for piece in pieces)) for name, pieces in found.segments[0].texts]
    assert texts == [(column[:-1], learned.texts[column][0]) for column in columns]


def test_wrong_options(learned):
    names = {one.name for one in options_of(METRICS[learned.name].options_type)}
    for name, wrong, error in (
        ("model_id", 3, TypeError), ("encoder", 3, TypeError), ("device", "nowhere", ValueError),
    ):  # fmt: skip
        if name in names:
            with pytest.raises(error, match=f"^{name}: .*got {wrong!r}"):
                learned._replace(options={**learned.options, name: wrong}).of()
    with pytest.raises(ValueError, match="^`device_map` cannot be given with `device`"):
        learned.of(device="cpu", device_map="auto")


def test_a_comparison(learned, expected):
    systems = [TEXTS["predictions"], TEXTS["predictions"][::-1]]
    [result] = textgauge.compare(systems, **learned.others, metric=learned.accumulator(), n_resamples=20)
    turned = learned._replace(texts={**learned.texts, "predictions": systems[1]})
    assert [result.score1, result.score2] == [learned.near(one[learned.key]) for one in (expected, turned.of())]


def test_pairs(learned):
    rows, columns = TEXTS["predictions"][:3], TEXTS["references"][:2]
    sources = {"sources": TEXTS["sources"][:3]} if "sources" in learned.texts else {}
    if "references" not in learned.texts:
        with pytest.raises(ValueError, match="^metric: .*compares"):
            textgauge.pairwise(rows, columns, **sources, metric=learned.accumulator())
        return
    each = [textgauge.segment_scores(learned.accumulator(), rows, [text] * 3, **sources) for text in columns]
    assert textgauge.pairwise(rows, columns, **sources, metric=learned.accumulator()) == learned.near(
        np.transpose(each)
    )


def test_a_trainer(learned, expected):
    words = sorted({word for column in learned.texts.values() for text in column for word in text.split()})
    n = max(len(text.split()) for column in learned.texts.values() for text in column)
    ids = {
        column: np.array([([1 + words.index(word) for word in text.split()] + [0] * n)[:n] for text in texts])
        for column, texts in TEXTS.items() if column in learned.texts
    }  # fmt: skip
    labels = ids.get("references", ids["predictions"])
    output = type("EvalPrediction", (tuple,), {"inputs": ids.get("sources")})((ids["predictions"], labels))
    found = compute_metrics(Words(*words), learned.accumulator())(output)
    assert found[learned.key] == learned.near(expected[learned.key])


def test_the_command_line(learned, expected, run, metrics, tmp_path):  # noqa: F811
    for name, texts in {**learned.texts, "turned": TEXTS["predictions"][::-1]}.items():
        (tmp_path / name).write_text("\n".join(texts) + "\n")
    words = ["-m", learned.name, *(f"{name}={value}" for name, value in learned.options.items())]
    for column in learned.others:
        words += [f"-{column[0]}", column]
    assert metrics("score", "predictions", *words)[learned.name][learned.key] == learned.near(expected[learned.key])
    compared = run("compare", "predictions", "turned", *words, "-n", 20)
    assert compared.exit_code == 0, compared.output
    assert ("lower is better" in compared.stdout) == (learned.name == "metricx")
    explained = run("explain", "predictions", *words, "-o", "page.html")
    assert explained.exit_code == 0, explained.output
    assert question(learned) in (tmp_path / "page.html").read_text()


def question(learned):
    return learned.accumulator().metric.about.explain(learned.key).question


def test_the_module(learned, expected, tmp_path):
    options = dict(learned.options)
    if learned.name == "bertscore":
        options["model_type"] = options.pop("model_id")
    metric = textgauge.load(learned.name, cache_dir=tmp_path, **options)
    result = metric.compute(**learned.texts)
    assert np.mean(result.get("scores", result.get(learned.key))) == learned.near(expected[learned.key])
    metric.add_batch(**learned.texts)
    assert metric.compute() == result
    assert pickle.loads(pickle.dumps(metric)).compute(**learned.texts) == result
    # A column that the model does not use is left out.
    if "sources" in learned.texts:
        assert metric.compute(**TEXTS) == result


def test_its_page(learned):
    task = MetricTask(Path(textgauge.path(learned.name)))
    assert {"unit", *learned.texts} <= {*task.texts}
    example = dict(zip(task.texts, task.example(), strict=True))
    assert example["unit"] == ""
    example |= {column: "" for column in BOTH if column not in learned.texts}
    shown = [learned.options.get(one.name, next(iter(choices_of(one)), one.default)) for one in task.settings]
    report = task.report(learned.name, example, dict.fromkeys(task.texts), shown)[0]
    lines = {column: example[column].split("\n") for column in learned.texts}
    if "references" in lines:
        lines["references"] = [line.split("\t") for line in lines["references"]]
    expected = learned._replace(texts=lines).of()
    assert report.systems[0].score == learned.near(expected[learned.key])
    assert question(learned) in explain_page(report)


PICKLED = {
    **{name: CASES[name] for name in ("bleurt", "comet", "alignscore")},
    "metricx": ("metricx", lambda folder: {"model_id": save_metricx(folder, file="bin")[0], "encoder": folder / "mt5"}),
}


def weights_in(place):
    """The file with the weights of a model."""
    files = [place] if place.is_file() else [*place.rglob("*")]
    return max(
        (file for file in files if file.suffix in (".ckpt", ".bin", ".safetensors")), key=lambda f: f.stat().st_size
    )


@pytest.mark.parametrize("is_zip", [True, False])
@pytest.mark.parametrize("name", PICKLED)
def test_a_malicious_file_runs_nothing(torch, name, tmp_path, is_zip):
    options, sign = saved(PICKLED[name], tmp_path), tmp_path / "sign"
    file = weights_in(Path(options["model_id"]))
    if is_zip:
        torch.save({**torch.load(file, weights_only=True), "more": Malicious(sign)}, file)
    else:
        file.write_bytes(pickle.dumps(Malicious(sign)))
    refused(PICKLED[name][0], message=f"^model_id: .*(complete|nothing|with tensors).*{file.name}", **options)
    assert not sign.exists()


@pytest.fixture
def copied(learned, tmp_path):
    """A copy of a model, and its file of weights."""
    place = Path(learned.options["model_id"])
    (shutil.copy if place.is_file() else shutil.copytree)(place, tmp_path / place.name)
    options = {**learned.options, "model_id": str(tmp_path / place.name)}
    return learned._replace(options=options), weights_in(tmp_path / place.name)


@pytest.mark.parametrize("share", [0.0, 0.0001, 0.9])
def test_a_truncated_file(copied, share):
    model, file = copied
    whole = file.read_bytes()
    file.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises((ValueError, OSError), match="^model_id: ") as caught:
        model.of()
    assert "\n" not in str(caught.value)


def test_a_checkpoint_written_again_is_read_again(torch, copied):
    model, file = copied
    before = model.of(signature=True)
    assert model.of(signature=True) == before
    if file.suffix == ".safetensors":
        from safetensors.torch import load_file, save_file
    else:
        save_file, load_file = torch.save, lambda path: torch.load(path, weights_only=True)
    stored = load_file(file)
    weights = stored.get("state_dict", stored)
    weights |= {key: value * 1.5 for key, value in weights.items() if value.is_floating_point()}
    save_file(stored, file)
    after = model.of(signature=True)
    assert after[model.key] != pytest.approx(before[model.key], abs=1e-4)
    assert after["signature"] != before["signature"]


def test_missing_folders(learned):
    options = {**learned.options, "revision": "main"}
    with pytest.raises(ValueError, match="^`revision` cannot be given with a local"):
        learned._replace(options=options).of()
    with pytest.raises(FileNotFoundError, match="^model_id: .*got './no-such'"):
        learned._replace(options={**learned.options, "model_id": "./no-such"}).of()
