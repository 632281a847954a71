"""WER and CER: what a word is, normalizers, several references, undefined cases, warnings."""

import gzip
import json
import unicodedata
import warnings

import numpy as np
import pytest
import textgauge
from hypothesis import given, settings
from hypothesis import strategies as st
from quick import examples
from strategies import text
from textgauge import engine
from textgauge.explanation.explainer import explainer_of
from textgauge.input.columns import corpus_of
from textgauge.measures import wer as wer_module
from textgauge.text import speech
from warned import warned


def test_the_example_of_morris_maier_and_green():
    # Two hits, one substitution, one insertion: WER 2/3, MER 2/4, WIP 2/3 * 2/4.
    result = textgauge.wer(["a slow red fox"], ["a quick fox"])
    assert result == {
        "wer": 2 / 3, "mer": 0.5, "wil": 1 - 2 / 3 * 0.5, "wip": 2 / 3 * 0.5,
        "hits": 2, "substitutions": 1, "deletions": 0, "insertions": 1,
    }  # fmt: skip


@pytest.mark.parametrize(("prediction", "reference", "rate"), [
    ("\u2764\ufe0f", "\u2600\ufe0f", 1.0), ("\U0001f600", "\U0001f389", 1.0), ("\u2764\ufe0f", "\u2764", 0.0),
    ("b \u2764\ufe0f", "b \u2600\ufe0f", 0.5),
    ("\u0dc1\u0dca\u200d\u0dbb\u0dd3", "\u0d9a\u0dca\u200d\u0dbb\u0dd3", 1.0),
])  # fmt: skip
def test_emoji_and_words_with_joiners_are_compared_as_wholes(prediction, reference, rate):
    texts = [prediction], [reference]
    assert textgauge.wer(*texts, tokenizer="unicode")["wer"] == rate
    assert textgauge.token_f1(*texts, tokenizer="unicode")["f1"] == 1 - rate
    assert textgauge.rouge(*texts, tokenizer="unicode")["rouge1"] == 1 - rate


@pytest.mark.parametrize(("prediction", "reference"), [("a\tb", "a b"), ("a b", "a\tb"), ("a\tb", "a\tb")])
def test_a_lone_tab_of_either_side_is_told(prediction, reference):
    assert wer_module.LONE_SPACES in warned(textgauge.wer, [prediction], [reference])
    assert warned(textgauge.wer, [prediction.replace("\t", " ")], [reference.replace("\t", "  ")]) == []


def test_the_best_of_several_references_counts():
    result = textgauge.wer(["a red fox", "b"], [["a slow cow", "a red fox now"], ["b"]])
    assert (result["wer"], result["hits"], result["deletions"]) == (1 / 5, 4, 1)


@pytest.mark.parametrize(("prediction", "reference", "path", "counts"), [
    # What both texts begin, and end, with is cut off first: with as many edits more words could be right.
    ("a b b", "c a b", "ss ", [1, 2, 0, 0]),
    ("a b b", "c c a b", "ssd ", [1, 2, 1, 0]),
    ("a b", "b b b", "sd ", [1, 1, 1, 0]),
    ("x a b b", "x c a b", " ss ", [2, 2, 0, 0]),
])  # fmt: skip
def test_common_ends_are_cut_off_first(prediction, reference, path, counts):
    numbers = [np.array([ord(word) for word in text.split()], np.uint32) for text in (prediction, reference)]
    assert engine.kernel.levenshtein_path(*numbers) == path
    for name, sides in (("wer", (prediction, reference)), ("cer", (prediction[::2], reference[::2]))):
        found = getattr(textgauge, name)([sides[0]], [sides[1]])
        # Those of jiwer 4.
        assert [found[key] for key in ("hits", "substitutions", "deletions", "insertions")] == counts
    hits, *edits = counts
    assert textgauge.wer([prediction], [reference])["mer"] == sum(edits) / (hits + sum(edits))


def test_sclite_prefers_dear_substitutions_less():
    ours, theirs = (textgauge.wer(["b c"], ["a b"], aligner=aligner) for aligner in ("jiwer", "sclite"))
    assert (ours["substitutions"], ours["hits"]) == (2, 0)
    assert (theirs["deletions"], theirs["hits"], theirs["insertions"]) == (1, 1, 1)
    assert ours["wer"] == theirs["wer"] == 1


JOINED = {"aligner": "kaldialign", "join": True}


@pytest.mark.parametrize(("prediction", "reference", "path", "counts"), [
    # The words of a join are hits, as many as the reference has.
    ("it is today", "it is to day", "  rj", [4, 0, 0, 0]), ("to day", "today", "hj", [1, 0, 0, 0]),
    ("a way", "away", "hj", [1, 0, 0, 0]), ("a b c", "abc", "hhj", [1, 0, 0, 0]),
    # Several words are not joined with several.
    ("a bc", "ab c", "ss", [0, 2, 0, 0]), ("ab", "a", "s", [0, 1, 0, 0]), ("a b", "ab b", "hjd", [1, 0, 1, 0]),
    # Of equal costs the edits come before the join, an insertion before a deletion, both before a substitution.
    ("ab a b", "ab", "ihj", [1, 0, 0, 1]), ("b c", "a b", "d i", [1, 0, 1, 1]), ("", "ab c", "dd", [0, 0, 2, 0]),
    ("a\u00e9 \u00e9", "a\u00e9\u00e9", "hj", [1, 0, 0, 0]),
    # The words of a join may stand in both texts, at their ends too.
    ("today a b c d e to day", "to day a b c d e today", "rj     hj", [8, 0, 0, 0]),
    ("a abc", "a b c", "irrj", [3, 0, 0, 1]), ("ab", "ab a b", "drj", [2, 0, 1, 0]),
    ("c " + "ab " * 19 + "b", "c " + "ab" * 19 + "b", " " + "h" * 19 + "j", [2, 0, 0, 0]),
    ("b", "a" * 40, "s", [0, 1, 0, 0]), ("aa" * 20 + " b", "a" * 40 + "b", "hj", [1, 0, 0, 0]),
])  # fmt: skip
def test_words_may_be_joined(prediction, reference, path, counts):
    result = textgauge.wer([prediction], [reference], **JOINED, signature=True)
    assert [result[key] for key in wer_module.COUNTS] == counts
    hits, *edits = counts
    assert result["wer"] == sum(edits) / (hits + edits[0] + edits[1])
    assert "|aligner:kaldialign|join:yes|" in result["signature"]
    for rule in ("spaces", str.split):
        metric = wer_module.WerMetric(wer_module.WerOptions(**JOINED, tokenizer=rule))
        assert metric.paths(corpus_of([prediction], [reference]), []) == [path]


def test_a_join_is_shown_as_one():
    texts = ["it is to day a therapist"], ["it was today the rapist"]
    [one] = textgauge.matches(*texts, metric="wer(aligner='kaldialign', join=True)")
    assert [texts[0][0][match.start : match.end] for match in one.prediction] == ["it", "to", "day", "therapist"]
    assert [texts[1][0][match.start : match.end] for match in one.references[0]] == ["it", "today", "the", "rapist"]
    explainer = explainer_of(wer_module.WerMetric(wer_module.WerOptions(**JOINED)))
    lines = explainer.edit_lines(corpus_of(*texts), "wer")
    assert lines == [
        "REF: it was today  * the rapist", "HYP: it is  to day a therapist", "        S   J      I J",
    ]  # fmt: skip
    confusions = explainer.confusions(corpus_of(*texts))
    assert confusions == {"substitutions": {"was \u2192 is": 1}, "deletions": {}, "insertions": {"a": 1}}


def test_what_cannot_be_joined_is_refused():
    with pytest.raises(ValueError, match="^aligner: .*'kaldialign'.*'kaldialign-sclite'.*`join=True`.*got 'jiwer'"):
        textgauge.wer(["a b"], ["ab"], join=True)
    for tokenizer in ("every-character", lambda text: [text]):
        with pytest.raises(ValueError, match="^tokenizer: .*words"):
            textgauge.wer(["a b"], ["ab"], **JOINED, tokenizer=tokenizer)


@pytest.mark.parametrize("name", ["kaldialign", "kaldialign-sclite"])
@pytest.mark.parametrize("join", [False, True])
@settings(max_examples=examples(60))
@given(st.lists(st.text("ab\u00e9", min_size=1, max_size=3)), st.lists(st.text("ab\u00e9", min_size=1, max_size=3)))
def test_drawn_texts_have_the_edits_of_kaldialign(name, join, left, right):
    kaldialign = pytest.importorskip("kaldialign")
    official = kaldialign.edit_distance(right, left, sclite_mode="sclite" in name, merge_compounds=join)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = textgauge.wer([" ".join(left)], [" ".join(right)], aligner=name, join=join)
    assert [ours[key] for key in wer_module.COUNTS[1:]] == [official[key] for key in ("sub", "del", "ins")]
    assert ours["hits"] + ours["substitutions"] + ours["deletions"] == len(right)
    if right:
        assert ours["wer"] == official["err_rate"]


@pytest.mark.filterwarnings("ignore")
def test_the_leaderboard_counts_so(shared):
    recorded = json.loads(gzip.decompress((shared / "oracles/asr/asr-given.json.gz").read_bytes()))
    modes = {
        "plain": {"aligner": "kaldialign"}, "merged": JOINED, "sclite": {"aligner": "kaldialign-sclite"},
        "sclite_merged": {"aligner": "kaldialign-sclite", "join": True},
    }  # fmt: skip
    for mode, options in modes.items():
        sides = list(zip(*(row["official"]["texts"] for row in recorded["rows"]), strict=True))
        found = textgauge.wer(list(sides[1]), list(sides[0]), **options, per_segment=True)
        for i, row in enumerate(recorded["rows"]):
            one = textgauge.wer([sides[1][i]], [sides[0][i]], **options)
            counts = [one[key] for key in wer_module.COUNTS[1:]]
            assert [*counts, sum(counts)] == row["official"][mode]
        if mode == "merged":
            edits = sum(found[key] for key in wer_module.COUNTS[1:])
            assert edits == sum(row["total"] for row in recorded["corpus"].values())


@pytest.mark.parametrize(("name", "unit", "expected"), [("wer", "word", 2), ("cer", "character", 3)])
def test_empty_references_count_insertions(name, unit, expected):
    call = getattr(textgauge, name)
    with pytest.warns(UserWarning, match=f"no reference has a {unit}"):
        assert call(["a b"], [" "])[name] == expected
    with pytest.warns(UserWarning, match=f"no reference has a {unit}"):
        assert call([""], [""])[name] == 0
    assert warned(call, ["a", "b"], ["", "b"]) == []
    assert warned(call, ["", "b"], ["a", "b"]) == []
    # All words are deleted: there are some to divide by.
    assert warned(call, [""], ["a b"]) == []


@pytest.mark.parametrize("space", ["\t", "\n", "\u00a0", "\r", "\u3000"])
def test_white_space_inside_words_is_told_once(space):
    lone = f"a{space}b"
    [message] = warned(textgauge.wer, ["x"] * 40 + [lone, lone], ["x"] * 42)
    assert "does not separate them" in message
    for fine in (f"a {space}b", f"{space}a b", f"a b{space}", f"a{space}{space}b"):
        assert warned(textgauge.wer, [fine], ["a b"]) == []
        assert textgauge.wer([fine], ["a b"])["wer"] == 0
    assert warned(textgauge.wer, [lone], ["a b"], tokenizer="whitespace") == []
    # For characters it is another space, which is one edit.
    of_spaces = warned(textgauge.cer, [lone], ["a b"])
    assert ["differ in spaces" in text for text in of_spaces] == [True] * (space in "\u00a0\u3000")
    # A normalizer may put a space there.
    assert warned(textgauge.wer, [lone], ["a b"], normalizer="jiwer") == []


def test_scripts_without_spaces_are_told_of_cer():
    chinese = "\u6211\u4eec\u5728\u5317\u4eac\u5927\u5b66\u5b66\u4e60\u4e2d\u6587\u548c\u82f1\u6587"
    [message] = warned(textgauge.wer, [chinese], [chinese[:-1]])
    assert "use cer" in message
    assert warned(textgauge.cer, [chinese], [chinese[:-1]]) == []


def test_two_normal_forms_are_told():
    [message] = warned(textgauge.cer, ["cafe\u0301"], ["caf\u00e9"])
    assert "normal form" in message


TORN = {
    "Turkish": "\u0130zmir g\u00fczel",
    "Yoruba": "\u1eb9\u0300k\u1ecd\u0301",
    "Thaana": "\u078b\u07a8\u0788\u07ac\u0780\u07a8",
    "Hebrew": "\u05e9\u05b8\u05c1\u05dc\u05d5\u05b9\u05dd",
    "N'Ko": "\u07d2\u07de\u07cf\u07eb\u07db",
    "Javanese": "\ua9a7\ua9a0\ua9ae\ua9b6\ua98f",
    "Syriac": "\u0710\u0732\u0712\u0735\u0710",
    "Hindi": "\u0939\u093f\u0928\u094d\u0926\u0940",
    "Thai": "\u0e17\u0e33\u0e07\u0e32\u0e19",
    "Adlam": "\U0001e924\U0001e945\U0001e926\U0001e94a",
}


@pytest.mark.parametrize("language", TORN)
@pytest.mark.parametrize("name", ["wer", "cer"])
def test_whisper_basic_tells_what_it_tears(language, name):
    call, word = getattr(textgauge, name), TORN[language]
    # Behind more texts than beginnings are read of, and on either side.
    for sides in ((["x"] * 40 + [word], ["x"] * 41), (["x"] * 40, ["x"] * 39 + [word])):
        [message] = [one for one in warned(call, *sides, normalizer="whisper-basic") if "tears words" in one]
        assert "`normalizer='basic'`" in message
        assert not any("tears" in one for one in warned(call, *sides, normalizer="basic"))
    assert len(speech.whisper_basic(word).split()) > len(word.split())
    assert len(speech.basic(word).split()) == len(word.split())
    assert warned(textgauge.cer, [word], [word]) == []


@pytest.mark.parametrize(
    "fine",
    [
        "caf\u00e9",
        "cafe\u0301",
        "it\u00b4s \u00a8",
        "\u4f60\u597d",
        "\u043f\u0440\u0438\u0432\u0435\u0442",
        "Erd\u0151s \u03ac",
        "e\u0301 \u0301",
        # Several marks behind a space, or behind a sign.
        "e \u0301\u0302 !\u0301\u0302",
        "\uc548\ub155",
    ],
)
def test_whisper_basic_does_not_warn_where_it_tears_nothing(fine):
    assert warned(textgauge.wer, [fine], [fine + " b"], normalizer="whisper-basic") == []
    assert not speech.tears_words(fine)


def test_basic_drops_case_punctuation_and_spaces_and_tears_nothing():
    pairs = {
        "  \u201cDon\u2019t PANIC,\u201d  she\tsaid\u2026 ": "don't panic she said",
        "state-of-the-art (5.5 km, 10:30, 1,000.50)": "state of the art 5.5 km 10:30 1,000.50",
        "'quoted' rock 'n' roll's": "quoted rock n roll's",
        "\u4f60\u597d\uff0c\u4e16\u754c\u3002": "\u4f60\u597d \u4e16\u754c",
        "\u0130ZM\u0130R": "izmir",
        "Cafe\u0301!": "caf\u00e9",
        "\u00bfQu\u00e9? $5 + 5\u20ac": "qu\u00e9 $5 + 5\u20ac",
        "a_b {c} [d] \\ / # % & * @ ~": "a b c d ~",
        # Signs of words (WB6, WB7) and of numbers (WB11, WB12), and those that tell nothing there.
        "Col\u00b7lecci\u00f3\u00b7 EU:n: 5 p.m. (U.S.)": "col\u00b7lecci\u00f3 eu:n 5 p.m u.s",
        "\u0663\u066b\u0665 \u0661\u066c\u0662\u066b 1'000 1\u2019000 3\uff0c4;5": (
            "\u0663\u066b\u0665 \u0661\u066c\u0662 1'000 1'000 3 4 5"
        ),
        "\u7ea6\u7ff0\u00b7\u53f2 WHO\uff1aX": "\u7ea6\u7ff0 \u53f2 who x",
        # Hebrew (WB7a to c) and Armenian; a quotation mark that is none of theirs.
        '\u05d4\u05f4\u05dc \u05d4"\u05dc "\u05d2\u05f3" \u05d2\'': (
            "\u05d4\u05f4\u05dc \u05d4\"\u05dc \u05d2\u05f3 \u05d2'"
        ),
        # The first and the last letters; vowel points stand between a letter and its sign.
        '\u05d0\' \u05ea"\u05ea \u05f2"\u05f0 \ufb29\' \ufb4f\' \u05d0"\ufb29 a\u0301"\u05d0': (
            "\u05d0' \u05ea\"\u05ea \u05f2\"\u05f0 \ufb29 \ufb4f' \u05d0 \ufb29 \xe1 \u05d0"
        ),
        "\u05e6\u05b7\u05d4\u05b7\"\u05dc \u05d2\u05bc'": "\u05e6\u05b7\u05d4\u05b7\"\u05dc \u05d2\u05bc'",
        "\u053b\u0576\u0579\u0578\u055e\u0582\u0589": "\u056b\u0576\u0579\u0578\u055e\u0582",
        # Joiners, and what else is written for an apostrophe; a letter at the beginning of a word stays one.
        "\u0645\u06cc\u200c\u2019\u0631 \u02bbaha `a` \u00b4": "\u0645\u06cc\u200c'\u0631 \u02bbaha `a` \u00b4",
        "o\u2018z o\u02bbz o\u02bcz o`z o\u00b4z o\uff07z o\u2019z \u2018oz\u2019": "o'z o'z o'z o'z o'z o'z o'z oz",
        # Those of words are none between digits.
        "5'3 5\u20193 5\u00b43 5`3": "5'3 5'3 5\u00b43 5`3",
    }
    assert {written: speech.basic(written) for written in pairs} == pairs
    assert textgauge.wer([*pairs], [*pairs.values()], normalizer="basic")["wer"] == 0


WORD_SIGNS = "'\u2018\u2019\uff07\u02bb\u02bc`\u00b4.:,;\u00b7\u055e\u055f\u05f3\u05f4\"\u2027\u066b\u066c\uff0e"


@settings(max_examples=examples(100))
@given(text | st.text(st.sampled_from(WORD_SIGNS + "ab1 \u0663\u05d2\u0576\u732b\u0301\u200d"), max_size=9))
def test_basic_keeps_letters_and_marks(written):
    done = speech.basic(written)
    assert speech.basic(done) == done
    assert done == " ".join(done.split())
    kept = [
        c
        for c in unicodedata.normalize("NFC", written.replace("\u0130", "i").lower())
        if unicodedata.category(c)[0] in "LMN" and c not in "\u02bb\u02bc"
    ]
    assert [c for c in done if unicodedata.category(c)[0] in "LMN" and c not in "\u02bb\u02bc"] == kept


@pytest.mark.parametrize(("written", "jiwer", "whisper"), [
    # A bracket of either kind closes: those of jiwer 4 (RemoveKaldiNonWords) and of Whisper's BasicTextNormalizer.
    ("<a> b <c> d", " b d", " b d"),
    ("[a] b [c] d", " b d", " b d"),
    ("a <b] c [d> e", "a c e", "a c e"),
    ("a [b <c> d] e", "a d] e", "a d e"),
    ("x <> y [] z", "x y z", "x y z"),
    ("a < b", "a < b", "a b"),
    ("a ] b [", "a ] b [", "a b "),
    ("(a) b (c) d", "(a) b (c) d", " b d"),
    ("a ((b) c) d", "a ((b) c) d", "a c d"),
    ("a (b [c) d] e", "a (b e", "a b e"),
    ("a () b", "a () b", "a b"),
    ("a (b) <c>d", "a (b) d", "a d"),
    # Contractions whose end is one of others.
    ("won't can't let's", "will not can not let us", "won t can t let s"),
])  # fmt: skip
def test_what_brackets_hold_goes(written, jiwer, whisper):
    assert (speech.jiwer_standardized(written), speech.whisper_basic(written)) == (jiwer, whisper)


@settings(max_examples=examples(100))
@given(text)
def test_normalizers_are_those_of_the_tools(written):
    jiwer = pytest.importorskip("jiwer", reason="jiwer is not installed: pip install textgauge[peers]")
    theirs = jiwer.Compose(jiwer.wer_standardize.transforms[:5])([written])
    assert [speech.jiwer_standardized(written)] == theirs
    whisper = pytest.importorskip("transformers.models.whisper.english_normalizer")
    assert speech.whisper_basic(written) == whisper.BasicTextNormalizer()(written)


def test_a_function_normalizes_and_wrong_ones_are_refused():
    assert textgauge.wer(["A b"], ["a B"], normalizer=str.lower)["wer"] == 0
    with pytest.raises(ValueError, match="^normalizer: .*got 'whisper'"):
        textgauge.wer(["a"], ["a"], normalizer="whisper")
    with pytest.raises(TypeError, match="normalizer: result for"):
        textgauge.wer(["a"], ["a"], normalizer=lambda line: None)


def test_a_change_of_case_comes_before_a_normalizer():
    assert textgauge.cer(["AB"], ["ab"], lowercase=True, normalizer=str.strip)["cer"] == 0
    assert textgauge.wer(["AB"], ["ab"], lowercase=True, normalizer=str.strip)["wer"] == 0


def test_normalizer_by_name():
    by_name, by_object = (
        textgauge.Wer(normalizer=given).without_segments().update(["It's"], ["it is"])
        for given in ("jiwer", speech.speech_normalizer_of("jiwer"))
    )
    assert (by_name + by_object).score()["hits"] == 4
    assert "norm:jiwer" in by_name.score(signature=True)["signature"]
    assert by_name.score(signature=True) == by_object.score(signature=True)


def test_a_table_counts_the_units_of_references():
    for kind, longer, shorter in ((textgauge.Wer, "a b c d e", "a b x"), (textgauge.Cer, "abcde", "abx")):
        result = kind().update([longer], [shorter]).score()
        [below] = kind().metric.summary(result).below
        assert below == (
            f"1 substitution, 0 deletions, 2 insertions for 3 {kind().metric.about.unit}s in the references; "
            "lower is better"
        )


def test_the_modules_return_a_number():
    for name in ("wer", "cer"):
        module = textgauge.load(name)
        texts = {"predictions": ["a b"], "references": ["a c"]}
        rate = module.compute(**texts)
        assert type(rate) is float
        assert module.compute(**texts, concatenate_texts=True) == rate
        assert module.compute(**texts, per_segment=True)[f"segment_{name}"] == [rate]
        with pytest.raises(TypeError, match="^concatenate_texts: .*got 'yes'"):
            module.compute(**texts, concatenate_texts="yes")
