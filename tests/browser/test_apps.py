"""The page of every metric and comparison in a real browser."""

import importlib.util
import subprocess
import sys
from contextlib import contextmanager

import pytest
import textgauge
from conftest import ROOT
from textgauge import sample

from .finding import CONTRAST, EVERYTHING, Keys, WebDriverWait, all_of, listed, one, texts

pytestmark = pytest.mark.slow

# Gradio takes seconds to import, and only the process of the pages uses it.
if importlib.util.find_spec("gradio") is None:
    pytest.skip("no Gradio: pip install -e '.[app]'", allow_module_level=True)
HOSTILE = (
    "<img src=x onerror='window.broken=1;parent.broken=1'> \"></iframe></style></div>"
    "<script>window.broken=2;parent.broken=2</script> ${7*7} {{7*7}} &lt; the cat"
)


@pytest.fixture
def app(browser, addresses):
    """Open the page of a module and wait until it can be used; a page draws its parts one by one."""

    def call(name):
        browser.get(addresses[name])
        until(browser, lambda: all(all_of(browser, part) for part in ("textarea", "#score", "#example", "#result")))
        return browser

    return call


def until(browser, found):
    return WebDriverWait(browser, 20).until(lambda _: found())


def fill(browser, side, text):
    box = one(browser, f"#{side} textarea")
    # WebDriver's `clear` sends no event of input to the page.
    box.send_keys(Keys.CONTROL + "a" + Keys.NULL + Keys.DELETE + text)


def example(browser, *sides):
    one(browser, "#example").click()
    until(browser, lambda: all(one(browser, f"#{side} textarea").get_attribute("value") for side in sides))


def open_all(browser, *titles):
    for button in until(browser, lambda: all_of(browser, "button.label-wrap")):
        if button.text.startswith(titles):
            button.click()


def score(browser):
    """Press Score and wait for the result or a message."""
    browser.execute_script("document.querySelector('#result iframe, #result .message')?.remove()")
    one(browser, "#score").click()
    until(browser, lambda: all_of(browser, "#result iframe, #result [role=alert]"))


@contextmanager
def result(browser):
    """The page of the result, until the end of the block."""
    browser.switch_to.frame(one(browser, "#result iframe"))
    until(browser, lambda: all_of(browser, "#list > li, .segments > li"))
    yield browser
    browser.switch_to.default_content()


def test_typed_clicked_and_read(app):
    browser = app("bleu")
    hyps, refs = ["the cat sat on a mat", "the dog is here"], ["the cat sat on the mat", "the dog is here"]
    fill(browser, "predictions", "\n".join(hyps))
    fill(browser, "references", "\n".join(refs))
    score(browser)
    with result(browser):
        assert texts(browser, "#score-0") == [f"{textgauge.bleu(hyps, refs)['bleu']:.4f}"]
        assert textgauge.Bleu().update(["a"], ["a"]).signature in one(browser, "footer").text
        assert texts(browser, ".segments mark.m4")[0].startswith("the cat sat on")
        assert texts(browser, ".last .figure")[0] == texts(browser, "#score-0")[0]
        assert texts(browser, "h1") == ["textgauge · BLEU"]
    fill(browser, "predictions", "\n".join(hyps * 5))
    fill(browser, "references", "\n".join(refs * 5))
    score(browser)
    with result(browser):
        assert "95% interval" in one(browser, ".interval").text
        assert len(listed(browser)) == 10
        # A link inside of the page leads to a place in it.
        browser.execute_script("document.querySelector('.skip').click()")
        assert until(browser, lambda: browser.execute_script("return scrollY")) > 0
        assert texts(browser, "h1") == ["BLEU"]


def test_example_and_shown_matches_of_rouge(app):
    browser = app("rouge")
    example(browser, "predictions", "references")
    hyps, refs = sample.columns("summaries")
    lines = [" ".join(text.split()) for text in hyps], [[" ".join(t.split()) for t in several] for several in refs]
    expected = textgauge.rouge(*lines)
    score(browser)
    assert texts(browser, "#result [role=status]")[0].startswith("rougeLsum equals rougeL here")
    with result(browser):
        assert texts(browser, "#score-0") == [f"{expected['rouge1']:.4f}"]
    all_of(browser, "#shown input[type=radio]")[2].click()

    def is_shown():
        with result(browser):
            return texts(browser, "h1") == ["ROUGE-L"] and texts(browser, "#score-0") == [f"{expected['rougeL']:.4f}"]

    until(browser, is_shown)


def test_two_systems(app):
    browser, sides = app("paired_permutation"), ("predictions1", "predictions2", "references")
    example(browser, *sides)
    columns = {side: one(browser, f"#{side} textarea").get_attribute("value").split("\n") for side in sides}
    columns["references"] = [line.split("\t") for line in columns["references"]]
    module = textgauge.load("paired_permutation", module_type="comparison")
    score(browser)
    with result(browser):
        assert texts(browser, "#score-1") == [f"{module.compute(**columns)['score2']:.2f}"]
    expected = module.compute(metric="bleu", **columns)
    radios = {radio.get_attribute("value"): radio for radio in all_of(browser, "#shown input[type=radio]")}
    radios["bleu"].click()
    until(browser, lambda: radios["bleu"].is_selected())
    score(browser)
    with result(browser):
        assert texts(browser, "#score-1") == [f"{expected['score2']:.4f}"]
        assert texts(browser, ".difference") == [f"+{expected['stat']:.4f} better"]
        assert texts(browser, "td.p") == [f"{expected['p']:.4f}"]


def test_uploaded_files(app, tmp_path):
    (tmp_path / "hyp.txt").write_text("a cat sat down here\n")
    (tmp_path / "ref.jsonl").write_text('{"reference": ["a cat sat down there", "one cat"]}\n')
    browser = app("bleu")
    open_all(browser, "Upload")
    for side, name in (("predictions_file", "hyp.txt"), ("references_file", "ref.jsonl")):
        [box] = until(browser, lambda side=side: all_of(browser, f"#{side} input[type=file]"))
        box.send_keys(str(tmp_path / name))
        until(browser, lambda side=side, name=name: name.partition(".")[0] in one(browser, f"#{side}").text)
    expected = textgauge.bleu(["a cat sat down here"], [["a cat sat down there", "one cat"]])["bleu"]
    score(browser)
    with result(browser):
        assert texts(browser, "#score-0") == [f"{expected:.4f}"]


def test_options_and_scale(app):
    browser = app("chrf")
    open_all(browser, "Options", "More options")
    until(browser, lambda: one(browser, "#word_order input").is_displayed())
    one(browser, "#word_order input").send_keys(Keys.CONTROL + "a" + Keys.NULL + "2")
    fill(browser, "predictions", "the cat sat")
    fill(browser, "references", "the cat sits")
    score(browser)
    expected = textgauge.load("chrf").compute(predictions=["the cat sat"], references=["the cat sits"], word_order=2)
    with result(browser):
        assert texts(browser, "#score-0") == [f"{expected['score']:.2f}"]
        assert texts(browser, ".last .figure") == [f"{expected['score']:.2f}"]
        assert "|nw:2|" in one(browser, "footer").text


def test_errors_are_text(app):
    browser = app("bleu")
    fill(browser, "predictions", "one\ntwo")
    fill(browser, "references", "one")
    score(browser)
    assert texts(browser, "#result [role=alert]") == ["references: expected as many segments as predictions (2), got 1"]
    open_all(browser, "More options")
    fill_in = until(browser, lambda: all_of(browser, "#smooth_value input, #smooth_value textarea"))[0]
    fill_in.send_keys(HOSTILE)
    score(browser)
    assert HOSTILE.replace("'", "\\'") in texts(browser, "#result [role=alert]")[0]
    assert browser.execute_script("return window.broken") is None


def test_hostile_text_is_shown_and_never_run(app):
    browser = app("bleu")
    fill(browser, "predictions", HOSTILE)
    fill(browser, "references", HOSTILE)
    score(browser)
    with result(browser):
        assert texts(browser, "#score-0") == ["1.0000"]
        assert set(texts(browser, ".segments .text")) == {HOSTILE}
        assert browser.execute_script("return window.broken") is None
        # The frame has an origin of its own: what would run there could not reach the page around it.
        assert browser.execute_script("return origin") == "null"
    assert browser.execute_script("return window.broken") is None


def test_nothing_is_fetched_from_elsewhere(app, addresses):
    browser = app("rouge")
    example(browser, "predictions", "references")
    score(browser)
    script = "return performance.getEntriesByType('resource').map(e => e.name)"
    fetched = browser.execute_script(script)
    assert [name for name in fetched if not name.startswith((addresses["rouge"], "data:", "blob:"))] == []
    with result(browser):
        assert browser.execute_script(script) == []


@pytest.mark.parametrize("name", ["bleu", "perplexity"])
def test_columns_on_phone(app, name, browser, window):
    window(390)
    app(name)
    open_all(browser, "Options", "More options")
    sides = ("predictions", "references" if name == "bleu" else "ngram_train")
    example(browser, *sides)
    score(browser)
    left, right = (one(browser, f"#{side}").rect for side in sides)
    assert left["x"] == right["x"]
    assert left["width"] > 300
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
    # WCAG 2.2, criterion 1.4.3: what is typed over, and hints.
    assert browser.execute_script(CONTRAST.replace(EVERYTHING, "#component-0 *, .form *, #result *")) >= 4.5
    assert one(browser, "#result iframe").rect["width"] > 300
    with result(browser):
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")


def test_without_gradio():
    code = "import sys; sys.modules['gradio'] = None\nfrom textgauge.apps import page\npage('metrics/bleu')"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60, check=False)
    assert 'pip install "textgauge[app]"' in done.stderr.splitlines()[-1]
