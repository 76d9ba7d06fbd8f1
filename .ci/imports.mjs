// Rooms of web/ stand on each other in one direction, as those of core/ do; views and files import each other nowhere.
// Fails on an import of a later room, of another view, of lit's html past web/elements/html.ts, and on a circle of files.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = new URL("../web/", import.meta.url).pathname;

/** Each sees itself and those before it. */
const rooms = [
  ...["engine", "state", "elements", "charts", "figures", "exercise", "scoreboard", "views"],
  ...["app", "embed", "practice", "cli"],
];

const files = rooms.flatMap((room) =>
  readdirSync(root + room, { recursive: true })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
    .map((name) => `${room}/${name}`),
);
const known = new Set(files);
const importsOf = (file) =>
  [...readFileSync(root + file, "utf8").matchAll(/(?:\bfrom |\bimport |\bimport\()"(\.[^"?]+)\.js"/g)]
    .map(([, path]) => `${join(dirname(file), path)}.ts`)
    .filter((path) => known.has(path));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

const roomOf = (file) => file.slice(0, file.indexOf("/"));
/** A view's own folder; nothing elsewhere. */
const viewOf = (file) => /^views\/[^/]+/.exec(file)?.[0];

const wrong = [];
for (const [file, seen] of imports)
  for (const other of seen) {
    if (rooms.indexOf(roomOf(other)) > rooms.indexOf(roomOf(file)))
      wrong.push(`${file} imports ${other}: ${roomOf(file)} stands below ${roomOf(other)}`);
    if (viewOf(file) && viewOf(other) && viewOf(file) !== viewOf(other))
      wrong.push(`${file} imports ${other}: views import no view`);
  }

// lit's own would let lines end between numbers and their units.
const ruled = "elements/html.ts";
for (const file of files)
  if (file !== ruled && /import \{[^}]*\bhtml\b[^}]*\} from "lit"/.test(readFileSync(root + file, "utf8")))
    wrong.push(`${file} imports html from lit: take it from ${ruled}`);

/** Follows imports from a file; a file on the way again is a circle. */
const done = new Set();
function walk(file, way) {
  if (way.includes(file)) {
    wrong.push(`a circle: ${[...way.slice(way.indexOf(file)), file].join(" -> ")}`);
    return;
  }
  if (done.has(file)) return;
  for (const other of imports.get(file)) walk(other, [...way, file]);
  done.add(file);
}
for (const file of files) walk(file, []);

for (const line of wrong) console.error(`web/${line}`);
process.exitCode = wrong.length > 0 ? 1 : 0;
