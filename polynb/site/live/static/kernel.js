// The worker that computes what the cells of a page show.
const HERE = new URL("./", import.meta.url);

/** Python, isl and polynb in a worker. One computation at a time; stopping it begins a new worker,
 * which knows none of the variables any more. */
export class Kernel {
  #worker = null;
  #waiting = new Map();
  #models = new Map();
  #number = 0;
  #told;
  /** How many workers there were: variables are those of the last one. */
  generation = 0;

  /** `told` hears what is loaded ("Python"), "ready", "stopped", and "failed" with the reason. */
  constructor(told = () => {}) {
    this.#told = told;
  }

  run(cell) {
    return this.#asked({ cell });
  }

  /** What can stand in place of the end of the text before the cursor: `{ word, words }`. */
  completed(before, after) {
    return this.#asked({ before, after });
  }

  #asked(what) {
    this.start();
    const number = ++this.#number;
    this.#worker.postMessage({ number, ...what });
    return new Promise((shown, failed) => this.#waiting.set(number, { shown, failed }));
  }

  /** A widget's model, as anywidget has it. */
  model({ number, traits }) {
    const listeners = new Map();
    const changed = {};
    const worker = this.#worker; // another one knows nothing of this widget
    const at = (event) => listeners.get(event) ?? listeners.set(event, new Set()).get(event);
    const model = {
      get: (name) => traits[name],
      set: (name, value) => {
        if (traits[name] === value) return;
        traits[name] = changed[name] = value;
        for (const listener of at(`change:${name}`)) listener();
      },
      save_changes: () => {
        if (worker === this.#worker) worker?.postMessage({ widget: number, traits: { ...changed } });
        for (const name of Object.keys(changed)) delete changed[name];
      },
      on: (event, listener) => at(event).add(listener),
      off: (event, listener) => at(event).delete(listener),
      /** What Python has changed. */
      hear: (others) => {
        Object.assign(traits, others);
        for (const name of Object.keys(others)) {
          for (const listener of at(`change:${name}`)) listener();
        }
      },
    };
    this.#models.set(number, model);
    return model;
  }

  start() {
    if (this.#worker) return;
    this.generation++;
    this.#worker = new Worker(new URL("worker.js", HERE), { type: "module" });
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = (event) => this.#hear({ failed: event.message || "no worker" });
  }

  stop(
    why = "The computation was stopped. Variables of other cells are gone: run these again.",
    stage = "stopped",
  ) {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { failed } of this.#waiting.values()) failed(new Error(why));
    this.#waiting.clear();
    for (const model of this.#models.values()) model.hear({ live: false }); // no sliders any more
    this.#models.clear();
    this.#told(stage, why);
  }

  #hear(data) {
    if (data.stage) this.#told(data.stage);
    if (data.widget) this.#models.get(data.widget)?.hear(data.traits);
    if (data.ready) this.#told("ready");
    if (data.failed) this.stop(`Python could not be loaded: ${data.failed}`, "failed");
    if (data.answer) {
      this.#waiting.get(data.number)?.shown(data.answer);
      this.#waiting.delete(data.number);
    }
  }
}
