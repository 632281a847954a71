"""From texts to tokens: numbers, sentences, stop words, irregular forms, normalized answers."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.token_f1 import ARTICLES, mlqa, squad
from textgauge import plain

from kernel.material import arrays, few, many, mixed, offsets, text
from kernel.test_tokenizers import NAMES, cutter

LOCAL = ["rouge", "rouge-1.5.5", "whitespace", "ascii-whitespace", "character"]
corpora = st.lists(st.tuples(text, st.lists(text, min_size=0, max_size=3)), max_size=4)
lists_of_lines = st.lists(st.sampled_from(["a b", "", "b  c", "a", "&quot;", "x-", "5", "."]), max_size=4).map(
    "\n".join
)
corpora_of_lines = st.lists(st.tuples(lists_of_lines, st.lists(lists_of_lines, max_size=2)), max_size=4)


def flat(corpus):
    references = [reference for _, group in corpus for reference in group]
    return [hypothesis for hypothesis, _ in corpus], references, offsets(len(group) for _, group in corpus)


def cut(kernel, corpus, name, others=None, cutting=None, **options):
    hypotheses, references, bounds = flat(corpus)
    lines = None if others is None else tuple(kernel.texts(side) for side in flat(others)[:2])
    made = cutter(kernel, name, [*hypotheses, *references], **(cutting or {}))
    return kernel.cut(made, kernel.texts(hypotheses), kernel.texts(references), bounds, lines=lines, **options)


def texts_of(corpus):
    return [[hypothesis, *group] for hypothesis, group in corpus]


def lines_of(text):
    return [line for line in text.split("\n") if line]


def numbered(lists):
    number = {}
    return [[number.setdefault(token, len(number)) for token in tokens] for tokens in lists]


def expected_tokens(corpus, others, tokens_of, are_same):
    """The expected attributes of Tokens."""
    ids, lengths, sentence_ids, sentence_lengths, n_sentences = [], [], [], [], []
    for texts, wholes in zip(texts_of(others), texts_of(corpus), strict=True):
        parts = [[tokens_of(line) for line in lines_of(text)] for text in texts]
        cut_lines = [tokens for part in parts for tokens in part]
        rows = [sum(part, []) for part in parts] if are_same else [tokens_of(whole) for whole in wholes]
        numbers = numbered([*rows, *cut_lines])
        ids += sum(numbers[: len(rows)], [])
        lengths += map(len, rows)
        sentence_ids += sum(numbers[len(rows) :], [])
        sentence_lengths += map(len, cut_lines)
        n_sentences += map(len, parts)
    return {
        "ids": ids,
        "offsets": offsets(lengths).tolist(),
        "segments": offsets(map(len, texts_of(corpus))).tolist(),
        "sentence_ids": sentence_ids,
        "sentence_offsets": offsets(sentence_lengths).tolist(),
        "text_sentences": offsets(n_sentences).tolist(),
    }


@pytest.mark.parametrize("name", ["13a", "rouge", "intl"])
@few
@given(corpora)
def test_tokens_have_dense_ids_in_order_of_appearance(kernel, name, corpus):
    found = arrays(cut(kernel, corpus, name))
    expected = [numbered(map(plain.Cutter(name), texts)) for texts in texts_of(corpus)]
    rows = [row for rows in expected for row in rows]
    assert found["ids"] == sum(rows, [])
    assert found["offsets"] == offsets(map(len, rows)).tolist()
    assert found["segments"] == offsets(map(len, expected)).tolist()
    assert found["sentence_ids"] == found["sentence_offsets"] == found["text_sentences"] == []


@pytest.mark.parametrize("name", [*LOCAL, "13a", "zh", "unicode"])
@few
@given(st.one_of(corpora, corpora_of_lines))
def test_sentences_are_lines(kernel, name, corpus):
    found = arrays(cut(kernel, corpus, name, sentences=True))
    assert found == expected_tokens(corpus, corpus, plain.Cutter(name), are_same=name in LOCAL)


@pytest.mark.parametrize("name", ["rouge", "13a"])
@few
@given(corpora_of_lines, st.data())
def test_sentences_can_be_lines_of_other_texts(kernel, name, corpus, data):
    others = [(data.draw(mixed), [data.draw(lists_of_lines) for _ in group]) for _, group in corpus]
    found = arrays(cut(kernel, corpus, name, others=others, sentences=True))
    assert found == expected_tokens(corpus, others, plain.Cutter(name), are_same=False)


WORDS = ["the", "The", "a", "cats", "running", "dying", "skies", "agreement", "5.5", "U.S.", "sky", "news"]
OPTIONS = [
    {"stop_words": ["the", "a", "\u732b", "", "notthere"], "lower_text": True},
    {"stop_words": ["The", "cats"], "stemmer": "porter"},
    {"stemmer": "porter155", "irregular": [("cats", "feline"), ("running", "run"), ("a", "b"), ("5.5", "x")]},
    {"stemmer": "porter", "irregular": [("dying", "death"), ("skies", "heaven"), ("running", "running")]},
    {"irregular": [("cats", "feline")]},
]


@pytest.mark.parametrize("options", OPTIONS, ids=range(len(OPTIONS)))
@pytest.mark.parametrize("name", ["rouge", "rouge-1.5.5"])
@few
@given(st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_stop_words_and_irregular_forms(kernel, name, options, text):
    tokens = plain.Cutter(name)(text)
    tokens = [token for token in tokens if token not in options.get("stop_words", ())]
    if stemmer := options.get("stemmer"):
        stem = {"porter": plain.porter.porter, "porter155": plain.porter.porter155}[stemmer]
        forms = dict(options.get("irregular", ()))
        tokens = [forms.get(token) or stem(token) if len(token) > 3 else token for token in tokens]
    assert kernel.Cutter(name, **options)(text) == tokens
    assert arrays(cut(kernel, [(text, [])], name, cutting=options))["ids"] == numbered([tokens])[0]


@pytest.mark.parametrize("name", NAMES)
@many
@given(corpora)
def test_compiled_numbers_as_plain_does(compiled, name, corpus):
    for options in ({}, {"sentences": True}, {"n_threads": 3, "sentences": True}):
        found, twin = (arrays(cut(kernel, corpus, name, **options)) for kernel in (compiled, plain))
        assert found == twin


@pytest.mark.parametrize("name", ["13a", "rouge", "unicode", "character"])
@few
@given(st.lists(text, max_size=5))
def test_tokens_as_text(kernel, name, texts):
    text_offsets, token_offsets, data = kernel.token_texts(cutter(kernel, name, texts), kernel.texts(texts))
    raw = bytes(data)
    tokens = [raw[start:stop].decode() for start, stop in pairwise(np.asarray(token_offsets).tolist())]
    rows = [tokens[start:stop] for start, stop in pairwise(np.asarray(text_offsets).tolist())]
    assert rows == [plain.Cutter(name)(line) for line in texts]


def answers(kernel, texts, language):
    rules = {"articles": ARTICLES["en"].split("|")}
    if language != "squad":
        articles = ARTICLES[language].split("|") if language in ARTICLES else []
        rules = {"articles": articles, "drops_every_punctuation": True, "splits_han": language == "zh"}
        rules["prefix"] = "\u0627\u0644" if language == "ar" else ""
    return kernel.normalized(cutter(kernel, "answers", texts, **rules), kernel.texts(texts))


@pytest.mark.parametrize("language", ["squad", "en", "es", "de", "vi", "ar", "hi", "zh"])
@many
@given(st.lists(text, max_size=6))
def test_answers_are_normalized_as_the_scripts_do(kernel, language, texts):
    # What is not ASCII is lower-cased by Python before.
    lowered = [text if text.isascii() else text.lower() for text in texts]
    script = squad if language == "squad" else lambda answer: mlqa(answer, language)
    assert answers(kernel, lowered, language) == [script(text) for text in texts]


def test_only_answers_are_normalized(kernel):
    with pytest.raises(ValueError, match="answers"):
        kernel.normalized(kernel.Cutter("13a"), kernel.texts(["a"]))


@pytest.mark.parametrize("bounds", [[0], [0, 1, 1], [0, 2], [1, 1], [0, 0], [], [0, -1]])
def test_offsets_that_do_not_fit_are_refused(kernel, bounds):
    with pytest.raises(ValueError, match="reference_offsets"):
        kernel.cut(kernel.Cutter("13a"), kernel.texts(["a"]), kernel.texts(["b"]), np.array(bounds, np.int64))


def test_lines_of_another_number_are_refused(kernel):
    column = kernel.texts(["a"])
    for lines in ((column, kernel.texts([])), (kernel.texts(["a", "b"]), column)):
        with pytest.raises(ValueError, match="lines"):
            kernel.cut(kernel.Cutter("13a"), column, column, np.array([0, 1]), sentences=True, lines=lines)


class MadeAfresh:
    """A sequence that makes its items at each access and keeps none."""

    def __init__(self, *makers):
        self.makers = makers

    def __len__(self):
        return len(self.makers)

    def __getitem__(self, i):
        return self.makers[i]()


def test_the_columns_of_lines_are_held_for_the_call(kernel):
    rows = [f"the caf\u00e9 {i}\n{i}" for i in range(2000)]
    column = kernel.texts(rows)
    bounds, cutter = np.arange(len(rows) + 1), kernel.Cutter("13a")
    expected = arrays(kernel.cut(cutter, column, column, bounds, sentences=True, lines=(column, column)))
    lines = MadeAfresh(
        lambda: kernel.texts([str(row) for row in rows]), lambda: kernel.texts([str(row) for row in rows])
    )
    assert arrays(kernel.cut(cutter, column, column, bounds, sentences=True, lines=lines)) == expected


@pytest.mark.parametrize("wrong", [[None, None], [None], [1, 2], 7])
def test_lines_that_are_no_columns_are_refused(kernel, wrong):
    column = kernel.texts(["a"])
    with pytest.raises((TypeError, ValueError)):
        kernel.cut(kernel.Cutter("13a"), column, column, np.array([0, 1]), sentences=True, lines=wrong)
    with pytest.raises((TypeError, ValueError)):
        kernel.cut(kernel.Cutter("13a"), column, column, np.array([0, 1]), sentences=True, lines=[column, None])
