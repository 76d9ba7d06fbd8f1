// Measures every budget, prints a table with pass or MISS, and writes build/bench/budgets.json.
// Usage: node bench/run.mjs [part of a name]...
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { budgets } from "./budgets.mjs";
import { files } from "./measure/bytes.mjs";

const wanted = process.argv.slice(2);
const chosen = budgets.filter(({ what }) => wanted.length === 0 || wanted.some((part) => what.includes(part)));
const rows = [];
for (const { measure, ...budget } of chosen) {
  let row = budget;
  try {
    const measured = await measure();
    const within = measured <= (budget.at_most ?? Infinity) && measured >= (budget.at_least ?? -Infinity);
    row = { ...budget, measured, within };
  } catch (error) {
    row = { ...budget, error: error.message.split("\n")[0], within: false };
  }
  rows.push(row);
  const figure = row.error ?? `${row.measured.toPrecision(3)} ${row.unit}`;
  const limit = [budget.at_least && `at least ${budget.at_least}`, budget.at_most && `at most ${budget.at_most}`];
  console.log(`${row.within ? "pass" : "MISS"}  ${row.what.padEnd(60)} ${figure.padEnd(14)} ${limit.filter(Boolean).join(", ")}`);
}

const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
const downloads = files();
console.log("\nFile                                     raw   brotli");
for (const { name, raw, brotli } of downloads) {
  console.log(`${name.padEnd(34)} ${String(raw).padStart(9)} ${String(brotli).padStart(8)}`);
}
mkdirSync("build/bench", { recursive: true });
writeFileSync("build/bench/budgets.json", `${JSON.stringify({ machine, budgets: rows, files: downloads }, null, 2)}\n`);
process.exitCode = rows.every(({ within }) => within) ? 0 : 1;
