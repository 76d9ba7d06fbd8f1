import type { FitStepResults } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import "../../elements/drop-place.js";
import { saidProblem } from "../../elements/problem-words.js";
import type { GivenEvent } from "../../elements/drop-place.js";
import { formulaLink } from "../../elements/formula-link.js";
import { FileReading } from "../../elements/file-reading.js";
import { SeenView } from "../../elements/seen-view.js";
import { layoutWords, modelWords, workWords } from "../../elements/scenario-words.js";
import { base, theme } from "../../elements/theme.js";
import { change, milliseconds, ms, percent } from "../../state/format.js";
import type { OwnRun } from "../../state/own.js";
import { addRuns, fitOwnRuns, ownRuns, readRows, removeRun } from "../../state/own-runs.js";
import { changeFiles } from "../../state/take-job.js";
import { isTrainingLog } from "../../state/reader/kinds.js";
import given from "../../elements/given.css?inline";
import styles from "./own-runs.css?inline";
import section from "./section.css?inline";
import { define } from "../../elements/define.js";

/**
 * Steps that the reader measured: from a log, typed, or the scenario itself; measured, predicted, and with the fitted
 * constants.
 */
export class OwnRuns extends SeenView {
  static override properties = { ...SeenView.properties, typed: { state: true } };

  declare typed: string;
  private readonly reading = new FileReading(this, () => this.requestUpdate());

  constructor() {
    super();
    this.typed = "";
  }

  private take(text: string): void {
    this.typed = text;
    if (!isTrainingLog(text)) return;
    this.typed = "";
    void this.reading.take(this.scenario, new Blob([text]), "log");
  }

  private readonly add = (): void => {
    if (this.typed.trim() === "") return;
    const { runs, says } = readRows(this.scenario, this.typed);
    this.reading.say(says);
    if (runs.length === 0) return;
    addRuns(runs);
    this.typed = "";
  };

  private row(run: OwnRun, at: number, fit: FitStepResults | undefined): TemplateResult {
    const ran = this.scenario.saying(run.texts);
    const row = fit?.rows[at];
    const clash = fit?.contradictions.find(({ row: one, other_row: other }) => one === at + 1 || other === at + 1);
    const words = `${modelWords(ran)}, ${layoutWords(ran)}, ${workWords(ran)}`;
    return html`<tr><th scope="row">${words} <span class="soft">${run.name}</span>${
      clash
        ? html` <span class="warn">Contradicts run ${clash.row === at + 1 ? clash.other_row : clash.row}: the same inputs, ${percent(clash.difference_percent, 2)} apart.</span>`
        : nothing
    }${row?.far_off ? html` <span class="warn">Far from what the others say.</span>` : nothing}${
      row && !row.fits ? html` <span class="warn">Said not to fit.</span>` : nothing
    }</th>
      <td>${milliseconds(run.measured_step_ms, 4)}</td>
      ${
        row
          ? html`<td>${ms(row.recipe_step_ms)}</td><td data-fitted>${ms(row.fitted_step_ms)} (${change(row.error_percent)})</td>
            <td>${fit.rows.length > 1 ? change(row.left_out_error_percent) : "–"}</td><td>${percent(row.mfu_percent, 2)}</td>`
          : html`<td></td><td></td><td></td><td></td>`
      }
      <td class="no-print"><button class="plain" aria-label=${`Remove run ${at + 1}`} @click=${() => changeFiles(this.scenario, () => removeRun(run))}>×</button></td></tr>`;
  }

  private table(runs: readonly OwnRun[], fit: FitStepResults | undefined): TemplateResult {
    return html`<div class="scroll" tabindex="0" role="group" aria-label="Runs of your own">
      <table><thead><tr><th scope="col">Run</th><th scope="col">Measured, of a log its median</th><th scope="col">As the preset</th><th scope="col">Fitted</th>
        <th scope="col">Left out</th><th scope="col">MFU</th><td class="no-print"></td></tr></thead>
      <tbody>${runs.map((run, at) => this.row(run, at, fit))}</tbody></table></div>`;
  }

  override render(): TemplateResult {
    const { runs } = ownRuns();
    const answer = fitOwnRuns(this.scenario);
    const { readonly } = this.scenario;
    return html`<section aria-labelledby="runs-title" class=${runs.length > 0 ? "" : "no-print"}>
      <div class="titled"><h2 id="runs-title">Steps that you measured</h2>${formulaLink("fit_step")}</div>
      <commcost-drop-place class="no-print" name="runs" label="or a training log, also dropped here:" accept=".log,.txt,.out,text/plain"
          @given=${({ given }: GivenEvent) => (typeof given === "string" ? this.take(given) : void this.reading.take(this.scenario, given, given.name))}>
        <label for="runs">Measured steps, one per line: what differs from the scenario, then the time; or a log of Megatron-LM, NeMo, torchtitan, nanotron or DeepSpeed</label>
        <textarea id="runs" rows="3" spellcheck="false" autocomplete="off" ?disabled=${readonly} .value=${this.typed}
          placeholder="tp=4 dp=16 5200 ms" @input=${(event: Event) => this.take((event.target as HTMLTextAreaElement).value)}></textarea>
        <button slot="actions" ?disabled=${readonly} @click=${this.add}>Add</button>
      </commcost-drop-place>
      ${this.reading.progress()}
      <p role="status" class="small soft">${this.reading.says}</p>
      ${runs.length > 0 ? this.table(runs, answer?.results) : nothing}
      ${
        answer?.problems
          ? html`<ul class="warn small">${answer.problems.slice(0, 10).map(({ message }) => html`<li>${saidProblem(this.scenario, message)}</li>`)}</ul>`
          : nothing
      }
    </section>`;
  }

  static override styles = [theme, base, unsafeCSS(section), unsafeCSS(given), unsafeCSS(styles)];
}

define("commcost-own-runs", OwnRuns);
