"""The sum behind a score: its last line is the score, its examples are as many as it counts."""

import re

import pytest
import textgauge
from hypothesis import example, given, settings
from quick import examples
from strategies import corpora
from textgauge.measures.bleu_options import PRESETS
from textgauge.measures.explain import derived
from textgauge.measures.marks import STRONGEST
from textgauge.measures.measure import Measure
from textgauge.measures.registry import METRICS

HOSTILE = ["", "a", "&quot; &amp;quot;", "猫 が座った。", "\u0130\u212a ß", "a\n\nb \x85", "the the the", "\x00 \u202e"]
OPTIONS = {
    "bleu": [
        {}, *({"preset": name} for name in PRESETS), {"effective_order": True}, {"weights": [0.5, 0.5], "max_order": 2},
        {"smoothing": "exp"}, {"smoothing": "floor", "max_order": 2}, {"reference_length": "average"},
        {"tokenizer": "character", "max_order": 9, "weights": [0, *[0.125] * 8]}, {"smoothing": "chen-cherry-7"},
    ],
    "sacrebleu": [{}, {"smoothing": "none"}],
    "chrf": [{}, {"word_order": 2}, {"eps_smoothing": True}, {"whitespace": True, "beta": 1.0}, {"lowercase": True}],
    "ter": [{}, {"normalized": True}, {"case_sensitive": True}],
    "rouge": [
        {"rouge_types": ["rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS", "rougeSU4"]},
        {"use_stemmer": True, "beta": 0.5}, {"jackknife": True}, {"multi_reference": "average"},
        {"preset": "rouge-1.5.5"}, {"max_words": 3, "tokenizer": "unicode"}, {"beta": 2.0},
    ],
    "token_f1": [{}, {"contains": True}, {"counting": "set"}, {"normalizer": "mlqa:zh", "tokenizer": "character"}],
    "squad": [{}],
}  # fmt: skip


# Metrics that say how their score comes about.
# A model is not at hand here: tests/bertscore has its sum.
OWN = [
    name
    for name in METRICS
    if METRICS[name].has_references and METRICS[name].derivation is not Measure.derivation and name != "bertscore"
]


def cases():
    for name in OWN:
        yield from (pytest.param(name, options, id=f"{name} {options}") for options in OPTIONS.get(name, [{}]))


def test_every_option_belongs_to_a_metric():
    assert OPTIONS.keys() <= {*OWN}


def summed(name, options, predictions, references):
    measure = METRICS[name](**options)
    corpus = measure.corpus_of(predictions, references)
    return measure.update_corpus(corpus), corpus


@pytest.mark.parametrize(("name", "options"), cases())
@settings(max_examples=examples(12))
@given(corpora)
@example([(text, HOSTILE[::-1][i : i + 1] + ["a"]) for i, text in enumerate(HOSTILE)])
@example([("the cat sat on the mat", ["the cat is on the mat", "on the mat the cat sat"])])
def test_the_last_line_is_the_score(name, options, rows):
    predictions, references = map(list, zip(*rows, strict=True))
    measure, corpus = summed(name, options, predictions, references)
    observed = measure.observed_scores()
    for key in measure.score_names:
        whole = derived(measure, key, corpus)
        assert whole.score == float(observed[key]) * measure.scale
        assert whole.steps[-1].value == whole.score
        assert str(whole).splitlines()
        for i, one in enumerate(whole.segments or [whole]):
            alone, texts = summed(name, options, predictions[i : i + 1], references[i : i + 1])
            # Of several segments each has the sum of its own score.
            alone = alone.for_segments().without_segments().update_corpus(texts) if whole.segments else alone
            assert one.score == float(alone.observed_scores()[key]) * measure.scale
            assert "".join(piece.text for piece in one.texts[0][1]) == predictions[i]
            assert all(0 <= piece.level <= STRONGEST for _, pieces in one.texts for piece in pieces)
            of_rows = derived(alone, key, texts)
            assert [(step.label, step.cells) for step in one.steps] == [(s.label, s.cells) for s in of_rows.steps]


def lines(prediction, references, metric, **options):
    whole = textgauge.explain([prediction], [references], metric=metric, metric_options=options)
    return {step.label: step for step in whole.steps}, whole


@settings(max_examples=examples(40))
@given(corpora)
@example([(text, [HOSTILE[i - 1], "a"]) for i, text in enumerate(HOSTILE)])
def test_examples_are_as_many_as_matches(rows):
    for prediction, references in rows:
        counts = textgauge.bleu([prediction], [references], counts=True)["counts"]["matches"]
        steps, _ = lines(prediction, references, "bleu")
        assert [len(steps[f"{n}-grams"].examples) for n in (1, 2, 3, 4)] == counts
        for key, options in (
            ("rouge1", {"use_stemmer": True}), ("rouge2", {"tokenizer": "unicode"}), ("token_f1", {}),
            ("token_f1", {"counting": "set"}),
        ):  # fmt: skip
            steps, _ = lines(prediction, references, key, **options)
            assert steps["matches"].cells == (str(len(steps["matches"].examples)),)
        steps, whole = lines(prediction, references, "ter")
        listed = [step for step in steps.values() if step.examples is not None]
        assert sum(len(step.examples) for step in listed) == float(steps["edits"].cells[0].replace(",", ""))
        assert [step.cells[0] for step in listed] == [str(len(step.examples)) for step in listed]
        kept = [edit.before for edit in whole.edits if edit.kind != "insert"]
        assert sorted(" ".join(kept).split()) == sorted(prediction.split())


@pytest.mark.parametrize("rule", ["best", "average"])
def test_a_jackknife_says_which_reference_is_left_out(rule):
    steps, _ = lines("a b c", ["a b x", "c y z"], "rouge2", jackknife=True, multi_reference=rule)
    label = "without reference" if rule == "best" else "reference"
    values = [steps[f"{label} {n}"].value for n in (1, 2)]
    assert values == ([0, 0.5] if rule == "best" else [0.5, 0])


def test_smoothed_shares_are_named():
    steps, whole = lines("a b c d", ["a x c y"], "bleu", smoothing="exp")
    assert (steps["2-grams"].formula, steps["2-grams"].value) == ("smoothed (exp): 1/(2 × 3)", 1 / 6)
    assert "2-grams     0 of 3       smoothed (exp): 1/(2 × 3) = 0.1667" in str(whole)
    assert steps["mean"].formula == "(2/4 × 1/(2 × 3) × 1/(4 × 2) × 1/(8 × 1))^(1/4)"
    assert "counts as half a match" in steps["3-grams"].meaning
    # What an n-gram is stands at the first of them.
    assert "n tokens in a row" in steps["2-grams"].meaning
    _, unsmoothed = lines("the cat sat on the mat", ["the cat is on the mat today"], "bleu")
    assert unsmoothed.notes[-1].endswith("0.8465 × (5/6 × 3/5 × 1/4 × 1/(2 × 3))^(1/4) = 0.3216.")
    steps, _ = lines("a b c d", ["a x c y"], "bleu", smoothing="add-k")
    assert (steps["2-grams"].formula, steps["2-grams"].value) == ("smoothed (add-k)", 1 / 4)
    steps, _ = lines("a b", ["a b"], "bleu", counting="mteval")
    assert (steps["4-grams"].formula, steps["4-grams"].value) == ("taken as", 1.0)


NOTHING = " is 0, since .*(nothing matches|no run of characters is in both)"
REASONS = [
    ("bleu", "a b c", "a b c", ["there is no 4-gram in a text of fewer than 4 tokens", "effective_order=True"]),
    ("bleu", "a b c d", "a x c y", ["no 2-gram matches", r"smoothing='exp' it is 1 × \(2/4 × 1/\(2 × 3\)"]),
    ("bleu", "a b c d", "w x y z", ["no 1-gram matches"]),
    ("bleu", "", "a", ["the prediction has no tokens"]),
    ("bleu", "a", "", ["the reference has no tokens"]),
    ("bleu", "a b c d", "a b c d", []),
    *((metric, "x", "b", [NOTHING]) for metric in ("rouge1", "rougeL", "rougeSU4", "chrf", "token_f1", "squad")),
    *((metric, "", "b", ["has no "]) for metric in ("rouge1", "rougeL", "rougeSU4", "chrf", "token_f1", "squad")),
    ("chrf", "x", "", ["^chrF is 0, since the prediction or the reference has no characters.$"]),
    ("rougeW", "", "x", ["^ROUGE-W is 0, since the prediction has no words.$"]),
    ("sacrebleu", "a a b", "a b b", ["", r"^With .* it is 100 × 1 × \(2/3 × 1/2 × 1/\(2 × 1\)\)\^\(1/3\) = 55.03.$"]),
]


@pytest.mark.parametrize(("metric", "prediction", "reference", "notes"), REASONS)
def test_a_score_of_0_says_why(metric, prediction, reference, notes):
    _, whole = lines(prediction, [reference], metric)
    assert len(whole.notes) == len(notes)
    assert [bool(re.search(note, shown)) for note, shown in zip(notes, whole.notes, strict=True)] == [True] * len(notes)
    assert bool(notes) == (whole.score == 0)


def test_an_f_of_nothing_is_said_to_be_0():
    for metric, name in (("rouge1", "ROUGE-1"), ("chrf", "chrF")):
        assert lines("a", ["b"], metric)[0][name].formula == "precision and recall are 0"


def test_edits_lead_from_the_prediction_to_the_reference():
    _, whole = lines("on the mat the big cat sat", ["The cat sat on a mat today"], "ter", case_sensitive=True)
    assert " ".join(edit.after or edit.before for edit in whole.edits if edit.kind != "delete") == (
        "The cat sat on a mat today"
    )
    _, whole = lines("on the mat the cat sat", ["the cat sat on the mat today"], "ter")
    assert whole.edits[0] == ("shift", "the cat sat", "")
    assert "edits       [moved: the cat sat] on the mat [+ today]" in str(whole)
    steps, whole = lines("b c d a", ["a b c d e"], "ter")
    assert [edit[:2] for edit in whole.edits] == [
        ("shift", "a"), ("keep", "b"), ("keep", "c"), ("keep", "d"), ("insert", ""),
    ]  # fmt: skip
    assert {name: step.examples for name, step in steps.items()} == {
        "shift": ("a",), "insert": ("e",), "edits": None, "words": None, "TER": None,
    }  # fmt: skip
    assert steps["TER"].formula == "100 × 2 / 5"


@pytest.mark.parametrize(
    ("prediction", "references", "score"),
    [
        ("The answer is Paris, of course", ["Paris"], 1),
        ("the cat sat on the mat", ["a cat is on the mat"], 0),
        ("", [""], 1),
        ("Paris and Rome", ["Rome Paris and x", "Rome"], 1),
    ],
)
def test_contains_is_explained_as_it_is_scored(prediction, references, score):
    steps, whole = lines(prediction, references, "contains")
    assert (whole.score, steps["Contains"].formula) == (score, "contained" if score else "not contained")
    assert "matches" not in steps
    scored = [name for name, _ in whole.texts if "scored" in name]
    assert scored == ["reference 2 (scored)"] * (len(references) > 1)


def test_squad_v2_shows_questions_with_and_without_an_answer():
    whole = textgauge.explain(["the cat sat", "", "x"], ["a cat sits", "", ""], metric="squad_v2")
    assert [(step.label, step.cells) for step in whole.steps[:-1]] == [
        ("HasAns", ("0.5000 of 1",)), ("NoAns", ("1 of 2",)),
    ]  # fmt: skip
    assert whole.steps[-1].formula == "100 × (0.5000 + 1) / 3"
    assert whole.segments[0].steps[-3].examples == ("cat",)
    best = textgauge.explain(["Paris"], [["", "Paris"]], metric="squad_v2")
    assert (best.texts[2][0], best.steps[2].examples) == ("reference 2 (scored)", ("paris",))
    predictions = [{"id": "a", "prediction_text": "x", "no_answer_probability": 0.75}]
    references = [{"id": "a", "answers": {"text": ["x"], "answer_start": [0]}}]
    settings = {"no_answer_threshold": 0.5}
    whole = textgauge.explain(predictions, references, metric="squad_v2", metric_options=settings)
    assert (whole.steps[0].label, whole.steps[0].formula, whole.score) == ("no answer", "0.7500 > 0.5000", 0)


def test_the_numbers_of_chrf():
    steps, whole = lines("abc", ["abcd"], "chrf", char_order=4)
    assert [steps[f"runs of {n}"].cells for n in (1, 2, 3)] == [
        ("3/3 = 1.000", "3/4 = 0.750"), ("2/2 = 1.000", "2/3 = 0.667"), ("1/1 = 1.000", "1/2 = 0.500"),
    ]  # fmt: skip
    assert steps["runs of 4"].cells == ("left out:", "too short")
    recall = (3 / 4 + 2 / 3 + 1 / 2) / 3
    assert (steps["precision"].cells, steps["recall"].cells) == (("1.0000", ""), ("", f"{recall:.4f}"))
    assert whole.score == pytest.approx(100 * 5 * recall / (4 + recall))


def test_several_segments_and_references():
    whole = textgauge.explain(["a b", "c"], ["a x", "c"], metric="rouge1")
    assert [one.score for one in whole.segments] == [0.5, 1.0]
    assert whole.steps[-1].formula == "(0.5000 + 1) / 2"
    pooled = textgauge.explain(["a b", "c"], ["a x", "c"], metric="bleu", metric_options={"max_order": 1})
    assert pooled.steps[0].cells == ("2 of 3",)
    [best] = [name for name, _ in textgauge.explain(["a b"], [["x", "a b"]], metric="chrf").texts if "scored" in name]
    assert best == "reference 2 (scored)"
    model = textgauge.NgramModel(2).fit(["the cat sat"])
    whole = textgauge.explain(["the dog", "cat"], metric="perplexity", metric_options={"model": model})
    assert whole.score == model.score(["the dog", "cat"])["corpus_perplexity"]
    # The end of a text is scored, too: with it the surprises are the sum.
    [surprise, total, *_] = whole.segments[0].steps
    assert [example.rpartition(" ")[0] for example in surprise.examples] == ["the", "dog", "(not in the text)"]
    bits = [float(example.rpartition(" ")[2]) for example in surprise.examples]
    assert sum(bits) == pytest.approx(float(total.cells[0].split()[0]), abs=0.15)
    with pytest.raises(TypeError, match="references: expected texts, which bleu needs, got None"):
        textgauge.explain(["a"])


def test_text_of_a_terminal_is_printable():
    written = str(textgauge.explain(["\x1b[31m the\ncat"], ["the cat"], metric="rouge1"))
    assert written.splitlines()[0] == "prediction  \\x1b[31m [the]\\n[cat]"
