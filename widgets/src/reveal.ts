/** Scrolls a box, and nothing around it, until the element is in sight. Measured when the frame is
 * drawn: measuring at once would lay out thousands of instances once more. */
export function reveal(box: Element, element: Element): void {
  requestAnimationFrame(() => {
    const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
    if (inner.top >= outer.top && inner.bottom <= outer.bottom) return;
    box.scrollTop += inner.top - outer.top - outer.height / 3;
  });
}

/** The same for what may be larger than the box: it stays as it is where half of it is in sight, or
 * half of the box shows it. */
export function revealMost(box: Element, element: Element): void {
  requestAnimationFrame(() => {
    const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
    const seen = Math.min(inner.bottom, outer.bottom) - Math.max(inner.top, outer.top);
    if (inner.height === 0 || seen >= Math.min(inner.height, outer.height) / 2) return;
    box.scrollTop += inner.top - outer.top - Math.max(24, (outer.height - inner.height) / 2);
  });
}
