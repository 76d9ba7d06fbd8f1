import type { ServingLoadResults } from "#engine";
import { LitElement, nothing, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { define } from "../../elements/define.js";
import { base, theme } from "../../elements/theme.js";
import { Background } from "../../state/background.js";
import type { Session } from "../../state/session.js";
import type { Row, Targets } from "./answer.js";
import { answerLoad, type AnswerLoad, percentilesInWords } from "./percentiles-sentences.js";

/** Requests that are played: P99 is that of the hundred slowest of ten thousand. */
const requests = 10_000;
/** Changes in quicker succession than this, ms, are from continuing typing. */
const pause = 250;

/**
 * TTFT and TPOT of the answer at P50 and P99, played in the background; nothing while they belong to another answer.
 */
export class ServingPercentiles extends LitElement {
  static override properties = {
    scenario: { attribute: false },
    row: { attribute: false },
    targets: { attribute: false },
    waits: { attribute: false },
    shown: { state: true },
  };

  declare scenario: Session;
  declare row: Row;
  declare targets: Targets;
  /** Whether the deployment is an older answer's: nothing is played for it. */
  declare waits: boolean;
  declare private shown: { asked: string; load: AnswerLoad; results: ServingLoadResults | undefined } | undefined;
  private background: Background | undefined;
  private asked = "";
  private waiting: ReturnType<typeof setTimeout> | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.waiting);
    this.background?.stop();
    this.background = undefined;
    this.asked = "";
  }

  protected override willUpdate(): void {
    if (!this.isConnected || !this.scenario || !this.row || this.waits) return;
    const { values, problems } = this.scenario.inputs("serving_load");
    const { tensor_parallel, pipeline_parallel, expert_parallel, replicas, batch_size, step_tokens } = this.row;
    const rate = this.scenario.number("requests_per_sec");
    const load = answerLoad(this.row, Number.isFinite(rate) ? rate : 0);
    const inputs = {
      ...values,
      ...load,
      tensor_parallel,
      pipeline_parallel,
      expert_parallel,
      replicas,
      batch_size,
      step_tokens,
      requests,
    };
    const asked = problems.some(({ field }) => !["tensor_parallel", "batch_size"].includes(field))
      ? ""
      : JSON.stringify(inputs);
    if (asked === this.asked) return;
    const first = this.asked === "";
    this.asked = asked;
    clearTimeout(this.waiting);
    if (asked === "") return;
    const play = async () => {
      this.background ??= new Background(this.scenario.engine);
      const answer = await this.background.run("serving_load", inputs);
      if (asked !== this.asked || !answer) return;
      const { results } = answer as { results?: ServingLoadResults };
      this.shown = { asked, load, results };
    };
    this.waiting = setTimeout(() => void play(), first ? 0 : pause);
  }

  override render(): TemplateResult | typeof nothing {
    const { shown } = this;
    if (shown?.asked !== this.asked || this.asked === "") return html`<p class="under soft">…</p>`;
    const { load, results } = shown;
    if (!results) return nothing;
    return html`<p class="under" data-answer="percentiles">${percentilesInWords(load, results, this.targets)}</p>`;
  }

  static override styles = [theme, base];
}

define("commcost-serving-percentiles", ServingPercentiles);
