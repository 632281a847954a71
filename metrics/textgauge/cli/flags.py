"""Every flag of a metric; `registry` says which metric takes which."""

from __future__ import annotations

from typing import Any

import click

from ..checks import fail, shown
from ..language_model import ModelOptions
from ..measures.presets import PRESETS
from ..measures.rouge import AGGREGATORS
from ..measures.token_f1 import COUNTINGS
from ..scores.bleu_options import REFERENCE_LENGTHS, BleuOptions
from ..scores.rouge_options import MULTI_REFERENCES, SCRIPT
from ..scores.rouge_types import DEFAULT_TYPES
from ..scores.smoothing import SMOOTHINGS
from ..text import NORMALIZERS, TOKENIZERS
from ..text.sacrebleu_tokenizers import NAMES as SACREBLEU_TOKENIZERS
from .options import MetricOption

ORDER = 3
_AT_LEAST_1 = click.IntRange(min=1)


def weights(value: str) -> tuple[float, ...]:
    """Return numbers that have commas between them."""
    try:
        return tuple(map(float, value.split(",")))
    except ValueError:
        fail(click.UsageError, "--weights", "numbers with commas between them such as 0.5,0.5", shown(value))


def _flag(*names: str, **settings: Any) -> Any:
    return click.option(*names, cls=MetricOption, **settings)


FLAGS = (
    _flag(
        "--tokenizer", type=click.Choice([*TOKENIZERS, *SACREBLEU_TOKENIZERS]), metavar="NAME",
        show_default="13a for bleu and --ngram-train, rouge for rouge, whitespace for token_f1",
        help=f"How text becomes tokens: {', '.join(TOKENIZERS)}; "
        f"with sacreBLEU's extras {', '.join(SACREBLEU_TOKENIZERS)}. "
        "'unicode' and 'character' are for scripts beyond a-z.",
    ),
    _flag("--per-segment", is_flag=True, help="The score of every segment as well."),
    _flag("--signature", is_flag=True, help="The line that says exactly what was computed."),
    _flag(
        "--confidence", type=click.FloatRange(0, 1, min_open=True, max_open=True), metavar="C",
        help="Bootstrap intervals around the scores: 0.95 for 95 percent.",
    ),
    _flag("--n-resamples", type=_AT_LEAST_1, metavar="N", show_default="1000", help="For --confidence."),
    _flag(
        "--seed", type=click.IntRange(min=0), metavar="S", show_default="12345",
        help="For --confidence and for --aggregator bootstrap.",
    ),
    _flag(
        "--preset", type=click.Choice([*PRESETS, SCRIPT]), show_default="evaluate for bleu",
        help="All that moves a score as that tool does it: rouge-1.5.5 for ROUGE (its own files: textgauge rouge155), "
        "the others for BLEU.",
    ),
    _flag("--max-order", type=_AT_LEAST_1, metavar="N", show_default=str(BleuOptions.max_order), help="Highest order."),
    _flag(
        "--smoothing", type=click.Choice(list(SMOOTHINGS)), show_default="that of the preset",
        help="What stands in for an order without a match.",
    ),
    _flag("--smooth-value", type=float, metavar="X", show_default="its own", help="The number that --smoothing uses."),
    _flag("--smooth", is_flag=True, help="The same as --smoothing add-one."),
    _flag("--effective-order", is_flag=True, help="Leave out orders of which the predictions have no n-gram."),
    _flag("--weights", type=weights, metavar="W,W,...", show_default="equal", help="The weight of every order."),
    _flag(
        "--reference-length", type=click.Choice(REFERENCE_LENGTHS), show_default="that of the preset",
        help="Which of several references the brevity penalty looks at; sacreBLEU takes the closest.",
    ),
    _flag("--lowercase", is_flag=True, help="Lower-case all text first."),
    _flag("--all-orders", is_flag=True, help="BLEU-1 to BLEU-N as well, with equal weights."),
    _flag(
        "--rouge-type", multiple=True, metavar="TYPE", show_default=", ".join(DEFAULT_TYPES),
        help="rouge1, rouge2, ... for n-grams, rougeL, rougeLsum, rougeW, rougeW-1.5, rougeS, rougeS4, rougeSU, "
        "rougeSU4. Give it once per type.",
    ),
    _flag("--stem", is_flag=True, help="Compare Porter stems instead of words."),
    _flag(
        "--beta", type=click.FloatRange(min=0), metavar="B", show_default="1",
        help="How many times as important recall is as precision in F.",
    ),
    _flag(
        "--alpha", type=click.FloatRange(0, 1), metavar="A",
        help="In place of --beta: 0.5 is F1, 1 precision, 0 recall.",
    ),
    _flag("--weight", type=float, metavar="W", show_default="1.2", help="Exponent of run lengths in rougeW."),
    _flag(
        "--multi-reference", type=click.Choice(MULTI_REFERENCES), show_default="best, pooled with --preset",
        help="What becomes of several references.",
    ),
    _flag("--jackknife", is_flag=True, help="Leave out each of several references in turn."),
    _flag("--stopwords", type=click.Path(), metavar="FILE", help="Words to leave out, one a line."),
    _flag("--exceptions", type=click.Path(), metavar="FOLDER", help="WordNet's *.exc files, for --stem."),
    _flag("--max-words", type=_AT_LEAST_1, metavar="N", help="Read only so many words of a text."),
    _flag("--max-bytes", type=_AT_LEAST_1, metavar="N", help="Read only so many bytes of a text."),
    _flag(
        "--split-summaries", is_flag=True,
        help="For rougeLsum, split sentences at end marks, not only at newlines.",
    ),
    _flag(
        "--aggregator", type=click.Choice(AGGREGATORS), show_default=AGGREGATORS[0],
        help="How segment scores become one; 'bootstrap' is the number of the reference rouge module, "
        "'rouge-1.5.5' that of the script.",
    ),
    _flag("--detailed", is_flag=True, help="Precision and recall besides F."),
    _flag(
        "--normalizer", type=click.Choice(list(NORMALIZERS)), show_default="squad",
        help="What is done to an answer before it is cut into tokens.",
    ),
    _flag(
        "--counting", type=click.Choice(COUNTINGS), show_default=COUNTINGS[0],
        help="Whether a token that both sides have twice matches twice, or once.",
    ),
    _flag(
        "--model", metavar="NAME", help="Path or name of a causal language model; needs textgauge[perplexity].",
    ),
    _flag(
        "--prefixes", type=click.Path(), metavar="FILE",
        help="What stands before each text: the model sees it, but it does not count.",
    ),
    _flag("--prefix-field", metavar="NAME", show_default="prefix", help="Column of --prefixes."),
    _flag(
        "--stride", type=_AT_LEAST_1, metavar="N", help="Slide a window over texts longer than the model's context.",
    ),
    _flag(
        "--max-length", type=click.IntRange(min=2), metavar="N", show_default="the model's context",
        help="Cut what is longer; with --stride the length of a window.",
    ),
    _flag(
        "--start-token/--no-start-token", show_default="--start-token",
        help="Whether the first token of a text counts, predicted from the start token.",
    ),
    _flag(
        "--batch-size", type=_AT_LEAST_1, metavar="N", show_default=str(ModelOptions.batch_size),
        help="Texts that go through the model at once.",
    ),
    _flag("--device", metavar="NAME", show_default="cuda if there is one, else cpu", help="A device of torch."),
    _flag(
        "--dtype", type=click.Choice(["auto", "float32", "bfloat16", "float16"]), show_default="that of transformers",
        help="The numbers that the model computes with.",
    ),
    _flag(
        "--ngram-train", type=click.Path(), metavar="FILE",
        help="In place of --model: texts, in the form of the predictions, whose n-grams are the model.",
    ),
    _flag("--order", type=_AT_LEAST_1, metavar="N", show_default=str(ORDER), help="Length of these n-grams."),
)  # fmt: skip


def metric_flags(command: Any) -> Any:
    """Give a command all flags of the metrics."""
    for flag in reversed(FLAGS):
        command = flag(command)
    return command
