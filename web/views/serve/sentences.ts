import type { PlanServingResults, ServingStepResults } from "#engine";
import { nothing, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { meaning } from "../../elements/meaning.js";
import { notInStack, servingStackName } from "../../elements/stack-words.js";
import { capital, exact, gpus, ms, significant, us } from "../../state/format.js";
import { chosenPreset } from "../../state/presets.js";
import type { Scenario } from "../../state/scenario.js";
import type { Session } from "../../state/session.js";
import { between, stepFigures } from "../../state/step.js";
import {
  anyFits,
  latencyInWords,
  neededInWords,
  priceOfMillion,
  type Row,
  serversInWords,
  type Targets,
  targetsInWords,
  wayOut,
  withinError,
} from "./answer.js";
import type { OnDegrees } from "./degrees.js";
import { atOnce, deploymentName } from "../../figures/deployment-name.js";
import { kernelNames, parts } from "./serve-charts.js";
import { stepFields, stepOfAnswer } from "./step-of-answer.js";
import { ofCheckpoint, offered, precisionOf, servingPrecisions } from "../../state/precision.js";

const step = "serving_step";

const rate = (value: number) => `${significant(value, 3)} tokens/s`;

/** The latency limits in the scenario; 0: any. */
export function targetsOf(scenario: Scenario): Targets {
  const asked = (name: string) => {
    const value = scenario.number(name);
    return Number.isFinite(value) ? value : 0;
  };
  return { most_token_ms: asked("most_token_ms"), most_first_token_ms: asked("most_first_token_ms") };
}

/** The sentences of an answer about its limits and latency. */
export interface AnswerWords {
  /** The limits that it keeps; empty: there are none. */
  within: string;
  /** If none keeps them: which comes closest. */
  closest: string;
  latency: (best: Row) => string;
  /** How requests arrive. */
  arrivals: string;
  /** Whether the GPUs for a rate leave room for a queue: "need", "need at least". */
  need: string;
}

/** Those of a steady state. */
const steadyWords = (plan: PlanServingResults, targets: Targets): AnswerWords => ({
  within: targetsInWords(targets),
  closest: wayOut(plan, targets),
  latency: latencyInWords,
  arrivals: "in a steady state without a queue",
  need: "need at least",
});

/** The deployment, what it serves, and within which latency; or what prevents it. */
export function headline(
  scenario: Scenario,
  plan: PlanServingResults,
  { within, closest } = steadyWords(plan, targetsOf(scenario)),
): TemplateResult {
  const best = plan.deployments[0];
  if (!best || !plan.found)
    return html`<p part="headline" class="headline"><span class="bad">No deployment on ${gpus(scenario.number("serving_gpus"))} ${within && anyFits(plan.deployments) ? `has ${within}` : "fits"}.</span> ${closest}</p>`;
  const tell = (path: string, text: string) => meaning(scenario, "plan_serving", `deployments.${path}`, text);
  return html`<p part="headline" class="headline" data-deployment="lead">Serve it as ${serversInWords(best)}, ${atOnce(best)}:
    <b class="number" data-answer="requests_per_sec">${tell("requests_per_sec", `${significant(best.requests_per_sec, 3)} requests/s`)}</b>,
    <b class="number" data-answer="output_tokens_per_sec_per_gpu">${tell("output_tokens_per_sec_per_gpu", `${significant(best.output_tokens_per_sec_per_gpu, 3)} tokens/s/GPU`)}</b>${within ? `, with ${within}` : ""}.</p>`;
}

/** The way to a checkpoint's own precision, if the model is kept in more bytes than it was published in. */
function asPublished(scenario: Session): TemplateResult | typeof nothing {
  const own = ofCheckpoint(scenario);
  const now = precisionOf(scenario, servingPrecisions);
  if (scenario.readonly || now === own || now?.id !== "bf16" || !offered(scenario, servingPrecisions).includes(own))
    return nothing;
  return html`<p class="under no-print">Its checkpoint is published in ${own.name}.
    <button type="button" class="plain" @click=${() => scenario.set(own.fields)}>Serve it in that</button></p>`;
}

/** The answer's latency, price and ties, and its assumptions: from what the session asks, or asked before. */
export function answerUnder(
  session: Session,
  plan: PlanServingResults,
  { latency, arrivals, need } = steadyWords(plan, targetsOf(session)),
  scenario: Scenario = session,
): TemplateResult | typeof nothing {
  const best = plan.found ? plan.deployments[0] : undefined;
  if (!best) return anyFits(plan.deployments) ? nothing : asPublished(session);
  const ties = withinError(plan);
  const price = priceOfMillion(best, scenario.number("price_per_gpu_hour"));
  const precision = precisionOf(scenario, servingPrecisions)?.name ?? "precision as set";
  const needed = neededInWords(plan, scenario.number("requests_per_sec"), need);
  return html`<p class="under">${latency(best)}. <span data-answer="step_tokens">At most ${meaning(scenario, "plan_serving", "deployments.step_tokens", `${exact(best.step_tokens)} tokens`)} per step.</span>${
    price === undefined
      ? nothing
      : html` <b class="number" data-answer="price">${significant(price, 3)}</b> per million output tokens at your price.`
  }${needed === "" ? nothing : html` <b data-answer="needed">${needed}</b>`}
    <span class="soft">Assumes ${servingStackName(scenario)}${plan.stack_checked ? "" : " (whose rules weren’t checked)"}, ${precision}, ${exact(scenario.number("prompt_tokens"))} tokens in and ${exact(scenario.number("output_tokens"))} out, ${arrivals}.</span></p>
    <p class="under soft">TPOT is the mean time per output token after the first.${
      ties.length > 0
        ? ` Within error: ${ties.slice(0, 3).map(serversInWords).join("; ")}${ties.length > 3 ? ` and ${exact(ties.length - 3)} more` : ""}.`
        : ""
    }</p>`;
}

/** The time of a token in the step shown in detail. */
export function stepLead(
  scenario: Session,
  results: ServingStepResults,
  inputs: Record<string, unknown>,
): TemplateResult {
  const tell = (name: string, text: string) => meaning(scenario, step, name, text);
  const batch = inputs["batch_size"] as number;
  const ranks = inputs["tensor_parallel"] as number;
  return html`<p data-step="lead">A token takes about
    <b class="number" data-result="step_time_ms">${tell("step_time_ms", ms(results.step_time_ms))}</b>
    (${stepFigures.range(results)}) for ${batch === 1 ? "one sequence" : `each of ${exact(batch)} sequences`} at TP ${exact(ranks)}:
    <b class="number" data-result="tokens_per_sec_per_user">${tell("tokens_per_sec_per_user", rate(results.tokens_per_sec_per_user))}</b> for a user,
    <span class="number" data-result="tokens_per_sec_per_gpu">${tell("tokens_per_sec_per_gpu", significant(results.tokens_per_sec_per_gpu, 3))}</span> tokens/s/GPU.${
      results.fits ? nothing : html` <span class="bad">It does not fit.</span>`
    }${
      results.stack_rule === ""
        ? nothing
        : html` <span class="bad" data-fact="stack_rule">${capital(notInStack(scenario, results.stack_rule, servingStackName(scenario)))}.</span>`
    }</p>`;
}

/**
 * Whether the step is the answer's, and what else a `steady` state's users wait for; otherwise the way back to that.
 */
export function besideAnswer(
  scenario: Session,
  inputs: Readonly<Record<string, unknown>>,
  { step_time_ms }: ServingStepResults,
  best: Row,
  steady = true,
): TemplateResult | typeof nothing {
  const { batch_size: all, pipeline_parallel: stages } = best;
  const together = all === 1 ? "one sequence" : `${exact(all)} sequences`;
  const name = `${deploymentName(best)}, ${stages === 1 ? together : `${exact(all / stages)} of its ${together} on each stage`}`;
  if (Object.entries(stepOfAnswer(scenario, best)).every(([field, value]) => (inputs[field] ?? 1) === value)) {
    const prompts = best.token_ms - step_time_ms;
    return html`<p data-step="answer">This is the step of the answer, ${name}.${
      steady && prompts >= 0.01 * best.token_ms
        ? html` Of its TPOT of ${ms(best.token_ms)}, ${ms(prompts)} goes into prompts that are read between tokens.`
        : nothing
    }</p>`;
  }
  if (scenario.readonly || scenario.alone) return nothing;
  return html`<p class="no-print" data-step="answer">This is not the step of the answer.
    <button type="button" class="plain" @click=${() => scenario.change({}, stepFields(scenario))}>Show that of ${name}</button></p>`;
}

/** Which runs such predictions were compared with, the nearest first, and how well they agreed. */
export function trust(scenario: Scenario, results: ServingStepResults): string {
  const { measured_runs: runs, stack_runs, own_runs } = results;
  const stack = servingStackName(scenario);
  const gpu = chosenPreset(scenario, "accelerator")?.name ?? "this GPU";
  const whose = [
    ...(own_runs > 0 ? [`${exact(own_runs)} of ${stack} on ${gpu}`] : []),
    ...(stack_runs > own_runs ? [`${exact(stack_runs - own_runs)} of ${stack} on other GPUs`] : []),
    ...(runs > stack_runs ? [`${exact(runs - stack_runs)} of other stacks`] : []),
  ];
  const none = own_runs === 0 ? `No run of ${stack} on ${gpu} was measured. ` : "";
  return `${none}Against measured runs (${whose.join(", ")}), such predictions are off by ${significant(results.measured_error_percent, 2)} % in the median.`;
}

/** The first token of a prompt alone. */
export function stepUnder(scenario: Scenario, results: ServingStepResults): TemplateResult {
  return html`<p>The first token of a prompt as long as the cache, served alone, comes after about
    <b class="number" data-result="first_token_ms">${ms(results.first_token_ms)}</b> (${between(results.first_token_low_ms, results.first_token_high_ms)}).
    <span class="soft">${trust(scenario, results)}</span></p>`;
}

/** Which all-reduce runs in a layer, and why that one. */
export function why(scenario: Session, results: ServingStepResults): string {
  const kernel = results.allreduce_kernel;
  const size = scenario.sizes.binaryBytes(results.allreduce_bytes, 3);
  const own = results.allreduce_kernels.find((row) => row.kernel === kernel);
  const share = own ? (100 * own.start_us) / (own.start_us + own.transfer_us) : 0;
  const quickest = [...results.allreduce_kernels].sort(
    (a, b) => a.start_us + a.transfer_us - b.start_us - b.transfer_us,
  )[0];
  const because = {
    one_shot: "one barrier is all it waits for, and every GPU can read the others’ messages whole",
    two_shot: "the message is large enough that sending it whole to everyone would cost more than a second barrier",
    nvls: "the switches add on the way, so each GPU sends the message once",
    nccl: "it is what this stack calls, or all that spans several scale-up domains",
    best: "",
  }[kernel];
  const other =
    quickest && quickest.kernel !== kernel
      ? ` Fastest would be ${kernelNames[quickest.kernel]}: ${us(quickest.start_us + quickest.transfer_us)}.`
      : "";
  return `A layer’s all-reduce is ${size} and runs by ${kernelNames[kernel]}: ${because}. ${significant(share, 2)} % of its time are barriers, not bytes.${other}`;
}

const degreesOf = (inputs: Record<string, unknown>) => ({
  tensor_parallel: (inputs["tensor_parallel"] as number) ?? 1,
  pipeline_parallel: (inputs["pipeline_parallel"] as number) ?? 1,
  data_parallel: (inputs["data_parallel"] as number) ?? 1,
  expert_parallel: (inputs["expert_parallel"] as number) ?? 1,
});

/** "2.1 ms more", "0.4 ms less". */
const apart = (by: number): string => `${ms(Math.abs(by))} ${by > 0 ? "more" : "less"}`;

/**
 * The all-reduce of a layer by its kernel: "160 all-reduces of 128 KiB by one-shot, 14 µs each", the wait for other
 * ranks included.
 */
function summing(scenario: Session, { results }: OnDegrees): string {
  const { allreduce_calls, allreduce_bytes, allreduce_kernel, allreduce_wait_us } = results;
  if (allreduce_calls === 0) return "no all-reduce";
  return `${exact(allreduce_calls)} all-reduces of ${scenario.sizes.binaryBytes(allreduce_bytes, 3)} by ${kernelNames[allreduce_kernel]}, ${us(allreduce_wait_us)} each`;
}

/** The deployment that serves more within the limits, if a plan has both. */
function served(plan: PlanServingResults | undefined, one: string, other: string): string {
  const [now, then] = [one, other].map((name) => plan?.deployments.find((row) => deploymentName(row) === name));
  const meets = (row: typeof now) => row !== undefined && ["best", "tie", "less_throughput"].includes(row.verdict);
  if (!plan?.found || !now || !then || (!meets(now) && !meets(then))) return "";
  const told = (row: NonNullable<typeof now>, name: string) =>
    meets(row)
      ? `${name} serves ${significant(row.requests_per_sec, 3)} requests/s`
      : `${name} does not meet the limits`;
  return ` On all GPUs, ${told(now, one)}; ${told(then, other)}.`;
}

/**
 * Why a token takes longer or shorter on these degrees than on others, from the parts of both steps; nothing if they
 * are the same.
 */
export function whyApart(
  scenario: Session,
  now: OnDegrees,
  then: OnDegrees,
  plan: PlanServingResults | undefined,
): string {
  const [one, other] = [now, then].map(({ inputs }) => deploymentName(degreesOf(inputs))) as [string, string];
  if (one === other) return "";
  const by = now.results.step_time_ms - then.results.step_time_ms;
  const least = 0.02 * Math.max(now.results.step_time_ms, then.results.step_time_ms);
  const moved = parts
    .map(([key, name]) => ({ key, name, by: now.results.parts[key] - then.results.parts[key] }))
    // Whatever was asked about is reported, however small.
    .filter((part) => Math.abs(part.by) >= (part.key === "exposed_tensor_ms" ? 1e-3 : least))
    .sort((a, b) => Math.abs(b.by) - Math.abs(a.by))
    .slice(0, 4)
    .map((part) => `${part.name} ${apart(part.by)}`);
  const share = Math.abs(by) / then.results.step_time_ms;
  const lead =
    share < 0.005
      ? `A token takes as long at ${one} as at ${other}`
      : `A token takes ${apart(by).replace(/ more$/, " longer")} at ${one} than at ${other}`.replace(
          / less at/,
          " less at",
        );
  const because = moved.length > 0 ? `: ${moved.join(", ")}` : "";
  return `${lead}${because}. ${one}: ${summing(scenario, now)}; ${other}: ${summing(scenario, then)}.${served(plan, one, other)}`;
}
