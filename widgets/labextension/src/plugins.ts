// The plugins of JupyterLab's application; the renderer of traces is in mime.ts.
const plugins: readonly unknown[] = [];

export default plugins;
