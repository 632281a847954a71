"""How many Python functions a call passes through: `python -m comparisons.calls [--trees]`.

Two segments of chrF, through each face, once everything is imported and cached. A program that prints is called in this
process.
"""

import contextlib
import io
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import click
import textgauge
from textgauge.cli.main import main as program

from .timing import show

PREDICTIONS = ["the cat sat on the mat", "a dog barks"]
REFERENCES = ["the cat sits on the mat", "the dog barks"]
WARM_UPS = 3
PACKAGE = str(Path(textgauge.__file__).parent)


def calls_of(call: Callable[[], Any]) -> list[tuple[int, str, str]]:
    """Return the depth, the file and the name of every Python function that a warm call enters, in order."""
    for _ in range(WARM_UPS):
        call()
    entered: list[tuple[int, str, str]] = []
    depth = 0

    def profile(frame: FrameType, event: str, _: Any) -> None:
        nonlocal depth
        if event == "call":
            # From Python 3.11 on a name says in which class it is.
            code = frame.f_code
            entered.append((depth, code.co_filename, getattr(code, "co_qualname", code.co_name)))
        depth += {"call": 1, "return": -1}.get(event, 0)

    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    return entered


def printed(arguments: list[str]) -> None:
    """Run the program; it leaves by an exception."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        program(arguments, prog_name="textgauge")


def file_of(lines: list[str], folder: str, name: str) -> str:
    """Write lines into a file, and return its path."""
    path = Path(folder, name)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


@click.command(help=__doc__)
@click.option("--trees", is_flag=True, help="Print what calls what, too.")
def main(trees: bool) -> None:
    """Write a table."""
    module = textgauge.load("chrf")
    with tempfile.TemporaryDirectory() as folder:
        files = [file_of(PREDICTIONS, folder, "hyp.txt"), "-r", file_of(REFERENCES, folder, "ref.txt")]
        faces: dict[str, Callable[[], Any]] = {
            "`textgauge.chrf`": partial(textgauge.chrf, PREDICTIONS, REFERENCES),
            "`Chrf().update().score()`": lambda: textgauge.Chrf().update(PREDICTIONS, REFERENCES).score(),
            "`compute` of the module": partial(module.compute, predictions=PREDICTIONS, references=REFERENCES),
            "`textgauge score -m chrf`": partial(printed, ["score", *files, "-m", "chrf"]),
        }
        entered = {face: calls_of(call) for face, call in faces.items()}
    if trees:
        for face, functions in entered.items():
            click.echo(face)
            for depth, file, name in functions:
                click.echo(f"{'  ' * (depth + 1)}{file.removeprefix(PACKAGE + '/')}:{name}")
    rows = (
        [face, str(len(functions)), str(sum(file.startswith(PACKAGE) for _, file, _ in functions))]
        for face, functions in entered.items()
    )
    show(["", "calls", "of the package"], rows)


if __name__ == "__main__":
    main()
