// A button on a display that copies a link to its cell's program on the live pages of a site. It is
// seen where a site is configured (links.ts).
import { Widget } from "@lumino/widgets";
import { fragment } from "../../../polynb/site/live/static/address.js";
import { copyButton } from "../../src/copying";
import { cell } from "./cells/head";
import { sourceOf } from "./host";

/** Null where the display's cell is not one program with its magic. */
export function linkOf(display: Widget): Widget | null {
  if (!cell(sourceOf(display) ?? "")) return null;
  const address = (): string => addressOf(sourceOf(display) ?? "", document.documentElement.dataset.polynbSite ?? "");
  const link = new Widget();
  link.addClass("polynb-link");
  link.node.append(copyButton("copy link", address, (button) => {
    const shown = Object.assign(document.createElement("input"), { readOnly: true, value: address() });
    shown.ariaLabel = "the link";
    button.replaceWith(shown);
    shown.select();
  }));
  return link;
}

export function addressOf(source: string, site: string): string {
  return new URL(`live/index.html#${fragment(source)}`, site.endsWith("/") ? site : `${site}/`).href;
}
