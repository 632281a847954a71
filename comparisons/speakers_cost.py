"""CpWER of a long session: its time beside meeteval's, and whether both count as many edits.

    python -m comparisons.speakers_cost [--speakers N] [--words N] [--runs N]

Needs meeteval. Times are the least of the runs.
"""

from __future__ import annotations

import argparse
import random
import time

import click
import meeteval
import textgauge


def session(n_speakers: int, n_words: int, seed: int) -> tuple[dict[str, str], dict[str, str]]:
    """Return what speakers said, and a transcript with a tenth of the words wrong and speakers in another order."""
    drawn = random.Random(seed)
    vocabulary = [f"word{i}" for i in range(2000)]
    said = {f"R{i}": [drawn.choice(vocabulary) for _ in range(n_words)] for i in range(n_speakers)}
    names = drawn.sample(range(n_speakers), n_speakers)
    heard = {}
    for name, words in zip(names, said.values(), strict=True):
        kept = [drawn.choice(vocabulary) if drawn.random() < 0.07 else word for word in words]
        heard[f"H{name}"] = [word for word in kept if drawn.random() > 0.03]
    return (*({name: " ".join(words) for name, words in side.items()} for side in (said, heard)),)  # type: ignore[return-value]


def seconds(call: object, n: int) -> tuple[float, object]:
    """Return the least time of several calls, and a result."""
    times, result = [], None
    for _ in range(n):
        start = time.perf_counter()
        result = call()  # type: ignore[operator]
        times.append(time.perf_counter() - start)
    return min(times), result


def main() -> None:
    """Print both times, and whether both figures are equal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speakers", type=int, default=8)
    parser.add_argument("--words", type=int, default=5000, help="of a session, all speakers together")
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    said, heard = session(given.speakers, given.words // given.speakers, 1)
    ours, result = seconds(lambda: textgauge.cpwer([heard], [said]), given.runs)
    theirs, official = seconds(lambda: meeteval.wer.cp_word_error_rate(said, heard), given.runs)
    edits = result["substitutions"] + result["deletions"] + result["insertions"]  # type: ignore[index]
    click.echo(
        f"textgauge {ours:.3f} s, meeteval {theirs:.3f} s, {theirs / ours:.1f} times; edits {edits}, {official.errors}"
    )  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
