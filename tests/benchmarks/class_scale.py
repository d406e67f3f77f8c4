"""What a student's machine needs: `tests/benchmarks/class_scale.py [NOTEBOOK...] [--cache DIR]`.

Each notebook (all lessons and labs by default) is run as a person would who runs all its cells:
a Jupyter server of its own, a kernel that it starts, an empty folder, an empty cache of kernels
(or the one given, `POLYNB_SHARED_CACHE`). Every 50 ms the memory of all of its processes is added
up, what they share counted once (proportional set sizes): the server, the kernel, and what the
kernel starts (workers, compilers, traced programs). A line each: megabytes at most, the seconds
until the server answers, those that the cells take, and of processor time; and what one student
would need.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import psutil
from jupyter_client.blocking import BlockingKernelClient

ROOT = Path(__file__).parents[2]
PORT, TOKEN = 18731, "measured"


@dataclass
class Needs:
    """Megabytes at most, by kind of process and together; seconds; what failed."""

    peak: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    together: float = 0.0
    start: float = 0.0
    seconds: float = 0.0
    processor: float = 0.0
    failed: list[str] = field(default_factory=list)

    def row(self, name: str) -> str:
        kinds = " ".join(f"{self.peak[k]:7.0f}" for k in ("server", "kernel", "others"))
        said = f"{name:34} {kinds} {self.together:9.0f} {self.start:5.1f}"
        said += f" {self.seconds:7.1f} {self.processor:7.1f}"
        return said + ("  FAILED: " + "; ".join(self.failed) if self.failed else "")


def asked(path: str, data: object = None) -> dict:
    body = None if data is None else json.dumps(data).encode()
    url = f"http://127.0.0.1:{PORT}/api/{path}"
    with urllib.request.urlopen(
        urllib.request.Request(url, body, {"Authorization": f"token {TOKEN}"}), timeout=30
    ) as answer:
        return json.load(answer)


def watch(server: int, needs: Needs, done: threading.Event) -> None:
    used: dict[int, float] = {}
    while not done.wait(0.05):
        now: dict[str, float] = defaultdict(float)
        with suppress(psutil.Error):
            root = psutil.Process(server)
            for p in [root, *root.children(recursive=True)]:
                with suppress(psutil.Error):
                    kind = "server" if p == root else "kernel" if p.ppid() == server else "others"
                    now[kind] += p.memory_full_info().pss / 1e6
                    used[p.pid] = sum(p.cpu_times()[:2])
        for kind, size in now.items():
            needs.peak[kind] = max(needs.peak[kind], size)
        needs.together = max(needs.together, sum(now.values()))
        needs.processor = sum(used.values())


def failing(cell: nbformat.NotebookNode) -> bool:
    return "raises-exception" in cell.metadata.get("tags", [])


def run(path: Path, folder: Path, needs: Needs) -> None:
    """All cells of a notebook, in a kernel that the server starts."""
    kernel = asked("kernels", {"name": "python3"})["id"]
    client = BlockingKernelClient()
    client.load_connection_file(str(folder / "runtime" / f"kernel-{kernel}.json"))
    client.start_channels()
    for patience in range(20):  # a slow kernel counts as dead until its heart beats
        with suppress(RuntimeError):
            client.wait_for_ready(timeout=60)
            break
        time.sleep(patience)
    for k, cell in enumerate(nbformat.read(path, 4).cells):
        if cell.cell_type == "code":
            reply = client.execute_interactive(
                cell.source, timeout=300, output_hook=lambda message: None
            )["content"]
            if (reply["status"] == "error") != failing(cell):
                needs.failed.append(f"cell {k}: {reply.get('ename', 'no error')}")
    client.stop_channels()


def measured(path: Path, cache: str | None) -> Needs:
    needs, done = Needs(), threading.Event()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        env = os.environ | {
            "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
            "POLYNB_CACHE": str(folder / "cache"),
            "PYTHONPATH": str(ROOT),
        }
        if cache:
            env["POLYNB_SHARED_CACHE"] = cache
        line = ["-m", "jupyterlab", "--no-browser", f"--port={PORT}", "--allow-root"]
        line += [f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={folder}"]
        with (
            open(folder / "log", "wb") as log,
            subprocess.Popen(
                [sys.executable, *line], cwd=folder, env=env, stdout=log, stderr=log
            ) as server,
        ):
            try:
                begin = time.monotonic()
                while True:
                    with suppress(OSError):
                        asked("status")
                        break
                    assert time.monotonic() < begin + 60, (folder / "log").read_text()
                    time.sleep(0.2)
                needs.start = time.monotonic() - begin
                watcher = threading.Thread(target=watch, args=(server.pid, needs, done))
                watcher.start()
                begin = time.monotonic()
                run(path, folder, needs)
                needs.seconds = time.monotonic() - begin
                done.set()
                watcher.join()
            finally:
                done.set()
                server.terminate()
    return needs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebooks", nargs="*", type=Path)
    parser.add_argument("--cache", help="a directory of kernels compiled before, only read")
    asked_for = parser.parse_args()
    places = [ROOT / "notebooks" / part for part in ("lessons", "labs")]
    paths = asked_for.notebooks or [p for place in places for p in sorted(place.glob("*.ipynb"))]
    print(f"{'megabytes, at most':34}  server  kernel  others  together start seconds  CPU s")
    most, failed = 0.0, False
    for path in paths:
        needs = measured(path, asked_for.cache)
        print(needs.row(path.stem), flush=True)
        most, failed = max(most, needs.together), failed or bool(needs.failed)
    print(f"one student: {most:.0f} MB at most")
    return failed


if __name__ == "__main__":
    sys.exit(main())
