"""`python -m textgauge`."""

from .cli.main import main

main(prog_name="textgauge")
