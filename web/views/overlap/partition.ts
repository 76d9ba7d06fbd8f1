import type { PartitionSchemesResults } from "#engine";
import { type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import type { LineChartSpec } from "../../charts/line-chart.js";
import type { Subject } from "../../elements/tokens.js";
import { meaning } from "../../elements/meaning.js";
import { exact, significant, us } from "../../state/format.js";
import { over } from "../../state/over.js";
import type { Scenario } from "../../state/scenario.js";
import styles from "./partition.css?inline";

type Row = PartitionSchemesResults["schemes"][number];

const schemes: Record<Row["scheme"], { name: string; by: string; color: Subject; dash?: string }> = {
  "1d": { name: "1D", by: "Megatron, 1909.08053", color: "plain" },
  "2d": { name: "2D", by: "Optimus, 2104.05343", color: "plain", dash: "6 3" },
  "2.5d": { name: "2.5D", by: "Tesseract, 2105.14500", color: "plain", dash: "2 3" },
  "3d": { name: "3D", by: "2105.14450", color: "plain", dash: "8 3 2 3" },
};

/** A scheme as the chart names it. */
export const schemeName = (scheme: Row["scheme"]): string => schemes[scheme].name;

const needs: Record<Row["needs"], string> = {
  nothing: "any number",
  square: "a square",
  square_times_depth: "a square times a depth no greater than its side",
  cube: "a cube",
};

const sizes = [
  ...new Set([
    2, 4, 8, 12, 16, 18, 25, 27, 32, 36, 48, 49, 64, 72, 100, 125, 128, 144, 216, 256, 343, 512, 729, 1024, 2048, 4096,
  ]),
];

/** What each scheme sends against the number of GPUs, wherever it exists. */
export function partitionChart(scenario: Scenario, inputs: Record<string, unknown>): LineChartSpec {
  const present = inputs["num_gpus"] as number;
  const counts = [...new Set([...sizes, present])].sort((a, b) => a - b);
  const groups = counts.map((num_gpus) => ({ num_gpus }));
  const found = over(scenario.engine, "partition_schemes", inputs, groups, (results) => results.schemes);
  const ids = Object.keys(schemes) as Row["scheme"][];
  const series = ids.map((id, index) => ({
    ...schemes[id],
    points: counts
      .map((count, place) => ({ x: count, row: found[place]![index]! }))
      .filter(({ row }) => row.possible && row.sent_bytes_per_gpu > 0)
      .map(({ x, row }) => ({ x, y: row.sent_bytes_per_gpu })),
  }));
  const last = found
    .at(-1)!
    .filter((row) => row.possible)
    .sort((a, b) => a.sent_bytes_per_gpu - b.sent_bytes_per_gpu)[0]!;
  const one = found[counts.indexOf(present)]![ids.indexOf("1d")]!;
  const here = one.possible ? one.sent_bytes_per_gpu : 0;
  return {
    id: "commcost-partition-schemes",
    title: "Sent by each GPU for one layer, forward and backward.",
    summary: `At ${exact(counts.at(-1)!)} GPUs ${schemes[last.scheme].name} sends least.`,
    x: {
      label: "GPUs that share the layer",
      scale: "log",
      ticks: [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096],
      format: (value) => exact(value),
    },
    y: {
      label: "Sent by each GPU",
      scale: "log",
      units: scenario.sizes.volumeUnits,
      format: (value) => scenario.sizes.bytes(value, 2),
    },
    series,
    ...(here > 0
      ? {
          here: {
            x: present,
            y: here,
            label: `${exact(present)} GPUs: ${scenario.sizes.bytes(here, 2)}`,
            drag: {
              label: "GPUs that share the layer",
              values: counts.filter((count) => Number.isInteger(Math.log2(count))),
              format: (count: number) => `${exact(count)} GPUs`,
            },
          },
        }
      : {}),
    table: {
      header: ["num_gpus", ...ids.map((id) => `${id}_sent_bytes_per_gpu`)],
      rows: counts.map((count, place) => [
        count,
        ...ids.map((_, index) => {
          const row = found[place]![index]!;
          return row.possible ? row.sent_bytes_per_gpu : "";
        }),
      ]),
    },
  };
}

const factor = (row: Row): string => (row.possible ? significant(row.printed_bandwidth, 3) : "");

/** The four schemes at the reader's number of GPUs. */
export function partitionTable(scenario: Scenario, results: PartitionSchemesResults, count: number): TemplateResult {
  const head: readonly [string, keyof Row][] = [
    ["Scheme", "scheme"],
    ["Grid", "side"],
    ["Sent, forward", "forward_elements"],
    ["Sent, backward", "backward_elements"],
    ["Steps", "steps"],
    ["Time", "time_us"],
    ["Weights kept", "weight_elements"],
    ["Inputs kept", "activation_elements"],
    ["Printed factor", "printed_bandwidth"],
    ["Printed steps", "printed_latency"],
  ];
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Partition schemes">
    <table class="partition">
      <caption>One layer on ${exact(count)} GPUs: elements per GPU, latencies one after the other. The printed columns are
        Colossal-AI’s, of one matrix (docs, 1D to 3D tensor parallelism). Numbers next to the schemes are arXiv’s.</caption>
      <thead><tr>${head.map(
        ([cell, name], index) =>
          html`<th scope="col" class=${index < 2 ? "text" : ""}>${meaning(
            scenario,
            "partition_schemes",
            `schemes.${name}`,
            cell,
          )}</th>`,
      )}</tr></thead>
      <tbody>${results.schemes.map((row) => {
        const { name, by } = schemes[row.scheme];
        const best = row.scheme === results.quickest;
        return html`<tr class=${best ? "best" : ""}>
          <th scope="row" class="text">${name}<br /><span class="soft">${by}</span></th>
          ${
            row.possible
              ? html`
            <td class="text">${row.scheme === "1d" ? exact(row.side) : row.depth > 1 ? `${row.side} × ${row.side} × ${row.depth}` : `${row.side} × ${row.side}`}</td>
            <td>${exact(Math.round(row.forward_elements))}</td><td>${exact(Math.round(row.backward_elements))}</td>
            <td>${exact(row.steps)}</td><td>${us(row.time_us)}${best ? html` <b>fastest</b>` : ""}</td>
            <td>${exact(Math.round(row.weight_elements))}</td><td>${exact(Math.round(row.activation_elements))}</td>
            <td>${factor(row)}</td><td>${exact(row.printed_latency)}</td>`
              : html`<td class="text soft" colspan="9">needs ${needs[row.needs]} of GPUs</td>`
          }
        </tr>`;
      })}</tbody>
    </table>
  </div>
  <p class="small soft">Volumes are those of ring collectives, weights included where a scheme moves them; 3D keeps gathered inputs
    and weights for the backward pass. Optimus prints tree broadcasts and full recomputation instead: ${results.schemes
      .filter((row) => row.optimus_elements > 0)
      .map((row) => `${schemes[row.scheme].name} ${exact(Math.round(row.optimus_elements))}`)
      .join(", ")} elements.</p>`;
}

export const partitionStyles = unsafeCSS(styles);
