import type { TrainingStepResults } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { asOther, errors } from "virtual:step-errors";
import "../../charts/chance-chart.js";
import type { ChanceSpec } from "../../charts/chance-chart.js";
import { scenarioWords } from "../../elements/scenario-words.js";
import { SeenView } from "../../elements/seen-view.js";
import { siteAddress } from "../../elements/site.js";
import { base, theme } from "../../elements/theme.js";
import { askedQuery } from "../../scoreboard/asked.js";
import { namesOf } from "../../scoreboard/words.js";
import { millisecondUnits, ms, significant } from "../../state/format.js";
import { writeLink } from "../../state/link.js";
import { once } from "../../state/once.js";
import { hardware } from "../../state/presets.js";
import { missedAlike, ratiosOf, restsOn, withinBand } from "./sentences.js";
import styles from "./seen-later.css?inline";
import { define } from "../../elements/define.js";

const names = once(({ engine }) => namesOf(engine));

/** How sure a prediction of a step is: the outcomes if it missed as those of its class did. */
export class HowSure extends SeenView {
  private placed(values: Record<string, unknown>, results: TrainingStepResults) {
    const accelerator = String(values["accelerator"] || this.scenario.text("accelerator"));
    const number = (name: string) => Number(values[name]) || 1;
    return {
      recipe: this.scenario.text("recipe"),
      accelerator,
      generation: hardware(this.scenario).accelerators.find(({ id }) => id === accelerator)!.generation,
      kind: results.run_kind,
      precision: this.scenario.text("matmul_precision"),
      num_experts: number("num_experts"),
      num_gpus: results.cluster_gpus,
      tensor_parallel: number("tensor_parallel"),
      pipeline_parallel: number("pipeline_parallel"),
      context_parallel: number("context_parallel"),
      expert_parallel: number("expert_parallel"),
    };
  }

  private spec(results: TrainingStepResults): ChanceSpec {
    const placed = this.placed(this.scenario.inputs("training_step").values, results);
    const { step_time_ms: predicted, step_time_low_ms: low, step_time_high_ms: high } = results;
    const ratios = ratiosOf(results, { errors, asOther });
    return {
      id: "commcost-how-sure",
      title: "How sure?",
      summary: `${restsOn(this.scenario, results, placed, names(this.scenario))} ${missedAlike(ratios, results)}`,
      ratios,
      predicted,
      low,
      high,
      within: withinBand(ratios, results),
      label: `predicted ${ms(predicted)}`,
      x: { label: "Step time that may be measured", format: ms, units: millisecondUnits },
      table: {
        header: ["error_percent", "implied_step_time_ms"],
        rows: ratios.map((ratio) => [
          Number(significant(100 / ratio - 100, 3)),
          Number(significant(predicted * ratio, 5)),
        ]),
      },
    };
  }

  /** Where the scoreboard shows this scenario; none if there is no site around the view. */
  private scoreboard(placed: ReturnType<HowSure["placed"]>, results: TrainingStepResults, parameters: number) {
    const page = siteAddress("scoreboard.html");
    if (!page || !(parameters > 0)) return undefined;
    const query = askedQuery({
      ...placed,
      parameters_billion: parameters / 1e9,
      scenario: scenarioWords(this.scenario).join(" · "),
      predicted_ms: results.step_time_ms,
      low_ms: results.step_time_low_ms,
      high_ms: results.step_time_high_ms,
    });
    return `${page}${query}${location.hash || writeLink(this.scenario, { view: "step" })}`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { results } = this.answer("training_step", { cluster_gpus: 0 });
    const { values } = this.scenario.inputs("training_step");
    if (!results) return nothing;
    const placed = this.placed(values, results);
    const ledger = this.answer("communication_ledger").results;
    const scoreboard = this.scoreboard(placed, results, ledger?.parameters ?? 0);
    return html`<section aria-label="How sure">
      <commcost-chance-chart part="chart" .spec=${this.spec(results)}></commcost-chance-chart>
      ${scoreboard ? html`<p class="no-print"><a href=${scoreboard}>Closest published runs</a></p>` : nothing}
    </section>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-how-sure", HowSure);
