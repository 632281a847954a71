import pytest
from textgauge import engine, plain


@pytest.fixture(params=["compiled", "plain"])
def kernel(request, monkeypatch):
    if request.param == "plain":
        monkeypatch.setattr(engine, "kernel", plain)
        monkeypatch.setattr(engine, "must_warn", False)
    elif engine.kernel is plain:
        pytest.skip("no compiled kernel")
