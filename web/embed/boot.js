// Loads the frame's scripts (web/build/classic.mjs makes them): each hands in its module, which runs once it is required.
const given = new Map();
const made = new Map();
const asked = new Map();

globalThis.commcostScript = (name, make) => given.set(name, make);

const require = (path) => {
  const name = path.replace("./", "");
  if (!made.has(name)) {
    const exports = {};
    made.set(name, exports);
    given.get(name)(require, exports, load);
  }
  return made.get(name);
};

const fetched = (name) =>
  new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `./frame/${name}`;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`${name} did not come`));
    document.head.append(script);
  });

/** The last one's module, once all are there; one that did not come may be asked for again. */
const load = async (names) => {
  for (const name of names) {
    if (!asked.has(name)) asked.set(name, fetched(name));
    asked.get(name).catch(() => asked.delete(name));
  }
  await Promise.all(names.map((name) => asked.get(name)));
  return require(names.at(-1));
};

load(__SCRIPTS__).catch(({ message }) => {
  document.querySelector("commcost-app").textContent = `The calculator could not start: ${message}.`;
});
// The engine's first part is asked for beside them.
load([__FIRST__]).catch(() => {});
