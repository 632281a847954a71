"""CpWER and tcpWER of a long session, ORC-WER of a short one: times beside meeteval's, and whether the edits agree.

    python -m comparisons.speakers_cost [--speakers N] [--words N] [--runs N]

Needs meeteval. Times are the least of the runs.
"""

from __future__ import annotations

import logging
import random

import click
import meeteval
import textgauge

from .timing import fastest

_Rows = list[dict[str, object]]


def with_times(words: dict[str, str], seed: int) -> _Rows:
    """Return what speakers said in utterances of about ten words, one word in 0.4 seconds, at the same time."""
    drawn, rows = random.Random(seed), []
    for speaker, text in words.items():
        left, start = text.split(), drawn.random()
        while left:
            n = drawn.randint(5, 15)
            end = start + 0.4 * len(left[:n])
            rows.append({"session_id": "s", "speaker": speaker, "words": " ".join(left[:n]), "start_time": start,
                         "end_time": end})  # fmt: skip
            left, start = left[n:], end + 0.5 * drawn.random()
    return sorted(rows, key=lambda row: row["start_time"])


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


@click.command(help=__doc__)
@click.option("--speakers", default=8, show_default=True)
@click.option("--words", default=5000, show_default=True, help="Of a session, all speakers together.")
@click.option("--runs", type=click.IntRange(1), default=3, show_default=True)
def main(speakers: int, words: int, runs: int) -> None:
    """Print both times, and whether both figures are equal."""
    said, heard = session(speakers, words // speakers, 1)
    # It says for every call that there are no times.
    logging.getLogger("preprocess").setLevel(logging.ERROR)
    both = [with_times(side, 2) for side in (said, heard)]
    segments = [meeteval.io.SegLST(side) for side in both]
    short = [with_times(side, 2) for side in session(2, 200, 1)]
    of_short = [meeteval.io.SegLST(side) for side in short]
    for name, own, other in (
        ("cpWER", lambda: textgauge.cpwer([heard], [said]), lambda: meeteval.wer.cp_word_error_rate(said, heard)),
        (
            "tcpWER", lambda: textgauge.cpwer(both[1], both[0], collar=5),
            lambda: meeteval.wer.tcpwer(*segments, collar=5)["s"],
        ),
        (
            "ORC-WER, two channels of 200 words", lambda: textgauge.cpwer(short[1], short[0], orc=True),
            lambda: meeteval.wer.orcwer(*of_short)["s"],
        ),
    ):  # fmt: skip
        result, ours = fastest(own, runs)
        official, theirs = fastest(other, runs)
        edits = result["substitutions"] + result["deletions"] + result["insertions"]
        click.echo(
            f"{name}: textgauge {ours:.3f} s, meeteval {theirs:.3f} s, {theirs / ours:.1f} times; "
            f"edits {edits}, {official.errors}"
        )


if __name__ == "__main__":
    main()
