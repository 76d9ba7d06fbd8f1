import { css, html, type TemplateResult } from "lit";

/** Small pieces of MathML: each a template, put together as formulas are. */

/** A variable, tied to the input that it stands for: its name on hover, both marked together. */
export const variable = (letter: string, name: string): TemplateResult =>
  html`<math><mi data-var=${name} title=${name}>${letter}</mi></math>`;

/** A formula's steps: symbolic, with the numbers put in, the result. */
export interface Derivation {
  /** The result's name under the exercise. */
  name: string;
  title: string;
  symbolic: TemplateResult;
  substituted: TemplateResult;
  result: TemplateResult;
  /** The same formula as text, to copy. */
  text: string;
}

/** Three aligned lines for each formula. */
export function derivation(steps: readonly Derivation[]): TemplateResult {
  return html`<ol class="derivation">${steps.map((step) => html`<li>
    <h4>${step.title} <code>${step.name}</code></h4>
    <div class="lines">
      <div class="scroll">${step.symbolic}</div>
      <div class="scroll">${step.substituted}</div>
      <div class="scroll result">${step.result}</div>
    </div></li>`)}</ol>`;
}

export const mathStyles = css`
  .derivation { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.9rem; }
  .derivation h4 code { font-weight: 400; color: var(--ink-soft); }
  .derivation .lines { padding-inline-start: 1rem; border-inline-start: 1px solid var(--rule); margin-top: 0.3rem; display: grid; gap: 0.2rem; }
  .derivation .result { font-weight: 600; }
`;
