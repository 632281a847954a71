"""What models that read two texts as one are handed, without a model: parts, chunks, pieces, cuts, pairs, forms."""

from types import SimpleNamespace

import numpy as np
import pytest
import textgauge
from textgauge.models import consistency, pairs
from textgauge.models.consistency import Consistency
from textgauge.models.loading import LoadedModel
from textgauge.models.options import LearnedOptions
from textgauge.models.pairs import PairModel

SENTENCES = ["One dog barks.", "Two cats sit!", "It rained.", "Is it so?"]
PERIODS = "One dog barks. Two cats sit!\nIt rained. Is it so?"


class Lookup:
    """Answers with the numbers of pairs of texts from a function, in the place of a `PairModel`."""

    name, limit = "lookup", 100

    def __init__(self, numbers):
        self._numbers, self.asked = numbers, []

    def batches(self, batch_size):
        return batch_size

    def numbers(self, pairs, batches, bar=None):
        self.asked += pairs
        return np.array([self._numbers(*pair) for pair in pairs]), 3

    def lengths(self, texts):
        return {text: len(text.split()) for text in texts}


def shared_words(part, piece):
    """The share of the words of a piece that are in a part, and that of the others."""
    own, others = {*piece.split()}, {*part.split()}
    share = len(own & others) / len(own)
    return (share, 1 - share)


@pytest.fixture
def model(monkeypatch):
    monkeypatch.setattr(consistency, "punkt_of", lambda: None)
    return lambda form, numbers=shared_words, **identity: Consistency(form, Lookup(numbers), identity)


@pytest.mark.parametrize(
    ("form", "parts", "pieces"),
    [
        ("minicheck", ["One dog barks. Two cats sit!\nIt rained. Is it so?"], [PERIODS]),
        ("alignscore", [" ".join(SENTENCES)], SENTENCES),
        # No sentence of at most ten characters: "Is it so?" has nine, "It rained." ten.
        ("summac-zs", ["One dog barks.", "Two cats sit!"], ["One dog barks.", "Two cats sit!"]),
    ],
)
def test_parts_and_pieces_of_each_form(model, form, parts, pieces):
    made = model(form)
    assert consistency._parts(made, PERIODS) == parts
    assert consistency._pieces(made, PERIODS) == pieces


def test_a_chunk_of_minicheck_has_at_most_as_many_tokens_or_words(model, monkeypatch):
    """A newline is a token, and no word; a sentence that is longer alone is a chunk of its own."""
    monkeypatch.setattr(consistency, "_TOKENS", 5)
    monkeypatch.setattr(Lookup, "lengths", lambda self, texts: {text: len(text.split()) or 1 for text in texts})
    found = consistency._chunks(model("minicheck"), PERIODS)
    assert found == ["One dog barks.", "Two cats sit!", "It rained. Is it so?"]
    monkeypatch.setattr(consistency, "_WORDS", 6)
    of_t5 = model("minicheck", family="t5")
    assert (of_t5.longest, of_t5.reads_words) == (6, True)
    assert consistency._chunks(of_t5, PERIODS) == ["One dog barks. Two cats sit!", "It rained. Is it so?"]
    monkeypatch.setattr(consistency, "_WORDS", 1)
    assert consistency._chunks(of_t5, "One dog barks. It rained.") == ["One dog barks.", "It rained."]
    assert consistency._chunks(of_t5, "") == consistency._chunks(of_t5, " \n ") == []
    assert (model("minicheck").longest, model("minicheck", family="deberta-v2").reads_words) == (5, False)


def test_parts_of_alignscore_grow_with_the_words(model, monkeypatch):
    """n sentences over (words // 350 + 1), at least one, and the rest behind them."""
    made, sentences = model("alignscore"), [f"Word {i} is here." for i in range(7)]
    document = " ".join(sentences)
    for size, n in ((350, 7), (28, 3), (27, 3), (14, 2), (4, 1), (1, 1)):
        monkeypatch.setattr(consistency, "_PART", size)
        expected = [" ".join(sentences[i : i + n]) for i in range(0, 7, n)]
        assert consistency._parts(made, document) == expected, size
    assert consistency._parts(made, "") == [""]


def test_summac_reads_the_first_sentences(model, monkeypatch):
    monkeypatch.setattr(consistency, "_MOST_SENTENCES", 2)
    made = model("summac-zs")
    text = "The first one. Short 10. The second one. The third one."
    assert consistency._parts(made, text) == ["The first one.", "The second one."]
    assert consistency._pieces(made, text) == ["The first one.", "The second one.", "The third one."]


def test_scores_of_each_form(model):
    document, text = "The cat sat here. A dog barked there.", "The cat barked there. A dog sat alone."
    first, second = "The cat barked there.", "A dog sat alone."
    made = model("alignscore")
    scored = made.score([text, ""], {"sources": [document, document]}, None)
    assert scored.supports[0] == [(first, 1.0, document), (second, 0.75, document)]
    assert scored.scores.tolist() == [0.875, 0.0]
    assert (scored.n_blank, scored.n_cut) == (1, 3)
    # The most that any sentence entails, less the most that any contradicts.
    made = model("summac-zs")
    scored = made.score([text], {"sources": [document]}, None)
    assert scored.supports[0] == [(first, 0.0, "The cat sat here."), (second, -0.25, "A dog barked there.")]
    assert scored.scores.tolist() == [-0.125]
    made = model("summac-zs", lambda part, piece: (0.9, 0.8) if part.startswith("The") else (0.2, 0.3))
    assert made.score([text], {"sources": [document]}, None).scores == pytest.approx([0.9 - 0.8])
    made = model("minicheck")
    scored = made.score([text], {"sources": [document]}, None)
    assert scored.supports[0] == [(text, 7 / 8, document)]
    # By sentence, also where the score is that of the whole.
    assert [one.piece for one in made.supports(document, text, None)] == [first, second]


def test_alignscore_has_the_mean_of_float32(model):
    values = iter([0.1, 0.2, 0.7])
    made = model("alignscore", lambda *_: (next(values),))
    [score] = made.score(["A b. C d. E f."], {"sources": ["x"]}, None).scores.tolist()
    assert score == float(np.array([0.1, 0.2, 0.7], np.float32).mean(dtype=np.float32)) != np.mean([0.1, 0.2, 0.7])


def test_each_pair_is_asked_for_once_and_pools_change_nothing(model, monkeypatch):
    texts, documents = ["the cat sat", "a dog", "the cat sat"], ["the cat", "the dog", "the cat"]
    made = model("minicheck")
    whole = made.score(texts, {"sources": documents}, None)
    assert made._pairs.asked == [("the cat", "the cat sat"), ("the dog", "a dog")]
    assert whole.scores.tolist() == [2 / 3, 1 / 2, 2 / 3]
    monkeypatch.setattr(consistency, "POOL", 1)
    assert made.score(texts, {"sources": documents}, None).scores.tolist() == whole.scores.tolist()


# ---- pairs of texts as tokens


class OnDevice(np.ndarray):
    """An array that says where it is, as a tensor does."""

    device = "cpu"


class Words:
    """A tokenizer of words, with marks around texts: [1] first [2] second [2]; of one text [1] text [2]."""

    pad_token_id, eos_token, has_types = 0, "</s>", True

    def __call__(self, first, second=None, *, add_special_tokens=True, truncation=False, max_length=None, **_):
        if isinstance(first, str):
            one = self._one(first, second, add_special_tokens, truncation, max_length)
            return {key: value for key, value in one.items() if key != "token_type_ids" or self.has_types}
        rows = [
            self._one(text, other, add_special_tokens, truncation, max_length)
            for text, other in zip(first, second or [None] * len(first), strict=True)
        ]
        keys = ("input_ids", *(("token_type_ids",) if self.has_types else ()))
        return {key: [row[key] for row in rows] for key in keys}

    @staticmethod
    def _one(first, second, has_marks, truncation, limit):
        def ids(text):
            return [2 if word == "</s>" else 10 + int(word) for word in text.replace("</s>", " </s> ").split()]

        own, other = ids(first), None if second is None else ids(second)
        if truncation:
            n = len(own) + len(other) + 3 - limit
            if truncation == "only_first" and n >= len(own):
                raise RuntimeError("no token is left")
            for _ in range(n):
                longer = own if truncation == "only_first" or len(own) > len(other) else other
                longer.pop()
        if not has_marks:
            return {"input_ids": own, "token_type_ids": [0] * len(own)}
        row, types = [1, *own, 2], [0] * (len(own) + 2)
        if other is not None:
            row, types = [*row, *other, 2], [*types, *[1] * (len(other) + 1)]
        return {"input_ids": row, "token_type_ids": types}


@pytest.fixture
def pair_model(monkeypatch):
    monkeypatch.setattr(pairs, "torch_and_transformers", lambda: (None, None))
    model = SimpleNamespace(get_input_embeddings=lambda: SimpleNamespace(num_embeddings=99))
    return lambda limit, **options: PairModel(LoadedModel(model, Words(), "words", {}), limit, None, **options)


def test_pairs_that_fit(pair_model):
    made = pair_model(8)
    assert made._pairs([("1 2", "3"), ("4", "5 6 7 8")]) == [
        ([1, 11, 12, 2, 13, 2], [0, 0, 0, 0, 1, 1], False),
        ([1, 14, 2, 15, 16, 17, 18, 2], [0, 0, 0, 1, 1, 1, 1, 1], False),
    ]
    assert made._pairs([]) == []
    assert made.lengths(["1 2", "3", "1 2", " ".join("123456789")]) == {"1 2": 2, "3": 1, " ".join("123456789"): 8}
    assert made.lengths([]) == {}


def test_the_first_text_is_cut_unless_the_second_alone_is_too_long(pair_model):
    made = pair_model(7)
    assert made._pairs([("1 2 3 4", "5 6")]) == [([1, 11, 12, 2, 15, 16, 2], [0, 0, 0, 0, 1, 1, 1], True)]
    [(ids, _, is_cut)] = made._pairs([("1 2", "3 4 5 6 7")])
    assert (ids, is_cut) == ([1, 11, 12, 2, 13, 14, 2], True)


def test_the_longer_text_is_cut_token_by_token(pair_model):
    made = pair_model(7, cuts_longest=True)
    [(ids, types, is_cut)] = made._pairs([("1 2 3 4", "5 6")])
    assert (ids, types, is_cut) == ([1, 11, 12, 2, 15, 16, 2], [0, 0, 0, 0, 1, 1, 1], True)
    [(ids, *_)] = made._pairs([("1", "2 3 4 5 6")])
    assert ids == [1, 11, 2, 12, 13, 14, 2]


def test_joined_texts_lose_the_end_of_the_first(pair_model):
    """Never the mark between, nor the second text, unless it does not fit alone."""
    made = pair_model(7, between="</s>")
    assert made._pairs([("1 2 3 4", "5 6")]) == [([1, 11, 12, 2, 15, 16, 2], [0] * 7, True)]
    assert made._pairs([("1 2", "5 6")]) == [([1, 11, 12, 2, 15, 16, 2], [0] * 7, False)]
    [(ids, *_)] = made._pairs([("1 2", "3 4 5 6 7 8")])
    assert ids == [1, 11, 12, 2, 13, 14, 2]
    made = pair_model(8, between="</s>", before="9 ")
    [(ids, *_)] = made._pairs([("1 2 3 4", "5 6")])
    assert ids == [1, 19, 11, 12, 2, 15, 16, 2]


def test_a_tokenizer_with_a_mark_at_the_end_alone(pair_model, monkeypatch):
    """As that of T5: what is cut is in front of the second text, or the end of it, never the mark."""
    one = Words._one
    monkeypatch.setattr(Words, "__call__", lambda self, first, second=None, *, add_special_tokens=True, **_: (
        {"input_ids": one(first, second, add_special_tokens, False, None)["input_ids"][add_special_tokens:]}
        if isinstance(first, str)
        else {"input_ids": [one(text, None, True, False, None)["input_ids"][1:] for text in first]}
    ))  # fmt: skip
    made = pair_model(6, between="</s>")
    assert [row.ids for row in made._pairs([("1 2 3 4", "5 6"), ("1", "5 6")])] == [
        [11, 12, 2, 15, 16, 2], [11, 2, 15, 16, 2],
    ]  # fmt: skip
    [(ids, *_)] = made._pairs([("1 2", "3 4 5 6 7 8")])
    assert ids == [11, 12, 2, 13, 14, 2]


def test_a_tokenizer_without_types(pair_model, monkeypatch):
    monkeypatch.setattr(Words, "has_types", False)
    assert pair_model(7)._pairs([("1 2 3 4", "5 6"), ("1", "2")]) == [
        ([1, 11, 12, 2, 15, 16, 2], [], True), ([1, 11, 2, 12, 2], [], False),
    ]  # fmt: skip


# ---- what needs no model


def test_each_form_has_its_usual_model_and_scale():
    for form, least in (("minicheck", 0.0), ("alignscore", 0.0), ("summac-zs", -1.0)):
        metric = textgauge.Consistency(form=form).metric
        assert metric.scores[0].least == least
        reader = metric.reader()
        assert (reader.name, reader.takes, reader.needs_all) == (consistency.USUAL[form], ("sources",), True)
    frugal = textgauge.FrugalScore(model_id="moussaKam/frugalscore_tiny_bert-base_bert-score").metric.reader()
    assert (frugal.takes, frugal.needs_all) == (("references",), True)


def test_columns_are_checked_before_a_model_is_loaded():
    with pytest.raises(ValueError, match="^sources: .*got None"):
        textgauge.consistency(["a"])
    with pytest.raises(ValueError, match="^`references` cannot be given, since .* does not use references"):
        textgauge.consistency(["a"], ["b"], sources=["c"])
    with pytest.raises((TypeError, ValueError), match="references"):
        textgauge.frugalscore(["a"])


@pytest.mark.parametrize(
    ("made", "found"),
    [(("one.ckpt",), "one.ckpt"), (("one.ckpt", "two.txt"), "one.ckpt"), ((), None), (("a.ckpt", "b.ckpt"), None)],
)
def test_checkpoint_of_a_folder(tmp_path, made, found):
    for name in made:
        (tmp_path / name).write_bytes(b"")
    options = LearnedOptions(model_id=str(tmp_path))
    if found is None:
        with pytest.raises(ValueError, match=f"^model_id: .*with {len(made)}$"):
            consistency._checkpoint(options)
        return
    location, file = consistency._checkpoint(options)
    assert (location.name, file) == (str(tmp_path), tmp_path / found)
    assert consistency._checkpoint(LearnedOptions(model_id=str(file)))[1] == file
    with pytest.raises(ValueError, match="revision"):
        consistency._checkpoint(LearnedOptions(model_id=str(file), revision="main"))


def test_types_are_those_of_each_row(pair_model):
    """Of two pairs of one length, whose first texts differ in length; and the mask where one is padded."""
    made = pair_model(8)
    made._torch = SimpleNamespace(from_numpy=lambda array: SimpleNamespace(to=lambda device: array))
    rows = made._pairs([("1 2", "3"), ("1", "2 3")])
    ids = np.array([row.ids for row in rows])
    whole = SimpleNamespace(ids=ids.view(OnDevice), mask=None, places=None)
    found = made._inputs(whole, rows)
    assert [*found] == ["input_ids", "token_type_ids"]
    assert found["token_type_ids"].tolist() == [[0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1]]
    rows = made._pairs([("1 2", "3"), ("1", "2")])
    padded = np.array([rows[0].ids, [*rows[1].ids, 0]])
    batch = SimpleNamespace(ids=padded.view(OnDevice), mask=padded > 0, places=np.arange(2))
    found = made._inputs(batch, rows)
    assert found["attention_mask"].tolist() == [[True] * 6, [True] * 5 + [False]]
    assert found["token_type_ids"].tolist() == [[0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 0]]


def test_a_text_that_just_takes_the_place_of_the_whole_first_one_stays(pair_model):
    """Of the joined texts as many tokens are lost as the first has: all of it, and nothing of the second."""
    made = pair_model(5, between="</s>")
    [(ids, *_)] = made._pairs([("1 2", "3 4")])
    assert ids == [1, 2, 13, 14, 2]


# ---- what a model's files say of it


@pytest.fixture
def bert(monkeypatch, tmp_path):
    """Loads, for any name, the words above with a model of `places` positions and a `config`."""

    def load(places, **config):
        config = SimpleNamespace(**{"is_encoder_decoder": False, "model_type": "bert", "num_labels": 1, **config})
        model = SimpleNamespace(
            config=config, eval=lambda: None, get_input_embeddings=lambda: SimpleNamespace(num_embeddings=99)
        )  # fmt: skip
        for module in (consistency, pairs):
            monkeypatch.setattr(module, "torch_and_transformers", lambda *_: (None, SimpleNamespace(AutoConfig=None)))
            monkeypatch.setattr(module, "limit_of", lambda model, tokenizer: places)
            monkeypatch.setattr(
                module, "loaded_of", lambda options, name, **_: LoadedModel(model, Words(), name, {"model": name})
            )
        monkeypatch.setattr(consistency, "pretrained", lambda *_, **__: config)
        monkeypatch.setattr(consistency, "CACHE", SimpleNamespace(get=lambda extra, key, make: make()))
        return str(tmp_path)

    return load


@pytest.mark.parametrize(
    ("family", "places", "limit"),
    [
        ("t5", None, 2048), ("deberta-v2", 512, 2048), ("deberta-v2", None, 2048), ("roberta", 512, 512),
        ("roberta", 514, 512), ("roberta", 64, 64), ("roberta", None, 512),
    ],
)  # fmt: skip
def test_the_most_tokens_of_minicheck(bert, family, places, limit):
    folder = bert(places, model_type=family, is_encoder_decoder=family == "t5")
    made = textgauge.Consistency(model_id=folder).metric.model()
    assert (made.limit, made.reads_words) == (limit, family == "t5")
    assert made._pairs._before == ("predict: " if family == "t5" else "")
    assert made._pairs._between == "</s>"


@pytest.mark.parametrize(("places", "limit"), [(400, 400), (None, 500), (512, 500)])
def test_the_most_tokens_and_the_labels_of_summac(bert, places, limit):
    for names, columns in (
        (["contradiction", "neutral", "entailment"], "2,0"), (["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"], "0,1"),
        (["LABEL_0", "LABEL_1", "LABEL_2"], "2,0"), (["entailment", "neutral", "contradiction"], "0,2"),
    ):  # fmt: skip
        folder = bert(places, id2label=dict(enumerate(names)), num_labels=3)
        made = textgauge.Consistency(model_id=folder, form="summac-zs").metric.model()
        assert (made.limit, made.identity["nli"]) == (limit, columns)
    folder = bert(places, id2label={0: "LABEL_0", 1: "LABEL_1"}, num_labels=2)
    with pytest.raises(ValueError, match="^model_id: .*entailment"):
        textgauge.Consistency(model_id=folder, form="summac-zs").metric.model()


@pytest.mark.parametrize(("places", "asked", "limit"), [(64, 512, 64), (64, 20, 20), (None, 20, 20), (512, 512, 512)])
def test_a_pair_of_frugalscore_is_as_long_as_the_model_and_the_option_allow(bert, places, asked, limit):
    made = textgauge.FrugalScore(model_id=bert(places), max_length=asked).metric.model()
    assert (made.limit, made._pairs.limit, made.identity["max"]) == (limit, limit, str(limit))
    # The longer text is cut, as the Hub's module does.
    made._pairs.limit = 7
    assert made._pairs._pairs([("1 2 3 4", "5 6 7")])[0].ids == [1, 11, 12, 2, 15, 16, 2]
    with pytest.raises(ValueError, match="^model_id: .*got .* with 2 outputs"):
        textgauge.FrugalScore(model_id=bert(places, num_labels=2)).metric.model()


def test_cut_pairs_of_all_pools_are_counted(model, monkeypatch):
    monkeypatch.setattr(consistency, "POOL", 1)
    assert model("minicheck").score(["a", "b"], {"sources": ["a", "b"]}, None).n_cut == 6


def test_summac_counts_sentences_that_are_long_enough(model, monkeypatch):
    monkeypatch.setattr(consistency, "_MOST_SENTENCES", 2)
    assert consistency._parts(model("summac-zs"), "Yes! Yes! The first one. The second one. The third one.") == [
        "The first one.", "The second one.",
    ]  # fmt: skip
