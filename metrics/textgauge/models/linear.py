"""Linear layers in float32, by the faster library of torch."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

# Rows are filled up to a multiple: oneDNN keeps compiled code, 0.8 MB, for every number of rows and size of a layer.
MULTIPLE = 32
# So few rows take less time unfilled, by the usual library: the weights are read once for all of them.
FEW = 8


def linear_of(device: Any) -> Callable[[Any, Any, Any], Any]:
    """Return the function from inputs, weight and bias, all float32 on a device, to outputs.

    On a processor torch takes MKL, which on those of AMD leaves half of AVX-512 unused; oneDNN does not.
    """
    import torch

    usual: Callable[[Any, Any, Any], Any] = torch.nn.functional.linear
    if device.type != "cpu" or torch.backends.cpu.get_cpu_capability() != "AVX512":
        return usual
    try:
        # What torch.compile calls; a function with a public name would copy the weights.
        product = torch.ops.mkldnn._linear_pointwise
        product(torch.zeros(MULTIPLE, 1), torch.zeros(1, 1), torch.zeros(1), "none", [], "")
    except (AttributeError, RuntimeError):
        return usual

    def linear(inputs: Any, weight: Any, bias: Any) -> Any:
        rows = inputs.reshape(-1, inputs.shape[-1])
        if len(rows) <= FEW:
            return usual(inputs, weight, bias)
        filled = torch.nn.functional.pad(rows, (0, 0, 0, -len(rows) % MULTIPLE))
        outputs = product(filled, weight, bias, "none", [], "")
        return outputs[: len(rows)].reshape(*inputs.shape[:-1], len(weight))

    return linear


def speed_up(model: Any) -> None:
    """Let the linear layers of a model in float32 use `linear_of`; it is then for inference only."""
    import torch

    linear: Any = linear_of(model.device)
    for layer in model.modules():
        # Of a model that is spread over devices, a layer that another one feeds keeps its own way.
        is_here = not hasattr(layer, "_hf_hook") and type(layer) is torch.nn.Linear
        if is_here and layer.weight.dtype == torch.float32 and layer.weight.device == model.device:
            layer.forward = partial(linear, weight=layer.weight, bias=layer.bias)
