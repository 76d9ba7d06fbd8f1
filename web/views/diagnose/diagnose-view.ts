import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { answerFrame } from "../../elements/answer-frame.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { viewStyles } from "../../elements/view-styles.js";
import "../../charts/stacked-bars.js";
import { FileReading } from "../../elements/file-reading.js";
import { layoutNote } from "../../elements/layout-note.js";
import { choiceWord, labelOf } from "../../elements/labels.js";
import { layoutWords, modelWords, workWords } from "../../elements/scenario-words.js";
import { headlineOf, underOf } from "../../state/diagnosis/words.js";
import { linkTo } from "../../state/link.js";
import { own } from "../../state/own.js";
import type { Session } from "../../state/session.js";
import { resumeJob } from "../../state/take-job.js";
import { trained, type Trained } from "../../state/trained.js";
import { diagnosis, type GivenFile, givenFiles } from "./measured.js";
import { waterfall } from "./waterfall.js";
import "./calibrate.js";
import "./calibration.js";
import "./causes.js";
import "./memory-section.js";
import "./own-runs.js";
import styles from "./diagnose.css?inline";
import "./trace/trace-section.js";
import { define } from "../../elements/define.js";

/** The reader's own files, compared with the prediction for their job. */
export class DiagnoseView extends ScenarioView {
  private laid: Trained | undefined;
  private readonly onOther = () => this.requestUpdate();
  private readonly reading = new FileReading(this);

  override connectedCallback(): void {
    super.connectedCallback();
    own.addEventListener("change", this.onOther);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    own.removeEventListener("change", this.onOther);
    for (const event of ["change", "progress"]) this.laid?.removeEventListener(event, this.onOther);
    this.laid = undefined;
  }

  /** The job that files are compared with: with the layout that is pinned, or that the search chose. */
  private get job(): Session {
    if (this.scenario.alone) return this.scenario;
    if (!this.laid) {
      this.laid = trained(this.scenario);
      for (const event of ["change", "progress"]) this.laid.addEventListener(event, this.onOther);
      this.laid.search();
    }
    return this.laid;
  }

  protected override firstUpdated(): void {
    if (this.scenario && !this.scenario.alone && !this.scenario.readonly) resumeJob(this.scenario);
  }

  private give(files: FileList | null): void {
    void this.takeAll([...(files ?? [])]);
  }

  /** One after the other: reading a file aborts the reading of another. */
  private async takeAll(files: readonly File[]): Promise<void> {
    for (const file of files) await this.reading.take(this.scenario, file, file.name);
  }

  /** How much of the job a file gives, and which of that has changed since. */
  private ofJob({ says, differs = [], again }: GivenFile): TemplateResult | typeof nothing {
    if (!says) return nothing;
    const held = Object.keys(says).length - differs.length;
    const word = (input: string, text: string) => choiceWord(this.scenario, input, text);
    const otherwise = differs.map(
      ({ input, file, job }) =>
        `${labelOf(this.scenario, input)} is ${word(input, job)}, ${word(input, file)} in the file`,
    );
    return html`. The job has ${held} ${held === 1 ? "input" : "inputs"} from it, marked <span class="from-file" aria-hidden="true">●</span>${
      otherwise.length > 0
        ? html`<span class="differs">. Changed since: ${otherwise.join("; ")}.
          <button class="plain no-print" @click=${again}>Use the file’s values</button></span>`
        : nothing
    }`;
  }

  /** The files that were given, each with a way to remove it, and a place for more. */
  private files(job: Session): TemplateResult | typeof nothing {
    if (this.scenario.readonly || this.scenario.alone) return nothing;
    const given = givenFiles(this.scenario, job);
    return html`<section class="given" aria-label="Files of the run">
      ${
        given.length > 0
          ? html`<ul class="given-files small">${given.map(
              (file) => html`<li><b>${file.name}</b>: ${file.found}${this.ofJob(file)}
                <button class="plain no-print" aria-label=${`Take ${file.name} away`} @click=${file.remove}>×</button></li>`,
            )}</ul>`
          : nothing
      }
      <p class="no-print small"><label for="run-files">${given.length > 0 ? "Add" : "Choose"} files of the run, or drop them anywhere:</label>
        <input id="run-files" type="file" multiple @change=${(event: Event) => {
          const input = event.target as HTMLInputElement;
          this.give(input.files);
        }} /> ${this.reading.progress()}</p>
      <p role="status" class="small">${this.reading.says}</p></section>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { job } = this;
    const laid = job === this.scenario ? undefined : (job as Trained);
    const waiting = laid?.known === false;
    const answer = waiting ? undefined : diagnosis(job);
    const found = answer?.results;
    const measured = found && found.verdict !== "nothing_measured";
    // While another layout is searched for, the verdict is about the last one.
    const older = found && laid && !laid.isCurrent ? laid : undefined;
    const words = html`The job: ${modelWords(job)}, ${layoutWords(job)}, ${workWords(job)}.`;
    return answerFrame(this, {
      headline: html`<p part="headline" class="headline" data-result="verdict">${
        found
          ? headlineOf(found)
          : "Why is it slower than it should be? Drop what you have of the run: training log, PyTorch profiles or memory snapshots of some ranks, nccl-tests logs, nvidia-smi samples, its launch."
      }</p>`,
      under: html`<p class="under small soft">${found ? underOf(found) : nothing} ${
        measured
          ? words
          : waiting || this.scenario.changes().length === 0
            ? nothing
            : html`${words} Drop the files of its run here: a link holds none.`
      } Files are read in your browser. Nothing is uploaded.</p>`,
      controls: this.files(job),
      figure: measured
        ? html`<commcost-stacked-bars part="chart" data-waterfall .spec=${waterfall(found)}></commcost-stacked-bars>`
        : nothing,
      rest: html`${found ? html`<commcost-causes class="wide" .scenario=${job} .found=${found}></commcost-causes>` : nothing}${
        waiting
          ? nothing
          : html`${this.scenario.alone ? nothing : html`<commcost-calibration class="wide" .scenario=${job} .found=${found}></commcost-calibration>`}${this.scenario.alone ? nothing : html`<commcost-own-runs class="wide no-print" .scenario=${job}></commcost-own-runs>`}
      <commcost-trace class="wide no-print" exportparts="chart" .scenario=${job}></commcost-trace>
      <commcost-memory class="wide no-print" exportparts="chart" .scenario=${job}></commcost-memory>`
      }
      ${this.scenario.readonly ? nothing : html`<commcost-calibrate class="wide no-print" .scenario=${this.scenario}></commcost-calibrate>`}`,
      problems: answer?.problems ?? [],
      sought: older ? layoutNote(this.scenario, older, linkTo(this.scenario, "plan")) : nothing,
      stale: older !== undefined,
      of: "",
      calculations: ["training_step"],
    });
  }

  static override styles = [viewStyles, unsafeCSS(styles)];
}

define("commcost-diagnose", DiagnoseView);
