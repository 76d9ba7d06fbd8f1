import type { TrainingStepResults } from "#engine";
import { css, html, nothing, type TemplateResult } from "lit";
import "../../charts/bar-chart.js";
import "../../charts/line-chart.js";
import "../../charts/stacked-bars.js";
import { fieldControl, fieldStyles } from "../../elements/field.js";
import { define, ScenarioView } from "../../elements/scenario-view.js";
import { base, theme } from "../../elements/theme.js";
import { bandwidth, bytes, exact, milliseconds, significant } from "../../state/format.js";
import { bandwidthCurves, elasticityBars, memoryBars, stepBars } from "./step-charts.js";

const dimensions: Readonly<Record<string, string>> = {
  tensor: "Tensor", sequence: "Sequence", vocabulary: "Vocabulary", data: "Data", pipeline: "Pipeline", context: "Context", expert: "Expert",
};

/** What a step takes: time and memory by part, utilization, bounds, what would shorten it. */
export class StepSection extends ScenarioView {
  private headline(results: TrainingStepResults): TemplateResult {
    const { step_time_ms, step_time_low_ms, step_time_high_ms, mfu_percent, fits } = results;
    return html`<p part="headline" class="headline">A step takes <b class="number" data-result="step_time_ms">${milliseconds(step_time_ms)}</b>
      on ${exact(results.num_gpus)} GPU${results.num_gpus === 1 ? "" : "s"}, ${significant(mfu_percent, 3)} % of the peak as model FLOPs${
      fits ? "" : html` — <span class="bad">but it does not fit</span>`}.</p>
      <p class="small soft number">Predicted between ${milliseconds(step_time_low_ms, 3)} and ${milliseconds(step_time_high_ms, 3)}.${
        location.protocol.startsWith("http") && !this.scenario.alone ? html` <a href="scoreboard.html">How wrong predictions have been</a>` : nothing}</p>`;
  }

  private facts(results: TrainingStepResults): TemplateResult {
    const hide = (value: number) => (value > 0 ? bandwidth(value, 3) : "–");
    const facts: [string, string, string][] = [
      ["Model FLOPs, of the peak", `${significant(results.mfu_percent, 3)} %`, "mfu_percent"],
      ["FLOPs computed, of the peak", `${significant(results.hfu_percent, 3)} %`, "hfu_percent"],
      ["Tokens a second a GPU", exact(Math.round(results.tokens_per_sec_per_gpu)), "tokens_per_sec_per_gpu"],
      ["The whole run", results.training_days > 0 ? milliseconds(results.training_days * 864e5, 3) : "–", "training_days"],
      ["Micro-batches a step", exact(results.micro_batches), "micro_batches"],
      ["Bubble, of the step", `${significant(results.bubble_percent, 3)} %`, "bubble_percent"],
      ["Hides tensor traffic", hide(results.tensor_bandwidth_to_hide_gb_per_sec), "tensor_bandwidth_to_hide_gb_per_sec"],
      ["Hides the replicas’ traffic", hide(results.data_bandwidth_to_hide_gb_per_sec), "data_bandwidth_to_hide_gb_per_sec"],
    ];
    return html`<dl part="results" class="facts">${facts.map(([name, value, field]) => html`<div><dt>${name}<br /><code>${field}</code></dt>
        <dd class="number" data-fact=${field}>${value}</dd></div>`)}
    </dl>`;
  }

  private traffic(results: TrainingStepResults): TemplateResult | typeof nothing {
    const rows = results.traffic.filter((row) => row.scale_up_bytes + row.network_bytes > 0);
    if (rows.length === 0) return nothing;
    return html`<section aria-labelledby="traffic-title">
      <h3 id="traffic-title">Traffic of a step</h3>
      <div class="scroll" tabindex="0" role="group" aria-label="Traffic of a step">
        <table><thead><tr><th scope="col">Dimension</th><th scope="col">In the node</th><th scope="col">Network</th><th scope="col">Exposed</th>
          <th scope="col">Of the step</th></tr></thead>
        <tbody>${rows.map((row) => html`<tr><th scope="row">${dimensions[row.dimension]}</th><td>${bytes(row.scale_up_bytes, 3)}</td>
          <td>${bytes(row.network_bytes, 3)}</td><td>${milliseconds(row.exposed_ms, 3)}</td><td>${significant(row.step_share_percent, 2)} %</td></tr>`)}</tbody></table>
      </div>
      <p class="small soft">Sent by each GPU. “Exposed” is what the step waits for: the rest runs beside compute.</p>
    </section>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    // The Cost view's GPUs are one group; here the degrees say how many there are.
    const own = { num_gpus: 0 };
    const { results, problems, stale } = this.answer("training_step", own);
    if (!results) return html`<p class="small soft">A step needs ${problems.map(({ field }) => field).join(", ")}.</p>`;
    const { values } = this.scenario.inputs("training_step");
    return html`<section class=${stale ? "stale" : ""} aria-labelledby="step-title">
      <h2 id="step-title">What the step takes</h2>
      ${this.headline(results)}
      <div class="fields budget no-print">${fieldControl(this.scenario, "token_budget", problems, { label: "Tokens to train on" })}</div>
      ${this.facts(results)}
      ${this.compact ? nothing : html`<div class="pairs">
        <commcost-stacked-bars part="chart" .spec=${stepBars(results)}></commcost-stacked-bars>
        <commcost-stacked-bars part="chart" .spec=${memoryBars(results)}></commcost-stacked-bars>
        <commcost-bar-chart part="chart" .spec=${elasticityBars(results)}></commcost-bar-chart>
        ${stale ? nothing : html`<commcost-line-chart part="chart" .spec=${bandwidthCurves(this.scenario, { ...values, ...own }, results)}></commcost-line-chart>`}
        ${this.traffic(results)}
      </div>`}
    </section>`;
  }

  static override styles = [theme, base, fieldStyles, css`
    :host { display: block; container-type: inline-size; min-width: 0; }
    h2 { margin-bottom: 0.5rem; }
    h3 { margin-bottom: 0.4rem; }
    .headline { font-size: clamp(1.1rem, 1rem + 0.8cqi, 1.35rem); line-height: 1.3; max-width: 52ch; margin: 0; text-wrap: pretty; }
    .headline b { font-weight: 600; color: var(--accent); white-space: nowrap; }
    .facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11rem, 50% - 0.5rem), 1fr)); gap: 0 1rem; margin: 0.75rem 0 1.25rem; }
    .facts div { border-top: 1px solid var(--rule); padding: 0.3rem 0 0.5rem; min-width: 0; }
    .facts dt { font-family: var(--sans); font-size: 0.75rem; color: var(--ink-soft); }
    .facts dt code { overflow-wrap: anywhere; }
    .facts dd { margin: 0.1rem 0 0; font-size: 1.0625rem; }
    .budget { margin-top: 0.75rem; }
    .pairs { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem 2.5rem; }
    .pairs > * { min-width: 0; }
    .scroll { position: relative; }
    table { width: 100%; }
    .bad { color: var(--bad); }
    .stale, .stale * { color: var(--ink-soft); }
    @container (min-width: 54rem) { .pairs { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } }
    @media print { .pairs { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } }
  `];
}

define("commcost-step", StepSection);
