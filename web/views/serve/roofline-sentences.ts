import type { ServingRooflineResults } from "#engine";
import { kernelNames, rangesInWords } from "../../figures/roofline.js";
import { capital, us } from "../../state/format.js";
import { run } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";

const calculation = "serving_roofline";

/** A layer of the step whose inputs are given. */
export function rooflineOf(
  scenario: Scenario,
  inputs: Readonly<Record<string, unknown>>,
): ServingRooflineResults | undefined {
  const takes = new Set(scenario.engine.describe()[calculation]!.inputs.map(({ name }) => name));
  const taken = Object.entries(inputs).filter(([name]) => takes.has(name));
  return run(scenario, calculation, Object.fromEntries(taken)).results;
}

const limits: Readonly<Record<ServingRooflineResults["kernels"][number]["limit"], string>> = {
  memory: "memory",
  compute: "the matrix units",
  start: "start-up",
};

/** What takes the time of a layer in a decode step, and what limits each of its kernels. */
export function servedRooflineSummary(results: ServingRooflineResults): string {
  const { kernels, forward_us } = results;
  const limited = Object.entries(limits).flatMap(([limit, name]) => {
    const by = kernels.filter((one) => one.flops > 0 && one.limit === limit);
    return by.length > 0 ? [`${name} limits ${by.map(({ kernel }) => kernelNames[kernel]).join(", ")}`] : [];
  });
  const said = limited.join("; ").replace("the matrix units limits", "the matrix units limit");
  return `One layer of a decode step takes ${us(forward_us)} without its messages; a dot’s area is its share. ${capital(said)}. ${rangesInWords(results)}`;
}
