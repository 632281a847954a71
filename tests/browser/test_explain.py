"""The page of `textgauge explain` in a real browser."""

import random
import re
import time

import pytest
import textgauge

from .finding import Keys, Select, all_of, listed, one, texts

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:.* tags of HTML", "ignore:.* escapes on one side")]

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


BLOCKED = "img, iframe, object, embed, link, base, #list svg[onload], main svg[onload]"


def test_hostile_text_is_shown_and_never_run(page):
    names = ["</title><script>window.broken = 5</script>", '" onmouseover="window.broken=6']
    browser = page([HOSTILE * 2, HOSTILE[::-1] * 2], HOSTILE * 2, "rouge1", tokenizer="unicode", names=names)
    time.sleep(0.2)
    assert browser.execute_script("return window.broken") is None
    # Nothing of the texts became an element: the page's own program and its three blocks of data are all.
    assert (len(all_of(browser, "script")), all_of(browser, BLOCKED)) == (4, [])
    assert {*texts(browser, ".text")} == {text or "empty text" for text in HOSTILE}
    assert names[0] in texts(browser, ".card h3")
    assert browser.get_log("browser") == []


def test_hostile_short_page(page):
    few = HOSTILE[1:]
    browser = page([few, few[::-1]], few, "bleu", "ter", names=["<script>", "</style>"])
    assert browser.execute_script("return window.broken") is None
    assert all_of(browser, f"script, {BLOCKED}") == []
    # HTML has no character 0.
    shown = {*texts(browser, ".segments .body > .text:not(.edits)")}
    assert shown == {text.replace("\0", "\ufffd") or "empty text" for text in few}
    assert browser.get_log("browser") == []


def test_content_security_policy(page, translations):
    browser = page([translations[0]], translations[1], "bleu")
    browser.execute_script(
        "const s = document.createElement('script'); s.textContent = 'window.broken = 1'; document.body.append(s);"
        "const i = document.createElement('img'); i.setAttribute('onerror', 'window.broken = 2');"
        "i.src = 'https://example.org/x.png'; document.body.append(i);"
    )
    time.sleep(0.3)
    assert browser.execute_script("return window.broken") is None
    assert "Content Security Policy" in str(browser.get_log("browser"))


def test_nothing_is_fetched(page, translations):
    browser = page([translations[0]], translations[1], "rouge2")
    assert browser.execute_script("return performance.getEntriesByType('resource').map(e => e.name)") == []
    assert browser.get_log("browser") == []


def test_matched_words_are_marked_in_both_texts(page):
    for n in (1, 11):
        browser = page([["the cat sat on a mat"] * n], ["a cat sat on the mat"] * n, "rouge2")
        assert texts(browser, ".prediction .m3") == ["cat sat on"] * n
        assert texts(browser, ".reference .m3") == ["cat sat on"] * n
        assert texts(browser, ".prediction .m1") == ["the", "a", "mat"] * n
    assert "3 of 6 tokens match" in one(browser, ".prediction .numbers").text
    browser = page([["the cat sat on a mat"]], ["a cat sat on the mat"], "rougeL")
    assert texts(browser, ".prediction .common") == ["cat", "sat", "on", "mat"]
    line = one(browser, ".prediction .common").value_of_css_property("text-decoration-line")
    assert line == "underline"


def test_surprising_words(page):
    model = textgauge.NgramModel(2).fit(["the cat sat on the mat", "a dog barks at the cat"])
    hyps = ["a dog barked loudly", *["the cat sat"] * 10]
    browser = page([hyps], None, "perplexity", model=model)
    assert one(browser, "#score-0").text == f"{model.score(hyps)['corpus_perplexity']:.4f}"
    # The worst has the highest perplexity.
    assert listed(browser) == [*range(1, 12)]
    assert texts(browser, ".prediction mark") == ["barked", "loudly"]
    assert texts(browser, "#list .label") == ["Text"] * 11
    shown = f"{model.score(hyps)['perplexities'][0]:.4f} 2 of 5 tokens surprise by 3 bits or more"
    assert one(browser, ".prediction .numbers").text.split() == shown.split()
    assert all_of(browser, "#list .meter") == []
    assert browser.get_log("browser") == []


def test_sorted_searched_and_paged(page, translations):
    hyps, refs = ([f"{text} n{i}" for i in range(3) for text in side] for side in translations)
    browser = page([hyps], refs, "rouge1")
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
    found = set(texts(browser, ".hit"))
    assert {text.lower() for text in found} == {"ferry", "n2"}
    one(browser, "#search").clear()
    one(browser, "#search").send_keys("nothing has this")
    assert listed(browser) == []
    assert one(browser, "#status").text == "0 segments"


def test_a_bar_lists_its_segments(page, translations):
    browser = page([translations[0]], translations[1], "rouge1")
    scores = textgauge.rouge(*translations, rouge_types=["rouge1"], use_aggregator=False)["rouge1"]
    bars = all_of(browser, ".bin[role=button]")
    bars[-1].click()
    assert sorted(listed(browser)) == [i + 1 for i, score in enumerate(scores) if score >= 0.95]
    assert bars[-1].get_attribute("aria-pressed") == "true"
    assert one(browser, ".chosen").text.startswith("Only segments with score 0.95 and more are listed below.")
    one(browser, ".chosen button").click()
    assert len(listed(browser)) == 24
    assert not one(browser, ".chosen").is_displayed()
    bars[-1].click()
    one(browser, "#clear").click()
    assert len(listed(browser)) == 24
    assert bars[-1].get_attribute("aria-pressed") == "false"


@pytest.mark.parametrize("metric", ["token_f1", "squad", "ter"])
def test_bars_list_segments(page, translations, metric):
    browser = page([translations[0]], translations[1], metric)
    counts = []
    for bar in all_of(browser, ".bin[role=button]"):
        span, _, count = bar.get_attribute("aria-label").partition(" score: 0.txt ")
        bar.click()
        assert len(listed(browser)) == int(count)
        assert one(browser, ".chosen").text.startswith(f"Only segments with score {span.partition(' ')[0]} ")
        counts.append(int(count))
    assert sum(counts) == 24


def test_keyboard_alone(page, translations):
    hyps, refs = (side * 3 for side in translations)
    browser = page([hyps], refs, "rouge1")
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
    browser = page([hyps, refs], refs, "bleu", names=["ours", "perfect"])
    assert texts(browser, ".card h3 bdi") == ["ours", "perfect"]
    assert one(browser, "#score-1").text == "1.0000"
    assert len(all_of(browser, "#list > li:first-child .prediction")) == 2
    Select(one(browser, "#sort")).select_by_value("apart")
    scores = textgauge.Bleu().update(hyps, refs).segment_columns()["bleu"].tolist()
    assert scores[listed(browser)[0] - 1] == min(scores)
    Select(one(browser, "#system")).select_by_value("1")
    assert texts(browser, "#list > li:first-child .reference mark") == [refs[listed(browser)[0] - 1]]


def test_five_thousand_segments_open_smoothly(page, translations):
    generator = random.Random(7)
    hyps, refs = (list(side) * 209 for side in translations)
    hyps = [" ".join(generator.sample(text.split(), len(text.split()))) for text in hyps]
    browser = page([hyps[:5000]], refs[:5000], "rouge2")
    timing = browser.execute_script("return performance.getEntriesByType('navigation')[0].toJSON()")
    assert timing["loadEventEnd"] < 3000
    took = browser.execute_script(
        "const s = document.getElementById('search'); s.value = 'island'; const t = performance.now();"
        "s.dispatchEvent(new Event('input')); return performance.now() - t"
    )
    assert took < 1000
    assert re.fullmatch(r"1 to 25 of [\d,]+ segments", one(browser, "#status").text)


def test_marked_hits(page):
    text = "ﬁne Café x\u0301 na\u00efve cafe\u0301, fine"
    browser = page([[text] * 11], ["a naïve café"] * 11, "rouge1", tokenizer="unicode")
    for searched, hits in (("cafe", ["Café", "cafe\u0301"]), ("fin", ["ﬁn", "fin"]), ("i", ["ﬁ", "\u00ef", "i"])):
        one(browser, "#search").clear()
        one(browser, "#search").send_keys(searched)
        shown = browser.execute_script(
            "return [...document.querySelectorAll('.prediction .text')].map(n => [n.textContent,"
            "[...n.querySelectorAll('.hit')].map(h => h.textContent)])"
        )
        # A combining accent is not part of a hit of a search without it.
        assert shown == [[text, [hit.removesuffix("\u0301") for hit in hits]]] * 11


def test_lower_is_better(page, translations):
    hyps, refs = translations
    browser = page([hyps, refs], refs, "ter", names=["ours", "perfect"])
    scores = textgauge.Ter().update(hyps, refs).segment_columns()["ter"].tolist()
    assert scores[listed(browser)[0] - 1] == max(scores)
    assert "\u2212" in one(browser, ".difference").text
    assert one(browser, ".difference").text.endswith("better")
    Select(one(browser, "#sort")).select_by_value("gained")
    assert scores[listed(browser)[0] - 1] == max(scores)
    Select(one(browser, "#sort")).select_by_value("lost")
    assert scores[listed(browser)[0] - 1] == 0


def test_several_scores_on_one_page(page, translations):
    hyps, refs = translations
    browser = page([hyps, refs], refs, "bleu", "ter", "rougeSU4")
    assert one(browser, "h1").text == "BLEU, TER, ROUGE-SU4"
    assert one(browser, "#score-2-1").text == "1.0000"
    assert "sentence_bleu" in one(browser, ".about-score:not([hidden])").text
    Select(one(browser, "#score")).select_by_visible_text("TER")
    assert "moved by a shift" in one(browser, ".about-score:not([hidden])").text
    scores = textgauge.Ter().update(hyps, refs).segment_columns()["ter"].tolist()
    assert scores[listed(browser)[0] - 1] == max(scores)
    bars = all_of(browser, ".bin[data-score='2']")
    bars[-1].click()
    assert Select(one(browser, "#score")).first_selected_option.text == "ROUGE-SU4"
    su4 = textgauge.rouge(hyps, refs, rouge_types=["rougeSU4"], use_aggregator=False)["rougeSU4"]
    assert sorted(listed(browser)) == [i + 1 for i, score in enumerate(su4) if score >= 0.95]


def test_score_and_interval(page, translations):
    browser = page([translations[0]], translations[1], "bleu", confidence=0.9)
    result = textgauge.bleu(*translations, confidence=0.9, seed=12345)
    low, high = result["confidence_interval"]
    assert one(browser, "#score-0").text == f"{result['bleu']:.4f}"
    assert one(browser, ".interval").text == f"90% interval {low:.4f} to {high:.4f}"
    facts = dict(zip(texts(browser, "dt"), texts(browser, "dd"), strict=True))
    assert facts["1-gram precision"].strip() == f"{result['precisions'][0]:.4f}"
