// The colours of programs in polynb's cells, instead of Python's. They are JupyterLab's own, so that
// they fit every theme; cells of Python have none of ours.
import { type EditorState, type Extension, Prec, RangeSetBuilder, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { type Kind, tokens } from "./tokens";

const COLOURS: Record<Kind, string> = {
  comment: "comment",
  directive: "meta",
  function: "builtin",
  keyword: "keyword",
  label: "def",
  magic: "meta",
  number: "number",
  operator: "operator",
  option: "attribute",
  string: "string",
  text: "variable",
  type: "builtin",
};
const STYLES: Partial<Record<Kind, object>> = {
  comment: { fontStyle: "italic" },
  keyword: { fontWeight: "bold" },
  operator: { fontWeight: "bold" },
};

const kinds = Object.keys(COLOURS) as Kind[];
const marks = Object.fromEntries(
  kinds.map((kind) => [kind, Decoration.mark({ class: `pnb-cell-word pnb-cell-${kind}` })]),
) as Record<Kind, Decoration>;

const theme = EditorView.baseTheme({
  // Python's own styles are around ours, and inherited.
  ".pnb-cell-word": { fontStyle: "normal", fontWeight: "normal", textDecoration: "none" },
  ...Object.fromEntries(
    kinds.map((kind) => [
      `.pnb-cell-${kind}`,
      { color: `var(--jp-mirror-editor-${COLOURS[kind]}-color)`, ...STYLES[kind] },
    ]),
  ),
});

function coloured(state: EditorState): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const { from, to, kind } of tokens(state.doc.toString())) builder.add(from, to, marks[kind]);
  return builder.finish();
}

const colouring = StateField.define<DecorationSet>({
  create: coloured,
  update: (value, transaction) => (transaction.docChanged ? coloured(transaction.state) : value),
  provide: (field) => EditorView.decorations.from(field),
});

/** Inside of Python's marks, as what has the highest precedence is. */
export const colours: Extension = [theme, Prec.highest(colouring)];
