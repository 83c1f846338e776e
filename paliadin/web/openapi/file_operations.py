"""Describes the requests and responses of the routes for files, access, people and toolboxes. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from paliadin.files.attachable import Obstacle
from paliadin.files.matching import LONGEST_QUERY
from paliadin.files.shown_file import Kind
from paliadin.files.working_folder import MAX_PATH
from paliadin.people.access import Purpose
from paliadin.people.caller import Role
from paliadin.people.directory import LANGUAGES, LONGEST_NAME
from paliadin.people.person_key import PERSON_ID
from paliadin.web.file_routes import MOST_CHECKED
from paliadin.web.openapi.operation import OF_SESSION, Operation
from paliadin.web.openapi.schemas import (
    ANYTHING,
    BOOL,
    DIGITS,
    KEY_NAME,
    PERSON,
    TEXT,
    WHOLE,
    array,
    nullable,
    one_of,
    record,
    reference,
)
from paliadin.web.paths import API

_OF_KEY = {"name": KEY_NAME}
_PATH = {**TEXT, "minLength": 1, "maxLength": MAX_PATH}
_DESCRIBED = record({"path": TEXT, "kind": one_of(*map(str, Kind)), "version": TEXT}, {"width": WHOLE, "height": WHOLE})

_OBSTACLE = nullable(one_of(*map(str, Obstacle)))
_FOUND = record({"path": TEXT, "ignored": BOOL, "marks": array(WHOLE), "obstacle": _OBSTACLE})

_ADDRESS = record({"id": TEXT, "address": TEXT, "path_address": TEXT, "expires_in": WHOLE})
_PERSON_ID = {"type": "string", "pattern": f"^{PERSON_ID.pattern}$"}
_LINE = {**TEXT, "maxLength": LONGEST_NAME}
_ADDED = {"office": _LINE, "language": one_of(*LANGUAGES), "role": one_of(*map(str, Role)), "again": BOOL}

FILES: Mapping[str, Operation] = {
    f"GET {API}/files": Operation(
        "The files and folders of Claude's folder that match the letters `q` best; `marks` are the numbers of the "
        "characters of `path` that match, `total` is how many there are. With an `obstacle` a question cannot name the "
        "file, and `path` is what may be shown of its name.",
        record({"files": array(_FOUND), "total": WHOLE}),
        query=OF_SESSION | {"q": {**TEXT, "maxLength": LONGEST_QUERY}},
        errors=(404, 422, 503),
    ),
    f"POST {API}/files/check": Operation(
        "What can be shown of each path; null for one that is not there, or not in Claude's folder.",
        record({"files": array(nullable(_DESCRIBED))}),
        body=record({"paths": {**array(TEXT), "maxItems": MOST_CHECKED}}, OF_SESSION),
        errors=(404, 422, 503),
    ),
    f"GET {API}/files/text": Operation(
        "Lines of a text file, from `first` to `last`; of each, how many bytes are left out at its end. `total`: the "
        "number of all lines, null for a file that is too large to count them.",
        record(
            {"path": TEXT, "first": WHOLE, "lines": array(record({"text": TEXT, "left_out": WHOLE}))}
            | {"total": nullable(WHOLE)}
        ),
        query=OF_SESSION | {"path": _PATH, "first": DIGITS, "last": DIGITS},
        errors=(404, 422, 503),
    ),
    f"GET {API}/files/content": Operation(
        "A picture.",
        ANYTHING,
        query=OF_SESSION | {"path": _PATH},
        errors=(404, 413, 422, 503),
        media=("image/png", "image/jpeg", "image/gif", "image/webp"),
    ),
}

ACCESS: Mapping[str, Operation] = {
    f"POST {API}/embed-token": Operation(
        "A token with which the drawer on pages of `origin` asks as `person`.",
        record({"token": TEXT, "expires_in": WHOLE}),
        body=record({"origin": TEXT, "person": PERSON}),
        errors=(422,),
    ),
    f"GET {API}/access": Operation(
        "The browsers that are signed in, and the keys.",
        record({"browsers": array(reference("Browser")), "keys": array(reference("Key"))}),
    ),
    f"POST {API}/access/tickets": Operation(
        "An address that signs one browser of the owner's in, once.", _ADDRESS, 201
    ),
    f"GET {API}/access/tickets/{{id}}": Operation(
        "Whether the address can still be used.", record({"valid": BOOL}), path={"id": TEXT}
    ),
    f"POST {API}/access/sign-out": Operation(
        "Sign out the browser that asks, or all of the same person.",
        record({"signed_out": one_of(True)}),
        body=record({}, {"everywhere": BOOL}),
        errors=(422, 507),
    ),
    f"DELETE {API}/access/browsers/{{id}}": Operation(
        "Sign out one browser.", record({"signed_out": one_of(True)}), path={"id": TEXT}, errors=(404, 507)
    ),
    f"POST {API}/access/rotate": Operation(
        "Sign out all browsers and change the page's own address.", record({"rotated": one_of(True)}), errors=(507,)
    ),
    f"POST {API}/access/keys": Operation(
        "Make a key; only this response shows it.",
        record({"name": KEY_NAME, "key": TEXT}),
        201,
        record({"name": KEY_NAME, "purpose": one_of(*map(str, Purpose))}),
        errors=(422, 507),
    ),
    f"POST {API}/access/keys/{{name}}/rotate": Operation(
        "A new key in place of this one.", record({"name": TEXT, "key": TEXT}), path=_OF_KEY, errors=(404, 507)
    ),
    f"DELETE {API}/access/keys/{{name}}": Operation(
        "Make the key invalid.", record({"removed": one_of(True)}), path=_OF_KEY, errors=(404, 507)
    ),
}

MCP: Mapping[str, Operation] = {
    f"POST {API}/mcp": Operation(
        "One request of the Model Context Protocol (JSON-RPC, stateless): the tools of a `toolbox`, or of all.",
        ANYTHING,
        body=record({"jsonrpc": one_of("2.0"), "method": TEXT}, {"id": ANYTHING, "params": ANYTHING}),
        query={"session": TEXT, "toolbox": TEXT},
        headers={"mcp-protocol-version": TEXT},
        empty=(202,),
        errors=(404,),
    ),
}

PEOPLE: Mapping[str, Operation] = {
    f"GET {API}/people": Operation(
        "The people who are let in by name, with what there is of them.", record({"people": array(reference("Person"))})
    ),
    f"POST {API}/people": Operation(
        "Let somebody in by name; `again` gives back what an earlier person with this id has left.",
        reference("Person"),
        201,
        record({"id": _PERSON_ID, "name": {**_LINE, "minLength": 1}}, _ADDED),
        errors=(409, 422, 507),
    ),
    f"DELETE {API}/people/{{id}}": Operation(
        "Let somebody in no longer; with `delete` their conversations are deleted.",
        record(
            {
                "removed": one_of(True),
                "conversations": WHOLE,
                "turns": nullable(WHOLE),
                "deleted": BOOL,
                "stays": array(TEXT),
            }
        ),
        path={"id": TEXT},
        query={"delete": one_of("1")},
        errors=(404, 422, 507),
    ),
    f"POST {API}/people/{{id}}/tickets": Operation(
        "An address that signs one browser of this person's in, once.", _ADDRESS, 201, path={"id": TEXT}, errors=(404,)
    ),
}
