import type { Problem } from "#engine";
import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { fieldGroups, type FieldGroup } from "../state/groups.js";
import { degreeNames } from "../state/layout.js";
import { run, type CalculationName } from "../state/run.js";
import { perhaps } from "../state/parts.js";
import { chosenPreset } from "../state/presets.js";
import { namesFor } from "../state/fields.js";
import type { Session } from "../state/session.js";
import { milliseconds, percent } from "../state/format.js";
import { between, stepFigures } from "../state/step.js";
import { fieldControl, fieldStyles } from "./field.js";
import { presetControl } from "./preset-picker.js";
import { ScenarioView } from "./scenario-view.js";
import { saidProblem } from "./problem-words.js";
import { idleWords, scenarioWords } from "./scenario-words.js";
import { base, theme } from "./theme.js";
import styles from "./scenario-panel.css?inline";
import { define } from "./define.js";

/** How much room there is: a column beside the answer, a line that opens a drawer, or folded into somebody's page. */
export type PanelPlace = "column" | "drawer" | "inline";

const signed: ReadonlySet<string> = new Set([...degreeNames, "expert_parallel"]);

/** What a scenario comes to, in a few figures; or why it comes to nothing. */
interface Outcome {
  rows: readonly (readonly [string, string])[];
  fits: boolean;
  problem?: string;
}

const none = (problem: string): Outcome => ({ rows: [], fits: true, problem });
const held = ({ sizes }: Session, results: { memory_gib: number; fits: boolean }): string =>
  `${sizes.memory(results.memory_gib)}${results.fits ? "" : ", too much"}`;

function stepOutcome(scenario: Session): Outcome {
  const { results, problems } = run(scenario, "training_step");
  if (!results) return none(problems[0]!.message);
  return {
    fits: results.fits,
    rows: [
      ["Step", `${stepFigures.time(results)} (${stepFigures.band(results)})`],
      ["Waits for communication", stepFigures.exposedShare(results)],
      ["MFU", stepFigures.mfu(results)],
      ["Memory", held(scenario, results)],
    ],
  };
}

function servingOutcome(scenario: Session): Outcome {
  const { results, problems } = run(scenario, "serving_step");
  if (!results) return none(problems[0]!.message);
  const trained = run(scenario, "training_step").results;
  const waits = results.parts.exposed_tensor_ms + results.parts.exposed_expert_ms + results.parts.exposed_pipeline_ms;
  return {
    fits: results.fits,
    rows: [
      [
        "Token",
        `${milliseconds(results.step_time_ms, 3)} (${between(results.step_time_low_ms, results.step_time_high_ms)})`,
      ],
      ["First token", milliseconds(results.first_token_ms, 3)],
      ["Waits for communication", percent((100 * waits) / results.step_time_ms)],
      ["Memory", held(scenario, results)],
      // What a server leaves aside, the same cluster trains with.
      ...(trained ? [["Training step", stepFigures.time(trained)] as const] : []),
    ],
  };
}

/** The scenario's one form: the same beside every view. */
export class ScenarioPanel extends ScenarioView {
  static override properties = {
    ...ScenarioView.properties,
    place: { reflect: true },
    calculations: { attribute: false },
    only: { attribute: false },
  };

  declare place: PanelPlace;
  /** Whose problems are to be said at the fields. */
  declare calculations: readonly CalculationName[];
  /** Whether only what those calculations ask for is shown. */
  declare only: boolean;

  constructor() {
    super();
    this.place = "column";
    this.calculations = ["training_step"];
    this.only = false;
  }

  private get fieldProblems(): Problem[] {
    const found = this.calculations.flatMap((name) =>
      (run(this.scenario, name).problems ?? []).map((problem) => this.scenario.renamed(name, problem)),
    );
    return found.filter(({ field }, index) => found.findIndex((other) => other.field === field) === index);
  }

  private get asked(): ReadonlySet<string> {
    const tables = this.scenario.engine.describe();
    return new Set(
      this.calculations.flatMap((calculation) => {
        const { inputs } = tables[calculation]!;
        const named = namesFor(inputs);
        return inputs.flatMap(({ name }) => named(name) ?? []);
      }),
    );
  }

  /** Brings a field into sight and gives it the focus. */
  async focusField(name: string): Promise<void> {
    if (this.place === "drawer") this.dialog?.showModal();
    await this.updateComplete;
    const field = this.renderRoot.querySelector<HTMLElement>(`#field-${name}`);
    const folded = field?.closest("details");
    for (let fold = folded; fold; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
    field?.focus();
  }

  /** The first picker, where the presets are searched. */
  focusPreset(): void {
    if (this.place === "drawer") this.dialog?.showModal();
    this.renderRoot.querySelector<HTMLElement>("commcost-preset")?.focus();
  }

  private get dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
  }

  private control(name: string, problems: readonly Problem[]): TemplateResult {
    if (name === "accelerator") return presetControl(this.scenario, "accelerator", "GPU");
    return fieldControl(this.scenario, name, problems);
  }

  private group(
    group: FieldGroup,
    problems: readonly Problem[],
    shown: (name: string) => boolean,
  ): TemplateResult | typeof nothing {
    const { scenario } = this;
    const main = group.main.filter(shown);
    const further = group.further.fields.filter(shown);
    if (main.length + further.length === 0) return nothing;
    const plain = main.filter((name) => !signed.has(name));
    const degrees = main.filter((name) => signed.has(name));
    const wrong = problems.some(({ field }) => further.includes(field));
    const source = group.preset && chosenPreset(scenario, group.preset)?.source;
    const idle = group.id === "layout" && shown("cluster_gpus") ? idleWords(scenario) : "";
    return html`<fieldset><legend class="visually-hidden">${group.title}</legend>
      ${group.preset ? presetControl(scenario, group.preset, group.title) : nothing}
      ${plain.length > 0 ? html`<div class="fields">${plain.map((name) => this.control(name, problems))}</div>` : nothing}
      ${degrees.length > 0 ? html`<div class="degrees">${degrees.map((name) => this.control(name, problems))}</div>` : nothing}
      ${idle ? html`<p class="idle" role="status">${idle}</p>` : nothing}
      ${
        further.length > 0
          ? html`<details ?open=${wrong}><summary>${group.further.title}</summary><div class="fields">${further.map(
              (name) => this.control(name, problems),
            )}</div>${source ? html`<p class="source">Source: ${source}</p>` : nothing}</details>`
          : nothing
      }</fieldset>`;
  }

  /** What all of it comes to, whichever view is open. */
  private outcomeLine(): TemplateResult | typeof nothing {
    const told = this.calculations.includes("serving_step") ? servingOutcome : stepOutcome;
    const outcome = perhaps(this.scenario, () => told(this.scenario));
    if (!outcome) return nothing;
    if (outcome.problem)
      return html`<p class="idle" data-outcome="none">A step cannot be told: ${saidProblem(this.scenario, outcome.problem)}.</p>`;
    return html`<dl class="outcome" aria-label="What it comes to">${outcome.rows.map(
      ([what, figure]) =>
        html`<div><dt>${what}</dt><dd class="number ${what === "Memory" && !outcome.fits ? "bad" : ""}" data-outcome=${what}>${figure}</dd></div>`,
    )}</dl>`;
  }

  private form(): TemplateResult {
    const problems = this.fieldProblems;
    const { asked } = this;
    // The lock is for whoever divides a cluster.
    const shown = (name: string) =>
      !this.only ||
      asked.has(name) ||
      (name === "gives_way" && asked.has("pipeline_parallel")) ||
      (name === "cluster_gpus" && asked.has("pipeline_parallel"));
    return html`<form part="inputs" aria-label="Scenario" @submit=${(event: Event) => event.preventDefault()}>
      ${fieldGroups(this.scenario).map((group) => this.group(group, problems, shown))}
      ${this.only ? nothing : this.outcomeLine()}
    </form>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const words = scenarioWords(this.scenario);
    const line = html`<span class="words">${words.join(" · ")}</span>`;
    if (this.place === "column") return html`<p class="printed">${line}</p>${this.form()}`;
    if (this.place === "inline")
      return html`<p class="printed">${line}</p><details class="inline"><summary>${this.scenario.readonly ? "Inputs" : "Change the inputs"}: ${line}</summary>${this.form()}</details>`;
    return html`<p class="printed">${line}</p>
      <button type="button" class="line" aria-haspopup="dialog" @click=${() => this.dialog!.showModal()}>${line}<span aria-hidden="true">▾</span>
        <span class="visually-hidden">Change the scenario</span></button>
      <dialog aria-label="Scenario" @click=${(event: Event) => event.target === this.dialog && this.dialog!.close()}>
        <div class="inside">${this.form()}<p class="close"><button type="button" @click=${() => this.dialog!.close()}>Done</button></p></div>
      </dialog>`;
  }

  static override styles = [theme, base, fieldStyles, unsafeCSS(styles)];
}

define("commcost-scenario", ScenarioPanel);

/** The form of an embedded view, with what it asks for alone. */
export const ownPanel = (
  view: ScenarioView,
  calculations: readonly CalculationName[],
): TemplateResult | typeof nothing =>
  view.scenario.alone
    ? html`<commcost-scenario exportparts="inputs" place="inline" .scenario=${view.scenario} .calculations=${calculations} .only=${true}></commcost-scenario>`
    : nothing;
