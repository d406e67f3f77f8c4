// The renderer of playgrounds: the live widget, while the kernel has it; else what the notebook's
// file holds of it, which needs no kernel.
import type { IRenderMime } from "@jupyterlab/rendermime-interfaces";
import { Panel, Widget } from "@lumino/widgets";
import { liveIn } from "./widget";

/** HTML of a file, which may come from anywhere. */
export function sanitised(html: string, sanitizer: IRenderMime.ISanitizer): Widget {
  const shown = new Widget();
  shown.addClass("jp-RenderedHTMLCommon");
  shown.node.innerHTML = sanitizer.sanitize(html);
  return shown;
}

const SOON = 500; // ms that the live widget may take before what the file holds is shown

class PlayRenderer extends Panel implements IRenderMime.IRenderer {
  private output: IRenderMime.IMimeModel | null = null;

  constructor(private readonly sanitizer: IRenderMime.ISanitizer) {
    super();
  }

  async renderModel(output: IRenderMime.IMimeModel): Promise<void> {
    for (const widget of [...this.widgets]) widget.dispose();
    this.output = output;
    if (this.isAttached) void this.start(output);
  }

  /** The notebook around it is not there any earlier. */
  protected override onAfterAttach(): void {
    if (this.output && !this.widgets.length) void this.start(this.output);
  }

  private async start(output: IRenderMime.IMimeModel): Promise<void> {
    const still = sanitised(String(output.data["text/html"]), this.sanitizer);
    still.hide();
    this.addWidget(still);
    const show = (): void => { if (!still.isDisposed) still.show(); };
    setTimeout(show, SOON);
    const live = await liveIn(this, output, () => !still.isDisposed);
    if (!live) return show();
    still.dispose();
    live.show();
  }
}

type Renderer = new (sanitizer: IRenderMime.ISanitizer) => IRenderMime.IRenderer;

/** An extension that shows a MIME type of ours, also where the notebook is not trusted; before
 * ipywidgets (-10), which without a model says that it is not found. */
export function extensionOf(name: string, dataType: "json" | "string", Shown: Renderer): IRenderMime.IExtension {
  return {
    id: `polynb:${name}`,
    dataType,
    rank: -20,
    rendererFactory: {
      safe: true,
      mimeTypes: [`application/vnd.polynb.${name}+json`],
      createRenderer: ({ sanitizer }) => new Shown(sanitizer),
    },
  };
}

export const playgrounds = extensionOf("play", "string", PlayRenderer);
