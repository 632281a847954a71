"""Token F1 held against the scoring loop of the reference `squad` module: difference and time.

    python comparisons/reference_modules/token_f1.py [number of pairs]

The pairs are made up: answers of 1 to 12 words with articles, punctuation and accents, half of
the predictions right, the others with a word too many or too few, 1 to 3 references each. The
loop is the naive twin of the tests. Both run in turns; the medians of wall time count.
"""

import random
import statistics
import sys
import time
import warnings
from pathlib import Path

import textgauge

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "tests"))
from oracles.token_f1 import squad_scores

ROUNDS = 5
WORDS = ("the", "a", "of", "in", "is", "1889", "Paris", "(1,063", "ft)", "U.S.A.", "well-known", "São", "city's")
SYLLABLES = ("ba", "co", "din", "el", "fur", "gam", "hol", "ist", "jor", "kel", "lum", "nav", "or", "pet", "ras", "vor")


def made_up_pairs(n_pairs: int, most_references: int, seed: int = 0) -> tuple[list[str], list[list[str]]]:
    """Return predictions and their references."""
    draw = random.Random(seed)
    rare = ["".join(draw.choices(SYLLABLES, k=draw.randint(1, 4))) for _ in range(30_000)]

    def word() -> str:
        return draw.choice(WORDS if draw.random() < 0.5 else rare)

    def answer() -> str:
        return " ".join(word() for _ in range(draw.choice((1, 1, 2, 2, 3, 3, 4, 5, 8, 12))))

    references = [[answer() for _ in range(draw.randint(1, most_references))] for _ in range(n_pairs)]
    predictions = []
    for answers in references:
        words = draw.choice(answers).split()
        if draw.random() < 0.25:
            words.insert(draw.randrange(len(words)), word())
        elif draw.random() < 0.33:
            words.pop()
        predictions.append(" ".join(words))
    return predictions, references


def main() -> None:
    """Write one line per number of references."""
    n_pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    warnings.filterwarnings("ignore", message=".*have no token")
    for most_references in (1, 3):
        pairs = made_up_pairs(n_pairs, most_references)
        times: dict[str, list[float]] = {"loop": [], "ours": []}
        results: dict[str, dict[str, float]] = {}
        for _ in range(ROUNDS):
            for name, score in (("loop", squad_scores), ("ours", textgauge.token_f1)):
                start = time.perf_counter()
                results[name] = score(*pairs)
                times[name].append(time.perf_counter() - start)
        loop, ours = (statistics.median(values) for values in times.values())
        difference = max(abs(value - results["ours"][key]) for key, value in results["loop"].items())
        sys.stdout.write(
            f"{n_pairs} pairs, 1 to {most_references} references: loop {loop:.2f} s, textgauge {ours:.3f} s, "
            f"{loop / ours:.1f} times as fast, largest difference {difference:.1e}\n"
        )


if __name__ == "__main__":
    main()
