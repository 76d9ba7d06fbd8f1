import type { Problem } from "#engine";
import { type LitElement, nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "./html.js";
import { fieldGroups, type FieldGroup } from "../state/groups.js";
import { degreeNames } from "../state/layout.js";
import type { Session } from "../state/session.js";
import { run, type CalculationName } from "../state/run.js";
import { chosenPreset, filledText } from "../state/presets.js";
import { namesFor } from "../state/fields.js";
import { pinName } from "../state/pins.js";
import { serves, withoutSign } from "../state/serving.js";
import { ofExperts, trained, type Trained } from "../state/trained.js";
import { fieldControl, fieldStyles, fileMark } from "./field.js";
import { foldLine } from "./fold.js";
import { trainingPrecisionControl } from "./precision.js";
import { isSearchedPart, pinControl, unpinButton } from "./pins.js";
import { presetControl } from "./preset-picker.js";
import { ScenarioView } from "./scenario-view.js";
import { isSearchable, settingControl } from "./settings.js";
import { idleWords, jobWords, scenarioWords, servingWords } from "./scenario-words.js";
import { base, theme } from "./theme.js";
import styles from "./scenario-panel.css?inline";
import { askWhenIdle } from "./ask-when-idle.js";
import { define } from "./define.js";
import { Part } from "../engine/part.js";

/** Loads after the answer. */
const lacking = new Part("What the stack lacks", () => import("./lacking.js").then((all) => (marks = all)));
let marks: typeof import("./lacking.js") | undefined;

/** The available space: a column next to the answer, a line that opens a drawer, or folded into another page. */
export type PanelPlace = "column" | "drawer" | "inline";

const signed: ReadonlySet<string> = new Set([...degreeNames, "expert_parallel"]);

/** The scenario's one form: the same next to every view. */
export class ScenarioPanel extends ScenarioView {
  static override properties = {
    ...ScenarioView.properties,
    place: { reflect: true },
    calculations: { attribute: false },
    only: { attribute: false },
    alsoAsked: { attribute: false },
    askedElsewhere: { attribute: false },
    question: { attribute: false },
    pins: { attribute: false },
    drawn: { state: true },
  };

  declare place: PanelPlace;
  /** The calculations whose problems the fields show. */
  declare calculations: readonly CalculationName[];
  /** Whether only the inputs of those calculations are shown. */
  declare only: boolean;
  /** Inputs that are shown although none of those calculations takes them. */
  declare alsoAsked: readonly string[];
  /** Those calculations' inputs that the view's own question contains, and the question. */
  declare askedElsewhere: readonly string[];
  declare question: ((scenario: Session, problems: readonly Problem[]) => TemplateResult) | undefined;
  /** Whether a layout is searched: its fields pin it, and show the search's choice. */
  declare pins: boolean;
  /** Whether the drawer is open: its form is made only when it is looked at. */
  declare drawn: boolean;

  constructor() {
    super();
    this.place = "column";
    this.calculations = ["training_step"];
    this.only = false;
    this.pins = false;
    this.alsoAsked = [];
    this.askedElsewhere = [];
    this.drawn = false;
  }

  private get fieldProblems(): Problem[] {
    // The article has fields of training, for the layouts that it searches, but trains none with the page's own
    // degrees.
    const asked = this.calculations.filter((name) => this.pins || this.scenario.alone || name !== "training_step");
    const found = asked.flatMap((name) =>
      // A step uses the layout that was pinned or found, not the page's own degrees.
      (
        run(this.pins && name === "training_step" ? (this.laidOut ?? this.scenario) : this.scenario, name).problems ??
        []
      ).map((problem) => this.scenario.renamed(name, problem)),
    );
    return found.filter(({ field }, index) => found.findIndex((other) => other.field === field) === index);
  }

  private get asked(): ReadonlySet<string> {
    const tables = this.scenario.engine.describe();
    const asked = this.calculations.flatMap((calculation) => {
      const { inputs } = tables[calculation]!;
      const named = namesFor(inputs);
      return inputs.flatMap(({ name }) => named(name) ?? []);
    });
    return new Set([...asked, ...this.alsoAsked].filter((name) => !this.askedElsewhere.includes(name)));
  }

  /** Whether a calculation has an input of exactly this name. */
  private asksFor(name: string): boolean {
    const tables = this.scenario.engine.describe();
    return this.calculations.some((calculation) => tables[calculation]!.inputs.some((input) => input.name === name));
  }

  /** The fields show the search's choice. */
  private laidOut: Trained | undefined;
  private readonly onChosen = () => this.requestUpdate();

  protected override willUpdate(): void {
    super.willUpdate();
    // A drawer that became a column is no longer open.
    if (this.place !== "drawer") this.drawn = false;
    const laidOut = this.pins && this.isConnected && this.scenario ? trained(this.scenario) : undefined;
    if (laidOut === this.laidOut) return;
    this.laidOut?.removeEventListener("change", this.onChosen);
    laidOut?.addEventListener("change", this.onChosen);
    this.laidOut = laidOut;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.laidOut?.removeEventListener("change", this.onChosen);
    this.laidOut = undefined;
  }

  protected override get words(): readonly string[] {
    return this.serving
      ? servingWords(this.scenario)
      : !this.pins
        ? scenarioWords(this.scenario)
        : this.laidOut?.isCurrent
          ? scenarioWords(this.laidOut)
          : jobWords(this.scenario);
  }

  private get serving(): boolean {
    const tables = this.scenario.engine.describe();
    return this.calculations.some((name) => serves(tables[name]!.inputs));
  }

  /** Whether a search for a layout or a deployment is running. */
  private get seeks(): boolean {
    return this.pins || (this.serving && !this.scenario.alone);
  }

  /** Brings a field into sight and gives it the focus. */
  async focusField(name: string): Promise<void> {
    this.draw();
    await this.updateComplete;
    const field = this.renderRoot.querySelector<HTMLElement>(`#field-${name}`);
    const folded = field?.closest("details");
    for (let fold = folded; fold; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
    field?.focus();
  }

  /** The first picker, where the presets are searched. */
  async focusPreset(): Promise<void> {
    this.draw();
    const preset = this.renderRoot.querySelector<LitElement>("commcost-preset");
    await preset?.updateComplete;
    preset?.focus();
  }

  /** Opens the drawer, where there is one. */
  private draw(): void {
    if (this.place !== "drawer" || this.drawn) return;
    this.drawn = true;
    // The field to focus must exist before the drawer opens.
    this.performUpdate();
    this.dialog!.showModal();
  }

  private get dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
  }

  /** Marks what the stack lacks once the answer is drawn. */
  protected override updated(): void {
    if (!this.pins || !this.scenario) return;
    askWhenIdle(lacking);
    void lacking.here.then(() => marks!.markLacking(this.renderRoot as ShadowRoot, this.scenario));
  }

  /** The search's choice, if it is for this scenario. */
  private readonly chosen = (name: string): unknown => {
    return this.laidOut?.isCurrent ? this.laidOut.text(name) : undefined;
  };

  /** Whether a part of the layout is pinned. */
  private isPin(name: string): boolean {
    return this.pins && isSearchedPart(this.scenario, name);
  }

  private shownAs(name: string): string {
    return this.isPin(name) ? pinName(name) : name;
  }

  private control(name: string, problems: readonly Problem[]): TemplateResult {
    if (name === "accelerator") return presetControl(this.scenario, "accelerator", "GPU");
    if (name === "tensor_parallel" && this.only && !this.asksFor(name))
      return fieldControl(this.scenario, name, problems, { label: "GPUs" });
    if (this.pins && isSearchable(this.scenario, name))
      return settingControl(this.scenario, name, problems, this.chosen);
    if (this.isPin(name)) return pinControl(this.scenario, name, problems, this.chosen);
    return fieldControl(this.scenario, name, problems);
  }

  /** What the fields of a layout do, and the way back to a full search. */
  private pinned(): TemplateResult {
    const button = unpinButton(this.scenario);
    return html`<p class="auto">${button === nothing ? "Auto: the search chooses. Type a value to pin it." : html`The search keeps what you pinned. ${button}`}</p>`;
  }

  /** Why the tensor degree is not the usual one, if it is neither pinned nor searched. */
  private uneven(): TemplateResult | typeof nothing {
    const { scenario } = this;
    const degree = scenario.text("tensor_parallel");
    const usual = scenario.unevenDegree(degree);
    return this.pins || usual === undefined
      ? nothing
      : html`<p class="idle" data-fact="uneven">${degree} GPUs, not the usual ${usual}: ${scenario.text("num_heads")} attention heads can’t be split over ${usual}.</p>`;
  }

  private group(
    group: FieldGroup,
    problems: readonly Problem[],
    shown: (name: string) => boolean,
  ): TemplateResult | typeof nothing {
    const { scenario } = this;
    // If an answer is searched for, the question names a model and a machine, whose own details are folded away. The
    // gain of a faster network is a question of its own if many nodes train.
    const asks = this.seeks && group.preset && (group.id !== "machine" || this.serving);
    const says = (name: string) => asks && filledText(scenario, name) !== undefined;
    const main = group.main.filter(shown).filter((name) => !says(name));
    const further = [...group.main.filter(says), ...group.further.fields].filter(shown);
    if (main.length + further.length === 0) return nothing;
    const plain = main.filter((name) => !signed.has(name));
    const degrees = main.filter((name) => signed.has(name));
    const wrong = problems.some(({ field }) => further.includes(field));
    // A folded field that a file sets is announced by its fold.
    const mark = further.map((name) => fileMark(scenario, this.shownAs(name))).find(Boolean);
    const source = group.preset && chosenPreset(scenario, group.preset)?.source;
    const precision =
      group.id === "work" && this.pins && shown("matmul_precision")
        ? trainingPrecisionControl(scenario, this.chosen)
        : nothing;
    const idle = group.id === "layout" && shown("cluster_gpus") && !this.pins ? idleWords(scenario) : "";
    return html`<fieldset><legend class="visually-hidden">${group.title}</legend>
      ${group.preset ? presetControl(scenario, group.preset, group.title) : nothing}
      ${plain.length > 0 ? html`<div class="fields">${plain.map((name) => this.control(name, problems))}${precision}</div>` : nothing}
      ${degrees.length > 0 ? html`<div class="degrees">${degrees.map((name) => this.control(name, problems))}</div>` : nothing}
      ${degrees.includes("tensor_parallel") ? this.uneven() : nothing}
      ${this.pins && group.id === "layout" ? this.pinned() : nothing}
      ${idle ? html`<p class="idle" role="status">${idle}</p>` : nothing}
      ${
        further.length > 0
          ? html`<details ?open=${wrong}><summary>${foldLine(
              scenario,
              group.further.title,
              further.map((name) => this.shownAs(name)),
            )}${mark?.dot ?? nothing}</summary><div class="fields">${further.map((name) =>
              this.control(name, problems),
            )}</div>${source ? html`<p class="source">Source: ${source}</p>` : nothing}</details>`
          : nothing
      }</fieldset>`;
  }

  /** Whether it is about experts, the model has none, and it was never set. */
  private isUnused(name: string): boolean {
    const { scenario } = this;
    const shown = this.shownAs(name);
    return (
      ofExperts.includes(withoutSign(name)) &&
      !(scenario.number("num_experts") > 1) &&
      scenario.text(shown) === scenario.defaultText(shown)
    );
  }

  /** The question of this view alone, between the model and the machine. */
  private asksAlone(problems: readonly Problem[]): TemplateResult | typeof nothing {
    return this.question
      ? html`<fieldset><legend class="visually-hidden">The question</legend>${this.question(this.scenario, problems)}</fieldset>`
      : nothing;
  }

  private form(): TemplateResult {
    const problems = this.fieldProblems;
    const { asked } = this;
    // A cluster is divided only for training; if its layout is searched, no degree has to adjust.
    const divides = asked.has("zero_stage");
    const shown = (name: string) =>
      !this.isUnused(name) &&
      (!this.only ||
        asked.has(name) ||
        (name === "cluster_gpus" && divides) ||
        (name === "gives_way" && divides && !this.pins));
    return html`<form part="inputs" aria-label="Scenario" @submit=${(event: Event) => event.preventDefault()}>
      ${fieldGroups(this.scenario).map(
        (group) =>
          html`${this.group(group, problems, shown)}${group.id === "work" ? this.asksAlone(problems) : nothing}`,
      )}
    </form>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const line = html`<span class="words">${this.words.join(" · ")}</span>`;
    if (this.place === "column") return html`<p class="printed">${line}</p>${this.form()}`;
    if (this.place === "inline")
      return html`<p class="printed">${line}</p><details class="inline"><summary>${this.scenario.readonly ? "Inputs" : "Change the inputs"}: ${line}</summary>${this.form()}</details>`;
    return html`<p class="printed">${line}</p>
      <button type="button" class="line" aria-haspopup="dialog" @click=${() => this.draw()}>${line}<span aria-hidden="true">▾</span>
        <span class="visually-hidden">Change the scenario</span></button>
      <dialog aria-label="Scenario" @close=${() => (this.drawn = false)} @click=${(event: Event) => event.target === this.dialog && this.dialog!.close()}>
        ${this.drawn ? html`<div class="inside">${this.form()}<p class="close"><button type="button" @click=${() => this.dialog!.close()}>Done</button></p></div>` : nothing}
      </dialog>`;
  }

  static override styles = [theme, base, fieldStyles, unsafeCSS(styles)];
}

define("commcost-scenario", ScenarioPanel);

/** The form of an embedded view, with only its own inputs. */
export const ownPanel = (
  view: ScenarioView,
  calculations: readonly CalculationName[],
): TemplateResult | typeof nothing =>
  view.scenario.alone
    ? html`<commcost-scenario exportparts="inputs" place="inline" .scenario=${view.scenario} .calculations=${calculations} .only=${true}></commcost-scenario>`
    : nothing;
