// Keeps the whole page for offline use. A version's files have their own cache, each checked against its hash before it
// is kept, so that a version is there completely or not at all. No version skips the queue: an open page keeps its own
// version's files until it is closed, and only then does the next version take over and clean up.
const files = __FILES__;
// Copies of the page under other paths of this origin share its storage: each cleans up only after itself.
const mine = `commcost ${self.registration.scope} `;
const cacheName = `${mine}__VERSION__`;
/** What few readers ask for is kept only once they have. */
const onDemand = /\bmicropython-/;

/**
 * A file of this version, checked against its hash. What the page has just fetched is taken from the browser's cache;
 * if that holds another version, the host is asked.
 */
async function fetched(file) {
  const integrity = files[file];
  // Names that contain their hash never refer to other content.
  const named = /^(?:assets|frame)\/|\?/.test(file);
  try {
    const answer = await fetch(new Request(file, { cache: named ? "force-cache" : "no-cache", integrity }));
    if (answer.ok) return answer;
  } catch {
    // Another version, or no network: the host has the last word.
  }
  const answer = await fetch(new Request(file, { cache: "reload", integrity }));
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  return answer;
}

self.addEventListener("install", (event) => {
  const kept = async () => {
    const wanted = Object.keys(files).map(async (file) => {
      if (!onDemand.test(file)) return [[file, await fetched(file)]];
      // Kept by the previous version, under a name that contains its hash.
      const before = await held(file);
      return before ? [[file, before]] : [];
    });
    const answers = (await Promise.all(wanted)).flat();
    const cache = await caches.open(cacheName);
    await Promise.all(answers.map(([file, answer]) => cache.put(file, answer)));
  };
  event.waitUntil(kept());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const old = (await caches.keys()).filter((name) => name.startsWith(mine) && name !== cacheName);
      await Promise.all(old.map((name) => caches.delete(name)));
      // The page of a first visit finds its later scripts here too, whatever the server has by then.
      await self.clients.claim();
    })(),
  );
});

/** An answer in storage; none if that fails, which only costs offline use. */
async function held(request, options) {
  try {
    return await caches.match(request, options);
  } catch {
    return undefined;
  }
}

/** This version's answer. */
const kept = (request) => held(request, { cacheName, ignoreSearch: request.mode === "navigate" });

/** Files of this version that the browser has evicted are fetched and kept again. */
async function healed(request) {
  const file = request.url.slice(self.registration.scope.length).replace(/#.*/, "");
  if (request.mode === "navigate" || !Object.hasOwn(files, file)) return undefined;
  try {
    const answer = await fetched(file);
    const cache = await caches.open(cacheName);
    await cache.put(file, answer.clone());
    return answer;
  } catch {
    return undefined;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(kept(request).then(async (answer) => answer ?? (await healed(request)) ?? fetch(request)));
});
