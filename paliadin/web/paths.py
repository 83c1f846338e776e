"""Where the daemon's routes begin, and the path of a request below it."""

from starlette.types import Scope as Connection

PAGE = "/paliadin"
API = "/api/paliadin"


def route_path(connection: Connection) -> str:
    """Return the path that the routes see: without the page's own address, when that is a path."""
    path: str = connection["path"]
    return path.removeprefix(connection.get("root_path", ""))
