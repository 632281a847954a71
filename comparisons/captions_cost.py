"""What tokens and CIDEr-D of captions cost beside pycocoevalcap: `python comparisons/captions_cost.py ROWS.jsonl.gz`.

Captions are the texts of the rows (`prediction`, and `reference` or `references`), cut to their first words: 5,000
images with 5 references each. Both sides are checked to give the same score, then timed in one run: Java by the clock,
as it works in another process, everything else in seconds of the processor.
"""

import contextlib
import gzip
import io
import itertools
import json
import sys
import time

import click
import textgauge
from textgauge import set_num_threads

N_IMAGES, N_REFERENCES, N_WORDS = 5000, 5, 12


def captions_of(path):
    """Return the captions and the references of all images."""
    texts = []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            references = row.get("references") or [row["reference"]]
            texts += (" ".join(text.split()[:N_WORDS]) for text in (row["prediction"], *references))
    # A word of a small letter at the end: the tool's tokens of a text depend on the next one.
    images = itertools.batched if sys.version_info >= (3, 12) else _batched
    captions = (f"{text} x" for text in itertools.cycle(texts))
    groups = list(itertools.islice(images(captions, 1 + N_REFERENCES), N_IMAGES))
    return [group[0] for group in groups], [list(group[1:]) for group in groups]


def _batched(values, n):
    while batch := tuple(itertools.islice(values, n)):
        yield batch


def of_the_tool(predictions, references):
    """Return CIDEr-D of pycocoevalcap, and the seconds of tokens and of scores."""
    from pycocoevalcap.cider.cider import Cider
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    start = time.perf_counter()
    with contextlib.redirect_stderr(io.StringIO()):
        res = PTBTokenizer().tokenize({i: [{"caption": text}] for i, text in enumerate(predictions)})
        gts = PTBTokenizer().tokenize({i: [{"caption": one} for one in group] for i, group in enumerate(references)})
    tokenized, begin = time.perf_counter() - start, time.process_time()
    score = float(Cider().compute_score(gts, res)[0])
    return score, tokenized, time.process_time() - begin


def main(path):
    """Print a table of both."""
    set_num_threads(1)
    predictions, references = captions_of(path)
    score, tokenized, scored = of_the_tool(predictions, references)
    textgauge.cider(predictions[:10], references[:10])
    start = time.process_time()
    ours = textgauge.cider(predictions, references)["cider"]
    seconds = time.process_time() - start
    if ours != score:
        click.echo(f"scores differ: {ours!r}, the tool {score!r}")
    click.echo(
        f"CIDEr-D {ours:.6f} of {N_IMAGES} images; pycocoevalcap: tokens {tokenized:.2f} s, scores {scored:.2f} s"
    )
    click.echo(f"textgauge: both {seconds:.2f} s, {(tokenized + scored) / seconds:.1f} times as fast")


if __name__ == "__main__":
    main(sys.argv[1])
