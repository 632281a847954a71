"""The page of `textgauge explain`: contrast, sizes of windows, print."""

import base64

import pytest
import textgauge

from .finding import CONTRAST, all_of, listed, one, texts

pytestmark = pytest.mark.slow
SCROLLED = "return document.documentElement.scrollWidth"


def background(browser):
    return one(browser, "body").value_of_css_property("background-color")


@pytest.mark.parametrize("n_segments", [1, 24])
def test_dark_and_light(page, translations, browser, theme, n_segments):
    page([translations[0][:n_segments]], translations[1][:n_segments], "bleu")
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
def test_contrast_names_and_headings(page, translations, browser, theme, value, is_short):
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
def test_pair_on_phone(page, browser, window, metric, height):
    window(390, mobile=True)
    page([[PAIR[0]]], [PAIR[1]], metric)
    # It took 2,836 pixels, most of them for distributions of one number.
    assert browser.execute_script("return document.documentElement.scrollHeight") <= height
    assert browser.execute_script(SCROLLED) <= 390
    assert all_of(browser, "svg, button, .card") == []
    assert one(browser, ".segments").rect["y"] < 400 < one(browser, ".steps").rect["y"] + 100


@pytest.mark.parametrize("n_segments", [1, 24])
def test_unbroken_names(page, translations, browser, window, n_segments):
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


@pytest.mark.parametrize("n_segments", [1, 3, 24])
def test_printed_page(page, translations, browser, theme, n_segments):
    hyps, refs = (side[:n_segments] for side in translations)
    theme("dark")
    page([hyps, refs], refs, "bleu", "ter")
    folded = "return [...document.querySelectorAll('details > :not(summary)')].map(n => n.checkVisibility())"
    assert False in browser.execute_script(folded) or n_segments == 1
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert {*browser.execute_script(folded)} == {True}
    assert background(browser) == "rgba(255, 255, 255, 1)"


def test_printed_list(page, translations, browser):
    hyps, refs = (side * 2 for side in translations)
    page([hyps], refs, "bleu")
    assert not one(browser, "#printed").is_displayed()
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    said = 'Printed: 25 of 48 segments. To print all, choose "List all" below the list first.'
    assert one(browser, "#printed").text == said
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "screen"})
    one(browser, "#next").click()
    assert len(all_of(browser, "#list > li")) == 23
    assert one(browser, "#all").text == "List all 48"
    one(browser, "#all").click()
    assert sorted(listed(browser)) == [*range(1, 49)]
    assert one(browser, "#status").text == "1 to 48 of 48 segments"
    assert browser.execute_script("return document.getElementById('printed').textContent") == ""
    one(browser, "#all").click()
    assert len(all_of(browser, "#list > li")) == 25


def test_printed_without_controls(page, translations, browser):
    page([translations[0]], translations[1], "bleu")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert not one(browser, "#controls").is_displayed()
    assert one(browser, "#list").is_displayed()
    pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", {})["data"])
    assert pdf.startswith(b"%PDF")


@pytest.mark.parametrize("width", [390, 1280])
def test_bars_of_facts(page, translations, browser, window, width):
    window(width)
    page([translations[0]], translations[1], "sacrebleu", "chrf")
    assert len({(node.rect["x"], node.rect["width"]) for node in all_of(browser, "dd .meter")}) == 1
    # With one system, half of the window would be empty beside its score.
    assert len(all_of(browser, "details[open]")) == 2


def test_wrapped_figures_on_phone(page, translations, browser, window):
    window(320)
    model = textgauge.NgramModel(1, "add-k", k=1e-9).fit(["the cat sat on the mat"])
    page([translations[0], translations[1]], None, "perplexity", model=model)
    assert len(one(browser, "td[data-label$=interval]").text) > 30
    assert browser.execute_script(SCROLLED) <= 320


# Texts of drawings that cover one another, by their boxes without a pixel at each side.
OVERLAPS = """
const found = [];
for (const chart of document.querySelectorAll('svg.chart')) {
  const labels = [...chart.querySelectorAll('text')].filter((n) => n.getClientRects().length);
  const boxes = labels.map((n) => n.getBoundingClientRect());
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b, j) => {
    if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)
      found.push([labels[i].textContent, labels[i + 1 + j].textContent]);
  }));
}
return found
"""


@pytest.mark.parametrize("width", [320, 375, 1280])
@pytest.mark.parametrize("n_systems", [1, 3])
def test_labels_of_charts_do_not_overlap(page, browser, window, width, n_systems):
    window(width, mobile=width < 600)
    # Words of all frequencies, and texts of 2 to 1,100 words.
    lines = ["once" + str(i) + " rare" + str(i // 3) + " some" + str(i // 7) + " all" * (4 * i) for i in range(280)]
    lines += [" ".join(f"often{i % 2}" for _ in range(50)) for i in range(12)]
    page([lines] * n_systems, lines, "bleu")
    assert len(all_of(browser, "svg.chart")) == 4
    assert len(texts(browser, "[aria-labelledby=by-frequency-title] .size")) >= 5
    assert browser.execute_script(OVERLAPS) == []


@pytest.mark.parametrize("width", [320, 1280])
def test_copied_formulas(page, browser, window, width):
    window(width)
    page([[PAIR[0]]], [PAIR[1]], "bleu", "chrf", "rougeL")
    drawn = all_of(browser, "math")
    assert len(drawn) >= 5
    # A fraction is higher than a line.
    mean = next(one for one in drawn if one.get_attribute("alttext") == "(5/6 × 3/5 × 1/4 × 0/3)^(1/4)")
    assert mean.rect["height"] > 30
    copied = "getSelection().selectAllChildren(arguments[0].closest('.cells')); return getSelection().toString()"
    assert " ".join(browser.execute_script(copied, mean).split()) == "(5/6 × 3/5 × 1/4 × 0/3)^(1/4) = 0.0000"
    assert browser.execute_script(SCROLLED) <= width


def test_width_of_short_pages(page, browser, window):
    window(1280)
    for systems, n_columns in (([[PAIR[0]]], 2), ([[PAIR[0]], [PAIR[1]]], 2), ([[*PAIR]], 2)):
        page(systems, [PAIR[1]] * len(systems[0]), "bleu")
        edges = "return [...document.querySelectorAll(arguments[0])].map(n => n.getBoundingClientRect().right)"
        right = one(browser, ".halves").rect["x"] + one(browser, ".halves").rect["width"]
        found = browser.execute_script(edges, ".halves .panel, .halves .segment")
        assert len({*found}) == n_columns
        assert max(found) == pytest.approx(right, abs=1)
        # No column is much longer than the other, and nothing in the wider part is folded.
        shown = "return [...document.querySelectorAll('.sums .steps')].map(n => n.checkVisibility())"
        assert browser.execute_script(shown) == [True] * len(systems)


def test_segment_number_on_phone(page, translations, browser, window):
    window(375, mobile=True)
    page([translations[0][:3]], translations[1][:3], "rougeL")
    names = all_of(browser, ".steps .name")
    size = float(names[0].value_of_css_property("font-size").removesuffix("px"))
    heights = [node.rect["height"] for node in names if node.text.startswith("segment")]
    assert len(heights) == 3
    assert max(heights) < 2 * size
