"""The program: `textgauge`, or `python -m textgauge`."""

from __future__ import annotations

import os

from .cli.process import ERROR, leave, open_closed_streams, quiet_imports

# Where a user says how many threads OpenBLAS has.
_THREADS = {"OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"}


def run() -> None:
    """Run the program; Ctrl-C ends it quietly, while it is being imported too."""
    open_closed_streams()
    # NumPy's BLAS, which nothing here needs, would start a thread per processor and wait for them: 40 ms.
    if not _THREADS & os.environ.keys():
        os.environ["OPENBLAS_NUM_THREADS"] = "1"
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
