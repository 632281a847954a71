"""CpWER: assignments of speakers, sessions in every form, figures of meeteval."""

import gzip
import itertools
import json
import warnings

import numpy as np
import pytest
import textgauge
from hypothesis import given, settings
from hypothesis import strategies as st
from quick import examples
from textgauge import engine
from textgauge.input.sessions import Utterance, Utterances, utterances_in
from textgauge.measures.cpwer import assignment, parts_of_time
from textgauge.measures.wer import COUNTS

pytestmark = pytest.mark.filterwarnings("ignore:no reference")


def edits_of(result):
    return [result[key] for key in COUNTS[1:]]


def test_an_example_by_hand():
    # B is y (a word missing), A is x (a word exchanged); z has two words too many.
    result = textgauge.cpwer(
        [{"z": "oh well", "y": "fine", "x": "how were you"}], [{"A": "how are you", "B": "fine thanks"}]
    )
    assert result == {
        "cpwer": 4 / 5, "ordered_wer": 6 / 5, "hits": 3, "substitutions": 1, "deletions": 1, "insertions": 2,
        "missed_speakers": 0, "extra_speakers": 1,
    }  # fmt: skip


def test_utterances_of_a_speaker_are_one_text_and_lines_the_order_of_time():
    texts = "x\thow are\ny\tfine\nx\tyou", "A\thow are\nB\tfine\nA\tyou"
    result = textgauge.cpwer([texts[0]], [texts[1]])
    assert (result["cpwer"], result["ordered_wer"]) == (0, 0)
    late = textgauge.cpwer(["x\thow are\nx\tyou\ny\tfine"], [texts[1]])
    assert (late["cpwer"], late["ordered_wer"]) == (0, 2 / 4)
    # Lines without a tab are speakers of their own, blank ones are none.
    lines = [(one.speaker, one.words) for one in utterances_in("a b\n\n a\tb\tc\r\nd")]
    assert lines == [("line 1", "a b"), ("a", "b\tc\r"), ("line 4", "d")]
    assert textgauge.cpwer(["a b\nc"], ["c\n\na b"])["cpwer"] == 0


def test_sessions_in_every_form_are_one():
    rows = [
        {"session_id": "s", "speaker": "x", "words": "how are", "start_time": 0.5, "end_time": 1},
        {"session_id": "t", "speaker": 1, "words": ["a", "b"], "start_time": "7"},
        {"session_id": "s", "speaker": "x", "words": "you", "start_time": 10},
        {"session_id": "s", "speaker": "y", "words": "fine", "start_time": 2},
    ]
    texts = ["x\thow are\ny\tfine\nx\tyou", "1\ta b"]
    references = ["A\thow are you\nB\tfine thanks", "A\ta"]
    wanted = textgauge.cpwer(texts, references, per_segment=True)
    assert textgauge.cpwer([[rows[0], rows[2], rows[3]], [rows[1]]], references, per_segment=True) == wanted
    of_references = [
        {"session_id": "t", "speaker": "A", "words": "a"}, {"session_id": "s", "speaker": "A", "words": "how are you"},
        {"session_id": "s", "speaker": "B", "words": "fine thanks"},
    ]  # fmt: skip
    by_session = textgauge.cpwer(rows, of_references, per_segment=True)
    assert by_session["segment_cpwer"] == wanted["segment_cpwer"]
    as_dicts = [{"A": "how are you", "B": "fine\nthanks"}, {"A": "a"}]
    assert textgauge.cpwer(texts, as_dicts, per_segment=True)["segment_cpwer"] == wanted["segment_cpwer"]
    # The best of several references counts.
    assert textgauge.cpwer(texts, [[as_dicts[0], {"A": "x"}], ["A\ta", "A\ta b"]])["cpwer"] == 1 / 7


def test_utterances_of_one_time_stay_in_the_order_of_their_rows():
    rows = [{"speaker": name, "words": word, "start_time": 1} for name, word in (("b", "x"), ("a", "y"), ("a", "v"))]
    for order in itertools.permutations(rows):
        # An utterance may take no time.
        assert textgauge.cpwer(*[[[row | {"end_time": 1} for row in order]]] * 2)["cpwer"] == 0
        text = "\n".join(f"{row['speaker']}\t{row['words']}" for row in order)
        assert textgauge.cpwer([[*order]], [text])["ordered_wer"] == 0


ROW = {"session_id": "s", "speaker": "A", "words": "a"}


@pytest.mark.parametrize(("predictions", "references", "error", "said"), [
    ([{"A": 1}], ["a"], TypeError, r"predictions\[0\]\['A'\]"), ([{"A": "a"}], [{"A": None}], TypeError, "references"),
    ([[{"A": "a"}]], ["a"], TypeError, r"^predictions\[0\]: .*got \[\{'A': 'a'\}\]"),
    ([[{"speaker": "A", "words": "a"}, {"words": "b"}]], ["a"], TypeError, r"predictions\[0\]\[1\]"),
    ([[ROW | {"start_time": "x"}]], ["a"], ValueError, r"^predictions\[0\]\[0\]\['start_time.*seconds"),
    ([[ROW | {"start_time": 2, "end_time": "x"}]], ["a"], ValueError, r"^predictions\[0\]\[0\]\['end_time.*seconds"),
    ([[ROW | {"start_time": 2, "end_time": 1}]], ["a"], ValueError, r"\[0\]\['end_time.*the start, 2, got 1"),
    ([ROW], ["a"], TypeError, r"^references: .*got \['a'\]"),
    ([ROW, ROW | {"words": 1}], [ROW], TypeError, r"^predictions of s\[1\]\['words'\]: "),
    ([ROW], [ROW, ROW | {"words": 1}], TypeError, r"^references of s\[1\]\['words'\]: "),
    ([ROW], [ROW | {"session_id": "t"}], ValueError, "^predictions: .*'t'.*got none"),
    ("a", ["a"], TypeError, "predictions"), ([1], ["a"], TypeError, r"predictions\[0\]"),
    # Rows without a session are no dicts of texts by speaker.
    ([{"speaker": "A", "words": "a"}], ["a"], TypeError, r"predictions\[0\]: expected rows of SegLST in a list"),
    (["a"], [{"speaker": "A", "words": "a"}], TypeError, r"references\[0\]: expected rows of SegLST in a list"),
    ([ROW | {"speaker": None}], [ROW], TypeError, r"predictions of s\[0\]\['speaker'\]: expected a speaker"),
    ([ROW], [ROW | {"speaker": " "}], TypeError, r"references of s\[0\]\['speaker'\]: expected a speaker"),
    ([ROW, ROW | {"session_id": None}], [ROW], TypeError, r"predictions\[1\]\['session_id'\]: expected a session"),
    ([[{"speaker": ["A"], "words": "a"}]], ["a"], TypeError, r"predictions\[0\]\[0\]\['speaker'\]: expected a speaker"),
])  # fmt: skip
def test_what_is_no_session_is_refused(predictions, references, error, said):
    with pytest.raises(error, match=said):
        textgauge.cpwer(predictions, references)


@pytest.mark.parametrize("label", [None, float("nan"), "", " \n", ["a"], b"a"])
def test_what_names_no_session_and_no_speaker_is_refused(label):
    for names, what in (((label, "A"), "a session"), (("s", label), "a speaker")):
        with pytest.raises(TypeError, match=f"^row 7: expected {what}, a text or a number, got "):
            Utterances(1).add(0, "row 7", *names, "a word")


def tables(n):
    columns = st.integers(n, n + 2)
    return columns.flatmap(
        lambda m: st.lists(st.lists(st.integers(-2, 6), min_size=m, max_size=m), min_size=n, max_size=n)
    )


@settings(max_examples=examples(60))
@given(st.integers(0, 5).flatmap(tables))
def test_an_assignment_has_the_least_sum(costs):
    found = assignment(costs)
    n_columns = len(costs[0]) if costs else 0
    assert len({*found}) == len(costs)
    assert sum(row[j] for row, j in zip(costs, found, strict=True)) == min(
        sum(row[j] for row, j in zip(costs, way, strict=True))
        for way in itertools.permutations(range(n_columns), len(costs))
    )


def test_a_text_of_many_lines_is_soon_scored():
    """Each line without a tab is a speaker: what a model writes may have any number of them."""
    result = textgauge.cpwer(["b\n" * 3000, "A\ta\nB\tb\nC\tb"], ["A\ta\nB\tb", "c\n" * 3000])
    assert (result["hits"], result["extra_speakers"], result["missed_speakers"]) == (1, 2998, 2997)


words = st.lists(st.sampled_from("abcd"), max_size=7).map(" ".join)


@settings(max_examples=examples(60))
@given(st.lists(words, max_size=4), st.lists(words, max_size=4), st.randoms())
def test_no_order_or_name_of_speakers_changes_a_figure(left, right, random):
    sides = [{f"{name}{i}": text for i, text in enumerate(side)} for name, side in (("x", left), ("A", right))]
    result = textgauge.cpwer([sides[0]], [sides[1]])
    n_words = sum(len(text.split()) for text in right)
    assert result["hits"] + result["substitutions"] + result["deletions"] == n_words
    n = max(len(left), len(right))
    costs = [
        [sum(edits_of(textgauge.wer([h], [r], aligner="kaldialign"))) for h in [*left, *[""] * (n - len(left))]]
        for r in [*right, *[""] * (n - len(right))]
    ]
    least = min(sum(row[j] for row, j in zip(costs, way, strict=True)) for way in itertools.permutations(range(n)))
    assert sum(edits_of(result)) == least
    others = [random.sample([*side.items()], len(side)) for side in sides]
    again = textgauge.cpwer(*([{name[::-1]: text for name, text in side}] for side in others))
    assert [again[key] for key in COUNTS] == [result[key] for key in COUNTS]


@pytest.mark.parametrize("n", [(2, 1), (1, 2), (2, 2)])
def test_of_equally_few_edits_the_fewest_substitutions_count(n):
    texts = ["a", "b", "a b", "d d c"]
    for left, right in itertools.product(*(itertools.product(texts, repeat=k) for k in n)):
        most = max(n)
        each = [
            [edits_of(textgauge.wer([h], [r], aligner="kaldialign")) for h in [*left, ""][:most]]
            for r in [*right, ""][:most]
        ]
        sums = [
            [sum(edits) for edits in zip(*(row[j] for row, j in zip(each, way, strict=True)), strict=True)]
            for way in itertools.permutations(range(most))
        ]
        result = textgauge.cpwer(*([{f"{i}": text for i, text in enumerate(side)}] for side in (left, right)))
        least = min((sum(edits), edits[0]) for edits in sums)
        assert (sum(edits_of(result)), result["substitutions"]) == least


def test_meeteval_counts_so(shared):
    recorded = json.loads(gzip.decompress((shared / "oracles/cpwer/cpwer-given.json.gz").read_bytes()))
    sides = [
        [{str(i): text for i, text in enumerate(row[side])} for row in recorded] for side in ("hypothesis", "reference")
    ]
    for i, row in enumerate(recorded):
        result, official = textgauge.cpwer([sides[0][i]], [sides[1][i]]), row["cp"]
        assert edits_of(result) == [official[key] for key in ("substitutions", "deletions", "insertions")]
        assert sum(edits_of(result)) == official["errors"]
        assert (result["missed_speakers"], result["extra_speakers"]) == (
            official["missed_speaker"], official["falarm_speaker"],
        )  # fmt: skip
    together = textgauge.cpwer(*sides)
    n_edits, n_words = (sum(row["cp"][key] for row in recorded) for key in ("errors", "length"))
    assert together["cpwer"] == n_edits / n_words


@settings(max_examples=examples(20), deadline=None)
@given(st.lists(words, min_size=1, max_size=4), st.lists(words, min_size=1, max_size=4))
def test_drawn_sessions_have_the_edits_of_meeteval(left, right):
    meeteval = pytest.importorskip("meeteval")
    official = meeteval.wer.cp_word_error_rate(right, left)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = textgauge.cpwer(*([{str(i): text for i, text in enumerate(side)}] for side in (left, right)))
    assert (sum(edits_of(result)), result["cpwer"]) == (official.errors, official.errors / max(official.length, 1))


def test_a_session_is_explained_by_its_speakers():
    texts = ["x\thow are you\ny\tfine"], ["A\tfine thanks\nB\thow are you\nC\tyes"]
    shown = str(textgauge.explain(*texts, metric="cpwer"))
    for part in ("A is y: 1 hit, 0 substitutions, 1 deletion", "B is x: 3 hits", "C is missing: 0 hits", "2 / 6"):
        assert part in shown
    assert engine.kernel is not None


def test_the_table_says_what_speakers_cost():
    accumulator = textgauge.Cpwer().update(["x\thow are you fine"], ["A\thow are you\nB\tfine"])
    below = accumulator.metric.summary(accumulator.score()).below
    assert below == [
        "0 substitutions, 1 deletion, 1 insertion for 4 words in the references; lower is better",
        "1 missed speaker, 0 extra speakers; words with the wrong speaker cost +0.5000",
    ]


def test_what_rewrites_texts_leaves_lines_and_speakers():
    texts = ["X:\tWi Fi, costs 2\ny\tYes!"], ["A\twifi costs zwei\nB\tyes"]
    assert textgauge.cpwer(*texts, normalizer="basic", replacements={"wi fi": "wifi", "2": "zwei"})["cpwer"] == 0
    line = textgauge.cpwer(*texts, normalizer="basic", replacements={"wi fi": "wifi"}, signature=True)["signature"]
    assert "|norm:basic|replacements:1[" in line


def utterances():
    datasets = pytest.importorskip("datasets")
    datasets.disable_progress_bars()
    return datasets.Dataset.from_list([
        {"day": 1, "who": "y", "true": "bob", "words": "fine", "said": "fine thanks", "t": 1.5},
        {"day": 2, "who": "x", "true": "ann", "words": "a b", "said": "a c", "t": 0.0},
        {"day": 1, "who": "x", "true": "ann", "words": "how are you", "said": "how are you", "t": 0.0},
        {"day": 2, "who": None, "true": "ann", "words": None, "said": "z", "t": 0.0},
    ])  # fmt: skip


def test_rows_of_a_data_set_are_utterances():
    rows = utterances()
    wanted = textgauge.cpwer(["x\thow are you\ny\tfine", "x\ta b"], ["A\thow are you\nB\tfine thanks", "A\ta c z"])
    columns = {"prediction_column": "words", "reference_column": "said"}
    columns |= {"speaker_column": ("who", "true"), "session_column": "day", "start_column": "t"}
    for data in (rows, rows.to_iterable_dataset()):
        assert textgauge.score_dataset(data, "cpwer", **columns, batch_size=3) == wanted
    assert textgauge.score_dataset({"test": rows}, ["cpwer"], **columns)["test"]["cpwer"] == wanted
    # A session in which one side says nothing.
    silent = rows.add_item({"day": 3, "who": None, "true": "ann", "words": None, "said": "q", "t": 0.0})
    texts = ["x\thow are you\ny\tfine", "x\ta b", ""], ["A\thow are you\nB\tfine thanks", "A\ta c z", "A\tq"]
    assert textgauge.score_dataset(silent, "cpwer", **columns) == textgauge.cpwer(*texts)
    drawn = textgauge.score_dataset(rows, "cpwer", **columns, confidence=0.9, n_resamples=40)
    assert drawn["confidence_intervals"]["cpwer"] == pytest.approx([0, 1.95829567], abs=1e-8)


def test_a_data_set_of_utterances_is_none_of_sessions():
    rows = utterances().rename_column("who", "speaker_id")
    columns = {"prediction_column": "words", "reference_column": "said"}
    spoken = columns | {"speaker_column": ["speaker_id", "true"]}
    for score, said in (
        (lambda: textgauge.score_dataset(rows, "cpwer", **columns), "rows with a column 'speaker_id'"),
        (lambda: rows.map(textgauge.scorer("cpwer", **columns), batched=True), "rows with a column 'speaker_id'"),
        (lambda: textgauge.score_dataset(rows, "wer", **spoken), "wer takes no sessions"),
        (lambda: textgauge.score_dataset(rows, "mauve", **spoken), "mauve takes no sessions"),
        (lambda: textgauge.score_dataset(rows, "cpwer", **columns, session_column="day"), "`speaker_column`"),
        (lambda: textgauge.score_dataset(rows, "cpwer", **spoken, skip_bad=True), "skip_bad"),
        (lambda: textgauge.score_dataset(rows.rename_column("day", "session"), "cpwer", **spoken), "session_column"),
        (lambda: textgauge.score_dataset(rows, "cpwer", **columns, speaker_column="who"), "^speaker_column: .*got"),
        (lambda: textgauge.score_dataset(rows, "cpwer", **spoken, start_column="at"), "^start_column: .*got .at"),
        (lambda: textgauge.score_dataset(rows, "cpwer", **spoken, start_column="said"), r"^dataset\[\d\], start: "),
        (lambda: textgauge.score_dataset([], "cpwer", **spoken), "^dataset: .*got list"),
    ):
        with pytest.raises((TypeError, ValueError), match=said):
            score()


def spoken(draw, sides):
    """Draw utterances of a session, in any order."""
    number = st.sampled_from([0, 0.5, 1, 2.25, 3])
    rows = []
    for i in range(draw(st.integers(1, 3))):
        time = draw(number)
        for text in draw(st.lists(words, min_size=1, max_size=3)):
            end = time + draw(number)
            rows.append(
                {"session_id": "s", "speaker": f"{sides}{i}", "words": text, "start_time": time, "end_time": end}
            )
            time = max(end + draw(st.sampled_from([-1, 0, 0.3, 1])), 0)
    return draw(st.permutations(rows))


@settings(max_examples=examples(100), deadline=None)
@given(st.data(), st.sampled_from([0.25, 1, 5]))
def test_drawn_sessions_have_the_timed_edits_of_meeteval(data, collar):
    meeteval = pytest.importorskip("meeteval")
    left, right = spoken(data.draw, "h"), spoken(data.draw, "r")
    official = meeteval.wer.tcpwer(*(meeteval.io.SegLST(side) for side in (right, left)), collar=collar)["s"]
    result = textgauge.cpwer(left, right, collar=collar)
    assert (sum(edits_of(result)), result["cpwer"]) == (official.errors, official.errors / max(official.length, 1))
    late = [row | {"start_time": row["start_time"] + 99, "end_time": row["end_time"] + 99} for row in left]
    assert textgauge.cpwer(late, right, collar=collar)["hits"] == 0
    assert edits_of(textgauge.cpwer(left, right, collar=1e6)) == edits_of(textgauge.cpwer(left, right))


@pytest.mark.parametrize("options", [{"collar": 0.5}, {"orc": True}])
def test_lines_may_stand_in_any_order_where_utterances_have_times(options):
    lines = [f"{speaker}\t{start}\t{start + 1}\t{words}" for speaker, start, words in (
        ("A", 0.0, "how are"), ("A", 10.0, "you"), ("B", 20.0, "fine"), ("B", 3.5, "oh")
    )]  # fmt: skip
    heard = [line.replace("fine", "find") for line in lines]
    expected = textgauge.cpwer(["\n".join(heard)], ["\n".join(lines)], **options)
    assert [expected[key] for key in COUNTS] == [4, 1, 0, 0]
    for order in itertools.permutations(range(4)):
        for left, right in ((heard, [lines[i] for i in order]), ([heard[i] for i in order], lines)):
            found = textgauge.cpwer(["\n".join(left)], ["\n".join(right)], **options)
            assert [found[key] for key in COUNTS] == [4, 1, 0, 0]


def test_a_word_has_all_of_the_time_of_its_utterance():
    # A sixth of it, six times, ends before.
    assert parts_of_time(0.1, 1.0, ["abcdef"]) == [(0.1, 1.0)]
    assert parts_of_time(0.5, 1.5, ["ab", "c", "d"]) == [(0.5, 1.0), (1.0, 1.25), (1.25, 1.5)]
    assert parts_of_time(0.5, 1.5, []) == []


def test_a_collar_needs_times():
    texts = ["x\t0.0\t1.0\thow are\nx\t7.0\t7.5\tyou"], ["A\t0.0\t2.0\thow are you"]
    result = textgauge.cpwer(*texts, collar=5, signature=True)
    assert (edits_of(result), textgauge.cpwer(*texts)["cpwer"]) == ([0, 1, 1], 0)
    assert "|collar:5.0|" in result["signature"]
    assert "collar" not in textgauge.cpwer(*texts, signature=True)["signature"]
    explained = str(textgauge.explain(*texts, metric="cpwer(collar=5)"))
    assert "A is x: 2 hits, 0 substitutions, 1 deletion, 1 insertion" in explained
    # Editors drop the tab at the end of an utterance without words, whose times are none.
    bare = ["x\t0.0\t1.0\thow are\nx\t3.0\t3.5\nx\t7.0\t7.5\tyou"]
    assert textgauge.cpwer(bare, texts[1], collar=5) == textgauge.cpwer(*texts, collar=5)
    # As in STM, no digit stands before a point.
    point = ["x\t+.0\t1.\thow are\nx\t70e-1\t7.5\tyou"]
    assert textgauge.cpwer(point, texts[1], collar=5) == textgauge.cpwer(*texts, collar=5)
    assert textgauge.cpwer(["x\t1\t1\ta"], ["A\t1\t1\ta"], collar=1)["hits"] == 1
    # A word of the prediction reaches as far before its middle as behind.
    for start, collar in itertools.product((0, 9), (3, 5)):
        found = textgauge.cpwer(["x\t0\t10\ta"], [f"A\t{start}\t{start + 1}\ta"], collar=collar)
        assert found["hits"] == (collar == 5), (start, collar)
    with pytest.raises(ValueError, match="`collar` cannot be given with an utterance that ends, at 1, before"):
        textgauge.cpwer(["x\t2\t1\thow are"], texts[1], collar=5)
    with pytest.raises(ValueError, match="`collar` has no effect without the times of utterances"):
        textgauge.cpwer(["x\thow are"], texts[1], collar=5)


@settings(max_examples=examples(60), deadline=None)
@given(st.data())
def test_drawn_sessions_have_the_edits_of_orc_wer_of_meeteval(data):
    meeteval = pytest.importorskip("meeteval")
    left, right = spoken(data.draw, "h"), spoken(data.draw, "r")
    official = meeteval.wer.orcwer(*(meeteval.io.SegLST(side) for side in (right, left)))["s"]
    result = textgauge.cpwer(left, right, orc=True)
    assert (sum(edits_of(result)), result["cpwer"]) == (official.errors, official.errors / max(official.length, 1))
    # Utterances that begin at the same time stand in the order in which they are given.
    said, heard = (sorted(side, key=lambda row: row["start_time"]) for side in (right, left))
    official = meeteval.wer.orcwer(*(meeteval.io.SegLST(side) for side in (said, heard)))["s"]
    utterances, assigned, channels = assigned_in(heard, said)
    assert utterances == [row["words"] for row in said if row["words"]]
    assert np.sum([own.counts for own in channels], axis=0).tolist() == [result[key] for key in COUNTS]
    theirs = [to for row, to in zip(said, official.assignment, strict=True) if row["words"]]
    for way in (assigned, theirs):
        edits = 0
        for own in channels:
            words = [" ".join(row["words"] for row in heard if row["speaker"] == own.prediction)]
            of_reference = [" ".join(text for text, to in zip(utterances, way, strict=True) if to == own.prediction)]
            edits += sum(edits_of(textgauge.wer(words, of_reference)))
        assert edits == official.errors


def assigned_in(heard, said):
    """Return the texts of utterances, their speakers of the prediction, and the counts of these, by ORC-WER."""
    sides = [[Utterance(row["speaker"], row["words"]) for row in side] for side in (heard, said)]
    speakers = {}
    for one in sides[0]:
        speakers.setdefault(one.speaker, []).append(one)
    found, channels = textgauge.Cpwer(orc=True).metric.assigned_utterances(speakers, sides[1])
    return [one.words for one, _ in found], [to for _, to in found], channels


def every_sum(heard, said):
    """Return the edits and substitutions of every assignment, by the words of the channels."""
    channels = {row["speaker"]: [] for row in heard}
    for row in heard:
        channels[row["speaker"]] += row["words"].split()
    for way in itertools.product(channels, repeat=len(said)):
        counts = [0, 0]
        for name, words in channels.items():
            own = [word for row, to in zip(said, way, strict=True) if to == name for word in row["words"].split()]
            table = {(i, j): (i + j, 0) for i in range(len(own) + 1) for j in range(len(words) + 1) if not i * j}
            for i, j in itertools.product(range(1, len(own) + 1), range(1, len(words) + 1)):
                other = own[i - 1] != words[j - 1]
                table[i, j] = min(
                    (table[i - 1, j][0] + 1, table[i - 1, j][1]),
                    (table[i, j - 1][0] + 1, table[i, j - 1][1]),
                    (table[i - 1, j - 1][0] + other, table[i - 1, j - 1][1] + other),
                )
            counts = [a + b for a, b in zip(counts, table[len(own), len(words)], strict=True)]
        yield counts, way


@settings(max_examples=examples(30), deadline=None)
@given(st.data())
def test_no_assignment_of_utterances_is_better(data):
    heard, said = ([row | {"start_time": None} for row in spoken(data.draw, side)][:5] for side in "hr")
    utterances, assigned, channels = assigned_in(heard, said)
    counts = np.sum([own.counts for own in channels], axis=0).tolist()
    sums = [*every_sum(heard, [row for row in said if row["words"]])]
    assert [sum(counts[1:]), counts[1]] == min(sums)[0]
    assert ([sum(counts[1:]), counts[1]], tuple(assigned)) in sums
    assert len(utterances) == len(assigned)


def test_meeteval_recorded_these_edits_of_orc_wer(shared):
    recorded = json.loads(gzip.decompress((shared / "oracles/cpwer/cpwer-given.json.gz").read_bytes()))
    rows = [row for row in recorded if isinstance(row["orc_errors"], int)]
    for row in rows:
        sides = ([(str(i), text) for i, text in enumerate(row[side])] for side in ("hypothesis", "reference"))
        result = textgauge.cpwer(*([dict(side)] for side in sides), orc=True)
        assert sum(edits_of(result)) == row["orc_errors"]
    assert len(rows) > 5


def test_utterances_are_assigned_each_by_itself():
    texts = ["1\ta b\n1\te f\n2\tc d"], ["A\ta b\nA\tc d\nA\te f"]
    assert textgauge.cpwer(*texts)["cpwer"] == 4 / 6
    result = textgauge.cpwer(*texts, orc=True, signature=True)
    assert (result["cpwer"], result["hits"]) == (0, 6)
    assert "|orc:yes|" in result["signature"]
    explained = str(textgauge.explain(*texts, metric="cpwer(orc=True)"))
    assert "0 / 6" in explained
    # No speaker is another one.
    assert "speaker " not in explained
    for part in (
        'A: "a b" is in 1',
        'A: "c d" is in 2',
        "1 has 2 utterances: 4 hits, 0 sub",
        "2 has 1 utterance: 2 hits",
    ):
        assert part in explained
    page = textgauge.explain(*texts, metric="cpwer(orc=True)")._repr_html_()
    assert "1 has 2 utterances: 4 hits" in page
    assert 'A: "a b" is in no channel' in str(textgauge.explain([""], ["A\ta b"], metric="cpwer(orc=True)"))
    long_words = str(textgauge.explain(["x\tword"], ["A\t" + "word " * 20], metric="cpwer(orc=True)"))
    assert '"' + ("word " * 20)[:57] + '..." is in x' in long_words
    assert "speaker " in str(textgauge.explain(*texts, metric="cpwer"))
    with pytest.raises(ValueError, match="`collar` cannot be given with `orc=True`"):
        textgauge.cpwer(*texts, orc=True, collar=5)
    long = [{str(i): "a " * 700 for i in range(3)}]
    with pytest.raises(ValueError, match=r"^orc: .*\(700 x 700 x 700\).*got True"):
        textgauge.cpwer(long, long, orc=True)


def test_a_reward_takes_what_scores_any_text():
    reward = textgauge.rewards.Reward("cpwer")
    assert reward(completions=["x\ta b", "a b", ""], answer=["A\t0\t1\ta b"] * 3) == [1.0, 1.0, 0.0]
    for options in ("collar=5", "orc=True"):
        with pytest.raises(ValueError, match="^metric: .*got .cpwer"):
            textgauge.rewards.Reward(f"cpwer({options})")
