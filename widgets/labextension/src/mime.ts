// A renderer for polynb's traces: what a notebook file holds of a display, played without a kernel.
import type { IRenderMime } from "@jupyterlab/rendermime-interfaces";
import { Widget } from "@lumino/widgets";
import { mount } from "../../src/mount";

export const MIME = "application/vnd.polynb.trace+json";

class TraceRenderer extends Widget implements IRenderMime.IRenderer {
  async renderModel(model: IRenderMime.IMimeModel): Promise<void> {
    mount(this.node, model.data[MIME]);
  }
}

const extension: IRenderMime.IExtension = {
  id: "polynb:trace",
  description: "Plays polynb's traces",
  dataType: "json",
  rank: -20,
  rendererFactory: { safe: true, mimeTypes: [MIME], createRenderer: () => new TraceRenderer() },
};

export default extension;
