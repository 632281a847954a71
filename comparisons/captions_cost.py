"""What captions cost beside pycocoevalcap: `python -m comparisons.captions_cost ROWS.jsonl.gz`.

Captions are the texts of the rows (`prediction`, and `reference` or `references`), cut to their first words: 5,000
images with 5 references each. Timed are tokens and CIDEr-D, and the whole table with METEOR, each side once in one run:
by the clock, with the start of Java where it is needed, and in seconds of the processor, with those of Java. The
figures of both sides are compared: METEOR, which Java rounds otherwise, to 1e-9, all others with ==. The data of METEOR
are read once before, so that their index, made on the first call of all, is there.
"""

import contextlib
import io
import itertools
import os
import sys
import time

import click
import textgauge
from textgauge import set_num_threads

from .timing import described, machine, rows_of, show, timed

N_IMAGES, N_REFERENCES, N_WORDS = 5000, 5, 12


def captions_of(path):
    """Return the captions and the references of all images."""
    texts = []
    for row in rows_of(path):
        texts += (" ".join(text.split()[:N_WORDS]) for text in (row["prediction"], *row["references"]))
    # A word of a small letter at the end: the tool's tokens of a text depend on the next one.
    images = itertools.batched if sys.version_info >= (3, 12) else _batched
    captions = (f"{text} x" for text in itertools.cycle(texts))
    groups = list(itertools.islice(images(captions, 1 + N_REFERENCES), N_IMAGES))
    return [group[0] for group in groups], [list(group[1:]) for group in groups]


def _batched(values, n):
    while batch := tuple(itertools.islice(values, n)):
        yield batch


class Clock:
    """Adds up what calls cost, by name: seconds of the clock, and of the processor with processes that have ended."""

    def __init__(self):
        self.cost = {}

    def timed(self, name, call):
        """Call, and return the result."""
        (result, wall), processor = timed(lambda: timed(call), _processor_seconds)
        found = wall, processor
        before = self.cost.get(name, (0.0, 0.0))
        self.cost[name] = before[0] + found[0], before[1] + found[1]
        return result

    def sum(self, *names):
        """Return both sums over names."""
        return tuple(sum(self.cost[name][i] for name in names) for i in (0, 1))


def _processor_seconds():
    # Its own time to the nanosecond; that of processes that have ended to ticks.
    return time.process_time() + sum(os.times()[2:4])


def of_meteor(gts, res):
    """Return METEOR of pycocoevalcap; its Java is started and ended here, so that its time is counted."""
    from pycocoevalcap.meteor.meteor import Meteor

    meteor = Meteor()
    try:
        return float(meteor.compute_score(gts, res)[0])
    finally:
        # What its __del__ does, whenever that comes, and what it leaves open.
        meteor.meteor_p.stdin.close()
        meteor.meteor_p.wait()
        meteor.meteor_p.stdout.close()
        meteor.meteor_p.stderr.close()


def of_the_tool(predictions, references, clock):
    """Return the table of pycocoevalcap."""
    from pycocoevalcap.bleu.bleu import Bleu
    from pycocoevalcap.cider.cider import Cider
    from pycocoevalcap.rouge.rouge import Rouge
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    captions = {i: [{"caption": text}] for i, text in enumerate(predictions)}
    people = {i: [{"caption": one} for one in group] for i, group in enumerate(references)}
    with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        gts, res = clock.timed("tokens", lambda: [PTBTokenizer().tokenize(side) for side in (people, captions)])
        bleu = clock.timed("BLEU", lambda: Bleu(4).compute_score(gts, res)[0])
        meteor = clock.timed("METEOR", lambda: of_meteor(gts, res))
        rouge = clock.timed("ROUGE-L", lambda: Rouge().compute_score(gts, res)[0])
        cider = clock.timed("CIDEr-D", lambda: Cider().compute_score(gts, res)[0])
    table = {f"Bleu_{k}": score for k, score in enumerate(bleu, 1)}
    return {**table, "METEOR": meteor, "ROUGE_L": float(rouge), "CIDEr": float(cider)}


def check(ours, tool):
    """Say which figures differ."""
    for key, score in tool.items():
        if ours[key] != score if key != "METEOR" else abs(ours[key] - score) > 1e-9:
            click.echo(f"{key} differs: {ours[key]!r}, the tool {score!r}")


def main(path):
    """Print a table of both."""
    set_num_threads(1)
    predictions, references = captions_of(path)
    # Imports, and the index of METEOR's data.
    textgauge.coco(predictions[:10], references[:10])
    own, theirs = Clock(), Clock()
    cider = own.timed("tokens and CIDEr-D", lambda: textgauge.cider(predictions, references)["cider"])
    table = own.timed("table", lambda: textgauge.coco(predictions, references))
    tool = of_the_tool(predictions, references, theirs)
    check({**table, "CIDEr": cider}, tool)
    check(table, tool)
    click.echo(f"{N_IMAGES:,} captions, {N_REFERENCES} references each; {described(machine())}\n")
    rows = [
        ("tokens and CIDEr-D", theirs.sum("tokens", "CIDEr-D"), own.cost["tokens and CIDEr-D"]),
        ("the whole table", theirs.sum(*theirs.cost), own.cost["table"]),
    ]
    heads = [
        "",
        "pycocoevalcap, clock",
        "processor",
        "textgauge, clock",
        "processor",
        "clock, times",
        "processor, times",
    ]
    cells = (
        [name, *(f"{seconds:.2f} s" for seconds in (*tool, *ours)), *(f"{tool[i] / ours[i]:.1f}" for i in (0, 1))]
        for name, tool, ours in rows
    )
    show(heads, cells)
    parts = ", ".join(f"{name} {wall:.2f} ({processor:.2f})" for name, (wall, processor) in theirs.cost.items())
    click.echo(f"\nParts of pycocoevalcap, seconds of the clock (of the processor): {parts}")


if __name__ == "__main__":
    main(sys.argv[1])
