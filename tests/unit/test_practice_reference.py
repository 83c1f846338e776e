"""The reference data is well-formed: what the tables and the tools rely on, and what a reader would stumble over."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path

import pytest

from paliadin.base.errors import ConfigError
from paliadin.parts.practice import reference, tables
from paliadin.parts.practice.judgments import MADE_UP_FILE, MADE_UP_PREFIX

COURTS, GLOSSARY, RULES = (reference.read(table) for table in ("courts", "glossary", "deadline_rules"))
JUDGMENTS = json.loads(MADE_UP_FILE.read_text("utf-8"))
EVERY = [*COURTS, *GLOSSARY, *RULES]
CALENDARS = {"UPC": "upc", "EPO": "epo", "DE": "bgb"}
ENTRIES = {"courts": COURTS, "glossary": GLOSSARY, "deadline_rules": RULES}
MIGRATION = (tables.migrations() / "0001_practice.sql").read_text("utf-8")
MARKS = {"de": "Erfunden, zum Ausprobieren.", "en": "Made up, to try things out."}


def texts(value: object) -> Iterator[str]:
    """All texts in an entry."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)


def columns(table: str) -> set[str]:
    """The columns of a table as the migration makes it."""
    [body] = re.findall(rf"create table paliad\.{table} \((.*?)^\);", MIGRATION, re.DOTALL | re.MULTILINE)
    return set(re.findall(r"^    (\w+) ", body, re.MULTILINE))


@pytest.mark.parametrize("table", ENTRIES)
def test_each_entry_has_the_fields_of_its_table_and_an_id_of_its_own(table: str) -> None:
    entries = ENTRIES[table]
    assert entries
    assert all(set(entry) == columns(table) for entry in entries)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", entry["id"]) for entry in entries)
    assert max(Counter(entry["id"] for entry in entries).values()) == 1


def test_every_text_is_clean_and_no_longer_than_a_tool_shows() -> None:
    for entry in EVERY:
        for text in texts(entry):
            assert text == text.strip() != "", entry["id"]
            assert text.isprintable(), entry["id"]
            assert len(text) <= 600, entry["id"]


def test_each_entry_says_where_it_comes_from() -> None:
    for entry in EVERY:
        assert set(entry["source"]) == {"title", "url"}, entry["id"]
        assert entry["source"]["title"]
        assert entry["source"]["url"] is None or re.match(r"https?://[a-z]", entry["source"]["url"]), entry["id"]


def test_no_two_courts_are_called_the_same() -> None:
    names = Counter(
        name.casefold()
        for court in COURTS
        for name in {each.casefold() for each in (court["id"], court["short"], court["name_de"], court["name_en"])}
        | {each.casefold() for each in court["aliases"]}
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_what_a_court_lists_is_of_the_right_form() -> None:
    for court in COURTS:
        assert re.fullmatch("[A-Z]{2}", court["country"])
        assert all(re.fullmatch("[a-z]{2}", language) for language in court["languages"])
        for vacation in court["vacations"]:
            for edge in ("from", "to"):
                date.fromisoformat(f"2028-{vacation[edge]}")
            assert isinstance(vacation["extends_periods"], bool)
            assert vacation["years"] is None or all(2020 < year < 2040 for year in vacation["years"])


def test_each_rule_has_a_period_that_can_be_computed() -> None:
    units = {"days": 60, "working_days": 60, "weeks": 12, "months": 36, "month_ends": 36, "years": 10}
    for rule in RULES:
        assert 1 <= len(rule["period"]) <= 2, rule["id"]
        assert (rule["whichever"] is None) == (len(rule["period"]) == 1), rule["id"]
        assert rule["whichever"] in (None, "later", "earlier")
        for part in rule["period"]:
            assert set(part) == {"amount", "unit"}
            assert type(part["amount"]) is int
            assert 0 < part["amount"] <= units[part["unit"]], rule["id"]
        assert rule["direction"] in ("after", "before")
        assert rule["calendar"] == CALENDARS[rule["jurisdiction"]]
        assert rule["id"].startswith(rule["jurisdiction"].lower())


def test_each_rule_names_a_provision_of_its_jurisdiction() -> None:
    patterns = {
        "UPC": r"\bRules? \d+.*RoP\b",
        "EPO": r"\b(Art\.|Rules?) \d+.*\b(EPC|UPR)\b",
        "DE": r"§ ?\d+.*\b(PatG|ZPO|GebrMG)\b",
    }
    for rule in RULES:
        assert re.search(patterns[rule["jurisdiction"]], rule["legal_source"]), rule["id"]


def test_what_is_said_in_one_language_is_said_in_the_other() -> None:
    for entry in EVERY:
        for name, value in entry.items():
            if name.endswith("_de") and not name.startswith("aliases"):
                assert (value is None) == (entry[name[:-2] + "en"] is None), entry["id"]


# What a patent attorney knows by heart: a period that somebody has changed by mistake would be noticed here.
KNOWN = {
    "upc-statement-of-defence": (3, "months"),
    "upc-preliminary-objection": (1, "months"),
    "upc-reply-to-statement-of-defence": (2, "months"),
    "upc-rejoinder-to-reply": (1, "months"),
    "upc-defence-to-revocation": (2, "months"),
    "upc-appeal-decision": (2, "months"),
    "upc-grounds-of-appeal": (4, "months"),
    "upc-appeal-order": (15, "days"),
    "upc-response-to-appeal": (3, "months"),
    "epo-opposition": (9, "months"),
    "epo-notice-of-appeal": (2, "months"),
    "epo-grounds-of-appeal": (4, "months"),
    "epo-rule-71-3-response": (4, "months"),
    "epo-european-phase-entry": (31, "months"),
    "epo-priority": (12, "months"),
    "de-patg-nullity-objection": (1, "months"),
    "de-patg-nullity-defence": (2, "months"),
    "de-patg-nullity-appeal": (1, "months"),
    "de-patg-nullity-appeal-grounds": (3, "months"),
    "de-zpo-berufung": (1, "months"),
    "de-zpo-berufung-grounds": (2, "months"),
    "de-zpo-notice-of-defence": (2, "weeks"),
    "de-patg-opposition": (9, "months"),
}


@pytest.mark.parametrize("rule_id", KNOWN)
def test_a_well_known_period_is_as_the_law_says(rule_id: str) -> None:
    [rule] = [rule for rule in RULES if rule["id"] == rule_id]
    amount, unit = KNOWN[rule_id]
    assert rule["period"] == [{"amount": amount, "unit": unit}]
    assert rule["direction"] == "after"


def test_the_measures_of_the_upc_end_with_the_later_of_two_periods() -> None:
    [rule] = [rule for rule in RULES if rule["id"] == "upc-start-of-merits-proceedings"]
    assert rule["period"] == [{"amount": 31, "unit": "days"}, {"amount": 20, "unit": "working_days"}]
    assert rule["whichever"] == "later"


def test_the_made_up_judgments_say_so_wherever_they_are_shown() -> None:
    assert len(JUDGMENTS) == 24
    assert Counter(each["language"] for each in JUDGMENTS) == {"de": 12, "en": 12}
    for each in JUDGMENTS:
        mark = MARKS[each["language"]]
        assert each["case_number"].startswith(MADE_UP_PREFIX)
        assert each["headnote"].startswith(mark)
        assert each["body"].splitlines()[0] == mark
        assert 1500 <= len(each["body"]) <= 4000, each["case_number"]
        assert re.findall(r"^(\d+)\. ", each["body"], re.MULTILINE)[:3] == ["1", "2", "3"]
        assert each["court"] in {court["id"] for court in COURTS}


@pytest.mark.parametrize("content", ["", "{", "{}", "[1]", '[{"name": "x"}]', '[{"id": ""}]', "\udcff"])
def test_a_damaged_file_is_named_with_what_to_do(content: str, tmp_path: Path) -> None:
    (tmp_path / "courts.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(ConfigError, match=r"courts\.json") as refused:
        reference.read("courts", tmp_path)
    assert "installing it again" in refused.value.hint
