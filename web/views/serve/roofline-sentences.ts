import type { Engine, ServingRooflineInputs, ServingRooflineResults } from "#engine";
import { kernelNames, rangesInWords } from "../../figures/roofline.js";
import { capital, us } from "../../state/format.js";

/** A layer of a step that was answered with these inputs; inputs that do not concern a layer are left out. */
export function rooflineOf(engine: Engine, inputs: Readonly<Record<string, unknown>>): ServingRooflineResults {
  const { inputs: fields } = engine.describe().serving_roofline!;
  const taken = fields.flatMap(({ name }) => (name in inputs ? [[name, inputs[name]]] : []));
  return engine.serving_roofline(Object.fromEntries(taken) as unknown as ServingRooflineInputs);
}

const limits: Readonly<Record<ServingRooflineResults["kernels"][number]["limit"], string>> = {
  memory: "memory limits",
  compute: "the matrix units limit",
  start: "start-up limits",
};

/** Where a layer's time goes in a decode step, and what limits each of its kernels. */
export function servedRooflineSummary(results: ServingRooflineResults): string {
  const { kernels, forward_us } = results;
  const limited = Object.entries(limits).flatMap(([limit, words]) => {
    const by = kernels.filter((one) => one.flops > 0 && one.limit === limit);
    return by.length > 0 ? [`${words} ${by.map(({ kernel }) => kernelNames[kernel]).join(", ")}`] : [];
  });
  return `One layer of a decode step takes ${us(forward_us)} without its messages; a dot’s area is its share. ${capital(limited.join("; "))}. ${rangesInWords(results)}`;
}
