"""What threads bring: `python -m comparisons.threads_cost ROWS.jsonl.gz [--only NAME] [--rounds N]`.

The rows have `prediction`, and `reference` or `references`. Every metric scores all of them, SARI with its references
as sources, too; a matrix has the first 1,500 on each side. One call is timed with 1, 2, 4, ... threads in turn, as far
as the machine has processors, and the best of some rounds counts: a line has the milliseconds of the clock, one thread
over each number of threads, and the share of the time of one thread that the most threads leave undivided (by Amdahl's
law, at least 0). Every result must equal that of one thread. A machine with other work has no figures worth keeping.
"""

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from itertools import takewhile
from typing import Any

import click
import numpy as np
import textgauge

from .timing import described, interleaved, machine, rows_of, seconds_of, show

METRICS = ("wer", "cer", "rouge", "bleu", "token_f1", "google_bleu", "sari", "chrf", "ter")
MATRICES = ("sacrebleu", "chrf", "rougeL", "wer")
N_MATRIX = 1500


def calls_of(path: str) -> dict[str, Callable[[], Any]]:
    """Return what is timed, by the name of its row."""
    rows = rows_of(path)
    references = [row["references"][0] for row in rows]
    sides = [row["prediction"] for row in rows], references
    calls: dict[str, Callable[[], Any]] = {
        name: partial(getattr(textgauge, name), *sides, **({"sources": references} if name == "sari" else {}))
        for name in METRICS
    }
    few = [side[:N_MATRIX] for side in sides]
    return calls | {f"matrix, {name}": partial(textgauge.pairwise, *few, metric=name) for name in MATRICES}


def numbers_of_threads() -> list[int]:
    """Return 1, 2, 4, ... up to the number of processors."""
    return [*takewhile(lambda n: n <= int(machine()["cores"]), (1 << k for k in range(20)))]


def with_threads(n_threads: int, call: Callable[[], Any]) -> Any:
    """Return the result of a call that may use so many threads."""
    textgauge.set_num_threads(n_threads)
    return call()


def row(name: str, call: Callable[[], Any], numbers: list[int], rounds: int) -> Iterator[str]:
    """Yield the cells of a line."""
    timed = [partial(with_threads, n, call) for n in numbers]
    results = [one() for one in timed]
    assert all(np.array_equal(one, results[0]) if isinstance(one, np.ndarray) else one == results[0] for one in results)
    del results
    best = [min(times) for times in interleaved(timed, [*map(seconds_of, timed)], rounds)]
    yield name
    yield from (f"{1e3 * seconds:.1f}" for seconds in best)
    ratios = [best[0] / seconds for seconds in best[1:]]
    yield from (f"{ratio:.2f}" for ratio in ratios)
    n = numbers[-1]
    yield f"{max(0.0, (n / ratios[-1] - 1) / (n - 1)):.2f}" if ratios else ""


@click.command(help=__doc__)
@click.argument("path", type=click.Path(exists=True, dir_okay=False))
@click.option("--only", default="", help="Rows whose name has this text.")
@click.option("--rounds", default=5, show_default=True, help="Samples of each call.")
def main(path: str, only: str, rounds: int) -> None:
    """Write a table, line by line."""
    warnings.simplefilter("ignore")
    numbers = numbers_of_threads()
    click.echo(f"{described(machine())}, {textgauge.kernel_in_use()}\n")
    heads = [f"{n} thread{'s' * (n > 1)}, ms" for n in numbers] + [f"1 : {n}" for n in numbers[1:]]
    try:
        calls = {name: call for name, call in calls_of(path).items() if only in name}
        show(["", *heads, "undivided"], (row(name, call, numbers, rounds) for name, call in calls.items()))
    finally:
        textgauge.set_num_threads(None)


if __name__ == "__main__":
    main()
