"""What COMET does with odd texts, missing columns, several references, batches, and wrong options."""

import pickle
import sys

import numpy as np
import pytest
import textgauge
from quick import covering
from textgauge.input.columns import corpus_of
from textgauge.models import comet
from textgauge.models.learned import ModelFamily
from textgauge.models.loading import clear_models
from textgauge.models.sentence_vectors import SentenceEncoder
from tiny_models import load_comet
from warned import warned

HYPS = ["the cat sat on the mat", "a dog", "one, two: three!", "sat", "", "  \n"]
REFS = ["a cat sat on a mat", "dog barks", "one two", "mat", "a", "cat"]
SRCS = ["cat mat", "dog", "mat coffee", "cat", "b", "c"]
EMPTY = "ignore:.* empty; COMET scores"


@pytest.fixture
def usual(saved):
    return {"model_id": saved("regression_metric")[0]}


@pytest.fixture
def qe(saved):
    return {"model_id": saved("unified_metric", input_segments=["mt", "src"])[0]}


@pytest.fixture
def xcomet(saved):
    return {"model_id": saved("xcomet_metric", word_layer=1)[0]}


def segments(predictions, references=None, **options):
    return textgauge.comet(predictions, references, per_segment=True, **options)["segment_comet"]


def test_the_model_says_what_it_needs(usual, qe, xcomet, saved):
    name = r".*comet\d+"
    with pytest.raises(ValueError, match=f"^sources: expected a text for every prediction, with which {name} scores"):
        textgauge.comet(HYPS, REFS, **usual)
    with pytest.raises(ValueError, match="^references: .*got None"):
        textgauge.comet(HYPS, sources=SRCS, **usual)
    with pytest.raises(ValueError, match="^sources: expected a text for every prediction, with which"):
        textgauge.comet(HYPS, **qe)
    with pytest.raises(ValueError, match="^sources: .*references.*got None"):
        textgauge.comet(HYPS, **xcomet)
    with pytest.raises(ValueError, match=f"^`references` cannot be given, since {name} does not use references"):
        textgauge.comet(HYPS, REFS, sources=SRCS, **qe)
    only_references = {"model_id": saved("unified_metric", input_segments=["mt", "ref"])[0]}
    with pytest.raises(ValueError, match=f"^`sources` cannot be given, since {name} does not use sources"):
        textgauge.comet(HYPS, REFS, sources=SRCS, **only_references)
    assert len(segments(HYPS[:2], REFS[:2], **only_references)) == 2
    with pytest.raises(ValueError, match="^sources: .*.6..*got 1"):
        textgauge.comet(HYPS, REFS, sources=["a"], **usual)
    with pytest.raises(TypeError, match=r"^sources\[1\]: .*got None"):
        textgauge.comet(HYPS[:2], REFS[:2], sources=["a", None], **usual)
    with pytest.raises(ValueError, match="^predictions: .*got none"):
        textgauge.comet([], [], sources=[], **usual)


def test_a_corpus_with_columns_for_others(qe):
    alone = textgauge.Comet(**qe).update(HYPS[:3], sources=SRCS[:3])
    shared = textgauge.Comet(**qe).update_corpus(corpus_of(HYPS[:3], REFS[:3], sources=SRCS[:3]))
    assert shared.score() == alone.score()
    assert shared.signature == alone.signature
    assert alone.signature.startswith("nrefs:0|model:")


def test_sources_go_with_their_segments():
    corpus = corpus_of(HYPS, REFS, sources=SRCS)
    assert corpus.slice(1, 3).sources.tolist() == SRCS[1:3]
    assert corpus.take(np.array([4, 0, 0])).sources.tolist() == [SRCS[i] for i in (4, 0, 0)]
    assert [part.sources.tolist() for part in corpus.chunks()] == [SRCS]
    assert corpus_of(HYPS, REFS).slice(0, 2).sources is None


@pytest.mark.filterwarnings("ignore:.* longer than the")
def test_the_best_reference_counts(usual, xcomet):
    groups = [[reference, "the cat", HYPS[i]] for i, reference in enumerate(REFS[:2])]
    for options in (usual, xcomet):
        pairs = [segments(HYPS[:2], [group[i] for group in groups], sources=SRCS[:2], **options) for i in range(3)]
        found = segments(HYPS[:2], groups, sources=SRCS[:2], **options)
        assert found == pytest.approx(np.max(pairs, axis=0), abs=1e-6)
    spans = textgauge.comet(HYPS[:2], groups, sources=SRCS[:2], spans=True, **xcomet)["error_spans"]
    best = [groups[i][row] for i, row in enumerate(np.argmax(pairs, axis=0))]
    assert spans == textgauge.comet(HYPS[:2], best, sources=SRCS[:2], spans=True, **xcomet)["error_spans"]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", ["usual", "qe", "xcomet"])
def test_batches_neighbours_order_and_copies_change_nothing(name, request, monkeypatch):
    options = request.getfixturevalue(name)
    long = " ".join(["the cat sat on a mat"] * 90)
    hyps, refs, srcs = [*HYPS[:5], long, "cat " * 9], [*REFS[:5], "a", long], [*SRCS[:5], long, "dog"]
    given = {"references": refs} if name != "qe" else {}

    def found(order, **more):
        columns = {key: [column[i] for i in order] for key, column in given.items()}
        return np.array(
            segments([hyps[i] for i in order], sources=[srcs[i] for i in order], **columns, **more, **options)
        )

    every = [*range(len(hyps))]
    whole = found(every)
    for size in (1, 8):
        assert np.abs(found(every, batch_size=size) - whole).max() < 1e-6
    assert np.abs(found(every[::-1])[::-1] - whole).max() < 1e-6
    assert np.abs(found([0, 0, *every]) - whole[[0, 0, *every]]).max() < 1e-6
    assert np.abs([found([i])[0] for i in every[::2]] - whole[::2]).max() < 1e-6
    monkeypatch.setattr(comet, "POOL", 3)
    monkeypatch.setattr(comet, "ROWS", 2)
    assert np.abs(found([*every, *every]) - np.tile(whole, 2)).max() < 1e-6


@pytest.fixture
def seen(monkeypatch):
    """What goes through an encoder."""
    rows = []
    pooled = SentenceEncoder.pooled

    def counted(self, batch, **options):
        rows.extend(tuple(ids[mask.bool()].tolist()) for ids, mask in zip(batch.ids, batch.mask, strict=True))
        return pooled(self, batch, **options)

    monkeypatch.setattr(SentenceEncoder, "pooled", counted)
    return rows


def test_a_text_is_encoded_once(usual, qe, seen, remembering, monkeypatch):
    remembering()
    monkeypatch.setattr(comet, "POOL", 4)
    systems = [HYPS[0], "a cat", "cat", "mat", HYPS[0], "mat"]
    textgauge.comet(systems, [REFS[0]] * 6, sources=[SRCS[0]] * 6, **usual)
    assert len(seen) == len({*seen}) == 6
    seen.clear()
    textgauge.comet(systems, sources=[SRCS[0]] * 6, **qe)
    assert len(seen) == len({*seen}) == 4


@pytest.mark.filterwarnings(EMPTY)
def test_texts_are_remembered_from_call_to_call(usual, seen, remembering):
    fresh = np.array(segments(HYPS, REFS, sources=SRCS, **usual))
    seen.clear()
    remembering()
    first = segments(HYPS[::-1], REFS[::-1], sources=SRCS[::-1], **usual)[::-1]
    assert np.abs(first - fresh).max() < 1e-6
    n_texts = len({*HYPS, *REFS, *SRCS})
    assert len(seen) == n_texts
    for _ in range(2):
        again = segments(HYPS, REFS, sources=SRCS, **usual)
        assert np.abs(np.subtract(again, first)).max() < 1e-6
        assert again == segments(HYPS, REFS, sources=SRCS, **usual)
    textgauge.mbr(HYPS, references=REFS, sources=SRCS[0], metric=textgauge.Comet(**usual))
    textgauge.compare([HYPS, REFS], REFS, sources=SRCS, metric=textgauge.Comet(**usual))
    assert len(seen) == n_texts
    segments(["new", *HYPS[1:]], REFS, sources=SRCS, **usual)
    assert len(seen) == n_texts + 1
    clear_models()
    segments(HYPS[:1], REFS[:1], sources=SRCS[:1], **usual)
    assert len(seen) == n_texts + 4


def test_the_texts_asked_for_last_are_remembered(usual, seen, remembering):
    size = sys.getsizeof("a b") + 4 * load_comet(usual["model_id"]).encoder.size
    remembering(3 * size)
    model = load_comet(usual["model_id"])
    for texts, n_new in ((["a b", "a c", "a d"], 3), (["a b"], 0), (["a e"], 1), (["a b", "a d"], 0), (["a c"], 1)):
        seen.clear()
        model.embedded(texts, 8)
        assert len(seen) == n_new
    seen.clear()
    many = [f"a {letter}" for letter in "bcdefghk"]
    whole = model.embedded([*many, "a b"], 8)
    assert len(whole.vectors) == 8
    model.embedded(many, 8)
    assert len(seen) == 5 + 5


@pytest.mark.parametrize("n_bytes", [0, 64_000_000])
def test_counts_in_warnings(usual, qe, remembering, n_bytes):
    remembering(n_bytes)
    for _ in range(2):
        warned_of_once_each(usual, qe)


def warned_of_once_each(usual, qe):
    predictions = ["", " ", "cat", "dog", "the cat " * 40, "[MASK] a [SEP]", "a"]
    texts = warned(segments, predictions, ["a"] * 7, sources=["", "b", "cat", "dog", "a", "b", "c"], **usual)
    assert [text.partition(" of ")[0] for text in texts] == [
        "2 predictions are empty; COMET scores such a text like any other.",
        "2 predictions equal their sources: untranslated text may score high.",
        f"1 text is longer than the 36 tokens that {usual['model_id']} takes, and was cut.",
        "1 text names special tokens such as </s>, which the model does not take for text.",
    ]
    with pytest.warns(
        UserWarning, match="^1 segment is longer than the 38 tokens that .* takes, and was cut"
    ) as caught:
        segments(["the cat sat on a mat a b c d e f g h", "a"], sources=["the cat " * 12, "b"], **qe)
    assert len(caught) == 1


HOSTILE = [
    "\x00", "\ud7ff\ufffd", "a\u0301" * 50, "😀👨‍👩‍👧", "</s><s><pad><mask>", "[PAD] [PAD] [CLS]", "\u202eabc",
    "\t\r\n", "字" * 300,
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("kind", "family"),
    covering(["regression_metric", "unified_metric", "xcomet_metric"], ["XLM-RoBERTa", "BERT"]),
)
def test_hostile_texts(saved, kind, family):
    folder, _ = saved(kind, family)
    found = segments(HOSTILE, HOSTILE[::-1], sources=HOSTILE, model_id=folder)
    assert np.isfinite(found).all()
    alone = [
        segments([text], [other], sources=[text], model_id=folder)[0]
        for text, other in zip(HOSTILE[::2], HOSTILE[::-2], strict=True)
    ]
    assert np.abs(np.subtract(alone, found[::2])).max() < 1e-6


def test_surrogates_are_refused(usual):
    with pytest.raises(ValueError, match=r"^sources\[0\]: .*got a lone surrogate"):
        textgauge.comet(["a"], ["b"], sources=["\ud800"], **usual)


def test_error_spans(xcomet, usual):
    result = textgauge.comet(HYPS[:4], REFS[:4], sources=SRCS[:4], spans=True, **xcomet)
    assert len(result["error_spans"]) == 4
    every = [(i, span) for i, spans in enumerate(result["error_spans"]) for span in spans]
    assert every
    for i, span in every:
        assert [*span] == ["text", "start", "end", "severity", "confidence"]
        assert 0 <= span["start"] <= span["end"] <= len(HYPS[i])
        assert span["severity"] in ("minor", "major", "critical")
        assert 0 < span["confidence"] <= 1
    whole = textgauge.Comet(spans=True, **xcomet).update(HYPS[:1], sources=SRCS[:1])
    both = whole + textgauge.Comet(**xcomet, spans=True).update(HYPS[1:2], sources=SRCS[1:2])
    assert len(both.score()["error_spans"]) == 2
    assert len(whole.score()["error_spans"]) == 1
    with pytest.raises(ValueError, match="^spans: .*errors.*got True"):
        textgauge.comet(HYPS, REFS, sources=SRCS, spans=True, **usual)
    with pytest.raises(ValueError, match="^spans: .*stored.*got True"):
        textgauge.Comet.from_arrow(whole.to_arrow(), spans=True, **xcomet).score()


def test_spans_beside_scores_alone(xcomet):
    given = {"metric": textgauge.Comet(spans=True, **xcomet), "sources": SRCS[:2]}
    for call in (
        lambda: textgauge.segment_scores(predictions=HYPS[:2], references=REFS[:2], **given),
        lambda: textgauge.pairwise(HYPS[:2], REFS[:2], **given),
        lambda: textgauge.mbr([HYPS[:2], HYPS[:2]], **given),
        lambda: textgauge.compare([HYPS[:2], HYPS[1::-1]], REFS[:2], **given),
        lambda: textgauge.explain(HYPS[:2], REFS[:2], **given),
    ):
        with pytest.raises(ValueError, match="^spans.*: .*returned.*got True"):
            call()


def test_a_unified_model_that_tags(saved):
    folder, _ = saved("unified_metric", word_level_training=True, layer_norm=True)
    plain, _ = saved("unified_metric", layer_norm=True)
    given = {"sources": SRCS[:4], "references": REFS[:4]}
    marked = textgauge.comet(HYPS[:4], **given, spans=True, per_segment=True, model_id=folder)
    assert len(marked["error_spans"]) == 4
    assert marked["segment_comet"] == pytest.approx(segments(HYPS[:4], **given, model_id=plain), abs=1e-6)


def test_precision(usual):
    full = segments(HYPS[:4], REFS[:4], sources=SRCS[:4], **usual)
    half = textgauge.Comet(dtype="bfloat16", **usual).update(HYPS[:4], REFS[:4], sources=SRCS[:4])
    assert half.segment_values()["comet"] == pytest.approx(full, abs=0.3)
    assert "|dtype:bfloat16|" in half.signature


def test_infinite_score_is_refused(saved, tmp_path):
    import shutil

    import torch

    folder, _ = saved("regression_metric")
    shutil.copytree(folder, tmp_path / "model")
    file = tmp_path / "model/checkpoints/model.ckpt"
    stored = torch.load(file, weights_only=True)
    stored["state_dict"]["estimator.ff.6.bias"] *= float("nan")
    torch.save(stored, file)
    with pytest.raises(ValueError, match=r"^predictions\[0\]: "):
        textgauge.comet(["a"], ["b"], sources=["c"], model_id=tmp_path / "model")


def test_infinite_score_has_its_segment(usual, monkeypatch):
    score = comet.Regressor.score

    def spoilt(self, *given):
        found = score(self, *given)
        found.scores[3] = np.nan
        return found

    monkeypatch.setattr(comet.Regressor, "score", spoilt)
    # The fourth pair is that of the second segment with its second reference.
    with pytest.raises(ValueError, match=r"^predictions\[1\]: "):
        textgauge.comet(HYPS[:2], [REFS[:2], REFS[2:4]], sources=SRCS[:2], **usual)


def test_models_by_options(usual, saved, monkeypatch):
    folder = usual["model_id"]
    first = load_comet(folder)
    assert load_comet(folder, dtype="bfloat16") is not first
    assert load_comet(folder, encoder=folder / "encoder") is not load_comet(folder)
    # Two names on the Hub, where no file tells that they are two.
    from textgauge.models import comet

    monkeypatch.setattr(comet, "RegressionMetric", lambda checkpoint, encoder, *_: encoder)
    names = ["one/encoder", "two/encoder"]
    assert [load_comet(folder, encoder=name) for name in names] == names


def test_segment_at_the_limit(qe):
    """A joined row of as many tokens as the model takes has no room for its last mark; a shorter one has."""
    model = load_comet(qe["model_id"])
    assert model.limit == 38
    # Marks: one before, two between, one behind; every letter is a token.
    for n, n_cut in ((34, 0), (35, 1), (36, 1)):
        letters = ["a b c d e f g h i k l m n o p q", " ".join("r" * (n - 16))]
        assert sum(map(len, model.encoder.joined([[letters[0]], [letters[1]]], [(0, 1)]).orders[0])) == min(n + 4, 38)
        assert model.score([letters[0]], {"sources": [letters[1]]}, 4).n_cut == n_cut


def test_after_an_error_the_accumulator_is_unchanged(usual):
    accumulator = textgauge.Comet(**usual).update(HYPS[:2], REFS[:2], sources=SRCS[:2])
    before = accumulator.score()
    with pytest.raises(ValueError, match="^sources: .*got None"):
        accumulator.update(HYPS, REFS)
    assert (accumulator.score(), len(accumulator)) == (before, 2)


def test_without_torch_or_yaml(usual, monkeypatch):
    clear_models()
    for module in ("torch", "yaml"):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, module, None)
            with pytest.raises(ImportError, match=r'^[^:]* not installed \(pip install "textgauge\[comet\]"'):
                textgauge.comet(["a"], ["a"], sources=["a"], **usual)


def regressor(**options):
    return textgauge.Comet(**options).metric.model()


def test_the_model_is_shared_and_dropped(usual):
    first = load_comet(usual["model_id"])
    assert regressor(**usual) is regressor(batch_size=2, **usual) is first
    clear_models()
    assert regressor(**usual) is not first


def test_only_long_runs_show_a_bar(usual, capsys):
    given = (HYPS[:2], REFS[:2]), {"sources": SRCS[:2]}
    textgauge.comet(*given[0], **given[1], **usual)
    capsys.readouterr()
    textgauge.comet(*given[0], **given[1], **usual)
    assert capsys.readouterr() == ("", "")
    textgauge.comet(*given[0], **given[1], **usual, verbose=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert "comet" in err


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_lookups_of_a_model(usual, monkeypatch):
    """For each column that is given, for those that are read, and to score."""
    loaded, load = [], ModelFamily.load
    monkeypatch.setattr(ModelFamily, "load", lambda *given: loaded.append(1) or load(*given))
    accumulator = textgauge.Comet(**usual).update(HYPS, REFS, sources=SRCS)
    assert len(loaded) == 4
    assert accumulator.signature == textgauge.Comet(**usual).update(HYPS[:1], REFS[:1], sources=SRCS[:1]).signature
    before = accumulator.score()
    textgauge.models.clear_models()
    again = pickle.loads(pickle.dumps(accumulator)).update(HYPS, REFS, sources=SRCS)
    assert again.score()["comet"] == pytest.approx(before["comet"], abs=1e-6)
