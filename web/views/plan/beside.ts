import type { PlanResults } from "#engine";
import { Background } from "../../state/background.js";
import { nothing, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { besideLine } from "../../elements/comparison.js";
import { comparedSteps } from "../../state/compared-steps.js";
import type { Scenario } from "../../state/scenario.js";
import type { Session } from "../../state/session.js";
import { inShort } from "../../figures/layout-words.js";

/** The best layouts of the pinned scenario, searched in the background; `report` is called when they are known. */
export class PinnedPlan {
  results: PlanResults | undefined;
  /** Whether the search is over. */
  settled = false;
  private asked = "";
  private background: Background | undefined;

  constructor(private readonly report: () => void) {}

  /** Searches for the inputs of `pinned`, unless they are known; `leftOut` are inputs that say how, not what. */
  follow(pinned: Scenario | undefined, leftOut: readonly string[]): void {
    const { values, problems } = pinned?.inputs("plan") ?? { values: {}, problems: [] };
    for (const name of leftOut) delete values[name];
    const asked = pinned ? JSON.stringify([values, problems]) : "";
    if (asked === this.asked) return;
    this.stop();
    this.asked = asked;
    if (!pinned) return;
    this.settled = problems.length > 0;
    if (!this.settled) void this.search(pinned, values);
  }

  private async search(pinned: Scenario, values: Record<string, unknown>): Promise<void> {
    const background = (this.background = new Background(pinned.engine));
    const answer = await background.run("plan", values);
    background.stop();
    if (!answer || background !== this.background) return;
    this.results = answer.results;
    this.settled = true;
    this.report();
  }

  stop(): void {
    this.background?.stop();
    this.background = undefined;
    this.results = undefined;
    this.settled = false;
    this.asked = "";
  }
}

/** The best layout compared with the pinned scenario's. */
export function besidePlan(
  { sizes, pinned }: Session,
  found: PlanResults,
  { results, settled }: PinnedPlan,
): TemplateResult | typeof nothing {
  if (!pinned) return nothing;
  if (!settled) return html`<p class="small soft" role="status">Searching A’s layouts…</p>`;
  const [best, then] = [found.layouts[0], results?.layouts[0]];
  const figures = best ? comparedSteps(sizes, { step: best, run: best }, then && { step: then, run: then }) : [];
  return html`${besideLine(true, then !== undefined, figures)}${then && inShort(then) !== (best && inShort(best)) ? html`<p class="small">A’s best: ${inShort(then)}.</p>` : nothing}`;
}
