"""The command that measures what looking for reasons to warn costs."""

import json

from click.testing import CliRunner
from textgauge.metric.notes import Notes

from comparisons import notes_cost


def test_every_metric_has_a_line(tmp_path):
    rows = tmp_path / "rows.jsonl"
    texts = [{"prediction": f"the cat {i} sat", "references": [f"a cat {i} sat", "it sat"]} for i in range(5)]
    rows.write_text("\n".join(map(json.dumps, texts)))
    run = CliRunner().invoke(notes_cost.main, [str(rows), "--rounds", "1"], catch_exceptions=False)
    _, _, heads, _, *lines = run.output.splitlines()
    assert heads == "|  | ms | without looking, ms | share |"
    assert [line.split(" | ")[0].removeprefix("| ") for line in lines] == [*notes_cost.METRICS]
    assert all(float(line.split(" | ")[1]) >= 0 for line in lines)
    assert Notes.examine is notes_cost.EXAMINE
