// Python, isl and polynb in a web worker: a page sends cells, and gets what they show.
// The page ends the worker to stop a computation, and begins another one.
import { loadPyodide } from "./pyodide.mjs";
import { prepare, session } from "./python.js";

const here = (name) => new URL(name, import.meta.url);
const bytes = async (name) => {
  const answer = await fetch(here(name));
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.arrayBuffer();
};

async function begun() {
  const say = (stage) => postMessage({ stage });
  say("Python");
  const parts = Promise.all([bytes("isl.wasm"), bytes("polynb.zip.xz")]);
  const pyodide = await loadPyodide({ indexURL: here("./").href });
  say("polynb");
  await prepare(pyodide, ...(await parts));
  const made = session(pyodide, (widget, traits) => {
    postMessage({ widget, traits: JSON.parse(traits) });
  });
  postMessage({ ready: true });
  return made;
}

const python = begun().catch((error) => {
  postMessage({ failed: String(error.message ?? error).slice(-2000) });
  throw error;
});
onmessage = async ({ data }) => {
  const { run, changed } = await python;
  if (data.widget) changed(data.widget, JSON.stringify(data.traits));
  else postMessage({ number: data.number, outputs: JSON.parse(run(data.cell)) });
};
