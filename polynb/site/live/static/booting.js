// Python with polynb loaded: the first time it is started, which takes seconds, and its memory is
// kept; after that it is taken up from there.
import { again } from "./again.js";
import { imported } from "./packed.js";
import { loadPyodide, version } from "./pyodide.mjs";
import { load, unpack } from "./python.js";

const HERE = new URL("./", import.meta.url).href;
const OURS = `polynb python ${HERE} `;

/** Python, and what keeps it for the next time. `archive` is polynb.zip.xz; `say` hears of stages. */
export async function booted(archive, say) {
  const name = await nameOf(archive);
  const { default: create } = await imported("pyodide.asm.mjs");
  const kept = name && (await found(name, create).catch(() => caches.delete(name) && null));
  if (kept) return { python: kept, keep: () => {} };
  const settings = { indexURL: HERE, createPyodideModule: create };
  const python = await loadPyodide({ ...settings, _makeSnapshot: true });
  say("polynb");
  unpack(python, archive);
  load(python);
  const parts = { memory: python.makeMemorySnapshot(), zip: python.FS.readFile("/polynb.zip") };
  return { python, keep: () => name && keep(name, parts).catch(() => caches.delete(name)) };
}

/** What is kept is of one Pyodide and one polynb. "" where nothing can be kept: not over https. */
async function nameOf(archive) {
  if (!globalThis.caches || !crypto.subtle) return "";
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", archive));
  return `${OURS}${version} ${Array.from(hash.subarray(0, 8)).join(".")}`;
}

/** Null where nothing is kept yet. */
async function found(name, create) {
  if (!(await caches.has(name))) return null;
  const cache = await caches.open(name);
  const bytes = async (part) => new Uint8Array(await (await cache.match(part)).arrayBuffer());
  const [memory, zip] = await Promise.all([bytes("memory"), bytes("zip")]);
  const python = await again(HERE, memory, create);
  python.FS.writeFile("/polynb.zip", zip);
  return python;
}

async function keep(name, parts) {
  const others = (await caches.keys()).filter((other) => other.startsWith(OURS));
  await Promise.all(others.map((other) => caches.delete(other)));
  const cache = await caches.open(name);
  for (const part of ["zip", "memory"]) await cache.put(part, new Response(parts[part]));
}
