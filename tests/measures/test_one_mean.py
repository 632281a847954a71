"""The mean of a corpus is the same everywhere; the bootstrap aggregate of rouge_score, to the last bit."""

import numpy as np
import pytest
import textgauge
from quick import covering, examples, first
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.scoring import BootstrapAggregator, Score
from textgauge.resampling import rouge_programs

pytestmark = pytest.mark.filterwarnings(
    "ignore:two systems differ in only", "ignore:.*segments.*chance", "ignore:p and interval contradict",
    "ignore:the interval of a difference by bleu",
)  # fmt: skip
SIZES = [2, 3, 9, 64, 129, 400]
PARTS = ("precision", "recall", "fmeasure")


def corpus_of(n_segments, seed):
    """Two systems and one to three references a segment, of words that often match."""
    draw = np.random.default_rng([n_segments, seed])

    def text():
        return " ".join(draw.choice(list("bcdefghj"), draw.integers(1, 14)))

    systems = [[text() for _ in range(n_segments)] for _ in range(2)]
    return systems, [[text() for _ in range(draw.integers(1, 4))] for _ in range(n_segments)]


def named(metric):
    """The function that scores one system, and its options."""
    if metric.startswith("rouge"):
        return textgauge.rouge, {"rouge_types": [metric]}, metric
    name = "bleu" if metric == "bleu" else "token_f1"
    return getattr(textgauge, name), {}, {"token_f1": "f1", "token_f1_exact_match": "exact_match"}.get(metric, metric)


@pytest.mark.parametrize(
    ("metric", "n_segments"),
    covering(["rouge1", "rouge2", "rougeL", "rougeLsum", "token_f1", "token_f1_exact_match", "bleu"], SIZES),
)
def test_compare_has_exact_scores(metric, n_segments):
    score, options, key = named(metric)
    for seed in range(examples(20)):
        systems, refs = corpus_of(n_segments, seed)
        order = np.random.default_rng(seed).permutation(n_segments)
        *shuffled, others = ([texts[i] for i in order] for texts in (*systems, refs))
        expected = [score(system, refs, **options)[key] for system in systems]
        for texts, references in ((systems, refs), (shuffled, others)):
            [result] = textgauge.compare(texts, references, metric=metric, n_resamples=20)
            assert [result.score1, result.score2] == expected
            assert [score(system, references, **options)[key] for system in texts] == expected


def aggregate(segments, seed):
    """What rouge_score makes of the scores of segments, one dict of them each."""
    aggregator = BootstrapAggregator()
    for scores in segments:
        aggregator.add_scores(scores)
    state = np.random.get_state()  # noqa: NPY002
    # The legacy generator has seeds of 32 bits; a larger seed is given as words of 32 bits.
    words = [seed >> 32 * i & 2**32 - 1 for i in range((seed.bit_length() + 31) // 32)]
    np.random.seed(seed if seed < 2**32 else words)  # noqa: NPY002
    found = aggregator.aggregate()
    np.random.set_state(state)  # noqa: NPY002
    return {kind: dict(zip(PARTS, found[kind].mid, strict=True)) for kind in found}


@pytest.mark.parametrize("n_segments", first(2, [9, 1, 2, 3, 129, 2049]))
def test_bootstrap_aggregate_is_exact(n_segments, monkeypatch):
    # Blocks of 7 draws, and one of 6 at the end.
    monkeypatch.setattr(rouge_programs, "_BLOCK", 7 * n_segments)
    types = ["rouge1", "rougeL"]
    scorer = RougeScorer(types)
    [hyps, _], refs = corpus_of(n_segments, 3)
    official = [scorer.score_multi(group, hyp) for hyp, group in zip(hyps, refs, strict=True)]
    counted = textgauge.Rouge(rouge_types=types).update(hyps, refs)
    columns = counted.score(use_aggregator=False, detailed=True)
    ours = [{kind: Score(*(columns[kind][part][i] for part in PARTS)) for kind in types} for i in range(len(official))]
    assert ours == official
    for seed in (0, 42, 2**32 - 1, 2**33 + 5, 2**64 + 5):
        found = counted.score(aggregator="bootstrap", seed=seed, detailed=True)
        assert found == aggregate(official, seed)
        only_f = counted.score(aggregator="bootstrap", seed=seed)
        assert only_f == {kind: found[kind]["fmeasure"] for kind in types}
