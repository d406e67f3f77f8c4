// Pages whose cells can be run where they are read: a button, which loads what that needs. (Browsers
// load no modules from a disk.)
if (document.querySelector(".cell .cell_input") && location.protocol.startsWith("http")) {
  const root = new URL(document.documentElement.dataset.content_root ?? "./", location.href);
  const button = document.createElement("button");
  const state = document.createElement("output");
  Object.assign(button, { type: "button", className: "live-button" });
  button.textContent = "Run the cells of this page";
  button.onclick = async () => {
    button.disabled = true;
    try {
      const { enliven } = await import(new URL("live/live.js", root));
      enliven(document, (stage, why) => {
        const said = { ready: "", stopped: "", failed: ` ${why}` };
        state.textContent = said[stage] ?? ` loading ${stage} …`;
        document.documentElement.dataset.live = stage;
      });
      button.textContent = "The cells run: change them, Shift+Enter";
    } catch (error) {
      button.disabled = false; // to try again
      state.textContent = ` ${error.message}`;
    }
  };
  const bar = document.createElement("p");
  bar.append(button, state);
  document.querySelector("article h1")?.after(bar);
}
