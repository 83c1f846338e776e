"""The paths at which the daemon's routes begin, and the path of a request below them."""

from starlette.types import Scope as Connection

PAGE = "/paliadin"
API = "/api/paliadin"


def route_path(connection: Connection) -> str:
    """Return the path that the routes see: without the page's own address, when that is a path."""
    path: str = connection["path"]
    # Below a mount, Starlette lengthens `root_path` and keeps what it was.
    return path.removeprefix(connection.get("app_root_path", connection.get("root_path", "")))
