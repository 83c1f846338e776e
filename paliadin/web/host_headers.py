"""The names in a request's headers `Host` and `Origin`."""

from __future__ import annotations

import re

from starlette.datastructures import Headers
from starlette.requests import Request

from paliadin.people.access import LABEL

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9_.-]{1,253})(?::[0-9]{1,5})?", re.ASCII)
QUOTED_LENGTH = 100  # characters


def host_name(headers: Headers) -> str:
    """Return the host without its port, in lower case, an IPv6 address in brackets; empty if it is none."""
    match = _HOST.fullmatch(headers.get("host", ""))
    return match[1].lower() if match else ""


def is_label_host(name: str) -> bool:
    """True for a host that looks like the page's own address, perhaps an earlier one."""
    return name.endswith(".localhost") and LABEL.fullmatch(name.removesuffix(".localhost")) is not None


def own_origin(request: Request) -> str:
    """Return the origin of a page that was loaded from the address that the request names."""
    return f"{request.url.scheme}://{request.headers.get('host', '')}"


def quoted(value: object) -> str:
    """Quote a caller's text for a message: it may be hostile, so control characters are escaped and it is cut."""
    return repr(str(value)[:QUOTED_LENGTH])
