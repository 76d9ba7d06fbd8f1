import type { CommunicationLedgerResults } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import type { HistogramSpec } from "../../charts/histogram.js";
import type { StackedBarsSpec } from "../../charts/stacked-bars.js";
import { beside } from "../../elements/comparison.js";
import { meaning } from "../../elements/meaning.js";
import { ownCurveOf, ownTimeUs } from "../../state/own-log.js";
import type { Scenario } from "../../state/scenario.js";
import { exact, significant, us } from "../../state/format.js";
import type { Sizes } from "../../state/sizes.js";
import { choiceWord } from "../../elements/labels.js";
import {
  cellOf,
  type LedgerRow,
  type MessageColumn,
  messageColumns,
  messageHead,
  saveMessages,
  textClass,
} from "../../elements/message-columns.js";
import { busiestStages, bytesSummary, sizesSummary } from "./sentences.js";
import styles from "./ledger.css?inline";

/** The stages of a pipeline side by side, in bytes by dimension; those that send most are marked. */
export function stagesTable(scenario: Scenario, ledgers: readonly CommunicationLedgerResults[]): TemplateResult {
  const headings = [...new Set(ledgers.flatMap((ledger) => ledger.by_dimension.map((sum) => sum.dimension)))];
  const sent = (ledger: CommunicationLedgerResults, dimension: LedgerRow["dimension"]) =>
    ledger.by_dimension.find((sum) => sum.dimension === dimension)?.sent_bytes_per_gpu ?? 0;
  const most = busiestStages(scenario, ledgers);
  const marked = (ledger: CommunicationLedgerResults) => (most.includes(ledger) ? "most" : "");
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Stages side by side">
    <table class="stages">
      <thead><tr><th scope="col" class="text">${meaning(scenario, "communication_ledger", "by_dimension.sent_bytes_per_gpu", "Sent by each GPU")}</th>${ledgers.map(
        (ledger) =>
          html`<th scope="col" class=${marked(ledger)} data-stage=${ledger.stage}>${choiceWord(scenario, "stage", ledger.stage)}${marked(ledger) ? html`<br /><small>most</small>` : nothing}</th>`,
      )}</tr></thead>
      <tbody>${headings.map(
        (dimension) =>
          html`<tr><th scope="row" class="text">${choiceWord(scenario, "dimension", dimension)}</th>${ledgers.map(
            (ledger) =>
              html`<td class=${marked(ledger)}>${sent(ledger, dimension) > 0 ? scenario.sizes.bytes(sent(ledger, dimension), 3) : "–"}</td>`,
          )}</tr>`,
      )}</tbody>
      <tfoot><tr><th scope="row" class="text">total</th>${ledgers.map(
        (ledger) =>
          html`<td class=${marked(ledger)} data-stage=${ledger.stage}>${scenario.sizes.bytes(ledger.sent_bytes_per_gpu)}</td>`,
      )}</tr></tfoot>
    </table></div>`;
}

/** Facts about the layout that the ledger is based on. */
export function layoutFacts(
  scenario: Scenario,
  results: CommunicationLedgerResults,
  then: CommunicationLedgerResults | undefined,
): TemplateResult {
  const billions = (value: number) => `${significant(value / 1e9, 4)} billion`;
  const facts = [
    ["GPUs", "cluster_gpus", exact],
    ["Micro-batches per step", "micro_batches", exact],
    ["Layers per stage", "layers_per_stage", exact],
    ["Parameters", "parameters", billions],
    ["Parameters per GPU", "parameters_per_gpu", billions],
    ["Sent to other nodes", "network_bytes_per_gpu", scenario.sizes.bytes],
  ] as const;
  return html`<dl part="results" class="facts">${facts.map(
    ([name, field, format]) => html`<div>
    <dt>${meaning(scenario, "communication_ledger", field, name)}<br /><code>${field}</code></dt>
    <dd class="number" data-fact=${field}>${format(results[field])}${beside(results[field], then?.[field], (value) => format(value))}</dd></div>`,
  )}</dl>`;
}

/** Bytes by dimension, and by collective. */
export function ledgerBars(scenario: Scenario, results: CommunicationLedgerResults): StackedBarsSpec {
  return {
    id: "commcost-ledger-bytes",
    title: "Bytes in a step.",
    summary: bytesSummary(scenario, results),
    bars: [
      {
        label: "by dimension",
        parts: results.by_dimension.map((sum) => ({
          name: choiceWord(scenario, "dimension", sum.dimension),
          color: sum.dimension,
          value: sum.sent_bytes_per_gpu,
        })),
      },
      {
        label: "by collective",
        parts: results.by_collective.map((sum) => ({
          name: choiceWord(scenario, "collective", sum.collective),
          color: "plain",
          value: sum.sent_bytes_per_gpu,
        })),
      },
    ],
    axis: "Sent by each GPU",
    units: scenario.sizes.volumeUnits,
    format: (value) => scenario.sizes.bytes(value, 3),
    table: {
      header: ["heading", "calls", "sent_bytes_per_gpu", "network_bytes_per_gpu", "time_us", "share"],
      rows: [
        ...results.by_dimension.map((sum) => ({ heading: sum.dimension as string, sum })),
        ...results.by_collective.map((sum) => ({ heading: sum.collective as string, sum })),
      ].map(({ heading, sum }) => [
        heading,
        sum.calls,
        sum.sent_bytes_per_gpu,
        sum.network_bytes_per_gpu,
        sum.time_us,
        Number(sum.share.toPrecision(6)),
      ]),
    },
  };
}

/** Message sizes as a communication log would show them. */
export function messageSizes(
  sizes: Sizes,
  results: CommunicationLedgerResults,
  then?: CommunicationLedgerResults,
): HistogramSpec {
  const { bytes, binaryBytes } = sizes;
  const bins = results.message_sizes;
  const classes = [...bins, ...(then?.message_sizes ?? [])].map(({ at_least_bytes }) => at_least_bytes);
  // Empty classes between the smallest and the greatest are shown as gaps.
  const all = [];
  for (let size = Math.min(...classes); size <= Math.max(...classes); size *= 2) {
    const [bin, other] = [results, then].map((one) =>
      one?.message_sizes.find(({ at_least_bytes }) => at_least_bytes === size),
    );
    const calls = (one: typeof bin) =>
      `${exact(one?.calls ?? 0)} calls, ${bytes(one?.sent_bytes_per_gpu ?? 0, 3)} sent`;
    all.push({
      label: binaryBytes(size, 3),
      count: bin?.calls ?? 0,
      beside: then && (other?.calls ?? 0),
      note: `${binaryBytes(size)} to ${binaryBytes(2 * size)}: ${calls(bin)}${then ? `; A: ${calls(other)}` : ""}`,
    });
  }
  return {
    id: "commcost-message-sizes",
    title: "Messages by size.",
    summary: sizesSummary(sizes, results),
    bins: all,
    x: "Message, bytes (powers of two)",
    y: "Calls per GPU in a step",
    table: {
      header: ["at_least_bytes", "calls", "sent_bytes_per_gpu"],
      rows: bins.map((bin) => [bin.at_least_bytes, bin.calls, bin.sent_bytes_per_gpu]),
    },
  };
}

const [dimension, ...others] = messageColumns;

const columns: readonly MessageColumn<LedgerRow>[] = [
  dimension,
  { name: "phase", title: "Phase" },
  ...others,
  { name: "line_rate_us", title: "Level by level, at line rate", cell: (row) => us(row.line_rate_us) },
  {
    name: "quantizing_time_us",
    title: "Quantizing",
    cell: (row) => (row.quantizing_time_us ? us(row.quantizing_time_us) : "–"),
  },
  { name: "hidden_by", title: "Hidden by" },
  { name: "stages", title: "Stages" },
];

/** The time in the reader's own log for each row, all calls together, us; nothing if it has none of them. */
function ownTimes(scenario: Scenario, { rows }: CommunicationLedgerResults): (number | undefined)[] | undefined {
  const times = rows.map(({ collective, group_size, message_size_bytes, calls }) => {
    const curve = ownCurveOf(scenario, collective, group_size);
    const once = curve && ownTimeUs(curve, message_size_bytes);
    return once === undefined ? undefined : once * calls;
  });
  return times.some((time) => time !== undefined) ? times : undefined;
}

/** Every kind of call, a row each. */
export function ledgerTable(
  scenario: Scenario,
  results: CommunicationLedgerResults,
  then: CommunicationLedgerResults | undefined,
): TemplateResult {
  const one = results.rows.every((row) => row.stages === "all");
  const plain = results.rows.every((row) => row.quantizing_time_us === 0);
  const own = ownTimes(scenario, results);
  const shown = columns.filter(({ name }) => !(one && name === "stages") && !(plain && name === "quantizing_time_us"));
  return html`<div class="scroll" tabindex="0" role="group" aria-label="The ledger">
    <table class="ledger">
      <thead><tr>${messageHead(scenario, "communication_ledger", "rows", shown)}${
        own ? html`<th scope="col">Your log</th>` : nothing
      }</tr></thead>
      <tbody>${results.rows.map((row, index) => {
        const starts = results.rows[index - 1]?.dimension !== row.dimension;
        return html`<tr class="${starts ? "starts" : ""} ${row.critical_path && row.sent_by_stage ? "" : "aside"}" data-dimension=${row.dimension}>${shown.map(
          (column) =>
            html`<td class=${textClass(column)}>${column.name === "dimension" && !starts ? html`<span class="visually-hidden">${choiceWord(scenario, "dimension", row.dimension)}</span>` : cellOf(scenario, column, row)}</td>`,
        )}${own ? html`<td data-own>${own[index] === undefined ? "" : us(own[index])}</td>` : nothing}</tr>`;
      })}</tbody>
      ${
        results.rows.length > 0
          ? html`<tfoot><tr><td class="text" colspan="8">${one ? "Total" : `What a GPU of the ${choiceWord(scenario, "stage", results.stage)} sends`}</td>
        <td>${scenario.sizes.bytes(results.sent_bytes_per_gpu, 3)}</td><td>${scenario.sizes.bytes(results.network_bytes_per_gpu, 3)}</td><td>${us(results.time_us)}</td>
        ${plain ? nothing : html`<td>${us(results.quantizing_time_us)}</td>`}
        <td colspan=${own ? 3 : 2}></td></tr>
        ${
          then
            ? html`<tr class="pinned" data-beside><td class="text" colspan="8">A, total</td><td>${scenario.sizes.bytes(then.sent_bytes_per_gpu, 3)}</td><td>${scenario.sizes.bytes(then.network_bytes_per_gpu, 3)}</td>
          <td>${us(then.time_us)}</td>${plain ? nothing : html`<td>${us(then.quantizing_time_us)}</td>`}
          <td colspan=${own ? 3 : 2}></td></tr>`
            : nothing
        }</tfoot>`
          : nothing
      }
    </table></div>
    <p class="no-print"><button @click=${() => saveMessages("commcost-ledger", results.rows)}>Ledger as CSV</button></p>`;
}

export const ledgerStyles = unsafeCSS(styles);
