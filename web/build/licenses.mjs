// The notices of everything that ends up in the built files: npm packages by what the bundler took, and what
// Emscripten links into the wasm module, by Debian's record of it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { root } from "./plugins.mjs";

const emscripten = "/usr/share/doc/emscripten/copyright";
const musl = "/usr/share/emscripten/system/lib/libc/musl/COPYRIGHT";

/** Linked into the module: what it is, and the files of Emscripten that it is made of. */
const linked = [
  ["Emscripten, its runtime and Embind", "*"],
  ["libc++", "system/lib/libcxx/*"],
  ["libc++abi", "system/lib/libcxxabi/*"],
  ["compiler-rt", "system/lib/compiler-rt/*"],
];

/** The packages that the builds of this process took modules from. */
const packages = new Set();

/** Notes the packages of all modules that a build takes in. */
export function noticed() {
  return {
    name: "noticed",
    generateBundle(_, bundle) {
      for (const { modules = {} } of Object.values(bundle)) {
        for (const id of Object.keys(modules)) {
          const name =
            id.match(/.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ??
            (id.includes("vite/preload-helper") ? "vite" : undefined);
          if (name) packages.add(name);
        }
      }
    },
  };
}

const heading = (title) => `${"=".repeat(78)}\n${title}\n${"=".repeat(78)}\n`;

function packageNotice(name) {
  const folder = `${root}node_modules/${name}`;
  const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[sc]e/i.test(entry));
  // MicroPython's package comes without.
  const path = file ? `${folder}/${file}` : `${root}web/build/notices/${name.replace(/^.*\//, "")}.txt`;
  // A package that is a tool lists there what it bundles itself, which is not in our files.
  const text = readFileSync(path, "utf8").split(/^# Licenses of bundled/m)[0];
  return `${heading(`${name} ${version} (${license})`)}\n${text.trim()}\n`;
}

/** A machine-readable copyright file as its stanzas: field name to text. */
function stanzas(text) {
  return text
    .split(/\n\n+/)
    .map((stanza) =>
      Object.fromEntries(
        [...stanza.matchAll(/^(\S+):([\s\S]*?)(?=^\S|(?![\s\S]))/gm)].map(([, field, value]) => [
          field,
          value.replace(/^ \.$/gm, "").replace(/^ /gm, "").trim(),
        ]),
      ),
    );
}

function linkedNotices() {
  const all = stanzas(readFileSync(emscripten, "utf8"));
  const licences = new Set();
  const notices = linked.map(([title, files]) => {
    const stanza = all.find(({ Files }) => Files?.split(/\s+/).includes(files));
    if (!stanza) throw new Error(`${emscripten} says nothing of ${files}`);
    for (const name of ["Expat", "NCSA~Mozilla", "NCSA~LLVM"]) if (stanza.License.includes(name)) licences.add(name);
    return `${heading(`${title} (${stanza.License.split("\n")[0].replaceAll("~", ", ")})`)}\nCopyright\n${stanza.Copyright}\n\n${stanza.License}\n`;
  });
  const texts = [...licences].map((name) => {
    const { License } = all.find((stanza) => !stanza.Files && stanza.License?.split("\n")[0] === name);
    return `${heading(`The ${name.replace("~", " licence, ")}${name.includes("~") ? "" : " licence"}`)}\n${License.split("\n").slice(1).join("\n").trim()}\n`;
  });
  return [...notices, `${heading("musl")}\n${readFileSync(musl, "utf8").trim()}\n`, ...texts];
}

/** The text of licenses.txt for what was bundled. */
export function licenses() {
  if (!existsSync(emscripten) || !existsSync(musl))
    throw new Error("Emscripten's notices are missing: is the package emscripten installed?");
  const own = readFileSync(`${root}LICENSE`, "utf8").trim();
  return [
    `${heading("commcost (MIT)")}\n${own}\n`,
    "The files of commcost contain parts of what follows.\n",
    ...[...packages].sort().map(packageNotice),
    ...linkedNotices(),
  ].join("\n");
}
