"""The time of answers about documents, images and charts: 100,000 drawn ones, as their data sets have them.

    python -m comparisons.answers_cost [N]

ANLS has one to three references, VQA accuracy ten people of whom most agree, relaxed accuracy a number or a word.
"""

from __future__ import annotations

import random
import sys
import time
import warnings
from functools import partial

import textgauge

from .timing import seconds_of

WORDS = "yes no red dark blue the a cat, on man's two isn't 1,000 dog-house St. New York 2010 12.5 tree left side"


def main(n: int) -> None:
    """Measure."""
    draw = random.Random(5)
    warnings.simplefilter("ignore")

    def drawn() -> str:
        return " ".join(draw.choices(WORDS.split(), k=draw.choice((1, 1, 1, 2, 2, 3))))

    answers = [drawn() for _ in range(n)]
    few = [[text if draw.random() < 0.6 else drawn() for _ in range(draw.randint(1, 3))] for text in answers]
    ten = [[text if draw.random() < 0.6 else drawn() for _ in range(10)] for text in answers]
    numbers = [str(draw.randint(1, 3000)) if draw.random() < 0.7 else drawn() for _ in range(n)]
    for name, options, references in (
        ("anls", {}, few), ("vqa_accuracy", {}, ten), ("vqa_accuracy", {"rule": "textvqa"}, ten),
        ("relaxed_accuracy", {}, numbers),
    ):  # fmt: skip
        predictions = numbers[::-1] if references is numbers else answers
        seconds = seconds_of(partial(getattr(textgauge, name), predictions, references, **options), time.process_time)
        label = " ".join((name, *options.values()))
        sys.stdout.write(f"{label:24} {seconds:6.2f} s for {n:,} answers\n")


if __name__ == "__main__":
    main(int((sys.argv[1:] or ["100000"])[0]))
