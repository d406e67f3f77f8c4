"""What another process writes: its beginning is kept, however much there is."""

from __future__ import annotations

import threading
from typing import IO


class Beginning:
    """The first bytes that come through a pipe, `most` at most. A thread reads it to its end;
    `dropped` counts the others."""

    def __init__(self, pipe: IO[bytes] | None, most: int) -> None:
        assert pipe is not None
        self._pipe, self._most = pipe, most
        self._kept, self.dropped = bytearray(), 0
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with self._pipe:
            while part := self._pipe.read1(1 << 16):  # type: ignore[attr-defined]
                room = self._most - len(self._kept)
                self._kept += part[:room]
                self.dropped += max(len(part) - room, 0)

    def ended(self, seconds: float) -> bool:
        """Whether the pipe has come to its end within so many seconds."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def text(self) -> str:
        return self._kept.decode(errors="replace")
