"""HTML of which everything that comes from outside is text: what is made of values, and the frame of each page."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import quote

LONGEST_TEXT = 300  # characters of a title or a name that are shown

# Characters without a shape, or that reorder what stands around them: a title must not look like another one.
INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0e\ufeff\uffa0"
    "\ufff0-\ufffc\ue000-\uf8ff\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)


class Page(NamedTuple):
    """What stands in the frame."""

    title: str  # a text
    body: str  # HTML
    status: HTTPStatus = HTTPStatus.OK


def plain(value: object, longest: int = LONGEST_TEXT) -> str:
    """A text as it is shown: cut at its length, and with what cannot be seen written out."""
    words = "" if value is None else str(value)
    words = words if len(words) <= longest else f"{words[: longest - 1]}…"
    return INVISIBLE.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", words)


def text(value: object, longest: int = LONGEST_TEXT) -> str:
    """The same as HTML."""
    return html.escape(plain(value, longest))


def address(kind: str, key: object) -> str:
    """The path of the page of a thing."""
    return f"/{kind}/{quote(str(key), safe='')}"


def link(kind: str, key: object, words: object) -> str:
    """A link to the page of a thing."""
    return f"<a href='{address(kind, key)}'>{text(words)}</a>"


def listed(items: list[str], name: str = "") -> str:
    """A list of HTML items."""
    entries = "".join(f"<li>{item}</li>" for item in items)
    return f"<ul class='{name}'>{entries}</ul>" if name else f"<ul>{entries}</ul>"


DRAWER = """<paliadin-widget token-url="/paliadin-token" registry="/static/registry.json" hide-on="login">
    </paliadin-widget>"""
FRAME = """<!doctype html>
<html lang="{lang}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>{title} · Paliad</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/static/host.css">
    <script type="module" src="{widget}/widget.js"></script>
    <script type="module" src="/static/host.js"></script>
  </head>
  <body>
    <header>
      <div class="brand"><a class="name" href="/">Paliad</a>{user}</div>
      {nav}
    </header>
    <main><h1>{title}</h1>{body}</main>
    {drawer}
  </body>
</html>
"""


def framed(
    page: Page, *, lang: str, pages: str, links: Mapping[str, str], current: str, user: str, drawer: str, widget: str
) -> str:
    """The whole document. `links`: path → name as HTML; `current`: the path of the one that is open."""
    items = (
        f"<a href='{path}'{' aria-current=page' if path == current else ''}>{name}</a>" for path, name in links.items()
    )
    return FRAME.format(
        title=text(page.title),
        body=page.body,
        lang=lang,
        nav=f"<nav aria-label='{pages}'>{''.join(items)}</nav>" if links else "",
        user=user,
        drawer=drawer,
        widget=html.escape(widget),
    )
