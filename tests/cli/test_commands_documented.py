"""The page of the command line names every command in its table."""

from pathlib import Path

from textgauge.cli.main import COMMANDS

PAGE = Path(__file__).parents[2] / "metrics" / "COMMAND_LINE.md"


def test_every_command_is_in_the_table():
    rows = [line.split("|")[1] for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    named = {name.strip(" `") for row in rows[:12] for name in row.split(",")}
    assert {*COMMANDS} - {"help"} <= named
