// How wrong predicted training steps are on published and measured ones, as bench/core/steps reports each row.
import { spawnSync } from "node:child_process";

const program = new URL("../../build/release/bench/step_report", import.meta.url).pathname;
let rows;

function allRows() {
  if (rows) return rows;
  const { stdout } = spawnSync(program, ["--csv"], { encoding: "utf8" });
  const [head, ...lines] = stdout.trim().split("\n").map((line) => [...line.matchAll(/"([^"]*)"|([^",]+)/g)].map((cell) => cell[1] ?? cell[2]));
  return (rows = lines.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index]]))));
}

function rowsOf(table) {
  const chosen = allRows().filter((row) => row.table === table);
  if (chosen.length === 0) throw new Error(`no table "${table}" in the report of steps`);
  return chosen;
}

/** Mean absolute error of a table's rows, per cent. */
export function meanStepError(table) {
  const errors = rowsOf(table).map(({ error_percent }) => Math.abs(error_percent));
  return errors.reduce((sum, error) => sum + error, 0) / errors.length;
}

/** How far the predicted growth from tensor degree 1 to 8 is from the measured one, each degree at its best; points of per cent. */
export function growthError(table) {
  const best = (degree, time) => Math.min(...rowsOf(table).filter(({ row }) => row.includes(` tp${degree} pp1 `)).map((row) => Number(row[time])));
  const growth = (time) => 100 * (best(8, time) / best(1, time) - 1);
  return Math.abs(growth("predicted_ms") - growth("measured_ms"));
}
