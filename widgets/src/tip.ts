// What the term means that is pointed at, has the focus or was touched.
import { h, setText } from "./dom";
import { meaningOf } from "./terms";

const ID = "pnb-tip";
let count = 0;

export class Tip {
  readonly element = h("div", { class: "pnb-tip", role: "tooltip", id: `${ID}-${(count += 1)}`, hidden: true });
  private term: HTMLElement | null = null;

  constructor(private readonly root: HTMLElement) {
    const point = (event: Event): void => this.point(event.target as Element);
    root.addEventListener("pointerover", point);
    root.addEventListener("focusin", point);
    root.addEventListener("pointerleave", () => this.show(null));
    root.addEventListener("focusout", () => this.show(null));
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.show(null);
    });
  }

  /** The pointer may move from the term to what is said of it. */
  private point(target: Element): void {
    if (!this.element.contains(target)) this.show(target.closest<HTMLElement>("[data-term]"));
  }

  private show(term: HTMLElement | null): void {
    if (term === this.term) return;
    this.term?.removeAttribute("aria-describedby");
    this.term = term;
    this.element.hidden = !term;
    if (!term) return;
    setText(this.element, meaningOf(term.dataset.term ?? ""));
    term.setAttribute("aria-describedby", this.element.id);
    const [outer, inner] = [this.root.getBoundingClientRect(), term.getBoundingClientRect()];
    const room = outer.width - this.element.offsetWidth - 8;
    this.element.style.left = `${Math.max(4, Math.min(inner.left - outer.left, room))}px`;
    this.element.style.top = `${inner.bottom - outer.top + this.root.scrollTop}px`;
  }
}
