// A button that copies a text.
import { h } from "./dom";

/** Frames may forbid the clipboard: then `refused` helps otherwise. The button's width stays. */
export function copyButton(name: string, text: () => string, refused: (button: HTMLElement) => void): HTMLButtonElement {
  const label = h("span", {}, name);
  const button = h("button", { class: "pnb-button pnb-copy", type: "button", click: () => void copy() }, label);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      label.textContent = "copied";
      setTimeout(() => (label.textContent = name), 1500);
    } catch {
      refused(button);
    }
  };
  return button;
}
