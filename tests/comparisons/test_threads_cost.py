"""The command that measures threads."""

import gzip
import json

import pytest
from click.testing import CliRunner

from comparisons import threads_cost


@pytest.mark.slow
def test_every_metric_has_a_line(tmp_path, monkeypatch):
    monkeypatch.setattr(
        threads_cost, "machine", lambda: {"cores": 3} | dict.fromkeys(("processor", "system", "python"), "")
    )
    rows = tmp_path / "rows.jsonl.gz"
    texts = [{"prediction": f"the cat {i} sat", "references": [f"a cat {i} sat", "it sat"]} for i in range(5)]
    rows.write_bytes(gzip.compress("\n".join(map(json.dumps, texts)).encode()))
    run = CliRunner().invoke(threads_cost.main, [str(rows), "--rounds", "1"], catch_exceptions=False)
    _, _, heads, _, *lines = run.output.splitlines()
    assert heads == "|  | 1 thread, ms | 2 threads, ms | 1 : 2 | undivided |"
    names = [line.split(" | ")[0].removeprefix("| ") for line in lines]
    assert names == [*threads_cost.METRICS, *(f"matrix, {name}" for name in threads_cost.MATRICES)]
    assert all(float(cell) >= 0 for line in lines for cell in line.strip("| ").split(" | ")[1:])
