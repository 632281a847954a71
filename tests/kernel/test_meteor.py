"""METEOR's alignments: the compiled kernel against its twin, and against cases worked by hand."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from textgauge import engine, plain
from textgauge.plain.meteor import NO_WORD
from textgauge.plain.treebank import lower_words

N_WORDS = 8
texts = st.lists(st.integers(0, N_WORDS - 1), max_size=12)
phrases = st.lists(st.integers(0, N_WORDS - 1), min_size=1, max_size=3).map(lambda ids: " ".join(map(str, ids)))
tables = st.lists(st.tuples(phrases, phrases).filter(lambda pair: pair[0] != pair[1]), max_size=12)


def table_text(pairs):
    return "".join(f"0.5\n{a}\n{b}\n" for a, b in pairs).encode()


def table_of(text, words=b""):
    """A table of paraphrases, whose words are these."""
    vocabulary, *table = engine.kernel.paraphrase_table(text)
    assert not words or bytes(vocabulary) == words
    return tuple(np.asarray(one, np.uint32) for one in table)


def pair(hypothesis, reference, words):
    """One pair of texts, and what is known of each word: arguments of the kernel."""
    ids, bounds = np.array([*hypothesis, *reference], np.uint32), np.cumsum([0, len(hypothesis), len(reference)])
    return ids, bounds, np.array([0]), np.array([1]), words


def words_of(stems, related, functions, numbers):
    offsets = np.cumsum([0, *map(len, related)])
    flat = [x for own in related for x in sorted(own)]
    return (
        np.array(stems, np.uint32), offsets.astype(np.int64), np.array(flat, np.uint32),
        np.array(functions, np.uint8), np.ones(len(stems), np.uint32), np.array(numbers, np.uint32),
    )  # fmt: skip


@st.composite
def calls(draw):
    """Texts of few words, with what is known of each: arguments of the kernel."""
    pairs = draw(st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
    ids = [word for pair in pairs for text in pair for word in text]
    offsets = np.cumsum([0, *(len(text) for pair in pairs for text in pair)])
    each = {"min_size": N_WORDS, "max_size": N_WORDS}
    stems = draw(st.lists(st.integers(0, N_WORDS - 1), **each))
    related = draw(st.lists(st.sets(st.integers(0, N_WORDS - 1), max_size=3), **each))
    functions = draw(st.lists(st.booleans(), **each))
    vocabulary, *table = engine.kernel.paraphrase_table(table_text(draw(tables)))
    numbers = {word: at for at, word in enumerate(bytes(vocabulary).decode().split("\n")[:-1])}
    words = words_of(stems, related, functions, [numbers.get(str(word), NO_WORD) for word in range(N_WORDS)])
    at = np.arange(len(pairs))
    arguments = (np.array(ids, np.uint32), offsets.astype(np.int64), 2 * at, 2 * at + 1, words)
    return arguments, tuple(np.asarray(one, np.uint32) for one in table)


@given(call=calls(), matchers=st.integers(1, 15), beam_size=st.sampled_from([1, 2, 40]))
def test_alignments_of_meteor15(call, matchers, beam_size):
    arguments, table = call
    expected = plain.meteor15_rows(*arguments, table, matchers, beam_size)
    assert np.asarray(engine.kernel.meteor15_rows(*arguments, table, matchers, beam_size)).tolist() == expected


def test_all_short_texts_are_aligned_as_by_the_twin():
    """Of alignments with as many words and chunks, that counts whose words are nearer to their places."""
    table = tuple(np.asarray(one, np.uint32) for one in engine.kernel.paraphrase_table(b"")[1:])
    words, pair = words_of([0, 1], [[], []], [0, 0], [NO_WORD] * 2), (np.array([0]), np.array([1]))
    every = [text for n in range(1, 5) for text in product((0, 1), repeat=n)]
    for one, other in product(every, every):
        call = (np.array(one + other, np.uint32), np.array([0, len(one), len(one + other)]), *pair, words, table, 1, 40)
        found, expected = (kernel.meteor15_matches(*call) for kernel in (engine.kernel, plain))
        assert sorted(np.reshape(found, (-1, 5)).tolist()) == sorted(expected), (one, other)


def all_pairs(words, n_words):
    """Every pair of texts of up to three words: arguments of the kernel."""
    every = [text for n in range(4) for text in product(range(n_words), repeat=n)]
    ids, at = np.array([word for text in every for word in text], np.uint32), np.arange(len(every))
    offsets = np.cumsum([0, *map(len, every)], dtype=np.int64)
    return ids, offsets, np.repeat(at, len(every)), np.tile(at, len(every)), words


def test_all_pairs_of_short_texts_with_stems_synonyms_and_phrases():
    """Words that match in several ways, in the one text, the other or both, so that there is much to choose from."""
    table = table_of(b"".join(b"0.5\n%s\n" % one for one in (b"0 1\n2", b"2\n0 1", b"1\n0", b"0 0\n1 2", b"2 2\n0")))
    of_15 = all_pairs(words_of([0, 0, 1], [[7, 8], [9], [7, 8, 9]], [0, 1, 0], [0, 1, 2]), 3)
    of_nltk = all_pairs(words_of([0, 0, 2], [[2], [], [0]], [0] * 3, [NO_WORD] * 3), 3)
    for name, call in (("meteor_rows", of_nltk), ("meteor15_rows", (*of_15, table, 15, 40))):
        found, expected = (getattr(kernel, name)(*call) for kernel in (engine.kernel, plain))
        assert np.asarray(found).tolist() == expected


@given(call=calls())
def test_alignments_of_nltk(call):
    arguments, _ = call
    expected = plain.meteor_rows(*arguments)
    assert np.asarray(engine.kernel.meteor_rows(*arguments)).tolist() == expected


@given(pairs=tables)
def test_tables_of_paraphrases(pairs):
    vocabulary, *arrays = engine.kernel.paraphrase_table(table_text(pairs))
    expected = plain.paraphrase_table(table_text(pairs))
    assert (bytes(vocabulary), *(np.asarray(one).tolist() for one in arrays)) == expected


# Everything that a rule of nltk's words looks at, and characters that the kernel knows, or leaves to Python.
PIECES = (
    *"'\"`.,:;?!()[]{}<>*%&-_ \n\tabStsdm12", *"“”’‘«»„éÉÿ—ſİı€½²×ß中ΣφΦЯ;\u200b\u0345",
    *["''", "``", "..", "--", "re", "ll", "n't", "N'T", "'ll", "'S ", "' ", ". ",
      "cannot", "gonna", "wanna", "'tis", "'twas", "more'n", "d'ye",
      "GIMME", "lemme", "gotta", "running"],
    "\xa0", "\u2028", "\x1c", " ",
)  # fmt: skip
odd_texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


EMPTY = [b""] * 4
BOTH = [kernel.WordNet(EMPTY, EMPTY, EMPTY) for kernel in (engine.kernel, plain)]


def known_words(kernel, net, texts):
    words, *arrays = net.words(kernel.texts(texts), lower_words)
    return words.decode().split("\n"), *(np.asarray(array).tolist() for array in arrays)


@given(texts=st.lists(odd_texts | st.text(max_size=20), max_size=5))
def test_words_and_stems(texts):
    one, other = (known_words(kernel, net, texts) for kernel, net in zip((engine.kernel, plain), BOTH, strict=True))
    assert one == other


def test_words_of_all_short_texts():
    """And words that are contracted, across every place of a block of 64 bytes."""
    contracted = ("cannot", "d'ye", "gimme", "gonna", "gotta", "lemme", "more'n", "wanna", "'tis", "'twas")
    texts = [f"{'x' * n} {word} y" for n in range(54, 67) for word in contracted]
    texts += map("".join, [*product(PIECES, repeat=2), *product(",:.'\" \na", repeat=3)])
    one, other = (known_words(kernel, net, texts) for kernel, net in zip((engine.kernel, plain), BOTH, strict=True))
    assert one == other


@pytest.mark.parametrize(("text", "words"), [
    # Where a space comes before an apostrophe, and when, decides which ending is apart.
    ("x's' y", "x 's ' y"), ("x's')", "x's ' )"), ("x's',", "x 's ' ,"), ("x's'.", "x 's ' ."), ("x's'", "x's '"),
    ("couldn't've'd", "couldn't 've 'd"), ("'a' 'bc' n't", "' a ' 'bc ' n't"), ("'Ll We'Ll", "'ll we'll"),
    ("a,,b c,, 1,2:", "a , ,b c , , 1,2 :"), ("(''a'' \"''b\"", "( `` a '' `` '' b ''"), ("```\"a", "`` ` `` a"),
    ("a.\") . ..", "a. '' ) . .."), ("a. \" ] ", "a. `` ]"), ("a.'']”\n", "a . '' ] ”"), (".", "."),
    ("more'n'tis", "more 'n 't is"), ("---", "-- -"), ("\u0391\u03a3", "\u03b1\u03c2"),
    ("'twas'tis wanna. Wanna x-CANNOT", "'t was 'tis wanna. wan na x- can not"),
    ("more'n-cannot'tis-'tis-wanna-d'ye'twas", "more 'n - can not 't is -'tis-wanna- d 'ye 't was"),
])  # fmt: skip
def test_words_of_marks(text, words):
    for kernel, net in zip((engine.kernel, plain), BOTH, strict=True):
        own, ids, *_ = known_words(kernel, net, [text])
        assert " ".join(own[i] for i in ids) == words


NAMES = [
    "car", "auto", "autos", "dish", "dishes", "go", "went", "tall", "taller", "Auto", "sea_dog", "cr\xe8me", "men",
    "man",
]  # fmt: skip
names = st.sampled_from(NAMES)


@st.composite
def wordnets(draw):
    """Files of WordNet: index, exceptions and data of four parts of speech, with lines at their place or not."""
    files = [], [], []
    for kind in "nvar":
        end, data, senses = draw(st.sampled_from(["\n", "\r\n"])), "  1 No licence.\n", {}
        for words in draw(st.lists(st.lists(names, min_size=1, max_size=4), max_size=4)):
            number = f"{len(data.encode()) + draw(st.sampled_from([0, 0, 1, 7])):08d}"
            for word in words:
                senses.setdefault(word, []).append(number)
            marked = " ".join(f"{word}{'(p)' if kind == 'a' else ''} 0" for word in words)
            data += f"{number} 03 {kind} {len(words):02x} {marked} 000 | of our own{end}"
        index = [f"{word} {kind} {len(own)} 0 {len(own)} 0 {' '.join(own)}{end}" for word, own in senses.items()]
        irregular = draw(st.lists(st.lists(names, min_size=1, max_size=3).map(" ".join), max_size=3))
        for file, text in zip(files, ("  1 x\n" + "".join(index), end.join([*irregular, ""]), data), strict=True):
            file.append(text.encode())
    return files


@given(files=wordnets(), calls=st.lists(st.lists(names, max_size=6), min_size=1, max_size=3))
def test_synonyms(files, calls):
    one, other = (kernel.WordNet(*files) for kernel in (engine.kernel, plain))
    assert one.counted() == other.counted()
    assert [one.names(name) for name in NAMES] == [other.names(name) for name in NAMES]
    # What a call has found, the next one knows.
    for words in calls:
        texts = [" ".join(words), "auto"]
        assert known_words(engine.kernel, one, texts) == known_words(plain, other, texts)


@pytest.mark.parametrize("kernel", [engine.kernel, plain], ids=["kernel", "plain"])
def test_a_line_that_lacks_something_is_named(kernel):
    data, index = b"00000000 03 n 02 car 0 | of our own\n", b"car n 1 0 1 0 00000000\n"
    with pytest.raises(ValueError, match=r"index\.noun: car lacks numbers"):
        kernel.WordNet([b"car n 2 0 1 0 00000000\n", b"", b"", b""], [b""] * 4, [data, b"", b"", b""])
    for lines, message in ((data, "line 00000000 has 1 of 2 words"), (b"", "no line 00000000")):
        net = kernel.WordNet([b"", index, b"", b""], [b""] * 4, [b"", lines, b"", b""])
        with pytest.raises(ValueError, match=rf"data\.verb: {message}"):
            net.names("car")


def test_words_of_a_function_are_texts():
    if engine.kernel is plain:
        pytest.skip("plain Python checks no words")
    column = engine.kernel.texts(["中"])
    for wrong in (lambda _: "a", lambda _: [1], lambda _: [None]):
        with pytest.raises(TypeError, match="list of str"):
            BOTH[0].words(column, wrong)


def test_half_credits_are_cut():
    # a b c / a x c: a stem match of one word in its place is free, so it is taken where nothing else is there.
    words = words_of([0, 1, 1], [[], [], []], [0, 0, 0], [NO_WORD] * 3)
    call, table = pair([0, 1], [0, 2], words), table_of(b"")
    [row] = np.asarray(engine.kernel.meteor15_rows(*call, table, 3, 40)).tolist()
    assert row == [2, 2, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2]
    matches = np.asarray(engine.kernel.meteor15_matches(*call, table, 3, 40)).tolist()
    assert matches == [[0, 1, 0, 1, 0], [1, 1, 1, 1, 1]]


def test_nltk_takes_words_from_the_back():
    words = words_of([0, 1], [[], []], [0, 0], [NO_WORD] * 2)
    call = pair([0], [0, 1, 0], words)
    assert np.asarray(engine.kernel.meteor_matches(*call)).tolist() == [[2, 1, 0, 1, 0]]
    assert np.asarray(engine.kernel.meteor_rows(*call)).tolist() == [[1, 1, 1, 3]]


@pytest.mark.parametrize("kernel", [engine.kernel, plain], ids=["kernel", "twin"])
def test_stems_of_both_sides_are_compared(kernel):
    # 2 is the stem of 0 and of 1, and no word of either text; 3 is a word of its own.
    words = words_of([2, 2, 2, 3], [[], [], [], []], [0] * 4, [NO_WORD] * 4)
    for hypothesis, reference, expected in [([0], [1], 1), ([1], [0], 1), ([0], [2], 1), ([2], [0], 1), ([0], [3], 0)]:
        found = kernel.meteor_rows(*pair(hypothesis, reference, words))
        assert np.asarray(found).tolist() == [[expected, expected, 1, 1]]


@pytest.mark.parametrize("kernel", [engine.kernel, plain], ids=["kernel", "twin"])
@pytest.mark.parametrize(("matchers", "n_equal", "n_other"), [(1, 2, 2), (2, 0, 2), (4, 0, 2), (8, 0, 2), (15, 2, 2)])
def test_in_equal_texts_only_equal_words_match(kernel, matchers, n_equal, n_other):
    """As in the program, whatever the matchers: two words of a text with one meaning do not stand for each other."""
    table = table_of(b"0.5\n0\n1\n", b"0\n1\n")
    words = words_of([0, 0], [[7], [7]], [0, 0], [0, 1])
    for reference, n in (([0, 1], n_equal), ([1, 0], n_other)):
        [row] = np.asarray(kernel.meteor15_rows(*pair([0, 1], reference, words), table, matchers, 40)).tolist()
        assert row[21:] == [n, n]


@pytest.mark.parametrize("kernel", [engine.kernel, plain], ids=["kernel", "twin"])
@pytest.mark.parametrize(("hypothesis", "reference", "matched"), [
    # The table has "0 1" for "2": a phrase of which one word is taken is not free, whichever word it is.
    ([0, 1], [1, 2], [1, 1, 1]),
    ([0, 1], [0, 2], [1, 1, 1]),
    ([0, 1], [2, 1], [1, 1, 1]),
    ([0, 1], [2, 3], [1, 2, 1]),
    ([2], [3, 0, 1], [1, 1, 2]),
    ([1, 2], [0, 1, 3], [1, 1, 1]),
    ([0, 1, 0, 1], [1, 2], [1, 3, 2]),
])  # fmt: skip
def test_phrases_of_taken_words(kernel, hypothesis, reference, matched):
    table = table_of(b"0.5\n0 1\n2\n", b"0\n1\n2\n")
    words = words_of(range(4), [[]] * 4, [0] * 4, [0, 1, 2, NO_WORD])
    [row] = np.asarray(kernel.meteor15_rows(*pair(hypothesis, reference, words), table, 9, 40)).tolist()
    # Chunks, matched words of the hypothesis and of the reference.
    assert row[20:] == matched


KERNELS = pytest.mark.parametrize("kernel", [engine.kernel, plain], ids=["kernel", "twin"])


@KERNELS
@pytest.mark.parametrize(("hypothesis", "reference", "beam_size"), [("aab", "babb", 40), ("ab", "baba", 2)])
def test_a_chunk_that_may_go_on_has_not_ended(kernel, hypothesis, reference, beam_size):
    """The chunk "a b" goes on behind the word that is read, and is worth as much as a shorter one until it ends."""
    table = table_of(b"")
    words = words_of([0, 1], [[], []], [0, 0], [NO_WORD] * 2)
    call = pair(*(["ab".index(word) for word in side] for side in (hypothesis, reference)), words)
    [row] = np.asarray(kernel.meteor15_rows(*call, table, 1, beam_size)).tolist()
    assert row[20:] == [1, 2, 2]


@KERNELS
def test_a_text_behind_an_empty_one_has_its_own_phrases(kernel):
    """Both begin at the same place."""
    table = table_of(b"0.5\n0\n1\n")
    words = words_of([0, 1], [[], []], [0, 0], [0, 1])
    call = (np.array([0, 1], np.uint32), np.array([0, 0, 1, 2]), np.array([0, 1]), np.array([2, 2]), words)
    empty, full = np.asarray(kernel.meteor15_rows(*call, table, 15, 40)).tolist()
    assert (empty[20:], full[20:]) == ([0, 0, 0], [0, 1, 1])


@KERNELS
def test_irregular_words_have_no_endings(kernel):
    data = b"00000000 03 n 01 car 0 000 | a\n00000027 03 n 01 auto 0 000 | a\n"
    assert data.index(b"00000027") == 31
    data = data.replace(b"00000027", b"00000031")
    index = b"car n 1 0 1 0 00000000\nauto n 1 0 1 0 00000031\n"
    for exceptions, names in ((b"", ["auto"]), (b"autos car\n", ["car"]), (b"autos car auto\n", ["auto", "car"])):
        net = kernel.WordNet([index, b"", b"", b""], [exceptions, b"", b"", b""], [data, b"", b"", b""])
        assert net.names("autos") == names


@KERNELS
def test_of_lines_with_one_number_that_at_its_place_counts_else_the_last(kernel):
    index = [b"car n 1 0 1 0 %08d\n", b"", b"", b""]
    lines = [b"%08d 03 n 01 a 0 000 | x\n", b"%08d 03 n 01 b 0 000 | x\n", b"%08d 03 n 01 c 0 000 | x\n"]
    size = len(lines[0] % 0)
    for number, name in ((7, "c"), (0, "a"), (size, "b"), (2 * size, "c")):
        data = b"".join(line % number for line in lines)
        net = kernel.WordNet([index[0] % number, *index[1:]], [b""] * 4, [data, b"", b"", b""])
        assert net.names("car") == [name]


@pytest.mark.parametrize("broken", [np.full(3, 2**32 - 1, np.uint32), np.zeros(0, np.uint32)])
def test_a_broken_table_matches_nothing(broken):
    words = words_of([0, 1], [[], []], [0, 0], [0, 1])
    [row] = np.asarray(engine.kernel.meteor15_rows(*pair([0], [1], words), (broken,) * 4, 15, 40)).tolist()
    assert row[20:] == [0, 0, 0]


def test_refused():
    words = words_of([0], [[]], [0], [NO_WORD])
    table = table_of(b"")
    if engine.kernel is plain:
        pytest.skip("plain Python checks no arrays")
    with pytest.raises(ValueError, match="ids"):
        engine.kernel.meteor_rows(np.array([1], np.uint32), np.array([0, 1]), np.array([0]), np.array([0]), words)
    one = (np.array([0], np.uint32), np.array([0, 1]), np.array([0]), np.array([0]))
    for wrong in (tuple(part.astype(np.int64) for part in table), tuple(part.tolist() for part in table), table[:3]):
        with pytest.raises(ValueError, match="^table: "):
            engine.kernel.meteor15_rows(*one, words, wrong, 15, 40)
    with pytest.raises(ValueError, match="^words: "):
        engine.kernel.meteor15_rows(*one, tuple(part.astype(np.int64) for part in words), table, 15, 40)
    with pytest.raises(ValueError, match="hypotheses"):
        engine.kernel.meteor_rows(np.array([0], np.uint32), np.array([0, 1]), np.array([0]), np.array([1]), words)


@pytest.mark.parametrize(("text", "line"), [(b"x\na\nb\n", 1), (b"0.5\na\nb\n\na\nb\n", 4)])
def test_a_table_has_numbers(text, line):
    with pytest.raises(ValueError, match=f"^line {line}: "):
        engine.kernel.paraphrase_table(text)
