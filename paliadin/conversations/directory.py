"""The conversations as a caller knows them: the caller's list, who may see which one, and making a new one."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import replace

from paliadin.base import errors
from paliadin.base.files import write_json
from paliadin.base.session_names import MEMBER_FILE, SessionName, make_session_name
from paliadin.conversations.conversation import BranchPoint, Conversation
from paliadin.conversations.repository import ConversationRepository
from paliadin.people.caller import Caller
from paliadin.relays.protocol import DEFAULT_SESSION
from paliadin.turnlog.ids import now_ms

MOST_OF_A_MEMBER = 200  # conversations in one application, and as many at the page
LONGEST_PERSON_PART = 24  # characters of a name in the name of the person's first conversation


class Conversations(ConversationRepository):
    """The repository of conversations, with each caller's rights in them."""

    def first(self, caller: Caller) -> str:
        """The conversation that `main` means for the caller; it is always there, though it may not have begun."""
        return self.own(caller) if _has_own_first_conversation(caller) else self._names.full(DEFAULT_SESSION)

    def own(self, caller: Caller) -> str:
        """The first conversation of a person in an application, or of a member at the page.

        Its name says whose it is, and is nobody else's.
        """
        place = caller.application or "page"  # no origin is called so
        digest = hashlib.sha256(f"{place}\0{caller.person}".encode("utf-8", "surrogatepass")).hexdigest()
        readable = re.sub(r"[^A-Za-z0-9]+", "-", caller.person)[:LONGEST_PERSON_PART].strip("-")
        return self._names.full(f"{readable or 'person'}-{digest[:32]}")

    def resolve(self, session_id: object, caller: Caller, *, deleted: bool = False) -> str:
        """Return the full name of the session that a request names; raises InvalidField or NotFound.

        `deleted`: also one whose deletion can still be taken back. For a member, and in a drawer, `main` is the first
        conversation of the person there; it need not exist yet.
        """
        if not isinstance(session_id, str):
            raise errors.InvalidField("session_id must be a string")
        main, first = self._names.full(DEFAULT_SESSION), self.first(caller)
        session = self._names.full(session_id)
        session = first if session == main else session
        if session != first and not (session in self._all() and self.sees(caller, session)):
            raise self._unknown(session, caller)
        conversation = self.get(session)
        if conversation.deleted_at is None or (deleted and conversation.may_come_back(now_ms())):
            return session
        if session != first:
            raise self._unknown(session, caller)
        raise errors.NotFound(
            "this conversation was deleted, and is about to begin anew",
            code="conversation_deleted",
            hint="Take that back, or ask again in a few seconds.",
        )

    def claim(self, session_id: object, caller: Caller, *, deleted: bool = False) -> str:
        """Resolve a session that is about to be changed, as `resolve` does; it is made if it is missing."""
        session = self.resolve(session_id, caller, deleted=deleted)
        self.ensure(session, caller)
        return session

    def _unknown(self, session: str, caller: Caller) -> errors.NotFound:
        if _has_own_first_conversation(caller):
            return errors.NotFound("there is no such session", code="unknown_session", hint="Leave session_id out.")
        names = self.names()
        listed = ", ".join(names[:20]) + (", …" if len(names) > 20 else "")
        return errors.NotFound(
            f"there is no session {session[:80]!r}", code="unknown_session", hint=f"Sessions: {listed}."
        )

    def sees(self, caller: Caller, session: str) -> bool:
        """Tell whether the caller may see the turns of this session.

        The owner sees all of them; a member at the page what is theirs, wherever they made it; in a drawer, the person
        sees what is theirs in that application.
        """
        if not _has_own_first_conversation(caller):
            return True
        origin = self.get(session).origin
        is_here = not caller.in_drawer or (origin == caller.origin and origin is not None)
        return (self.person_key(session) == caller.person_key and is_here) or session == self.own(caller)

    def shows(self, caller: Caller, session: str, turn_id: str) -> bool:
        """Tell whether the caller may see this turn: it is theirs, and no conversation that shows it was deleted."""
        if not self.sees(caller, session):
            return False
        conversation = self.get(session)
        if conversation.deleted_at is None and not conversation.emptied:
            return True
        return conversation.needs(turn_id, [point.turn_id for point in self.branches(session)])

    def listed(self, caller: Caller, *, archived: bool = False) -> Iterator[tuple[str, Conversation]]:
        """Yield (session, conversation) of those that the caller's list shows, in no order.

        The owner's list has no members' conversations, and a conversation is listed once it has a question or a title.
        At the page the first one is always listed.
        """
        first, names = self.first(caller), self.names()
        if first not in names and not caller.in_drawer and not archived and self.get(first).deleted_at is None:
            yield first, Conversation(person=caller.person)
        for session in names:
            conversation = self.get(session)
            is_begun = conversation.is_begun or session == first
            if is_begun and self.may_list(caller, session) and conversation.archived == archived:
                yield session, conversation

    def may_list(self, caller: Caller, session: str) -> bool:
        """Tell whether the caller's list can have the conversation: it is theirs, and for the owner no member's."""
        return self.sees(caller, session) and bool(self.get(session).person) == caller.is_member

    def hosts(self) -> list[str]:
        """Return the hosts on which a conversation can be made: this machine first, then the remote ones."""
        return list(dict.fromkeys([*self._relays.own_hosts(), *map(self._relays.host, self._relays.sessions())]))

    def make(
        self,
        caller: Caller,
        *,
        title: str = "",
        branch_of: BranchPoint | None = None,
        host: str | None = None,
        name: str | None = None,
    ) -> str:
        """Make a conversation of the caller's, on this machine or on that host; returns its session.

        `name` is one that no session has; by default one is made up.
        Raises NotFound for an unknown host, PaliadinError when a member has too many, StorageFull.
        """
        self._check_limit(caller)
        name = name or make_session_name()
        hosts = self.hosts()
        if host is not None and host not in hosts:
            raise errors.NotFound(
                f"there is no host {host[:80]!r}", code="unknown_host", hint=f"Hosts: {', '.join(hosts)}."
            )
        is_here = host is None or host in self._relays.own_hosts()
        session = self._names.full(name) if is_here else str(SessionName(name, host))
        self._make_folder(session, caller, Conversation(title=title, titled=bool(title), branch_of=branch_of))
        if is_here and host is not None:
            self._relays.place(session, host)
        return session

    def ensure(self, session: str, caller: Caller) -> None:
        """Make the first conversation of a member, or of a person in a drawer, if it is missing; raises StorageFull.

        To be called before anything is done in a session that the caller names: without its member.json it would get
        the owner's Claude.
        """
        if not _has_own_first_conversation(caller) or session != self.own(caller):
            return
        is_made = (self.folder(session) / MEMBER_FILE).exists() if caller.is_member else self.is_described(session)
        if not is_made:
            self._make_folder(session, caller, self.get(session))

    def _make_folder(self, session: str, caller: Caller, conversation: Conversation) -> None:
        if caller.is_member:
            folder = self.folder(session)
            folder.mkdir(mode=0o700, exist_ok=True)
            write_json(folder / MEMBER_FILE, {"person": caller.person, "origin": caller.application})
        self._forget(session)  # what was read before says that it is the owner's
        person = caller.person if caller.is_member else ""
        created_at = conversation.created_at or now_ms()
        made = replace(conversation, created_at=created_at, person=person, origin=caller.application)
        self.put(session, made)

    def _check_limit(self, caller: Caller) -> None:
        if not caller.is_member:
            return
        whose = (caller.person, caller.application)
        count = sum((each.person, each.origin) == whose for each in map(self.get, self._all()))
        if count >= MOST_OF_A_MEMBER:
            raise errors.PaliadinError(
                f"there are {count} conversations of this person already",
                code="conversation_limit",
                status=409,
                hint="Delete some of them.",
            )


def _has_own_first_conversation(caller: Caller) -> bool:
    """True for a member, and for the owner in a drawer: their `main` is not the owner's, and they see no others'."""
    return caller.is_member or caller.in_drawer
