// The module: a widget for anywidget, and what shows a recording.
import { addCss } from "../add_css";
import type { AnyModel } from "../model";
import { Board } from "./board";
import css from "./play.css?raw";
import { type Python, RecordedModel, type Recording } from "./recorded";

function render({ model, el }: { model: AnyModel; el: HTMLElement }): () => void {
  const board = new Board(model);
  el.append(board.root);
  addCss(el, "pnp-style", css);
  return () => board.close();
}

/** Shows a recording. `python` is asked for what is not in it. */
export function mount(el: HTMLElement, recording: Recording, python: Python | null): () => void {
  return render({ model: new RecordedModel(recording, python), el });
}

export default { render };
