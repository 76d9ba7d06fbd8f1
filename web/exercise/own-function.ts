import { LitElement, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import { download } from "../elements/export.js";
import "../elements/copied-text.js";
import { base, theme } from "../elements/theme.js";
import type { Scenario } from "../state/scenario.js";
import { longestPrinted, readPrinted, saidOfPrinted } from "./printed.js";
import { pythonArguments } from "./python.js";
import { asJson, asPytest, drawnVectors, functionName, vectors } from "./vectors.js";
import styles from "./own-function.css?inline";
import { define } from "../elements/define.js";
import "../elements/missing-part.js";
import { Part } from "../engine/part.js";
import { task } from "./task.js";

/** Whether this build of the page has an interpreter. */
declare const PYTHON: boolean;

/** Whether a function can be run in this build of the page. */
export const canWrite = PYTHON;

const editor = canWrite ? new Part("The editor", () => import("./write-function.js")) : undefined;

/**
 * Lets learners write the function and run it here; or elsewhere: the call to make, a place for its output, tests to
 * download.
 */
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
    open: { type: Boolean },
    said: { state: true },
  };

  declare scenario: Scenario;
  declare inputs: Record<string, number>;
  declare seed: number;
  declare level: number;
  declare edition: number;
  /** Whether it is unfolded, as in the path's last step. */
  declare open: boolean;
  declare said: string;

  protected override willUpdate(changed: PropertyValues): void {
    // The feedback on one exercise does not apply to the next.
    if (!changed.has("inputs")) return;
    this.read = "";
    this.said = "";
  }

  constructor() {
    super();
    this.open = false;
    this.said = "";
  }

  private get description() {
    return this.scenario.engine.describe()[functionName]!;
  }

  /** Pasted text is judged at once, typed text when the field is left, so that not every key is an attempt. */
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
    // Even if nothing was read: the feedback on the last output does not apply to this one.
    this.dispatchEvent(new CustomEvent("printed", { detail: printed.texts }));
  };

  private save(kind: "pytest" | "json"): void {
    const { engine } = this.scenario;
    const all = vectors(engine, { seed: this.seed, levels: [this.level], edition: this.edition });
    if (kind === "pytest") download(`test_${functionName}.py`, asPytest(engine, all), "text/x-python");
    else download(`${functionName}.json`, asJson(all), "application/json");
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { inputs } = this.description;
    const call = `print(${functionName}(${pythonArguments(inputs, this.inputs)}))`;
    const open = (event: Event) => {
      if ((event.target as HTMLDetailsElement).open) void editor?.ask();
    };
    return html`<details ?open=${this.open} @toggle=${open}>
      <summary>Write the function</summary>
      <div class="desk">
        <div>${task(this.scenario)}</div>
        ${
          editor
            ? html`<div><commcost-missing .of=${editor}></commcost-missing>
          <commcost-write-function .scenario=${this.scenario} .seed=${this.seed} .level=${this.level} .edition=${this.edition}></commcost-write-function></div>`
            : html`<p>Python runs on commcost’s own page alone: a frame, a tag or a saved file may not load it. Run your function where you
          wrote it, and paste here what it printed.</p>`
        }
      </div>
      <h2>Ran it elsewhere?</h2>
      <div class="steps">
        <div><h3>Call it with this exercise</h3>
          <commcost-copied-text .name=${"call"} .text=${call}></commcost-copied-text></div>
        <div><h3><label for="printed">Paste what it printed</label></h3>
          <textarea id="printed" .value=${this.read} name="printed" rows="4" spellcheck="false" autocomplete="off" maxlength=${longestPrinted}
            placeholder="{'message_size_bytes': …}" aria-describedby="printed-said" @input=${this.onInput} @change=${this.onPrinted}></textarea>
          <p class="small" id="printed-said" role="status">${this.said}</p></div>
        <div><h3>Test it against many</h3>
          <p class="small">Exercises ${this.seed} to ${this.seed + drawnVectors - 1} of level ${this.level}, and the edge cases: one GPU, two, three, a single layer, defaults left out.</p>
          <p><button type="button" @click=${() => this.save("pytest")}>Save tests for pytest</button>
            <button type="button" @click=${() => this.save("json")}>Save as JSON</button></p></div>
      </div>
    </details>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-own-function", OwnFunction);
