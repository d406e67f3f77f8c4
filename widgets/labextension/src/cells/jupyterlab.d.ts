// What we use of JupyterLab's editors and settings. Its own declarations come with some hundred packages.
declare module "@jupyterlab/codemirror" {
  import type { Extension } from "@codemirror/state";

  export interface IEditorExtensionRegistry {
    addExtension(factory: { name: string; factory(options: never): unknown }): void;
  }
  export const IEditorExtensionRegistry: unknown;
  export const EditorExtensionRegistry: { createImmutableExtension(extension: Extension): unknown };
}

declare module "@jupyterlab/settingregistry" {
  export const ISettingRegistry: unknown;
}
