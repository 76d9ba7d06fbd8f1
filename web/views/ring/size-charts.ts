import type { CollectiveCrossoversResults } from "#engine";
import type { LineChartSpec, Rule } from "../../charts/line-chart.js";
import { choiceWord } from "../../elements/labels.js";
import { bandwidth, microsecondUnits, us } from "../../state/format.js";
import type { OwnCurve } from "../../state/own-log.js";
import type { Scenario } from "../../state/scenario.js";
import { crossoverSentence, quickestSentence, type Algorithm } from "../../figures/collective-words.js";
import type { Series } from "../../charts/series.js";

const sizes = Array.from({ length: 53 }, (_, index) => Math.round(2 ** (8 + index / 2)));
const ticks = Array.from({ length: 14 }, (_, index) => 2 ** (8 + 2 * index));
const dashes = ["none", "7 3", "2 3", "10 3 2 3"];

/** The chosen and compared ones stand out; the others have their names at their ends. */
const styleOf = (algorithm: Algorithm, chosen: Algorithm, compared: Algorithm | undefined, index: number) =>
  algorithm === chosen
    ? { color: "expected" as const }
    : algorithm === compared
      ? { color: "expected" as const, dash: "7 3" }
      : { color: "plain" as const, dash: dashes[index % dashes.length]!, quiet: true };

interface SizeChartsInput {
  scenario: Scenario;
  /** Inputs of collective_cost without algorithm and size. */
  inputs: Record<string, unknown>;
  algorithms: readonly Algorithm[];
  chosen: Algorithm;
  compared: Algorithm | undefined;
  here: { message_size_bytes: number; time_us: number; bus_bandwidth_gb_per_sec: number };
  /** The reader's measurements of it. */
  own?: OwnCurve | undefined;
  crossovers: CollectiveCrossoversResults;
}

/** Time and bus bandwidth of every algorithm against message size. */
export function sizeCharts({
  scenario,
  inputs,
  algorithms,
  chosen,
  compared,
  here,
  crossovers,
  own,
}: SizeChartsInput): {
  time: LineChartSpec;
  bandwidth: LineChartSpec;
} {
  const words = {
    algorithm: (name: Algorithm) => choiceWord(scenario, "algorithm", name),
    size: (bytes: number) => scenario.sizes.binaryBytes(bytes, 3),
  };
  const swept = algorithms.map(
    (algorithm) =>
      scenario.engine.sweep({
        calculation: "collective_cost",
        inputs: { ...inputs, algorithm },
        axes: [{ field: "message_size_bytes", values: sizes }],
      }).results,
  );
  const series = (name: string): Series[] =>
    algorithms.map((algorithm, index) => ({
      name: words.algorithm(algorithm),
      ...styleOf(algorithm, chosen, compared, index),
      points: sizes.map((x, at) => ({ x, y: swept[index]![name]![at]! })),
    }));
  // The bus bandwidth of another time is the priced one's in inverse proportion.
  const busBandwidth = (message_size_bytes: number, time_us: number): number => {
    const cost = scenario.engine.collective_cost({ ...inputs, algorithm: chosen, message_size_bytes } as never);
    return (cost.bus_bandwidth_gb_per_sec * cost.time_us) / time_us;
  };
  const mine = (y: (size: number, time_us: number) => number): Series[] =>
    own
      ? [
          {
            name: "your log",
            kind: "dots",
            color: "own",
            points: own.message_size_bytes.flatMap((x, at) =>
              x < sizes[0]! || x > sizes.at(-1)! ? [] : [{ x, y: y(x, own.time_us[at]!), note: own.name }],
            ),
          },
        ]
      : [];
  const between = crossovers.crossovers.filter(
    (row) =>
      compared !== undefined &&
      [row.quicker_below, row.quicker_above].every((name) => name === chosen || name === compared),
  );
  const rules: Rule[] = between.map((row) => ({
    axis: "x",
    at: row.message_size_bytes,
    label: scenario.sizes.binaryBytes(row.message_size_bytes, 3),
  }));
  const sentences = [
    compared && crossoverSentence(chosen, compared, crossovers, words),
    quickestSentence(crossovers, words),
  ]
    .filter(Boolean)
    .join(" ");
  const table = (name: string) => ({
    header: ["message_size_bytes", ...algorithms.map((algorithm) => `${algorithm}_${name}`)],
    rows: sizes.map((size, at) => [size, ...swept.map((columns) => columns[name]![at]!)]),
  });
  const nothing = "One GPU sends nothing.";
  const x = {
    label: "Message",
    scale: "log" as const,
    ticks: scenario.sizes.sizeTicks(ticks),
    format: (value: number) => scenario.sizes.binaryBytes(value, 3),
  };
  return {
    time: {
      id: "commcost-collective-time",
      title: "Time against message size.",
      summary: sentences,
      nothing,
      x,
      rules,
      table: table("time_us"),
      y: { label: "Time", scale: "log", units: microsecondUnits, format: (value) => us(value) },
      series: [...series("time_us"), ...mine((_, time_us) => time_us)],
      here: { x: here.message_size_bytes, y: here.time_us, label: us(here.time_us, 4) },
    },
    bandwidth: {
      id: "commcost-collective-bus-bandwidth",
      title: "Bus bandwidth against message size.",
      summary: "As nccl-tests reports it: the rate at which a ring would have to send to take that time.",
      nothing,
      x,
      rules,
      table: table("bus_bandwidth_gb_per_sec"),
      y: {
        label: "Bus bandwidth",
        scale: "log",
        units: [{ name: "GB/s", size: 1 }],
        format: (value) => bandwidth(value, 3),
      },
      series: [...series("bus_bandwidth_gb_per_sec"), ...mine(busBandwidth)],
      here: {
        x: here.message_size_bytes,
        y: here.bus_bandwidth_gb_per_sec,
        label: bandwidth(here.bus_bandwidth_gb_per_sec),
      },
    },
  };
}
