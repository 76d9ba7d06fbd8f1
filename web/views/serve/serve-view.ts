import type { PlanServingResults, Problem, ServingStepResults } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { besideBars, besideLines, besideMarks } from "../../charts/beside.js";
import "../../charts/line-chart.js";
import type { LineChartSpec } from "../../charts/line-chart.js";
import { askWhenIdle } from "../../elements/ask-when-idle.js";
import { answerFrame } from "../../elements/answer-frame.js";
import { beside, besideLine } from "../../elements/comparison.js";
import { factsStyles } from "../../elements/facts.js";
import { fieldControl } from "../../elements/field.js";
import { formulaLink } from "../../elements/formula-link.js";
import { meaning } from "../../elements/meaning.js";
import "../../elements/missing-part.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { servingWords } from "../../elements/scenario-words.js";
import { servingStackName } from "../../elements/stack-words.js";
import { viewStyles } from "../../elements/view-styles.js";
import { exact, significant } from "../../state/format.js";
import { ownCurveOf } from "../../state/own-log.js";
import { perhaps } from "../../state/parts.js";
import { run } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";
import { servingName } from "../../state/serving.js";
import { comparedAnswers, comparedServingSteps, type Targets } from "./answer.js";
import { nextTo, overDegrees, type OnDegrees, type OnRanks } from "./degrees.js";
import { deploymentSection } from "./deployment.js";
import { pareto } from "./pareto.js";
import type { Percentile } from "./goodput-sentences.js";
import { percentileField, question } from "./question.js";
import {
  type AnswerWords,
  answerUnder,
  besideAnswer,
  headline,
  stepLead,
  stepUnder,
  targetsOf,
  why,
  whyApart,
} from "./sentences.js";
import { followed, isTyped, stepInputs } from "./step-of-answer.js";
import { degreeBars, kernelBars, servingMemoryBars, speedup } from "./serve-charts.js";
import { Part } from "../../engine/part.js";
import styles from "./serve-view.css?inline";
import { define } from "../../elements/define.js";

const calculation = "serving_step";
export { question };

/** Loaded after the answer. */
const percentiles = new Part("The percentiles of the answer", () => import("./percentiles.js"));
let depth: typeof import("./depth.js") | undefined;
const bars = new Part("The bars, launches and messages of Serve", async () => (depth = await import("./depth.js")));
const load = new Part("The answer under load", () => import("./serving-load.js"));
let Goodput: typeof import("./goodput.js").GoodputSearch | undefined;
const goodput = new Part(
  "The answer at a percentile",
  async () => ({ GoodputSearch: Goodput } = await import("./goodput.js")),
);
const benchmark = new Part("The comparison with your benchmark", () => import("./own-benchmark.js"));

interface Shown {
  results: ServingStepResults;
  inputs: Record<string, unknown>;
  /** The same on other degrees. */
  steps: () => readonly OnRanks[];
}

/** A step, and those on other degrees once they are asked for. */
function shownOf(scenario: Scenario, results: ServingStepResults, inputs: Record<string, unknown>): Shown {
  let steps: readonly OnRanks[] | undefined;
  return { results, inputs, steps: () => (steps ??= overDegrees(scenario, inputs)) };
}

/** The deployments that answer, and the sentences about them. */
interface Answered {
  plan: PlanServingResults | undefined;
  problems: readonly Problem[];
  stale: boolean;
  /** What an older answer at a percentile is about; it stays until there is another. */
  of?: Scenario | undefined;
  /** How far a search has come. */
  status: TemplateResult | typeof nothing;
  /** If limits hold at a percentile. */
  underLoad?: { words: AnswerWords; section: () => TemplateResult } | undefined;
}

/** A server: the time of a token, its parts, and the speed-up of a higher TP. */
export class ServeView extends ScenarioView {
  static override properties = { ...ScenarioView.properties, comparing: { state: true }, dropped: { state: true } };

  private shown: Shown | undefined;
  private search: InstanceType<NonNullable<typeof Goodput>> | undefined;
  /** Whether a reader has a benchmark to compare; its file, if one was dropped. */
  declare private comparing: boolean;
  declare private dropped: File | undefined;

  override get outcome() {
    return run(this.scenario, calculation, this.ofAnswer);
  }

  /** Which inputs of the step come from the answer. */
  private get ofAnswer(): Record<string, number> {
    const plan = this.search?.results ?? (this.scenario.alone ? undefined : run(this.scenario, "plan_serving").results);
    return followed(this.scenario, plan);
  }

  /** The answer without a queue at once; at a percentile, once deployments are simulated. */
  private get answered(): Answered {
    const { results: plan, problems, stale } = this.answer("plan_serving");
    const percentile = this.scenario.text(percentileField) as Percentile | "";
    if (percentile === "" || !this.isConnected) {
      this.search?.forget();
      this.search = undefined;
      return { plan, problems, stale, status: nothing };
    }
    askWhenIdle(goodput);
    if (Goodput) this.search ??= new Goodput(() => this.requestUpdate());
    const { search, scenario } = this;
    if (!stale) search?.follow(scenario);
    const current = stale ? undefined : search?.results;
    const { plan: found, of } = current ? { plan: current, of: scenario } : (search?.last ?? {});
    if (of) of.sizes = scenario.sizes;
    const asked = of && ([targetsOf(of), of.text(percentileField) as Percentile] as const);
    return {
      plan: found ?? plan,
      problems: [...problems, ...(search?.problems ?? [])],
      stale: !current,
      of: current ? undefined : of,
      status: html`<commcost-missing .of=${goodput}></commcost-missing>${search?.status() ?? nothing}`,
      underLoad: found &&
        asked && {
          words: search!.words(found, ...asked),
          section: () => search!.section(scenario, found, ...asked),
        },
    };
  }

  protected override get words(): readonly string[] {
    return servingWords(this.scenario);
  }

  private get targets(): Targets {
    return targetsOf(this.scenario);
  }

  private compared(results: ServingStepResults, then: ServingStepResults | undefined): TemplateResult | typeof nothing {
    const { pinned, sizes } = this.scenario;
    return besideLine(pinned !== undefined, then !== undefined, comparedServingSteps(sizes, results, then));
  }

  /** The answer compared with A's, if both are without a queue. */
  private answers(plan: PlanServingResults): TemplateResult | typeof nothing {
    const { scenario } = this;
    const { pinned } = scenario;
    const now = plan.found ? plan.deployments[0] : undefined;
    if (!pinned || !now || [scenario, pinned].some((one) => one.text(percentileField) !== "")) return nothing;
    const theirs = this.besides("plan_serving")?.results;
    const then = theirs?.found ? theirs.deployments[0] : undefined;
    return besideLine(true, then !== undefined, comparedAnswers([scenario, now], then && [pinned, then]));
  }

  /** The answer's second line; under it, once they are played, its percentiles, unless the line has them, or will. */
  private under(plan: PlanServingResults, words: AnswerWords | undefined, older: Scenario | undefined): TemplateResult {
    const { scenario, targets } = this;
    const best = plan.found ? plan.deployments[0] : undefined;
    const play = scenario.text(percentileField) === "" || scenario.number("requests_per_sec") > 0;
    const waits = older !== undefined;
    return html`${answerUnder(scenario, plan, words, older)}${this.answers(plan)}${
      best && !this.compact && play
        ? html`<commcost-missing .of=${percentiles}></commcost-missing><commcost-serving-percentiles .scenario=${scenario} .row=${best} .targets=${targets} .waits=${waits}></commcost-serving-percentiles>`
        : nothing
    }`;
  }

  /** On a page with a form, the question is in that form. */
  private controls(problems: readonly Problem[]): TemplateResult | typeof nothing {
    if (!this.scenario.alone) return nothing;
    return html`<form part="inputs" @submit=${(event: Event) => event.preventDefault()} aria-label="The question">${question(this.scenario, problems)}</form>`;
  }

  /** The step's form shows the answer's values until something is typed. */
  private stepForm(problems: readonly Problem[], follows: Readonly<Record<string, number>>): TemplateResult {
    return html`<form class="controls no-print" @submit=${(event: Event) => event.preventDefault()} aria-label="The step">
      ${stepInputs(this.scenario).map((input) =>
        fieldControl(
          this.scenario,
          servingName(input)!,
          problems,
          input in follows ? { follows: String(follows[input]) } : {},
        ),
      )}</form>`;
  }

  /** The marked point was moved along the degrees. */
  private readonly onMoved = ({ detail }: CustomEvent<{ x: number }>) =>
    this.scenario.set({ [servingName("tensor_parallel")!]: String(detail.x) });

  private stepFigure(shown: Shown, a: Shown | undefined): TemplateResult {
    const [steps, then] = [shown.steps(), a?.steps()];
    return html`<div class="pairs">
      <commcost-line-chart part="chart" @change=${this.onMoved} .spec=${besideLines(speedup(steps), then && speedup(then), ["expected"])}></commcost-line-chart>
      <commcost-stacked-bars part="chart" .spec=${besideBars(degreeBars(steps), then && degreeBars(then))}></commcost-stacked-bars>
    </div>`;
  }

  private facts(results: ServingStepResults, then: ServingStepResults | undefined): TemplateResult {
    const size = (value: number) => this.scenario.sizes.bytes(value, 3);
    const facts: [string, keyof ServingStepResults, (value: number) => string][] = [
      ["Sequences that fit", "most_sequences", exact],
      ["Weights that a GPU reads", "weight_bytes_read", size],
      ["Cache that a GPU reads", "cache_bytes_read", size],
      ["Cache of one token on a GPU", "cache_bytes_per_token", size],
      ["All-reduces in a step", "allreduce_calls", exact],
      ["Bytes of one all-reduce", "allreduce_bytes", size],
      ...(results.experts_read > 0
        ? ([["Experts of a layer read", "experts_read", (value: number) => significant(value, 3)]] as [
            string,
            keyof ServingStepResults,
            (value: number) => string,
          ][])
        : []),
    ];
    return html`<dl part="results" class="facts">${facts.map(
      ([name, field, format]) => html`<div><dt>${meaning(this.scenario, calculation, field, name)}</dt>
        <dd class="number" data-fact=${field}>${format(results[field] as number)}${beside(
          results[field] as number,
          then?.[field] as number | undefined,
          format,
        )}</dd></div>`,
    )}</dl>`;
  }

  private sums({ results, inputs }: Shown, then: ServingStepResults | undefined, stale: boolean): TemplateResult {
    const ranks = inputs["tensor_parallel"] as number;
    return html`<section aria-labelledby="sums-title">
      <div class="titled"><h2 id="sums-title">Which all-reduce, and why</h2>${formulaLink(calculation)}</div>
      ${
        results.allreduce_calls === 0
          ? html`<p class="soft">TP 1 has nothing to all-reduce.</p>`
          : html`<p>${why(this.scenario, results)}</p>
        <div class="pairs"><commcost-bar-chart part="chart" .spec=${besideMarks(
          kernelBars(results, ownCurveOf(this.scenario, "all_reduce", ranks)),
          then && then.allreduce_calls > 0 ? kernelBars(then) : undefined,
        )}></commcost-bar-chart>
        ${
          stale || !depth
            ? nothing
            : html`<commcost-line-chart part="chart" .spec=${depth.kernelCurves(this.scenario, results, ranks)}></commcost-line-chart>`
        }</div>
        <p class="small soft">In a step every all-reduce also waits for its ranks, which benchmarks of the kernels do not show.</p>`
      }</section>`;
  }

  /** What a step is compared with: the pinned scenario's, otherwise one on degrees close to its own. */
  private other(shown: Shown, then: Shown | undefined): OnDegrees | undefined {
    return then ?? nextTo(this.scenario, shown.inputs, shown.steps());
  }

  /**
   * Why the degrees that a link asks about are slower than others, or what stages gain: it belongs to the answer.
   * Nothing if no degree was given.
   */
  private asked(
    shown: Shown,
    then: Shown | undefined,
    plan: PlanServingResults | undefined,
  ): TemplateResult | typeof nothing {
    const said = ["tensor_parallel", "pipeline_parallel"].some((input) => isTyped(this.scenario, input));
    const other = said ? this.other(shown, then) : undefined;
    const stages = ((shown.inputs["pipeline_parallel"] as number | undefined) ?? 1) > 1;
    if (!other || !(then || stages || shown.results.step_time_ms > other.results.step_time_ms)) return nothing;
    const says = whyApart(this.scenario, shown, other, plan);
    return says ? html`<p class="under" data-answer="apart">${says}</p>` : nothing;
  }

  private apart(
    shown: Shown,
    then: Shown | undefined,
    plan: PlanServingResults | undefined,
  ): TemplateResult | typeof nothing {
    const other = this.other(shown, then);
    const says = other && whyApart(this.scenario, shown, other, plan);
    return says ? html`<p data-step="apart">${says}</p>` : nothing;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("dragover", this.onDragOver);
    this.addEventListener("drop", this.onDrop);
    for (const part of [bars, goodput]) void part.here.then(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.removeEventListener("dragover", this.onDragOver);
    this.removeEventListener("drop", this.onDrop);
    this.search?.forget();
  }

  /** Whether it takes files itself: on the page, the page does. */
  private get takesFiles(): boolean {
    return this.scenario?.alone && !this.scenario.readonly && !this.compact;
  }

  private readonly onDragOver = (event: DragEvent): void => {
    if (this.takesFiles && event.dataTransfer?.types.includes("Files")) event.preventDefault();
  };

  private readonly onDrop = (event: DragEvent): void => {
    const file = event.dataTransfer?.files[0];
    // Its place for files has already taken it.
    if (!this.takesFiles || !file || event.defaultPrevented) return;
    event.preventDefault();
    this.dropped = file;
    this.comparing = true;
  };

  /** The reader's own benchmark. Frames and elements load its reader on demand. */
  private measured(plan: PlanServingResults | undefined): TemplateResult | typeof nothing {
    if (!plan || plan.deployments.length === 0 || (this.scenario.alone && !this.takesFiles)) return nothing;
    if (this.scenario.alone && !this.comparing)
      return html`<p class="wide small no-print">Measured this server? <button type="button" class="plain" @click=${() => (this.comparing = true)}>Compare your benchmark</button>, or drop its JSON here.</p>`;
    askWhenIdle(benchmark);
    return html`<commcost-missing class="wide" .of=${benchmark}></commcost-missing>
      <commcost-own-benchmark class="wide" .scenario=${this.scenario} .rows=${plan.deployments} .given=${this.dropped}></commcost-own-benchmark>`;
  }

  private rest(
    shown: Shown,
    then: Shown | undefined,
    stale: boolean,
    { plan, underLoad, of: older }: Answered,
    problems: readonly Problem[],
  ): TemplateResult {
    const { results, inputs } = shown;
    const best = plan?.found ? plan.deployments[0] : undefined;
    const waits = older !== undefined;
    for (const part of [percentiles, bars, load]) askWhenIdle(part);
    return html`<commcost-missing class="wide" .of=${bars}></commcost-missing>${
      underLoad
        ? this.later(() => underLoad.section(), "wide")
        : plan && plan.deployments.length > 0
          ? this.later(() => deploymentSection(this.scenario, plan, this.targets), "wide")
          : nothing
    }
      ${
        best
          ? html`<commcost-missing class="wide" .of=${load}></commcost-missing><commcost-serving-load class="wide" .scenario=${this.scenario} .row=${best} .targets=${this.targets} .waits=${waits}></commcost-serving-load>`
          : nothing
      }
      ${this.measured(plan)}
      ${this.later(() => this.inDepth(shown, then, stale, { plan, underLoad }, problems), "wide")}
      ${this.later(() => this.facts(results, then?.results), "wide")}
      ${this.later(() => this.memory(results, then?.results))}
      ${depth ? this.later(() => this.roofline(inputs), "no-print") : nothing}
      ${this.later(() => this.sums(shown, then?.results, stale), "wide")}
      ${depth ? this.later(() => depth!.messagesSection(this.scenario, results, inputs), "wide") : nothing}
      <section aria-labelledby="known-title"><h2 id="known-title">What is not known</h2>
        <p>A step is one batch in flight, of sequences of one length; no speculative decoding, and prefill and decode on the same GPUs. Few time-to-first-token measurements under load are public, so treat that band with caution.
          ${servingStackName(this.scenario)} is taken as its recipe describes it; versions of one stack differ by 9 % in a quarter of cases, experts by up to twice.</p></section>`;
  }

  private memory(results: ServingStepResults, then: ServingStepResults | undefined): TemplateResult {
    const held = (of: ServingStepResults) => servingMemoryBars(this.scenario.sizes, of);
    return html`<commcost-stacked-bars part="chart" .spec=${besideBars(held(results), then && held(then))}></commcost-stacked-bars>`;
  }

  private roofline(inputs: Shown["inputs"]): TemplateResult {
    return html`<commcost-roofline-chart part="chart" .spec=${depth!.servedRoofline(this.scenario, inputs)}></commcost-roofline-chart>`;
  }

  /** One step of the answer, or of the degrees that its reader typed. */
  private inDepth(
    shown: Shown,
    then: Shown | undefined,
    stale: boolean,
    { plan, underLoad }: Pick<Answered, "plan" | "underLoad">,
    problems: readonly Problem[],
  ): TemplateResult {
    const { scenario } = this;
    const { results, inputs } = shown;
    const best = plan?.found ? plan.deployments[0] : undefined;
    // Only without a queue do all deployments have rates to compare.
    const compared = underLoad ? undefined : plan;
    return html`<section aria-labelledby="step-title"><div class="titled"><h2 id="step-title">One step in depth</h2>${formulaLink(calculation)}</div>
        ${this.stepForm(problems, followed(scenario, plan))}
        ${stepLead(scenario, results, inputs)}${best ? besideAnswer(scenario, inputs, results, best, !underLoad) : nothing}${stepUnder(this.scenario, results)}${
          stale ? nothing : html`${this.compared(results, then?.results)}${this.apart(shown, then, compared)}`
        }
        ${this.stepFigure(shown, then)}</section>`;
  }

  /** A's deployments on the present axes; if its limits hold at a percentile, its answer is not on this line. */
  private theirFront(): LineChartSpec | undefined {
    const a = this.besides("plan_serving");
    return (
      a &&
      pareto({ ...a.results, found: a.results.found && a.scenario.text(percentileField) === "" }, targetsOf(a.scenario))
    );
  }

  private theirs(): Shown | undefined {
    const a = this.besides(calculation, (pinned) => followed(pinned, run(pinned, "plan_serving").results));
    return a && shownOf(a.scenario, a.results, a.inputs);
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const answered = this.answered;
    const { plan, problems: ofPlan, stale: oldPlan, status, underLoad, of: older } = answered;
    // The step of an older answer stays with it.
    const follows = followed(this.scenario, older ? undefined : plan);
    const step = this.answer(calculation, follows);
    if (step.results && !step.stale && !(older && this.shown)) {
      const inputs = { ...this.scenario.inputs(calculation).values, ...follows };
      this.shown = shownOf(this.scenario, step.results, inputs);
    }
    const { shown } = this;
    const stale = step.stale || oldPlan;
    const then = stale ? undefined : this.theirs();
    const said = new Set(ofPlan.map(({ field }) => field));
    const problems = [...ofPlan, ...step.problems.filter(({ field }) => !said.has(field))];
    return answerFrame(this, {
      headline:
        plan &&
        html`${headline(older ?? this.scenario, plan, underLoad?.words)}${shown && !stale && !this.compact ? this.asked(shown, then, underLoad ? undefined : plan) : nothing}`,
      under: plan && this.under(plan, underLoad?.words, older),
      sought: status,
      // For an answer without a queue, shown meanwhile, the status says so.
      ...(status === nothing || problems.length > 0
        ? {}
        : { of: older ? [...servingWords(older), underLoad!.words.within].filter(Boolean).join(" · ") : "" }),
      controls: this.controls(problems),
      pictureFirst: true,
      figure:
        plan && !this.compact
          ? html`<commcost-line-chart part="chart" .spec=${besideLines(pareto(plan, older ? targetsOf(older) : this.targets), stale ? undefined : this.theirFront())}></commcost-line-chart>`
          : nothing,
      rest:
        shown && !this.compact
          ? perhaps(this.scenario, () => this.rest(shown, then, stale, answered, problems))
          : nothing,
      problems,
      stale,
      calculations: ["plan_serving"],
    });
  }

  static override styles = [viewStyles, factsStyles, unsafeCSS(styles)];
}

define("commcost-serve", ServeView);
