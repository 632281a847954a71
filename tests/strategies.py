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
