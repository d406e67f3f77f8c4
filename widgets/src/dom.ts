// Elements without a framework: attributes, listeners and children in one call.

type Value = string | number | boolean | undefined | ((event: Event) => void);
type Attributes = Record<string, Value>;
type Child = Node | string | null | undefined | false;

const SVG = "http://www.w3.org/2000/svg";

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((c): c is Node | string => c != null && c !== false));
  return element;
}

/** Makes a drawing show what lies between two heights of it. */
export function sized(picture: SVGSVGElement, width: number, from: number, to: number, scale = 1): void {
  const height = to - from;
  picture.setAttribute("viewBox", `0 ${from} ${width} ${height}`);
  picture.setAttribute("width", String(width * scale));
  picture.setAttribute("height", String(height * scale));
}

/** What stands for something in a legend. */
export function swatch(...parts: Child[]): SVGSVGElement {
  return svg("svg", { class: "pnb-swatch", width: 24, height: 18, "aria-hidden": "true" }, ...parts);
}

/** Sets a property only where it differs: writing an equal text would be read out again. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** What has the focus within an element, if anything has; also inside of shadow trees. */
export function focusedIn(element: Element): HTMLElement | null {
  const { activeElement } = element.getRootNode() as Document | ShadowRoot;
  return element.contains(activeElement ?? null) ? (activeElement as HTMLElement) : null;
}
