import { mathml, nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "./html.js";
import styles from "./math.css?inline";

/** Small pieces of MathML, put together as formulas are. */
export type Math = ReturnType<typeof mathml> | typeof nothing;

/** A variable, named in full on hover. */
export const mi = (letter: string, name = ""): Math => mathml`<mi title=${name}>${letter}</mi>`;
/** A number. */
export const mn = (number: string | number): Math => mathml`<mn>${number}</mn>`;
/** An operator. */
export const mo = (sign: string): Math => mathml`<mo>${sign}</mo>`;
/** A unit, or other words; their spaces are kept. */
export const mtext = (text: string): Math => mathml`<mtext>${text.replaceAll(" ", "\u00a0")}</mtext>`;
/** A fraction. */
export const frac = (above: Math, below: Math): Math =>
  mathml`<mfrac><mrow>${above}</mrow><mrow>${below}</mrow></mfrac>`;
/** A power. */
export const sup = (of: Math, power: Math): Math => mathml`<msup><mrow>${of}</mrow><mrow>${power}</mrow></msup>`;
/** Things side by side. */
export const row = (...parts: Math[]): Math => mathml`<mrow>${parts}</mrow>`;
/** Things in parentheses. */
export const paren = (...inner: Math[]): Math => row(mo("("), ...inner, mo(")"));
/** A product with dots between its factors. */
export const times = (...factors: Math[]): Math =>
  mathml`<mrow>${factors.map((factor, index) => (index === 0 ? factor : mathml`<mo>·</mo>${factor}`))}</mrow>`;

/** A formula in a line of its own. */
export const formula = (...parts: Math[]): TemplateResult => html`<math display="inline">${row(...parts)}</math>`;

/** A formula's steps: symbolic, with the numbers put in, the result. */
export interface Derivation {
  /** The result's own name. */
  name: string;
  title: string;
  symbolic: Math;
  substituted: Math;
  result: Math;
  /** The result in other words, on a line of its own if there is no room next to it. */
  otherwise?: string | undefined;
  /** Why the formula holds, and where it comes from. */
  note?: TemplateResult | string;
}

/** Three aligned lines for each formula. */
export function derivation(steps: readonly Derivation[]): TemplateResult {
  return html`<ol part="derivation" class="derivation">${steps.map(
    (step) => html`<li>
    <h3>${step.title} <code>${step.name}</code></h3>
    <div class="lines">
      <div class="scroll">${formula(step.symbolic)}</div>
      <div class="scroll">${formula(step.substituted)}</div>
      <div class="scroll result">${formula(step.result)}${step.otherwise ? html` <span class="otherwise">= ${step.otherwise}</span>` : nothing}</div>
    </div>
    ${step.note ? html`<p class="small soft">${step.note}</p>` : nothing}</li>`,
  )}</ol>`;
}

export const mathStyles = unsafeCSS(styles);
