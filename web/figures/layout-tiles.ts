import type { PlanResults } from "#engine";
import { capital, gpus, ms, percent, significant } from "../state/format.js";
import type { PlanRow } from "../state/planned-layout.js";
import { run } from "../state/run.js";
import type { Scenario } from "../state/scenario.js";
import { groupStops } from "./group-stops.js";
import { fastestWord, inShort } from "./layout-words.js";
import { isSame, type Place, type Tile } from "./layout-board.js";
import { whyLonger } from "./why-longer.js";

/** The search behind the board: all families, of which each tile shows its fastest. */
export const forBoard = { best: 10_000 };

/** A tile's layout, if one fits. */
interface Found extends Place {
  row: PlanRow | undefined;
}

const placeOf = (row: PlanRow): Place => ({ tensor: row.tensor_parallel, pipeline: row.pipeline_parallel });

/** How much longer one layout takes than another, percent. */
const beyond = (one: PlanRow, other: PlanRow): number => (100 * one.step_time_ms) / other.step_time_ms - 100;

const isTight = (row: PlanRow, scenario: Scenario): boolean =>
  row.headroom_percent < scenario.number("memory_headroom_percent");

/** The layout of a place: the fastest that leaves the headroom, otherwise the fastest; nothing if none fits. */
export function layoutAt(place: Place, { layouts, fastest }: PlanResults, scenario: Scenario): PlanRow | undefined {
  const here = [...fastest, ...layouts].filter((row) => isSame(placeOf(row), place));
  const roomy = here.filter((row) => !isTight(row, scenario));
  return (roomy.length > 0 ? roomy : here).sort((one, other) => one.step_time_ms - other.step_time_ms)[0];
}

/** Every place of the board, and its layout. */
function placesOf(found: PlanResults, scenario: Scenario): Found[] {
  const cluster = scenario.number("cluster_gpus");
  const stops = groupStops(scenario).filter((tensor) => cluster % tensor === 0);
  const ascending = (degrees: readonly number[]) => [...new Set(degrees)].sort((one, other) => one - other);
  const tensors = ascending([...stops, ...found.layouts.map((row) => row.tensor_parallel)]);
  const pipelines = ascending([1, ...found.layouts.map((row) => row.pipeline_parallel)]);
  return tensors.flatMap((tensor) =>
    pipelines.map((pipeline) => ({ tensor, pipeline, row: layoutAt({ tensor, pipeline }, found, scenario) })),
  );
}

/** The board as it is shown: each tile with its time, or without it while the reader is to choose. */
export function tilesOf(found: PlanResults, scenario: Scenario, asking: boolean): Tile[] {
  const cluster = scenario.number("cluster_gpus");
  const best = found.fastest[0]!;
  return placesOf(found, scenario).map(({ tensor, pipeline, row }): Tile => {
    const place = { tensor, pipeline };
    if (cluster % (tensor * pipeline) !== 0) return { ...place, text: "–", name: "", never: true };
    if (asking) return { ...place, text: "?", name: "not shown yet" };
    if (!row) return { ...place, text: "", name: "nothing fits", unfit: true };
    const longer = beyond(row, best);
    if (row === best) return { ...place, text: "fastest", name: "the fastest", best: true };
    if (isTight(row, scenario) && !isTight(best, scenario))
      return { ...place, text: "tight", name: "fits without headroom" };
    if (row.tie) return { ...place, text: "tie", name: "within error of the fastest", best: true };
    return {
      ...place,
      text: `+${significant(longer, 2)} %`,
      name: `${significant(longer, 2)} % longer`,
      slower: longer,
    };
  });
}

/** Whether the reader's own layout fits, with everything else as the search would have chosen it. */
const fits = (scenario: Scenario): boolean => run(scenario, "training_step").results?.fits !== false;

/** Which layout is fastest, and the cost of the one under the flag, or of the reader's own degrees. */
export function layoutSummary(scenario: Scenario, found: PlanResults, flag?: Place): string {
  const on = gpus(scenario.number("cluster_gpus"));
  const [best] = found.fastest;
  if (!best)
    return `Nothing fits on ${on}: even the best layout needs ${scenario.sizes.memory(found.deficit_gib)} more per GPU.`;
  const lead = `${capital(fastestWord(best))} on ${on}: ${inShort(best)}, ${ms(best.step_time_ms)} a training step.`;
  const place = flag ?? {
    tensor: scenario.number("tensor_parallel"),
    pipeline: scenario.number("pipeline_parallel"),
  };
  if (isSame(placeOf(best), place)) {
    if (flag) return `${lead} Your flag stands on it.`;
    // The search chose the rest of the layout; the reader's own may take more memory.
    return `${lead} Yours has the same TP and PP${fits(scenario) ? "" : ", but the rest of it doesn’t fit in memory"}.`;
  }
  const whose = flag ? "Your flag" : "Your TP and PP";
  const row = layoutAt(place, found, scenario);
  if (!row) return `${lead} ${whose}: nothing fits there.`;
  if (isTight(row, scenario) && !isTight(best, scenario))
    return `${lead} ${whose}: nothing there leaves ${percent(scenario.number("memory_headroom_percent"), 2)} of memory free.`;
  if (row.tie) return `${lead} ${whose}: ${inShort(row)} is within error of it.`;
  const why = whyLonger(
    { tensor: row.tensor_parallel, data: row.data_parallel, parts: row.parts },
    best.parts,
    scenario.number("gpus_per_node"),
  );
  return `${lead} ${whose}: ${inShort(row)} takes ${ms(row.step_time_ms)}, ${significant(beyond(row, best), 2)} % longer.${why ? ` ${why}.` : ""}`;
}
