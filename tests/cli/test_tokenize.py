"""`textgauge tokenize` prints the tokens of text."""

import pytest
from textgauge.text import STEMMED_ROUGE, TOKENIZERS
from textgauge.text.sacrebleu_tokenizers import NAMES

from cli.conftest import says

TEXTS = ["Don't panic, it's 5.0!", "", "  na\u00efve caf\u00e9s\t\u4f60\u597d running "]


@pytest.mark.parametrize("name", TOKENIZERS)
def test_lines_are_the_tokens_of_the_definition(run, tmp_path, name):
    (tmp_path / "texts.txt").write_text("\n".join(TEXTS) + "\n", "utf-8")
    result = run("tokenize", "-t", name, "texts.txt")
    assert result.stdout.split("\n") == [" ".join(TOKENIZERS[name](text)) for text in TEXTS] + [""]


def test_standard_input_and_options(run):
    assert run("tokenize", stdin="Two words, here\n").stdout == "Two words , here\n"
    assert run("tokenize", "--lowercase", stdin="Two words, here\n").stdout == "two words , here\n"
    expected = " ".join(STEMMED_ROUGE("Cats are running"))
    assert run("tokenize", "-t", "rouge", "--stem", stdin="Cats are running\n").stdout == f"{expected}\n"


def test_mecab_line_is_named(run, tmp_path):
    (tmp_path / "long.txt").write_text("猫がいる\n" + "." * 10_001 + "\n", "utf-8")
    result = run("tokenize", "-t", "ja-mecab", "long.txt")
    assert (result.exit_code, result.stdout) == (2, "猫 が いる\n")
    assert says(result.stderr, "... tokenize: tokenizer: long.txt, line 2: ... 10,000 ... got 10,001 characters")


def test_all_are_listed(run):
    lines = run("tokenize", "--list").stdout.splitlines()
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == [*TOKENIZERS, *NAMES]
    assert all(len(line) <= 80 and "tokens_" not in line for line in lines)
    assert [line.split()[-1] for line in lines if line.startswith("char ")] == ["character."]
