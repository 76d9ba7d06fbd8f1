import { html, LitElement, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { download } from "../elements/export.js";
import "../elements/copied-text.js";
import { base, theme } from "../elements/theme.js";
import type { Scenario } from "../state/scenario.js";
import { longestPrinted, readPrinted, saidOfPrinted } from "./printed.js";
import { pythonArguments, pythonSignature } from "./python.js";
import { asJson, asPytest, drawnVectors, vectors } from "./vectors.js";
import styles from "./own-function.css?inline";
import { define } from "../elements/define.js";

const calculation = "tensor_parallel_allreduce_cost";

/** Lets learners try the function that they have written: the call to make, a place for what it prints, tests to take along. */
export class OwnFunction extends LitElement {
  static override properties = {
    scenario: { attribute: false },
    inputs: {
      attribute: false,
      hasChanged: (now: unknown, before: unknown) => JSON.stringify(now) !== JSON.stringify(before),
    },
    seed: { attribute: false },
    level: { attribute: false },
    edition: { attribute: false },
    said: { state: true },
  };

  declare scenario: Scenario;
  declare inputs: Record<string, number>;
  declare seed: number;
  declare level: number;
  declare edition: number;
  declare said: string;

  protected override willUpdate(changed: PropertyValues): void {
    // What was said of one exercise is not true of the next.
    if (!changed.has("inputs")) return;
    this.read = "";
    this.said = "";
  }

  constructor() {
    super();
    this.said = "";
  }

  private get description() {
    return this.scenario.engine.describe()[calculation]!;
  }

  /** At once what is pasted; what is typed when it is left, so that each key is no attempt. */
  private readonly onInput = (event: Event) => {
    if ((event as InputEvent).inputType === "insertFromPaste") this.onPrinted(event);
  };

  private read = "";

  private readonly onPrinted = (event: Event) => {
    const text = (event.target as HTMLTextAreaElement).value;
    if (text === this.read) return;
    this.read = text;
    const names = this.description.results.map(({ name }) => name);
    const printed = readPrinted(text, names);
    const whole = this.description.results.filter(({ kind }) => kind === "whole").map(({ name }) => name);
    this.said = saidOfPrinted(text, printed, whole);
    // Also where nothing was read: what was said of the last output is not true of this one.
    this.dispatchEvent(new CustomEvent("printed", { detail: printed.texts }));
  };

  private save(kind: "pytest" | "json"): void {
    const { engine } = this.scenario;
    const all = vectors(engine, { seed: this.seed, levels: [this.level], edition: this.edition });
    if (kind === "pytest") download(`test_${calculation}.py`, asPytest(engine, all), "text/x-python");
    else download(`${calculation}.json`, asJson(all), "application/json");
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { inputs } = this.description;
    const call = `print(${calculation}(${pythonArguments(inputs, this.inputs)}))`;
    return html`<details>
      <summary>Test the function you wrote</summary>
      <div class="steps">
        <div><h2>1. The function</h2>
          <commcost-copied-text .name=${"signature"} .text=${pythonSignature(calculation, inputs)}></commcost-copied-text></div>
        <div><h2>2. Call it with this exercise</h2>
          <commcost-copied-text .name=${"call"} .text=${call}></commcost-copied-text>
          <h2><label for="printed">3. Paste what it printed</label></h2>
          <textarea id="printed" .value=${this.read} name="printed" rows="4" spellcheck="false" autocomplete="off" maxlength=${longestPrinted}
            placeholder="{'message_size_bytes': …}" aria-describedby="printed-said" @input=${this.onInput} @change=${this.onPrinted}></textarea>
          <p class="small" id="printed-said" role="status">${this.said}</p></div>
        <div><h2>Or run it against many</h2>
          <p class="small">Exercises ${this.seed} to ${this.seed + drawnVectors - 1} of level ${this.level}, and the edge cases: one GPU, two, three, a single layer, defaults left out.</p>
          <p><button type="button" @click=${() => this.save("pytest")}>Save tests for pytest</button>
            <button type="button" @click=${() => this.save("json")}>Save as JSON</button></p></div>
      </div>
    </details>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-own-function", OwnFunction);
