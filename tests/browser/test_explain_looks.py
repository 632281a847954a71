"""The page of `textgauge explain`: contrast, sizes of windows, print."""

import base64

import pytest
import textgauge

from .finding import CONTRAST, all_of, one

pytestmark = pytest.mark.slow


def background(browser):
    return one(browser, "body").value_of_css_property("background-color")


def test_dark_and_light(page, translations, browser):
    page([translations[0]], translations[1], "bleu")
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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_has_enough_contrast_with_its_background(page, translations, browser, theme):
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    )
    page([translations[0]], translations[1], "bleu")
    # WCAG 2.2, criterion 1.4.3.
    assert browser.execute_script(CONTRAST) >= 4.5


def test_every_control_has_a_name_and_headings_have_an_order(page, translations):
    browser = page([translations[0], translations[1]], translations[1], "bleu")
    for control in all_of(browser, "button, input, select, [role=button], svg[role]"):
        if control.is_displayed():
            assert control.accessible_name, control.get_attribute("outerHTML")
    levels = [int(node.tag_name[1]) for node in all_of(browser, "h1, h2, h3")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))


PAIR = "the cat sat on the mat", "the cat is on the mat today"


@pytest.mark.parametrize(("metric", "height"), [("bleu", 1500), ("chrf", 1400), ("ter", 1200), ("token_f1", 1250)])
def test_the_page_of_one_pair_is_short_on_a_phone(page, browser, metric, height):
    phone = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    page([[PAIR[0]]], [PAIR[1]], metric)
    # It took 2,836 pixels, most of them for distributions of one number.
    assert browser.execute_script("return document.documentElement.scrollHeight") <= height
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
    assert all_of(browser, "svg, button, .card") == []
    assert one(browser, ".segments").rect["y"] < 400 < one(browser, ".steps").rect["y"] + 100


@pytest.mark.parametrize("n_segments", [1, 24])
def test_names_with_a_hyphen_stay_on_one_line(page, translations, browser, n_segments):
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 320, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    )
    page([translations[0][:n_segments]], translations[1][:n_segments], "rouge1", "rougeL", "rougeLsum")
    names = all_of(browser, "h1 .whole, h2 .whole, .steps .whole")
    assert {"ROUGE-1,", "ROUGE-L,", "ROUGE-Lsum"} <= {node.text for node in names}
    lines = "return [...document.querySelectorAll('.whole')].map(n => n.getClientRects().length)"
    assert {*browser.execute_script(lines)} == {1}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_short_page_has_contrast_and_an_order_of_headings(page, browser, theme):
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    )
    page([PAIR * 2, [*PAIR[::-1], *PAIR]], PAIR * 2, "bleu", "ter", "rougeL")
    assert browser.execute_script(CONTRAST) >= 4.5
    levels = [int(node.tag_name[1]) for node in all_of(browser, "h1, h2, h3")]
    assert (levels[0], levels.count(1)) == (1, 1)
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))


@pytest.mark.parametrize("n_segments", [1, 24])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_page_is_wider_than_its_window(page, translations, browser, width, n_segments):
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    )
    hyps = ["x" * 500, *translations[0][1:]]
    names = ["a-name-without-an-end" * 9, "W" * 150]
    systems = [hyps[:n_segments], translations[1][:n_segments]]
    page(systems, translations[1][:n_segments], "bleu", "chrf", "ter", names=names)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width


def test_printed_without_controls(page, translations, browser):
    page([translations[0]], translations[1], "bleu")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not one(browser, "#controls").is_displayed()
    assert one(browser, "#list").is_displayed()
    pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {})["data"])
    assert pdf.startswith(b"%PDF")


@pytest.mark.parametrize("width", [390, 1280])
def test_bars_of_facts_start_and_end_at_one_place(page, translations, browser, width):
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    )
    page([translations[0]], translations[1], "sacrebleu", "chrf")
    places = {(node.rect["x"], node.rect["width"]) for node in all_of(browser, "dd .meter")}
    assert len(places) == 1
    # With one system, half of the window would be empty beside its score.
    assert len(all_of(browser, "details[open]")) == 2


def test_figures_of_a_difference_wrap_on_a_phone_and_their_names_do_not(page, translations, browser):
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 320, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    )
    model = textgauge.NgramModel(1, "add-k", k=1e-9).fit(["the cat sat on the mat"])
    page([translations[0], translations[1]], None, "perplexity", model=model)
    assert len(one(browser, "td[data-label$=interval]").text) > 30
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 320
