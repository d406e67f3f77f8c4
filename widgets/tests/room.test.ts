import { describe, expect, it } from "vitest";
import { arrange, lowest, under } from "../src/layout";
import { longest, roomFor } from "../src/room";
import type { Overlay } from "../src/trace";
import { sceneOf, shown, traces } from "./helpers";

describe("room", () => {
  it("is that of all steps: the largest picture, the longest text, the most lines below", () => {
    const trace = traces.reload();
    const room = roomFor(trace, 600);
    expect(room.sight).toBeGreaterThan(room.legend + arrange(sceneOf(trace), 600).height);
    trace.programs[1]!.lines = Array.from({ length: 20 }, () => [["x = 1;"]]);
    expect(roomFor(trace, 600).program).toBeGreaterThan(room.program);
    trace.steps[3]!.sets = [0, 0, 0];
    expect([room.lines, roomFor(trace, 600).lines]).toEqual([1, 3]);
  });

  it("is all that a still's picture needs in a low window too, for nothing is stepped beside it", () => {
    const trace = traces.reload();
    const stepped = roomFor(trace, 600);
    const still = roomFor({ ...trace, steps: [trace.steps[0]] }, 600);
    expect(stepped.sight).toBeGreaterThan(270);
    const scene = trace.scenes[0]!;
    expect([stepped.least, still.least]).toEqual([270, still.sight]);
    expect(stepped.small).toBe(stepped.legend + under(scene, 600) + lowest(scene, 600));
    expect(stepped.small).toBeLessThan(stepped.sight);
  });

  it("has sliders above the picture of a still, and below that of steps, where they stay", () => {
    const trace = traces.reload();
    const place = (steps: number): string | undefined =>
      shown({ ...trace, steps: trace.steps.slice(0, steps) }, { live: true }).one(".pnb-sliders").parentElement?.className;
    expect([place(1), place(2)]).toEqual(["pnb-fixed", "pnb-below"]);
  });

  it("counts lines that are broken, and has an end", () => {
    const trace = traces.plane();
    trace.programs[0]!.lines = [[["x".repeat(300)]]];
    const [narrow, wide] = [roomFor(trace, 320).program, roomFor(trace, 1200).program];
    expect(narrow).toBeGreaterThan(wide);
    trace.programs[0]!.lines = Array.from({ length: 5000 }, () => [["x = 1;"]]);
    expect(roomFor(trace, 600).program).toBe(900);
  });

  it("has a row in the legend for each role, and more where its names are broken", () => {
    const legend = (labels: string[], roles: string[]): number => {
      const trace = traces.reload();
      const relations = roles.flatMap((role, r) => labels.map((label, k) => ({ id: `o${r}${k}`, role, label, pairs: [] })));
      trace.scenes = [{ ...sceneOf(trace), relations: relations as unknown as Overlay[] }];
      for (const step of trace.steps) delete step.overlays;
      return roomFor(trace, 452).legend;
    };
    const six = ["S0 → S1 (s)", "S0 → S2 (s)", "S0 → S3 (s)", "S1 → S4 (tmp)", "S3 → S4 (tmp)", "S2 → S4 (tmp)"];
    const [one, two] = [legend(six.slice(0, 1), ["raw"]), legend(six, ["raw"])];
    expect(two).toBeGreaterThan(one);
    expect(legend(six, ["raw", "war"])).toBeGreaterThan(two + 28);
    expect(legend(six, ["raw", "war", "waw", "order"])).toBeLessThan(240);
  });

  it("has room for what is said of relations of which nothing is drawn", () => {
    const legend = (pairs: number[][]): number => {
      const trace = traces.reload();
      const labels = ["S0 → S1 (s)", "S0 → S2 (s)", "S0 → S3 (s)"];
      const relations = labels.map((label, k) => ({ id: `o${k}`, role: "raw", label, pairs }));
      trace.scenes = [{ ...sceneOf(trace), focus: [], relations: relations as unknown as Overlay[] }];
      for (const step of trace.steps) delete step.overlays;
      return roomFor(trace, 452).legend;
    };
    expect(legend([])).toBeGreaterThan(legend([[0, 1]]));
  });

  it("for what is said is measured with the steps that say most", () => {
    const steps = traces.reload().steps;
    expect(longest(steps, 1)[0]!.witness).toBeDefined();
    const s = shown(traces.reload());
    const before = s.one(".pnb-room").innerHTML;
    expect(before).toContain("T cannot evaluate R: S(0) comes between.");
    s.press("ArrowRight");
    expect(s.one(".pnb-room").innerHTML).toBe(before);
  });
});

it("a witness says once what the step says", () => {
  const s = shown(traces.reload(), { step: 3 });
  const said = (): string => s.one(".pnb-say").textContent ?? "";
  expect(said().match(/overwrites A\[0\]/g)).toHaveLength(1);
  const trace = traces.reload();
  trace.steps[3]!.sentence = `It is kept: ${trace.steps[3]!.witness!.sentence}`;
  s.model.set("trace", trace);
  expect(said().match(/A\[0\]/g)).toHaveLength(1);
  expect(said()).toContain("T(0) at date (0, 2)");
});
