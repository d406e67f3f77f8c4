"""A real browser and a real JupyterLab; without a browser or playwright, all is skipped."""

import fcntl
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXTENSIONS = ROOT / "widgets" / "labextension" / "built"  # before those that are installed
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
PATIENCE = 90  # seconds for a server, a kernel or a page


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items):
    missing = None
    if not any(map(shutil.which, BROWSERS)):
        missing = f"no browser here ({', '.join(BROWSERS)})"
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        missing = "playwright is not installed"
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if missing:
                item.add_marker(pytest.mark.skip(reason=missing))


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    executable = next(filter(None, map(shutil.which, BROWSERS)))
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def page(browser):
    """A page, and at the end of the test no error on its console."""
    context = browser.new_context(viewport={"width": 1300, "height": 1000})
    found = context.new_page()
    found.set_default_timeout(30_000)
    said = []
    found.on("pageerror", lambda error: said.append(str(error)))
    found.on("console", lambda m: said.append(m.text) if m.type == "error" else None)
    yield found
    context.close()
    # What JupyterLab says of a file that is not there, or of a kernel that is gone, is not ours,
    # nor what Notebook 7 says of its own settings.
    theirs = ("Failed to load resource", "Canceled future for", "(reading 'schema')")
    theirs += ("Command 'filebrowser:open-path' not registered",)
    ours = [s for s in said if not any(t in s for t in theirs)]
    assert not ours, ours


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Its folder: built once, by whichever process is first."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "polynb-site"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "built").is_file():
            command = [sys.executable, "-m", "polynb.site", str(folder)]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            assert done.returncode in (0, 1), done.stderr
            (folder / "built").write_text(done.stderr, "utf-8")
    return folder


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """(address, folder) of a JupyterLab of its own: nothing of the user's, no news, no network.

    Its kernels are talked to through files: a TCP port that was free when a kernel was asked for
    may be another kernel's when it starts, which nobody tells the page that waits for it.
    """
    folder = tmp_path_factory.mktemp("lab")
    own = tmp_path_factory.mktemp("own")
    runtime = tempfile.mkdtemp()  # a socket's path has a hundred characters
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    options = [
        *("--no-browser", "--allow-root", "--ip=127.0.0.1", f"--port={port}"),
        *("--IdentityProvider.token=", "--LabApp.expose_app_in_browser=True"),
        "--KernelManager.transport=ipc",
        *(
            "--LabApp.news_url=",
            "--LabApp.check_for_updates_class="
            "jupyterlab.handlers.announcements.NeverCheckForUpdate",
        ),
        "--JupyterNotebookApp.expose_app_in_browser=True",  # at /notebooks, where it is installed
        f"--LabServerApp.extra_labextensions_path={EXTENSIONS}",
    ]
    environment = {k: v for k, v in os.environ.items() if k != "VIRTUAL_ENV"}
    for kind in ("CONFIG_DIR", "DATA_DIR"):
        environment[f"JUPYTER_{kind}"] = str(own / kind)
    environment["JUPYTER_RUNTIME_DIR"] = runtime
    environment["IPYTHONDIR"] = str(own / "ipython")
    environment["PYTHONPATH"] = str(ROOT)
    with (own / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options],
            cwd=folder,
            env=environment,
            stdout=log,
            stderr=log,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{address}/api/status", process, own / "log")
        yield address, folder
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:  # it waits for kernels that do not end
            process.kill()
            process.wait()
        shutil.rmtree(runtime, ignore_errors=True)


def _wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert process.poll() is None, log.read_text()
        try:
            urllib.request.urlopen(address, timeout=2).close()
            return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(log.read_text())
