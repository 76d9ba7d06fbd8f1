import type { ProjectScalingResults } from "#engine";
import type { LineChartSpec } from "../../charts/line-chart.js";
import { significant } from "../../state/format.js";
import type { Scenario } from "../../state/scenario.js";
import { atHalf, share } from "./sentences.js";

/** A GPU's remaining throughput, against the network's efficiency; here, the scenario's. */
export function scalingChart(
  scenario: Scenario,
  results: ProjectScalingResults,
  inputs: Record<string, unknown>,
): LineChartSpec {
  const values = Array.from({ length: 40 }, (_, index) => (index + 1) / 40);
  const sweep = scenario.engine.sweep({
    calculation: "project_scaling",
    inputs,
    axes: [{ field: "efficiency", values }],
  });
  const speedups = sweep.results["speedup"]!;
  return {
    id: "commcost-projection",
    title: "Throughput of a GPU against the network’s efficiency.",
    summary: atHalf(speedups[values.indexOf(0.5)]!),
    x: {
      label: "Network efficiency",
      scale: "linear",
      format: (value) => significant(value, 2),
      domain: [0, Math.max(1, results.efficiency)],
    },
    y: { label: "Throughput of a GPU, of what it was", scale: "linear", format: (value) => significant(value, 2) },
    series: [{ name: "throughput", color: "expected", points: values.map((x, index) => ({ x, y: speedups[index]! })) }],
    here: {
      x: results.efficiency,
      y: results.speedup,
      label: share(results.speedup),
      drag: { label: "Network efficiency", least: 0.01, most: 1, format: (value) => significant(value, 3) },
    },
    table: { header: ["efficiency", "speedup"], rows: values.map((value, index) => [value, speedups[index]!]) },
  };
}
