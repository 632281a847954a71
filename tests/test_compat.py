"""The drop-in imports of rouge_score against it: numbers, text, errors."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quick import examples
from strategies import hostile, overlapping, words
from textgauge.compat import rouge_scorer, scoring

their_rouge = pytest.importorskip("rouge_score.rouge_scorer")
their_scoring = pytest.importorskip("rouge_score.scoring")

TYPES = ["rouge1", "rouge2", "rouge9", "rougeL", "rougeLsum"]
any_text = st.one_of(
    overlapping, hostile, words, st.text(st.sampled_from("aB \n\ud800\udfffK\u212a\u0130."), max_size=20)
)
slow = settings(max_examples=examples(60))


class Letters:
    """A tokenizer of a user's."""

    def tokenize(self, text):
        return list(text.upper())


def as_tuples(scores):
    return {name: tuple(score) for name, score in scores.items()}


@slow
@given(
    target=any_text,
    prediction=any_text,
    types=st.lists(st.sampled_from(TYPES), max_size=4),
    stems=st.booleans(),
    tokenizer=st.sampled_from([None, Letters()]),
)
def test_rouge_of_a_pair(target, prediction, types, stems, tokenizer):
    ours = rouge_scorer.RougeScorer(types, use_stemmer=stems, tokenizer=tokenizer)
    original = their_rouge.RougeScorer(types, use_stemmer=stems, tokenizer=tokenizer)
    found, expected = ours.score(target, prediction), original.score(target, prediction)
    assert as_tuples(found) == as_tuples(expected)
    assert list(map(repr, found.values())) == list(map(repr, expected.values()))


@slow
@given(
    targets=st.lists(any_text, min_size=1, max_size=4),
    prediction=any_text,
    tokenizer=st.sampled_from([None, Letters()]),
)
def test_rouge_of_several_targets(targets, prediction, tokenizer):
    scorers = [kind.RougeScorer(TYPES, tokenizer=tokenizer) for kind in (rouge_scorer, their_rouge)]
    found, expected = (scorer.score_multi(targets, prediction) for scorer in scorers)
    assert as_tuples(found) == as_tuples(expected)


def split_at_semicolons(text):
    return [part.strip() for part in text.split(";")]


@pytest.mark.parametrize("tokenizer", [None, Letters()])
def test_sentences_are_those_of_nltk(monkeypatch, tokenizer):
    monkeypatch.setattr("nltk.sent_tokenize", split_at_semicolons)
    options = {"split_summaries": True, "tokenizer": tokenizer}
    texts = "A dog\nbarks; the Cat sat;; on a mat", "the cat sat; a dog barks on the\nmat"
    for types in (["rougeLsum"], TYPES):
        found = rouge_scorer.RougeScorer(types, **options).score(*texts)
        assert as_tuples(found) == as_tuples(their_rouge.RougeScorer(types, **options).score(*texts))


def test_without_the_model_of_nltk_sentences_end_at_end_marks(monkeypatch):
    def refused(text):
        raise LookupError

    monkeypatch.setattr("nltk.sent_tokenize", refused)
    scorer = rouge_scorer.RougeScorer(["rougeLsum"], split_summaries=True)
    with pytest.warns(UserWarning, match="punkt_tab"):
        found = scorer.score("First sentence. Second sentence.", "Second sentence. First sentence.")
    assert found["rougeLsum"].fmeasure == 1


@pytest.mark.parametrize("name", ["rougen", "rouge0", "rouge10", "rougeW", "ROUGE1", ""])
def test_other_types_are_refused_when_a_pair_is_scored(name):
    for kind in (rouge_scorer, their_rouge):
        with pytest.raises(ValueError, match="rouge"):
            kind.RougeScorer([name]).score("a", "a")


@pytest.mark.parametrize("bad", [None, 5, ["a"]])
def test_values_that_are_not_text_raise_the_same_errors_as_the_original(bad):
    for texts in ((bad, "a"), ("a", bad)):
        for kind in (rouge_scorer, their_rouge):
            with pytest.raises(AttributeError):
                kind.RougeScorer(["rouge1"]).score(*texts)


def test_bytes_are_text_there_too():
    for kind in (rouge_scorer, their_rouge):
        assert kind.RougeScorer(TYPES).score(b"the Cat\nsat", "the cat")["rougeLsum"].recall == 2 / 3


def test_no_targets_are_refused():
    for kind in (rouge_scorer, their_rouge):
        with pytest.raises(ValueError, match="empty|at least one"):
            kind.RougeScorer(["rouge1"]).score_multi([], "a")


def test_a_scorer_can_be_copied_to_another_process_and_changed():
    scorer = rouge_scorer.RougeScorer(["rouge1"], use_stemmer=True)
    before = scorer.score("the cats", "the cat")
    copy = pickle.loads(pickle.dumps(scorer))
    assert copy.score("the cats", "the cat") == before
    copy.rouge_types.append("rougeL")
    assert list(copy.score("the cats", "the cat")) == ["rouge1", "rougeL"]


@pytest.mark.parametrize("options", [{}, {"confidence_interval": 0.5, "n_samples": 77}, {"confidence_interval": 0}])
@given(seed=st.integers(0, 2**32 - 1), n=st.integers(1, 12), kinds=st.integers(1, 3))
@settings(max_examples=examples(10))
def test_intervals_are_the_same_after_the_same_seed(options, seed, n, kinds):
    values = np.random.default_rng(seed).random((n, kinds, 3))
    found = []
    for kind in (scoring, their_scoring):
        aggregator = kind.BootstrapAggregator(**options)
        for row in values.tolist():
            aggregator.add_scores({f"rouge{i}": kind.Score(*three) for i, three in enumerate(row)})
        np.random.seed(seed)  # noqa: NPY002
        result = aggregator.aggregate()
        found.append({name: [tuple(bound) for bound in bounds] for name, bounds in result.items()})
        assert all(type(bound) is kind.Score for bounds in result.values() for bound in bounds)
        found[-1]["then"] = np.random.random()  # noqa: NPY002
    assert found[0] == found[1]


@pytest.mark.parametrize("options", [{"confidence_interval": -0.1}, {"confidence_interval": 1.1}, {"n_samples": 0}])
def test_an_aggregator_refuses_the_same_input_as_rouge_score(options):
    for kind in (scoring, their_scoring):
        with pytest.raises(ValueError, match=next(iter(options))):
            kind.BootstrapAggregator(**options)


def test_a_users_scorer_needs_a_score_method():
    assert issubclass(rouge_scorer.RougeScorer, scoring.BaseScorer)
    with pytest.raises(TypeError, match="abstract"):
        scoring.BaseScorer()


@given(st.floats(0, 1), st.floats(0, 1))
def test_f(precision, recall):
    assert scoring.fmeasure(precision, recall) == their_scoring.fmeasure(precision, recall)
