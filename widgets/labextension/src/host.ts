// The notebook around an output, as far as a renderer can see it. JupyterLab's renderers are told
// nothing of it, but it is among their parents; an output that is shown elsewhere has none.
import type { IRenderMime } from "@jupyterlab/rendermime-interfaces";
import type { Widget } from "@lumino/widgets";

/** The parts of JupyterLab's that are used: `ISignal`, `IComm`, `IKernelConnection`, ... */
export interface Signal {
  connect(slot: () => void): boolean;
  disconnect(slot: () => void): boolean;
}

export interface Comm {
  onMsg: (message: { content: { data: any } }) => void;
  onClose: () => void;
  open(data: unknown): unknown;
  send(data: unknown): unknown;
  close(): unknown;
}

export interface Kernel {
  readonly status: string;
  readonly info: Promise<unknown>;
  createComm(target: string): Comm;
  hasComm(id: string): boolean;
  requestCommInfo(content: { target_name: string }): Promise<{ content: { comms?: Record<string, unknown> } }>;
}

export interface Session {
  readonly ready: Promise<void>;
  readonly isReady: boolean;
  readonly session: { readonly kernel: Kernel | null } | null;
  readonly statusChanged: Signal;
  readonly kernelChanged: Signal;
}

export interface RenderMime {
  readonly mimeTypes: readonly string[];
  createRenderer(mimeType: string): IRenderMime.IRenderer;
}

/** The session that an output's notebook or console has, and what renders its other outputs. */
export function sessionOf(widget: Widget): Session | null {
  return ofParents(widget, "sessionContext") as Session | null;
}

export function renderMimeOf(widget: Widget): RenderMime | null {
  return ofParents(widget, "rendermime") as RenderMime | null;
}

/** The text of the code cell that an output is of. */
export function sourceOf(widget: Widget): string | null {
  for (let at = widget.parent; at; at = at.parent) {
    const { model } = at as unknown as { model?: { type?: string; sharedModel?: { getSource?(): string } } };
    if (model?.type === "code") return model.sharedModel?.getSource?.() ?? null;
  }
  return null;
}

function ofParents(widget: Widget, name: string): unknown {
  for (let at = widget.parent; at; at = at.parent) {
    const found = (at as unknown as Record<string, unknown>)[name];
    if (found) return found;
  }
  return null;
}

const GONE = ["unknown", "dead", "terminating"];

/** The kernel of a session, if it can be asked. */
export function kernelOf(session: Session | null): Kernel | null {
  const kernel = session?.session?.kernel;
  return kernel && !GONE.includes(kernel.status) ? kernel : null;
}
