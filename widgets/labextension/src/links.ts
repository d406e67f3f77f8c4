// The site whose live pages displays link to: a setting. The renderer of displays is another part of
// the extension, and reads it from the document (link.ts).
import { ISettingRegistry } from "@jupyterlab/settingregistry";

interface Settings {
  readonly composite: { readonly site?: unknown };
  readonly changed: { connect(slot: () => void): boolean };
}

const STYLE = `
:root:not([data-polynb-site]) .polynb-link { display: none }
.polynb-link { margin-bottom: 4px; text-align: right }
.polynb-link button {
  padding: 3px 9px; border: 1px solid; border-radius: 4px; background: none; color: inherit; cursor: pointer;
}`;

export const links = {
  id: "polynb:links",
  description: "Links from displays to live pages",
  autoStart: true,
  requires: [ISettingRegistry],
  async activate(_: unknown, registry: { load(id: string): Promise<Settings> }): Promise<void> {
    document.head.append(Object.assign(document.createElement("style"), { textContent: STYLE }));
    const settings = await registry.load(links.id);
    const follow = (): void => {
      const { site } = settings.composite;
      if (typeof site === "string" && /^https?:\/\/./.test(site)) document.documentElement.dataset.polynbSite = site;
      else delete document.documentElement.dataset.polynbSite;
    };
    settings.changed.connect(follow);
    follow();
  },
};
