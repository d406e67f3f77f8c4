// The live widget of a display that has one (what `step()` gives): it is shared with Python, which
// knows where it is and what was answered. ipywidgets shows it, if its model is still there, and if
// the output is trusted: what ipywidgets shows may run scripts, and models also come from files.
import type { IRenderMime } from "@jupyterlab/rendermime-interfaces";
import type { Panel } from "@lumino/widgets";
import { renderMimeOf, sessionOf, type Session } from "./host";

const WIDGET = "application/vnd.jupyter.widget-view+json";
const PATIENCE = 30_000; // ms for a page that is loaded again to get its widgets from the kernel

function idOf({ data }: IRenderMime.IMimeModel): string {
  return (data[WIDGET] as { model_id?: string } | undefined)?.model_id ?? "";
}

/** The live widget of a trusted output in a panel, hidden as yet, as soon as there is something to be
 * seen of it. Null if there is none, or if it is not `wanted` any more. */
export async function liveIn(
  panel: Panel, output: IRenderMime.IMimeModel, wanted: () => boolean,
): Promise<IRenderMime.IRenderer | null> {
  const [session, host] = [sessionOf(panel), renderMimeOf(panel)];
  if (!output.trusted || !session || !host?.mimeTypes.includes(WIDGET) || !idOf(output)) return null;
  if (!(await isThere(output, session).catch(() => false)) || !wanted()) return null;
  const live = host.createRenderer(WIDGET);
  live.hide();
  panel.addWidget(live);
  void live.renderModel(output);
  if (await appears(live.node)) return live;
  live.dispose();
  return null;
}

/** Whether the kernel has the widget, so that ipywidgets need not say that it is not found. */
async function isThere(output: IRenderMime.IMimeModel, session: Session): Promise<boolean> {
  await session.ready;
  const kernel = session.session?.kernel;
  if (!kernel) return false;
  // Made since this page has been open. A kernel that is busy with it would not answer before it is done.
  if (kernel.hasComm(idOf(output))) return true;
  await kernel.info; // it may have been connected just now, and not have said anything yet
  const { content } = await kernel.requestCommInfo({ target_name: "jupyter.widget" });
  return idOf(output) in (content.comms ?? {});
}

/** Whether a stepper, or a playground, comes up in the node. */
function appears(node: HTMLElement): Promise<boolean> {
  const isUp = (): boolean => node.querySelector(".pnb-root, .pnp-root") !== null;
  return new Promise((resolve) => {
    const end = (found: boolean): void => {
      clearTimeout(timer);
      observer.disconnect();
      resolve(found);
    };
    const timer = setTimeout(() => end(false), PATIENCE);
    const observer = new MutationObserver(() => {
      if (isUp()) end(true);
      else if (node.textContent?.startsWith("Error displaying widget")) end(false);
    });
    observer.observe(node, { childList: true, subtree: true, characterData: true });
    if (isUp()) end(true);
  });
}
