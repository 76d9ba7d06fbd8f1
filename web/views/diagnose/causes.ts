import type { DiagnoseResults } from "#engine";
import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { define } from "../../elements/define.js";
import { formulaLink } from "../../elements/formula-link.js";
import { labelOf } from "../../elements/labels.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { base, theme } from "../../elements/theme.js";
import {
  causeWords,
  confidenceWords,
  evidenceOf,
  type Loss,
  missingOf,
  networkOf,
  unexplainedOf,
} from "../../state/diagnosis/words.js";
import { exact, milliseconds, percent, significant } from "../../state/format.js";
import styles from "./causes.css?inline";

/** Why a run is slow, cause by cause: evidence and the command to run next; then what is left, networks, and what files calibrate. */
export class Causes extends ScenarioView {
  static override properties = { ...ScenarioView.properties, found: { attribute: false } };

  declare found: DiagnoseResults;

  private cause(loss: Loss): TemplateResult {
    return html`<li><p><b>${loss.title}</b>: <b class="number">${milliseconds(loss.loss_ms, 3)}</b>, ${percent(loss.share_percent, 2)} of the step
      <span class="sure">(${confidenceWords[loss.confidence]}${
        loss.rival ? `; these files do not tell it from ${causeWords[loss.rival as Loss["cause"]]}` : ""
      })</span></p>
      <p>${evidenceOf(loss, this.found)}</p>
      <pre class="small"><code>${loss.command}</code></pre></li>`;
  }

  private networks(): TemplateResult | typeof nothing {
    const { networks } = this.found;
    if (networks.length === 0) return nothing;
    return html`<section aria-labelledby="networks-title"><h2 id="networks-title">Your nccl-tests logs</h2><ul>${networks.map(
      (one) => html`<li data-network=${one.verdict}><p>${networkOf(one)}</p>
        ${one.command ? html`<pre class="small"><code>${one.command}</code></pre>` : nothing}</li>`,
    )}</ul></section>`;
  }

  private calibrated(): TemplateResult | typeof nothing {
    const { parts } = this.found;
    if (parts.length === 0) return nothing;
    const { readonly } = this.scenario;
    const inForce = (field: string, value: number) => this.scenario.number(field) === Number(value.toPrecision(4));
    return html`<section aria-labelledby="parts-title"><h2 id="parts-title">What these files calibrate</h2><ul>${parts.map(
      ({
        field,
        value,
        error_before_percent,
        error_after_percent,
        unused,
      }) => html`<li><p>${labelOf(this.scenario, field)}: <b class="number">${significant(value, 4)}</b>.
        On ${exact(unused)} measurements that it was not taken from, predictions are off by <span class="number">${percent(error_after_percent, 2)}</span> instead of
        <span class="number">${percent(error_before_percent, 2)}</span>.
        ${
          inForce(field, value)
            ? html`<button class="no-print" ?disabled=${readonly} @click=${() => this.scenario.change({}, [field])}>Stop using it</button>`
            : html`<button class="no-print" ?disabled=${readonly} @click=${() => this.scenario.set({ [field]: String(Number(value.toPrecision(4))) })}>Use in every view</button>`
        }</p></li>`,
    )}</ul></section>`;
  }

  override render(): TemplateResult | typeof nothing {
    const { found } = this;
    if (!this.scenario || !found) return nothing;
    const missing = missingOf(found);
    return html`${
      found.losses.length > 0
        ? html`<section aria-labelledby="causes-title"><h2 id="causes-title">Causes, and what to run next</h2>
          <ol>${found.losses.map((loss) => this.cause(loss))}</ol></section>`
        : nothing
    }
    ${found.verdict === "nothing_measured" ? nothing : html`<p data-unexplained>${unexplainedOf(found)} ${formulaLink("diagnose")}</p>`}
    ${this.networks()}${this.calibrated()}
    ${
      missing.length > 0
        ? html`<section aria-labelledby="missing-title"><h2 id="missing-title">Files that would tell more</h2>
          <ul>${missing.map((line) => html`<li><p>${line}</p></li>`)}</ul></section>`
        : nothing
    }`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-causes", Causes);
