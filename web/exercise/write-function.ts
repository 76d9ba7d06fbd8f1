import { LitElement, nothing, type PropertyValues, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../elements/html.js";
import "../elements/copied-text.js";
import { define } from "../elements/define.js";
import "../elements/missing-part.js";
import { base, theme } from "../elements/theme.js";
import { plain } from "../state/format.js";
import type { Scenario } from "../state/scenario.js";
import { recall, remember } from "../state/storage.js";
import "./code-editor.js";
import type { FunctionDetail, ProgressDetail } from "./events.js";
import { Interpreter } from "./interpreter/interpreter.js";
import { callOf, judged, saidOf, type Failed, type Judged } from "./judge.js";
import { noteSolved, theFunction } from "./progress.js";
import { stub } from "./task.js";
import { functionName, vectors } from "./vectors.js";
import styles from "./write-function.css?inline";

/** The key under which the code is kept on this device. */
const place = "function";

/** The editor, and the feedback on its function over all cases. Fires `function` for each run. */
export class WriteFunction extends LitElement {
  static override properties = {
    scenario: { attribute: false },
    seed: { attribute: false },
    level: { attribute: false },
    edition: { attribute: false },
    code: { state: true },
    outcome: { state: true },
    running: { state: true },
  };

  declare scenario: Scenario;
  declare seed: number;
  declare level: number;
  declare edition: number;
  declare code: string | undefined;
  /** The feedback on the current code; nothing once the code has changed. */
  declare outcome: Judged | undefined;
  declare running: boolean;
  private readonly interpreter = new Interpreter();
  private attempts = 0;

  constructor() {
    super();
    this.running = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.interpreter.part?.ask();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.interpreter.close();
  }

  protected override willUpdate(changed: PropertyValues): void {
    // Another exercise has other cases.
    if (["seed", "level", "edition"].some((name) => changed.has(name))) this.forget();
    if (this.code !== undefined || !this.scenario) return;
    const kept = recall(place) ?? "";
    this.code = kept.trim() === "" ? stub(this.scenario) : kept;
  }

  private forget(): void {
    this.outcome = undefined;
    this.running = false;
    this.attempts++;
    this.interpreter.stop();
  }

  private readonly onEdit = ({ detail }: CustomEvent<string>) => {
    this.code = detail;
    remember(place, detail);
    this.forget();
  };

  private readonly run = async () => {
    this.forget();
    const attempt = this.attempts;
    this.running = true;
    const { seed, level, edition } = this;
    const all = vectors(this.scenario.engine, { seed, levels: [level], edition });
    if (!(await this.interpreter.part!.ask())) {
      if (attempt === this.attempts) this.running = false;
      return;
    }
    const calls = all.map((vector) => callOf(this.scenario, vector));
    const run = await this.interpreter.run(this.code!, functionName, calls).catch((error: unknown) => ({
      calls: [],
      printed: [],
      late: false,
      failed: error instanceof Error ? error.message : String(error),
    }));
    // The code may have changed meanwhile.
    if (attempt !== this.attempts) return;
    this.running = false;
    const { cases, right, failed } = (this.outcome = judged(this.scenario, all, run));
    this.dispatchEvent(
      new CustomEvent("function", {
        detail: {
          ...{ seed, level, edition, cases, right, correct: right === cases },
          failed: failed
            ? {
                name: failed.name,
                inputs: failed.inputs,
                said: saidOf(failed).map((said) => said.filter(Boolean).join(": ")),
              }
            : null,
        } satisfies FunctionDetail,
        bubbles: true,
        composed: true,
      }),
    );
    if (right !== cases) return;
    const detail: ProgressDetail = { track: theFunction, level, solved: noteSolved(theFunction, level, seed) };
    this.dispatchEvent(new CustomEvent("progress", { detail, bubbles: true, composed: true }));
  };

  private get status(): string {
    if (this.running) return "Running…";
    if (!this.outcome) return "";
    const { cases, right, failed } = this.outcome;
    if (!failed) return `✓ All ${cases} cases are right.`;
    return failed.name === "" ? failed.said : `${right} of ${cases} cases are right.`;
  }

  private results({ results }: Failed): TemplateResult | typeof nothing {
    if (results.length === 0) return nothing;
    return html`<div class="scroll" tabindex="0" role="group" aria-label="The results of this case"><table>
      <thead><tr><th scope="col">Result</th><th scope="col">Expected</th><th scope="col">Got</th></tr></thead>
      <tbody>${results.map(
        ({ name, expected, got, right }) => html`<tr><th scope="row"><code>${name}</code></th>
        <td>${plain(expected)}</td><td class=${right ? "good" : "bad"}>${right ? "✓" : "✗"} ${got === undefined ? "–" : plain(got)}</td></tr>`,
      )}</tbody></table></div>`;
  }

  private output(label: string, text: string): TemplateResult | typeof nothing {
    if (text === "") return nothing;
    return html`<h3>${label}</h3><pre tabindex="0" role="group" aria-label=${label}>${text}</pre>`;
  }

  private failed(failed: Failed): TemplateResult {
    return html`${
      failed.name === ""
        ? nothing
        : html`<h2>The first that isn’t: ${failed.name}</h2>
      <pre tabindex="0" role="group" aria-label="Its call">${failed.call}</pre>
      ${this.results(failed)}
      ${saidOf(failed).map(([name, words]) => html`<p>${name === "" ? nothing : html`<code>${name}</code>: `}${words}</p>`)}`
    }${this.output("Traceback", failed.traceback)}${this.output("Printed", failed.printed)}`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { outcome } = this;
    const state = outcome ? (outcome.failed ? "bad" : "good") : "";
    return html`<commcost-code-editor .code=${this.code} .marked=${outcome?.failed?.line} @edit=${this.onEdit} @run=${this.run}></commcost-code-editor>
      <p class="actions"><button type="button" class="main" @click=${this.run}>Run</button>
        <span role="status" class=${state}>${this.status}</span></p>
      <commcost-missing .of=${this.interpreter.part}></commcost-missing>
      ${outcome?.failed ? this.failed(outcome.failed) : nothing}
      <p class="small soft">It runs in your browser, in MicroPython, for at most 2 seconds.</p>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-write-function", WriteFunction);
