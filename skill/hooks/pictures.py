"""Keeps the pictures that a tool returned as files of the turn's folder: loaded by log_event.py when there may be one.

In the log, a file's name stands in place of a picture's bytes, which would be cut there. Only PNG, JPEG, GIF and WebP
are kept, by their first bytes. Standard library only.
"""

import base64
import contextlib
import hashlib
import os
import re

KEY = "paliadin_picture"  # in the log: the name of a picture's file, or "" if it was not kept
FOLDER = "pictures"
MAX_BYTES = 10 * 1024 * 1024  # of one picture
MAX_ALL = 60 * 1024 * 1024  # bytes of a turn's pictures
MAX_FILES = 60  # of a turn
MAX_DEPTH = 8
DATA_ADDRESS = re.compile(r"data:image/[a-z+.-]{1,20};base64,")


def keep_pictures(turn, value, depth=0):
    """Copy a tool's result with each picture's bytes replaced by the name of a file in the turn's folder."""
    if depth > MAX_DEPTH:
        return value
    if isinstance(value, list):
        return [keep_pictures(turn, item, depth + 1) for item in value]
    if not isinstance(value, dict):
        return value
    value = {name: item for name, item in value.items() if name != KEY}  # nobody else writes it
    for name in ("data", "base64", "stdout"):
        text = value.get(name)
        if isinstance(text, str) and (address := DATA_ADDRESS.match(text)):  # as Bash returns one
            text = text[address.end() :]
        elif name == "stdout":
            continue
        if isinstance(text, str) and is_picture(text[:32]):
            return {**value, name: "", KEY: keep(turn, text)}
    return {name: keep_pictures(turn, item, depth + 1) for name, item in value.items()}


def is_picture(text):
    """Tell by its first characters whether a text is a picture in base64."""
    head = decode(text[:24])
    return head.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")) or (
        head.startswith(b"RIFF") and head[8:12] == b"WEBP"
    )


def decode(text):
    """The bytes of a text in base64; none if it is something else."""
    try:
        return base64.b64decode(text)
    except ValueError:
        return b""


def keep(turn, text):
    """Write the picture, and return its file's name; "" if there is no room for it."""
    data = decode("".join(text.split())) if len(text) < MAX_BYTES * 3 // 2 else b""
    folder = os.path.join(turn, FOLDER)
    if not 0 < len(data) <= MAX_BYTES:
        return ""
    name = hashlib.sha256(data).hexdigest()[:32]
    try:
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder, 0o700)
        sizes = {entry.name: entry.stat(follow_symlinks=False).st_size for entry in os.scandir(folder)}
        if name in sizes:
            return name
        if len(sizes) >= MAX_FILES or sum(sizes.values()) + len(data) > MAX_ALL:
            return ""
        temporary = os.path.join(folder, f".{name}.{os.getpid()}")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
            os.rename(temporary, os.path.join(folder, name))
        except OSError:
            os.unlink(temporary)
            raise
    except OSError:
        return ""
    return name
