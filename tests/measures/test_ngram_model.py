import math
import pickle

import numpy as np
import pytest
import textgauge
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.lm import MLE, KneserNeyInterpolated, Laplace, Lidstone, Vocabulary
from nltk.lm.preprocessing import pad_both_ends
from nltk.util import everygrams, ngrams
from quick import examples

words = st.lists(st.sampled_from(["a", "b", "c", "d", "longer-word"]), min_size=1, max_size=8)
corpora = st.lists(words, min_size=1, max_size=5)
NLTK = {
    "mle": (lambda order, vocabulary: MLE(order, vocabulary=vocabulary), {"smoothing": "mle"}),
    "lidstone": (lambda o, v: Lidstone(0.3, o, vocabulary=v), {"smoothing": "add-k", "k": 0.3}),
    "laplace": (lambda o, v: Laplace(o, vocabulary=v), {"smoothing": "add-k"}),
    "kneser-ney": (
        lambda o, v: KneserNeyInterpolated(o, discount=0.4, vocabulary=v),
        {"smoothing": "kneser-ney", "discount": 0.4, "open_vocabulary": False},
    ),
}


def joined(corpus):
    return [" ".join(tokens) for tokens in corpus]


@pytest.mark.parametrize("name", NLTK)
@settings(max_examples=examples(40))
@given(corpora, corpora, st.integers(1, 4), st.integers(1, 2))
def test_probabilities_are_nltks(name, train, test, order, min_count):
    # nltk's Kneser-Ney has no unigram model: it looks for bigrams that were not counted.
    order = max(order, 2) if name == "kneser-ney" else order
    make, options = NLTK[name]
    padded = [list(pad_both_ends(tokens, n=order)) for tokens in train]
    # nltk counts its marks like words, and so might make them unknown.
    marks = ["<s>", "</s>"] * min_count if order > 1 else []
    vocabulary = Vocabulary([token for tokens in padded for token in tokens] + marks, unk_cutoff=min_count)
    official = make(order, vocabulary)
    official.fit([everygrams(vocabulary.lookup(tokens), max_len=order) for tokens in padded])
    ours = textgauge.NgramModel(order, tokenizer="whitespace", padding="nltk", min_count=min_count, **options)
    rows = ours.fit(joined(train)).log_probs(joined(test))
    for tokens, row in zip(test, rows, strict=True):
        expected = [official.score(n[-1], n[:-1]) for n in ngrams(pad_both_ends(tokens, n=order), order)]
        assert np.exp(row).tolist() == pytest.approx(expected, abs=1e-12)


@settings(max_examples=examples(60))
@given(corpora, words, st.integers(1, 4), st.sampled_from(["kneser-ney", "add-k"]), st.booleans(), st.integers(1, 3))
def test_probabilities_sum_to_1(train, context, order, smoothing, open_vocabulary, min_count):
    model = textgauge.NgramModel(
        order, smoothing, open_vocabulary=open_vocabulary, min_count=min_count, tokenizer="whitespace", k=0.1
    )
    distribution = model.fit(joined(train)).distribution(context)
    assert math.fsum(distribution.values()) == pytest.approx(1, abs=1e-12)
    assert min(distribution.values()) >= 0
    # Texts are scored with the distribution.
    row = model.log_probs(joined([[*context, "a"]]))[0]
    assert math.exp(row[-2]) == pytest.approx(distribution.get("a", distribution["<unk>"]), abs=1e-12)


def test_unknown_words_and_empty_texts():
    train = ["the cat sat", "the dog sat"]
    assert textgauge.NgramModel(2).fit(train).score(["a bird"])["corpus_perplexity"] < math.inf
    closed = textgauge.NgramModel(2, open_vocabulary=False).fit(train)
    assert closed.score(["the bird"])["corpus_perplexity"] == math.inf
    assert textgauge.NgramModel(2, "mle").fit(train).score(["the dog sat"])["nll"] == pytest.approx(math.log(2))
    assert closed.score([""])["n_tokens"] == 1
    assert closed.log_probs([]) == []
    assert textgauge.NgramModel(1).fit([""]).score(["", "a"])["n_tokens"] == 3


@pytest.mark.parametrize("padding", ["text", "nltk"])
def test_a_word_written_unk_is_the_unknown_word(padding):
    options = {"tokenizer": "whitespace", "padding": padding}
    model = textgauge.NgramModel(2, **options).fit(["a <unk> b", "<unk>"])
    # A word that occurs once is unknown too.
    cut = textgauge.NgramModel(2, min_count=2, **options).fit(["a x b", "y", "a b"])
    unknown = textgauge.NgramModel(2, min_count=2, **options).fit(["a <unk> b", "<unk>", "a b"])
    assert cut.distribution(["a"]) == unknown.distribution(["a"])
    for context in ([], ["a"], ["<unk>"], ["<unk>", "b"]):
        distribution = model.distribution(context)
        if padding == "text":
            assert math.fsum(distribution.values()) == pytest.approx(1, abs=1e-12)
        assert distribution == model.distribution(["never seen" if word == "<unk>" else word for word in context])
    assert model.log_probs(["a <unk>"]) == model.log_probs(["a other"])


@pytest.mark.parametrize("mark", ["<s>", "</s>"])
def test_words_written_like_marks_are_refused_by_their_position(mark):
    model = textgauge.NgramModel(2, tokenizer="whitespace").fit(["a b"])
    message = f".*'<s>'.*'</s>'.*got '{mark}'"
    for call in (model.fit, model.score, model.log_probs):
        with pytest.raises(ValueError, match=rf"^texts\[2\]: {message}"):
            call(["a", "", f"b {mark}"])
    with pytest.raises(ValueError, match=rf"^context\[1\]: {message}"):
        model.distribution(["a", mark])
    # The default tokenizer takes a mark apart.
    assert textgauge.NgramModel(2).fit([f"a {mark}"]).score([mark])["n_tokens"] == len(mark) + 1


def test_callable_tokenizers_and_pickles():
    train = ["ab cd", "ab"]
    model = textgauge.NgramModel(2, tokenizer=list).fit(train)
    assert model.score(["ab"])["n_tokens"] == 3
    again = pickle.loads(pickle.dumps(textgauge.NgramModel(2).fit(train)))
    assert again.score(train) == textgauge.NgramModel(2).fit(train).score(train)


Model = textgauge.NgramModel
REFUSED = [
    (lambda: Model(order=0), "order"),
    (lambda: Model(order=1001), "order"),
    (lambda: Model(min_count=0), "min_count"),
    (lambda: Model(min_count=10**30), "min_count"),
    (lambda: Model(smoothing="good-turing"), "smoothing"),
    (lambda: Model(k=0), "k: .*got 0"),
    (lambda: Model(discount=1.5), "discount"),
    (lambda: Model(padding="left"), "padding"),
    (lambda: Model(tokenizer=len).fit(["a"]), r"tokenizer: result for texts\[0\]"),
    (lambda: Model(tokenizer=lambda text: [1]).fit(["a"]), "tokenizer: .*a list of str"),
    (lambda: Model().score(["a"]), ".*after fit"),
    (lambda: Model().fit([]), ".*at least one text"),
    (lambda: Model().fit(["a"]).distribution("a b"), "context: .*got 'a b'"),
    (lambda: Model().fit(["a"]).distribution([1]), r"context\[0\]: .*got 1 \(int\)"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_what_is_wrong_is_named(call, message):
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        call()


def test_perplexity_is_nltks():
    train, test = [["a", "b", "a", "c"], ["b", "c"]], ["a", "b", "c"]
    official = Laplace(2)
    padded = [list(pad_both_ends(tokens, n=2)) for tokens in train]
    official.fit([everygrams(tokens, max_len=2) for tokens in padded], [t for tokens in padded for t in tokens])
    ours = textgauge.NgramModel(2, "add-k", tokenizer="whitespace", padding="nltk").fit(joined(train))
    expected = official.perplexity(list(ngrams(pad_both_ends(test, n=2), 2)))
    assert ours.score(joined([test]))["corpus_perplexity"] == pytest.approx(expected, rel=1e-12)
