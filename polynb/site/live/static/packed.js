// Files that stand here compressed (a plain server sends them as they are) are fetched by their own
// names, by Pyodide too.
const HERE = new URL("./", import.meta.url).href;
const PACKED = /\.(wasm|zip|json|mjs)$/;
const plain = globalThis.fetch;

globalThis.fetch = async (what, how) => {
  const { href } = new URL(what.url ?? what, HERE);
  if (!href.startsWith(HERE) || !PACKED.test(href)) return plain(what, how);
  const answer = await plain(`${href}.gzip`);
  if (!answer.ok) return answer;
  const type = href.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  const unpacked = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(unpacked, { headers: { "Content-Type": type } });
};

/** What a module here exports that is packed. */
export async function imported(name) {
  const text = await (await fetch(new URL(name, HERE))).text();
  const place = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const found = await import(place);
  URL.revokeObjectURL(place);
  return found;
}
