import type { CollectiveCostResults } from "#engine";
import { css, html, type TemplateResult } from "lit";
import { bandwidth, bytes, exact } from "../../state/format.js";
import { algorithmWords, sentence, us, type Algorithm } from "./words.js";

/** An algorithm and what it costs. */
interface Priced {
  algorithm: Algorithm;
  cost: CollectiveCostResults;
}

/** The rows of the table; `ofBytes` are those that a barrier, which carries none, has no use for. */
const quantities: { name: string; cell: (cost: CollectiveCostResults) => string; ofBytes?: boolean }[] = [
  { name: "Steps", cell: (cost) => exact(cost.steps) },
  { name: "Sent by the rank that sends most", cell: (cost) => bytes(cost.sent_bytes_per_rank), ofBytes: true },
  { name: "Added by the rank that adds most", cell: (cost) => bytes(cost.reduced_bytes_per_rank), ofBytes: true },
  { name: "Time", cell: (cost) => us(cost.time_us) },
  { name: "… latency", cell: (cost) => us(cost.latency_time_us), ofBytes: true },
  { name: "… moving bytes", cell: (cost) => us(cost.transfer_time_us), ofBytes: true },
  { name: "… adding bytes", cell: (cost) => us(cost.reduce_time_us), ofBytes: true },
  { name: "Lower bound, with its ports", cell: (cost) => us(cost.lower_bound_us) },
  { name: "Algorithm bandwidth", cell: (cost) => bandwidth(cost.algorithm_bandwidth_gb_per_sec), ofBytes: true },
  { name: "Bus bandwidth", cell: (cost) => bandwidth(cost.bus_bandwidth_gb_per_sec), ofBytes: true },
];

/** The closed forms of the algorithms shown, put into numbers beside each other; a barrier has only steps. */
export function closedForms(methods: readonly Priced[], weightless: boolean): TemplateResult {
  const rows = weightless ? quantities.filter(({ ofBytes }) => !ofBytes) : quantities;
  return html`<div class="costs"><div class="scroll" tabindex="0" role="group" aria-label="Closed forms">
    <table class="comparison">
      <thead><tr><th scope="col"><span class="visually-hidden">Quantity</span></th>
        ${methods.map(({ algorithm }) => html`<th scope="col">${sentence(algorithmWords[algorithm])}</th>`)}</tr></thead>
      <tbody>${rows.map(({ name, cell }) => html`<tr><th scope="row">${name}</th>${methods.map(({ cost }) => html`<td>${cell(cost)}</td>`)}</tr>`)}</tbody>
    </table></div>
    <div><dl class="forms">${methods.map(({ algorithm, cost }) => html`<div><dt>${sentence(algorithmWords[algorithm])}</dt>
      <dd>${cost.form} <span class="soft small">${cost.source}</span></dd></div>`)}</dl>
    <p class="small soft">p ranks, a message of n bytes, k pieces, m groups of g; α latency, β time a byte moved, γ time a byte added. Links carry
      both ways at once; a rank's messages of one step share a latency and follow each other through its port.</p></div></div>`;
}

export const closedFormStyles = css`
  .comparison td, .comparison th { padding-inline-end: 1.5rem; }
  .comparison th[scope="row"] { text-align: start; white-space: nowrap; }
  .comparison td:first-of-type { text-align: end; }
  .comparison td { white-space: nowrap; }
  .costs { display: grid; gap: 0.5rem 2.5rem; grid-template-columns: minmax(0, 1fr); }
  @container (min-width: 54rem) { .costs { grid-template-columns: auto minmax(0, 1fr); } .forms { margin-top: 0; } }
  .forms { margin: 0.6rem 0; display: grid; gap: 0.5rem; }
  .forms dt { font-family: var(--sans); font-size: var(--small); }
  .forms dd { margin: 0; font-size: 1.0625rem; overflow-wrap: anywhere; }
  .forms .small { display: block; }
`;
