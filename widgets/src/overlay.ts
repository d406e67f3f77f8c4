// An overlay as SVG: one path for its lines, one for their heads, one for the shapes around
// instances, whatever their number; texts only where the role is one.
import { curve } from "./curves";
import { svg } from "./dom";
import { corners, type FreePlaces } from "./labels";
import type { Layout } from "./layout";
import { TIES } from "./roles";
import { curveHead, curveLine, shape } from "./shapes";
import { baseline, heightOf, SIZES, widthOf, type Spot } from "./spots";
import type { Instance, Overlay } from "./trace";

/** So many arrows are drawn lightly. */
const MANY = 40;

/** A text beside its instances, and where there is room for it. */
export interface Letter {
  text: string;
  room: FreePlaces;
}

export function drawOverlay(overlay: Overlay, layout: Layout, letter: Letter | null = null): SVGGElement {
  const { role } = overlay;
  const curves = (overlay.pairs ?? []).flatMap((pair) => curve(layout, pair, role) ?? []);
  const spots = marked(overlay).flatMap(([space, point]) => layout.spots[space]?.[point] ?? []);
  const looks = [`pnb-${role}`, overlay.exact === false && "pnb-inexact", curves.length > MANY && "pnb-many"];
  const path = (look: string, d: string): SVGPathElement | false =>
    d !== "" && svg("path", { class: look, d });
  return svg(
    "g",
    { class: `pnb-overlay ${looks.filter(Boolean).join(" ")}` },
    path("pnb-line", curves.map((c) => curveLine(c, role)).join("")),
    path("pnb-head", TIES.has(role) ? "" : curves.map((c) => curveHead(c, role)).join("")),
    path("pnb-shape", spots.map((s) => shape(role, s, layout.radius)).join("")),
    ...(letter ? spots.map((spot) => lettered(spot, letter, layout.radius)) : []),
  );
}

function lettered(spot: Spot, { text, room }: Letter, radius: number): SVGTextElement {
  const size = SIZES.name;
  const [down, up, ...others] = corners(spot, { width: widthOf(text, size), height: heightOf(size) }, 2 * radius - 1);
  const box = room.placed([up!, down!, ...others]);
  return svg("text", { class: "pnb-letter", x: box.x, y: baseline(box, size) }, text);
}

/** The instances a shape goes around: those listed, and of ties the writes they start from. */
function marked({ role, instances, pairs }: Overlay): readonly Instance[] {
  if (instances?.length || !TIES.has(role)) return instances ?? [];
  const starts = new Map((pairs ?? []).map(([a, p]) => [`${a} ${p}`, [a, p] as Instance]));
  return [...starts.values()];
}

/** What stands beside the instances of pieces: a short label as it is; else a
 * letter, which the legend explains. */
export function lettersOf(overlays: readonly Overlay[]): Map<string, string> {
  const lettered = overlays.filter((o) => o.role === "piece");
  return new Map(lettered.map((o, k) => [
    o.id, o.label.length <= 6 ? o.label : String.fromCharCode(65 + (k % 26)),
  ]));
}
