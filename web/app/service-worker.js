// Keeps the whole page for offline use. A version's files live in a cache of their own, each held against its hash
// before it is kept, so that a version is there whole or not at all. Nobody skips the queue: a page that is open
// keeps its own version's files until it is closed, and only then does the next version take over and clear up.
const files = __FILES__;
// Copies of the page under other paths of this origin share its storage: each clears up after itself alone.
const mine = `commcost ${self.registration.scope} `;
const cacheName = `${mine}__VERSION__`;

self.addEventListener("install", (event) => {
  const requests = Object.entries(files).map(([file, integrity]) => new Request(file, { cache: "reload", integrity }));
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(requests)));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const old = (await caches.keys()).filter((name) => name.startsWith(mine) && name !== cacheName);
      await Promise.all(old.map((name) => caches.delete(name)));
      // The page of a first visit too finds its later scripts here, whatever the server holds by then.
      await self.clients.claim();
    })(),
  );
});

/** The kept answer; none where storage fails, which costs the comfort alone. */
async function kept(request) {
  try {
    return await caches.match(request, { cacheName, ignoreSearch: request.mode === "navigate" });
  } catch {
    return undefined;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(kept(request).then((answer) => answer ?? fetch(request)));
});
