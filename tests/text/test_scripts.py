"""What samples tell about scripts: normal forms, width, text without spaces."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textgauge.text.scripts import Sample, differ_in_normal_form, differ_in_width

# Letters with marks, their marks, letters that NFC decomposes, jamo and syllables.
letters = st.text(
    st.sampled_from(
        "aueox \u0301\u0302\u0308\u0323\u00e4\u00fc\u1ebf\u1ec7\u00ea\u212b\u0915\u0958\u093c\ud55c\u1112\u1161\u11ab"
    ),
    max_size=12,
)


@given(st.one_of(letters, st.text()), st.one_of(letters, st.text()), st.sampled_from(["NFC", "NFD"]))
def test_texts_in_one_form(left, right, form):
    assert not differ_in_normal_form(unicodedata.normalize(form, left), unicodedata.normalize(form, right))
    assert not differ_in_normal_form(left, left)


@given(letters)
def test_a_text_differs_from_its_other_form(text):
    forms = [unicodedata.normalize(form, text) for form in ("NFC", "NFD")]
    assert differ_in_normal_form(*forms) is differ_in_normal_form(*forms[::-1]) is (forms[0] != forms[1])


@pytest.mark.parametrize(
    ("left", "right", "differ"),
    [
        ("\u00e4", "a\u0308", True),
        # NFC takes these apart: one is in another form, whichever side has it.
        ("\u0958", "\u0915\u093c", True),
        ("\u212b", "\u00c5", True),
        # Its parts stand apart on the same side.
        ("\u0958 \u0915\u0916\u093c", "\u0915\u093c \u0916\u093c", True),
        ("\u1ec7", "\u00ea\u0323", True),
        ("\ud55c", "\u1112\u1161\u11ab", True),
        # The letter is in the other text in no form, but perhaps a part of it.
        ("\u00e4", "a", False),
        ("\u0958", "\u0915", False),
    ],
)
def test_forms_of_letters(left, right, differ):
    assert differ_in_normal_form(left, right) is differ_in_normal_form(right, left) is differ


@given(st.text(), st.text())
def test_texts_of_usual_width_do_not_differ(left, right):
    assert not differ_in_width(*(unicodedata.normalize("NFKC", text) for text in (left, right)))
    assert not differ_in_width(left, left)


@pytest.mark.parametrize(
    ("left", "right", "differ"),
    [
        ("\uff2e\uff28\uff2b \u304c", "NHK \u304c", True),
        ("\uff11\uff12 km", "12 km", True),
        ("\uff76\uff9e\uff7d", "\u30ac\u30b9", True),
        # Marks of punctuation; other words; both widths on one side.
        ("\u597d\uff0c\u597d\uff01", "\u597d,\u597d!", False),
        ("\uff11\u4f4d", "2011\u5e74", False),
        ("\uff2e\uff28\uff2b NHK", "NHK", False),
        ("\ufb01ne \u00bd \u2460", "fine 1/2 1", False),
    ],
)
def test_width(left, right, differ):
    assert differ_in_width(left, right) is differ_in_width(right, left) is differ


sides = st.text(st.sampled_from("aBn0 \n'\u2019\u4e00\u3042\uff2e\uff41\uff76\u30ab\u00e9"), max_size=24)


@given(sides, sides)
def test_shortcuts_of_samples_change_nothing(left, right):
    sample = Sample(left.encode(), right.encode())
    assert sample.differ_in_width() is differ_in_width(left, right)
    tokens = f"{left}\n{right}".split()
    n_unspaced = sum(mark in "\u4e00\u3042\u30ab" for mark in left + right)
    is_unsplit = n_unspaced > (len(left) + len(right) + 1) / 3 and n_unspaced > 4 * len(tokens)
    assert sample.is_unsplit_by(str.split) is is_unsplit


@pytest.mark.parametrize(
    ("n_others", "words", "are_many"),
    [
        # More than one in 20, or three in 20 of one word; the empty text of the other side counts as a word.
        (17, "\xe4 \xdf", True),
        (37, "\xe4 \xdf", False),
        (16, "\xe4 \xe4 \xe4", False),
        (15, "\xe4 \xe4 \xe4 \xe4", True),
        (0, "5 \xd7 5 \xf7 \u03b1 \u201ca\u201d \U0001f600", False),
        (0, "\u03b1\u03b2", True),
    ],
)
def test_many_words_with_letters_outside_ascii(n_others, words, are_many):
    text = "a " * n_others + words
    assert Sample(text.encode(), b"").has_wide_words is Sample(b"", text.encode()).has_wide_words is are_many
