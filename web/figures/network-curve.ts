import type { PredictCollectiveResults, SweepResults } from "#engine";
import type { LineChartSpec, Rule } from "../charts/line-chart.js";
import { bandwidth, dashed, microsecondUnits, significant, us } from "../state/format.js";
import { linkRate, type Measured } from "../state/machine.js";
import { collectiveScales } from "../state/calibration.js";
import { rangeName } from "../state/expectation.js";
import { ownCurveOf } from "../state/own-log.js";
import type { Scenario } from "../state/scenario.js";
import { sizeAxis } from "../elements/size-axis.js";
import type { Point, Series } from "../charts/series.js";

/** What the vertical axis shows. */
export type Shown = "time" | "bandwidth";

const powers = (from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => 2 ** (from + index * step));

/** The columns of a sweep over message sizes, read by size. */
class Swept {
  readonly sizes: number[];
  private readonly columns: SweepResults["results"];

  constructor(scenario: Scenario, inputs: Record<string, unknown>, sizes: number[]) {
    this.sizes = [...new Set(sizes)].sort((a, b) => a - b);
    const sweep = scenario.engine.sweep({
      calculation: "predict_collective",
      inputs,
      axes: [{ field: "message_size_bytes", values: this.sizes }],
    });
    this.columns = sweep.results;
  }

  column(name: string): number[] {
    return [...this.columns[name]!];
  }

  /** Times as the axis shows them: the bus bandwidth of another time is the predicted one's in inverse proportion. */
  shown(times: number[], how: Shown): number[] {
    if (how === "time") return times;
    const predicted = this.columns["time_us"]!;
    const rates = this.columns["bus_bandwidth_gb_per_sec"]!;
    return times.map((time, index) => (time > 0 ? (rates[index]! * predicted[index]!) / time : NaN));
  }

  at(size: number): number {
    return this.sizes.indexOf(size);
  }
}

/** Dots of measured times, each with where it comes from. */
function dots(
  swept: Swept,
  rows: readonly { sizes: ArrayLike<number>; times: ArrayLike<number>; note: string }[],
  how: Shown,
): Point[] {
  return rows
    .flatMap(({ sizes, times, note }) =>
      Array.from(sizes, (x, index) => {
        const every: number[] = [];
        every[swept.at(x)] = times[index]!;
        return { x, y: how === "time" ? times[index]! : swept.shown(every, how)[swept.at(x)]!, note };
      }),
    )
    .sort((a, b) => a.x - b.x);
}

const launches = { process_per_gpu: "process per GPU", thread_per_gpu: "thread per GPU", one_thread: "one thread" };
/** Who measured it, and how it was launched. */
export const about = (series: Measured): string =>
  `${series.name}, ${launches[series.launch]}${series.in_network_reduction === "off" ? ", switches not reducing" : ""}; ${series.source}`;

/** Runs that a curve claims to match, and those drawn separately because something about them is different. */
export function partsOf(measured: readonly Measured[], launch: Measured["launch"], kernel = "nccl") {
  const healthy = measured.filter((series) => series.healthy);
  const reduced = healthy.filter((series) => series.reducedAlike);
  const launched = (how: Measured["launch"]) => reduced.filter((series) => series.launch === how);
  const otherwiseReduced = healthy.filter((series) => !series.reducedAlike);
  const otherwise = Object.entries(launches).filter(([how]) => how !== launch);
  return {
    alike: kernel === "nccl" ? launched(launch) : [],
    apart: [
      { name: "measured, in doubt", runs: measured.filter((series) => !series.healthy) },
      ...(kernel === "nccl"
        ? [
            ...otherwise.map(([how, words]) => ({
              name: `measured, ${words}`,
              runs: launched(how as Measured["launch"]),
            })),
            ...(["usual", "off"] as const).map((state) => ({
              name: `measured, switches ${state === "off" ? "not reducing" : "reducing"}`,
              runs: otherwiseReduced.filter(({ in_network_reduction }) => in_network_reduction === state),
            })),
          ]
        : [{ name: "measured with NCCL", runs: healthy }]),
    ].filter(({ runs }) => runs.length > 0),
  };
}

/** The published measurements that the curve should match. */
function dotsInWords({ alike, apart }: { alike: number; apart: number }): string {
  if (alike > 0 && apart > 0) return "Full dots were measured in the same way, hollow ones in another.";
  if (alike > 0) return "Full dots: published measurements, taken in the same way.";
  return apart > 0
    ? "Hollow dots: measured in another way, so the curve need not meet them."
    : "We know of no published measurement of it.";
}

/**
 * The algorithm that takes the time of the bytes alone: for an all-reduce a ring, since switches that add, and trees,
 * send less.
 */
export const atLineRate = (collective: unknown): string =>
  collective === "all_reduce" ? "a ring at line rate" : "at line rate";

/** The curve's value at the marked point, and what is drawn next to it. */
function curveSummary(
  { collective }: Record<string, unknown>,
  { time_us, textbook_us }: PredictCollectiveResults,
  drawn: { alike: number; apart: number; switches: boolean },
): string {
  const slower = time_us / textbook_us;
  return [
    textbook_us > 0
      ? `It takes ${Math.abs(slower - 1) < 0.05 ? "about as long as" : `${significant(slower, 2)} times as long as`} ${atLineRate(collective)}.`
      : "",
    dotsInWords(drawn),
    drawn.switches ? "Dotted: NCCL switches." : "",
  ]
    .filter(Boolean)
    .join(" ");
}

/** Time or bus bandwidth against message size: predicted with its band, textbook, NCCL's own model, and what was measured. */
export function networkChart(
  scenario: Scenario,
  inputs: Record<string, unknown>,
  results: PredictCollectiveResults,
  measured: readonly Measured[],
  how: Shown,
  own = ownCurveOf(scenario, inputs["collective"] as string, inputs["num_gpus"] as number),
): LineChartSpec {
  const here = inputs["message_size_bytes"] as number;
  const calibration = collectiveScales.some((field) => (inputs[field] ?? 1) !== 1);
  const points = measured.flatMap((series) => [...series.message_size_bytes]);
  const swept = new Swept(
    scenario,
    inputs,
    [...powers(3, 34), ...points, ...(own?.message_size_bytes ?? []), ...(here > 0 ? [here] : [])].filter(
      (size) => size >= 1 && Number.isInteger(size),
    ),
  );
  const lineRate = atLineRate(inputs["collective"]).replace("a ring", "ring");
  const line = (times: number[]): Point[] => {
    const values = swept.shown(times, how);
    return swept.sizes.map((x, index) => ({ x, y: values[index]! > 0 ? values[index]! : NaN }));
  };
  const low = swept.shown(swept.column("low_us"), how);
  const high = swept.shown(swept.column("high_us"), how);
  const nccl = swept.column("nccl_us");
  const dotsOf = (runs: readonly Measured[]) =>
    dots(
      swept,
      runs.map((series) => ({ sizes: series.message_size_bytes, times: series.time_us, note: about(series) })),
      how,
    );
  const kernel = inputs["collective"] === "all_reduce" ? (inputs["allreduce_kernel"] as string | undefined) : "nccl";
  const { alike, apart } = partsOf(measured, results.launch, kernel);
  const series: Series[] = [
    {
      name: rangeName(results.basis),
      kind: "band",
      color: "expected",
      points: swept.sizes.map((x, index) => ({
        x,
        y: NaN,
        low: Math.min(low[index]!, high[index]!),
        high: Math.max(low[index]!, high[index]!),
      })),
    },
    { name: lineRate, color: "textbook", dash: "2 4", points: line(swept.column("textbook_us")) },
    ...(nccl.some((time) => time > 0)
      ? [{ name: "NCCL’s model", color: "nccl" as const, dash: "7 4", points: line(nccl) }]
      : []),
    { name: calibration ? "calibrated" : "predicted", color: "expected", points: line(swept.column("time_us")) },
    ...apart.map(({ name, runs }) => ({
      name,
      kind: "dots" as const,
      hollow: true,
      color: "measured" as const,
      points: dotsOf(runs),
    })),
    ...(alike.length > 0
      ? [{ name: "measured", kind: "dots" as const, color: "measured" as const, points: dotsOf(alike) }]
      : []),
    ...(own
      ? [
          {
            name: "your log",
            kind: "dots" as const,
            color: "own" as const,
            points: dots(swept, [{ sizes: own.message_size_bytes, times: own.time_us, note: own.name }], how),
          },
        ]
      : []),
  ];
  const rules: Rule[] = results.nccl_switches
    .filter(({ message_size_bytes: size }, index) => index > 0 && size <= 2 ** 34)
    .map((pick, index) => ({
      axis: "x",
      at: pick.message_size_bytes,
      label: `${index === 0 ? "NCCL: " : ""}${pick.algorithm} ${pick.protocol}`,
    }));
  const link = linkRate(scenario);
  if (how === "bandwidth" && results.nodes === 1 && link)
    rules.push({ axis: "y", at: link, label: `the link, one way: ${bandwidth(link)}` });
  const summary = curveSummary(inputs, results, {
    alike: alike.length,
    apart: apart.length,
    switches: rules.some((rule) => rule.axis === "x"),
  });
  // The textbook's line leaves the plot if there is nothing else.
  const drawn = series
    .filter(({ name }) => name !== lineRate)
    .flatMap((each) => each.points)
    .flatMap((point) => [point.low ?? point.y, point.high ?? point.y])
    .filter((value) => value > 0);
  const highest = Math.max(...drawn, ...rules.filter((rule) => rule.axis === "y").map((rule) => rule.at));
  const domain: { domain?: [number, number] } =
    drawn.length > 0 ? { domain: [Math.min(...drawn) / 1.6, highest * 2] } : {};
  const columns = [
    "time_us",
    "low_us",
    "high_us",
    "bus_bandwidth_gb_per_sec",
    "textbook_us",
    "nccl_us",
    "lower_bound_us",
  ];
  const values = columns.map((name) => swept.column(name));
  const ownAt = new Map(own?.message_size_bytes.map((size, index) => [size, own.time_us[index]!]));
  const measuredAt = (size: number) =>
    measured
      .flatMap((each) => {
        const index = [...each.message_size_bytes].indexOf(size);
        return index < 0 ? [] : [`${significant(each.time_us[index]!)} us (${each.name}; ${each.source})`];
      })
      .join("; ");
  return {
    id: `commcost-network-${how}`,
    title: how === "time" ? "Time against message size." : "Bus bandwidth against message size.",
    summary,
    x: { ...sizeAxis(scenario.sizes), domain: [8, 2 ** 34] },
    y:
      how === "time"
        ? {
            label: `Time of one ${dashed(inputs["collective"] as string)}`,
            scale: "log",
            ...domain,
            units: microsecondUnits,
            format: (value) => us(value),
          }
        : {
            label: "Bus bandwidth",
            scale: "log",
            ...domain,
            units: [{ name: "GB/s", size: 1 }],
            format: (value) => bandwidth(value, 3),
          },
    series,
    rules,
    tall: true,
    table: {
      header: ["message_size_bytes", ...columns, "measured", ...(own ? ["own_time_us"] : [])],
      rows: swept.sizes.map((size, index) => [
        size,
        ...values.map((column) => Number(column[index]!.toPrecision(5))),
        measuredAt(size),
        ...(own ? [ownAt.get(size) ?? ""] : []),
      ]),
    },
    ...(here >= 8 && results.time_us > 0
      ? {
          here: {
            x: here,
            y: how === "time" ? results.time_us : results.bus_bandwidth_gb_per_sec,
            label: `you are here: ${how === "time" ? us(results.time_us) : bandwidth(results.bus_bandwidth_gb_per_sec, 3)}`,
            drag: { label: "Message", values: powers(3, 34), format: (size) => scenario.sizes.binaryBytes(size, 3) },
          },
        }
      : {}),
  };
}
