"""The models of COMET, loaded."""

from __future__ import annotations

import os
from typing import Any

from .apart import ApartRegressor
from .checkpoints import WANTED, read_checkpoint
from .files import check_path, found, stamp_of
from .joint import JointRegressor
from .loading import CACHE, devices_of, torch_and_transformers
from .regressors import Regressor

_JOINT = ("unified_metric", "xcomet_metric")


def load_comet(
    model_id: str | os.PathLike[str],
    encoder: str | os.PathLike[str] | None = None,
    revision: str | None = None,
    dtype: str = "float32",
    device: str | None = None,
    device_map: Any = None,
) -> Regressor:
    """Return a model; the last one stays in memory.

    Parameters
    ----------
    model_id : str or path
        A name on the Hub, or a folder of its layout.
    encoder : str or path, optional
        Where the configuration and the tokenizer of the encoder are, if not under the name in the checkpoint.
    revision : str, optional
        Branch, tag or commit on the Hub.
    dtype : str
        What the encoder computes with.
    device : str, optional
    device_map : optional
        Distributes the encoder over devices, instead of `device`.

    Raises
    ------
    ImportError
        If torch, transformers or PyYAML is missing.
    OSError
        If the model cannot be found or loaded from the Hub.
    ValueError
        If the checkpoint is damaged, of an unknown class, or has other weights than its class.
    """
    torch, _ = torch_and_transformers("comet")
    devices, place = devices_of(torch, device, device_map), found(model_id, revision, WANTED)
    if encoder is not None:
        check_path("encoder", encoder)
    words = None if encoder is None else os.fspath(encoder)
    state = stamp_of(str(place.folder)), stamp_of(str(place.folder / "checkpoints")), stamp_of(words or "")

    def load_now() -> Regressor:
        checkpoint = read_checkpoint(place)
        kind = JointRegressor if checkpoint.kind in _JOINT else ApartRegressor
        return kind(checkpoint, words, dtype, devices)

    return CACHE.get("comet", (place.name, place.commit, words, dtype, devices.key, state), load_now)
