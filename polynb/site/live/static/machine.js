// isl.wasm as base.py asks for it: every function that it exports, texts, and the host's part,
// which is to be called back and to say when isl has to stop.
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What Python imports as `isl_machine`. `clock` gives milliseconds. */
export async function machine(bytes, clock = () => performance.now()) {
  let heard = null;
  let end = Infinity;
  const nothing = () => 0;
  const { instance } = await WebAssembly.instantiate(bytes, {
    wasi_snapshot_preview1: {
      fd_close: nothing,
      fd_fdstat_get: nothing,
      fd_seek: nothing,
      fd_write: nothing,
      proc_exit: () => {
        throw new Error("isl has ended itself");
      },
    },
    polynb: {
      call: (user, first, second) => heard(user, first, second),
      late: () => (clock() > end ? 1 : 0),
    },
  });
  const isl = instance.exports;
  isl._initialize();
  return {
    ...isl,
    /** Python's function that is called back; it is kept. */
    hear: (callback) => {
      heard = callback.copy?.() ?? callback;
    },
    arm: (seconds) => {
      end = seconds < 0 ? Infinity : clock() + 1000 * seconds;
    },
    put: (text) => {
      const data = encoder.encode(text);
      const at = isl.allocate(data.length + 1) >>> 0;
      const there = new Uint8Array(isl.memory.buffer, at, data.length + 1);
      there.set(data);
      there[data.length] = 0;
      return at;
    },
    take: (address) => {
      const from = address >>> 0;
      const all = new Uint8Array(isl.memory.buffer);
      const text = decoder.decode(all.subarray(from, all.indexOf(0, from)));
      isl.release(address);
      return text;
    },
  };
}
