// How wrong predictions are on public measurements, as bench/validation reports it.
import { spawnSync } from "node:child_process";

const program = new URL("../../build/release/bench/validation", import.meta.url).pathname;
const reports = {};

/** The numbers that `pattern` finds in the first line of a report that begins so and has them. */
function stated(report, begin, pattern) {
  reports[report] ??= spawnSync(program, [report], { encoding: "utf8" }).stdout.split("\n");
  const found = reports[report]
    .filter((line) => line.startsWith(begin))
    .map((line) => pattern.exec(line))
    .find(Boolean);
  if (!found) throw new Error(`no row "${begin}" in the report of ${report}`);
  return found.slice(1).map(Number);
}

/** The per cent that the report of collectives states for that row of its last table. */
export function collectivesError(row) {
  return stated("collectives", row, /([\d.]+) % .*target/)[0];
}

/** Mean absolute error of a table's steps, per cent. */
export function meanStepError(table) {
  return stated("steps", `${table}  `, /mean \|error\| +([\d.]+) %/)[0];
}

/** How far the predicted growth from tensor degree 1 to 8 is from the measured one, each degree at its best; points of per cent. */
export function growthError() {
  const growth = /measured ([-+][\d.]+) %, predicted ([-+][\d.]+) %/;
  const [measured, predicted] = stated("steps", "3.6B from tensor degree 1 to 8", growth);
  return Math.abs(predicted - measured);
}
