"""Firefox, by WebDriver BiDi: what Playwright asks of it is more than a released one knows."""

import itertools
import json
import shutil
import subprocess
import time
from pathlib import Path

import websocket

FIREFOX = ("firefox-esr", "firefox")
WINDOW = """
const until = async (found) => {
  for (;;) {
    const it = await found();
    if (it) return it;
    await new Promise((later) => setTimeout(later, 50));
  }
};
const named = (name) =>
  [...document.querySelectorAll("button")].find((b) =>
    [b.title, b.textContent].some((text) => text.startsWith(name)));
"""


class Firefox:
    """One window. `evaluate` is a function's body in its page; errors of pages are in `said`."""

    def __init__(self, folder: Path) -> None:
        executable = next(filter(None, map(shutil.which, FIREFOX)))
        flags = ("--headless", "--no-remote", "--remote-debugging-port=0", "--profile", str(folder))
        self.process = subprocess.Popen(
            [executable, *flags], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        said = folder / "WebDriverBiDiServer.json"
        while not (said.is_file() and said.read_text()):
            assert self.process.poll() is None
            time.sleep(0.1)
        port = json.loads(said.read_text())["ws_port"]
        address = f"ws://127.0.0.1:{port}/session"
        self.socket = websocket.create_connection(address, timeout=150, suppress_origin=True)
        self.numbers = itertools.count()
        self.said: list[str] = []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.window = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def ask(self, method, **params):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (heard := json.loads(self.socket.recv())).get("id") != number:
            entry = heard.get("params", {})
            if entry.get("level") == "error":
                self.said.append(entry["text"])
        assert heard["type"] == "success", heard
        return heard["result"]

    def open(self, address):
        self.ask("browsingContext.navigate", context=self.window, url=address, wait="complete")

    def evaluate(self, body):
        """What an async function gives back, a text or a number."""
        found = self.ask(
            "script.evaluate",
            expression=f"(async () => {{{WINDOW}{body}}})()",
            target={"context": self.window},
            awaitPromise=True,
        )
        assert found["type"] == "success", found["exceptionDetails"]["text"]
        return found["result"].get("value")

    def close(self):
        self.ask("browser.close")
        self.socket.close()
        self.process.wait(30)
