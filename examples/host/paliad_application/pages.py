"""Which page stands at which path of the practice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

from . import agenda, audit, deadlines, inbox, overview, projects, reference, sign_in
from .language import Language
from .markup import Page
from .visit import Visit

LONGEST_KEY = 200  # characters of what stands behind the first part of a path
Found = Page | None

PAGES: Mapping[str, tuple[str, Callable[[Visit], Found], Callable[[Visit], Found] | None]] = {
    # the first part of a path → its name, the page of all things, the page of one
    "": ("Dashboard", overview.dashboard, None),
    "projects": ("Projects", projects.projects, projects.project),
    "deadlines": ("Deadlines", deadlines.deadlines, deadlines.deadline),
    "agenda": ("Agenda", agenda.agenda, agenda.appointment),
    "inbox": ("Inbox", inbox.inbox, inbox.request),
    "glossary": ("Glossary", reference.glossary, reference.term),
    "courts": ("Courts", reference.courts, reference.court),
    "audit": ("Audit log", audit.audit, None),
    "login": ("Sign in", sign_in.login, None),
}


def find_page(path: str, **visit: Any) -> Found:
    """Return the page at this path; None if there is no such page, or nothing that they may see."""
    kind, key = parts(path)
    if kind not in PAGES or len(key) > LONGEST_KEY or "\x00" in key:
        return None
    _, of_all, of_one = PAGES[kind]
    page = of_one if key else of_all
    return page(Visit(key=key, **visit)) if page else None


def parts(path: str) -> tuple[str, str]:
    """The first part of a path, and what stands behind it."""
    kind, _, key = path.strip("/").partition("/")
    return kind, unquote(key)


def links(language: Language, waiting: str = "") -> dict[str, str]:
    """Path → name of the pages in the navigation. `waiting`: how many decisions the inbox has."""
    count = f" <span class='count'>{waiting}</span>" if waiting else ""
    names = {f"/{part}": language.t(name) for part, (name, _, _) in PAGES.items() if part != "login"}
    return names | {"/inbox": names["/inbox"] + count}
