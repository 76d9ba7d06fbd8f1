import type { Problem } from "#engine";
import { noChange, nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "./html.js";
import type { CalculationName } from "../state/run.js";
import { problemSummary } from "./field.js";
import { ownPanel } from "./scenario-panel.js";
import type { ScenarioView } from "./scenario-view.js";
import styles from "./answer-frame.css?inline";

/** The layout of every view: the answer, its first picture, and everything else below. */
interface AnswerParts {
  /** The sentence that answers; nothing if there is no answer yet. */
  headline: unknown;
  /** A line or two under it. */
  under?: unknown;
  /** The few inputs that belong only to this view. */
  controls?: unknown;
  figure?: unknown;
  /** Whether the picture comes before the inputs on every screen, since these are rows of their own. */
  pictureFirst?: boolean;
  rest?: unknown;
  problems: readonly Problem[];
  /** Whether the answer shown is an older one: the inputs are wrong, or a search is running. */
  stale: boolean;
  /**
   * What an older answer is about, if the view has words for it; empty if `sought` says it; otherwise wrong inputs
   * leave the answer as it was drawn.
   */
  of?: string;
  /** How far the next answer is. */
  sought?: unknown;
  calculations: readonly CalculationName[];
}

export function answerFrame(view: ScenarioView, parts: AnswerParts): TemplateResult {
  const { headline, under, controls, figure, pictureFirst, rest, problems, stale, of, sought } = parts;
  const answered = headline !== undefined && headline !== nothing;
  const kept = stale && problems.length > 0 && of === undefined;
  const drawn = (words: unknown) => (kept ? noChange : (words ?? nothing));
  if (!stale) view.nameAnswer();
  const last = of ?? view.lastAnswered;
  const named =
    answered && stale && last ? html`<p class="stale-note">Below is the last answer: ${last}.</p>` : nothing;
  const inputs = html`${ownPanel(view, parts.calculations)} ${controls ?? nothing}`;
  const picture = html`<div class="figure ${stale ? "stale" : ""}">${figure ?? nothing}</div>`;
  return html`<div class="frame">${
    problems.length > 0
      ? html`<div class="wrong" role="alert">${problemSummary(
          view.scenario,
          problems,
          problems.map(({ field }) => field),
          "always",
        )}
        ${named}</div>`
      : sought && sought !== nothing
        ? html`<div class="sought">${sought}${named}</div>`
        : nothing
  }
    <div class="answer ${stale ? "stale" : ""}">${drawn(headline)}</div>
    <div class="unders ${stale ? "stale" : ""}">${drawn(under)}</div>
    ${pictureFirst ? [picture, inputs] : [inputs, picture]}
    ${rest === undefined || rest === nothing ? nothing : html`<div class="rest ${stale ? "stale" : ""}">${rest}</div>`}</div>`;
}

export const frameStyles = unsafeCSS(styles);
