"""Helpers that find elements of a page; without Selenium, tests that import this are skipped."""

import pytest

by = pytest.importorskip("selenium.webdriver.common.by", reason="no Selenium: pip install -e '.[test]'")
keys = pytest.importorskip("selenium.webdriver.common.keys")
ui = pytest.importorskip("selenium.webdriver.support.ui")

By, Keys, Select, WebDriverWait = by.By, keys.Keys, ui.Select, ui.WebDriverWait


def one(browser, selector):
    return browser.find_element(By.CSS_SELECTOR, selector)


def all_of(browser, selector):
    return browser.find_elements(By.CSS_SELECTOR, selector)


def listed(browser):
    return [int(node.get_attribute("data-segment")) for node in all_of(browser, "#list > li")]


def texts(browser, selector):
    return browser.execute_script(f"return [...document.querySelectorAll('{selector}')].map(n => n.textContent)")


EVERYTHING = "main *, header *, footer *"
# The smallest contrast of any text with its background.
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
