import type { FieldDescription, TensorParallelAllreduceCostResults } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { answerFrame } from "../../elements/answer-frame.js";
import { resultStyles } from "../../elements/answer-styles.js";
import { calibrationNote } from "../../elements/calibration-note.js";
import { beside, besideLine } from "../../elements/comparison.js";
import { labelOf } from "../../elements/labels.js";
import { mathStyles } from "../../elements/math.js";
import { meaning } from "../../elements/meaning.js";
import "../../elements/missing-part.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { viewStyles } from "../../elements/view-styles.js";
import { Part } from "../../engine/part.js";
import { exactly, type Ranged, ranged } from "../../state/compared.js";
import { milliseconds, plain } from "../../state/format.js";
import { expectation, type Expectation } from "../../state/expectation.js";
import { completeInputs, run } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";
import { headline, reasons } from "./sentences.js";
import styles from "./cost-view.css?inline";
import { Status } from "../../elements/status.js";
import { define } from "../../elements/define.js";

const calculation = "tensor_parallel_allreduce_cost";

const completeOf = (scenario: Scenario) => completeInputs(scenario, calculation) as Record<string, number>;

const predicted = (expected: Expectation["results"]): Ranged | undefined =>
  expected && ranged(expected.total_ms, expected.total_low_ms, expected.total_high_ms);

/** The exercise: its four numbers, their worked solution, how they grow, and a check of the reader's answers. */
export class CostView extends ScenarioView {
  static override properties = {
    ...ScenarioView.properties,
    explained: { state: true },
  };

  private readonly status = new Status(this, 4000);
  /** The explanations, once the answer has been on the screen. */
  declare explained: typeof import("./explained.js") | undefined;

  private readonly explaining = new Part("The worked solution and its charts", async () => {
    this.explained = await import("./explained.js");
  });

  protected override firstUpdated(): void {
    requestAnimationFrame(() => setTimeout(() => void this.explaining.ask()));
  }

  override get outcome() {
    return run(this.scenario, calculation);
  }

  private get description() {
    return this.scenario.engine.describe()[calculation]!;
  }

  private copy(what: string, text: string): void {
    void this.status.copy(text, `${what} copied`, "Copying is not allowed here: select the text instead");
  }

  private resultTable(
    results: TensorParallelAllreduceCostResults,
    then: TensorParallelAllreduceCostResults | undefined,
  ): TemplateResult {
    const rows = this.description.results as (FieldDescription & { name: keyof TensorParallelAllreduceCostResults })[];
    return html`<dl part="results" class="results">${rows.map((field) => {
      const value = results[field.name];
      const human = (number: number) =>
        field.unit === "bytes"
          ? this.scenario.sizes.everyWay(number)
          : this.scenario.sizes.quantity(number, field.unit);
      return html`<div>
        <dt>${meaning(this.scenario, calculation, field.name, labelOf(this.scenario, field.name))}<br /><code>${field.name}</code></dt>
        <dd><span class="exact number" data-result=${field.name}>${plain(value)}</span><span class="human number">${human(value)}</span>
          ${beside(value, then?.[field.name], (number) => this.scenario.sizes.quantity(number, field.unit))}</dd>
      </div>`;
    })}</dl>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { results, problems, stale } = this.answer(calculation);
    const a = stale ? undefined : this.besides(calculation);
    if (!stale) this.shownInputs = completeOf(this.scenario);
    const inputs = this.shownInputs;
    const expected = results && expectation(this.scenario, inputs, results.message_size_bytes);
    const { explained } = this;
    const answered = results && { scenario: this.scenario, inputs, results };
    const pinned = a && { ...a, inputs: completeOf(a.scenario) };
    const drawn = answered && !this.compact ? explained : undefined;
    return answerFrame(this, {
      headline: results && headline(this.scenario, inputs, results, expected),
      under: results && this.under(inputs, results, expected, a),
      figure: drawn?.timePicture(answered!, pinned),
      rest:
        answered &&
        html`<div class="wide">${this.resultTable(results, a?.results)}</div>
          <div class="aside">
            ${drawn ? this.later(() => drawn.volumePicture(answered, pinned)) : nothing}
            ${explained ? this.later(() => explained.check(answered), "no-print") : nothing}
          </div>
          <commcost-missing class="wide" .of=${this.explaining}></commcost-missing>
          ${explained ? this.later(() => explained.body(answered, (what, text) => this.copy(what, text), this.status.text)) : nothing}`,
      problems,
      stale,
      calculations: [calculation, "predict_collective"],
    });
  }

  private under(
    inputs: Record<string, number>,
    results: TensorParallelAllreduceCostResults,
    expected: Expectation | undefined,
    a: { scenario: Scenario; inputs: Record<string, unknown>; results: TensorParallelAllreduceCostResults } | undefined,
  ): TemplateResult {
    const then = a && expectation(a.scenario, completeOf(a.scenario), a.results.message_size_bytes)?.results;
    return html`${reasons(this.scenario, inputs, results, expected)}
      ${besideLine(this.scenario.pinned !== undefined, a !== undefined, [
        {
          what: "predicted",
          now: predicted(expected?.results),
          then: predicted(then),
          format: (value) => milliseconds(value, 2),
        },
        exactly("textbook formula", results.total_comm_time_ms, a?.results.total_comm_time_ms, milliseconds),
        exactly(
          "bytes sent",
          results.total_comm_volume_bytes,
          a?.results.total_comm_volume_bytes,
          this.scenario.sizes.bytes,
        ),
      ])}
      ${calibrationNote(this.scenario, "The prediction follows it; the four textbook numbers do not.")}`;
  }

  private shownInputs: Record<string, number> = {};

  static override styles = [viewStyles, resultStyles, mathStyles, unsafeCSS(styles)];
}

define("commcost-cost", CostView);
