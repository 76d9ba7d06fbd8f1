import type { FieldDescription, PlanMachinesResults, PlanScalingResults } from "#engine";
import { atOnce, deploymentName } from "../figures/deployment-name.js";
import { fastestWord, inShort } from "../figures/layout-words.js";
import { capital, dashed, exactSize, milliseconds, percent, significant, us } from "../state/format.js";
import { searchedInputs } from "../state/pins.js";
import { gpus, machinesSummary, scalingSummary } from "../state/plan-sentences.js";
import type { PlanRow } from "../state/planned-layout.js";
import { shortOf } from "../state/short-names.js";
import { type Asked, machineOf } from "./subject.js";
import { briefDigits, tableOf } from "./table.js";

/** What comes first in a long answer: one sentence, and the deciding columns of its list. */

type Row = Readonly<Record<string, unknown>>;
type Deployed = Parameters<typeof deploymentName>[0] & Parameters<typeof atOnce>[0];

const number = (value: unknown): string => significant(value as number, 3);

/** "8.91 s", from milliseconds. */
const time = (ms: unknown): string => milliseconds(ms as number, 3);

/** "35.6 µs", or "3.61 ms", from microseconds. */
const micro = (time_us: unknown): string => us(time_us as number);

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
  headline: (results: Row, asked: Asked) => string | undefined;
  /** The list that is shown; without one, every result is. */
  list?: string;
  /** The deciding columns of that list, or of a sweep's rows. */
  columns?: readonly string[];
  /** The rows' columns instead of those of that list. */
  told?: {
    fields: readonly FieldDescription[];
    /** The one of these that identifies a row in data, too. */
    key?: string;
    row: (row: Row, index: number, asked: Asked) => Row;
  };
  /** What a sweep's row shows of the first entry in that list. */
  best?: { name: string; help: string; words: (row: Row) => string; columns: readonly string[] };
}

/** A step's headline; where it doesn't fit, what does. */
export const stepHeadline = (results: Row, otherwise: string): string => {
  const { fits, memory_gib: needed, memory_available_gib: available } = results;
  const end = fits ? "fits" : `doesn’t fit in ${number(available)} GiB. ${otherwise}`;
  return `A step takes ${range(results)}; ${memory(needed)}: ${end}.`;
};

/** The same of a step that was asked for; that its software can't run it is said, too. */
const askedStep =
  (search: string) =>
  (results: Row, { stack }: Asked): string => {
    const headline = stepHeadline(results, `commcost ${search} searches for what does`);
    return results.stack_rule === "" ? headline : `${headline} But ${stack} ${results.stack_rule}.`;
  };

const stepColumns = ["step_time_ms", "step_time_low_ms", "step_time_high_ms", "memory_gib", "fits", "mfu_percent"];

/** "2 servers at TP 4, 17 sequences at once each". */
function servedBy(row: Row): string {
  const deployed = row as unknown as Deployed;
  const { replicas } = deployed;
  return `${replicas === 1 ? "1 server" : `${replicas} servers`} at ${deploymentName(deployed)}, ${atOnce(deployed)}`;
}

/** A column of words or numbers that is made of others. */
const column = (name: string, help: string, kind: FieldDescription["kind"] = "text", unit = ""): FieldDescription =>
  ({ name, kind, unit, label: name, help }) as FieldDescription;

/** The first of a list with one row at most. */
const only = (list: unknown): Row | undefined => (list as Row[])[0];

/** A row's layout by its degrees, as a row has room for; where none fits, how much memory the smallest lacks. */
const layoutOrLack = ({ layout, deficit_gib: lacks }: Row): string => {
  const best = only(layout);
  if (best) return inShort(best as unknown as PlanRow);
  return (lacks as number) > 0 ? `none fits: ${number(lacks)} GiB more per GPU` : "none";
};

/** "DGX H100, 64 GPUs" for a row of plan_machines: the job's own machine first, then the others, each with what differs. */
function machineAt(index: number, { engine, inputs }: Asked): string {
  const { price_per_gpu_hour: _, ...differs } = index === 0 ? {} : ((inputs.machines as Row[])[index - 1] ?? {});
  const fields = engine.describe()["plan_machines"]!.inputs;
  const { cluster_gpus: cluster } = { ...inputs, ...differs };
  const named = ["system", "accelerator", "cluster_gpus"];
  const others = Object.entries(differs).filter(([name]) => !named.includes(name));
  const { system, accelerator } = differs;
  // Another system brings its own accelerator.
  const own = system !== undefined && accelerator === undefined ? { ...inputs, accelerator: undefined } : inputs;
  return [
    ...machineOf(engine, fields, { ...own, ...differs }),
    gpus(cluster as number),
    ...others.map(([name, value]) => `${name} ${String(value)}`),
  ].join(", ");
}

/** How a list of deployments is told. */
const deployments = {
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
} as const;

/** "P95 " of what is simulated at a percentile. */
const atPercentile = ({ inputs }: Asked): string => `${String(inputs.latency_percentile).toUpperCase()} `;

/** The best deployment, or what keeps all from it. */
function servingHeadline(results: Row, percentile = ""): string {
  const deployments = results.deployments as Row[];
  const [best] = deployments;
  if (!best || deployments.every(({ verdict }) => verdict === "does_not_fit"))
    return "No deployment fits in memory. Add GPUs, or store weights in fewer bits.";
  if (!results.found) return "No deployment meets these limits. Allow a longer TPOT or TTFT, or add GPUs.";
  const ties = deployments.filter(({ verdict }) => verdict === "tie").length;
  return `Best${ties > 0 ? ` (${ties} more within error)` : ""}: ${servedBy(best)}: ${number(best.requests_per_sec)} requests/s, ${percentile}TPOT ${time(best.token_ms)}, ${percentile}TTFT ${time(best.first_token_ms)}.`;
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
    headline: (results) => servingHeadline(results),
    ...deployments,
  },
  plan_goodput: {
    headline: (results, asked) => servingHeadline(results, atPercentile(asked)),
    ...deployments,
  },
  serving_load: {
    headline: (results) => {
      const { first_token, token, requests_per_sec: rate, left_waiting_percent: left } = results;
      const { p50_ms, p99_ms } = first_token as Row;
      const { p50_ms: usual, p99_ms: slow } = token as Row;
      const waits = results.keeps_up
        ? ""
        : ` It can’t keep up: ${percent(left as number, 2)} of the requests still wait when the last one arrives.`;
      return `${number(rate)} requests/s: median TPOT ${time(usual)} (P99 ${time(slow)}), median TTFT ${time(p50_ms)} (P99 ${time(p99_ms)}).${waits}`;
    },
  },
  plan_scaling: {
    headline: ({ rows, fits_from_gpus: from }, { engine, inputs }) => {
      const pinned = searchedInputs(engine.describe()["plan_scaling"]!.inputs).filter(({ name }) => name in inputs);
      const pins = pinned.map(({ name }) => `${shortOf(name)}=${String(inputs[name])}`).join(" ");
      const summary = scalingSummary(rows as PlanScalingResults["rows"], pins);
      return (from as number) > 0 ? `${summary} A layout would fit on ${gpus(from as number)}.` : summary;
    },
    list: "rows",
    told: {
      fields: [
        column("gpus", "GPUs, all of them used", "whole"),
        column("step_time_ms", "Time of a training step", "real", "ms"),
        column("speedup", "Speed-up", "real"),
        column("efficiency", "Efficiency", "real"),
        column("pays", "Whether the extra GPUs pay", "flag"),
        column("layout", "The best layout"),
      ],
      row: (row) => {
        const { speedup, efficiency, pays } = row.gain as Row;
        const gain = row.possible ? { step_time_ms: row.step_time_ms, speedup, efficiency, pays } : {};
        return { gpus: row.cluster_gpus, ...gain, layout: layoutOrLack(row) };
      },
    },
  },
  plan_machines: {
    headline: ({ rows }, asked) => {
      const found = (rows as PlanMachinesResults["rows"]).map(({ possible, tie, worth }, index) => ({
        name: machineAt(index, asked).replace(/, (.*)$/, " ($1)"),
        ...{ possible, tie, worth, cost: 0 },
      }));
      const [own, ...others] = found;
      if (!own?.possible) return `No layout fits on ${own?.name ?? "this machine"}.`;
      return others.some(({ possible }) => possible)
        ? machinesSummary(found)
        : `No layout fits on any other machine than ${own.name}.`;
    },
    list: "rows",
    told: {
      key: "machine",
      fields: [
        column("machine", "The machine"),
        column("step_time_ms", "Time of a training step", "real", "ms"),
        column(
          "worth",
          "Price of its GPU-hour, relative to the first machine’s, at which the run costs the same",
          "real",
        ),
        column("layout", "The best layout"),
      ],
      row: (row, index, asked) => ({
        machine: machineAt(index, asked),
        step_time_ms: only(row.layout)?.step_time_ms,
        worth: (row.worth as number) > 0 ? row.worth : undefined,
        layout: layoutOrLack(row),
      }),
    },
  },
  predict_collective: {
    headline: ({ time_us, low_us, high_us, bus_bandwidth_gb_per_sec: bus }, { inputs }) => {
      const rate = bus === 0 ? "" : `; bus bandwidth ${number(bus)} GB/s`;
      const name = dashed(String(inputs.collective));
      const size = exactSize(inputs.message_size_bytes as number).replace(/^\d+$/, "$& bytes");
      const what = `${/^[aeiou]/.test(name) ? "An" : "A"} ${name}${name === "barrier" ? "" : ` of ${size}`}`;
      return `${what} over ${gpus(inputs.num_gpus as number)} takes ${micro(time_us)} (${micro(low_us)} to ${micro(high_us)})${rate}.`;
    },
    columns: ["time_us", "low_us", "high_us", "bus_bandwidth_gb_per_sec", "basis"],
  },
  training_step: { headline: askedStep("plan"), columns: stepColumns },
  serving_step: { headline: askedStep("plan_serving"), columns: stepColumns },
};

/** The sentence that an answer begins with; nothing where it is short enough. */
export const headlineOf = (name: string, results: Row, asked: Asked): string | undefined =>
  briefs[name]?.headline(results, asked);

/** The list that an answer is mainly of; empty where it is of its single values, nothing where that isn't known. */
export const mainList = (name: string): string | undefined => (briefs[name] ? (briefs[name].list ?? "") : undefined);

/** The rows of that list for data: each with what it is of, where its own columns don't say. */
export function dataRows(
  name: string,
  columns: readonly FieldDescription[],
  rows: readonly Row[],
  asked: Asked,
): { columns: readonly FieldDescription[]; rows: readonly Row[] } {
  const told = briefs[name]?.told;
  const key = told?.fields.find((field) => field.name === told.key);
  if (!told || !key) return { columns, rows };
  const keyed = rows.map((row, index) => ({ ...row, [key.name]: told.row(row, index, asked)[key.name] }));
  return { columns: [key, ...columns], rows: keyed };
}

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
  asked: Asked,
  width: number,
): string | undefined {
  const brief = briefs[name];
  const field = fields.find((one) => one.name === brief?.list);
  if (!field?.columns) return undefined;
  const rows = results[field.name] as Row[];
  if (rows.length === 0) return "";
  const { told, columns } = brief!;
  const shown = told?.fields ?? columns!.map((name) => field.columns!.find((one) => one.name === name)!);
  const lines = told ? rows.map((row, index) => told.row(row, index, asked)) : rows;
  return `${tableOf(shown, lines, width, briefDigits).join("\n")}\n`;
}

/** Whether an answer is that it does not fit: nothing meets what was asked for. */
export const isUnfit = (results: Row): boolean =>
  results.fits === false ||
  results.possible === false ||
  results.found === false ||
  (Array.isArray(results.layouts) && results.layouts.length === 0);
