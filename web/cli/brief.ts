import type { FieldDescription } from "#engine";
import { significant } from "../state/format.js";
import { tableOf } from "./table.js";

/** What is said first of an answer that is long: one sentence, and the columns of its list that decide. */

type Row = Readonly<Record<string, unknown>>;

const number = (value: unknown): string => significant(value as number, 3);

/** "8.91 s", of milliseconds. */
const time = (ms: unknown): string =>
  (ms as number) < 1000 ? `${number(ms)} ms` : `${number((ms as number) / 1000)} s`;

const range = (row: Row): string =>
  `${time(row.step_time_ms)} (${time(row.step_time_low_ms)} to ${time(row.step_time_high_ms)})`;

const memory = (gib: unknown): string => `${number(gib)} GiB per GPU`;

/** "TP 4 · PP 2 · DP 8 · ZeRO-1 · micro-batch 1 · full recomputation": degrees of 1 go without saying. */
function layoutOf(row: Row): string {
  const degrees = [
    ["TP", row.tensor_parallel],
    ["PP", row.pipeline_parallel],
    ["VPP", row.virtual_stages],
    ["CP", row.context_parallel],
    ["DP", row.data_parallel],
    ["EP", row.expert_parallel],
  ].filter(([, degree]) => degree !== 1);
  return [
    ...degrees.map((pair) => pair.join(" ")),
    ...(row.zero_stage === 0 ? [] : [`ZeRO-${row.zero_stage}`]),
    ...(row.pipeline_parallel === 1 ? [] : [String(row.pipeline_schedule)]),
    `micro-batch ${row.batch_size}`,
    row.recompute === "none" ? "no recomputation" : `${row.recompute} recomputation`,
    ...(row.settings as Row[]).filter(({ changed }) => changed).map(({ name, value }) => `${name} ${value}`),
  ].join(" · ");
}

/** What one calculation says first. */
interface Brief {
  headline: (results: Row) => string;
  /** The list that is shown, and which of its columns. */
  list?: string;
  columns?: readonly string[];
}

const stepFits = (results: Row): string => `${memory(results.memory_gib)}: ${results.fits ? "fits" : "doesn’t fit"}`;

const briefs: Readonly<Record<string, Brief>> = {
  plan: {
    headline: (results) => {
      const [best] = results.layouts as Row[];
      if (!best)
        return results.searched === 0
          ? "No layout divides these GPUs and this batch."
          : `No layout fits: the one that needs least memory is ${number(results.deficit_gib)} GiB per GPU short.`;
      const fastest = (results.fastest as Row[])[0]!.step_time_ms === best.step_time_ms;
      return `${fastest ? "Fastest" : "Simplest within noise of the fastest"}: ${layoutOf(best)}: ${range(best)} a step, ${memory(best.memory_gib)}.`;
    },
    list: "layouts",
    columns: [
      ...["tensor_parallel", "pipeline_parallel", "virtual_stages", "context_parallel", "data_parallel"],
      ...["expert_parallel", "zero_stage", "batch_size", "recompute", "step_time_ms", "step_time_low_ms"],
      ...["step_time_high_ms", "memory_gib", "mfu_percent"],
    ],
  },
  training_step: { headline: (results) => `A step takes ${range(results)}; ${stepFits(results)}.` },
  serving_step: { headline: (results) => `A step takes ${range(results)}; ${stepFits(results)}.` },
};

/** The sentence that an answer begins with; nothing where it is short enough. */
export const headlineOf = (name: string, results: Row): string | undefined => briefs[name]?.headline(results);

/** The rows that decide, as a table; nothing where the whole answer is shown. */
export function briefOf(
  name: string,
  fields: readonly FieldDescription[],
  results: Row,
  width: number,
): string | undefined {
  const brief = briefs[name];
  const field = fields.find((one) => one.name === brief?.list);
  const rows = brief?.list ? (results[brief.list] as Row[]) : [];
  if (!field?.columns || rows.length === 0) return undefined;
  const columns = brief!.columns!.map((column) => field.columns!.find((one) => one.name === column)!);
  return `${tableOf(columns, rows, width).join("\n")}\n`;
}

/** Whether an answer is that it does not fit: nothing meets what was asked for. */
export const isUnfit = (results: Row): boolean =>
  results.fits === false ||
  results.possible === false ||
  results.found === false ||
  (Array.isArray(results.layouts) && results.layouts.length === 0);
