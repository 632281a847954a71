"""What COMET costs on a processor beside `unbabel-comet`, which may be in an environment of its own.

    python -m comparisons.comet_cost --peer other/bin/python

The checkpoint has an encoder of the size of XLM-R base and random weights, the texts are made up: four systems on the
same sources and references. Each line is the fastest of several calls of either tool in turn, in CPU seconds, which
depend less on other work on the machine, after the scores of both agreed. Loading is not counted, and every call of
ours starts without remembered texts. `unbabel-comet` is called through `predict`; for the row of one call with its
memory for batches, as `comet-score` and `comet-compare` do.
"""

from __future__ import annotations

import json
import random
import subprocess
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path
from statistics import fmean
from typing import Any

import click
import textgauge
import torch
import transformers as hf
import yaml
from textgauge.models import clear_models
from textgauge.models.comet import load_comet
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from .reference_modules.texts import changed
from .timing import described, machine, show

WORDS, N_SYSTEMS = [f"w{i}" for i in range(3000)], 4
# It answers every line, the columns of texts and whether to remember, with its scores and CPU seconds.
PEER = """
import json, logging, sys, time, warnings
warnings.filterwarnings("ignore"); logging.disable(logging.WARNING)
import torch
from comet import load_from_checkpoint
torch.set_num_threads(int(sys.argv[2]))
model = load_from_checkpoint(sys.argv[1])
for line in sys.stdin:
    (sources, references, systems), model.caching = json.loads(line)
    started = time.process_time()
    rows = [[dict(src=s, mt=m, ref=r) for s, m, r in zip(sources, one, references)] for one in systems]
    found = [model.predict(one, gpus=0, progress_bar=False)["scores"] for one in rows]
    print("answer", json.dumps([time.process_time() - started, found]), flush=True)
"""
Columns = tuple[list[str], list[str], list[list[str]]]


def save_checkpoint(folder: Path, size: int = 768, n_layers: int = 12) -> None:
    """Save a model with random weights in the Hub's layout."""
    torch.manual_seed(1)
    pieces = ["<s>", "<pad>", "</s>", "<unk>", *(f"\u2581{word}" for word in WORDS), "<mask>"]
    words = Tokenizer(models.Unigram([(piece, 0.0 if i < 4 else -8.0) for i, piece in enumerate(pieces)], unk_id=3))
    words.pre_tokenizer = pre_tokenizers.Metaspace()
    words.post_processor = processors.TemplateProcessing("<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    hf.XLMRobertaTokenizerFast(tokenizer_object=words).save_pretrained(folder / "encoder")
    config = hf.XLMRobertaConfig(
        vocab_size=len(pieces), hidden_size=size, intermediate_size=4 * size, num_hidden_layers=n_layers,
        num_attention_heads=size // 64, max_position_embeddings=514, type_vocab_size=1,
    )  # fmt: skip
    config.save_pretrained(folder / "encoder")
    encoder = hf.XLMRobertaModel(config, add_pooling_layer=False)
    state = {f"encoder.model.{key}": value for key, value in encoder.state_dict().items()}
    state |= {f"layerwise_attention.scalar_parameters.{i}": torch.randn(1) for i in range(n_layers + 1)}
    state["layerwise_attention.gamma"] = torch.ones(1)
    for place, (wide, narrow) in zip((0, 3, 6), ((6 * size, 3072), (3072, 1024), (1024, 1)), strict=True):
        state[f"estimator.ff.{place}.weight"] = torch.randn(narrow, wide) * 0.02
        state[f"estimator.ff.{place}.bias"] = torch.randn(narrow) * 0.02
    settings = {
        "class_identifier": "regression_metric", "encoder_model": "XLM-RoBERTa", "layer": "mix", "pool": "avg",
        "pretrained_model": str(folder / "encoder"), "layer_transformation": "sparsemax", "layer_norm": False,
        "activations": "Tanh", "final_activation": None, "hidden_sizes": [3072, 1024], "dropout": 0.1,
        "load_pretrained_weights": False,
    }  # fmt: skip
    (folder / "hparams.yaml").write_text(yaml.safe_dump(settings))
    (folder / "checkpoints").mkdir()
    stored = {"state_dict": state, "hyper_parameters": settings, "pytorch-lightning_version": "2.0.0"}
    torch.save(stored, folder / "checkpoints/model.ckpt")


def made_up(n_segments: int) -> Columns:
    """Return sources, references and the predictions of systems, 20 words a segment at the median."""
    draw = random.Random(7)
    lengths = [min(300, max(1, int(draw.lognormvariate(3, 0.6)))) for _ in range(n_segments)]
    sources, references = ([" ".join(draw.choices(WORDS, k=n)) for n in lengths] for _ in range(2))
    return sources, references, [[changed(text, draw, 0.3) for text in references] for _ in range(N_SYSTEMS)]


def ours(folder: Path, columns: Columns, *, is_one_call: bool) -> tuple[float, Any]:
    """Return the CPU seconds of calls, and the scores of the segments of every system; of one call their means."""
    sources, references, systems = columns
    options: dict[str, Any] = {"model_id": folder, "device": "cpu"}
    clear_models()
    load_comet(folder, device="cpu")
    started = time.process_time()
    if is_one_call:
        found = textgauge.compare(systems, references, sources=sources, metric="comet", metric_options=options)
        return time.process_time() - started, [[found[0].score1], *([one.score2] for one in found)]
    each = [textgauge.comet(one, references, sources=sources, per_segment=True, **options) for one in systems]
    return time.process_time() - started, [one["segment_comet"] for one in each]


@click.command(help=__doc__)
@click.option("--peer", type=click.Path(exists=True, dir_okay=False), help="A Python with unbabel-comet.")
@click.option("--segments", type=click.IntRange(2), default=60, show_default=True)
@click.option("--rounds", type=click.IntRange(1), default=2, show_default=True)
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="Of both tools.")
def main(peer: str | None, segments: int, rounds: int, threads: int) -> None:
    """Measure all rows, and write a table in Markdown."""
    torch.set_num_threads(threads)
    sources, references, systems = made_up(segments)
    rows = {"one system": (systems[:1], False), "four systems, a call each": (systems, False),
            "four systems, one `compare`": (systems, True)}  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        save_checkpoint(folder)
        words = [peer, "-c", PEER, str(folder / "checkpoints/model.ckpt"), str(threads)]
        pipe = subprocess.PIPE

        def theirs(other: subprocess.Popen[str], *given: Any) -> tuple[float, Any]:
            print(json.dumps(given), file=other.stdin, flush=True)  # noqa: T201
            answer = next((line for line in other.stdout or () if line.startswith("answer ")), None)
            if answer is None:
                raise click.ClickException(f"{peer} ended without an answer")
            seconds, found = json.loads(answer.removeprefix("answer "))
            return seconds, found

        def measured(other: subprocess.Popen[str] | None) -> Any:
            for title, (some, is_one_call) in rows.items():
                columns = (sources, references, some)
                times: list[tuple[float, float]] = []
                for _ in range(rounds):
                    own, scores = ours(folder, columns, is_one_call=is_one_call)
                    other_own, found = theirs(other, columns, is_one_call) if other else (float("nan"), scores)
                    found = [[fmean(one)] for one in found] if is_one_call else found
                    pairs = zip(sum(scores, []), sum(found, []), strict=True)
                    if max(abs(a - b) for a, b in pairs) > 2e-6:
                        raise click.ClickException(f"{title}: the scores differ")
                    times.append((own, other_own))
                best, best_of_other = map(min, zip(*times, strict=True))
                yield [title, f"{best:.1f}", f"{best_of_other:.1f}", f"{best_of_other / best:.1f} times"]

        click.echo(f"{described(machine())}\n")
        with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True) if peer else nullcontext() as other:
            show([f"{segments} segments", "ours, s", "unbabel-comet, s", "faster"], measured(other))


if __name__ == "__main__":
    main()
