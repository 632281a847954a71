"""What looking for reasons to warn costs: `python -m comparisons.notes_cost ROWS.jsonl.gz [--rounds N]`.

The rows have `prediction`, and `reference` or `references`. Every metric scores all of them on one thread, with what it
looks for and without, one behind the other. The figures are medians of processor time, which are steady also on a
machine that does other things: of calls without looking, and of how much more the call beside each takes with it.
"""

import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import click
import textgauge
from textgauge.input.columns import Corpus
from textgauge.metric.notes import Notes

from .timing import described, machine, rows_of, seconds_of, show

METRICS = ("bleu", "chrf", "rouge", "ter", "wer", "cer", "token_f1", "google_bleu", "exact_match")
EXAMINE, DUE = Notes.examine, Corpus.are_contents_due


def unseen(call: Callable[[], Any]) -> Any:
    """Return the result of a call that looks for nothing, nor while it cuts texts."""
    Notes.examine = lambda *_: None  # type: ignore[method-assign]
    Corpus.are_contents_due = False  # type: ignore[assignment]
    try:
        return call()
    finally:
        Notes.examine, Corpus.are_contents_due = EXAMINE, DUE  # type: ignore[method-assign]


def row(name: str, call: Callable[[], Any], rounds: int) -> Iterator[str]:
    """Yield the cells of a line."""
    both = {"with": call, "without": partial(unseen, call)}
    assert call() == unseen(call)
    orders = [[*both][:: -1 if i % 2 else 1] for i in range(rounds)]
    times = [{way: seconds_of(both[way], time.thread_time) for way in order} for order in orders]
    rest = statistics.median(pair["without"] for pair in times)
    looking = statistics.median(pair["with"] - pair["without"] for pair in times)
    yield name
    yield f"{1e3 * rest:.1f}"
    yield f"{1e3 * looking:.2f}"
    yield f"{100 * looking / rest:.1f}%"


@click.command(help=__doc__)
@click.argument("path", type=click.Path(exists=True, dir_okay=False))
@click.option("--rounds", default=40, show_default=True, help="Samples of each call.")
def main(path: str, rounds: int) -> None:
    """Write a table, line by line."""
    warnings.simplefilter("ignore")
    rows = rows_of(path)
    sides = [row["prediction"] for row in rows], [row["references"][0] for row in rows]
    click.echo(f"{described(machine())}, {textgauge.kernel_in_use()}\n")
    textgauge.set_num_threads(1)
    try:
        calls = {name: partial(getattr(textgauge, name), *sides) for name in METRICS}
        lines = (row(name, call, rounds) for name, call in calls.items())
        show(["", "without looking, ms", "looking, ms", "share"], lines)
    finally:
        textgauge.set_num_threads(None)


if __name__ == "__main__":
    main()
