import { LitElement, nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import "../../charts/line-chart.js";
import { fieldControl, fieldStyles } from "../../elements/field.js";
import { formulaLink } from "../../elements/formula-link.js";
import { base, theme } from "../../elements/theme.js";
import { WhenSeen } from "../../elements/when-seen.js";
import { define } from "../../elements/define.js";
import { saidProblem } from "../../elements/problem-words.js";
import { Background } from "../../state/background.js";
import { exact } from "../../state/format.js";
import type { Session } from "../../state/session.js";
import type { Row, Targets } from "./answer.js";
import { rateCharts, timeCharts } from "./load-charts.js";
import { evictedAtRate, loadLead, loadNote } from "./load-sentences.js";
import { kneeOf, type Limits, type LoadProgress, LoadRun } from "./load-run.js";
import styles from "./serving-load.css?inline";

const calculation = "serving_load";
/** How requests arrive and how the server takes them. */
const loadFields = [
  "request_routing",
  "length_spread",
  "length_spread_percent",
  "prefix_hit_percent",
  "chunked_prefill",
  "step_tokens",
  "requests",
  "arrivals_seed",
] as const;

/** Changes in quicker succession than this, ms, are from continuing typing. */
const pause = 250;

/** The answer under load: requests played through it at one rate after another, in the worker. */
export class ServingLoadSection extends LitElement {
  static override properties = {
    scenario: { attribute: false },
    row: { attribute: false },
    targets: { attribute: false },
    waits: { attribute: false },
    progress: { state: true },
    running: { state: true },
  };

  declare scenario: Session;
  declare row: Row;
  declare targets: Targets;
  /** Whether the deployment is an older answer's: nothing is played for it. */
  declare waits: boolean;
  declare private progress: LoadProgress | undefined;
  declare private running: boolean;
  private background: Background | undefined;
  private run: LoadRun | undefined;
  private asked = "";
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private readonly screen = new WhenSeen(this);

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.halt();
    this.asked = "";
  }

  private halt(): void {
    clearTimeout(this.waiting);
    this.run?.cancel();
    this.background?.stop();
    this.background = undefined;
    this.running = false;
  }

  private get limits(): Limits {
    return { first_token_ms: this.targets.most_first_token_ms, token_ms: this.targets.most_token_ms };
  }

  /** Requests a second that were asked for; 0: as many as possible. */
  private get own(): number {
    const rate = this.scenario.number("requests_per_sec");
    return Number.isFinite(rate) ? rate : 0;
  }

  private inputs(): { values: Record<string, unknown>; wrong: boolean } {
    const { values, problems } = this.scenario.inputs(calculation);
    const { tensor_parallel, pipeline_parallel, expert_parallel, replicas, batch_size, step_tokens } = this.row;
    const deployment = { tensor_parallel, pipeline_parallel, expert_parallel, replicas, batch_size, step_tokens };
    return {
      values: { ...values, ...deployment },
      wrong: problems.some(({ field }) => !["tensor_parallel", "batch_size"].includes(field)),
    };
  }

  protected override willUpdate(): void {
    if (!this.screen.seen || !this.isConnected || this.waits) return;
    const { values, wrong } = this.inputs();
    const asked = JSON.stringify([values, this.limits, wrong]);
    if (asked === this.asked) return;
    const first = this.asked === "";
    this.asked = asked;
    this.run?.cancel();
    clearTimeout(this.waiting);
    this.running = !wrong;
    if (!wrong) this.waiting = setTimeout(() => this.start(values), first ? 0 : pause);
  }

  private start(values: Record<string, unknown>): void {
    this.background ??= new Background(this.scenario.engine);
    const run = new LoadRun(this.background, (progress) => {
      if (run !== this.run) return;
      this.progress = progress;
      this.running = progress.done < progress.of && progress.problems.length === 0;
    });
    this.run = run;
    void run.start(values, this.row.requests_per_sec, this.own, this.limits);
  }

  private readonly onCancel = () => this.halt();

  private readonly onAgain = () => {
    this.asked = "";
    this.requestUpdate();
  };

  private state({ done, of }: LoadProgress): TemplateResult {
    return html`<p class="small no-print" role="status">${
      this.running
        ? html`<progress max=${of} value=${done}></progress> ${exact(done)} of ${exact(of)} rates played <button type="button" @click=${this.onCancel}>Cancel</button>`
        : done < of
          ? html`Stopped. <button type="button" @click=${this.onAgain}>Play on</button>`
          : nothing
    }</p>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario || !this.row) return nothing;
    const { progress } = this;
    const rates = progress?.rates ?? [];
    const knee = progress && !this.running ? kneeOf(rates, this.limits) : undefined;
    const over = rates.find(({ rate }) => rate === this.own) ?? knee ?? rates[0];
    return html`<section aria-labelledby="load-title">
      <div class="titled"><h2 id="load-title">Under load</h2>${formulaLink(calculation)}</div>
      ${
        progress?.problems.length
          ? html`<p class="error">${progress.problems.map(({ message }) => saidProblem(this.scenario, message)).join(" ")}</p>`
          : nothing
      }
      ${rates.length > 0 && !this.running ? loadLead(this.row, rates, knee, this.own) : nothing}
      ${progress ? this.state(progress) : this.running ? this.state({ rates: [], done: 0, of: 1, problems: [] }) : nothing}
      ${
        rates.length > 1
          ? html`<div class="pairs">${rateCharts(rates, this.limits, knee).map((spec) => html`<commcost-line-chart part="chart" .spec=${spec}></commcost-line-chart>`)}</div>`
          : nothing
      }
      ${
        over
          ? html`<div class="pairs">${timeCharts(over).map((spec) => html`<commcost-line-chart part="chart" .spec=${spec}></commcost-line-chart>`)}</div>
        ${evictedAtRate(over) ? html`<p class="small">${evictedAtRate(over)}</p>` : nothing}`
          : nothing
      }
      <form class="controls no-print" @submit=${(event: Event) => event.preventDefault()} aria-label="The load">
        ${loadFields.map((name) => fieldControl(this.scenario, name, [], name === "step_tokens" ? { follows: String(this.row.step_tokens) } : {}))}</form>
      <p class="small soft">${loadNote}</p>
    </section>`;
  }

  static override styles = [theme, base, fieldStyles, unsafeCSS(styles)];
}

define("commcost-serving-load", ServingLoadSection);
