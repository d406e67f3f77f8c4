// The playground that the site opens on: the folder of live pages has Python for what is not recorded.
const { mount } = exported;
for (const place of document.querySelectorAll("[data-polynb-play]")) {
  const recording = JSON.parse(place.querySelector("script").textContent);
  const folder = location.protocol.startsWith("http") && place.dataset.polynbPlay;
  place.replaceChildren();
  mount(place, recording, folder ? python(new URL(folder, location.href)) : null);
  asked(place);
}

/** The move that the question above names is a button there, too: on a phone others are further down. */
function asked(place) {
  const word = place.previousElementSibling?.querySelector("em");
  const names = (element) => element.textContent.trim() === word?.textContent;
  const move = () => [...place.querySelectorAll(".pnp-move")].find(names);
  if (!word || !move()) return;
  const button = Object.assign(document.createElement("button"), { type: "button" });
  button.textContent = word.textContent;
  button.onclick = () => move()?.click();
  word.replaceWith(button);
}

function python(folder) {
  let kernel = null;
  const start = () => (kernel ??= begun(folder));
  const playground = async (program, moves) => {
    const cell = [
      `_play = pn.play(${program})`,
      `for line in ${JSON.stringify(moves)}: _play.do(line)`,
      "_play",
    ].join("\n");
    const outputs = await (await start()).run(cell);
    const [widget] = outputs.find((output) => output.widgets)?.widgets ?? [];
    if (!widget) throw new Error(outputs[0]["text/plain"]);
    return (await start()).model(widget);
  };
  return { start, playground };
}

async function begun(folder) {
  const { Kernel } = await import(new URL("kernel.js", folder));
  const kernel = new Kernel((stage) => (document.documentElement.dataset.live = stage));
  kernel.start();
  return kernel;
}
