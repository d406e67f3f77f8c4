"""isl.wasm in CPython, by the `wasmtime` wheel: the machine that a browser is on a live page.

`install(FOLDER)` makes `import islpy` find the module in the folder, over the `isl.wasm` there.
"""

import ctypes
import sys
import time
from pathlib import Path

import wasmtime
from wasmtime import _bindings as ffi


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
        """It is called without the checks of `wasmtime.Func`, which take ten times as long."""
        kind = thing.type(self.store)
        if any(str(p) != "i32" for p in [*kind.params, *kind.results]):
            return lambda *numbers: thing(self.store, *numbers)
        context, function = self.store._context(), ctypes.byref(thing._func)
        words = max(len(kind.params), 1)
        room, run = ffi.wasmtime_val_raw_t * words, ffi._wasmtime_func_call_unchecked
        some = bool(kind.results)

        def call(*numbers):
            raw, trap = room(), ctypes.POINTER(ffi.wasm_trap_t)()
            for k, number in enumerate(numbers):
                raw[k].i32 = number
            if run(context, function, raw, words, ctypes.byref(trap)) or trap:
                raise RuntimeError(f"isl.wasm: {wasmtime.Trap._from_ptr(trap) if trap else ''}")
            return raw[0].i32 if some else None

        return call

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
        text = ctypes.string_at(
            ctypes.addressof(self.memory.data_ptr(self.store).contents) + address
        )
        self.release(address)
        return text.decode()


def install(folder):
    """`import islpy` is isl.wasm's."""
    sys.modules["isl_machine"] = Machine(Path(folder) / "isl.wasm")
    sys.path.insert(0, str(folder))
