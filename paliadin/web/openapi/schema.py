"""The vocabulary of JSON Schemas (2020-12) in which routes describe their requests and responses. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from paliadin.prompt.text import MAX_MESSAGE

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
BOOL: Schema = {"type": "boolean"}
ANYTHING: Schema = {}
TURN_ID: Schema = {"type": "string", "format": "uuid"}
ATTACHMENT_ID: Schema = {"type": "string", "pattern": "^[0-9a-f]{32}$"}
TIME: Schema = {"type": "string", "format": "date-time"}
SESSION: Schema = {"type": "string", "default": "main", "description": "A session's short or full name."}
DIGITS: Schema = {"type": "string", "pattern": "^[0-9]{1,9}$"}
MESSAGE: Schema = {"type": "string", "minLength": 1, "maxLength": MAX_MESSAGE}


def nullable(schema: Schema) -> Schema:
    """The schema, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def array(items: Schema) -> Schema:
    """An array of such items."""
    return {"type": "array", "items": items}


def one_of(*values: object) -> Schema:
    """One of these values."""
    return {"enum": list(values)}


def record(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """An object with these fields, and perhaps the optional ones."""
    schema: Schema = {"type": "object", "properties": {**required, **(optional or {})}}
    return schema | ({"required": list(required)} if required else {})


def reference(name: str) -> Schema:
    """One of `components`."""
    return {"$ref": f"#/components/schemas/{name}"}
