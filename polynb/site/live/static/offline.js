// The page without a network, after its first visit (service.js).
const service = navigator.serviceWorker;

/** Keeps what is here. Where a newer version of it has come meanwhile, the page is loaded again,
 * unless somebody has begun to work in it. */
export function keep(isUsed) {
  if (!service) return;
  const isKept = service.controller !== null;
  service.addEventListener("controllerchange", () => {
    if (isKept && !isUsed()) location.reload();
  });
  const script = new URL("service.js", import.meta.url);
  service.register(script, { updateViaCache: "none" }).catch(() => {}); // as in private windows
}
