// One tab stop per panel: Tab enters it at the current item, up and down move within it.

/** `name` says what an item is when it is reached; items that are buttons need none. */
export class Rover {
  private current: Element | null = null;

  constructor(
    panel: Element,
    private readonly items: () => readonly Element[],
    private readonly name?: (item: Element) => string,
  ) {
    panel.addEventListener("keydown", (event) => this.key(event as KeyboardEvent));
    panel.addEventListener("click", (event) => {
      const item = (event.target as Element).closest("[data-item]");
      if (item && this.items().includes(item)) this.enter(item);
    });
  }

  /** Makes `item`, or else the first, the one that Tab reaches; after items have changed. */
  enter(item: Element | null = this.current): void {
    const items = this.items();
    const next = item && items.includes(item) ? item : items[0] ?? null;
    if (next === this.current) return;
    this.current?.setAttribute("tabindex", "-1");
    this.current = next;
    next?.setAttribute("tabindex", "0");
    if (!this.name) return;
    next?.setAttribute("role", "button");
    this.rename();
  }

  /** Says anew what the current item is, which may depend on the step. */
  rename(): void {
    if (this.name) this.current?.setAttribute("aria-label", this.name(this.current));
  }

  private key(event: KeyboardEvent): void {
    const item = this.current;
    if (!item || !item.contains(event.target as Node)) return;
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      const items = this.items();
      const next = items[items.indexOf(item) + (event.key === "ArrowDown" ? 1 : -1)];
      if (next) this.enter(next);
      (next as HTMLElement | SVGElement | undefined)?.focus();
      event.preventDefault();
    } else if (this.name && (event.key === "Enter" || event.key === " ")) {
      item.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      event.preventDefault();
    }
  }
}
