import type { CommunicationLedgerResults, ModelSizesResults, TrainingStepResults } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import "../../charts/bar-chart.js";
import { besideBars, besideBins, besideLines, besideMarks } from "../../charts/beside.js";
import "../../charts/histogram.js";
import "../../charts/line-chart.js";
import "../../charts/stacked-bars.js";
import { answerFrame } from "../../elements/answer-frame.js";
import { askWhenIdle } from "../../elements/ask-when-idle.js";
import { calibrationNote } from "../../elements/calibration-note.js";
import { beside, besideLine, besidePercent } from "../../elements/comparison.js";
import { factsStyles } from "../../elements/facts.js";
import { formulaLink } from "../../elements/formula-link.js";
import { meaning } from "../../elements/meaning.js";
import "../../elements/missing-part.js";
import { runsNote } from "../../elements/runs-note.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { siteAddress } from "../../elements/site.js";
import { viewStyles } from "../../elements/view-styles.js";
import { Part } from "../../engine/part.js";
import { exact, ms, percent } from "../../state/format.js";
import { perhaps } from "../../state/parts.js";
import { run } from "../../state/run.js";
import type { Compared } from "../../state/compared.js";
import { comparedSteps } from "../../state/compared-steps.js";
import { exposedMs, runOf, runWords, stepFigures } from "../../state/step.js";
import { layoutFacts, ledgerBars, ledgerStyles, ledgerTable, messageSizes, stagesTable } from "./ledger.js";
import { decisionsChart } from "../../figures/decisions.js";
import { pipelineChart } from "./pipeline.js";
import { assumptions, headline, ledgerLead } from "./sentences.js";
import { activationsTable, flopsTable, sizesStyles, sizesTable, zeroTable } from "./sizes.js";
import { bandwidthCurves, elasticityBars, stepMemoryBars, movingRate, ownRate, stepBars } from "./step-charts.js";
import { choiceWord } from "../../elements/labels.js";
import styles from "./step-view.css?inline";
import { define } from "../../elements/define.js";

const calculation = "training_step";
/** How much each rate matters to the step: a few more steps, computed only for what shows it. */
const sensitive = { elasticities: true };

/** Code that loads after the answer. */
const explained = new Part("What explains a step", () => import("./explained.js"));

/** One iteration: where its time and memory go, what would shorten it, and every message that it sends. */
export class StepView extends ScenarioView {
  override get outcome() {
    return run(this.scenario, calculation);
  }

  private under(results: TrainingStepResults): TemplateResult {
    const scoreboard = siteAddress("scoreboard.html");
    return html`<p class="under">${assumptions(this.scenario, results)}${
      results.training_days > 0
        ? html` <span data-fact="training_days">${runWords(this.scenario, runOf(this.scenario, results))}</span>`
        : nothing
    }${scoreboard && !this.scenario.alone ? html` <a class="no-print" href=${scoreboard}>How accurate our predictions are</a>` : nothing}</p>`;
  }

  private compared(
    results: TrainingStepResults,
    then: TrainingStepResults | undefined,
  ): TemplateResult | typeof nothing {
    const { scenario } = this;
    const { pinned } = scenario;
    const figures = comparedSteps(
      scenario.sizes,
      { step: results, run: runOf(scenario, results) },
      pinned && then && { step: then, run: runOf(pinned, then) },
    );
    const exposed: Compared = {
      ...{ what: "Exposed communication", format: percent, as: "points" },
      ...{ now: { value: share(results) }, then: then && { value: share(then) } },
    };
    return besideLine(pinned !== undefined, then !== undefined, [figures[0]!, exposed, ...figures.slice(1)]);
  }

  private figure(results: TrainingStepResults, then: TrainingStepResults | undefined): TemplateResult {
    return html`<div class="pairs">
      <commcost-stacked-bars part="chart" .spec=${besideBars(stepBars(results), then && stepBars(then))}></commcost-stacked-bars>
      <commcost-stacked-bars part="chart" .spec=${besideBars(stepMemoryBars(this.scenario.sizes, results), then && stepMemoryBars(this.scenario.sizes, then))}></commcost-stacked-bars>
    </div>`;
  }

  private facts(results: TrainingStepResults, then: TrainingStepResults | undefined): TemplateResult {
    const whole = (value: number) => exact(Math.round(value));
    const facts = [
      ["Tokens/s/GPU", "tokens_per_sec_per_gpu", whole],
      ["HFU (recomputation counts)", "hfu_percent", percent],
      ["Micro-batches per step", "micro_batches", exact],
      ["Pipeline bubble", "bubble_percent", percent],
    ] as const;
    return html`<dl part="results" class="facts wide">${facts.map(
      ([name, field, format]) => html`<div><dt>${meaning(this.scenario, calculation, field, name)}</dt>
        <dd class="number" data-fact=${field}>${format(results[field])}${
          field.endsWith("percent")
            ? besidePercent(results[field], then?.[field])
            : beside(results[field], then?.[field], (value) => format(value))
        }</dd></div>`,
    )}</dl>`;
  }

  private traffic(results: TrainingStepResults): TemplateResult | typeof nothing {
    const rows = results.traffic.filter((row) => row.scale_up_bytes + row.network_bytes > 0);
    if (rows.length === 0) return nothing;
    const head = (path: string, name: string) =>
      html`<th scope="col">${meaning(this.scenario, calculation, `traffic.${path}`, name)}</th>`;
    return html`<section aria-labelledby="traffic-title">
      <div class="titled"><h2 id="traffic-title">Exposed communication</h2>${formulaLink(calculation)}</div>
      <div class="scroll" tabindex="0" role="group" aria-label="Traffic of a step">
        <table><thead><tr><th scope="col">Dimension</th>${head("scale_up_bytes", "In the node")}${head("network_bytes", "Network")}${head(
          "exposed_ms",
          "Exposed",
        )}${head("step_share_percent", "Of the step")}</tr></thead>
        <tbody>${rows.map(
          (
            row,
          ) => html`<tr><th scope="row">${choiceWord(this.scenario, "dimension", row.dimension)}</th><td>${this.scenario.sizes.bytes(row.scale_up_bytes, 3)}</td>
          <td>${this.scenario.sizes.bytes(row.network_bytes, 3)}</td><td>${ms(row.exposed_ms)}</td><td>${percent(row.step_share_percent)}</td></tr>`,
        )}</tbody>
        <tfoot><tr><th scope="row">total</th><td></td><td></td><td data-result="exposed_ms">${stepFigures.exposed(results)}</td><td>${stepFigures.exposedShare(results)}</td></tr></tfoot></table>
      </div>
      <p class="small soft">Sent by each GPU${results.stage === "only" ? "" : ` of the ${choiceWord(this.scenario, "stage", results.stage)}, which takes longest`}. The rest overlaps with compute.${
        results.parts.exposed_pipeline_ms > 0
          ? html` <span data-stage-waits>Exposed PP time includes waiting for the neighbouring stage at each boundary; the table of messages below times messages alone.</span>`
          : nothing
      }</p>
    </section>`;
  }

  /** Ledgers of the stages that a pipeline has, the one that sends most among them. */
  private stages(busiest: CommunicationLedgerResults): CommunicationLedgerResults[] {
    if (busiest.stage === "only") return [busiest];
    const others = ["first", "inner", "last"].flatMap(
      (stage) => run(this.scenario, "communication_ledger", { stage }).results ?? [],
    );
    // Inner stages may differ: the busiest represents them.
    return others.map((ledger) => (ledger.stage === busiest.stage ? busiest : ledger));
  }

  private ledger(): TemplateResult | undefined {
    const most = { stage: "busiest" };
    const { results } = run(this.scenario, "communication_ledger", most);
    if (!results) return undefined;
    const then = this.besides("communication_ledger", most)?.results;
    const charts = results.rows.length > 0 ? ledgerBars(this.scenario, results) : undefined;
    const theirs = then && then.rows.length > 0 ? ledgerBars(this.scenario, then) : undefined;
    const stages = this.stages(results);
    return html`<section aria-labelledby="ledger-title">
      <div class="titled"><h2 id="ledger-title">Every message</h2>${formulaLink("communication_ledger")}</div>
      ${ledgerLead(this.scenario, results, stages)}
      ${stages.length > 1 ? stagesTable(this.scenario, stages) : nothing}
      ${layoutFacts(this.scenario, results, then)}
      ${
        charts
          ? html`<div class="pairs">
          <commcost-stacked-bars part="chart" .spec=${besideBars(charts, theirs)}></commcost-stacked-bars>
          <commcost-histogram part="chart" .spec=${besideBins(
            messageSizes(this.scenario.sizes, results, then),
            then && messageSizes(this.scenario.sizes, then),
          )}></commcost-histogram></div>
          ${ledgerTable(this.scenario, results, then)}`
          : nothing
      }</section>`;
  }

  private get modelSizes(): ModelSizesResults | undefined {
    return run(this.scenario, "model_sizes", { mode: "training" }).results;
  }

  private flops(): TemplateResult | undefined {
    const results = this.modelSizes;
    return results && html`<section aria-label="FLOPs">${flopsTable(results)}</section>`;
  }

  private sizes(): TemplateResult | undefined {
    const results = this.modelSizes;
    if (!results) return undefined;
    return html`<section aria-labelledby="sizes-title" class="weighs">
      <div class="titled"><h2 id="sizes-title">Model size</h2>${formulaLink("model_sizes")}</div>
      ${sizesTable(this.scenario, results)}
      <div class="pairs">
        <div>${activationsTable(this.scenario, results)}</div>
        <div>${zeroTable(this.scenario, results)}</div>
      </div>
    </section>`;
  }

  /** The schedule of a pipeline: requested if there is one, and no more of it than can be drawn. */
  private pipeline(): TemplateResult | typeof nothing {
    if (this.scenario.number("pipeline_parallel") < 2) return nothing;
    return this.later(() => {
      const { results } = run(this.scenario, calculation, { timeline: true });
      const spec = results && pipelineChart(this.scenario, results);
      return spec && html`<commcost-lane-chart part="chart" .spec=${spec}></commcost-lane-chart>`;
    }, "wide");
  }

  /** The marked point was moved along a rate: the machine's own rate is restored, not typed. */
  private moveRate(factor: number, results: TrainingStepResults): void {
    const rate = movingRate(this.scenario, results);
    if (factor === 1) this.scenario.unset(rate.field);
    else this.scenario.set({ [rate.field]: String(Number((factor * ownRate(this.scenario, rate)).toPrecision(4))) });
  }

  /** What each decision would change, in seconds. */
  private levers(): TemplateResult | undefined {
    const { results } = run(this.scenario, calculation);
    return (
      results &&
      html`<commcost-bar-chart part="chart" data-decisions .spec=${decisionsChart(this.scenario, {}, results)}></commcost-bar-chart>`
    );
  }

  private sensitivity(): TemplateResult | undefined {
    const { results } = run(this.scenario, calculation, sensitive);
    if (!results) return undefined;
    const then = this.besides(calculation, sensitive)?.results;
    return html`<commcost-bar-chart part="chart" .spec=${besideMarks(elasticityBars(results), then && elasticityBars(then))}></commcost-bar-chart>`;
  }

  /** The step over the rate that affects it most. */
  private bandwidths(): TemplateResult | undefined {
    const answer = run(this.scenario, calculation, sensitive);
    if (answer.problems) return undefined;
    const { results, inputs } = answer;
    const a = this.besides(calculation, sensitive);
    return html`<commcost-line-chart part="chart" @change=${({ detail }: CustomEvent<{ x: number }>) => this.moveRate(detail.x, results)} .spec=${besideLines(
      bandwidthCurves(this.scenario, inputs, results),
      a && bandwidthCurves(a.scenario, a.inputs, a.results),
    )}></commcost-line-chart>`;
  }

  /** Everything that a compact view leaves out. */
  private rest(results: TrainingStepResults, then: TrainingStepResults | undefined): TemplateResult {
    askWhenIdle(explained);
    return html`${this.facts(results, then)}
      <commcost-missing .of=${explained}></commcost-missing>
      <commcost-how-sure exportparts="chart" .scenario=${this.scenario}></commcost-how-sure>
      ${this.pipeline()}
      ${this.traffic(results)}
      ${this.later(() => this.levers())}
      ${this.later(() => this.sensitivity())}
      ${this.later(() => this.bandwidths())}
      <commcost-layer-roofline exportparts="chart" .scenario=${this.scenario}></commcost-layer-roofline>
      <commcost-step-growth class="wide" exportparts="chart" .scenario=${this.scenario}></commcost-step-growth>
      ${this.later(() => this.ledger(), "wide")}
      ${this.later(() => this.flops())}
      ${this.later(() => this.sizes(), "wide")}`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { results, problems, stale } = this.answer(calculation);
    const then = stale ? undefined : this.besides(calculation)?.results;
    const figure = results && !this.compact ? this.figure(results, then) : nothing;
    return answerFrame(this, {
      headline: results && headline(this.scenario, results),
      under:
        results &&
        html`${this.under(results)}${stale ? nothing : this.compared(results, then)}${calibrationNote(this.scenario, "The step’s time follows it.", true)}${runsNote(this.scenario)}`,
      figure,
      rest: results && !this.compact ? perhaps(this.scenario, () => this.rest(results, then)) : nothing,
      problems,
      stale,
      calculations: [calculation],
    });
  }

  static override styles = [viewStyles, factsStyles, ledgerStyles, sizesStyles, unsafeCSS(styles)];
}

const share = (results: TrainingStepResults): number => (100 * exposedMs(results)) / results.step_time_ms;

define("commcost-step", StepView);
// Its former name: an element of its own, since a class has only one tag.
define("commcost-training", class extends StepView {});
