import type { CommunicationLedgerResults, LayerRooflineResults, TrainingStepResults } from "#engine";
import { nothing, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { choiceWord, labelOf } from "../../elements/labels.js";
import { meaning } from "../../elements/meaning.js";
import { notInStack } from "../../elements/stack-words.js";
import { rangesInWords } from "../../figures/roofline.js";
import type { Names } from "../../scoreboard/words.js";
import { capital, exact, ms, percent, significant, us } from "../../state/format.js";
import { run } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";
import type { Sizes } from "../../state/sizes.js";
import { basisWords, exposedMs, gradientWords, stepFigures, throughput } from "../../state/step.js";

/** The sentences about a step: tests/page/support/claims/step.mjs knows which claims in them must be true. */

const calculation = "training_step";

/** The answer in one sentence. */
export function headline(scenario: Scenario, results: TrainingStepResults): TemplateResult {
  const tell = (name: string, text: string) => meaning(scenario, calculation, name, text);
  return html`<p part="headline" class="headline">A step takes about
    <b class="number" data-result="step_time_ms">${tell("step_time_ms", stepFigures.time(results))}</b>
    <span class="band">(${stepFigures.range(results)})</span> on ${exact(results.cluster_gpus)} GPU${results.cluster_gpus === 1 ? "" : "s"}.
    ${
      exposedMs(results) === 0
        ? html`<span data-result="exposed">No communication is exposed.</span>`
        : html`Exposed communication is <span class="number" data-result="exposed">${stepFigures.exposedShare(results)}</span> of it.`
    }${results.fits ? nothing : html` <span class="bad">It doesn’t fit.</span>`}${
      results.stack_rule === ""
        ? nothing
        : html` <span class="bad" data-fact="stack_rule">${capital(notInStack(scenario, results.stack_rule))}.</span>`
    }</p>`;
}

/** Its assumptions and memory: the second line. */
export function assumptions(scenario: Scenario, results: TrainingStepResults): TemplateResult {
  const { memory } = scenario.sizes;
  const spare = results.memory_available_gib - results.memory_gib;
  const causal =
    scenario.entry("causal_attention").value === true
      ? undefined
      : run(scenario, "training_step", { causal_attention: true }).results;
  return html`<span class="number" data-result="mfu_percent">${throughput(scenario, results)}</span>${causal ? `, ${percent(causal.mfu_percent)} by causal FLOPs` : ""}; ${gradientWords(scenario)}.
    The fullest GPU needs <span class="number" data-result="memory_gib">${memory(results.memory_gib)}</span> of ${memory(results.memory_available_gib)} available${
      results.fits ? html`: ${memory(spare)} free` : html`: <b class="bad">${memory(-spare)} more than fits</b>`
    }.${
      results.run_kind === "staged"
        ? html` <span data-stalls>Runs of this stack with pipeline stages stall now and then, by seconds, and no input predicts which: hence the wide range.</span>`
        : nothing
    }`;
}

/** The exposed communication of the step. */
export function timeSummary(results: TrainingStepResults): string {
  return results.cluster_gpus === 1
    ? "One GPU communicates with no other."
    : exposedMs(results) < results.step_time_ms * 5e-4
      ? "All communication is hidden."
      : `Exposed communication takes ${stepFigures.exposed(results)}, ${stepFigures.exposedShare(results)} of the step. If nothing overlapped, the step would take ${ms(results.none_hidden_ms)}.`;
}

type Bar = { name: string; value: number };

/** Less of a change than this for one percent counts as none. */
export const leastElasticity = 0.005;

/** Which of several things shortens the step most, for one percent more of each. */
export function elasticitySummary(all: readonly Bar[]): string {
  const idle = all.filter(({ value }) => Math.abs(value) < leastElasticity).map(({ name }) => name);
  const most = [...all].sort((a, b) => b.value - a.value)[0]!;
  return (
    (most.value >= leastElasticity
      ? `1 % more ${most.name} shortens the step most, by ${significant(most.value, 2)} %.`
      : "1 % more of any of these shortens the step by less than 0.01 %.") +
    (idle.length > 0 ? ` No effect: ${idle.join(", ")}.` : "")
  );
}

/** The cost of half of either bandwidth, percent more of each. */
export function halfBandwidthSummary(more: { link: number; network: number }): string {
  const [worst, name] = more.network > more.link ? [more.network, "network"] : [more.link, "links in the node"];
  return worst < 0.05
    ? "Half of either bandwidth would make no difference."
    : `With half the bandwidth of the ${name}, the step takes ${significant(worst, 2)} % longer.`;
}

type BandClass = TrainingStepResults["band_classes"][number];

const kinds: Readonly<Record<BandClass["kind"], string>> = {
  dense: "",
  experts: " with experts",
  staged: " on stages that stall",
};

/** What the runs are: stacks, each with its GPUs; if there are many, their number. */
function runsOf(classes: readonly BandClass[], { recipes, accelerators }: Names): string {
  const stacks = [...new Set(classes.map(({ recipe }) => recipe))];
  if (stacks.length > 2) return `${stacks.length} stacks`;
  return stacks
    .map((stack) => {
      const of = classes.filter(({ recipe }) => recipe === stack);
      const machines = [...new Set(of.map(({ accelerator, kind }) => `${accelerators[accelerator]}${kinds[kind]}`))];
      const gpus = new Set(of.map(({ accelerator }) => accelerator)).size;
      return `${recipes[stack]} on ${machines.length > 3 ? `${gpus} kinds of GPU` : machines.join(", ")}`;
    })
    .join(" and ");
}

/** What the band rests on, and where this step exceeds every published run. */
export function restsOn(
  scenario: Scenario,
  results: TrainingStepResults,
  { recipe, accelerator }: { recipe: string; accelerator: string },
  names: Names,
): string {
  const { basis, run_kind, band_classes, beyond_runs, measured_runs, measured_series } = results;
  const own = band_classes.filter((one) => one.recipe === recipe && one.accelerator === accelerator);
  const published = own.reduce((sum, one) => sum + one.measured_series, 0);
  const here = `${names.recipes[recipe]} on ${names.accelerators[accelerator]}`;
  const rest = `the range rests on ${exact(measured_runs)} runs in ${exact(measured_series)} series of ${runsOf(band_classes, names)}`;
  const beyond = beyond_runs
    ? ` No run that we have goes as far in ${beyond_runs
        .split(", ")
        .map((name) => labelOf(scenario, name))
        .join(", ")}.`
    : "";
  const stalls =
    run_kind === "staged"
      ? " Some of them stalled, by a second and more per micro-batch, and no input predicts which: hence the width."
      : "";
  if (basis === "measured") {
    const ownRuns = own.reduce((sum, one) => sum + one.measured_runs, 0);
    return `${capital(basisWords[basis])}: ${rest}${ownRuns < measured_runs ? `, ${exact(ownRuns)} of them of ${here}` : ""}.${stalls}`;
  }
  const few =
    published === 0
      ? `We have no run of ${here}`
      : `We have ${published < 3 ? "only " : ""}${exact(published)} series of ${here}`;
  const how = basis === "similar" ? "and is wider for it" : "each predicted as if its stack were unknown too";
  return `${capital(basisWords[basis])}. ${few}; ${rest}, ${how}.${beyond}${stalls}`;
}

/**
 * The measured times of the runs that a band rests on, over the prediction for each: those of the classes that the
 * engine names, or, for an estimate, all runs as if their stacks were unknown.
 */
export function ratiosOf(
  { basis, band_classes }: TrainingStepResults,
  known: { errors: Readonly<Record<string, readonly number[]>>; asOther: readonly number[] },
): readonly number[] {
  const missed =
    basis === "estimated"
      ? known.asOther
      : band_classes.flatMap(({ recipe, accelerator, kind }) => known.errors[`${recipe} ${accelerator} ${kind}`] ?? []);
  return missed.map((error) => 1 / (1 + error / 100));
}

/** How many of those runs would fall into the band if this prediction missed as theirs did. */
export const withinBand = (
  ratios: readonly number[],
  { step_time_ms: predicted, step_time_low_ms: low, step_time_high_ms: high }: TrainingStepResults,
): number => ratios.filter((ratio) => ratio * predicted >= low && ratio * predicted <= high).length;

/** The same in a sentence. */
export function missedAlike(ratios: readonly number[], results: TrainingStepResults): string {
  const { step_time_low_ms: low, step_time_high_ms: high } = results;
  return `If this prediction misses as those did, ${exact(withinBand(ratios, results))} of ${exact(ratios.length)} would take ${ms(low)} to ${ms(high)}.`;
}

/** The stages that send most: several where their totals read the same. */
export function busiestStages(
  { sizes }: Scenario,
  ledgers: readonly CommunicationLedgerResults[],
): CommunicationLedgerResults[] {
  const most = Math.max(...ledgers.map(({ sent_bytes_per_gpu }) => sent_bytes_per_gpu));
  return ledgers.filter(({ sent_bytes_per_gpu }) => sizes.bytes(sent_bytes_per_gpu) === sizes.bytes(most));
}

/** "The inner stages send most:", "The first stage sends most:". */
function thoseThatSendMost(busiest: readonly CommunicationLedgerResults[]): string {
  const several = busiest.length > 1 || busiest[0]!.stage === "inner";
  const places = busiest.map(({ stage }) => stage).join(" and ");
  return `The ${places} ${several ? "stages send" : "stage sends"} most:`;
}

/** The ledger in one sentence. */
export function ledgerLead(
  scenario: Scenario,
  results: CommunicationLedgerResults,
  stages: readonly CommunicationLedgerResults[],
): TemplateResult {
  if (results.rows.length === 0) return html`<p>One GPU sends nothing. Raise a degree to see messages.</p>`;
  const most = [...results.by_dimension].sort((a, b) => b.sent_bytes_per_gpu - a.sent_bytes_per_gpu)[0]!;
  // The table lists the vocabulary matrices' messages separately; they are the same GPUs' TP communication.
  const vocabulary =
    most.dimension === "tensor" ? results.by_dimension.find(({ dimension }) => dimension === "vocabulary") : undefined;
  const share = most.share + (vocabulary?.share ?? 0);
  const busiest = busiestStages(scenario, stages);
  const sent = html`<b class="number" data-result="sent_bytes_per_gpu">${meaning(scenario, "communication_ledger", "sent_bytes_per_gpu", scenario.sizes.bytes(results.sent_bytes_per_gpu))}</b>`;
  return html`<p class="lead">${
    busiest.length === stages.length
      ? html`Each of ${exact(results.cluster_gpus)} GPUs sends ${sent} in a step,`
      : html`${thoseThatSendMost(busiest)} ${sent} from each GPU in a step,`
  } ${Math.round(100 * share)} % of it for ${most.dimension} parallelism${vocabulary ? ", vocabulary included" : ""}.</p>`;
}

/** How much of a step's bytes leave the node. */
export function bytesSummary(scenario: Scenario, results: CommunicationLedgerResults): string {
  const network = results.sent_bytes_per_gpu === 0 ? 0 : results.network_bytes_per_gpu / results.sent_bytes_per_gpu;
  return `Sent by each GPU${results.stage === "only" ? "" : ` of the ${choiceWord(scenario, "stage", results.stage)}`}; ${significant(100 * network, 3)} % of it leaves the node.`;
}

/** Which size most messages have. */
export function sizesSummary({ binaryBytes }: Sizes, { message_sizes }: CommunicationLedgerResults): string {
  const most = [...message_sizes].sort((a, b) => b.calls - a.calls)[0];
  return most
    ? `The most common size is ${binaryBytes(most.at_least_bytes)} to ${binaryBytes(2 * most.at_least_bytes)}, with ${exact(most.calls)} call${most.calls === 1 ? "" : "s"}.`
    : "No messages.";
}

/** Where the time of a layer’s forward pass goes. */
export function rooflineSummary({ bytes }: Sizes, results: LayerRooflineResults): string {
  const { kernels, forward_us } = results;
  const idle = kernels.find(({ kernel }) => kernel === "memory_bound");
  const rest = idle
    ? ` Norms, activation functions and residual sums take ${us(idle.time_us)} of it, ${percent((100 * idle.time_us) / forward_us, 2)}, just to move ${bytes(idle.hbm_bytes, 3)}.`
    : "";
  return `The forward pass of one micro-batch takes ${us(forward_us)}; a dot’s area is its share.${rest} ${rangesInWords(results)}`;
}

/** How a layer's longest product is fed, from its tile outwards. */
export function levelsSummary({ bytes }: Sizes, results: LayerRooflineResults): string {
  const { levels, tile_rows, tile_columns, tile_register_bytes } = results;
  const of = (name: (typeof levels)[number]["level"]) => levels.find(({ level }) => level === name)!;
  const [l2, hbm, pinned, pageable, file] = [of("l2"), of("hbm"), of("host_pinned"), of("host_pageable"), of("file")];
  const times = (level: typeof pinned) => significant(level.ridge_flops_per_byte / level.flops_per_byte, 2);
  const copies =
    pinned.time_us > 0
      ? ` Were its matrices in host memory, copying them would take ${us(pinned.time_us)} pinned and ${us(pageable.time_us)} pageable, ${times(pinned)} and ${times(pageable)} times as long as multiplying at the peak.${file.time_us > 0 ? ` Reading them from a file would take ${us(file.time_us)}.` : ""}`
      : "";
  return `A multiprocessor computes a tile of ${exact(tile_rows)} × ${exact(tile_columns)} outputs at once, whose sums take ${bytes(tile_register_bytes, 3)} of registers. So each byte from L2 serves ${significant(l2.flops_per_byte, 3)} FLOPs, each byte from HBM ${significant(hbm.flops_per_byte, 3)}.${copies}`;
}

/** The cost of the pipeline. */
export const bubbleSummary = ({ parts, bubble_percent }: TrainingStepResults): string =>
  `The gaps are the bubble: ${ms(parts.bubble_ms)}, ${percent(bubble_percent)} of the step.`;

/** How much of its speed a GPU keeps as replicas are added. */
export const growthSummary = (first: TrainingStepResults, last: TrainingStepResults): string =>
  `Each replica keeps its batch: from ${exact(first.cluster_gpus)} to ${exact(last.cluster_gpus)} GPUs, each GPU keeps ${significant((100 * first.step_time_ms) / last.step_time_ms, 3)} % of its speed.`;
