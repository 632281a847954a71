"""The page of every comparison, `app.py` in its folder: its results, and once in a real browser."""

import re

import pytest
import textgauge
from conftest import ROOT
from textgauge.apps import comparison
from textgauge.locations import COMPARISONS

from .finding import one, texts
from .test_apps import HOSTILE, fill, is_drawn, scored, until

FIRST = ["a dog barks", "a cat sits here", "it rains", "who knows what", "she read", "we were too late"]
SECOND = ["the dog barks", "a cat sat here", "it will rain", "who knows", "she reads", "we is late"]
REFERENCES = ["the dog barks", "a cat sat here", "it will rain", "who knows what", "she reads", "we are late"]
TEXTS = tuple(map("\n".join, (FIRST, SECOND, REFERENCES)))


@pytest.fixture(params=COMPARISONS)
def name(request):
    return request.param


@pytest.fixture
def answer(name):
    """What the page shows for texts, a score and options, without its style."""
    face = textgauge.load(name, module_type="comparison")
    defaults = {option: choice.default for option, choice in comparison.inputs_of_test(name).items()}

    def call(columns=TEXTS, metric="rouge1", **options):
        html = comparison.comparison_of(face, columns, metric, defaults | options)
        return re.sub("<style>.*?</style>", "", html, flags=re.DOTALL)

    return call


def expected(name, **options):
    columns = {"predictions1": FIRST, "predictions2": SECOND, "references": REFERENCES}
    return textgauge.load(name, module_type="comparison").compute(**columns, **options)


@pytest.mark.parametrize("metric", comparison.SCORES)
@pytest.mark.filterwarnings("ignore:two systems differ in only")
def test_the_answer_has_the_figures_of_the_module(name, answer, metric):
    html, result = answer(metric=metric), expected(name, metric=metric)
    assert f'id="textgauge-score">{result["stat"]:+.4f}<' in html
    digits = {"paired_bootstrap": 4, "paired_permutation": 5}[name]
    assert f'id="textgauge-p">{result["p"]:.{digits}f}<' in html
    for i in (1, 2):
        low, high = result[f"confidence_interval{i}"]
        assert f"{result[f'score{i}']:.4f}, 95% interval {low:.4f} to {high:.4f}" in html
    low, high = result["confidence_interval"]
    assert f"{low:+.4f} to {high:+.4f}" in html


def test_options_reach_the_module(name, answer):
    options = {"n_resamples": 200, "seed": 7, "p_value": "one-sided"}
    result = expected(name, metric="rouge1", metric_options={"tokenizer": "character"}, **options)
    html = answer(tokenizer="character", **options)
    assert f'id="textgauge-score">{result["stat"]:+.4f}<' in html
    assert f'id="textgauge-p">{result["p"]:.3f}<' in html
    assert "p, one-sided" in html


def test_warnings_are_shown_above_the_result(answer):
    html = answer(tuple("\n".join(column[:3]) for column in (FIRST, SECOND, REFERENCES)))
    assert re.search('role="status">two systems differ in only 3 segments', html)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (("", "a", "a"), "First system: expected at least one line of text"),
        (("a", "", "a"), "Second system: expected at least one line of text"),
        (("a", "a", ""), "references: expected at least one line of text"),
        (("a\nb", "a", "a\nb"), "predictions2: expected as many segments as the first system"),
        (("a", "b", "a"), "at least 2"),
    ],
)
def test_invalid_comparisons_show_the_reason(answer, columns, message):
    with pytest.raises(ValueError, match=message):
        answer(columns)


def test_a_page_is_for_a_comparison():
    with pytest.raises(ValueError, match="folder: expected one of paired_bootstrap, paired_permutation, got bleu"):
        comparison.comparison_page(ROOT / "metrics" / "bleu")


def test_cards_are_front_pages_of_a_space(name):
    folder = ROOT / "comparisons" / name
    front = (folder / "README.md").read_text("utf-8").split("---\n")[1]
    for line in ("sdk: gradio", "app_file: app.py", "- evaluate", "- comparison", f"title: {comparison.TITLES[name]}"):
        assert f"{line}\n" in front
    assert (folder / "requirements.txt").read_text() == "textgauge[app]\n"


@pytest.fixture
def app(browser, name, addresses):
    """The page in the browser, from its own `app.py`."""
    browser.get(addresses[name])
    until(browser, lambda: is_drawn(browser, "#predictions1 textarea"))
    return browser


@pytest.mark.slow
def test_typed_clicked_and_read(app, name):
    one(app, "#example").click()
    until(app, lambda: one(app, "#predictions2 textarea").get_attribute("value"))
    first, second, references = comparison._example()
    columns = {"predictions1": first.split("\n"), "predictions2": second.split("\n")}
    module = textgauge.load(name, module_type="comparison")
    result = module.compute(**columns, references=[line.split("\t") for line in references.split("\n")])
    assert scored(app) == f"{result['stat']:+.4f}"
    assert len(texts(app, "#result .system")) == 2
    for side in ("predictions1", "predictions2", "references"):
        fill(app, side, f"{HOSTILE}\n{HOSTILE}")
    assert scored(app) == "+0.0000"
    assert app.execute_script("return window.broken") is None
