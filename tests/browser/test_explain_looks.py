"""The page of `textgauge explain`: contrast, sizes of windows, print."""

import base64

import pytest
import textgauge

from .finding import CONTRAST, all_of, one

pytestmark = pytest.mark.slow
SCROLLED = "return document.documentElement.scrollWidth"


def background(browser):
    return one(browser, "body").value_of_css_property("background-color")


def test_dark_and_light(page, translations, browser, theme):
    page([translations[0]], translations[1], "bleu")
    light = background(browser)
    one(browser, "#theme").click()
    dark = background(browser)
    assert dark != light
    browser.refresh()
    theme("dark")
    assert background(browser) == dark
    one(browser, "#theme").click()
    assert background(browser) == light


PAIR = "the cat sat on the mat", "the cat is on the mat today"


@pytest.mark.parametrize("value", ["light", "dark"])
@pytest.mark.parametrize("is_short", [False, True])
def test_contrast_names_of_controls_and_the_order_of_headings(page, translations, browser, theme, value, is_short):
    theme(value)
    if is_short:
        page([PAIR * 2, [*PAIR[::-1], *PAIR]], PAIR * 2, "bleu", "ter", "rougeL")
    else:
        page([translations[0], translations[1]], translations[1], "bleu")
    # WCAG 2.2, criterion 1.4.3.
    assert browser.execute_script(CONTRAST) >= 4.5
    for control in all_of(browser, "button, input, select, [role=button], svg[role]"):
        assert not control.is_displayed() or control.accessible_name, control.get_attribute("outerHTML")
    levels = [int(node.tag_name[1]) for node in all_of(browser, "h1, h2, h3")]
    assert (levels[0], levels.count(1)) == (1, 1)
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))


@pytest.mark.parametrize(("metric", "height"), [("bleu", 1500), ("chrf", 1400), ("ter", 1200), ("token_f1", 1250)])
def test_the_page_of_one_pair_is_short_on_a_phone(page, browser, window, metric, height):
    window(390, mobile=True)
    page([[PAIR[0]]], [PAIR[1]], metric)
    # It took 2,836 pixels, most of them for distributions of one number.
    assert browser.execute_script("return document.documentElement.scrollHeight") <= height
    assert browser.execute_script(SCROLLED) <= 390
    assert all_of(browser, "svg, button, .card") == []
    assert one(browser, ".segments").rect["y"] < 400 < one(browser, ".steps").rect["y"] + 100


@pytest.mark.parametrize("n_segments", [1, 24])
def test_names_with_a_hyphen_stay_on_one_line(page, translations, browser, window, n_segments):
    window(320, mobile=True)
    page([translations[0][:n_segments]], translations[1][:n_segments], "rouge1", "rougeL", "rougeLsum")
    names = all_of(browser, "h1 .whole, h2 .whole, .steps .whole")
    assert {"ROUGE-1,", "ROUGE-L,", "ROUGE-Lsum"} <= {node.text for node in names}
    lines = "return [...document.querySelectorAll('.whole')].map(n => n.getClientRects().length)"
    assert {*browser.execute_script(lines)} == {1}


@pytest.mark.parametrize("n_segments", [1, 24])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_page_is_wider_than_its_window(page, translations, browser, window, width, n_segments):
    window(width)
    hyps = ["x" * 500, *translations[0][1:]]
    systems = [hyps[:n_segments], translations[1][:n_segments]]
    names = ["a-name-without-an-end" * 9, "W" * 150]
    page(systems, translations[1][:n_segments], "bleu", "chrf", "ter", names=names)
    assert browser.execute_script(SCROLLED) <= width


def test_printed_without_controls(page, translations, browser):
    page([translations[0]], translations[1], "bleu")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not one(browser, "#controls").is_displayed()
    assert one(browser, "#list").is_displayed()
    pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {})["data"])
    assert pdf.startswith(b"%PDF")


@pytest.mark.parametrize("width", [390, 1280])
def test_bars_of_facts_start_and_end_at_one_place(page, translations, browser, window, width):
    window(width)
    page([translations[0]], translations[1], "sacrebleu", "chrf")
    assert len({(node.rect["x"], node.rect["width"]) for node in all_of(browser, "dd .meter")}) == 1
    # With one system, half of the window would be empty beside its score.
    assert len(all_of(browser, "details[open]")) == 2


def test_figures_of_a_difference_wrap_on_a_phone_and_their_names_do_not(page, translations, browser, window):
    window(320)
    model = textgauge.NgramModel(1, "add-k", k=1e-9).fit(["the cat sat on the mat"])
    page([translations[0], translations[1]], None, "perplexity", model=model)
    assert len(one(browser, "td[data-label$=interval]").text) > 30
    assert browser.execute_script(SCROLLED) <= 320
