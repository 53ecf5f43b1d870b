"""Writing a result so that a reader never sees half of it."""

from __future__ import annotations

import os


def write_atomically(path: str, text: str) -> None:
    """Writes ASCII ``text`` beside ``path`` and moves it into place."""
    temporary = path + ".tmp"
    with open(temporary, "w", encoding="ascii", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
