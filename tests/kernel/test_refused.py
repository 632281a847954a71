"""What both kernels refuse, with the argument that is wrong; and what only the compiled one is too small for."""

import numpy as np
import pytest

from kernel.material import tokens_of, tokens_of_sentences


def said(kernel, offsets, n_channels):
    return kernel.assigned_edits(np.arange(2, dtype=np.uint32), np.array(offsets, np.int64), n_channels, 99)


def given_to(kernel, offsets, n_channels):
    return kernel.assigned_channels(np.arange(2, dtype=np.uint32), np.array(offsets, np.int64), n_channels)


def timed(kernel, offsets, times, n_hypotheses=0):
    given = np.arange(2, dtype=np.uint32), np.array(offsets, np.int64), np.array(times, np.float64)
    return kernel.timed_edits(*given, n_hypotheses)


def pair(kernel):
    return tokens_of(kernel, [[[1], [1]]])


def joined(kernel, hypotheses, references, aligner=2):
    sides = kernel.texts(hypotheses), kernel.texts(references)
    return kernel.joined_edits(kernel.Cutter("spaces"), *sides, None, aligner)


def joined_paths(kernel, hypotheses, *aligner):
    return kernel.joined_paths(kernel.Cutter("spaces"), kernel.texts(hypotheses), kernel.texts(["a"]), *aligner)


def information(kernel, max_order=1):
    return kernel.NgramInformation(kernel.Cutter("nist"), kernel.texts(["a"]), max_order)


def whole(*shape):
    return np.zeros(shape, np.int64)


def lines(kernel):
    return tokens_of_sentences(kernel, [[[[1]], [[1]]]])


def three(kernel):
    return tokens_of(kernel, [[[0], [0, 1], [1]]])


def two_segments(kernel):
    return kernel.Tokens(np.array([0, 0], np.uint32), np.array([0, 1, 2]), np.array([0, 1, 2]))


def units(*wanted):
    return np.array(wanted, np.int32)


def cut(kernel, bounds=(0, 1), texts=("a",), **options):
    sides = kernel.texts(texts), kernel.texts(["b"])
    return kernel.cut(kernel.Cutter("13a"), *sides, np.array(bounds, np.int64), **options)


def cut_lines(kernel, *columns):
    return cut(kernel, sentences=True, lines=tuple(map(kernel.texts, columns)))


def cut_and_look(kernel, *columns):
    column = kernel.texts(["a"])
    return kernel.cut_with_contents(kernel.Cutter("13a"), column, column, None, tuple(map(kernel.texts, columns)))


def arrow(kernel, *bounds):
    return kernel.arrow_texts(np.array(bounds, np.int64), np.frombuffer(b"abc", np.uint8), "holder")


def ten(kernel):
    return np.arange(10)


REFUSED = {
    "order 0 of BLEU": (lambda k: k.bleu_scores(ten(k), 0), "rows"),
    "order -1 of BLEU": (lambda k: k.bleu_scores(ten(k), -1), "rows"),
    "more orders than the row has": (lambda k: k.bleu_scores(ten(k), 5), "rows"),
    "no order above the highest": (lambda k: k.bleu_scores(ten(k), 4, 7), "rows"),
    "no order 5": (lambda k: k.bleu_scores(ten(k), 3, 9, counting=3), "rows"),
    "another last row": (lambda k: k.bleu_scores(ten(k), 4, last=[1, 2]), "rows"),
    "an odd row of BLEU": (lambda k: k.bleu_scores(ten(k)[1:], 1), "rows"),
    "smoothing 10": (lambda k: k.bleu_scores(ten(k), 4, 10), "smoothing"),
    "counting 6": (lambda k: k.bleu_scores(ten(k), 4, counting=6), "counting"),
    "three weights": (lambda k: k.bleu_scores(ten(k), 4, weights=[1, 1, 1]), "weights"),
    "more types than the row has": (lambda k: k.f_scores(ten(k), [1.0] * 4), "weights"),
    "a weight of 0": (lambda k: k.f_scores(ten(k), [0.0]), "weights"),
    "a row of chrF": (lambda k: k.chrf_scores(ten(k)), "rows"),
    "a row of TER": (lambda k: k.ter_scores(ten(k)), "rows"),
    "a row of METEOR": (lambda k: k.meteor_scores(ten(k)), "rows"),
    "a row of SARI": (lambda k: k.sari_scores(ten(k)), "rows"),
    "a short row of NIST": (lambda k: k.nist_scores(ten(k)[:2]), "rows"),
    "an odd row of NIST": (lambda k: k.nist_scores(ten(k)[:5]), "rows"),
    "SARI without references": (lambda k: k.sari_shares(pair(k), 0), "tokens"),
    "counts of SARI without references": (lambda k: k.sari_counts(pair(k)), "tokens"),
    "no rule of SARI": (lambda k: k.sari_shares(three(k), 3), "rule"),
    "order 0 of NIST": (lambda k: information(k, 0), "max_order"),
    "offsets of NIST": (lambda k: information(k).rows(k.texts(["a"]), k.texts([]), None), "reference_offsets"),
    "offsets of CharacTER": (lambda k: k.character_edits(k.texts(["a"]), k.texts([]), None), "reference_offsets"),
    "unit -2": (lambda k: k.pair_counts(pair(k), units(-2)), "units"),
    "unit 65536": (lambda k: k.pair_counts(pair(k), units(65536)), "units"),
    "unit -2 behind another": (lambda k: k.pair_counts(pair(k), units(1, -2)), "units"),
    "units of sentences without any": (lambda k: k.pair_counts(pair(k), units(1, -1)), "sentences"),
    "unions without sentences": (lambda k: k.union_lcs(pair(k)), "sentences"),
    "weighted unions without sentences": (lambda k: k.union_weighted_lcs(pair(k), 1.2), "sentences"),
    "unions in lines": (lambda k: k.union_lcs(lines(k), limits="lines"), "limits"),
    "weighted unions in lines": (lambda k: k.union_weighted_lcs(lines(k), 1.2, limits="lines"), "limits"),
    "order 0": (lambda k: k.bleu_rows(pair(k), 0), "max_order"),
    "length 3": (lambda k: k.bleu_rows(pair(k), 1, 0, 3), "which"),
    "order 0 of marks": (lambda k: k.matched_orders(pair(k), 0), "max_order"),
    "order 0 of repeats": (lambda k: k.repeated_ngrams(pair(k), 0), "max_order"),
    "order 65536 of repeats": (lambda k: k.repeated_ngrams(pair(k), 65536), "max_order"),
    "answers by another tokenizer": (lambda k: k.normalized(k.Cutter("13a"), k.texts(["a"])), "answers"),
    "no tokenizer": (lambda k: k.Cutter(""), "tokenizer"),
    "a tokenizer in capitals": (lambda k: k.Cutter("13A"), "tokenizer"),
    "an unknown stemmer": (lambda k: k.Cutter("rouge", stemmer="snowball"), "stemmer"),
    "no offset of references": (lambda k: cut(k, []), "reference_offsets"),
    "one offset of references": (lambda k: cut(k, [0]), "reference_offsets"),
    "an offset too many": (lambda k: cut(k, [0, 1, 1]), "reference_offsets"),
    "an offset beyond the references": (lambda k: cut(k, [0, 2]), "reference_offsets"),
    "offsets that do not begin at 0": (lambda k: cut(k, [1, 1]), "reference_offsets"),
    "a reference without a segment": (lambda k: cut(k, [0, 0]), "reference_offsets"),
    "an offset below 0": (lambda k: cut(k, [0, -1]), "reference_offsets"),
    "fewer lines": (lambda k: cut_lines(k, ["a"], []), "lines"),
    "more lines": (lambda k: cut_lines(k, ["a", "b"], ["a"]), "lines"),
    "fewer texts to look at": (lambda k: cut_and_look(k, ["a"], []), "given"),
    "more texts to look at": (lambda k: cut_and_look(k, ["a", "b"], ["a"]), "given"),
    "arrow offsets that descend": (lambda k: arrow(k, 0, 2, 1), "offsets"),
    "an arrow offset beyond the bytes": (lambda k: arrow(k, 0, 4), "offsets"),
    "an arrow offset below 0": (lambda k: arrow(k, -1, 2), "offsets"),
    "no arrow offset": (arrow, "offsets"),
    "large arrow offsets": (lambda k: arrow(k, 2**40, 2**41), "offsets"),
    "two segments in an index": (lambda k: k.NgramIndex(two_segments(k), 1, 1, 1), "expected"),
    "two segments in one of LCS": (lambda k: k.LcsIndex(two_segments(k)), "expected"),
    "order 0 of an index": (lambda k: k.NgramIndex(three(k), 0, 1, 1), "expected"),
    "order 65536 of an index": (lambda k: k.NgramIndex(three(k), 1 << 16, 1, 1), "expected"),
    "four rows of three texts": (lambda k: k.NgramIndex(three(k), 1, 4, 1), "expected"),
    "a column beyond the texts": (lambda k: k.NgramIndex(three(k), 1, 1, 4), "expected"),
    "a block beyond the rows": (lambda k: k.NgramIndex(three(k), 1, 2, 1).matches(0, 3, 1, 3), "expected"),
    "a block before the columns": (lambda k: k.NgramIndex(three(k), 1, 2, 1).matches(0, 1, 0, 3), "expected"),
    "a block beyond the columns": (lambda k: k.NgramIndex(three(k), 1, 2, 1).matches(0, 1, 1, 4), "expected"),
    "a block that ends before it begins": (lambda k: k.NgramIndex(three(k), 1, 2, 1).matches(1, 0, 1, 3), "expected"),
    "a weight too few": (lambda k: k.weighted_ngram_matches(three(k), 1, 1, 1, np.ones(1)), "^weights: "),
    "a weight too many": (lambda k: k.weighted_ngram_matches(three(k), 1, 1, 1, np.ones(3)), "^weights: "),
    "aligner 4": (lambda k: k.levenshtein_edits(pair(k), 4), "aligner"),
    "aligner -1 of a path": (lambda k: k.levenshtein_path(*[np.zeros(1, np.uint32)] * 2, -1), "aligner"),
    "aligner 1 with joins": (lambda k: joined(k, ["a"], ["a"], 1), "aligner"),
    "aligner 4 of paths with joins": (lambda k: joined_paths(k, ["a"], 4), "aligner"),
    "paths with joins of two texts and one": (lambda k: joined_paths(k, ["a", "b"]), "expected"),
    "edits with joins of two texts and one": (lambda k: joined(k, ["a", "b"], ["a"]), "expected"),
    "timed edits with a time too few": (lambda k: timed(k, [0, 2], [0, 1, 2]), "times"),
    "timed edits of offsets beyond the words": (lambda k: timed(k, [0, 3], [0, 1, 2, 3]), "offsets"),
    "timed edits of no offset": (lambda k: timed(k, [], [0, 1, 2, 3]), "offsets"),
    "timed edits of more texts than there are": (lambda k: timed(k, [0, 2], [0, 1, 2, 3], 2), "n_hypotheses"),
    "utterances of offsets beyond the words": (lambda k: said(k, [0, 3], 0), "offsets"),
    "utterances of offsets beyond the words, for the channels": (lambda k: given_to(k, [0, 3], 0), "offsets"),
    "utterances of no offset": (lambda k: said(k, [], 0), "offsets"),
    "utterances of no offset, for the channels": (lambda k: given_to(k, [], 0), "offsets"),
    "utterances of more channels than there are": (lambda k: said(k, [0, 2], 2), "n_channels"),
    "utterances of more channels than there are, for the channels": (lambda k: given_to(k, [0, 2], 2), "n_channels"),
    "aligner 4 of an index": (lambda k: k.LevenshteinIndex(pair(k), 4), "aligner"),
    "two segments in one of edits": (lambda k: k.LevenshteinIndex(two_segments(k)), "expected"),
    "edits beyond the texts": (lambda k: k.LevenshteinIndex(three(k)).edits(0, 4, 0, 1), "expected"),
    "a row of WER": (lambda k: k.error_rates(ten(k)), "rows"),
    "no numbers of chrF": (lambda k: k.chrf_scores(np.zeros((3, 0))), "rows"),
    "2**62 resamples": (lambda k: k.resampled_sums(np.ones((2, 1)), 0, 0, 2**62), "expected results"),
    "2**61 exchanges": (lambda k: k.exchanged_sums(np.ones((2, 1), np.int64), 0, 0, 2**61), "expected results"),
    "2**55 resamples of 128 columns": (lambda k: k.resampled_sums(whole(1, 2**7), 0, 0, 2**55), "expected results"),
    "empty rows of weights": (lambda k: k.kendall_sums(*[whole(0)] * 3, whole(2**60 - 1, 0)), "expected results"),
    "lengths beyond the texts": (lambda k: k.LcsIndex(three(k)).lengths(0, 4, 0, 1), "expected"),
    "lengths of no columns": (lambda k: k.LcsIndex(three(k)).lengths(0, 1, 2, 2), "expected"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_is_refused(kernel, name):
    call, message = REFUSED[name]
    with pytest.raises(ValueError, match=message):
        call(kernel)


@pytest.mark.parametrize("wrong", [[None, None], [None], [1, 2], 7, [["a"], None]])
def test_lines_that_are_no_columns_are_refused(kernel, wrong):
    lines = [kernel.texts(wrong[0]), None] if wrong == [["a"], None] else wrong
    with pytest.raises((TypeError, ValueError)):
        cut(kernel, sentences=True, lines=lines)


class Endless:
    """A sequence that always has another item, and counts those that were taken."""

    taken = 0

    def __init__(self, column):
        self.column = column

    def __getitem__(self, place):
        self.taken += 1
        assert self.taken < 100
        return self.column


def test_no_more_than_the_lines_of_two_sides_are_taken(kernel):
    endless = Endless(kernel.texts(["a"]))
    with pytest.raises(ValueError, match="lines: expected those of the hypotheses and those of the references"):
        cut(kernel, sentences=True, lines=endless)
    assert endless.taken == 3


BAD_TOKENS = {
    "descending offsets": ([0, 1], [0, 2, 1, 2], [0, 3]),
    "offsets beyond the ids": ([0, 1], [0, 3], [0, 1]),
    "offsets that do not begin at 0": ([0, 1], [1, 2], [0, 1]),
    "offsets that leave ids over": ([0, 1], [0, 1], [0, 1]),
    "no offsets": ([], [], [0]),
    "a segment without a hypothesis": ([0, 1], [0, 1, 2], [0, 0, 2]),
    "a text without a segment": ([0, 1], [0, 1, 2], [0, 1]),
    "an id that is not dense": ([0, 2], [0, 1, 2], [0, 2]),
    "an id that is dense only elsewhere": ([0, 1, 0, 0], [0, 1, 2, 4], [0, 1, 2, 3]),
    "a sentence beyond its ids": ([0], [0, 1], [0, 1], [0], [0, 2], [0, 1]),
    "too few texts of sentences": ([0], [0, 1], [0, 1], [0], [0, 1], [0]),
    "sentences beyond the sentences": ([0], [0, 1], [0, 1], [0], [0, 1], [0, 2]),
    "an id of a sentence that is not dense": ([0], [0, 1], [0, 1], [2], [0, 1], [0, 1]),
}


@pytest.mark.parametrize("name", BAD_TOKENS)
def test_tokens_that_are_none_are_refused(kernel, name):
    parts = [np.array(part, np.uint32 if i in (0, 3) else np.int64) for i, part in enumerate(BAD_TOKENS[name])]
    with pytest.raises(ValueError, match="expected"):
        kernel.Tokens(*parts)


NO_TABLES = {
    "resampled_sums": [np.zeros(3), np.zeros((2, 2), np.int32), [[1]]],
    "exchanged_sums": [np.zeros(3), np.zeros((2, 2), np.int32), [[1]]],
    "digit_sums": [np.zeros(3), np.zeros((2, 2, 2)), [[1.0]]],
}


@pytest.mark.parametrize("name", NO_TABLES)
def test_only_tables_of_numbers_are_taken(compiled, name):
    more = () if name == "digit_sums" else (0, 0, 1)
    for wrong in NO_TABLES[name]:
        with pytest.raises(TypeError):
            getattr(compiled, name)(wrong, *more)
    if more:
        with pytest.raises(ValueError, match="rows: expected 1 to"):
            getattr(compiled, name)(np.zeros((0, 2)), *more)


@pytest.mark.parametrize(
    ("first", "second", "segment_of", "weights", "allowed"),
    [
        ([0, 2], [0, 1], [0, 0], [[1]], "^first: "),
        ([0, 1], [0, 2], [0, 0], [[1]], "^second: "),
        ([0, 1], [0, -1], [0, 0], [[1]], "^second: "),
        ([0, 1], [0, 1], [0, 1], [[1]], "^segment_of: .*segments"),
        ([0, 1], [0], [0, 0], [[1]], "as many of each"),
        ([0, 1], [0, 1], [0, 0], [[-1]], "weights: expected at least 0"),
        ([0, 1], [0, 1], [0, 0], [[2**30]], "weights: expected at least 0"),
    ],
)
def test_rankings_beyond_their_limits_are_refused(kernel, first, second, segment_of, weights, allowed):
    with pytest.raises(ValueError, match=allowed):
        kernel.kendall_sums(*map(np.array, (first, second, segment_of, weights)))


def test_rankings_at_their_limit_are_counted(kernel):
    found = kernel.kendall_sums(*map(np.array, ([0, 1], [0, 1], [0, 1], [[2**31 - 2, 1]])))
    assert np.asarray(found).tolist() == [[2**31 - 2] * 3]


def zeros(n, dtype):
    """Zeros that take no memory until they are written."""
    try:
        return np.zeros(n, dtype)
    except MemoryError:
        pytest.skip("no address space for so many")


N = 2**32 - 2
TOO_MANY = {
    "tokens": lambda k, ids: k.Tokens(ids, np.array([0, N]), np.array([0, 1])),
    "left tokens of a path": lambda k, ids: k.lcs_path(ids, ids[:1]),
    "right tokens of a path": lambda k, ids: k.lcs_path(ids[:1], ids),
    "left tokens of operations": lambda k, ids: k.edit_operations(ids, ids[:1]),
    "right tokens of operations": lambda k, ids: k.edit_operations(ids[:1], ids),
    "characters of a prediction": lambda k, _: k.character_matches(
        letters(k, N), letters(k, 1), np.array([0, 1]), 6, 0
    ),
    "characters of a reference": lambda k, _: k.character_matches(letters(k, 1), letters(k, N), np.array([0, 1]), 6, 0),
}


def letters(kernel, n):
    return kernel.arrow_texts(np.array([0, n]), zeros(N, np.uint8), None)


@pytest.mark.parametrize("name", TOO_MANY)
def test_more_than_ids_and_places_have_bits_for_is_refused(compiled, name):
    with pytest.raises(ValueError, match="fewer than 2"):
        TOO_MANY[name](compiled, zeros(N, np.uint32))


@pytest.mark.parametrize(
    ("changed", "allowed"),
    [
        ({"segment_of": [0, 2]}, "segment_of: expected a segment for each gain"),
        ({"segment_of": [0, -1]}, "segment_of: expected a segment for each gain"),
        ({"segment_of": [0]}, "segment_of: expected a segment for each gain"),
        ({"ends": []}, "^ends: "),
        ({"ends": [1, 0]}, "^ends: "),
        ({"ends": [-1]}, "^ends: "),
        ({"ends": [0, 3]}, "^ends: "),
    ],
)
def test_gains_beyond_their_limits_are_refused(kernel, changed, allowed):
    given = {"gains": [0.5, -0.5], "segment_of": [0, 1], "ends": [0, 2], "weights": [[1.0, 1.0]], **changed}
    types = {"gains": float, "weights": float}
    with pytest.raises(ValueError, match=allowed):
        kernel.most_gained(**{name: np.array(values, types.get(name, np.int64)) for name, values in given.items()})


@pytest.mark.parametrize(
    ("changed", "allowed"),
    [
        ({"differences": [0, 4]}, "^differences: "),
        ({"differences": [0, -1]}, "^differences: "),
        ({"differences": [0]}, "^differences: "),
        ({"ends": [3]}, "^ends: "),
        ({"outputs": [[0, 2]]}, "^outputs: "),
        ({"outputs": [[-1, 0]]}, "^outputs: "),
        ({"outputs": [[0, 1, 1]]}, "^outputs: "),
        ({"n_outputs": 1}, "^outputs: "),
        ({"n_outputs": 3}, "^swaps: "),
    ],
)
def test_gains_of_swapped_metrics_beyond_their_limits_are_refused(kernel, changed, allowed):
    given = {"gains": [0.5, -0.5], "differences": [0, 3], "ends": [0, 2], "outputs": [[0, 1]], **changed}
    n_outputs = given.pop("n_outputs", 2)
    arrays = {name: np.array(values, float if name == "gains" else np.int64) for name, values in given.items()}
    with pytest.raises(ValueError, match=allowed):
        kernel.SwappedGains(**arrays, n_outputs=n_outputs).most(np.zeros((1, 2), np.uint8))


def no_tokens(kernel):
    return [kernel.word_tokens(kernel.texts([])), kernel.character_tokens(kernel.texts([])), tokens_of(kernel, [])]


OF_TOKENS = {
    "bleu_rows": (1,), "matched_orders": (3,), "pair_counts": (np.array([1, 0], np.int32),), "weighted_lcs": (1.2,),
    "skip_bigram_matches": (4,), "bag_matches": (), "repeated_ngrams": (2,), "translation_edits": (),
    "levenshtein_edits": (),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_TOKENS)
def test_no_texts_have_no_counts(kernel, name):
    for tokens in no_tokens(kernel):
        found = getattr(kernel, name)(tokens, *OF_TOKENS[name])
        assert all(len(part) == 0 for part in (found if isinstance(found, tuple) else [found]))


def test_no_texts_are_no_group(kernel):
    for tokens in no_tokens(kernel):
        for make in (kernel.LcsIndex, kernel.LevenshteinIndex, lambda tokens: kernel.NgramIndex(tokens, 1, 0, 0)):
            with pytest.raises(ValueError, match="expected one segment"):
                make(tokens)
