// Keeps the whole page for offline use. A version's files live in a cache of their own, so that old and new never mix:
// the new one is complete before the old one goes.
const cacheName = "commcost-__VERSION__";
const files = __FILES__;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files.map((file) => new Request(file, { cache: "reload" })))));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith("commcost-") && name !== cacheName);
    await Promise.all(old.map((name) => caches.delete(name)));
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith((async () => {
    const cached = await (await caches.open(cacheName)).match(request, { ignoreSearch: request.mode === "navigate" });
    return cached ?? fetch(request);
  })());
});
