"""The compiled kernel against its twin in plain Python: the same results, to the last bit."""

import itertools
from functools import partial
from random import Random

import numpy as np
import pytest
from hypothesis import strategies as st
from quick import holds
from strategies import overlapping
from textgauge import engine, plain
from textgauge.plain import scores
from textgauge.plain.pairs import UNIT_LCS

from kernel.material import (
    arrays,
    changed,
    cut_segments,
    listed,
    offsets,
    pairs_of,
    rare,
    segments,
    segments_of,
    sizes,
    text,
    texts,
    texts_of_ids,
    tokens_of,
    tokens_of_sentences,
)
from kernel.test_chrf_ter import corpora as corpora_of_lines
from kernel.test_chrf_ter import matches
from kernel.test_cutter import corpora, cut
from kernel.test_sums import LARGEST, N_ROWS, resampled_tables, words
from kernel.test_sums import tables as table_of_floats
from kernel.test_tokenizers import NAMES, cutter, porter_words

seeds = st.integers(0, 999)
some_units = st.lists(st.sampled_from([-1, 0, 1, 2, 3, 4, 9, 300]), min_size=1, max_size=6)
# Sentences that come again.
again = st.sampled_from([[0], [1], [0, 1], [0, 1, 9], [0, 9, 1], [1, 0, 1], [8, 1], [1, 8], [], list(range(70))])
texts_of_again = st.tuples(*[st.lists(again, min_size=1, max_size=9)] * 2).map(list)
# Plain Python searches the shifts of longer texts in seconds.
short = st.sampled_from([0, 1, 2, 3, 5, 20, 63, 64, 65])
few_kinds = st.lists(st.integers(0, 3), max_size=12)
# Longer than a word of 64 places; more kinds than texts share.
long_texts = st.lists(st.integers(0, 30), min_size=60, max_size=140)
indexed = st.one_of(
    st.lists(few_kinds, min_size=1, max_size=20), st.lists(st.one_of(few_kinds, long_texts), min_size=1, max_size=4)
)
lines = st.lists(st.one_of(text, overlapping), min_size=1, max_size=6)


orders = st.fixed_dictionaries(
    {"char_order": st.sampled_from([0, 3, 6, 12]), "word_order": st.integers(1, 3), "whitespace": st.booleans()}
)


def groups(size):
    """Lists of texts that share much, with equal and empty ones."""

    def with_others(first):
        other = st.one_of(changed(first), st.just(first), st.just([]), texts_of_ids(size))
        return st.lists(other, max_size=5).map(lambda others: [first, *others])

    return st.lists(texts_of_ids(size).flatmap(with_others), max_size=4)


@st.composite
def ranges(draw):
    """Texts, how many of them are rows, the first that is a column, and a block of the matrix."""
    texts = draw(indexed)
    n_rows = draw(st.integers(1, len(texts)))
    first_column = draw(st.sampled_from([0, min(n_rows, len(texts) - 1), draw(st.integers(0, len(texts) - 1))]))
    first_row, first = draw(st.integers(0, n_rows - 1)), draw(st.integers(first_column, len(texts) - 1))
    last_row, last = draw(st.integers(first_row + 1, n_rows)), draw(st.integers(first + 1, len(texts)))
    return texts, n_rows, first_column, (first_row, last_row, first, last)


OF_SEGMENTS = st.tuples(segments)


def of_tokens(name, *args, drawn=None):
    taken = OF_SEGMENTS if drawn is None else st.tuples(drawn)
    return taken, lambda kernel, given: getattr(kernel, name)(tokens_of(kernel, given), *args)


def of_sentences(name, *args, drawn=None):
    drawn = cut_segments() if drawn is None else drawn
    return st.tuples(drawn), lambda kernel, given: getattr(kernel, name)(tokens_of_sentences(kernel, given), *args)


def of_pairs(name, *args, drawn=None):
    def call(kernel, given):
        sides = ((np.array(left, np.uint32), np.array(right, np.uint32)) for left, right in pairs_of(given))
        return [getattr(kernel, name)(*pair, *args) for pair in sides]

    return OF_SEGMENTS if drawn is None else st.tuples(drawn), call


def units(*wanted):
    return np.array(wanted, np.int32)


def units_of_sentences(kernel, segments, wanted, drops_last):
    return kernel.pair_counts(tokens_of_sentences(kernel, segments), units(*wanted), drops_last)


def unions_in_shorter_texts(kernel, segments, seed):
    random = Random(seed)
    wholes = [[sum(text, [])[: random.randrange(10)] for text in segment] for segment in segments]
    tokens = tokens_of_sentences(kernel, segments, wholes)
    return kernel.union_lcs(tokens, "texts"), kernel.union_weighted_lcs(tokens, 1.2, "texts")


def index_of_ngrams(kernel, drawn, max_order):
    texts, n_rows, first_column, block = drawn
    return kernel.NgramIndex(tokens_of(kernel, [texts]), max_order, n_rows, first_column).matches(*block)


def index_of_lcs(kernel, drawn):
    return kernel.LcsIndex(tokens_of(kernel, [drawn[0]])).lengths(*drawn[3])


def index_of_edits(kernel, drawn, aligner):
    return kernel.LevenshteinIndex(tokens_of(kernel, [drawn[0]]), aligner).edits(*drawn[3])


# Words of few letters, of which many together are another; a single one, which makes the table a block of many.
joinable = st.one_of(
    st.lists(st.text("ab\u00e9", min_size=1, max_size=4), max_size=14).map(" ".join),
    st.lists(st.sampled_from(["a", "b", "ab", "aab", "a" * 70]), max_size=90).map(" ".join),
)
joined_pairs = st.lists(st.tuples(joinable, joinable), min_size=1, max_size=4)


def edits_with_joins(kernel, pairs, aligner):
    hypotheses, references = (kernel.texts(list(side)) for side in zip(*pairs, strict=True))
    ends = np.array([0, len(references), *[len(references)] * (len(hypotheses) - 1)])
    cutter = kernel.Cutter("spaces")
    sides = [(cutter, hypotheses, references, offsets) for offsets in (None, ends)]
    counts = [kernel.joined_edits(*side, aligner, 2) for side in sides]
    paths = kernel.joined_paths(cutter, hypotheses, references, aligner)
    return [(arrays(tokens), rows) for tokens, rows in counts], paths


def weighted_ngrams(kernel, texts, n_rows, seed):
    weights = np.random.default_rng(seed).uniform(0, 3, len(texts) - seed % len(texts))
    tokens = kernel.word_tokens(kernel.texts(texts))
    return kernel.weighted_ngram_matches(tokens, 3, min(n_rows, len(texts)), seed % len(texts), weights)


def as_tokens(kernel, lines, whitespace):
    texts = kernel.texts(lines)
    return arrays(kernel.character_tokens(texts, whitespace)), arrays(kernel.word_tokens(texts))


def drawn_sums(name):
    drawn = st.tuples(resampled_tables, words, words, st.integers(0, 3))
    return drawn, lambda kernel, rows, seed, first, n: getattr(kernel, name)(rows, seed, min(first, 2**64 - 4), n)


@st.composite
def rankings(draw):
    """Two ranks of each observation, with many ties, its segment, and weights of a few resamples."""
    n = draw(st.integers(1, 40))
    kinds = [draw(st.sampled_from([0, 2, n - 1])) % n for _ in range(2)]
    ranks = [draw(st.lists(st.integers(0, most), min_size=n, max_size=n)) for most in kinds]
    n_segments = draw(st.integers(1, 9))
    segment_of = draw(st.lists(st.integers(0, n_segments - 1), min_size=n, max_size=n))
    weights = st.lists(st.integers(0, 5), min_size=n_segments, max_size=n_segments)
    return *(np.array(one) for one in (*ranks, segment_of)), np.array(draw(st.lists(weights, min_size=1, max_size=3)))


signed = st.floats(-(2.0**58), 2.0**58) | st.floats(-1, 1) | st.floats(-(2.0**-43), 2.0**-43)
signed_tables = st.integers(1, 3).flatmap(
    lambda n: st.lists(st.lists(signed, min_size=n, max_size=n), min_size=1, max_size=9)
)
sizes_of_factors = st.floats(2.0**-64, 2.0**64) | st.sampled_from([1.0, 100.0])
factors = sizes_of_factors | sizes_of_factors.map(lambda size: -size)


def means_of_columns(kernel, rows, n_threads, factor):
    return kernel.exact_means([[*np.array(rows).T], [*np.array(rows[:1]).T]], factor, n_threads)


@st.composite
def gains(draw, places):
    """Gains of either sign, where they count, and how many a threshold may take."""
    n = draw(st.integers(0, 40))
    some = st.sampled_from([0.5, 1 / 3, -1 / 3, -1.0, 0.1, 1e-9])
    values = draw(st.lists(some, min_size=n, max_size=n))
    counted = draw(st.lists(st.integers(0, places - 1), min_size=n, max_size=n))
    ends = sorted(draw(st.lists(st.integers(0, n), min_size=1, max_size=9)))
    return np.array(values, float), np.array(counted, np.int64), np.array(ends)


@st.composite
def weighted_gains(draw):
    n_segments, n_resamples = draw(st.integers(1, 5)), draw(st.sampled_from([0, 1, 7, 8, 9, 17]))
    weights = np.random.default_rng(draw(st.integers(0, 99))).integers(0, 4, (n_resamples, n_segments))
    return *draw(gains(n_segments)), weights / draw(st.sampled_from([1, 3]))


@st.composite
def swapped_gains(draw):
    n_pairs, n_outputs, n_resamples = (draw(st.integers(1, 9)) for _ in range(3))
    random = np.random.default_rng(draw(st.integers(0, 99)))
    outputs = random.integers(0, n_outputs, (n_pairs, 2))
    return (*draw(gains(4 * n_pairs)), outputs, n_outputs), random.integers(0, 2, (n_resamples, n_outputs), np.uint8)


@st.composite
def rewritten(draw):
    """Segments with a source before their references."""
    return [[text[0], draw(st.one_of(changed(text[0]), st.just([]))), *text[1:]] for text in draw(segments)]


def shares(kernel, given, rule):
    found = kernel.sari_shares(tokens_of(kernel, given), rule)
    return found, kernel.sari_scores(found) if given else []


def counts_of_sari(kernel, given, *rules):
    found = kernel.sari_counts(tokens_of(kernel, given))
    return found, kernel.sari_scores(found, *rules) if given else []


def information(kernel, corpus, order, union):
    hypotheses, references = (
        kernel.texts(side) for side in ([h for h, _ in corpus], [r for _, group in corpus for r in group])
    )
    # Some n-grams of the references are in none that was counted first.
    counted = kernel.NgramInformation(kernel.Cutter("nist"), references.slice(0, -1), order)
    bounds = offsets(len(group) for _, group in corpus)
    rows = counted.rows(hypotheses, references, bounds, union)
    return rows, kernel.nist_scores(rows) if corpus else []


def character_edits(kernel, corpus, n_threads):
    hypotheses, references = (
        kernel.texts(side) for side in ([h for h, _ in corpus], [r for _, group in corpus for r in group])
    )
    return kernel.character_edits(hypotheses, references, offsets(len(group) for _, group in corpus), n_threads)


@st.composite
def reordered(draw):
    """Texts with references that have the same words in another order."""
    word = st.sampled_from(["a", "b", "cat", "\u00e9t\u00e9", "\u732b", "a\u00a0b", "dog."])
    corpus = []
    for _ in range(draw(st.integers(0, 3))):
        text = draw(st.lists(word, max_size=draw(st.sampled_from([3, 12, 70]))))
        others = st.lists(st.one_of(st.permutations(text), st.lists(word, max_size=9)), min_size=1, max_size=3)
        corpus.append((" ".join(text), [" ".join(other) for other in draw(others)]))
    return corpus


def cut_by(name):
    options = {}, {"sentences": True}, {"n_threads": 3, "sentences": True}
    return st.tuples(corpora), lambda kernel, corpus: [arrays(cut(kernel, corpus, name, **more)) for more in options]


def words_by(name, *options):
    def call(kernel, lines):
        cutters = [cutter(kernel, name, lines, **more) for more in options]
        return [[cut(line) for line in lines] for cut in cutters], kernel.token_texts(cutters[0], kernel.texts(lines))

    return st.tuples(texts.filter(bool)), call


RULES = [
    {"articles": ["a", "an", "the"]},
    {"articles": ["der", "die", "des"], "drops_every_punctuation": True},
    {"prefix": "\u0627\u0644", "splits_han": True, "drops_every_punctuation": True},
]


def answers(kernel, lines):
    # What is not ASCII is lower-cased by Python before.
    lines = [line if line.isascii() else line.lower() for line in lines]
    return [kernel.normalized(cutter(kernel, "answers", lines, **rules), kernel.texts(lines)) for rules in RULES]


def stems(kernel, words):
    return [kernel.Cutter("rouge", stemmer=stemmer)(" ".join(words)) for stemmer in ("porter", "porter155")]


@st.composite
def counted(draw):
    """Rows of 14 numbers: counts, or shares of them."""
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    rows = random.integers(
        0, draw(st.sampled_from([2, 5, 60, 10**6])), draw(st.sampled_from([(14,), (3, 14), (2, 2, 14)]))
    )
    return rows / 3 if draw(st.booleans()) else rows


f_rules = st.tuples(
    st.lists(st.sampled_from([1.0, 1.2, 3.0]), min_size=1, max_size=4), st.floats(0, 9),
    st.sampled_from([-1.0, 0.0, 0.5, 1.0]), st.booleans(),
)  # fmt: skip
chrf_rules = st.tuples(st.floats(0, 9), st.booleans(), st.booleans(), st.booleans())


NO_RULES = st.just(())


def of_rows(name, width, rules=NO_RULES):
    return st.tuples(counted(), rules), lambda kernel, rows, rules: getattr(kernel, name)(rows[..., :width], *rules)


TWINS = {
    "scores of F": of_rows("f_scores", None, f_rules),
    "scores of chrF": of_rows("chrf_scores", 12, chrf_rules),
    "scores of WER": of_rows("error_rates", 4),
    "scores of TER": of_rows("ter_scores", 2),
    "scores of METEOR": of_rows("meteor_scores", 4, st.tuples(st.floats(0, 1), st.floats(0, 9), st.floats(0, 1))),
    "scores of NIST": of_rows("nist_scores", None),
    "shares of SARI": (st.tuples(rewritten(), st.integers(0, 2)), shares),
    "counts of SARI": (st.tuples(rewritten(), st.booleans(), st.booleans()), counts_of_sari),
    "information": (st.tuples(corpora_of_lines, st.integers(1, 6), st.booleans()), information),
    "characters after shifts": (st.tuples(reordered() | corpora_of_lines, st.sampled_from([1, 3])), character_edits),
    "n-grams": of_tokens("bleu_rows", 5),
    "n-grams, at least one": of_tokens("bleu_rows", 5, 1, 0),
    "n-grams and the average length": of_tokens("bleu_rows", 5, 0, 2),
    "high orders": of_tokens("bleu_rows", 300),
    "units": of_tokens("pair_counts", units(4, 0, 1)),
    "units but the last": of_tokens("pair_counts", units(2, 0, 1), True),
    "any units": (st.tuples(cut_segments(), some_units, st.booleans()), units_of_sentences),
    "matched orders": of_tokens("matched_orders", 4),
    "weighted": of_tokens("weighted_lcs", 1.2),
    "weighted by 1": of_tokens("weighted_lcs", 1.0),
    "skips": of_tokens("skip_bigram_matches", -1),
    "skips of 4": of_tokens("skip_bigram_matches", 4),
    "bags": of_tokens("bag_matches"),
    "sets": of_tokens("bag_matches", True),
    "Levenshtein's edits": of_tokens("levenshtein_edits"),
    "sclite's edits": of_tokens("levenshtein_edits", 1),
    "kaldialign's edits": of_tokens("levenshtein_edits", 2),
    "kaldialign's edits with weights": of_tokens("levenshtein_edits", 3),
    "Levenshtein's paths": of_pairs("levenshtein_path"),
    "sclite's paths": of_pairs("levenshtein_path", 1),
    "kaldialign's paths": of_pairs("levenshtein_path", 2),
    "edits with joins": (
        st.tuples(joined_pairs, st.integers(2, 3)),
        edits_with_joins,
    ),
    "index of edits": (st.tuples(ranges(), st.integers(0, 3)), index_of_edits),
    "edits": of_tokens("translation_edits", drawn=st.lists(segments_of(short), max_size=4)),
    "operations": of_pairs("edit_operations", drawn=st.lists(segments_of(short), min_size=1, max_size=1)),
    "paths": of_pairs("lcs_path"),
    "unions": of_sentences("union_lcs"),
    "unions in texts": of_sentences("union_lcs", "texts"),
    "weighted unions": of_sentences("union_weighted_lcs", 1.2),
    "weighted unions in texts": of_sentences("union_weighted_lcs", 3.0, "texts"),
    "unions of lines that come again": of_sentences("union_lcs", drawn=st.lists(texts_of_again, max_size=4)),
    "weighted ones": of_sentences("union_weighted_lcs", 1.2, drawn=st.lists(texts_of_again, max_size=4)),
    "unions in shorter texts": (st.tuples(cut_segments(st.integers(0, 9)), seeds), unions_in_shorter_texts),
    "repeats": (
        st.tuples(groups(sizes), st.sampled_from([1, 2, 4, 130]), st.sampled_from([1, 3])),
        lambda kernel, groups, order, n_threads: kernel.repeated_ngrams(tokens_of(kernel, groups), order, n_threads),
    ),
    "index of n-grams": (st.tuples(ranges(), st.integers(1, 7)), index_of_ngrams),
    "index of LCS": (st.tuples(ranges()), index_of_lcs),
    "weighted n-grams": (st.tuples(lines, st.integers(1, 6), seeds), weighted_ngrams),
    "characters and words": (st.tuples(lines, st.booleans()), as_tokens),
    "drawn rows": drawn_sums("resampled_sums"),
    "exchanged rows": drawn_sums("exchanged_sums"),
    "rankings": (st.tuples(rankings()), lambda kernel, given: kernel.kendall_sums(*given)),
    "gains": (st.tuples(weighted_gains()), lambda kernel, given: kernel.most_gained(*given, 2)),
    "gains of swapped metrics": (
        st.tuples(swapped_gains()),
        lambda k, given: k.SwappedGains(*given[0]).most(given[1], 2),
    ),
    "exact means": (st.tuples(signed_tables, st.integers(1, 3), factors), means_of_columns),
    "digits": (st.tuples(table_of_floats), lambda kernel, rows: kernel.digit_sums(np.array(rows))),
    "characters": (st.tuples(corpora_of_lines, orders), matches),
    "answers": (st.tuples(texts), answers),
    "stems": (st.tuples(st.lists(porter_words, max_size=20)), stems),
    **{f"cut by {name}": cut_by(name) for name in NAMES},
    **{f"words by {name}": words_by(name, {}, {"lower_text": True}, {"lower_tokens": True}) for name in NAMES},
}


@pytest.mark.parametrize("name", TWINS)
def test_compiled_results_are_plain_results(compiled, name):
    drawn, call = TWINS[name]

    def is_equal(given):
        assert listed(call(compiled, *given)) == listed(call(plain, *given))

    # Functions of segments are also run on all short texts below, so few examples suffice.
    holds(drawn, 50 if drawn is OF_SEGMENTS else 100, is_equal)


# Few drawn texts have ties, which any two of so many have: all of up to four tokens of two kinds.
SHORT = [[*text] for n in range(5) for text in itertools.product((0, 1), repeat=n)]


@pytest.mark.parametrize("name", [name for name, (drawn, _) in TWINS.items() if drawn is OF_SEGMENTS])
def test_results_are_equal_for_all_short_texts(compiled, name):
    call, every = TWINS[name][1], [[text, *SHORT] for text in SHORT]
    assert listed(call(compiled, every)) == listed(call(plain, every))


def around(n):
    """A text of so many tokens with others that share much of it, but for its ends."""
    text = [(i * i + i // 7) % 11 for i in range(n)]
    return [text, text[1:], text[:-1], [*text[5:], *text[:5]], [*text, 3], [4] * n, text[::-1]]


@pytest.mark.parametrize("name", [name for name, (drawn, _) in TWINS.items() if drawn is OF_SEGMENTS])
def test_results_are_equal_around_the_widths_of_words(compiled, name):
    call, every = TWINS[name][1], [around(n) for n in (32, 63, 64, 65, 127, 128, 129)]
    assert listed(call(compiled, every)) == listed(call(plain, every))


OF_SHORT_LINES = {
    **{f"joins {aligner}": partial(edits_with_joins, aligner=aligner) for aligner in (2, 3)},
    "character_matches": lambda kernel, pairs: matches(kernel, [(a, [b]) for a, b in pairs], {"word_order": 3}),
}


@pytest.mark.parametrize("name", OF_SHORT_LINES)
def test_words_of_all_short_texts_may_be_joined(compiled, name):
    """Words that together are another: as a run of characters, "a b ab" is "ab a b"."""
    texts = [" ".join(words) for n in range(4) for words in itertools.product(("a", "b", "ab"), repeat=n)]
    every = [*itertools.product(texts, repeat=2)]
    assert listed(OF_SHORT_LINES[name](compiled, every)) == listed(OF_SHORT_LINES[name](plain, every))


@pytest.mark.parametrize("smoothing", range(scores.METHOD_7 + 1))
def test_every_smoothing_is_alike_in_every_counting(compiled, smoothing):
    random = np.random.default_rng(smoothing)
    rows = random.integers(1, 9, (30, 14)) * (random.random((30, 14)) < np.linspace(0.4, 1, 30)[:, None])
    # Nothing may be added; the others divide by their number.
    values = (3.0, 0.3, 0.0) if smoothing == scores.ADD_K else (3.0, 0.3)
    sides = [], [0.5, 0.3, 0.0, 0.2, 1.0]
    rules = itertools.product(range(scores.COCO + 1), (1, 3, 5), (False, True), sides, values)
    for counting, n, effective_order, weights, value in rules:
        percent, has_last, are_shares = (random.random(3) < 0.5).tolist()
        given = rows / 3 if are_shares else rows
        more = {"percent": percent, "last": rows[-1].tolist() if has_last else [], "counting": counting}
        more |= {"weights": weights[:n], "effective_order": effective_order}
        found, expected = (listed(k.bleu_scores(given, n, smoothing, value, **more)) for k in (compiled, plain))
        assert found == expected, (n, value, more)


@pytest.mark.parametrize("name", ["resampled_sums", "exchanged_sums"])
@pytest.mark.parametrize("n_rows", N_ROWS)
def test_rows_are_drawn_alike_of_every_number(compiled, name, n_rows):
    rows = np.arange(n_rows)[:, None] + 1
    for rows[0] in (1, *LARGEST):
        found, expected = (listed(getattr(kernel, name)(rows, 5, 2**64 - 4, 3)) for kernel in (compiled, plain))
        assert found == expected


def moved(random, n_kinds):
    """Beyond 256 tokens there are no bits: the table is filled, as far as a shift changes it."""
    reference = random.integers(0, n_kinds, 270).tolist()
    hypothesis = reference.copy()
    for at in (20, 90, 200):
        run = hypothesis[at : at + 3]
        del hypothesis[at : at + 3]
        hypothesis[at + 5 : at + 5] = run
    del hypothesis[150:154]
    hypothesis[60] = hypothesis[230] = 0
    return [[hypothesis, reference], [hypothesis[:-30], reference]]


def long_sentences(random, n_kinds, size=1500):
    return [[[rare(random, n, n_kinds) for n in (size, size + 1)] for _ in range(2)]]


def strips(random):
    """Of several strips and many occurrences."""
    texts = [random.integers(0, kinds, n).tolist() for kinds, n in ((2, 560), (9, 1100), (1, 520), (40, 513), (2, 3))]
    return texts, 5, 0, (0, 5, 0, 5)


# A list of few columns, and rows of many.
ROWS = [[0, 0, 1, k % 3, 9 + k % 25] * (1 + k % 2) for k in range(120)]
LONG = [
    ("paths", lambda random: ([[rare(random, n, 40) for n in (900, 700)]],)),
    ("paths", lambda random: ([[rare(random, n, 500) for n in (1500, 1480)]],)),
    pytest.param("paths", lambda random: ([[rare(random, n, 3000) for n in (1600, 2400)]],), marks=pytest.mark.slow),
    ("operations", lambda random: (moved(random, 40),)),
    pytest.param("operations", lambda random: (moved(random, 4000),), marks=pytest.mark.slow),
    pytest.param("operations", lambda random: (moved(random, 3),), marks=pytest.mark.slow),
    ("Levenshtein's paths", lambda random: ([[rare(random, n, 40) for n in (900, 700)]],)),
    # Rows by blocks: more words than are held at once.
    pytest.param(
        "Levenshtein's paths", lambda random: ([[rare(random, n, 900) for n in (4200, 4300)]],), marks=pytest.mark.slow
    ),
    ("sclite's paths", lambda random: ([[rare(random, n, 40) for n in (830, 840)]],)),
    ("unions", lambda random: (long_sentences(random, 1200, 600),)),
    pytest.param("unions", lambda random: (long_sentences(random, 3000),), marks=pytest.mark.slow),
    pytest.param("unions", lambda random: (long_sentences(random, 500),), marks=pytest.mark.slow),
    pytest.param("index of LCS", lambda random: (strips(random),), marks=pytest.mark.slow),
    pytest.param("index of n-grams", lambda random: (strips(random), 3), marks=pytest.mark.slow),
    ("index of n-grams", lambda _: ((ROWS, 120, 0, (0, 120, 0, 120)), 4)),
    ("index of n-grams", lambda _: ((ROWS, 120, 0, (17, 40, 33, 99)), 4)),
    ("index of n-grams", lambda _: ((ROWS, 120, 0, (5, 6, 5, 6)), 4)),
    ("digits", lambda random: (random.random((5000, 3)) * (np.arange(5000) % 7 > 0)[:, None],)),
]


@pytest.mark.parametrize(("name", "drawn"), LONG, ids=itertools.count())
def test_compiled_results_of_long_texts_are_plain_results(compiled, name, drawn):
    given, call = drawn(np.random.default_rng(7)), TWINS[name][1]
    assert listed(call(compiled, *given)) == listed(call(plain, *given))


def test_compiled_counts_have_the_types_that_scores_are_made_of(compiled):
    tokens = tokens_of(compiled, [[[0], [0]]])
    assert compiled.repeated_ngrams(tokens, 1).dtype == np.int64
    assert compiled.NgramIndex(tokens, 1, 1, 0).matches(0, 1, 0, 2).dtype == np.int32
    for rows in (np.ones((2, 1)), np.ones((2, 1), np.int64)):
        assert (
            compiled.resampled_sums(rows, 0, 0, 1).dtype == compiled.exchanged_sums(rows, 0, 0, 1).dtype == rows.dtype
        )


@pytest.mark.parametrize("n_characters", [63, 64, 65, 128, 200])
def test_edits_of_long_texts_are_those_of_the_twin(n_characters):
    """A column of the table has several words of 64 bits, between which nothing may be lost."""
    random = Random(n_characters)
    for _ in range(4):
        # Of one word, so that nothing is shifted.
        sides = ["".join(random.choices("ab", k=n_characters + extra)) for extra in (random.randint(-9, 9), 0)]
        found = [
            kernel.character_edits(*(kernel.texts([text]) for text in sides), None) for kernel in (engine.kernel, plain)
        ]
        assert np.asarray(found[0]).tolist() == found[1]


@pytest.mark.parametrize("n_words", [63, 64, 65, 100, 130])
def test_shifts_of_long_texts(compiled, n_words):
    """Distances by bits have several words of 64 cells, between which neither a rise nor a fall may be lost."""
    random = Random(n_words)
    reference = [random.randrange(n_words) for _ in range(n_words)]
    hypothesis = reference[5 : n_words // 2] + reference[:5] + reference[n_words // 2 :]
    for i in random.sample(range(n_words), 9):
        hypothesis[i] = random.randrange(n_words)
    for one in (hypothesis, hypothesis[4:], [*hypothesis, *reference[:4]], reference[::-1][:20] + reference[20:]):
        ids = np.array([*one, *reference], np.uint32)
        offsets = np.array([0, len(one), len(ids)], np.int64)
        found = compiled.translation_edits(compiled.Tokens(ids, offsets, np.array([0, 2], np.int64)))
        shifts, edits = plain.edit_operations(one, reference)
        assert np.asarray(found).tolist() == [[len(shifts) + len(edits) - edits.count(" "), n_words]]
        sides = (np.array(side, np.uint32) for side in (one, reference))
        ours, path = compiled.edit_operations(*sides)
        assert (np.asarray(ours).reshape(-1, 3).tolist(), path) == ([list(shift) for shift in shifts], edits)


@pytest.mark.parametrize("n", [62, 126, 127, 190, 510, 700])
def test_carries_cross_words_without_matches(compiled, n):
    """In "z w x y" y takes x back, which stands behind all z in "w y z z ... z x": two are common, not three."""
    w, x, y, z = range(4)
    long, short = [w, y, *[z] * n, x], [z, w, x, y, *range(4, 80)]
    for one, other in ((long, short), (short, long), (long, short[:4])):
        offsets = np.array([0, len(one), len(one) + len(other)], np.int64)
        tokens = compiled.Tokens(np.array([*one, *other], np.uint32), offsets, np.array([0, 2], np.int64))
        counts = np.asarray(compiled.pair_counts(tokens, np.array([UNIT_LCS], np.int32)))
        assert counts.reshape(-1).tolist() == [2, len(one), len(other)]
        path = np.asarray(compiled.lcs_path(*(np.array(side, np.uint32) for side in (one, other))))
        assert path.tolist() == [list(pair) for pair in plain.lcs_path(one, other)]
        lengths = np.asarray(compiled.LcsIndex(tokens).lengths(0, 2, 0, 2)).tolist()
        assert lengths == [[len(one), 2], [2, len(other)]]


# All texts of two words of up to three: what few drawn segments of many words rarely are.
SHORT = [[*text] for n in range(4) for text in itertools.product((0, 1), repeat=n)]


@pytest.mark.parametrize("order", [1, 2, 3])
def test_repeats_of_all_short_texts(compiled, order):
    of_three = [[*group][::step] for group in itertools.combinations_with_replacement(SHORT, 3) for step in (1, -1)]
    runs = [[0] * n for n in range(4)]
    for groups in (of_three, [[*group] for group in itertools.product(runs, repeat=5)]):
        found, expected = (kernel.repeated_ngrams(tokens_of(kernel, groups), order) for kernel in (compiled, plain))
        assert listed(found) == listed(expected)


@pytest.mark.parametrize("union", [False, True])
def test_information_of_all_short_texts(compiled, union):
    few = ["", "a", "a a", "a b"]
    corpus = [*itertools.product(few, itertools.product(few, repeat=2))]
    (rows, scores), (others, of_others) = (information(kernel, corpus, 2, union) for kernel in (compiled, plain))
    assert listed(rows) == listed(others)
    assert listed(scores) == listed(of_others)


@pytest.mark.parametrize("rule", [0, 1, 2])
@pytest.mark.parametrize("n_references", [1, 2, 3])
def test_sari_of_all_short_texts(compiled, n_references, rule):
    few = [[], [0], [1], [0, 1], [0, 0]]
    sides = itertools.product(few, few, itertools.combinations_with_replacement(few[1:], n_references))
    segments = [[hypothesis, source, *references] for hypothesis, source, references in sides]
    found, expected = (kernel.sari_shares(tokens_of(kernel, segments), rule) for kernel in (compiled, plain))
    assert listed(found) == listed(expected)
