"""From texts to tokens: numbers, sentences, stop words, irregular forms, normalized answers."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from text.test_tokenizers_of_tools import expected_of, ids_of, sentences_of
from textgauge import plain

from kernel.material import arrays, few, mixed, offsets, text
from kernel.test_tokenizers import cutter

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


@few
@given(st.lists(st.tuples(text, text), max_size=4))
def test_no_offsets_are_one_reference_each(kernel, pairs):
    corpus = [(hypothesis, [reference]) for hypothesis, reference in pairs]
    hypotheses, references, bounds = flat(corpus)
    sides = kernel.texts(hypotheses), kernel.texts(references)
    made = cutter(kernel, "13a", [*hypotheses, *references])
    assert ids_of(kernel.cut(made, *sides, None)) == ids_of(kernel.cut(made, *sides, bounds))
    counts = [np.asarray(kernel.character_matches(*sides, given, 6, 2)).tolist() for given in (None, bounds)]
    assert counts[0] == counts[1]


def test_no_offsets_need_as_many_references_as_hypotheses(kernel):
    with pytest.raises(ValueError, match="reference_offsets"):
        kernel.cut(kernel.Cutter("13a"), kernel.texts(["a"]), kernel.texts(["a", "b"]), None)


# More segments than are looked at together.
MARKED = [("eno 3.5 \xe9fac un", ["b\ta", ">s/<"]), (". tac eht", []), ("[", ["t\u2019nod", ""])] * 90


@few
@given(corpora, st.booleans(), st.sampled_from([1, 3]))
@example(MARKED, False, 1)
@example(MARKED, True, 3)
def test_contents_are_found_while_texts_are_cut(kernel, corpus, sentences, n_threads):
    """Those of the texts that are given, whichever are cut."""
    hypotheses, references, bounds = flat(corpus)
    given = [kernel.texts([text[::-1] for text in side]) for side in (hypotheses, references)]
    made = cutter(kernel, "13a", [*hypotheses, *references])
    call, options = (made, kernel.texts(hypotheses), kernel.texts(references), bounds), {"sentences": sentences}
    tokens, contents = kernel.cut_with_contents(*call, given, n_threads=n_threads, **options)
    assert arrays(tokens) == arrays(kernel.cut(*call, **options))
    assert (contents, tokens.n_empty) == (kernel.text_contents(*given), [*np.diff(tokens.offsets)].count(0))


@pytest.mark.parametrize("name", ["rouge", "13a"])
@few
@given(corpora_of_lines, st.data())
def test_sentences_can_be_lines_of_other_texts(kernel, name, corpus, data):
    others = [(data.draw(mixed), [data.draw(lists_of_lines) for _ in group]) for _, group in corpus]
    found = cut(kernel, corpus, name, others=others, sentences=True)
    assert (ids_of(found), sentences_of(found)) == expected_of(plain.Cutter(name), corpus, others)


@pytest.mark.parametrize("n", [1, 63, 64, 65, 127, 129, 300, 2000])
def test_many_words_keep_their_numbers(kernel, n):
    """A table of words grows when it is filled to a quarter; short words and long ones stay what they are."""
    words = [f"w{i}" if i % 3 else f"{i} of a long kind {i}".replace(" ", "-") for i in range(n)]
    line = " ".join(words)
    # A short segment in between, and the words in another order.
    found = cut(kernel, [(line, [line]), ("w1 w2", ["w2"]), (line, [" ".join(words[::-1])])], "whitespace")
    assert ids_of(found) == [[*range(n)]] * 2 + [[0, 1], [1], [*range(n)], [*range(n)][::-1]]
    assert np.asarray(kernel.word_tokens(kernel.texts([line, line])).ids).tolist() == [*range(n)] * 2
    sides = kernel.texts([line]), kernel.texts([" ".join(words[::-1])])
    assert np.asarray(kernel.character_matches(*sides, None, 0, 1)).tolist() == [[n, n, n]]


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
    assert ids_of(cut(kernel, [(text, [])], name, cutting=options)) == expected_of(lambda _: tokens, [(text, [])])[0]


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
