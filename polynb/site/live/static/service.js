// A service worker: what live pages load is kept, so that after a first visit they need no network.
// VERSION, which changes with any file, and FILES stand before this.
const OURS = `polynb ${registration.scope} `;
const NAME = OURS + VERSION;

async function kept() {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.map((name) => new Request(name, { cache: "no-cache" })));
}

async function alone() {
  const others = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== NAME);
  await Promise.all(others.map((name) => caches.delete(name)));
  await clients.claim();
}

async function answered(request) {
  const found = await caches.match(request, { cacheName: NAME, ignoreSearch: true });
  return found ?? fetch(request);
}

oninstall = (event) => {
  skipWaiting();
  event.waitUntil(kept());
};
onactivate = (event) => event.waitUntil(alone());
onfetch = (event) => {
  if (event.request.method === "GET") event.respondWith(answered(event.request));
};
