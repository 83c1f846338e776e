"""The page that a browser gets that is not signed in: it says how to get in, and takes the token."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse

_PAGE = (Path(__file__).parent / "static" / "locked.html").read_text("utf-8")
_STYLE = hashlib.sha256(_PAGE.split("<style>")[1].split("</style>")[0].encode()).digest()


def locked_page(request: Request, policy: str) -> HTMLResponse:
    """Build the page; `policy` is the Content-Security-Policy of all other pages, of which it needs a little more.

    If the request had a token, the page says that it is not valid.
    """
    style = f"style-src 'sha256-{base64.b64encode(_STYLE).decode()}'"
    policy = policy.replace("style-src 'self'", style).replace("form-action 'none'", "form-action 'self'")
    # The action is relative: a proxy may add a path before it. The browser goes by the path as it was sent.
    depth = request.scope["raw_path"].count(b"/") - 1
    page = _PAGE.replace('action="', f'action="{"../" * depth}')
    if "token" in request.query_params:
        page = page.replace('role="alert" hidden', 'role="alert"').replace('invalid="false"', 'invalid="true"')
    return HTMLResponse(page, 401, {"content-security-policy": policy, "cache-control": "no-store"})
