"""COMET during training: the sources are the inputs of the model."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
import textgauge
from textgauge.trainer import compute_metrics, passes
from trainer.test_passes import Loader

SOURCES = ["cat mat", "dog", "two three", "cat"]


def batch(ids, *columns, pad=-100):
    """What an evaluation loop passes: ids of columns of texts, filled up with -100."""
    rows = [[ids(text) for text in texts] for texts in columns]
    width = max(len(row) for column in rows for row in column)
    arrays = [np.array([row + [pad] * (width - len(row)) for row in column]) for column in rows]
    names = ("predictions", "label_ids", "inputs")[: len(arrays)]
    return type("EvalPrediction", (tuple,), dict(zip(names, arrays, strict=True)))(arrays)


class Words:
    """A tokenizer of transformers, as far as it is needed."""

    pad_token_id = 0

    def __init__(self):
        self.words = ["<pad>"]

    def __call__(self, text):
        self.words += [word for word in text.split() if word not in self.words]
        return [self.words.index(word) for word in text.split()]

    def decode(self, row, skip_special_tokens):
        assert skip_special_tokens
        return " ".join(self.words[i] for i in row if i)


HYPS = ["the cat sat", "a dog", "two dogs", "mat"]
REFS = ["a cat sat", "the dog barks", "two", "cat"]


def test_inputs_are_the_sources_of_the_metrics_that_use_them(usual):
    words = Words()
    columns = batch(words, HYPS, REFS, SOURCES)
    found = compute_metrics(words, [textgauge.Comet(**usual), "chrf"])(columns)
    assert found["comet"] == pytest.approx(textgauge.comet(HYPS, REFS, sources=SOURCES, **usual)["comet"], abs=1e-6)
    assert found["chrf"] == textgauge.chrf(HYPS, REFS)["chrf"]
    assert compute_metrics(words, "chrf")(columns)["chrf"] == textgauge.chrf(HYPS, REFS)["chrf"]


def test_batches_lists_and_shares_give_the_same(usual):
    words = Words()
    whole, halves = batch(words, HYPS, REFS, SOURCES), []
    for rows in (slice(0, 2), slice(2, 4)):
        halves.append(batch(words, HYPS[rows], REFS[rows], SOURCES[rows]))
    scores = compute_metrics(words, textgauge.Comet(**usual), share_among_processes=True)
    expected = scores(whole)
    assert scores(halves[0], compute_result=False) == {}
    assert scores(halves[1], compute_result=True) == pytest.approx(expected, abs=1e-6)
    lists = [list(side) for side in zip(*halves, strict=True)]
    unjoined = type("EvalPrediction", (tuple,), {"inputs": lists[2]})(lists)
    assert scores(unjoined) == pytest.approx(expected, abs=1e-6)


def test_prefix_of_sources(usual):
    words = Words()
    columns = batch(words, HYPS, REFS, [f"to English: {source}" for source in SOURCES])
    expected = textgauge.comet(HYPS, REFS, sources=SOURCES, **usual)["comet"]
    scores = compute_metrics(words, textgauge.Comet(**usual), source_prefix="to English: ")
    assert scores(columns)["comet"] == pytest.approx(expected, abs=1e-6)
    other = compute_metrics(words, textgauge.Comet(**usual), source_prefix="to German: ")
    with pytest.raises(ValueError, match=r"^eval_prediction.inputs\[0\]: .*got 'to English: cat mat'"):
        other(columns)
    with pytest.raises(ValueError, match="^`source_prefix` has no effect"):
        compute_metrics(words, "chrf", source_prefix="a")
    with pytest.raises(TypeError, match="^source_prefix: .*got None"):
        compute_metrics(words, textgauge.Comet(**usual), source_prefix=None)


def seen_by(monkeypatch):
    """The list of the sources that models get from now on."""
    from textgauge.models.comet import Regressor

    seen, score = [], Regressor.score
    monkeypatch.setattr(
        Regressor, "score", lambda self, texts, columns, *rest: seen.extend(columns["sources"]) or score(
            self, texts, columns, *rest
        )
    )  # fmt: skip
    return seen


class Spaced(Words):
    """Whose texts keep white space where special tokens were."""

    def decode(self, row, skip_special_tokens):
        return f"  {super().decode(row, skip_special_tokens).replace(':', ':  ')} "


def test_white_space_around_a_prefix(usual, monkeypatch):
    seen, words = seen_by(monkeypatch), Spaced()
    columns = batch(words, HYPS, REFS, [f"to English: {source}" for source in SOURCES])
    compute_metrics(words, textgauge.Comet(**usual), source_prefix="to English: ")(columns)
    assert [source.rstrip() for source in seen] == SOURCES
    assert not any(source[0].isspace() for source in seen)


class InTurn:
    """As torch's group of two processes, which run one after the other; the second has the parts of both."""

    def __init__(self):
        self.rank, self.first = 0, []

    def get_world_size(self):
        return 2

    def get_rank(self):
        return self.rank

    def all_gather_object(self, found, own):
        if self.rank == 0:
            self.first = own
        found[:] = [self.first, own]


def in_turn(monkeypatch, scores, columns):
    group = InTurn()
    monkeypatch.setattr(passes, "_group", lambda: group)
    scores(columns)
    group.rank = 1
    return scores(columns)


def test_two_processes_share_the_sources(usual, monkeypatch):
    words = Words()
    # An odd number of rows, so that their shares differ.
    columns = batch(words, [*HYPS, "two"], [*REFS, "two dogs"], [*SOURCES, "mat mat"])
    expected = compute_metrics(words, [textgauge.Comet(**usual), "chrf"])(columns)
    scores = compute_metrics(words, [textgauge.Comet(**usual), "chrf"], share_among_processes=True)
    assert in_turn(monkeypatch, scores, columns) == pytest.approx(expected, abs=1e-5)


def test_source_without_prefix_has_a_place(usual, monkeypatch):
    words = Words()
    columns = batch(words, HYPS, REFS, [*(f"to English: {source}" for source in SOURCES[:3]), "cat"])
    scores = compute_metrics(words, textgauge.Comet(**usual), source_prefix="to English:", share_among_processes=True)
    with pytest.raises(ValueError, match=r"^eval_prediction.inputs\[3\]: .*got 'cat'"):
        in_turn(monkeypatch, scores, columns)


def test_padding_sources_are_dropped(usual, monkeypatch):
    loader = Loader(total_batch_size=4, remainder=1)
    state = SimpleNamespace(GradientState=lambda: SimpleNamespace(dataloader_references=[None, loader]))
    monkeypatch.setitem(sys.modules, "accelerate.state", state)
    words = Words()
    whole = batch(words, [*HYPS, "two"], [*REFS, "two dogs"], [*SOURCES, "mat mat"])
    expected = compute_metrics(words, textgauge.Comet(**usual))(whole)
    padded = batch(words, ["two", *HYPS[:3]], ["two dogs", *REFS[:3]], ["mat mat", *SOURCES[:3]])
    scores = compute_metrics(words, textgauge.Comet(**usual))
    assert scores(batch(words, HYPS, REFS, SOURCES), compute_result=False) == {}
    loader.end_of_dataloader = True
    assert scores(padded, compute_result=True) == pytest.approx(expected, abs=1e-5)


def test_missing_inputs(usual):
    words = Words()
    for columns in (batch(words, HYPS, REFS), tuple(batch(words, HYPS, REFS)), SimpleList(batch(words, HYPS, REFS))):
        scores = compute_metrics(words, textgauge.Comet(**usual))
        with pytest.raises(ValueError, match=r'inputs: .* needs: set include_for_metrics=\["inputs"\].*got None'):
            scores(columns)


class SimpleList(SimpleNamespace):
    """As `EvalPrediction` without inputs, whose attribute is None."""

    def __init__(self, sides):
        super().__init__(sides=sides, inputs=None)

    def __getitem__(self, i):
        return self.sides[i]


def test_inputs_of_another_shape_are_refused(usual):
    words = Words()
    predictions, labels, inputs = batch(words, HYPS, REFS, SOURCES)
    scores = compute_metrics(words, textgauge.Comet(**usual))
    for wrong, message in (
        (inputs[:2], r"inputs: .*\(4\).*got 2"),
        (inputs.astype(float), r"inputs: .*got float64 \(4, 3\)"),
        ({"pixel_values": inputs}, r"inputs: .*input_ids.*got \['pixel_values'\]"),
    ):
        given = type("EvalPrediction", (tuple,), {"inputs": wrong})((predictions, labels))
        with pytest.raises(ValueError, match=f"^{message}"):
            scores(given)
    given = type("EvalPrediction", (tuple,), {"inputs": [inputs]})(([predictions] * 2, [labels] * 2))
    with pytest.raises(ValueError, match="^inputs: .*got list"):
        scores(given)
    given = type("EvalPrediction", (tuple,), {"inputs": inputs})(([predictions], [labels]))
    with pytest.raises(ValueError, match=r"^inputs: .*got \(4, 3\)"):
        scores(given)


@pytest.mark.filterwarnings("ignore:.* longer than the 36 tokens")
def test_a_trainer_passes_them(usual, tmp_path):
    for name in ("accelerate", "tokenizers"):
        pytest.importorskip(name)
    from trainer import tiny

    made = tiny.trainer(tmp_path, include_for_metrics=["inputs"])
    of = made.processing_class
    scores = compute_metrics(of, textgauge.Comet(**usual))
    made.compute_metrics = scores
    found = made.evaluate()["eval_comet"]
    output = made.predict(made.eval_dataset)
    sides = [output.predictions, output.label_ids]
    texts = [of.batch_decode(np.where(ids == -100, of.pad_token_id, ids), skip_special_tokens=True) for ids in sides]
    expected = textgauge.comet(*texts, sources=tiny.TEXTS[::-1], **usual)["comet"]
    assert found == pytest.approx(expected, abs=1e-5)
    made.args.batch_eval_metrics = True
    assert made.evaluate()["eval_comet"] == pytest.approx(expected, abs=1e-5)
