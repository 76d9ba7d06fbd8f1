// Keeps the whole page for offline use. A version's files live in a cache of their own, each held against its hash
// before it is kept, so that a version is there whole or not at all. None skips the queue: a page that is open
// keeps its own version's files until it is closed, and only then does the next version take over and clear up.
const files = __FILES__;
// Copies of the page under other paths of this origin share its storage: each clears up after itself alone.
const mine = `commcost ${self.registration.scope} `;
const cacheName = `${mine}__VERSION__`;
/** What few readers ask for is kept once they have. */
const onDemand = /\bmicropython-/;

/**
 * A file of this version, held against its hash. What the page has just fetched is taken from the browser's cache; where
 * that holds another version, the host is asked.
 */
async function fetched(file) {
  const integrity = files[file];
  // Names that tell their content never mean another one.
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
      // Kept by the version before, under a name that tells its content.
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
      // The page of a first visit too finds its later scripts here, whatever the server holds by then.
      await self.clients.claim();
    })(),
  );
});

/** An answer in storage; none where that fails, which costs the comfort alone. */
async function held(request, options) {
  try {
    return await caches.match(request, options);
  } catch {
    return undefined;
  }
}

/** This version's answer. */
const kept = (request) => held(request, { cacheName, ignoreSearch: request.mode === "navigate" });

/** What a browser has thrown away of this version is fetched and kept again. */
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
