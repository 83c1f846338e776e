"""Hebrew and Arabic are set from right to left, block by block; code, numbers and addresses stay as they are."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.helpers.accessibility import serious
from tests.browser.helpers.chat import Chat
from tests.browser.test_rendering import show

ANSWER = """# סיכום הפרויקט

`npm test` מריץ 12 בדיקות, ומתוכן 3 נכשלו ב-28.11.2026. ראו https://example.com/a/ לפרטים!

- פריט ראשון עם `code`
- Installing.
- API: ממשק.
  1. תת פריט

| שם | סכום |
|---|---:|
| חוזה | 1,250.00 € |
| Contract A (2) | 7 € |

> ציטוט קצר[^1]
>
> A quotation in English.

```python
print("שלום")  # stays
```

> [!NOTE]
> הערה חשובה.

وهذا نص عربي مع رقم 42.

This block is English, with שלום in it.

$$a + b$$

[^1]: הערת שוליים.
"""
DIRECTIONS = """elements => elements.map(el => {
    const style = getComputedStyle(el);
    const own = style.unicodeBidi === "plaintext" ? "/own" : "";
    return `${el.localName} ${style.direction}${own}`;
})"""


def directions(page: Page, selector: str) -> list[str]:
    return list(page.locator(f".turn:last-of-type {selector}").evaluate_all(DIRECTIONS))


def test_each_block_of_an_answer_is_read_from_the_side_of_its_language(chat: Chat) -> None:
    show(chat, ANSWER)
    page = chat.page
    expect(chat.text.locator("math")).to_have_count(1)  # what stands behind a formula waits for it
    blocks = directions(page, ".prose .block > *")
    rtl, ltr = "rtl", "ltr"
    sides = [rtl, rtl, rtl, rtl, rtl, ltr, rtl, rtl, ltr, ltr, rtl]
    assert [each.split()[1] for each in blocks] == sides
    assert set(directions(page, ".prose :is(code, pre, .code, .formula)")) <= {
        "code ltr",
        "pre ltr",
        "div ltr",
    }
    assert directions(page, ".prose li") == ["li rtl", "li rtl/own", "li rtl", "li rtl"]
    assert set(directions(page, ".prose :is(th, td)")) == {"th rtl/own", "td rtl/own"}
    assert page.locator(".prose td").first.evaluate("el => getComputedStyle(el).textAlign") == "right"
    assert directions(page, ".prose blockquote:not(.callout) > p") == ["p rtl/own", "p rtl/own"]
    assert directions(page, ".prose p > a") == ["a ltr"]
    assert serious(page, ".turns") == []


def test_what_a_person_writes_is_read_from_the_side_of_its_language(chat: Chat) -> None:
    words = "מה כתוב ב-README?"
    chat.input.fill(words)
    assert chat.input.evaluate("el => getComputedStyle(el).direction") == "rtl"
    chat.asked(words)
    question = chat.turn.locator(".question-text")
    expect(question).to_have_css("direction", "rtl")
