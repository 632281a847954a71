"""The folders of the modules for `evaluate.load`, in an installed and in an editable textgauge."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from .checks import did_you_mean, fail, one_of, shown

if TYPE_CHECKING:
    from pathlib import Path

# Every metric with its file in `measures`, where a function has its name, and the class there that adds its batches up.
# Without a class it scores a whole set of texts, so that no face that scores text by text knows it. All that lists
# metrics reads this table: registry, names of the package, program, tests.
METRICS = {
    "bleu": "bleu.Bleu", "sacrebleu": "sacrebleu.Sacrebleu", "rouge": "rouge.Rouge", "chrf": "chrf.Chrf",
    "ter": "ter.Ter", "meteor": "meteor.Meteor", "meteor15": "meteor15.Meteor15",
    "wer": "wer.Wer", "cer": "cer.Cer", "token_f1": "token_f1.TokenF1", "squad": "squad.Squad",
    "squad_v2": "squad_v2.SquadV2",
    "perplexity": "perplexity.Perplexity", "bertscore": "bertscore.BertScore", "comet": "comet.Comet",
    "metricx": "metricx.Metricx",
    "exact_match": "exact_match.ExactMatch", "google_bleu": "google_bleu.GoogleBleu", "nist_mt": "nist_mt.NistMt",
    "sari": "sari.Sari", "character": "character.Character", "charcut_mt": "charcut_mt.CharcutMt",
    "cider": "cider.Cider",
    "diversity": "diversity",
}  # fmt: skip
OF_SETS = tuple(name for name, home in METRICS.items() if "." not in home)
COMPARISONS = ("paired_bootstrap", "paired_permutation")
# Modules that are made of several metrics, and have a name for `evaluate` alone.
OF_METRICS = ("wiki_split",)
MODULES = (*METRICS, *OF_METRICS, *COMPARISONS)
# Files for trainers that find a reward by its path.
REWARDS = ("rewards/verl", "rewards/openrlhf")
_NAMES = ", ".join(map(repr, MODULES))


def path(name: str) -> str:
    """Return the folder of a module, for `evaluate.load`, or a file that a trainer takes as a reward.

    Parameters
    ----------
    name : str
        Of a module, such as "bleu"; "rewards/verl" or "rewards/openrlhf".

    Examples
    --------
    >>> import os
    >>> os.path.basename(path("bleu"))
    'bleu'
    >>> os.path.basename(path("rewards/verl"))
    'verl.py'
    """
    one_of("name", name, MODULES + REWARDS)
    from pathlib import Path

    package = Path(__file__).parent
    if name in REWARDS:
        return str(package / f"{name}.py")
    # A wheel has both folders inside the package, a source tree beside it.
    folder = "comparisons" if name in COMPARISONS else "metrics"
    carried = package / folder / name
    return str(carried if carried.is_dir() else package.parent.parent / folder / name)


def load(module: str | os.PathLike[str], config_name: str | None = None, **options: Any) -> Any:
    """Load one of our modules by name, or any module by its path, with `evaluate.load`; or a metric of `register`.

    Parameters
    ----------
    module : str or os.PathLike
        A name such as "bleu", that of a registered metric, or the folder or script of a module; "~" is the home folder.
    config_name : str, optional
        The configuration: of "comet" the model, as in ``load("comet", "Unbabel/wmt22-comet-da")``.
    options
        Arguments of `evaluate.load` (``cache_dir``, ``keep_in_memory``, ``num_process``,
        ``seed``, ...) and options of the module.

    Raises
    ------
    ValueError
        If there is no such name and no such path; no network is used.
    OSError
        If the folder into which `evaluate` copies modules cannot be written.
    """
    if config_name is not None:
        options["config_name"] = config_name
    if isinstance(module, str) and module in MODULES:
        return _loaded(path(module), options)
    if not isinstance(module, (str, os.PathLike)):
        fail(TypeError, "module", f"one of {_NAMES} or a path", shown(module))
    from pathlib import Path

    script = _found(Path(module))
    if script is None and isinstance(module, str) and (own := _registered(module)):
        return own(**options)
    if script is None:
        got = shown(str(module)) + did_you_mean(str(module), MODULES)
        fail(ValueError, "module", f"one of {_NAMES}, NAME.py or a folder NAME that holds it", got)
    return _loaded(str(script), options)


def _loaded(script: str, options: dict[str, Any]) -> Any:
    import evaluate

    try:
        return evaluate.load(script, **options)
    except OSError as error:
        folder, file = str(evaluate.config.HF_MODULES_CACHE), str(error.filename or "")
        if not (file and (file.startswith(folder) or folder.startswith(file))):
            raise
        allowed = "the environment variable set, before Python starts, to a writable folder for copies of modules"
        fail(type(error), "HF_MODULES_CACHE", allowed, f"{folder}: {error.strerror}")


def _registered(name: str) -> Any:
    """Return the module of a metric that was registered, None if there is none of this name."""
    from .accumulation.registry import METRICS

    if name not in METRICS:
        return None
    from .modules import module_of

    return module_of(METRICS[name])


def _found(module: Path) -> Path | None:
    """Return the script or folder of a module, None if there is none or the path is invalid."""
    try:
        script = module.expanduser().resolve()
        return script if script.is_file() or (script / f"{script.name}.py").is_file() else None
    except (OSError, ValueError, RuntimeError):
        return None
