import type { TrainingStepResults } from "#engine";
import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import { errors } from "virtual:step-errors";
import "../../charts/chance-chart.js";
import type { ChanceSpec } from "../../charts/chance-chart.js";
import { labelOf } from "../../elements/labels.js";
import { scenarioWords } from "../../elements/scenario-words.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { siteAddress } from "../../elements/site.js";
import { base, theme } from "../../elements/theme.js";
import { WhenSeen } from "../../elements/when-seen.js";
import { askedQuery } from "../../scoreboard/asked.js";
import { namesOf, type Names } from "../../scoreboard/words.js";
import { exact, milliseconds, millisecondUnits, significant } from "../../state/format.js";
import { writeLink } from "../../state/link.js";
import { once } from "../../state/once.js";
import { hardware } from "../../state/presets.js";
import styles from "./seen-later.css?inline";
import { define } from "../../elements/define.js";

const ms = (value: number) => milliseconds(value, 3);

type BandClass = TrainingStepResults["band_classes"][number];

/** The errors of the runs that a band is made of, in whole percent: those of the classes that the engine names. */
const errorsOf = (classes: readonly BandClass[]): readonly number[] =>
  classes.flatMap(({ recipe, accelerator, kind }) => errors[`${recipe} ${accelerator} ${kind}`] ?? []);

const names = once(({ engine }) => namesOf(engine));

const kinds: Readonly<Record<BandClass["kind"], string>> = {
  dense: "",
  experts: " with experts",
  staged: " on stages that stall",
};

/** What they are runs of: stacks, each with its GPUs; many stacks are counted. */
function runsOf(classes: readonly BandClass[], { recipes, accelerators }: Names): string {
  const stacks = [...new Set(classes.map(({ recipe }) => recipe))];
  if (stacks.length > 2) return `${stacks.length} stacks`;
  return stacks
    .map((stack) => {
      const of = classes.filter(({ recipe }) => recipe === stack);
      const machines = [...new Set(of.map(({ accelerator, kind }) => `${accelerators[accelerator]}${kinds[kind]}`))];
      return `${recipes[stack]} on ${machines.join(", ")}`;
    })
    .join(" and ");
}

/** How sure a prediction of a step is: what it would have turned out as, had it missed as those of its class did. */
export class HowSure extends ScenarioView {
  private readonly whenSeen = new WhenSeen(this);

  protected override shouldUpdate(): boolean {
    return this.whenSeen.seen;
  }

  private placed(values: Record<string, unknown>, results: TrainingStepResults) {
    const accelerator = String(values["accelerator"] || this.scenario.text("accelerator"));
    const number = (name: string) => Number(values[name]) || 1;
    return {
      recipe: this.scenario.text("recipe") || "megatron-core",
      accelerator,
      generation: hardware(this.scenario).accelerators.find(({ id }) => id === accelerator)!.generation,
      kind: results.run_kind,
      num_experts: number("num_experts"),
      num_gpus: results.cluster_gpus,
      tensor_parallel: number("tensor_parallel"),
      pipeline_parallel: number("pipeline_parallel"),
      context_parallel: number("context_parallel"),
      expert_parallel: number("expert_parallel"),
    };
  }

  /** "NVIDIA H20", and what this step has more of than any published run. */
  private rests(results: TrainingStepResults): string {
    const { basis, run_kind, band_classes, beyond_runs, measured_runs, measured_series } = results;
    const known = names(this.scenario);
    const { recipe, accelerator } = this.placed(this.scenario.inputs("training_step").values, results);
    const own = band_classes.filter((one) => one.recipe === recipe && one.accelerator === accelerator);
    const published = own.reduce((sum, one) => sum + one.measured_series, 0);
    const here = `${known.recipes[recipe]} on ${known.accelerators[accelerator]}`;
    const rest = `the band rests on ${exact(measured_runs)} runs in ${exact(measured_series)} series of ${runsOf(band_classes, known)}`;
    const beyond = beyond_runs
      ? ` Nobody has published such a run: more than any has of ${beyond_runs
          .split(", ")
          .map((name) => labelOf(this.scenario, name))
          .join(", ")}.`
      : "";
    const stalls =
      run_kind === "staged"
        ? " Some of them stalled, by a second and more a micro-batch, and no input tells which: hence the width."
        : "";
    if (basis === "measured") return `Measured: ${rest}.${stalls}`;
    const few = published === 0 ? "No run" : published < 3 ? `Only ${published} series` : `${exact(published)} series`;
    const verb = published > 1 ? "have" : "has";
    const alike = basis === "similar" ? "It is like what was measured" : "Nothing like it was measured";
    return `${alike}: ${few} of ${here} ${verb} been published, and ${rest}, and is wider.${beyond}${stalls}`;
  }

  private spec(results: TrainingStepResults): ChanceSpec {
    const { step_time_ms: predicted, step_time_low_ms: low, step_time_high_ms: high } = results;
    const ratios = errorsOf(results.band_classes).map((error) => 1 / (1 + error / 100));
    const within = ratios.filter((ratio) => ratio * predicted >= low && ratio * predicted <= high).length;
    return {
      id: "commcost-how-sure",
      title: "How sure?",
      summary: `${this.rests(results)} Had this prediction missed as theirs did, ${exact(within)} of ${exact(ratios.length)} would have taken ${ms(low)} to ${ms(high)}.`,
      ratios,
      predicted,
      low,
      high,
      label: `predicted ${ms(predicted)}`,
      x: { label: "A step, as it may be measured", format: ms, units: millisecondUnits },
      table: {
        header: ["error_percent", "implied_step_time_ms"],
        rows: ratios.map((ratio) => [
          Number(significant(100 / ratio - 100, 3)),
          Number(significant(predicted * ratio, 5)),
        ]),
      },
    };
  }

  /** Where the scoreboard shows this scenario; none where there is no site around the view. */
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
      ${scoreboard ? html`<p class="no-print"><a href=${scoreboard}>This scenario among its nearest runs</a></p>` : nothing}
    </section>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-how-sure", HowSure);
