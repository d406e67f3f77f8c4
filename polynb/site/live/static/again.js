// Pyodide from its memory as it was kept.
import { loadPyodide } from "./pyodide.mjs";

/** `memory` is what `makeMemorySnapshot` gave; it may have grown since Python began. `create` is what
 * pyodide.asm.mjs exports. */
export function again(indexURL, memory, create) {
  const createPyodideModule = async (settings) => {
    const module = await create(settings);
    if (module.HEAP8.length < memory.length) module._emscripten_resize_heap(memory.length);
    return module;
  };
  return loadPyodide({ indexURL, _loadSnapshot: memory, createPyodideModule });
}
