import { describe, expect, it } from "vitest";
import { axis, GAP, stretches, ticks } from "../src/axis";
import { curve, pointAt } from "../src/curves";
import { placed, FreePlaces } from "../src/labels";
import { arrange, fitted, lowest, type Layout, under } from "../src/layout";
import { sceneOf, traces } from "./helpers";

const distances = ({ spots }: Layout): number[] => {
  const all = spots.flat();
  return all.flatMap((a, k) => all.slice(k + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y)));
};

describe("an axis", () => {
  it("squeezes what is left out into a gap", () => {
    const a = axis([0, 1, 2, 97, 98], [[3, 96]]);
    expect(a.at(97) - a.at(2)).toBeCloseTo(GAP);
    expect(a.at(98) - a.at(97)).toBeCloseTo(1);
    expect(a.gaps).toEqual([2 + GAP / 2]);
  });
  it("takes strides as single steps, and keeps holes that are nobody's", () => {
    expect(axis([0, 32, 96], []).length).toBe(3);
    expect(axis([0, 1, 5], []).length).toBe(5);
  });
  it("is broken where something is left out", () => {
    expect(stretches(axis([0, 1], []))).toEqual([[0, 1]]);
    expect(stretches(axis([0, 1, 9], [[2, 8]]))).toHaveLength(2);
  });
  it("numbers its ends, and between them what there is room for", () => {
    const found = ticks(axis(Array.from({ length: 101 }, (_, k) => k), []), 5);
    expect(found[0]).toBe(0);
    expect(found[found.length - 1]).toBe(100);
    expect(found.length).toBeLessThan(20);
  });
  it("may be of one value, or of none", () => {
    expect(ticks(axis([4], []), 10)).toEqual([4]);
    expect(axis([], []).length).toBe(0);
  });
});

describe("a layout", () => {
  it("puts spaces of one dimension in rows over one axis", () => {
    const { spots, flat } = arrange(sceneOf(traces.reload()), 600);
    expect(flat).toBe(true);
    expect(spots.map((row) => row[1]!.x)).toEqual([spots[0]![1]!.x, spots[0]![1]!.x, spots[0]![1]!.x]);
    expect(spots[0]![0]!.y).toBeLessThan(spots[1]![0]!.y);
  });
  it("draws the first dimension to the right, the second upwards, and gaps", () => {
    const { spots, texts } = arrange(sceneOf(traces.plane()), 600);
    const [p00, p01, p09, p10] = spots[0]!;
    expect(p10!.x).toBeGreaterThan(p00!.x);
    expect(p10!.y).toBe(p00!.y);
    expect(p01!.y).toBeLessThan(p00!.y);
    expect(p00!.y - p09!.y).toBeCloseTo((p00!.y - p01!.y) * (1 + GAP));
    expect(texts.filter((t) => t.look === "gap")).toHaveLength(1);
  });
  it("becomes lower, then smaller as a whole, to be seen whole in a lower box", () => {
    for (const trace of [traces.reload(), traces.plane()]) {
      const scene = sceneOf(trace);
      const whole = arrange(scene, 600);
      const room = under(scene, 600);
      expect(fitted(scene, 600, whole.height + room)).toEqual(whole);
      const squeezed = fitted(scene, 600, 0.9 * whole.height + room);
      expect(squeezed.scale * squeezed.height).toBeLessThanOrEqual(0.9 * whole.height);
      const smallest = fitted(scene, 600, 0);
      expect(smallest.scale).toBe(0.7);
      expect(smallest.scale * smallest.width).toBeLessThanOrEqual(600);
      expect(smallest.scale * smallest.height).toBeLessThan(squeezed.scale * squeezed.height);
      const low = fitted(scene, 600, lowest(scene, 600) + room);
      expect(low.scale * low.height).toBeLessThanOrEqual(lowest(scene, 600));
    }
  });
  it("leaves out what a step is not about, where all of it is too much", () => {
    const one = sceneOf(traces.plane());
    const scene = { ...one, spaces: [...one.spaces, ...one.spaces, ...one.spaces, ...one.spaces] };
    const [first] = one.spaces;
    const box = fitted({ ...scene, spaces: [first!, first!] }, 400, 10_000).height + under(scene, 400) + 36;
    const found = fitted(scene, 400, box, new Set([0, scene.spaces.length - 1]));
    expect(found.some).toEqual([0, scene.spaces.length - 1]);
    expect(found.spots.map((s) => s.length > 0)).toEqual(scene.spaces.map((_, k) => found.some!.includes(k)));
    expect(found.texts.flatMap((t) => t.space ?? [])).toEqual(found.some);
    expect(found.scale * found.height + under(scene, 400)).toBeLessThanOrEqual(box);
    expect(fitted(scene, 400, 10_000, new Set([0])).some).toBeUndefined();
    expect(fitted(scene, 400, 0, new Set([0])).some).toBeUndefined();
    expect(fitted(scene, 400, box).some).toBeUndefined();
  });
  it("keeps instances of three and more dimensions apart", () => {
    const layout = arrange(sceneOf(traces.cube()), 600);
    expect(Math.min(...distances(layout))).toBeGreaterThan(2 * layout.radius);
  });
  it.each([320, 600, 1200])("stays inside of its box at %i pixels", (width) => {
    for (const trace of [traces.reload(), traces.plane(), traces.cube()]) {
      const layout = arrange(sceneOf(trace), width);
      expect(layout.width).toBeLessThanOrEqual(width);
      for (const { x, y } of layout.spots.flat()) {
        expect(x).toBeGreaterThan(0);
        expect(y).toBeGreaterThan(0);
        expect(x).toBeLessThan(layout.width);
        expect(y).toBeLessThan(layout.height);
      }
    }
  });
  it("says nothing of spaces without instances", () => {
    const scene = sceneOf(traces.reload());
    scene.spaces.forEach((s) => (s.points = []));
    expect(arrange(scene, 600).spots).toEqual([[], [], []]);
  });
});

describe("curves", () => {
  it("get past the instances in between", () => {
    const layout = arrange(sceneOf(traces.reload()), 600);
    const past = curve(layout, [0, 1, 2, 1], "raw")!;
    const halfway = pointAt(past, 0.5);
    expect(Math.abs(halfway.x - layout.spots[1]![1]!.x)).toBeGreaterThan(2 * layout.radius);
  });
  it("bend to different sides for RAW and WAR", () => {
    const layout = arrange(sceneOf(traces.plane()), 600);
    const [raw, war] = [curve(layout, [0, 0, 0, 3], "raw")!, curve(layout, [0, 0, 0, 3], "war")!];
    expect(raw.control.y).toBeLessThan(layout.spots[0]![0]!.y);
    expect(war.control.y).toBeGreaterThan(layout.spots[0]![0]!.y);
  });
  it("are nothing where an instance is not drawn, and loops from one to itself", () => {
    const layout = arrange(sceneOf(traces.plane()), 600);
    expect(curve(layout, [0, 0, 9, 0], "raw")).toBeNull();
    expect(curve(layout, [0, 0, 0, 0], "raw")!.loop).toBe(true);
  });
});

it("names of witnesses do not cover one another", () => {
  const layout = arrange(sceneOf(traces.reload()), 600);
  const spots = layout.spots.map((row) => row[0]!);
  const boxes = placed(spots, spots.map(() => ({ width: 60, height: 28 })), 16, new FreePlaces(layout));
  boxes.forEach((a, k) => boxes.slice(k + 1).forEach((b) => {
    const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
    expect(apart).toBe(true);
  }));
});
