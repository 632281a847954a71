"""Laws that every metric obeys, and metrics broken on purpose that each law must catch."""

import ctypes
import math
import multiprocessing
import os
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from operator import add

import numpy as np
import pyarrow as pa
import pytest
import textgauge
from declared import COUNTED
from hypothesis import given, settings
from hypothesis import strategies as st
from laws import MEASURES, declared, filled, numbers
from quick import examples, first, holds
from strategies import split
from textgauge import engine, plain, threads
from textgauge.accumulation.accumulator import accumulator_of
from textgauge.accumulation.registry import METRICS
from textgauge.metric.metric import with_defaults

words = st.sampled_from(["the", "cat", "cats", "sat", "on", "a", "mat.", "naïve", "猫", "\n", "1,5"])
# A copy of these scores 1 under every metric.
long_texts = st.lists(words, min_size=2, max_size=8).map(lambda w: " ".join(["one two three four five six", *w]))
texts = st.one_of(st.lists(words, max_size=8).map(" ".join), long_texts)
# Empty texts on each side and on both, single words, more words than a reference has.
SHORT = [("", ["the cat", ""]), ("cat", [""]), ("the cat sat on a mat.", ["cat", "the"]), ("", [""]), ("a", ["a"])]
# What such texts deserve is told by tests of their own.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def corpora_of(texts):
    return st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=4)


corpora, corpora_of_long = corpora_of(texts), corpora_of(long_texts)


def same(left, right, tolerance):
    """Equal, to the bit with the tolerance 0."""
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[k], right[k], tolerance) for k in left)
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(same(a, b, tolerance) for a, b in zip(left, right, strict=True))
    return math.isclose(left, right, rel_tol=tolerance, abs_tol=tolerance)


def order_of_segments(measure, corpus):
    # Means of scores are summed exactly, but that of perplexities is NumPy's, and SQuAD's scripts add in order.
    sums = with_defaults(getattr(textgauge, measure.public[0]).metric_type).sums
    is_exact = measure.reads_references and sums.add is None
    tolerance = measure.tolerance if is_exact else max(measure.tolerance, 1e-12)
    assert same(measure.of(*split(corpus)), measure.of(*split(corpus[::-1])), tolerance)


def identity_scores_1(measure, corpus):
    hyps = split(corpus)[0]
    found = measure.headline(measure.of(hyps, hyps))
    assert same(found, [1.0] * len(found), measure.of_copies)


def swapped_sides(measure, corpus):
    hyps, refs = split([(hyp, group[0]) for hyp, group in corpus])
    there, back = measure.sides(measure.of(hyps, refs)), measure.sides(measure.of(refs, hyps))
    assert same(list(there), list(back[::-1]), measure.tolerance)


def statistics_are_additive(measure, corpus):
    def rows(part):
        return measure.accumulator().update(*split(part))

    half = len(corpus) // 2
    whole, first, second = rows(corpus), rows(corpus[:half]), rows(corpus[half:])
    joined = first + second
    assert measure.equal(second.statistics, rows(corpus[half:]).statistics)
    assert measure.equal(whole.statistics, joined.statistics)
    assert same(measure.score(whole), measure.score(joined), measure.tolerance)
    one_by_one = sum(sums(rows([segment])) for segment in corpus)
    assert measure.equal(sums(whole), one_by_one)


def a_pickle_comes_back(measure, corpus):
    counted = measure.accumulator().update(*split(corpus))
    again = pickle.loads(pickle.dumps(counted))
    assert np.array_equal(numbers(again.statistics), numbers(counted.statistics))
    assert measure.score(again) == measure.score(counted)


def sums(counted):
    """The sums over all rows."""
    return getattr(counted.statistics, "values", counted.statistics).sum(axis=0)


def chunk_size_has_no_effect(measure, corpus):
    hyps, refs = split(corpus)
    whole = measure.accumulator().update(hyps, refs)
    for size in (1, 2, 100):
        with pytest.MonkeyPatch.context() as patch:
            measure.cut(patch, size)
            cut = measure.accumulator().update(hyps, refs)
        assert measure.equal(whole.statistics, cut.statistics)
        assert same(measure.score(whole), measure.score(cut), measure.tolerance)


@pytest.fixture(scope="module", autouse=True)
def processes():
    """Two processes that know nothing of this one."""
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        number_of_processes_has_no_effect.pool = pool
        yield


def number_of_processes_has_no_effect(measure, corpus):
    whole = filled(measure.accumulator, *split(corpus))
    half = len(corpus) // 2
    submit = number_of_processes_has_no_effect.pool.submit
    halves = [submit(filled, measure.accumulator, *split(part)) for part in (corpus[:half], corpus[half:]) if part]
    first, *others = [part.result(timeout=60) for part in halves]
    joined = first + others[0] if others else first
    assert measure.equal(whole.statistics, joined.statistics)
    assert same(measure.score(whole), measure.score(joined), measure.tolerance)


def thread_count_has_no_effect(measure, corpus):
    hyps, refs = split(corpus)
    statistics = []
    with pytest.MonkeyPatch.context() as patch:
        for n_threads in (1, 2, 5):
            patch.setattr(threads, "_limit", n_threads)
            patch.setattr(threads, "BYTES_OF_A_THREAD", 1)
            statistics.append(measure.accumulator().update(hyps, refs).statistics)
    assert all(measure.equal(statistics[0], others) for others in statistics)


def both_kernels_give_the_same_bits(measure, corpus):
    found = []
    with pytest.MonkeyPatch.context() as patch:
        for kernel in (engine.kernel, plain):
            patch.setattr(engine, "kernel", kernel)
            counted = measure.accumulator().update(*split(corpus))
            found.append((counted.statistics, measure.score(counted)))
    assert measure.equal(found[0][0], found[1][0])
    assert same(found[0][1], found[1][1], measure.tolerance)


def inputs_are_not_written_to(measure, corpus):
    hyps, refs = split(corpus)
    columns = pa.array(hyps, pa.large_string()), pa.array(refs, pa.large_list(pa.large_string()))
    result = measure.of(*columns)
    assert columns[0].to_pylist() == hyps
    assert columns[1].to_pylist() == refs
    assert measure.of(*columns) == result


def results_are_plain_python(measure, corpus):
    def plain(value):
        if type(value) in (dict, list):
            return all(map(plain, value.values() if isinstance(value, dict) else value))
        return type(value) in (int, float)

    assert plain(measure.of(*split(corpus)))


def scores_lie_in_their_range(measure, corpus):
    assert all(measure.lowest <= score <= 1 + 1e-15 for score in measure.headline(measure.of(*split(corpus))))


LAWS = [
    order_of_segments, identity_scores_1, swapped_sides, statistics_are_additive, a_pickle_comes_back,
    chunk_size_has_no_effect, thread_count_has_no_effect, both_kernels_give_the_same_bits, inputs_are_not_written_to,
    results_are_plain_python, scores_lie_in_their_range, number_of_processes_has_no_effect,
]  # fmt: skip


def skip_without_two_kernels(law):
    if law is both_kernels_give_the_same_bits and engine.kernel is plain:
        pytest.skip("there is no compiled kernel, or --plain chose the other")


def cases():
    """Every law of every metric; in the quick run, of metrics with other options than their own, what options touch."""
    for name in MEASURES:
        for law in LAWS:
            is_slow = "-" in name and law not in (both_kernels_give_the_same_bits, statistics_are_additive)
            more = [pytest.mark.slow] if is_slow or law is number_of_processes_has_no_effect else []
            yield pytest.param(name, law, marks=more, id=f"{name}-{law.__name__}")


@pytest.mark.parametrize(("name", "law"), cases())
def test_law(name, law):
    measure = MEASURES[name]
    if law is swapped_sides and measure.sides is None:
        pytest.skip("the two sides of this metric are not comparable")
    if law is identity_scores_1 and measure.of_copies is None:
        pytest.skip("a copy may score less than 1")
    if law in (identity_scores_1, scores_lie_in_their_range) and not measure.reads_references:
        pytest.skip("this metric has no perfect score")
    if law in (statistics_are_additive, number_of_processes_has_no_effect) and not measure.adds_up:
        pytest.skip("the segments of this metric are counted together")
    skip_without_two_kernels(law)

    # A model gives an empty text no probability.
    of_long = law is identity_scores_1 or name == "perplexity"
    if not of_long:
        law(measure, SHORT)
    holds(corpora_of_long if of_long else corpora, 5 if measure.tolerance else 15, partial(law, measure))


SCALED = {
    "sacrebleu": (textgauge.Bleu, {"preset": "sacrebleu"}, {"sacrebleu": "bleu"}),
    "squad": (textgauge.TokenF1, {}, {"f1": "f1", "exact_match": "exact_match"}),
}


@pytest.mark.parametrize("name", SCALED)
@settings(max_examples=examples(15))
@given(corpora)
def test_percent_is_100_times_the_same_to_the_bit(name, corpus):
    kind, options, keys = SCALED[name]

    def is_same(percents, shares):
        # sacreBLEU's own figure is in percent: the share is made of it, where SQuAD's is the share.
        if name == "sacrebleu":
            return [percent / 100 for percent in percents] == [*shares]
        return [*percents] == [100 * share for share in shares]

    hyps, refs = split(corpus)
    asked = {"per_segment": True} | ({"confidence": 0.9, "n_resamples": 20} if len(hyps) > 1 else {})
    percent = getattr(textgauge, name)(hyps, refs, **asked)
    shares = kind(**options).update(hyps, refs).score(**asked)
    for key, of_shares in keys.items():
        if name == "squad":
            # The script adds up the segments in order; the mean of shares is exact.
            assert percent[key] == 100 * reduce(add, shares[f"segment_{of_shares}"], 0.0) / len(hyps)
        else:
            assert is_same([percent[key]], [shares[of_shares]])
        assert is_same(percent[f"segment_{key}"], shares[f"segment_{of_shares}"])
        if "confidence_intervals" in shares:
            percents, bounds = (found["confidence_intervals"] for found in (percent, shares))
            of_shares = [100 * bound for bound in bounds[of_shares]]
            # A bound of pooled scores lies between two resamples: of shares it is rounded at another place.
            assert percents[key] == (
                of_shares if kind.metric_type.combine == "mean" else pytest.approx(of_shares, rel=1e-15)
            )


def test_every_measure_of_the_package_is_in_the_table():
    # The scores of a model are rounded, and others need more than texts: tests in their own folders have their rules.
    counted_alone = {accumulator_of(METRICS[name]).__name__ for name in COUNTED}
    named = {name for measure in MEASURES.values() for name in measure.public}
    assert counted_alone | {"Perplexity", "NgramModel", "Meteor", "Meteor15"} == named


@pytest.mark.parametrize("name", ["bleu", "rouge", "ter", "squad"])
def test_what_is_declared_is_as_in_the_table(name):
    hyps, refs = ["a b c d e", "x y"], [["a b c d f", "a"], ["x z"]]
    table, found = MEASURES[name], declared(name)
    assert found.of(hyps, refs)[with_defaults(METRICS[name]).scores.headline] == pytest.approx(
        getattr(textgauge, name)(hyps, refs)[with_defaults(METRICS[name]).scores.headline]
    )
    assert found.headline(found.of(hyps, hyps)) == pytest.approx([1.0])
    assert table.lowest == found.lowest


@dataclass
class Broken:
    """An accumulator of word counts that breaks the law it is named after."""

    law: str = ""
    rows: list = field(default_factory=list)

    def update(self, hyps, refs):
        corpus = textgauge.input.columns.corpus_of(hyps, refs)
        for chunk in corpus.chunks():
            for i, hyp in enumerate(chunk.hypotheses.tolist()):
                first = chunk.references[int(chunk.reference_offsets[i])]
                by_law = {
                    "chunk_size_has_no_effect": i,
                    "thread_count_has_no_effect": textgauge.get_num_threads(),
                    "number_of_processes_has_no_effect": os.getpid(),
                    "both_kernels_give_the_same_bits": engine.kernel is plain,
                }
                place = by_law.get(self.law, 0)
                self.rows.append([len(set(hyp) & set(first)), len(set(hyp)), len(set(first)), place])
        if self.law == "inputs_are_not_written_to":
            ctypes.memset(hyps.buffers()[2].address, ord("Q"), 1)
        return self

    def __add__(self, other):
        swapped = self.law == "statistics_are_additive"
        return Broken(self.law, other.rows + self.rows + [[1, 1, 1, 0]] if swapped else self.rows + other.rows)

    def __reduce__(self):
        return Broken, (self.law, self.rows[: -1 if self.law == "a_pickle_comes_back" else None])

    @property
    def statistics(self):
        return np.array(self.rows)


def score_of(law):
    def score(counted):
        rows = counted.statistics
        matches, hyp, ref = (int(n) for n in rows.sum(axis=0)[:3])
        precision, recall = matches / hyp, matches / ref
        if law == "order_of_segments":
            precision = float(rows[0, 0] / rows[0, 1]) + len(rows) * float(rows[0, 1])
        f = {"identity_scores_1": 0.9, "scores_lie_in_their_range": 100.0}.get(law, 1.0)
        f *= 2 * matches / (hyp + ref)
        return {
            "f": np.float64(f) if law == "results_are_plain_python" else f,
            "precision": precision,
            "recall": recall * (0.5 if law == "swapped_sides" else 1.0),
        }

    return score


def broken(law):
    return replace(
        MEASURES["bleu"],
        accumulator=partial(Broken, law),
        score=score_of(law),
        headline=lambda result: [result["f"]],
        sides=lambda result: (result["precision"], result["recall"]),
    )


CORPUS = [("the cat sat", ["a cat sat down", "x"]), ("dogs bark at me", ["one dog barks"]), ("zebra", ["zoo zebra"])]


@pytest.mark.parametrize("law", first(len(LAWS) - 1, LAWS), ids=lambda law: law.__name__)
def test_broken_metric_fails_its_law(law):
    skip_without_two_kernels(law)
    law(broken(""), CORPUS)
    with pytest.raises(AssertionError):
        law(broken(law.__name__), CORPUS)
