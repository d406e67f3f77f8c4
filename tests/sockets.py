"""Kernels are talked to through files: a plugin (`PYTHONPATH=tests pytest -p sockets`).

A TCP port that was free when a kernel was asked for may be another kernel's when it starts, which
nobody tells those who wait for it: where hundreds are started, that happens.
"""

import os

from jupyter_client.connect import ConnectionFileMixin

if os.name == "posix":
    ConnectionFileMixin.transport.default_value = "ipc"
