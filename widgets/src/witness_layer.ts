// The instances that prove it: an ink ring around each, its name beside it, on top.
import { svg } from "./dom";
import { away, nearest, placed, type FreePlaces } from "./labels";
import type { Layout } from "./layout";
import type { LinkGroup } from "./links";
import { instanceId, pointText } from "./names";
import { ring } from "./shapes";
import { baseline, heightOf, SIZES, widthOf, type Box, type Spot } from "./spots";
import type { Scene, Witness } from "./trace";

const SIZE = SIZES.name;
const LINE = 14;

/** `dated`: whether its date stands below the name. Where the instances are numbered it would be a
 * second number of the same. */
export function drawWitness(
  witness: Witness, scene: Scene, layout: Layout, room: FreePlaces, links: LinkGroup, dated: boolean,
): SVGGElement {
  const found = witness.instances.flatMap((instance) => {
    const spot = layout.spots[instance.at[0]]?.[instance.at[1]];
    const lines = dated ? [instance.name, pointText(instance.date)] : [instance.name];
    return spot ? { instance, spot, lines } : [];
  });
  const sizes = found.map(({ lines }) => ({
    width: Math.max(...lines.map((line) => widthOf(line, SIZE))),
    height: heightOf(SIZE) + LINE * (lines.length - 1),
  }));
  const reach = 3 * layout.radius + 2;
  const boxes = placed(found.map((f) => f.spot), sizes, reach, room);
  return svg("g", { class: "pnb-witness-layer" }, ...found.map(({ instance, spot, lines }, k) => {
    const box = boxes[k]!;
    const group = svg(
      "g", { class: "pnb-ringed" },
      svg("path", { class: "pnb-ring", d: ring(spot, layout.radius) }),
      leader(spot, box, reach),
      ...lines.map((line, l) => svg("text", {
        class: l === 0 ? "pnb-witness-name" : "pnb-witness-date", x: box.x, y: baseline(box, SIZE) + LINE * l,
      }, line)),
    );
    links.add(group, [instanceId(scene, instance.at)], false);
    return group;
  }));
}

/** From the ring to a name that found no room beside it. */
function leader(spot: Spot, box: Box, reach: number): SVGLineElement | null {
  const length = away(box, spot);
  if (length < reach + 8) return null;
  const end = nearest(box, spot);
  const out = reach / length;
  const [x1, y1] = [spot.x + (end.x - spot.x) * out, spot.y + (end.y - spot.y) * out];
  return svg("line", { class: "pnb-leader", x1, y1, x2: end.x, y2: end.y });
}
