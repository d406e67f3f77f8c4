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
 * half of the box shows it. What is small is to be seen as a whole. */
export function revealMost(box: Element, element: Element): void {
  requestAnimationFrame(() => {
    const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
    if (inner.height === 0) return;
    box.scrollTop += missing([inner.top, inner.bottom], [outer.top, outer.bottom]);
    box.scrollLeft += missing([inner.left, inner.right], [outer.left, outer.right]);
  });
}

type Stretch = readonly [low: number, high: number];

function missing([low, high]: Stretch, [from, to]: Stretch): number {
  const seen = Math.min(high, to) - Math.max(low, from);
  const [size, room] = [high - low, to - from];
  if (seen >= (2 * size < room ? size : Math.min(size, room) / 2)) return 0;
  return low - from - Math.max(24, (room - size) / 2);
}
