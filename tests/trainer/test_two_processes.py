"""Two processes evaluate together: the merged scores of their shares are those of one process."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

# Seq2SeqTrainer passes three batches of three rows from each process; batch by batch we drop the repetitions.
N_ROWS = {"whole": 18, "batchwise": 13}


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    for name in ("torch", "transformers", "accelerate"):
        pytest.importorskip(name, reason=f"{name} is missing: pip install -e '.[trainer]'")
    folder = tmp_path_factory.mktemp("two")
    launch = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2"]
    done = subprocess.run(
        [*launch, str(Path(__file__).parent / "two_processes.py"), str(folder)],
        capture_output=True, text=True, check=False, timeout=300, env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return [json.loads((folder / f"{rank}.json").read_text()) for rank in (0, 1)]


@pytest.mark.parametrize("way", N_ROWS)
def test_merged_statistics_are_exact(figures, way):
    runs = [of_one[f"share=True {way}"] for of_one in figures]
    assert [run["scores"] for run in runs] == [of_one[way] for of_one in figures]
    # Each text of both sides was decoded by one process only.
    assert sum(run["n_rows"] for run in runs) == 2 * N_ROWS[way]
    assert min(run["n_rows"] for run in runs) > 0


@pytest.mark.parametrize("way", N_ROWS)
def test_without_sharing_every_process_scores_everything(figures, way):
    for of_one in figures:
        assert of_one[f"share=False {way}"] == {"scores": of_one[way], "n_rows": 2 * N_ROWS[way]}


def test_accumulators_merge_by_accelerate_without_a_trainer(figures):
    shares, merged = zip(*(of_one["by accelerate"] for of_one in figures), strict=True)
    assert shares == (7, 6)
    expected = {key: value for key, value in figures[0]["batchwise"].items() if key.startswith("rouge")}
    assert list(merged) == [expected, expected]
    assert figures[0]["n_processes"] == 2
    assert 0 < expected["rouge1"] < 1
