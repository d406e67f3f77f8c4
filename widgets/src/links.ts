// The same thing in several panels: pointing at it in one lights it up in all.
//
// Each panel keeps a group of elements by id. An element may also be a subject: what pointing at
// it means. Listening is delegated to the root, for a scene may hold thousands of instances.

export class LinkGroup {
  readonly elements = new Map<string, Element[]>();

  constructor(private readonly subjects: WeakMap<Element, readonly string[]>) {}

  /** `element` lights up with any of `ids`; pointing at it points at all of them. */
  add(element: Element, ids: readonly string[], subject = true): void {
    for (const id of ids) {
      const same = this.elements.get(id);
      if (same) same.push(element);
      else this.elements.set(id, [element]);
    }
    if (subject) this.subjects.set(element, ids);
  }

  clear(): void {
    this.elements.clear();
  }
}

export class Links {
  private readonly subjects = new WeakMap<Element, readonly string[]>();
  private readonly groups: LinkGroup[] = [];
  private readonly listeners: ((ids: readonly string[]) => void)[] = [];
  private hovered: readonly string[] = [];
  private pinned: readonly string[] = [];
  private lit: Element[] = [];
  private shown: readonly string[] = [];

  constructor(private readonly root: Element) {
    const point = (event: Event): void => this.point(this.subjectOf(event.target));
    root.addEventListener("pointerover", point);
    root.addEventListener("focusin", point);
    root.addEventListener("pointerleave", () => this.point([]));
    root.addEventListener("focusout", () => this.point([]));
    root.addEventListener("click", (event) => this.click(this.subjectOf(event.target)));
  }

  group(): LinkGroup {
    const group = new LinkGroup(this.subjects);
    this.groups.push(group);
    return group;
  }

  onLight(listener: (ids: readonly string[]) => void): void {
    this.listeners.push(listener);
  }

  /** Returns whether something was pinned. */
  unpin(): boolean {
    const any = this.pinned.length > 0;
    this.pinned = [];
    this.refresh();
    return any;
  }

  /** To be called after panels have drawn themselves anew. */
  refresh(): void {
    for (const element of this.lit) element.classList.remove("pnb-lit");
    const all = [...this.pinned, ...this.hovered];
    this.lit = this.groups.flatMap(({ elements }) => all.flatMap((id) => elements.get(id) ?? []));
    for (const element of this.lit) element.classList.add("pnb-lit");
    const ids = this.hovered.length ? this.hovered : this.pinned;
    if (ids.join(" ") === this.shown.join(" ")) return;
    this.shown = ids;
    for (const listener of this.listeners) listener(ids);
  }

  private point(ids: readonly string[]): void {
    if (ids.length === 0 && this.hovered.length === 0) return;
    this.hovered = ids;
    this.refresh();
  }

  private click(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.pinned = ids.join(" ") === this.pinned.join(" ") ? [] : ids;
    this.refresh();
  }

  /** The innermost subject around what was pointed at. */
  private subjectOf(target: EventTarget | null): readonly string[] {
    let element = target as Element | null;
    while (element && element !== this.root) {
      const ids = this.subjects.get(element);
      if (ids) return ids;
      element = element.parentElement;
    }
    return [];
  }
}
