"""Warnings: one per call, at the caller's line, and none without a reason."""

import functools
import gc
import json
import os
import re
import subprocess
import sys
import unicodedata
import warnings
from dataclasses import replace
from types import SimpleNamespace

import pytest
import textgauge
from declared import COUNTED
from textgauge import engine, plain
from textgauge.accumulation.named_score import score_of
from textgauge.accumulation.registry import METRICS
from textgauge.input import columns
from textgauge.input.columns import Corpus, corpus_of, text_column
from textgauge.metric import notes
from textgauge.metric.metric import with_defaults
from textgauge.metric.notes import Notes, TwoForms
from warned import warned

pytestmark = pytest.mark.filterwarnings("error")
SENTENCES = ["The dam broke. Nobody was hurt."], ["Nobody was hurt. The dam broke."]
EMPTY_ORDER = (
    "BLEU is 0 because no prediction is long enough for a {}-gram: pass `effective_order=True`, `max_order={}` or"
)
ONE_LINE = "rougeLsum equals rougeL here, since .* pass `split_summaries=True`, or put each sentence on its own line"


@pytest.mark.parametrize(("text", "order"), [("yes", 2), ("a cat", 3), ("a cat sat", 4)])
def test_bleu_of_short_texts_warns(text, order):
    with pytest.warns(UserWarning, match=EMPTY_ORDER.format(order, order - 1)) as told:
        assert textgauge.bleu([text], [text], all_orders=True, per_segment=True)["bleu"] == 0.0
    assert len(told) == 1
    assert told[0].filename == __file__
    with pytest.warns(UserWarning, match="BLEU is 0") as told:
        textgauge.load("bleu").compute(predictions=[text], references=[text])
    assert len(told) == 1
    for options in ({"effective_order": True}, {"max_order": order - 1}, {"smooth": True}):
        assert textgauge.bleu([text], [text], **options)["bleu"] > 0


@pytest.mark.parametrize(
    ("hyps", "refs", "options"),
    [
        (["a dog"], ["the cat"], {}),
        ([""], ["the cat"], {}),
        (["one two", "a cat sat down here"], ["one two", "a cat sat down here"], {}),
        (["a cat"], ["a cat"], {"weights": [0.5, 0.5, 0, 0]}),
    ],
)
def test_bleu_does_not_warn_without_cause(hyps, refs, options):
    textgauge.bleu(hyps, refs, **options)


def test_nltk_warns_of_an_order_without_a_match():
    with pytest.warns(UserWarning, match="the predictions share no 3-gram with their references, so BLEU is almost 0"):
        textgauge.bleu(["a cat sat"], ["a cat sits"], preset="nltk", max_order=3)


def test_rows_scored_one_by_one_raise_no_warning():
    score = textgauge.scorer("bleu", prediction_column="p", reference_column="r")
    assert score({"p": ["a"], "r": ["a"]})["bleu"].tolist() == [1.0]


@pytest.mark.parametrize("options", [{}, {"rouge_types": ["rougeLsum"]}, {"max_words": 8}, {"use_stemmer": True}])
def test_rouge_lsum_lacks_lines(options):
    with pytest.warns(UserWarning, match=ONE_LINE) as told:
        textgauge.rouge(SENTENCES[0] * 3000, SENTENCES[1] * 3000, **options)
    assert len(told) == 1
    assert told[0].filename == __file__
    with pytest.warns(UserWarning, match=ONE_LINE) as told:
        textgauge.load("rouge").compute(predictions=SENTENCES[0], references=SENTENCES[1], **options)
    assert len(told) == 1


@pytest.mark.parametrize(
    ("hyps", "refs", "options"),
    [
        (*SENTENCES, {"split_summaries": True}),
        (*SENTENCES, {"rouge_types": ["rougeL"]}),
        (*SENTENCES, {"preset": "rouge-1.5.5"}),
        (["The dam broke.\nNobody was hurt."], SENTENCES[1], {}),
        (SENTENCES[0] * 20, [*SENTENCES[1] * 19, "Nobody was hurt.\nThe dam broke."], {}),
        (["the dam broke"], ["The dam broke."], {}),
        (["Mr. Smith met Dr. Jones."], ["Dr. Jones was met by Mr. Smith."], {}),
        (["The dam broke"] * 3 + SENTENCES[0], ["It broke."] * 4, {}),
        ([], [], {}),
    ],
)
def test_rouge_does_not_warn_if_newlines_would_change_nothing(hyps, refs, options):
    textgauge.Rouge(**options).update(hyps, refs)


# ---- scripts and forms

CHINESE = ["委员会周二表示，新规定将从明年起生效。"], ["委员会周二表示，新规定将从明年开始生效。"]
THAI = ["คณะกรรมการกล่าวว่ากฎใหม่จะมีผลบังคับใช้"], ["คณะกรรมการกล่าวว่ากฎใหม่จะเริ่มมีผลบังคับใช้"]
JAPANESE = ["委員会は火曜日に新しい規則が適用されると述べた。"], ["委員会は火曜日に新しい規則を適用すると述べた。"]
GERMAN = "Herr Müller läuft täglich über die schöne Brücke"
IN_TWO_FORMS = {
    "normal form .*NFC": (GERMAN, unicodedata.normalize("NFD", GERMAN)),
    "width .*NFKC": ("ＮＨＫ ｓａｙｓ ｉｔ ｗｉｌｌ ｒａｉｎ ａｇａｉｎ", "NHK says it will rain again"),
    "normal form .* and in width .*NFKC": (
        "Ｅｓ ｗａｒ Müller läuft gern",
        unicodedata.normalize("NFD", "Es war Müller läuft gern"),
    ),
}
# Every metric of text as it is called for text outside ASCII.
# BLEU of single words, whose 0 would be told as well.
CALLS = {
    "bleu": functools.partial(textgauge.bleu, max_order=1),
    "token_f1": textgauge.token_f1,
    "rouge": functools.partial(textgauge.rouge, tokenizer="unicode"),
    "chrf": textgauge.chrf,
    "ter": textgauge.ter,
    "ter normalized": functools.partial(textgauge.ter, normalized=True, no_punct=True),
    "characters": functools.partial(textgauge.bleu, tokenizer="character", max_order=1),
}


@pytest.mark.parametrize("which", IN_TWO_FORMS)
@pytest.mark.parametrize("name", CALLS)
def test_letters_in_two_forms(name, which):
    for left, right in (IN_TWO_FORMS[which], IN_TWO_FORMS[which][::-1]):
        (text,) = warned(CALLS[name], [left] * 3, [right] * 3)
        assert re.search(which, text)
        form = re.search(r'pass `unicodedata.normalize\("(\w+)", text\)` for every text of both sides', text)[1]
        mended = [[unicodedata.normalize(form, text)] for text in (left, right)]
        assert mended[0] == mended[1]
        assert warned(CALLS[name], *mended) == []


@pytest.mark.parametrize(
    ("metric", "prediction", "references", "message"),
    [
        ("google_bleu", GERMAN, ["er läuft", unicodedata.normalize("NFD", GERMAN)], "normal form"),
        ("rouge", SENTENCES[0][0], SENTENCES[1], ONE_LINE),
    ],
)
def test_one_warning_for_all_batches(metric, prediction, references, message):
    import datasets

    datasets.disable_progress_bars()
    rows = datasets.Dataset.from_dict({"p": [prediction] * 10, "r": [references] * 10})
    with pytest.warns(UserWarning, match=message) as told:
        textgauge.score_dataset(rows, metric, prediction_column="p", reference_column="r", batch_size=2)
    assert [one.filename for one in told] == [__file__]


class OfATokenizer(UserWarning):
    """A class with a filter of its own."""


def test_warnings_keep_their_class():
    import datasets

    datasets.disable_progress_bars()

    def cut(text):
        warnings.warn("odd", OfATokenizer, stacklevel=1)
        return text.split()

    rows = datasets.Dataset.from_dict({"p": [GERMAN, ""] * 3, "r": [GERMAN] * 6})
    columns = {"prediction_column": "p", "reference_column": "r"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", OfATokenizer)
        textgauge.score_dataset(rows, textgauge.Bleu(tokenizer=cut), **columns)
    with pytest.warns(UserWarning, match="^9 texts are not empty but have no token"):
        textgauge.score_dataset(rows, textgauge.Bleu(tokenizer=lambda text: []), **columns)


VIETNAMESE = (
    "Việt Nam là một quốc gia nằm ở cực Đông của bán đảo",
    "Việt Nam nằm ở phía đông bán đảo Đông Dương nước ấy",
)
KOREAN = "위원회는 화요일에 새로운 규칙을 발표했다", "위원회는 새로운 규칙을 화요일에 공개했다"
HINDI = "समिति ने क़लम और फ़सल के नए नियम बताए", "क़लम और सड़क के नए नियम समिति ने बताए"
IN_ONE_FORM = {
    "German": (GERMAN, "Der schöne Müller läuft heute über eine Brücke"),
    "Vietnamese": VIETNAMESE,
    "Korean": KOREAN,
    "Hindi": HINDI,
    "Hindi with letters that NFC decomposes": tuple(
        text.replace("क़", "\u0958").replace("फ़", "\u095e").replace("ड़", "\u095c") for text in HINDI
    ),
    "typographic": ("“It is fine” – he said… it was ½ off №5", '"It is fine" - he said... it was 1/2 off No5'),
    "apostrophes of either kind": ("It’s fine, isn't it", "It's what he’s said, isn't it, It’s"),
    "apostrophes of other words": ("It’s fine", "It isn't ‘fine'"),
    "Turkish": ("İzmir güzel, İstanbul da", "İzmir'i gördüm, izmir de"),
    "Turkish capitals": ("IĞDIR ılık", "ığdır ılık ISPARTA"),
    "marks of any width": ("Yes， it is： good （really） said Müller", "Yes, it is: good (really) said Müller"),
    "another script": ("привет мир как дела", GERMAN),
    "Arabic": ("قال المجلس إن القواعد الجديدة سارية", "أعلن المجلس أن القواعد الجديدة تسري"),
}


@pytest.mark.parametrize("form", ["NFC", "NFD", None])
@pytest.mark.parametrize("which", IN_ONE_FORM)
def test_texts_in_one_form_raise_no_warning(which, form):
    sides = [text if form is None else unicodedata.normalize(form, text) for text in IN_ONE_FORM[which]]
    assert {name: warned(call, *([side] for side in sides)) for name, call in CALLS.items()} == dict.fromkeys(CALLS, [])


def test_a_function_may_know_that_letters_are_the_same():
    def composed(text):
        return unicodedata.normalize("NFKC", text)

    def split(text):
        return composed(text).split()

    for left, right in IN_TWO_FORMS.values():
        assert textgauge.bleu([left], [right], tokenizer=split)["bleu"] == 1.0
        assert textgauge.token_f1([left], [right], normalizer=composed)["f1"] == 1.0


SEEN_BY_ALL = {
    "sacrebleu": textgauge.sacrebleu, "nist_mt": textgauge.nist_mt, "google_bleu": textgauge.google_bleu,
    "chrf": textgauge.chrf, "ter": textgauge.ter, "wer": textgauge.wer, "cer": textgauge.cer,
    "character": textgauge.character, "cider": functools.partial(textgauge.cider, tokenizer="whitespace"),
    "token_f1": functools.partial(textgauge.token_f1, normalizer="lower"), "squad": textgauge.squad,
    "exact_match": functools.partial(textgauge.exact_match, ignore_case=True),
}  # fmt: skip
LOWERING = {
    "ter": textgauge.ter, "chrf": functools.partial(textgauge.chrf, lowercase=True),
    "wer": functools.partial(textgauge.wer, lowercase=True), "token_f1": textgauge.token_f1,
    "rouge": functools.partial(textgauge.rouge, tokenizer="unicode"),
    "exact_match": functools.partial(textgauge.exact_match, ignore_case=True),
}  # fmt: skip
CURLY = "he said that it\u2019s fine and they don\u2019t mind"
DOTTED = "\u0130zmir is a town near \u0130stanbul they said to us again"


@pytest.mark.parametrize("name", SEEN_BY_ALL)
def test_apostrophes_in_two_forms(name):
    straight = CURLY.replace("\u2019", "'")
    for sides in ((CURLY, straight), (straight, CURLY)):
        [text] = [one for one in warned(SEEN_BY_ALL[name], *([side, "a b c d e"] for side in sides)) if "differ" in one]
        assert "differ in apostrophes (curly or straight)" in text
        line = re.search(r"pass `(.*)` for every text", text)[1]
        mended = [[eval(line, {"text": side}), "a b c d e"] for side in sides]
        assert mended[0] == mended[1]
        assert not any("differ" in one for one in warned(SEEN_BY_ALL[name], *mended))


# What is told, and two texts that are equal but for it.
LEFT_IN_TEXT = [
    ("marks of subwords, such as '@@ ", "the un@@ likely house is lo@@ cked", "the unlikely house is locked"),
    (
        "marks of subwords, such as '@@ ",
        "\u2581the \u2581un likely \u2581house \u2581is \u2581locked",
        "the unlikely house is locked",
    ),
    ("marks of subwords, such as '@@ ", "the un ##likely house is locked", "the unlikely house is locked"),
    ("marks of subwords, such as '@@ ", "\u2581the \u2581un like ly ho use", "the unlikelyhouse"),
    ("special tokens of a", "the unlikely house is locked</s> <pad> <|im_end|>", "the unlikely house is locked"),
    ("characters of HTML", "a cat &lt; a dog don&#39;t go", "a cat < a dog don't go"),
    ("control characters in", "the \x0crac{1}{2} of it", r"the \frac{1}{2} of it"),
    ("invisible characters ", "an app\u200ble pie", "an apple pie"),
    ("in spaces", "a\u202fcat and a dog", "a cat and a dog"),
    ("letters that look alike ", "aceast\u0103 \u0163ar\u0103 veche", "aceast\u0103 \u021bar\u0103 veche"),
    ("letters that look alike ", "\ufb01ne o\ufb03ce", "fine office"),
    (
        "letters that look alike ",
        "\u06a9\u062a\u0627\u0628 \u0639\u0644\u064a",
        "\u06a9\u062a\u0627\u0628 \u0639\u0644\u06cc",
    ),
    ("in digits", "\u0661\u0662 cats sat", "12 cats sat"),
    ("marks of subwords, such as '@@ ", "the</w> un likely</w> house</w>", "the unlikely house"),
    ("marks of subwords, such as '@@ ", "a well @-@ known state @,@ owned bank", "a well-known state,owned bank"),
    ("marks of subwords, such as '@@ ", "the un\uffed likely house is lock \uffeded", "the unlikely house is locked"),
    ("marks of subwords, such as '@@ ", "\u2581the\u2581unlikely\u2581house", "the unlikely house"),
    ("marks of subwords, such as '@@ ", "The\u0120unlikely\u0120house", "The unlikely house"),
    ("special tokens of a", "[INST] <|0.00|> the house<|2.40|> <EOS>", "the house"),
    ("special tokens of a", "<thinking> <extra_id_0> <<SYS>> the house <sep>", "the house"),
    ("control characters in", "x \neq \nabla \rho", r"x \neq \nabla \rho"),
    ("invisible characters ", "\u845b\U000e0100\u57ce", "\u845b\u57ce"),
    ("invisible characters ", "a\u034fb \uac00\u3164\ub098", "ab \uac00\ub098"),
    ("letters that look alike ", "\u0442h\u0435 r\u0435d", "the red"),
    ("letters that look alike ", "\u2f00\u4e01 \u0133s \u0640\u0645", "\u4e00\u4e01 ijs \u0645"),
    ("in digits", "\u1c51\u1c52 \U0001d7cf \U0001e951", "12 1 1"),
    ("white space between all", "\u6211 \u7231 \u5317 \u4eac BLEU", "\u6211\u7231\u5317\u4eacBLEU"),
    ("white space between all", "\u3053 \u308c \u306f \u65e5 \u672c \u8a9e", "\u3053\u308c\u306f\u65e5\u672c\u8a9e"),
    ("white space at the ends", "the cat\n", "the cat"),
    ("escapes on one side", r"le caf\u00e9 ferm\u00e9 \ud83d\ude00", "le caf\xe9 ferm\xe9 \U0001f600"),
    ("escapes on one side", r"stra\xdfe, caf\xc3\xa9, \U0001f600", "stra\xdfe, caf\xe9, \U0001f600"),
    ("escapes on one side", r"one line\nand the next\n\nof four", "one line\nand the next\n\nof four"),
    ("escapes on one side", r"he said \"no\" on 1\/2", 'he said "no" on 1/2'),
    ("characters of UTF-8", "le caf\xc3\xa9 d\u2019\xc3\xa9t\xc3\xa9", "le caf\xe9 d\u2019\xe9t\xe9"),
    ("characters of UTF-8", "it\xe2\u20ac\u2122s \xe2\u20ac\u0153fine\xe2\u20ac\x9d", "it\u2019s \u201cfine\u201d"),
    ("characters of UTF-8", "it\xe2\x80\x99s fine", "it\u2019s fine"),
    (
        "characters of UTF-8",
        "\u043f\u0440\u0438\u0432\u0435\u0442 \u4e16\u754c".encode().decode("latin-1"),
        "\u043f\u0440\u0438\u0432\u0435\u0442 \u4e16\u754c",
    ),
    ("characters of UTF-8", "gro\xc3\u0178", "gro\xdf"),
    ("tags of HTML", "a <b>black</b> cat", "a black cat"),
    ("tags of HTML", "a black<br/>cat<br />sat<BR>there", "a black cat sat there"),
    ("tags of HTML", '<p>a <a href="x.html" id=1>black</a> cat</p>', "a black cat"),
    ("tags of HTML", "<answer>42</answer>", "42"),
    ("tags of HTML", "a <g id='1'>black cat", "a black cat"),
]


@pytest.mark.parametrize(("what", "left", "right"), LEFT_IN_TEXT)
def test_signs_that_change_a_score_are_told(what, left, right):
    for sides in ((left, right), (right, left)):
        texts = warned(textgauge.exact_match, *([side, "a b"] for side in sides))
        assert [text for text in texts if re.match(f"1 segment has .*{what}", text)], texts
        # Equal texts are right with the signs or without.
        assert warned(textgauge.exact_match, [left], [left]) == []
    # Of a hundred segments one is no reason for a warning.
    assert warned(textgauge.exact_match, [left, *["a"] * 99], [right, *["b"] * 99]) == []


@pytest.mark.parametrize("name", SEEN_BY_ALL)
@pytest.mark.parametrize(
    ("what", "left", "right"),
    [
        ("escapes on one side", r"le caf\u00e9 est ferm\u00e9 ici", "le caf\xe9 est ferm\xe9 l\xe0"),
        ("characters of UTF-8", "le caf\xc3\xa9 est ferm\xc3\xa9 ici", "le caf\xe9 est ferm\xe9 l\xe0"),
        ("tags of HTML", "le <b>th\xe9</b> est <br/> ferm\xe9 ici", "le th\xe9 est ferm\xe9 l\xe0"),
    ],
)
def test_remains_of_tools_are_told_by_every_metric(name, what, left, right):
    if name in ("exact_match", "squad"):
        right = right.replace("l\xe0", "ici")
    texts = [left] * 2, [right] * 2
    assert [one[:11] for one in warned(SEEN_BY_ALL[name], *texts) if what in one] == ["2 segments "]


CAPITALS = ["THE RED HOUSE IS THERE", "WE WENT HOME"], ["the red house is there", "We went by home"]


def test_a_side_of_capitals_is_told_where_case_counts():
    told = "predictions and references differ in case (one side has capitals alone), so that equal words do not match"
    cyrillic = ["\u043f\u0440\u0438\u0432\u0435\u0442 \u043c\u0438\u0440 \u0441\u0435\u0433\u043e\u0434\u043d\u044f"]
    for name in ("wer", "cer", "sacrebleu", "chrf", "bleu", "exact_match"):
        call = getattr(textgauge, name)
        for sides in (CAPITALS, CAPITALS[::-1], ([cyrillic[0].upper()], cyrillic)):
            assert [text for text in warned(call, *sides) if text.startswith(told) and "text.lower()" in text], name
        # One side is not all capitals, or there is next to nothing.
        for sides in (
            ([*CAPITALS[0], "a"], [*CAPITALS[1], "b"]),
            (["USA"], ["the united states of america"]),
            (["A"], ["a"]),
        ):
            assert not [text for text in warned(call, *sides) if "case" in text], name
    for call in (
        functools.partial(textgauge.sacrebleu, lowercase=True), functools.partial(textgauge.wer, normalizer="basic"),
        textgauge.rouge, textgauge.meteor, textgauge.token_f1,
    ):  # fmt: skip
        assert not [text for text in warned(call, *CAPITALS) if "case" in text]
    assert not [
        text for text in warned(textgauge.wer, ["NO WAY IN HELL YOU"], ["something else entirely"]) if "case" in text
    ]


WRITTEN = ["Hello, world!", "We went home.", "So it goes."], ["hello world", "we went home", "so it went"]


def test_capitals_and_punctuation_of_one_side_alone_are_told_of_speech():
    both = "capitals (one side has none) and in punctuation (one side has none)"
    for name in ("wer", "cer"):
        call = getattr(textgauge, name)
        for sides in (WRITTEN, WRITTEN[::-1], [side[:1] for side in WRITTEN]):
            [told] = warned(call, *sides)
            assert re.search(rf"differ in {re.escape(both)}, so .* pass `normalizer='basic'`, which", told), name
    lines = [f" {text}.\n" for text in WRITTEN[1]], [f" {text}\n" for text in WRITTEN[1]]
    assert "differ in punctuation (one side has none), so" in warned(textgauge.cer, *lines)[0]
    several = [[text, "other words"] for text in WRITTEN[1]]
    assert both in warned(textgauge.wer, WRITTEN[0], several)[0]
    [told] = warned(functools.partial(textgauge.wer, lowercase=True), *WRITTEN)
    assert "differ in punctuation (one side has none), so" in told
    [told] = warned(textgauge.wer, [text.upper() for text in WRITTEN[1]], WRITTEN[0])
    assert "in case (one side has capitals alone) and in punctuation" in told
    assert "lower()" not in told
    sessions = [[[{"session_id": "1", "speaker": speaker, "words": text} for speaker in "AB"]
                 for text in side] for side in WRITTEN]  # fmt: skip
    [told] = warned(textgauge.cpwer, *sessions)
    assert both in told
    assert warned(functools.partial(textgauge.cpwer, normalizer="basic"), *sessions) == []
    chinese = ["今天天气很好我们去公园"] * 2, ["今天天气很好，我们去公园。"] * 2
    [told] = warned(textgauge.cer, *chinese)
    assert "pass `whitespace=False` with `normalizer='basic'`, which" in told
    assert "whitespace" not in warned(functools.partial(textgauge.cer, whitespace=False), *chinese)[0]
    assert textgauge.cer(*chinese, normalizer="basic", whitespace=False)["cer"] == 0
    # Words are not made equal by it, nor are abbreviations.
    assert not [text for text in warned(textgauge.wer, *chinese) if "differ in" in text]
    assert warned(textgauge.wer, ["in the us at 5 pm"] * 3, ["in the u.s. at 5 p.m."] * 3) == []
    plain = ["the red cat"] * 40
    for sides in (
        # Nothing more would match; several texts of the other side have some; most of the one side have none.
        (["Yes, it did."], ["no way"]),
        ([text + "." for text in plain], [*plain[:36], *["the red cat."] * 4]),
        ([*["the red cat."] * 20, *plain[20:]], plain),
        (WRITTEN[0], WRITTEN[0]),
    ):
        assert warned(textgauge.wer, *sides) == []
    for call in (functools.partial(textgauge.wer, normalizer="basic"), textgauge.rouge):
        assert not [text for text in warned(call, *WRITTEN) if "differ" in text]


def test_forms_that_a_normalizer_makes_alike_are_not_told():
    sides = ["it\u2019s now"] * 3, ["it's now"] * 3
    for name in ("wer", "cer", "cpwer"):
        call = getattr(textgauge, name)
        assert len(warned(call, *sides)) == 1, name
        assert warned(functools.partial(call, normalizer="basic"), *sides) == [], name
    torn = functools.partial(textgauge.cpwer, normalizer="whisper-basic")
    hindi = "\u0924\u0941\u092e \u0915\u0948\u0938\u0947 \u0939\u094b"
    assert "tears words apart" in warned(torn, [hindi], [hindi])[0]


@pytest.mark.parametrize("n", [1, 2, 64, 500])
def test_the_beginnings_of_long_texts_are_searched_for_capitals_and_punctuation(monkeypatch, n):
    read = []
    monkeypatch.setitem(notes._WRITTEN, "punctuation", lambda text: read.append(len(text)) or text.replace(".", ""))
    text = " ".join(["we went home again"] * 1000)
    [told] = warned(textgauge.wer, [text] * n, [text.replace(" again", ".")] * n)
    assert "differ in punctuation" in told
    assert 0 < sum(read) <= 2 * notes._N_BYTES


def test_signs_of_both_sides_are_not_told():
    """They are told only where they differ, though there is less to miss without them."""
    words = ["\u1798\u1793\u17bb", "\u1791\u17b6", "\u1780\u17be\u178f", "\u1793\u17b7\u1784"]
    for sign in ("\u200b", "\u00ad", "\u2009", "\u0663"):
        assert warned(textgauge.chrf, [sign.join(words[:3])], [sign.join(words)]) == [], sign
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert warned(functools.partial(textgauge.rouge, tokenizer="unicode"), [f"a {family}"], [f"a b {family}"]) == []
    told = "1 segment has special tokens"
    assert [one[: len(told)] for one in warned(textgauge.chrf, ["a <\uff5cend\u2581of\u2581text\uff5c>"], ["a"])] == [
        told
    ]


def test_signs_that_change_no_score_are_not_told():
    for call, sides in (
        (functools.partial(textgauge.wer, tokenizer="whitespace"), ("a\u202fcat and a dog", "a cat and a dog")),
        (functools.partial(textgauge.sacrebleu, max_order=2), ("a cat &lt; a dog", "a cat < a dog")),
        (textgauge.chrf, ("the cat\n", "the cat")),
        (textgauge.ter, ("\u0126a\u0121ar \u0120or\u0121 kbir", "\u0126a\u0121ar \u0120or\u0121 \u017cg\u0127ir")),
        (textgauge.ter, ("\u0120anni u \u0120or\u0121 l-\u0120img\u0127a", "\u0120anni u \u0120u\u017ca")),
        # Lines of Turkish and Finnish, pages, columns, a face, an element of XML.
        (textgauge.chrf, ("dedi\nabla geldi", "dedi\nabla gitti")),
        (textgauge.chrf, ("h\u00e4n\r\notin sen", "h\u00e4n\r\notin ne")),
        (textgauge.ter, ("page one\fPage two", "page one\fPage 2")),
        (textgauge.ter, ("x\tfraction of it", "x\tfraction of all")),
        (textgauge.ter, ("I am tired @.@", "I am tired")),
        (textgauge.ter, ("<w>the</w> <w>cat</w>", "<w>the</w> <w>dog</w>")),
        # Formulas, programs, paths; capitals and marks of languages; comparisons.
        (textgauge.ter, (r"$\nu \neq \nabla\theta \times 3$", "nu is 3")),
        (textgauge.sacrebleu, (r"x \notin \nu = \nu and \xi \times 4", r"x \notin \nu and \xi \times 5")),
        (textgauge.chrf, (r'printf("%d\n", x);', r'printf("%d", x);')),
        (textgauge.chrf, (r"open C:\new\temp\xampp today", r"open C:\new\temp\xampp now")),
        (
            textgauge.chrf,
            (
                "AMANH\xc3\u2026 S\xc3O, \xe9\u2026\u201d caf\xe9\u201d",
                "AMANH\xc3\u2026 S\xc3O, \xe9\u2026\u201d th\xe9",
            ),
        ),
        (
            textgauge.chrf,
            (
                "ORD \xd8\xbd 3\xd7\xbd 5 \xc5\xb2 NESTL\xc9\xae \xe0 5\u20ac",
                "ORD \xd8\xbd 3\xd7\xbd 5 \xc5\xb2 NESTL\xc9\xae",
            ),
        ),
        (textgauge.sacrebleu, ("if a <b and c> d or x<y> z it holds", "if a <b and c> d or x<y> z it is so")),
    ):
        assert warned(call, *([side] for side in sides)) == [], sides
    both = ["the un@@ likely house is lo@@ cked", "the un@@ likely house was lo@@ cked"]
    assert re.match("1 segment has marks of subwords", warned(textgauge.sacrebleu, *([one] for one in both))[0])


def test_a_metric_that_counts_pairs_warns_of_its_tokens():
    class OfPairs(textgauge.measures.Metric):
        """Counts equal texts."""

        name = "of_pairs"
        about = METRICS["chrf"].about
        layout = textgauge.measures.Layout([textgauge.measures.Field("matches")])

        def prepare(self):
            self.tokenizer = with_defaults(METRICS["bleu"]).tokenizer

        def count_pair(self, prediction, reference):
            return (prediction == reference,)

        def formula(self, rows):
            return {"of_pairs": rows["matches"]}

    score = textgauge.measures.accumulator_of(OfPairs)().update
    [text] = warned(score, ["a un@@ likely"], ["b"])
    assert "marks of subwords" in text


def test_no_warning_advises_what_is_in_use():
    [text] = warned(functools.partial(textgauge.rouge, tokenizer="unicode"), ["..."], ["a"])
    assert "'character'" in text
    assert "`tokenizer='unicode'`" not in text


@pytest.mark.parametrize("name", LOWERING)
def test_dotted_capital(name):
    for sides in ((DOTTED, DOTTED.replace("\u0130", "i")), (DOTTED.replace("\u0130", "I"), DOTTED.lower())):
        [text] = [one for one in warned(LOWERING[name], *([side] for side in sides)) if "differ" in one]
        line = re.search(r"pass `(.*)` for every text", text)[1]
        mended = [[eval(line, {"text": sides[0]})], [eval(line, {"text": sides[0]}).lower()]]
        assert not any("differ" in one for one in warned(LOWERING[name], *mended))


def test_what_a_tokenizer_takes_for_equal_raises_no_warning():
    straight = CURLY.replace("\u2019", "'")
    for call in (textgauge.rouge, functools.partial(textgauge.wer, normalizer="basic")):
        assert warned(call, [CURLY], [straight]) == []
    for tokenizer in ("coco", "ptb"):
        assert warned(functools.partial(textgauge.google_bleu, tokenizer=tokenizer), [CURLY], [straight]) == []
    # Case matters there, so that these are two words.
    for call in (textgauge.wer, textgauge.chrf, textgauge.exact_match):
        assert warned(call, [DOTTED], [DOTTED.replace("\u0130", "i")]) == []


TEXT = "the cat sat on the mat and looked at us"
SPLIT = {**SEEN_BY_ALL, "bleu": textgauge.bleu, "rouge": textgauge.rouge, "exact_match": textgauge.exact_match}


@pytest.mark.parametrize("name", SPLIT)
def test_split_references(name):
    for predictions, references in (
        ([TEXT], [TEXT.split()]),
        ([TEXT, "a dog ran off"], [TEXT.split(), ["the", "dog", "ran"]]),
    ):
        found = [one for one in warned(SPLIT[name], predictions, references) if "references are single words" in one]
        assert len(found) == 1
        assert '" ".join(tokens)' in found[0]


ANSWERS = {
    "aliases": (["Paris", "the JFK"], [["Paris", "paris", "PARIS"], ["Kennedy", "JFK"]]),
    "a chatty answer": (["The answer is Paris."] * 2, [["Paris", "paris"], ["London", "Paris."]]),
    "synonyms": (["a fast car", "a big home"], [["car", "automobile"], ["house", "home"]]),
    "one of many": (["yes", "A and B", "C"], [["yes", "yeah"], ["A", "B"], ["C", "c"]]),
    "longer ones": ([TEXT], [[*TEXT.split(), "the cat"]]),
    "one each": ([TEXT] * 2, [["the"], ["cat"]]),
}


@pytest.mark.parametrize("which", ANSWERS)
def test_references_of_one_word(which):
    for call in SPLIT.values():
        assert not any("references are single words" in one for one in warned(call, *ANSWERS[which]))


@pytest.mark.parametrize("face", ["function", "module", "Accumulator", "score_dataset"])
def test_tokenized_predictions_are_told_by_every_face(face):
    import datasets

    datasets.disable_progress_bars()
    texts = ["the cat sat on the mat ."] * 100
    calls = {
        "function": textgauge.sacrebleu,
        "module": lambda *sides, **options: textgauge.load("sacrebleu").compute(
            predictions=sides[0], references=sides[1], **options
        ),
        "Accumulator": lambda *sides, **options: textgauge.Sacrebleu(**options).update(*sides),
        "score_dataset": lambda *sides, **options: textgauge.score_dataset(
            datasets.Dataset.from_dict({"p": sides[0], "r": sides[1]}),
            textgauge.Sacrebleu(**options),
            prediction_column="p",
            reference_column="r",
        ),
    }
    found = [one for one in warned(calls[face], texts, texts) if "seem to be tokenized" in one]
    assert len(found) == 1
    assert re.match(r"^\d+ predictions end in ' \.'.*`force=True`", found[0])
    calls[face](texts, texts, force=True)
    calls["function"](texts[1:], texts[1:])


def test_tokenized_predictions_are_counted(monkeypatch):
    monkeypatch.setattr(columns, "FEW", 0)
    monkeypatch.setattr(columns.Corpus.chunks, "__defaults__", (1000, 0))
    texts = ["the cat sat on the mat ."] * 150
    assert [one[:16] for one in warned(textgauge.sacrebleu, texts, texts)] == ["150 predictions "]
    both = textgauge.Sacrebleu(force=True) + textgauge.Sacrebleu().update(["a"], ["a"])
    assert len(both) == 1


def test_shares_are_those_of_all_chunks(monkeypatch):
    monkeypatch.setattr(columns.Corpus.chunks, "__defaults__", (1000, 0))
    refs, marked = ["the unlikely house is locked"] * 150, ["the un@@ likely house is lo@@ cked"] * 2
    for hyps in (refs[2:] + marked, marked + refs[2:], marked[:1] + refs[2:] + marked[:1]):
        assert [one[:12] for one in warned(textgauge.bleu, hyps, refs)] == ["2 segments h"]
        assert warned(textgauge.bleu, hyps + refs, refs * 2) == warned(textgauge.bleu, refs + hyps, refs * 2) == []


def test_a_table_advises_only_what_its_call_takes():
    """The columns of captions have a tokenizer of their own, and no option for another."""
    for texts in (JAPANESE, THAI):
        sides = [*texts[0] * 3, "a man"], [*texts[1] * 3, "a dog"]
        calls = [functools.partial(textgauge.coco, meteor=False), textgauge.cider]
        calls += [functools.partial(call, preset="coco") for call in (textgauge.bleu, textgauge.rouge)]
        for call in calls:
            found = [one for one in warned(call, *sides) if "does not split" in one]
            assert len(found) == 1
            assert "pass texts with spaces between the words" in found[0]
            assert "`" not in found[0]
    [found] = warned(functools.partial(textgauge.rouge, preset="coco"), ["...", "a"], ["...", "b"])
    assert "since it drops punctuation" in found


@pytest.mark.parametrize("sides", [CHINESE, JAPANESE, THAI])
def test_meteor_warns_of_text_without_spaces(sides):
    for call in (textgauge.meteor, functools.partial(textgauge.meteor15, paraphrases=False)):
        [text] = [one for one in warned(call, *sides) if "does not split" in one]
        assert "pass texts with spaces between the words" in text
        spaced = [[" ".join(textgauge.tokenize(text, "character")) for text in side] for side in sides]
        assert not any("does not split" in one for one in warned(call, *spaced))


NOT_ENGLISH = {
    "German": "Der Rat hat beschlossen, die Schule zu schließen. Man will nächstes Jahr eine größere bauen.",
    "French": "Le conseil a décidé hier de fermer l'école. Les gens sont très fâchés et le disent.",
    "decomposed": unicodedata.normalize("NFD", "El consejo decidió cerrarla. Mañana construirá otra más cara."),
    "Russian": "Совет вчера решил закрыть школу.",
    "Greek": "Το συμβούλιο αποφάσισε χθες.",
    "Hindi": "परिषद ने कल स्कूल बंद करने का फैसला किया।",
}
ENGLISH_WITH_NAMES = [
    "José García met Müller in São Paulo, near the Café Zürich.",
    "The naïve fiancée sat with José and the mayor of the town.",
    "A dose of 10 μm and 5 μg, with α-helix, β and Δ at 20 °C, costs £5 – or €6 – “in all”.",
    "Прага is Prague in Russian, Αθήνα is Athens, and 北京 is Beijing in Chinese, as all of us should know by now.",
    "Add the jalapeño, crème fraîche, açaí and purée to the sautéed onions and serve with rosé.",
]


@pytest.mark.parametrize("call", [textgauge.meteor, functools.partial(textgauge.meteor15, paraphrases=False)])
def test_meteor_tells_of_text_that_is_not_english(call):
    title = "METEOR" if call is textgauge.meteor else "METEOR 1.5"
    for text in NOT_ENGLISH.values():
        [told] = [one for one in warned(call, [text], [text[: len(text) // 2]]) if "English" in one]
        assert told.startswith(f"the text is not English, but the stems and synonyms of {title} are: ")
    # Three of 66 words are enough, though ROUGE tells of no text with so few.
    assert any("English" in one for one in warned(call, ["a " * 30 + "\xe4a \xf6a \xfca"], ["a " * 33]))
    for text in [*ENGLISH_WITH_NAMES, " ".join(ENGLISH_WITH_NAMES), "De raad heeft de school gesloten."]:
        assert not any("English" in one for one in warned(call, [text], [text + " again"]))


def test_the_advice_of_rouge_names_what_has_to_go_with_its_tokenizer():
    text = NOT_ENGLISH["German"]
    for options, others in (
        ({}, "."),
        ({"use_stemmer": True}, ", without `use_stemmer`, whose stems are those of English."),
        ({"preset": "rouge-1.5.5"}, ", without `preset='rouge-1.5.5'`."),
        (
            {"preset": "rouge-1.5.5", "use_stemmer": True},
            ", without `preset='rouge-1.5.5'` and `use_stemmer`, whose stems are those of English.",
        ),
    ):
        [told] = warned(functools.partial(textgauge.rouge, rouge_types=["rouge1"], **options), [text], [text])
        assert told.endswith(f"'character' for text without spaces{others}")
        assert (
            warned(functools.partial(textgauge.rouge, rouge_types=["rouge1"], tokenizer="unicode"), [text], [text])
            == []
        )


@pytest.mark.parametrize("sides", [CHINESE, JAPANESE, THAI])
def test_ter_warns_of_text_without_spaces(sides):
    expected = "pass `normalized=True` with `asian_support=True` .*, or use chrF"
    for options in ({}, {"normalized": True}, {"no_punct": True, "case_sensitive": True}):
        with pytest.warns(UserWarning, match=expected) as told:
            assert textgauge.ter(*sides, **options)["ter"] >= 50
        assert len(told) == 1
        assert told[0].filename == __file__


def test_ter_does_not_warn_of_text_that_it_splits():
    split = {"normalized": True, "asian_support": True}
    for sides in (CHINESE, JAPANESE):
        assert textgauge.ter(*sides, **split)["ter"] < 50
    with pytest.warns(UserWarning, match=r"or use chrF \(Thai and others\)"):
        textgauge.ter(*THAI, **split)
    spaced = [[" ".join(text) for text in side] for side in CHINESE]
    assert textgauge.ter(*spaced)["ter"] < 50
    textgauge.ter(["the 猫 sat there"], ["a 猫 sat here"])
    textgauge.chrf(*CHINESE)


def test_token_f1_normalizer_splits():
    assert textgauge.token_f1(*CHINESE, normalizer="mlqa:zh")["f1"] > 0.9
    textgauge.token_f1(*CHINESE, tokenizer="zh")
    for sides, options in ((CHINESE, {}), (CHINESE, {"normalizer": "mlqa:en"}), (THAI, {"normalizer": "mlqa:zh"})):
        with pytest.warns(UserWarning, match="'whitespace' does not split text without spaces") as told:
            textgauge.token_f1(*sides, **options)
        assert len(told) == 1


@pytest.mark.parametrize("options", [{}, {"use_stemmer": True}, {"preset": "rouge-1.5.5"}])
def test_rouge_warns_of_letters_that_its_tokenizer_drops(options):
    with pytest.warns(UserWarning, match="drops letters outside a-z.*`tokenizer='unicode'`") as told:
        textgauge.rouge([GERMAN], [GERMAN], **options)
    assert len(told) == 1
    textgauge.rouge(
        ["the naïve cat sat on the mat of the old house"],
        ["a naïve cat lay down on the mat of the old house"],
        **options,
    )


@pytest.mark.parametrize(
    "text",
    [
        "Die Söhne der Familie fahren morgen wieder nach Hause.",
        unicodedata.normalize("NFD", "Die Söhne fahren über Köln nach Hause."),
        "Le ministre a annoncé mardi que les écoles du pays resteront fermées.",
        "Rząd zapowiedział we wtorek, że szkoły pozostaną zamknięte do końca roku.",
        "Vláda v úterý oznámila, že školy zůstanou do konce roku zavřené.",
        "El ministro anunció el martes que las escuelas seguirán cerradas.",
        "O ministro anunciou na terça-feira que as escolas não vão abrir.",
        "Bakan salı günü okulların yıl sonuna kadar kapalı kalacağını açıkladı.",
    ],
)
def test_tokenizer_that_tears_words_of_a_language_is_told(text):
    sides = [text], [text.replace("ö", "ü")]
    for metric in ("rouge", "rougeL(use_stemmer=True)", "token_f1(tokenizer=rouge)", "bleu(tokenizer=rouge)"):
        with pytest.warns(UserWarning, match="drops letters outside a-z"):
            score_of(metric).start().update(*sides)
    score_of("rouge(tokenizer=unicode)").start().update(*sides)


@pytest.mark.parametrize(
    "text",
    [
        "Mix ½ cup of sugar with ¼ tsp of salt, and add 1½ cups of flour.",
        "The flat has 55 m² and 3 m³ of water at 20 ℃, the 1ª and the nº 2.",
        "TNF-α, IL-1β and γ rays: 5 µg, 20 μs and 3 kΩ, with x₁ above x₂.",
        "① open it ② close it ③ lock it",
    ],
)
def test_signs_are_no_letters_that_rouge_drops(text):
    textgauge.rouge([text], [text.replace("it", "them")])


def calls_during(function):
    """The number of Python and C functions that a call runs."""
    n_calls = []
    function()
    # Hypothesis has a callback for the collector of garbage.
    gc.disable()
    sys.setprofile(lambda _frame, event, _: n_calls.append(1) if event in ("call", "c_call") else None)
    try:
        function()
    finally:
        sys.setprofile(None)
        gc.enable()
    return len(n_calls)


@pytest.mark.parametrize("name", ["bleu", "rouge", "token_f1"])
def test_text_outside_ascii_takes_few_more_steps(name):
    # Counted, not timed: a step per letter or per text would be a thousand.
    if engine.kernel is plain:
        pytest.skip("plain Python takes a step per letter")
    ascii_text = GERMAN.encode("ascii", "ignore").decode()
    typographic = GERMAN + " – „so oft es geht“ – und zurück"
    batches = [[text] * 16 for text in (ascii_text, GERMAN, typographic)]
    n_calls = [calls_during(functools.partial(CALLS[name], batch, batch)) for batch in batches]
    # Of ASCII text no notes are made.
    made = calls_during(with_defaults(METRICS[name]).notes()._make)
    assert n_calls[1] <= n_calls[0] + made + 50
    if not with_defaults(METRICS[name]).tokenizer.drops_letters:
        # Nothing is to be read in Latin letters, each of which has one form.
        assert n_calls[1] <= n_calls[0] + 15
    assert n_calls[2] <= n_calls[0] + made + 60
    # Only for as much text is the number of threads worth asking.
    assert calls_during(lambda: CALLS[name]([typographic * 99] * 60, [typographic] * 60)) <= n_calls[2] + 15


WITHOUT_KERNEL = """
import json, sys, warnings
sys.modules["textgauge._kernel"] = None
import textgauge
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    textgauge.set_num_threads(2)
    before = len(told)
    results = [textgauge.rouge(["a cat sat"], ["the cat sat"]), textgauge.bleu(["a b c d e"], ["a b c d"])]
    results += [textgauge.token_f1(["a b"], ["b c"])]
says = [[str(one.message), one.filename, one.category.__name__] for one in told]
print(json.dumps([textgauge.kernel_in_use(), before, says, results]))
"""


def test_missing_kernel_is_told_once():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_KERNEL], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    kernel, before, [[message, place, category]], results = json.loads(done.stdout)
    assert (kernel, before, place, category) == ("plain Python", 0, "<string>", "UserWarning")
    assert "C++ compiler" in message
    assert "pip install" in message
    assert results == [
        textgauge.rouge(["a cat sat"], ["the cat sat"]),
        textgauge.bleu(["a b c d e"], ["a b c d"]),
        textgauge.token_f1(["a b"], ["b c"]),
    ]


# ---- numbers


@pytest.mark.parametrize(
    ("call", "one", "many"),
    [
        (
            lambda n: textgauge.rouge(["?", "!", "a"][:n] + ["a"], ["a"] * (n + 1)),
            "1 text is not empty but has no token under the tokenizer 'rouge' and scores 0; for",
            "2 texts are not empty but have no token under the tokenizer 'rouge' and score 0; for",
        ),
        (
            lambda n: textgauge.token_f1(["?", "!"][:n], ["b"] * n),
            "1 text is not empty but has no token under the normalizer .* so its F1 is 0",
            "2 texts are not empty but have no token under the normalizer .* so their F1 is 0",
        ),
        (
            lambda n: textgauge.perplexity(probs=[[0.5], *[[]] * n]),
            "1 text has no token to score: its perplexity is None and mean_perplexity excludes it; remove",
            "2 texts have no token to score: their perplexity is None and mean_perplexity excludes them; remove",
        ),
        (
            lambda n: textgauge.compare([["a a"] * 9, ["a b"] * n + ["a a"] * (9 - n)], ["a a"] * 9, metric="rouge1"),
            "two systems differ in only 1 segment, too few",
            "two systems differ in only 2 segments, too few",
        ),
    ],
)  # fmt: skip
def test_one_is_singular_and_more_are_plural(call, one, many):
    for n, expected in enumerate((one, many), 1):
        with pytest.warns(UserWarning, match=f"^{expected}") as told:
            call(n)
        assert len(told) == 1


def test_bleu_names_the_order_only_if_it_is_why():
    with pytest.warns(UserWarning, match="no prediction is long enough for a 3-gram"):
        textgauge.bleu(["a b"], ["a b"])
    # No bigram matches, whatever is done about longer ones.
    for options in ({}, {"effective_order": True}):
        with pytest.warns(UserWarning, match="BLEU is 0 because the predictions share no 2-gram with") as told:
            assert textgauge.bleu(["a b"], ["a c"], **options)["bleu"] == 0
        assert len(told) == 1


@pytest.mark.parametrize(
    ("call", "options"),
    [
        (textgauge.sacrebleu, {}),
        (textgauge.sacrebleu, {"smoothing": "floor"}),
        (textgauge.bleu, {"preset": "sacrebleu"}),
        (textgauge.bleu, {"smoothing": "exp"}),
        (textgauge.load("sacrebleu").compute, {}),
    ],
)
def test_bleu_order_without_ngrams(call, options):
    # No 3-gram matches, which a smoothing mends; there is no 4-gram, which it does not.
    texts = {"predictions": ["This is cat"], "references": [["This is a cat", "This is a bad cat"]]}
    advice = r"for a 4-gram: pass `effective_order=True` or `max_order=3`\."
    with pytest.warns(UserWarning, match=f"BLEU is 0 because no prediction is long enough {advice}") as told:
        result = call(**texts, **options)
    assert result.get("score", result.get("bleu", result.get("sacrebleu"))) == 0
    assert len(told) == 1
    shorter = call(**texts, max_order=3, **options)
    assert shorter.get("score", shorter.get("bleu", shorter.get("sacrebleu"))) > 0


def test_an_order_without_matches_is_why_bleu_is_0():
    with pytest.warns(UserWarning, match="share no 4-gram with their references: pass `max_order=3` or a smoothing"):
        assert textgauge.bleu(["a cat sat here"], ["a cat sat"])["bleu"] == 0
    assert textgauge.bleu(["a cat sat here"], ["a cat sat"], max_order=3)["bleu"] > 0
    assert textgauge.bleu(["a cat sat here"], ["a cat sat"], smoothing="exp")["bleu"] > 0


@pytest.mark.parametrize(("n_texts", "is_told"), [(1, True), (2, False)])
def test_half_of_texts_lack_lines(n_texts, is_told):
    one, two = "only one here", "The first ends. The second begins here."
    texts = warned(textgauge.rouge, [two, one][:n_texts], [one] * n_texts, rouge_types=["rougeLsum"])
    assert ["rougeLsum equals rougeL here" in text for text in texts] == [True] * is_told


@pytest.mark.parametrize("rouge_type", ["rouge1", "rougeLsum"])
@pytest.mark.parametrize(
    ("changed", "told"),
    [("\n".join, "texts have a newline behind every"), (lambda text: text.replace(" b", "<n>b"), "texts have '<n>'")],
)
def test_lines_that_are_none(changed, told, rouge_type):
    text = changed("a cat is here. b they are there")
    assert [one[: len(told)] for one in warned(textgauge.rouge, [text], [text], rouge_types=[rouge_type])] == [told]
    for usual in ("\n".join("ABCDEFGHIJ"), "print the first <n> lines", " \n"):
        assert not warned(textgauge.rouge, [usual, "a b"], [usual, "a b"], rouge_types=[rouge_type])


def test_two_single_tokens():
    with pytest.warns(UserWarning, match="^the first segments have a single token on both sides: "):
        textgauge.bleu(["a", "b"], ["a", "b"], max_order=1)
    textgauge.bleu(["a"], ["a"], max_order=1)


PRINTED = ["['the cat is', 'a cat']", '["a dog"]', "['a b'\n 'c d']", " [ 'x', \"it's\" ] "]
OF_WORDS = [textgauge.sacrebleu, textgauge.chrf, textgauge.ter, textgauge.token_f1, textgauge.squad, textgauge.rouge]


@pytest.mark.parametrize("call", OF_WORDS, ids=lambda call: call.__name__)
def test_references_that_were_turned_into_text_are_told_once(call):
    with pytest.warns(UserWarning, match="references look like printed lists of texts, such as") as told:
        call(["a cat sat on mats"] * 4, PRINTED)
    assert len(told) == 1


@pytest.mark.parametrize("call", OF_WORDS, ids=lambda call: call.__name__)
@pytest.mark.parametrize(
    ("predictions", "references"),
    [
        (["a cat sat on mats"] * 5, [*PRINTED, "a cat sat on the mat"]),
        (["a cat sat on mats"] * 2, ["[1] a cat 'sat'", "[a, b, c, 'd']"]),
        (["['a', 'b', 'c', 'd']"], ["['a', 'b', 'c', 'e']"]),
        (["a cat sat on mats"], [[text + " or five words" for text in PRINTED]]),
    ],
)
def test_other_texts_in_brackets_are_no_printed_lists(call, predictions, references):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="BLEU is 0 because")
        call(predictions, references)


def test_later_words_end_single_tokens(monkeypatch):
    monkeypatch.setattr(Corpus, "chunks", lambda corpus, *_, **__: corpus._chunks(1, 0))
    tokens = ["cat", "sat", "mat"]
    with pytest.warns(UserWarning, match="^the first segments have a single token on both sides: "):
        textgauge.bleu(tokens, tokens, max_order=1)
    textgauge.bleu([*tokens, "the cat sat here"], [*tokens, "the cat sat there"], max_order=1)


@pytest.mark.parametrize("is_cut", [False, True])
def test_sources_are_looked_at_if_they_were_cut(is_cut):
    """Several metrics of one call get the sources that one of them reads."""
    corpus = corpus_of(["caf\u00e9 cr\u00e8me"], ["a coffee"])
    corpus = replace(corpus, sources=text_column(["cafe\u0301 cre\u0300me"], "sources"))
    two_forms = TwoForms()
    # Two texts are cut, or three; a text more than texts is the end of the last.
    Notes(two_forms).examine(corpus, SimpleNamespace(offsets=range(3 + is_cut), n_empty=0, are_single=False))
    assert bool([*two_forms.told()]) == is_cut
    textgauge.Bleu(max_order=2).update_corpus(corpus)
    textgauge.Chrf().update_corpus(corpus)


# Texts with several faults at once, and for every metric of counts what it says of each of them, in this order.
CLAUSES = (
    "\u5929\u6c14\u5f88\u597d\u6211\u4eec\u53bb\u516c\u56ed\u6563\u6b65\u5427",
    ("\u6211\u4eec\u660e\u5929\u518d\u53bb\u770b\u7535\u5f71\u597d\u4e0d\u597d"),
)
FAULTS = (
    (["caf\u00e9 du monde", CLAUSES[0], "..."], ["cafe\u0301 du monde", CLAUSES[1], ""]),
    (["caf\u00e9", ""], ["['cafe\u0301', 'x']", "['b']"]),
    ([*CLAUSES, "a"] * 3, [*CLAUSES[::-1], ""] * 3),
)
SAID = {
    "form": "differ in Unicode normal form", "empty": "no token|no word", "spaces": "text without spaces",
    "order": "BLEU is 0|no prediction is long enough", "list": "look like printed lists",
}  # fmt: skip
IN_ORDER = {
    "bleu": "form order, form list, spaces",
    "sacrebleu": "form order, form list, spaces",
    "rouge": "empty form, spaces form list, empty",
    "chrf": "form, form list, ",
    "ter": "form, form list, spaces",
    "wer": "form, form list, spaces",
    "cer": "form, form list, ",
    "token_f1": "empty form, form list, empty",
    "squad": "empty form, form list, empty",
    "squad_v2": "form, form list, spaces",
    "cuad": ", , ",
    "exact_match": "form, form list, ",
    "math_answer": ", list, ",
    "google_bleu": "form, form list, spaces",
    "nist_mt": "form order, form list order, spaces order",
    "sari": "form, form list, spaces",
    "character": "empty form, form list, empty spaces",
    "charcut_mt": ", , ",
    "cider": "empty form, empty form list, spaces",
    "anls": "form, form list, ",
    "vqa_accuracy": "form, form list, ",
    "relaxed_accuracy": "form, form list, ",
    "cpwer": "form, form list, spaces",
}


def said_of(name, predictions, references):
    sources = {"sources": ["x"] * len(predictions)} if "sources" in METRICS[name].inputs.needed else {}
    texts = warned(getattr(textgauge, name), predictions, references, **sources)
    return " ".join(next((code for code, part in SAID.items() if re.search(part, text)), text) for text in texts)


@pytest.mark.parametrize("name", COUNTED)
def test_order_of_warnings(name, monkeypatch):
    for many in (columns.MANY, 1):
        # So many texts are looked at while they are cut.
        monkeypatch.setattr(columns, "MANY", many)
        found = ", ".join(said_of(name, *texts) for texts in FAULTS)
        assert found == IN_ORDER.get(name, f"{name} has no line in IN_ORDER")


def test_references_beside_sources_are_looked_at_alone():
    words = ["the", "cat", "sat", "here"]
    for metric in (textgauge.sari, textgauge.Sari().update):
        with pytest.warns(UserWarning, match="^references are single words, and"):
            metric(["the cat sat here"], [words], sources=["the big cat sat here"])
    textgauge.sari(["the cat sat"], ["the cat sat here"], sources=["['a big cat']"])
    textgauge.sari(["the cat sat"] * 2, [["the cat sat"], ["here"]], sources=["cat", "sat"])


@pytest.mark.parametrize("sides", [(["a b"], ["a\tb"]), (["a\tb"], ["a b"])])
def test_a_lone_tab_of_either_side_is_told(sides):
    assert [text for text in warned(textgauge.wer, *sides) if text.startswith("a tab, newline, no-break or")]


def test_texts_of_numpy_are_whole():
    """Arrow ends texts of fixed width at the first NUL."""
    import numpy as np

    predictions, references = np.array(["a\0b", "c"]), np.array(["a\0c", "c"])
    assert textgauge.exact_match(predictions, references) == {"exact_match": 0.5}
    assert textgauge.exact_match(predictions, [references[:1], references[1:]]) == {"exact_match": 0.5}
