"""The catalogue of words: both languages, nothing missing, nothing left over."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from paliadin.words.catalogue import ENGLISH_ONLY, PACKAGE, TABLES, files, merge, words

PYTHON = "\n".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
TEMPLATES = "\n".join(
    path.read_text("utf-8") for room in ("web/dashboard", "parts") for path in (PACKAGE / room).rglob("*.html")
)
SCRIPTS = "\n".join(
    path.read_text("utf-8")
    for path in (PACKAGE / "web" / "static" / "js").rglob("*.js")
    if not path.name.startswith("words.")
)


@pytest.mark.parametrize("table", [table for table in TABLES if table != ENGLISH_ONLY])
def test_both_languages_have_the_same_blanks_to_fill(table: str) -> None:
    assert words(table)
    for key, (english, german) in words(table).items():
        assert sorted(re.findall(r"\{\w*\}", english)) == sorted(re.findall(r"\{\w*\}", german)), key


def test_every_file_has_only_tables_that_somebody_reads() -> None:
    headings = {line for path in files() for line in re.findall(r"^\[(\w+)\]", path.read_text("utf-8"), re.MULTILINE)}
    assert headings == {*TABLES, "verbs", "tools"}


def test_every_error_has_a_hint_and_is_raised_or_made_somewhere() -> None:
    errors = [key for key in words("errors") if not key.endswith(".hint")]
    assert set(words("errors")) == {*errors, *(f"{key}.hint" for key in errors)}
    codes = [key.removeprefix("own_").removeprefix("error.") for key in errors]
    assert len(codes) == len(set(codes))
    assert set(codes) <= set(re.findall(r"""["'](\w+)["']""", PYTHON + SCRIPTS))


@pytest.mark.parametrize("table", ["dashboard", "reports", "shared", "terminal"])
def test_every_text_is_used(table: str) -> None:
    source = PYTHON + TEMPLATES
    stems = tuple({*re.findall(r'f"([a-z_.]+\.)\{', source), *re.findall(r'"([a-z_.]+\.)" [~+]', source)})
    quoted = set(re.findall(r"""(?<=["'])[^"'\s]+(?=["'])""", source))
    texts = {key.removesuffix(".one") for key in words(table)}
    assert {key for key in texts - quoted if not key.startswith(stems)} == set()


def test_a_part_adds_its_words_and_a_later_table_counts() -> None:
    core = '[shared]\n"a" = ["one", "eins"]\n"b" = ["two", "zwei"]\n'
    part = '[shared]\n"c" = ["three", "drei"]\n[terminal]\n"b" = "2"\n[page]\n"d" = ["four", "vier"]\n'
    assert merge([core, part], "shared", "terminal") == {"a": ("one", "eins"), "b": ("2",), "c": ("three", "drei")}


@pytest.mark.parametrize(
    "content",
    [
        '[page]\n"a" = ["one"]\n',
        '[page]\n"a" = ["one", ""]\n',
        '[page]\n"a" = "one"\n',
        '[page]\n"a" = ["one", "eins", "un"]\n',
        '[terminal]\n"a" = ["one", "eins"]\n',
    ],
)
def test_a_text_that_is_not_there_in_all_languages_is_refused(content: str) -> None:
    with pytest.raises(ValueError, match=r"'a' in the table (page|terminal) is not there in all languages"):
        merge([content], "page", "terminal")


def test_two_parts_cannot_say_one_thing_differently() -> None:
    with pytest.raises(ValueError, match="two texts 'a'"):
        merge(['[page]\n"a" = ["one", "eins"]\n', '[page]\n"a" = ["1", "1"]\n'], "page")


def test_the_catalogue_is_found_in_the_folders_of_the_parts() -> None:
    found = {str(path.relative_to(PACKAGE)) for path in files()}
    assert {str(Path("words", "errors.toml")), str(Path("parts", "practice", "words.toml"))} <= found
