"""The page of every metric, `app.py` beside its module, in a real browser."""

import importlib.util
import subprocess
import sys
import time

import pytest
import textgauge
from conftest import ROOT
from textgauge import sample
from textgauge.locations import METRICS

from .finding import CONTRAST, EVERYTHING, Keys, WebDriverWait, all_of, one, texts

pytestmark = pytest.mark.slow

# Gradio takes seconds to import, and only the process of the pages uses it.
if importlib.util.find_spec("gradio") is None:
    pytest.skip("no Gradio: pip install -e '.[app]'", allow_module_level=True)
HOSTILE = "<img src=x onerror='window.broken=1'> </style></div><script>window.broken=2</script> ${7*7} {{7*7}} the cat"


@pytest.fixture
def app(browser, addresses):
    """Open the page of a metric and wait until it can be used."""

    def call(name):
        browser.get(addresses[name])
        until(browser, lambda: is_drawn(browser, "#predictions textarea"))
        return browser

    return call


def is_drawn(browser, box):
    """Whether the parts that tests use first are there; a page draws its parts one by one."""
    return all(all_of(browser, part) for part in (box, "#score", "#example"))


def until(browser, found):
    return WebDriverWait(browser, 20).until(lambda _: found())


def fill(browser, side, text):
    box = one(browser, f"#{side} textarea")
    # WebDriver's `clear` sends no event of input to the page.
    box.send_keys(Keys.CONTROL + "a" + Keys.NULL + Keys.DELETE + text)


def scored(browser):
    """Press Score and return the score shown."""
    browser.execute_script("document.querySelector('#result .textgauge')?.remove()")
    one(browser, "#score").click()
    until(browser, lambda: all_of(browser, "#result .textgauge"))
    return "".join(texts(browser, "#textgauge-score"))


def test_typed_clicked_and_read(app):
    browser = app("bleu")
    fill(browser, "predictions", "the cat sat on a mat\nthe dog is here")
    fill(browser, "references", "the cat sat on the mat\nthe dog is here")
    expected = textgauge.bleu(
        ["the cat sat on a mat", "the dog is here"], ["the cat sat on the mat", "the dog is here"]
    )
    assert scored(browser) == f"{expected['bleu']:.4f}"
    assert texts(browser, "#result .value")[:4] == [f"{value:.4f}" for value in expected["precisions"]]
    assert "95% interval" in one(browser, "#result .interval").text
    signature = textgauge.Bleu().update(["a"], ["a"]).signature
    assert one(browser, "#textgauge-signature").text == signature
    assert texts(browser, "#result .prediction mark.m4")[0].startswith("the cat sat on")


def test_example_and_shown_matches_of_rouge(app):
    browser = app("rouge")
    one(browser, "#example").click()
    until(browser, lambda: one(browser, "#predictions textarea").get_attribute("value"))
    hyps, refs = sample.columns("summaries")
    lines = [" ".join(text.split()) for text in hyps], [[" ".join(t.split()) for t in several] for several in refs]
    expected = textgauge.rouge(*lines)
    assert scored(browser) == f"{expected['rouge1']:.4f}"
    all_of(browser, "#shown input[type=radio]")[2].click()
    until(browser, lambda: "".join(texts(browser, "#textgauge-score")) == f"{expected['rougeL']:.4f}")
    line = one(browser, "#result .common").value_of_css_property("text-decoration-line")
    assert line == "underline"


def test_answers_with_several_references(app):
    browser = app("token_f1")
    browser.execute_script(
        "const set = (id, text) => { const box = document.querySelector(`#${id} textarea`); box.value = text;"
        "box.dispatchEvent(new Event('input', {bubbles: true})); };"
        "set('predictions', 'in 1889'); set('references', '1889\\tthe year 1889');"
    )
    assert scored(browser) == "0.6667"
    assert texts(browser, "#result .badge") == ["scored"]


def test_words_that_surprise_an_ngram_model(app):
    browser = app("perplexity")
    learned = ["a b c a b c a b", "c a b c a b c a"]
    fill(browser, "predictions", "a b c zebra")
    fill(browser, "references", "\n".join(learned))
    model = textgauge.NgramModel(3).fit(learned)
    assert scored(browser) == f"{model.score(['a b c zebra'])['corpus_perplexity']:.4f}"
    assert texts(browser, "#result .prediction mark") == ["zebra"]
    fill(browser, "references", "")
    assert scored(browser) == ""
    assert "the name of a language model, or else texts to learn from" in "".join(
        texts(browser, "#result [role=alert]")
    )


def test_uploaded_files(app, tmp_path):
    (tmp_path / "hyp.txt").write_text("a cat sat down here\n")
    (tmp_path / "ref.jsonl").write_text('{"reference": ["a cat sat down there", "one cat"]}\n')
    browser = app("bleu")
    until(browser, lambda: all_of(browser, "#files button.label-wrap"))[0].click()
    for side, name in (("prediction_file", "hyp.txt"), ("reference_files", "ref.jsonl")):
        until(browser, lambda side=side: all_of(browser, f"#{side} input[type=file]"))[0].send_keys(
            str(tmp_path / name)
        )
        until(browser, lambda name=name: name.partition(".")[0] in one(browser, "body").text)
    time.sleep(0.5)
    expected = textgauge.bleu(["a cat sat down here"], [["a cat sat down there", "one cat"]])["bleu"]
    assert scored(browser) == f"{expected:.4f}"


def test_invalid_input_is_reported_on_the_page(app):
    browser = app("bleu")
    fill(browser, "predictions", "one\ntwo")
    fill(browser, "references", "one")
    assert scored(browser) == ""
    (message,) = texts(browser, "#result [role=alert]")
    assert message == "references: expected as many segments as predictions (2), got 1"


def test_hostile_text_is_shown_and_never_run(app):
    browser = app("bleu")
    fill(browser, "predictions", HOSTILE)
    fill(browser, "references", HOSTILE)
    assert scored(browser) == "1.0000"
    assert browser.execute_script("return window.broken") is None
    assert texts(browser, "#result .prediction .text") == [HOSTILE]


def test_nothing_is_fetched_from_elsewhere(app, addresses):
    browser = app("rouge")
    fetched = browser.execute_script("return performance.getEntriesByType('resource').map(e => e.name)")
    assert [name for name in fetched if not name.startswith((addresses["rouge"], "data:", "blob:"))] == []


def test_options_are_set_and_the_scale_is_that_of_the_module(app):
    browser = app("chrf")
    for button in until(browser, lambda: all_of(browser, "button.label-wrap")):
        if button.text.startswith("Options"):
            button.click()
    until(browser, lambda: one(browser, "#word_order input").is_displayed())
    one(browser, "#word_order input").send_keys(Keys.CONTROL + "a" + Keys.NULL + "2")
    fill(browser, "predictions", "the cat sat")
    fill(browser, "references", "the cat sits")
    expected = textgauge.chrf(["the cat sat"], ["the cat sits"], word_order=2)["chrf"]
    assert scored(browser) == f"{100 * expected:.2f}"
    assert "|nw:2|" in one(browser, "#textgauge-signature").text


@pytest.mark.parametrize("name", ["bleu", "perplexity"])
def test_one_column_on_a_phone_and_hints_that_can_be_read(app, name, browser):
    phone = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    app(name)
    for button in until(browser, lambda: all_of(browser, "button.label-wrap")):
        if "ptions" in button.text:
            button.click()
    one(browser, "#example").click()
    until(browser, lambda: one(browser, "#predictions textarea").get_attribute("value"))
    scored(browser)
    left, right = (one(browser, f"#{side}").rect for side in ("predictions", "references"))
    assert left["x"] == right["x"]
    assert left["width"] > 300
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
    # WCAG 2.2, criterion 1.4.3: what is typed over, and hints.
    assert browser.execute_script(CONTRAST.replace(EVERYTHING, "#component-0 *, .form *, #result *")) >= 4.5


@pytest.mark.parametrize("name", [name for name in METRICS if (ROOT / "metrics" / name / "README.md").exists()])
def test_cards_are_front_pages_of_a_space(name):
    card = (ROOT / "metrics" / name / "README.md").read_text("utf-8")
    front = card.split("---\n")[1]
    for line in ("sdk: gradio", "app_file: app.py", "- evaluate", "- metric", "title: "):
        assert f"\n{line}" in f"\n{front}"
    assert (ROOT / "metrics" / name / "requirements.txt").read_text().startswith("textgauge[app")


def test_without_gradio_the_error_says_what_to_install():
    code = "import sys; sys.modules['gradio'] = None\nfrom textgauge.apps import page\npage('metrics/bleu')"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60, check=False
    )
    assert 'pip install "textgauge[app]"' in done.stderr.splitlines()[-1]
