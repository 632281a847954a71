"""What the declaration of an option says: its type and default for help, what it allows, which values it takes."""

import math

import pytest
import textgauge
from option_values import drawn
from textgauge.accumulation.registry import METRICS
from textgauge.options import Option, options_of

NAMES = {"choices": ("mean", "max")}
# By kind and more: the type in help, what messages allow, values with what becomes of them, a value that is refused.
KINDS = {
    ("flag",): ("bool", "True or False", {True: True}, 1),
    ("flag", "choices"): ('bool, "mean", "max"', "True, False or 'mean' or 'max'", {False: False, "max": "max"}, "x"),
    ("choice", "choices"): ('"mean", "max"', "one of 'mean', 'max'", {"mean": "mean"}, "maxi"),
    ("whole",): ("int", "a whole number", {0: 0, 7: 7}, -1),
    ("whole", 2): ("int", "a whole number of at least 2", {2: 2}, 1),
    ("whole", 2, 9): ("int", "a whole number from 2 to 9", {2: 2, 9: 9}, 10),
    ("number", 0.5): ("float", "a number of at least 0.5", {0.5: 0.5, 3: 3.0}, 0.25),
    ("number", 0, 1): ("float", "a number from 0 to 1", {0: 0.0, 1: 1.0}, 1.5),
    ("number", 0, 1, "open"): ("float", "a number between 0 and 1", {0.5: 0.5}, 1),
    ("number", 0, "open"): ("float", "a number greater than 0", {1e-300: 1e-300, 3: 3.0}, 0),
    ("numbers",): ("sequence of float", "a list of numbers", {(1, 2): (1, 2)}, None),
    ("names",): ("str or sequence of str", "a name or a list of names", {"a": ("a",), ("a", "b"): ("a", "b")}, None),
    ("tokenizer",): ("str or callable str -> list", "the name of a tokenizer or a callable str -> list", {}, None),
    ("normalizer",): ("str or callable str -> str", "the name of a normalizer or a callable str -> str", {}, None),
    ("replacements",): ("path or dict of str", "a file with two columns, or a dict of texts", {}, None),
    ("words",): ("path or collection of str", "a file with one word a line, or a list of words", {}, None),
    ("folder",): ("path", "the path of a folder", {}, None),
    ("model",): ("str or path", "the name or path of a model", {}, None),
    ("text",): ("str", "a str", {"x": "x"}, None),
    ("texts",): ("sequence of str", "a list of texts", {}, None),
    ("groups",): ("sequence of lists of str", "a list of lists of texts", {}, None),
    ("labels",): ("sequence of str or int", "a list of texts or numbers", {}, None),
    ("python",): ("object", "an object", {}, None),
}  # fmt: skip


def made(kind, *more, **others):
    bounds = [one for one in more if not isinstance(one, str)]
    limits = dict(zip(("at_least", "at_most"), bounds, strict=False))
    names = NAMES["choices"] if "choices" in more else ()
    given = {"default": None, "help": "", "may_be_none": False, "is_open": "open" in more, **limits, **others}
    return Option("x", kind=kind, choices=names, **given)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind)))
def test_kinds(kind):
    type_name, allowed, values, wrong = KINDS[kind]
    one, or_none = made(*kind), made(*kind, may_be_none=True)
    assert (one.type_name, one.allowed) == (type_name, allowed)
    assert or_none.type_name == f"{type_name} or None"
    assert or_none.allowed == allowed + (", or None" if "open" in kind else "")
    for value, expected in values.items():
        found = one.checked(value)
        assert (found, type(found)) == (expected, type(expected))
    assert or_none.checked(None) is None
    if wrong is not None:
        with pytest.raises((TypeError, ValueError), match="^x: expected "):
            one.checked(wrong)
        with pytest.raises((TypeError, ValueError), match="^x: expected "):
            one.checked(None)


@pytest.mark.parametrize(
    ("kind", "may_be_none", "typed", "value"),
    [
        ("whole", False, ["1", "2"], 2), ("whole", False, ["x"], "x"), ("number", False, ["2"], 2.0),
        ("flag", False, ["TRUE"], True), ("flag", False, ["False"], False), ("flag", False, ["max"], "max"),
        ("names", True, ["a, b,", "c"], ["a", "b", "c"]), ("numbers", True, ["1,2", "3"], [1.0, 2.0, 3.0]),
        ("numbers", True, ["1,x"], "1,x"), ("text", True, ["None"], None), ("text", False, ["None"], "None"),
        ("text", False, ["1"], "1"), ("text", False, ["a", None], None), ("whole", False, [True], True),
    ],
)  # fmt: skip
def test_what_is_typed(kind, may_be_none, typed, value):
    found = made(kind, may_be_none=may_be_none).value_of(typed)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("default", "none_means", "shown"),
    [(None, "all", "None (all)"), (None, "", "None"), ("13a", "all", '"13a"'), (0.5, "", "0.5"), (False, "", "False")],
)
def test_defaults_in_help(default, none_means, shown):
    assert made("text", default=default, none_means=none_means).shown_default == shown


def test_columns_are_among_the_keywords_that_are_near():
    with pytest.raises(TypeError, match="^source: expected an option of Sari .nearest: sources"):
        textgauge.sari(["a"], ["b"], source=["c"])
    with pytest.raises(TypeError, match="^chr_order: expected an option of Chrf .nearest: char_order"):
        textgauge.chrf(["a"], ["b"], chr_order=2)


def test_a_folder_of_exceptions_is_read_at_every_call(tmp_path):
    def found():
        [score] = textgauge.rouge(
            ["foos"], ["bar"], rouge_types=["rouge1"], use_stemmer=True, preset="rouge-1.5.5", exceptions=str(tmp_path)
        ).values()
        return score

    for name in ("adj", "adv", "noun", "verb"):
        (tmp_path / f"{name}.exc").write_text("")
    (tmp_path / "noun.exc").write_text("foos bar\n")
    first = found()
    (tmp_path / "noun.exc").write_text("fooz bar\n")
    assert (first, found()) == (1.0, 0.0)


def test_units_have_no_effect_without_confidence():
    with pytest.raises(ValueError, match="unit"):
        textgauge.chrf(["A"] * 3, ["a"] * 3, unit=[1, 1, 2])


def wrong_values(one):
    """Values that the declaration of an option forbids."""
    if not one.may_be_none and one.kind in ("whole", "number", "choice", "model"):
        yield None
    if one.kind in ("whole", "number"):
        yield from (math.nan, math.inf, -math.inf, "x")
        yield from (one.at_least - 1,) if one.at_least is not None else ()
        yield from (2 * one.at_most + 1,) if one.at_most is not None else ()
    elif one.kind == "numbers":
        yield from ([number, 1, 1, 1] for number in (math.nan, math.inf, -math.inf, "x"))
    else:
        yield from {"flag": ["no"], "choice": ["no", 3], "model": [3]}.get(one.kind, ())


@pytest.mark.parametrize("name", METRICS)
def test_options_of_metrics_refuse_what_they_do_not_take(name):
    for kind in (METRICS[name].options_type, METRICS[name].reports_type):
        for one in options_of(kind):
            for wrong in wrong_values(one):
                with pytest.raises((TypeError, ValueError), match=f"^{one.name}(\\[0\\])?: .*got "):
                    kind(**{**drawn(name, one), one.name: wrong})
