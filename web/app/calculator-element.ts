import { css, html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { define } from "../elements/scenario-view.js";
import { theme } from "../elements/theme.js";
import { loadEngine } from "../engine/index.js";
import { pageScenario } from "../state/page-scenario.js";
import { run } from "../state/run.js";
import type { Scenario } from "../state/scenario.js";
import "../views/cost/cost-view.js";

const calculation = "tensor_parallel_allreduce_cost";
const inputNames = [
  "hidden_size", "sequence_length", "batch_size", "num_gpus", "num_layers", "bytes_per_element", "bandwidth_gb_per_sec",
  "allreduces_per_layer",
] as const;

/**
 * The exercise as an element: inputs by attribute or property, a `change` event with inputs and results (or problems)
 * whenever they change. Attributes: the eight inputs, `compact` (no charts), `readonly`.
 */
export class CalculatorElement extends LitElement {
  static override properties = {
    ...Object.fromEntries(inputNames.map((name) => [name, { noAccessor: true }])),
    compact: { type: Boolean, reflect: true },
    readonly: { type: Boolean, reflect: true },
    scenario: { state: true },
  };

  declare compact: boolean;
  declare readonly: boolean;
  declare scenario: Scenario | undefined;
  private readonly given = new Map<string, string>();

  constructor() {
    super();
    this.compact = false;
    this.readonly = false;
    for (const name of inputNames) {
      Object.defineProperty(this, name, {
        get: () => this.scenario?.entry(name).value,
        set: (value: unknown) => this.give(name, value),
        configurable: true,
        enumerable: true,
      });
    }
  }

  private give(name: string, value: unknown): void {
    if (value === null || value === undefined) return;
    this.given.set(name, String(value));
    this.scenario?.set({ [name]: String(value) });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void loadEngine().then((engine) => {
      if (this.scenario) return;
      const scenario = pageScenario(engine);
      scenario.set(Object.fromEntries(this.given));
      scenario.addEventListener("change", () => this.announce());
      this.scenario = scenario;
    });
  }

  /** The present answer: { inputs, results } or { problems }. */
  get answer() {
    return this.scenario && run(this.scenario, calculation);
  }

  private announce(): void {
    this.dispatchEvent(new CustomEvent("change", { detail: this.answer, bubbles: true, composed: true }));
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has("scenario") && this.scenario) this.announce();
  }

  override render(): TemplateResult {
    return this.scenario
      ? html`<commcost-cost part="cost" .scenario=${this.scenario} ?compact=${this.compact} ?readonly=${this.readonly}></commcost-cost>`
      : html`<p role="status">Loading the calculator…</p>`;
  }

  static override styles = [theme, css`:host { display: block; background: var(--paper); padding: 0.75rem; }`];
}

define("commcost-calculator", CalculatorElement);
