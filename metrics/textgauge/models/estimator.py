"""The estimator of a COMET model: linear layers from the features of a segment to its score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..checks import shown
from .checkpoints import Checkpoint
from .linear import linear_of
from .loading import torch_and_transformers

_PREFIX = "estimator.ff."
# By their names in checkpoints, where capital letters do not count.
_ACTIVATIONS = ("Tanh", "Sigmoid", "Identity", "Hardtanh", "Hardsigmoid", "Softplus", "Softsign", "Tanhshrink", "Mish")


class Estimator:
    """Linear layers with an activation after each.

    Attributes
    ----------
    keys : set of str
        The names of its weights in the checkpoint.
    """

    def __init__(self, checkpoint: Checkpoint, n_features: int, device: Any) -> None:
        """Take the layers of a checkpoint, which must fit each other and the features."""
        torch, _ = torch_and_transformers()
        state, settings = checkpoint.state, checkpoint.settings
        places = {key.removeprefix(_PREFIX).partition(".")[0] for key in state if key.startswith(_PREFIX)}
        numbers = sorted(int(one) for one in places if one.isdecimal())
        self.keys = {f"{_PREFIX}{i}.{part}" for i in numbers for part in ("weight", "bias")}
        checkpoint.refuse_keys((self.keys or {f"{_PREFIX}0.weight"}) - state.keys(), ())
        self._layers = [
            [state[f"{_PREFIX}{i}.{part}"].to(device, torch.float32) for part in ("weight", "bias")] for i in numbers
        ]
        shapes = [[*weight.shape] for weight, _ in self._layers]
        sizes = [n_features, *(shape[0] for shape in shapes[:-1])]
        if [shape[-1] for shape in shapes] != sizes or shapes[-1][0] != 1:
            checkpoint.refuse(f"an estimator of {n_features} features", shown(shapes))
        between = _activation(torch, checkpoint, "activations", settings["activations"])
        last = _activation(torch, checkpoint, "final_activation", settings["final_activation"] or "Identity")
        self._activations = [between] * (len(numbers) - 1) + [last]
        self._linear = linear_of(device)

    def __call__(self, features: Any) -> Any:
        """Return the score of every row: a tensor on the device, float32, shape (n_rows,)."""
        for (weight, bias), activation in zip(self._layers, self._activations, strict=True):
            features = activation(self._linear(features, weight, bias))
        return features[:, 0]


def _activation(torch: Any, checkpoint: Checkpoint, key: str, name: str) -> Callable[[Any], Any]:
    if name.title() not in _ACTIVATIONS:
        checkpoint.refuse(f"{key} of {', '.join(_ACTIVATIONS)}", shown(name))
    module: Callable[[Any], Any] = getattr(torch.nn, name.title())()
    return module
