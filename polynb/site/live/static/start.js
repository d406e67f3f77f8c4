// The page with one cell.
import { named } from "./address.js";
import { Kernel } from "./kernel.js";
import { cell } from "./live.js";
import { keep } from "./offline.js";

const FIRST = `%%propagate blur
param N;  temp t;
for i = 0 to N+1 do t[i] = (in[i] + in[i+1]) / 2; done
for i = 0 to N   do out[i] = (t[i] + t[i+1]) / 2; done
`;

const given = named(location.hash) ?? FIRST;
let isKept = false;

const loading = document.getElementById("loading");
const kernel = new Kernel((stage, why) => {
  loading.textContent = { ready: "", stopped: "", failed: why }[stage] ?? `loading ${stage} …`;
  document.documentElement.dataset.live = stage;
  if (stage !== "ready" || isKept) return;
  isKept = true;
  keep(shown.isUsed);
});
kernel.start();
const shown = cell(kernel, given);
document.getElementById("live").append(shown);
addEventListener("hashchange", () => location.reload()); // another program
