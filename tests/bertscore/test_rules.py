"""The figures of bert-score; odd texts, long texts, batches, several references, all against all, wrong options."""

import hashlib
import importlib.util
import math
import sys
from collections import defaultdict

import numpy as np
import pytest
import textgauge
from textgauge.rewards import Reward
from tiny_models import save_encoder, save_model, save_tokenizer

TEXTS = ["the cat sat on the mat", "a dog", "one, two: three!", "naïve cafés", "sat", "", "  ", "the cat"]
OTHERS = ["a cat sat on a mat", "the dog barks", "one two", "cafés", "", "", "dog", "the cat"]


@pytest.fixture
def loaded(folder):
    from transformers import AutoModel, AutoTokenizer

    return {"model": AutoModel.from_pretrained(folder), "tokenizer": AutoTokenizer.from_pretrained(folder)}


def segments(predictions, references, **options):
    found = textgauge.BertScore(**options).update(predictions, references).segment_values()
    return np.column_stack([found[name] for name in ("precision", "recall", "f1")])


def by_definition(loaded, layer, prediction, reference, weight):
    """Zhang et al. (2020), section 3, a token at a time."""
    import torch

    sides = []
    for text in (prediction, reference):
        encoded = loaded["tokenizer"](text, return_tensors="pt")
        with torch.no_grad():
            states = loaded["model"](**encoded, output_hidden_states=True).hidden_states[layer][0].double()
        rows = [state / state.norm() for state in states]
        sides.append((rows, [weight(token) for token in encoded["input_ids"][0].tolist()]))
    (hyp, hyp_weights), (ref, ref_weights) = sides
    precision = sum(w * max(float(x @ y) for y in ref) for w, x in zip(hyp_weights, hyp, strict=True))
    recall = sum(w * max(float(x @ y) for x in hyp) for w, y in zip(ref_weights, ref, strict=True))
    precision, recall = precision / sum(hyp_weights), recall / sum(ref_weights)
    return precision, recall, 2 * precision * recall / (precision + recall)


@pytest.mark.parametrize("layer", [0, 1, 2, 3])
def test_the_definition(layer, loaded, folder):
    found = segments(TEXTS[:4], OTHERS[:4], model_id=folder, num_layers=layer)
    for row, prediction, reference in zip(found, TEXTS, OTHERS, strict=False):
        expected = by_definition(loaded, layer, prediction, reference, lambda token: float(token not in (2, 3)))
        assert row == pytest.approx(expected, abs=1e-6)


def test_weights(loaded, usual):
    texts = OTHERS[:4]
    found = {id: sum(id in row for row in loaded["tokenizer"](texts).input_ids) for id in range(77)}
    table = {id: math.log((4 + 1) / (n + 1)) for id, n in found.items()}
    expected = [by_definition(loaded, 2, *pair, table.__getitem__) for pair in zip(TEXTS, texts, strict=False)]
    for idf in (True, texts, table, defaultdict(lambda: math.log(5), table)):
        assert segments(TEXTS[:4], texts, idf=idf, **usual) == pytest.approx(np.array(expected), abs=1e-6)


def test_idf_of_single_reference(usual):
    """log(2 / 2) is 0: what is in the only reference weighs nothing, on either side."""
    with pytest.warns(UserWarning, match="^1 text has no token with a weight, since `idf` was counted in texts that "):
        found = segments(["the cat"], ["the cat"], idf=True, **usual)
    assert (found == 0).all()
    for idf in (["the cat"], {3: 0.0}):
        with pytest.warns(UserWarning, match="^1 text has no token with a weight"):
            segments(["the cat"], ["the cat"], idf=idf, **usual)
    # These are silent.
    segments(["the cat"], ["the cat"], idf=["the cat", "a dog"], **usual)
    segments(["the cat", "a"], ["the cat", "a dog"], idf=True, **usual)
    segments(["[SEP]"], ["[CLS]"], **usual)


def test_empty_text_scores_0(usual):
    whole = segments(TEXTS, OTHERS, **usual)
    assert (whole[[4, 5, 6]] == 0).all()
    assert (whole[[0, 1, 2, 3, 7]] != 0).all()
    assert whole[7] == pytest.approx(1, abs=1e-6)
    alone = [segments([text], [other], **usual)[0] for text, other in zip(TEXTS, OTHERS, strict=True)]
    assert np.abs(whole - alone).max() < 1e-6
    for size in (1, 2):
        assert np.abs(segments(TEXTS, OTHERS, batch_size=size, **usual) - whole).max() < 1e-6


def test_sides_swap_precision_and_recall(usual):
    there, back = segments(TEXTS, OTHERS, **usual), segments(OTHERS, TEXTS, **usual)
    assert np.abs(there[:, [1, 0, 2]] - back).max() < 1e-6


def test_each_part_has_its_own_best_reference(usual):
    groups = [[other, TEXTS[(i + 1) % 8], "a"] for i, other in enumerate(OTHERS)]
    pairs = [segments(TEXTS, [group[i] for group in groups], **usual) for i in range(3)]
    assert np.abs(segments(TEXTS, groups, **usual) - np.max(pairs, axis=0)).max() < 1e-6


def test_texts_are_encoded_once(usual, monkeypatch):
    from textgauge.models import encoder, matching

    seen = []
    embed = encoder.Encoder.embed

    def counted(self, batch):
        seen.extend(tuple(ids[mask.bool()].tolist()) for ids, mask in zip(batch.ids, batch.mask, strict=True))
        return embed(self, batch)

    monkeypatch.setattr(encoder.Encoder, "embed", counted)
    monkeypatch.setattr(matching, "POOL_TOKENS", 3)
    groups = [[OTHERS[i % 4], "the cat"] for i in range(8)]
    textgauge.bertscore(TEXTS, groups, **usual)
    assert len(seen) == len({*seen})


def test_long_texts_are_truncated_and_counted(usual, loaded):
    long = "the cat sat on " * 9
    with pytest.warns(UserWarning, match=r"^2 texts are longer than the 20 tokens that .*tiny-bert takes, and were"):
        found = segments([long, "a", long], ["a", long + "x", long], **usual)
    assert found[2] == pytest.approx(1, abs=1e-6)
    cut = " ".join(long.split()[:18])
    assert np.abs(found[0] - segments([cut], ["a"], **usual)[0]).max() < 1e-6


def test_limit_of_the_model(tmp_path):
    save_encoder(tmp_path, context=12)
    with pytest.warns(UserWarning, match="longer than the 12 tokens"):
        segments(["the cat " * 9], ["a"], model_id=tmp_path, num_layers=1)


def test_a_loaded_model_stays_as_it_is(loaded, usual):
    loaded["model"].train()
    found = segments(TEXTS, OTHERS, **loaded, num_layers=2)
    assert np.abs(found - segments(TEXTS, OTHERS, **usual)).max() < 1e-6
    assert loaded["model"].training
    assert len(loaded["model"].encoder.layer) == 3


def test_half_precision(usual):
    assert np.abs(segments(TEXTS, OTHERS, dtype="bfloat16", **usual) - segments(TEXTS, OTHERS, **usual)).max() < 0.05


def test_unusual_encoders(tmp_path):
    import torch
    import transformers as hf

    _, tokenizer = save_encoder(tmp_path)
    sizes = {"vocab_size": len(tokenizer), "pad_token_id": 0, "eos_token_id": 3, "decoder_start_token_id": 0}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(7)
        t5 = hf.T5Model(hf.T5Config(d_model=16, d_kv=8, d_ff=32, num_layers=3, num_heads=2, **sizes)).eval()
        sizes_of_albert = {"embedding_size": 8, "hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2}
        config = hf.AlbertConfig(vocab_size=len(tokenizer), intermediate_size=32, **sizes_of_albert)
        albert = hf.AlbertModel(config).eval()
    # bert-score cuts off the upper layers, and keeps the norm that follows the last.
    short = hf.T5Model(hf.T5Config(**{**t5.config.to_dict(), "num_layers": 2, "num_decoder_layers": 2})).eval()
    short.load_state_dict(t5.state_dict(), strict=False)
    given = {"tokenizer": tokenizer}
    found = segments(TEXTS, OTHERS, model=t5, num_layers=2, **given)
    assert np.abs(found - segments(TEXTS, OTHERS, model=short, num_layers=2, **given)).max() < 1e-6
    assert len(t5.encoder.block) == 3
    assert np.abs(segments(TEXTS[:2], OTHERS[:2], model=albert, num_layers=2, **given)).max() < 1


def test_baselines(usual, tmp_path, folder):
    plain = segments(TEXTS, OTHERS, **usual)
    path = tmp_path / "baseline.csv"
    path.write_text("LAYER,P,R,F\n2,0.5,0.25,0.1\n")
    options = {**usual, "rescale_with_baseline": True, "baseline_path": str(path)}
    low = np.array([0.5, 0.25, 0.1])
    assert segments(TEXTS, OTHERS, **options) == pytest.approx((plain - low) / (1 - low), abs=1e-6)
    assert "rescale:custom" in textgauge.BertScore(**options).signature
    # Texts that are less alike than those of the baseline are below 0, for --fail-under too.
    assert [one.metric.scores[0].least for one in (textgauge.BertScore(**options), textgauge.BertScore(**usual))] == [
        float("-inf"), 0,
    ]  # fmt: skip
    wrong = {"LAYER,P,R,F\n1,0,0,0\n": "a line for layer 2", "L,P\n2,1\n": "numbers below 1", "LAYER,P,R,F\nx\n": "lin"}
    for content, message in wrong.items():
        path.write_text(content)
        with pytest.raises(ValueError, match=f"^baseline_path: .*{message}"):
            segments(["a"], ["a"], **options)
    with pytest.raises(FileNotFoundError, match="^baseline_path: .*got 'no-such'"):
        segments(["a"], ["a"], **{**options, "baseline_path": "no-such"})


@pytest.mark.skipif(importlib.util.find_spec("bert_score") is None, reason="needs the baselines of bert-score")
def test_published_baselines():
    from textgauge.measures.bertscore import BertScoreOptions

    for name in ("roberta-large", "FacebookAI/roberta-large"):
        found = BertScoreOptions(lang="en", model_id=name, rescale_with_baseline=True).baseline()
        assert found.round(4).tolist() == [0.8315, 0.8315, 0.8312]
    with pytest.raises(ValueError, match="a model of 'de' with a baseline"):
        BertScoreOptions(lang="de", model_id="roberta-large", rescale_with_baseline=True).baseline()


def test_the_tables_of_bert_score():
    from textgauge.measures.bertscore import BertScoreOptions

    chosen = {"en": ("roberta-large", 17), "zh": ("bert-base-chinese", 8), "DE": ("bert-base-multilingual-cased", 9)}
    assert {lang: (o.model_id, o.num_layers) for lang in chosen for o in [BertScoreOptions(lang=lang)]} == chosen
    theirs = pytest.importorskip("bert_score", reason="needs bert-score").utils
    from textgauge.measures.bertscore import LANGUAGES, LAYERS

    assert theirs.model2layers == LAYERS
    assert {name: theirs.lang2model[name] for name in LANGUAGES} == LANGUAGES


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "model_id: .*`lang`"),
        ({"model_id": "some/model"}, "num_layers: .*got None"),
        ({"lang": "en", "baseline_path": "x"}, "`baseline_path` has no effect without `rescale_with_baseline`"),
        ({"model_id": "roberta-large", "rescale_with_baseline": True}, "lang: .*got None"),
        ({"lang": "en", "idf": {"cat": 1}}, "idf: .*weights"),
        ({"lang": "en", "idf": {3: -1.0}}, "idf: .*weights"),
        ({"lang": "en", "num_layers": -1}, "num_layers: .*got -1"),
        ({"lang": "en", "batch_size": 0}, "batch_size: .*got 0"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        textgauge.bertscore(["a"], ["a"], **options)


def test_hub_options_are_refused_with_ours():
    with pytest.raises(TypeError, match=r"^model_type: .*model_id"):
        textgauge.bertscore(["a"], ["a"], model_type="roberta-large")
    for name, value in (("all_layers", True), ("nthreads", 8)):
        with pytest.raises(ValueError, match=f"^{name}: "):
            textgauge.load("bertscore").compute(predictions=["a"], references=["a"], lang="en", **{name: value})


def test_wrong_models(usual, tmp_path, loaded):
    with pytest.raises(ValueError, match="^num_layers: .*got 4"):
        segments(["a"], ["a"], **{**usual, "num_layers": 4})
    with pytest.raises(FileNotFoundError, match="^model_id: .*got './no-such'"):
        segments(["a"], ["a"], model_id="./no-such", num_layers=1)
    save_model(tmp_path, "gpt2", len(save_tokenizer(tmp_path)))
    with pytest.raises(ValueError, match="^tokenizer: .*padding.*got None"):
        segments(["a"], ["a"], model_id=tmp_path, num_layers=1)
    with pytest.raises(ValueError, match="^tokenizer: .*`model`.*got None"):
        segments(["a"], ["a"], model=loaded["model"], num_layers=1)


def test_a_model_without_hidden_states(loaded):
    import torch

    class Pooled(torch.nn.Module):
        def __init__(self, model):
            super().__init__()
            self.model, self.config, self.device = model, model.config, model.device
            self.get_input_embeddings = model.get_input_embeddings

        def forward(self, input_ids, attention_mask, output_hidden_states=False):
            return self.model(input_ids, attention_mask).pooler_output

    loaded["model"] = Pooled(loaded["model"])
    with pytest.raises(TypeError, match="^model: .*hidden.*got .*without"):
        segments(["a cat"], ["a"], num_layers=3, **loaded)


def test_without_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match=r'^torch and .* not installed \(pip install "textgauge\[bertscore\]"'):
        textgauge.bertscore(["a"], ["a"], lang="en")


def test_idf_needs_one_call(usual):
    datasets = pytest.importorskip("datasets")
    with pytest.raises(ValueError, match="idf: .*got True"):
        textgauge.scorer(textgauge.BertScore(idf=True, **usual), prediction_column="h", reference_column="r")
    accumulator = textgauge.BertScore(idf=True, **usual).update(TEXTS, OTHERS)
    with pytest.raises(ValueError, match="^idf: .*got True"):
        accumulator.update(["a", "b"], ["b c", "d"])
    with pytest.raises(ValueError, match="^idf: .*got True"):
        accumulator + textgauge.BertScore(idf=True, **usual).update(["a", "b"], ["b c", "d"])
    rows = datasets.Dataset.from_dict({"h": TEXTS, "r": OTHERS})
    columns = {"prediction_column": "h", "reference_column": "r"}
    with pytest.raises(ValueError, match="^idf: .*got True"):
        textgauge.score_dataset(rows, textgauge.BertScore(idf=True, **usual), **columns)
    with pytest.raises(ValueError, match="^idf: .*got True"):
        Reward(textgauge.BertScore(idf=True, **usual))


def test_tokens_joined_to_matches(usual):
    prediction, references = "the cat sat", ["the cat sat on", "a dog"]
    [aligned] = textgauge.matches([prediction], [references], metric=textgauge.BertScore(**usual))
    assert aligned.best == 0
    tokens = [prediction[match.start : match.end] for match in aligned.prediction]
    assert tokens == ["the", "cat", "sat"]
    assert [references[0][slice(*match.partner)] for match in aligned.prediction] == tokens
    assert all(-1 <= match.weight <= 1 + 1e-6 for match in aligned.prediction)
    assert [references[1][match.start : match.end] for match in aligned.references[1]] == ["a", "dog"]
    assert all(prediction[slice(*m.partner)] in tokens for m in aligned.references[1] if m.partner)
    [empty] = textgauge.matches([""], ["a"], metric=textgauge.BertScore(**usual))
    assert (empty.prediction, empty.references) == ([], [[]])


def test_a_page_has_the_joined_tokens(usual):
    from textgauge.report import Report, explain_page
    from textgauge.resampling import PairedOptions

    accumulator = textgauge.BertScore(**usual)
    corpus = accumulator.metric.inputs.read(TEXTS, OTHERS)
    report = Report.of(["system"], [corpus], [(accumulator, "f1")], PairedOptions(confidence=0.9))
    assert "How close are prediction and reference in meaning" in explain_page(report)
    first = report.segments()[0]["systems"][0]
    assert first["tokens"] == 6
    # A token may be joined to a mark of start or end, which has no place.
    joined = [mark for mark in first["text"][1::2] if isinstance(mark, list)]
    assert joined
    assert {mark[0] // 2 for mark in joined} <= {1, 2, 3, 4}


def test_models_of_one_name_are_told_apart(folder, tmp_path):
    """In a folder, by the hash of the weights."""
    import torch
    import transformers

    path, scorers = tmp_path / "model", []
    transformers.AutoTokenizer.from_pretrained(folder).save_pretrained(path)
    for seed in (1, 2):
        model = transformers.AutoModel.from_pretrained(folder)
        torch.nn.init.normal_(model.get_input_embeddings().weight, generator=torch.Generator().manual_seed(seed))
        model.save_pretrained(path)
        scorers.append(textgauge.BertScore(model_id=str(path), num_layers=1).update(["the cat"], ["a cat"]))
        hashed = hashlib.sha256((path / "model.safetensors").read_bytes()).hexdigest()
        assert f"|sha256:{hashed[:12]}|" in scorers[-1].signature
    with pytest.raises(ValueError, match="^other: expected the same sha256"):
        scorers[0] + scorers[1]


ALL_TEXTS = ["the cat sat on the mat", "a dog", "", "one, two: three!", "a cat sat", "a dog"]
OTHER_TEXTS = ["a dog barks", "the cat", "mat"]


@pytest.fixture
def n_encoded(monkeypatch):
    """Count the texts that a model sees."""
    from textgauge.models.encoder import Encoder

    seen = []
    embed = Encoder.embed
    monkeypatch.setattr(Encoder, "embed", lambda self, batch: seen.append(len(batch.ids)) or embed(self, batch))
    return seen


@pytest.mark.parametrize("others", [None, OTHER_TEXTS])
def test_entries_are_scores_of_pairs(others, usual, n_encoded):
    found = textgauge.pairwise(ALL_TEXTS, others, metric=textgauge.BertScore(**usual))
    assert sum(n_encoded) == len({*ALL_TEXTS, *(others or [])} - {""})
    columns = ALL_TEXTS if others is None else others
    pairs = [(text, other) for text in ALL_TEXTS for other in columns]
    expected = textgauge.segment_scores(textgauge.BertScore(**usual), *map(list, zip(*pairs, strict=True)))
    assert found == pytest.approx(expected.reshape(found.shape), abs=1e-6)


def test_rescaled_scores_are_not_symmetric(usual, tmp_path):
    (tmp_path / "b.csv").write_text("LAYER,P,R,F\n2,0.5,0.1,0.3\n")
    options = {**usual, "rescale_with_baseline": True, "baseline_path": str(tmp_path / "b.csv")}
    accumulator = textgauge.BertScore(**options)
    from textgauge.all_pairs.counts import Roles

    texts = accumulator.metric.inputs.read(ALL_TEXTS, ALL_TEXTS).hypotheses
    block = accumulator.metric.all_pairs(texts, Roles(6, 0), accumulator.metric.notes()).block(slice(0, 2), slice(0, 6))
    pairs = [(other, text) for other in ALL_TEXTS for text in ALL_TEXTS[:2]]
    scored = textgauge.BertScore(**options).update(*map(list, zip(*pairs, strict=True))).segment_values()
    for name, column in scored.items():
        assert block.swapped(accumulator.metric.layout)[name] == pytest.approx(column.reshape(6, 2), abs=1e-5)


def test_the_candidate_that_agrees_best(usual, n_encoded):
    chosen = textgauge.mbr(ALL_TEXTS, metric=textgauge.BertScore(**usual))
    assert sum(n_encoded) == len({*ALL_TEXTS} - {""})
    matrix = textgauge.pairwise(ALL_TEXTS, metric=textgauge.BertScore(**usual))
    assert chosen.scores == pytest.approx(matrix.mean(axis=1), abs=1e-6)
    assert chosen.best == int(np.argmax(matrix.mean(axis=1)))
    lists = textgauge.mbr([ALL_TEXTS, OTHER_TEXTS], metric=textgauge.BertScore(**usual))
    assert lists.scores[0] == pytest.approx(chosen.scores, abs=1e-6)
    with pytest.raises(ValueError, match="^aggregate: .*got True"):
        textgauge.mbr(ALL_TEXTS, metric=textgauge.BertScore(**usual), aggregate=True)
    with pytest.raises(ValueError, match="^idf: .*got True"):
        textgauge.pairwise(ALL_TEXTS, metric=textgauge.BertScore(**usual, idf=True))


@pytest.mark.parametrize("others", [None, OTHER_TEXTS])
def test_truncated_texts(others, usual):
    long = ["a cat " * 200, "the cat", "the dog " * 200]
    with pytest.warns(
        UserWarning, match="2 texts are longer than the .* tokens that .* takes, and were truncated"
    ) as told:
        textgauge.pairwise(long, others, metric=textgauge.BertScore(**usual))
    assert len(told) == 1
    with pytest.warns(UserWarning, match="texts are longer than the .*, and were truncated") as told:
        textgauge.mbr([long, OTHER_TEXTS], metric=textgauge.BertScore(**usual))
    assert len(told) == 1


NAMES = [
    "minilm layer 6", "minilm layer 5", "minilm layer 2", "minilm layer 5, idf of the references",
    "minilm layer 5, rescaled", "minilm layer 5, idf, rescaled", "minilm layer 6, one to three references",
    "minilm layer 6, idf, one to three references", "minilm layer 2, odd texts", "tiny-roberta layer 2, odd texts",
    "tiny-deberta layer 2, odd texts", "tiny-roberta layer 1", "tiny-roberta layer 3", "tiny-roberta layer 3, idf",
    "tiny-deberta layer 1", "tiny-deberta layer 3", "tiny-deberta layer 3, idf",
]  # fmt: skip


def test_every_recorded_case_is_here(oracle):
    assert [*oracle[0]] == NAMES


def texts_of(case, rows):
    if "predictions" in case:
        return case["predictions"], case["references"]
    rows = rows[case["first"] :]
    references = [row["reference"] for row in rows[: case["n"]]]
    if "references" in case:
        references = [[row["reference"] for row in rows[i : i + i % 3 + 1]] for i in range(case["n"])]
    return [row["prediction"] for row in rows[: case["n"]]], references


@pytest.mark.real_model
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore:1 text is longer than")
def test_recorded_figures(name, oracle, shared, tmp_path, request):
    case = oracle[0][name]
    is_small = case["model"].startswith("tiny")
    folder = shared / "oracles/bertscore" / case["model"] if is_small else request.getfixturevalue("minilm")
    options = {"model_id": folder, "num_layers": case["num_layers"], "idf": case["idf"], "device": "cpu"}
    if case["baseline"]:
        lines = [",".join(map(str, (layer, *row))) for layer, row in enumerate(case["baseline"])]
        (tmp_path / "baseline.csv").write_text("\n".join(["LAYER,P,R,F", *lines]) + "\n")
        options |= {"rescale_with_baseline": True, "baseline_path": str(tmp_path / "baseline.csv")}
    found = textgauge.bertscore(*texts_of(case, oracle[1]), per_segment=True, **options)
    for part, expected in case["expected"].items():
        assert np.abs(np.array(found[f"segment_{part}"]) - expected).max() <= 1e-6
        assert found[part] == pytest.approx(np.mean(expected), abs=1e-6)


@pytest.mark.real_model
@pytest.mark.parametrize("idf", [False, True])
def test_live_figures_of_a_model(idf, minilm, oracle):
    bert_score = pytest.importorskip("bert_score", reason="needs bert-score: pip install --no-deps bert-score")
    rows = oracle[1][200:240]
    sides = [[row[side] for row in rows] for side in ("prediction", "reference")]
    parts = bert_score.score(*sides, model_type=minilm, num_layers=6, idf=idf, nthreads=0, batch_size=1, device="cpu")
    found = textgauge.bertscore(*sides, model_id=minilm, num_layers=6, idf=idf, per_segment=True, device="cpu")
    for part, expected in zip(("precision", "recall", "f1"), parts, strict=True):
        assert np.abs(np.array(found[f"segment_{part}"]) - expected.numpy()).max() <= 1e-6
