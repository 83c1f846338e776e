"""Tell shell commands that only read from those that may write what they were given somewhere. Pure."""

from __future__ import annotations

import shlex

from paliadin.evidence.vocabulary import READING_COMMANDS

MAX_COMMAND = 2_000  # characters
_DIVIDES = frozenset("|;&()")


def only_reads_files(command: str) -> bool:
    """True if each program of a command is known to read only, and nothing of it goes to a file.

    A program that has other ways, too, is known by its second word: `git log`.
    """
    if len(command) > MAX_COMMAND or "`" in command:
        return False
    lexer = shlex.shlex(command.replace("\n", " ; "), posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    try:
        words = list(lexer)
    except ValueError:  # a quotation mark is not closed
        return False
    if any(word.startswith("--output") or (">" in word and set(word) <= _DIVIDES | {">", "<"}) for word in words):
        return False
    starts = [0, *(number + 1 for number, word in enumerate(words) if set(word) <= _DIVIDES)]
    programs = [words[at : at + 2] for at in starts if at < len(words)]
    return bool(programs) and all(
        program[0] in READING_COMMANDS or " ".join(program) in READING_COMMANDS for program in programs
    )
