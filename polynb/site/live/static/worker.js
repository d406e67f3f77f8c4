// Python, isl and polynb in a web worker: a page sends cells, and gets what they show.
// The page ends the worker to stop a computation, and begins another one.
import { booted } from "./booting.js";
import { connect } from "./python.js";

const fetched = async (name) => {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.arrayBuffer();
};

async function begun() {
  const say = (stage) => postMessage({ stage });
  say("Python");
  const isl = fetched("isl.wasm");
  const { python, keep } = await booted(await fetched("polynb.zip.xz"), say);
  const made = await connect(python, await isl, (widget, traits) => {
    postMessage({ widget, traits: JSON.parse(traits) });
  });
  postMessage({ ready: true });
  keep();
  return made;
}

const python = begun().catch((error) => {
  postMessage({ failed: String(error.message ?? error).slice(-2000) });
  throw error;
});
onmessage = async ({ data }) => {
  const { run, completed, changed } = await python;
  try {
    if (data.widget) return changed(data.widget, JSON.stringify(data.traits));
    const answer = "cell" in data ? run(data.cell) : completed(data.before, data.after);
    postMessage({ number: data.number, answer: JSON.parse(answer) });
  } catch (error) { // what a cell shows may be nothing that can be sent
    postMessage({ number: data.number, answer: [{ "text/plain": String(error) }] });
  }
};
