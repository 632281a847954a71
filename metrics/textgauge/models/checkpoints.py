"""Checkpoints of COMET: read without running anything that they contain, and checked key by key."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from ..checks import fail, line_to_install, shown
from .files import ModelFiles, ModelLocation, first_line, read_stored, weights_of
from .loading import torch_and_transformers

# What a checkpoint without the key means: the default of the class that wrote it.
_OF_REGRESSION = {
    "encoder_model": "XLM-RoBERTa", "pretrained_model": "xlm-roberta-large", "layer": "mix", "pool": "avg",
    "layer_transformation": "softmax", "layer_norm": True, "activations": "Tanh", "final_activation": None,
}  # fmt: skip
_OF_UNIFIED = {
    **_OF_REGRESSION, "pretrained_model": "microsoft/infoxlm-large", "sent_layer": "mix",
    "layer_transformation": "sparsemax", "word_layer": 24, "input_segments": ["mt", "src", "ref"],
    "word_level_training": False, "error_labels": ["minor", "major"],
}  # fmt: skip
_OF_XCOMET = {
    **_OF_UNIFIED, "encoder_model": "XLM-RoBERTa-XL", "pretrained_model": "facebook/xlm-roberta-xl",
    "layer_norm": False, "word_layer": 36, "error_labels": ["minor", "major", "critical"],
}  # fmt: skip
# This class has these inputs and tags, whatever is written.
_ALWAYS_OF_XCOMET = {"input_segments": ["mt", "src", "ref"], "word_level_training": True}
DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "regression_metric": _OF_REGRESSION,
    "referenceless_regression_metric": _OF_REGRESSION,
    "unified_metric": _OF_UNIFIED,
    "xcomet_metric": _OF_XCOMET,
}
# sparsemax_patch: trained with the softmax that an installation without entmax took for sparsemax.
_TRANSFORMATIONS = {"softmax": "softmax", "sparsemax": "sparsemax", "sparsemax_patch": "softmax"}
# What settings must be before anything else is asked of them: a list in a list in a list has an endless text.
_TEXTS = (
    "encoder_model", "pretrained_model", "pool", "layer_transformation", "activations", "final_activation",
)  # fmt: skip
_LISTS = {"input_segments", "error_labels"}
FILES = ModelFiles(
    "a COMET model", "Unbabel/wmt22-comet-da", "hparams.yaml", b"class_identifier", ("checkpoints/model.ckpt",),
    "Unbabel",
)  # fmt: skip
# Those that are written by a tool name an object again at most a few times.
_MOST_ALIASES = 100
_COMPLETE = "a COMET checkpoint that is complete and has nothing but tensors and plain values"


class Checkpoint(NamedTuple):
    """A checkpoint of COMET.

    Attributes
    ----------
    location : ModelLocation
        Where it is.
    file : Path
        The file of the weights.
    class_name : str
        Its class.
    settings : dict
        The hyper-parameters, with the defaults of the class.
    state : dict
        Tensors by name, in a file that is mapped into memory.
    """

    location: ModelLocation
    file: Path
    class_name: str
    settings: dict[str, Any]
    state: dict[str, Any]

    @property
    def name(self) -> str:
        """For messages and signatures."""
        return self.location.name

    def refuse(self, allowed: str, got: str) -> NoReturn:
        """Raise ValueError about what is in the checkpoint."""
        self.location.refuse(allowed, got)

    def refuse_keys(self, missing: Collection[str], unknown: Collection[str]) -> None:
        """Raise if the state lacks keys, or has unknown ones."""
        self.location.refuse_keys(f"a {self.class_name}", missing, unknown)


def read_checkpoint(location: ModelLocation) -> Checkpoint:
    """Return the checkpoint in a folder of the Hub's layout.

    Raises
    ------
    FileNotFoundError
        If a file is missing.
    ValueError
        If a file is damaged or contains more than plain values and tensors, or for an unknown class.
    """
    [file] = weights_of(location, FILES)
    written = _settings(location)
    class_name = written.get("class_identifier")
    if not isinstance(class_name, str) or class_name not in DEFAULTS:
        got = f"{location.name}, {shown(class_name)}"
        fail(ValueError, "model_id", f"a model of one of the classes {', '.join(DEFAULTS)}", got)
    torch, _ = torch_and_transformers("comet")
    stored = read_stored(torch, location, file, _COMPLETE)
    if not isinstance(stored, dict) or not isinstance(stored.get("hyper_parameters") or {}, Mapping):
        fail(ValueError, "model_id", _COMPLETE, f"{location.name}, {FILES.weights[0]}: another file")
    state = stored.get("state_dict")
    if not isinstance(state, dict) or not all(isinstance(value, torch.Tensor) for value in state.values()):
        allowed = "a COMET checkpoint, with tensors as `state_dict`"
        fail(ValueError, "model_id", allowed, f"another file in {location.name}")
    # The file beside the weights has the class and the patch, all else stands in the checkpoint.
    own = stored.get("hyper_parameters") or written
    settings = {**DEFAULTS[class_name], **own, **(_ALWAYS_OF_XCOMET if class_name == "xcomet_metric" else {})}
    _check_types(location, class_name, settings)
    is_patched = written.get("layer_transformation") == "sparsemax_patch"
    chosen = "sparsemax_patch" if is_patched else settings["layer_transformation"]
    if chosen not in _TRANSFORMATIONS:
        location.refuse(f"a layer_transformation of {', '.join(_TRANSFORMATIONS)}", shown(chosen))
    settings["layer_transformation"] = _TRANSFORMATIONS[chosen]
    return Checkpoint(location, file, class_name, settings, state)


def _check_types(location: ModelLocation, class_name: str, settings: Mapping[str, Any]) -> None:
    for name in _TEXTS:
        # Old checkpoints say False where there is none.
        is_none = name == "final_activation" and settings[name] in (None, False)
        if not isinstance(settings[name], str) and not is_none:
            location.refuse(f"a str as {name}", shown(settings[name]))
    for name in _LISTS & DEFAULTS[class_name].keys():
        value = settings[name]
        if not isinstance(value, (list, tuple)) or not all(isinstance(element, str) for element in value):
            location.refuse(f"a list of str as {name}", shown(value))


def _settings(location: ModelLocation) -> dict[str, Any]:
    try:
        import yaml
    except ImportError as error:
        raise ImportError(f"PyYAML is not installed ({line_to_install('comet')}): {error}") from None
    content, allowed = (location.folder / FILES.settings).read_bytes(), f"plain values of YAML in {FILES.settings}"
    try:
        events = [*yaml.parse(content, Loader=yaml.SafeLoader)]
        written = None
        n_aliases = sum(isinstance(event, yaml.AliasEvent) for event in events)
        # A merge copies what it names, and a merge of merges that many times more.
        has_merge = any(isinstance(event, yaml.ScalarEvent) and event.value == "<<" for event in events)
        if n_aliases <= _MOST_ALIASES and not has_merge:
            written = yaml.safe_load(content)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        fail(ValueError, "model_id", allowed, f"{location.name}: {first_line(error)}")
    if n_aliases > _MOST_ALIASES or has_merge:
        got = "merged mappings" if has_merge else f"{n_aliases} aliases"
        fail(ValueError, "model_id", f"{allowed}, with at most {_MOST_ALIASES} aliases", f"{location.name} with {got}")
    if not isinstance(written, dict):
        fail(ValueError, "model_id", f"names and values in {FILES.settings}", f"{location.name}: {shown(written)}")
    return written
