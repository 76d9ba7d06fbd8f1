import type { PlanServingResults, Problem, ServingStepResults } from "#engine";
import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import "../../charts/bar-chart.js";
import { besideBars, besideLines, besideMarks } from "../../charts/beside.js";
import "../../charts/line-chart.js";
import "../../charts/stacked-bars.js";
import { answerFrame } from "../../elements/answer-frame.js";
import { beside, besideLine } from "../../elements/comparison.js";
import { factsStyles } from "../../elements/facts.js";
import { fieldControl } from "../../elements/field.js";
import { formulaLink } from "../../elements/formula-link.js";
import { choiceWord } from "../../elements/labels.js";
import { meaning } from "../../elements/meaning.js";
import "../../elements/missing-part.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { viewStyles } from "../../elements/view-styles.js";
import { exact, milliseconds, significant, us } from "../../state/format.js";
import { ownCurveOf } from "../../state/own-log.js";
import { perhaps } from "../../state/parts.js";
import { run } from "../../state/run.js";
import { servingRecipe, servingStackFields } from "../../state/serving.js";
import { between } from "../../state/step.js";
import {
  latencyInWords,
  priceOfMillion,
  serversInWords,
  type Targets,
  targetsInWords,
  wayOut,
  withinError,
} from "./answer.js";
import { overDegrees, type OnRanks } from "./degrees.js";
import { deploymentSection } from "./deployment.js";
import { kernelCurves } from "./kernel-curves.js";
import { messagesSection } from "./messages.js";
import { pareto } from "./pareto.js";
import { precisionControl, precisionFields, precisionOf } from "./precision.js";
import { degreeBars, kernelBars, kernelNames, servingMemoryBars, speedup } from "./serve-charts.js";
import "./serving-load.js";
import { Part } from "../../engine/part.js";
import styles from "./serve-view.css?inline";
import { define } from "../../elements/define.js";

const calculation = "serving_step";
/** The question: on what, for which requests, within which latency. */
const asked = ["serving_gpus", "prompt_tokens", "output_tokens", "most_token_ms", "most_first_token_ms"] as const;
const alsoAsked = ["requests_per_sec", "price_per_gpu_hour", servingRecipe] as const;
/** The precision's parts, in the fold with what the stack does. */
const ownFields = [...asked, ...alsoAsked, ...precisionFields] as const;
/** The step that the view shows in depth. */
const stepFields = ["tensor_parallel", "batch_size", "sequence_length"] as const;

/** It comes in behind the answer. */
const benchmark = new Part("The comparison with your benchmark", () => import("./own-benchmark.js"));

const ms = (value: number) => milliseconds(value, 3);
const rate = (value: number) => `${significant(value, 3)} tokens/s`;

interface Shown {
  results: ServingStepResults;
  inputs: Record<string, unknown>;
  steps: readonly OnRanks[];
}

/** A server: what a token takes, what it consists of, and where more tensor ranks stop paying. */
export class ServeView extends ScenarioView {
  private shown: Shown | undefined;

  override get outcome() {
    return run(this.scenario, calculation);
  }

  private get targets(): Targets {
    const asked = (name: string) => {
      const value = this.scenario.number(name);
      return Number.isFinite(value) ? value : 0;
    };
    return { most_token_ms: asked("most_token_ms"), most_first_token_ms: asked("most_first_token_ms") };
  }

  private headline(plan: PlanServingResults): TemplateResult {
    const best = plan.deployments[0];
    const within = targetsInWords(this.targets);
    const gpus = `${exact(this.scenario.number("serving_gpus"))} GPUs`;
    if (!best || !plan.found)
      return html`<p part="headline" class="headline"><span class="bad">No deployment on ${gpus} ${within ? `has ${within}` : "fits"}.</span> ${wayOut(plan, this.targets)}</p>`;
    const tell = (path: string, text: string) => meaning(this.scenario, "plan_serving", `deployments.${path}`, text);
    return html`<p part="headline" class="headline" data-deployment="lead">Serve it as ${serversInWords(best)}, ${best.batch_size === 1 ? "one sequence" : `${exact(best.batch_size)} sequences`} at once${best.replicas > 1 ? " each" : ""}:
      <b class="number" data-answer="requests_per_sec">${tell("requests_per_sec", `${significant(best.requests_per_sec, 3)} requests/s`)}</b>,
      <b class="number" data-answer="output_tokens_per_sec_per_gpu">${tell("output_tokens_per_sec_per_gpu", `${significant(best.output_tokens_per_sec_per_gpu, 3)} tokens/s/GPU`)}</b>${within ? `, with ${within}` : ""}.</p>`;
  }

  private answerUnder(plan: PlanServingResults): TemplateResult | typeof nothing {
    const best = plan.found ? plan.deployments[0] : undefined;
    if (!best) return nothing;
    const ties = withinError(plan);
    const price = priceOfMillion(best, this.scenario.number("price_per_gpu_hour"));
    const precision = precisionOf((name) => this.scenario.text(name))?.name ?? "precision as set";
    return html`<p class="under">${latencyInWords(best)}.${
      price === undefined
        ? nothing
        : html` <b class="number" data-answer="price">${significant(price, 3)}</b> per million output tokens at your price.`
    }
      <span class="soft">Assumes ${choiceWord(this.scenario, servingRecipe, this.scenario.text(servingRecipe))}, ${precision}, ${exact(this.scenario.number("prompt_tokens"))} tokens in and ${exact(this.scenario.number("output_tokens"))} out, in a steady state without a queue. TPOT is the mean time per output token after the first.${
        ties.length > 0
          ? ` Within error: ${ties.slice(0, 3).map(serversInWords).join("; ")}${ties.length > 3 ? ` and ${exact(ties.length - 3)} more` : ""}.`
          : ""
      }</span></p>`;
  }

  private stepLead(results: ServingStepResults, inputs: Record<string, unknown>): TemplateResult {
    const tell = (name: string, text: string) => meaning(this.scenario, calculation, name, text);
    const batch = inputs["batch_size"] as number;
    const ranks = inputs["tensor_parallel"] as number;
    return html`<p data-step="lead">A token takes about
      <b class="number" data-result="step_time_ms">${tell("step_time_ms", ms(results.step_time_ms))}</b>
      (${between(results.step_time_low_ms, results.step_time_high_ms)}) for ${batch === 1 ? "one sequence" : `each of ${exact(batch)} sequences`} at TP ${exact(ranks)}:
      <b class="number" data-result="tokens_per_sec_per_user">${tell("tokens_per_sec_per_user", rate(results.tokens_per_sec_per_user))}</b> for a user,
      <span class="number" data-result="tokens_per_sec_per_gpu">${tell("tokens_per_sec_per_gpu", significant(results.tokens_per_sec_per_gpu, 3))}</span> tokens/s/GPU.${
        results.fits ? nothing : html` <span class="bad">It does not fit.</span>`
      }</p>`;
  }

  private trust(results: ServingStepResults): string {
    const said = {
      measured: "runs of this stack, on this GPU first",
      similar: "runs of this stack on what is most like this",
      estimated: "runs of other stacks, since this one was not measured on such GPUs",
    }[results.basis];
    return `Among ${exact(results.measured_runs)} ${said}, such predictions are off by ${significant(results.measured_error_percent, 2)} % in the median.`;
  }

  private stepUnder(results: ServingStepResults): TemplateResult {
    return html`<p>The first token of a prompt as long as the cache, served alone, comes after about
      <b class="number" data-result="first_token_ms">${ms(results.first_token_ms)}</b> (${between(results.first_token_low_ms, results.first_token_high_ms)}).
      <span class="soft">${this.trust(results)}</span></p>`;
  }

  private compared(results: ServingStepResults, then: ServingStepResults | undefined): TemplateResult | typeof nothing {
    return besideLine(this.scenario.pinned !== undefined, then !== undefined, [
      ["a token", results.step_time_ms, then?.step_time_ms, ms],
      ["the first token", results.first_token_ms, then?.first_token_ms, ms],
      ["for a user", results.tokens_per_sec_per_user, then?.tokens_per_sec_per_user, rate],
      ["from a GPU", results.tokens_per_sec_per_gpu, then?.tokens_per_sec_per_gpu, rate],
      ["memory", results.memory_gib, then?.memory_gib, this.scenario.sizes.memory],
    ]);
  }

  private get stackFields(): string[] {
    return servingStackFields(this.scenario.engine.describe()[calculation]!.inputs);
  }

  private controls(problems: readonly Problem[]): TemplateResult {
    const folded = [...precisionFields, ...this.stackFields];
    return html`<form part="inputs" class="controls" @submit=${(event: Event) => event.preventDefault()} aria-label="The question">
      ${asked.map((name) => fieldControl(this.scenario, name, problems))}
      ${precisionControl(this.scenario)}
      ${alsoAsked.map((name) => fieldControl(this.scenario, name, problems))}
      <details class="wide" ?open=${problems.some(({ field }) => folded.includes(field as never))}><summary>Precision in parts, and what the server does</summary>
        <div class="fields">${folded.map((name) => fieldControl(this.scenario, name, problems))}</div></details></form>`;
  }

  private stepControls(problems: readonly Problem[]): TemplateResult {
    return html`<form class="controls no-print" @submit=${(event: Event) => event.preventDefault()} aria-label="The step">
      ${stepFields.map((name) => fieldControl(this.scenario, name, problems))}</form>`;
  }

  /** The marked point was moved along the degrees. */
  private readonly onMoved = ({ detail }: CustomEvent<{ x: number }>) =>
    this.scenario.set({ tensor_parallel: String(detail.x) });

  private stepFigure({ steps }: Shown, then: Shown | undefined): TemplateResult {
    return html`<div class="pairs">
      <commcost-line-chart part="chart" @change=${this.onMoved} .spec=${besideLines(speedup(steps), then && speedup(then.steps), ["expected"])}></commcost-line-chart>
      <commcost-stacked-bars part="chart" .spec=${besideBars(degreeBars(steps), then && degreeBars(then.steps))}></commcost-stacked-bars>
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
    return html`<dl part="results" class="facts wide">${facts.map(
      ([name, field, format]) => html`<div><dt>${meaning(this.scenario, calculation, field, name)}</dt>
        <dd class="number" data-fact=${field}>${format(results[field] as number)}${beside(
          results[field] as number,
          then?.[field] as number | undefined,
          format,
        )}</dd></div>`,
    )}</dl>`;
  }

  private why(results: ServingStepResults): string {
    const kernel = results.allreduce_kernel;
    const size = this.scenario.sizes.binaryBytes(results.allreduce_bytes, 3);
    const own = results.allreduce_kernels.find((row) => row.kernel === kernel);
    const share = own ? (100 * own.start_us) / (own.start_us + own.transfer_us) : 0;
    const quickest = [...results.allreduce_kernels].sort(
      (a, b) => a.start_us + a.transfer_us - b.start_us - b.transfer_us,
    )[0];
    const because = {
      one_shot: "one barrier is all it waits for, and every rank can read the others’ messages whole",
      two_shot: "the message is large enough that sending it whole to everyone would cost more than a second barrier",
      nvls: "the switches add on the way, so that a rank sends the message once",
      nccl: "it is what this stack calls, or all that spans several scale-up domains",
      best: "",
    }[kernel];
    const other =
      quickest && quickest.kernel !== kernel
        ? ` Quickest would be ${kernelNames[quickest.kernel]}: ${us(quickest.start_us + quickest.transfer_us)}.`
        : "";
    return `A layer’s all-reduce is ${size} and runs by ${kernelNames[kernel]}: ${because}. ${significant(share, 2)} % of its time are barriers, not bytes.${other}`;
  }

  private sums(results: ServingStepResults, then: ServingStepResults | undefined, stale: boolean): TemplateResult {
    return html`<section class="wide" aria-labelledby="sums-title">
      <div class="titled"><h2 id="sums-title">Which all-reduce, and why</h2>${formulaLink(calculation)}</div>
      ${
        results.allreduce_calls === 0
          ? html`<p class="soft">One tensor rank has nothing to all-reduce.</p>`
          : html`<p>${this.why(results)}</p>
        <div class="pairs"><commcost-bar-chart part="chart" .spec=${besideMarks(kernelBars(results, ownCurveOf(this.scenario, "all_reduce", this.scenario.number("tensor_parallel"))), then && then.allreduce_calls > 0 ? kernelBars(then) : undefined)}></commcost-bar-chart>
        ${
          stale
            ? nothing
            : html`<commcost-line-chart part="chart" .spec=${kernelCurves(this.scenario, results)}></commcost-line-chart>`
        }</div>
        <p class="small soft">In a step every all-reduce also waits for its ranks, which benchmarks of the kernels do not show.</p>`
      }</section>`;
  }

  /** The reader's own benchmark, in the page of its own; frames and elements hold no files. */
  private measured(plan: PlanServingResults | undefined): TemplateResult | typeof nothing {
    if (this.scenario.alone || !plan || plan.deployments.length === 0) return nothing;
    void benchmark.ask();
    return html`<commcost-missing class="wide" .of=${benchmark}></commcost-missing>
      <commcost-own-benchmark class="wide" .scenario=${this.scenario} .rows=${plan.deployments}></commcost-own-benchmark>`;
  }

  private rest(
    { results, inputs, steps }: Shown,
    then: Shown | undefined,
    stale: boolean,
    plan: PlanServingResults | undefined,
    problems: readonly Problem[],
  ): TemplateResult {
    const best = plan?.found ? plan.deployments[0] : undefined;
    return html`${plan && plan.deployments.length > 0 ? deploymentSection(this.scenario, plan, this.targets) : nothing}
      ${best ? html`<commcost-serving-load class="wide" .scenario=${this.scenario} .row=${best} .targets=${this.targets}></commcost-serving-load>` : nothing}
      ${this.measured(plan)}
      <section class="wide" aria-labelledby="step-title"><div class="titled"><h2 id="step-title">One step in depth</h2>${formulaLink(calculation)}</div>
        ${this.stepControls(problems)}
        ${this.stepLead(results, inputs)}${this.stepUnder(results)}${stale ? nothing : this.compared(results, then?.results)}
        ${this.stepFigure({ results, inputs, steps }, then)}</section>
      ${this.facts(results, then?.results)}
      <commcost-stacked-bars part="chart" .spec=${besideBars(servingMemoryBars(this.scenario.sizes, results), then && servingMemoryBars(this.scenario.sizes, then.results))}></commcost-stacked-bars>
      ${this.sums(results, then?.results, stale)}
      ${messagesSection(this.scenario, results)}
      <section aria-labelledby="known-title"><h2 id="known-title">What is not known</h2>
        <p>A step is one batch in flight, of sequences of one length; no speculative decoding, and prefill and decode on the same GPUs. Few time-to-first-token measurements under load are public, so treat that band with caution.
          ${choiceWord(this.scenario, servingRecipe, this.scenario.text(servingRecipe))} is taken as its recipe describes it; versions of one stack differ by 9 % in a quarter of cases, experts by up to twice.</p></section>`;
  }

  private theirs(): Shown | undefined {
    const a = this.besides(calculation);
    return a && { ...a, steps: overDegrees(a.scenario, a.inputs) };
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const step = this.answer(calculation);
    const { results: plan, problems: ofPlan, stale: oldPlan } = this.answer("plan_serving");
    if (step.results && !step.stale) {
      const inputs = this.scenario.inputs(calculation).values;
      this.shown = { results: step.results, inputs, steps: overDegrees(this.scenario, inputs) };
    }
    const { shown } = this;
    const stale = step.stale || oldPlan;
    const then = stale ? undefined : this.theirs();
    const said = new Set(ofPlan.map(({ field }) => field));
    const problems = [...ofPlan, ...step.problems.filter(({ field }) => !said.has(field))];
    return answerFrame(this, {
      headline: plan && this.headline(plan),
      under: plan && this.answerUnder(plan),
      controls: this.controls(problems),
      figure:
        plan && !this.compact
          ? html`<commcost-line-chart part="chart" .spec=${pareto(plan, this.targets)}></commcost-line-chart>`
          : nothing,
      rest:
        shown && !this.compact ? perhaps(this.scenario, () => this.rest(shown, then, stale, plan, problems)) : nothing,
      problems,
      owned: [...ownFields, ...stepFields, ...this.stackFields],
      stale,
      calculations: [calculation, "plan_serving"],
    });
  }

  static override styles = [viewStyles, factsStyles, unsafeCSS(styles)];
}

define("commcost-serve", ServeView);
