// The editor of a live page's cell: what JupyterLab's editors know of polynb's cells, in CodeMirror.
// Tab completes where there is something to complete, and else leaves the editor, as everywhere.
import { acceptCompletion, autocompletion, type CompletionContext, completionKeymap, type CompletionResult, startCompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { colours } from "../../labextension/src/cells/colours";
import { comments } from "../../labextension/src/cells/comments";
import { mark, marks } from "../../labextension/src/cells/errors";

export interface Found {
  /** The end of the text before the cursor that is completed, and what can stand in its place. */
  word: string;
  words: { text: string; kind: string }[];
}

export interface Uses {
  label: string;
  run(): void;
  complete(before: string, after: string): Promise<Found>;
}

export interface Editor {
  element: HTMLElement;
  text(): string;
  write(text: string): void;
  /** Marks the place that an error is about, as far as it says one. */
  mark(said: string): void;
}

const COMPLETED = /[\w%.=-]$/; // what somebody who presses Tab after it wants completed

export function editor(text: string, { label, run, complete }: Uses): Editor {
  const source = async ({ state, pos }: CompletionContext): Promise<CompletionResult> => {
    const { word, words } = await complete(state.sliceDoc(0, pos), state.sliceDoc(pos));
    return { from: pos - word.length, options: words.map(({ text: t, kind }) => ({ label: t, type: kind })) };
  };
  const tab = (view: EditorView): boolean => {
    const { head } = view.state.selection.main;
    const line = view.state.doc.lineAt(head);
    return acceptCompletion(view) || (COMPLETED.test(line.text.slice(0, head - line.from)) && startCompletion(view));
  };
  const running = { run: (): boolean => (run(), true) };
  const keys = [
    ...["Shift-Enter", "Mod-Enter", "Ctrl-Enter"].map((key) => ({ key, ...running })),
    { key: "Tab", run: tab },
  ];
  const view = new EditorView({
    doc: text,
    extensions: [
      Prec.highest(keymap.of(keys)),
      keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
      history(),
      autocompletion({ override: [source], activateOnTyping: false, icons: false }),
      EditorView.lineWrapping,
      EditorState.tabSize.of(4),
      EditorView.contentAttributes.of({ "aria-label": label }),
      colours, comments, marks,
    ],
  });
  return {
    element: view.dom,
    text: () => view.state.doc.toString(),
    write: (to) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: to } }),
    mark: (said) => mark(view, said),
  };
}
