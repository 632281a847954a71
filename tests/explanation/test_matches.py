import itertools
import re
from collections import Counter

import pytest
from declared import COUNTED
from hypothesis import example, given
from hypothesis import strategies as st
from kernel.material import tokens_of
from strategies import text, words
from textgauge import Bleu, NgramModel, Perplexity, Rouge, explain, matches, plain, rouge, ter
from textgauge.accumulation.named_score import NamedScore
from textgauge.accumulation.registry import METRICS
from textgauge.explanation.alignment import Match, best_pairs_of
from textgauge.explanation.explainer import explainer_of
from textgauge.explanation.marks import Marks
from textgauge.input.columns import corpus_of
from textgauge.metric.metric import with_defaults
from textgauge.plain.tokenizers import REPLACED_NIST
from textgauge.text import NOWHERE, TOKENIZERS, token_places

ENTITIES = (("<skipped>", ""), ("-\n", ""), ("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))

# What "unicode" leaves out of the middle of a token.
INVISIBLE = re.compile("[\u00ad\u061c\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe0e\ufe0f\ufeff]")


@given(text)
@example("the\ufe0fthe")
@example("R&amp;amp; a<skipped>b exam-\nple &amp;lt;")
@example("ß ﬃ Straße")
@example("A (cat), isn't it?")
def test_places_hold_their_tokens_under_every_tokenizer(written):
    for name, tokenizer in TOKENIZERS.items():
        found = tokenizer.unstemmed(written)
        places = tokenizer.places(written, found)
        assert NOWHERE not in places
        assert all(start < end for start, end in places)
        # Two tokens may share one character, such as a ligature, but never more.
        assert all(after[0] >= before[1] - 1 for before, after in zip(places, places[1:], strict=False))
        if name in ("ptb", "coco"):
            continue  # they write quotes, brackets, dashes and fractions otherwise
        for token, (start, end) in zip(found, places, strict=True):
            piece = written[start:end]
            for old, new in {"13a": ENTITIES, "nist": REPLACED_NIST, "nist-spaces": REPLACED_NIST}.get(name, ()):
                piece = piece.replace(old, new)
            if name == "unicode":
                piece = INVISIBLE.sub("", piece)
            # A space may stand for a run of white space.
            assert token.casefold() in piece.casefold() or (token == " " and piece.isspace())


def test_places_of_a_tokenizer_that_drops_words():
    kept = [word for word in ["theatre", "the", "actor"] if word != "theatre"]
    assert token_places("theatre the actor", kept) == [(8, 11), (12, 17)]
    # A word ends on both sides; a space stands for the first of others.
    assert token_places("cats bobcat cat", ["cat"]) == [(12, 15)]
    assert token_places("a\t b", ["a", " ", "b"]) == [(0, 1), (1, 2), (3, 4)]


def test_places_of_subwords():
    assert token_places("Playing well", ["play", "ing", "well"]) == [(0, 4), (4, 7), (8, 12)]
    # Signs that "unicode" leaves out.
    text = "\u2764\ufe0f\u200d\U0001f525 a co\u00adop"
    assert token_places(text, TOKENIZERS["unicode"](text)) == [(0, 4), (5, 6), (7, 12)]
    assert token_places("Playing", [17, "\u2581play", "ing"]) == [NOWHERE, NOWHERE, (4, 7)]


@pytest.mark.parametrize("name", list(TOKENIZERS))
@given(hyp=words | text, refs=st.lists(words | text, min_size=1, max_size=2))
def test_bleu_matches_of_every_tokenizer(name, hyp, refs):
    tokenizer = TOKENIZERS[name]
    [aligned] = matches([hyp], [refs], metric=Bleu(tokenizer=name))
    # One row per token, text after text.
    rows = iter(zip(*plain.matched_orders(tokens_of(plain, [list(map(tokenizer, [hyp, *refs]))]), 4), strict=True))
    for written, found in zip([hyp, *refs], [aligned.prediction, *aligned.references], strict=True):
        places = tokenizer.places(written, tokenizer.unstemmed(written))
        rows_here = [(place, *row) for place, row in zip(places, rows)]  # noqa: B905
        assert [tuple(m) for m in found] == [
            (*place, order, bool(join), False, None) for place, order, join in rows_here if order
        ]


@given(hyp=words, ref=words)
def test_rouge_l_matches_are_one_common_subsequence(hyp, ref):
    [aligned] = matches([hyp], [ref], metric="rougeL(use_stemmer=True)")
    common = [
        [written[m.start : m.end].lower() for m in found if m.is_common]
        for written, found in ((hyp, aligned.prediction), (ref, aligned.references[0]))
    ]
    stems = {"running": "run", "runners": "runner"}
    hyp_tokens, ref_tokens = ([stems.get(word, word) for word in written.split()] for written in (hyp, ref))
    path = plain.lcs_path(hyp_tokens, ref_tokens)
    assert common == [[hyp.split()[i] for i, _ in path], [ref.split()[i] for _, i in path]]


def skip_bigrams(tokens, gap):
    """Every pair of places of tokens in their order, near enough."""
    pairs = itertools.combinations(range(len(tokens)), 2)
    return [(i, j) for i, j in pairs if gap is None or j - i - 1 <= gap]


def in_common_pairs(hyp, ref, gap):
    """The places of tokens in the first skip-bigrams of each kind, by clipped count."""
    sides = [[(side[i], side[j]) for i, j in skip_bigrams(side, gap)] for side in (hyp, ref)]
    allowed = Counter(sides[0]) & Counter(sides[1])
    marked = []
    for side in (hyp, ref):
        left, places = Counter(allowed), set()
        for i, j in skip_bigrams(side, gap):
            if left[side[i], side[j]] > 0:
                left[side[i], side[j]] -= 1
                places |= {i, j}
        marked.append(sorted(places))
    return sum(allowed.values()), marked


@given(hyp=st.text("abc", max_size=9), ref=st.text("abc", max_size=9), gap=st.sampled_from([None, 0, 1, 4]))
@example("aab", "bab", None)
def test_marks_of_skip_bigrams_are_in_matching_pairs(hyp, ref, gap):
    sides = " ".join(hyp), " ".join(ref)
    name = f"rougeS{'' if gap is None else gap}"
    [aligned] = matches([sides[0]], [sides[1]], metric=name)
    n_matches, marked = in_common_pairs(hyp, ref, gap)
    assert [
        [m.start // 2 for m in found if m.is_common] for found in (aligned.prediction, aligned.references[0])
    ] == marked
    assert bool(n_matches) == (rouge([sides[0]], [sides[1]], rouge_types=[name])[name] > 0)


def test_rouge_s_example_without_pairs():
    # Lin (2004), section 5, turned round: the same words, and no two of them in the same order.
    texts = ["gunman the killed police"], ["police killed the gunman"]
    for name, counted in (("rougeS", 0), ("rougeS4", 0), ("rougeSU", 4), ("rougeL", 1), ("rougeW", 1)):
        [aligned] = matches(*texts, metric=name)
        named = NamedScore.of(name)
        assert sum(map(explainer_of(named.start().metric).marks(named.key).is_counted, aligned.prediction)) == counted
        assert bool(counted) == (rouge(*texts, rouge_types=[name])[name] > 0)
        explanation = named.metric.about.explain(name)
        assert explanation.title == name.replace("rouge", "ROUGE-")
        assert any("pair" in step for step in explanation.steps) == ("S" in name)
        assert "the matching share of the prediction," not in " ".join(explanation.steps)


def test_rouge_lsum_marks_in_every_sentence():
    [aligned] = matches(["a b\nc d\nq"], ["a x\nc y\nd"], metric="rougeLsum")
    assert [m.start for m in aligned.prediction if m.is_common] == [0, 4, 6]
    assert [m.start for m in aligned.references[0] if m.is_common] == [0, 4, 8]


def test_rouge_lsum_takes_the_union_over_sentences():
    # The example of Lin (2004), section 3.2: w1 w2 w3 w4 w5 against two sentences.
    hyp, ref = "w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5"
    [aligned] = matches([hyp], [ref], metric="rougeLsum")
    assert [ref[m.start : m.end] for m in aligned.references[0] if m.is_common] == ["w1", "w2", "w3", "w5"]


def test_scored_reference_is_the_best():
    [aligned] = matches(["a b"], [["c", "a b", "a b"]], metric="rouge1")
    assert aligned.best == 1
    assert len(aligned.prediction) == 2
    assert [len(reference) for reference in aligned.references] == [0, 2, 2]


def test_matches_are_with_the_reference_that_is_scored():
    # One edit against the first, four against the second, whose own rate is lower.
    sides = ["a b"], [["a", "a b c d e f"]]
    assert ter(*sides)["num_edits"] == 1
    assert [one.best for one in matches(*sides, metric="ter")] == [0]
    # The script chooses by recall.
    sides, options = (["a b q q q q"], [["a b c d e f", "a"]]), {"preset": "rouge-1.5.5", "multi_reference": "best"}
    assert rouge(*sides, rouge_types=["rouge1"], detailed=True, **options)["rouge1"]["recall"] == 1.0
    assert [one.best for one in matches(*sides, metric=NamedScore("rouge1", options))] == [1]


def test_normalized_answers_keep_places():
    hyp, ref = "The U.S. didn't lose.", "a US didn't, 'lose'"
    [aligned] = matches([hyp], [ref], metric="token_f1")
    assert [hyp[m.start : m.end] for m in aligned.prediction] == ["U.S", "didn't", "lose"]
    for references, is_told in ((["x b", "c d"], False), (["C", "x b"], False), (["c", "X b"], True)):
        assert ("normalized" in str(explain(["x b"], [references], metric="token_f1"))) is is_told


@pytest.mark.parametrize(
    ("written", "marked"),
    [
        ("don't stop \u201cnow\u201d", ["don't", "stop", "\u201cnow\u201d"]),
        ("... for 249\u20ac. #PRS_ORG#", ["for", "249\u20ac", "PRS_ORG"]),
    ],
)
def test_answers_with_other_punctuation_than_ascii_are_marked(written, marked):
    [aligned] = matches([written], [written], metric="token_f1")
    assert [written[m.start : m.end] for m in aligned.prediction] == marked


def test_a_tokenizer_with_varying_results_is_refused():
    calls = iter(range(100))
    with pytest.raises(ValueError, match="^tokenizer: .*got 4"):
        matches(["a b"], ["a b"], metric=Bleu(tokenizer=lambda text: text.split() * next(calls)))


@pytest.mark.parametrize("limit", [{"max_words": 2}, {"max_bytes": 5}])
@pytest.mark.parametrize("metric", ["rouge1", "rouge2", "rougeL", "rougeLsum"])
def test_nothing_matches_beyond_a_limit(metric, limit):
    hyp, ref = "na\u00efve cat sat", "cat na\u00efve sat"
    options = {"tokenizer": "unicode"}
    [aligned] = matches([hyp], [[ref, "sat"]], metric=NamedScore(metric, {**limit, **options}))
    found = {hyp[match.start : match.end] for match in aligned.prediction}
    assert "sat" not in found
    assert ("na\u00efve" in found) == ("max_words" in limit)
    whole = matches([hyp], [[ref, "sat"]], metric=NamedScore(metric, options))[0]
    assert "sat" in {hyp[match.start : match.end] for match in whole.prediction}


def test_perplexity_has_nothing_to_match():
    with pytest.raises(ValueError, match="^metric: .*got perplexity"):
        matches(["a"], ["a"], metric=Perplexity(model=NgramModel(1).fit(["a"])))


SCORES = ["bleu", "chrf", "ter", "token_f1", "rouge1", "rouge3", "rougeL", "rougeLsum", "rougeW", "rougeS", "rougeSU4"]


@given(hyp=words | text, ref=words | text, metric=st.sampled_from(SCORES))
def test_pieces_are_the_text(hyp, ref, metric):
    [aligned] = matches([hyp], [ref], metric=metric)
    named = NamedScore.of(metric)
    marks = explainer_of(named.start().metric).marks(named.key)
    for written, found in ((hyp, aligned.prediction), (ref, aligned.references[0])):
        assert "".join(piece.text for piece in marks.pieces(written, found)) == written


def runs(text, fold, is_inside):
    """Runs of folded characters that are inside, as places in the text."""
    characters = [(c, i) for i, character in enumerate(text) for c in fold(character)]
    places, start = [], None
    for k, (c, i) in enumerate([*characters, (" ", len(text))]):
        if is_inside(c) and start is None:
            start = i
        elif not is_inside(c) and start is not None:
            places.append((start, characters[k - 1][1] + 1))
            start = None
    return places


@given(text)
@example("éa a \u212aa \u0130b")
@example("ßS ΣΑΣ")
def test_places_of_words_and_characters(written):
    cases = {
        "rouge": (str.lower, lambda c: c in "abcdefghijklmnopqrstuvwxyz0123456789"),
        "whitespace": (str, lambda c: not c.isspace()),
    }
    for name, (fold, is_inside) in cases.items():
        assert token_places(written, TOKENIZERS[name].unstemmed(written)) == runs(written, fold, is_inside)
    characters = [(i, i + 1) for i, c in enumerate(written) if not c.isspace()]
    assert token_places(written, TOKENIZERS["character"].unstemmed(written)) == characters


def test_what_joins_two_matches_is_marked_as_the_weaker():
    marks = Marks.of_order(2, lambda corpus: [])
    for weights, pieces in [
        ((2, 2), [("the cat", 3), (" sat", 0)]), ((2, 1), [("the", 3), (" cat", 1), (" sat", 0)]),
        ((1, 2), [("the ", 1), ("cat", 3), (" sat", 0)]), ((1, 1), [("the cat", 1), (" sat", 0)]),
    ]:  # fmt: skip
        for is_joined in (True, False):
            matches = [Match(0, 3, weights[0], is_joined, False), Match(4, 7, weights[1], False, False)]
            found = [(piece.text, piece.level) for piece in marks.pieces("the cat sat", matches)]
            assert is_joined is (found == pieces)


@pytest.mark.parametrize("name", COUNTED)
def test_every_mark_of_a_legend_has_a_meaning(name):
    metric = with_defaults(METRICS[name])
    legends = [explainer_of(metric).marks(key).legend for key in metric.scores.keys]
    assert [mark for legend in legends for mark in legend if not mark.meaning] == []


@pytest.mark.parametrize("metric", ["bleu", "chrf", "token_f1", "google_bleu", "nist_mt", "sari", "rouge1"])
def test_what_counts_without_an_order_has_no_common_part(metric):
    sources = {"sources": ["that cat sat down"]} if metric == "sari" else {}
    [found] = matches(["the cat sat"], ["the cat slept"], metric=metric, **sources)
    sides = [found.prediction, found.references[0]]
    # SARI tells what is kept from what is added.
    common = [[match.start for match in side if match.is_common] for side in sides]
    assert common == ([[4], [4]] if metric == "sari" else [[], []])
    assert all(sides)
    if metric in ("token_f1", "sari", "rouge1"):
        assert [match for side in sides for match in side if match.joins or match.weight != 1] == []


def test_every_type_of_rouge_is_explained_with_its_own_best_reference():
    metric, corpus = Rouge(rouge_types=["rouge1", "rouge2"]).metric, corpus_of(["a b c d"], [["d c b a", "a b x y"]])
    assert [best_pairs_of(metric, corpus, key).tolist() for key in ("rouge1", "rouge2")] == [[0], [1]]
