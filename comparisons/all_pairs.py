"""All against all: the time of an entry, beside the loops that people write and fastchrf.

    python comparisons/all_pairs.py [--lines FILE] [--rounds N] [--large]

FILE has a text per line, gzipped or not; without it they are random words. Every figure of another tool is compared
with ours first, on the same pairs; a row that disagrees is not timed. The other tools score fewer texts, so that the
table has the time per pair. Times are medians of the rounds, in which ours and theirs take turns; "to reach" is what
was aimed at on two free cores. --large adds the best 5 of 20,000 x 20,000 texts. Needs sacrebleu and rouge_score, and
fastchrf for its rows.
"""

import argparse
import gzip
import random
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import textgauge
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU

try:
    import fastchrf
except ImportError:
    fastchrf = None
SEED = 20
TOLERANCE = 1e-11
Texts = Sequence[str]
# The name of a tool, how many pairs it scores, its call, and ours of the same pairs.
Theirs = tuple[str, int, Callable[[], Any], Callable[[], Any]]


class Row(NamedTuple):
    """A line of the table: our call, and theirs, which returns the same scores of the first texts."""

    title: str
    n_pairs: int
    ours: Callable[[], Any]
    theirs: Theirs | None
    goal: str


def loop(texts: Texts, score: Callable[[str, str], float]) -> Any:
    """Score all pairs one by one."""
    return np.array([[score(row, column) for column in texts] for row in texts])


def sentence_bleu() -> Callable[[str, str], float]:
    """Return sacreBLEU's score of a sentence."""
    scorer = BLEU(effective_order=True)
    return lambda hypothesis, reference: scorer.sentence_score(hypothesis, [reference]).score


def rouge_l() -> Callable[[str, str], float]:
    """Return ROUGE-L of rouge_score."""
    scorer = RougeScorer(["rougeL"])
    return lambda hypothesis, reference: scorer.score(reference, hypothesis)["rougeL"].fmeasure


def matrix(title: str, metric: str, texts: Texts, n_theirs: int, goal: str) -> Row:
    """Return the row of a matrix of texts against themselves."""
    few = texts[:n_theirs]
    loops = {"sacrebleu": ("sacreBLEU's loop", sentence_bleu), "rougeL": ("rouge_score's loop", rouge_l)}
    theirs: tuple[str, Callable[[], Any]] | None = None
    if metric in loops:
        name, scorer = loops[metric]
        theirs = name, lambda: loop(few, scorer())
    elif fastchrf is not None:
        theirs = "fastchrf", lambda: np.array(fastchrf.pairwise_chrf([few], [few])[0])
    n, other = len(texts), None
    if theirs is not None:
        other = theirs[0], n_theirs**2, theirs[1], lambda: textgauge.pairwise(few, metric=metric)
    return Row(title, n * n, lambda: textgauge.pairwise(texts, metric=metric), other, goal)


def changed(text: str, words: Texts, chance: random.Random) -> str:
    """Return a text in which one word of five is another."""
    return " ".join(chance.choice(words) if chance.random() < 0.2 else word for word in text.split())


def rows_of(lines: list[str], chance: random.Random) -> list[Row]:
    """Return all rows but the large one."""
    words = " ".join(lines).split()
    long = [" ".join(words[i : i + 200]) for i in range(0, 166 * 200, 200)]
    completions = [[changed(" ".join(words[i : i + 60]), words, chance) for _ in range(64)] for i in range(0, 1200, 60)]
    candidates = [[changed(line, words, chance) for _ in range(100)] for line in lines[:100]]
    many = [changed(line, words, chance) for line in lines[:32] for _ in range(32)]

    def groups() -> Any:
        return [textgauge.pairwise(texts, metric="rougeL") for texts in completions]

    few, first = candidates[0][:40], candidates[0]
    loops: Theirs = ("sacreBLEU's loop", 40 * 40, lambda: loop(few, sentence_bleu()).mean(axis=1),
                     lambda: textgauge.mbr(few, metric="sacrebleu").scores)  # fmt: skip
    pairs: Theirs | None = None
    sums: Theirs | None = None
    if fastchrf is not None:
        pairs = ("fastchrf", 100 * 100, lambda: np.mean(fastchrf.pairwise_chrf([first], [first])[0], axis=1),
                 lambda: textgauge.mbr(first, metric="chrf").scores)  # fmt: skip
        sums = ("fastchrf", 1024, lambda: np.array(fastchrf.aggregate_chrf([many], [many])[0]),
                lambda: textgauge.mbr(many, metric="chrf", aggregate=True).scores)  # fmt: skip
    n = 100 * 100 * 100
    by_bleu, by_chrf = (partial(textgauge.mbr, candidates, metric=metric) for metric in ("sacrebleu", "chrf"))
    summed = partial(textgauge.mbr, many, metric="chrf", aggregate=True)
    return [
        matrix("chrF, 600 x 600 lines", "chrf", lines[:600], 100, "40 times"),
        matrix("chrF, 2,000 x 2,000 lines", "chrf", lines[:2000], 100, "80 times"),
        matrix("BLEU, 2,000 x 2,000 lines", "sacrebleu", lines[:2000], 60, "300 times"),
        matrix("ROUGE-L, 2,000 x 2,000 lines", "rougeL", lines[:2000], 60, "1,000 times"),
        matrix("ROUGE-L, 166 x 166 texts of 200 words", "rougeL", long, 10, "200 times"),
        Row("ROUGE-L, 20 groups of 64 texts of 60 words", 20 * 64 * 64, groups, None, "20 ms"),
        Row("MBR by BLEU, 100 lists of 100 candidates", n, by_bleu, loops, "0.5 s"),
        Row("MBR by chrF, 100 lists of 100 candidates", n, by_chrf, pairs, "0.5 s"),
        Row("aggregate chrF, 1,024 candidates", 1024, summed, sums, "3 times"),
    ]


def large(lines: list[str], chance: random.Random) -> Row:
    """Return the row without a matrix."""
    words = " ".join(lines).split()
    sides = [[changed(chance.choice(lines), words, chance) for _ in range(20_000)] for _ in range(2)]
    return Row("chrF, best 5 of 20,000 x 20,000 lines", 20_000**2,
               lambda: textgauge.pairwise(*sides, metric="chrf", top=5), None, "60 s")  # fmt: skip


def seconds(call: Callable[[], Any]) -> float:
    """Time a call."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def line(row: Row, n_rounds: int) -> str:
    """Measure a row; the times are in seconds and in microseconds per pair."""
    if row.theirs is None:
        ours = statistics.median(seconds(row.ours) for _ in range(n_rounds))
        return f"| {row.title} | {ours:.4g} s | {1e6 * ours / row.n_pairs:.3g} | | | {row.goal} |"
    name, n_theirs, theirs, same = row.theirs
    apart = float(np.abs(np.asarray(theirs()) - same()).max())
    if not apart <= TOLERANCE:
        return f"| {row.title} | differs from {name} by {apart:.2g} | | | | |"
    times = [(seconds(row.ours), seconds(theirs)) for _ in range(n_rounds)]
    ours, other = (statistics.median(column) for column in zip(*times, strict=True))
    own, its = ours / row.n_pairs, other / n_theirs
    times_faster = f"{name}: {1e6 * its:.3g} | {its / own:,.0f} times"
    return f"| {row.title} | {ours:.4g} s | {1e6 * own:.3g} | {times_faster} | {row.goal} |"


def read(path: str | None, chance: random.Random) -> list[str]:
    """Return at least 2,000 lines."""
    if path is None:
        vocabulary = ["".join(chance.choices("etaoinshrdlu", k=chance.randint(1, 9))) for _ in range(4000)]
        return [" ".join(chance.choices(vocabulary, k=chance.randint(5, 30))) for _ in range(2000)]
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as file:
        lines = file.read().splitlines()
    return lines * (1 + 2000 // len(lines)) if len(lines) < 2000 else lines


def main() -> None:
    """Print the table, row by row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", metavar="FILE")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--large", action="store_true")
    given = parser.parse_args()
    chance = random.Random(SEED)
    lines = read(given.lines, chance)
    show = partial(print, flush=True)
    show(f"{textgauge.kernel_in_use()}, {textgauge.get_num_threads()} threads\n")
    show("| work | ours | us a pair | theirs, us a pair | faster | to reach |\n|---|---|---|---|---|---|")
    for row in rows_of(lines, chance):
        show(line(row, given.rounds))
    if given.large:
        show(line(large(lines, chance), 1))


if __name__ == "__main__":
    main()
