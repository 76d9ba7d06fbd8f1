import type { CheckAnswersResults, FieldDescription } from "#engine";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { labelOf } from "../../elements/labels.js";
import { define } from "../../elements/scenario-view.js";
import { base, theme } from "../../elements/theme.js";
import { plain } from "../../state/format.js";
import { problemsOf } from "../../state/run.js";
import { readEntry, type Scenario } from "../../state/scenario.js";

type Checked = CheckAnswersResults["answers"][number];

/** What each mistake is, in words for the one who made it. */
const explained: Record<Checked["mistakes"][number], string> = {
  missing_factor_2: "the factor 2 is missing: an all-reduce is a reduce-scatter and then an all-gather",
  missing_ring_fraction: "(n − 1)/n is missing: a GPU does not send itself its own share",
  not_divided_by_gpus: "n − 1 is there, but not the division by n: each step moves one n-th of the message",
  element_bytes_forgotten: "elements were counted, not bytes",
  layers_forgotten: "one layer was counted, not all of them",
  allreduces_forgotten: "one all-reduce was counted, not all of a layer",
  gb_as_2_30: "1 GB was taken as 2³⁰ bytes; bandwidth is sold in 10⁹",
  bits_for_bytes: "it is 8 times too much: bits for bytes",
  bytes_for_bits: "it is 8 times too little: bytes for bits",
  seconds_for_milliseconds: "it is in seconds; milliseconds are asked for",
  both_directions: "the bandwidth was halved: it is one way already",
  one_gpu_not_treated: "one GPU has nobody to send to: nothing is communicated",
};

/** Lets the reader type the four answers and says of each whether it agrees, and where not, why. */
export class AnswerCheck extends LitElement {
  static override properties = { scenario: { attribute: false }, inputs: { attribute: false }, texts: { state: true } };

  declare scenario: Scenario;
  /** The exercise's inputs, checked. */
  declare inputs: Record<string, unknown>;
  declare texts: Record<string, string>;

  constructor() {
    super();
    this.texts = {};
  }

  private get fields(): FieldDescription[] {
    return this.scenario.engine.describe()["check_answers"]!.inputs.filter((field) => field.name.startsWith("answer_"));
  }

  private check(): { answers: Map<string, Checked>; errors: Map<string, string> } {
    const given: Record<string, unknown> = {};
    const errors = new Map<string, string>();
    for (const field of this.fields) {
      const text = this.texts[field.name]?.trim() ?? "";
      if (text === "") continue;
      const entry = readEntry(field, text);
      if (entry.problem) errors.set(field.name, `This is no number that could be compared: ${text.slice(0, 40)}`);
      else given[field.name] = entry.value;
    }
    try {
      const { answers } = this.scenario.engine.check_answers({ ...this.inputs, ...given } as never);
      return { answers: new Map(answers.map((answer) => [`answer_${answer.name}`, answer])), errors };
    } catch (error) {
      for (const problem of problemsOf(error)) errors.set(problem.field, problem.message);
      return { answers: new Map(), errors };
    }
  }

  private verdict(checked: Checked | undefined, error: string | undefined): TemplateResult | typeof nothing {
    if (error) return html`<span class="bad">${error}</span>`;
    if (!checked) return nothing;
    if (checked.agrees) return html`<span class="good">✓ agrees to four decimals</span>`;
    const reasons = checked.mistakes.map((mistake) => explained[mistake]);
    return html`<span class="bad">✗ ${reasons.length > 0 ? reasons.join("; and ") : "no mistake that we know gives this number"}</span>
      <details><summary>Show the answer</summary><code>${plain(checked.expected)}</code></details>`;
  }

  override render(): TemplateResult {
    const { answers, errors } = this.check();
    return html`<div class="answers">${this.fields.map((field) => {
      const name = field.name.slice("answer_".length);
      return html`<div class="answer">
        <label for=${field.name}>${labelOf(name)} <code>${name}</code></label>
        <input id=${field.name} type="text" inputmode="decimal" autocomplete="off" .value=${this.texts[field.name] ?? ""}
          aria-describedby="${field.name}-verdict" aria-invalid=${errors.has(field.name) ? "true" : nothing}
          @input=${(event: Event) => (this.texts = { ...this.texts, [field.name]: (event.target as HTMLInputElement).value })} />
        <div class="verdict" id="${field.name}-verdict" role="status">${this.verdict(answers.get(field.name), errors.get(field.name))}</div>
      </div>`;
    })}</div>`;
  }

  static override styles = [theme, base, css`
    .answers { display: grid; gap: 0.6rem; }
    .answer { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.15rem; }
    label { font-family: var(--sans); font-size: var(--small); }
    label code { color: var(--ink-soft); }
    input { width: min(20rem, 100%); }
    .verdict { font-size: 0.9375rem; min-height: 1.45em; }
    .good { color: var(--good); }
    .bad { color: var(--bad); }
    details { display: inline-block; }
  `];
}

define("commcost-answer-check", AnswerCheck);

