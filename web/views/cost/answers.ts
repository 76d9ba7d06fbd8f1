import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { EngineElement } from "../../elements/engine-element.js";
import { labelOf } from "../../elements/labels.js";
import { base, theme } from "../../elements/theme.js";
import { plain } from "../../state/format.js";
import type { Scenario } from "../../state/scenario.js";
import { answerFields, checkAnswers, type Checked } from "../../exercise/check.js";
import { verdictOf } from "../../exercise/verdict.js";
import styles from "./answers.css?inline";
import { define } from "../../elements/define.js";

/** Lets the reader type the four answers and says of each whether it agrees, and if not, why. */
export class AnswerCheck extends EngineElement {
  static override properties = { scenario: { attribute: false }, inputs: { attribute: false }, texts: { state: true } };

  declare scenario: Scenario;
  /** The exercise's inputs, checked. */
  declare inputs: Record<string, unknown>;
  declare texts: Record<string, string>;

  constructor() {
    super();
    this.texts = {};
  }

  private verdict(checked: Checked | undefined, error: string | undefined): TemplateResult {
    const known = checked && !checked.agrees;
    return html`${verdictOf(this.scenario, checked, error, "agrees to four decimals")}
      ${known ? html`<details><summary>Show the answer</summary><code>${plain(checked.expected)}</code></details>` : nothing}`;
  }

  override render(): TemplateResult {
    const { answers, errors } = checkAnswers(this.scenario, this.inputs, this.texts);
    return html`<div class="answers">${answerFields(this.scenario).map((field) => {
      const name = field.name.slice("answer_".length);
      return html`<div class="answer">
        <label for=${field.name}>${labelOf(this.scenario, name)} <code>${name}</code></label>
        <input id=${field.name} type="text" inputmode="decimal" autocomplete="off" .value=${this.texts[field.name] ?? ""}
          aria-describedby="${field.name}-verdict" aria-invalid=${errors.has(field.name) ? "true" : nothing}
          @input=${(event: Event) => (this.texts = { ...this.texts, [field.name]: (event.target as HTMLInputElement).value })} />
        <div class="verdict" id="${field.name}-verdict" role="status">${this.verdict(answers.get(field.name), errors.get(field.name))}</div>
      </div>`;
    })}</div>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-answer-check", AnswerCheck);
