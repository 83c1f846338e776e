"""A few pages that stand here, for when there is no database."""

from __future__ import annotations

from collections.abc import Mapping

from .markup import Page, link, listed

PROJECTS = {
    "harbour-bridge": ("Harbour bridge", "The expert's report is outstanding; the court has set a date for it."),
    "mill-street": ("Mill street", "The municipality has replied. Our response is due in November."),
    "north-quay": ("North quay", "The first ruling went against us. An appeal is possible until January."),
}
DEADLINES = {
    "c47bd2": ("Statement of defence", "2026-12-04", "harbour-bridge"),
    "9e01fa": ("Expert report", "2026-12-18", "harbour-bridge"),
    "51b3c8": ("Reply to the municipality", "2026-11-30", "mill-street"),
    "20aa6b": ("Appeal", "2027-01-15", "north-quay"),
}
AGENDA = (("09:00", "Call with the expert"), ("11:30", "Hearing, room 204"), ("15:00", "Mill street: reply"))
LINKS = {"/": "Dashboard", "/agenda": "Agenda", "/glossary": "Glossary", "/login": "Sign in"}


def find_sample(path: str) -> Page | None:
    """Return the page at this path; None if there is no such page."""
    kind, _, key = path.strip("/").partition("/")
    if path == "/":
        lists = f"<h2>Projects</h2>{_list(PROJECTS, 'projects')}<h2>Deadlines</h2>{_list(DEADLINES, 'deadlines')}"
        return Page("Dashboard", lists)
    if kind == "projects" and key in PROJECTS:
        title, text = PROJECTS[key]
        deadlines = {ident: deadline for ident, deadline in DEADLINES.items() if deadline[2] == key}
        return Page(title, f"<p id='state'>{text}</p><h2>Deadlines</h2>{_list(deadlines, 'deadlines')}")
    if kind == "deadlines" and key in DEADLINES:
        title, due, project = DEADLINES[key]
        return Page(
            title, f"<p>Due on <strong>{due}</strong>, in {link('projects', project, PROJECTS[project][0])}.</p>"
        )
    if path == "/agenda":
        rows = "".join(f"<tr><th>{at}</th><td>{what}</td></tr>" for at, what in AGENDA)
        return Page("Agenda", f"<table>{rows}</table>")
    if path == "/glossary":
        return Page("Glossary", "<dl><dt>Deadline</dt><dd>The last day on which something can be done.</dd></dl>")
    if path == "/login":
        return Page("Sign in", "<p>The drawer is not on this page.</p>")
    return None


def _list(items: Mapping[str, tuple[str, ...]], kind: str) -> str:
    return listed([link(kind, key, value[0]) for key, value in items.items()])
