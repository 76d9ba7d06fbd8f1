import { nothing, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import "../../charts/line-chart.js";
import { answerFrame } from "../../elements/answer-frame.js";
import { define } from "../../elements/define.js";
import { formulaLink } from "../../elements/formula-link.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { viewStyles } from "../../elements/view-styles.js";
import { choose } from "../../state/chosen.js";
import { once } from "../../state/once.js";
import { run } from "../../state/run.js";
import { dataOrTensorChart } from "./data-or-tensor.js";
import { sizesAndGpus } from "./grid.js";
import "./grid-chart.js";
import { judged, judgedChart } from "./judged.js";
import { machines } from "./scaling.js";
import "./scaling.js";
import { dataOrTensorWords, projectionHeadline, projectionUnder } from "./sentences.js";

const calculation = "project_scaling";
const rowsOf = once(({ engine }) => judged(engine));

/** Many GPUs projected from few: how far that can be trusted, and its results for other sizes and numbers. */
export class ProjectionView extends ScenarioView {
  override get outcome() {
    return run(this.scenario, calculation);
  }

  private grid(): TemplateResult | typeof nothing {
    const spec = sizesAndGpus(this.scenario);
    if (!spec) return nothing;
    return html`<section class="wide" aria-labelledby="grid-title"><h2 id="grid-title">Model sizes and GPUs</h2>
      ${
        this.scenario.readonly
          ? nothing
          : html`<p class="small no-print">The machine is the scenario’s. The slides’: ${machines.map(
              ({ name, system }, index) => html`${index > 0 ? ", " : ""}<button type="button" class="plain"
              @click=${() => choose(this.scenario, "system", system)}>${name}</button>`,
            )}.</p>`
      }
      <commcost-projection-grid part="chart" .spec=${spec}></commcost-projection-grid></section>`;
  }

  private dataOrTensor(): TemplateResult | typeof nothing {
    // The cluster either way: whole as one tensor group, or whole as replicas.
    const gpus = this.scenario.number("cluster_gpus");
    const { results, stale } = this.answer("data_or_tensor", { num_gpus: gpus });
    if (!results || stale) return nothing;
    const values = { ...this.scenario.inputs("data_or_tensor").values, num_gpus: gpus };
    return html`<section aria-labelledby="data-or-tensor-title">
      <div class="titled"><h2 id="data-or-tensor-title">Does DP scale better than TP?</h2>${formulaLink("data_or_tensor")}</div>
      ${
        gpus > 1
          ? html`${dataOrTensorWords(results, gpus)}
        <commcost-line-chart part="chart" .spec=${dataOrTensorChart(this.scenario, values, results)}></commcost-line-chart>`
          : html`<p>One GPU sends nothing either way.</p>`
      }</section>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { problems, stale } = this.answer(calculation);
    return answerFrame(this, {
      headline: projectionHeadline(rowsOf(this.scenario)),
      under: projectionUnder(rowsOf(this.scenario)),
      figure: this.compact
        ? nothing
        : html`<commcost-line-chart part="chart" .spec=${judgedChart(rowsOf(this.scenario))}></commcost-line-chart>`,
      rest: this.compact
        ? nothing
        : html`<commcost-scaling class="wide" exportparts="chart" .scenario=${this.scenario}></commcost-scaling>
          ${this.grid()} ${this.dataOrTensor()}`,
      // The section of the projection reports problems of its own fields.
      problems: stale && this.compact ? problems : [],
      stale: false,
      calculations: [calculation],
    });
  }

  static override styles = [viewStyles];
}

define("commcost-projection", ProjectionView);
