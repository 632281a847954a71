"""One target under atheris: bytes that reach new code of ours are kept and changed further.

Called by `engines`, in the folder of the tests: `python -m fuzz.guided TARGET KERNEL COUNTER -max_total_time=60`.
"""

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parent.parent))
with atheris.instrument_imports(include=["textgauge"]):
    import textgauge  # noqa: F401

from .targets import Target  # noqa: E402


def main():
    name, kernel, counter, *flags = sys.argv[1:]
    target = Target(name, kernel)
    feed = target.property_test().hypothesis.fuzz_one_input

    def one_input(data):
        feed(data)
        # libFuzzer leaves without saying how many inputs Hypothesis could make sense of.
        if target.count % 20 == 0:
            Path(counter).write_text(str(target.count))

    atheris.Setup([sys.argv[0], *flags], one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
