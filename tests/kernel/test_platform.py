"""What is written for processors with vectors of one width, of another, and without: the same, and as it is defined."""

import os
import random
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

pytestmark = pytest.mark.slow

COMPILER = shutil.which(os.environ.get("CXX") or "c++")
# A block of bytes, and of texts.
N_BYTES, N_TEXTS = 64, 128
UNUSUAL = {*range(0x20), *range(0x80, 0x100), *b"@`#&<[\\"}


@pytest.fixture(scope="module")
def given():
    draw = random.Random(4)
    usual = bytes(sorted({*range(0x100)} - UNUSUAL))
    texts = [bytes([byte]) * size for byte in range(0x100) for size in (4, 8, 40)]
    texts += [b"", b"a", b" ", b"a b", b" abc", b"abc ", b"a b cd", b"a  bcd", b"a bcd", b"abc .", b"." * 40 + b" ."]
    for size in [*range(70), 95, 96, 97, 159, 160, 161, 192, 193, 250]:
        for others in (b"", b"a", b" .", b"\x1f@", b"\xc3\xa9\xe6\xbc\xa2", bytes(range(0x100))):
            # A byte of another kind anywhere, but for the last ones.
            text = bytearray(draw.choices(usual, k=size) if draw.random() < 0.5 else b"b" * size)
            for _ in range(draw.randint(0, 3) if text and others else 0):
                text[draw.randrange(size)] = draw.choice(others)
            texts += [bytes(text), bytes(text[:-2]) + b" ." if size > 2 else b" ."]
    return texts


@pytest.fixture(scope="module")
def printed(compiled, given, tmp_path_factory):
    if COMPILER is None or sys.platform == "win32":
        pytest.skip("no compiler with the options of GCC")
    folder = tmp_path_factory.mktemp("platform")
    # The compiler is none of what is looked at by a sanitizer that is loaded here.
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    options = ["-fsanitize=address,undefined"] if "sanitized" in compiled.build_info() else []

    def of_build(name, others):
        command = [COMPILER, "-std=c++20", "-O1", "-I", ROOT / "metrics/textgauge/kernel", *options, *others]
        source = ROOT / "tests/kernel/platform.cpp"
        subprocess.run([*command, source, "-o", folder / name], env=environment, check=True)
        lines = "".join(f"{text.hex()}\n" for text in given)
        done = subprocess.run(folder / name, input=lines, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    return of_build("usual", []), of_build("portable", ["-DPORTABLE"])


def odd_of(texts):
    """Return what `OddTexts` has."""
    odd, n_words, n_stops = [], 0, 0
    for row, text in enumerate(texts):
        is_spelled = text[1:2] == b" " and b" " in text[2:4]
        if len(text) < 4 or UNUSUAL & {*text} or text.strip(b" ") != text or is_spelled:
            odd.append(f"{row} ")
        else:
            n_words += len(text) <= N_BYTES and b" " not in text
            n_stops += text.endswith(b" .")
    return "".join(odd) + f"| {n_words} {n_stops}"


def bits_of(text, is_one):
    return sum(1 << i for i, byte in enumerate(text) if is_one(byte))


def test_all_processors_find_the_same(printed):
    usual, portable = printed
    assert usual == portable


def test_odd_texts_are_those_of_their_definition(printed, given):
    parts = [given[first : first + N_TEXTS] for first in range(0, len(given), N_TEXTS)]
    for lines in printed:
        assert lines[: 2 * len(parts)] == [line for part in parts for line in [odd_of(part)] * 2]


def test_bits_are_those_of_their_definition(printed, given):
    for lines in printed:
        for text, line in zip(given, lines[-len(given) :], strict=True):
            block, lane, found = text[:N_BYTES], text[:16], [*map(int, line.split())]
            many = bits_of(block, b"\xe4\xe5\xe6\xe7\xe8\xe9\xeb\xec\xed".__contains__)
            begins = bits_of(block, lambda byte: byte in UNUSUAL and not 0x80 <= byte < 0xC0) & ~(many & (many - 1))
            assert found[:2] == [begins] * 2
            if len(block) >= len(lane) == 16:
                low, high = (int.from_bytes(lane[i : i + 8], sys.byteorder) for i in (0, 8))
                assert found[2:6] == [
                    bits_of(lane, b" .a".__contains__), bits_of(lane, UNUSUAL.__contains__),
                    bits_of(lane, range(0x80, 0xC0).__contains__), (low * high ^ low * high >> 64) % 2**64,
                ]  # fmt: skip
            if len(block) == N_BYTES:
                is_small = b"abcdefghijklmnopqrstuvwxyz0123456789".__contains__
                assert found[6:] == [bits_of(block, lambda byte: byte != ord("a")), bits_of(block, is_small)]
