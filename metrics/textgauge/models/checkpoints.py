"""Checkpoints of COMET: found, read without running anything that they contain, and checked key by key."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from ..checks import fail, line_to_install, shown
from .loading import check_path, torch_and_transformers

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
_SETTINGS, _WEIGHTS = "hparams.yaml", "checkpoints/model.ckpt"
# The owner on the Hub of the models whose names had none.
_OWNER = "Unbabel"
_MOST_KEYS = 3


class Checkpoint(NamedTuple):
    """A checkpoint.

    Attributes
    ----------
    name : str
        For messages and signatures.
    file : Path
        The file of the weights.
    revision : str
        The commit on the Hub; empty for a local folder.
    kind : str
        Its class.
    settings : dict
        The hyper-parameters, with the defaults of the class.
    state : dict
        Tensors by name, in a file that is mapped into memory.
    """

    name: str
    file: Path
    revision: str
    kind: str
    settings: dict[str, Any]
    state: dict[str, Any]

    @property
    def mark(self) -> str:
        """What tells it from others of its name: the commit, or the beginning of the hash of the file."""
        return self.revision[:12] or _hash_of(str(self.file), self.file.stat().st_mtime_ns)

    def refuse(self, allowed: str, got: str) -> NoReturn:
        """Raise ValueError about what is in the checkpoint."""
        fail(ValueError, "model_id", f"{allowed} in {self.name}", got)

    def refuse_keys(self, missing: Collection[str], unknown: Collection[str]) -> None:
        """Raise if the state lacks keys, or has unknown ones."""
        for keys, adjective in ((missing, "missing"), (unknown, "unknown")):
            if keys:
                named = ", ".join(sorted(keys)[:_MOST_KEYS]) + (", ..." if len(keys) > _MOST_KEYS else "")
                self.refuse(f"the weights of a {self.kind}", f"{len(keys)} {adjective}: {named}")


def found(model_id: str | os.PathLike[str], revision: str | None) -> tuple[str, Path, str]:
    """Return the name of a checkpoint, the local folder that it is in, and its commit, empty if it is not of the Hub.

    A local folder has the Hub's layout; the file of the weights in it stands for it.
    """
    check_path("model_id", model_id)
    name, local = os.fspath(model_id), Path(model_id)
    if local.is_file():
        local = local.resolve().parent.parent
    if local.is_dir():
        if revision is not None:
            fail(ValueError, "revision", "None with a local folder", shown(revision))
        return name, local, ""
    folder = _downloaded(name if "/" in name else f"{_OWNER}/{name}", revision)
    return name if "/" in name else f"{_OWNER}/{name}", folder, folder.name


def _downloaded(name: str, revision: str | None) -> Path:
    """Return the folder of a model of the Hub."""
    torch_and_transformers("comet")
    import huggingface_hub as hub
    from huggingface_hub import errors

    try:
        return Path(hub.snapshot_download(name, revision=revision, allow_patterns=[_SETTINGS, _WEIGHTS]))
    except errors.GatedRepoError:
        allowed = f"a model that you may load: accept the terms on the page of {name} on huggingface.co, then run "
        fail(OSError, "model_id", allowed + "`hf auth login`", "no access")
    except errors.RevisionNotFoundError:
        fail(OSError, "revision", f"a branch, tag or commit of {name}", shown(revision))
    except (errors.RepositoryNotFoundError, errors.HFValidationError):
        allowed = "a COMET model on the Hub such as 'Unbabel/wmt22-comet-da', or a local folder; for a private one "
        fail(OSError, "model_id", allowed + "run `hf auth login`", shown(name))
    except (errors.LocalEntryNotFoundError, OSError) as error:
        allowed = f"a connection to the Hub, or a local folder with {_SETTINGS} and {_WEIGHTS}"
        fail(OSError, "model_id", allowed, f"{name}, {type(error).__name__}")


def read_checkpoint(name: str, folder: Path, revision: str) -> Checkpoint:
    """Return the checkpoint in a folder of the Hub's layout.

    Raises
    ------
    FileNotFoundError
        If a file is missing.
    ValueError
        If a file is damaged or contains more than plain values and tensors, or for an unknown class.
    """
    for part in (_SETTINGS, _WEIGHTS):
        if not (folder / part).is_file():
            fail(FileNotFoundError, "model_id", f"a folder with {_SETTINGS} and {_WEIGHTS}", f"{name} without {part}")
    written = _settings(name, folder / _SETTINGS)
    kind = str(written.get("class_identifier"))
    if kind not in DEFAULTS:
        fail(ValueError, "model_id", f"a model of one of the classes {', '.join(DEFAULTS)}", f"{name}, {shown(kind)}")
    stored = _stored(name, folder / _WEIGHTS)
    state = stored.get("state_dict")
    torch, _ = torch_and_transformers("comet")
    if not isinstance(state, dict) or not all(isinstance(value, torch.Tensor) for value in state.values()):
        fail(ValueError, "model_id", "a COMET checkpoint, with tensors as `state_dict`", f"another file in {name}")
    # The file beside the weights has the class and the patch, all else stands in the checkpoint.
    own = stored.get("hyper_parameters") or written
    settings = {**DEFAULTS[kind], **own, **(_ALWAYS_OF_XCOMET if kind == "xcomet_metric" else {})}
    patched = [one.get("layer_transformation") for one in (written, settings)]
    known = _TRANSFORMATIONS.get(str(patched[0] if patched[0] == "sparsemax_patch" else patched[1]))
    if known is None:
        fail(ValueError, "model_id", f"a layer_transformation of {', '.join(_TRANSFORMATIONS)}", f"{shown(patched[1])}")
    settings["layer_transformation"] = known
    return Checkpoint(name, folder / _WEIGHTS, revision, kind, settings, state)


def _settings(name: str, file: Path) -> dict[str, Any]:
    try:
        import yaml
    except ImportError as error:
        raise ImportError(f"model_id: PyYAML is not installed ({line_to_install('comet')}): {error}") from None
    try:
        written = yaml.safe_load(file.read_bytes())
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        why = str(error).partition("\n")[0]
        fail(ValueError, "model_id", f"plain values of YAML in {_SETTINGS}", f"{name}: {why}")
    if not isinstance(written, dict):
        fail(ValueError, "model_id", f"names and values in {_SETTINGS}", f"{name}: {shown(written)}")
    return written


def _stored(name: str, file: Path) -> dict[str, Any]:
    torch, _ = torch_and_transformers("comet")
    allowed = "a COMET checkpoint that is complete and has nothing but tensors and plain values"
    try:
        stored = torch.load(file, map_location="cpu", weights_only=True, mmap=True)
    # Whatever a foreign file makes it raise; its own message tells how to run the code in the file.
    except Exception as error:
        fail(ValueError, "model_id", allowed, f"{name}, {_WEIGHTS}: {type(error).__name__}")
    if not isinstance(stored, dict) or not isinstance(stored.get("hyper_parameters") or {}, Mapping):
        fail(ValueError, "model_id", allowed, f"{name}, {_WEIGHTS}: another file")
    return stored


@lru_cache(maxsize=8)
def _hash_of(file: str, changed: int) -> str:  # noqa: ARG001
    """Return the beginning of the SHA-256 of a file; `changed` is its time of change."""
    found, piece = hashlib.sha256(), bytearray(1 << 20)
    with open(file, "rb") as stream:
        while n_read := stream.readinto(piece):
            found.update(memoryview(piece)[:n_read])
    return found.hexdigest()[:12]
