// Takes the help texts out of an object, and marks what its first calculations never reach by the part that it comes with: those functions are
// called "<part>|…", their data lie in a segment "<part>". What is reached is what symbols tell, so that nothing can be missing that a part reads.
// Usage: node wasm/parts/mark.mjs engine.o marked.o parts.json network measured … (the parts behind the first, as ModulePart has them)
// The parts, with what each takes from, and those of all calculations are written, too.
import { readFileSync, writeFileSync } from "node:fs";
import { takeHelp } from "./help.mjs";
import { ObjectFile } from "./object.mjs";

const [, , from, to, list, ...later] = process.argv;
const object = new ObjectFile(readFileSync(from));
const nodeOf = (symbol) => symbol.body ?? symbol.piece;

/** The calculations by their places in the table, whose rows are an address and a part. */
const rows = nodeOf(object.symbols.find(({ name }) => /_GLOBAL__N_1\d+calculation_rowsE$/.test(name ?? "")));
const parts = ["first", ...later];
/** What each part after the first depends on besides that. */
const takesFrom = {
  network: [],
  measured: ["network"],
  schedule: [],
  rounds: ["schedule"],
  practice: [],
  pass: [],
  layer: ["pass"],
  sizes: ["pass"],
  steps: ["network", "pass"],
  serving: ["steps"],
  training: ["steps"],
  scaling: ["training"],
  overlap: ["training", "layer"],
  sweep: [],
  rest: ["measured", "rounds", "practice", "sizes", "serving", "scaling", "overlap", "sweep"],
};
if (Object.keys(takesFrom).join() !== later.join()) throw new Error(`the parts are ${Object.keys(takesFrom)}`);
/** The part of each. */
const calculations = new Map();
for (const { symbol, within } of rows.refers) {
  const part = parts[rows.bytes.readInt32LE(within + 4)];
  if (part === undefined) throw new Error("the table of calculations cannot be read");
  calculations.set(symbol, part);
}

takeHelp(object, calculations.keys());

/**
 * What web/engine/parts.ts calls once a part is loaded: everything that the module offers except single calculations.
 */
const isSweep = ({ name }) => /_GLOBAL__N_1\d+run_sweepEd$/.test(name ?? "");
const isRest = ({ name }) =>
  /_GLOBAL__N_1\d+(?:describe_allEv|run_resolve_inputsEd|open_piecesEd|add_pieceEdd|run_piecesEdd|close_piecesEd)$/.test(
    name ?? "",
  );
const isLater = (symbol) => isSweep(symbol) || isRest(symbol);

/** All that is reached from those symbols, with these calculations alone. */
function reachedFrom(starts, has) {
  const reached = new Set();
  const open = [...starts];
  while (open.length > 0) {
    const node = nodeOf(open.pop());
    if (!node || reached.has(node)) continue;
    reached.add(node);
    // Lists of every calculation may name what is not there yet.
    const lists = node.segment && node.refers.length >= calculations.size;
    for (const { symbol } of node.refers) {
      if (isLater(symbol) || (lists && calculations.has(symbol) && !has(symbol))) continue;
      open.push(symbol);
    }
  }
  return reached;
}
/** What is available once a part is loaded: its own, and what it depends on. */
const withPart = (part) =>
  new Set(["first", part, ...(takesFrom[part] ?? []).flatMap((other) => [...withPart(other)])]);
const there = new Map(parts.map((part) => [part, withPart(part)]));
/** By part, what its calculations reach, and what the module itself does where it starts. */
const reached = new Map(
  parts
    .filter((part) => part !== "rest")
    .map((part) => [
      part,
      part === "first"
        ? reachedFrom(object.starts, (symbol) => calculations.get(symbol) === part)
        : reachedFrom(
            part === "sweep"
              ? object.symbols.filter(isSweep)
              : [...calculations.keys()].filter((symbol) => calculations.get(symbol) === part),
            () => false,
          ),
    ]),
);

/** The part that a function or a piece of data belongs to: the last one available to all that reach it. */
function partOf(node) {
  const reachedBy = [...reached].filter(([, nodes]) => nodes.has(node)).map(([part]) => part);
  if (reachedBy.length === 0) return "rest";
  return parts.findLast((part) => reachedBy.every((by) => there.get(by).has(part)));
}

const nameOf = ({ name }) => /calculations\d+(\w+)E$/.exec(name)[1];
const partsOf = Object.fromEntries([...calculations].map(([symbol, part]) => [nameOf(symbol), part]));
partsOf.sweep = "sweep";
writeFileSync(list, JSON.stringify({ takesFrom, partOf: partsOf }));

let marked = 0;
for (const symbol of object.symbols) {
  const part = symbol.body ? partOf(symbol.body) : "first";
  if (part !== "first") symbol.name = `${part}|${marked++}|${symbol.name}`;
}
const uninitialized = (piece) => piece.segment.name.startsWith(".bss");
writeFileSync(
  to,
  object.write((piece) => {
    const part = partOf(piece);
    return part === "first" || uninitialized(piece) ? piece.segment.name : part;
  }),
);
