// What the editors of JupyterLab and Notebook 7 know of polynb's cells.
import { EditorExtensionRegistry, IEditorExtensionRegistry } from "@jupyterlab/codemirror";
import { colours } from "./colours";
import { comments } from "./comments";
import { errors, type Outputs } from "./errors";
import { outputs as printed, styled } from "./outputs";

interface Options {
  readonly model: { readonly type?: string; readonly outputs?: Outputs };
}

export const cells = {
  id: "polynb:cells",
  description: "Colours and errors of polynb's cells",
  autoStart: true,
  requires: [IEditorExtensionRegistry],
  activate(_: unknown, registry: IEditorExtensionRegistry): void {
    styled();
    registry.addExtension({
      name: "polynb:cells",
      // Files and consoles have no cells that are run by our magics.
      factory: ({ model: { type, outputs } }: Options) =>
        type === "code" && outputs
          ? EditorExtensionRegistry.createImmutableExtension([colours, comments, errors(outputs), printed])
          : null,
    });
  },
};
