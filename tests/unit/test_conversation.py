"""What is kept of a conversation beside its turns, and whose it is."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paliadin.base.errors import InvalidField, NotFound, PaliadinError, StorageFull
from paliadin.base.session_names import MEMBER_FILE
from paliadin.base.settings import Settings
from paliadin.conversations import directory, repository
from paliadin.conversations.conversation import (
    LONGEST_OWN_TITLE,
    UNDO_MS,
    BranchPoint,
    Conversation,
    changed,
    title_of,
)
from paliadin.conversations.directory import Conversations
from paliadin.conversations.repository import FILE
from paliadin.people.caller import Caller, Door
from paliadin.relays.routing import Relays
from paliadin.relays.scripted import ScriptedRelay
from paliadin.turnlog.ids import new_turn_id, now_ms
from tests.worlds.typed_play import play

APP, OTHER = "https://app.example", "https://other.example"
OWNER = Caller.owner(door=Door.PAGE)
TURN = "01a1fdb6-b627-7948-85e7-ca4dc12d2878"


def test_the_title_is_the_first_question_in_one_line() -> None:
    first = Conversation().asked(TURN, "  Which deadlines\n\nare open?  ", 7)
    assert (first.title, first.first_turn, first.last_at) == ("Which deadlines are open?", TURN, 7)
    assert first.asked(new_turn_id(), "And now?", 8).title == "Which deadlines are open?"
    assert first.asked(new_turn_id(), "And now?", 8).first_turn == TURN


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("x" * 500, "x" * 79 + "…"),
        ("word " * 40, "word " * 15 + "…"),
        ("\u202eevil\u200b", "⟨U+202E⟩evil⟨U+200B⟩"),
        ("\n\t ", ""),
    ],
)
def test_a_title_is_short_and_hides_nothing(question: str, title: str) -> None:
    assert title_of(question).replace(" …", "…") == title.replace(" …", "…")


@given(st.text(max_size=400))
def test_no_title_is_too_long(question: str) -> None:
    assert len(title_of(question)) <= LONGEST_OWN_TITLE


@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda each: st.dictionaries(st.text(), each))
)
def test_what_a_damaged_file_says_is_as_if_it_said_nothing(value: object) -> None:
    assert Conversation.parse(value) == Conversation()


@pytest.mark.parametrize("value", [True, 3, "x", None, [], {}, {"session_id": 3, "turn_id": TURN}])
def test_fields_of_the_wrong_kind_are_left_out(value: object) -> None:
    names = Conversation().as_json()
    parsed = Conversation.parse(dict.fromkeys(names, value))
    fitting = {name for name in names if type(getattr(parsed, name)) is type(value) and getattr(parsed, name) == value}
    assert all(getattr(parsed, name) == getattr(Conversation(), name) for name in names if name not in fitting)
    assert parsed.branch_of is None


def test_a_conversation_is_read_as_it_was_written() -> None:
    whole = Conversation(
        "Title", True, origin=APP, pinned=True, archived=True, created_at=1, last_at=2, ended_at=3, failed=True,
        first_turn=TURN, branch_of=BranchPoint("main", TURN), deleted_at=4,
    )  # fmt: skip
    assert Conversation.parse(json.loads(json.dumps(whole.as_json()))) == whole


def test_only_some_fields_can_be_changed_by_a_request() -> None:
    known = Conversation("Old", deleted_at=5)
    assert changed(known, {"title": " New ", "pinned": True, "deleted": False}) == Conversation(
        "New", titled=True, pinned=True
    )
    for wrong in ({"deleted": True}, {"person": "eve"}, {"archived": 1}, {"title": None}, {"deleted_at": None}):
        with pytest.raises(InvalidField):
            changed(known, wrong)


# Whose it is.


@pytest.fixture
def conversations(settings: Settings) -> Conversations:
    settings = replace(settings, people_origins=(APP,))
    return Conversations(settings, Relays(settings, [ScriptedRelay(play)]))


def member(name: str, origin: str = APP) -> Caller:
    return Caller.embedded(name, origin, "olivia", people_origins=[APP])


def asked_in(conversations: Conversations, session: str) -> str:
    conversations.put(session, conversations.get(session).asked(new_turn_id(), "Hello", 1))
    return session


def listed(conversations: Conversations, caller: Caller, **options: Any) -> set[str]:
    return {session for session, _ in conversations.listed(caller, **options)}


def test_each_sees_their_own_and_the_owner_sees_all_but_lists_their_own(conversations: Conversations) -> None:
    callers = [OWNER, member("olivia"), member("olivia", OTHER), member("ada"), member("ada", OTHER), member("ben")]
    made = [asked_in(conversations, conversations.make(caller)) for caller in callers]
    for caller, own in zip(callers, made, strict=True):
        visible = {session for session in made if conversations.sees(caller, session)}
        assert visible == (set(made) if caller is OWNER else {own})
        for session in made:
            if session in visible:
                assert conversations.resolve(session, caller) == session
            else:
                with pytest.raises(NotFound) as refused:
                    conversations.resolve(session, caller)
                with pytest.raises(NotFound) as unknown:
                    conversations.resolve("nobody", caller)
                assert str(refused.value) == str(unknown.value)
    assert listed(conversations, OWNER) == {"main", *made[:3]}
    for caller, own in zip(callers[1:], made[1:], strict=True):
        assert own in listed(conversations, caller)
        assert listed(conversations, caller) <= {own, conversations.own(caller)}


def test_in_a_drawer_main_is_the_persons_own_also_for_the_owner(conversations: Conversations) -> None:
    for caller in (member("ada"), member("olivia")):
        own = conversations.resolve("main", caller)
        assert own != "main"
        assert conversations.resolve(own, caller) == own
        conversations.ensure(own, caller)
        assert (conversations.folder(own) / MEMBER_FILE).exists() is caller.is_member
        assert conversations.get(own).origin == APP
    assert conversations.resolve("main", OWNER) == "main"


def test_what_is_kept_is_there_for_the_next_daemon(conversations: Conversations, settings: Settings) -> None:
    ada = member("ada")
    session = asked_in(conversations, conversations.make(ada, title="Costs"))
    again = Conversations(settings, Relays(settings, [ScriptedRelay(play)]))
    assert again.get(session) == conversations.get(session)
    assert (again.get(session).person, again.get(session).title) == ("ada", "Costs")
    for path in conversations.folder(session).iterdir():
        assert path.stat().st_mode & 0o077 == 0


def test_a_members_file_that_is_damaged_makes_nothing_the_owners(conversations: Conversations) -> None:
    session = asked_in(conversations, conversations.make(member("ada")))
    (conversations.folder(session) / MEMBER_FILE).write_text("{")
    again = Conversations(conversations._settings, Relays(conversations._settings, [ScriptedRelay(play)]))
    assert again.get(session).person
    assert listed(again, OWNER) == {"main"}


def test_a_members_conversation_that_could_not_be_kept_is_nobody_elses(
    conversations: Conversations, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full after whose it is was written: the practice's tools ask whose it is."""
    ada = member("ada")
    own = conversations.resolve("main", ada)
    with monkeypatch.context() as full:
        full.setattr(conversations, "put", _full_disk)
        with pytest.raises(StorageFull):
            conversations.ensure(own, ada)
    conversations.ensure(own, ada)
    assert conversations.get(own).person == "ada"
    assert listed(conversations, OWNER) == {"main"}


def _full_disk(*_: object) -> None:
    raise StorageFull("the disk is full")


def test_a_branch_consists_of_its_own_turns_and_those_before_it(conversations: Conversations) -> None:
    first, second, third = (new_turn_id() for _ in range(3))
    one = conversations.make(OWNER, branch_of=BranchPoint("main", second))
    other = conversations.make(OWNER, branch_of=BranchPoint(one, third))
    assert conversations.turn_ranges(other) == [(other, "", None), (one, "", third), ("main", "", second)]
    assert conversations.branches("main") == [BranchPoint("main", second)]
    conversations.put("main", Conversation(branch_of=BranchPoint(other, first)))  # nobody makes such a circle
    assert conversations.turn_ranges(other) == [(other, "", None), (one, "", third), ("main", "", second)]


def test_what_was_deleted_is_listed_and_found_no_more_until_that_is_taken_back(conversations: Conversations) -> None:
    session = asked_in(conversations, conversations.make(OWNER))
    known = conversations.get(session)
    conversations.put(session, Conversation(**{**_fields(known), "deleted_at": now_ms()}))
    assert listed(conversations, OWNER) == {"main"}
    with pytest.raises(NotFound):
        conversations.resolve(session, OWNER)
    assert conversations.resolve(session, OWNER, deleted=True) == session
    assert conversations.with_leftovers() == [session]
    conversations.put(session, Conversation(**{**_fields(known), "deleted_at": now_ms() - UNDO_MS}))
    with pytest.raises(NotFound):
        conversations.resolve(session, OWNER, deleted=True)
    conversations.put(session, known)
    assert session in listed(conversations, OWNER)
    conversations.remove(session)
    assert session not in conversations.names()


def _fields(conversation: Conversation) -> dict[str, Any]:
    return {name: getattr(conversation, name) for name in conversation.as_json()}


def test_main_is_not_asked_while_its_deletion_can_be_taken_back_nor_is_the_first_one_in_a_drawer(
    conversations: Conversations,
) -> None:
    ada = member("ada")
    conversations.ensure(conversations.own(ada), ada)
    for caller in (OWNER, ada):
        first = conversations.first(caller)
        conversations.put(first, replace(conversations.get(first), deleted_at=now_ms()))
        with pytest.raises(NotFound) as refused:
            conversations.resolve("main", caller)
        assert refused.value.code == "conversation_deleted"
        assert conversations.resolve("main", caller, deleted=True) == first


def test_what_began_anew_shows_nothing_of_before_and_a_branch_all_that_it_needs(conversations: Conversations) -> None:
    turns = [new_turn_id() for _ in range(6)]
    ada = member("ada")
    first = conversations.own(ada)
    conversations.ensure(first, ada)
    (conversations.folder(first) / "queue.json").write_text("{}")
    (conversations.folder(first) / "prompts").mkdir()
    early = conversations.make(ada, branch_of=BranchPoint(first, turns[2]))
    conversations.begin_anew(first, turns[2])
    late = conversations.make(ada, branch_of=BranchPoint(first, turns[5]))
    assert {path.name for path in conversations.folder(first).iterdir()} == {FILE, MEMBER_FILE}
    assert conversations.turn_ranges(first) == [(first, turns[2], None)]
    assert conversations.turn_ranges(early)[1] == (first, "", turns[2])
    assert conversations.turn_ranges(late)[1] == (first, turns[2], turns[5])
    assert conversations.with_leftovers() == [first]
    now = conversations.get(first)
    assert (now.person, now.origin, now.deleted_at, now.last_at) == ("ada", APP, None, None)
    assert Conversation.parse(now.as_json() | {"emptied": [turns[2], 7, "x"]}).emptied == now.emptied

    def needed(conversation: Conversation, *branches: int) -> list[int]:
        ends = [turns[each] for each in branches]
        return [number for number, turn in enumerate(turns) if conversation.needs(turn, ends)]

    gone = replace(now, deleted_at=1)
    assert needed(now, 2, 5) == [0, 1, 2, 3, 4, 5]
    assert needed(now, 5) == [2, 3, 4, 5]
    assert needed(now, 1) == [0, 2, 3, 4, 5]
    assert needed(gone, 2, 5) == [0, 1, 2, 3, 4]
    assert needed(gone, 5) == [2, 3, 4]
    assert needed(gone) == needed(Conversation(deleted_at=1)) == []
    assert needed(Conversation()) == [0, 1, 2, 3, 4, 5]


def test_a_member_has_only_so_many_conversations_in_an_application_and_the_owner_any_number(
    conversations: Conversations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(directory, "MOST_OF_A_MEMBER", 2)
    for caller in (member("ada"), member("grace"), member("ada", OTHER)):
        for _ in range(2):
            conversations.make(caller)
        with pytest.raises(PaliadinError) as refused:
            conversations.make(caller)
        assert (refused.value.code, refused.value.status) == ("conversation_limit", 409)
    for _ in range(3):
        conversations.make(OWNER)


def test_one_without_a_question_is_taken_away_after_a_week_unless_it_has_a_title(conversations: Conversations) -> None:
    old = now_ms() - repository.UNBEGUN_MS - 1
    unbegun, titled, begun, new = (conversations.make(OWNER, title=title) for title in ("", "Kept", "", ""))
    asked_in(conversations, begun)
    for session in (unbegun, titled, begun, "main"):
        conversations.put(session, replace(conversations.get(session), created_at=old))
    assert conversations.unbegun() == [unbegun]
    assert new in conversations.names()


@pytest.mark.parametrize(
    "value",
    [
        {"title": "\ud800"},
        {"origin": "\udfff"},
        {"first_turn": 7},
        {"last_at": True},
        {"branch_of": {"session_id": "x" * 300, "turn_id": TURN}},
        {"branch_of": {"session_id": "../../etc", "turn_id": TURN}},
        {"branch_of": {"session_id": "main", "turn_id": "x"}},
        {"emptied": {"a": 1}},
        {"emptied": [None, [], "x"]},
        [],
        None,
    ],
)
def test_what_is_damaged_in_the_file_is_as_in_a_new_conversation(value: object) -> None:
    assert Conversation.parse(value) == Conversation()


def test_a_turn_of_what_was_deleted_is_shown_only_where_a_branch_needs_it(conversations: Conversations) -> None:
    first, second = new_turn_id(), new_turn_id()
    session = asked_in(conversations, conversations.make(OWNER))
    assert conversations.shows(OWNER, session, second)
    conversations.put(session, replace(conversations.get(session), deleted_at=now_ms()))
    assert not conversations.shows(OWNER, session, first)
    conversations.make(OWNER, branch_of=BranchPoint(session, second))
    assert [conversations.shows(OWNER, session, turn) for turn in (first, second)] == [True, False]
    assert not conversations.shows(member("ada"), session, first)


def test_whoever_changes_something_first_has_a_conversation_of_their_own(conversations: Conversations) -> None:
    ada = member("ada")
    session = conversations.claim("main", ada)
    assert (conversations.folder(session) / MEMBER_FILE).exists()
    assert conversations.get(session).person == "ada"
    (conversations.folder(session) / MEMBER_FILE).unlink()
    again = Conversations(conversations._settings, Relays(conversations._settings, [ScriptedRelay(play)]))
    again.ensure(session, ada)
    assert (again.folder(session) / MEMBER_FILE).exists()
    assert again.get(session).person == "ada"


# A member at the page.


ANN, BEN = Caller.member("ann", "http://p.example"), Caller.member("ben", "http://p.example")


def test_a_member_at_the_page_has_all_that_is_theirs_and_in_a_drawer_what_was_made_there(
    conversations: Conversations,
) -> None:
    """The people of APP are those here, and those of the other application are not."""
    callers = [OWNER, member("olivia"), ANN, BEN, member("ann"), member("ann", OTHER), member("ben")]
    made = [asked_in(conversations, conversations.make(caller)) for caller in callers]
    _, _, at_page, _, in_app, in_other, _ = made
    seen = {caller: {each for each in made if conversations.sees(caller, each)} for caller in callers}
    assert seen[ANN] == {at_page, in_app}
    assert seen[BEN] == {made[3], made[6]}
    assert (seen[callers[4]], seen[callers[5]]) == ({in_app}, {in_other})
    assert listed(conversations, ANN) == {*seen[ANN], conversations.own(ANN)}
    assert listed(conversations, OWNER) == {"main", *made[:2]}
    assert [conversations.get(session).origin for session in made] == [None, APP, None, None, APP, OTHER, APP]
    stored = json.loads((conversations.folder(at_page) / MEMBER_FILE).read_text())
    assert stored == {"person": "ann", "origin": None}


def test_main_is_a_members_own_at_the_page_and_listed_before_it_has_begun(conversations: Conversations) -> None:
    own = conversations.resolve("main", ANN)
    assert own not in {"main", conversations.own(BEN), conversations.own(member("ann"))}
    assert own == conversations.own(Caller.member("ann", "https://another-address.example"))
    assert [(name, each.person) for name, each in conversations.listed(ANN)] == [(own, "ann")]
    assert own not in conversations.names()
    assert conversations.claim("main", ANN) == own
    assert [(name, each.person) for name, each in conversations.listed(ANN)] == [(own, "ann")]
    conversations.put(own, replace(conversations.get(own), deleted_at=now_ms()))
    assert listed(conversations, ANN) == set()
    with pytest.raises(NotFound) as refused:
        conversations.resolve("main", ANN)
    assert refused.value.code == "conversation_deleted"


def test_a_refusal_names_to_a_member_nothing_of_others(conversations: Conversations) -> None:
    theirs = asked_in(conversations, conversations.make(BEN, title="Ben's secret"))
    refusals = []
    for name in (theirs, conversations.own(BEN), "nobody", "main@elsewhere"):
        with pytest.raises(NotFound) as refused:
            conversations.resolve(name, ANN)
        refusals.append((refused.value.code, refused.value.message, refused.value.hint))
    assert len(set(refusals)) == 1
    assert theirs not in str(refusals)


def test_a_member_has_only_so_many_at_the_page_as_well(
    conversations: Conversations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(directory, "MOST_OF_A_MEMBER", 2)
    for caller in (ANN, member("ann"), BEN):
        for _ in range(2):
            conversations.make(caller)
        with pytest.raises(PaliadinError, match="2 conversations"):
            conversations.make(caller)
