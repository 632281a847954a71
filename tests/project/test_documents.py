"""Documents: their examples run, and cards name every option."""

import doctest
import importlib.util
import re
from pathlib import Path

import evaluate
import pytest
import textgauge
from conftest import ROOT
from declared import adds_up, sources_of
from option_values import PRESETS, WITH_A_MODEL
from textgauge import sample
from textgauge.accumulation.registry import METRICS
from textgauge.locations import OF_SETS
from textgauge.measures.bleu import BleuOptions
from textgauge.metric.metric import with_defaults
from textgauge.options import options_of

pytestmark = pytest.mark.filterwarnings("ignore:two systems differ in only", "ignore:the interval.* no width")

# What an installation leaves in the tree is not the project's.
DOCUMENTS = sorted(
    path.relative_to(ROOT)
    for path in {
        *ROOT.glob("**/README.md"),
        *(path for at in ("metrics", "metrics/*", ".github") for path in ROOT.glob(f"{at}/*.md")),
    }
    if not {".venv", "build"} & {*path.parts}
)


def has_module(card):
    return (ROOT / card.parent / f"{card.parent.name}.py").is_file()


# Their examples need a model, which tests/modules/test_perplexity_face.py, tests/bertscore, tests/comet and
# tests/measures/test_mauve_models.py make.
CARDS_WITH_A_MODEL = {f"metrics/{name}/README.md" for name in {*WITH_A_MODEL, "mauve"}}
# Their examples run where other packages are: tests/frameworks, tests/compat.
BESIDE_OTHERS = {"metrics/FRAMEWORKS.md", "metrics/DROP_IN.md"}
CARDS = [path for path in DOCUMENTS if path == path.parent / "README.md" and has_module(path)]
FACES = [path.parent.name for path in CARDS]
SHARED = Path("metrics/README.md")
# The Hub's order; cards have more below these.
SECTIONS = (
    "description", "How to use", "Inputs", "Output values", "Values from popular papers", "Examples",
    "Limitations and bias", "Citation", "Further references",
)  # fmt: skip
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


SHOWN = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", re.M | re.S)
CASES = re.compile(r"^\| `(textgauge\.\w+\(.*\).*?)` \| `(.*?)` \|", re.M)


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_shown_output_is_what_is_printed(document, capsys):
    text = (ROOT / document).read_text()
    if str(document) == "README.md":
        assert text.index("```python\n") == SHOWN.search(text).start()
    for number, (block, shown) in enumerate(SHOWN.findall(text)):
        run(block, {}, f"{document}, shown block {number}")
        printed = capsys.readouterr().out
        # The output of the release, without the suffix of the version in a checkout.
        assert printed.replace(textgauge.__version__, textgauge.__version__.partition("+")[0]) == shown


def undefined_cases():
    return [(document, *case) for document in DOCUMENTS for case in CASES.findall((ROOT / document).read_text())]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("document", "call", "shown"), undefined_cases())
def test_a_table_of_undefined_cases_is_true(document, call, shown):
    if shown == "ValueError":
        with pytest.raises(ValueError, match="expected at least one"):
            eval(call, {"textgauge": textgauge})
    else:
        assert repr(eval(call, {"textgauge": textgauge})) == shown


def test_the_common_page_has_a_table_of_undefined_cases():
    assert len([case for case in undefined_cases() if case[0] == SHARED]) >= 12


@pytest.fixture
def metrics_stay():
    """Forget the metrics that an example registers."""
    before = {*METRICS}
    yield
    for name in {*METRICS} - before:
        del METRICS[name]


# It compares metrics with many resamples.
COSTLY = "metrics/AGREEMENT.md"
# Run below, by tests/rewards/test_trl.py, and by tests/trainer/test_decoding.py.
OF_A_TRAINER, OF_THE_TRAINER = "Trainer(", "Seq2SeqTrainer"


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(d, marks=[pytest.mark.slow] * (str(d) == COSTLY))
        for d in DOCUMENTS
        if str(d) not in CARDS_WITH_A_MODEL | BESIDE_OTHERS
    ],
    ids=str,
)
def test_examples_run_in_order(document, monkeypatch, metrics_stay):
    monkeypatch.chdir(ROOT)
    namespace = {"__name__": "document"}
    for number, block in enumerate(BLOCK.findall((ROOT / document).read_text())):
        needs_torch = "rewards_of_queries" in block and importlib.util.find_spec("torch") is None
        if not (OF_A_TRAINER in block or needs_torch):
            run(block, namespace, f"{document}, block {number}")


@pytest.mark.filterwarnings("error:two systems differ in only")
def test_the_example_of_a_paired_test_has_segments_enough(monkeypatch):
    monkeypatch.chdir(ROOT)
    [block] = [block for block in BLOCK.findall((ROOT / SHARED).read_text()) if "paired_bootstrap" in block]
    run(block, {}, "paired test")


@pytest.mark.filterwarnings("ignore:.*pin_memory")
def test_the_example_with_a_trainer_runs_on_a_tiny_model(tmp_path):
    for name in ("torch", "transformers", "accelerate"):
        pytest.importorskip(name, reason=f"{name} is missing: pip install -e '.[trainer]'")
    from trainer import tiny

    tokenizer = tiny.tokenizer()
    model, rows = tiny.model(len(tokenizer)), tiny.rows(tokenizer)
    theirs = {"tokenizer": tokenizer, "model": model, "rows": rows, "output_dir": tmp_path}
    [block] = [block for block in BLOCK.findall((ROOT / SHARED).read_text()) if OF_THE_TRAINER in block]
    run(block, theirs, "Trainer")
    scores = [theirs["metrics"][f"eval_{name}"] for name in ("bleu", "rouge1", "f1")]
    assert all(0 <= score <= 1 for score in scores)


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_a_card_has_the_sections_of_the_hub_and_links_to_the_common_page(card):
    kind, text = "Metric" if card.parts[0] == "metrics" else "Comparison", (ROOT / card).read_text()
    headings = re.findall(r"^#+ (.*)$", BLOCK.sub("", text), re.M)
    assert headings[0].startswith(f"{kind} Card for ")
    wanted = [f"{kind} {name}" if name == "description" else name for name in SECTIONS]
    assert [heading for heading in headings if heading in wanted] == wanted
    assert f"({'../' if kind == 'Metric' else '../../metrics/'}README.md)" in text
    assert f"{card.parent.name}/README.md)" in (ROOT / SHARED).read_text()


@pytest.mark.parametrize("name", METRICS)
def test_the_options_stand_before_the_examples(name):
    card = (ROOT / "metrics" / name / "README.md").read_text()
    places = [card.index(part) for part in ("\n### Output values", "\n## Options\n", "\n## Examples")]
    assert places == sorted(places)
    assert "The [options](#options) follow." in card.partition("## Output values")[0].replace("\n", " ")


def anchors(path):
    """The places in a document that a link can name, as GitHub names them."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_links_between_documents_have_targets(document):
    text = " ".join((ROOT / document).read_text().split())
    for target, _, anchor in re.findall(r"\]\(((?!https?:)[^)#]*)(#?)([^)]*)\)", text):
        path = (ROOT / document.parent / target).resolve() if target else ROOT / document
        assert path.exists(), target
        assert not anchor or anchor in anchors(path), anchor


def test_the_guide_names_every_folder():
    shown = (ROOT / ".github/CONTRIBUTING.md").read_text().partition("## Where things are\n")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`.*?`) \|", shown, re.M)
    named = {name for cell in cells for name in re.findall(r"`([\w./]+)`", cell)} - {"tests"}
    inside = {name for name in named if "/" not in name and name != "comparisons"}
    rooms, tests = (
        {path.parent.name for path in (ROOT / parent).glob("*/*.*") if path.parent.name.isidentifier()}
        for parent in ("metrics/textgauge", "tests")
    )
    rooms, tests = rooms - {"__pycache__"}, tests - {"__pycache__"}
    assert rooms | (tests - {*FACES, "comparisons"}) == inside
    assert [name for name in named - inside if "NAME" not in name and not (ROOT / name).exists()] == []


# Neither a repository nor a site of the project is public yet.
OURS_ELSEWHERE = re.compile(r"textgauge\.github\.io|github\.com/textgauge")


def test_nothing_names_an_address_of_ours_that_is_not_there():
    files = [*DOCUMENTS, Path("pyproject.toml"), *(ROOT / ".github").glob("ISSUE_TEMPLATE/*.yml")]
    assert [str(file) for file in files if OURS_ELSEWHERE.search((ROOT / file).read_text())] == []


@pytest.mark.parametrize("block", ["assert 1 == 2\n", ">>> 1 + 1\n3\n\n"])
def test_a_wrong_example_fails(block):
    with pytest.raises(AssertionError):
        run(block, {}, "wrong")


@pytest.mark.parametrize("face", FACES)
def test_cards_name_every_option(face):
    card = Path(textgauge.path(face), "README.md").read_text()
    # Options of another metric are in its card.
    for base in re.findall(r"^Those of \[[^]]+\]\((\S+)#options\)", card, re.M):
        card += Path(textgauge.path(face), base).read_text()
    options = textgauge.load(face)._option_names()
    assert [name for name in options if f"`{name}`" not in card and f"`{name}=" not in card] == []


@pytest.mark.parametrize("name", ["bleu", "chrf", "ter", "sacrebleu", "token_f1", "squad", "rouge"])
def test_a_card_names_every_key(name):
    card = (ROOT / "metrics" / name / "README.md").read_text()
    metric = evaluate.load(str(ROOT / "metrics" / name))
    asked = {"per_segment": True, "signature": True, "confidence": 0.9, "n_resamples": 10}
    own = {"all_orders": {"max_order": 1, "all_orders": True}, "rouge_types": {"rouge_types": ["rougeL"]}}
    for option in own.keys() & metric._option_names():
        asked |= own[option]
    result = metric.compute(predictions=["x", "y"], references=["x", "y"], **asked)
    assert [key for key in result if f"`{key}`" not in card] == []


def test_the_table_of_presets_is_what_they_set():
    card = (ROOT / "metrics/bleu/README.md").read_text()
    presets = card[card.index("| `preset` | evaluate |") :].partition("\n\n")[0]
    rows = re.findall(r"^\| `([a-z_]+)` \|(.*)\|$", presets, re.M)
    table = {name: [cell.strip().strip("`") for cell in cells.split("|")] for name, cells in rows}
    assert table["preset"] == list(PRESETS)
    differ = {
        name for name in (one.name for one in options_of(BleuOptions))
        if len({str(getattr(preset, name)) for preset in PRESETS.values()}) > 1
    }  # fmt: skip
    assert table.keys() == differ
    for option in table.keys() - {"preset"}:
        shown = [str(getattr(preset, option)) for preset in PRESETS.values()]
        assert [cell.strip('"') for cell in table[option]] == shown


@pytest.mark.filterwarnings("ignore:no prediction is long enough:UserWarning")
def test_the_table_of_metrics_is_what_they_say():
    rows = re.findall(r"^\| \[`(\w+)`\]\(.*\) \| (.*) \| (.*) \| (.*) \| (.*) \|$", (ROOT / SHARED).read_text(), re.M)
    table = {name: cells for name, *cells in rows}
    assert table.keys() == {*METRICS, *OF_SETS}
    for name in METRICS:
        scale, better, keys, _ = table[name]
        metric_type = METRICS[name]
        assert better == ("higher" if with_defaults(metric_type).scores[0].higher_is_better else "lower")
        if name == "perplexity":
            result = textgauge.perplexity(probs=[[0.5]], texts=["a"])
            assert scale == f"{result['corpus_perplexity'] - 1:g} and above"
        elif name in WITH_A_MODEL:
            result = with_defaults(metric_type).scores.keys
            main = with_defaults(metric_type).scores[0]
            is_open = main.largest == float("inf")
            assert scale.startswith(
                "the model's own" if is_open else f"0 to {main.largest * metric_type.scores.scale:g}"
            )
        else:
            result = with_defaults(metric_type).scores.keys
            if adds_up(name) and metric_type.about.sample in sample.PARTS:
                result = getattr(textgauge, name)(["a b"], ["a b"], **sources_of(name, ["a b"]))
            main = with_defaults(metric_type).scores[0]
            end = metric_type.scores.top if main.largest == float("inf") else main.largest * metric_type.scores.scale
            to = "" if main.largest == float("inf") and main.perfect is None else f" to {end:g}"
            assert scale == f"{main.least:g}{to}" + " and above" * (main.largest == float("inf"))
        shown = {*re.findall(r"`(\w+)`", keys)}
        # "and those of `bleu`"
        others = {*textgauge.bleu(["a"], ["a"])} ^ {"bleu"} if "those of" in keys else set()
        assert {*result} == shown - ({"bleu"} if others else set()) | others


def test_unrelated_texts_score_what_the_card_says():
    for part in ("translations", "summaries"):
        hyps, refs = sample.columns(part)
        shifted = textgauge.chrf([*hyps[1:], hyps[0]], [texts[0] for texts in refs])["chrf"]
        assert 14.5 < shifted < 20.5


def test_no_time_in_a_table_is_below_zero():
    tables = (ROOT / "comparisons" / "README.md").read_text("utf-8")
    assert "CPU us per row" in tables
    assert re.findall(r"\| -[\d.]+ \|", tables) == []
