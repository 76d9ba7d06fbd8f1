// Splits the linked module in its parts: the first; and each of the others, which takes what those before it export. A part's functions are called
// "<part>|…", and so is the segment of its data.
// Usage: node wasm/parts/split.mjs wasm-split wasm-opt -O3 parts.wasm network measured …
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
  exported,
  exportsOf,
  exportsSection,
  importedFunctions,
  imports,
  importsOf,
  importsSection,
  moduleOf,
  sectionsOf,
  segmentsOf,
  tablesOf,
} from "./format.mjs";

const [, , wasmSplit, wasmOpt, level, linked, ...later] = process.argv;
const parts = ["first", ...later];
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
const partOf = ({ name }) => later.find((part) => name === part || name.startsWith(`${part}|`)) ?? "first";
const fileOf = (part) => linked.replace("parts.wasm", `${part}.wasm`);

/** What names of a part's exports begin with: a letter or digit, so that none of them is another part's. */
const prefixOf = (place) => place.toString(36);

// One part after the other is taken off what is left.
const functions = namesOf(1);
let left = linked;
for (const [place, part] of parts.slice(0, -1).entries()) {
  const list = `${fileOf(part)}.functions`;
  const behind = parts.slice(place + 1);
  const next = behind.length > 1 ? fileOf(`left-${place}`) : fileOf(behind[0]);
  writeFileSync(
    list,
    functions
      .filter((one) => behind.includes(partOf(one)))
      .map(({ name }) => name)
      .join("\n"),
  );
  const files = [left, "-o1", fileOf(part), "-o2", next];
  execFileSync(wasmSplit, [
    ...files,
    `--split-funcs=@${list}`,
    `--export-prefix=${prefixOf(place)}`,
    "--all-features",
    "-g",
  ]);
  rmSync(list);
  if (left !== linked) rmSync(left);
  left = next;
}

/** Adjacent data as one segment: zeros between them cost less than further addresses. */
function joined(segments) {
  const end = ({ address, bytes }) => address + bytes.length;
  const last = segments.at(-1);
  const bytes = Buffer.alloc(end(last) - segments[0].address);
  for (const segment of segments) bytes.set(segment.bytes, segment.address - segments[0].address);
  return { address: segments[0].address, bytes };
}

const segments = segmentsOf(whole.find(({ id }) => id === data).content);
const namedSegments = namesOf(9);
const dataOfPart = (part) =>
  segments.filter((_, place) => partOf(namedSegments.find((one) => one.place === place)) === part);

/** A table without the functions that wasm-split has put there until another part takes their places: nothing calls them. */
function withoutPlaceholders(sections) {
  const section = (which) => sections.find(({ id }) => id === which);
  if (!section(elements)) return sections;
  const isPlaceholder = importedFunctions(section(imports).content).map(({ module }) => module === "placeholder");
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

/** By the name under which the previous part exports a thing: the name by which importers take it from there. */
let passed = new Map();
/** Gives what wasm-split exports a short name, and leaves out what a part has from another. */
function takenWhereItIs(sections, place) {
  const section = (which) => sections.find(({ id }) => id === which);
  const taken = importsOf(section(imports).content).map((one) =>
    one.module === "primary" ? { ...one, name: passed.get(one.name) } : one,
  );
  section(imports).content = importsSection(taken);
  passed = new Map();
  if (!section(exported)) return sections;
  const own = [];
  for (const one of exportsOf(section(exported).content)) {
    const from = taken.filter(({ kind }) => kind === one.kind)[one.index];
    const name = place === 0 && !one.name.startsWith("0") ? one.name : `${prefixOf(place)}${own.length.toString(36)}`;
    if (from && place > 0) {
      passed.set(one.name, from.name);
    } else {
      passed.set(one.name, name);
      own.push({ ...one, name });
    }
  }
  section(exported).content = exportsSection(own);
  return sections;
}

const without = (file, ids) => sectionsOf(readFileSync(file)).filter(({ id }) => !ids.includes(id));
for (const [place, part] of parts.entries()) {
  const file = fileOf(part);
  const sections = takenWhereItIs(without(file, [data, dataCount]), place);
  writeFileSync(file, moduleOf(withoutPlaceholders(sections)));
  execFileSync(wasmOpt, [file, "-o", file, level, "--all-features"]);
  const own = dataOfPart(part);
  const content = own.length > 0 ? [{ id: data, content: dataOf([joined(own)]) }] : [];
  writeFileSync(file, moduleOf([...without(file, [custom]), ...content]));
}
