import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { ScenarioView } from "../elements/scenario-view.js";
import { theme } from "../elements/theme.js";
import "../elements/missing-part.js";
import { Part } from "../engine/part.js";
import { run } from "../state/run.js";
import styles from "./calculator.css?inline";
import { define } from "../elements/define.js";

/** The calculator of the exercise; with `exercise`, the exercise itself: inputs posed, results kept back until answered. */
export class CalculatorElement extends ScenarioView {
  static override properties = { ...ScenarioView.properties, exercise: { type: Boolean, reflect: true }, hints: {} };

  declare exercise: boolean;
  /** How many hints an exercise has: a number, or "off". */
  declare hints: string | number | undefined;

  private readonly cost = new Part("The calculator", () => import("../views/cost/cost-view.js"));
  private readonly posed = new Part("The exercise", () => import("../views/exercise/exercise-view.js"));

  /** Its content, fetched in parallel with the engine. */
  private get shown(): Part {
    const part = this.exercise ? this.posed : this.cost;
    if (part.state === "unasked") void part.ask();
    return part;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.shown;
  }

  override get outcome() {
    return this.exercise ? undefined : run(this.scenario, "tensor_parallel_allreduce_cost");
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const missing = html`<commcost-missing .of=${this.shown}></commcost-missing>`;
    return this.exercise
      ? html`<commcost-exercise exportparts="statement, headline, inputs, answers, verdict, solution, derivation"
          data-view .scenario=${this.scenario} .hints=${this.hints} ?compact=${this.compact} .parts=${this.parts}></commcost-exercise>${missing}`
      : html`<commcost-cost exportparts="headline, results, inputs, chart, derivation, check, call"
          data-view .scenario=${this.scenario} ?compact=${this.compact} .parts=${this.parts}></commcost-cost>${missing}`;
  }

  static override styles = [theme, unsafeCSS(styles)];
}

define("commcost-calculator", CalculatorElement);
