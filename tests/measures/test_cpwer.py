"""CpWER: assignments of speakers, sessions in every form, figures of meeteval."""

import gzip
import itertools
import json
import warnings

import pytest
import textgauge
from hypothesis import given, settings
from hypothesis import strategies as st
from quick import examples
from textgauge import engine
from textgauge.input.sessions import utterances_in
from textgauge.measures.cpwer import assignment
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
    assert utterances_in("a b\n\n a\tb\tc\r\nd") == [("line 1", "a b"), ("a", "b\tc\r"), ("line 4", "d")]
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
        text = "\n".join(f"{row['speaker']}\t{row['words']}" for row in order)
        assert textgauge.cpwer([[*order]], [text])["ordered_wer"] == 0


ROW = {"session_id": "s", "speaker": "A", "words": "a"}


@pytest.mark.parametrize(("predictions", "references", "error", "said"), [
    ([{"A": 1}], ["a"], TypeError, r"predictions\[0\]\['A'\]"), ([{"A": "a"}], [{"A": None}], TypeError, "references"),
    ([[{"A": "a"}]], ["a"], TypeError, r"predictions\[0\]: expected a text with a line per utterance"),
    ([[{"speaker": "A", "words": "a"}, {"words": "b"}]], ["a"], TypeError, r"predictions\[0\]\[1\]"),
    ([[{"speaker": "A", "words": "a", "start_time": "x"}]], ["a"], ValueError, "start_time.*seconds"),
    ([ROW], ["a"], TypeError, "references: expected rows"),
    ([ROW], [ROW | {"session_id": "t"}], ValueError, "predictions: expected rows of the session 't'"),
    ("a", ["a"], TypeError, "predictions"), ([1], ["a"], TypeError, r"predictions\[0\]"),
])  # fmt: skip
def test_what_is_no_session_is_refused(predictions, references, error, said):
    with pytest.raises(error, match=said):
        textgauge.cpwer(predictions, references)


def tables(n):
    return st.lists(st.lists(st.integers(0, 6), min_size=n, max_size=n), min_size=n, max_size=n)


@settings(max_examples=examples(60))
@given(st.integers(0, 5).flatmap(tables))
def test_an_assignment_has_the_least_sum(costs):
    found = assignment(costs)
    ways = itertools.permutations(range(len(costs)))
    assert sorted(found) == [*range(len(costs))]
    assert sum(row[j] for row, j in zip(costs, found, strict=True)) == min(
        sum(row[j] for row, j in zip(costs, way, strict=True)) for way in ways
    )


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
