"""The drop-in import for the scores of nltk, held to nltk."""

import re
import subprocess
import sys
import warnings

import pytest
import textgauge
from hypothesis import example, given, settings
from hypothesis import strategies as st
from quick import examples
from textgauge.compat import nltk as ours
from textgauge.text.wordnet import wordnet_of

theirs = pytest.importorskip("nltk.translate")

token = st.sampled_from(["a", "b", "c", "the", "cats", "cat", "runs", "running", "New York", "", "É", "\u2028"])
# Long enough for every order, and not.
tokens = st.lists(token, max_size=9) | st.text("abc ", max_size=9).map(list)
segments = st.tuples(st.lists(tokens, min_size=1, max_size=3), tokens)
corpora = st.lists(segments, min_size=1, max_size=4)
weights = st.sampled_from([(0.25,) * 4, (1,), (0.5, 0.5), (1, 0, 0, 0), (0.1, 0.2, 0.3, 0.2, 0.2), [(1,), (0.2, 0.8)]])
METHODS = [f"method{i}" for i in range(8)]
slow = settings(max_examples=examples(100))
pytestmark = pytest.mark.filterwarnings(
    "ignore:(?s).*0 counts of", "ignore:the predictions share no", "ignore:no prediction is long enough"
)


def words(text):
    return text.split()


def outcome(call, *args, **options):
    """A score, or the kind of its error: method 6 needs three orders, and a trigram that matches."""
    try:
        return call(*args, **options)
    except (ZeroDivisionError, AssertionError, IndexError) as error:
        return type(error)


def same_bleu(corpus, method=None, values=(), **options):
    references, hypotheses = [list(references) for references, _ in corpus], [one for _, one in corpus]
    results = []
    for package in (ours.translate.bleu_score, theirs.bleu_score):
        smoothing = getattr(package.SmoothingFunction(*values), method) if method else None
        results.append(outcome(package.corpus_bleu, references, hypotheses, smoothing_function=smoothing, **options))
    found, expected = results
    assert found == expected
    return found


# The last segment, on which methods 5 to 7 depend, is not as long as the first; short ones have weights of their own.
LAST_IS_SHORT = [
    ([words("the cat is on the mat by the door")], words("the cat is on the mat here now")),
    ([words("a dog runs home today")], words("a dog runs home")),
]
SHORT = [([["a", "b", "c"]], ["a", "b", "d"])]


@pytest.mark.parametrize("method", [None, *METHODS])
@slow
@given(corpora, weights, st.booleans())
@example(LAST_IS_SHORT, (0.25,) * 4, False)
@example(LAST_IS_SHORT[::-1], (0.1, 0.2, 0.3, 0.2, 0.2), False)
@example(SHORT, (0.75, 0.25), True)
@example(SHORT, [(0.25,) * 4, (0.75, 0.25)], True)
def test_bleu_of_a_corpus(method, corpus, weights, reweighs):
    same_bleu(corpus, method, weights=weights, auto_reweigh=reweighs)


@pytest.mark.parametrize(
    ("method", "values"),
    [("method1", (0.5,)), ("method4", (0.1, 5, 2)), ("method6", (0.1, 2)), ("method7", (0.1, 5, 9))],
)
def test_values_of_smoothings_are_used(method, values):
    reference, hypothesis = words("the cat is on the mat by the door"), words("cat is on a mat the cat sat")
    corpus = [([reference], hypothesis)]
    assert same_bleu(corpus, method, values) != same_bleu(corpus, method)
    # Those of nltk's own class as well.
    smoothing = getattr(theirs.bleu_score.SmoothingFunction(*values), method)
    found = ours.translate.bleu_score.sentence_bleu([reference], hypothesis, smoothing_function=smoothing)
    assert found == same_bleu(corpus, method, values)


def test_precisions_of_0():
    """Zero precisions, and orders that are all left out: where the last bit was another one, or all of them."""
    reversed_words = [([words("a b c d e")], words("d c b a e"))]
    assert (
        same_bleu(reversed_words)
        == textgauge.bleu(["d c b a e"], ["a b c d e"], preset="nltk", smoothing="none")["bleu"]
    )
    assert 0 < same_bleu(reversed_words) < 1e-230
    assert same_bleu(reversed_words, "method6") is AssertionError
    assert textgauge.bleu(["d c b a e"], ["a b c d e"], preset="nltk", smoothing="chen-cherry-6")["bleu"] == 0
    one = [([["a", "b"]], ["a"])]
    assert same_bleu(one, "method4", weights=(0, 0.5, 0.5)) == same_bleu(one, "method4", weights=(0, 0, 0, 1)) > 0
    assert same_bleu(one, "method6", weights=(0.5, 0.5)) is IndexError


def test_bleu_and_names():
    texts = [["the", "cat", "sat"], ["a", "cat", "sat", "down"]], ["the", "cat", "sat", "down", "here"]
    assert ours.bleu(*texts) == ours.translate.bleu(*texts) == theirs.bleu(*texts) > 0
    for name, more in [("gleu", ()), ("nist", (2,)), ("meteor", (str.lower, FirstLetter(), NoSynonyms()))]:
        expected = pytest.approx(getattr(theirs, name)(*texts, *more), rel=1e-12)
        assert getattr(ours, name)(*texts, *more) == getattr(ours.translate, name)(*texts, *more) == expected
    assert ours.chrf("a cat", "a dog") == pytest.approx(theirs.chrf("a cat", "a dog"), rel=1e-12)
    assert ours.translate.bleu_score.modified_precision is theirs.bleu_score.modified_precision
    precisions = [theirs.bleu_score.Fraction(0, 4), theirs.bleu_score.Fraction(1, 3)]
    assert ours.translate.bleu_score.SmoothingFunction(0.2).method1(precisions)[0] == 0.05


def test_short_hypotheses_are_weighed_again():
    call = ours.translate.bleu_score.sentence_bleu
    assert call([["a", "b"]], ["a", "b"], auto_reweigh=True) == 1
    with pytest.warns(UserWarning, match="share no 3-gram"):
        assert call([["a", "b"]], ["a", "b"]) < 1e-100


@slow
@given(corpora, st.integers(1, 3), st.integers(0, 3))
@example([([[]], [])], 1, 0)
def test_google_bleu(corpus, least, more):
    texts = [references for references, _ in corpus], [one for _, one in corpus]
    assert ours.translate.gleu_score.corpus_gleu(*texts, least, least + more) == theirs.gleu_score.corpus_gleu(
        *texts, least, least + more
    )


@slow
@given(corpora, st.integers(1, 5))
def test_nist(corpus, n):
    texts = [references for references, _ in corpus], [one for _, one in corpus]
    expected = outcome(theirs.nist_score.corpus_nist, *texts, n)
    found = ours.translate.nist_score.corpus_nist(*texts, n)
    if isinstance(expected, type):
        # It divides by the n-grams of an order, and by the length of the references; ours adds 0 there.
        assert expected is ZeroDivisionError
        assert 0 <= found < 100
        longest, shortest = max(len(one) for _, one in corpus), min(len(one) for group, _ in corpus for one in group)
        assert longest < n or shortest == 0
    else:
        assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)


@slow
@given(
    st.lists(st.tuples(tokens, tokens), min_size=1, max_size=4), st.integers(1, 4), st.integers(0, 4),
    st.sampled_from([0.5, 1, 3.0]), st.booleans(),
)  # fmt: skip
def test_chrf(pairs, least, more, beta, ignores):
    references, hypotheses = ([*map(list, side)] for side in zip(*pairs, strict=True))
    references[0] = " ".join(references[0])
    options = (least, least + more, beta, ignores)
    found = ours.translate.chrf_score.corpus_chrf(references, hypotheses, *options)
    assert found == pytest.approx(theirs.chrf_score.corpus_chrf(references, hypotheses, *options), rel=1e-12, abs=1e-12)


class NoSynonyms:
    """A corpus reader without words."""

    def synsets(self, word):
        return []


class Lemma:
    def __init__(self, name):
        self._name = name

    def name(self):
        return self._name


class Synset:
    def lemmas(self):
        return [Lemma("cat"), Lemma("new_york"), Lemma("b")]


class SomeSynonyms:
    """A corpus reader in which three words mean the same."""

    def synsets(self, word):
        return [Synset()] if word in ("cat", "b", "run") else []


class FirstLetter:
    """A stemmer."""

    def stem(self, word):
        return word[:1]


@pytest.mark.parametrize(
    "options", [{}, {"stemmer": FirstLetter()}, {"preprocess": str.upper, "alpha": 0.5, "beta": 1, "gamma": 0.9}]
)
@pytest.mark.parametrize("wordnet", [NoSynonyms(), SomeSynonyms()])
@slow
@given(segments)
@example(([["cat", "sat"]], ["new_york", "sat"]))
@example(([["new_york", "sat"]], ["cat", "sat"]))
def test_meteor(options, wordnet, segment):
    found = ours.translate.meteor_score.meteor_score(*segment, wordnet=wordnet, **options)
    assert found == theirs.meteor_score.meteor_score(*segment, wordnet=wordnet, **options)


@pytest.mark.parametrize("preprocess", [str.lower, str.upper, str, lambda word: word[:2]])
def test_meteor_preprocesses_both_sides(preprocess):
    segment = [["The", "CAT", "sat"], ["a", "Dog"]], ["the", "Cat", "SITS", "a"]
    options = {"preprocess": preprocess, "wordnet": NoSynonyms()}
    found = ours.translate.meteor_score.meteor_score(*segment, **options)
    assert found == theirs.meteor_score.meteor_score(*segment, **options) > 0
    for reference in segment[0]:
        single = ours.translate.meteor_score.single_meteor_score(reference, segment[1], **options)
        assert single == theirs.meteor_score.single_meteor_score(reference, segment[1], **options)


def test_wordnet_of_meteor():
    if "auto" not in wordnet_of(None).synonyms("car"):
        pytest.skip("WordNet 3.0 is missing: apt-get install wordnet-base")
    hypothesis, reference = words("The large dogs sat in an auto"), words("the big dog is sitting in the car")
    found = ours.translate.meteor_score.single_meteor_score(reference, hypothesis)
    assert found == textgauge.meteor([" ".join(hypothesis)], [" ".join(reference)])["meteor"]
    assert found > ours.translate.meteor_score.single_meteor_score(reference, hypothesis, wordnet=NoSynonyms())


def test_what_is_refused():
    bleu = ours.translate.bleu_score.sentence_bleu
    with pytest.raises(TypeError, match="^smoothing_function: .*got <function"):
        bleu([["a"]], ["a"], smoothing_function=lambda p_n, **_: p_n)

    class Own(theirs.bleu_score.SmoothingFunction):
        """One whose methods may be others."""

    with pytest.raises(TypeError, match="smoothing_function"):
        bleu([["a"]], ["a"], smoothing_function=Own().method1)
    for call in (
        ours.translate.bleu_score.corpus_bleu,
        ours.translate.gleu_score.corpus_gleu,
        ours.translate.nist_score.corpus_nist,
    ):
        with pytest.raises(ValueError, match="^list_of_references: .*got 1"):
            call([[["a"]]], [["a"], ["b"]])
        with pytest.raises(ValueError, match="^hypotheses: .*got none"):
            call([], [])
    with pytest.raises(ValueError, match="^min_len: .*got 3"):
        ours.chrf("a", "a", min_len=3, max_len=2)
    with pytest.raises(TypeError, match="^hypothesis: .*got 'a'"):
        ours.meteor([["a"]], "a")
    with pytest.raises(ValueError, match="^references: .*got none"):
        ours.meteor([], ["a"])


WITHOUT = """
import sys
sys.modules["nltk"] = None
from textgauge.compat.nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from textgauge.compat.nltk.translate import gleu_score, nist_score, chrf_score, meteor_score
print(sentence_bleu([["a", "b"]], ["a", "c"], smoothing_function=SmoothingFunction().method1))
from textgauge.compat.nltk.translate.bleu_score import modified_precision
"""


@pytest.mark.slow
def test_without_nltk():
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True)
    assert done.stdout.startswith("0.149534878122122")
    assert 'ImportError: nltk is not installed: pip install "textgauge[compat]"' in done.stderr


WORDS, TEXT = [["a", "cat", "sits"], ["the", "cat", "sat"]], ["a cat sits", "the cat sat"]
STRINGS = {
    "hypotheses": ([[WORDS[0]]], [TEXT[1]], "hypotheses are strings, .* pass lists of words.$"),
    "references": ([[TEXT[0]]], [WORDS[1]], "references are strings, .* lists of words, and a list of them"),
    "both": ([[TEXT[0]]], [TEXT[1]], "hypotheses and references are strings, of which each character"),
    "one of two references": ([[WORDS[0], TEXT[1]]], [WORDS[1]], "references are strings"),
    "a reference that is no list of references": ([WORDS[0]], [WORDS[1]], "references are strings"),
    "a text in its place": ([TEXT[0]], [WORDS[1]], "references are strings"),
    "words": ([[WORDS[0]]], [WORDS[1]], None),
    "tuples": ([[(*WORDS[0],)]], [(*WORDS[1],)], None),
}  # fmt: skip


@pytest.mark.parametrize("form", STRINGS)
@pytest.mark.parametrize("name", ["bleu", "gleu", "nist"])
def test_strings_in_the_place_of_lists_of_words_are_told(form, name):
    """Once; the number is nltk's, of characters."""
    references, hypotheses, message = STRINGS[form]
    package, own = (getattr(module.translate, f"{name}_score") if module is ours else getattr(module, f"{name}_score")
                    for module in (theirs, ours))  # fmt: skip
    options = {"bleu": {"weights": (0.5, 0.5)}, "nist": {"n": 1}}.get(name, {})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = getattr(own, f"corpus_{name}")(references, hypotheses, **options)
    told = [str(one.message) for one in caught if "strings" in str(one.message)]
    assert len(told) == bool(message)
    assert not message or re.match(message, told[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert found == pytest.approx(getattr(package, f"corpus_{name}")(references, hypotheses, **options), rel=1e-12)


@pytest.mark.parametrize("sides", [(["a cat"], ["a"]), ([["a"]], "a cat"), ("a cat", ["a"])])
def test_meteor_refuses_strings(sides):
    """As nltk does, but for a text in the place of the list of references, whose characters are none."""
    with pytest.raises(TypeError, match="expected tokens, as in a text's split"):
        ours.translate.meteor_score.meteor_score(*sides, wordnet=NoSynonyms())
