"""What one new segment, and eight, cost beside the loops of other tools: `python -m comparisons.small_calls`.

How many times as long a loop takes as `textgauge`, for texts of ASCII and of German, none of which occurs twice:
sacreBLEU remembers the tokens of those it has seen. A scorer of another tool is made once. The medians of all calls
count; both sides give the same scores.
"""

import random
import statistics
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import click
import jiwer
import sacrebleu
import textgauge
from rouge_score.rouge_scorer import RougeScorer

from .reference_modules.texts import ASCII, GERMAN, changed
from .timing import described, machine, seconds_of, show

Pairs = list[tuple[str, str]]


def ours(name: str, key: str, pairs: Pairs, **options: Any) -> list[float]:
    """Score pairs in one call, each for itself."""
    predictions, references = map(list, zip(*pairs, strict=True))
    function = getattr(textgauge, name)
    if len(pairs) == 1:
        return [function(predictions, references, **options)[key]]
    scores: list[float] = function(predictions, references, per_segment=True, **options)[f"segment_{key}"]
    return scores


def sentences(scorer: Any, pairs: Pairs) -> list[float]:
    """Loop over pairs with a scorer of sacreBLEU."""
    return [scorer.sentence_score(prediction, [reference]).score for prediction, reference in pairs]


def rouge_l(scorer: RougeScorer, pairs: Pairs) -> list[float]:
    """Loop over pairs with rouge_score."""
    return [scorer.score(reference, prediction)["rougeL"].fmeasure for prediction, reference in pairs]


def error_rates(pairs: Pairs) -> list[float]:
    """Loop over pairs with jiwer."""
    return [jiwer.wer(reference, prediction) for prediction, reference in pairs]


def metrics() -> dict[str, tuple[Callable[[Pairs], list[float]], Callable[[Pairs], list[float]]]]:
    """Return our call and the loop of each metric."""
    effective = sacrebleu.BLEU(effective_order=True)
    return {
        "BLEU": (partial(ours, "sacrebleu", "sacrebleu", effective_order=True), partial(sentences, effective)),
        "ROUGE-L": (
            partial(ours, "rouge", "rougeL", rouge_types=("rougeL",)), partial(rouge_l, RougeScorer(["rougeL"]))
        ),
        "chrF": (partial(ours, "chrf", "chrf"), partial(sentences, sacrebleu.CHRF())),
        "TER": (partial(ours, "ter", "ter"), partial(sentences, sacrebleu.TER())),
        "WER": (partial(ours, "wer", "wer"), error_rates),
    }  # fmt: skip


def new_pairs(words: str, n_pairs: int, draw: random.Random) -> Pairs:
    """Return pairs of texts of 12 to 24 random words, of which three in ten differ."""
    references = [" ".join(draw.choices(words.split(), k=draw.randint(12, 24))) for _ in range(n_pairs)]
    return [(changed(text, draw), text) for text in references]


def row(n_pairs: int, words: str, n_calls: int) -> Iterator[str]:
    """Yield how many times as long each loop takes, and the microseconds of our call."""
    draw = random.Random(n_pairs)
    for sides in metrics().values():
        batches = [new_pairs(words, n_pairs, draw) for _ in range(n_calls)]
        own, theirs = (statistics.median(seconds_of(partial(call, pairs)) for pairs in batches) for call in sides)
        for pairs in batches:
            for one, other in zip(*(call(pairs) for call in sides), strict=True):
                assert abs(one - other) < 1e-9, (pairs, one, other)
        yield f"{theirs / own:.1f} ({1e6 * own:.0f} us)"


@click.command(help=__doc__)
@click.option("--calls", default=300, show_default=True, help="Calls of each metric with other texts.")
def main(calls: int) -> None:
    """Write a table, line by line."""
    # ROUGE's tokenizer splits German words at their umlauts, as rouge_score does.
    warnings.simplefilter("ignore")
    click.echo(f"{described(machine())}, {textgauge.kernel_in_use()}\n")
    sizes = [(n, size, words) for n, size in ((1, "1 segment"), (8, "8 segments")) for words in (ASCII, GERMAN)]
    show(
        ["", *metrics()],
        ([f"{size}, {'ASCII' if words is ASCII else 'German'}", *row(n, words, calls)] for n, size, words in sizes),
    )


if __name__ == "__main__":
    main()
