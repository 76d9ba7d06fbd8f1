// How wrong predicted training steps are on published and measured ones, as bench/validation/steps reports it.
import { spawnSync } from "node:child_process";

const program = new URL("../../build/release/bench/step_report", import.meta.url).pathname;
let report;

function stated(begin, pattern) {
  report ??= spawnSync(program, { encoding: "utf8" }).stdout.split("\n");
  const found = report
    .filter((line) => line.startsWith(begin))
    .map((line) => pattern.exec(line))
    .find(Boolean);
  if (!found) throw new Error(`no row "${begin}" in the report of steps`);
  return found.slice(1).map(Number);
}

/** Mean absolute error of a table's rows, per cent. */
export function meanStepError(table) {
  return stated(`${table}  `, /mean \|error\| +([\d.]+) %/)[0];
}

/** How far the predicted growth from tensor degree 1 to 8 is from the measured one, each degree at its best; points of per cent. */
export function growthError() {
  const [measured, predicted] = stated(
    "3.6B from tensor degree 1 to 8",
    /measured ([-+][\d.]+) %, predicted ([-+][\d.]+) %/,
  );
  return Math.abs(predicted - measured);
}
