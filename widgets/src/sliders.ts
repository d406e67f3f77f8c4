// Parameters, while there is a kernel to compute for other values: it answers with a new trace.
import { h, setText } from "./dom";
import type { Player } from "./player";
import type { Parameter } from "./trace";

const PATIENCE = 80; // ms without a change before the kernel is asked

interface Row {
  name: string;
  input: HTMLInputElement;
  value: HTMLElement;
  element: HTMLElement;
}

export class Sliders {
  readonly element = h("div", { class: "pnb-sliders" });
  private names = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private rows: Row[] = [];

  constructor(private readonly player: Player) {}

  /** Sliders stay where they are being moved, whatever trace arrives meanwhile. */
  update(): void {
    const parameters = this.player.model.get("live") ? this.player.trace?.parameters ?? [] : [];
    this.element.hidden = parameters.length === 0;
    const names = parameters.map((p) => p.name).join();
    if (names !== this.names) {
      this.names = names;
      this.rows = parameters.map((p) => this.row(p));
      this.element.replaceChildren(...this.rows.map((row) => row.element));
    }
    parameters.forEach((p, k) => {
      const row = this.rows[k];
      if (!row) return;
      const isMoved = this.timer !== undefined || row.input.matches(":focus");
      row.input.min = String(p.low);
      row.input.max = String(isMoved ? Math.max(Number(row.input.max), p.high) : p.high);
      if (isMoved) return;
      row.input.value = String(p.value);
      setText(row.value, String(p.value));
    });
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private row(p: Parameter): Row {
    const value = h("output", {}, String(p.value));
    const input = h("input", {
      type: "range", min: p.low, max: p.high, step: 1, value: p.value,
      input: () => {
        setText(value, input.value);
        this.ask();
      },
    });
    const element = h("label", { class: "pnb-parameter" }, `${p.name} = `, value, input);
    return { name: p.name, input, value, element };
  }

  private ask(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = undefined;
      const wanted = this.rows.map(({ name, input }) => [name, Number(input.value)]);
      this.player.model.set("wanted", Object.fromEntries(wanted));
    }, PATIENCE);
  }
}
