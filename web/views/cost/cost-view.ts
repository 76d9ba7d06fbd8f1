import type { FieldDescription, Problem, TensorParallelAllreduceCostResults } from "#engine";
import { css, html, nothing, type TemplateResult } from "lit";
import { download } from "../../charts/export.js";
import "../../charts/line-chart.js";
import { besideLines } from "../../charts/beside.js";
import { headlineStyles, resultStyles } from "../../elements/answer-styles.js";
import { beside, besideLine, comparisonStyles } from "../../elements/comparison.js";
import { fieldControl, fieldStyles, problemSummary } from "../../elements/field.js";
import { formulaLink } from "../../elements/formula-link.js";
import { labelOf } from "../../elements/labels.js";
import { derivation, mathStyles } from "../../elements/math.js";
import { meaning } from "../../elements/meaning.js";
import { define, ScenarioView } from "../../elements/scenario-view.js";
import { base, theme } from "../../elements/theme.js";
import { calibrationNote } from "../../elements/calibration-note.js";
import { systemOf } from "../../state/machine.js";
import { bytes, everyWay, exact, milliseconds, plain, quantity } from "../../state/format.js";
import { run } from "../../state/run.js";
import "./answers.js";
import { costCharts } from "./charts.js";
import { costDerivation } from "./derivation.js";
import { expectedLine } from "./expected.js";
import { presetControl } from "../../elements/preset-picker.js";
import { pythonCall } from "./python.js";

const calculation = "tensor_parallel_allreduce_cost";
const machineFields = ["accelerator", "gpus_per_node", "nic_gb_per_sec"];

/** The exercise: its four numbers, how they come about, how they grow, and a check of the reader's own. */
export class CostView extends ScenarioView {
  static override properties = {
    ...ScenarioView.properties,
    copied: { state: true },
    answered: { state: true },
  };

  declare copied: string;
  /** Whether the answer has been on the screen: what explains it comes a frame later. */
  declare answered: boolean;

  constructor() {
    super();
    this.copied = "";
    this.answered = false;
  }

  protected override firstUpdated(): void {
    requestAnimationFrame(() => setTimeout(() => (this.answered = true)));
  }

  override get outcome() {
    return run(this.scenario, calculation);
  }

  private get description() {
    return this.scenario.engine.describe()[calculation]!;
  }

  private async copy(what: string, text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.copied = `${what} copied`;
    } catch {
      this.copied = "Copying is not allowed here: select the text instead";
    }
    setTimeout(() => (this.copied = ""), 4000);
  }

  private headline(inputs: Record<string, number>, results: TensorParallelAllreduceCostResults): TemplateResult {
    const { num_gpus: gpus, num_layers: layers, allreduces_per_layer: calls } = inputs;
    const tell = (name: string, text: string) => meaning(this.scenario, calculation, name, text);
    if (gpus === 1) {
      return html`<p part="headline" class="headline">One GPU has nobody to send to: tensor parallelism costs nothing, and brings nothing.</p>`;
    }
    return html`<p part="headline" class="headline">A forward pass spends <b class="number">${tell("total_comm_time_ms", milliseconds(results.total_comm_time_ms))}</b>
      on all-reduces: each of ${exact(gpus!)} GPUs sends <b class="number">${tell("total_comm_volume_bytes", bytes(results.total_comm_volume_bytes))}</b>,
      ${exact(layers! * calls!)} times ${bytes(results.comm_volume_per_allreduce_bytes)}.</p>`;
  }

  private resultTable(
    results: TensorParallelAllreduceCostResults,
    then: TensorParallelAllreduceCostResults | undefined,
  ): TemplateResult {
    const rows = this.description.results as (FieldDescription & { name: keyof TensorParallelAllreduceCostResults })[];
    return html`<dl part="results" class="results">${rows.map((field) => {
      const value = results[field.name];
      const human = (number: number) => (field.unit === "bytes" ? everyWay(number) : quantity(number, field.unit));
      return html`<div>
        <dt>${meaning(this.scenario, calculation, field.name, labelOf(field.name))}<br /><code>${field.name}</code></dt>
        <dd><span class="exact number" data-result=${field.name}>${plain(value)}</span><span class="human number">${human(value)}</span>
          ${beside(value, then?.[field.name], (number) => quantity(number, field.unit))}</dd>
      </div>`;
    })}</dl>`;
  }

  private inputs(problems: readonly Problem[]): TemplateResult {
    const { scenario } = this;
    const names = this.description.inputs.map((field) => field.name);
    return html`<form part="inputs" class="inputs" @submit=${(event: Event) => event.preventDefault()} aria-label="Inputs">
      ${
        scenario.readonly
          ? nothing
          : html`<div class="fields presets">
        ${presetControl(scenario, "model", "Model", names)}
        ${presetControl(scenario, "link", "Link", names)}
        ${presetControl(scenario, "system", "Machine to expect it on", machineFields, systemOf(scenario))}
      </div>`
      }
      <div class="fields">${names.map((name) => fieldControl(scenario, name, problems))}</div>
      ${problemSummary(problems, names)}
      ${calibrationNote(scenario, "What to expect follows it; the textbook’s four numbers do not.")}
    </form>`;
  }

  private exports(inputs: Record<string, unknown>, results: TensorParallelAllreduceCostResults): TemplateResult {
    const python = pythonCall(calculation, this.description.inputs, inputs, this.description.results, results as never);
    const json = JSON.stringify({ calculation, inputs, results }, null, 2);
    return html`<section part="call" aria-labelledby="python-title">
      <h2 id="python-title">The call</h2>
      <pre class="code scroll" tabindex="0" role="group" aria-label="The call as Python"><code>${python}</code></pre>
      <p class="no-print">
        <button @click=${() => this.copy("Python", python)}>Copy as Python</button>
        <button @click=${() => this.copy("JSON", json)}>Copy as JSON</button>
        <button @click=${() => download("commcost.json", json, "application/json")}>Save JSON</button>
        <span role="status" class="small">${this.copied}</span>
      </p>
    </section>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { results, problems, stale } = this.answer(calculation);
    const { values } = this.scenario.inputs(calculation);
    const a = this.besides(calculation);
    const shown = results && { inputs: stale ? this.shownInputs : (this.shownInputs = this.complete(values)), results };
    return html`
      <div class="answer ${stale ? "stale" : ""}">
        ${
          shown
            ? html`
          ${stale ? html`<p class="small stale-note" role="status">The last answer that could be given, until the inputs are right again:</p>` : nothing}
          ${this.headline(shown.inputs, shown.results)}
          ${
            stale
              ? nothing
              : besideLine(this.scenario.pinned !== undefined, a !== undefined, [
                  ["time", shown.results.total_comm_time_ms, a?.results.total_comm_time_ms, milliseconds],
                  ["bytes sent", shown.results.total_comm_volume_bytes, a?.results.total_comm_volume_bytes, bytes],
                ])
          }
          ${stale ? nothing : expectedLine(this.scenario, shown.inputs, shown.results.message_size_bytes, shown.results.total_comm_time_ms)}
          ${this.resultTable(shown.results, stale ? undefined : a?.results)}`
            : nothing
        }
      </div>
      ${this.inputs(problems)}
      ${shown && this.answered ? this.body(shown.inputs, shown.results, stale) : nothing}`;
  }

  private shownInputs: Record<string, number> = {};

  /** The inputs with defaults put in, as the engine calculates. */
  private complete(values: Record<string, unknown>): Record<string, number> {
    return Object.fromEntries(
      this.description.inputs.map((field) => [field.name, (values[field.name] ?? field.default) as number]),
    );
  }

  private body(
    inputs: Record<string, number>,
    results: TensorParallelAllreduceCostResults,
    stale: boolean,
  ): TemplateResult {
    const charts = this.compact ? undefined : costCharts(this.scenario, inputs, results);
    const a = this.compact ? undefined : this.besides(calculation);
    const theirs = a && costCharts(a.scenario, this.complete(a.inputs), a.results);
    return html`<div class="body ${stale ? "stale" : ""}">
      ${
        charts
          ? html`<section class="charts" aria-label="Charts">
        <commcost-line-chart part="chart" .spec=${besideLines(charts.time, theirs?.time)}></commcost-line-chart>
        <commcost-line-chart part="chart" .spec=${besideLines(charts.volume, theirs?.volume)}></commcost-line-chart>
      </section>`
          : nothing
      }
      <section aria-labelledby="derivation-title">
        <div class="titled"><h2 id="derivation-title">How it comes about</h2>${formulaLink(calculation)}</div>
        ${derivation(costDerivation(inputs, results))}
      </section>
      <div class="aside">
        <section part="check" class="no-print" aria-labelledby="check-title">
          <div class="titled"><h2 id="check-title">Check your own answers</h2>${formulaLink("check_answers")}</div>
          <p class="small soft">Each is compared to four decimals; where it differs, the mistake that gives exactly your number is named.</p>
          <commcost-answer-check .scenario=${this.scenario} .inputs=${inputs}></commcost-answer-check>
        </section>
        ${this.exports(inputs, results)}
      </div>
    </div>`;
  }

  static override styles = [
    theme,
    base,
    headlineStyles,
    resultStyles,
    fieldStyles,
    mathStyles,
    comparisonStyles,
    css`
    :host { display: block; container-type: inline-size; }
    .expected { margin: -0.4rem 0 1rem; max-width: 72ch; }
    .expected b { font-weight: 600; color: var(--accent); }
    .inputs { border-block: 1px solid var(--rule); padding: 0.9rem 0 0.5rem; display: grid; gap: 0.5rem; }
    .presets { grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); }
    .body { display: grid; gap: 1.75rem 2.5rem; margin-top: 1.5rem; }
    .body > section, .aside > section { min-width: 0; }
    .aside { display: grid; gap: 1.5rem; align-content: start; min-width: 0; }
    h2 { margin-bottom: 0.6rem; }
    .charts { display: grid; gap: 1.5rem 2.5rem; grid-template-columns: repeat(auto-fit, minmax(min(21rem, 100%), 1fr)); }
    pre { background: var(--paper-raised); padding: 0.6rem 0.75rem; margin: 0; white-space: pre-wrap; }
    .stale, .stale * { color: var(--ink-soft); }
    .stale .headline b { color: inherit; font-weight: 400; }
    .stale .stale-note { color: var(--bad); font-family: var(--sans); margin: 0 0 0.5rem; }
    @container (min-width: 54rem) {
      .body { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
      .charts { grid-column: 1 / -1; }
    }
    @media print {
      .body { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1rem 1.5rem; }
      .charts { grid-template-columns: 1fr 1fr; grid-column: 1 / -1; }
      .presets { display: none; }
      .results { grid-template-columns: repeat(4, minmax(0, 1fr)); }
      .results code { font-size: 0.65rem; }
    }
  `,
  ];
}

define("commcost-cost", CostView);
