"""Documents tell the truth: their examples run, and cards name every option."""

import doctest
import re
from pathlib import Path

import evaluate
import pytest
import textgauge
from conftest import ROOT
from textgauge.scores.bleu_options import PRESETS

pytestmark = pytest.mark.filterwarnings("ignore:only . of . segments differ")

# What an installation leaves in the tree is not the project's.
DOCUMENTS = sorted(
    path.relative_to(ROOT) for path in ROOT.glob("**/README.md") if not {".venv", "build"} & {*path.parts}
)
# Its examples need a model, which tests/faces/test_perplexity_face.py makes for them.
WITH_A_MODEL = "metrics/perplexity/README.md"
FACES = [path.parent.name for path in DOCUMENTS if (ROOT / path.parent / f"{path.parent.name}.py").is_file()]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)


def run(block, namespace, name):
    """Run a block: a session with prompts as doctest does, anything else as a program."""
    if not block.startswith(">>>"):
        exec(compile(block, name, "exec"), namespace)
        return
    session = doctest.DocTestParser().get_doctest(block, namespace, name, name, 0)
    session.globs = namespace
    report = []
    doctest.DocTestRunner(verbose=False).run(session, out=report.append, clear_globs=False)
    assert not report, "".join(report)


def is_for_the_trainer(block):
    return "Seq2SeqTrainer" in block


@pytest.mark.parametrize("document", [d for d in DOCUMENTS if str(d) != WITH_A_MODEL], ids=str)
def test_examples_run_in_order(document, monkeypatch):
    monkeypatch.chdir(ROOT)
    namespace = {"__name__": "document"}
    for number, block in enumerate(BLOCK.findall((ROOT / document).read_text())):
        if not is_for_the_trainer(block):
            run(block, namespace, f"{document}, block {number}")


@pytest.mark.filterwarnings("ignore:.*pin_memory")
@pytest.mark.parametrize("face", ["bleu", "rouge", "token_f1"])
def test_the_example_with_a_trainer_runs_on_a_tiny_model(face, tmp_path):
    for name in ("torch", "transformers", "accelerate"):
        pytest.importorskip(name, reason=f"{name} is missing: pip install -e '.[trainer]'")
    from trainer import tiny

    tokenizer = tiny.tokenizer()
    model, rows = tiny.model(len(tokenizer)), tiny.rows(tokenizer)
    theirs = {"tokenizer": tokenizer, "model": model, "rows": rows, "output_dir": tmp_path}
    (block,) = filter(is_for_the_trainer, BLOCK.findall((ROOT / "metrics" / face / "README.md").read_text()))
    run(block, theirs, f"{face}: Trainer")


@pytest.mark.parametrize("block", ["assert 1 == 2\n", ">>> 1 + 1\n3\n\n"])
def test_a_wrong_example_fails(block):
    with pytest.raises(AssertionError):
        run(block, {}, "wrong")


@pytest.mark.parametrize("face", FACES)
def test_cards_name_every_option(face):
    card = Path(textgauge.path(face), "README.md").read_text()
    options = textgauge.load(face)._option_names()
    assert [name for name in options if f"`{name}`" not in card and f"`{name}=" not in card] == []


def test_the_bleu_card_names_every_key():
    card = (ROOT / "metrics/bleu/README.md").read_text()
    metric = evaluate.load(str(ROOT / "metrics/bleu"))
    result = metric.compute(
        predictions=["a"], references=["a"], max_order=1, per_segment=True, all_orders=True, signature=True
    )
    assert [key for key in result if f"`{key}`" not in card] == []


def test_the_table_of_presets_is_what_they_set():
    rows = re.findall(r"^\| `([a-z_]+)` \|(.*)\|$", (ROOT / "metrics/bleu/README.md").read_text(), re.M)
    table = {name: [cell.strip().strip("`") for cell in cells.split("|")] for name, cells in rows}
    assert table["preset"] == list(PRESETS)
    for option in table.keys() - {"preset"}:
        shown = [str(getattr(preset, option)) for preset in PRESETS.values()]
        assert [cell.strip('"') for cell in table[option]] == shown
