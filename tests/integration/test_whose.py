"""Whose is it? Every route of the routing table, with what belongs to somebody else.

Two members at the page, one in a drawer, and the owner: each has conversations, turns, a question that runs and one
that waits. What is somebody else's answers exactly as what does not exist, and says nothing of anybody. A route that
is new, about somebody's things, and not tried here fails by its name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import psycopg
import pytest

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.postgres.cluster import locate_cluster
from paliadin.web.refusal_timing import STEP
from paliadin.web.route_declaration import Whose
from paliadin.web.scoped_routes import Declared, ScopedRoute
from tests.integration.conftest import make_world
from tests.worlds.door import APP, make_settings, real_routes
from tests.worlds.sample_files import attach
from tests.worlds.somebody import API, Somebody, Visitors
from tests.worlds.world import World, eventually

METHODS = ("GET", "HEAD", "POST", "PATCH", "DELETE", "PUT", "OPTIONS")
NOBODYS = {
    "session": "nobody-0123456789abcdef0123456789abcdef",
    "turn": "019a2b3c-4d5e-7f60-8123-456789abcdef",
    "attachment": "0123456789abcdef0123456789abcdef",
    "project": "zebra-nobody",
    "suggestion": "019a2b3c-4d5e-4f60-8123-456789abcdef",
}


@dataclass(frozen=True)
class Own:
    """A route that gives or changes what is the caller's own: `kind` is of what the request names one.

    `at` is the request's address, `body` its body, with the id in the place of ID; `alone` a request that names
    nothing, whose response is the caller's own.
    """

    kind: str = ""
    at: str = ""
    body: Mapping[str, Any] = field(default_factory=dict)
    alone: str = ""


ID = "{id}"
SESSION, TURN = Own("session"), Own("turn")
TRIED: Mapping[str, Own] = {
    "GET /paliadin": Own(alone="/paliadin"),
    f"POST {API}/turn": Own("session", body={"session_id": ID, "user_message": "x"}),
    f"GET {API}/stream/{{turn_id}}": TURN,
    f"POST {API}/stream/{{turn_id}}/abort": TURN,
    f"POST {API}/stream/{{turn_id}}/answer": Own("turn", body={"interrupt_id": "i1", "value": "Red"}),
    f"GET {API}/turns/{{turn_id}}/pictures/{{picture}}": TURN,
    f"POST {API}/turns/{{turn_id}}/feedback": Own("turn", body={"verdict": "up"}),
    f"POST {API}/queue": Own("session", body={"session_id": ID}),
    f"PATCH {API}/queue/{{turn_id}}": Own("turn", body={"user_message": "x"}),
    f"DELETE {API}/queue/{{turn_id}}": TURN,
    f"GET {API}/attachments/{{attachment_id}}": Own("attachment"),
    f"DELETE {API}/attachments/{{attachment_id}}": Own("attachment"),
    f"GET {API}/history": Own("session", f"{API}/history?session_id={ID}", alone=f"{API}/history"),
    # What it names of somebody else's: `test_the_stream_of_a_page_knows_nothing_of_others`
    f"GET {API}/events": Own(alone=f"{API}/events"),
    f"GET {API}/search": Own("session", f"{API}/search?session_id={ID}&words=e", alone=f"{API}/search?words=e"),
    f"GET {API}/export": Own("session", f"{API}/export?session_id={ID}&format=md", alone=f"{API}/export?format=json"),
    f"POST {API}/reset": Own("session", body={"session_id": ID}),
    f"POST {API}/compact": Own("session", body={"session_id": ID}),
    f"GET {API}/conversations": Own(alone=f"{API}/conversations?q=e"),
    f"POST {API}/conversations": Own("turn", body={"branch_of": ID}),
    f"PATCH {API}/conversations/{{session_id}}": Own("session", body={"title": "x", "pinned": True}),
    f"DELETE {API}/conversations/{{session_id}}": SESSION,
    f"GET {API}/health": Own("session", f"{API}/health?session_id={ID}", alone=f"{API}/health"),
    f"GET {API}/limits": Own(alone=f"{API}/limits"),
    f"GET {API}/own-key": Own(alone=f"{API}/own-key"),
    f"GET {API}/practice/projects/{{project_id}}": Own("project"),
    f"GET {API}/practice/turns/{{turn_id}}/suggestions": TURN,
    f"POST {API}/practice/suggestions/{{suggestion_id}}/decision": Own("suggestion", body={"approve": True}),
}
TRIED_ELSEWHERE = {
    f"POST {API}/attachments",  # `test_a_member_attaches_nothing`
    f"POST {API}/consent",  # `test_nothing_is_asked_before_the_reader_has_agreed…`
    f"POST {API}/own-key",  # `tests/integration/test_own_keys.py`
    f"DELETE {API}/own-key",
    f"POST {API}/access/sign-out",  # `test_a_member_signs_out_their_own_browsers_only`
}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Declared]:
    """The routing table: "METHOD path" → route. HEAD comes with GET."""
    routes: dict[str, Declared] = {}
    for route in real_routes(make_settings(tmp_path_factory.mktemp("routes"))):
        assert isinstance(route, Declared)
        methods = route.methods if isinstance(route, ScopedRoute) else {"MOUNT"}
        routes |= {f"{method} {route.path}": route for method in (methods or set()) - {"HEAD"}}
    return routes


def test_every_route_about_somebodys_things_is_tried(table: dict[str, Declared]) -> None:
    of_somebody = {name: each.whose for name, each in table.items() if each.whose in {Whose.CALLERS, Whose.NAMED}}
    assert set(of_somebody) == {*TRIED, *TRIED_ELSEWHERE}
    assert {name for name, own in TRIED.items() if own.kind} <= {
        name for name, whose in of_somebody.items() if whose is Whose.NAMED
    }


@dataclass
class Belongings:
    """What somebody has: ids by their kind, and words that stand in what they asked."""

    who: Somebody
    mark: str  # in each of their questions and titles
    ids: dict[str, list[str]]
    running: str  # a turn that waits for a reply, and a question that waits behind it
    waits: str

    def words(self) -> list[str]:
        """What nobody else may read."""
        return [self.mark, *(each for ids in self.ids.values() for each in ids if each != "main")]


def begin(world: World, who: Somebody) -> Belongings:
    mark = f"zebra-{who.name}"
    first, second = who.turn(f"The question of {mark}"), who.turn(f"Another one of {mark}")
    titled = who.post("conversations", {"title": f"Title of {mark}"}).json()["id"]
    branch = who.post("conversations", {"branch_of": second}).json()["id"]
    busy = who.post("conversations").json()["id"]
    running = who.ask(f"{mark} scene:question", session_id=busy)
    waits = who.ask(f"{mark} waits", session_id=busy, queue=True)
    eventually(lambda: who.get(f"history?session_id={busy}")["turns"][-1]["interrupts"], what="Claude asks")
    rows = [json.loads(path.read_text()) for path in world.settings.response_dir.glob("*/*/turn.json")]
    session = next(str(row["session_id"]) for row in rows if row["turn_id"] == first)  # the full name of their `main`
    sessions = [session, titled, branch, busy] if session != "main" else [titled, branch, busy]
    ids = {"session": sessions, "turn": [first, second, running, waits], "project": [f"{mark}-project"]}
    return Belongings(who, mark, ids | {"suggestion": [str(uuid4())]}, running, waits)


@dataclass
class Practice:
    """A daemon with several people in it."""

    world: World
    visitors: Visitors
    everybody: list[Belongings]
    attachments: list[str]

    def members(self) -> list[Belongings]:
        return [each for each in self.everybody if each.who.name != "owner"]

    def others(self, asker: Belongings) -> list[Belongings]:
        return [each for each in self.everybody if each is not asker]


@pytest.fixture(scope="module")
def practice(
    tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]
) -> Iterator[Practice]:
    for world in make_world(tmp_path_factory.mktemp("whose"), one_claude, api):
        world.scripted = True
        world.options |= {"ALLOWED_ORIGINS": APP, "PERMISSION_ORIGINS": APP, "MAX_EMBEDDED": "9", "PALIAD": "true"}
        world.options |= {"API_KEY": "key-of-the-tests"}
        world.start()
        with Visitors(world) as visitors:
            people = [
                visitors.let_in("ann", office="Annville", language="de"),
                visitors.let_in("ben", office="Benburg"),
            ]
            everybody = [begin(world, who) for who in (*people, visitors.in_drawer("carol", APP), visitors.owner)]
            unsent, sent = (attach(world, f"zebra-owner-{name}.txt", b"zebra-owner") for name in ("a", "b"))
            visitors.owner.turn("zebra-owner with a file", attachments=[sent["id"]])
            eventually(lambda: visitors.owner.get("health")["ok"], what="the rows are written")
            give_projects(world, everybody)
            yield Practice(world, visitors, everybody, [unsent["id"], sent["id"]])


MAKE_PROJECT = "insert into paliad.projects (id, kind, label) values (%(project)s, 'client', %(project)s)"
MAKE_NOTE = """insert into paliad.notes (id, project_id, body, approval_status)
    values ('note-' || %(project)s, %(project)s, %(project)s, 'pending')"""
SUGGEST_NOTE = """insert into paliad.approval_requests
    (id, project_id, thing_kind, thing_id, requester_kind, requested_by, agent_turn_id, digest)
    values (%(id)s, %(project)s, 'note', 'note-' || %(project)s, 'agent', %(person)s, %(turn)s, 'x')"""


def give_projects(world: World, everybody: Sequence[Belongings]) -> None:
    """Give each a project in which their first turn has suggested a note; the first two, ann and ben, see theirs."""
    first = everybody[0].who  # asks something, so that the practice knows the people
    assert first.request("GET", f"{API}/practice/projects/none").status_code == 404
    with psycopg.connect(locate_cluster(world.settings.home).conninfo) as connection:
        for number, each in enumerate(everybody):
            person = each.who.name if number < 2 else "ann"
            values = {"project": each.ids["project"][0], "id": each.ids["suggestion"][0], "person": person}
            for query in (MAKE_PROJECT, MAKE_NOTE, SUGGEST_NOTE):
                connection.execute(query, values | {"turn": each.ids["turn"][0]})
            if number < 2:
                connection.execute("insert into paliad.project_members values (%(project)s, %(person)s)", values)


def test_a_person_sees_the_counts_of_their_own_project(practice: Practice) -> None:
    """What the tests of everybody else's look for is there to be found."""
    ann, ben, *_, owner = practice.everybody
    for who, project in ((ann, ann), (ben, ben), (owner, ann), (owner, ben)):
        shown = who.who.get(f"practice/projects/{project.ids['project'][0]}")
        assert (shown["label"], shown["open_deadlines"]) == (project.ids["project"][0], 0)


def test_a_person_sees_the_suggestions_of_their_own_turn(practice: Practice) -> None:
    for each in practice.everybody[:2]:
        [suggestion] = each.who.get(f"practice/turns/{each.ids['turn'][0]}/suggestions")["suggestions"]
        assert (suggestion["id"], suggestion["state"]) == (each.ids["suggestion"][0], "pending")


def shape(response: httpx2.Response) -> tuple[int, dict[str, str], bytes]:
    """All of a response that could tell something."""
    headers = {name: value for name, value in response.headers.items() if name != "date"}
    return response.status_code, headers, response.content


def request(asker: Somebody, method: str, path: str, body: Any = None) -> httpx2.Response:
    content = None if body is None or method in {"GET", "HEAD", "OPTIONS"} else json.dumps(body).encode()
    return asker.request(method, path, content=content)


def named(own: Own, path: str, name: str) -> tuple[str, Any]:
    """(address, body) of a request that names this id."""
    at = own.at or path
    for hole in (ID, "{turn_id}", "{session_id}", "{attachment_id}", "{project_id}"):
        at = at.replace(hole, name)
    return at, json.loads(json.dumps(dict(own.body)).replace(ID, name))


def hidden_requests(practice: Practice, table: dict[str, Declared]) -> Iterator[tuple[Belongings, str, str, Any, Any]]:
    """(asker, method, path, what is somebody else's, what is nobody's) as (address, body), of each route."""
    for route, whose in TRIED.items():
        method, path = route.split(" ", 1)
        if not whose.kind:
            continue
        nobodys = named(whose, table[route].path, NOBODYS[whose.kind])
        for asker in practice.members():
            for other in practice.others(asker):
                theirs = practice.attachments if whose.kind == "attachment" else other.ids[whose.kind]
                for each in theirs:
                    yield asker, method, path, named(whose, path, each), nobodys


IN_THE_DRAWER_AT_THE_OWNERS = {(403, "foreign_origin")}


def test_what_is_somebody_elses_answers_as_what_does_not_exist(practice: Practice, table: dict[str, Declared]) -> None:
    requests = list(hidden_requests(practice, table))
    assert len(requests) > 500
    before = [state_of(each) for each in practice.everybody]

    def compare(one: tuple[Belongings, str, str, Any, Any]) -> str:
        asker, method, path, theirs, nobodys = one
        found, missing = request(asker.who, method, *theirs), request(asker.who, method, *nobodys)
        for other in practice.others(asker):
            for word in other.words():
                if word in found.text or word in str(found.headers):
                    return f"{asker.who.name} reads {word}: {method} {theirs[0]}"
        refusal = {(found.status_code, found.json()["error"]["code"])}
        is_refused = found.status_code == 404 or (asker.who.name == "carol" and refusal == IN_THE_DRAWER_AT_THE_OWNERS)
        if not is_refused or shape(found) != shape(missing):
            return f"{asker.who.name}: {method} {theirs}: {shape(found)} is not {shape(missing)}"
        if found.status_code == 404 and min(found.elapsed, missing.elapsed).total_seconds() < STEP * 0.9 and path != "":
            return f"{method} {path} tells by its time: {found.elapsed} {missing.elapsed}"
        return ""

    with ThreadPoolExecutor(8) as pool:
        wrong = [each for each in pool.map(compare, requests) if each]
    assert wrong == []
    assert [state_of(each) for each in practice.everybody] == before


def state_of(belongings: Belongings) -> Any:
    """All that could have been changed by somebody else."""
    listed = belongings.who.get("conversations")["conversations"]
    histories = [belongings.who.get(f"history?session_id={session}") for session in belongings.ids["session"]]
    return listed, histories


def test_the_other_methods_of_each_path_tell_no_more(practice: Practice, table: dict[str, Declared]) -> None:
    requests = []
    for route, whose in TRIED.items():
        if whose.kind and "{" in (path := table[route].path):
            for asker in practice.members()[:2]:
                for other in practice.others(asker):
                    theirs = practice.attachments if whose.kind == "attachment" else other.ids[whose.kind][:1]
                    both = [named(whose, path, each)[0] for each in (theirs[0], NOBODYS[whose.kind])]
                    requests += [(asker.who, method, *both) for method in METHODS if f"{method} {path}" not in table]

    def compare(one: tuple[Somebody, str, str, str]) -> str:
        asker, method, theirs, nobodys = one
        found, missing = request(asker, method, theirs, {}), request(asker, method, nobodys, {})
        return "" if shape(found) == shape(missing) else f"{method} {theirs}: {shape(found)} is not {shape(missing)}"

    assert len(requests) > 50
    with ThreadPoolExecutor(8) as pool:
        assert [each for each in pool.map(compare, set(requests)) if each] == []


def test_what_names_nothing_gives_the_callers_own_and_nothing_of_others(practice: Practice) -> None:
    tried = 0
    for whose in TRIED.values():
        if not whose.alone:
            continue
        for asker in practice.members():
            response = request(asker.who, "GET", whose.alone)
            if asker.who.name == "carol" and response.status_code == 403:
                continue  # the page's, in a drawer
            assert response.status_code == 200, response.text
            for other in practice.others(asker):
                assert [word for word in other.words() if word in response.text] == [], whose.alone
                assert f"{other.who.name.title()} Example" not in response.text, whose.alone
            tried += 1
            if whose.alone not in {"/paliadin", f"{API}/limits", f"{API}/own-key"} and "health" not in whose.alone:
                assert asker.mark in response.text, whose.alone
    assert tried > 15


def test_the_streams_of_ones_own_turns_have_nothing_of_others(practice: Practice) -> None:
    for asker in practice.members():
        for turn_id in asker.ids["turn"][:2]:
            stream = asker.who.request("GET", f"{API}/stream/{turn_id}")
            assert stream.status_code == 200
            assert [word for other in practice.others(asker) for word in other.words() if word in stream.text] == []


def test_the_stream_of_a_page_knows_nothing_of_others(practice: Practice) -> None:
    """It names what is somebody else's, and gets the same as for what does not exist, at the same pace."""
    tried = 0
    for asker in practice.members():
        for other in practice.others(asker):
            named = [("session", f"session_id={ID}", each) for each in other.ids["session"] if each != "main"]
            named += [("turn", f"after={ID}:0", each) for each in other.ids["turn"]]
            for kind, query, each in named:
                at = f"{API}/events?health=off&list=off&{query}"
                theirs, nobodys = (asker.who.request("GET", at.replace(ID, one)) for one in (each, NOBODYS[kind]))
                assert theirs.status_code == 200
                assert theirs.text.replace(each, "") == nobodys.text.replace(NOBODYS[kind], ""), query
                assert theirs.elapsed.total_seconds() > STEP * 0.9
                tried += 1
            whole = asker.who.request("GET", f"{API}/events").text
            assert [word for word in other.words() if word in whole] == []
    assert tried > 30


def test_the_owners_routes_are_paths_that_do_not_exist(practice: Practice, table: dict[str, Declared]) -> None:
    ids = {"session_id": "main", "name": "x", "format": "csv", "id": "ben"}
    turn_id = practice.members()[1].ids["turn"][0]
    ann = practice.members()[0].who
    missing = {method: request(ann, method, "/no/such/path", {}) for method in METHODS}
    tried = 0
    for route, declared in table.items():
        if declared.whose is not Whose.OWNERS:
            continue
        method, path = route.split(" ", 1)
        for each in {method, "HEAD" if method == "GET" else method}:
            hidden = request(ann, each, path.format(turn_id=turn_id, **ids), {})
            assert shape(hidden) == shape(missing[each]), route
            assert hidden.status_code == 404
            tried += 1
        carol = request(practice.members()[2].who, method, path.format(turn_id=turn_id, **ids), {})
        assert (carol.status_code, carol.json()["error"]["code"]) == (403, "foreign_origin"), route
    assert tried > 30


def test_a_member_attaches_nothing(practice: Practice) -> None:
    for asker in practice.members():
        sent = asker.who.request("POST", f"{API}/attachments", files={"file": ("x.txt", b"x")})
        assert (sent.status_code, sent.json()["error"]["code"]) == (403, "no_attachments")
        asked = asker.who.post("turn", {"user_message": "x", "attachments": practice.attachments})
        assert (asked.status_code, asked.json()["error"]["code"]) == (403, "no_attachments")


def test_the_metrics_name_nobody(practice: Practice) -> None:
    text = practice.visitors.owner.request("GET", "/metrics").text
    assert "paliadin_turns_total" in text
    for each in practice.everybody:
        assert [word for word in [each.who.name, *each.words()] if word in text and word != "owner"] == []


def test_the_owner_sees_everybody_in_the_dashboard_and_lists_their_own(practice: Practice) -> None:
    """What the tests above look for is there to be found."""
    owner = practice.visitors.owner
    dashboard = owner.request("GET", "/admin/paliadin/turns").text
    for each in practice.everybody:
        assert each.mark in dashboard
    listed = str(owner.get("conversations"))
    assert [each.mark for each in practice.everybody if each.mark in listed] == ["zebra-owner"]
