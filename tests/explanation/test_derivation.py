"""The calculation of a score: its last line is the score, its examples are as many as it counts."""

import re

import numpy as np
import pytest
import textgauge
from declared import APART
from hypothesis import example, given, settings
from option_values import PRESETS
from quick import examples
from strategies import corpora
from textgauge.accumulation.accumulator import accumulator_of, observed_scores, with_metric
from textgauge.accumulation.named_score import NamedScore
from textgauge.accumulation.registry import METRICS
from textgauge.explanation.derivation import MOST_EXAMPLES, Step, figure
from textgauge.explanation.explain import derived
from textgauge.explanation.explainer import EXPLAINERS, Explainer, explainer_of
from textgauge.explanation.marks import STRONGEST
from textgauge.metric import Inputs, Scores
from textgauge.metric.metric import of_segments, with_defaults
from textgauge.report import Report, explain_page
from textgauge.resampling import PairedOptions
from tiny_meteor import save_own_meteor15, save_own_wordnet
from toys import Miss

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


# A model is not at hand here: the tests of its own folder have its calculation.
OWN = [*dict.fromkeys([*APART, *OPTIONS])]


def cases():
    for name in OWN:
        yield from (pytest.param(name, options, id=f"{name} {options}") for options in OPTIONS.get(name, [{}]))


def test_every_option_belongs_to_a_metric():
    assert OPTIONS.keys() <= {*OWN}


def summed(name, options, predictions, references):
    accumulator = accumulator_of(METRICS[name])(**options)
    corpus = accumulator.metric.inputs.read(predictions, references)
    return accumulator.update_corpus(corpus), corpus


@pytest.mark.parametrize(("name", "options"), cases())
@settings(max_examples=examples(12))
@given(corpora)
@example([(text, HOSTILE[::-1][i : i + 1] + ["a"]) for i, text in enumerate(HOSTILE)])
@example([("the cat sat on the mat", ["the cat is on the mat", "on the mat the cat sat"])])
def test_the_last_line_is_the_score(name, options, rows):
    predictions, references = map(list, zip(*rows, strict=True))
    accumulator, corpus = summed(name, options, predictions, references)
    observed = observed_scores(accumulator)
    apart = [summed(name, options, predictions[i : i + 1], references[i : i + 1]) for i in range(len(rows))]
    if len(apart) > 1:
        # Of several segments each has the calculation of its own score.
        apart = [
            (with_metric(alone, of_segments(alone.metric)).without_segments().update_corpus(texts), texts)
            for alone, texts in apart
        ]
    scores_apart = [observed_scores(alone) for alone, _ in apart]
    keys = accumulator.metric.scores.keys
    for place, key in enumerate(keys):
        whole = derived(accumulator, key, corpus)
        assert whole.score == float(observed[key])
        assert whole.steps[-1].value == whole.score
        assert str(whole).splitlines()
        for i, one in enumerate(whole.segments or [whole]):
            assert one.score == float(scores_apart[i][key])
            assert "".join(piece.text for piece in one.texts[0][1]) == predictions[i]
            assert all(0 <= piece.level <= STRONGEST for _, pieces in one.texts for piece in pieces)
            # Of each segment the steps of one key, in turn.
            if (i + place) % len(keys) == 0:
                of_rows = derived(apart[i][0], key, apart[i][1])
                assert [(step.label, step.cells) for step in one.steps] == [(s.label, s.cells) for s in of_rows.steps]


def lines(prediction, references, metric, **options):
    whole = textgauge.explain([prediction], [references], metric=NamedScore(metric, options))
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
            ("rouge1", {"preset": "rouge-1.5.5"}), ("rougeL", {"multi_reference": "pooled"}),
            ("token_f1", {"counting": "set"}),
        ):  # fmt: skip
            steps, _ = lines(prediction, references, key, **options)
            assert steps["matches"].cells == (str(len(steps["matches"].examples)),)
        for key, options in (
            ("rougeS", {}), ("rougeS0", {}), ("rougeSU", {}), ("rougeSU4", {}), ("rougeSU", {"preset": "rouge-1.5.5"}),
        ):  # fmt: skip
            matches = lines(prediction, references, key, **options)[0]["matches"]
            assert matches.cells == (f"{matches.n_examples:,}",)
            assert len(matches.shown) == min(matches.n_examples, MOST_EXAMPLES)
        steps, whole = lines(prediction, references, "ter")
        listed = [step for step in steps.values() if step.examples is not None]
        assert sum(len(step.examples) for step in listed) == float(steps["edits"].cells[0].replace(",", ""))
        assert [step.cells[0] for step in listed] == [str(len(step.examples)) for step in listed]
        kept = [edit.before for edit in whole.edits if edit.kind != "insert"]
        assert sorted(" ".join(kept).split()) == sorted(prediction.split())


def test_ngrams_that_do_not_match_are_listed_as_well():
    steps, whole = lines("the cat sat on the mat", ["the cat is on the mat today"], "bleu")
    assert [steps[f"{n}-grams"].unmatched for n in (1, 2)] == [("sat",), ("cat sat", "sat on")]
    assert "4-grams     0 of 3       none  (unmatched: the cat sat on · cat sat on the · sat on the mat)" in str(whole)
    steps, whole = lines("a b c", ["a b x y"], "rouge2")
    assert (steps["precision"].unmatched, steps["recall"].unmatched) == (("b c",), ("b x", "x y"))
    assert "recall      1 of 3 = 0.3333  (unmatched: b x · x y)" in str(whole)
    long = " ".join(map(str, range(40)))
    assert "and 26 more)" in str(lines(long, ["0 1"], "rouge2")[1])
    # Together they are all n-grams of either text, however often.
    for prediction, reference in (("a b a b a", "a b b a"), ("the the the", "the"), ("", "a")):
        steps, _ = lines(prediction, [reference], "rouge1")
        assert sorted((*steps["matches"].examples, *steps["precision"].unmatched)) == sorted(prediction.split())
        assert sorted((*steps["matches"].examples, *steps["recall"].unmatched)) == sorted(reference.split())


def test_pooled_references_list_matches():
    for key, expected in (("rouge1", "a · c · a · b"), ("rougeL", "a · c · a · b"), ("rougeS", "a c · a b")):
        steps, whole = lines("a b c", ["a c", "b a x b"], key, multi_reference="pooled")
        assert (steps["matches"].listed, steps["matches"].more) == (expected, "")
        assert steps["matches"].cells == (str(len(expected.split(" · "))),)


def test_skip_bigrams_that_match_are_listed():
    # Lin (2004), ROUGE, section 5: S2 and S4 against S1.
    reference = "police killed the gunman"
    assert lines("police kill the gunman", [reference], "rougeS")[0]["matches"].examples == (
        "police the", "police gunman", "the gunman",
    )  # fmt: skip
    steps, whole = lines("the gunman police killed", [reference], "rougeSU")
    assert steps["matches"].examples == ("the", "the gunman", "gunman", "police", "police killed", "killed")
    assert "matches     6  the · the gunman · gunman" in str(whole)
    many = " ".join(map(str, range(100)))
    assert str(lines(many, [many], "rougeS")[1]).splitlines()[4].endswith("0 12 and 4,938 more")
    assert [Step("", examples=("a",) * n).more for n in (12, 13)] == ["", " and 1 more"]


@pytest.mark.parametrize(("n", "formula"), [(4, "(1.0000 + 1.0000 + 1.0000 + 0.0000) / 4"), (5, "sum of these / 5")])
def test_means_of_few_are_written_out(n, formula):
    whole = textgauge.explain(["a"] * (n - 1) + ["b"], ["a"] * n, metric="rouge1")
    assert (whole.steps[-1].formula, whole.score) == (formula, (n - 1) / n)


MARKED = [
    ("rougeL", "Strong earnings were announced", "The company announced strong quarterly earnings",
     ["[Strong] [earnings] were {announced}", "The company {announced} [strong] quarterly [earnings]"],
     ["[word]      on the longest common subsequence: same words, same order (counts)",
      "{word}      also in the other text, but out of order (does not count)"]),
    ("rouge2", "sat cat the", "the cat sat", ["{sat} {cat} {the}", "{the} {cat} {sat}"],
     ["{word}      only in a shorter match (does not count)"]),
    ("rouge2", "the cat slept on", "on the cat", ["[the cat] slept {on}", "{on} [the cat]"],
     ["[word]      2 words in a row in both texts (counts)", "{word}      only in a shorter match (does not count)"]),
    ("rougeSU", "c a b", "a b c", ["{c} [a] [b]", "[a] [b] {c}"],
     ["[word]      in a pair of words that both texts have in the same order (counts)",
      "{word}      also in the other text, but in no such pair (counts as a single word)"]),
    ("ter", "sat the cat", "the cat sat", ["{sat} [the] [cat]", "[the] [cat] {sat}"],
     ["[word]      stays: the same word in both texts",
      "{word}      moved by a shift (each shift is one edit, however long)"]),
    ("bleu", "the cat sat", "on the cat", ["[the cat] sat", "on [the cat]"],
     ["[word]      2 words in a row in both texts"]),
    ("bleu", "the cat sat on", "on the cat", ["[the cat] sat [on]", "[on] [the cat]"], ["[word]      in both texts"]),
    ("bleu", "x", "y", ["x", "y"], []),
]  # fmt: skip


@pytest.mark.parametrize(("metric", "prediction", "reference", "texts", "legend"), MARKED)
def test_brackets_tell_what_counts_and_what_does_not(metric, prediction, reference, texts, legend):
    _, whole = lines(prediction, [reference], metric)
    head = str(whole).partition("\n\n")[0].splitlines()
    assert [line[12:] for line in head[:2]] == texts
    assert [line for line in head[2:] if not line.startswith("edits")] == legend


def test_the_legend_of_several_segments_is_written_once():
    whole = str(textgauge.explain(["a b", "b a"], ["a b", "a b"], metric="rouge2"))
    assert (whole.count("[word]"), whole.count("{word}")) == (1, 1)
    assert whole.index("segment 2") < whole.index("[word]") < whole.index("segment 2  ")


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
    assert unsmoothed.remarks[-1].endswith("0.8465 × (5/6 × 3/5 × 1/4 × 1/(2 × 3))^(1/4) = 0.3216.")
    steps, _ = lines("a b c d", ["a x c y"], "bleu", smoothing="add-k")
    assert (steps["2-grams"].formula, steps["2-grams"].value) == ("smoothed (add-k)", 1 / 4)
    steps, _ = lines("a b", ["a b"], "bleu", counting="mteval")
    assert (steps["4-grams"].formula, steps["4-grams"].value) == ("taken as", 1.0)


def test_an_order_that_does_not_count_is_not_smoothed():
    steps, whole = lines("a b c d", ["a b x y"], "bleu", weights=[0.5, 0.5, 0, 0], smoothing="exp")
    for label, cell in (("3-grams", "0 of 2"), ("4-grams", "0 of 1")):
        assert steps[label][:4] == (label, (cell,), "", None)
        assert steps[label].meaning == "left out"
    assert re.search(r"\s:|1/\(", str(whole)) is None


def test_matches_are_clipped_by_the_reference_that_has_most():
    steps, _ = lines("the the the cat", ["the the x", "the y"], "bleu")
    assert (steps["1-grams"].cells, steps["1-grams"].examples) == (("2 of 4",), ("the", "the"))
    assert steps["2-grams"].examples == ("the the",)


@pytest.mark.parametrize(
    ("references", "options", "meaning"),
    [
        (["a b c"], {}, "shorter than the reference, which lowers BLEU"),
        (["a b c"], {"reference_length": "closest"}, "shorter than the reference, which lowers BLEU"),
        (["a b c", "a"], {"reference_length": "closest"}, "not shorter than the closest reference"),
        (["a b c", "a"], {}, "not shorter than the shortest reference"),
        (["a b c d", "a"], {"reference_length": "average"}, "shorter than the average reference, which lowers BLEU"),
    ],
)  # fmt: skip
def test_the_length_says_which_reference_counts(references, options, meaning):
    steps, _ = lines("a b", references, "bleu", **options)
    assert steps["length"].meaning == f"{meaning} (brevity penalty)"


NOTHING = " is 0, since .*(nothing matches|no run of characters is in both)"
REASONS = [
    ("bleu", "a b c", "a b c", ["there is no 4-gram in a text of fewer than 4 tokens", "effective_order=True"]),
    ("bleu", "a b c d", "a x c y", ["no 2-gram matches", r"smoothing='exp' it is 1.0000 × \(2/4 × 1/\(2 × 3\)"]),
    ("bleu", "a b c d", "w x y z", ["no 1-gram matches"]),
    ("bleu", "", "a", ["the prediction has no tokens"]),
    ("bleu", "a", "", ["the reference has no tokens"]),
    ("bleu", "a b c d", "a b c d", []),
    *((metric, "x", "b", [NOTHING]) for metric in ("rouge1", "rougeL", "rougeSU4", "chrf", "token_f1", "squad")),
    *((metric, "", "b", ["has no "]) for metric in ("rouge1", "rougeL", "rougeSU4", "chrf", "token_f1", "squad")),
    ("chrf", "x", "", ["^chrF2 is 0, since the prediction or the reference has no characters.$"]),
    ("rougeW", "", "x", ["^ROUGE-W is 0, since the prediction has no words.$"]),
    ("sacrebleu", "a a b", "a b b", ["", r"^With .* it is 100 × 1.0000 × \(2/3 × 1/2 × 1/\(2 × 1\)\)\^.* = 55.03.$"]),
]


@pytest.mark.parametrize(("metric", "prediction", "reference", "notes"), REASONS)
def test_a_score_of_0_says_why(metric, prediction, reference, notes):
    _, whole = lines(prediction, [reference], metric)
    assert len(whole.remarks) == len(notes)
    assert all(re.search(note, shown) for note, shown in zip(notes, whole.remarks, strict=True))
    assert bool(notes) == (whole.score == 0)


def test_an_f_of_nothing_is_said_to_be_0():
    for metric, name in (("rouge1", "ROUGE-1"), ("chrf", "chrF2")):
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


def test_shifts_that_end_side_by_side_are_two():
    for text, reference, moved in [
        ("e a f b c d", "a b c d e f", ["e", "f"]), ("a b f g e c d h", "a b c d e f g h", ["e", "f g"]),
    ]:  # fmt: skip
        _, whole = lines(text, [reference], "ter")
        assert [edit.before for edit in whole.edits if edit.kind == "shift"] == moved
        assert whole.steps[0].cells == ("2",)


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
    whole = textgauge.explain(predictions, references, metric="squad_v2(no_answer_threshold=0.5)")
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
    assert whole.steps[-1].formula == "(0.5000 + 1.0000) / 2"
    pooled = textgauge.explain(["a b", "c"], ["a x", "c"], metric="bleu(max_order=1)")
    assert pooled.steps[0].cells == ("2 of 3",)
    [best] = [name for name, _ in textgauge.explain(["a b"], [["x", "a b"]], metric="chrf").texts if "scored" in name]
    assert best == "reference 2 (scored)"
    model = textgauge.NgramModel(2).fit(["the cat sat"])
    whole = textgauge.explain(["the dog", "cat"], metric=textgauge.Perplexity(model=model))
    assert whole.score == model.score(["the dog", "cat"])["corpus_perplexity"]
    # The end of a text is scored, too: with it the surprises are the sum.
    [surprise, total, *_] = whole.segments[0].steps
    assert [example.rpartition(" ")[0] for example in surprise.examples] == ["the", "dog", "(end of the text)"]
    bits = [float(example.rpartition(" ")[2]) for example in surprise.examples]
    assert sum(bits) == pytest.approx(float(total.cells[0].split()[0]), abs=0.15)
    with pytest.raises(TypeError, match="^references: .*got None"):
        textgauge.explain(["a"])


def test_text_of_a_terminal_is_printable():
    written = str(textgauge.explain(["\x1b[31m the\ncat"], ["the cat"], metric="rouge1"))
    assert written.splitlines()[0] == "prediction  \\x1b[31m [the]\\n[cat]"


def test_only_a_reference_that_is_scored_alone_is_marked():
    def names(**options):
        made = textgauge.explain(["a b c"], [["c y z", "a b x"]], metric=NamedScore("rouge1", options))
        return [name for name, _ in (made.segments or [made])[0].texts]

    assert names() == ["prediction", "reference 1", "reference 2 (scored)"]
    for options in ({"jackknife": True}, {"multi_reference": "average"}, {"multi_reference": "pooled"}):
        assert names(**options) == ["prediction", "reference 1", "reference 2"]


@pytest.mark.parametrize("name", ["unexplained", "matches", "marks"])
def test_metric_without_explainer(name):
    members = {"name": name, "__module__": f"textgauge.measures.{name}", "__doc__": "Missing."}
    members["scores"] = Scores(Miss.metric_type.scores[0]._replace(name=name))
    kind = type("Unexplained", (Miss.metric_type,), members)
    type("Unexplained", (Miss,), {"__doc__": Miss.__doc__}, metric=kind)
    METRICS[name], EXPLAINERS[kind] = kind, Explainer
    try:
        plain = textgauge.explain(["a"], ["a b"], metric=name)
        assert [step.label for step in plain.steps] == ["missing", "words", "Missing words"]
        assert plain.score == 0.5
        with pytest.raises(ValueError, match="^metric: .*matches"):
            textgauge.matches(["a"], ["a b"], metric=name)
        corpus = kind.inputs.read(["a"], ["a b"])
        page = explain_page(Report.of(["s"], [corpus], [(accumulator_of(kind)(), "miss")], PairedOptions()))
        assert "Missing words" in page
    finally:
        del METRICS[name], EXPLAINERS[kind]


def test_a_prediction_with_a_source_alone_is_called_so(monkeypatch):
    class ShorterMetric(Miss.metric_type):
        """The share of characters of the source that the prediction lacks."""

        inputs = Inputs(("predictions", "sources"))

        def rows(self, corpus, notes):
            own, of_source = (np.asarray(side.lengths()) for side in (corpus.hypotheses, corpus.sources))
            return self.layout.filled(len(corpus), missing=np.maximum(of_source - own, 0), words=of_source)

    monkeypatch.setitem(METRICS, "miss", ShorterMetric)
    monkeypatch.setitem(EXPLAINERS, ShorterMetric, Explainer)
    shown = textgauge.explain(["a", "b c"], sources=["a b", "c"], metric="miss")
    assert [one.score for one in shown.segments] == [pytest.approx(2 / 3), 0]
    assert [[name for name, _ in one.texts] for one in shown.segments] == [["prediction", "source"]] * 2


@pytest.mark.parametrize(
    ("name", "of"),
    [("sacrebleu", "Bleu"), ("squad", "TokenF1"), ("squad_v2", "SquadV2"), ("cer", "Wer"), ("frugalscore", "")],
)
def test_explainer_is_inherited(name, of):
    assert type(explainer_of(with_defaults(METRICS[name]))).__name__ == f"{of}Explainer"


@pytest.mark.parametrize("metric", ["rougeL", "ter", "sacrebleu", "bleu"])
def test_results_have_as_many_decimals_whether_whole_or_not(metric):
    found = textgauge.explain(["a b c d", "a b x d", "x"], ["a b c d", "a b c d", "y"], metric=metric)
    n = 4 if metric in ("rougeL", "bleu") else 2
    for one in (found, *found.segments):
        assert re.fullmatch(rf"\d+\.\d{{{n}}}", one.written)
        assert str(one).splitlines()[-1 - len(one.remarks)].endswith(f" = {one.written}")
    results = re.findall(r"(?<![\d.])= ([\d.]+)", str(found))
    assert len(results) > 3
    assert all(re.search(r"\.(\d\d|\d{4})$", result) for result in results)


def steps_of(accumulator, predictions, references):
    """Return the lines of the steps, without spaces that align them."""
    corpus = accumulator.metric.inputs.read(predictions, references)
    whole = derived(accumulator.update_corpus(corpus), accumulator.metric.scores.headline, corpus)
    lines = str(whole).splitlines()
    return [re.sub("  +", " | ", line.strip()) for line in lines if line.strip()]


@pytest.mark.parametrize(
    ("options", "predictions", "references", "lines"),
    [
        ({}, ["the cats runs \"fast\" dog"], [["the hound", "hound , the cat running \"slow\""]],
         ["prediction | [the] {cats runs} [\"]fast[\"] <dog>", "reference 1 | [the] <hound>",
          "reference 2 (scored) | <hound> , [the] {cat running} [\"]slow[\"]",
          "<word> | synonyms", "[word] | equal words", "{word} | words of one stem",
          "exact | 3 | the · `` · ''", "stem | 2 | cats → cat · runs → running", "synonym | 1 | dog → hound",
          "chunks | 3 | [dog] · [the cats runs ``] · ['']", "precision | 6 / 7 = 0.8571", "recall | 6 / 8 = 0.7500",
          "mean | P R / (0.9 P + 0.1 R) = 0.7595", "penalty | 0.5 × (3 / 6)^3 = 0.0625",
          "METEOR (nltk) | 0.7595 × (1 - 0.0625) = 0.7120"]),
        ({"alpha": 0.5, "beta": 1.0, "gamma": 0.25}, ["x", "a b"], ["y", "b a"],
         ["segment 1", "prediction | x", "reference | y", "exact | 0 | none", "chunks | 0 | none",
          "METEOR (nltk) | no word matches = 0.0000", "segment 2", "prediction | [a] [b]", "reference | [b] [a]",
          "exact | 2 | b · a", "chunks | 2 | [b] · [a]", "precision | 2 / 2 = 1.0000", "recall | 2 / 2 = 1.0000",
          "mean | P R / (0.5 P + 0.5 R) = 1.0000", "penalty | 0.25 × (2 / 2)^1 = 0.2500",
          "METEOR (nltk) | 1.0000 × (1 - 0.2500) = 0.7500", "[word] | equal words",
          "segment 1 | = 0.0000", "segment 2 | = 0.7500", "METEOR (nltk) | (0.0000 + 0.7500) / 2 = 0.3750"]),
    ],
    ids=["kinds of matches", "options"],
)  # fmt: skip
def test_steps_of_meteor(tmp_path, options, predictions, references, lines):
    accumulator = textgauge.Meteor(wordnet=str(save_own_wordnet(tmp_path / "wordnet")), **options)
    assert steps_of(accumulator, predictions, references) == lines


@pytest.mark.parametrize(
    ("options", "predictions", "references", "lines"),
    [
        ({}, ["in the end the big cars ran at once ."], ["finally , the large auto runs right now ."],
         ["prediction | (in the end) [the] <big cars ran> (at once) [.]",
          "reference | (finally) , [the] <large auto runs> (right now) [.]",
          "(word) | runs of words that the table has as paraphrases", "<word> | synonyms", "[word] | equal words",
          "exact | 2 | the · .", "synonym | 3 | big → large · cars → auto · ran → runs",
          "paraphrase | 2 | in the end → finally · at once → right now",
          "chunks | 2 | [in the end] · [the big cars ran at once .]", "precision | 3.95 / 5.5 = 0.7182",
          "recall | 3.65 / 5.25 = 0.6952", "mean | P R / (0.85 P + 0.15 R) = 0.6986",
          "penalty | 0.6 × (2 / 9)^0.2 = 0.4441", "METEOR 1.5 | 0.6986 × (1 - 0.4441) = 0.3883"]),
        ({"task": "adq"}, ["x", "walked b"], ["y", "walks c"],
         ["segment 1", "prediction | x", "reference | y", "exact | 0 | none", "chunks | 0 | none",
          "precision | 0 / 0.7 = 0.0000", "recall | 0 / 0.7 = 0.0000", "mean | P R / (0.75 P + 0.25 R) = 0.0000",
          "penalty | 0.45 × (0 / 0)^1.4 = 0.0000", "METEOR 1.5 | 0.0000 × (1 - 0.0000) = 0.0000",
          "segment 2", "prediction | {walked} b", "reference | {walks} c", "exact | 0 | none",
          "stem | 1 | walked → walks", "chunks | 1 | [walked]", "precision | 0.7 / 1.4 = 0.5000",
          "recall | 0.7 / 1.4 = 0.5000", "mean | P R / (0.75 P + 0.25 R) = 0.5000",
          "penalty | 0.45 × (1 / 1)^1.4 = 0.4500", "METEOR 1.5 | 0.5000 × (1 - 0.4500) = 0.2750",
          "{word} | words of one stem", "matched | 1 and 1", "chunks | 1", "precision | 0.7 / 2.1 = 0.3333",
          "recall | 0.7 / 2.1 = 0.3333", "mean | P R / (0.75 P + 0.25 R) = 0.3333",
          "penalty | 0.45 × (1 / 1)^1.4 = 0.4500", "METEOR 1.5 | 0.3333 × (1 - 0.4500) = 0.1833"]),
        # Characters are those of Java.
        ({"characters": True}, ["\U0001f600 b"], ["\U0001f600 c"],
         ["prediction | [\U0001f600] b", "reference | [\U0001f600] c", "[word] | equal words",
          "exact | 1 | \U0001f600", "chunks | 1 | [\U0001f600]", "precision | 1.5 / 2.25 = 0.6667",
          "recall | 1.5 / 2.25 = 0.6667", "mean | P R / (0.85 P + 0.15 R) = 0.6667",
          "penalty | 0.6 × (1 / 1)^0.2 = 0.6000", "METEOR 1.5 | 0.6667 × (1 - 0.6000) = 0.2667"]),
    ],
    ids=["kinds of matches", "of sums", "characters"],
)  # fmt: skip
def test_steps_of_meteor15(tmp_path, options, predictions, references, lines):
    given = {**save_own_meteor15(tmp_path), **options}
    accumulator = textgauge.Meteor15(**given)
    assert steps_of(accumulator, predictions, references) == lines
    # What is normalized is in lower case.
    assert textgauge.Meteor15(**given, lowercase=True).metric.settings() == accumulator.metric.settings()


@pytest.mark.parametrize(
    ("options", "keep", "delete", "add"),
    [
        ("counting='hub'", "(0.6667 + 0 + 0 + 1) / 4 = 41.67", "(1 + 1 + 1 + 1) / 4 = 100.00",
         "(0.4000 + 0.3333 + 0 + 0) / 4 = 18.33"),
        ("counting='xu'", "(0.6667 + 0 + 0 + 0) / 4 = 16.67", "(1 + 1 + 1 + 1) / 4 = 100.00",
         "(0.4000 + 0.3333 + 0 + 0) / 4 = 18.33"),
        ("counting='easse-paper'", "F of 0.1250 and 0.2500 = 16.67", "F of 1 and 0.6845 = 81.27",
         "F of 0.5000 and 0.1125 = 18.37"),
        ("counting='easse-paper', deletion='precision'", "F of 0.1250 and 0.2500 = 16.67",
         "(1 + 1 + 1 + 1) / 4 = 100.00", "F of 0.5000 and 0.1125 = 18.37"),
    ],
)  # fmt: skip
def test_parts_of_sari(options, keep, delete, add):
    texts = ["the big cat sits"], [["the cat sat", "a large cat sits"]]
    found = str(textgauge.explain(*texts, sources=["the big cat is sitting"], metric=f"sari({options})"))
    for part, formula in (("keep", keep), ("delete", delete), ("add", add)):
        assert re.search(rf"^{part} +100 × {re.escape(formula)}$", found, re.MULTILINE)


def test_why_cider_is_0():
    with pytest.warns(UserWarning, match="1 prediction has no word"):
        of_empty = textgauge.explain(["", "a b"], [["a b"], ["c"]], metric="cider")
    assert of_empty.segments[0].remarks == ("CIDEr is 0, since the caption has no words.",)
    assert of_empty.segments[1].remarks == ()
    with pytest.warns(UserWarning, match="image"):
        alone = textgauge.explain(["a b"], [["a b"]], metric="cider")
    assert alone.remarks == ("CIDEr is 0, since the weights are those of one image, where no n-gram is rare.",)


def test_steps_of_google_bleu():
    found = textgauge.explain(["a b c"], [["a b d", "a b c d"]], metric="google_bleu")
    lines = [re.sub("  +", " | ", line) for line in str(found).splitlines()]
    assert lines[5:] == [
        "1-grams | 3 of 3 | a · b · c", "2-grams | 2 of 2 | a b · b c", "3-grams | 1 of 1 | a b c", "matches | 6",
        "n-grams | 10", "Google BLEU | 6 / 10 = 0.6000",
    ]  # fmt: skip
    short = textgauge.explain(["a"], [["b c"]], metric="google_bleu(min_len=3)")
    assert str(short).splitlines()[-1] == "Google BLEU  no text has n-grams = 0.0000"


@pytest.mark.parametrize(
    ("prediction", "reference", "formula"),
    [
        ("abc d", "abd d", "1 / 5 = 0.2000"), ("", "abd d", "no characters, at most 1 = 1.0000"),
        ("a", "bcd efg", "7 / 1, at most 1 = 1.0000"),
    ],
)  # fmt: skip
def test_steps_of_character(prediction, reference, formula):
    found = textgauge.explain([prediction], [reference], metric="character")
    assert str(found).splitlines()[-1] == f"CharacTER   {formula}"


@pytest.mark.parametrize(
    ("value", "text"),
    [(-42.857, "-42.86"), (-9.5, "-9.5000"), (10, "10"), (10.0, "10"), (12345.678, "12,345.68"), (-0.00002, "-2e-05")],
)
def test_figures_have_their_decimals_whatever_the_sign(value, text):
    assert figure(value) == text


@pytest.mark.parametrize("key", ["rouge1", "rouge2", "rougeL"])
def test_fields_of_a_score_are_shown_where_nothing_explains_it(monkeypatch, key):
    monkeypatch.setitem(EXPLAINERS, METRICS["rouge"], Explainer)
    texts = ["the cat sat down"], ["the cat sat here now"]
    found = textgauge.explain(*texts, metric=key)
    assert found.score == textgauge.rouge(*texts, rouge_types=[key])[key]
    n = {"rouge1": (3, 4, 5), "rouge2": (2, 3, 4), "rougeL": (3, 4, 5)}[key]
    assert [step.cells for step in found.steps[:3]] == [(f"{count}",) for count in n]
