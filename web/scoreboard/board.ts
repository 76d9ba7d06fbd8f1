import { LitElement, nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { subjectClasses } from "../elements/colors.js";
import { base, theme } from "../elements/theme.js";
import { speaksFor } from "../elements/provenance-request.js";
import type { Asked } from "./asked.js";
import { byClass, ratioOf, summaryOf, type ClassSummary, type Dot } from "./dots.js";
import { errorsStrip } from "./errors-strip.js";
import { distanceInWords, nearest } from "./nearest.js";
import "./parity-chart.js";
import type { ParitySpec, Upright } from "./parity-chart.js";
import { classOf, errorText, type Names, timeText } from "./words.js";
import styles from "./board.css?inline";
import { define } from "../elements/define.js";

/** The kinds of measurements, with their names on the switch. */
const groups = { steps: "training steps", serving: "servers", collectives: "collectives" } as const;
type Group = keyof typeof groups;
const everything = "all";
const nearestShown = 8;

const percent = (value: number): string => `${value < 9.95 ? value.toFixed(1) : Math.round(value)} %`;
const share = (value: number | undefined): string => (value === undefined ? "–" : `${Math.round(100 * value)} %`);

/** Predicted against measured: every row of the scoreboard, by class, the reader's scenario and its nearest runs among them. */
export class Scoreboard extends LitElement {
  static override properties = {
    steps: { attribute: false },
    serving: { attribute: false },
    collectives: { attribute: false },
    asked: { attribute: false },
    names: { attribute: false },
    group: { state: true },
    chosen: { state: true },
    upright: { state: true },
    listed: { state: true },
  };

  declare steps: readonly Dot[];
  declare serving: readonly Dot[];
  declare collectives: readonly Dot[];
  declare asked: Asked | undefined;
  declare names: Names;
  declare group: Group;
  /** A class by name, or all of them. */
  declare chosen: string;
  declare upright: Upright;
  /** Whether the rows of the chosen class are listed. */
  declare listed: boolean;
  private classes: Record<Group, ClassSummary[]> = { steps: [], serving: [], collectives: [] };

  constructor() {
    super();
    this.group = "steps";
    this.chosen = everything;
    this.upright = "predicted";
    this.listed = false;
    speaksFor(this, () => ({
      source: "Measurements as published, predictions by commcost",
      link: location.href,
      ...(this.asked && { scenario: this.asked.scenario }),
    }));
  }

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("steps") || changed.has("serving") || changed.has("collectives")) {
      this.classes = {
        steps: byClass(this.steps),
        serving: byClass(this.serving),
        collectives: byClass(this.collectives),
      };
    }
    if (changed.has("asked") && this.asked) {
      const own = classOf(this.asked, this.names);
      if (this.classes.steps.some(({ name }) => name === own)) this.chosen = own;
    }
  }

  private get dots(): readonly Dot[] {
    return this[this.group];
  }

  private get near(): Dot[] {
    if (!this.asked || this.group !== "steps") return [];
    return nearest(this.steps, (dot) => dot.run!, this.asked, nearestShown);
  }

  private get summary(): ClassSummary {
    return (
      this.classes[this.group].find(({ name }) => name === this.chosen) ?? summaryOf("all of them", [...this.dots])
    );
  }

  private spec(summary: ClassSummary): ParitySpec {
    const { asked, group } = this;
    const chosen = [...summary.dots].sort((a, b) => a.measured - b.measured);
    const within =
      summary.within === undefined ? "" : ` ${share(summary.within)} of them lie within the band that was given.`;
    return {
      id: `commcost-scoreboard-${group}`,
      title: `Predicted against measured: ${summary.name}.`,
      summary: `${summary.dots.length.toLocaleString("en")} measurements, half of them predicted within ${percent(summary.median)}.${within}`,
      upright: this.upright,
      chosen,
      others: this.chosen === everything ? [] : this.dots.filter((dot) => dot.class !== summary.name),
      band: summary,
      marked: this.near,
      here:
        asked && group === "steps"
          ? { predicted: asked.predicted_ms, low: asked.low_ms, high: asked.high_ms }
          : undefined,
      table: {
        header: ["name", "class", "measured_ms", "predicted_ms", "error_percent", "source"],
        rows: chosen.map((dot) => [
          dot.name,
          dot.class,
          dot.measured,
          dot.predicted,
          Number((100 * (ratioOf(dot) - 1)).toFixed(1)),
          dot.source,
        ]),
      },
    };
  }

  private choose(name: string): void {
    this.chosen = this.chosen === name ? everything : name;
    this.listed = false;
  }

  private switches(): TemplateResult {
    const radio = (name: string, value: string, label: string, on: boolean, set: () => void) =>
      html`<label><input type="radio" name=${name} value=${value} .checked=${on} @change=${set} /> ${label}</label>`;
    return html`<div class="switches no-print">
      <fieldset><legend>Measured</legend>
        ${(Object.keys(groups) as Group[]).map((group) =>
          radio("group", group, groups[group], this.group === group, () => {
            this.group = group;
            this.chosen = everything;
            this.listed = false;
          }),
        )}</fieldset>
      <fieldset><legend>Upright</legend>
        ${radio("upright", "predicted", "predicted time", this.upright === "predicted", () => (this.upright = "predicted"))}
        ${radio("upright", "error", "error", this.upright === "error", () => (this.upright = "error"))}</fieldset>
    </div>`;
  }

  private classRow(summary: ClassSummary): TemplateResult {
    const on = this.chosen === summary.name;
    return html`<tr class=${on ? "chosen" : ""}>
      <th scope="row"><button class="plain" aria-pressed=${on ? "true" : "false"} @click=${() => this.choose(summary.name)}>${summary.name}</button></th>
      <td>${summary.dots.length.toLocaleString("en")}</td><td>${percent(summary.median)}</td><td>${errorText(1 + summary.bias / 100)}</td>
      <td>${share(summary.within)}</td><td>${errorsStrip(summary.dots)}</td></tr>`;
  }

  private table(): TemplateResult {
    return html`<section aria-labelledby="classes"><h2 id="classes">By class</h2>
      <p class="small soft">Runs of one stack on one generation of GPUs are judged together. Choose a class to see it above.</p>
      <div class="scroll" tabindex="0" role="group" aria-label="All classes"><table>
        <thead><tr><th scope="col">Class</th><th scope="col">Measured</th><th scope="col">Median error</th><th scope="col">Bias</th>
          <th scope="col">Within its band</th><th scope="col">Half as long · as measured · twice</th></tr></thead>
        <tbody>${this.classes[this.group].map((one) => this.classRow(one))}</tbody>
      </table></div></section>`;
  }

  private row(dot: Dot, number?: number): TemplateResult {
    return html`<tr><th scope="row">${number === undefined ? nothing : html`<b>${number}</b> `}${dot.name}<br /><span class="soft">${dot.detail}</span></th>
      <td>${timeText(dot.measured)}</td><td>${timeText(dot.predicted)}</td><td>${errorText(ratioOf(dot))}</td><td class="text soft">${dot.source}</td></tr>`;
  }

  private rows(label: string, dots: readonly Dot[], numbered: boolean): TemplateResult {
    return html`<div class="scroll rows" tabindex="0" role="group" aria-label=${label}><table>
      <thead><tr><th scope="col">Run</th><th scope="col">Measured</th><th scope="col">Predicted</th><th scope="col">Error</th><th scope="col" class="text">Source</th></tr></thead>
      <tbody>${dots.map((dot, index) => this.row(dot, numbered ? index + 1 : undefined))}</tbody></table></div>`;
  }

  private nearTable(): TemplateResult | typeof nothing {
    const { asked, near } = this;
    if (!asked || near.length === 0) return nothing;
    return html`<section aria-labelledby="near"><h2 id="near">Nearest to yours</h2>
      <p>${asked.scenario}: predicted ${timeText(asked.predicted_ms)} (${timeText(asked.low_ms)} to ${timeText(asked.high_ms)}). These runs are nearest to
        it, half of them predicted within ${percent(summaryOf("", near).median)}; their numbers stand in the picture.</p>
      ${this.rows("Nearest runs", near, true)}
      <p class="small soft">${distanceInWords}</p></section>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.steps) return nothing;
    const summary = this.summary;
    return html`${this.switches()}
      <commcost-parity-chart .spec=${this.spec(summary)}></commcost-parity-chart>
      ${this.nearTable()}
      ${this.table()}
      <details .open=${this.listed} @toggle=${(event: Event) => (this.listed = (event.target as HTMLDetailsElement).open)}>
        <summary>Every row of ${summary.name}: ${summary.dots.length.toLocaleString("en")}</summary>
        ${this.listed ? this.rows(`Rows of ${summary.name}`, summary.dots, false) : nothing}
      </details>`;
  }

  static override styles = [theme, base, subjectClasses, unsafeCSS(styles)];
}

define("commcost-scoreboard", Scoreboard);
