"""The models of COMET, loaded."""

from __future__ import annotations

import os
from typing import Any

from .apart import ApartRegressor
from .checkpoints import WANTED, read_checkpoint
from .files import Place
from .joint import JointRegressor
from .learned import Kind
from .loading import Devices
from .regressors import Regressor

_JOINT = ("unified_metric", "xcomet_metric")


def _made(place: Place, options: Any, devices: Devices) -> Regressor:
    checkpoint = read_checkpoint(place)
    kind = JointRegressor if checkpoint.kind in _JOINT else ApartRegressor
    encoder = None if options.encoder is None else os.fspath(options.encoder)
    return kind(checkpoint, encoder, options.dtype, devices)


COMET = Kind(WANTED, "comet", _made)
