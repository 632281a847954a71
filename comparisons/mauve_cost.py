"""What MAUVE costs beside mauve-text, and whether its figures agree: `python -m comparisons.mauve_cost`.

A GPT-2 of the size small with random weights reads made-up texts, most of them short and some much longer. mauve-text
knows models by their names alone: the folder of this one is called gpt2. Each line has the CPU seconds of the fastest
of several calls in turn, which depend less on other work on the machine; loading is not counted, and every call of
ours starts without remembered texts. Features take nearly all of the time: two buckets, and one run of k-means.
Batches help where texts are short: of long ones a processor computes as long for each alone. Another system with the
same references costs its own texts alone, since those of the references are remembered. Then all four scores are
compared with the defaults, of random features too. faiss has one thread on either side. NumPy of a processor with
wide vectors has other logarithms in the last bit, which ours do not take: `NPY_DISABLE_CPU_FEATURES="X86_V4
AVX512_ICL AVX512_SPR"` makes mauve-text compute as elsewhere.
"""

import os
import random
import tempfile
import time
import warnings
from pathlib import Path

import click
import numpy as np
import textgauge

from .timing import described, machine, seconds_of, show

KEYS = ("mauve", "frontier_integral", "mauve_star", "frontier_integral_star")
QUICK = {"num_buckets": 2, "kmeans_num_redo": 1, "kmeans_max_iter": 1}


def save_model(folder, n_layers, width, torch, hf):
    """Save a causal model with random weights, and a tokenizer whose words are w0, w1, ..."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = {"<|endoftext|>": 0} | {f"w{i}": i + 1 for i in range(3000)}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="<|endoftext|>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    fast = hf.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|endoftext|>", bos_token="<|endoftext|>")
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    heads = max(1, width // 64)
    config = hf.GPT2Config(vocab_size=len(words), n_embd=width, n_layer=n_layers, n_head=heads, n_positions=1024)
    hf.GPT2Model(config).save_pretrained(folder)


def made_up(n, mean, seed):
    """Return texts whose numbers of words have a mean, most of them short."""
    draw = random.Random(seed)
    lengths = [2 + int(draw.expovariate(1 / (mean - 2))) for _ in range(n)]
    return [" ".join(f"w{draw.randrange(3000)}" for _ in range(length)) for length in lengths]


def difference(ours, theirs):
    """Return the largest difference of a score."""
    return max(abs(ours[key] - float(getattr(theirs, key))) for key in KEYS)


@click.command(help=__doc__)
@click.option("--texts", default=200, show_default=True, help="Texts of each side.")
@click.option("--words", default=12, show_default=True, help="Mean number of words of a text.")
@click.option("--layers", default=12, show_default=True, help="Layers of the model.")
@click.option("--width", default=768, show_default=True, help="Size of its states.")
@click.option("--rounds", default=3, show_default=True, help="Calls of each side.")
def main(texts, words, layers, width, rounds):
    """Measure."""
    warnings.filterwarnings("ignore")
    import faiss
    import mauve
    import torch
    import transformers as hf
    from textgauge.models import features

    faiss.omp_set_num_threads(1)
    hf.utils.logging.set_verbosity_error()
    hf.utils.logging.disable_progress_bar()
    sides = made_up(texts, words, 1), made_up(texts, words, 2)
    systems = (made_up(texts, words, seed) for seed in range(3, 10**6))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("gpt2").mkdir()
        save_model("gpt2", layers, width, torch, hf)

        def theirs(**options):
            return mauve.compute_mauve(p_text=sides[0], q_text=sides[1], featurize_model_name="gpt2", **options)

        def ours(**options):
            features.forget()
            return textgauge.mauve(*sides, model_id="gpt2", device="cpu", **options)

        calls = {
            "mauve-text, a text at a time, its default": lambda: theirs(**QUICK),
            "mauve-text, batch_size=32": lambda: theirs(batch_size=32, **QUICK),
            "textgauge": lambda: ours(**QUICK),
            "textgauge, another system": lambda: textgauge.mauve(
                next(systems), sides[1], model_id="gpt2", device="cpu", **QUICK
            ),
        }
        for call in (theirs, ours):
            call(**QUICK)
        fastest = dict.fromkeys(calls, float("inf"))
        for _ in range(rounds):
            for name, call in calls.items():
                fastest[name] = min(fastest[name], seconds_of(call, time.process_time))
        own = fastest["textgauge"]
        click.echo(f"{described(machine())}; {texts} texts of {words} words a side, {layers} layers of {width}\n")
        rows = ((name, f"{value:.2f}", f"{own / value:.2f}") for name, value in fastest.items())
        show(["features of both sides", "CPU seconds", "textgauge / it"], rows)
        click.echo(f"\nlargest difference of a score: {difference(ours(), theirs()):g} by texts")
        os.chdir("/")
    draw = np.random.RandomState(0)
    worst = 0.0
    for n, m, size in ((40, 60, 8), (300, 200, 32), (1000, 800, 64)):
        p, q = draw.randn(n, size).astype(np.float32), (draw.randn(m, size) + 0.2).astype(np.float32)
        found = textgauge.mauve(predictions_features=p, references_features=q)
        worst = max(worst, difference(found, mauve.compute_mauve(p_features=p, q_features=q)))
    click.echo(f"largest difference of a score: {worst:g} by features")


if __name__ == "__main__":
    main()
