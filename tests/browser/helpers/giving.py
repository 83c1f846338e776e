"""Pastes files into the page, or drops them on it."""

from __future__ import annotations

import base64

GIVE = """(target, [kind, files, folder]) => {
  const transfer = new DataTransfer();
  for (const [name, type, data] of files)
    transfer.items.add(new File([Uint8Array.from(atob(data), (char) => char.charCodeAt(0))], name, { type }));
  const event = kind === "paste"
    ? new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true })
    : new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true });
  // Firefox leaves the files out of a made-up paste, and has no pictures on the clipboard without a window system.
  if (kind === "paste" && !event.clipboardData.files.length)
    Object.defineProperty(event, "clipboardData", { value: transfer });
  target.dispatchEvent(event);
}"""


def files_of(*files: tuple[str, str, bytes]) -> list[list[str]]:
    return [[name, kind, base64.b64encode(data).decode()] for name, kind, data in files]
