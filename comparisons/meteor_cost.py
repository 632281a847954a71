"""What METEOR costs beside nltk, and METEOR 1.5 for one pair: `python -m comparisons.meteor_cost ROWS.jsonl.gz`.

The rows are pairs (`prediction`, and `reference` or `references`), the first 10,000 of which are scored. nltk cuts each
text by the tokenizer of its `word_tokenize`, without a split into sentences, for which no data is needed. Both sides
read the same WordNet, nltk from a folder and from the zip that its downloader leaves. Seconds are those of the
processor, of one thread, each side once in one run; WordNet is loaded before. The scores are compared with ==: words
that nltk cuts otherwise since 3.10 are the only ones that may differ.
"""

import os
import shutil
import statistics
import sys
import tempfile
import time
import warnings
from pathlib import Path

import click
import textgauge
from textgauge import set_num_threads
from textgauge.text import wordnet

from .timing import described, machine, rows_of, seconds_of, show, timed

N_PAIRS, N_CALLS = 10_000, 200


def pairs_of(path):
    """Return the first pairs of the rows."""
    return [(row["prediction"], row["references"][0]) for row in rows_of(path, N_PAIRS)]


def nltks_wordnet(folder):
    """Return nltk's readers of the same files, in a folder and in the zip that its downloader leaves.

    It wants two more files, which METEOR does not ask.
    """
    import nltk
    from nltk.corpus.reader import WordNetCorpusReader

    place = Path(wordnet.find(None))
    root = Path(folder, "corpora", "wordnet")
    shutil.copytree(place, root) if place.is_dir() else shutil.unpack_archive(place, root.parent)
    if not (root / "lexnames").exists():
        (root / "lexnames").write_text("".join(f"{number:02d}\tgroup{number}\t0\n" for number in range(45)), "utf-8")
        (root / "index.sense").touch()
    shutil.make_archive(str(root), "zip", root.parent, "wordnet")
    nltk.data.path.insert(0, folder)
    places = {"a folder": "corpora/wordnet", "a zip": "corpora/wordnet.zip/wordnet/"}
    return {name: WordNetCorpusReader(nltk.data.find(place), None) for name, place in places.items()}


def of_nltk(pairs, words):
    """Return nltk's scores."""
    from nltk.tokenize import word_tokenize
    from nltk.translate.meteor_score import single_meteor_score

    return [
        single_meteor_score(
            word_tokenize(reference, preserve_line=True), word_tokenize(prediction, preserve_line=True), wordnet=words
        )
        for prediction, reference in pairs
    ]


def one_pair(pair):
    """Return the median of the milliseconds of warm calls of METEOR 1.5 by the clock."""
    prediction, reference = [pair[0]], [pair[1]]
    textgauge.meteor15(prediction, reference)
    return statistics.median(
        1000 * seconds_of(lambda: textgauge.meteor15(prediction, reference)) for _ in range(N_CALLS)
    )


def main(path):
    """Print a table of both."""
    set_num_threads(1)
    warnings.simplefilter("ignore")
    pairs = pairs_of(path)
    sides = [list(side) for side in zip(*pairs, strict=True)]
    textgauge.meteor(["a cat"], ["a dog"])
    with tempfile.TemporaryDirectory() as folder:
        readers = nltks_wordnet(os.path.realpath(folder))
        found, cold = timed(lambda: textgauge.meteor(*sides, per_segment=True), time.process_time)
        _, warm = timed(lambda: textgauge.meteor(*sides, per_segment=True), time.process_time)
        tool = {}
        for name, words in readers.items():
            of_nltk(pairs[:1], words)
            theirs, tool[name] = timed(lambda words=words: of_nltk(pairs, words), time.process_time)
    n_equal = sum(a == b for a, b in zip(found["segment_meteor"], theirs, strict=True))
    import nltk

    click.echo(f"nltk {nltk.__version__}: {len(pairs):,} pairs, {n_equal:,} scores equal; {described(machine())}\n")
    heads = ["nltk reads", "nltk", "textgauge, first call", "times", "again", "times"]
    show(heads, ([name, f"{one:.2f} s", f"{cold:.3f} s", f"{one / cold:.0f}", f"{warm:.3f} s", f"{one / warm:.0f}"]
                 for name, one in tool.items()))  # fmt: skip
    click.echo(f"\nMETEOR 1.5, one pair, warm: {one_pair(pairs[0]):.2f} ms of the clock")


if __name__ == "__main__":
    main(sys.argv[1])
