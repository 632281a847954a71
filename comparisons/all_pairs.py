"""All against all: the time of an entry, beside the loops that people write and fastchrf.

    python -m comparisons.all_pairs [--lines FILE] [--rounds N] [--large]

FILE has a text per line, gzipped or not; without it they are random words. Every figure of another tool is compared
with ours first, on the same pairs; a row that disagrees is not timed. The other tools score fewer texts, so that the
table has the time per pair. Times are medians of the rounds, in which ours and theirs take turns; "to reach" is what
was aimed at on two free cores. --large adds the best 5 of 20,000 x 20,000 texts. Needs sacrebleu and rouge_score, and
fastchrf for its rows.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import click
import numpy as np
import textgauge

from .reference_modules.rows import ROUGE_SCORE_L, SACREBLEU_SENTENCES
from .reference_modules.texts import Corpus, changed, lines_of, random_texts
from .reference_modules.tool import Tool
from .timing import described, interleaved, machine, show

TOLERANCE = 1e-11
N_LINES, MOST_SECONDS = 2000, 20
Texts = Sequence[Any]
Call = Callable[[Texts], Any]
# A call, which is timed, and the reader of its scores.
Timed = tuple[Callable[[], Any], Call]
Other = Callable[[Texts], Timed]


def squared(texts: Texts) -> int:
    """Return the number of pairs of texts, or of those of each list."""
    return len(texts) ** 2 if isinstance(texts[0], str) else sum(map(squared, texts))


class Row(NamedTuple):
    """A line of the table: our call with all texts, and theirs with `few`, which has the same scores of these."""

    title: str
    goal: str
    ours: Call
    texts: Texts
    few: Texts = ()
    tool: str = ""
    theirs: Other | None = None
    size: Callable[[Texts], int] = squared


def looped(tool: Tool, scale: float, texts: Texts) -> Timed:
    """Score all pairs one by one."""
    rows, columns = zip(*product(texts, repeat=2), strict=True)
    call, read = tool.prepare(Corpus("pairs", [*rows], [[text] for text in columns]))
    return call, lambda result: scale * np.reshape([*read(result).values()], (len(texts), len(texts)))


def fastchrf(function: str, texts: Texts) -> Timed:
    """Call a function of fastchrf with the same texts on both sides."""
    import fastchrf as package

    return partial(getattr(package, function), [texts], [texts]), lambda result: np.array(result[0])


# Who else makes a matrix of a metric.
MATRICES: dict[str, tuple[str, Other]] = {
    "sacrebleu": ("sacreBLEU's loop", partial(looped, SACREBLEU_SENTENCES, 100)),
    "rougeL": ("rouge_score's loop", partial(looped, ROUGE_SCORE_L, 1)),
    "chrf": ("fastchrf", partial(fastchrf, "pairwise_chrf")),
}


def matrix(title: str, goal: str, metric: str, texts: Texts, n_theirs: int) -> Row:
    """Return the row of a matrix of texts against themselves."""
    return Row(title, goal, partial(textgauge.pairwise, metric=metric), texts, texts[:n_theirs], *MATRICES[metric])


def best(title: str, goal: str, metric: str, lists: Texts, n_theirs: int) -> Row:
    """Return the row of the best candidate of each list, by the means of its matrix."""
    ours, (tool, theirs) = partial(textgauge.mbr, metric=metric), MATRICES[metric]

    def means(texts: Texts) -> Timed:
        call, read = theirs(texts)
        return call, lambda result: read(result).mean(axis=1)

    return Row(title, goal, ours, lists, lists[0][:n_theirs], tool, means)


def of_groups(lists: Texts) -> list[Any]:
    """Return a matrix of ROUGE-L of each list."""
    return [textgauge.pairwise(texts, metric="rougeL") for texts in lists]


def rows_of(lines: list[str], *, is_large: bool) -> Iterator[Row]:
    """Yield all rows, at last the one without a matrix, if it is wanted."""
    words, draw = " ".join(lines).split(), random.Random(20)
    new = partial(changed, draw=draw, kept=0.8, among=words)
    long = [" ".join(words[i : i + 200]) for i in range(0, 166 * 200, 200)]
    groups = [[new(" ".join(words[i : i + 60])) for _ in range(64)] for i in range(0, 1200, 60)]
    candidates = [[new(line) for _ in range(100)] for line in lines[:100]]
    many = [new(line) for line in lines[:32] for _ in range(32)]
    aggregate = partial(textgauge.mbr, metric="chrf", aggregate=True)
    aggregated = many, "fastchrf", partial(fastchrf, "aggregate_chrf"), len
    yield matrix("chrF, 600 x 600 lines", "40 times", "chrf", lines[:600], 100)
    yield matrix("chrF, 2,000 x 2,000 lines", "80 times", "chrf", lines[:2000], 100)
    yield matrix("BLEU, 2,000 x 2,000 lines", "300 times", "sacrebleu", lines[:2000], 60)
    yield matrix("ROUGE-L, 2,000 x 2,000 lines", "1,000 times", "rougeL", lines[:2000], 60)
    yield matrix("ROUGE-L, 166 x 166 texts of 200 words", "200 times", "rougeL", long, 10)
    yield Row("ROUGE-L, 20 groups of 64 texts of 60 words", "20 ms", of_groups, groups)
    yield best("MBR by BLEU, 100 lists of 100 candidates", "0.5 s", "sacrebleu", candidates, 40)
    yield best("MBR by chrF, 100 lists of 100 candidates", "0.5 s", "chrf", candidates, 100)
    yield Row("aggregate chrF, 1,024 candidates", "3 times", aggregate, many, *aggregated)
    if is_large:
        sides = [[new(draw.choice(lines)) for _ in range(20_000)] for _ in range(2)]
        nearest = partial(textgauge.pairwise, references=sides[1], metric="chrf", top=5)
        yield Row("chrF, best 5 of 20,000 x 20,000 lines", "60 s", nearest, sides[0])


def measured(row: Row, n_rounds: int) -> list[str]:
    """Measure a row; the times are in seconds and in microseconds per pair."""
    calls, theirs = [partial(row.ours, row.texts)], None
    with suppress(ImportError):
        theirs = row.theirs and row.theirs(row.few)
    if theirs:
        (call, read), ours = theirs, row.ours(row.few)
        apart = float(np.abs(read(call()) - getattr(ours, "scores", ours)).max())
        if not apart <= TOLERANCE:
            return [row.title, f"differs from {row.tool} by {apart:.2g}", *[""] * 4]
        calls.append(call)
    # Their times are not known yet: one call each in the first round.
    seconds, *others = map(median, interleaved(calls, [1.0] * len(calls), n_rounds, MOST_SECONDS))
    own = seconds / row.size(row.texts)
    its = [other / row.size(row.few) for other in others]
    faster = [f"{row.tool}: {1e6 * its[0]:.3g}", f"{its[0] / own:,.0f} times"] if its else ["", ""]
    return [row.title, f"{seconds:.4g} s", f"{1e6 * own:.3g}", *faster, row.goal]


@click.command(help=__doc__)
@click.option("--lines", "path", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE")
@click.option("--rounds", type=click.IntRange(1), default=5, metavar="N")
@click.option("--large", is_flag=True)
def main(path: Path | None, rounds: int, large: bool) -> None:
    """Print the table, row by row."""
    lines = [one.decode().rstrip("\r\n") for one in lines_of(path)] if path else random_texts(N_LINES, 20)
    if not lines:
        raise click.UsageError(f"--lines: {path} is empty")
    lines *= -(-N_LINES // len(lines))
    click.echo(f"{described(machine())}; {textgauge.kernel_in_use()}, {textgauge.get_num_threads()} threads\n")
    rows = (measured(row, rounds) for row in rows_of(lines, is_large=large))
    show(["work", "ours", "us a pair", "theirs, us a pair", "faster", "to reach"], rows)


if __name__ == "__main__":
    main()
