"""isl.wasm in CPython, by the `wasmtime` wheel: the machine that a browser is on a live page.

`install(FOLDER)` makes `import islpy` find the module in the folder, over the `isl.wasm` there.
"""

import sys
import time
from pathlib import Path

import wasmtime


class Machine:
    """What `base.py` asks of a machine; every function that isl.wasm exports is an attribute."""

    def __init__(self, file):
        config = wasmtime.Config()
        config.cache = True
        engine = wasmtime.Engine(config)
        linker = wasmtime.Linker(engine)
        linker.define_wasi()
        self.store = store = wasmtime.Store(engine)
        wasi = wasmtime.WasiConfig()
        wasi.inherit_stderr()
        store.set_wasi(wasi)
        word = wasmtime.ValType.i32()
        self._heard, self._end = None, None
        call = wasmtime.FuncType([word] * 3, [word])
        linker.define_func("polynb", "call", call, lambda *numbers: self._heard(*numbers))
        linker.define_func("polynb", "late", wasmtime.FuncType([], [word]), self._late)
        module = wasmtime.Module.from_file(engine, str(file))
        exports = linker.instantiate(store, module).exports(store)
        for name, thing in exports.items():
            if isinstance(thing, wasmtime.Func):
                setattr(self, name, self._function(thing))
        self.memory = exports["memory"]
        self._initialize()

    def _function(self, thing):
        store = self.store
        return lambda *numbers: thing(store, *numbers)

    def _late(self):
        return int(self._end is not None and time.monotonic() > self._end)

    def arm(self, seconds):
        self._end = None if seconds < 0 else time.monotonic() + seconds

    def hear(self, function):
        self._heard = function

    def put(self, text):
        data = text.encode() + b"\0"
        address = self.allocate(len(data))
        self.memory.write(self.store, data, address)
        return address

    def take(self, address):
        end = address
        while b"\0" not in (part := bytes(self.memory.read(self.store, end, min(end + 4096, self.memory.data_len(self.store))))):
            end += len(part)
        text = bytes(self.memory.read(self.store, address, end + part.index(b"\0")))
        self.release(address)
        return text.decode()


def install(folder):
    """`import islpy` is isl.wasm's."""
    sys.modules["isl_machine"] = Machine(Path(folder) / "isl.wasm")
    sys.path.insert(0, str(folder))
