"""Prepare a branch: a session whose Claude resumes a shortened copy of another one's transcript.

The copy is made, checked, and only then announced in the new session's log, so that its Claude resumes it. Until then
the file branching.json in the session's folder names it: if the daemon is killed meanwhile, the next one finds the
unfinished copy there, and removes it (`remove_leftovers`).
"""

from __future__ import annotations

import contextlib
import logging
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from paliadin.base.errors import NotFound, PaliadinError, RelayError, TerminalInUse, TurnInFlight
from paliadin.base.files import write_json
from paliadin.base.session_names import NAME
from paliadin.base.strict_json import parse_json
from paliadin.relays.terminal import transcript_files as files
from paliadin.relays.terminal.ready import check_ready
from paliadin.relays.terminal.screen import AT_WORK, Screen
from paliadin.relays.terminal.transcript import Contents, before, find_cut, measure, shorten
from paliadin.relays.terminal.transcript_files import BEGIN_ANEW, NOT_BRANCHED, Environment, Transcript
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.read import LogReader
from paliadin.turnlog.session_log import Branched, SessionLog, Started

log = logging.getLogger(__name__)

MARKER = "branching.json"
"""Names, in the session's folder, the transcript that is being made: {"session_id", "transcript_path"}."""

_OWN_STARTS = frozenset({"startup", "clear"})  # sources of SessionStart; `resume` may be of what the owner has chosen


class Side(NamedTuple):
    """One side of a branching: the session's folder, and the folder that its Claude works in."""

    folder: Path
    workdir: Path


class _NotInIt(RelayError):
    """The transcript does not hold the question that the branch leaves at."""


def why_not_parked(screen: Screen, *, in_turn: bool) -> PaliadinError:
    """Build the error for a session whose Claude cannot be ended now; `in_turn`: one of its turns runs."""
    if in_turn or screen.state in AT_WORK:
        return TurnInFlight("a turn is running in this conversation", None)
    try:
        check_ready(screen)
    except RelayError as error:
        return error
    message = "somebody is attached to Claude's terminal, or Claude has something running in the background"
    return TerminalInUse(message, hint="Detach from it (Ctrl-b d), or wait until Claude is done, then try again.")


def copy_transcript(turn: TurnFolder, source: Side, branch: Side, environment: Environment) -> None:
    """Make and announce the transcript with which the session `branch` begins. Blocks.

    For the first turn of a conversation none is made, and the branch begins as a new session. Raises NotFound,
    RelayError, StorageFull.
    """
    if _named_in_log(branch.folder):
        raise _not_branched(f"the conversation {branch.folder.name} has already begun", "Branch to a new one.")
    prompt_id, path = _find_prompt(turn)
    named = files.locate(path, environment)
    problem: PaliadinError | None = None
    for original in (named, *_copies_of(named, branch.folder.parent, environment)):
        try:
            copy = files.place_beside(original, source.workdir, branch.workdir, str(uuid.uuid4()))
            return _copy(original, prompt_id, copy, branch.folder, environment)
        except (NotFound, _NotInIt) as error:
            problem = problem or error
    raise problem or AssertionError


def _copy(original: Transcript, prompt_id: str, copy: Transcript, session: Path, environment: Environment) -> None:
    """Copy the transcript up to the prompt, unless nothing was said before; announce the copy once it is checked."""
    with files.reading(original) as lines:
        cut = find_cut(lines, prompt_id)
        if cut is None:
            message = f"the question is not in Claude Code's transcript {original.path}"
            raise _NotInIt(message, code=NOT_BRANCHED, hint=BEGIN_ANEW)
        lines.seek(0)
        contents = measure(before(lines, cut))
        if not contents.begun:
            return
        lines.seek(0)
        with _announcing(copy, original, session, environment):
            files.make(copy, shorten(lines, cut, copy.session_id))
            _check(copy, contents)


@contextmanager
def _announcing(copy: Transcript, original: Transcript, session: Path, environment: Environment) -> Iterator[None]:
    """Announce the copy that a `with` block makes, at its end; remove it after an error."""
    session.mkdir(mode=0o700, exist_ok=True)
    copied = Branched(copy.session_id, str(copy.path), original.session_id)
    write_json(session / MARKER, copied.as_json())
    try:
        yield
        SessionLog(session).note_branched(copied)
    except FileExistsError as error:  # somebody else's
        (session / MARKER).unlink()
        raise _not_branched(f"there is a file {copy.path} already", "Try again.") from error
    except BaseException:
        remove_leftover(session, environment)
        raise
    (session / MARKER).unlink()


def _check(copy: Transcript, contents: Contents) -> None:
    with files.reading(copy) as lines:
        if measure(lines, copy.session_id) != contents:
            raise _not_branched("the copy of the transcript does not hold what was before the question", "Try again.")


def _copies_of(original: Transcript, sessions: Path, environment: Environment) -> Iterator[Transcript]:
    """Yield the transcript's copies, made for branches, and copies of these: the original may be gone."""
    # The others are mirrors of sessions on hosts, whose logs name files there.
    own = [folder for folder in sessions.glob("*/") if NAME.fullmatch(folder.name)]
    ids, left = {original.session_id}, [each for folder in own for each in _named_in_log(folder)]
    while copies := [each for each in left if isinstance(each, Branched) and each.copy_of in ids]:
        left = [each for each in left if each not in copies]
        for branched in copies:
            with contextlib.suppress(RelayError):
                copy = files.locate(branched.transcript, environment)
                ids.add(copy.session_id)
                yield copy


def _find_prompt(turn: TurnFolder) -> tuple[str, str]:
    """Return the id that Claude Code gave to the turn's prompt, and the path of the transcript that it went into."""
    turn.describe()  # raises NotFound
    try:
        prompt_id = (turn.path / "prompt_id").read_text("ascii").strip()
    except (OSError, ValueError):
        prompt_id = ""
    for line in LogReader(turn.log.path).read() if prompt_id else []:
        hook = line.get("hook")
        if (
            isinstance(hook, dict)
            and hook.get("prompt_id") == prompt_id
            and isinstance(hook.get("transcript_path"), str)
        ):
            return prompt_id, hook["transcript_path"]
    raise _not_branched("the question never reached Claude", "Branch at another one, or ask it again.")


def remove_transcripts(session: Path, environment: Environment) -> None:
    """Remove the transcripts that were made for the session, and the files that Claude Code keeps beside them. Blocks.

    These are its copy, and those of conversations that began in it, but none that the owner has resumed in its
    terminal. Raises OSError.
    """
    remove_leftover(session, environment)
    for transcript in _made_for(session, environment):
        files.remove(transcript, environment)


def _made_for(session: Path, environment: Environment) -> Iterator[Transcript]:
    for named in _named_in_log(session):
        try:
            transcript = files.locate(named.transcript, environment)
        except RelayError as error:
            log.warning("not removed with %s: %s", session.name, error.message)
            continue
        if transcript.session_id == named.conversation:
            yield transcript


def _named_in_log(session: Path) -> list[Branched | Started]:
    """Return the entries that name a transcript which was made for the session."""
    entries = SessionLog(session).read()
    return [
        each
        for each in entries
        if isinstance(each, Branched) or (isinstance(each, Started) and each.source in _OWN_STARTS)
    ]


def remove_leftovers(sessions: Path, environment: Environment) -> None:
    """Remove the transcripts that a daemon was making when it was killed."""
    for marker in sessions.glob(f"*/{MARKER}"):
        try:
            remove_leftover(marker.parent, environment)
        except (OSError, PaliadinError) as error:
            log.warning("what is left of a branch was not removed: %s", error)


def remove_leftover(session: Path, environment: Environment) -> None:
    """Remove the transcript that branching.json names, unless it was announced, and then that file."""
    marker = session / MARKER
    try:
        named = Branched.parse(parse_json(marker.read_text("utf-8")))
    except FileNotFoundError:
        return
    except ValueError:
        named = None
    if named and named not in _named_in_log(session):
        try:
            files.remove(files.locate(named.transcript, environment), environment)
        except RelayError as error:  # no transcript of Claude Code's: somebody else has written this
            log.warning("not removed with %s: %s", session.name, error.message)
    marker.unlink(missing_ok=True)


def _not_branched(message: str, hint: str) -> RelayError:
    return RelayError(message, code=NOT_BRANCHED, hint=hint)
