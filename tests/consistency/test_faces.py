"""What Consistency alone has: documents as sources, recorded figures, explanations, notes, checkpoints."""

import gzip
import json
import re
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
import textgauge
from click.testing import CliRunner
from quick import first
from textgauge.cli.main import main
from textgauge.models import consistency
from tiny_models import save_pair_model

DOCS = [
    "The cat sat on the mat. It barks at a dog!",
    "One dog barks. Two cats sell coffee here.",
    "The mat barks loudly.",
]
TEXTS = ["The cat sat here. A dog sells coffee.", "The dog barks at cats.", "Coffee sat on the mat."]


@pytest.fixture
def expected(options):
    return textgauge.consistency(TEXTS, sources=DOCS, per_segment=True, **options)


def pair_scores(folder, pairs, limit=64):
    """What transformers itself says of pairs, one by one."""
    import torch
    import transformers as hf

    tokenizer = hf.AutoTokenizer.from_pretrained(folder)
    model = hf.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.inference_mode():
        encoded = [tokenizer(*pair, truncation=True, max_length=limit, return_tensors="pt") for pair in pairs]
        return np.concatenate([model(**one).logits.softmax(-1).numpy() for one in encoded])


def test_scores_are_those_of_the_definition(forms):
    """On BERT, whose pairs have types, by transformers alone."""
    folder = forms["minicheck"]["model_id"]
    found = textgauge.segment_scores(textgauge.Consistency(**forms["minicheck"]), TEXTS, sources=DOCS)
    joined = [(f"{doc}[SEP]{text}",) for doc, text in zip(DOCS, TEXTS, strict=True)]
    assert found == pytest.approx(pair_scores(folder, joined)[:, 1], abs=1e-6)
    folder = forms["summac-zs"]["model_id"]
    sides = [["One dog barks.", "Two cats sell coffee here."], ["The dog barks at cats."]]
    each = pair_scores(folder, [(doc, text) for doc in sides[0] for text in sides[1]])
    found = textgauge.segment_scores(textgauge.Consistency(**forms["summac-zs"]), TEXTS[1:2], sources=DOCS[1:2])
    assert found[0] == pytest.approx(each[:, 2].max() - each[:, 0].max(), abs=1e-6)


def test_parts_have_350_words_and_sentences_of_summac_more_than_ten_characters():
    model = SimpleNamespace(form="summac-zs", sentences=lambda text: text.split("|"))
    assert consistency._parts(model, "ten chars.|eleven long") == ["eleven long"]
    assert consistency._pieces(model, "ten chars.|eleven long") == ["eleven long"]
    model = SimpleNamespace(form="alignscore", sentences=lambda text: ["s"] * 4)
    assert [len(consistency._parts(model, "a " * n_words)) for n_words in (349, 350, 700)] == [1, 2, 4]


def test_batches_and_neighbours_change_nothing(options, expected):
    for size in (1, 2):
        found = textgauge.consistency(TEXTS, sources=DOCS, per_segment=True, batch_size=size, **options)
        assert found["segment_consistency"] == pytest.approx(expected["segment_consistency"], abs=1e-6)
    for text, doc, score in zip(TEXTS, DOCS, expected["segment_consistency"], strict=True):
        assert textgauge.consistency([text], sources=[doc], **options)["consistency"] == pytest.approx(score, abs=1e-6)


def test_an_accelerator_that_pads_gives_the_same(options, expected, monkeypatch):
    """Batches of different lengths, as an accelerator has them."""
    from textgauge.models import batching

    monkeypatch.setattr(batching, "pads", lambda device: True)
    found = textgauge.consistency(TEXTS, sources=DOCS, per_segment=True, **options)
    assert found["segment_consistency"] == pytest.approx(expected["segment_consistency"], abs=1e-5)


def test_documents_are_needed_and_references_refused(options):
    name = re.escape(options["model_id"])
    with pytest.raises(ValueError, match=f"^sources: .*{name}.*got None"):
        textgauge.consistency(TEXTS, **options)
    with pytest.raises(ValueError, match=f"^`references` cannot be given, since {name} does not use references"):
        textgauge.consistency(TEXTS, DOCS, sources=DOCS, **options)


def test_the_command_line_names_the_flag_of_documents(options, tmp_path):
    for name, texts in (("hyp.txt", TEXTS), ("doc.txt", DOCS)):
        (tmp_path / name).write_text("".join(f"{' '.join(text.split())}\n" for text in texts))
    given = [f"{name}={value}" for name, value in options.items()]
    needs = f"consistency: {options['model_id']} needs sources"
    for words, message in (
        (["-r", "doc.txt"], f"{needs}, not references: give -s FILE, or --source-field NAME"),
        ([], f"{needs}: give -s FILE, or --source-field NAME"),
        (["-r", "doc.txt", "-s", "doc.txt"], f"`references` cannot be given, since {options['model_id']}"),
    ):
        words = [str(tmp_path / word) if word.endswith(".txt") else word for word in words]
        done = CliRunner().invoke(main, ["score", str(tmp_path / "hyp.txt"), *words, "-m", "consistency", *given])
        assert done.exit_code == 2
        assert message in done.output


def test_nothing_to_compare(options):
    texts, docs = ["", " ", "The cat sat here.", "He won."], ["The cat sat here.", "", "\n", "He won."]
    n_told = 4 if options["form"] == "summac-zs" else 3
    with pytest.warns(UserWarning, match=f"^{n_told} texts have nothing to compare, or an empty document"):
        found = textgauge.segment_scores(textgauge.Consistency(**options), texts, sources=docs)
    assert np.isfinite(found).all()
    zero = {"minicheck": [1, 2], "alignscore": [0, 1], "summac-zs": [0, 1, 2, 3]}[options["form"]]
    assert (found[zero] == 0).all()


def test_the_document_is_cut_never_the_text(options):
    document = "the cat sat on " * 60
    with pytest.warns(
        UserWarning, match=r"^\d document parts are longer than the 64 tokens that .* takes, and were cut\.$"
    ):
        one, other = textgauge.segment_scores(textgauge.Consistency(**options), TEXTS[:2], sources=[document] * 2)
    assert one != other
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # A text that is too long alone is cut, too.
        long = textgauge.segment_scores(textgauge.Consistency(**options), ["a dog barks " * 40], sources=DOCS[:1])
    assert np.isfinite(long).all()


def test_explanation_of_sentences(options, expected):
    found = textgauge.explain(TEXTS, sources=DOCS, metric=textgauge.Consistency(**options))
    assert found.score == pytest.approx(expected["consistency"], abs=1e-6)
    first = found.segments[0]
    shown = [(step.label, step.cells, step.value) for step in first.steps if step.value is not None]
    assert [one[:2] for one in shown] == [
        ("sentence 1", ("The cat sat here.",)), ("sentence 2", ("A dog sells coffee.",)), ("Consistency", ()),
    ]  # fmt: skip
    if options["form"] != "minicheck":
        assert np.mean([one[2] for one in shown[:2]]) == pytest.approx(shown[2][2], abs=1e-6)
    assert [name for name, _ in first.texts] == ["prediction", "source"]
    least = 0 if options["form"] == "summac-zs" else 0.5
    marked = [piece.text for piece in first.texts[0][1] if piece.level]
    assert marked == [one[1][0] for one in shown[:2] if one[2] < least]
    matches = textgauge.matches(TEXTS, sources=DOCS, metric=textgauge.Consistency(**options))
    assert [TEXTS[0][match.start : match.end] for match in matches[0].prediction] == marked


def test_the_scale_is_that_of_the_form(options):
    metric = textgauge.Consistency(**options).metric
    assert metric.scores[0].least == (-1 if options["form"] == "summac-zs" else 0)
    assert f"|form:{options['form']}|split:" in textgauge.Consistency(**options).update(TEXTS, sources=DOCS).signature


def test_labels_say_which_number_is_entailment(tmp_path, forms):
    save_pair_model(tmp_path, 3, ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"))
    signed = textgauge.Consistency(form="summac-zs", model_id=tmp_path).update(TEXTS, sources=DOCS).signature
    assert "|nli:0,1|" in signed
    with pytest.raises(ValueError, match="^model_id: .*entailment"):
        textgauge.consistency(TEXTS, sources=DOCS, form="summac-zs", model_id=forms["minicheck"]["model_id"])


def test_a_foreign_checkpoint_is_refused(forms, tmp_path):
    import torch

    given = forms["alignscore"]
    state = torch.load(given["model_id"], weights_only=True)
    file = tmp_path / "align.ckpt"
    for stored, message in (
        ({"state_dict": {"a": 1}}, "a checkpoint of AlignScore, with tensors"),
        ([1], "a checkpoint of AlignScore, with tensors"),
        ({"state_dict": {}}, "the weights of AlignScore"),
        ({"state_dict": {k: v for k, v in state["state_dict"].items() if "pooler" not in k}}, "the weights of AlignS"),
        ({"state_dict": {**state["state_dict"], "base_model.x": torch.zeros(1)}}, "the weights of AlignScore"),
    ):
        torch.save(stored, file)
        with pytest.raises(ValueError, match=f"^model_id: .*{message}"):
            textgauge.consistency(TEXTS, sources=DOCS, **{**given, "model_id": str(file)})
    file.write_bytes(b"damaged")
    with pytest.raises(ValueError, match="^model_id: expected a checkpoint of AlignScore"):
        textgauge.consistency(TEXTS, sources=DOCS, **{**given, "model_id": str(file)})
    (tmp_path / "two.ckpt").write_bytes(b"")
    with pytest.raises(ValueError, match="^model_id: .*got .* with 2"):
        textgauge.consistency(TEXTS, sources=DOCS, **{**given, "model_id": str(tmp_path)})


def test_hub_checkpoint_fits_its_encoder(forms, monkeypatch, tmp_path):
    import shutil

    import huggingface_hub

    given, asked = forms["alignscore"], []
    commit = tmp_path / "0123456789abcdef"
    commit.mkdir()

    def download(name, file, revision):
        asked.append((name, file, revision))
        shutil.copy(given["model_id"], commit / file)
        return str(commit / file)

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", download)
    textgauge.models.clear_models()
    options = {"form": "alignscore", "encoder": given["encoder"], "revision": "main"}
    signed = textgauge.consistency(TEXTS, sources=DOCS, signature=True, **options)["signature"]
    assert asked[0] == ("yzha/AlignScore", "AlignScore-base.ckpt", "main")
    assert "|model:yzha/AlignScore|revision:0123456789ab|encoder:" in signed
    metric = textgauge.Consistency(**options)
    for text, doc in zip(TEXTS, DOCS, strict=True):
        metric.update([text], sources=[doc])
    assert len(asked) == 1
    shutil.rmtree(commit)
    commit.mkdir()
    metric.update(TEXTS, sources=DOCS)
    assert len(asked) == 2


def test_files_are_asked_for_once(options, monkeypatch):
    import transformers

    metric = textgauge.Consistency(**options).update(TEXTS, sources=DOCS)
    refuse = classmethod(lambda *_, **__: pytest.fail("a configuration was read again"))
    monkeypatch.setattr(transformers.AutoConfig, "from_pretrained", refuse)
    assert len(metric.update(TEXTS, sources=DOCS)) == 2 * len(TEXTS)


def test_the_card_says_what_happens(minicheck, run_card):
    assert run_card("consistency", {"minicheck-tiny": minicheck["model_id"]}) == 5


def test_a_lack_of_memory_is_told_once(minicheck, monkeypatch):
    torch, transformers = map(pytest.importorskip, ("torch", "transformers"))
    kind = transformers.BertForSequenceClassification
    forward = kind.forward

    def crowded(self, input_ids, **given):
        if len(input_ids) > 1:
            raise torch.OutOfMemoryError
        return forward(self, input_ids, **given)

    monkeypatch.setattr(kind, "forward", crowded)
    monkeypatch.setattr("textgauge.models.consistency.POOL", 2)
    texts = ["the cat sat", "the dog sat", "the sun sat", "the rain sat"]
    with pytest.warns(UserWarning, match="has no memory for a batch") as told:
        textgauge.consistency(texts, sources=["the cat sat on the mat"] * 4, **minicheck)
    assert len(told) == 1


# T5's last states are large, and float32 rounds them: on processors with other instructions by 5e-6.
TOLERANCE = {"minicheck-t5": 1e-5}


@pytest.fixture(scope="module")
def recorded(request):
    place = request.getfixturevalue("shared") / "oracles/consistency"
    if not (place / "given.json.gz").is_file():
        pytest.skip("the recorded figures of consistency are not beside the project")
    with gzip.open(place / "given.json.gz", "rt") as file:
        return place, json.load(file)


def options_of(models, tool):
    return {
        "minicheck-roberta": {"model_id": models / "roberta-minicheck"},
        "minicheck-t5": {"model_id": models / "t5"},
        "alignscore": {
            "form": "alignscore",
            "model_id": models / "align.ckpt",
            "encoder": models / "roberta-minicheck",
        },
        "summac-zs": {"form": "summac-zs", "model_id": models / "roberta-mnli"},
    }[tool]


@pytest.mark.parametrize("tool", ["minicheck-roberta", "minicheck-t5", "alignscore", "summac-zs"])
@pytest.mark.parametrize("size", first(1, [64, 1]))
def test_every_case(recorded, tool, size, monkeypatch):
    place, rows = recorded
    monkeypatch.setenv("NLTK_DATA", str(place / "nltk_data"))
    rows = [row for row in rows if row["tool"] == tool]
    assert len(rows) == 15
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = textgauge.segment_scores(
            textgauge.Consistency(batch_size=size, **options_of(place / "models", tool)),
            [row["claim"] for row in rows], sources=[row["document"] for row in rows],
        )  # fmt: skip
    for row, score in zip(rows, found, strict=True):
        if not isinstance(row["score"], float):
            # The tool raises: nothing to compare.
            assert score == 0
        elif tool == "minicheck-roberta" and row["document"].startswith("x x x"):
            # The tool cuts the text off.
            assert abs(score - row["score"]) > 1e-3
        else:
            assert score == pytest.approx(row["score"], abs=TOLERANCE.get(tool, 2e-6))


def test_the_splitter_is_in_the_signature(recorded, monkeypatch):
    place, _ = recorded
    options = options_of(place / "models", "alignscore")
    given = (["Mr. Smith sat. It rained."], None)
    signed = []
    for data in ("nltk_data", "none"):
        monkeypatch.setenv("NLTK_DATA", str(place / data))
        textgauge.models.clear_models()
        signed.append(textgauge.consistency(*given, sources=["It rained."], signature=True, **options)["signature"])
    assert "|split:punkt." in signed[0]
    assert "|split:ours|" in signed[1]
