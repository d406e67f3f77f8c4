// Pyodide from its memory as it was kept.
import create from "./pyodide.asm.mjs";
import { loadPyodide } from "./pyodide.mjs";

/** `memory` is what `makeMemorySnapshot` gave. It may have grown since Python began. */
export function again(indexURL, memory) {
  const createPyodideModule = async (settings) => {
    const module = await create(settings);
    if (module.HEAP8.length < memory.length) module._emscripten_resize_heap(memory.length);
    return module;
  };
  return loadPyodide({ indexURL, _loadSnapshot: memory, createPyodideModule });
}
