"""Figures of official tools for texts of our own, every option at least once: tests/data/official."""

import pytest
import textgauge
from data.official import record
from textgauge import engine, plain

CASES = [
    pytest.param(name, data["texts"][case["texts"]], case, id=f"{name}-{i}")
    for name in record.names()
    for data in [record.read(name)]
    for i, case in enumerate(data["cases"])
]
# Beside the score, for tools that return more.
MORE = {"per_segment": "segment_", "detailed": "keep"}
# What is not equal to the bit, by tool or metric: sums of floats in another order; a script that prints four decimals.
CLOSE = {"easse": 1e-13, "hub_squad": 1e-15, "mteval": 5.01e-5, "nist_mt": 1e-14, "ruotianluo": 1e-14,
         "tensor2tensor": 1e-13, "xu": 1e-14}  # fmt: skip


@pytest.mark.parametrize("of_python", [False, True], ids=["", "plain"])
@pytest.mark.parametrize(("name", "texts", "case"), CASES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_figures_are_those_of_the_tool(name, texts, case, of_python, monkeypatch):
    if of_python:
        monkeypatch.setattr(engine, "kernel", plain)
    options, expected = case["options"], case["expected"]
    more = {option: True for option, start in MORE.items() if any(key.startswith(start) for key in expected)}
    if case["tool"] == "hub":
        found = textgauge.load(name, **options).compute(**texts)
    else:
        found = getattr(textgauge, name)(**texts, **options, **more)
    tolerance = CLOSE.get(case["tool"], CLOSE.get(name, 0))
    assert {key: found[key] for key in expected} == {
        key: pytest.approx(value, rel=tolerance, abs=tolerance) for key, value in expected.items()
    }
