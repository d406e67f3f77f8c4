// What is shared with Python, or, in a page without Python, what would be.

export interface Answer {
  step: number;
  /** The id of the trace that was shown. */
  trace: string;
  kind: string;
  answer: unknown;
  right: boolean;
}

export interface Traits {
  trace: unknown;
  step: number;
  predict: boolean;
  hidden: string[];
  answers: Answer[];
  wanted: Record<string, number>;
  live: boolean;
}

export interface Model {
  get<K extends keyof Traits>(name: K): Traits[K];
  set<K extends keyof Traits>(name: K, value: Traits[K]): void;
  /** Calls back on changes from either side; returns how to stop that. */
  on(name: keyof Traits, listener: () => void): () => void;
}

const DEFAULTS: Traits = {
  trace: null, step: 0, predict: false, hidden: [], answers: [], wanted: {}, live: false,
};
export const NAMES = Object.keys(DEFAULTS) as (keyof Traits)[];

export function localModel(given: Partial<Traits>): Model {
  const values: Traits = { ...DEFAULTS, ...given };
  const listeners = new Map<keyof Traits, Set<() => void>>();
  return {
    get: (name) => values[name],
    set(name, value) {
      if (values[name] === value) return;
      values[name] = value;
      for (const listener of listeners.get(name) ?? []) listener();
    },
    on(name, listener) {
      const own = listeners.get(name) ?? new Set();
      listeners.set(name, own.add(listener));
      return () => own.delete(listener);
    },
  };
}

/** The part of anywidget's model that is used. */
export interface AnyModel {
  /** Whether Python is being loaded, which takes as long as it takes. */
  readonly isComing?: boolean;
  get(name: string): any;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(event: string, listener: () => void): void;
  off(event: string, listener: () => void): void;
}

export function syncedModel(model: AnyModel): Model {
  return {
    get: (name) => model.get(name) ?? DEFAULTS[name],
    set(name, value) {
      model.set(name, value);
      try {
        model.save_changes();
      } catch {
        // The kernel is gone: what was sent before is all that is needed to go on stepping.
      }
    },
    on(name, listener) {
      model.on(`change:${name}`, listener);
      return () => model.off(`change:${name}`, listener);
    },
  };
}
