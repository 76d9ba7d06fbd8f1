import type { PlanGoodputResults, Problem } from "#engine";
import type { TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { Background } from "../../state/background.js";
import { exact } from "../../state/format.js";
import type { Scenario } from "../../state/scenario.js";
import type { Session } from "../../state/session.js";
import type { Targets } from "./answer.js";
import { deploymentTable } from "./deployment.js";
import { goodputWords, loadColumns, type Percentile, whyNotUnderLoad } from "./goodput-sentences.js";
import type { AnswerWords } from "./sentences.js";

const calculation = "plan_goodput";
/** Changes in quicker succession than this, ms, are from continuing typing. */
const pause = 250;

/** The answer if limits hold at a percentile: deployments are simulated in the worker, one after another. */
export class GoodputSearch {
  /** What was found so far, or last. */
  private found: PlanGoodputResults | undefined;
  /** The question, as it was typed then. */
  private of: Scenario | undefined;
  /** The last answer with its scenario: it stays until there is another. */
  last: { plan: PlanGoodputResults; of: Scenario } | undefined;
  private state: "simulating" | "stopped" | "wrong" | "done" = "done";
  problems: readonly Problem[] = [];
  private background: Background | undefined;
  private scenario: Session | undefined;
  private asked = "";
  /** Changes with the simulated question, so that nothing of the previous one continues. */
  private turn = 0;
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly changed: () => void) {}

  /** Simulates the scenario's current question, unless that is running or done. */
  follow(scenario: Session): void {
    const { values, problems } = scenario.inputs(calculation);
    const asked = problems.length > 0 ? "" : JSON.stringify(values);
    if (problems.length > 0) {
      this.halt();
      this.state = "wrong";
      this.problems = problems.map((problem) => scenario.renamed(calculation, problem));
    } else if (asked !== this.asked) {
      const first = this.asked === "";
      this.halt();
      this.of = scenario.saying(scenario.everything());
      this.found = undefined;
      this.problems = [];
      this.state = "simulating";
      this.waiting = setTimeout(() => void this.search(values), first ? 0 : pause);
    }
    this.scenario = scenario;
    this.asked = asked;
  }

  /** One more deployment with each call; the worker's engine continues after those that it knows. */
  private async search(values: Record<string, unknown>): Promise<void> {
    const turn = ++this.turn;
    const background = (this.background ??= new Background(this.scenario!.engine));
    for (let simulations = this.simulated + 1; ; simulations++) {
      const answer = await background.run(calculation, { ...values, simulations });
      if (turn !== this.turn) return;
      this.found = answer?.results ?? this.found;
      this.problems = (answer?.problems ?? []).map((problem) => this.scenario!.renamed(calculation, problem));
      if (!answer?.results || answer.results.progress === 1) {
        this.state = answer?.results ? "done" : "wrong";
        if (this.results) this.last = { plan: this.results, of: this.of! };
        break;
      }
      this.changed();
    }
    this.changed();
  }

  private get simulated(): number {
    return this.found?.loads.filter(({ simulated }) => simulated).length ?? 0;
  }

  /** Stops; the worker ends at once. */
  private halt(): void {
    this.turn += 1;
    clearTimeout(this.waiting);
    this.background?.stop();
    this.background = undefined;
  }

  /** Stops, and forgets the question. */
  forget(): void {
    this.halt();
    this.asked = "";
  }

  /** The deployments for the scenario, once no other can be better. */
  get results(): PlanGoodputResults | undefined {
    return this.state === "done" ? this.found : undefined;
  }

  words(plan: PlanGoodputResults, targets: Targets, percentile: Percentile): AnswerWords {
    return goodputWords(plan, targets, percentile);
  }

  section(scenario: Session, plan: PlanGoodputResults, targets: Targets, percentile: Percentile): TemplateResult {
    return deploymentTable(scenario, calculation, plan.deployments, loadColumns(plan, percentile), (row) =>
      whyNotUnderLoad(plan, row, targets, percentile),
    );
  }

  private readonly onCancel = (): void => {
    // The worker keeps what it knows in case the search is resumed.
    this.turn += 1;
    clearTimeout(this.waiting);
    this.state = "stopped";
    this.changed();
  };

  private readonly onAgain = (): void => {
    this.state = "simulating";
    void this.search(this.scenario!.inputs(calculation).values);
    this.changed();
  };

  /** What is being done; nothing once it is done. */
  status(): TemplateResult {
    const done = this.simulated;
    const steady = this.last === undefined;
    return html`<p class="small no-print" role="status" data-goodput=${this.state}>${
      this.state === "simulating"
        ? html`<progress .value=${this.found?.progress ?? 0}></progress> Simulating deployments under load: ${exact(done)} done.${steady ? " Meanwhile, this is the answer without a queue." : ""} <button type="button" @click=${this.onCancel}>Cancel</button>`
        : this.state === "stopped"
          ? html`Stopped ${done === 0 ? "before the first deployment" : `after ${exact(done)} ${done === 1 ? "deployment" : "deployments"}`}.${steady ? " This is the answer without a queue." : ""} <button type="button" @click=${this.onAgain}>Go on</button>`
          : ""
    }</p>`;
  }
}
