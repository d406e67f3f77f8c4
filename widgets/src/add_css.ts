/** Puts styles where they reach `el`, once: into its shadow tree, if it is in one. */
export function addCss(el: HTMLElement, id: string, css: string): void {
  const root = el.getRootNode();
  const home = root instanceof ShadowRoot ? root : document;
  if (home.getElementById(id)) return;
  const style = document.createElement("style");
  style.id = id;
  style.textContent = css;
  (root instanceof ShadowRoot ? root : document.head).append(style);
}
