"""textgauge: the yardstick for generated text.

    strings (list, Arrow column, pandas, datasets column)
      -> columns       views of the texts, every element checked
      -> text          tokenizers, normalizers; tokens as integer ids, from the kernel
      -> kernel        n-gram matches, LCS lengths and other counts: a row of numbers per segment
      -> accumulation  rows of several references and their sums, storage, the metrics by name
      -> kernel        formulas: from rows, or sums of rows, to scores

`kernel` is compiled; `plain` has the same functions in plain Python, and `engine` chooses.
`measures` has a file per metric: its options, its counter (from texts to rows) and its formula (from rows to scores).
`models` counts with neural networks and n-gram models, `scores` has the formulas that are not in the kernel.
`all_pairs` compares all texts with all others, `explanation` shows the steps of a score and where texts agree,
`resampling` turns rows into intervals and p-values, `meta_evaluation` compares metrics with people.
Everything else is a way to call these: `cli`, `modules` (for `evaluate`), `dataset`, `spark`, `trainer`, `rewards`,
`report` and `apps` (pages), `frameworks`, `compat`.
"""

from importlib import import_module
from typing import Any

from .version import __version__

# The public names by the module that defines them. Each is imported on first use, so that `import textgauge` takes
# milliseconds, and the program can handle Ctrl-C before it imports the rest. Type checkers read `__init__.pyi`.
_HOMES = {
    "dataset": ("score_dataset", "scorer"),
    "engine": ("kernel_in_use",),
    "locations": ("load", "path"),
    "accumulation.agreement": ("agreement",),
    "measures.bertscore": ("BertScore", "bertscore"),
    "measures.bleu": ("Bleu", "Sacrebleu", "bleu", "sacrebleu"),
    "measures.chrf": ("Chrf", "chrf"),
    "measures.comet": ("Comet", "comet"),
    "accumulation.comparison": ("compare",),
    "measures.diversity": ("diversity", "self_bleu"),
    "explanation.explain": ("explain",),
    "explanation.matches": ("matches",),
    "all_pairs.mbr": ("mbr",),
    "models.ngrams": ("NgramModel",),
    "all_pairs.pairwise": ("pairwise", "segment_scores"),
    "measures.perplexity": ("Perplexity", "perplexity"),
    "accumulation.registering": ("register",),
    "measures.rouge": ("Rouge", "rouge"),
    "measures.squad_v2": ("SquadV2", "squad_v2"),
    "measures.ter": ("Ter", "ter"),
    "measures.token_f1": ("Squad", "TokenF1", "squad", "token_f1"),
    "text.tokenizers": ("tokenize",),
    "threads": ("get_num_threads", "set_num_threads"),
}

__all__ = [
    "BertScore",
    "Bleu",
    "Chrf",
    "Comet",
    "NgramModel",
    "Perplexity",
    "Rouge",
    "Sacrebleu",
    "Squad",
    "SquadV2",
    "Ter",
    "TokenF1",
    "__version__",
    "agreement",
    "bertscore",
    "bleu",
    "chrf",
    "comet",
    "compare",
    "diversity",
    "explain",
    "get_num_threads",
    "kernel_in_use",
    "load",
    "matches",
    "mbr",
    "pairwise",
    "path",
    "perplexity",
    "register",
    "rewards",
    "rouge",
    "sacrebleu",
    "score_dataset",
    "scorer",
    "self_bleu",
    "segment_scores",
    "set_num_threads",
    "squad",
    "squad_v2",
    "ter",
    "token_f1",
    "tokenize",
    "trainer",
]


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            globals()[name] = getattr(import_module(f".{home}", __name__), name)
            return globals()[name]
    if name in ("rewards", "trainer"):
        return import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
