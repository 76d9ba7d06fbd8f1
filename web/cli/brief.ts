import type { FieldDescription } from "#engine";
import { atOnce, deploymentName } from "../figures/deployment-name.js";
import { fastestWord, inShort } from "../figures/layout-words.js";
import { capital, significant } from "../state/format.js";
import type { PlanRow } from "../state/planned-layout.js";
import { tableOf } from "./table.js";

/** What comes first in a long answer: one sentence, and the deciding columns of its list. */

type Row = Readonly<Record<string, unknown>>;
type Deployed = Parameters<typeof deploymentName>[0] & Parameters<typeof atOnce>[0];

const number = (value: unknown): string => significant(value as number, 3);

/** "8.91 s", from milliseconds. */
const time = (ms: unknown): string =>
  (ms as number) < 1000 ? `${number(ms)} ms` : `${number((ms as number) / 1000)} s`;

/** "35.6 us", or "3.61 ms". */
const micro = (us: unknown): string => ((us as number) < 1000 ? `${number(us)} us` : time((us as number) / 1000));

const range = (row: Row): string =>
  `${time(row.step_time_ms)} (${time(row.step_time_low_ms)} to ${time(row.step_time_high_ms)})`;

const memory = (gib: unknown): string => `${number(gib)} GiB per GPU`;

/** "TP 4 · PP 2 · DP 8 · SP · ZeRO-1 · 1f1b · micro-batch 1 · full recomputation": defaults are left out. */
const layoutWords = (row: PlanRow): string =>
  [
    inShort(row),
    row.sequence_parallel && "SP",
    row.zero_stage > 0 && `ZeRO-${row.zero_stage}`,
    row.pipeline_parallel > 1 && row.pipeline_schedule,
    row.virtual_stages > 1 && `VPP ${row.virtual_stages}`,
    `micro-batch ${row.batch_size}`,
    row.recompute === "none" ? "no recomputation" : `${row.recompute} recomputation`,
    ...row.settings.filter(({ changed }) => changed).map(({ name, value }) => `${name} ${value}`),
  ]
    .filter(Boolean)
    .join(" · ");

/** What one calculation prints first. */
interface Brief {
  headline: (results: Row) => string;
  /** The list that is shown. */
  list?: string;
  /** The deciding columns of that list, or of a sweep's rows. */
  columns?: readonly string[];
  /** What a sweep's row shows of the first entry in that list. */
  best?: { name: string; help: string; words: (row: Row) => string; columns: readonly string[] };
}

/** A step's headline; where it doesn't fit, what does. */
export const stepHeadline = (results: Row, otherwise: string): string => {
  const { fits, memory_gib: needed, memory_available_gib: available } = results;
  const end = fits ? "fits" : `doesn’t fit in ${number(available)} GiB. ${otherwise}`;
  return `A step takes ${range(results)}; ${memory(needed)}: ${end}.`;
};

const searches = (calculation: string): string => `commcost ${calculation} searches for what does`;

const stepColumns = ["step_time_ms", "step_time_low_ms", "step_time_high_ms", "memory_gib", "fits", "mfu_percent"];

/** "2 servers at TP 4, 17 sequences at once each". */
function servedBy(row: Row): string {
  const deployed = row as unknown as Deployed;
  const { replicas } = deployed;
  return `${replicas === 1 ? "1 server" : `${replicas} servers`} at ${deploymentName(deployed)}, ${atOnce(deployed)}`;
}

const briefs: Readonly<Record<string, Brief>> = {
  plan: {
    headline: (results) => {
      const [best] = results.layouts as PlanRow[];
      if (!best)
        return results.searched === 0
          ? "No layout divides these GPUs and this batch."
          : `No layout fits: the smallest needs ${number(results.deficit_gib)} GiB per GPU more. commcost plan_scaling finds how many GPUs it takes.`;
      const fastest = (results.fastest as Row[])[0]!.step_time_ms === best.step_time_ms;
      const first = fastest ? capital(fastestWord(best)) : `Simplest within noise of the ${fastestWord(best)}`;
      const unchecked = results.stack_checked
        ? ""
        : ` ${results.stack_source ? "The fork or plugin of the stack for this accelerator" : "What the stack can run"} wasn’t checked.`;
      return `${first}: ${layoutWords(best)}: ${range(best)} a step, ${memory(best.memory_gib)}.${unchecked}`;
    },
    list: "layouts",
    columns: [
      ...["tensor_parallel", "sequence_parallel", "pipeline_parallel", "virtual_stages", "context_parallel"],
      ...["data_parallel", "expert_parallel", "zero_stage", "batch_size", "recompute", "step_time_ms"],
      ...["step_time_low_ms", "step_time_high_ms", "memory_gib", "mfu_percent"],
    ],
    best: {
      name: "layout",
      help: "The first layout",
      words: (row) => layoutWords(row as unknown as PlanRow),
      columns: ["step_time_ms", "step_time_low_ms", "step_time_high_ms", "memory_gib"],
    },
  },
  plan_serving: {
    headline: (results) => {
      const deployments = results.deployments as Row[];
      const [best] = deployments;
      if (!best || deployments.every(({ verdict }) => verdict === "does_not_fit"))
        return "No deployment fits in memory. Add GPUs, or store weights in fewer bits.";
      if (!results.found) return "No deployment meets these limits. Allow a longer TPOT or TTFT, or add GPUs.";
      const ties = deployments.filter(({ verdict }) => verdict === "tie").length;
      return `Best${ties > 0 ? ` (${ties} more within error)` : ""}: ${servedBy(best)}: ${number(best.requests_per_sec)} requests/s, TPOT ${time(best.token_ms)}, TTFT ${time(best.first_token_ms)}.`;
    },
    list: "deployments",
    columns: [
      ...["verdict", "tensor_parallel", "pipeline_parallel", "data_parallel", "expert_parallel", "replicas"],
      ...["batch_size", "token_ms"],
      ...["first_token_ms", "tokens_per_sec_per_user", "requests_per_sec", "memory_gib"],
    ],
    best: {
      name: "deployment",
      help: "The first deployment",
      words: servedBy,
      columns: ["verdict", "requests_per_sec", "token_ms", "first_token_ms", "memory_gib"],
    },
  },
  predict_collective: {
    headline: ({ time_us, low_us, high_us, bus_bandwidth_gb_per_sec: bus }) => {
      const rate = bus === 0 ? "" : `; bus bandwidth ${number(bus)} GB/s`;
      return `It takes ${micro(time_us)} (${micro(low_us)} to ${micro(high_us)})${rate}.`;
    },
    columns: ["time_us", "low_us", "high_us", "bus_bandwidth_gb_per_sec", "basis"],
  },
  training_step: { headline: (results) => stepHeadline(results, searches("plan")), columns: stepColumns },
  serving_step: { headline: (results) => stepHeadline(results, searches("plan_serving")), columns: stepColumns },
};

/** The sentence that an answer begins with; nothing where it is short enough. */
export const headlineOf = (name: string, results: Row): string | undefined => briefs[name]?.headline(results);

/** Whether a column of a sweep's rows decides: all do if the calculation names none. */
export function decides(name: string, column: string): boolean {
  const { best, columns } = briefs[name] ?? {};
  return best ? [best.name, ...best.columns].includes(column) : (columns?.includes(column) ?? true);
}

/** What a sweep shows in each row if the answer is a list: its first entry, in a few words and its deciding columns. */
export interface Point {
  columns: readonly FieldDescription[];
  of: (results: Row) => Row;
}

export function pointOf(name: string, results: readonly FieldDescription[]): Point | undefined {
  const { list, best } = briefs[name] ?? {};
  const columns = results.find((field) => field.name === list)?.columns;
  if (!best || !columns) return undefined;
  const shown = best.columns.map((column) => columns.find((one) => one.name === column)!);
  const words = { name: best.name, kind: "text", unit: "", label: best.name, help: best.help } as FieldDescription;
  return {
    columns: [words, ...shown],
    of: (answer) => {
      const [first] = answer[list!] as Row[];
      if (!first) return { [best.name]: "none" };
      return { [best.name]: best.words(first), ...Object.fromEntries(shown.map((one) => [one.name, first[one.name]])) };
    },
  };
}

/** The deciding rows as a table, empty if there are none; nothing if the whole answer is shown. */
export function briefOf(
  name: string,
  fields: readonly FieldDescription[],
  results: Row,
  width: number,
): string | undefined {
  const brief = briefs[name];
  const field = fields.find((one) => one.name === brief?.list);
  if (!field?.columns) return undefined;
  const rows = results[field.name] as Row[];
  if (rows.length === 0) return "";
  const columns = brief!.columns!.map((column) => field.columns!.find((one) => one.name === column)!);
  return `${tableOf(columns, rows, width).join("\n")}\n`;
}

/** Whether an answer is that it does not fit: nothing meets what was asked for. */
export const isUnfit = (results: Row): boolean =>
  results.fits === false ||
  results.possible === false ||
  results.found === false ||
  (Array.isArray(results.layouts) && results.layouts.length === 0);
