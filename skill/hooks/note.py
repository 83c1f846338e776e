"""Notes that a hook failed, as one line of the session's hooks.log. note.sh does so when Python cannot run at all."""

import os
import re
import time

MAX_SIZE = 256 * 1024  # bytes; a longer log gets no more lines


def note_failure(event, error):
    """Append when and where what kind of error occurred, and nothing of the payload: it may hold a secret."""
    session = os.environ.get("PALIADIN_HOOK_SESSION", "")
    path = os.path.join(session, "hooks.log")
    if not os.path.isdir(session) or (os.path.exists(path) and os.path.getsize(path) > MAX_SIZE):
        return
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    hook = event if isinstance(event, str) and re.fullmatch("[A-Za-z]{1,40}", event) else "unknown event"
    reason = f": {error.strerror}" if isinstance(error, OSError) else ""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    os.write(descriptor, f"{at} {hook}: {type(error).__name__} at {find_place(error)}{reason}\n".encode())
    os.close(descriptor)


def find_place(error):
    """The last line of a file of this folder in the error's traceback, as `log_event.py:42`."""
    place, traceback = "", error.__traceback__
    while traceback:
        folder, name = os.path.split(traceback.tb_frame.f_code.co_filename)
        if folder == os.path.dirname(os.path.abspath(__file__)):
            place = f"{name}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    return place
