"""The page of `textgauge explain` in a real browser."""

import base64
import random
import re
import time

import pytest
import textgauge
from click.testing import CliRunner
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from textgauge import sample
from textgauge.cli.main import main

HOSTILE = (
    "<script>window.broken = 1</script> the cat",
    "</script><script>window.broken = 2</script> the cat",
    '<img src="x" onerror="window.broken = 3"> the cat',
    "<!--<script> the cat -->",
    "<svg onload=window.broken=4> &lt;b&gt; &amp; the cat",
    "{{ 7 * 7 }} {% raw %} ${7*7} the cat",
    "\u202egnirts eht cat\u2066 \u2028\u2029 \u0000\ufeff the cat",
    "\"'`\\ \\u003cscript> ]]> the cat",
    "\U0001f469\u200d\U0001f4bb the cat \U00020bb7 café cafe\u0301",
    "",
)


def write(path, lines):
    path.write_text("".join(line + "\n" for line in lines), "utf-8")
    return path


@pytest.fixture
def page(browser, tmp_path):
    """Write a page and open it."""

    def call(systems, references, *flags):
        files = [flag for i, lines in enumerate(systems) for flag in ("-p", write(tmp_path / f"{i}.txt", lines))]
        arguments = [*files, "-r", write(tmp_path / "ref.txt", references), "-o", tmp_path / "report.html", *flags]
        done = CliRunner().invoke(main, ["explain", *map(str, arguments)], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        browser.get((tmp_path / "report.html").as_uri())
        return browser

    return call


def one(browser, selector):
    return browser.find_element(By.CSS_SELECTOR, selector)


def all_of(browser, selector):
    return browser.find_elements(By.CSS_SELECTOR, selector)


def listed(browser):
    return [int(node.get_attribute("data-segment")) for node in all_of(browser, "#list > li")]


def texts(browser, selector):
    return browser.execute_script(f"return [...document.querySelectorAll('{selector}')].map(n => n.textContent)")


@pytest.fixture
def translations():
    hyps, refs = sample.columns("translations")
    return hyps, [texts[0] for texts in refs]


def test_hostile_text_is_shown_and_never_run(page):
    name = "</title><script>window.broken = 5</script>"
    browser = page(
        [HOSTILE, HOSTILE[::-1]], HOSTILE, "-m", "rouge1", "--tokenizer", "unicode", "--name", name,
        "--name", '" onmouseover="window.broken=6',
    )  # fmt: skip
    time.sleep(0.2)
    assert browser.execute_script("return window.broken") is None
    # Nothing of the texts became an element: the page's own program and its two blocks of data are all.
    assert len(all_of(browser, "script")) == 3
    assert all_of(browser, "img, iframe, object, embed, link, base, #list svg[onload]") == []
    shown = browser.execute_script("return [...document.querySelectorAll('.text')].map(n => n.textContent)")
    expected = [text or "empty text" for text in HOSTILE]
    assert sorted(set(shown)) == sorted(expected)
    assert name in texts(browser, ".card h3")
    assert browser.get_log("browser") == []


def test_policy_of_the_page_stops_what_would_get_in(page, translations):
    browser = page([translations[0]], translations[1], "-m", "bleu")
    browser.execute_script(
        "const s = document.createElement('script'); s.textContent = 'window.broken = 1'; document.body.append(s);"
        "const i = document.createElement('img'); i.setAttribute('onerror', 'window.broken = 2');"
        "i.src = 'https://example.org/x.png'; document.body.append(i);"
    )
    time.sleep(0.3)
    assert browser.execute_script("return window.broken") is None
    assert "Content Security Policy" in str(browser.get_log("browser"))


def test_nothing_is_fetched(page, translations):
    browser = page([translations[0]], translations[1], "-m", "rouge2")
    assert browser.execute_script("return performance.getEntriesByType('resource').map(e => e.name)") == []
    assert browser.get_log("browser") == []


def test_score_and_interval_are_those_of_the_library(page, translations):
    browser = page([translations[0]], translations[1], "-m", "bleu", "--confidence", "0.9")
    result = textgauge.bleu(*translations, confidence=0.9, seed=12345)
    low, high = result["confidence_interval"]
    assert one(browser, "#score-0").text == f"{result['bleu']:.4f}"
    assert one(browser, ".interval").text == f"90% interval {low:.4f} to {high:.4f}"
    facts = dict(zip(texts(browser, "dt"), texts(browser, "dd"), strict=True))
    assert facts["1-gram precision"].strip() == f"{result['precisions'][0]:.4f}"


def test_matched_words_are_marked_in_both_texts(page):
    browser = page([["the cat sat on a mat"]], ["a cat sat on the mat"], "-m", "rouge2")
    assert texts(browser, ".prediction .m3") == ["cat sat on"]
    assert texts(browser, ".reference .m3") == ["cat sat on"]
    assert texts(browser, ".prediction .m1") == ["the", "a", "mat"]
    assert "3 of 6 tokens match" in one(browser, ".prediction .numbers").text
    browser = page([["the cat sat on a mat"]], ["a cat sat on the mat"], "-m", "rougeL")
    assert texts(browser, ".prediction .common") == ["cat", "sat", "on", "mat"]
    line = one(browser, ".prediction .common").value_of_css_property("text-decoration-line")
    assert line == "underline"


def test_sorted_searched_and_paged(page, translations):
    hyps, refs = ([f"{text} n{i}" for i in range(3) for text in side] for side in translations)
    browser = page([hyps], refs, "-m", "rouge1")
    scores = textgauge.rouge(hyps, refs, rouge_types=["rouge1"], use_aggregator=False)["rouge1"]
    worst = sorted(range(72), key=lambda i: scores[i])
    assert listed(browser)[0] == worst[0] + 1
    assert one(browser, "#status").text == "1 to 25 of 72 segments"
    Select(one(browser, "#sort")).select_by_value("best")
    assert scores[listed(browser)[0] - 1] == max(scores)
    Select(one(browser, "#sort")).select_by_value("file")
    one(browser, "#next").click()
    assert listed(browser) == list(range(26, 51))
    one(browser, "#search").send_keys("FERRY n2")
    wanted = [i + 1 for i in range(72) if "ferry" in (hyps[i] + refs[i]).lower() and "n2" in hyps[i]]
    assert listed(browser) == wanted
    assert one(browser, "#status").text == f"1 to {len(wanted)} of {len(wanted)} segment{'s' * (len(wanted) > 1)}"
    one(browser, "#search").clear()
    one(browser, "#search").send_keys("nothing has this")
    assert listed(browser) == []
    assert one(browser, "#status").text == "0 segments"


def test_a_bar_lists_its_segments(page, translations):
    browser = page([translations[0]], translations[1], "-m", "rouge1")
    scores = textgauge.rouge(*translations, rouge_types=["rouge1"], use_aggregator=False)["rouge1"]
    bars = all_of(browser, ".bin[role=button]")
    bars[-1].click()
    assert sorted(listed(browser)) == [i + 1 for i, score in enumerate(scores) if score >= 0.95]
    assert bars[-1].get_attribute("aria-pressed") == "true"
    one(browser, "#clear").click()
    assert len(listed(browser)) == 24


def test_keyboard_alone(page, translations):
    hyps, refs = (side * 3 for side in translations)
    browser = page([hyps], refs, "-m", "rouge1")
    body = one(browser, "body")
    body.send_keys("n")
    assert one(browser, "#page").text == "Page 2 of 3"
    body.send_keys("p")
    assert one(browser, "#page").text == "Page 1 of 3"
    body.send_keys("/")
    assert browser.switch_to.active_element.get_attribute("id") == "search"
    browser.switch_to.active_element.send_keys("ferry n p")
    assert one(browser, "#search").get_attribute("value") == "ferry n p"
    browser.switch_to.active_element.clear()
    one(browser, ".bin[role=button]:last-of-type").send_keys(Keys.ENTER)
    assert one(browser, "#clear").is_displayed()


def test_systems_side_by_side(page, translations):
    hyps, refs = translations
    browser = page([hyps, refs], refs, "-m", "bleu", "--name", "ours", "--name", "perfect")
    assert texts(browser, ".card h3 bdi") == ["ours", "perfect"]
    assert one(browser, "#score-1").text == "1.0000"
    assert len(all_of(browser, "#list > li:first-child .prediction")) == 2
    Select(one(browser, "#sort")).select_by_value("apart")
    scores = textgauge.bleu(hyps, refs, per_segment=True)["segment_bleu"]
    assert scores[listed(browser)[0] - 1] == min(scores)
    Select(one(browser, "#system")).select_by_value("1")
    assert texts(browser, "#list > li:first-child .reference mark") == [refs[listed(browser)[0] - 1]]


def test_five_thousand_segments_open_smoothly(page, translations):
    generator = random.Random(7)
    hyps, refs = (list(side) * 209 for side in translations)
    hyps = [" ".join(generator.sample(text.split(), len(text.split()))) for text in hyps]
    browser = page([hyps[:5000]], refs[:5000], "-m", "rouge2")
    timing = browser.execute_script("return performance.getEntriesByType('navigation')[0].toJSON()")
    assert timing["loadEventEnd"] < 3000
    took = browser.execute_script(
        "const s = document.getElementById('search'); s.value = 'island'; const t = performance.now();"
        "s.dispatchEvent(new Event('input')); return performance.now() - t"
    )
    assert took < 1000
    assert re.fullmatch(r"1 to 25 of [\d,]+ segments", one(browser, "#status").text)


def background(browser):
    return one(browser, "body").value_of_css_property("background-color")


def test_dark_and_light(page, translations, browser):
    page([translations[0]], translations[1], "-m", "bleu")
    light = background(browser)
    one(browser, "#theme").click()
    dark = background(browser)
    assert dark != light
    browser.refresh()
    dark_by_system = [{"name": "prefers-color-scheme", "value": "dark"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": dark_by_system})
    assert background(browser) == dark
    one(browser, "#theme").click()
    assert background(browser) == light


CONTRAST = """
const channel = (v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
const light = (rgb) => [0.2126, 0.7152, 0.0722].reduce((s, w, i) => s + w * channel(rgb[i] / 255), 0);
const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
function behind(node) {
  for (; node; node = node.parentElement) {
    const c = rgb(getComputedStyle(node).backgroundColor);
    if (c.length === 3 || c[3] > 0) return c;
  }
  return [255, 255, 255];
}
let worst = 99;
for (const node of document.querySelectorAll('main *, header *, footer *')) {
  const own = [...node.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim());
  if (!own || node.ownerSVGElement || !node.getClientRects().length || node.disabled) continue;
  const [a, b] = [light(rgb(getComputedStyle(node).color)), light(behind(node))].sort((x, y) => y - x);
  worst = Math.min(worst, (a + 0.05) / (b + 0.05));
}
return worst
"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(page, translations, browser, theme):
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    )
    page([translations[0]], translations[1], "-m", "bleu")
    # WCAG 2.2, criterion 1.4.3.
    assert browser.execute_script(CONTRAST) >= 4.5


def test_every_control_has_a_name_and_headings_have_an_order(page, translations):
    browser = page([translations[0], translations[1]], translations[1], "-m", "bleu")
    for control in all_of(browser, "button, input, select, [role=button], svg[role]"):
        if control.is_displayed():
            assert control.accessible_name, control.get_attribute("outerHTML")
    levels = [int(node.tag_name[1]) for node in all_of(browser, "h1, h2, h3")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_page_is_wider_than_its_window(page, translations, browser, width):
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    )
    hyps = ["x" * 500, *translations[0][1:]]
    page([hyps, translations[1]], translations[1], "-m", "rougeL")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width


def test_printed_without_controls(page, translations, browser):
    page([translations[0]], translations[1], "-m", "bleu")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not one(browser, "#controls").is_displayed()
    assert one(browser, "#list").is_displayed()
    pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {})["data"])
    assert pdf.startswith(b"%PDF")
