// The place of an error is marked in its cell, from the output on, until the cell is edited.
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, hoverTooltip, ViewPlugin, WidgetType } from "@codemirror/view";
import { place, type Place } from "./place";

/** What we need of a code cell's model: its outputs. */
export interface Outputs {
  readonly length: number;
  get(index: number): { readonly type: string; toJSON(): object };
  readonly changed: {
    connect(slot: () => void): boolean;
    disconnect(slot: () => void): boolean;
  };
}

type Output = ReturnType<Outputs["get"]>;

const found = StateEffect.define<Place | null>();

const field = StateField.define<Place | null>({
  create: () => null,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(found)) return effect.value;
    return transaction.docChanged ? null : value;
  },
  provide: (self) => EditorView.decorations.from(self, marked),
});

/** Where something is missing there may be no character: then there is a place of its own. */
class Gap extends WidgetType {
  override eq(): boolean {
    return true;
  }

  toDOM(): HTMLElement {
    const gap = document.createElement("span");
    gap.className = "pnb-cell-error";
    gap.textContent = "\u00a0";
    gap.setAttribute("aria-hidden", "true");
    return gap;
  }
}

function marked(value: Place | null): DecorationSet {
  if (!value) return Decoration.none;
  const { from, to } = value;
  const mark = from < to ? Decoration.mark({ class: "pnb-cell-error" }) : Decoration.widget({ widget: new Gap(), side: 1 });
  return Decoration.set(mark.range(from, to));
}

const told = hoverTooltip((view, at) => {
  const value = view.state.field(field);
  if (!value || at < value.from || at > value.to) return null;
  const create = (): { dom: HTMLElement } => {
    const dom = document.createElement("div");
    dom.className = "pnb-cell-error-told";
    dom.textContent = value.message;
    return { dom };
  };
  return { pos: value.from, end: value.to, above: true, create };
});

const wave = "underline wavy var(--jp-error-color1) 1px";
const theme = EditorView.baseTheme({
  ".pnb-cell-error": {
    textDecoration: wave,
    textDecorationSkipInk: "none",
    textUnderlineOffset: "3px",
    background: "color-mix(in srgb, var(--jp-error-color1) 14%, transparent)",
  },
  ".pnb-cell-error-told": {
    padding: "4px 8px",
    whiteSpace: "pre-wrap",
    maxWidth: "60ch",
    fontFamily: "var(--jp-code-font-family)",
    fontSize: "var(--jp-code-font-size)",
    color: "var(--jp-content-font-color1)",
    background: "var(--jp-layout-color1)",
    border: "1px solid var(--jp-error-color1)",
  },
});

/** Marks what an error is about, by what it says. */
export function mark(view: EditorView, said: string): void {
  view.dispatch({ effects: found.of(place(view.state.doc.toString(), said)) });
}

/** The error among the outputs, which is the last of them. */
function lastError(outputs: Outputs): Output | null {
  for (let k = outputs.length - 1; k >= 0; k--) {
    const output = outputs.get(k);
    if (output.type === "error") return output;
  }
  return null;
}

function watcher(outputs: Outputs): Extension {
  return ViewPlugin.define((view) => {
    let shown: Output | null = null;
    let open = true;
    const look = (): void => {
      const output = lastError(outputs);
      // Outputs change in other ways too, and what was edited must not be marked again.
      if (!open || output === shown) return;
      shown = output;
      const { evalue = "" } = (output?.toJSON() ?? {}) as { evalue?: string };
      mark(view, evalue);
    };
    outputs.changed.connect(look);
    // A view cannot be changed while it is being made.
    queueMicrotask(look);
    return {
      destroy() {
        open = false;
        outputs.changed.disconnect(look);
      },
    };
  });
}

export const marks: Extension = [theme, field, told];
export const errors = (outputs: Outputs): Extension => [marks, watcher(outputs)];
