// The instances that prove it: an ink ring around each, its name and date beside it, on top.
import { svg } from "./dom";
import { placed } from "./labels";
import type { Layout } from "./layout";
import type { LinkGroup } from "./links";
import { instanceId, pointText } from "./names";
import { ring } from "./shapes";
import type { Scene, Witness } from "./trace";

const [LETTER, LINE] = [7.3, 14];

export function drawWitness(
  witness: Witness, scene: Scene, layout: Layout, links: LinkGroup,
): SVGGElement {
  const found = witness.instances.flatMap((instance) => {
    const spot = layout.spots[instance.at[0]]?.[instance.at[1]];
    return spot ? { instance, spot, date: pointText(instance.date) } : [];
  });
  const sizes = found.map(({ instance, date }) => ({
    width: LETTER * Math.max(instance.name.length, date.length) + 2,
    height: 2 * LINE,
  }));
  const boxes = placed(found.map((f) => f.spot), sizes, 3 * layout.radius + 3, layout);
  return svg("g", { class: "pnb-witness-layer" }, ...found.map(({ instance, spot, date }, k) => {
    const { x, y } = boxes[k]!;
    const group = svg(
      "g", { class: "pnb-ringed" },
      svg("path", { class: "pnb-ring", d: ring(spot, layout.radius) }),
      svg("text", { class: "pnb-witness-name", x, y: y + LINE - 3 }, instance.name),
      svg("text", { class: "pnb-witness-date", x, y: y + 2 * LINE - 4 }, date),
    );
    links.add(group, [instanceId(scene, instance.at)], false);
    return group;
  }));
}
