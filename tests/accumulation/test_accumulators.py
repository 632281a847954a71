"""All accumulators: addition, options of one call, and no option that silently has no effect."""

import copy
import math
import re
import zlib
from fractions import Fraction
from functools import partial

import laws
import pytest
import textgauge
from declared import COUNTED, sources_of
from option_values import WITH_A_MODEL, drawn
from textgauge.accumulation.accumulator import Accumulator, accumulator_of
from textgauge.accumulation.registry import METRICS
from textgauge.accumulation.running import RunningScore
from textgauge.explanation.explainer import explainer_of
from textgauge.input.columns import corpus_of
from textgauge.input.squad_rows import guess_corpus_of, question_corpus_of
from textgauge.metric import About, Explanation, Field, Layout, Metric, Sums
from textgauge.options import options_of
from textgauge.text import NORMALIZERS
from toys import Drift

COLUMNS = {"prediction_column": "p", "reference_column": "r"}


def upper(text):
    return text.upper().split()


def other_upper(text):
    return [text.upper()]


other_upper.__name__ = "upper"

TYPES = {"rouge_types": ["rougeL"]}
# The kind, the options of two of it, and how an error names them.
DIFFERENT = [
    ("Bleu", {}, {"lowercase": True}, "lowercase, False (bool), got True (bool)"),
    ("Bleu", {}, {"smooth": True}, "smoothing, 'none' (str), got 'add-one' (str)"),
    ("Bleu", {}, {"tokenizer": "char"}, "tokenizer, '13a', got 'char'"),
    ("Rouge", TYPES, {"rouge_types": ["rouge1"]}, "rouge_types, ('rougeL',) (tuple), got ('rouge1',) (tuple)"),
    ("Rouge", {}, {"use_stemmer": True}, "tokenizer, 'rouge', got 'rouge+porter'"),
    ("Rouge", {"tokenizer": upper}, {"tokenizer": other_upper}, "tokenizer, 'upper', got another 'upper'"),
    ("Rouge", {"jackknife": True}, {}, "jackknife, True (bool), got False (bool)"),
    ("TokenF1", {}, {"counting": "set"}, "counting, 'multiset' (str), got 'set' (str)"),
    ("TokenF1", {}, {"normalizer": "none"}, "normalizer, 'squad', got 'none'"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "left", "right", "message"), DIFFERENT)
def test_adding_names_only_the_options_that_differ(kind, left, right, message):
    with pytest.raises(ValueError, match="^other: .* " + re.escape(message) + "$"):
        getattr(textgauge, kind)(**left) + getattr(textgauge, kind)(**right)


TEXTS = {
    "predictions": ["b c", "The cat's 2 dogs, sat on a mat! Then 10 it slept", "a  b the the", "x1. the"],
    "references": [["a b"], ["the Cats sat on THE mat; it sleeps. So", "a dog"], ["a b\tc the", ""], ["x.", "x1 a"]],
    "sources": ["a b c", "The cats sat on the big mat, then it slept", "a b the", "x2. the"],
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("name", "option"), [
    (name, one) for name, metric in METRICS.items() if name not in WITH_A_MODEL
    for one in options_of(metric.options_type)
], ids=lambda one: getattr(one, "name", one))  # fmt: skip
def test_what_scores_differently_does_not_add(name, option):
    changed = drawn(name, option)
    kind = accumulator_of(METRICS[name])
    columns = {column: TEXTS[column] for column in kind.metric_type.inputs.names if column in TEXTS}
    try:
        left, right = (
            kind(**options).update(**columns)
            for options in ({key: value for key, value in changed.items() if key != option.name}, changed)
        )
    except (FileNotFoundError, ValueError, TypeError):
        pytest.skip("the option needs files or other data, which other tests have")
    both = [one.segment_columns() for one in (left, right)]
    if both[0].keys() == both[1].keys() and all((both[0][key] == both[1][key]).all() for key in both[0]):
        return
    with pytest.raises(ValueError, match="^(other: |metric: .*got two)"):
        left + right
    if name != "nist_mt":
        assert left.signature != right.signature


SAME = [
    ("Rouge", {}, {"beta": 1}),
    ("Rouge", {}, {"lowercase": True}),
    ("Rouge", {"rouge_types": ["rougeW"]}, {"rouge_types": ["rougeW"], "weight": 1.2}),
    ("Rouge", {"stopwords": ["a", "b"]}, {"stopwords": ("b", "a")}),
    ("TokenF1", {}, {"normalizer": NORMALIZERS["squad"]}),
    ("Bleu", {"preset": "moses"}, {"tokenizer": "ascii-whitespace", "reference_length": "closest"}),
]


@pytest.mark.parametrize(("kind", "left", "right"), SAME)
def test_options_that_mean_the_same_add(kind, left, right):
    left, right = (
        getattr(textgauge, kind)(**options).without_segments().update(["c d"], ["c d"]) for options in (left, right)
    )
    assert len(left + right) == 2


@pytest.mark.parametrize("kind", [textgauge.Bleu, textgauge.Rouge, textgauge.TokenF1, textgauge.Perplexity])
@pytest.mark.parametrize("other", [3, None, "text"])
def test_only_accumulators_of_one_kind_add(kind, other):
    with pytest.raises(TypeError, match=f"^other: .*{kind.__name__}, got {other!r}"):
        kind() + other
    with pytest.raises(TypeError, match="^other: .*(Bleu|Rouge), got"):
        (textgauge.Rouge if kind is textgauge.Bleu else textgauge.Bleu)() + kind()


def test_sums_of_segments_do_not_add():
    running = RunningScore(textgauge.Bleu())
    running.update_corpus(corpus_of(["a b"], ["a b"]))
    segments = textgauge.Bleu().update(["a b"], ["a b"])
    for left, right in ((running.of_sums(), segments), (segments, running.of_sums())):
        with pytest.raises(ValueError, match="^other: .*got sums"):
            left + right


@pytest.mark.parametrize(
    ("columns", "message"),
    [((["a"],), "references: .*got None"), ((["a"], ["a"], ["a"]), r"update\(\) too many positional arguments")],
)
def test_update_refuses_other_columns(columns, message):
    with pytest.raises(TypeError, match=rf"^{message}$"):
        textgauge.Bleu().update(*columns)
    with pytest.raises(TypeError, match=r"^update\(\) got an unexpected keyword argument 'sources'$"):
        textgauge.Bleu().update(["a"], ["a"], sources=["a"])


bleu = partial(textgauge.bleu, ["a"], ["a"])
compare = partial(textgauge.compare, [["a"], ["b"]], ["a"])
UNKNOWN = [
    (lambda: bleu(smothing=True), "smothing: .* Bleu .*: smoothing, smooth, "),
    (lambda: bleu(per_segmant=True), r"per_segmant: .* Bleu .*: per_segment\)"),
    (lambda: textgauge.perplexity(modle=1), "modle: .* perplexity .*: model"),
    (lambda: textgauge.token_f1(["a"], ["a"], q=1), r"q: .* TokenF1 \(counting, normalizer, r"),
    (lambda: compare(sed=1), "sed: .* compare .*: seed"),
    (lambda: compare(max_order=2), r"max_order: .* compare .*: metric\)"),
    (lambda: textgauge.NgramModel(2, paddin="nltk"), "paddin: .* NgramModel .*: padding"),
    (lambda: textgauge.NgramModel().score(["a"], signatur=1), "signatur: .* NgramModel.score .*: signature"),
    (lambda: textgauge.load("bleu").compute(hyps=["a"]), r"hyps: .* \(\w+: "),
]  # fmt: skip


@pytest.mark.parametrize(("name", "third"), [("sari", "sources"), ("bleu", "signature")])
def test_what_comes_after_two_columns_has_a_name(name, third):
    message = rf"^{name}: "
    with pytest.raises(TypeError, match=message):
        getattr(textgauge, name)(["h"], ["r"], ["s"])


@pytest.mark.parametrize(("call", "message"), UNKNOWN)
def test_an_unknown_option_is_named_with_the_nearest_ones(call, message):
    with pytest.raises(TypeError, match=f"^{message}") as caught:
        call()
    assert str(caught.value).endswith((", got an unknown keyword", ", got {1: 2} (dict)"))


def words(text):
    return text.split()


IDLE = [
    ("bleu", {"n_resamples": 1000}, "`n_resamples` has no effect without `confidence`"),
    ("token_f1", {"seed": 0}, "`seed` has no effect without `confidence`"),
    ("rouge", {"seed": 1, "aggregator": "mean"}, "`seed` has no effect without `confidence`"),
    ("rouge", {"n_resamples": 9, "aggregator": "bootstrap"}, "`n_resamples` has no effect"),
    ("rouge", {"use_aggregator": False, "aggregator": "mean"}, "`aggregator` cannot be given with `use_agg"),
    ("rouge", {"use_stemmer": True, "tokenizer": "unicode"}, "use_stemmer: expected False with a tokenizer other"),
    ("rouge", {"weight": 1.2}, "`weight` has no effect without 'rougeW' among `rouge_types`"),
    ("rouge", {"weight": 1.2, "rouge_types": ["rougeW-2"]}, "`weight` has no effect without 'rougeW' among"),
]  # fmt: skip


@pytest.mark.parametrize(("metric", "options", "message"), IDLE)
def test_an_option_that_would_change_nothing_is_refused(metric, options, message):
    sides = {"predictions": ["a b"], "references": ["a b"]}
    for call in (getattr(textgauge, metric), textgauge.load(metric).compute):
        with pytest.raises(ValueError, match="^" + re.escape(message)):
            call(**sides, **options)


@pytest.mark.parametrize("options", [{}, {"use_stemmer": True, "tokenizer": words}])
def test_irregular_forms_without_stems_are_refused(tmp_path, options):
    (tmp_path / "noun.exc").write_text("mice mouse\n")
    with pytest.raises(ValueError, match="^`exceptions` has no effect without `use_stemmer=True` and its tokenizer"):
        textgauge.rouge(["mice"], ["mouse"], exceptions=tmp_path, **options)


def test_perplexity_refuses_a_seed_before_it_loads_a_model():
    with pytest.raises(ValueError, match="`seed` has no effect without `confidence`"):
        textgauge.perplexity(texts=["a"], model_id="no/such", seed=3)
    with pytest.raises(ValueError, match="`n_resamples` has no effect without `confidence`"):
        textgauge.load("perplexity").compute(probs=[[0.5]], n_resamples=3)


@pytest.mark.parametrize(
    "options", [{"use_aggregator": False}, {"use_aggregator": True, "aggregator": "mean"}, {"confidence": None}, {}]
)
def test_load_may_have_options_without_effect(options):
    at_load = {"seed": 7, "aggregator": "bootstrap", "n_resamples": 50}
    found = textgauge.load("rouge", **at_load).compute(predictions=["a b"], references=["a b"], **options)
    assert found["rouge1"] == ([1.0] if options == {"use_aggregator": False} else 1.0)


def test_own_tokenizer_is_not_stemmed():
    with pytest.warns(UserWarning, match="`use_stemmer=True` has no effect with your own tokenizer") as told:
        found = textgauge.rouge(["cats here", "x"], ["cat", "y"], use_stemmer=True, tokenizer=words)
    assert len(told) == 1
    assert told[0].filename == __file__
    assert found["rouge1"] == 0.0
    assert textgauge.rouge(["cats"], ["cat"], use_stemmer=True, tokenizer="rouge")["rouge1"] == 1.0


@pytest.mark.parametrize("aggregator", [None, "bootstrap"])
def test_a_seed_of_any_size_is_one(aggregator):
    texts = ["a b c d e f g"[: 2 * i] for i in range(1, 8)] * 5, ["a b c"] * 35
    options = {"confidence": 0.9, "aggregator": aggregator, "rouge_types": ["rouge1"], "n_resamples": 50}
    drawn = [textgauge.rouge(*texts, seed=seed, **options) for seed in (5, 2**32 + 5, 2**32, 2**80 + 1)]
    assert [drawn.count(result) for result in drawn] == [1] * 4
    loaded = textgauge.load("rouge", seed=2**80 + 1, **options)
    assert loaded.compute(predictions=texts[0], references=texts[1]) == drawn[-1]


def test_a_text_read_only_in_part_keeps_its_place():
    second = textgauge.input.columns.corpus_of(["x", "a b", "c d"], ["x", "a b", "c d"]).slice(1, 3).slice(1, 2)
    read, _ = explainer_of(textgauge.Rouge(max_words=1).metric).as_cut(second)
    assert (read.place(0, 0), read.place(1, 0)) == ("predictions[2]", "references[2]")
    assert read.hypotheses[0].split() == ["c"]
    texts, rows = [f"a {i}" for i in range(9)], [{"id": str(i), "answers": {"text": ["a"]}} for i in range(9)]
    answers = [{"id": row["id"], "prediction_text": text} for row, text in zip(rows, texts, strict=True)]
    for whole in (corpus_of(texts, texts), question_corpus_of(answers, rows), guess_corpus_of(answers, rows)):
        part = whole.slice(2, 8).slice(1, 5)
        assert [part.place(side, 1) for side in range(3)] == [whole.place(side, 4) for side in range(3)]


def test_a_sum_leaves_its_parts_as_they_were():
    first, second = (textgauge.Rouge().update([text], [text]) for text in ("a b", "c"))
    assert len((first + second).update(["d"], ["d"]).statistics) == 3
    assert (len(first.statistics), len(second.statistics)) == (1, 1)
    assert [repr(one) for one in (first, first + second)] == ["<Rouge(): 1 segment>", "<Rouge(): 2 segments>"]


def test_sums_are_rounded_once(monkeypatch):
    # References whose average length is no whole number of 64ths: sums of sums would be rounded again and again.
    accumulator = textgauge.Bleu(reference_length="average")
    texts = ["a b c d e f g"] * 300
    corpus = corpus_of(texts, [["a b c d", "a b c d e", "a b c d e"] for _ in texts])
    whole = accumulator.without_segments().update_corpus(corpus).score()
    laws.chunks(monkeypatch, 50)
    assert len([*corpus.chunks()]) > 9
    summed = accumulator.without_segments().update_corpus(corpus, keeps_segments=False).score()
    assert whole == summed
    assert len(textgauge.Bleu().update_corpus(corpus, keeps_segments=False).statistics) == 1
    assert summed["reference_length"] == float(sum(Fraction(sum((4, 5, 5)) / 3) for _ in texts))


def test_a_single_score_is_never_minus_zero():
    [level] = Drift().update(["a b"], ["a b"]).segment_columns()["level"].tolist()
    assert math.copysign(1, level) == -1
    assert math.copysign(1, Drift().update(["a b"], ["a b"]).score()["level"]) == 1


@pytest.mark.parametrize("second", [["x y"], ["the dog", "a cat"]])
def test_whole_sums_need_one_call(second):
    whole = Shares().update(["a b", "c"], ["a b", "c d"])
    assert whole.score(confidence=0.5, n_resamples=9)["confidence_interval"]
    for add in (lambda: whole.update(second, second), lambda: whole + Shares().update(second, second)):
        with pytest.raises(ValueError, match="^(metric: .*got two|other: .* refs, )"):
            add()
    assert len(whole) == 2
    # The same references have the same weights.
    assert len(whole.update(["a", "b"], ["a b", "c d"])) == 4
    texts = {"prediction_column": "h", "reference_column": "r"}
    METRICS["shares"] = SharesMetric
    try:
        with pytest.raises(ValueError, match="^metric: .*got two"):
            textgauge.score_dataset({}, "shares", **texts)
    finally:
        del METRICS["shares"]


class SharesMetric(Metric):
    """How long a prediction is beside all references."""

    name = "shares"
    about = About("Shares", lambda _: Explanation("Shares", "How long?", ("Words.",), "Length."))
    sums = Sums("whole", refusal=("metric", "one call", "two"))

    layout = Layout([Field("share", is_whole=False)])
    n_words = 0

    def fitted(self, corpus):
        other = copy.copy(self)
        other.n_words = sum(len(text.split()) for text in corpus.references.tolist())
        other.identity = {"refs": str(zlib.crc32("".join(corpus.references.tolist()).encode()))}
        return other

    def rows(self, corpus, notes):
        shares = [len(text.split()) / self.n_words for text in corpus.hypotheses.tolist()]
        return self.layout.filled(len(corpus), share=shares)

    def formula(self, rows):
        return {"shares": rows["share"]}


class Shares(Accumulator, metric=SharesMetric):
    """Shares of words.

    Parameters
    ----------
    {options}
    """


def test_changed_list_is_read_anew():
    """Options of a call are cached by their values."""
    texts = ["a cat sat on the mat"], ["a cat sat here on a mat"]
    types, weights = ["rouge1"], [1.0, 0.0]
    for _ in range(2):
        types[:], weights[:] = ["rouge1"], [1.0, 0.0]
        first = textgauge.rouge(*texts, rouge_types=types), textgauge.bleu(*texts, max_order=2, weights=weights)
        types[:], weights[:] = ["rouge2", "rougeL"], [0.0, 1.0]
        later = textgauge.rouge(*texts, rouge_types=types), textgauge.bleu(*texts, max_order=2, weights=weights)
        assert [[*one] for one, _ in (first, later)] == [["rouge1"], ["rouge2", "rougeL"]]
        assert (first[1]["bleu"], later[1]["bleu"]) == tuple(
            textgauge.bleu(*texts, max_order=2, weights=list(own))["bleu"] for own in ((1.0, 0.0), (0.0, 1.0))
        )
        assert first[1]["bleu"] != later[1]["bleu"]


NAMING_FILES = [
    (name, one) for name in COUNTED for one in options_of(METRICS[name].options_type)
    if one.kind in ("words", "replacements")
]  # fmt: skip


@pytest.mark.parametrize(("name", "one"), NAMING_FILES, ids=[f"{name}-{one.name}" for name, one in NAMING_FILES])
def test_changed_file_is_read_anew(name, one, tmp_path):
    """Also one that is as long as it was."""
    path, hyps = tmp_path / "words.tsv", ["the cat", "the dog"]
    texts = {"predictions": hyps, "references": [["the dog"], ["the bird"]], **sources_of(name, hyps)}
    for word in ("cat", "dog"):
        value = {word: "bird"} if one.kind == "replacements" else [word]
        path.write_text("".join("\t".join(row) + "\n" for row in (value.items() if type(value) is dict else [value])))
        of_file, of_value = (
            getattr(textgauge, name)(**texts, **{one.name: given}, signature=True) for given in (str(path), value)
        )
        assert of_file == of_value


@pytest.mark.parametrize(
    ("name", "option", "good", "wrong"),
    [
        ("chrf", "word_order", 1, True),
        ("chrf", "lowercase", True, 1),
        ("bleu", "smooth", False, 0),
        ("bleu", "max_order", 1, True),
    ],
)
def test_equal_value_of_another_type(name, option, good, wrong):
    call = getattr(textgauge, name)
    assert call(["a b"], ["a b"], **{option: good})
    with pytest.raises(TypeError, match=f"^{option}: "):
        call(["a b"], ["a b"], **{option: wrong})
    # Nor does the refused one stand in for it.
    assert call(["a b"], ["a b"], **{option: good})


def test_segments_that_follow_a_scored_one_count():
    def scored(*pairs):
        accumulator = textgauge.Ter()
        results = [accumulator.update([p], [r]).score(per_segment=True) for p, r in pairs]
        return accumulator, results

    pairs = ("a b c", "a c"), ("a", "b"), ("x y", "x y")
    accumulator, results = scored(*pairs)
    together = textgauge.ter(*map(list, zip(*pairs, strict=True)), per_segment=True)
    assert results[-1] == together
    assert [result["segment_ter"] for result in results] == [together["segment_ter"][:n] for n in (1, 2, 3)]
    first, unscored = scored(pairs[0])[0], textgauge.Ter().update(*map(list, zip(pairs[0], strict=True)))
    assert first.__getstate__().keys() == unscored.__getstate__().keys()
    assert (first + accumulator).score()["num_edits"] == together["num_edits"] + results[0]["num_edits"]


@pytest.mark.parametrize("name", ["bleu", "cider", "rouge", "wer", "exact_match"])
def test_values_of_segments_may_be_changed(name):
    accumulator = laws.MEASURES[name].accumulator().update(["the cat sat", "a dog"], [["a cat sat"], ["a dog barks"]])
    before = accumulator.score()
    for values in (accumulator.segment_values(), accumulator.segment_columns()):
        for column in values.values():
            column[:] = -7
    assert accumulator.score() == before
