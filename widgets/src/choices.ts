// The pairs that a question is about, drawn as arrows to be picked.
import { curve } from "./curves";
import { svg } from "./dom";
import type { Layout } from "./layout";
import { curveHead, curveLine } from "./shapes";
import type { Player } from "./player";
import type { Pair } from "./trace";

export function drawChoices(pairs: readonly Pair[], layout: Layout, player: Player): SVGGElement {
  return svg("g", { class: "pnb-choices" }, ...pairs.map((pair, k) => {
    const c = curve(layout, pair, "raw");
    if (!c) return null;
    const picked = player.quiz.picked.has(k);
    const d = curveLine(c, "raw");
    return svg(
      "g",
      {
        class: `pnb-choice${picked ? " pnb-picked" : ""}`,
        click: () => player.quiz.pickPair(k),
      },
      svg("path", { class: "pnb-reach", d }),
      svg("path", { class: "pnb-line", d }),
      svg("path", { class: "pnb-head", d: curveHead(c, picked ? "propagation" : "raw") }),
    );
  }));
}
