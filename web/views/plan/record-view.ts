import type { PlanResults, Problem } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { answerFrame } from "../../elements/answer-frame.js";
import { define } from "../../elements/define.js";
import { launchesOf, launchFolds } from "./copy.js";
import { pinsInWords } from "../../elements/pin-words.js";
import { provenanceOf } from "../../elements/provenance.js";
import { stackName } from "../../elements/stack-words.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { viewStyles } from "../../elements/view-styles.js";
import { inShort } from "../../figures/layout-words.js";
import { nearest, type Placed } from "../../scoreboard/nearest.js";
import { type Run, unpacked } from "../../scoreboard/runs.js";
import { namesOf, runName } from "../../scoreboard/words.js";
import { change, exact } from "../../state/format.js";
import { decidedOf, layoutOf, type PlanRow } from "../../state/planned-layout.js";
import { hardware } from "../../state/presets.js";
import { run } from "../../state/run.js";
import { stepFigures } from "../../state/step.js";
import { questionOf, trained, type Trained } from "../../state/trained.js";
import { planHeadline, planUnder } from "./sentences.js";
import { asNearest, assumptions, question, whyNot } from "./record-sentences.js";
import styles from "./record-view.css?inline";

declare const VERSION: string;

const runnersUp = 3;
const runsShown = 3;

/**
 * A plan on one page, to be printed or linked: question, answer, why not the others, what it is based on, and the
 * launch.
 */
export class RecordView extends ScenarioView {
  static override properties = { ...ScenarioView.properties, runs: { state: true } };

  /** Measured runs, once they have loaded. */
  declare runs: readonly Run[] | undefined;
  private fasterWords: ((scenario: Trained, found: PlanResults) => string) | undefined;
  /** The last answer, with its question. */
  private shown: { inputs: Record<string, unknown>; results: PlanResults } | undefined;
  /** Why there is none, for a completely pinned layout: there was no search that could have said so. */
  private wrong: readonly Problem[] = [];
  private laid: Trained | undefined;
  private readonly onLaid = () => this.requestUpdate();

  /** The scenario with its layout; its plan is the search's result. */
  private get job(): Trained {
    return this.laid ?? trained(this.scenario);
  }

  override get outcome() {
    const { job } = this;
    const problems = [...job.refused, ...this.wrong];
    if (problems.length > 0) return { problems };
    return job.isCurrent || job.nothing ? this.shown : undefined;
  }

  protected override firstUpdated(): void {
    void Promise.all([import("virtual:scoreboard"), import("./faster-runs.js")]).then(
      ([{ steps }, { fasterWords }]) => {
        this.fasterWords = fasterWords;
        this.runs = unpacked<Run>(steps);
      },
    );
  }

  protected override willUpdate(): void {
    super.willUpdate();
    if (!this.scenario || !this.isConnected) return;
    const laid = trained(this.scenario);
    if (laid !== this.laid) {
      this.laid?.removeEventListener("change", this.onLaid);
      this.laid = laid;
      // The page's own comes as the scenario itself.
      if (laid !== this.scenario) laid.addEventListener("change", this.onLaid);
      laid.search();
    }
    this.wrong = [];
    if (!laid.isCurrent && !laid.nothing) return;
    const { values, problems } = questionOf(laid.page);
    // A completely pinned layout is all that there is to find.
    const asked = problems.length > 0 || !laid.found ? run(laid.page, "plan") : undefined;
    const results = asked ? asked.results : laid.found;
    this.wrong = asked?.problems ?? [];
    this.shown = results && { inputs: values, results };
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.laid?.removeEventListener("change", this.onLaid);
    this.laid = undefined;
  }

  private placed(best: PlanRow): Placed {
    const scenario = this.job;
    const accelerator = scenario.text("accelerator");
    const ledger = run(scenario, "communication_ledger", layoutOf(best, scenario, "communication_ledger"));
    return {
      recipe: scenario.text("recipe"),
      accelerator,
      generation: hardware(scenario).accelerators.find(({ id }) => id === accelerator)?.generation ?? "",
      precision: decidedOf(best)["matmul_precision"] ?? scenario.text("matmul_precision"),
      num_experts: scenario.number("num_experts") || 1,
      num_gpus: scenario.number("cluster_gpus"),
      parameters_billion: (ledger.results?.parameters ?? 0) / 1e9,
      tensor_parallel: best.tensor_parallel,
      pipeline_parallel: best.pipeline_parallel,
      context_parallel: best.context_parallel,
      expert_parallel: best.expert_parallel,
    };
  }

  private others(found: PlanResults): TemplateResult {
    const [first, ...rest] = found.layouts;
    const rows = rest.slice(0, runnersUp);
    return html`<section aria-labelledby="others-title"><h2 id="others-title">Runners-up, and why not</h2>
      ${
        rows.length === 0
          ? html`<p>The search found no other family of layouts.</p>`
          : html`<ol start="2">${rows.map((row) => html`<li data-runner-up><b>${inShort(row)}</b>, ${stepFigures.time(row)} (${stepFigures.range(row)}). ${whyNot(row, first!)}</li>`)}</ol>`
      }</section>`;
  }

  private near(best: PlanRow): readonly Run[] {
    return nearest(this.runs ?? [], (one) => one, this.placed(best), runsShown);
  }

  /** What published runs say about the answer: whether one is faster, and how far off the nearest would put it. */
  private against(found: PlanResults): TemplateResult | typeof nothing {
    const [best] = found.layouts;
    if (!best || !this.runs) return nothing;
    const faster = this.fasterWords?.(this.job, found);
    return html`${faster ? html`<p class="under" data-result="faster">${faster}</p>` : nothing}
      <p class="under" data-result="nearest">${asNearest(this.near(best), best)}</p>`;
  }

  private measured(best: PlanRow): TemplateResult | typeof nothing {
    if (!this.runs) return nothing;
    const near = this.near(best);
    const names = namesOf(this.job.engine);
    return html`<section aria-labelledby="runs-title"><h2 id="runs-title">Nearest measured runs</h2>
      <div class="scroll" tabindex="0" role="group" aria-label="Nearest measured runs"><table><thead><tr><th scope="col" class="text">Run</th><th scope="col">Measured</th><th scope="col">Predicted</th><th scope="col">Off by</th></tr></thead>
      <tbody>${near.map(
        (
          one,
        ) => html`<tr data-run><th scope="row" class="text">${runName(one, names)}, ${exact(one.global_batch_size)} × ${exact(one.sequence_length)}, ${one.stack} <span class="soft">${one.source}</span></th>
          <td>${stepFigures.time({ step_time_ms: one.measured_ms })}</td><td>${stepFigures.time({ step_time_ms: one.predicted_ms })}</td><td>${change((100 * one.predicted_ms) / one.measured_ms - 100)}</td></tr>`,
      )}</tbody></table></div></section>`;
  }

  /** Every stack's launch to copy; on paper that of the scenario's own stack, if there is one. */
  private launches(best: PlanRow): TemplateResult {
    const scenario = this.job;
    const all = launchesOf(scenario, best);
    const own = all.find(({ format }) => scenario.text("recipe").startsWith(format.split("_")[0]!))?.launch.text;
    return html`<section aria-labelledby="launch-title"><h2 id="launch-title">Launch</h2>
      ${launchFolds(scenario, all)}
      ${own ? html`<pre class="on-paper">${own.replaceAll(/ \\\n\s*/g, " ")}</pre>` : html`<p class="on-paper">No launch is written for ${stackName(scenario)}.</p>`}</section>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { job: scenario, shown } = this;
    const found = shown?.results;
    const best = found?.layouts[0];
    const gpus = scenario.number("cluster_gpus");
    const pins = shown ? pinsInWords(scenario, shown.inputs) : "";
    const { link } = provenanceOf(scenario);
    return answerFrame(this, {
      headline: found
        ? html`<p class="under" data-question>${question(scenario)}</p>
          ${planHeadline(scenario, found, gpus, pins)}`
        : this.wrong.length > 0
          ? nothing
          : html`<p part="headline" class="headline soft">Searching…</p>`,
      under: found ? html`${planUnder(scenario, found, gpus, 0, pins)}${this.against(found)}` : nothing,
      rest:
        found && best
          ? html`<div class="record">${this.others(found)}
            <section aria-labelledby="assumed-title"><h2 id="assumed-title">Assumptions</h2><ul>${assumptions(scenario, found).map((one) => html`<li>${one}</li>`)}</ul></section>
            ${this.measured(best)}${this.launches(best)}
            <p class="small soft" data-dated>commcost ${VERSION}, ${new Date().toISOString().slice(0, 10)}.${link ? html` <a href=${link}>This record as a link</a>` : nothing}</p>
            <p class="no-print"><button type="button" @click=${() => print()}>Print</button></p></div>`
          : nothing,
      // On the page they are shown above every part of Train.
      problems: [...(scenario.alone ? scenario.refused : []), ...this.wrong].map((problem) =>
        scenario.page.renamed("plan", problem),
      ),
      stale: scenario.alone && !scenario.isCurrent,
      calculations: ["plan"],
    });
  }

  static override styles = [viewStyles, unsafeCSS(styles)];
}

define("commcost-record", RecordView);
