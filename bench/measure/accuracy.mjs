// How wrong the predictions are on public measurements, as bench/validation/collectives reports it.
import { spawnSync } from "node:child_process";

const program = new URL("../../build/release/bench/accuracy_report", import.meta.url).pathname;
let report;

/** The per cent that the report states for that row of its last table. */
export function accuracy(row) {
  report ??= spawnSync(program, { encoding: "utf8" }).stdout;
  const stated = report.split("\n").find((line) => line.startsWith(row) && line.includes("target"));
  if (!stated) throw new Error(`no row "${row}" in the accuracy report`);
  return Number(/([\d.]+) %/.exec(stated)[1]);
}
