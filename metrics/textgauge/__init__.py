"""textgauge: the yardstick for generated text.

    strings (list, Arrow column, pandas, datasets column)
      -> columns       views of the texts, every element checked
      -> text          tokenizers, normalizers; tokens as integer ids, from the kernel
      -> kernel        n-gram matches, LCS lengths and other counts: a row of numbers per segment
      -> accumulation  rows of all segments and their sums, storage, the metrics by name
      -> kernel        formulas: from rows, or sums of rows, to scores

`kernel` is compiled; `plain` has the same functions in plain Python, and `engine` chooses.
`measures` has a file per metric: its options, its `rows` (from texts to rows) and its formula (from rows to scores).
`models` counts with neural networks and n-gram models.
`all_pairs` compares all texts with all others, `explanation` shows the steps of a score and where texts agree,
`resampling` turns rows into intervals and p-values, `meta_evaluation` compares metrics with people.
Everything else is a way to call these: `cli`, `modules` (for `evaluate`), `dataset`, `spark`, `trainer`, `rewards`,
`report` and `apps` (pages), `frameworks`, `compat`.
"""

import sys
from importlib import import_module
from typing import Any

from .locations import HOMES
from .version import __version__ as __version__

# The public names by the module that defines them. Each is imported on first use, so that `import textgauge` takes
# milliseconds, and the program can handle Ctrl-C before it imports the rest. Type checkers read `__init__.pyi`.
_HOMES = {
    "dataset": ("score_dataset", "scorer"),
    "engine": ("kernel_in_use",),
    "locations": ("path",),
    "module_loading": ("load",),
    "meta_evaluation.agreement": ("agreement",),
    "meta_evaluation.raters": ("raters",),
    "meta_evaluation.win_rates": ("win_rates",),
    "resampling.compare": ("compare",),
    "resampling.pass_at_k": ("pass_at_k",),
    "resampling.plan": ("plan",),
    "measures.cider": ("CiderWeights",),
    "compat.pycocoevalcap.eval": ("coco",),
    "measures.self_bleu": ("self_bleu",),
    "report.explain": ("explain",),
    "explanation.explain": ("matches",),
    "all_pairs.mbr": ("mbr",),
    "models.ngrams": ("NgramModel",),
    "all_pairs.pairwise": ("pairwise", "segment_scores"),
    "accumulation.register": ("register",),
    "text.tokenizers": ("tokenize",),
    "threads": ("get_num_threads", "set_num_threads"),
}

# A metric is a function and mostly a class, in one module of `measures`.
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
for _name, (_home, *_class) in ((name, place.split(".")) for name, place in HOMES.items()):
    _HOME_OF |= dict.fromkeys((_name, *_class), f"measures.{_home}")
# Rooms that are public, with their names, to which an error about the package leads.
_ROOMS = {
    "rewards": ("Reward",), "trainer": ("TrainerMetrics", "compute_metrics", "preprocess_logits_for_metrics"),
}  # fmt: skip
__all__ = sorted([*_HOME_OF, *_ROOMS, "__version__"])


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        globals()[name] = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
        return globals()[name]
    if name in _ROOMS:
        return import_module(f".{name}", __name__)
    places = "".join(f"; it is {__name__}.{room}.{name}" for room, names in _ROOMS.items() if name in names)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{places}", name=name, obj=sys.modules[__name__])


def __dir__() -> list[str]:
    return __all__
