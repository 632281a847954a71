"""`textgauge.load`: our modules, and those of registered metrics, with `evaluate.load`."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from .accumulation.named_score import read
from .accumulation.registry import METRICS, name_here
from .checks import fail, shown
from .locations import MODULES, path

_NAMES = ", ".join(map(repr, MODULES))
# Where the Hub and the repository of `evaluate` have modules.
_OF_THE_HUB = re.compile("^(evaluate-metric|evaluate-comparison|metrics|comparisons)/")


def load(module: str | os.PathLike[str], config_name: str | None = None, **options: Any) -> Any:
    """Load one of our modules by name, or any module by its path, with `evaluate.load`; or a metric of `register`.

    Parameters
    ----------
    module : str or os.PathLike
        A name such as "bleu", also as "evaluate-metric/bleu" or "metrics/bleu", and with options, as in
        "chrf(word_order=2)"; that of a registered metric; or the folder or script of a module, "~" being the home
        folder. A name is that of our module, whatever folder is there.
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
    if isinstance(module, str) and (name := _OF_THE_HUB.sub("", module)) in MODULES:
        return _loaded(path(name), options)
    if not isinstance(module, (str, os.PathLike)):
        fail(TypeError, "module", f"one of {_NAMES} or a path", shown(module))
    script = _found(Path(module))
    if script is None and isinstance(module, str) and (own := _registered(module)):
        return own(**options)
    if script is None:
        bare, bracket, _ = name.partition("(") if isinstance(module, str) else ("", "", "")
        if bracket and (bare.strip() in MODULES or bare.strip() in METRICS):
            of_name = read(module, "module")[1]
            if twice := [option for option in of_name if option in {"module", *options}]:
                raise ValueError(f"`{twice[0]}` is given in brackets and as an argument of `load`: give it once")
            return load(bare.strip(), **of_name, **options)
        hint = name_here(_OF_THE_HUB.sub("", str(module)), MODULES)
        allowed = f"the name of a module ({hint})" if hint else f"one of {_NAMES}"
        fail(ValueError, "module", f"{allowed}, NAME.py or a folder NAME that holds it", shown(str(module)))
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
