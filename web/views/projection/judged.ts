import { pairs } from "virtual:projection";
import type { Engine } from "#engine";
import type { LineChartSpec } from "../../charts/line-chart.js";
import { exact, significant } from "../../state/format.js";

/** The slides' claim for the mean squared error, percent. */
export const claimedPercent = 2;

/** A measured run on many GPUs, and its projection from few: throughput of a GPU relative to theirs. */
export interface Judged {
  name: string;
  source: string;
  from_gpus: number;
  to_gpus: number;
  measured: number;
  projected: number;
  /** By predicting both steps themselves. */
  predicted: number;
  /** Whether the few GPUs are more than one node. */
  several: boolean;
}

/** Every pair, projected by the engine. */
export function judged(engine: Engine): readonly Judged[] {
  const text = (name: string, row: number): string => {
    const column = pairs.texts[name]!;
    return column.values[column.at[row]!]!;
  };
  const number = (name: string, row: number): number => pairs.numbers[name]![row]!;
  return Array.from({ length: pairs.rows }, (_, row) => {
    const inputs = Object.fromEntries(
      [
        "compute_share",
        "communication_share",
        "from_gpus",
        "to_gpus",
        "from_bus_bandwidth_gb_per_sec",
        "to_bus_bandwidth_gb_per_sec",
      ].map((name) => [name, number(name, row)]),
    );
    return {
      name: `${text("model", row)}, ${text("stack", row)}, ${text("accelerator", row)}`,
      source: text("source", row),
      from_gpus: number("from_gpus", row),
      to_gpus: number("to_gpus", row),
      measured: number("measured", row),
      predicted: number("predicted", row),
      projected: engine.project_scaling(inputs as never).speedup,
      several: number("from_gpus", row) > number("gpus_per_node", row),
    };
  });
}

/** The mean of squared errors, percent. */
export const squaredError = (rows: readonly Judged[], of: "projected" | "predicted"): number =>
  (100 * rows.reduce((sum, row) => sum + (row[of] - row.measured) ** 2, 0)) / rows.length;

/** The same for assuming that nothing is lost. */
export const untouchedError = (rows: readonly Judged[]): number =>
  (100 * rows.reduce((sum, row) => sum + (1 - row.measured) ** 2, 0)) / rows.length;

const kept = (value: number): string => `${significant(100 * value, 3)} %`;

/** Projected against measured, one dot per run on many GPUs. */
export function judgedChart(rows: readonly Judged[]): LineChartSpec {
  const all = rows.flatMap(({ measured, projected }) => [measured, projected]);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const worst = [...rows].sort((a, b) => Math.abs(b.projected - b.measured) - Math.abs(a.projected - a.measured))[0]!;
  const dots = (several: boolean) =>
    rows
      .filter((row) => row.several === several)
      .map(({ measured: x, projected: y, name, from_gpus, to_gpus }) => ({
        x,
        y,
        note: `${name}, ${exact(from_gpus)} to ${exact(to_gpus)} GPUs`,
      }))
      .sort((a, b) => a.x - b.x);
  return {
    id: "commcost-projection-measured",
    title: "Throughput that a GPU keeps, projected and measured.",
    summary: `Farthest off: ${worst.name} on ${exact(worst.to_gpus)} GPUs, projected ${kept(worst.projected)}, measured ${kept(worst.measured)}.`,
    tall: true,
    x: { label: "Measured", scale: "linear", format: kept, domain: [low - 0.02, high + 0.02] },
    y: { label: "Projected", scale: "linear", format: kept, domain: [low - 0.02, high + 0.02] },
    series: [
      { name: "as measured", color: "plain", dash: "4 4", points: [low, high].map((x) => ({ x, y: x })) },
      { name: "from one node", color: "measured", kind: "dots", points: dots(false) },
      { name: "from several nodes", color: "expected", kind: "dots", hollow: true, points: dots(true) },
    ],
    table: {
      header: ["run", "source", "from_gpus", "to_gpus", "measured", "projected", "predicted"],
      rows: rows.map((row) => [
        row.name,
        row.source,
        row.from_gpus,
        row.to_gpus,
        row.measured,
        row.projected,
        row.predicted,
      ]),
    },
  };
}
