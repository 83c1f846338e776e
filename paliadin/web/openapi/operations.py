"""What each route takes and returns, by its method and path; a test compares this with the routes. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from paliadin.web.openapi.chat_operations import CONVERSATIONS, SESSIONS, TURNS
from paliadin.web.openapi.file_operations import ACCESS, FILES, MCP, PEOPLE
from paliadin.web.openapi.operation import Operation
from paliadin.web.openapi.page_operations import PAGES

OPERATIONS: Mapping[str, Operation] = {
    **TURNS,
    **SESSIONS,
    **CONVERSATIONS,
    **FILES,
    **ACCESS,
    **PEOPLE,
    **MCP,
    **PAGES,
}
"""By "METHOD path"; the routes of parts have their own."""
