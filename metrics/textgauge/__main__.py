"""The program: `textgauge`, or `python -m textgauge`."""

from __future__ import annotations

from .cli.process import ERROR, leave, open_closed_streams, quiet_imports


def run() -> None:
    """Run the program; Ctrl-C ends it quietly, while it is being imported too."""
    open_closed_streams()
    try:
        with quiet_imports():
            from .cli.main import main
        main(prog_name="textgauge")
    except Exception:
        # Python would leave with 1, which is an answer of some commands.
        import traceback

        traceback.print_exc()
        leave(ERROR)


if __name__ == "__main__":
    run()
