// Splits the linked module in two: the first part, and the rest, which takes the first one's exports. Functions and data
// that are called "later" go into the rest.
// Usage: node wasm/parts/split.mjs wasm-split wasm-opt linked.wasm first.wasm rest.wasm
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import {
  Bytes,
  custom,
  data,
  dataCount,
  dataOf,
  elements,
  elementsOf,
  importedFunctions,
  imports,
  moduleOf,
  sectionsOf,
  segmentsOf,
  tablesOf,
} from "./format.mjs";

const [, , wasmSplit, wasmOpt, linked, firstFile, restFile] = process.argv;
const whole = sectionsOf(readFileSync(linked));

/** The names of functions (1) or data segments (9), with their places. */
function namesOf(kind) {
  const from = new Bytes(whole.find(({ name }) => name === "name").content);
  const names = [];
  while (from.left > 0) {
    const id = from.byte();
    const content = new Bytes(from.take(from.count()));
    if (id === kind) names.push(...content.list(() => ({ place: content.count(), name: content.name() })));
  }
  return names;
}
const isLater = ({ name }) => name.startsWith("later");

const list = `${restFile}.functions`;
writeFileSync(
  list,
  namesOf(1)
    .filter(isLater)
    .map(({ name }) => name)
    .join("\n"),
);
execFileSync(wasmSplit, [linked, "-o1", firstFile, "-o2", restFile, `--split-funcs=@${list}`, "--all-features"]);
rmSync(list);

/** One segment of those that lie together: zeros between them cost less than where each begins. */
function joined(segments) {
  const end = ({ address, bytes }) => address + bytes.length;
  const last = segments.at(-1);
  const bytes = Buffer.alloc(end(last) - segments[0].address);
  for (const segment of segments) bytes.set(segment.bytes, segment.address - segments[0].address);
  return { address: segments[0].address, bytes };
}

const segments = segmentsOf(whole.find(({ id }) => id === data).content);
const later = new Set(
  namesOf(9)
    .filter(isLater)
    .map(({ place }) => segments[place].address),
);
const laterFrom = Math.min(...later);
const parts = [
  segments.filter(({ address }) => !later.has(address)),
  segments.filter(({ address }) => later.has(address)),
];
if (parts[0].some(({ address }) => address > laterFrom)) throw new Error("data of the two parts lie mixed");

/** A table without the functions that wasm-split has put there until the rest takes their places: nothing calls them. */
function withoutPlaceholders(sections) {
  const section = (which) => sections.find(({ id }) => id === which);
  const isPlaceholder = importedFunctions(section(imports).content).map((module) => module === "placeholder");
  const tables = [];
  for (const { place, functions } of tablesOf(section(elements).content))
    for (const [index, one] of functions.entries()) {
      const last = tables.at(-1);
      if (isPlaceholder[one]) continue;
      if (last && last.place + last.functions.length === place + index) last.functions.push(one);
      else tables.push({ place: place + index, functions: [one] });
    }
  section(elements).content = elementsOf(tables);
  return sections;
}

const without = (file, ids) => sectionsOf(readFileSync(file)).filter(({ id }) => !ids.includes(id));
for (const [index, file] of [firstFile, restFile].entries()) {
  writeFileSync(file, moduleOf(withoutPlaceholders(without(file, [data, dataCount]))));
  execFileSync(wasmOpt, [file, "-o", file, "-O3", "--all-features"]);
  const content = dataOf([joined(parts[index])]);
  writeFileSync(file, moduleOf([...without(file, [custom]), { id: data, content }]));
}
