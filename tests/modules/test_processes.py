"""Modules across processes: loading, pickling, hashing, several ranks."""

import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import evaluate
import pytest
import textgauge
from datasets.fingerprint import Hasher

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent
METRICS = ROOT / "metrics"
HYPS, REFS = ["the cat sat on the mat", "a dog barks"], ["the cat is on the mat", "the dog barks"]

PICKLED = """
import pickle, sys, json
from datasets.fingerprint import Hasher
for file in sys.argv[3:]:
    metric = pickle.load(open(file, "rb"))
    result = metric.compute(predictions=json.loads(sys.argv[1]), references=json.loads(sys.argv[2]))
    print(json.dumps([Hasher.hash(metric), result]))
"""
LOADED = """
import os, socket, sys, time
import evaluate, datasets, textgauge, textgauge.modules
def refuse(*args, **kwargs):
    raise AssertionError("a socket was opened")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
for name in ("bleu", "rouge"):
    for folder, target in (
        (sys.argv[1], f"metrics/{name}"),
        (sys.argv[1], f"metrics/{name}/{name}.py"),
        (sys.argv[2], f"{sys.argv[1]}/metrics/{name}"),
        (sys.argv[2], os.path.relpath(f"{sys.argv[1]}/metrics/{name}", sys.argv[2])),
    ):
        os.chdir(folder)
        seconds = []
        for _ in range(3):
            start = time.process_time()
            metric = evaluate.load(target)
            seconds.append(time.process_time() - start)
        score = metric.compute(predictions=["a b"], references=["a b"])
        print(min(seconds), score.get("rouge1", score.get("brevity_penalty")))
"""
RANK = """
import json, sys
import textgauge
folder, rank = sys.argv[1], int(sys.argv[2])
for i, (name, options, hyps, refs) in enumerate(json.loads(sys.argv[3])):
    shared = {"num_process": 2, "cache_dir": folder, "experiment_id": f"round {i}", "timeout": 60}
    metric = textgauge.load(name, process_id=rank, **shared, **options)
    for hyp, ref in zip(hyps[:1], refs[:1]):
        metric.add(prediction=hyp, reference=ref)
    metric.add_batch(predictions=hyps[1:], references=refs[1:])
    print(json.dumps(metric.compute()))
"""


def started(script, *args, cwd=ROOT):
    environment = {**os.environ, "PYTHONPATH": str(METRICS), "PYTHONHASHSEED": "random"}
    # Without evaluate's evaluators, which are not called, and whose libraries take seconds to import.
    imported = "import sys; sys.modules['transformers'] = None; import evaluate; del sys.modules['transformers']"
    command = [sys.executable, "-c", f"{imported}\n{script}", *map(str, args)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, text=True, cwd=cwd, env=environment, **pipes)


def printed(process):
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return out


def test_pickle_in_a_fresh_process(tmp_path):
    files, expected = [], []
    for name, options in (("bleu", {"max_order": 2}), ("rouge", {"rouge_types": ["rouge1"], "seed": 3})):
        metric = textgauge.load(name, cache_dir=str(tmp_path), **options)
        hashed = Hasher.hash(metric)
        for moment in ("before", "after"):
            files.append(tmp_path / f"{name}-{moment}")
            files[-1].write_bytes(pickle.dumps(metric))
            result = metric.compute(predictions=HYPS, references=REFS)
            expected.append([hashed, result])
        assert Hasher.hash(metric) == hashed != Hasher.hash(textgauge.load(name, cache_dir=str(tmp_path)))
    out = printed(started(PICKLED, json.dumps(HYPS), json.dumps(REFS), *files, cwd=tmp_path))
    assert [json.loads(line) for line in out.splitlines()] == expected


def test_pickle_names_our_modules():
    assert b"evaluate_modules" not in pickle.dumps(evaluate.load(str(METRICS / "bleu")))


def test_a_changed_script_pickles_by_its_own_path(tmp_path):
    shutil.copytree(METRICS / "rouge", tmp_path / "rouge")
    script = tmp_path / "rouge" / "rouge.py"
    script.write_text(script.read_text().replace("accumulator = textgauge.Rouge", "accumulator = textgauge.TokenF1"))
    metric = pickle.loads(pickle.dumps(evaluate.load(str(tmp_path / "rouge"))))
    assert set(metric.compute(predictions=HYPS, references=REFS)) == {"precision", "recall", "f1", "exact_match"}


def test_waiting_segments_are_not_lost_by_pickling(tmp_path):
    metric = textgauge.load("bleu", cache_dir=str(tmp_path))
    metric.add(prediction="a", reference="b")
    with pytest.raises(ValueError, match="^metric: .*got 1 segment"):
        pickle.dumps(metric)


def test_load_takes_little_time(tmp_path):
    out = printed(started(LOADED, ROOT, tmp_path)).split()
    assert list(map(float, out[1::2])) == [1.0] * 8
    assert max(map(float, out[::2])) < 0.05


def test_load_takes_names_and_any_kind_of_path(monkeypatch, tmp_path):
    (tmp_path / "bleu").mkdir()
    (tmp_path / "home").symlink_to(METRICS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for module in ("bleu", "~/bleu", METRICS / "bleu", Path("home/bleu/bleu.py"), str(METRICS / "bleu")):
        loaded = textgauge.load(module, max_order=1)
        assert loaded.compute(predictions=["a"], references=["a"])["bleu"] == 1
    assert textgauge.load(textgauge.path("rouge")).name == "rouge"


def test_load_refuses_what_is_no_module(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for module in ("blue", "./bleu", "metrics", Path("rouge"), 3):
        with pytest.raises((TypeError, ValueError), match="^module: .*got '?"):
            textgauge.load(module)
    with pytest.raises(ValueError, match="^name: .*got 'blue'"):
        textgauge.path("blue")
    for name, advice in (("nubia", "'nubia' (str)"), ("blue", "mean 'bleu'?"), ("sacre", "mean 'sacrebleu'?")):
        with pytest.raises(ValueError, match="module") as refused:
            textgauge.load(name)
        assert advice in str(refused.value)


def test_two_processes_score_together(tmp_path):
    hyps, refs = [*HYPS, "a third", "and so on"], [*REFS, "the third", "and on"]
    options = {"bleu": {"per_segment": True}, "rouge": {"use_aggregator": False}}
    rounds = [("bleu", 1), ("rouge", 0), ("rouge", 4)]
    first = [(name, options[name], hyps[:share], refs[:share]) for name, share in rounds]
    second = [(name, options[name], hyps[share:], refs[share:]) for name, share in rounds]
    ranks = [started(RANK, tmp_path, i, json.dumps(jobs)) for i, jobs in enumerate((first, second))]
    first, second = ([json.loads(line) for line in printed(rank).splitlines()] for rank in ranks)
    assert first == [getattr(textgauge, name)(hyps, refs, **options[name]) for name, _ in rounds]
    assert second == [None] * len(rounds)
    assert not list(tmp_path.rglob("*.arrow"))
