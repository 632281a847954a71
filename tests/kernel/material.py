"""Tokens and texts to count, split by the branches that a kernel may have; results as plain lists."""

from random import Random

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from quick import examples
from textgauge import plain
from textgauge.plain.characters import character_table, fill_page

# Drawing may be slow on a busy machine.
few = settings(max_examples=examples(50), suppress_health_check=[HealthCheck.too_slow])
many = settings(few, max_examples=examples(100))

# Around the widths of words of 64 bits, and below the orders of n-grams.
SIZES = [0, 1, 2, 3, 5, 20, 63, 64, 65, 127, 128, 129, 200]
KINDS = [1, 2, 4, 30, 1000]
sizes = st.sampled_from(SIZES)
# One number to draw instead of one for every token.
seeds = st.integers(0, 2**32 - 1).map(Random)


def texts_of_ids(size=sizes):
    """Texts as lists of numbers: of few and of many kinds, in random order or in runs."""
    pairs = st.tuples(size, st.sampled_from(KINDS))
    return pairs.flatmap(lambda pair: st.one_of(random_text(*pair), runs(*pair)))


def random_text(n, n_kinds):
    return seeds.map(lambda random: [random.randrange(n_kinds) for _ in range(n)])


def runs(n, n_kinds):
    period = st.lists(st.integers(0, n_kinds - 1), min_size=1, max_size=7)
    return period.map(lambda tokens: (tokens * (n // len(tokens) + 1))[:n])


def changed(text):
    """The same text with tokens dropped, added or moved: texts that share much."""

    def change(random):
        tokens = list(text)
        for _ in range(random.randrange(6)):
            at = random.randrange(len(tokens) + 1)
            move = random.randrange(3)
            if move == 0:
                del tokens[at : at + random.randrange(4)]
            elif move == 1:
                tokens[at:at] = [random.randrange(8) for _ in range(random.randrange(3))]
            else:
                run = tokens[at : at + random.randrange(9)]
                del tokens[at : at + len(run)]
                to = random.randrange(len(tokens) + 1)
                tokens[to:to] = run
        return tokens

    return seeds.map(change)


def segments_of(size=sizes, max_references=3):
    """A hypothesis and its references."""

    def with_references(hypothesis):
        references = st.lists(st.one_of(changed(hypothesis), texts_of_ids(size)), min_size=1, max_size=max_references)
        return references.map(lambda others: [hypothesis, *others])

    return texts_of_ids(size).flatmap(with_references)


segments = st.lists(segments_of(), min_size=0, max_size=4)
small_segments = st.lists(segments_of(st.integers(0, 9)), min_size=0, max_size=6)


def rare(random, n, n_kinds):
    """A text of few frequent tokens and many rare ones: the kernel keeps bits of the first and places of the others.

    The first of the rare ones, with which it begins, is in all texts.
    """
    tokens = np.where(random.random(n) < 0.2, random.integers(0, 8, n), random.integers(0, n_kinds, n))
    return [n_kinds, *tokens[1:].tolist()]


def sentences_of(text, random):
    """Cut a text into sentences, some of them empty."""
    cuts = sorted(random.randrange(len(text) + 1) for _ in range(random.randrange(6)))
    return [text[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(text)], strict=True)]


def cut_segments(size=sizes):
    """Segments of texts of sentences."""
    return st.tuples(st.lists(segments_of(size, 2), max_size=3), seeds).map(
        lambda pair: [[sentences_of(text, pair[1]) for text in segment] for segment in pair[0]]
    )


def dense(segment):
    """Number the tokens of texts from 0, in the order in which they appear."""
    number = {}
    return [[number.setdefault(token, len(number)) for token in text] for text in segment]


def offsets(lengths):
    return np.cumsum([0, *lengths], dtype=np.int64)


def ids_of(texts):
    return np.array([token for text in texts for token in text], np.uint32)


def tokens_of(kernel, segments):
    """Make Tokens of segments, lists of texts of numbers."""
    texts = [text for segment in segments for text in dense(segment)]
    return kernel.Tokens(ids_of(texts), offsets(map(len, texts)), offsets(map(len, segments)))


def tokens_of_sentences(kernel, segments, wholes=None):
    """Make Tokens of segments of texts of sentences; `wholes` are the texts if they differ from these."""
    numbered = []
    for i, segment in enumerate(segments):
        texts = [sum(text, []) for text in segment] if wholes is None else wholes[i]
        rows = dense([*texts, *(sentence for text in segment for sentence in text)])
        numbered.append((rows[: len(texts)], rows[len(texts) :]))
    texts = [text for rows, _ in numbered for text in rows]
    sentences = [sentence for _, rows in numbered for sentence in rows]
    return kernel.Tokens(
        ids_of(texts), offsets(map(len, texts)), offsets(map(len, segments)),
        ids_of(sentences), offsets(map(len, sentences)), offsets(len(text) for segment in segments for text in segment),
    )  # fmt: skip


def pairs_of(segments):
    return [(segment[0], reference) for segment in segments for reference in segment[1:]]


def lcs_lengths(kernel, tokens, **threads):
    """The length of the LCS of every pair."""
    return [row[0][0] for row in listed(kernel.pair_counts(tokens, np.array([0], np.int32), **threads))]


def listed(value):
    """The result of a kernel as nested lists of Python numbers and texts."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, bytes):
        return list(value)
    return [listed(part) for part in value] if isinstance(value, (list, tuple)) else value


def arrays(tokens):
    """All attributes of Tokens."""
    names = ("ids", "offsets", "segments", "sentence_ids", "sentence_offsets", "text_sentences")
    return {name: listed(getattr(tokens, name)) for name in names}


HOSTILE = (
    "ab5AZz09 ..,,--&<>;'\"_$%()\0\t\n\v\f\r\x1c\x1d\x1e\x1f\x7f"
    "\x80\x85\u00a0\u00ad\u1680\u2000\u200a\u200b\u2028\u2029\u202f\u205f\u3000\ufeff"
    "\u0130\u212a\u0131\u017f\u00df\u03a3\u03c2\u00e9\u0301\u20dd\u0660\u00b2\u2167\u201c\u2026\u20ac\u2190"
    "\u732b\u304c\u30cd\u0e01\u0e31\uff0e\uff11\U0001f600\U00020000\u0627\u0644"
    "\u4dff\u4e00\u9fa5\u9fa6\u9fbb\u2a6d\u2a6e\ua000"
)
PIECES = [
    "<skipped>", "<skip", "-\n", "\n", "&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "&quo",
    "the", "The", "an", "a", "cats", "5.5", "1,000", "1-2", "..", "...", ".5", "5.", ",", "-", " ", "  ", "x",
    "U.S.", "running", "\u732b\u304c", "e\u0301", "\u0627\u0644", "\u201cno\u201d",
    "der", "cu\u0309a", "c\u1ee7a", "l\u00e0", "_a_", "a'b",
]  # fmt: skip
hostile = st.text(st.sampled_from(HOSTILE), max_size=12)
mixed = st.lists(st.one_of(st.sampled_from(PIECES), st.sampled_from(HOSTILE)), max_size=14).map("".join)
any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=10)
# Tokens of more than 8 bytes, with surroundings.
long_words = st.builds(lambda c, n, end: c * n + end, st.sampled_from("ab5\u00e9\u732b.-"), st.integers(7, 70), mixed)
text = st.one_of(hostile, mixed, any_text, long_words)
texts = st.lists(text, max_size=6)


def table_for(texts):
    """The table of characters, with the entries for some texts."""
    plain.folded(plain.Texts(texts), character_table(), fill_page, None)
    return character_table()
