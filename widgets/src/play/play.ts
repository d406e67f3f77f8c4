// The module: a widget for anywidget.
import { addCss } from "../add_css";
import type { AnyModel } from "../model";
import { Board } from "./board";
import css from "./play.css?raw";

export default {
  render({ model, el }: { model: AnyModel; el: HTMLElement }): () => void {
    const board = new Board(model);
    el.append(board.root);
    addCss(el, "pnp-style", css);
    return () => board.close();
  },
};
