"""The dashboard's one range, and the values of its charts: at the keyboard, at the pointer, at a tap, as a table."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_admin import (  # noqa: F401  # fixtures
    OVERFLOW,
    TODAY,
    admin,
    new_browser_context,
    reader,
    served,
    tile,
    today,
    turn,
    url,
    watching,
)

pytestmark = pytest.mark.usefixtures("today")


def chart_of(page: Page, name: str) -> tuple[Locator, Locator]:
    """(the chart that can be focused, what it reads out)"""
    card = page.get_by_role("region", name=name, exact=True)
    return card.locator("[data-chart]"), card.locator(".readout")


def days(page: Page, name: str) -> int:
    page.wait_for_load_state()  # after a click the page is there, perhaps not all of it
    return chart_of(page, name)[0].locator("[data-says]").count()


def test_one_range_governs_every_figure_and_every_chart(admin: Callable[..., Page]) -> None:  # noqa: F811
    facts = {"claims": {"found": 3}, "verdict": "supported"}
    page = admin([turn(1, **facts), turn(2, 20, **facts), turn(3, 60, **facts), turn(4, 300, **facts)])
    names = ("Questions", "Estimated cost", "Tokens")
    for link, turns, count in (("7 days", "1", 7), ("30 days", "2", 30), ("90 days", "3", 90)):
        page.get_by_role("link", name=link, exact=True).click()
        expect(page.get_by_role("link", name=link, exact=True)).to_have_attribute("aria-current", "true")
        assert tile(page, "Questions asked") == turns
        assert {days(page, f"{name} a day") for name in names} == {count}
        assert days(page, "Time to the whole answer, by day") == count
        assert days(page, "Facts not found in anything Claude looked up, or not adding up") == count
    page.get_by_role("link", name="Year", exact=True).click()
    assert tile(page, "Questions asked") == "4"
    assert {days(page, f"{name} a week") for name in names} <= {53, 54}
    page.get_by_role("link", name="All", exact=True).click()
    expect(page.locator("main")).to_contain_text("All turns on record, since")
    assert days(page, "Questions a week") in {43, 44, 45}
    first = TODAY - timedelta(days=61)
    page.get_by_label("From", exact=True).fill(first.isoformat())
    page.get_by_label("To", exact=True).fill((first + timedelta(days=2)).isoformat())
    page.get_by_role("button", name="Apply").click()
    expect(page).to_have_url(re.compile(f"from={first}"))
    assert (tile(page, "Questions asked"), days(page, "Questions a day")) == ("1", 3)


def test_the_keyboard_tells_each_value_of_a_chart_and_leads_to_its_turns(admin: Callable[..., Page]) -> None:  # noqa: F811
    page = admin([turn(1), turn(2, 1), turn(3, 1, error_code="timeout")])
    chart, readout = chart_of(page, "Questions a day")
    expect(readout).to_contain_text("Highest: 2 (")
    assert re.search(r"Questions a day\. Highest: 2 \(.*Lowest: 0", chart.get_attribute("aria-label") or "")
    chart.focus()
    for key, said in (
        ("ArrowLeft", "Turns 1 · without an error 1 · failed 0"),
        ("ArrowLeft", "Turns 2 · without an error 1 · failed 1"),
        ("ArrowRight", "Turns 1"),
        ("ArrowRight", "Turns 1"),  # the last one
        ("Home", "Turns 0"),
        ("ArrowLeft", "Turns 0"),
        ("End", "Turns 1"),
        ("Escape", "Highest: 2 ("),
        ("End", "Turns 1"),
        ("ArrowLeft", "Turns 2"),
    ):
        page.keyboard.press(key)
        expect(readout).to_contain_text(said)
    page.keyboard.press("Enter")
    expect(page.locator("#found")).to_have_text("2 turns")


@pytest.mark.long
def test_a_pointer_and_a_finger_tell_the_values_too(admin: Callable[..., Page]) -> None:  # noqa: F811
    page = admin([turn(1), turn(2, 6)], has_touch=True, viewport={"width": 390, "height": 844})
    chart, readout = chart_of(page, "Time to the whole answer, by day")
    box = chart.locator(".plot").bounding_box()
    assert box is not None
    chart.locator(".plot").hover(position={"x": 3, "y": 60})
    expect(readout).to_contain_text("half within 2.0\u00a0s · 9 of 10 within 2.0\u00a0s")
    expect(readout.get_by_role("link", name="Show these turns")).to_be_visible()
    chart.locator(".plot").tap(position={"x": box["width"] / 2, "y": 60})
    expect(readout).to_contain_text("half within – · 9 of 10 within –")
    chart.locator(".plot").tap(position={"x": box["width"] - 3, "y": 60})
    expect(readout).to_contain_text("half within 2.0\u00a0s")
    readout.get_by_role("link").tap()
    expect(page.locator("#found")).to_have_text("1 turn")


@pytest.mark.long
def test_costs_are_told_by_model_and_what_has_no_price_is_not_free(admin: Callable[..., Page]) -> None:  # noqa: F811
    free = turn(2, model="house-model")
    page = admin([free, replace(turn(3), person="grace", model="house-model")])
    assert tile(page, "Estimated cost") == "no price"
    expect(page.locator("main")).not_to_contain_text("$0.00")
    costs = page.get_by_role("region", name="Estimated cost a day")
    expect(costs).to_contain_text("The models of this time have no price")
    expect(page.get_by_role("region", name="By model")).to_contain_text("Without a price: house-model.")
    page = admin([turn(4), turn(5, model="claude-haiku-4-5")], "?lang=en")
    assert tile(page, "Estimated cost").startswith("$")
    expect(page.locator(".tile", has_text="Estimated cost")).to_contain_text("without house-model: no price")
    chart, readout = chart_of(page, "Estimated cost a day")
    chart.focus()
    page.keyboard.press("End")
    expect(readout).to_contain_text(re.compile(r"All \$6\.00 · .*claude-opus-4-8 \$5\.00"))


@pytest.mark.first(1)
@pytest.mark.parametrize("zoomed", [True, False], ids=["200 % zoom", "reduced motion"])
def test_a_chart_that_reads_out_fits_and_axe_finds_nothing(admin: Callable[..., Page], *, zoomed: bool) -> None:  # noqa: F811
    viewport = {"width": 640, "height": 400} if zoomed else {"width": 1280, "height": 800}
    page = admin([turn(1, error_code="timeout"), turn(2, 1)], viewport=viewport, reduced_motion="reduce")
    for chart in page.locator("[data-chart]").all():
        chart.focus()
        page.keyboard.press("End")
    expect(page.get_by_role("link", name="Show these turns")).to_have_count(4)
    assert page.evaluate(OVERFLOW) == []
    violations = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in violations] == []
