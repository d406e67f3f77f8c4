// Other sizes of a display: the kernel that made it is asked (polynb/show/trace/live.py) when a
// slider is moved, and not before, for most are never moved.
import type { Model } from "../../src/model";
import { kernelOf, type Comm, type Kernel, type Session } from "./host";

const TARGET = "polynb.trace";

export class Sizes {
  private comm: Comm | null = null;
  private kernel: Kernel | null = null;
  private unknown: Kernel | null = null; // a kernel that did not make this display
  private readonly stop: () => void;

  /** `say` is told why there are no other sizes, or "" when there are. */
  constructor(
    private readonly model: Model,
    private readonly id: string,
    private readonly session: Session,
    private readonly say: (why: string) => void,
  ) {
    this.stop = model.on("wanted", () => this.ask());
    session.statusChanged.connect(this.refresh);
    session.kernelChanged.connect(this.refresh);
    this.refresh();
  }

  close(): void {
    this.stop();
    this.session.statusChanged.disconnect(this.refresh);
    this.session.kernelChanged.disconnect(this.refresh);
  }

  private readonly refresh = (): void => {
    const kernel = kernelOf(this.session);
    if (kernel !== this.kernel) [this.kernel, this.comm] = [kernel, null];
    this.model.set("live", kernel !== null && kernel !== this.unknown);
  };

  private ask(): void {
    const asked = { id: this.id, parameters: this.model.get("wanted") };
    if (this.comm) this.comm.send(asked);
    else if (this.kernel) this.open(this.kernel, asked);
  }

  private open(kernel: Kernel, asked: unknown): void {
    const comm = kernel.createComm(TARGET);
    this.comm = comm;
    comm.onMsg = ({ content: { data } }) => this.answered(data);
    comm.onClose = () => {
      if (this.comm !== comm) return;
      this.comm = null;
      this.unknown = kernel;
      this.refresh();
      this.say("Other sizes come from the kernel that ran this cell: run it again.");
    };
    comm.open(asked);
  }

  private answered(data: { trace?: { steps: unknown[] }; refused?: string }): void {
    this.say(data.refused ?? "");
    if (!data.trace) return;
    const last = data.trace.steps.length - 1;
    this.model.set("trace", data.trace);
    if (this.model.get("step") > last) this.model.set("step", last);
  }
}
