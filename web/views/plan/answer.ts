import { nothing, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { milliseconds } from "../../state/format.js";
import type { Progress } from "./search.js";
import { countsOf } from "./tables.js";

/** How far the search is, with ways to act on it. */
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
        ? found
          ? `Searched ${share} of the layouts. This is the best so far.`
          : "Searching…"
        : state === "counts"
          ? `Searched all layouts; now other numbers of GPUs: ${scaling.length} of ${counts || "some"}.`
          : state === "cancelled"
            ? !found
              ? "Cancelled before a layout was found."
              : `Cancelled after ${share} of the layouts${scaling.length > 0 ? ` and ${scaling.length} number${scaling.length === 1 ? "" : "s"} of GPUs` : ""}. This is the best of those.`
            : found
              ? html`${countsOf(found)}, in ${milliseconds(elapsed_ms, 2)} on this machine.`
              : nothing
    }</span>
  </div>`;
}
