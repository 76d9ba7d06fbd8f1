import type { PredictCollectiveResults } from "#engine";
import type { BarChartSpec } from "../../charts/bar-chart.js";
import { change } from "../../state/format.js";
import type { Sizes } from "../../state/sizes.js";

/** Less of a change than this for one percent counts as none. */
const least = 0.005;

/** What the predicted time responds to. */
export function elasticityChart(
  sizes: Sizes,
  inputs: Record<string, unknown>,
  results: PredictCollectiveResults,
): BarChartSpec | undefined {
  const rows = results.elasticities;
  if (rows.length === 0) return undefined;
  const bars = [...rows]
    .sort((a, b) => Math.abs(b.elasticity) - Math.abs(a.elasticity))
    .slice(0, 8)
    .filter(({ elasticity }) => Math.abs(elasticity) >= least)
    .map((row) => ({ name: row.help.split(/ \(|[,;]/)[0]!, value: row.elasticity, note: row.name }));
  return {
    id: "commcost-network-elasticity",
    title: "Sensitivity.",
    summary: `By how many percent the time of ${sizes.binaryBytes(inputs["message_size_bytes"] as number, 3)} changes with one percent more of each.`,
    bars,
    format: change,
    sides: { left: "faster", right: "slower" },
    table: {
      header: ["name", "elasticity", "help"],
      rows: rows.map((row) => [row.name, Number(row.elasticity.toPrecision(4)), row.help]),
    },
  };
}
