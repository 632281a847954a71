"""What CUAD costs beside its script: `python -m comparisons.cuad_cost PATH/compute_score.py`.

The file is that of the Hub's module `cuad`, metrics/cuad/compute_score.py of huggingface/evaluate. The questions are
made up: up to five guesses of 5 to 80 words for one to three answers, a third of them about the parties, half of the
guesses the end of an answer. Seconds are those of the processor, of one thread, the fastest of three calls in turn;
figures are compared with ==.
"""

import importlib.util
import random
import string
import sys
import time

import click
import numpy as np
import textgauge

from .timing import described, machine, seconds_of, show

N_QUESTIONS, ROUNDS = 4000, 3
TOPICS = ("Parties", "Cap On Liability", "Renewal Term")


def questions_of(n, seed=4):
    """Return rows of predictions and references."""
    rng = random.Random(seed)
    known = ["".join(rng.choices(string.ascii_lowercase, k=rng.randint(2, 10))) for _ in range(3000)]
    known += ["the", "a", "an", "of", "party", "agreement"] * 50

    def clause():
        words = rng.choices(known, k=rng.randint(5, 80))
        return " ".join(word + rng.choice(["", "", "", "", ",", ".", ";"]) for word in words).capitalize()

    def guess(answers):
        if rng.random() < 0.5:
            return clause()
        words = rng.choice(answers).split()
        return " ".join(words[rng.randint(0, len(words) // 2) :])

    predictions, references = [], []
    for i in range(n):
        answers = [clause() for _ in range(rng.choice([1, 1, 2, 3]))]
        name = f"contract {i // 41}__{TOPICS[i % 3]} {i}"
        predictions.append({"id": name, "prediction_text": [guess(answers) for _ in range(rng.randint(1, 5))]})
        references.append({"id": name, "answers": {"text": answers, "answer_start": [0] * len(answers)}})
    return predictions, references


def script_of(path):
    """Return a function from rows to the figures of the script."""
    if not hasattr(np, "trapz"):
        # The script asks for a name that NumPy 2.4 no longer has.
        setattr(np, "trapz", np.trapezoid)  # noqa: B010
    spec = importlib.util.spec_from_file_location("compute_score", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)

    def figures(predictions, references):
        questions = [{"id": row["id"], "answers": [{"text": t} for t in row["answers"]["text"]]} for row in references]
        given = {row["id"]: row["prediction_text"] for row in predictions}
        return script.compute_score(dataset=[{"paragraphs": [{"qas": questions}]}], predictions=given)

    return figures


def main(path):
    """Print a table of both."""
    textgauge.set_num_threads(1)
    rows, figures = questions_of(N_QUESTIONS), script_of(path)
    calls = [lambda: textgauge.cuad(*rows), lambda: figures(*rows)]
    is_equal = calls[0]() == calls[1]()
    ours, theirs = map(
        min, zip(*([seconds_of(call, time.process_time) for call in calls] for _ in range(ROUNDS)), strict=True)
    )
    click.echo(f"{N_QUESTIONS:,} questions, figures {'equal' if is_equal else 'differ'}; {described(machine())}\n")
    show(["textgauge", "script", "times"], [[f"{ours:.3f} s", f"{theirs:.2f} s", f"{theirs / ours:.1f}"]])
    return is_equal


if __name__ == "__main__":
    sys.exit(not main(sys.argv[1]))
