/** Scrolls a box, and nothing around it, until the element is in sight. Measured when the frame is
 * drawn: measuring at once would lay out thousands of instances once more. */
export function reveal(box: Element, element: Element): void {
  requestAnimationFrame(() => {
    const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
    if (inner.top >= outer.top && inner.bottom <= outer.bottom) return;
    box.scrollTop += inner.top - outer.top - outer.height / 3;
  });
}
