"""What a reward costs beside the loops that people write with `sacrebleu` and `rouge_score`.

    python comparisons/reward_cost.py

A line for each size: the fastest of many calls, each with texts that were not seen before (sacreBLEU remembers the
tokens of those it has seen), after both sides gave the same scores. Then one completion per call, as verl calls,
beside the function of the metric with one pair; and eight threads and eight processes at once, each against one
alone, in CPU time per call, which depends less on other work on the machine (Linux only).
"""

import argparse
import multiprocessing
import random
import resource
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import textgauge
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics import BLEU
from textgauge.rewards import Reward
from textgauge.rewards.verl import compute_score

# Metric, completions of a call, words of a completion, calls of ours, and pairs that the loop of the other tool scores.
ROWS = (
    ("sacrebleu", 8, 15, 400, 3200),
    ("rougeL", 8, 15, 400, 3200),
    ("rougeL", 64, 300, 40, 16),
    ("rougeL", 512, 1000, 4, 2),
)
N_WORDS, N_AT_ONCE = 3000, 8
Batch = tuple[list[str], list[str]]


def batches(n_completions: int, n_words: int, n_batches: int, seed: int = 7) -> Iterator[Batch]:
    """Yield completions and references that share about half of their words."""
    of = random.Random(seed)
    words, weights = [f"w{i}" for i in range(N_WORDS)], [1 / (i + 1) for i in range(N_WORDS)]
    for _ in range(n_batches):
        references = [of.choices(words, weights, k=n_words) for _ in range(n_completions)]
        changed = [[word if of.random() < 0.5 else of.choice(words) for word in text] for text in references]
        yield [" ".join(text) for text in changed], [" ".join(text) for text in references]


def loop(metric: str) -> Callable[[str, str], float]:
    """Return the other tool's score of one pair, from 0 to 1."""
    if metric == "sacrebleu":
        bleu = BLEU(effective_order=True)
        return lambda prediction, reference: bleu.sentence_score(prediction, [reference]).score / 100
    rouge = RougeScorer([metric])
    return lambda prediction, reference: rouge.score(reference, prediction)[metric].fmeasure


def fastest(call: Callable[..., Any], given: list[Any]) -> float:
    """Return the seconds of the fastest call."""
    found = []
    for one in given:
        start = time.perf_counter()
        call(*one)
        found.append(time.perf_counter() - start)
    return min(found)


def row(metric: str, n_completions: int, n_words: int, n_calls: int, n_pairs: int) -> str:
    """Measure one size."""
    given = [*batches(n_completions, n_words, n_calls)]
    reward, theirs = Reward(metric), loop(metric)
    pairs = [pair for texts in given for pair in zip(*texts, strict=True)][:n_pairs]
    [others] = batches(100, min(n_words, 30), 1, seed=8)
    for prediction, reference in zip(*others, strict=True):
        [ours] = reward(completions=[prediction], answer=[reference])
        assert abs((ours or 0.0) - theirs(prediction, reference)) < 1e-12, (prediction, reference)
    time_of_ours = fastest(lambda texts, answers: reward(completions=texts, answer=answers), given)
    per_call = min(n_completions, len(pairs))
    calls = [pairs[start : start + per_call] for start in range(0, len(pairs), per_call)]
    time_of_theirs = fastest(lambda *some: [theirs(*pair) for pair in some], calls) * n_completions / per_call
    return (
        f"| {metric} | {n_completions} | {n_words} | {1e3 * time_of_ours:.3g} | {1e3 * time_of_theirs:.3g} "
        f"| {time_of_theirs / time_of_ours:.3g} |"
    )


def one_at_a_time(metric: str) -> str:
    """Measure verl's way beside the function of the metric, in microseconds."""
    [pairs] = batches(4000, 15, 1)
    given = [([prediction], [reference]) for prediction, reference in zip(*pairs, strict=True)]
    own = fastest(lambda texts, answers: textgauge.segment_scores(metric, texts, answers), given)
    calls = [("", prediction, reference) for [prediction], [reference] in given]
    verl = fastest(lambda *one: compute_score(*one, metric=metric), calls)
    return f"| {metric} | {1e6 * own:.0f} | {1e6 * verl:.0f} |"


def cpu_seconds() -> float:
    """Return the CPU time of this process and of those that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def at_once(work: Callable[[], Any], start: Callable[..., Any], n_workers: int) -> float:
    """Return the CPU time of one worker's calls, with so many workers at once."""
    before = cpu_seconds()
    workers = [start(target=work) for _ in range(n_workers)]
    for one in workers:
        one.start()
    for one in workers:
        one.join()
    return (cpu_seconds() - before) / n_workers


def tables() -> Iterator[str]:
    """Yield the lines of all tables."""
    yield "| metric | completions | words | ours, ms | a loop, ms | times |\n|---|---|---|---|---|---|"
    for sizes in ROWS:
        yield row(*sizes)
    yield "\n| one pair | `segment_scores`, us | verl's way, us |\n|---|---|---|"
    for metric in ("bleu", "rougeL", "chrf", "ter", "token_f1"):
        yield one_at_a_time(metric)
    [(texts, answers)] = batches(64, 300, 1)
    one = texts[0][:60], answers[0][:60]
    reward = Reward("rougeL")
    calls = {
        "64 completions of 300 words": lambda: [reward(completions=texts, answer=answers) for _ in range(100)],
        "one of 15 words": lambda: [compute_score("", *one, metric="rougeL") for _ in range(3000)],
    }
    yield f"\n| CPU time of a call, {N_AT_ONCE} at once : alone | threads | processes |\n|---|---|---|"
    for name, work in calls.items():
        kinds = threading.Thread, multiprocessing.get_context("fork").Process
        shares = [min(at_once(work, kind, N_AT_ONCE) / at_once(work, kind, 1) for _ in range(3)) for kind in kinds]
        yield f"| {name} | {shares[0]:.2f} | {shares[1]:.2f} |"


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    for line in tables():
        sys.stdout.write(f"{line}\n")
