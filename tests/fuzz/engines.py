"""The two engines, each in a new process, since a find may kill it."""

import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

TESTS = Path(__file__).parent.parent


def guided(name, kernel, seconds, seed):
    """Return the number of inputs run under atheris, and its report of a find."""
    with tempfile.TemporaryDirectory() as folder:
        counter = Path(folder) / "count"
        counter.write_text("0")
        flags = [
            f"-max_total_time={int(seconds)}",
            f"-seed={seed + 1}",
            "-max_len=2000",
            "-len_control=0",
            f"-artifact_prefix={folder}/",
        ]
        corpus = Path(folder) / "corpus"
        corpus.mkdir()
        # Hypothesis cannot use the few bytes that libFuzzer begins with.
        draw = Random(seed)
        for i in range(50):
            (corpus / str(i)).write_bytes(draw.randbytes(draw.randrange(100, 2000)))
        command = [sys.executable, "-m", "fuzz.guided", name, kernel, str(counter), *flags, str(corpus)]
        done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, check=False)
        return int(counter.read_text() or 0), "" if done.returncode == 0 else (done.stdout + done.stderr)[-4000:]


def random(name, kernel, seconds, seed):
    """Return how many inputs Hypothesis made, and the traceback of a find."""
    script = (
        "import sys\nfrom fuzz.targets import Target\n"
        "target = Target(sys.argv[1], sys.argv[2])\n"
        "try: target.random_inputs(float(sys.argv[3]), int(sys.argv[4]))\n"
        "finally: print(target.count)"
    )
    command = [sys.executable, "-c", script, name, kernel, str(seconds), str(seed)]
    done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, check=False)
    return int((done.stdout.split() or ["0"])[-1]), "" if done.returncode == 0 else done.stderr[-4000:]
