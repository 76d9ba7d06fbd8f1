import type { GridDrag, HeatMapSpec } from "../../charts/heat-map.js";
import { labelOf, labelWithin } from "../../elements/labels.js";
import { exact, percent, significant } from "../../state/format.js";
import { run } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";
import { askedOf, type SchemeWords, sequenceOfOne } from "./schemes.js";

const halves = (from: number, to: number): number[] => {
  const values: number[] = [];
  for (let value = from; value <= to; value *= 2) values.push(value, value * 1.5);
  return values.filter((value) => value <= to);
};

/** The range of the marked point: what this scenario can be, in whole values of each axis by itself. */
function gridDrag(scenario: Scenario, scheme: SchemeWords, across: readonly number[], up: readonly number[]): GridDrag {
  const can = (field: string) => (value: number) =>
    !run(scenario, "overlap_ratio", {
      ...askedOf(scenario, scheme.id),
      [field]: field === "sequence_length" ? sequenceOfOne(scenario, value) : value,
    }).problems;
  return {
    label: `${labelOf(scenario, scheme.across)} and ${labelWithin(scenario, scheme.degree)}`,
    x: across.filter(can(scheme.across)),
    y: up.filter((degree) => degree > 1).filter(can(scheme.degree)),
  };
}

/** In how much of a field compute can hide what is sent. */
function whereHidden(cells: number, all: number): string {
  if (cells === 0) return "Nowhere can compute";
  return `${cells === all ? "Everywhere" : `In ${percent((100 * cells) / all, 2)} of this field`} compute can`;
}

/** Ratio of a scheme over what it depends on and its degree. */
export function heatMap(
  scenario: Scenario,
  scheme: SchemeWords,
  inputs: Record<string, unknown>,
  own?: number,
): HeatMapSpec {
  const across = scheme.across === "hidden_size" ? halves(1024, 32768) : halves(512, 131072);
  const degrees =
    scheme.degree === "data_parallel" ? [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024] : [2, 4, 8, 16, 32, 64];
  const layers = inputs["num_layers"] as number;
  const up =
    scheme.degree === "pipeline_parallel" ? degrees.filter((degree) => degree <= Math.max(2, layers)) : degrees;
  // Along the hidden size, the rest of the layer keeps its proportions: widths without a value of their own are four
  // hidden sizes.
  const shape =
    scheme.across === "hidden_size"
      ? { num_heads: 1, num_kv_heads: 0, head_size: 0, ffn_hidden_size: 0, next_linear_size: 0 }
      : {};
  const sweep = scenario.engine.sweep({
    calculation: "overlap_ratio",
    inputs: { ...inputs, ...shape, ...askedOf(scenario, scheme.id) },
    axes: [
      { field: scheme.degree, values: up },
      {
        field: scheme.across,
        values: scheme.across === "sequence_length" ? across.map((length) => sequenceOfOne(scenario, length)) : across,
      },
    ],
  });
  const ratios = sweep.results["ratio"]!;
  const cells = up.map((_, row) => across.map((_, column) => ratios[row * across.length + column]!));
  const hidden = ratios.filter((ratio) => ratio <= 1).length;
  const here = { x: inputs[scheme.across] as number, y: inputs[scheme.degree] as number };
  const xName = scheme.across === "hidden_size" ? "hidden size" : "sequence length";
  return {
    id: `commcost-overlap-${scheme.id}`,
    title: `${scheme.title}: communication over compute.`,
    summary: `${whereHidden(hidden, ratios.length)} hide it. ${scheme.because}`,
    x: { label: labelOf(scenario, scheme.across), values: across, format: String },
    y: { label: labelOf(scenario, scheme.degree), values: up, format: (value) => exact(value) },
    cells,
    format: (ratio) => significant(ratio, 3),
    below: "hidden (each shade a factor 2)",
    above: "exposed",
    line: "ratio 1",
    here: here.y > 1 ? { ...here, label: "you are here", drag: gridDrag(scenario, scheme, across, up) } : undefined,
    own: own === undefined ? undefined : { ratio: own, label: `your log: ${significant(own, 3)}` },
    table: {
      header: [`${scheme.degree} \\ ${scheme.across} (${xName})`, ...across.map(String)],
      rows: cells.map((row, index) => [up[index]!, ...row.map((ratio) => Number(ratio.toPrecision(6)))]),
    },
  };
}
