"""Win rates: examples by hand, a naive definition, and every form of a verdict."""

from math import nan

import numpy as np
import pyarrow as pa
import pytest
import textgauge

FEW = pytest.mark.filterwarnings("ignore:only .* units")


def test_a_table_by_hand():
    rows = [
        # Whoever stands first wins, but for one verdict; b is better where both stand first.
        {"item": 1, "first": "a", "second": "b", "winner": "a", "first_length": 9, "second_length": "four"},
        {"item": 1, "first": "b", "second": "a", "winner": "first", "first_length": 3, "second_length": 9},
        {"item": 2, "first": "a", "second": "b", "winner": "second", "first_length": 9, "second_length": 9},
        {"item": 2, "first": "b", "second": "a", "winner": "b", "first_length": 5, "second_length": 4},
        {"item": 3, "first": "a", "second": "b", "winner": "tie (bothbad)", "first_length": 1, "second_length": 2},
        {"item": 3, "first": "b", "second": "a", "winner": "", "first_length": 1, "second_length": 2},
        {"item": 4, "first": "a", "second": "b", "winner": None, "first_length": 1, "second_length": 2},
    ]
    found = textgauge.win_rates(rows, confidence=None)
    assert found.systems == {
        "a": {"all": 1.5 / 5, "first": 0.5, "second": 0.0}, "b": {"all": 3.5 / 5, "first": 1.0, "second": 0.5},
    }  # fmt: skip
    # Of a first 1.5 of 3 are won, of b first 2 of 2: both orders count alike.
    assert found.first == 0.75
    # Lengths differ in four verdicts: the longer one wins, loses, wins, and is tied.
    assert found.longer == 2.5 / 4
    # Item 1: the first one each time; item 2: b each time.
    assert found.consistent == 0.5
    assert (found.n_verdicts, found.n_ties, found.n_missing) == (5, 1, 2)
    assert found.confidence_intervals == {}
    columns = {name: [row[name] for row in rows] for name in ("item", "first", "second", "winner")}
    expected = found._replace(longer=None)
    assert textgauge.win_rates(columns, confidence=None) == expected
    assert textgauge.win_rates(pa.table(columns), confidence=None) == expected
    frame = pytest.importorskip("pandas").DataFrame(columns)
    assert textgauge.win_rates(frame, confidence=None) == expected


def test_names_of_columns_are_verdicts():
    """As in the tables of Chatbot Arena."""
    rows = [
        {"model_a": "x", "model_b": "y", "judged": "model_b"},
        {"model_a": "y", "model_b": "x", "judged": "model_b"},
    ]
    names = {"first": "model_a", "second": "model_b", "winner": "judged"}
    found = textgauge.win_rates(rows, columns=names, confidence=None)
    assert (found.first, found.consistent) == (0.0, None)
    assert found.systems["x"] == {"all": 0.5, "first": 0.0, "second": 1.0}


def drawn_rows(n, random, bias=0.0):
    rows = []
    for item in range(n):
        for first, second in ("ab", "ba", "bc"):
            p = 0.5 + bias + 0.1 * ((first == "a") - (second == "a"))
            draw = random.random()
            winner = None if draw > 0.95 else "tie" if draw > 0.85 else "first" if random.random() < p else "second"
            rows.append({"item": item, "first": first, "second": second, "winner": winner})
    return rows


def naive(rows):
    """The bias of position by its definition."""
    won = {"first": 1.0, "second": 0.0, "tie": 0.5}
    rates, weights = [], []
    for pair in ("ab", "ac", "bc"):
        sides = [
            [won[row["winner"]] for row in rows if row["winner"] and row["first"] + row["second"] == order]
            for order in (pair, pair[::-1])
        ]
        if all(sides):
            rates.append(np.mean([np.mean(side) for side in sides]))
            weights.append(sum(map(len, sides)))
    return np.average(rates, weights=weights)


def test_figures_and_intervals_are_those_of_a_loop():
    random = np.random.default_rng(2)
    rows, n = drawn_rows(120, random, bias=0.15), 120
    found = textgauge.win_rates(rows, n_resamples=40)
    assert found.first == pytest.approx(naive(rows))
    assert found.n_missing == sum(row["winner"] is None for row in rows)
    places = np.random.default_rng(12345).integers(0, n, (40, n))
    drawn = [naive([row for item in one for row in rows[3 * item : 3 * item + 3]]) for one in places]
    assert found.confidence_intervals["first"] == pytest.approx(np.quantile(drawn, [0.025, 0.975]).tolist())
    assert found.confidence_intervals["first"][0] > 0.5
    low, high = found.confidence_intervals["systems"]["a"]["all"]
    assert low < found.systems["a"]["all"] < high
    same = textgauge.win_rates([{**row, "doc": row["item"]} for row in rows], unit="doc", n_resamples=40)
    assert same.confidence_intervals == found.confidence_intervals


@FEW
def test_what_is_undefined_is_none():
    rows = [{"first": "a", "second": "b", "winner": "a"}, {"first": "a", "second": "b", "winner": nan}]
    found = textgauge.win_rates(rows)
    assert (found.first, found.longer, found.consistent) == (None, None, None)
    assert found.systems["b"] == {"all": 0.0, "first": None, "second": 0.0}
    assert found.confidence_intervals["systems"]["a"]["second"] is None
    # Of one unit, as of one row, there are no intervals.
    assert textgauge.win_rates(rows, unit=["x", "x"]) == textgauge.win_rates(rows, confidence=None)
    # All verdicts alike have an interval all the same.
    assert found.confidence_intervals["systems"]["a"]["all"][0] < 0.9
    empty = textgauge.win_rates([{**row, "winner": None} for row in rows])
    assert (empty.n_missing, empty.systems["a"]["all"]) == (2, None)
    assert "2 missing verdicts" in empty._repr_html_()


@pytest.mark.parametrize(
    ("changed", "options", "message"),
    [
        ({"winner": "c"}, {}, r"^verdicts\[1\]\['winner'\]: .*got 'c'"),
        ({"winner": 1}, {}, r"verdicts\[1\]\['winner'\]"),
        ({"second": "a"}, {}, "two different systems"),
        ({"first": None}, {}, r"^verdicts\[1\]\['first'\]: .*got None"),
        ({"first": "second", "winner": "second"}, {}, "which is both"),
        ({}, {"columns": {"winner": "w"}}, r"^verdicts\[0\]: .*'w'.*got a row of 'first'"),
        ({"first_length": 3}, {}, "a length in 'second_length'"),
    ],
)
def test_refused(changed, options, message):
    row = {"first": "a", "second": "b", "winner": "a"}
    lengths = {"first_length": 1, "second_length": 1} if "first_length" in changed else {}
    with pytest.raises((TypeError, ValueError), match=message):
        textgauge.win_rates([{**row, **lengths}, {**row, **changed}], **options)


@pytest.mark.parametrize(("winners", "consistent"), [("aa", 1), ("bb", 1), ("ab", 0), ("ba", 0)])
@pytest.mark.parametrize("orders", [("ab", "ba"), ("ba", "ab")])
def test_verdicts_are_alike_if_the_same_system_wins_in_both_orders(orders, winners, consistent):
    rows = [
        {"item": 1, "first": first, "second": second, "winner": winner}
        for (first, second), winner in zip(orders, winners, strict=True)
    ]
    assert textgauge.win_rates(rows, confidence=None).consistent == consistent


def test_verdicts_of_other_systems_on_an_item_are_no_pair():
    """Of every three systems in any two orders, one item: only the two orders of one pair are compared."""
    orders = [first + second for first in "abc" for second in "abc" if first != second]
    for one in orders:
        for other in orders:
            rows = [{"item": 1, "first": first, "second": second, "winner": "first"} for first, second in (one, other)]
            found = textgauge.win_rates([*rows, {**rows[0], "winner": None}], confidence=None)
            assert found.consistent == (0 if one == other[::-1] else None), (one, other)


@pytest.mark.parametrize("word", ["tie", "Tie", "TIE (both bad)", " tie"])
def test_a_tie_is_written_in_any_case(word):
    found = textgauge.win_rates([{"first": "a", "second": "b", "winner": word}], confidence=None)
    assert (found.n_ties, found.systems["a"]["all"]) == (1, 0.5)


def test_resamples_without_an_order_leave_its_pair_out():
    """Of 120 items one has b before a."""
    rows = [
        {"item": item, "first": first, "second": second, "winner": "first" if (item + place) % 3 else "second"}
        for item in range(120)
        for place, (first, second) in enumerate(["ab", "bc", "cb", "ba"] if item == 7 else ["ab", "bc", "cb"])
    ]
    found = textgauge.win_rates(rows, n_resamples=100)
    places = np.random.default_rng(12345).integers(0, 120, (100, 120))
    drawn = [naive([row for item in one for row in rows if row["item"] == item]) for one in places]
    assert 20 < sum(7 not in one for one in places) < 60
    assert found.confidence_intervals["first"] == pytest.approx(np.quantile(drawn, [0.025, 0.975]).tolist())


@FEW
def test_what_most_resamples_lack_has_no_interval():
    """Two rows of twelve are in two of five resamples, one in two of three."""
    rows = [{"first": first, "second": second, "winner": "first"} for first, second in ["ab", "ba", *["ac"] * 10]]
    found = textgauge.win_rates(rows, n_resamples=200).confidence_intervals
    assert found["first"] is None
    assert found["systems"]["b"]["first"][1] == 1


def test_lengths_of_answers_are_their_characters():
    row = {"first": "a", "second": "b", "winner": "a"}
    pairs = [(("a b", "abcd"), 0), (("abcd", "a b"), 1), (("é", "e"), None), ((3, "abcd"), 0)]
    # What has no length is neither longer nor shorter.
    pairs += [((None, 3), None), ((3, nan), None), ((None, nan), None)]
    for pair, longer in pairs:
        lengths = dict(zip(("first_length", "second_length"), pair, strict=True))
        assert textgauge.win_rates([{**row, **lengths}], confidence=None).longer == longer


def test_rates_at_the_ends_have_intervals_that_reach_inwards():
    rows = [{"first": "a", "second": "b", "winner": "a"}] * 12
    found = textgauge.win_rates(rows, confidence=0.9)
    # Clopper and Pearson's of 12 of 12.
    width = 1 - 0.05 ** (1 / 12)
    bounds = found.confidence_intervals["systems"]
    assert bounds["a"]["all"] == pytest.approx([1 - width, 1])
    assert bounds["b"]["all"] == pytest.approx([0, width])
