"""Laws of every option of every metric: it changes a score, the signature says so, and the printed sums are right."""

import json
import math
import re
from functools import cache

import datasets
import numpy as np
import pytest
import textgauge
from declared import COUNTED, adding, adds_up, main_of, sources_of
from option_values import drawn, values_of
from quick import some
from textgauge.accumulation.accumulator import accumulator_of, observed_scores
from textgauge.accumulation.named_score import NamedScore
from textgauge.accumulation.registry import METRICS
from textgauge.explanation.alignment import best_pairs_of
from textgauge.explanation.explain import derived
from textgauge.options import options_of
from textgauge.report import Report
from textgauge.resampling import PairedOptions

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
# Every option changes the score of one of these segments, or of all: an option that does not brings its own.
SEGMENTS = [
    ("The Cat sat on the mat; it didn't sleep, 3.5 hours.",
     ["the cats sat on a mat. It did not sleep for 3,5 hours", "On the mat the cat sat; it slept"]),
    ("a b c d a b", ["b c d e f g h i", "c d a b"]),
    ("the dogs were running & barking!", ["A dog was running and barked.", "the dog ran & barked"]),
    ("x", ["y z"]), ("x y z u v w s t", ["a"]), ("a b", ["a b"]), ("", ["a"]), ("a", [""]), ("c a b", ["c a b d"]),
    ("naïve 猫が，座った。", ["naive 猫 が座った", "naïve"]), ("猫，座", ["猫 ， 座"]), ("a b c d\u00a0", ["a b c d"]),
    ("police kill the gunman now", ["the gunman killed police", "police killed the gunman"]),
    ("&quot;the&quot; end-of U.S. <skipped>", ['"The" end of U.S.', "the end"]),
    ("the cat the cat sat sat", ["the cat sat", "cat the sat sat the"]),
    ("It rained. We stayed in.", ["We stayed in. It rained all day."]),
    ("Yes", ["yes"]), ("so what?", ["so what"]), ("room 12", ["room "]), ("abcd", ["axyd"]), ("1/2 ", ["0.5"]),
    (r"\frac12", ["\\frac{1}{2}"]), ("the cat is on the mat today", ["the cat is on the mat today again"]),
    (" a  b ", ["a b"]), ("  a b  c d", ["a b c d e"]), ("cat      ", ["dog"]), ("140", ["100"]), ("Yes \n", ["yes"]),
    ("Joe's dog", ["Joe 's dog"] * 4 + ["a cat"]), ("Two.", ["2"] * 4), ("to day", ["today"]),
    ("one two\nthree", ["a\tone two\na\tthree"]),
]  # fmt: skip
CORPORA = [SEGMENTS, *([one] for one in SEGMENTS)]
# What texts alone do not show: the folders of forms, and probabilities that are read beside the texts.
ELSEWHERE = {
    "rouge.exceptions", "wer.numbers", "cer.numbers", "cpwer.collar", "cpwer.numbers", "squad_v2.no_answer_threshold",
    "math_answer.engine", "math_answer.seconds",
}  # fmt: skip


def columns(name, rows):
    hyps, refs = zip(*rows, strict=True)
    return {"predictions": [*hyps], "references": [*refs], **sources_of(name, hyps)}


def scored(name, rows, options):
    """The result, and the signature."""
    result = getattr(textgauge, name)(**columns(name, rows), **options, per_segment=True, signature=True)
    signature = result.pop("signature")
    return repr(result), signature


def options(counted=COUNTED):
    for name in counted:
        for one in options_of(METRICS[name].options_type):
            if f"{name}.{one.name}" not in ELSEWHERE:
                yield pytest.param(name, one, id=f"{name}-{one.name}")


# Another name of "exp"; rules that no answer here tells apart.
ALIKE = "chen-cherry-3", "lm-eval"


@pytest.mark.parametrize(("name", "one"), options())
def test_the_signature_changes_with_the_scores_and_not_without(name, one):
    have_effect = []
    for changed in values_of(name, one):
        usual = {key: value for key, value in changed.items() if key != one.name}
        for rows in CORPORA:
            (left, of_left), (right, of_right) = scored(name, rows, usual), scored(name, rows, changed)
            assert left == right or of_left != of_right, f"{changed} is not in the signature"
            if left != right:
                break
        have_effect.append(left != right)
        if left == right and changed[one.name] not in ALIKE:
            assert of_left == of_right, changed
    # The rest sets other options, or changes only what is said.
    assert any(have_effect) or one.changes != "scores", f"add a segment whose score {name}.{one.name} changes"


WORDS = {"×": "*", "−": "-", "^": "**", "²": "**2", "%": "/100", " of ": " / "}
# What stands before a formula, and behind it.
AROUND = r"smoothed \([\w-]+\): |, of repetition and length|, as there are edits but no words"
IN_WORDS = re.compile(r"precision and recall are 0|.*of the|.*of these|[^\d]*$|equal by the rule|.*\d of 0\b|.* F of ")


@cache
def evaluated(formula):
    """The number that a formula stands for, and how far off it may be as its numbers are rounded."""
    formula = re.sub(r"(?<=\d),(?=\d{3})", "", re.sub(AROUND, "", formula))
    formula = re.sub(r"^(.*), at most (\d+)$", r"min(\1, \2)", formula)
    for written, operator in WORDS.items():
        formula = formula.replace(written, operator)
    formula = re.sub(r"(?<![\w.])e(?=\*\*)", repr(math.e), formula)
    numbers = re.compile(r"(?<![\w.])\d+\.?\d*(?:e-?\d+)?(?!\w)")

    def of(changed=None, by=0.0):
        places = iter(range(formula.count("")))
        text = numbers.sub(lambda one: repr(float(one[0]) + by * (next(places) == changed)), formula)
        return float(eval(text, {"exp": math.exp, "min": min}))  # noqa: S307

    value, off = of(), 0.0
    for place, number in enumerate(numbers.findall(formula)):
        digits, _, exponent = number.partition("e")
        if "." in digits or exponent:
            half = 0.5 * 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))
            off += max(abs(of(place, half) - value), abs(of(place, -half) - value))
    return value, off


def formulas(name, rows, options):
    given = METRICS[name].inputs.read(**columns(name, rows))
    accumulator = accumulator_of(METRICS[name])(**options).update_corpus(given)
    for key in accumulator.metric.scores.keys:
        whole = derived(accumulator, key, given)
        assert whole.steps[-1].value == observed_scores(accumulator)[key]
        yield from (step for one in (whole, *whole.segments) for step in one.steps if step.value is not None)


@cache
def scores_of(named):
    scores = named.start().update(**columns(named.name, SEGMENTS)).segment_columns()
    return [*zip(*scores.values(), strict=True)]


def told_apart(name, one, chosen):
    """A few segments, and of those whose scores an option changes all; in the quick run some, others for each value."""
    others = {key: value for key, value in chosen.items() if key != one.name}
    usual, of_chosen = (scores_of(NamedScore(name, given)) for given in (others, chosen))
    changed = [i for i in range(3, len(SEGMENTS)) if usual[i] != of_chosen[i]]
    return [SEGMENTS[i] for i in (0, 1, 2, *some(6, changed, f"{name} {chosen}"))]


@pytest.mark.parametrize(("name", "one"), options())
def test_a_printed_formula_has_the_value_beside_it(name, one):
    for chosen in values_of(name, one):
        for rows in (told_apart(name, one, chosen), *some(1, [SEGMENTS[-3:], SEGMENTS[3:4]], f"{name} {chosen}")):
            for step in formulas(name, rows, chosen):
                if not IN_WORDS.match(re.sub(r"^smoothed \([\w-]+\)", "", step.formula)):
                    value, off = evaluated(step.formula)
                    # The script ROUGE-1.5.5 rounds to five decimals; nltk's BLEU has the smallest float for 0.
                    off += 5e-6 * (chosen.get("preset") == "rouge-1.5.5") + 1e-150
                    assert abs(value - step.value) <= 1.001 * off + 1e-9 * abs(value), (chosen, step)


@pytest.mark.parametrize("name", COUNTED)
def test_the_reference_that_is_shown_as_scored_gives_the_score(name):
    chosen = [values for param in options([name]) for values in values_of(*param.values)]
    script = {"preset": "rouge-1.5.5", "multi_reference": "best"}
    kind, several = accumulator_of(METRICS[name]), [row for row in SEGMENTS if len(row[1]) > 1]
    for own in ({}, *chosen, *([script] if name == "rouge" else [])):
        texts = columns(name, several)
        whole = kind(**own).update(**texts)
        metric, fields = whole.metric, whole.metric.layout.fields
        if metric.layout.references != "best" or not adding(metric) or {field.over for field in fields} != {"chosen"}:
            continue
        for key in metric.scores.keys:
            best = best_pairs_of(metric, metric.inputs.read(**texts), key)
            pairs = [ref for _, refs in several for ref in refs]
            alone = kind(**own).update(**{**texts, "references": [pairs[place] for place in best.tolist()]})
            assert alone.segment_columns()[key].tolist() == whole.segment_columns()[key].tolist(), (own, key)


@pytest.mark.parametrize(
    ("formula", "value", "off"),
    [("100 × 6 / 2", 300, 0), ("smoothed (exp): 1/(2 × 3)", 1 / 6, 0), ("3 / 1, at most 1", 1, 0),
     ("e^(1 − 2/1)", 1 / math.e, 0), ("exp(-1² / (2 × 6²))", math.exp(-1 / 72), 0), ("2 × 0.50", 1, 0.01),
     ("(2 of 8)^(1/2)", 0.5, 0), ("1,000 × 2.5e-16", 2.5e-13, 5e-15)],
)  # fmt: skip
def test_formulas_are_evaluated(formula, value, off):
    assert evaluated(formula) == pytest.approx((value, off), rel=1e-9, abs=1e-15)


FEW = [SEGMENTS[place] for place in (0, 2, 5, 9, 14, 21)]


def of_metric_and_score():
    """Every option of every metric; in the quick run those that metrics share, such as intervals, of one of them."""
    seen = set()
    for name in COUNTED:
        yield pytest.param(name, None, id=name)
        for kind in (METRICS[name].options_type, METRICS[name].reports_type):
            for one in options_of(kind):
                if f"{name}.{one.name}" not in ELSEWHERE and one.kind not in ("labels", "python"):
                    marks = [pytest.mark.slow] * ((kind, one.name) in seen)
                    yield pytest.param(name, one, id=f"{name}-{one.name}", marks=marks)
                    seen |= {(kind, one.name)} if kind is METRICS[name].reports_type else set()


module_of = cache(textgauge.load)


@cache
def table_of(name):
    texts = columns(name, FEW)
    rows = {"hyp": texts["predictions"], "ref": texts["references"], "src": texts.get("sources", texts["predictions"])}
    return datasets.Dataset.from_dict(rows)


@pytest.mark.parametrize(("name", "one"), of_metric_and_score())
def test_an_option_has_its_effect_through_every_face(name, one):
    given, texts = drawn(name, one) if one else {}, columns(name, FEW)
    of_score = {option.name for option in options_of(METRICS[name].reports_type)}
    own = {key: value for key, value in given.items() if key not in of_score}
    reports = {"signature": True, **{key: value for key, value in given.items() if key in of_score}}
    result = getattr(textgauge, name)(**texts, **own, **reports)
    assert accumulator_of(METRICS[name])(**own).update(**texts).score(**reports) == result
    named = NamedScore(name, own)
    metric = named.start().metric
    module, key = module_of(name), named.keys_in(metric)[0]
    theirs = {ours: theirs for theirs, ours in type(module).keywords.items()}
    spelled = {theirs.get(name, name): value for name, value in {**own, **reports}.items()}
    asked = {name: value for name, value in spelled.items() if name not in type(module).chosen}
    loaded = textgauge.load(name, **asked, keep_in_memory=True)
    loaded.add_batch(**texts)
    for found in (module.compute(**texts, **asked), loaded.compute()):
        assert (main_of(found, key), found["signature"]) == (main_of(result, key), result["signature"])
        assert json.loads(json.dumps(plain := {k: v for k, v in found.items() if type(v) is not np.ndarray})) == plain
    if one and one.name in of_score:
        return
    segments = accumulator_of(METRICS[name])(**own).update(**texts).segment_columns()
    # These get all options of a metric at once.
    of_data_sets, of_texts = ((one is None or which in some(1, "dt", f"{name} {one.name}")) for which in "dt")
    by_name = {"prediction_column": "hyp", "reference_column": "ref"}
    by_name |= {"source_column": "src"} if "sources" in texts else {}
    if of_data_sets and adds_up(name) and metric.sums.kind != "whole":
        added = textgauge.scorer(named, **by_name)(table_of(name)[:])
        assert {column: scores.tolist() for column, scores in added.items()} == {
            column: segments[column].tolist() for column in named.keys_in(metric)
        }
        whole = textgauge.score_dataset(table_of(name), named, **by_name, batch_size=4)
        assert whole[key] == pytest.approx(result[key], rel=3e-16)
    if not of_texts or (one and one.changes == "result") or (named.has_several and given.get("rouge_types")):
        return
    named = NamedScore(metric.scores.keys[0], own) if named.has_several else named
    key, sides = named.key, (texts["predictions"], texts["references"])
    others = {"sources": texts["sources"]} if "sources" in texts else {}
    report = Report.of(["a"], [metric.inputs.read(**texts)], [(named.start(), key)], PairedOptions(confidence=None))
    [compared] = textgauge.compare([sides[0]] * 2, sides[1], **others, metric=named, confidence=None, n_resamples=9)
    first = {column: rows[:1] for column, rows in texts.items()}
    assert {
        "explain": textgauge.explain(**first, metric=named).score, "compare": compared.score2,
        "page": report.systems[0].score, "segments": textgauge.segment_scores(named, *sides, **others).tolist(),
        "lines": report.systems[0].segment_scores.tolist(),
    } == {
        "explain": getattr(textgauge, name)(**first, **own)[key], "compare": result[key], "page": result[key],
        "segments": segments[key].tolist(), "lines": segments[key].tolist(),
    }  # fmt: skip
