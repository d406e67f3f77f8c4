// The plugins of JupyterLab's application; the renderer of traces is in mime.ts.
import { cells } from "./cells";
import { links } from "./links";

const plugins: readonly unknown[] = [cells, links];

export default plugins;
