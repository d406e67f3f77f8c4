// The renderer of polynb's traces: what a notebook's file holds of a display, played without a
// kernel, also where the notebook is not trusted. Where the kernel that made it is still there, the
// display can have other sizes, and a live widget takes its place.
import type { IRenderMime } from "@jupyterlab/rendermime-interfaces";
import { Panel, Widget } from "@lumino/widgets";
import { localModel } from "../../src/model";
import { show } from "../../src/mount";
import { readTrace } from "../../src/read";
import { sessionOf, type Session } from "./host";
import { linkOf } from "./link";
import { extensionOf, playgrounds, sanitised } from "./playing";
import { unpacked, type Saved } from "./saved";
import { Sizes } from "./sizes";
import { liveIn } from "./widget";

const MIME = "application/vnd.polynb.trace+json";
const SOON = 500; // ms that a live widget may take before what the file holds is shown
const MINE = ["step", "predict", "hidden", "answers", "wanted"] as const;

class TraceRenderer extends Panel implements IRenderMime.IRenderer {
  private output: IRenderMime.IMimeModel | null = null;
  private saved: Saved | null = null; // of the output, while it is to be shown
  private readonly ends: (() => void)[] = [];
  private isTouched = false; // by a person, in any of its steppers

  constructor(private readonly sanitizer: IRenderMime.ISanitizer) {
    super();
    this.addClass("polynb-trace");
  }

  async renderModel(output: IRenderMime.IMimeModel): Promise<void> {
    this.clear();
    this.output = output;
    try {
      const saved = await unpacked(output.data[MIME]);
      if (this.output !== output || this.isDisposed) return;
      this.saved = saved;
      if (this.isAttached) void this.start(saved, output);
    } catch (error) {
      this.complain(error, output);
    }
  }

  override dispose(): void {
    if (this.isDisposed) return;
    this.clear();
    super.dispose();
  }

  /** What is shown depends on the notebook around it, which is not there any earlier. */
  protected override onAfterAttach(): void {
    if (this.saved && this.output && this.widgets.length === 0) void this.start(this.saved, this.output);
  }

  private clear(): void {
    this.saved = null;
    this.isTouched = false;
    for (const end of this.ends.splice(0)) end();
    for (const widget of [...this.widgets]) widget.dispose();
  }

  /** Shows the live widget or the trace: never both, and never nothing. */
  private async start(saved: Saved, output: IRenderMime.IMimeModel): Promise<void> {
    const session = sessionOf(this);
    const link = linkOf(this);
    if (link) this.addWidget(link);
    const live = liveIn(this, output, () => this.saved === saved);
    const soon = session?.isReady ? await Promise.race([live, pause(SOON)]) : null;
    if (this.saved !== saved) return;
    if (soon) return soon.show();
    try {
      this.play(saved, session);
    } catch (error) {
      return this.complain(error, output);
    }
    const late = await live;
    if (!late || this.saved !== saved) return;
    if (this.isTouched) return late.dispose();
    for (const end of this.ends.splice(0)) end();
    for (const widget of [...this.widgets]) if (widget !== late && widget !== link) widget.dispose();
    late.show();
  }

  private play({ trace, below, traits, more }: Saved, session: Session | null): void {
    const { problem } = readTrace(trace);
    if (problem !== null) throw new Error(problem);
    const model = localModel({ ...traits, trace });
    const stepper = new Widget();
    this.addWidget(stepper);
    this.ends.push(show(stepper.node, model).close);
    const note = new Widget({ node: document.createElement("p") });
    note.node.setAttribute("role", "status");
    this.addWidget(note);
    const id = (trace as { id?: unknown }).id;
    if (session && typeof id === "string") {
      const sizes = new Sizes(model, id, session, (why) => (note.node.textContent = why));
      this.ends.push(() => sizes.close());
    }
    this.addHtml(below);
    for (const name of MINE) this.ends.push(model.on(name, () => (this.isTouched = true)));
    for (const each of more) this.play(each, session);
  }

  /** What cannot be played is shown as where there is no extension, and with the reason. */
  private complain(error: unknown, output: IRenderMime.IMimeModel): void {
    this.clear();
    const reason = new Widget({ node: document.createElement("p") });
    reason.node.textContent = `polynb cannot play this: ${error instanceof Error ? error.message : String(error)}`;
    this.addWidget(reason);
    this.addHtml(String(output.data["text/html"] ?? ""));
  }

  private addHtml(html: string): void {
    if (html) this.addWidget(sanitised(html, this.sanitizer));
  }
}

function pause(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms));
}

export default [extensionOf("trace", "json", TraceRenderer), playgrounds];
