// Takes the help texts out of an object, and marks what its first calculations never reach: those functions are called "later:…", their data lie in a
// segment "later". What they reach is what symbols tell, so that nothing can be missing that the first part reads.
// Usage: node wasm/parts/mark.mjs engine.o marked.o first.json 0
// The list of the first ones is written, too; the number is the last part (ModulePart) of the table that is one of them.
import { readFileSync, writeFileSync } from "node:fs";
import { takeHelp } from "./help.mjs";
import { ObjectFile } from "./object.mjs";

const [, , from, to, list, last] = process.argv;
const object = new ObjectFile(readFileSync(from));
const nodeOf = (symbol) => symbol.body ?? symbol.piece;

/** The calculations by their places in the table, whose rows are an address and a part. */
const rows = nodeOf(object.symbols.find(({ name }) => /_GLOBAL__N_1\d+calculation_rowsE$/.test(name ?? "")));
const first = new Set();
const calculations = new Set();
for (const { symbol, within } of rows.refers) {
  calculations.add(symbol);
  if (rows.bytes.readInt32LE(within + 4) <= Number(last)) first.add(symbol);
}
if (first.size === 0 || first.size === calculations.size) throw new Error("the table of calculations cannot be read");

takeHelp(object, calculations);

/** What web/engine/parts.ts calls once the rest is there: all that the module offers but single calculations. */
const isLater = ({ name }) =>
  /_GLOBAL__N_1\d+(?:describe_allEv|run_sweepEd|run_resolve_inputsEd|open_piecesEd|add_pieceEdd|run_piecesEdd|close_piecesEd)$/.test(
    name ?? "",
  );

const reached = new Set();
function reach(symbol) {
  const open = [symbol];
  while (open.length > 0) {
    const node = nodeOf(open.pop());
    if (!node || reached.has(node)) continue;
    reached.add(node);
    // Lists of every calculation may name what is not there yet.
    const lists = node.segment && node.refers.length >= calculations.size;
    for (const { symbol: next } of node.refers) {
      if (isLater(next)) continue;
      if (lists && calculations.has(next) && !first.has(next)) continue;
      open.push(next);
    }
  }
}
for (const start of object.starts) reach(start);

/** Their names, for whoever asks what is there at once. */
const nameOf = ({ name }) => /calculations\d+(\w+)E$/.exec(name)[1];
writeFileSync(list, JSON.stringify([...first].map(nameOf)));

let later = 0;
for (const symbol of object.symbols)
  if (symbol.body && !reached.has(symbol.body)) symbol.name = `later:${later++}:${symbol.name}`;
const uninitialized = (piece) => piece.segment.name.startsWith(".bss");
writeFileSync(
  to,
  object.write((piece) => (reached.has(piece) || uninitialized(piece) ? piece.segment.name : "later")),
);
