"""The cost per row of scoring over Spark, in local mode with two workers, and in one process.

    python -m comparisons.spark_cost [ROWS]...

The data are 10,000 random pairs of 5 to 35 words, repeated, in 8 Parquet files, each of which is a partition. Every
call runs once to warm up, then once per size. "wall" is the time of the call; "CPU" is the time of Spark's Java
process and its Python workers together, which depends less on other work on the machine (Linux only). Per row, it is
that beyond the smallest size, whose time is the cost of starting a job. That cost varies by more than a few rows
take, so small sizes have no figure per row. The memory is the peak of the largest Python worker.
"""

from __future__ import annotations

import contextlib
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click
import pyarrow as pa
import pyarrow.parquet as pq
import textgauge
from pyspark.sql import SparkSession
from textgauge import spark as over_spark

from .reference_modules.texts import changed
from .timing import described, machine, seconds_of, show

SIZES = (100, 10_000, 100_000, 1_000_000)
FEWEST_TO_DIVIDE = 100_000
N_DIFFERENT, N_FILES, N_WORDS = 10_000, 8, 30_000
COLUMNS = {"prediction_column": "prediction", "reference_column": "reference"}


def score(metric: str, **options: Any) -> Callable[[Any], Any]:
    """Return a call that scores a data frame."""
    return lambda frame: over_spark.score(frame, metric, **COLUMNS, **options)


def add_rouge(frame: Any) -> None:
    """Score every row, and discard the rows."""
    over_spark.add_scores(frame, "rouge", **COLUMNS).write.format("noop").mode("overwrite").save()


CALLS = {
    "read both columns": lambda frame: frame.selectExpr("sum(length(prediction)) + sum(length(reference))").collect(),
    "BLEU": score("bleu"),
    "ROUGE-1, 2, L, Lsum": score("rouge"),
    "token F1": score("token_f1"),
    "BLEU with interval, 1,000 resamples": score("bleu", confidence=0.95, key_column="id"),
    "add_scores, ROUGE": add_rouge,
}
ONE_PROCESS = {"BLEU": textgauge.bleu, "ROUGE-1, 2, L, Lsum": textgauge.rouge, "token F1": textgauge.token_f1}


def made_up_pairs(seed: int = 0) -> tuple[list[str], list[str]]:
    """Return predictions and references that share about three words in four."""
    draw = random.Random(seed)
    words = ["".join(draw.choices("abcdefghijklmnoprstu", k=draw.randint(1, 9))) for _ in range(N_WORDS)]
    lengths = (draw.randint(5, 35) for _ in range(N_DIFFERENT))
    references = [" ".join(words[int(draw.paretovariate(0.7)) % N_WORDS] for _ in range(n)) for n in lengths]
    predictions = [changed(text, draw, 0.75, words) for text in references]
    return [f"{text}." for text in predictions], [f"{text}." for text in references]


def write(folder: Path, n_rows: int, pairs: tuple[list[str], list[str]]) -> None:
    """Write `n_rows` rows in `N_FILES` files."""
    folder.mkdir()
    table = pa.table({"prediction": pairs[0], "reference": pairs[1]})
    for i in range(N_FILES):
        first, stop = n_rows * i // N_FILES, n_rows * (i + 1) // N_FILES
        rows = pa.array(range(first, stop))
        part = table.take(pa.array([row % N_DIFFERENT for row in range(first, stop)]))
        pq.write_table(part.append_column("id", rows), folder / f"{i}.parquet")


@contextlib.contextmanager
def local_spark() -> Iterator[SparkSession]:
    """Start Spark with two workers, each file of at most 128 MB a partition."""
    options = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.memory": "2g",
               "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1",
               "spark.sql.files.openCostInBytes": str(1 << 27)}  # fmt: skip
    # Else the workers are the first python3 on the path.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master("local[2]").config(map=options).getOrCreate()
    yield session
    session.stop()


def children() -> Iterator[tuple[Path, list[str]]]:
    """Yield the descendants of this process, and the fields of their `stat` from the state on."""
    own, fields_of = str(os.getpid()), {}
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields_of[process.name] = (process / "stat").read_text().rpartition(")")[2].split()
    for name, fields in fields_of.items():
        ancestor = name
        while ancestor in fields_of and ancestor != own:
            ancestor = fields_of[ancestor][1]
        if ancestor == own != name:
            yield Path("/proc", name), fields


def spent() -> float:
    """Return the CPU seconds of `children`, including processes that have ended."""
    return sum(int(ticks) for _, fields in children() for ticks in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def worker_peak() -> int:
    """Return the largest peak of resident memory of a Python worker, in MB."""
    peaks = [0]
    for process, _ in children():
        with contextlib.suppress(OSError):
            if b"pyspark.daemon" in (process / "cmdline").read_bytes():
                peaks.append(int((process / "status").read_text().partition("VmHWM:")[2].split()[0]) // 1024)
    return max(peaks)


def timed(call: Callable[[], Any]) -> tuple[float, float]:
    """Return the wall seconds of one call, and the CPU seconds of `children`."""
    before = spent()
    return seconds_of(call), spent() - before


def one_process(score_texts: Callable[..., Any], pairs: tuple[list[str], list[str]]) -> float:
    """Return the CPU microseconds per row of one process."""
    score_texts(*pairs)
    return seconds_of(lambda: score_texts(*pairs), time.process_time) / N_DIFFERENT * 1e6


def cells_of(name: str, frames: dict[int, Any], pairs: tuple[list[str], list[str]]) -> Iterator[str]:
    """Measure a call for every size; the smallest one, of which there are two cells, is the cost of starting a job."""
    sizes = iter(frames)
    smallest = next(sizes)
    CALLS[name](frames[smallest])
    wall, started = timed(partial(CALLS[name], frames[smallest]))
    yield from (name, f"{wall:.1f}", f"{started:.1f}")
    for size in sizes:
        wall, cpu = timed(partial(CALLS[name], frames[size]))
        yield f"{wall:.1f}"
        if size >= FEWEST_TO_DIVIDE:
            yield f"{(cpu - started) / (size - smallest) * 1e6:.1f}"
    yield f"{one_process(ONE_PROCESS[name], pairs):.1f}" if name in ONE_PROCESS else ""


@click.command(help=__doc__)
@click.argument("sizes", metavar="[ROWS]...", nargs=-1, type=click.IntRange(1))
def main(sizes: tuple[int, ...]) -> None:
    """Measure every call for every size, the smallest first, and write a table in Markdown."""
    sizes, pairs = sizes or SIZES, made_up_pairs()
    heads = ["call", f"{sizes[0]:,}: wall s", "CPU s"]
    for size in sizes[1:]:
        heads += [f"{size:,}: wall s", *(["CPU us per row"] if size >= FEWEST_TO_DIVIDE else [])]
    with tempfile.TemporaryDirectory() as folder, local_spark() as spark:
        for size in sizes:
            write(Path(folder, str(size)), size, pairs)
        frames = {size: spark.read.parquet(str(Path(folder, str(size)))) for size in sizes}
        click.echo(f"{described(machine())}\n")
        show([*heads, "one process: CPU us per row"], (cells_of(name, frames, pairs) for name in CALLS))
        click.echo(f"\npeak of a Python worker: {worker_peak()} MB")


if __name__ == "__main__":
    main()
