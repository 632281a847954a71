"""What learned metrics cost beside their official programs, which may be in an environment of their own.

    python -m comparisons.learned_cost comet --peer other/bin/python
    PYTHONPATH=metricx python -m comparisons.learned_cost metricx --peer old/bin/python
    python -m comparisons.learned_cost bertscore --peer python --model minilm --rows xsum.jsonl.gz --segments 2000
    python -m comparisons.learned_cost consistency --peer python --segments 6
    python -m comparisons.learned_cost comet --device cuda --large --segments 4000 --peer other/bin/python

The checkpoint has an encoder of the size of XLM-R base, or is an mT5 of the size base, or a BERT of the size of MiniLM,
or a GPT-2 of the size small, with random weights, unless a folder of one is given; with `--large` each has 24 layers of
1,024 columns. The texts are made up, four systems on the same sources and
references, or rows of a file. Each line is the fastest of several calls of either tool in turn, in CPU seconds, which
depend less on other work on the machine, after the scores of both agreed. Loading is not counted, and every call of
ours starts without remembered texts. `unbabel-comet` is called through `predict`; for the row of one call with its
memory for batches, as `comet-score` and `comet-compare` do. Of MetricX the clone of google-research/metricx, on
`PYTHONPATH`, has the model: its segments go through one by one, as in its program, without the Trainer around it.
For consistency the form is AlignScore's, with a base of the size of RoBERTa base, and documents of some 400
words. Its program runs beside no recent transformers, so that its loop over batches of 32 pairs, each filled up to 512
tokens, stands here, on transformers alone; with the sentences of ours, as the splitter is not what is measured.
`bert-score` is called through `BERTScorer`. Its figures are compared to 0.001: a token without a similar one counts 0
there where its batch is padded. Perplexity stands beside the module of the Hub, which loads its model in every call.

With `--device` seconds are those of the clock, the peak of memory is that of the device, official programs score
batches of 64, and a row for bfloat16 says how far its scores are from those in float32.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import click
import numpy as np
import textgauge
import torch
import transformers as hf
import yaml
from textgauge.accumulation.named_score import NamedScore
from textgauge.models import clear_models
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from .reference_modules.texts import changed
from .timing import described, machine, rows_of, show

WORDS, N_SYSTEMS = [f"w{i}" for i in range(3000)], 4
# It answers every line, the columns of texts and whether to remember, with CPU seconds, scores and peak of memory.
_ANSWER = """
import json, logging, resource, sys, time, warnings
warnings.filterwarnings("ignore"); logging.disable(logging.WARNING)
import torch
torch.set_num_threads(int(sys.argv[2]))
device, module = sys.argv[3:]
is_here = device == "cpu"
clock = time.process_time if is_here else time.perf_counter
{load}
for line in sys.stdin:
    (sources, references, systems), remembers = json.loads(line)
    started = clock()
    found = {score}
    seconds = clock() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss if is_here else torch.cuda.max_memory_allocated() / 1e3
    print("answer", json.dumps([seconds, found, peak]), flush=True)
"""
OF_COMET = _ANSWER.format(
    load="""
from comet import load_from_checkpoint
model = load_from_checkpoint(sys.argv[1] + "/checkpoints/model.ckpt")
def scores(sources, references, predictions, remembers):
    model.caching = remembers
    rows = [dict(src=s, mt=m, ref=r) for s, m, r in zip(sources, predictions, references)]
    more = dict(gpus=0) if is_here else dict(gpus=1, batch_size=64)
    return model.predict(rows, progress_bar=False, **more)["scores"]
""",
    score="[scores(sources, references, one, remembers) for one in systems]",
)
OF_METRICX = _ANSWER.format(
    load="""
import transformers
from metricx24.models import MT5ForRegression
tokenizer = transformers.AutoTokenizer.from_pretrained(sys.argv[1] + "/mt5")
model = MT5ForRegression.from_pretrained(sys.argv[1] + "/metricx-24-random", torch_dtype="auto").eval().to(device)
def score(source, reference, prediction):
    text = f"source: {source} candidate: {prediction} reference: {reference}"
    ids = tokenizer(text, max_length=1536, truncation=True, padding=False)["input_ids"][:-1]
    with torch.no_grad():
        given = torch.tensor([ids], device=device)
        return float(model(input_ids=given, attention_mask=torch.ones_like(given)).predictions[0])
""",
    score="[[score(*row) for row in zip(sources, references, one)] for one in systems]",
)
OF_BERTSCORE = _ANSWER.format(
    load="""
from bert_score import BERTScorer
n_layers = json.load(open(sys.argv[1] + "/config.json"))["num_hidden_layers"]
scorer = BERTScorer(model_type=sys.argv[1], num_layers=n_layers, device=device)
""",
    score="[scorer.score(one, references)[2].tolist() for one in systems]",
)
OF_CONSISTENCY = _ANSWER.format(
    load="""
import transformers
from textgauge.measures.consistency import ConsistencyOptions
from textgauge.models.consistency import CONSISTENCY
folder = sys.argv[1]
tokenizer = transformers.AutoTokenizer.from_pretrained(folder + "/encoder")
state = torch.load(folder + "/align.ckpt", weights_only=True)["state_dict"]
config = transformers.AutoConfig.from_pretrained(folder + "/encoder")
base = transformers.RobertaModel(config).eval()
base.load_state_dict({k[11:]: v for k, v in state.items() if k.startswith("base_model.")})
head = transformers.models.roberta.modeling_roberta.RobertaLMHead(config).eval()
split = CONSISTENCY.load(ConsistencyOptions(
    form="alignscore", model_id=folder + "/align.ckpt", encoder=folder + "/encoder", device="cpu")).sentences
def score(document, text):
    whole = split(document)
    n = max(len(whole) // (len(document.split()) // 350 + 1), 1)
    parts, claims = [" ".join(whole[i : i + n]) for i in range(0, len(whole), n)], split(text)
    pairs, found = [(part, claim) for part in parts for claim in claims], []
    for i in range(0, len(pairs), 32):
        sides = zip(*pairs[i : i + 32])
        given = tokenizer(*map(list, sides), truncation="only_first", padding="max_length", max_length=512,
                          return_tensors="pt", return_token_type_ids=False)
        with torch.no_grad():
            out = base(**given)
            # The program computes the words of masked ones, too.
            head(out.last_hidden_state)
            logits = torch.nn.functional.linear(out.pooler_output, state["tri_layer.weight"], state["tri_layer.bias"])
            found.append(logits.softmax(-1)[:, 0])
    return torch.cat(found).view(len(parts), -1).max(dim=0).values.mean().item()
""",
    score="[[score(*row) for row in zip(sources, one)] for one in systems]",
)
OF_PERPLEXITY = _ANSWER.format(
    load="""
import evaluate
metric = evaluate.load(module, module_type="metric")
given = dict(model_id=sys.argv[1], device="cpu" if is_here else "gpu")
""",
    score='[metric.compute(predictions=one, **given)["perplexities"] for one in systems]',
)


class Columns(NamedTuple):
    """The texts of segments, of which a metric may read no sources."""

    sources: list[str] | None
    references: list[str]
    systems: list[list[str]]


class Subject(NamedTuple):
    """A metric with a model.

    Attributes
    ----------
    save : callable
        Saves its model in a folder.
    options : callable
        The options that load it from there.
    peer, tool : str
        Its official program, and the name of that.
    tolerance : float
        How far scores may be from each other; of scores above 1, their quotients.
    has_sources : bool
        Whether it reads any.
    made_up : callable or None
        Makes other texts of a number of segments than those of translations.
    """

    save: Callable[..., None]
    options: Callable[[Path], dict[str, Any]]
    peer: str
    tool: str
    tolerance: float
    has_sources: bool = True
    made_up: Callable[[int], Columns] | None = None


def save_comet(folder: Path, size: int = 768, n_layers: int = 12) -> None:
    """Save a model of COMET with random weights in the Hub's layout."""
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


def save_metricx(folder: Path, size: int = 768, n_layers: int = 12) -> None:
    """Save a model of MetricX with random weights in the Hub's layout, and its tokenizer beside it."""
    torch.manual_seed(1)
    config = hf.MT5Config(
        vocab_size=250112, d_model=size, d_kv=64, d_ff=8 * size // 3, num_layers=n_layers, num_heads=size // 64,
        architectures=["MT5ForRegression"], decoder_start_token_id=0, torch_dtype="float32",
    )  # fmt: skip
    model = hf.MT5Model(config)
    state = {key: value for key, value in model.state_dict().items() if "embed_tokens" not in key}
    with torch.no_grad():
        out = model(input_ids=torch.arange(3, 30)[None], decoder_input_ids=torch.zeros((1, 1), dtype=torch.long))
        state_of_some = out.last_hidden_state[0, 0]
    head = torch.zeros(config.vocab_size, size)
    # Around the middle of the scale, where no score is cut off.
    head[250089] = 12.5 * state_of_some / state_of_some.square().sum() + torch.randn(size) / size**0.5
    place = folder / "metricx-24-random"
    place.mkdir()
    torch.save({**state, "lm_head.weight": head}, place / "pytorch_model.bin")
    written = {**config.to_dict(), "tie_word_embeddings": False, "torch_dtype": "float32", "dtype": None}
    (place / "config.json").write_text(json.dumps({key: value for key, value in written.items() if value is not None}))
    _save_pieces(folder / "mt5")


def _save_pieces(folder: Path) -> None:
    """Save a tokenizer of the made-up words in the form of mT5's."""
    import sentencepiece

    folder.mkdir()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([*WORDS, "source: candidate: reference:"] * 3), model_prefix=str(folder / "spiece"),
        vocab_size=3500, model_type="unigram", pad_id=0, eos_id=1, unk_id=2, bos_id=-1, character_coverage=1.0,
        normalization_rule_name="nmt_nfkc", hard_vocab_limit=False, minloglevel=2,
    )  # fmt: skip
    marks = {"eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>", "extra_ids": 0}
    more = {"additional_special_tokens": None, "tokenizer_class": "T5Tokenizer"}
    (folder / "tokenizer_config.json").write_text(json.dumps({**marks, **more}))
    (folder / "config.json").write_text(json.dumps({"model_type": "mt5", "tokenizer_class": "T5Tokenizer"}))


def save_bert(folder: Path, size: int = 384, n_layers: int = 6) -> None:
    """Save a BERT with random weights, which has the made-up words."""
    torch.manual_seed(1)
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS]
    words = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    words.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    marks = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    hf.PreTrainedTokenizerFast(tokenizer_object=words, model_max_length=512, **marks).save_pretrained(folder)
    config = hf.BertConfig(
        vocab_size=len(pieces), hidden_size=size, intermediate_size=4 * size, num_hidden_layers=n_layers,
        num_attention_heads=size // 32,
    )  # fmt: skip
    hf.BertModel(config).save_pretrained(folder)


def save_align(folder: Path, size: int = 768, n_layers: int = 12) -> None:
    """Save a checkpoint of AlignScore with random weights, and its encoder beside it."""
    torch.manual_seed(1)
    pieces = ["<s>", "<pad>", "</s>", "<unk>", *WORDS, ".", "<mask>"]
    words = Tokenizer(models.WordLevel({piece: i for i, piece in enumerate(pieces)}, unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    words.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    marks = {"pad_token": "<pad>", "unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>", "sep_token": "</s>"}
    fast = hf.PreTrainedTokenizerFast(tokenizer_object=words, model_max_length=512, cls_token="<s>", **marks)
    fast.save_pretrained(folder / "encoder")
    # As many embeddings as RoBERTa has, of which the program computes all logits.
    config = hf.RobertaConfig(
        vocab_size=50265, hidden_size=size, intermediate_size=4 * size, num_hidden_layers=n_layers,
        num_attention_heads=size // 64, max_position_embeddings=514, type_vocab_size=1, pad_token_id=1,
    )  # fmt: skip
    config.save_pretrained(folder / "encoder")
    state = {f"base_model.{key}": value for key, value in hf.RobertaModel(config).state_dict().items()}
    state |= {"tri_layer.weight": torch.randn(3, size) * 0.1, "tri_layer.bias": torch.zeros(3)}
    torch.save({"state_dict": state}, folder / "align.ckpt")


def documents(n_segments: int) -> Columns:
    """Return documents of some 400 words in sentences, and the summaries of three sentences of a system."""
    draw = random.Random(7)

    def text(n_sentences: int) -> str:
        sentences = (" ".join(draw.choices(WORDS, k=draw.randint(8, 30))) for _ in range(n_sentences))
        return " ".join(f"{sentence.capitalize()} ." for sentence in sentences)

    sources = [text(21) for _ in range(n_segments)]
    return Columns(sources, [text(3) for _ in sources], [[text(3) for _ in sources]])


def save_gpt2(folder: Path, size: int = 768, n_layers: int = 12) -> None:
    """Save a GPT-2 with random weights, which has the made-up words."""
    torch.manual_seed(1)
    pieces = ["<|endoftext|>", "[UNK]", *WORDS]
    words = Tokenizer(models.WordLevel({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    marks = dict.fromkeys(("bos_token", "eos_token", "pad_token"), pieces[0])
    hf.PreTrainedTokenizerFast(tokenizer_object=words, unk_token="[UNK]", **marks).save_pretrained(folder)
    config = hf.GPT2Config(n_embd=size, n_layer=n_layers, n_head=size // 64, bos_token_id=0, eos_token_id=0)
    hf.GPT2LMHeadModel(config).save_pretrained(folder)


def _options_of_bert(folder: Path) -> dict[str, Any]:
    n_layers = json.loads((folder / "config.json").read_text())["num_hidden_layers"]
    return {"model_id": folder, "num_layers": n_layers}


def made_up(n_segments: int) -> Columns:
    """Return sources, references and the predictions of systems, 20 words a segment at the median."""
    draw = random.Random(7)
    lengths = [min(300, max(1, int(draw.lognormvariate(3, 0.6)))) for _ in range(n_segments)]
    sources, references = ([" ".join(draw.choices(WORDS, k=n)) for n in lengths] for _ in range(2))
    return Columns(sources, references, [[changed(text, draw, 0.3) for text in references] for _ in range(N_SYSTEMS)])


def columns_of(file: str, n_segments: int) -> Columns:
    """Return the texts of the first rows of a file, which are of one system."""
    rows = rows_of(file, n_segments)
    sources = [row["source"] for row in rows] if all("source" in row for row in rows) else None
    return Columns(sources, [row["references"][0] for row in rows], [[row["prediction"] for row in rows]])


SUBJECTS = {
    "comet": Subject(save_comet, lambda folder: {"model_id": folder}, OF_COMET, "unbabel-comet", 2e-6),
    "metricx": Subject(
        save_metricx, lambda folder: {"model_id": folder / "metricx-24-random", "encoder": folder / "mt5"}, OF_METRICX,
        "google-research/metricx", 5e-5,
    ),
    "consistency": Subject(
        save_align,
        lambda folder: {"form": "alignscore", "model_id": folder / "align.ckpt", "encoder": folder / "encoder"},
        OF_CONSISTENCY, "the loop of AlignScore", 2e-6, made_up=documents,
    ),
    "bertscore": Subject(save_bert, _options_of_bert, OF_BERTSCORE, "bert-score", 1e-3, has_sources=False),
    "perplexity": Subject(
        save_gpt2, lambda folder: {"model_id": folder}, OF_PERPLEXITY, "evaluate", 1e-4, has_sources=False
    ),
}  # fmt: skip


def used_by(metric: str, options: dict[str, Any]) -> tuple[str, ...]:
    """Return the columns beside predictions that a metric reads with its options."""
    from textgauge.accumulation.registry import METRICS

    kind = METRICS[metric]
    return kind(kind.options_type(**options)).inputs.used(["references", "sources"])


def ours(
    metric: str, folder: Path, columns: Columns, *, is_one_call: bool, device: str = "cpu", **more: Any
) -> tuple[float, Any]:
    """Return the seconds of calls, and the scores of the segments of every system; of one call their means."""
    sources, references, systems = columns
    options: dict[str, Any] = {**SUBJECTS[metric].options(folder), "device": device, **more}
    clock = time.process_time if device == "cpu" else time.perf_counter
    clear_models()

    def scored(texts: list[str], others: list[str], given: list[str] | None) -> Any:
        if metric == "perplexity":
            return textgauge.perplexity(texts, **options)["perplexities"]
        return textgauge.segment_scores(NamedScore(metric, options), texts, others, sources=given)

    # Loads the model.
    references = references if "references" in used_by(metric, options) else None
    scored(["w1"], references and ["w2"], sources and ["w3"])
    started = clock()
    if is_one_call:
        found = textgauge.compare(systems, references, sources=sources, metric=NamedScore(metric, options))
        return clock() - started, [[found[0].score1], *([one.score2] for one in found)]
    each = [scored(system, references, sources) for system in systems]
    return clock() - started, np.array(each).tolist()


def peak_of(device: str) -> float:
    """Return the peak of memory in kilobytes: of the process, or on another device of what torch took there."""
    if device == "cpu":
        return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    return float(getattr(torch, torch.device(device).type).max_memory_allocated(device) / 1e3)


def differs(found: list[list[float]], expected: list[list[float]]) -> float:
    """Return the largest difference of scores, of scores above 1 in parts of these."""
    pairs = zip(sum(found, []), sum(expected, []), strict=True)
    return max(abs(one - other) / max(1.0, abs(other)) for one, other in pairs)


@click.command(help=__doc__)
@click.argument("metric", type=click.Choice([*SUBJECTS]))
@click.option("--peer", type=click.Path(exists=True, dir_okay=False), help="A Python with the official program.")
@click.option(
    "--model",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder with a model, laid out as those with random weights.",
)
@click.option(
    "--rows",
    type=click.Path(exists=True, dir_okay=False),
    help="JSON Lines with prediction, reference and source, also as .gz: the first --segments.",
)
@click.option("--segments", type=click.IntRange(2), default=60, show_default=True)
@click.option("--rounds", type=click.IntRange(1), default=2, show_default=True)
@click.option("--device", default="cpu", show_default=True, help="A device of torch, such as cuda.")
@click.option("--large", is_flag=True, help="Random weights of 24 layers of 1,024 columns.")
@click.option("--module", default="perplexity", show_default=True, help="The Hub's module, or the folder with it.")
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="Of both tools.")
def main(
    metric: str, peer: str | None, model: Path | None, rows: str | None, segments: int, rounds: int, device: str,
    large: bool, module: str, threads: int,
) -> None:  # fmt: skip
    """Measure all rows, and write a table in Markdown."""
    torch.set_num_threads(threads)
    subject = SUBJECTS[metric]
    columns = (subject.made_up or made_up)(segments) if rows is None else columns_of(rows, segments)
    if not subject.has_sources:
        columns = columns._replace(sources=None)
    elif columns.sources is None:
        raise click.BadParameter("rows with a source each", param_hint="--rows")
    one = columns._replace(systems=columns.systems[:1])
    # By title, the texts, and whether all systems are compared in one call.
    calls = {"one system": (one, False)}
    if len(columns.systems) > 1 and metric != "perplexity" and device == "cpu":
        calls |= {
            "four systems, a call each": (columns, False), "four systems, one `compare`": (columns, True),
        }  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        folder = model or Path(name)
        if model is None:
            # In a process of its own, so that the peak of memory is that of the calls.
            saving = multiprocessing.get_context("spawn").Process(
                target=subject.save, args=(folder, *((1024, 24) if large else ()))
            )
            saving.start()
            saving.join()
        words = [peer, "-c", subject.peer, str(folder), str(threads), device, module]
        pipe = subprocess.PIPE
        peaks = [float("nan")] * 2

        def theirs(other: subprocess.Popen[str], *given: Any) -> tuple[float, Any]:
            print(json.dumps(given), file=other.stdin, flush=True)  # noqa: T201
            answer = next((line for line in other.stdout or () if line.startswith("answer ")), None)
            if answer is None:
                raise click.ClickException(f"{peer} ended without an answer")
            seconds, found, peaks[1] = json.loads(answer.removeprefix("answer "))
            return seconds, found

        def measured(other: subprocess.Popen[str] | None) -> Any:
            for title, (some, is_one_call) in calls.items():
                times: list[tuple[float, float]] = []
                for _ in range(rounds):
                    own, scores = ours(metric, folder, some, is_one_call=is_one_call, device=device)
                    peaks[0] = peak_of(device)
                    other_own, found = theirs(other, some, is_one_call) if other else (float("nan"), scores)
                    found = [[fmean(one)] for one in found] if is_one_call and other else found
                    if differs(scores, found) > subject.tolerance:
                        raise click.ClickException(f"{title}: the scores differ")
                    times.append((own, other_own))
                best, best_of_other = map(min, zip(*times, strict=True))
                n_scored = len(some.references) * len(some.systems)
                rates = [f"{seconds:.1f} ({n_scored / seconds:,.0f}/s)" for seconds in (best, best_of_other)]
                yield [title, *rates, f"{best_of_other / best:.2f} times"]
            # Kilobytes on Linux.
            yield ["peak memory, GB", *(f"{peak / 1e6:.2f}" for peak in peaks), f"{peaks[1] / peaks[0]:.2f} times"]
            if device != "cpu":
                low = [
                    ours(metric, folder, one, is_one_call=False, device=device, dtype="bfloat16") for _ in range(rounds)
                ]
                seconds = min(own for own, _ in low)
                away = f"{differs(low[0][1], scores):.1e} away"
                yield [
                    "the same in bfloat16", f"{seconds:.1f} ({len(one.references) / seconds:,.0f}/s)", away,
                    f"{best_of_other / seconds:.2f} times",
                ]  # fmt: skip

        card = "" if device == "cpu" else f", {getattr(torch, torch.device(device).type).get_device_name(device)}"
        click.echo(f"{described(machine())}{card}\n")
        with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True) if peer else nullcontext() as other:
            show([f"{len(columns.references)} segments", "ours, s", f"{subject.tool}, s", "less"], measured(other))


if __name__ == "__main__":
    main()
