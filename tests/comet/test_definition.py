"""The figures of unbabel-comet 2.2.7, and the models by their definitions, for other encoders and settings."""

import numpy as np
import pytest
import textgauge
from quick import covering
from textgauge.models import checkpoints, files
from tiny_models import load_comet

PREDICTIONS = ["the cat sat on the mat", "a dog", "one, two: three!", "", "[PAD] sat [PAD]", "zz " * 60]
SOURCES = ["a cat sat", "", "one two", "the cat", "mat", "the mat " * 40]
REFERENCES = ["the cat sat on a mat", "a dog barks", "one two three", "a", "sat", "the cat " * 30]


# Encoder states by weights and token ids; many saved models share an encoder.
STATES = {}


class Definition:
    """COMET as its papers and its code define it."""

    def __init__(self, model, tokenizer, rest, settings):
        import torch

        self.weights = b"".join(one.numpy(force=True).tobytes() for one in model.double().parameters())
        self.torch, self.model, self.tokenizer, self.rest, self.h = torch, model, tokenizer, rest, settings
        self.limit = model.config.max_position_embeddings - 2
        self.n_separators = 1 if settings["encoder_model"] in ("BERT", "RemBERT") else 2

    def ids(self, text):
        return self.tokenizer(text, truncation=True, max_length=self.limit - 2)["input_ids"]

    def states(self, ids, types=None):
        key = self.h["encoder_model"], self.weights, tuple(ids), types and tuple(types)
        if key not in STATES:
            STATES[key] = self.states_of(ids, types)
        return STATES[key]

    def states_of(self, ids, types):
        extra = {} if types is None else {"token_type_ids": self.torch.tensor([types])}
        ids = self.torch.tensor([ids])
        mask = self.torch.ones_like(ids)
        with self.torch.no_grad():
            out = self.model(ids, attention_mask=mask, output_hidden_states=True, **extra)
        return [state[0] for state in out.hidden_states]

    def mixed(self, states):
        layer = self.h["sent_layer" if self.is_joint else "layer"]
        if layer != "mix":
            return states[layer]
        scalars = self.torch.cat([self.rest[f"layerwise_attention.scalar_parameters.{i}"] for i in range(4)]).double()
        shares = sparsemax(scalars.tolist()) if self.h["layer_transformation"] == "sparsemax" else scalars.softmax(0)
        if self.h["layer_norm"]:
            states = [(x - x.mean()) / (x.var(unbiased=False) + 1e-12).sqrt() for x in states]
        return self.rest["layerwise_attention.gamma"] * sum(w * x for w, x in zip(shares, states, strict=True))

    @property
    def is_joint(self):
        return self.h["class_identifier"] in ("unified_metric", "xcomet_metric")

    def vector(self, text):
        ids = self.ids(text)
        states = self.states(ids)
        if self.h["pool"] == "default":
            return states[-1][0]
        x = self.mixed(states)
        kept = x[self.torch.tensor(ids) != self.tokenizer.pad_token_id]
        return {"avg": kept.sum(0) / len(ids), "max": kept.amax(0), "cls": x[0]}[self.h["pool"]]

    def head(self, x):
        for place in (0, 3, 6):
            weight, bias = (self.rest[f"estimator.ff.{place}.{one}"].double() for one in ("weight", "bias"))
            x = weight @ x + bias
            name = self.h["activations"] if place < 6 else self.h["final_activation"] or "Identity"
            x = getattr(self.torch.nn, name)()(x)
        return x.item()

    def apart(self, prediction, source, reference=None):
        p, s = self.vector(prediction), self.vector(source)
        if reference is None:
            return self.head(self.torch.cat([p, s, p * s, (p - s).abs()]))
        r = self.vector(reference)
        return self.head(self.torch.cat([p, r, p * r, (p - r).abs(), p * s, (p - s).abs()]))

    def joint(self, *texts):
        return self.head(self.mixed(self.joint_states(*texts)[1])[0])

    def joint_states(self, *texts):
        tokenizer = self.tokenizer
        inner = [[i for i in self.ids(text) if i != tokenizer.pad_token_id][1:-1] for text in texts]
        ids = [tokenizer.cls_token_id, *inner[0]]
        for one in inner[1:]:
            ids += [tokenizer.sep_token_id] * self.n_separators + one
        ids = [*ids, tokenizer.sep_token_id][: self.limit]
        n = len(inner[0]) + 2
        types = ([0] * n + [1] * len(ids))[: len(ids)] if self.h["encoder_model"] == "BERT" else None
        return ids, self.states(ids, types)

    def tags(self, *texts):
        """The ids, and for each the probabilities of no error, minor, major, critical."""
        ids, states = self.joint_states(*texts)
        weight, bias = (self.rest[f"hidden2tag.{one}"].double() for one in ("weight", "bias"))
        return ids, [(weight @ state + bias).softmax(0) for state in states[self.h["word_layer"]]]

    def xcomet(self, prediction, *others):
        """The score of a source or a reference, or of both in this order, and the spans."""
        runs = [others] if len(others) == 1 else [others[:1], others[1:], others]
        scores = [min(self.joint(prediction, *run), 1.0) for run in runs]
        places = self.tokenizer(prediction, return_offsets_mapping=True)["offset_mapping"]
        tags = [self.tags(prediction, *run) for run in runs]
        shares = [1.0] if len(runs) == 1 else [0.1667, 0.3333, 0.5]
        spans, run = [], []
        for at, place in enumerate(places):
            mixed = sum(share * one[at] for share, (_, one) in zip(shares, tags, strict=True))
            tag = int(mixed.argmax())
            if tag:
                run.append((tags[0][0][at], place, tag, mixed.max().item()))
            elif run:
                spans.append({
                    "text": self.tokenizer.decode([one[0] for one in run]), "start": run[0][1][0],
                    "end": run[-1][1][1], "severity": ["minor", "major", "critical"][run[0][2] - 1],
                    "confidence": sum(one[3] for one in run) / len(run),
                })  # fmt: skip
                run = []
        cost = sum({"minor": 1, "major": 5, "critical": 10}[span["severity"]] for span in spans)
        parts = [0.78] if len(runs) == 1 else [0.12, 0.33, 0.33]
        total = sum(part * score for part, score in zip(parts, scores, strict=True))
        return total + 0.22 * (25 - min(cost, 25)) / 25, spans


def sparsemax(scalars):
    """By bisection of the threshold, whose excesses sum to 1."""
    low, high = min(scalars) - 1, max(scalars)
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(max(x - middle, 0) for x in scalars) > 1 else (low, middle)
    return [max(x - low, 0) for x in scalars]


def scores(folder, references=REFERENCES, sources=SOURCES):
    given = {"references": references, "sources": sources}
    columns = {name: column for name, column in given.items() if column is not None}
    # MiniLM has the tokenizer of another model, which no test can load.
    encoder = folder / "encoder" if "MiniLM" in (folder / "hparams.yaml").read_text() else None
    return load_comet(folder, encoder).score(PREDICTIONS, columns, 4).scores


@pytest.mark.parametrize(
    ("family", "kind"),
    covering(["XLM-RoBERTa", "XLM-RoBERTa-XL", "MiniLM", "BERT", "RemBERT"], ["regression_metric", "unified_metric"]),
)
def test_families(saved, family, kind):
    folder, made = saved(kind, family)
    assert_defined(folder, made)


@pytest.mark.parametrize(
    "settings",
    [
        {"pool": "max"}, {"pool": "max", "layer_norm": True}, {"pool": "cls", "layer_norm": True},
        {"pool": "default"}, {"layer": 2}, {"layer": 0, "pool": "max"}, {"layer_norm": True},
        {"layer_transformation": "sparsemax"}, {"activations": "Sigmoid", "final_activation": "Tanh"},
    ],
    ids=str,
)  # fmt: skip
def test_settings(saved, settings):
    assert_defined(*saved("regression_metric", **settings))


@pytest.mark.parametrize("settings", [{"layer_norm": True}, {"pool": "default", "layer_norm": True}], ids=str)
def test_norms_of_texts(saved, settings):
    assert_defined(*saved("regression_metric", "XLM-RoBERTa-XL", has_odd_norms=True, **settings))


SPANS = [
    "the cat sat on the mat", "a dog", "one, two: three!", "", "sat", "a b c d e f g h", "the the cat cat a cat sat",
    "three cat sells the mat mat", "coffee mat, a mat", "dog at a barks", "cat: on!", "e f g",
]  # fmt: skip


@pytest.fixture
def xcomet(saved, tmp_path):
    """The folder and the definition of a model that takes its tags in turns."""
    import shutil

    import torch

    folder, made = saved("xcomet_metric")
    definition = Definition(*made)
    logits = torch.stack([one.log() for text in SPANS for one in definition.tags(text, SPANS[0])[1]])
    bias = definition.rest["hidden2tag.bias"] - logits.mean(0).float()
    definition.rest = {**definition.rest, "hidden2tag.bias": bias}
    shutil.copytree(folder, tmp_path / "model")
    stored = torch.load(folder / "checkpoints/model.ckpt", weights_only=True)
    stored["state_dict"]["hidden2tag.bias"] = bias
    torch.save(stored, tmp_path / "model/checkpoints/model.ckpt")
    return tmp_path / "model", definition


def test_xcomet(xcomet):
    folder, definition = xcomet
    model = load_comet(folder)
    others = [SPANS[i - 5] for i in range(len(SPANS))]
    for columns in (("sources", "references"), ("sources",), ("references",)):
        texts = {"sources": others, "references": others[::-1]}
        given = {name: texts[name] for name in columns}
        found = model.score(SPANS, given, 4)
        expected = [definition.xcomet(*row) for row in zip(SPANS, *given.values(), strict=True)]
        assert found.scores == pytest.approx([score for score, _ in expected], abs=1e-6)
        for own, (_, spans) in zip(found.spans, expected, strict=True):
            assert [{**span, "confidence": 0} for span in own] == [{**span, "confidence": 0} for span in spans]
            # A model in float32 beside a definition in float64.
            assert [span["confidence"] for span in own] == pytest.approx([s["confidence"] for s in spans], abs=1e-5)
        # What the definition is for: spans of several tokens and of every severity.
        every = [span for _, spans in expected for span in spans]
        assert len({span["severity"] for span in every}) == 3
        assert any(" " in span["text"] for span in every)


def test_spans_by_hand():
    """Tokens by character: none, minor, major, critical; what is open at the end is lost."""
    import torch
    from textgauge.models.spans import mqm_score, spans_of

    class Letters:
        def decode(self, ids):
            return "".join(map(chr, ids))

    text, tags = "abcdefgh", [0, 2, 1, 0, 3, 0, 1, 1]
    certain = [0.9, 0.8, 0.6, 0.9, 0.7, 0.5, 0.9, 0.9]
    probabilities = torch.full((8, 4), 0.01)
    probabilities[range(8), tags] = torch.tensor(certain)
    places = [(10 * i, 10 * i + 3) for i in range(8)]
    found = spans_of(Letters(), [ord(letter) for letter in text], places, probabilities, ["minor", "major", "critical"])
    assert [(one["text"], one["start"], one["end"], one["severity"]) for one in found] == [
        ("bc", 10, 23, "major"), ("e", 40, 43, "critical"),
    ]  # fmt: skip
    assert [one["confidence"] for one in found] == pytest.approx([0.7, 0.7])
    assert mqm_score(found) == pytest.approx(1 - 15 / 25)
    assert mqm_score([*found, *found]) == 0.0


@pytest.mark.parametrize("settings", [{"layer_norm": True}, {"sent_layer": 1}, {"layer_transformation": "sparsemax"}])
def test_settings_of_joint_models(saved, settings):
    assert_defined(*saved("unified_metric", **settings))


def assert_defined(folder, made):
    definition = Definition(*made)
    rows = list(zip(PREDICTIONS, SOURCES, REFERENCES, strict=True))
    if definition.is_joint:
        ref = [definition.joint(p, r) for p, _, r in rows]
        src = [definition.joint(p, s) for p, s, _ in rows]
        both = [definition.joint(*row) for row in rows]
        assert scores(folder, sources=None) == pytest.approx(ref, abs=1e-6)
        assert scores(folder, references=None) == pytest.approx(src, abs=1e-6)
        expected = np.mean([src, ref, both], axis=0)
    else:
        expected = [definition.apart(*row) for row in rows]
    assert scores(folder) == pytest.approx(expected, abs=1e-6)


def test_without_references(saved):
    folder, made = saved("referenceless_regression_metric", layer_norm=True)
    definition = Definition(*made)
    expected = [definition.apart(*row) for row in zip(PREDICTIONS, SOURCES, strict=True)]
    assert scores(folder, references=None) == pytest.approx(expected, abs=1e-6)


def test_defaults_of_settings(saved, tmp_path):
    import shutil

    import torch
    import yaml

    for kind, name in (("regression_metric", "layer_norm"), ("unified_metric", "layer_norm")):
        folder, made = saved(kind, layer_norm=True)
        expected = scores(folder)
        shutil.copytree(folder, tmp_path / kind)
        stored = torch.load(folder / "checkpoints/model.ckpt", weights_only=True)
        del stored["hyper_parameters"][name]
        torch.save(stored, tmp_path / kind / "checkpoints/model.ckpt")
        assert (scores(tmp_path / kind) == expected).all()
        # Without any in the checkpoint those beside it count.
        del stored["hyper_parameters"]
        torch.save(stored, tmp_path / kind / "checkpoints/model.ckpt")
        assert (scores(tmp_path / kind) == expected).all()
        written = {"class_identifier": kind, "pretrained_model": made[3]["pretrained_model"]}
        (tmp_path / kind / "hparams.yaml").write_text(yaml.safe_dump(written))
        found = checkpoints.read_checkpoint(files.ModelLocation("x", tmp_path / kind, "")).settings
        assert found["layer_norm"] is True
        assert found["layer_transformation"] == ("softmax" if kind == "regression_metric" else "sparsemax")
    assert checkpoints.DEFAULTS["xcomet_metric"]["layer_norm"] is False


def test_the_patch_of_the_layers(saved, tmp_path):
    """What was trained with softmax says sparsemax in the checkpoint, and `sparsemax_patch` beside it."""
    import shutil

    folder, _ = saved("unified_metric", layer_transformation="sparsemax")
    patched = tmp_path / "patched"
    shutil.copytree(folder, patched)
    text = (folder / "hparams.yaml").read_text()
    (patched / "hparams.yaml").write_text(text.replace(": sparsemax", ": sparsemax_patch"))
    soft, _ = saved("unified_metric")
    found = scores(patched)
    assert (found == scores(soft)).all()
    assert np.abs(found - scores(folder)).max() > 1e-3
    accumulator = textgauge.Comet(model_id=patched).update(["a"], ["b"])
    assert "|layers:softmax|" in accumulator.signature


def test_the_highest_score_of_xcomet_is_1(saved):
    import shutil

    import torch

    folder, (_, _, rest, _) = saved("xcomet_metric")
    stored = torch.load(folder / "checkpoints/model.ckpt", weights_only=True)
    stored["state_dict"]["estimator.ff.6.bias"] += 50
    stored["state_dict"]["hidden2tag.weight"] *= 0
    stored["state_dict"]["hidden2tag.bias"] = torch.tensor([5.0, 0.0, 0.0, 0.0])
    high = folder.parent / "high"
    shutil.copytree(folder, high)
    torch.save(stored, high / "checkpoints/model.ckpt")
    for given in ({"references": REFERENCES}, {"sources": SOURCES}):
        found = load_comet(high).score(PREDICTIONS, given, 4)
        assert found.scores == pytest.approx(np.ones(len(PREDICTIONS)))
        assert found.spans == [[] for _ in PREDICTIONS]


CASES = [
    ("wmt20-comet-da", "src+ref"), ("wmt22-comet-da", "src+ref"), ("wmt20-comet-qe-da", "src"),
    ("wmt22-cometkiwi-da", "src"), ("wmt22-unite-da", "src+ref"), ("wmt22-unite-da", "src"), ("wmt22-unite-da", "ref"),
    ("xcomet", "src+ref"), ("xcomet", "src"), ("xcomet", "ref"), ("cometinho", "src+ref"),
]  # fmt: skip


@pytest.fixture
def given(recorded, monkeypatch):
    """A function that returns the predictions, the other columns and the options of a case."""
    folder, figures = recorded
    # Checkpoints name their encoders relative to it.
    monkeypatch.chdir(folder)

    def inputs(case):
        rows = [figures["texts"][i] for i in case["rows"]]
        names = {"src": "source", "ref": "reference"}
        columns = {f"{names[one]}s": [row[names[one]] for row in rows] for one in case["given"].split("+")}
        encoder = {"encoder": "encoder-minilm"} if case["checkpoint"] == "cometinho" else {}
        return [row["prediction"] for row in rows], columns, {"model_id": case["checkpoint"], **encoder}

    return inputs


def case_of(recorded, checkpoint, texts):
    return next(one for one in recorded[1]["cases"] if (one["checkpoint"], one["given"]) == (checkpoint, texts))


def test_all_recorded_cases_are_here(recorded):
    assert {(one["checkpoint"], one["given"]) for one in recorded[1]["cases"]} == {*CASES}


@pytest.mark.parametrize(("checkpoint", "texts"), CASES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_every_segment(recorded, given, checkpoint, texts, monkeypatch):
    case = case_of(recorded, checkpoint, texts)
    predictions, columns, options = given(case)
    parts = case.get("metadata", {})
    made, model = [], load_comet(**options)
    monkeypatch.setattr(model, "score", lambda *these, score=model.score: made.append(score(*these)) or made[0])
    result = textgauge.comet(
        predictions, **columns, per_segment=True, batch_size=64, spans="error_spans" in parts, **options
    )
    assert np.abs(np.subtract(result["segment_comet"], case["scores"])).max() < 1e-6
    assert result["comet"] == pytest.approx(np.mean(case["scores"]), abs=1e-6)
    [scored] = made
    assert {*scored.parts} == {*parts} - {"error_spans"}
    for name, part in scored.parts.items():
        assert np.abs(part - parts[name]).max() < 1e-6
    if "error_spans" in parts:
        compare_spans(result["error_spans"], parts["error_spans"])


def compare_spans(found, expected):
    def places(spans):
        return [(span["text"], span["start"], span["end"], span["severity"]) for span in spans]

    assert [places(spans) for spans in found] == [places(spans) for spans in expected]
    for own, others in zip(found, expected, strict=True):
        assert [one["confidence"] for one in own] == pytest.approx([one["confidence"] for one in others], abs=1e-6)
