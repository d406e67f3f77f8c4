// What polynb prints are sentences and programs: JupyterLab breaks printed lines anywhere, in the
// middle of a word. In notebooks that use polynb they are broken between words, where that is enough.
import { EditorView } from "@codemirror/view";

const USES = /(import|from|load_ext) polynb/;

export function styled(): void {
  document.head.append(Object.assign(document.createElement("style"), {
    textContent: ".pnb-used pre{word-break:normal}",
  }));
}

/** Marks the notebook around a cell that loads polynb: an editor is told of its size and place once
 * it is in its notebook, and of what is typed. */
export const outputs = EditorView.updateListener.of(({ state, view }) => {
  if (USES.test(state.doc.toString())) view.dom.closest(".jp-Notebook")?.classList.add("pnb-used");
});
