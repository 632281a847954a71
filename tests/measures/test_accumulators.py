"""All accumulators: addition, options of one call, and no option that silently has no effect."""

import inspect
import re

import pytest
import textgauge
from textgauge.columns import corpus_of
from textgauge.text import NORMALIZERS


def upper(text):
    return text.upper().split()


def other_upper(text):
    return [text.upper()]


other_upper.__name__ = "upper"

DIFFERENT = {
    "lowercase": (textgauge.Bleu(), textgauge.Bleu(lowercase=True), "lowercase, False (bool), got True (bool)"),
    "smoothing": (textgauge.Bleu(), textgauge.Bleu(smooth=True), "smoothing, 'none' (str), got 'add-one' (str)"),
    "tokenizer": (textgauge.Bleu(), textgauge.Bleu(tokenizer="char"), "tokenizer, '13a', got 'char'"),
    "types": (
        textgauge.Rouge(rouge_types=["rougeL"]),
        textgauge.Rouge(rouge_types=["rouge1"]),
        "rouge_types, ('rougeL',) (tuple), got ('rouge1',) (tuple)",
    ),
    "stems": (textgauge.Rouge(), textgauge.Rouge(use_stemmer=True), "tokenizer, 'rouge', got 'rouge+porter'"),
    "same name": (
        textgauge.Rouge(tokenizer=upper),
        textgauge.Rouge(tokenizer=other_upper),
        "tokenizer, 'upper', got another 'upper'",
    ),
    "counting": (textgauge.TokenF1(), textgauge.TokenF1(counting="set"), "counting, 'multiset' (str), got 'set' (str)"),
    "normalizer": (textgauge.TokenF1(), textgauge.TokenF1(normalizer="none"), "normalizer, 'squad', got 'none'"),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_adding_names_only_the_options_that_differ(name):
    left, right, message = DIFFERENT[name]
    with pytest.raises(ValueError, match=re.escape(message) + "$") as caught:
        left + right
    assert str(caught.value) == f"other: expected the same {message}"


SAME = {
    "beta": (textgauge.Rouge(), textgauge.Rouge(beta=1)),
    "lower case": (textgauge.Rouge(), textgauge.Rouge(lowercase=True)),
    "weight": (textgauge.Rouge(rouge_types=["rougeW"]), textgauge.Rouge(rouge_types=["rougeW"], weight=1.2)),
    "stop words": (textgauge.Rouge(stopwords=["a", "b"]), textgauge.Rouge(stopwords=("b", "a"))),
    "normalizer": (textgauge.TokenF1(), textgauge.TokenF1(normalizer=NORMALIZERS["squad"])),
    "preset": (
        textgauge.Bleu(preset="moses"),
        textgauge.Bleu(tokenizer="ascii-whitespace", reference_length="closest"),
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_options_that_mean_the_same_add(name):
    left, right = (measure.without_segments().update(["c d"], ["c d"]) for measure in SAME[name])
    assert len(left + right) == 2


@pytest.mark.parametrize("kind", [textgauge.Bleu, textgauge.Rouge, textgauge.TokenF1, textgauge.Perplexity])
@pytest.mark.parametrize("other", [3, None, "text"])
def test_only_accumulators_of_one_kind_add(kind, other):
    with pytest.raises(TypeError, match=f"other: expected another {kind.__name__}, got {other!r}"):
        kind() + other
    with pytest.raises(TypeError, match="other: expected another (Bleu|Rouge), got"):
        (textgauge.Rouge if kind is textgauge.Bleu else textgauge.Bleu)() + kind()


def test_a_sum_leaves_its_parts_as_they_were():
    first, second = (textgauge.Rouge().update([text], [text]) for text in ("a b", "c"))
    assert len((first + second).update(["d"], ["d"]).statistics) == 3
    assert (len(first.statistics), len(second.statistics)) == (1, 1)


@pytest.mark.parametrize("name", ["bleu", "rouge", "token_f1", "perplexity"])
def test_one_call_shows_the_options_of_both_its_parts(name):
    kind = {"bleu": "Bleu", "rouge": "Rouge", "token_f1": "TokenF1", "perplexity": "Perplexity"}[name]
    shown = inspect.signature(getattr(textgauge, name)).parameters
    accumulator = getattr(textgauge, kind)
    for part in (accumulator, accumulator.score):
        for parameter in inspect.signature(part).parameters.values():
            if parameter.name != "self":
                assert shown[parameter.name].default == parameter.default
                assert shown[parameter.name].kind is parameter.KEYWORD_ONLY


@pytest.mark.parametrize(
    ("name", "option", "hint"),
    [
        ("bleu", "smothing", "Bleu (nearest: smoothing, smooth, "),
        ("bleu", "per_segmant", "Bleu (nearest: per_segment)"),
        ("rouge", "stemmer", "Rouge (nearest: use_stemmer)"),
        ("perplexity", "modle", "perplexity (nearest: model"),
        ("token_f1", "qqqq", "TokenF1 (counting, normalizer, tokenizer, contains, per_segment, signature, "),
    ],
)
def test_an_unknown_option_is_named_with_the_nearest_ones(name, option, hint):
    with pytest.raises(TypeError) as caught:
        getattr(textgauge, name)(*([] if name == "perplexity" else [["a"], ["a"]]), **{option: True})
    assert str(caught.value).startswith(f"{option}: expected an option of {hint}")
    assert str(caught.value).endswith(", got an unknown keyword")


def words(text):
    return text.split()


IDLE = {
    "n_resamples": ("bleu", {"n_resamples": 1000}, "n_resamples: expected None without `confidence`, got 1000 (int)"),
    "seed": ("token_f1", {"seed": 0}, "seed: expected None without `confidence`, got 0 (int)"),
    "seed of mean": ("rouge", {"seed": 1, "aggregator": "mean"}, "seed: expected None without `confidence`"),
    "n_resamples of bootstrap": ("rouge", {"n_resamples": 9, "aggregator": "bootstrap"}, "n_resamples: expected None"),
    "aggregator": (
        "rouge",
        {"use_aggregator": False, "aggregator": "mean"},
        "aggregator: expected None with `use_aggregator=False`, got 'mean'",
    ),
    "stems elsewhere": (
        "rouge",
        {"use_stemmer": True, "tokenizer": "unicode"},
        "use_stemmer: expected False with a tokenizer other than 'rouge', got True (bool)",
    ),
    "weight": ("rouge", {"weight": 1.2}, "weight: expected None without 'rougeW' among `rouge_types`, got 1.2"),
    "weight in the name": (
        "rouge",
        {"weight": 1.2, "rouge_types": ["rougeW-2"]},
        "weight: expected None without 'rougeW' among `rouge_types`, got 1.2",
    ),
}


@pytest.mark.parametrize("name", IDLE)
def test_an_option_that_would_change_nothing_is_refused(name):
    metric, options, message = IDLE[name]
    with pytest.raises(ValueError, match="expected") as caught:
        getattr(textgauge, metric)(["a b"], ["a b"], **options)
    assert str(caught.value).startswith(message)
    with pytest.raises(ValueError, match="expected") as of_compute:
        textgauge.load(metric).compute(predictions=["a b"], references=["a b"], **options)
    assert str(of_compute.value) == str(caught.value)


@pytest.mark.parametrize("options", [{}, {"use_stemmer": True, "tokenizer": words}])
def test_irregular_forms_without_stems_are_refused(tmp_path, options):
    (tmp_path / "noun.exc").write_text("mice mouse\n")
    with pytest.raises(ValueError, match="^exceptions: expected None without `use_stemmer=True` and its tokenizer"):
        textgauge.rouge(["mice"], ["mouse"], exceptions=tmp_path, **options)


def test_perplexity_refuses_a_seed_before_it_loads_a_model():
    with pytest.raises(ValueError, match="seed: expected None without `confidence`, got 3"):
        textgauge.perplexity(texts=["a"], model_id="no/such", seed=3)
    with pytest.raises(ValueError, match="n_resamples: expected None without `confidence`"):
        textgauge.load("perplexity").compute(probs=[[0.5]], n_resamples=3)


@pytest.mark.parametrize(
    "options", [{"use_aggregator": False}, {"use_aggregator": True, "aggregator": "mean"}, {"confidence": None}, {}]
)
def test_options_of_load_without_effect_are_not_refused_by_a_call(options):
    at_load = {"seed": 7, "aggregator": "bootstrap", "n_resamples": 50}
    found = textgauge.load("rouge", **at_load).compute(predictions=["a b"], references=["a b"], **options)
    assert found["rouge1"] == ([1.0] if options == {"use_aggregator": False} else 1.0)


def test_stems_with_a_users_tokenizer_follow_the_reference_module_with_one_warning():
    with pytest.warns(UserWarning, match="`use_stemmer=True` has no effect with your own tokenizer") as told:
        found = textgauge.rouge(["cats here", "x"], ["cat", "y"], use_stemmer=True, tokenizer=words)
    assert len(told) == 1
    assert told[0].filename == __file__
    assert found["rouge1"] == 0.0
    assert textgauge.rouge(["cats"], ["cat"], use_stemmer=True, tokenizer="rouge", rouge_types=["rouge1"]) == {
        "rouge1": 1.0
    }


def test_unknown_options_elsewhere_are_named_too():
    with pytest.raises(TypeError, match=r"^sed: expected an option of compare \(nearest: seed"):
        textgauge.compare([["a"], ["b"]], ["a"], sed=1)
    with pytest.raises(TypeError, match=r"^max_order: expected an option of compare \(nearest: metric_options\)"):
        textgauge.compare([["a"], ["b"]], ["a"], max_order=2)
    with pytest.raises(TypeError, match="^metric_options: expected a dict of options of the metric, got {1: 2}"):
        textgauge.compare([["a"], ["b"]], ["a"], metric_options={1: 2})
    with pytest.raises(TypeError, match=r"^metric_options\['smothing'\]: expected an option of bleu \(nearest: smooth"):
        textgauge.compare([["a"], ["b"]], ["a"], metric_options={"smothing": "exp"})
    with pytest.raises(TypeError, match=r"^paddin: expected an option of NgramModel \(nearest: padding"):
        textgauge.NgramModel(2, paddin="nltk")
    with pytest.raises(TypeError, match=r"^signatur: expected an option of NgramModel.score \(nearest: signature"):
        textgauge.NgramModel(2).fit(["a"]).score(["a"], signatur=True)
    with pytest.raises(TypeError, match=r"^tokeniser: expected an option of rougeL \(nearest: tokenizer"):
        textgauge.scorer("rougeL", prediction_column="p", reference_column="r", tokeniser="unicode")


@pytest.mark.parametrize("name", ["bleu", "rouge", "token_f1"])
def test_a_misspelled_column_is_answered_with_the_right_name(name):
    with pytest.raises(
        TypeError, match="^prediction: expected an option of this metric with the columns predictions, "
    ):
        textgauge.load(name).compute(prediction=["a"], references=["a"])
    with pytest.raises(
        TypeError, match="^refs: expected an option of this metric with the columns predictions, references \\("
    ):
        textgauge.load(name).compute(predictions=["a"], refs=["a"])


@pytest.mark.parametrize("aggregator", [None, "bootstrap"])
def test_a_seed_of_any_size_is_one(aggregator):
    texts = ["a b c d e f g"[: 2 * i] for i in range(1, 8)] * 5, ["a b c"] * 35
    options = {"confidence": 0.9, "aggregator": aggregator, "rouge_types": ["rouge1"], "n_resamples": 50}
    seeds = (5, 2**32 + 5, 2**32, 2**80 + 1)
    drawn = [textgauge.rouge(*texts, seed=seed, **options) for seed in seeds]
    assert [drawn.count(result) for result in drawn] == [1] * len(seeds)
    loaded = textgauge.load("rouge", seed=2**80 + 1, **options)
    assert loaded.compute(predictions=texts[0], references=texts[1]) == drawn[-1]


def test_a_text_read_only_in_part_keeps_its_place() -> None:
    second = textgauge.columns.corpus_of(["a b", "c d"], ["a b", "c d"]).slice(1, 2)
    read, _ = textgauge.Rouge(max_words=1).as_cut(second)
    assert (read.place(0, 0), read.place(1, 0)) == ("predictions[1]", "references[1]")
    assert read.hypotheses[0].split() == ["c"]


def test_pieces_of_a_corpus_are_of_bounded_size():
    corpus = corpus_of(["abcd"] * 1_000, ["efgh"] * 1_000)
    assert [len(piece) for piece in corpus.chunks(800)] == [100] * 10
    assert [len(piece) for piece in corpus.chunks(10_000, row_bytes=100)] == [100] * 10
    assert [piece.first for piece in corpus.chunks(800)] == [*range(0, 1_000, 100)]
    assert [len(piece) for piece in corpus.slice(0, 64).chunks(8)] == [64]


def test_sum_merges_parts():
    parts = [textgauge.Rouge().update([text], ["the cat sat"]) for text in ("the cat", "a cat sat", "dogs")]
    assert sum(parts).score() == (parts[0] + parts[1] + parts[2]).score()
    with pytest.raises(TypeError):
        sum(parts, 1)
