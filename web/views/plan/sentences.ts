import type { PlanResults } from "#engine";
import { nothing, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { capital, exact, milliseconds, percent, significant } from "../../state/format.js";
import { choiceWord, labelOf } from "../../elements/labels.js";
import { notInStack, stackName } from "../../elements/stack-words.js";
import { fastestWord, inShort } from "../../figures/layout-words.js";
import { partName } from "../../figures/step-parts.js";
import { decidedOf, type PlanRow } from "../../state/planned-layout.js";
import type { Scenario } from "../../state/scenario.js";
import { between, gradientWords, runWords, stepFigures, throughput } from "../../state/step.js";
import type { Point } from "../../charts/series.js";

/** The sentences of Plan: tests/page/support/claims/plan.mjs knows which claims in them must be true. */

type Alternative = PlanResults["alternatives"][number];

/** The first layout's place among all: the fastest, the fastest with headroom, or one of those that tie. */
function leadOf(found: PlanResults, scenario: Scenario): string {
  const [best, fastest, any] = [found.layouts[0]!, found.fastest[0]!, found.pareto_front[0]!];
  const headroom = percent(scenario.number("memory_headroom_percent"), 2);
  const first = fastestWord(best);
  if (best.step_time_ms > fastest.step_time_ms) return `Among the ${first} on`;
  if (any.step_time_ms < best.step_time_ms) return `${capital(first)} with ${headroom} of memory free on`;
  return `${capital(first)} on`;
}

/** Which families the first one ties with. */
function tieOf({ layouts, fastest }: PlanResults): string {
  const tied = layouts.filter(({ tie }) => tie).length;
  const [best, least] = [layouts[0]!, fastest[0]!];
  const many = `${exact(tied)}${tied === layouts.length ? "+" : ""} families`;
  if (best.step_time_ms > least.step_time_ms)
    return `${tied > 1 ? `The simplest of ${many}` : "The simplest layout of its family"} within noise of the fastest, ${stepFigures.time(least)}. `;
  return tied > 1 ? `${many} are within noise; this is the simplest. ` : "";
}

/** The best layout in one sentence; if none fits, how much memory is missing. */
export function planHeadline(
  scenario: Scenario,
  found: PlanResults,
  cluster_gpus: number,
  pins: string,
): TemplateResult | typeof nothing {
  const gpus = exact(cluster_gpus);
  const held = pins && html` with <span data-result="pins">${pins}</span>`;
  const best = found.layouts[0];
  if (best)
    return html`<p part="headline" class="headline">${leadOf(found, scenario)} ${gpus} GPU${gpus === "1" ? "" : "s"}${held}: <b>${inShort(best)}</b>,
      <b class="number">${stepFigures.time(best)}</b> <span class="band">(${stepFigures.range(best)})</span> a step.</p>`;
  if (found.progress < 1) return html`<p part="headline" class="headline soft">No layout that fits so far.</p>`;
  const smallest = found.smallest[0];
  if (!smallest) return nothing;
  return html`<p part="headline" class="headline">No layout fits${held}: each GPU needs <b class="number">${scenario.sizes.memory(found.deficit_gib)}</b> more.</p>`;
}

/** The lines under it: what else the best layout decides and comes to, or how the smallest falls short. */
export function planUnder(
  scenario: Scenario,
  found: PlanResults,
  cluster_gpus: number,
  fitsFrom: number,
  pins: string,
): TemplateResult | typeof nothing {
  const best = found.layouts[0];
  if (best) {
    const left = settingsLeft(scenario, found);
    return html`<p class="under">${tieOf(found)}${capital(inDetail(scenario, best))}; ${gradientWords(scenario, decidedOf(best))}.
      <span class="number" data-result="throughput">${throughput(scenario, best)}</span>. ${significant(Math.max(0, best.headroom_percent), 2)} % of ${scenario.sizes.memory(found.memory_limit_gib)} stays free.${uncheckedWords(scenario, found)}</p>
      ${left ? html`<p class="under" data-result="settings">${left}</p>` : nothing}
      <p class="under" data-result="training_days">${runWords(scenario, best)}</p>`;
  }
  const smallest = found.smallest[0];
  if (found.progress < 1 || !smallest) return nothing;
  const advice = pins
    ? "Unpin a part of the layout, or try GPUs with more memory."
    : "Try more GPUs, or GPUs with more memory.";
  return html`<p class="under">The smallest layout, ${inShort(smallest)}${smallest.zero_stage > 0 ? ` with ZeRO-${smallest.zero_stage}` : ""}
      (${smallest.recompute === "none" ? "no" : smallest.recompute} recomputation), needs ${scenario.sizes.memory(smallest.memory_gib)}; ${scenario.sizes.memory(found.memory_limit_gib)} is available.
      ${fitsFrom > cluster_gpus ? html`${pins ? `A layout with ${pins}` : "The model"} first fits on <b>${exact(fitsFrom)} GPUs</b>.` : advice}</p>`;
}

/** The rules that the layouts had to keep; nothing if these are not known. */
export const keptRules = (scenario: Scenario, { stack_source, stack_date }: PlanResults): string =>
  stack_source && `Every layout keeps the rules of ${stackName(scenario)} (${stack_source}, ${stack_date}).`;

/** The note that the stack which runs on the accelerator was not checked; nothing if its rules are known. */
function uncheckedWords(scenario: Scenario, { stack_checked, stack_source }: PlanResults): string {
  if (stack_checked) return "";
  const machine = choiceWord(scenario, "accelerator", scenario.text("accelerator"));
  return stack_source
    ? ` The fork or plugin of ${stackName(scenario)} for ${machine} wasn’t checked.`
    : ` ${stackName(scenario)}’s rules weren’t checked, so this layout may not start.`;
}

/** "GEMM precision FP8": a setting that the search decided. */
function settingWords(scenario: Scenario, { name, value }: PlanRow["settings"][number]): string {
  const field = scenario.fields.get(name)!;
  const word = field.kind === "flag" ? (value === "true" ? "on" : "off") : choiceWord(scenario, name, value);
  return `${labelOf(scenario, name)} ${word}`;
}

/** The settings that the search left as they were: because they were given, or because there is nothing else. */
function settingsLeft(scenario: Scenario, { layouts, searched_settings }: PlanResults): string {
  const tried = searched_settings.filter(({ values }) => values > 1).map(({ name }) => name);
  const kept = layouts[0]!.settings.filter(({ name, changed }) => !changed && tried.includes(name));
  const alone = searched_settings.filter(({ values }) => values === 1);
  return [
    kept.length > 0 && `Searched and left as given: ${kept.map(({ name }) => labelOf(scenario, name)).join(", ")}.`,
    alone.length > 0 &&
      `Nothing to search: ${alone.map(({ name, reason }) => `${labelOf(scenario, name)} (${reason})`).join(", ")}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** A layout's choices besides its degrees: "1F1B in 2 chunks, ZeRO-1, SP, micro-batch 1, GEMM precision FP8". */
export const inDetail = (scenario: Scenario, row: PlanRow): string =>
  [
    row.pipeline_parallel > 1 &&
      `${choiceWord(scenario, "pipeline_schedule", row.pipeline_schedule)}${row.virtual_stages > 1 ? ` in ${row.virtual_stages} chunks` : ""}`,
    row.zero_stage > 0 && `ZeRO-${row.zero_stage}`,
    row.sequence_parallel && "SP",
    `micro-batch ${row.batch_size}`,
    row.recompute !== "none" && `${row.recompute} recomputation`,
    ...row.settings.filter(({ changed }) => changed).map((setting) => settingWords(scenario, setting)),
  ]
    .filter(Boolean)
    .join(", ");

/** How much slower a layout is than the first: "+4.2 %"; ties are not ranked. */
export function againstFirst(row: PlanRow, first: PlanRow): string {
  if (row === first) return "";
  const change = (100 * row.step_time_ms) / first.step_time_ms - 100;
  return row.tie && first.tie ? "within noise" : `${change < 0 ? "−" : "+"}${significant(Math.abs(change), 2)} %`;
}

/** "25.4–77.7 GiB". */
function reach(low: string, high: string): string {
  const unit = high.slice(high.lastIndexOf(" "));
  return low === high ? high : `${low.endsWith(unit) ? low.slice(0, -unit.length) : low}–${high}`;
}

/** How many more layouts a family has, and their ranges: "56: 119–175 s, 25.4–77.7 GiB". */
export function othersOf(range: PlanResults["families"][number], memory: (gib: number) => string): string {
  if (range.layouts < 2) return "none";
  return `${exact(range.layouts - 1)}: ${between(range.fastest_ms, range.slowest_ms)}, ${reach(memory(range.least_gib), memory(range.most_gib))}`;
}

/** How the first families are to be read: as a tie, or as one that is faster than the rest. */
export function tieWords({ layouts, fastest, noise_floor_percent }: PlanResults): string {
  const floor = percent(noise_floor_percent, 2);
  const tied = layouts.filter(({ tie }) => tie).length;
  if (layouts.length < 2) return "The search found only one family of layouts.";
  // A family that is faster may leave too little memory free to be the answer.
  const limit = (fastest[0] ?? layouts[0]!).step_time_ms * (1 + noise_floor_percent / 100);
  if (tied < 2 && layouts.slice(1).some(({ step_time_ms }) => step_time_ms <= limit))
    return `No other family that leaves enough memory free is within ${floor} of the fastest that does, which is how much two measurements of one configuration differ.`;
  if (tied < 2)
    return `No other family is within ${floor} of the fastest layout, which is how much two measurements of one configuration differ.`;
  return `${tied === layouts.length ? `All ${tied}` : `The first ${tied}`} are within noise of the fastest: they differ from it by at most ${floor}, as two measurements of one configuration do. The simplest to run comes first: fewer dimensions besides DP, fewer chunks, less ZeRO sharding beyond stage 1, ${layouts[0]!.settings.length > 0 ? "fewer settings changed, " : ""}then more headroom.`;
}

/** The changed decision: "TP 4". */
export function decisionOf(scenario: Scenario, { decision, value }: Alternative): { what: string; value: string } {
  const field = scenario.fields.get(decision);
  const said = field?.choices ? choiceWord(scenario, decision, value) : value;
  return {
    what: labelOf(scenario, decision),
    value: field?.kind === "flag" ? (value === "true" ? "on" : "off") : said,
  };
}

/** Parts that differ by less than this share of the greatest are named together. */
const worthNaming = 0.05;

/** A smaller share of the whole difference is left out. */
const negligible = 1e-3;

/** Which parts of a step grow and which shrink, the greatest first; they add up to the difference. */
export function differences({ more }: Alternative): { name: string; ms: number }[] {
  const all = Object.entries(more).flatMap(([key, ms]) => (ms === 0 ? [] : [{ name: partName(key), ms }]));
  all.sort((one, other) => Math.abs(other.ms) - Math.abs(one.ms));
  const named = all.filter(({ ms }) => Math.abs(ms) >= worthNaming * Math.abs(all[0]!.ms));
  const rest = all.slice(named.length).reduce((sum, { ms }) => sum + ms, 0);
  const sum = all.reduce((whole, { ms }) => whole + Math.abs(ms), 0);
  return Math.abs(rest) < negligible * sum ? named : [...named, { name: "the rest", ms: rest }];
}

/** Why a layout lost: "bubble +310 ms, TP communication −20 ms". */
export function lossOf(scenario: Scenario, alternative: Alternative): string {
  const { reason, deficit_gib, tie, stack_rule } = alternative;
  const { sizes } = scenario;
  if (stack_rule !== "") return notInStack(scenario, stack_rule);
  if (reason === "does_not_fit") return `doesn’t fit: needs ${sizes.memory(deficit_gib)} more per GPU`;
  const parts = differences(alternative)
    .map(({ name, ms }) => `${name} ${ms < 0 ? "−" : "+"}${milliseconds(Math.abs(ms), 3)}`)
    .join(", ");
  const lead = tie ? "within noise" : reason === "too_tight" ? "too little headroom" : "";
  return [lead, parts].filter(Boolean).join(": ");
}

/** The rules of thumb, as commonly stated. */
export const rules: Readonly<Record<string, string>> = {
  tensor_within_node: "Keep TP within a node.",
  pipeline_across_nodes: "Across nodes, use PP.",
  largest_micro_batch: "Take the largest micro-batch that fits.",
  recompute_last: "Recompute only what would not fit otherwise.",
  shard_optimizer: "With replicas, shard the optimizer state (ZeRO-1 at least).",
  sequence_with_tensor: "With TP, turn SP on.",
  data_before_tensor: "Prefer DP to TP while gradients are fewer bytes than activations.",
};

/** Where the time of the first layout goes. */
export function timeSummary({ layouts }: PlanResults): string {
  const { parts, step_time_ms } = layouts[0]!;
  const share = (100 * (parts.compute_ms + parts.recompute_ms)) / step_time_ms;
  return `The first layout computes for ${percent(share, 2)} of its step.${layouts.length > 1 ? " Below it are the next families." : ""}`;
}

/** A smaller change, percent, counts as none. */
const noticed = 0.5;

/** "2 takes 12 % longer": the change that is worth most, or that none is. */
export function leverSummary(points: readonly Point[], here: number, format: (value: number) => string): string {
  const now = points.find(({ x }) => x === here)?.y;
  if (now === undefined || points.length < 2) return "There is nothing to compare.";
  const change = ({ y }: Point) => (100 * y) / now - 100;
  const others = points.filter(({ x }) => x !== here);
  const fastest = others.reduce((one, other) => (other.y < one.y ? other : one));
  const nearest = others.reduce((one, other) =>
    Math.abs(Math.log(other.x / here)) < Math.abs(Math.log(one.x / here)) ? other : one,
  );
  const told = change(fastest) < -noticed ? fastest : nearest;
  const percents = change(told);
  return Math.abs(percents) < noticed
    ? `${format(told.x)} would make no difference.`
    : `${format(told.x)} would take ${significant(Math.abs(percents), 2)} % ${percents < 0 ? "less" : "longer"}.`;
}
