"""What another process writes: its beginning (and its end) is kept, however much there is."""

from __future__ import annotations

import threading
from typing import IO


class Beginning:
    """The first bytes that come through a pipe, `most` at most, and the `last` that come. A thread
    reads it to its end; `dropped` counts the others."""

    def __init__(self, pipe: IO[bytes] | None, most: int, last: int = 0) -> None:
        assert pipe is not None
        self._pipe, self._most, self._last = pipe, most, last
        self._kept, self._end, self.dropped = bytearray(), bytearray(), 0
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with self._pipe:
            while part := self._pipe.read1(1 << 16):  # type: ignore[attr-defined]
                room = self._most - len(self._kept)
                self._kept += part[:room]
                self._end += part[max(room, 0) :]
                over = max(len(self._end) - self._last, 0)
                del self._end[:over]
                self.dropped += over

    def ended(self, seconds: float) -> bool:
        """Whether the pipe has come to its end within so many seconds."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def text(self) -> str:
        gap = b"\n" if self.dropped and self._end else b""
        return (self._kept + gap + self._end).decode(errors="replace")
