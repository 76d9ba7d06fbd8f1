import type { FitServingResults, Problem, ServingLoadResults } from "#engine";
import { LitElement, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import "../../charts/line-chart.js";
import type { LineChartSpec } from "../../charts/line-chart.js";
import "../../elements/drop-place.js";
import type { GivenEvent } from "../../elements/drop-place.js";
import { define } from "../../elements/define.js";
import { FileReading } from "../../elements/file-reading.js";
import { formulaLink } from "../../elements/formula-link.js";
import given from "../../elements/given.css?inline";
import { labelOf } from "../../elements/labels.js";
import { saidProblem } from "../../elements/problem-words.js";
import { base, theme } from "../../elements/theme.js";
import { Background } from "../../state/background.js";
import { change, millisecondUnits, ms, significant } from "../../state/format.js";
import {
  applyServingFit,
  benchmarkInWords,
  type Compared,
  catalogModel,
  deployedInputs,
  loadInputs,
  measuredInputs,
  middleOf,
  ownBenchmark,
  servingFitInForce,
  stopServingFit,
  unfittedInputs,
} from "../../state/own-benchmark.js";
import { own, type OwnLoad } from "../../state/own.js";
import { servingName } from "../../state/serving.js";
import type { Session } from "../../state/session.js";
import { serversInWords, type Row } from "./answer.js";
import { benchmarkLead, fitLead, loadInWords } from "./benchmark-sentences.js";
import { deploymentName } from "../../figures/deployment-name.js";
import styles from "./own-benchmark.css?inline";

const rate = (value: number) => significant(value, 3);

/** The compared figures of a load: measured and predicted. */
const columns: readonly [
  string,
  (load: OwnLoad) => number,
  (predicted: ServingLoadResults) => number,
  (value: number) => string,
][] = [
  ["requests/s", ({ answered_per_sec }) => answered_per_sec, ({ requests_per_sec }) => requests_per_sec, rate],
  ["TPOT P50", ({ token }) => middleOf(token), ({ token }) => token.p50_ms, ms],
  ["TPOT P99", ({ token }) => token.p99_ms, ({ token }) => token.p99_ms, ms],
  ["TTFT P50", ({ first_token }) => middleOf(first_token), ({ first_token }) => first_token.p50_ms, ms],
  ["TTFT P99", ({ first_token }) => first_token.p99_ms, ({ first_token }) => first_token.p99_ms, ms],
];

/** The reader's own benchmark of a server: next to the prediction at each load, and what it calibrates. */
export class OwnBenchmark extends LitElement {
  static override properties = {
    scenario: { attribute: false },
    rows: { attribute: false },
    given: { attribute: false },
    compared: { state: true },
    fit: { state: true },
    problems: { state: true },
    running: { state: true },
  };

  declare scenario: Session;
  declare rows: readonly Row[];
  /** A file that was dropped next to it. */
  declare given: File | undefined;
  declare private compared: Compared[];
  declare private fit: FitServingResults | undefined;
  declare private problems: readonly Problem[];
  declare private running: boolean;
  private background: Background | undefined;
  private asked = "";
  private readonly reading = new FileReading(this, () => this.requestUpdate());

  constructor() {
    super();
    this.compared = [];
    this.problems = [];
    this.running = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.halt();
    this.asked = "";
  }

  private halt(): void {
    this.background?.stop();
    this.background = undefined;
    this.running = false;
  }

  /** The deployment that was measured: as given, otherwise the answer. */
  private get row(): Row {
    const said = ownBenchmark()?.deployment;
    return this.rows.find((one) => deploymentName(one) === said) ?? this.rows[0]!;
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("given") && this.given) this.take(this.given);
  }

  private take(given: File | string): void {
    const [file, name] = typeof given === "string" ? [new Blob([given]), "pasted"] : [given, given.name];
    void this.reading.take(this.scenario, file, name);
  }

  private readonly onRemove = () => {
    stopServingFit(this.scenario);
    own.remove("benchmark");
    this.reading.say("");
  };

  protected override willUpdate(): void {
    const held = ownBenchmark();
    if (!this.isConnected || !held || this.rows.length === 0) return this.halt();
    const inputs = deployedInputs(this.scenario, this.row);
    const asked = JSON.stringify([inputs, this.row.replicas, held.loads]);
    if (asked === this.asked) return;
    this.asked = asked;
    this.halt();
    this.compared = [];
    this.fit = undefined;
    this.problems = [];
    this.running = true;
    void this.compare(inputs, held.loads, asked);
  }

  private async compare(inputs: Record<string, unknown>, loads: readonly OwnLoad[], asked: string): Promise<void> {
    const background = (this.background = new Background(this.scenario.engine));
    const current = () => asked === this.asked && background === this.background;
    for (const load of loads) {
      const answer = await background.run("serving_load", { ...inputs, ...loadInputs(load, this.row) });
      if (!answer || !current()) return;
      this.compared = [...this.compared, { load, predicted: answer.results }];
      if (answer.problems) this.problems = answer.problems;
    }
    const measured = loads
      .map((load) => measuredInputs(load, this.row))
      .filter((_, at) => this.compared[at]!.predicted !== undefined);
    if (measured.length > 0) {
      const answer = await background.run("fit_serving", { ...unfittedInputs(inputs), loads: measured });
      if (!answer || !current()) return;
      this.fit = answer.results;
      if (answer.problems) this.problems = answer.problems;
    }
    this.running = false;
  }

  private readonly onDeployment = (event: Event) => {
    own.set("benchmark", { ...ownBenchmark()!, deployment: (event.target as HTMLSelectElement).value });
  };

  private readonly onCancel = () => this.halt();

  private place(): TemplateResult {
    return html`<commcost-drop-place class="no-print" name="benchmark" label=${this.scenario.alone ? "Choose the file, or drop it here:" : "Choose the file, or drop it anywhere:"} accept=".json,.jsonl,application/json"
        @given=${({ given }: GivenEvent) => this.take(given)}>
      <p class="small">Measured this server? The JSON of <code>vllm bench serve --save-result</code>, SGLang’s <code>bench_serving --output-file</code>, GenAI-Perf or GuideLLM is set next to the prediction at each load, and calibrates it. Files are read in your browser. Nothing is uploaded.</p>
      ${this.scenario.alone && ownBenchmark() ? html`<button slot="actions" type="button" @click=${this.onRemove}>Remove the benchmark</button>` : nothing}
    </commcost-drop-place>
    ${this.reading.progress()}<p role="status" class="small soft">${this.reading.says}</p>`;
  }

  private cell(measured: number, predicted: number | undefined, format: (value: number) => string): TemplateResult {
    if (!(measured > 0)) return html`<td>–</td>`;
    return html`<td>${format(measured)}${
      predicted === undefined
        ? nothing
        : html`<br /><span class="soft">${format(predicted)} <span class="small">(${change(100 * (predicted / measured - 1))})</span></span>`
    }</td>`;
  }

  private table(): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="group" aria-label="Loads of your benchmark"><table>
      <thead><tr><th scope="col" class="text">Load</th><th scope="col">in/out</th>${columns.map(([name]) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${this.compared.map(
        ({ load, predicted }) =>
          html`<tr><th scope="row" class="text">${loadInWords(load)}</th><td>${Math.round(load.prompt_tokens)}/${Math.round(load.output_tokens)}</td>${columns.map(
            ([, measured, said, format]) => this.cell(measured(load), predicted && said(predicted), format),
          )}</tr>`,
      )}</tbody></table></div>
      <p class="small soft">Measured, below it predicted and how far that is off. Percentiles of a few hundred requests are uncertain themselves.</p>`;
  }

  private chart(): LineChartSpec {
    const points = this.compared
      .filter(({ load, predicted }) => predicted && middleOf(load.token) > 0 && load.answered_per_sec > 0)
      .sort((one, other) => one.load.answered_per_sec - other.load.answered_per_sec);
    const fitted = this.fit?.moved
      ? points.map(({ load }) => ({ x: load.answered_per_sec, y: this.fittedOf(load) })).filter(({ y }) => y > 0)
      : [];
    return {
      id: "commcost-serve-benchmark",
      title: "Median TPOT against requests/s, measured and predicted.",
      summary: "Dots are your benchmark’s loads; the line is what we predict for them.",
      x: { label: "requests/s answered", scale: "linear", format: rate },
      y: { label: "TPOT P50", scale: "linear", format: ms, units: millisecondUnits },
      series: [
        {
          name: "predicted",
          color: "expected",
          points: points.map(({ load, predicted }) => ({ x: load.answered_per_sec, y: predicted!.token.p50_ms })),
        },
        ...(fitted.length > 1 ? [{ name: "calibrated", color: "plain" as const, dash: "5 3", points: fitted }] : []),
        {
          name: "measured",
          kind: "dots",
          color: "measured",
          points: points.map(({ load }) => ({
            x: load.answered_per_sec,
            y: middleOf(load.token),
            note: loadInWords(load),
          })),
        },
      ],
      table: {
        header: ["requests_per_sec", "max_concurrency", "measured_token_ms", "predicted_token_ms"],
        rows: points.map(({ load, predicted }) => [
          load.requests_per_sec,
          load.max_concurrency,
          middleOf(load.token),
          predicted!.token.p50_ms,
        ]),
      },
    };
  }

  /** Its median TPOT by the fit; 0 if it is not among the fitted. */
  private fittedOf(load: OwnLoad): number {
    const seen = this.compared.filter(({ predicted }) => predicted).findIndex((one) => one.load === load);
    return this.fit?.rows[seen]?.fitted_token_ms ?? 0;
  }

  private unitOf(field: string): string {
    return this.scenario.fields.get(servingName(field)!)?.unit ?? "";
  }

  private calibration(fit: FitServingResults): TemplateResult {
    const { readonly } = this.scenario;
    return html`<p data-fit>${fitLead(fit)}</p>
    ${
      fit.changes.length > 0
        ? html`<ul class="changes">${fit.changes.map(
            ({ field, before, after }) =>
              html`<li>${labelOf(this.scenario, servingName(field)!)}: ${significant(before, 3)} → <b class="number">${significant(after, 3)}</b> ${this.unitOf(field)}</li>`,
          )}</ul>
        <p class="no-print">${
          servingFitInForce(this.scenario, fit)
            ? html`In force in Serve, and in the link. <button ?disabled=${readonly} @click=${() => stopServingFit(this.scenario)}>Stop using it</button>`
            : html`<button ?disabled=${readonly} @click=${() => applyServingFit(this.scenario, fit)}>Use in Serve</button>`
        }</p>`
        : nothing
    }`;
  }

  /** If the file names a model of the catalog that is not the scenario's. */
  private otherModel(loads: readonly OwnLoad[]): TemplateResult | typeof nothing {
    const named = loads[0]!.model;
    const model = catalogModel(this.scenario, named);
    if (model === undefined || model === this.scenario.text("model")) return nothing;
    return html`<p class="warn small">The benchmark is of ${named}; the scenario’s model is another. <button type="button" class="plain" @click=${() => this.scenario.set({ model })}>Use ${model}</button></p>`;
  }

  private comparison(loads: readonly OwnLoad[]): TemplateResult {
    const { compared, fit, running, row } = this;
    const tokens = compared.filter(({ load, predicted }) => predicted && middleOf(load.token) > 0).length;
    return html`<p class="small">${benchmarkInWords(loads).replace(/^a/, "A")}, measured on
        <label class="inline"><span class="visually-hidden">The deployment that was measured</span>
          <select @change=${this.onDeployment}>${this.rows.map(
            (one) =>
              html`<option value=${deploymentName(one)} ?selected=${one === row}>${serversInWords(one)}</option>`,
          )}</select></label></p>
      ${this.otherModel(loads)}
      ${running ? html`<p class="small no-print" role="status"><progress max=${loads.length + 1} value=${compared.length}></progress> Playing your loads <button type="button" @click=${this.onCancel}>Cancel</button></p>` : nothing}
      ${!running && compared.length > 0 ? html`<p data-benchmark="lead">${benchmarkLead(compared, serversInWords(row))}</p>` : nothing}
      ${this.problems.length > 0 ? html`<p class="error">${this.problems.map(({ message }) => saidProblem(this.scenario, message)).join(" ")}</p>` : nothing}
      ${fit ? this.calibration(fit) : nothing}
      ${compared.length > 0 ? this.table() : nothing}
      ${tokens > 1 ? html`<commcost-line-chart part="chart" .spec=${this.chart()}></commcost-line-chart>` : nothing}`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario || this.rows.length === 0) return nothing;
    const held = ownBenchmark();
    return html`<section aria-labelledby="benchmark-title" class=${held ? "" : "no-print"}>
      <div class="titled"><h2 id="benchmark-title">Your own benchmark</h2>${formulaLink("fit_serving")}</div>
      ${held ? this.comparison(held.loads) : nothing}
      ${this.scenario.readonly ? nothing : this.place()}</section>`;
  }

  static override styles = [theme, base, unsafeCSS(given), unsafeCSS(styles)];
}

define("commcost-own-benchmark", OwnBenchmark);
