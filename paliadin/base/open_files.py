"""The limit of this process's open files: raised for the daemon, and as it was for the programs that it starts."""

from __future__ import annotations

import contextlib
import resource
from collections.abc import Sequence

WANTED = 10_240  # the most that macOS grants; a limit in the millions makes some programs close as many files
INHERITED, _ = resource.getrlimit(resource.RLIMIT_NOFILE)


def raise_limit() -> int:
    """Raise the limit to WANTED, or as far as the system allows; return what it is now."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    target = WANTED if most == resource.RLIM_INFINITY else min(WANTED, most)
    if now not in (resource.RLIM_INFINITY, target) and now < target:
        with contextlib.suppress(ValueError, OSError):  # a system may allow less than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (target, most))
            now = target
    return WANTED if now == resource.RLIM_INFINITY else now


def with_inherited_limit(command: Sequence[str]) -> list[str]:
    """Return a command that runs `command` with the limit that this process was started with.

    For a program that lives long and starts unknown ones: with a higher limit, `select` fails in some.
    """
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] == INHERITED:
        return [*command]
    return ["sh", "-c", 'ulimit -S -n "$0"; exec "$@"', str(INHERITED), *command]
