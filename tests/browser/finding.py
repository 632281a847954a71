"""What the tests look for in a page, and with what; where Selenium is missing, they are skipped from here."""

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
