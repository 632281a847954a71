"""Every metric on the pages, which name none, with its formulas as MathML."""

import dataclasses
import html
import json
import re

import numpy as np
import pytest
import textgauge
from declared import PAIRED, adding
from textgauge import sample
from textgauge.accumulation.accumulator import Accumulator
from textgauge.accumulation.named_score import NamedScore
from textgauge.accumulation.registry import METRICS
from textgauge.explanation.derivation import written
from textgauge.explanation.explainer import explainer_of
from textgauge.explanation.marks import Marks
from textgauge.input.columns import corpus_of, text_column, without_references
from textgauge.metric import Line, Summary
from textgauge.metric.metric import with_defaults
from textgauge.report import Report, embedded, explain_page
from textgauge.report.formulas import drawn
from textgauge.report.pages import _signed, _visible
from textgauge.resampling import PairedOptions, holm

TEST, NO_INTERVALS = PairedOptions(n_resamples=100), PairedOptions(confidence=None)
MINUS = "\u2212"
TYPES = ("rouge2", "rougeL", "rougeLsum", "rougeW", "rougeW-2", "rougeS", "rougeS0", "rougeS4", "rougeSU", "rougeSU4")
# Every metric that says what matches, by a name for each of its scores.
SHOWN = {
    (name, key): NamedScore.of(key)
    for name, metric_type in METRICS.items()
    # A model is not at hand here.
    if name in PAIRED
    and explainer_of(with_defaults(metric_type)).marks(with_defaults(metric_type).scores.headline).verb
    for key in (*metric_type.scores.names, *(TYPES if metric_type.scores.named(TYPES[0]) else ()))
    if key != "..."
}
# In the quick run the first score of every metric, and one that is counted by another rule than the first.
OF_EACH = [
    pytest.param(named, marks=[] if key in (METRICS[name].scores.names[0], "rougeSU4") else pytest.mark.slow)
    for (name, key), named in SHOWN.items()
]


def report_of(names, corpora, metrics, test=NO_INTERVALS, most_segments=5000, **options):
    scores = [(NamedScore(metric, options).start(), NamedScore.of(metric).key) for metric in metrics]
    return Report.of(names, corpora, scores, test, most_segments)


@pytest.fixture(scope="module")
def corpora():
    hyps, refs = sample.columns("translations")
    return [corpus_of(lines, refs) for lines in (hyps, [" ".join([*text.split()[:-1], "x"]) for text in hyps])]


def test_every_metric_that_marks_texts_is_shown():
    # A new one may go without marks.
    assert {name for name, _ in SHOWN} >= {
        "bleu", "sacrebleu", "rouge", "chrf", "ter", "token_f1", "squad", "squad_v2",
    }  # fmt: skip


def check_names(report, page):
    """A system has one colour, wherever its name stands, and a score its signature."""
    for section in report.sections:
        assert f"<p>{section.name} · <code>{section.accumulator.signature}</code></p>" in page
    shown = {*re.findall(r'swatch series(\d)"></span>\s*<bdi>(.*?)</bdi>', page)}
    assert shown == {(str(i), system.name) for i, system in enumerate(report.systems)}


def check_figures(report, page):
    """What a page shows is what the scores of its texts give, counted anew."""
    rows = json.loads(re.search('id="data">(.*?)</script>', page)[1])
    listed = [row["n"] - 1 for row in rows]
    assert len(rows) == min(report.most_segments, report.n_segments)
    assert listed == sorted(listed)
    part = f", of which the {len(rows)} worst and best are listed" * (len(rows) < report.n_segments)
    assert f"· {report.n_segments} segments{part}</p>" in page
    first_rows = re.findall(r'<bdi>(.*?)</bdi></th><td data-label="Score">(.*?)</td><td class="rest"', page)
    firsts = [section.systems[0] for section in report.sections if section.differences]
    assert first_rows == [(one.name, written(one.score, one.accumulator.metric.scores.top)) for one in firsts]
    bins = re.findall(r'data-score="(\d)" data-low="(.*?)" data-high="(.*?)" aria-label=".*?: (.*?)"', page)
    tables = re.findall(
        r'<th scope="row">[^\n]*<bdi>(.*?)</bdi></th>\s*<td data-label="Score">(.*?)</td>\s*<td [^>]*>(.*?)</td>\s*'
        r'<td [^>]*>(.*?) to (.*?)</td>\s*<td data-label="p" class="p">(.*?)</td>', page,
    )  # fmt: skip
    check_names(report, page)
    shown, cards = iter(tables), iter(re.findall("<article.*?</article>", page, re.DOTALL))
    n_tests = len(report.sections) * (len(report.systems) - 1)
    assert len(tables) == n_tests
    for s, section in enumerate(report.sections):
        empty, key, scale = section.accumulator.without_segments(), section.key, section.accumulator.metric.scores.top
        lows, highs = (np.array([float(one[i]) for one in bins if one[0] == str(s)]) for i in (1, 2))
        counts = [re.findall(r" ([\d,]+)(?:,|$)", one[3]) for one in bins if one[0] == str(s)]
        lowest, digits = [], 4 if scale == 1 else 2
        for i, system in enumerate(section.systems):
            scores = empty.without_segments().update_corpus(system.corpus).segment_columns()[key]
            lowest.append(scores.min())
            of_rows = [row["systems"][i] if s == 0 else row["more"][s - 1][i] for row in rows]
            assert [one["score"] for one in of_rows] == scores[listed].tolist()
            inside = (scores[:, None] >= lows - 1e-9) & (scores[:, None] < np.append(highs[:-1] - 1e-9, np.inf))
            assert [int(row[i]) for row in counts] == inside.sum(axis=0).tolist()
            assert inside.sum() == report.n_segments
            assert f'id="score-{f"{s}-" if s else ""}{i}">{system.score:.{digits}f}</p>' in page
            low, high = (f"{bound:.{digits}f}" for bound in system.interval)
            assert f"95% interval {low} to {high}<" in page
            card = next(cards)
            facts = re.findall("<dt>(.*?)</dt>.*?<span>(.*?)<", card, re.DOTALL)
            assert facts == [(html.escape(fact.name), fact.value) for fact in system.facts]
            assert re.findall(r'<rect class="bar series\d" width="(.*?)"', card) == [
                f"{round(fact.share * 100, 2)}" for fact in system.facts if fact.share is not None
            ]
            assert tuple(re.findall("<span>(.*?)</span>", card[: card.index("<dl>")])) == section.axis.labels
            [(start, width, at)] = re.findall(r'span" x="(.*?)" .* width="(.*?)" .*\n.*class="at" x="(.*?)"', card)
            low, high = (section.axis.at(bound) for bound in system.interval)
            assert [float(start), float(width), float(at) + 0.4] == pytest.approx(
                [low, max(high - low, 0.5), section.axis.at(system.score)], abs=1e-9
            )
            if i:
                name, score, stat, low, high, p = next(shown)
                result = report.differences[s][i - 1].result
                assert (name, score) == (system.name, f"{system.score:.{digits}f}")
                for text, value in ((stat.split()[0], result.stat), *zip((low, high), result.confidence_interval)):  # noqa: B905
                    assert float(text.replace(MINUS, "-")) == pytest.approx(value, abs=0.51 * 10.0**-digits)
                corrected = report.differences[s][i - 1].p_holm
                assert (corrected is None) == (n_tests == 1)
                own = result.p if corrected is None else corrected
                assert p == (f"{own:.4f}" if own >= 0.0001 else "below 0.0001")
        assert lows[0] == min(0, *lowest)
        for axis, values in (
            (section.axis, [one for system in section.systems for one in (system.score, *system.interval)]),
            (section.difference_axis,
             [0, *(one for difference in section.differences for one in difference.result.confidence_interval)]),
        ):  # fmt: skip
            span = max(values) - min(values)
            assert axis.first <= min(values) < max(values) <= axis.last
            assert axis.last - axis.first <= max(1.5 * span, span + 0.02 * scale) * (1 + 1e-9)
        if section.by_length is None:
            continue
        lengths, offsets = section.systems[0].lengths[1], section.systems[0].corpus.reference_offsets
        means = np.rint(np.add.reduceat(lengths, offsets[:-1]) / np.diff(offsets))
        groups = section.by_length.groups
        assert sum(group.size for group in groups) == report.n_segments
        for group in groups:
            bounds = [int(end.replace(",", "")) for end in group.label.split(" to ")]
            members = np.flatnonzero((means >= bounds[0]) & (means <= bounds[-1]))
            assert (len(members), min(means[members]), max(means[members])) == (group.size, bounds[0], bounds[-1])
            if not adding(section.accumulator.metric):
                continue
            alone = [empty.without_segments().update_corpus(one.corpus.take(members)) for one in section.systems]
            assert group.values == pytest.approx([one.score()[key] for one in alone])


@pytest.mark.parametrize("named", OF_EACH, ids=lambda named: named.name)
def test_every_score_has_a_page(corpora, named):
    report = report_of("ab", corpora, [named.name], TEST, 10)
    [section] = report.sections
    page = explain_page(report)
    check_figures(report, page)
    assert section.name == named.name
    assert section.explanation.title in page
    assert re.search("stands? in", page) is None
    rows, used = report.segments(), set()
    for row in rows:
        for system, shown in zip(report.systems, row["systems"], strict=True):
            assert "".join(shown["text"][::2]) == system.corpus.hypotheses[row["n"] - 1]
            assert shown["matched"] <= shown["tokens"]
            used |= {mark for text in (shown["text"], *shown["references"]) for mark in text[1::2] if mark}
    # The legend explains every mark.
    assert used <= {2 * mark.level + mark.is_common for mark in section.marks.legend}
    assert section.by_length is not None
    assert report.by_frequency is not None


@pytest.mark.parametrize("named", OF_EACH, ids=lambda named: named.name)
def test_a_short_page_has_every_segment_with_its_steps(corpora, named):
    few, numbers = [one.slice(0, 3) for one in corpora], [2, 5, 9]
    scores = [(named.start(), named.key)]
    report = Report.of("ab", few, scores, NO_INTERVALS, numbers=numbers, labels=["x", "y", "z"])
    page, [section] = explain_page(report), report.sections
    check_names(report, page)
    assert re.findall("The calculation of <bdi>(.*?)</bdi>", page) == ["a", "b"]
    examples = re.findall("For example, segment (.*?)</h4>(.*?)</ol>", page, re.DOTALL)
    firsts = [one.derivation.segments[0] for one in report.systems if section.accumulator.metric.combine == "mean"]
    assert [(number, re.findall('<strong class="figure">(.*?)</strong>', steps)) for number, steps in examples] == [
        ("2", [first.result_of(step) for step in first.steps if step.value is not None]) for first in firsts
    ]
    whole = page.index('<ol class="segments">')
    of_segments = re.split('<li class="segment"', page)[1:]
    heads = re.findall(r'data-segment="(\d+)">\s*<h3>Segment (\d+) · <bdi class="label">(.)<', page)
    assert heads == [("2", "2", "x"), ("5", "5", "y"), ("9", "9", "z")]
    for i, shown in enumerate(of_segments):
        for system, part in zip(report.systems, re.split("<bdi>[ab]</bdi>", shown)[1:], strict=True):
            derivation, score = system.derivation.segments[i], system.segment_scores[i]
            values = [html.unescape(one) for one in re.findall('<strong class="figure">(.*?)</strong>', part)]
            steps = [derivation.result_of(step) for step in derivation.steps if step.value is not None]
            assert values == [written(score, section.accumulator.metric.scores.top), *steps]
            first = re.search('<p class="text" dir="auto">(.*?)</p>', part, re.DOTALL)
            assert html.unescape(re.sub("<[^>]*>", "", first[1])) == system.corpus.hypotheses[i]
    scores = re.findall(r'class="score series(\d)"[^>]*>(.*?)<', page[:whole])
    assert scores == [(str(i), one.derivation.written) for i, one in enumerate(report.systems)]
    assert [row["n"] for row in report.segments()] == numbers


@pytest.mark.parametrize("named", OF_EACH, ids=lambda named: named.name)
def test_marks_exist_wherever_there_is_a_score(corpora, named):
    [system] = report_of("a", corpora[:1], [named.name]).systems
    alignments = system.aligned(np.arange(len(corpora[0])))
    counted = np.array(
        [
            sum(map(explainer_of(system.accumulator.metric).marks(named.key).is_counted, one.prediction))
            for one in alignments
        ]
    )
    scores = system.segment_scores
    if not with_defaults(named.metric).scores[0].higher_is_better:
        assert (counted[scores < system.accumulator.metric.scores.top] > 0).all()
    elif not system.accumulator.metric.about.segments:
        assert (counted[scores > 0] > 0).all()


def test_page_of_perplexity():
    texts = ["the cat sat", "a dog barked loudly", "猫 the"]
    model = textgauge.NgramModel(2).fit(["the cat sat on the mat", "a dog barks at the cat"])
    corpora = [without_references(text_column(side, "texts")) for side in (texts, texts[::-1])]
    report = report_of("ab", corpora, ["perplexity"], TEST, 2, model=model)
    expected = model.score(texts, confidence=0.95, n_resamples=100)
    [section] = report.sections
    assert section.systems[0].score == expected["corpus_perplexity"]
    assert [*section.systems[0].interval] == expected["confidence_interval"]
    assert section.systems[0].segment_scores.tolist() == expected["perplexities"]
    assert (report.by_frequency, section.by_length, report.lengths.names) == (None, None, ["a", "b"])
    # 5 tokens with the end mark; "dog" follows "a" in the training text, the others are new, with 3 to 6 bits.
    second = next(row for row in report.segments() if row["n"] == 2)["systems"][0]
    bits = -np.array(model.log_probs(texts)[1]) / np.log(2)
    assert [np.searchsorted((3, 6, 9, 12), value) for value in bits[:4]] == [0, 0, 1, 1]
    assert second["text"] == ["a dog ", 0, "barked", 2, " ", 0, "loudly", 2]
    assert (second["tokens"], second["matched"], second["references"]) == (5, 2, [])
    assert [mark.level for mark in section.marks.legend] == [1, 2, 3, 4]
    assert len(section.differences) == 1
    page = explain_page(report)
    assert "reference" not in page.partition("<main>")[2].partition("<script")[0].lower()


def test_text_of_probability_0():
    model = textgauge.NgramModel(1, "mle", open_vocabulary=False).fit(["a"])
    corpus = without_references(text_column(["a", "b"] * 6, "texts"))
    report = report_of("a", [corpus], ["perplexity"], model=model)
    with pytest.raises(ValueError, match=r"^predictions\[1\]: .*got perplexity inf"):
        explain_page(report)


def test_several_scores_on_one_page(corpora):
    systems = [*corpora, corpora[0].take(np.arange(len(corpora[0]))[::-1])]
    systems[2] = dataclasses.replace(corpora[0], hypotheses=systems[2].hypotheses)
    report = report_of(["ours", "theirs", "turned"], systems, ["ter", "chrf", "rougeSU4"], TEST, 7)
    assert report.title == "TER, chrF2, ROUGE-SU4"
    assert [one["sign"] for one in report.about()] == [-1, 1, 1]
    check_figures(report, explain_page(report))
    texts = [corpus.hypotheses.tolist() for corpus in systems]
    results = textgauge.compare(texts, sample.columns("translations")[1], metric="ter", n_resamples=100)
    assert [one.result for one in report.sections[0].differences] == results
    p_values = [one.result.p for section in report.sections for one in section.differences]
    corrected = holm(p_values)
    for name, difference, p in zip(("theirs", "turned"), report.differences[0], corrected, strict=False):
        assert report.figures()[name]["comparison"] == {**difference.result._asdict(), "p_holm": p}
    rates = np.mean([system.segment_scores for system in report.systems], axis=0)
    order = np.argsort(-rates, kind="stable")
    assert report.listed.tolist() == sorted([*order[:4], *order[-3:]])


def test_bleu_of_segments_is_that_of_sacrebleu():
    sacrebleu = pytest.importorskip("sacrebleu")
    hyps, refs = ["the cat sat", "a dog", "no"], ["the cat sits", "a dog", "yes"]
    report = report_of("a", [corpus_of(hyps, refs)], ["bleu"])
    expected = [sacrebleu.sentence_bleu(hyp, [ref]).score / 100 for hyp, ref in zip(hyps, refs, strict=True)]
    assert report.systems[0].segment_scores == pytest.approx(expected)
    many = corpus_of(hyps * 4, refs * 4)
    assert "sentence_bleu" in explain_page(report_of("a", [many], ["bleu"]))
    assert "sentence_bleu" not in explain_page(report_of("a", [many], ["bleu"], smooth=True))
    # A short page has the sums of segments, too; one of a single segment has that of a corpus.
    assert "sentence_bleu" in explain_page(report)
    assert [float(f"{one.score:.9f}") for [one] in report.sections[0].sums] == [round(score, 9) for score in expected]
    assert "sentence_bleu" not in explain_page(report_of("a", [corpus_of(hyps[:1], refs[:1])], ["bleu"]))


def test_facts_have_their_own_scale(corpora):
    [system] = report_of("a", corpora[:1], ["sacrebleu"]).systems
    result = system.accumulator.score()
    facts = {fact.name: (fact.value, fact.share) for fact in system.facts}
    assert facts["brevity penalty"] == (f"{result['brevity_penalty']:.4f}", pytest.approx(result["brevity_penalty"]))
    precision = result["precisions"][0]
    assert facts["1-gram precision"] == (f"{precision:.2f}", pytest.approx(precision / 100))
    assert precision > 1


def test_decimals_without_bar(corpora):
    class Rates(METRICS["ter"]):
        def summary(self, result):
            return Summary("rates", ("score",), [Line("per hundred", (result["ter"],), full=None)], [])

    [system] = Report.of(
        "a", corpora[:1], [(type("Rated", (Accumulator,), {}, metric=Rates)(), "ter")], NO_INTERVALS
    ).systems
    assert system.facts[0] == ("per hundred", f"{system.score:.2f}", None)


@pytest.mark.parametrize(
    ("test", "p_value", "said"),
    [
        ("permutation", "one-sided", "(one-sided paired permutation: 200 times, the outputs of random segments were "),
        ("bootstrap", "sacrebleu", "(sacreBLEU&#39;s paired bootstrap: 200 resamples"),
    ],
)
def test_the_test_is_named(corpora, test, p_value, said):
    assert said in explain_page(report_of("ab", corpora, ["ter"], PairedOptions(test, 200, p_value=p_value)))


def test_an_embedded_page_is_one_attribute():
    frame = embedded('<p title="a\'b">&amp;</p></iframe>')
    assert frame.count("<") == 2
    assert 'srcdoc="&lt;p title=&#34;a&#39;b&#34;&gt;&amp;amp;&lt;/p&gt;&lt;/iframe&gt;"' in frame
    assert 'sandbox="allow-scripts"' in frame


def test_run_lengths_in_legend():
    orders = {4: ["2", "3", "4"], 6: ["2 to 3", "4", "5 to 6"], 9: ["1 to 2", "3 to 4", "5 to 6", "7 to 9"]}
    for n, shown in orders.items():
        meanings = [mark.meaning for mark in Marks.of_orders(n, None).legend if mark.meaning != "in both texts"]
        assert meanings == [f"{numbers} words in a row in both texts" for numbers in shown]


def test_colours_of_errors(corpora):
    few = [corpora[0].take(np.arange(1))]
    report = report_of(["a"], few, ["rouge1"])
    assert 'class="m3"' in explain_page(report)
    report.sections[0].__dict__["marks"] = dataclasses.replace(report.sections[0].marks, are_errors=True)
    page = explain_page(report)
    assert 'class="e3"' in page
    assert 'class="m3"' not in page


def test_levels_of_legend():
    texts = ["a b c d e f"], ["a b c d x f"]
    report = report_of(["a"], [corpus_of(*texts)], ["bleu"])
    assert [mark.level for mark in report.sections[0].shown_marks] == [1, 2, 3, 4]


def test_edits_in_long_list(corpora):
    [section] = report_of("ab", corpora, ["wer"]).sections
    rows = report_of("ab", corpora, ["wer", "bleu"]).segments()
    assert all([system["edits"][0].startswith("REF:") for row in rows for system in row["systems"]])
    assert all(["edits" not in system for row in rows for system in row["more"][0]])
    letters = "".join(line for row in rows for line in row["systems"][0]["edits"] if line[:4] not in ("REF:", "HYP:"))
    counts = section.systems[0].accumulator.score(counts=True)["counts"]
    assert [letters.count(letter) for letter in "SDI"] == [
        counts[name] for name in ("substitutions", "deletions", "insertions")
    ]


def test_labels_stand_beside_numbers(corpora):
    labels = [f"doc {i} & <b>" for i in range(len(corpora[0]))]
    scored = [(NamedScore("bleu").start(), "bleu")]
    long = Report.of("a", corpora[:1], scored, NO_INTERVALS, labels=labels)
    assert [row["label"] for row in long.segments()] == labels
    short = Report.of("a", [corpora[0].slice(0, 2)], scored, NO_INTERVALS, labels=labels[:2])
    page = explain_page(short)
    assert 'Segment 2 · <bdi class="label">doc 1 &amp; &lt;b&gt;</bdi>' in page


@pytest.mark.parametrize("n_segments", [2, 24])
def test_steps_told_once(corpora, n_segments):
    some = [corpora[0].slice(0, n_segments)]
    page = explain_page(report_of("a", some, ["Bleu_1", "Bleu_2", "Bleu_3", "chrf"]))
    assert page.count("What this number means") == 2


def test_the_worst_and_the_best_are_listed(corpora):
    part = [corpora[0].slice(0, 6)]
    for most, n_listed in ((1, 1), (2, 2), (5, 5), (6, 6)):
        report = Report.of(["a"], part, [(textgauge.Chrf(), "chrf")], NO_INTERVALS, most)
        scores = report.systems[0].segment_scores
        assert len(report.listed) == n_listed == len({*report.listed.tolist()})
        assert int(np.argmin(scores)) in report.listed


LINES = [
    ("2 × 3 / (4 + 5)", "frac(2×3|4+5)"), ("100 × 5 / 6", "frac(100×5|6)"), ("5/6 × 0/3", "frac(5|6)×frac(0|3)"),
    ("(5/6 × 3/5)^(1/4)", "sup((frac(5|6)×frac(3|5))|1/4)"), ("(5/6)^0.3 × 2", "sup((frac(5|6))|0.3)×2"),
    ("e^(1 − 7/6)", "sup(e|1−7/6)"), ("2^(6 / 3)", "sup(2|6/3)"), ("(1 + 2²) × 3", "(1+sup(2|2))×3"),
    ("1/(2 × 3)", "frac(1|2×3)"), ("(2 of 7)^(1/1.2)", "sup((2 of 7)|1/1.2)"), ("0.75 > 0.5", "0.75>0.5"),
    ("1,000 × 2e-05", "1,000×2e-05"), ("3 / 4^2", "frac(3|sup(4|2))"),
    ("2 / 3 / 4", "frac(frac(2|3)|4)"), ("2/3/4", "frac(frac(2|3)|4)"),
]  # fmt: skip
WORDS = [
    "taken as", "", "0.5", "2 of 3", "sum of these / 5", "(1", "1 × ", "100, as there are edits but no words", "< & >",
]  # fmt: skip


def shape(math):
    """The elements of MathML in short."""
    math = re.sub(r"</?m(row|n|o|text)>", "", math).replace("&gt;", ">").replace("\u00a0", " ")
    while (shorter := re.sub(r"<m(frac|sup)>([^<]*)</m\1>", r"\1(\2)", math)) != math:
        math = shorter
    return math


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_drawn_formula(line, expected):
    parts = re.fullmatch(
        '<math displaystyle="true" alttext="([^"]*)">(.*)</math><span [^>]*>([^<]*)</span>', drawn(line)
    )
    assert parts[1] == parts[3] == line.replace(">", "&gt;")
    # The two sides of a fraction or a power are two elements.
    math = re.sub(r"(</m(?:row|n|frac|sup)>)(<m(?:row|n|frac|sup)>)", r"\1|\2", parts[2])
    assert shape(math) == expected


@pytest.mark.parametrize("line", ["2 / 3 of words", "(1 + 2) / 3 !", "1 × 2 and 3"])
def test_a_formula_that_is_read_in_part_stays_text(line):
    assert drawn(line) == line


@pytest.mark.parametrize("line", WORDS)
def test_words_stay_words(line):
    assert drawn(line) == line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def test_words_before_a_formula_stay_before_it():
    whole = drawn("smoothed (exp): 1/(2 × 3)")
    assert whole.startswith("smoothed (exp): <math ")
    assert whole.count("smoothed") == 1


def test_a_difference_of_zero_has_no_sign():
    assert [_signed(value, 1.0) for value in (0.00001, -0.00001, 0.5, -0.5)] == [
        "0.0000", "0.0000", "+0.5000", f"{MINUS}0.5000",
    ]  # fmt: skip


@pytest.mark.parametrize(("metric", "best"), [("bleu", None), ("rougeL", 1)])
def test_only_a_reference_that_is_scored_alone_is_the_best(metric, best):
    report = report_of("a", [corpus_of(["a b c d"], [["c", "a b c d"]])], [metric])
    assert report.segments()[0]["systems"][0]["best"] == best


def test_what_html_has_no_character_for_is_visible():
    assert _visible("a\0b") == "a\ufffdb"


@pytest.mark.parametrize(("metric", "full"), [("nist_mt", 0), ("rouge1", 1.0), ("chrf", 100.0)])
def test_bars_are_full_where_a_score_is_perfect(metric, full):
    assert report_of("a", [corpus_of(["a b"], ["a b"])], [metric]).about()[0]["full"] == full
