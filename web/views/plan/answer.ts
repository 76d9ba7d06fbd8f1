import type { PlanResults } from "#engine";
import { html, nothing, type TemplateResult } from "lit";
import { capital, days, exact, milliseconds, percent, significant } from "../../state/format.js";
import type { Scenario } from "../../state/scenario.js";
import { between, stepFigures } from "../../state/step.js";
import type { Progress } from "./search.js";
import { countsOf } from "./tables.js";
import { inShort } from "../../figures/layout-words.js";
import { choiceWord } from "../../elements/labels.js";
import { inDetail } from "./words.js";

/** What the first layout is among all: the fastest, the fastest with headroom, or one of those that tie. */
export function leadOf(found: PlanResults, scenario: Scenario): string {
  const [best, fastest, any] = [found.layouts[0]!, found.fastest[0]!, found.pareto_front[0]!];
  const headroom = percent(scenario.number("memory_headroom_percent"), 2);
  if (best.step_time_ms > fastest.step_time_ms) return "Among the fastest on";
  if (any.step_time_ms < best.step_time_ms) return `Fastest with ${headroom} of memory free on`;
  return "Fastest on";
}

/** Which families the first one ties with. */
function tieOf({ layouts, fastest }: PlanResults): string {
  const tied = layouts.filter(({ tie }) => tie).length;
  const [best, least] = [layouts[0]!, fastest[0]!];
  if (best.step_time_ms > least.step_time_ms)
    return `${tied > 1 ? `The simplest of ${tied === layouts.length ? `${tied} and more` : tied} families` : "The simplest of its family’s layouts"} within noise of the fastest, ${stepFigures.time(least)}. `;
  return tied > 1
    ? `${tied === layouts.length ? `${tied}+` : tied} families are within noise; this is the simplest. `
    : "";
}

/** The best layout in one sentence; where none fits, what is short and by how much. */
export function planHeadline(
  scenario: Scenario,
  found: PlanResults,
  cluster_gpus: number,
  fitsFrom: number,
  pins: string,
): TemplateResult | typeof nothing {
  const gpus = exact(cluster_gpus);
  const held = pins && html` with <span data-result="pins">${pins}</span>`;
  const best = found.layouts[0];
  if (best) {
    const money = best.cost > 0 ? `, ${exact(Number(best.cost.toPrecision(3)))} at that price` : "";
    return html`<p part="headline" class="headline">${leadOf(found, scenario)} ${gpus} GPU${gpus === "1" ? "" : "s"}${held}: <b>${inShort(best)}</b> — a step takes about
      <b class="number">${stepFigures.time(best)}</b> (${between(best.step_time_low_ms, best.step_time_high_ms)}).</p>
      <p class="under">${tieOf(found)}${capital(inDetail(scenario, best))}; ${stepFigures.mfu(best)} MFU; ${significant(Math.max(0, best.headroom_percent), 2)} % of ${scenario.sizes.memory(found.memory_limit_gib)} free.
      The run takes <span class="number" data-result="training_days">${days(best.training_days)}</span>: ${exact(Number(best.gpu_hours.toPrecision(3)))} GPU-hours${money}.</p>`;
  }
  if (found.progress < 1) return html`<p part="headline" class="headline soft">Nothing that fits was found yet.</p>`;
  const smallest = found.smallest[0];
  if (!smallest) return nothing;
  return html`<p part="headline" class="headline">No layout${held} fits: each GPU is short of <b class="number">${scenario.sizes.memory(found.deficit_gib)}</b>.</p>
    <p class="under">The smallest of all, ${inShort(smallest)}${smallest.zero_stage > 0 ? ` with ZeRO-${smallest.zero_stage}` : ""},
      ${choiceWord(scenario, "recompute", smallest.recompute)} recomputed, needs ${scenario.sizes.memory(smallest.memory_gib)} of a GPU that can give ${scenario.sizes.memory(found.memory_limit_gib)}.
      ${fitsFrom > cluster_gpus ? html`It first fits on <b>${exact(fitsFrom)} GPUs</b>.` : "More GPUs, or GPUs with more memory, would help."}</p>`;
}

/** How far the search is, with what can be done about it. */
export function progressLine(progress: Progress, cancel: () => void, again: () => void): TemplateResult {
  const { scaling, counts, state, found, elapsed_ms } = progress;
  const share = `${Math.floor(100 * (found?.progress ?? 0))} %`;
  const running = state === "layouts" || state === "counts";
  return html`<div class="progress">
    ${
      running
        ? html`<progress max=${state === "layouts" ? 1 : counts || 1} .value=${state === "layouts" ? (found?.progress ?? 0) : scaling.length} aria-label="Searched"></progress>
      <button class="no-print" @click=${cancel}>Cancel</button>`
        : nothing
    }
    ${state === "cancelled" ? html`<button class="no-print" @click=${again}>Search again</button>` : nothing}
    <span class="small soft number" role="status">${
      state === "layouts"
        ? `Searched ${share}; this is the best so far.`
        : state === "counts"
          ? `Searched all; now other numbers of GPUs: ${scaling.length} of ${counts || "some"}.`
          : state === "cancelled"
            ? `Cancelled after ${share} of the layouts${scaling.length > 0 ? ` and ${scaling.length} numbers of GPUs` : ""}; this is the best until then.`
            : found
              ? html`${countsOf(found)}; in ${milliseconds(elapsed_ms, 2)} on this machine.`
              : nothing
    }</span>
  </div>`;
}
