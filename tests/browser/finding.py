"""What the tests look for in a page."""

from selenium.webdriver.common.by import By


def one(browser, selector):
    return browser.find_element(By.CSS_SELECTOR, selector)


def all_of(browser, selector):
    return browser.find_elements(By.CSS_SELECTOR, selector)


def listed(browser):
    return [int(node.get_attribute("data-segment")) for node in all_of(browser, "#list > li")]


def texts(browser, selector):
    return browser.execute_script(f"return [...document.querySelectorAll('{selector}')].map(n => n.textContent)")
