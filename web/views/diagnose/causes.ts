import type { DiagnoseResults } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { define } from "../../elements/define.js";
import { formulaLink } from "../../elements/formula-link.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { base, theme } from "../../elements/theme.js";
import {
  causeWords,
  confidenceWords,
  evidenceOf,
  type Loss,
  missingOf,
  type NetworkFinding,
  networkOf,
  unexplainedOf,
} from "../../state/diagnosis/words.js";
import "../../charts/line-chart.js";
import type { OwnCurve } from "../../state/own-log.js";
import { perhaps } from "../../state/parts.js";
import { logChart } from "./log-chart.js";
import { comparedLogs } from "./measured.js";
import { ms, percent } from "../../state/format.js";
import styles from "./causes.css?inline";

/** Why a run is slow, cause by cause: evidence and the command to run next; then what is left, and networks. */
export class Causes extends ScenarioView {
  static override properties = { ...ScenarioView.properties, found: { attribute: false } };

  declare found: DiagnoseResults;

  private cause(loss: Loss): TemplateResult {
    return html`<li><p><b>${loss.title}</b>: <b class="number">${ms(loss.loss_ms)}</b>, ${percent(loss.share_percent, 2)} of the step
      <span class="sure">(${confidenceWords[loss.confidence]}${
        loss.rival ? `; these files do not tell it from ${causeWords[loss.rival as Loss["cause"]]}` : ""
      })</span></p>
      <p>${evidenceOf(loss, this.found)}</p>
      <pre class="small"><code>${loss.command}</code></pre></li>`;
  }

  private networks(): TemplateResult | typeof nothing {
    const { networks } = this.found;
    if (networks.length === 0) return nothing;
    const curves = comparedLogs(this.scenario);
    return html`<section aria-labelledby="networks-title"><h2 id="networks-title">Your nccl-tests logs</h2><ul class="networks">${networks.map(
      (one, at) => html`<li data-network=${one.verdict}><p>${networkOf(one)}</p>
        ${one.command ? html`<pre class="small"><code>${one.command}</code></pre>` : nothing}
        ${curves[at] ? perhaps(this.scenario, () => this.curve(one, curves[at]!, at)) : nothing}</li>`,
    )}</ul></section>`;
  }

  /** A log next to what its verdict compares it with, and published runs of such machines. */
  private curve(judged: NetworkFinding, log: OwnCurve, at: number): TemplateResult {
    const { collective, num_gpus } = judged;
    const chart = logChart(this.scenario, judged, log);
    return html`<commcost-line-chart part="chart" data-log=${`${collective} ${num_gpus}`} .spec=${{ ...chart, id: `${chart.id}-${at}` }}></commcost-line-chart>`;
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
    ${this.networks()}
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
