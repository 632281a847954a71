"""The long run: `python tests/fuzz --minutes 10`, on both kernels, half of it under atheris where that is installed."""

import argparse
import importlib.util
import sys
import time
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))


def main():
    from fuzz.engines import guided, random
    from fuzz.targets import KERNELS, TARGETS

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--kernel", choices=list(KERNELS), action="append", help="one of the two alone")
    parser.add_argument("targets", nargs="*", help="all of them: " + ", ".join(TARGETS))
    options = parser.parse_args()
    names = options.targets or list(TARGETS)
    has_atheris = importlib.util.find_spec("atheris") is not None
    engines = [random, guided] if has_atheris else [random]
    if not has_atheris:
        print("atheris is not installed (pip install atheris): Hypothesis alone")  # noqa: T201
    kernels = options.kernel or list(KERNELS)
    seconds = 60 * options.minutes / len(names) / len(engines) / len(kernels)
    total, finds = 0, 0
    for name in names:
        for kernel, engine in product(kernels, engines):
            count, find = engine(name, kernel, seconds, options.seed)
            total, finds = total + count, finds + bool(find)
            result = f"FIND\n{find}" if find else "ok"
            print(f"{name:16} {kernel:8} {engine.__name__:8} {count:9,} inputs {result}", flush=True)  # noqa: T201
    print(f"{total:,} inputs, {finds} finds, seed {options.seed}")  # noqa: T201
    return finds > 0


if __name__ == "__main__":
    sys.exit(main())
