import css from "./stepper.css?raw";

const ID = "pnb-style";

/** Puts the styles where they reach `el`, once: into its shadow tree, if it is in one. */
export function addStyles(el: HTMLElement): void {
  const root = el.getRootNode();
  const home = root instanceof ShadowRoot ? root : document;
  if (home.getElementById(ID)) return;
  const style = document.createElement("style");
  style.id = ID;
  style.textContent = css;
  (root instanceof ShadowRoot ? root : document.head).append(style);
}
