// What polynb prints are sentences and programs: JupyterLab breaks printed lines anywhere, in the
// middle of a word. In notebooks that use polynb they are broken between words, where that is enough.
import { ViewPlugin } from "@codemirror/view";

const USED = "pnb-used";
const USES = /^\s*(import|from|%load_ext|%reload_ext)\s+polynb\b/m;

export function styled(): void {
  const style = document.createElement("style");
  style.textContent = `.${USED} .jp-OutputArea-output pre{word-break:normal;overflow-wrap:anywhere}`;
  document.head.append(style);
}

/** Marks the notebook around a cell that loads polynb. */
export const outputs = ViewPlugin.define((view) => {
  const mark = () => {
    if (USES.test(view.state.doc.toString())) view.dom.closest(".jp-Notebook")?.classList.add(USED);
  };
  // An editor is put into its notebook after it is made.
  requestAnimationFrame(mark);
  return { update: ({ docChanged }) => { if (docChanged) mark(); } };
});
