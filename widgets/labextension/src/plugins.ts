// The plugins of JupyterLab's application; the renderer of traces is in mime.ts.
import { cells } from "./cells";

const plugins: readonly unknown[] = [cells];

export default plugins;
