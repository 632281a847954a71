"""Hostile texts and corpora, for property tests and the fuzzer."""

import unicodedata

from hypothesis import strategies as st

PIECES = [
    "the", "The", "a", "an", "cat", "cats", "running", "runners", "yyyy", "U.S.", "Mr.", "e.g.", "A.", "I", "ied",
    "5", "1,000", "0.5", "-", "--", "5-6", "-\n", "<skipped>", "&quot;", "&amp;", "&lt;", "&gt;", "&am", "&", "<", ">",
    ".", "..", "...", ",", "!", "?", '."', ".)", "\u3002", "\uff01", "'s", "\u2019", "\u201d", "$", "%", "{", "~",
    " ", "  ", "\t", "\n", "\n\n", "\r\n", "\x00", "\x0b", "\x1c", "\x1f", "\x7f", "\x85", "\u00a0", "\u1680",
    "\u200b", "\u200d", "\u2003", "\u2028", "\u2029", "\u3000", "\ufeff", "\u0130", "\u0131", "\u017f", "\u1e9e",
    "\u212a", "\u03a3", "\u03c3", "\u03c2", "\u00df", "\u01c4", "e\u0301", "\u0301", "\u0345", "猫", "が", "の", "한국",
    "北京", "龥", "龦", "ال", "كتاب", "\u0661", "\u06f5", "ก็", "हिन्दी", "👩‍👩‍👧", "🏽", "\U0001d7d8", "\U00020000",
    "\u2001", "\u2a6d", "\ufe0f", "\u00ad", "\u1d400"[:1], "b" * 9, "b" * 40 + "ing", "c" * 130, "x1", "&amp;lt;",
]  # fmt: skip
# Every piece beside others, between spaces, in lines and without anything between: what few drawn texts have.
HARD_TEXTS = [gap.join(PIECES[i::9]) for gap in (" ", "", "\n") for i in range(9)]
character = st.characters(exclude_categories=["Cs"])
piece = st.one_of(st.sampled_from(PIECES), st.sampled_from(PIECES), character)
repeated = st.tuples(piece, st.integers(1, 80)).map(lambda pair: pair[0] * pair[1])
gaps = st.sampled_from(["", " ", " ", "\n", ". "])
text = st.one_of(
    st.tuples(gaps, st.lists(piece, max_size=20)).map(lambda pair: pair[0].join(pair[1])),
    st.lists(st.one_of(piece, repeated), max_size=5).map("".join),
    st.lists(st.sampled_from("abcd\n"), max_size=90).map(" ".join),
)


def is_assigned(texts):
    """Categories of unassigned code points differ between versions of Unicode, and so between tools."""
    return all(unicodedata.category(character) != "Cn" for text in texts for character in text)


def split(corpus):
    """Hypotheses, and their groups of references."""
    return [hyp for hyp, _ in corpus], [refs for _, refs in corpus]


@st.composite
def segments(draw):
    """A hypothesis and references that share much with it."""
    hyp = draw(text)
    words = hyp.split(" ")
    refs = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.integers(0, 3))
        start = draw(st.integers(0, len(words)))
        changed = words[:start] + [draw(piece)] + words[start + draw(st.integers(0, 2)) :]
        refs.append([draw(text), hyp, " ".join(changed), " ".join(words[start:] + words[:start])][kind])
    return hyp, refs


corpora = st.lists(segments(), min_size=1, max_size=4)

words = st.lists(st.sampled_from(["a", "b", "c", "running", "runners", "\n"]), max_size=70).map(" ".join)

# Texts that share much, so that matches of high orders occur, in several scripts.
_COMMON = [
    "the", "The", "cat", "cats,", "sat", "on", "a", "mat.", "5.5", "1,000", "-", "x-\n", "&quot;", "猫", "が座った。",
    "ΣΑΣ", "İ", "$5", "“no”", "\u2026", "\u3000", "end.", "10-12", "5.", ".5", "..", "\u0661,",
]  # fmt: skip
overlapping = st.lists(st.sampled_from(_COMMON), max_size=14).flatmap(
    lambda pieces: st.sampled_from([" ", "", "\t"]).map(lambda gap: gap.join(pieces))
)
assigned = text.filter(lambda line: is_assigned([line]))
segment = st.one_of(overlapping, overlapping, assigned)
# For comparisons with tools.
assigned_corpora = st.lists(st.tuples(segment, st.lists(segment, min_size=1, max_size=3)), min_size=1, max_size=4)
