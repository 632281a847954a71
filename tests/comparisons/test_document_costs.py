"""The commands that measure answers about documents, and tables."""

import re

import pytest


def test_answers(capsys):
    from comparisons import answers_cost

    answers_cost.main(30)
    lines = capsys.readouterr().out.splitlines()
    assert [re.split(r" {2,}", line)[0] for line in lines] == [
        "anls", "vqa_accuracy", "vqa_accuracy textvqa", "relaxed_accuracy",
    ]  # fmt: skip


def test_tables(capsys):
    for package in ("lxml", "apted"):
        pytest.importorskip(package, reason=f"{package} is not installed")
    from comparisons import tables_cost

    tables_cost.main([20])
    assert float(capsys.readouterr().out.split()[-1]) < 1e-15
