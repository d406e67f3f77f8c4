// The page with one cell.
import { named } from "./address.js";
import { Kernel } from "./kernel.js";
import { cell } from "./live.js";

const FIRST = `%%propagate blur
param N;  temp t;
for i = 0 to N+1 do t[i] = (in[i] + in[i+1]) / 2; done
for i = 0 to N   do out[i] = (t[i] + t[i+1]) / 2; done
`;

const loading = document.getElementById("loading");
const kernel = new Kernel((stage) => {
  loading.textContent = stage === "ready" || stage === "stopped" ? "" : `loading ${stage} …`;
  document.documentElement.dataset.live = stage;
});
kernel.start();
document.getElementById("live").append(cell(kernel, named(location.hash) ?? FIRST));
