import type { Problem } from "#engine";
import { css, html, nothing, type TemplateResult } from "lit";
import type { CalculationName } from "../state/run.js";
import { problemSummary } from "./field.js";
import { ownPanel } from "./scenario-panel.js";
import type { ScenarioView } from "./scenario-view.js";

/** What every view is made of: the answer, its first picture, and below them everything else. */
export interface AnswerParts {
  /** The sentence that answers; nothing where there is no answer yet. */
  headline: unknown;
  /** A line or two under it. */
  under?: unknown;
  /** The few inputs that only this view has. */
  controls?: unknown;
  figure?: unknown;
  rest?: unknown;
  problems: readonly Problem[];
  /** Fields in this view's own controls. */
  owned?: readonly string[];
  /** Whether the answer shown is an older one, since the inputs are wrong. */
  stale: boolean;
  calculations: readonly CalculationName[];
}

export function answerFrame(view: ScenarioView, parts: AnswerParts): TemplateResult {
  const { headline, under, controls, figure, rest, problems, owned = [], stale } = parts;
  const answered = headline !== undefined && headline !== nothing;
  return html`<div class="frame">${
    problems.length > 0
      ? html`<div class="wrong" role="alert">${problemSummary(problems, [...owned, ...problems.map(({ field }) => field)], "always")}
        ${answered && stale ? html`<p class="stale-note">Until then, the last answer:</p>` : nothing}</div>`
      : nothing
  }
    <div class="answer ${stale ? "stale" : ""}">${headline ?? nothing}</div>
    <div class="unders ${stale ? "stale" : ""}">${under ?? nothing}</div>
    ${ownPanel(view, parts.calculations)}
    ${controls ?? nothing}
    <div class="figure ${stale ? "stale" : ""}">${figure ?? nothing}</div>
    ${rest === undefined || rest === nothing ? nothing : html`<div class="rest ${stale ? "stale" : ""}">${rest}</div>`}</div>`;
}

export const frameStyles = css`
  :host { display: block; container-type: inline-size; min-width: 0; }
  .frame { display: flex; flex-direction: column; }
  .frame > * { min-width: 0; max-width: 100%; }
  .headline { font-size: clamp(1.2rem, 1rem + 1.1cqi, 1.6rem); line-height: 1.3; max-width: 54ch; margin: 0 0 0.35rem; text-wrap: pretty; }
  .headline b { font-weight: 600; color: var(--accent); white-space: nowrap; }
  .under { margin: 0 0 0.5rem; max-width: 74ch; }
  .under b { font-weight: 600; }
  .controls { display: flex; flex-wrap: wrap; gap: 0.3rem 0.9rem; align-items: end; margin: 0 0 0.4rem; }
  .controls .field { width: 9.5rem; }
  .controls .field:has(select) { width: auto; max-width: 100%; }
  .controls .note { min-height: 0; }
  .controls .field label { font-size: 0.75rem; color: var(--ink-soft); }
  .figure { margin-block: 0.4rem 0; }
  .rest { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.75rem 2.5rem; margin-top: 1.75rem; }
  .rest > * { min-width: 0; }
  .rest h2 { margin-bottom: 0.5rem; }
  .wide { grid-column: 1 / -1; }
  .pairs { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem 2.5rem; }
  .pairs > * { min-width: 0; }
  .stale { filter: grayscale(1); }
  .stale-note { color: var(--bad); font-family: var(--sans); font-size: var(--small); margin: 0.15rem 0 0.5rem; }
  .bad { color: var(--bad); }
  .good { color: var(--good); }
  @container (max-width: 34rem) {
    .headline { font-size: 1.15rem; line-height: 1.25; }
    .frame > .figure { order: 1; }
    .frame > .unders { order: 2; margin-top: 0.5rem; }
    .frame > .controls, .frame > commcost-scenario { order: 3; margin-top: 0.5rem; }
    .frame > .rest { order: 4; }
  }
  @container (min-width: 54rem) {
    .rest { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
    .pairs { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  }
  @media print { .controls { gap: 0.1rem 0.9rem; } .rest { gap: 1rem 1.5rem; margin-top: 1rem; } }
`;
