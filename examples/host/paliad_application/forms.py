"""The forms that pages send: how long they may be, and the fields in them."""

from __future__ import annotations

from collections.abc import Mapping, Set
from email.message import Message
from http import HTTPStatus
from urllib.parse import parse_qs

LONGEST_FORM = 10_000  # bytes
NO_FORM = "This is no form of this application."


def refused(headers: Message) -> tuple[HTTPStatus, str] | None:
    """Why a form with these headers is not read: the response's status, and words; None if it is."""
    length = headers.get("Content-Length", "")
    if not (length.isascii() and length.isdigit() and len(length) < 10):
        return HTTPStatus.LENGTH_REQUIRED, "The form's length is missing."
    if int(length) > LONGEST_FORM:
        return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "The form is too long."
    if headers.get_content_type() != "application/x-www-form-urlencoded":
        return HTTPStatus.UNSUPPORTED_MEDIA_TYPE, NO_FORM
    return None


def read_fields(body: bytes, names: Set[str]) -> Mapping[str, str] | None:
    """The fields of a form that has these at most, each once; None for anything else."""
    try:
        fields = parse_qs(body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=5)
    except ValueError:
        return None
    if not set(fields) <= names or any(len(values) > 1 for values in fields.values()):
        return None
    return {name: values[0] for name, values in fields.items()}
