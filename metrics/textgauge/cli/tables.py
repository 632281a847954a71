"""Results as tables for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ..checks import printable
from ..measures.bleu import Bleu
from ..measures.rouge import Rouge
from ..measures.token_f1 import TokenF1
from .surprise import TextPerplexity

_BAR_WIDTH = 20


@dataclass(frozen=True)
class Numbers:
    """How numbers are written.

    Attributes
    ----------
    scale : float
        What a perfect score is: results are scaled before they come here.
    width : int
        Decimals.
    confidence : float or None
        What the intervals hold, where there are any.
    """

    scale: float
    width: int
    confidence: float | None = None

    def text(self, value: float | None) -> str:
        """Write a number, a whole one without decimals; a dash for one that is not defined."""
        if value is None:
            return "-"
        return str(value) if isinstance(value, int) else f"{value:.{self.width}f}"

    def add_intervals(self, table: Table, of: str = "") -> None:
        """Give a table a column of intervals, if there are any."""
        if self.confidence is not None:
            table.add_column(f"{100 * self.confidence:g}% interval{of}", justify="right", no_wrap=True)

    def interval(self, bounds: Sequence[float] | None) -> list[str]:
        """Write the cell of that column: none without one, an empty one without bounds."""
        if self.confidence is None:
            return []
        return [""] if bounds is None else [f"[{self.text(bounds[0])}, {self.text(bounds[1])}]"]

    def add_column(self, table: Table, name: str, style: str = "") -> None:
        """Give a table a column whose numbers are never cut short."""
        width = max(len(self.text(self.scale)), len(name))
        table.add_column(name, justify="right", style=style, no_wrap=True, min_width=width)

    def bar(self, score: float) -> ProgressBar:
        """Draw a score as a share of the perfect one."""
        return ProgressBar(
            total=self.scale, completed=score, width=_BAR_WIDTH, complete_style="cyan", finished_style="cyan"
        )


def bleu_table(result: Mapping[str, Any], bleu: Bleu, numbers: Numbers) -> RenderableType:
    """Show precisions, brevity penalty, BLEU and the lengths behind them."""
    orders = [f"{order}-gram precision" for order in range(1, len(result["precisions"]) + 1)]
    table = titled("BLEU", [*orders, "brevity penalty"])
    numbers.add_column(table, "score")
    numbers.add_intervals(table)
    table.add_column("")
    none = numbers.interval(None)
    for order, precision in zip(orders, result["precisions"], strict=True):
        table.add_row(order, numbers.text(precision), *none, numbers.bar(precision))
    penalty = result["brevity_penalty"]
    table.add_row("brevity penalty", f"{penalty:.4f}", *none, numbers.bar(penalty * numbers.scale), end_section=True)
    for n in range(1, len(orders) + 1):
        if f"bleu{n}" in result:
            value = result[f"bleu{n}"]
            table.add_row(f"BLEU-{n}", numbers.text(value), *none, numbers.bar(value))
    score = Text(numbers.text(result["bleu"]), "bold")
    interval = numbers.interval(result.get("confidence_interval"))
    table.add_row(Text("BLEU", "bold"), score, *interval, numbers.bar(result["bleu"]))
    lengths = (
        f"{result['translation_length']:,} tokens against {result['reference_length']:,} in the references "
        f"(ratio {result['length_ratio']:.3f})"
    )
    return _with_notes(table, f"{_count(bleu)}, tokenizer {bleu.tokenizer.name}", lengths, *_signature(result))


def rouge_table(result: Mapping[str, Any], rouge: Rouge, numbers: Numbers) -> RenderableType:
    """Show F of every type, with precision and recall where the result has them."""
    table = titled("ROUGE", rouge.options.types)
    first = result[rouge.options.types[0]]
    parts = ["precision", "recall", "fmeasure"] if isinstance(first, dict) else ["fmeasure"]
    weight = f"beta {rouge.options.beta:g}" if rouge.options.alpha is None else f"alpha {rouge.options.alpha:g}"
    for part in parts:
        name = part if part != "fmeasure" else "F" if weight in ("beta 1", "alpha 0.5") else f"F ({weight})"
        numbers.add_column(table, name, style="bold" if part == "fmeasure" else "")
    numbers.add_intervals(table, " of F" if len(parts) > 1 else "")
    table.add_column("")
    for kind in rouge.options.types:
        scores = [result[kind][part] for part in parts] if isinstance(first, dict) else [result[kind]]
        bounds = result.get("confidence_intervals", {}).get(kind)
        interval = numbers.interval(bounds["fmeasure"] if isinstance(bounds, dict) else bounds)
        table.add_row(kind, *map(numbers.text, scores), *interval, numbers.bar(scores[-1]))
    return _with_notes(table, f"{_count(rouge)}, tokenizer {rouge.tokenizer.name}", *_signature(result))


def token_f1_table(result: Mapping[str, Any], answers: TokenF1, numbers: Numbers) -> RenderableType:
    """Show exact match, precision, recall and F1."""
    names = {"exact_match": "exact match", "precision": "precision", "recall": "recall", "f1": "F1"}
    table = titled("Token F1", list(names.values()))
    numbers.add_column(table, "score")
    numbers.add_intervals(table)
    table.add_column("")
    for key, name in names.items():
        style = "bold" if key == "f1" else ""
        interval = numbers.interval(result.get("confidence_intervals", {}).get(key))
        table.add_row(Text(name, style), Text(numbers.text(result[key]), style), *interval, numbers.bar(result[key]))
    rules = f"normalizer {answers.normalizer.name}, tokenizer {answers.tokenizer.name}, counted as {answers.counting}"
    return _with_notes(table, f"{_count(answers)}, {rules}", *_signature(result))


def perplexity_table(result: Mapping[str, Any], texts: TextPerplexity, numbers: Numbers) -> RenderableType:
    """Show the perplexity of all tokens, the mean of the texts, and the bits behind them."""
    names = {
        "corpus_perplexity": "perplexity",
        "mean_perplexity": "mean of texts",
        "bits_per_token": "bits per token",
        "bits_per_byte": "bits per byte",
        "bits_per_word": "bits per word",
    }
    table = titled("PERPLEXITY", list(names.values()))
    numbers.add_column(table, "value")
    numbers.add_intervals(table)
    for key in [key for key in names if key in result]:
        style = "bold" if key == "corpus_perplexity" else ""
        interval = numbers.interval(result.get("confidence_interval") if style else None)
        table.add_row(Text(names[key], style), Text(numbers.text(result[key]), style), *interval)
    return _with_notes(
        table, f"{_count(texts)}, {result['n_tokens']:,} tokens, {texts.model_name}", *_signature(result)
    )


def perplexities_table(results: Mapping[str, Mapping[str, Any]], note: str) -> RenderableType:
    """Show several sets of texts under one model: the lower the less surprising."""
    table = titled("PERPLEXITY", list(results))
    numbers = Numbers(scale=1000, width=1)
    numbers.add_column(table, "per token", style="bold")
    numbers.add_column(table, "bits per byte")
    for name, result in results.items():
        table.add_row(name, numbers.text(result["corpus_perplexity"]), f"{result['bits_per_byte']:.2f}")
    return _with_notes(table, note)


def segment_lines(columns: Mapping[str, Sequence[float | None]], numbers: Numbers) -> str:
    """Write one line per segment, numbered from 1, under a line of names."""
    cells = [[name, *map(numbers.text, values)] for name, values in columns.items()]
    n_segments = len(next(iter(columns.values())))
    cells.insert(0, ["segment", *map(str, range(1, n_segments + 1))])
    widths = [max(map(len, column)) for column in cells]
    rows = zip(*cells, strict=True)
    return "\n".join("  ".join(map(str.rjust, row, widths)) for row in rows)


def titled(title: str, labels: Sequence[str]) -> Table:
    """Return an empty table whose first column has a title and room for all its labels."""
    table = Table(box=box.SIMPLE_HEAD, header_style="dim", pad_edge=False)
    table.add_column(Text(title, "not dim bold cyan"), no_wrap=True, min_width=max(map(len, labels)))
    return table


def _with_notes(table: Table, *notes: str) -> RenderableType:
    return Group(table, *(Text(printable(note), "dim") for note in notes))


def _signature(result: Mapping[str, Any]) -> list[str]:
    return [result["signature"]] if "signature" in result else []


def _count(accumulator: Bleu | Rouge | TokenF1 | TextPerplexity) -> str:
    n = n_segments(accumulator)
    return f"{n:,} segment{'s' * (n != 1)}"


def n_segments(accumulator: Any) -> int:
    """Count the segments; ROUGE may have several rows of statistics for each."""
    return len(accumulator.n_trials if isinstance(accumulator, Rouge) else accumulator.statistics)
