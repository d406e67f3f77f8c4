// What JupyterLab's Ctrl+/ writes: `//` in a program, and `#` elsewhere (moves among it), as ever.
import { EditorState, type Extension, Prec } from "@codemirror/state";
import { cell } from "./head";

const TOKENS = [{ commentTokens: { line: "//", block: { open: "/*", close: "*/" } } }];

export const comments: Extension = Prec.highest(
  EditorState.languageData.of((state, at) => {
    const found = cell(state.doc.toString());
    return found && found.language !== "moves" && at >= found.body ? TOKENS : [];
  }),
);
