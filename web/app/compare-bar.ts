import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { differenceWords } from "../elements/difference-words.js";
import { ScenarioView } from "../elements/scenario-view.js";
import { base, theme } from "../elements/theme.js";
import { differences, type Difference } from "../state/differences.js";
import styles from "./compare-bar.css?inline";
import { define } from "../elements/define.js";

/** How many differences are named before the rest is folded away. */
const named = 6;

/** What the present scenario is compared with: which inputs differ from the pinned one's; swapping and unpinning. */
export class CompareBar extends ScenarioView {
  private list(found: readonly Difference[]): TemplateResult {
    return html`${found.map((one, index) => {
      const { what, then, now } = differenceWords(this.scenario, one);
      return html`${index > 0 ? ", " : ""}<span class="difference">${what} <span class="then">${then}</span> → <b>${now}</b></span>`;
    })}`;
  }

  override render(): TemplateResult | typeof nothing {
    const pinned = this.scenario?.pinned;
    if (!pinned) return nothing;
    const found = differences(this.scenario, pinned);
    const rest = found.slice(named);
    return html`<section aria-label="Comparison">
      <div class="what"><b>Compared with A (pinned).</b> ${
        found.length === 0
          ? "Nothing differs yet: change an input to see every figure next to A’s."
          : html`${this.list(found.slice(0, named))}${rest.length > 0 ? html`<details><summary>and ${rest.length} more</summary>${this.list(rest)}</details>` : "."}`
      }</div>
      <div class="buttons no-print">
        <button @click=${() => this.scenario.swap()}>Swap</button>
        <button @click=${() => this.scenario.unpin()}>Unpin A</button>
      </div>
    </section>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-compare-bar", CompareBar);
