import { html, nothing, type TemplateResult } from "lit";
import { answerFrame } from "../../elements/answer-frame.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { viewStyles } from "../../elements/view-styles.js";
import { milliseconds, percent } from "../../state/format.js";
import { own } from "../../state/own.js";
import { ownCurve } from "../../state/own-log.js";
import { fitOwnRuns, ownRuns } from "../../state/own-runs.js";
import { run } from "../../state/run.js";
import type { Session } from "../../state/session.js";
import { trained, type Trained } from "../../state/trained.js";
import "./calibrate.js";
import "./own-runs.js";
import "./trace/trace-section.js";
import { define } from "../../elements/define.js";

/** What was measured against what is expected: "13 % slower", "4.0 % faster". */
const slower = (measured: number, expected: number): string => {
  const more = 100 * (measured / expected - 1);
  return `${percent(Math.abs(more), 2)} ${more < 0 ? "faster" : "slower"}`;
};

/** What the reader's own files say, held against what is expected of their job. */
export class DiagnoseView extends ScenarioView {
  private laid: Trained | undefined;
  private readonly onOther = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    own.addEventListener("change", this.onOther);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    own.removeEventListener("change", this.onOther);
    this.laid?.removeEventListener("change", this.onOther);
    this.laid = undefined;
  }

  /** The job that files are held against: with the layout that is pinned, or that the search chose. */
  private get job(): Session {
    if (this.scenario.alone) return this.scenario;
    if (!this.laid) {
      this.laid = trained(this.scenario);
      this.laid.addEventListener("change", this.onOther);
      this.laid.search();
    }
    return this.laid;
  }

  /** The last run that was given, against what its own job is expected to take. */
  private ofRuns(): TemplateResult | undefined {
    const { runs } = ownRuns();
    const row = fitOwnRuns(this.job)?.results?.rows.at(-1);
    const last = runs.at(-1);
    if (!last || !row) return undefined;
    return html`<p part="headline" class="headline">${runs.length > 1 ? `The last of your ${runs.length} runs` : "Your run"} took <b class="number">${milliseconds(last.measured_step_ms, 3)}</b> a step,
      <b class="number" data-result="slower">${slower(last.measured_step_ms, row.recipe_step_ms)}</b> than the ${milliseconds(row.recipe_step_ms, 3)} expected of it.</p>`;
  }

  private ofTrace(): TemplateResult | undefined {
    const trace = own.get("trace");
    const expected = run(this.job, "training_step").results;
    const device = trace?.devices[0];
    if (!trace || !device || !expected) return undefined;
    const measured = device.breakdown.total_us / 1e3 / trace.steps;
    return html`<p part="headline" class="headline">A step in your profile took <b class="number">${milliseconds(measured, 3)}</b>,
      <b class="number" data-result="slower">${slower(measured, expected.step_time_ms)}</b> than the ${milliseconds(expected.step_time_ms, 3)} expected of this job.</p>`;
  }

  private ofLog(): TemplateResult | undefined {
    const curve = own.get("log") && ownCurve(this.scenario);
    if (!curve) return undefined;
    return html`<p part="headline" class="headline">Your log has <b class="number">${curve.time_us.length}</b> sizes of ${curve.collective.replaceAll("_", "-")} on <b class="number">${curve.num_gpus}</b> GPUs; the fit below says how they compare.</p>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { job } = this;
    const waiting = job !== this.scenario && !(job as Trained).known;
    return answerFrame(this, {
      headline:
        (waiting ? undefined : (this.ofRuns() ?? this.ofTrace())) ??
        this.ofLog() ??
        html`<p part="headline" class="headline">Why is it slower than it should be? Drop a training log, a profile or an nccl-tests log, and see it next to what is expected.</p>`,
      under: html`<p class="under small soft">Files are read in your browser. Nothing is uploaded.</p>`,
      rest: html`${
        waiting
          ? nothing
          : html`${this.scenario.alone ? nothing : html`<commcost-own-runs class="wide" .scenario=${job}></commcost-own-runs>`}
      <commcost-trace class="wide" exportparts="chart" .scenario=${job}></commcost-trace>`
      }
      ${this.scenario.readonly ? nothing : html`<commcost-calibrate class="wide" .scenario=${this.scenario}></commcost-calibrate>`}`,
      problems: [],
      stale: false,
      calculations: ["training_step"],
    });
  }

  static override styles = viewStyles;
}

define("commcost-diagnose", DiagnoseView);
