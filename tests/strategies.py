import unicodedata

from hypothesis import strategies as st

hostile = st.text(
    st.one_of(
        st.sampled_from("ab5 .,-&<>;'\"\n\t\x1c\x85\u00a0\u3000\u0130\u212aKéé猫の한"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=40,
)
pieces = st.lists(
    st.sampled_from(["<skipped>", "-\n", "&quot;", "&amp;", "&lt;", "the", "cat", "5.5", "..", ",", "1-2", " ", "-"]),
    max_size=15,
).map("".join)
text = st.one_of(hostile, pieces)
words = st.lists(st.sampled_from(["a", "b", "c", "running", "runners", "\n"]), max_size=70).map(" ".join)

# Texts that share much, so that matches of high orders occur, in several scripts.
_COMMON = [
    "the", "The", "cat", "cats,", "sat", "on", "a", "mat.", "5.5", "1,000", "-", "x-\n", "&quot;", "猫", "が座った。",
    "ΣΑΣ", "İ", "$5", "“no”", "\u2026", "\u3000", "end.", "10-12", "5.", ".5", "..", "\u0661,",
]  # fmt: skip
overlapping = st.lists(st.sampled_from(_COMMON), max_size=14).flatmap(
    lambda pieces: st.sampled_from([" ", "", "\t"]).map(lambda gap: gap.join(pieces))
)
# Categories of unassigned code points differ between Unicode versions.
assigned = text.filter(lambda t: all(unicodedata.category(c) != "Cn" for c in t))
segment = st.one_of(overlapping, overlapping, assigned)
corpora = st.lists(st.tuples(segment, st.lists(segment, min_size=1, max_size=3)), min_size=1, max_size=4)
