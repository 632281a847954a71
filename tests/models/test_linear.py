"""The linear layers of models, by whichever library of torch."""

import pytest
from textgauge.models import loading


@pytest.mark.parametrize("shape", [(1, 16), (8, 16), (9, 16), (32, 16), (33, 16), (3, 7, 16), (1, 1, 16), (2, 40, 16)])
@pytest.mark.parametrize("has_bias", [True, False])
def test_products_are_those_of_torch(shape, has_bias):
    import torch

    torch.manual_seed(3)
    weight, bias, inputs = torch.randn(5, 16), torch.randn(5) if has_bias else None, torch.randn(shape)
    found = loading.linear_of(torch.device("cpu"))(inputs, weight, bias)
    assert found.shape == (*shape[:-1], 5)
    assert torch.allclose(found, torch.nn.functional.linear(inputs, weight, bias), atol=1e-5)
    turned = loading.linear_of(torch.device("cpu"))(inputs.transpose(0, -2), weight, bias)
    assert torch.allclose(turned, found.transpose(0, -2), atol=1e-5)


def test_linear_on_other_devices(monkeypatch):
    import torch

    usual = torch.nn.functional.linear
    assert loading.linear_of(torch.device("meta")) is usual
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: "AVX2")
    assert loading.linear_of(torch.device("cpu")) is usual


def test_only_float32_is_changed(monkeypatch):
    import torch

    monkeypatch.setattr(loading, "linear_of", lambda _: lambda inputs, weight, bias: None)
    for dtype, is_changed in ((torch.float32, True), (torch.bfloat16, False)):
        model = torch.nn.Sequential(torch.nn.Linear(2, 2, dtype=dtype))
        model.device = torch.device("cpu")
        loading.speed_up(model)
        assert (model(torch.zeros(1, 2, dtype=dtype)) is None) == is_changed
