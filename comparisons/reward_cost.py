"""What a reward costs beside the loops that people write with `sacrebleu` and `rouge_score`.

    python -m comparisons.reward_cost

A line for each size: the fastest of many calls, each with texts that were not seen before (sacreBLEU remembers the
tokens of those it has seen), after both sides gave the same scores. Then one completion per call, as verl calls,
beside the function of the metric with one pair; and eight threads and eight processes at once, each against one
alone, in CPU time per call, which depends less on other work on the machine (Linux only).
"""

from __future__ import annotations

import multiprocessing
import random
import resource
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import click
import textgauge
from textgauge.rewards import Reward
from textgauge.rewards.verl import compute_score

from .reference_modules.rows import ROUGE_SCORE_L, SACREBLEU_SENTENCES
from .reference_modules.texts import Corpus, changed
from .reference_modules.tool import Prepared
from .timing import described, machine, seconds_of, show

# Metric, completions of a call, words of a completion, calls of ours, and pairs that the loop of the other tool scores.
ROWS = (
    ("sacrebleu", 8, 15, 400, 3200),
    ("rougeL", 8, 15, 400, 3200),
    ("rougeL", 64, 300, 40, 16),
    ("rougeL", 512, 1000, 4, 2),
)
# Of one pair, from 0 to 1.
LOOPS = {"sacrebleu": SACREBLEU_SENTENCES, "rougeL": ROUGE_SCORE_L}
N_WORDS, N_AT_ONCE = 3000, 8
Batch = tuple[list[str], list[str]]


def batches(n_completions: int, n_words: int, n_batches: int, seed: int = 7) -> Iterator[Batch]:
    """Yield completions and references that share about half of their words."""
    draw = random.Random(seed)
    words, weights = [f"w{i}" for i in range(N_WORDS)], [1 / (i + 1) for i in range(N_WORDS)]
    for _ in range(n_batches):
        references = [" ".join(draw.choices(words, weights, k=n_words)) for _ in range(n_completions)]
        yield [changed(text, draw, 0.5) for text in references], references


def fastest(calls: Sequence[Callable[[], Any]]) -> float:
    """Return the seconds of the fastest call."""
    return min(map(seconds_of, calls))


def loop(metric: str, completions: Sequence[str], references: Sequence[str]) -> Prepared:
    """Return the other tool's loop over pairs, and the reader of its scores, which is not timed."""
    return LOOPS[metric].prepare(Corpus("pairs", [*completions], [[text] for text in references]))


def row(metric: str, n_completions: int, n_words: int, n_calls: int, n_pairs: int) -> list[str]:
    """Measure one size."""
    given, reward = [*batches(n_completions, n_words, n_calls)], Reward(metric)
    [others] = batches(100, min(n_words, 30), 1, seed=8)
    call, read = loop(metric, *others)
    [theirs] = read(call()).values()
    for ours, other in zip(reward(completions=others[0], answer=others[1]), theirs, strict=True):
        assert abs((ours or 0.0) - other) < 1e-12, (ours, other)
    pairs = [pair for texts in given for pair in zip(*texts, strict=True)][:n_pairs]
    n = min(n_completions, len(pairs))
    loops = [loop(metric, *zip(*pairs[start : start + n], strict=True))[0] for start in range(0, len(pairs), n)]
    time_of_ours = fastest([partial(reward, completions=texts, answer=answers) for texts, answers in given])
    time_of_theirs = fastest(loops) * n_completions / n
    figures = (1e3 * time_of_ours, 1e3 * time_of_theirs, time_of_theirs / time_of_ours)
    return [metric, str(n_completions), str(n_words), *(f"{figure:.3g}" for figure in figures)]


def one_at_a_time(metric: str) -> list[str]:
    """Measure verl's way beside the function of the metric, in microseconds."""
    [pairs] = batches(4000, 15, 1)
    each = list(zip(*pairs, strict=True))
    own = [partial(textgauge.segment_scores, metric, [text], [reference]) for text, reference in each]
    verl = [partial(compute_score, "", text, reference, metric=metric) for text, reference in each]
    return [metric, f"{1e6 * fastest(own):.0f}", f"{1e6 * fastest(verl):.0f}"]


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


def crowded() -> Iterator[list[str]]:
    """Measure many calls at once, against one alone."""
    [(texts, answers)] = batches(64, 300, 1)
    one, reward = ("", texts[0][:60], answers[0][:60]), Reward("rougeL")
    calls = {
        "64 completions of 300 words": lambda: [reward(completions=texts, answer=answers) for _ in range(100)],
        "one of 15 words": lambda: [compute_score(*one, metric="rougeL") for _ in range(3000)],
    }
    for name, work in calls.items():
        kinds = threading.Thread, multiprocessing.get_context("fork").Process
        shares = [min(at_once(work, kind, N_AT_ONCE) / at_once(work, kind, 1) for _ in range(3)) for kind in kinds]
        yield [name, *(f"{share:.2f}" for share in shares)]


@click.command(help=__doc__)
def main() -> None:
    """Write all tables, line by line."""
    click.echo(f"{described(machine())}\n")
    show(["metric", "completions", "words", "ours, ms", "a loop, ms", "times"], (row(*sizes) for sizes in ROWS))
    click.echo()
    metrics = ("bleu", "rougeL", "chrf", "ter", "token_f1")
    show(["one pair", "`segment_scores`, us", "verl's way, us"], map(one_at_a_time, metrics))
    click.echo()
    show([f"CPU time of a call, {N_AT_ONCE} at once : alone", "threads", "processes"], crowded())


if __name__ == "__main__":
    main()
