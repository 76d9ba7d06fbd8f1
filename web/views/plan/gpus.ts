import { nothing, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import type { LineChartSpec } from "../../charts/line-chart.js";
import { days, exact, millisecondUnits, ms, significant } from "../../state/format.js";
import type { Session } from "../../state/session.js";
import type { ScalingRow } from "./search.js";
import { brings, gpus, scalingSummary } from "../../state/plan-sentences.js";
import { inShort } from "../../figures/layout-words.js";

/** GPUs against time: the best layout at each number, next to ideal scaling. */
export function gpusChart(rows: readonly ScalingRow[], cluster: number, pins: string): LineChartSpec {
  const fitting = rows.filter(({ possible }) => possible);
  const stop = fitting.findIndex(({ gain }) => !gain.pays);
  const point = (row: ScalingRow) => ({
    x: row.cluster_gpus,
    y: row.step_time_ms,
    note: `${inShort(row.layout[0]!)}; ${exact(Math.round(row.layout[0]!.tokens_per_sec_per_gpu))} tokens/s/GPU`,
  });
  const yours = fitting.find(({ cluster_gpus }) => cluster_gpus === cluster);
  const beaten = fitting.filter(({ gain }) => !gain.on_pareto_front);
  return {
    id: "commcost-plan-gpus",
    title: "GPUs against time.",
    summary: scalingSummary(rows, pins),
    nothing: scalingSummary(rows, pins),
    x: {
      label: "GPUs (fixed global batch)",
      scale: "log",
      ticks: fitting.map(({ cluster_gpus }) => cluster_gpus),
      format: (value) => exact(value),
    },
    y: { label: "A step", scale: "log", units: millisecondUnits, format: ms },
    series: [
      {
        name: "linear",
        color: "textbook",
        dash: "2 4",
        points: fitting.map((row) => ({ x: row.cluster_gpus, y: row.gain.linear_step_time_ms })),
      },
      { name: "best layout", color: "expected", points: fitting.filter(({ gain }) => gain.on_pareto_front).map(point) },
      ...(beaten.length > 0
        ? [
            {
              name: "no faster than fewer GPUs",
              kind: "dots" as const,
              hollow: true,
              color: "expected" as const,
              points: beaten.map(point),
            },
          ]
        : []),
    ],
    ...(yours
      ? {
          here: {
            x: cluster,
            y: yours.step_time_ms,
            label: "yours",
            drag: {
              label: "GPUs in the cluster",
              values: fitting.map(({ cluster_gpus }) => cluster_gpus),
              format: gpus,
            },
          },
        }
      : {}),
    ...(stop > 0
      ? { rules: [{ axis: "x" as const, at: fitting[stop - 1]!.cluster_gpus, label: "≥ 50 % marginal efficiency" }] }
      : {}),
    table: {
      header: [
        "cluster_gpus",
        "step_time_ms",
        "speedup",
        "efficiency",
        "marginal_efficiency",
        "tokens_per_sec_per_gpu",
        "training_days",
        "deficit_gib",
      ],
      rows: rows.map(({ cluster_gpus, step_time_ms, gain, layout, deficit_gib }) => [
        cluster_gpus,
        // If nothing fits, there is no step.
        ...(layout[0]
          ? [
              step_time_ms,
              gain.speedup,
              gain.efficiency,
              gain.marginal_efficiency,
              layout[0].tokens_per_sec_per_gpu,
              layout[0].training_days,
            ]
          : ["", "", "", "", "", ""]),
        deficit_gib,
      ]),
    },
  };
}

/** The numbers that fit, and the greatest of those that do not. */
function shownRows(rows: readonly ScalingRow[]): { row: ScalingRow; name: string }[] {
  const least = rows.findIndex(({ possible }) => possible);
  const from = least < 0 ? rows.length - 1 : Math.max(0, least - 1);
  return rows.slice(from).map((row, index) => ({
    row,
    name:
      index === 0 && from > 0 ? `${exact(rows[0]!.cluster_gpus)}–${exact(row.cluster_gpus)}` : exact(row.cluster_gpus),
  }));
}

/**
 * Each number of GPUs with its best layout and the gain of the GPUs added; `take`, if any, puts a number into the
 * scenario.
 */
export function gpusTable(
  { sizes }: Session,
  rows: readonly ScalingRow[],
  take: ((count: number) => void) | undefined,
): TemplateResult {
  const first = rows.find(({ possible }) => possible);
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Each number of GPUs">
    <table class="gpus">
      <thead><tr><th scope="col">GPUs</th><th scope="col">Step</th><th scope="col" title="training_days">Whole run</th>
        <th scope="col" title="tokens_per_sec_per_gpu">Tokens/s/GPU</th><th scope="col" title="Throughput of each added GPU, as a share of that of a GPU before">Marginal efficiency</th>
        <th scope="col" class="text">Best layout</th></tr></thead>
      <tbody>${shownRows(rows).map(({ row, name }) => {
        const [best] = row.layout;
        return html`<tr><th scope="row">${best && take ? html`<button class="plain" @click=${() => take(row.cluster_gpus)} aria-label=${`Plan for ${gpus(row.cluster_gpus)}`}>${name}</button>` : name}</th>
          ${
            best
              ? html`<td>${ms(row.step_time_ms)}</td><td>${days(best.training_days)}</td><td>${significant(best.tokens_per_sec_per_gpu, 3)}</td>
            <td class=${row.gain.pays ? "" : "bad"}>${row === first ? "–" : brings(row)}</td><td class="text">${inShort(best)}</td>`
              : html`<td colspan="4" class="text soft">${row.searched === 0 ? "can’t be divided evenly" : `needs ${sizes.memory(row.deficit_gib)} more per GPU${name.includes("–") ? ` of ${exact(row.cluster_gpus)}` : ""}`}</td><td></td>`
          }</tr>`;
      })}</tbody>
    </table></div>
    ${
      rows.some(({ gain }) => gain.pays)
        ? html`<p class="small soft">Marginal efficiency is the throughput of each GPU added as a share of each GPU’s before: 100 % where twice the GPUs halve the step.
      It is higher where the larger cluster allows a faster layout.</p>`
        : nothing
    }`;
}
