"""What any test may need: a cache, a notebook; what the laws counted, said at the end."""

import gc
import importlib
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from polynb.codegen import waking
from polynb.run.compilers import find

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # the helpers beside it: cases, followed_hints
LAWS = HERE / "laws"
COUNTED = pytest.StashKey[dict[str, Counter[str]]]()


@pytest.fixture
def openmp():
    """Kernels tell of parallel loops only where the compiler has OpenMP."""
    if not find(None).openmp:
        pytest.skip("no compiler with OpenMP here")


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Kernels go into a cache of the run's own, which all its processes share."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POLYNB_CACHE", str(folder / "cache dir's"))
        patch.delenv("CC", raising=False)
        yield


# -- the ways out that errors and displays say -------------------------------------------------


@pytest.fixture(autouse=True, scope="session")
def _errors_are_noted() -> Iterator[None]:
    """Those that say how to change the text (followed_hints.py)."""
    with importlib.import_module("followed_hints").WATCH.errors_noted():
        yield


@pytest.fixture(autouse=True)
def _fixes_are_made(_errors_are_noted: None) -> Iterator[None]:
    """After each test the fixes of the errors it saw are made."""
    yield
    hints = importlib.import_module("followed_hints")
    with hints.WATCH.following() as errors:
        wrong = [w for e in errors[: hints.MOST] for w in hints.unhelpful(e)]
    assert not wrong, "\n\n".join(wrong)


# -- a notebook --------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def one_shell() -> Iterator[Any]:
    """The one IPython of this process, with the magics."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    from polynb import show

    config = Config()
    config.HistoryManager.enabled = False
    with pytest.MonkeyPatch.context() as patch:  # IPython puts its own module there
        patch.setitem(sys.modules, "__main__", sys.modules["__main__"])
        shell = InteractiveShell.instance(config=config)
        show.load(shell)
    yield shell
    InteractiveShell.clear_instance()


@pytest.fixture
def shell(one_shell: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The running IPython, without variables of earlier tests; only in a test of its own is its
    module the main one (processes that other tests start look at that)."""
    for name in set(one_shell.user_ns) - set(one_shell.user_ns_hidden):
        del one_shell.user_ns[name]
    with monkeypatch.context() as patch:
        patch.setattr(gc, "collect", lambda: 0)  # of all that pytest holds: a second each time
        one_shell.displayhook.flush()
    monkeypatch.setitem(sys.modules, "__main__", one_shell.user_module)
    hints = importlib.import_module("followed_hints")
    notebook = hints.Notebook(one_shell)
    with monkeypatch.context() as patch:
        notebook.note(patch)
        yield one_shell
    with hints.WATCH.following() as errors:
        wrong = [*notebook.follow(errors), *(w for e in errors for w in hints.unhelpful(e))]
    assert not wrong, "\n\n".join(wrong)


# -- what the laws counted ---------------------------------------------------------------------
# Under several processes each counts for itself; the one that started them adds it up.


def pytest_configure(config: pytest.Config) -> None:
    config.stash[COUNTED] = {}


def _add(config: pytest.Config, counts: dict[str, dict[str, int]]) -> None:
    for law, counted in counts.items():
        config.stash[COUNTED].setdefault(law, Counter()).update(counted)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: Any) -> None:
    _add(node.config, getattr(node, "workeroutput", {}).get("laws", {}))


def pytest_sessionfinish(session: pytest.Session) -> None:
    config, shares = session.config, sys.modules.get("shares")
    own = {law: dict(c) for law, c in shares.COUNTS.items()} if shares is not None else {}
    if hasattr(config, "workeroutput"):
        config.workeroutput["laws"] = own
        return
    _add(config, own)
    if session.exitstatus == pytest.ExitCode.OK and _missed(config):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _missed(config: pytest.Config) -> list[str]:
    if not config.stash[COUNTED]:
        return []
    if str(LAWS) not in sys.path:
        sys.path.insert(0, str(LAWS))
    return list(importlib.import_module("shares").missed(config.stash[COUNTED]))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if hasattr(config, "workeroutput"):
        return
    for law, counts in sorted(config.stash[COUNTED].items()):
        said = ", ".join(f"{what} {n}" for what, n in sorted(counts.items()))
        terminalreporter.write_line(f"{law} laws: {said}")
    for what in _missed(config):
        terminalreporter.write_line(f"FAILED {what}", red=True)


@pytest.fixture(scope="session", autouse=True)
def _threads_are_woken_for_little():
    """Programs of tests are small: their loops run on several threads all the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(waking, "WORTH", 1)
        yield
