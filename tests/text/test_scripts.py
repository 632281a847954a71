"""What samples tell about scripts: normal forms, width, text without spaces."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textgauge import engine
from textgauge.text.scripts import BEGINNINGS, Sample, differ_in_normal_form, differ_in_width

# Letters with marks, their marks, letters that NFC decomposes, jamo and syllables.
letters = st.text(
    st.sampled_from(
        "aueox \u0301\u0302\u0308\u0323\u00e4\u00fc\u1ebf\u1ec7\u00ea\u212b\u0915\u0958\u093c\ud55c\u1112\u1161\u11ab"
    ),
    max_size=12,
)


def sample_of(left, right):
    return Sample(*(engine.kernel.texts(side).beginnings(*BEGINNINGS) for side in (left, right)))


@given(st.one_of(letters, st.text()), st.one_of(letters, st.text()), st.sampled_from(["NFC", "NFD"]))
def test_two_texts_in_one_form_do_not_differ(left, right, form):
    assert not differ_in_normal_form(unicodedata.normalize(form, left), unicodedata.normalize(form, right))
    assert not differ_in_normal_form(left, left)


@given(letters)
def test_a_text_differs_from_its_other_form(text):
    forms = [unicodedata.normalize(form, text) for form in ("NFC", "NFD")]
    assert differ_in_normal_form(*forms) is differ_in_normal_form(*forms[::-1]) is (forms[0] != forms[1])


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("\u212bngstr\u00f6m", "\u00c5ngstr\u00f6m"),
        ("vi\u1ec7t", "vi\u00ea\u0323t"),
        ("\u0958\u0932\u092e", "\u0915\u093c\u0932\u092e"),
        ("\ud55c\uad6d", "\u1112\u1161\u11ab"),
        ("\u304c", "\u304b\u3099"),
    ],
)
def test_one_letter_in_two_forms_is_found(left, right):
    assert differ_in_normal_form(left, right)
    assert differ_in_normal_form(right, left)
    assert not differ_in_normal_form(*(unicodedata.normalize("NFC", text) for text in (left, right)))


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


def test_a_sample_is_bounded():
    sample = sample_of(["\u732b" * 10_000] * 1000, ["a" * 10_000] * 1000)
    assert sample.hypotheses.decode() == ("\u732b" * 66 + "\n") * 16
    assert sample.references == (b"a" * 200 + b"\n") * 16


def test_letters_and_spaces():
    assert sample_of(["caf\u00e9"], ["\u201cabcd\u201d"]).share_of_wide_letters() == 1 / 8
    assert sample_of(["\u2026"], [""]).share_of_wide_letters() == 0
    thai = sample_of(["\u0e41\u0e21\u0e27\u0e19\u0e31\u0e48\u0e07" * 2], ["ok"])
    assert thai.is_unsplit_by(str.split)
    assert not thai.is_unsplit_by(list)
    assert not sample_of(["\u4f60 \u597d \u4f60 \u597d"], []).is_unsplit_by(str.split)
