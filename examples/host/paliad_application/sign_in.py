"""The sign-in: its page, its form, and its cookies. A real application asks for a password here.

Nobody is signed in by an address: another site could lead there, and the reader would go on as somebody else. The form
comes from a page of this application, and has the token that the browser got with it in a cookie.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from urllib.parse import quote, unquote

from .database import Row
from .markup import Page, text
from .visit import Visit

COOKIE = "office-user"
TOKEN = "office-form"  # noqa: S105  # the cookie's name
FIELDS = {"user", "to", "token"}


def login(visit: Visit) -> Page:
    """Who may be chosen."""
    current = visit.reading.person["id"] if visit.reading.person else None
    items = (
        f"<li><button name='user' value='{text(each['id'])}'{' aria-current=true' if each['id'] == current else ''}>"
        f"<span class='initials' aria-hidden='true'>{text(_initials(each['name']))}</span>"
        f"<span class='who'>{text(each['name'])}</span>"
        f"<small>{text(each['office'] or visit.t(each['role']))}</small></button></li>"
        for each in visit.reading.people
    )
    words = visit.t(
        "Who is there? The pages and the drawer show what this person may see. The drawer is not on this page."
    )
    return Page(
        visit.t("Sign in"),
        f"<p>{words}</p><form method='post' action='/login'><input type='hidden' name='token' value='{visit.token}'>"
        f"<input type='hidden' name='to' value='{text(visit.query.get('to', '/'), 2_000)}'>"
        f"<ul class='people'>{''.join(items)}</ul></form>",
    )


def refused(fields: Mapping[str, str], token: str, people: Sequence[Row]) -> tuple[HTTPStatus, str] | None:
    """Why nobody is signed in by a form with these fields: the response's status, and words; None if somebody is."""
    if not hmac.compare_digest(fields.get("token", "").encode(), token.encode()):
        return HTTPStatus.FORBIDDEN, "This form is not from a page that this browser has. Load the page again."
    if fields.get("user") not in {each["id"] for each in people}:
        return HTTPStatus.BAD_REQUEST, "There is nobody with this name."
    return None


def destination(fields: Mapping[str, str]) -> str:
    """The path of the page that was asked for before the sign-in."""
    path = quote(fields.get("to", ""), safe="/%").lstrip("/")  # two slashes would lead to another site
    return "/" if path == "login" else f"/{path}"


def new_cookie(name: str, value: str) -> str:
    """The header that sets a cookie of the application's."""
    # Lax, not Strict: a chip on the chat page leads here, too.
    return f"{name}={quote(value, safe='')}; HttpOnly; Path=/; SameSite=Lax"


def read_cookie(header: str, name: str) -> str:
    """What the browser's cookie says; nothing if it has none.

    Cookies know no ports: there may be others beside it, of any program on this machine and in any form.
    """
    parts = (part.strip().partition("=") for part in header.split(";"))
    return next((unquote(value) for key, _, value in parts if key == name), "")


def form_token(header: str) -> str:
    """The token that this browser has already, or a new one."""
    token = read_cookie(header, TOKEN)
    return token if re.fullmatch(r"[\w-]{43}", token, re.ASCII) else secrets.token_urlsafe(32)


def _initials(name: str) -> str:
    words = [word for word in name.split() if not word.endswith(".")] or [name]
    return "".join(word[0] for word in (words[0], *words[1:][-1:]) if word).upper()
