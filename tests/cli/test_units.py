"""Units, several tests, plans and samples of problems on the command line."""

import json
import os
import threading

import pytest
import textgauge
from textgauge import sample
from textgauge.resampling import holm

from cli.conftest import says

HYPS, GROUPS = sample.columns("translations")
HYPS, REFS = HYPS * 2, [texts[0] for texts in GROUPS] * 2
BETTER = [gold if i % 3 == 0 else f"{text} no" for i, (text, gold) in enumerate(zip(HYPS, REFS, strict=True))]
# 24 units of 2 segments, which do not stand side by side.
DOCS = [f"d{i % 24}" for i in range(48)]
TEXTS = ("base.txt", "better.txt", "-r", "ref.txt")
UNITS = {"unit": "docs.txt", "units": 24}


@pytest.fixture(autouse=True)
def files(write):
    """Two systems, their references and units, as plain text and as rows."""
    for name, lines in {"base.txt": HYPS, "better.txt": BETTER, "ref.txt": REFS, "docs.txt": DOCS}.items():
        write(name, lines)
    rows = [*zip(HYPS, REFS, DOCS, strict=True)]
    write("rows.jsonl", [{"prediction": h, "reference": r, "doc_id": int(d[1:])} for h, r, d in rows])
    write("refs.jsonl", [{"reference": r, "speaker": d} for _, r, d in rows])


@pytest.mark.filterwarnings("ignore:p of the bootstrap")
@pytest.mark.filterwarnings("ignore:p and interval contradict")
@pytest.mark.parametrize("metric", ["bleu", "rougeL"])
@pytest.mark.parametrize("test", ["bootstrap", "permutation"])
def test_compare_draws_units(run, metric, test):
    words = ("compare", *TEXTS, "-m", metric, "--units", "docs.txt", "--test", test, "-n", 99, "--json", "--signature")
    done = run(*words)
    page = json.loads(done.stdout)
    [expected] = textgauge.compare([HYPS, BETTER], REFS, metric=metric, unit=DOCS, test=test, n_resamples=99)
    row = page["metrics"][metric][1]
    assert (row["p"], row["stat_confidence_interval"]) == (expected.p, expected.confidence_interval)
    assert row["detectable"] == expected.detectable
    assert {name: page[name] for name in UNITS} == UNITS
    assert "|unit:docs.txt|units:24|" in page["signatures"][metric]
    alone = json.loads(run("compare", *TEXTS, "-m", metric, "--json").stdout)
    assert not {"unit", "units"} & alone.keys()
    assert alone["metrics"][metric][1]["p"] != row["p"] or row["p"] < 0.02


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
@pytest.mark.parametrize("words", [("--unit-field", "doc_id"), ()])
def test_a_pipe_is_read_once(program, tmp_path, run, words):
    os.mkfifo(tmp_path / "pipe")
    data = (tmp_path / "rows.jsonl").read_bytes()
    threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(data,), daemon=True).start()
    shared = ("--format", "jsonl", "-m", "chrf", "--confidence", "0.9", "--json", *words)
    done = program("score", "pipe", *shared)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == json.loads(run("score", "rows.jsonl", *shared).stdout)


def test_all_pairs_draw_units(run, metrics):
    found = metrics("compare", *TEXTS, "-m", "chrf", "--all-pairs", "--units", "docs.txt")["chrf"]
    expected = textgauge.compare([HYPS, BETTER], REFS, metric="chrf", unit=DOCS, all_pairs=True)
    assert found["systems"][1]["confidence_interval"] == expected.confidence_intervals[1]
    assert found["detectable"] == expected.detectable
    scores = metrics("score", "base.txt", "-r", "ref.txt", "-m", "chrf", "--confidence", 0.9, "--units", "docs.txt")
    assert (
        scores["chrf"]["confidence_interval"]
        == (textgauge.chrf(HYPS, REFS, confidence=0.9, unit=DOCS)["confidence_interval"])
    )


@pytest.mark.parametrize(
    "words", [("rows.jsonl", "--unit-field", "doc_id"), ("base.txt", "-r", "refs.jsonl", "--unit-field", "speaker")]
)
def test_a_column_of_any_file_has_units(run, words):
    shown = run("score", *words, "-m", "chrf", "--confidence", 0.9)
    assert shown.stderr == ""
    assert f"|unit:{words[-1]}|units:24|" in shown.stdout
    low, high = textgauge.chrf(HYPS, REFS, confidence=0.9, unit=DOCS)["confidence_interval"]
    assert f"[{low:.2f}, {high:.2f}]" in shown.stdout


def test_unit_column_of_any_file(run, write):
    write("hyps.jsonl", [{"prediction": text} for text in HYPS])
    words = ("-m", "chrf", "--confidence", "0.9", "--json", "--unit-field", "speaker")
    found = json.loads(run("score", "hyps.jsonl", "-r", "refs.jsonl", *words).stdout)["metrics"]["chrf"]
    assert found["confidence_interval"] == textgauge.chrf(HYPS, REFS, confidence=0.9, unit=DOCS)["confidence_interval"]


def test_unused_unit_column(run):
    words = ("-m", "chrf", "rougeL")
    assert run("score", "rows.jsonl", *words).stderr == ""
    for command in (("score", "rows.jsonl", "--confidence", 0.9), ("explain", "rows.jsonl")):
        told = run(*command, *words).stderr
        assert told.count("those of one 'doc_id' are alike, they are too narrow and too small; --unit-field NAME") == 1
    assert "'speaker'" in run("compare", "base.txt", "better.txt", "-r", "refs.jsonl", "-m", "chrf").stderr


def test_unused_documents(run, write):
    words = ("compare", *TEXTS, "-m", "chrf", "--documents")
    assert "those of one 'document' are alike" in run(*words, "docs.txt").stderr
    write("own.txt", [f"d{i}" for i in range(48)])
    assert run(*words, "own.txt").stderr == ""


def test_pages_have_units(run, tmp_path):
    assert run("explain", *TEXTS, "-m", "chrf", "--units", "docs.txt").exit_code == 0
    page = (tmp_path / "explain.html").read_text("utf-8")
    assert "paired permutation: 10,000 times, the outputs of random 24 units (docs.txt) were exchanged" in page
    [expected] = textgauge.compare([HYPS, BETTER], REFS, metric="chrf", unit=DOCS)
    assert f'class="p">{expected.p:.4f}' in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("score", "base.txt", "-r", "ref.txt", "--units", "docs.txt"), "--units has no effect without --confidence"),
        (
            ("compare", *TEXTS, "--unit-field", "doc"),
            "--unit-field names a column, and plain text has none: --units FILE",
        ),
        (("score", "rows.jsonl", "--pass-at", 1), "--pass-at needs the problem of every sample: --unit-field NAME"),
        (("score", "rows.jsonl", "--threshold", 1), "--threshold has no effect without --pass-at"),
        (
            ("score", "rows.jsonl", "--pass-at", 1, "--unit-field", "doc_id", "--table", "latex"),
            "--pass-at is of problems: it cannot be given with --table",
        ),
        (
            ("score", "rows.jsonl", "--pass-at", 1, "--unit-field", "doc_id", "-o", "x.csv"),
            "--pass-at is of problems: it cannot be given with -o of rows",
        ),
        (
            ("score", "rows.jsonl", "-m", "wer", "--pass-at", 1, "--unit-field", "doc_id", "--threshold", 0.3),
            "--pass-at is for scores of which higher ones are better, not wer",
        ),
        (("plan", "base.txt", "-r", "ref.txt"), "plan takes the outputs of two systems"),
        (("plan", *TEXTS, "--difference", 0), "plan: difference: ... got 0.0"),
        (
            ("plan", "base.txt", "base.txt", "-r", "ref.txt"),
            "a difference to find, since the systems have equal scores",
        ),
    ],
)
def test_what_has_no_effect_is_refused(refused, words, message):
    assert says(refused(*words), f"... {message}")


def test_units_file_length(refused, write):
    write("docs.txt", DOCS[:-1])
    assert says(refused("compare", *TEXTS, "--units", "docs.txt"), "... docs.txt: ... base.txt ... (48) ... got 47")


def test_holm_is_over_all_systems_and_scores(run, metrics, write):
    write("third.txt", [text if i % 4 else "no" for i, text in enumerate(HYPS)])
    words = ("compare", "base.txt", "better.txt", "third.txt", "-r", "ref.txt", "-m", "chrf", "rougeL", "ter", "--holm")
    rows = [row for of_score in metrics(*words).values() for row in of_score[1:]]
    assert len(rows) == 6
    assert [row["p_holm"] for row in rows] == holm([row["p"] for row in rows])
    assert all(row["p_holm"] > row["p"] for row in rows)
    for form in ((), ("--table", "latex")):
        assert "p (Holm) is corrected for 6 tests: 2 systems x 3 scores" in run(*words, *form).stdout
    assert "p (Holm) is corrected for 1 test" in run("compare", *TEXTS, "-m", "ter", "--holm").stdout


def test_gate_of_all_scores(run, write):
    """Three lines of forty are worse: by one score significantly, by one of eight not."""
    right = ["the cat", "a dog", "it rains"] * 14
    write("right.txt", right)
    write("base.txt", [*["x y"] * 4, *right[4:]])
    write("worse.txt", [*right[:1], *["x y"] * 11, *right[12:]])
    words = ("compare", "base.txt", "worse.txt", "-r", "right.txt", "--fail-if-worse", "-m", "rouge1")
    assert run(*words).exit_code == 1
    assert run(*words, "--holm").exit_code == 1
    many = ("rouge2", "rougeL", "rougeLsum", "rougeS4", "chrf", "wer", "cer", "token_f1", "ter", "google_bleu")
    assert run(*words, *many).exit_code == 1
    assert run(*words, *many, "--holm").exit_code == 0


def test_every_comparison_says_which_differences_it_finds(run):
    [expected] = textgauge.compare([HYPS, BETTER], REFS, metric="chrf")
    below = run("compare", *TEXTS, "-m", "chrf").stdout
    assert (
        f"With 48 segments, a true difference of {expected.detectable:.2g} would be detected 80% of the time" in below
    )
    both = " ".join(run("compare", *TEXTS, "-m", "chrf", "ter", "--units", "docs.txt").stdout.split())
    by_unit = [textgauge.compare([HYPS, BETTER], REFS, metric=m, unit=DOCS)[0].detectable for m in ("chrf", "ter")]
    both_found = f"{by_unit[0]:.2g} (chrf) or {by_unit[1]:.2g} (ter)"
    assert f"With 48 segments in 24 units (docs.txt), a true difference of {both_found} would" in both
    # Equal systems differ nowhere.
    assert "true difference" not in run("compare", "base.txt", "base.txt", "-r", "ref.txt", "-m", "chrf").stdout


def test_plan_says_what_the_function_does(run, metrics):
    words = ("plan", *TEXTS, "-m", "chrf", "rougeL")
    found = metrics(*words)
    for metric in found:
        assert found[metric] == textgauge.plan(HYPS, BETTER, REFS, metric=metric)._asdict()
    expected = textgauge.plan(HYPS, BETTER, REFS, metric="chrf", difference=2, power=0.9, unit=DOCS, confidence=0.99)
    by_unit = (
        "plan", *TEXTS, "-m", "chrf", "--difference", 2, "--power", 0.9, "--units", "docs.txt", "--confidence", 0.99,
    )  # fmt: skip
    numbers = run(*by_unit, "--brief").stdout.split()
    assert [*map(int, numbers)] == [expected.n_units, expected.low, expected.high]
    shown = " ".join(run(*by_unit).stdout.split())
    assert f"{expected.n_segments:,}" in shown
    assert "a pilot of 48 segments in 24 units (docs.txt); detected 90% of the time, p < 0.01" in shown


def test_document_is_no_unit(run, write):
    rows = [{"prediction": h, "reference": r, "document": h} for h, r in zip(HYPS, REFS, strict=True)]
    write("sums.jsonl", rows)
    words = ("score", "sums.jsonl", "-m", "sari", "--confidence", 0.9)
    assert run(*words, "--source-field", "document").stderr == ""
    assert "those of one 'document'" in run("score", "sums.jsonl", "-m", "chrf", "--confidence", 0.9).stderr


def test_rows_of_squad_have_intervals_without_units(run, write):
    write("answers.jsonl", [{"id": str(i), "prediction_text": f"cat {i % 2}"} for i in range(4)])
    answers = {"text": ["cat 1"], "answer_start": [0]}
    write("questions.jsonl", [{"id": str(i), "answers": answers} for i in range(4)])
    words = ("score", "answers.jsonl", "-r", "questions.jsonl", "--format", "squad", "-m", "squad")
    done = run(*words, "--confidence", 0.9, "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert json.loads(done.stdout)["metrics"]["squad"]["confidence_intervals"]["exact_match"][1] > 50


def test_plan_takes_columns_of_one_file(run, metrics, write):
    rows = [*zip(HYPS, BETTER, REFS, strict=True)]
    write("wide.jsonl", [{"sys_": "no name", "sys_base": a, "sys_better": b, "reference": r} for a, b, r in rows])
    found = metrics("plan", "wide.jsonl", "--prediction-field", "sys_*", "-m", "chrf")
    assert found["chrf"] == textgauge.plan(HYPS, BETTER, REFS, metric="chrf")._asdict()
    assert "plan takes the outputs of two systems" in run("plan", "rows.jsonl").stderr


def test_plan_and_ranks_in_percent(run, refused):
    words = ("plan", *TEXTS, "-m", "rougeL", "--difference", 0.1)
    plain, percent = run(*words).stdout, run(*words, "--percent").stdout
    found = textgauge.plan(HYPS, BETTER, REFS, metric="rougeL", difference=0.1).detectable
    assert " 0.1000 " in plain
    assert f"a true difference of {found:.2g} would" in plain
    assert " 10.00 " in percent
    # A difference is as large in either direction.
    assert run(*words[:-1], -0.1).stdout == plain
    assert f"a true difference of {100 * found:.2g} would" in percent
    share, percent = (run("compare", *TEXTS, "-m", "rougeL", *more).stdout for more in ((), ("--percent",)))
    [found] = textgauge.compare([HYPS, BETTER], REFS, metric="rougeL")
    assert f"{found.score2 - found.score1:+.4f}" in share
    assert f"{100 * (found.score2 - found.score1):+.2f}" in percent
    ranks = ("compare", *TEXTS, "-m", "rougeL", "--all-pairs", "--percent")
    found = textgauge.compare([HYPS, BETTER], REFS, metric="rougeL", all_pairs=True).detectable
    assert f"a true difference of {100 * found:.2g} would" in run(*ranks).stdout
    for form in (words, ranks):
        assert "--percent is for what people read" in refused(*form, "--percent", "--json")


def test_plan_in_json(run, refused):
    page = json.loads(run("plan", *TEXTS, "-m", "chrf", "--units", "docs.txt", "--json").stdout)
    assert {name: page[name] for name in UNITS} == UNITS
    assert page["power"] == 0.8
    assert "unit" not in json.loads(run("plan", *TEXTS, "-m", "chrf", "--json").stdout)
    assert says(refused("plan", *TEXTS, "--confidence", 2), "... plan: confidence: ... got 2.0")


def test_plan_of_alike_differences(run, metrics, write):
    for name, text in (("a", "no"), ("b", "yes")):
        write(f"{name}.txt", [text] * 9)
    words = ("plan", "a.txt", "b.txt", "-r", "b.txt", "-m", "exact_match")
    assert metrics(*words)["exact_match"]["detectable"] is None
    done = run(*words)
    assert (done.exit_code, "9 of 10 pilots say" in done.stdout, "a true difference" in done.stdout) == (0, True, False)


@pytest.fixture
def samples(write):
    """Four samples of 20 problems: of every third one some are right."""
    rows = [{"problem": i // 4, "prediction": str(i % 3 * (i % 2)), "reference": "1"} for i in range(80)]
    write("samples.jsonl", rows)
    return [float(row["prediction"] == "1") for row in rows], [row["problem"] for row in rows]


def test_pass_at_k_of_samples(run, samples):
    words = ("score", "samples.jsonl", "-m", "exact_match", "--pass-at", 1, 4, "--unit-field", "problem")
    expected = textgauge.pass_at_k(*samples, k=[1, 4])
    assert json.loads(run(*words, "--json").stdout)["pass_at"] == {"exact_match": expected}
    lines = run(*words).stdout.splitlines()
    cells = [line.split() for line in lines]
    # A gap between tables, none between numbers.
    assert cells[-8] == []
    assert len(run(*words, "--brief").stdout.splitlines()) == 2
    assert [[key, f"{value:.4f}"] for key, value in expected.items()] == cells[-5:]
    numbers = run(*words, "--brief").stdout.splitlines()[-1].split("\t")
    assert numbers == [f"{value:.4f}" for value in expected.values()]
    with_interval = textgauge.pass_at_k(*samples, k=[1, 4], confidence=0.9)
    page = json.loads(run(*words, "--confidence", 0.9, "--json").stdout)
    assert page["pass_at"]["exact_match"] == with_interval


def test_pass_at_k_in_percent(run, samples):
    words = ("score", "samples.jsonl", "-m", "exact_match", "--pass-at", 1, "--unit-field", "problem", "-b", "-w", 8)
    plain, percent = (run(*words, *more).stdout.split() for more in ((), ("--percent",)))
    assert len(plain) > 1
    assert {len(number.partition(".")[2]) for number in plain} == {8}
    assert [*map(float, percent)] == pytest.approx([100 * float(one) for one in plain], abs=1e-5)


def test_pass_at_k_needs_threshold(run, refused, samples):
    words = ("score", "samples.jsonl", "-m", "chrf", "--pass-at", 2, "--unit-field", "problem")
    assert "chrf is not 0 or 1 for every segment: --threshold X" in refused(*words)
    page = json.loads(run(*words, "--threshold", 50, "--json").stdout)
    scores = textgauge.chrf(*([str(i % 3 * (i % 2)) for i in range(80)], ["1"] * 80), per_segment=True)["segment_chrf"]
    assert page["pass_at"]["chrf"] == textgauge.pass_at_k(scores, samples[1], 2, threshold=50)
    # Percents of a score that is right or wrong are shares here.
    squad = json.loads(run(*words[:3], "token_f1_exact_match", *words[4:], "--json").stdout)
    assert squad["pass_at"]["token_f1_exact_match"] == textgauge.pass_at_k(*samples, k=2)


def test_problem_with_few_samples(refused, samples):
    message = refused("score", "samples.jsonl", "-m", "exact_match", "--pass-at", 5, "--unit-field", "problem")
    assert says(message, "... got 4 of '0'")


def test_plan_of_differences_by_score(metrics, run):
    words = ("plan", *TEXTS, "-m", "rougeL", "chrf(word_order=2)")
    found = metrics(*words, "--difference", "chrf(word_order=2)=2", "--difference", "rougeL=0.05")
    wanted = {"rougeL": 0.05, "chrf(word_order=2)": 2}
    expected = textgauge.plan(HYPS, BETTER, REFS, metric=[*wanted], difference=wanted)
    assert found == {name: one._asdict() for name, one in expected.items()}
    for differences, error in [
        (("bleu=1",), "plan: difference: ... chrf(word_order=2) ... got 'bleu'"),
        (("1", "rougeL=1"), "--difference is one number for all scores, or one of each by its name"),
        (("rougeL=1", "rougeL=2"), "--difference is one number for all scores, or one of each by its name"),
        (("rougeL=x",), "... got 'rougeL=x'"),
        (("=1",), "... got '=1'"),
    ]:
        done = run(*words, *(word for one in differences for word in ("--difference", one)))
        assert done.exit_code == 2
        assert says(done.stderr, f"... {error}")


@pytest.mark.filterwarnings("ignore:.*(has no width|too few to interpret)")
def test_too_few_segments_for_any_difference(run, write):
    """What they would detect is wider than the scale: that is no number of it."""
    for name, text in (("a", ["no", "yes", "no", "yes"]), ("b", ["yes", "no", "yes", "yes"]), ("r", ["yes"] * 4)):
        write(f"{name}.txt", text)
    texts, told = (
        ("a.txt", "b.txt", "-r", "r.txt", "-m", "exact_match"),
        "is large enough to be detected 80% of the time",
    )
    for words in (
        ("compare", *texts),
        ("compare", *texts, "--holm"),
        ("compare", *texts, "--table", "latex"),
        ("plan", *texts),
    ):
        out = " ".join(run(*words).stdout.split())
        assert f"With 4 segments, no difference {told}" in out, words
        assert "a true difference" not in out, words
    both = " ".join(run("compare", *texts, "chrf").stdout.split())
    assert f"With 4 segments, no difference of exact_match or chrf {told}" in both
    for form in ("compare", "plan"):
        found = json.loads(run(form, *texts, "--json").stdout)["metrics"]["exact_match"]
        assert (found["detectable"] if form == "plan" else found[1]["detectable"]) is None
    columns = ["no", "yes", "no", "yes"], ["yes", "no", "yes", "yes"]
    for call in (textgauge.plan(*columns, ["yes"] * 4, metric="exact_match"),
                 *textgauge.compare(columns, ["yes"] * 4, metric="exact_match"),
                 textgauge.compare(columns, ["yes"] * 4, metric="exact_match", all_pairs=True)):  # fmt: skip
        assert call.detectable == float("inf")
