import type { PlanResults } from "#engine";
import { milliseconds, significant } from "../state/format.js";
import type { PlanRow } from "../state/planned-layout.js";
import { run } from "../state/run.js";
import type { Scenario } from "../state/scenario.js";
import { inShort } from "./layout-words.js";

/** What a search that is held to one tensor degree has found. */
export interface Degree {
  group: number;
  found: PlanResults;
}

const time = (ms: number): string => milliseconds(ms, 3);

/** The fastest layout of all degrees; undefined where none fits. */
export const fastestOf = (degrees: readonly Degree[]): PlanRow | undefined =>
  degrees.flatMap(({ found }) => found.fastest).sort((one, other) => one.step_time_ms - other.step_time_ms)[0];

/** How much longer one layout takes than another, percent. */
export const beyond = (one: PlanRow, other: PlanRow): number => (100 * one.step_time_ms) / other.step_time_ms - 100;

/** Which degree is fastest, and what the reader's own costs. */
export function degreesSummary(scenario: Scenario, degrees: readonly Degree[]): string {
  const cluster = scenario.number("cluster_gpus");
  const on = `${new Intl.NumberFormat("en").format(cluster)} GPU${cluster === 1 ? "" : "s"}`;
  const best = fastestOf(degrees);
  if (!best) {
    const short = Math.min(...degrees.map((one) => one.found.deficit_gib));
    return `Nothing fits on ${on}: even the best layout needs ${scenario.sizes.memory(short)} more per GPU.`;
  }
  const lead = `Fastest on ${on}: ${inShort(best)}, ${time(best.step_time_ms)} a training step.`;
  const now = scenario.number("tensor_parallel");
  if (now === best.tensor_parallel) {
    // The search chose the rest of the layout; the reader's own may take more memory.
    const own = run(scenario, "training_step").results;
    return own && !own.fits
      ? `${lead} You have chosen the same TP degree, but the rest of your layout doesn’t fit in memory.`
      : `${lead} You have chosen the same TP degree.`;
  }
  const held = degrees.find(({ group }) => group === now)?.found;
  if (!held || held.searched === 0) return `${lead} There is no layout with TP ${now}.`;
  const own = held.fastest[0];
  if (!own) return `${lead} With TP ${now} nothing fits: ${scenario.sizes.memory(held.deficit_gib)} short.`;
  const longer = beyond(own, best);
  const more = own.parts.exposed_tensor_ms - best.parts.exposed_tensor_ms;
  return longer < held.noise_floor_percent
    ? `${lead} The best layout with TP ${now} is within error of it: ${inShort(own)}.`
    : `${lead} With TP ${now} a step takes at least ${significant(longer, 2)} % longer${more > 0 ? `, and waits ${time(more)} longer for TP communication` : ""}.`;
}
