import type { TrainingStepResults } from "#engine";
import { css, html, nothing, type TemplateResult } from "lit";
import "../../charts/bar-chart.js";
import { besideBars, besideLines, besideMarks } from "../../charts/beside.js";
import "../../charts/line-chart.js";
import "../../charts/stacked-bars.js";
import { headlineStyles } from "../../elements/answer-styles.js";
import { beside, besideLine, comparisonStyles } from "../../elements/comparison.js";
import { fieldControl, fieldStyles } from "../../elements/field.js";
import { formulaLink } from "../../elements/formula-link.js";
import { meaning } from "../../elements/meaning.js";
import { define, ScenarioView } from "../../elements/scenario-view.js";
import { siteAddress } from "../../elements/site.js";
import { base, theme } from "../../elements/theme.js";
import { bandwidth, bytes, exact, memory, milliseconds, significant } from "../../state/format.js";
import { bandwidthCurves, elasticityBars, memoryBars, stepBars } from "./step-charts.js";

const dimensions: Readonly<Record<string, string>> = {
  tensor: "Tensor",
  sequence: "Sequence",
  vocabulary: "Vocabulary",
  data: "Data",
  pipeline: "Pipeline",
  context: "Context",
  expert: "Expert",
};

/** What a step takes: time and memory by part, utilization, bounds, what would shorten it. */
export class StepSection extends ScenarioView {
  private headline(results: TrainingStepResults): TemplateResult {
    const scoreboard = siteAddress("scoreboard.html");
    const { step_time_ms, step_time_low_ms, step_time_high_ms, mfu_percent, fits } = results;
    return html`<p part="headline" class="headline">A step takes <b class="number" data-result="step_time_ms">${meaning(this.scenario, "training_step", "step_time_ms", milliseconds(step_time_ms))}</b>
      on ${exact(results.num_gpus)} GPU${results.num_gpus === 1 ? "" : "s"}, ${significant(mfu_percent, 3)} % of the peak as model FLOPs${
        fits ? "" : html` — <span class="bad">but it does not fit</span>`
      }.</p>
      <p class="small soft number">Predicted between ${milliseconds(step_time_low_ms, 3)} and ${milliseconds(step_time_high_ms, 3)}.${
        scoreboard ? html` <a href=${scoreboard}>How wrong predictions have been</a>` : nothing
      }</p>`;
  }

  private facts(results: TrainingStepResults, then: TrainingStepResults | undefined): TemplateResult {
    const hide = (value: number) => (value > 0 ? bandwidth(value, 3) : "–");
    const percent = (value: number) => `${significant(value, 3)} %`;
    const whole = (value: number) => exact(Math.round(value));
    const days = (value: number) => (value > 0 ? milliseconds(value * 864e5, 3) : "–");
    const facts = [
      ["Model FLOPs, of the peak", "mfu_percent", percent],
      ["FLOPs computed, of the peak", "hfu_percent", percent],
      ["Tokens a second a GPU", "tokens_per_sec_per_gpu", whole],
      ["The whole run", "training_days", days],
      ["Micro-batches a step", "micro_batches", exact],
      ["Bubble, of the step", "bubble_percent", percent],
      ["Hides tensor traffic", "tensor_bandwidth_to_hide_gb_per_sec", hide],
      ["Hides the replicas’ traffic", "data_bandwidth_to_hide_gb_per_sec", hide],
    ] as const;
    return html`<dl part="results" class="facts">${facts.map(
      ([
        name,
        field,
        format,
      ]) => html`<div><dt>${meaning(this.scenario, "training_step", field, name)}<br /><code>${field}</code></dt>
        <dd class="number" data-fact=${field}>${format(results[field])}${beside(results[field], then?.[field], (value) => format(value))}</dd></div>`,
    )}
    </dl>`;
  }

  private traffic(results: TrainingStepResults): TemplateResult | typeof nothing {
    const rows = results.traffic.filter((row) => row.scale_up_bytes + row.network_bytes > 0);
    if (rows.length === 0) return nothing;
    const head = (path: string, name: string) =>
      html`<th scope="col">${meaning(this.scenario, "training_step", `traffic.${path}`, name)}</th>`;
    return html`<section aria-labelledby="traffic-title">
      <h3 id="traffic-title">Traffic of a step</h3>
      <div class="scroll" tabindex="0" role="group" aria-label="Traffic of a step">
        <table><thead><tr><th scope="col">Dimension</th>${head("scale_up_bytes", "In the node")}${head("network_bytes", "Network")}${head(
          "exposed_ms",
          "Exposed",
        )}${head("step_share_percent", "Of the step")}</tr></thead>
        <tbody>${rows.map(
          (row) => html`<tr><th scope="row">${dimensions[row.dimension]}</th><td>${bytes(row.scale_up_bytes, 3)}</td>
          <td>${bytes(row.network_bytes, 3)}</td><td>${milliseconds(row.exposed_ms, 3)}</td><td>${significant(row.step_share_percent, 2)} %</td></tr>`,
        )}</tbody></table>
      </div>
      <p class="small soft">Sent by each GPU. “Exposed” is what the step waits for: the rest runs beside compute.</p>
    </section>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    // The Cost view's GPUs are one group; here the degrees say how many there are.
    const own = { num_gpus: 0, elasticities: !this.compact };
    const { results, problems, stale } = this.answer("training_step", own);
    if (!results) return html`<p class="small soft">A step needs ${problems.map(({ field }) => field).join(", ")}.</p>`;
    const { values } = this.scenario.inputs("training_step");
    const a = stale ? undefined : this.besides("training_step", own);
    const then = a?.results;
    return html`<section class=${stale ? "stale" : ""} aria-labelledby="step-title">
      <div class="titled"><h2 id="step-title">What the step takes</h2>${formulaLink("training_step")}</div>
      ${this.headline(results)}
      ${
        stale
          ? nothing
          : besideLine(this.scenario.pinned !== undefined, a !== undefined, [
              ["time of a step", results.step_time_ms, then?.step_time_ms, milliseconds],
              ["memory", results.memory_gib, then?.memory_gib, memory],
              [
                "tokens a second of all GPUs",
                results.tokens_per_sec_per_gpu * results.num_gpus,
                then && then.tokens_per_sec_per_gpu * then.num_gpus,
                (value) => exact(Math.round(value)),
              ],
            ])
      }
      <div class="fields budget no-print">${fieldControl(this.scenario, "token_budget", problems, { label: "Tokens to train on" })}</div>
      ${this.facts(results, then)}
      ${
        this.compact
          ? nothing
          : html`<div class="pairs">
        <commcost-stacked-bars part="chart" .spec=${besideBars(stepBars(results), then && stepBars(then))}></commcost-stacked-bars>
        <commcost-stacked-bars part="chart" .spec=${besideBars(memoryBars(results), then && memoryBars(then))}></commcost-stacked-bars>
        <commcost-bar-chart part="chart" .spec=${besideMarks(elasticityBars(results), then && elasticityBars(then))}></commcost-bar-chart>
        ${
          stale
            ? nothing
            : html`<commcost-line-chart part="chart" .spec=${besideLines(
                bandwidthCurves(this.scenario, { ...values, ...own }, results),
                a && bandwidthCurves(a.scenario, a.inputs, a.results),
              )}></commcost-line-chart>`
        }
        ${this.traffic(results)}
      </div>`
      }
    </section>`;
  }

  static override styles = [
    theme,
    base,
    headlineStyles,
    fieldStyles,
    comparisonStyles,
    css`
    :host { display: block; container-type: inline-size; min-width: 0; }
    h2 { margin-bottom: 0.5rem; }
    h3 { margin-bottom: 0.4rem; }
    .headline { font-size: clamp(1.1rem, 1rem + 0.8cqi, 1.35rem); max-width: 52ch; margin: 0; }
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
    @media print { .pairs { grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1rem 2rem; } }
  `,
  ];
}

define("commcost-step", StepSection);
