"""Files that are written completely or not at all."""

from __future__ import annotations

import os
import tempfile
from typing import IO, Any


def started(path: str | os.PathLike[str]) -> IO[bytes]:
    folder, name = os.path.split(os.path.abspath(path))
    return tempfile.NamedTemporaryFile(dir=folder, prefix=f".{name}.", suffix=".part", delete=False)


def finished(draft: IO[bytes], path: str | os.PathLike[str]) -> None:
    draft.close()
    os.replace(draft.name, path)


def unfinished(draft: IO[Any]) -> None:
    """Deletes the temporary file of a failed download. Does nothing after a successful download."""
    draft.close()
    try:
        os.unlink(draft.name)
    except FileNotFoundError:
        pass
