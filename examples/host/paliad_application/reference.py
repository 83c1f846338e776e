"""Courts and terms, the same for everybody."""

from __future__ import annotations

from collections.abc import Callable

from .database import Row
from .markup import Page, link, text
from .visit import Visit


def courts(visit: Visit) -> Page:
    """All courts."""
    rows = visit.rows("select short, name_de, name_en, city from paliad.courts order by kind not like 'upc%%', short")
    columns: dict[str, Callable[[Row], str]] = {
        "Short name": lambda row: link("courts", row["short"], row["short"]),
        "Court": lambda row: text(row[f"name_{visit.lang}"]),
        "City": lambda row: text(row["city"]),
    }
    return Page(visit.t("Courts"), visit.table(rows, columns))


def court(visit: Visit) -> Page | None:
    """A court, by what it is called: `Munich LD`, an id, a name."""
    query = """select * from paliad.courts where %(key)s in (id, lower(short), lower(name_de), lower(name_en))
        or exists (select from unnest(aliases) as alias where lower(alias) = %(key)s)
        order by id <> %(key)s, id limit 1"""
    for row in visit.rows(query, key=visit.key.lower()):
        vacations = (f"{text(each[f'name_{visit.lang}'])}: {each['from']} – {each['to']}" for each in row["vacations"])
        facts = {
            "Short name": text(row["short"]),
            "Address": text(row["address"] or row["city"]),
            "Country": text(row["country"]),
            "Languages": text(", ".join(row["languages"])),
            "Vacations": "<br>".join(vacations),
            "Source": text(row["source"]["title"]),
        }
        return Page(row[f"name_{visit.lang}"], visit.facts(facts))
    return None


def glossary(visit: Visit) -> Page:
    """All terms, in the page's language and the other one."""
    rows = visit.rows("select de, en from paliad.glossary order by lower(de)")
    other = "en" if visit.lang == "de" else "de"
    items = "".join(
        f"<li>{link('glossary', row['de'], row[visit.lang])} <small lang='{other}'>{text(row[other])}</small></li>"
        for row in sorted(rows, key=lambda row: row[visit.lang].lower())
    )
    return Page(visit.t("Glossary"), f"<ul class='terms'>{items}</ul>")


def term(visit: Visit) -> Page | None:
    """A term, by what it is called in either language."""
    query = """select * from paliad.glossary where %(key)s in (id, lower(de), lower(en))
        or exists (select from unnest(aliases_de || aliases_en) as alias where lower(alias) = %(key)s)
        order by not %(key)s in (lower(de), lower(en)), id limit 1"""
    for row in visit.rows(query, key=visit.key.lower()):
        other = "en" if visit.lang == "de" else "de"
        facts = {
            "Deutsch" if other == "de" else "English": f"<span lang='{other}'>{text(row[other])}</span>",
            "Source": text(row["source"]["title"]),
        }
        return Page(row[visit.lang], f"<p>{text(row[f'definition_{visit.lang}'], 5_000)}</p>{visit.facts(facts)}")
    return None
